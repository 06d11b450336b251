"""Functions that compiled functions call are compiled into them; Python can call them all the same."""

import os
import subprocess
import sys
from ctypes import c_double

import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError

from gaitwright.compiled import compiled, compiled_pointer, put_inside
from gaitwright.compiled.parts import DEPTH, Inside, PartLibrary


@compiled
def root(x):
    if x < 0.0:
        raise ValueError("no root of a negative number")
    return x**0.5


@compiled
def sum_of_roots(values):
    total = 0.0
    for value in values:
        total += root(value)
    return total


@compiled
def twice(values):
    return 2.0 * sum_of_roots(values)


def into(values, count, out):
    out[0] = 0.0
    for i in range(count):
        out[0] += root(values[i])


@put_inside
def add_squares(n, values, total):
    for i in range(n):
        total[0] += values[i] ** 2


@compiled
def squares(values):
    total = np.zeros(1)
    add_squares(2, values, total)
    add_squares(3, values, total)
    return total[0]


@compiled
def wrong(x):
    return root(x) + "text"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))


def only(function):
    (overload,) = function.overloads.values()
    return overload


def test_parts_and_wholes():
    assert twice(np.array([4.0, 9.0])) == 10.0
    assert isinstance(only(root).library, PartLibrary) and isinstance(only(root).entry_point, Inside)
    assert not isinstance(only(twice).library, PartLibrary)
    # An error that a part raises reaches Python with its words.
    with pytest.raises(ValueError, match="no root of a negative number"):
        twice(np.array([4.0, -9.0]))
    # Python calls what was a part.
    assert root(16.0) == 4.0
    assert sum_of_roots(np.array([1.0, 4.0])) == 3.0
    with pytest.raises(ValueError, match="no root"):
        root(-1.0)
    assert root(16.0) == 4.0 and not DEPTH


def test_steps_are_parts_compiled_for_the_lengths_of_their_loops():
    assert squares(np.array([1.0, 2.0, 3.0])) == 19.0
    assert {signature[0].literal_value for signature in add_squares.overloads} == {2, 3}
    assert all(isinstance(overload.library, PartLibrary) for overload in add_squares.overloads.values())


def test_parts_of_a_pointer():
    reals = types.CPointer(types.float64)
    pointer = compiled_pointer(into, types.void(reals, types.int64, reals))
    values, out = (c_double * 2)(4.0, 9.0), (c_double * 1)()
    pointer.ctypes(values, 2, out)
    assert out[0] == 5.0


def test_a_function_that_cannot_be_compiled_leaves_nothing_behind():
    with pytest.raises(TypingError):
        wrong(4.0)
    assert not DEPTH and not wrong._cache.locks
    assert root(4.0) == 2.0


SCRIPT = """
import numpy as np
import test_parts as t
try:
    t.twice(np.array([-1.0]))
except ValueError as error:
    print(error, t.twice(np.array([4.0])), t.root(9.0), list(t.twice.stats.cache_hits.values()))
"""


@pytest.mark.slow
def test_parts_from_the_cache(tmp_path):
    """As in the first process: also the words of errors, which machine code refers to."""
    folder = os.path.dirname(__file__)
    settings = {"GAITWRIGHT_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join([folder, *filter(None, sys.path)])}
    said = [
        subprocess.run([sys.executable, "-c", SCRIPT], env=os.environ | settings, capture_output=True, text=True).stdout
        for _ in range(2)
    ]
    assert said == ["no root of a negative number 4.0 3.0 []\n", "no root of a negative number 4.0 3.0 [1]\n"]
