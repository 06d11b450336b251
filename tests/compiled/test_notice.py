"""A compilation is announced with its size, once."""

import pytest

from gaitwright.compiled import compiled
from gaitwright.compiled.notice import KEPT, LEAST, PER_BYTE, Notice, seconds_for


@pytest.mark.parametrize(
    ("compilations", "said"),
    [
        ((0.375, 0.375), []),
        ((0.375, 0.375, 0.375), [LEAST]),
        ((5.0, 4.0, 9.0), [5.0]),
        ((0.1, 5.0, 0.1), [5.0]),
    ],
    ids=["short", "short ones together", "long ones", "a short one before"],
)
def test_one_line_however_much_is_compiled(compilations, said, capsys):
    notice = Notice()
    for seconds in compilations:
        notice.expect(seconds)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "".join(f"compiling, first run only ({seconds:.0f} s or more)\n" for seconds in said))


@compiled
def inner(x):
    return x * x + 1.0


def outer(x):
    return inner(x) + inner(x + 1.0)


def test_size_is_that_of_all_instructions_and_less_for_what_is_there(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))
    own, below = len(outer.__code__.co_code), len(inner.py_func.__code__.co_code)
    assert seconds_for(outer) == pytest.approx(PER_BYTE * (own + below))
    assert seconds_for(outer, outer) == seconds_for(outer), "once"
    assert compiled(outer)(1.0) == 7.0
    assert seconds_for(outer) == pytest.approx(PER_BYTE * (own + KEPT * below))
