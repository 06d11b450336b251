"""The helper process returns values, errors and warnings; a crash, an endless loop or too much memory causes a ModelError."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from typing import Any

import numpy as np
import pytest

from gaitwright._core import isolation
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright._core.isolation import run_isolated

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


def call(function: Any, *arguments: Any, **options: Any) -> Any:
    return run_isolated(function, *arguments, source="the file 'a'", **options)


def pid_and(value: Any) -> tuple[int, Any]:
    return os.getpid(), value


def refuse() -> None:
    raise ModelError("is odd", element="link 'a'", field="mass", value=3, expected="an even number")


def warn() -> int:
    warnings.warn("it is cut", UserWarning, stacklevel=2)
    return 1


def write_to_stdout() -> int:
    os.write(1, b"noise" * 1000)
    print("noise")
    return 2


def fail() -> None:
    raise ZeroDivisionError("division by zero")


def allocate() -> int:
    return np.ones(1 << 29).size


def pid_after_use_of_memory() -> int:
    np.ones(isolation.MAX_REUSED_HELPER_BYTES // 8)
    return os.getpid()


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def loop() -> None:
    while True:
        pass


def sleep() -> None:
    time.sleep(60)


def in_helper() -> bool:
    return run_isolated(_is_helper, source="the file 'b'")


def _is_helper() -> bool:
    return isolation.IN_HELPER


def test_value_is_computed_in_one_helper_process() -> None:
    isolation.end_helper()  # a helper with much memory from earlier calls is replaced after its next call
    first, values = call(pid_and, np.arange(100_000.0))
    assert first != os.getpid() and (values == np.arange(100_000)).all()
    assert call(pid_and, 1) == (first, 1)


@POSIX
def test_helper_of_a_large_process_is_reused() -> None:
    """On Linux ru_maxrss of a new process includes the memory of its parent."""
    script = """
import os
import numpy as np
from gaitwright._core.isolation import MAX_REUSED_HELPER_BYTES, run_isolated
large = np.ones(MAX_REUSED_HELPER_BYTES // 8 + (16 << 20))
first, second = (run_isolated(os.getpid, source="a") for _ in range(2))
assert first == second != os.getpid(), (first, second)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@POSIX
def test_helper_that_used_much_memory_is_replaced() -> None:
    first, _ = call(pid_and, 1)
    assert call(pid_after_use_of_memory) == first
    assert call(pid_and, 1)[0] != first


def test_model_error_is_returned_with_its_field() -> None:
    with pytest.raises(
        ModelError, match=r"link 'a' field 'mass': is odd \(got 3\); expected an even number"
    ) as refused:
        call(refuse)
    assert (refused.value.element, refused.value.field, refused.value.value) == ("link 'a'", "mass", 3)


def test_warning_is_issued_in_the_calling_process() -> None:
    with pytest.warns(UserWarning, match="it is cut"):
        assert call(warn) == 1


def test_output_of_a_parser_is_dropped() -> None:
    assert call(write_to_stdout) == 2


def test_nested_call_stays_in_the_helper() -> None:
    assert call(in_helper) is True


def test_parser_exception_becomes_one_sentence() -> None:
    with pytest.raises(ModelError, match="the file 'a' cannot be read, it may be damaged: its content") as refused:
        call(fail)
    assert "Division" not in str(refused.value)


@POSIX
@pytest.mark.parametrize(
    ("function", "limits", "sentence"),
    [
        (crash, {}, "the file 'a' crashes its parser: it is damaged"),
        (allocate, {"memory": 1 << 30}, "the file 'a' needs more than 1.1 GB of memory to be read"),
        (loop, {"seconds": 0.05}, "the file 'a' is not read within 0 s"),
        (sleep, {"seconds": 0.02}, "the file 'a' is not read within 0 s"),
    ],
)
def test_limits(function: Any, limits: dict[str, Any], sentence: str) -> None:
    if function is allocate and not os.path.exists("/proc/self/statm"):
        pytest.skip("this system does not limit address space")
    with pytest.raises(GaitwrightError, match=sentence):
        call(function, **limits)
    assert call(pid_and, 1)[1] == 1, "the next file is read by another helper"


@POSIX
@pytest.mark.parametrize(
    ("function", "limits", "sentence"),
    [
        (crash, {}, "the process that writes it crashes"),
        (fail, {}, "its content is invalid"),
        (allocate, {"memory": 1 << 30}, "more than 1.1 GB of memory are needed"),
        (loop, {"seconds": 0.05}, "it takes more than 0 s"),
    ],
)
def test_limits_of_a_file_that_is_written(function: Any, limits: dict[str, Any], sentence: str) -> None:
    if function is allocate and not os.path.exists("/proc/self/statm"):
        pytest.skip("this system does not limit address space")
    with pytest.raises(GaitwrightError, match=f"the file 'a' cannot be written: {sentence}"):
        call(function, writes=True, **limits)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_process_starts_another_helper() -> None:
    isolation.end_helper()
    first, _ = call(pid_and, 1)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, str(call(pid_and, 1)[0]).encode())
            isolation.end_helper()
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        assert int(pipe.read()) not in (first, 0)
    assert call(pid_and, 1)[0] == first
