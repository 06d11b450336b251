"""A compilation is announced once, with a lower bound of its time."""

import pytest

from gaitwright.jit import jit_compile
from gaitwright.jit.compilation_notice import (
    CACHED_TIME_FRACTION,
    MIN_ANNOUNCED_SECONDS,
    SECONDS_PER_CODE_BYTE,
    CompilationNotice,
    estimate_compile_seconds,
)


@pytest.mark.parametrize(
    ("compilations", "said"),
    [
        ((0.375, 0.375), []),
        ((0.375, 0.375, 0.375), [MIN_ANNOUNCED_SECONDS]),
        ((5.0, 4.0, 9.0), [5.0]),
        ((0.1, 5.0, 0.1), [5.0]),
    ],
    ids=["short", "short ones together", "long ones", "a short one before"],
)
def test_one_line_however_much_is_compiled(compilations, said, capsys):
    notice = CompilationNotice()
    for seconds in compilations:
        notice.expect(seconds)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "".join(f"compiling, first run only ({seconds:.0f} s or more)\n" for seconds in said))


@jit_compile
def inner(x):
    return x * x + 1.0


def outer(x):
    return inner(x) + inner(x + 1.0)


def test_estimate_counts_all_instructions_and_less_for_cached_code(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))
    own, below = len(outer.__code__.co_code), len(inner.py_func.__code__.co_code)
    assert estimate_compile_seconds(outer) == pytest.approx(SECONDS_PER_CODE_BYTE * (own + below))
    assert estimate_compile_seconds(outer, outer) == estimate_compile_seconds(outer), "once"
    assert jit_compile(outer)(1.0) == 7.0
    assert estimate_compile_seconds(outer) == pytest.approx(
        SECONDS_PER_CODE_BYTE * (own + CACHED_TIME_FRACTION * below)
    )
