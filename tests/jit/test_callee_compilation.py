"""Functions called by compiled functions are compiled into their callers, and still callable from Python."""

import os
import subprocess
import sys
from ctypes import c_double

import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError

from gaitwright.jit import compile_cfunc, force_inline, jit_compile
from gaitwright.jit.callee_compilation import COMPILATION_STACK, CalleeLibrary, InlinedCode


@jit_compile
def root(x):
    if x < 0.0:
        raise ValueError("no root of a negative number")
    return x**0.5


@jit_compile
def sum_of_roots(values):
    total = 0.0
    for value in values:
        total += root(value)
    return total


@jit_compile
def twice(values):
    return 2.0 * sum_of_roots(values)


def into(values, count, out):
    out[0] = 0.0
    for i in range(count):
        out[0] += root(values[i])


@force_inline
def add_squares(n, values, total):
    for i in range(n):
        total[0] += values[i] ** 2


@jit_compile
def squares(values):
    total = np.zeros(1)
    add_squares(2, values, total)
    add_squares(3, values, total)
    return total[0]


@jit_compile
def wrong(x):
    return root(x) + "text"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))


def only(function):
    (overload,) = function.overloads.values()
    return overload


def test_callee_is_also_callable_from_python():
    assert twice(np.array([4.0, 9.0])) == 10.0
    assert isinstance(only(root).library, CalleeLibrary) and isinstance(only(root).entry_point, InlinedCode)
    assert not isinstance(only(twice).library, CalleeLibrary)
    # An exception raised in a callee reaches Python with its message.
    with pytest.raises(ValueError, match="no root of a negative number"):
        twice(np.array([4.0, -9.0]))
    # Python calls a function that was a callee so far.
    assert root(16.0) == 4.0
    assert sum_of_roots(np.array([1.0, 4.0])) == 3.0
    with pytest.raises(ValueError, match="no root"):
        root(-1.0)
    assert root(16.0) == 4.0 and not COMPILATION_STACK


def test_inlined_functions_are_compiled_for_the_lengths_of_their_loops():
    assert squares(np.array([1.0, 2.0, 3.0])) == 19.0
    assert {signature[0].literal_value for signature in add_squares.overloads} == {2, 3}
    assert all(isinstance(overload.library, CalleeLibrary) for overload in add_squares.overloads.values())


def test_callees_of_a_c_callback():
    reals = types.CPointer(types.float64)
    pointer = compile_cfunc(into, types.void(reals, types.int64, reals))
    values, out = (c_double * 2)(4.0, 9.0), (c_double * 1)()
    pointer.ctypes(values, 2, out)
    assert out[0] == 5.0


def test_failed_compilation_leaves_nothing_behind():
    with pytest.raises(TypingError):
        wrong(4.0)
    assert not COMPILATION_STACK and not wrong._cache.locks
    assert root(4.0) == 2.0


SCRIPT = """
import numpy as np
import test_callee_compilation as t
try:
    t.twice(np.array([-1.0]))
except ValueError as error:
    print(error, t.twice(np.array([4.0])), t.root(9.0), list(t.twice.stats.cache_hits.values()))
"""


@pytest.mark.slow
def test_callees_from_the_cache(tmp_path):
    """Same results as in the first process, including exception messages, which machine code refers to."""
    folder = os.path.dirname(__file__)
    settings = {"GAITWRIGHT_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join([folder, *filter(None, sys.path)])}
    said = [
        subprocess.run([sys.executable, "-c", SCRIPT], env=os.environ | settings, capture_output=True, text=True).stdout
        for _ in range(2)
    ]
    assert said == ["no root of a negative number 4.0 3.0 []\n", "no root of a negative number 4.0 3.0 [1]\n"]
