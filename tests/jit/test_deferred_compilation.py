"""Deferred compilation: same results before and after a function is compiled."""

import numpy as np
import pytest

from gaitwright.jit import deferred_compilation, jit_compile
from gaitwright.jit.deferred_compilation import LazyCompiled, as_python_function


@jit_compile
def halved(number):
    return number // 2


@jit_compile
def steps_to_one(number):
    """Length of the Collatz sequence."""
    steps = 0
    while number > 1:
        number = halved(number) if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def all_steps(numbers, found):
    for i in range(numbers.size):
        found[i] = steps_to_one(numbers[i])
    return found.sum()


NUMBERS = np.arange(1, 60)


def outcome(function):
    found = np.zeros_like(NUMBERS)
    return function(NUMBERS, found), found.tolist()


def test_python_version_needs_no_compiler():
    plain = as_python_function(all_steps)
    assert outcome(plain)[1][26] == 111
    assert not steps_to_one.overloads and not halved.overloads


def test_small_work_runs_in_python_up_to_the_time_limit(monkeypatch):
    monkeypatch.setattr(deferred_compilation, "MAX_PYTHON_SECONDS", 1e-9)
    function = LazyCompiled(all_steps)
    first = outcome(function)
    assert not function.compiled.overloads and function.spent > 0.0
    assert outcome(function) == first
    assert len(function.compiled.overloads) == 1


@pytest.mark.parametrize("limit, compiles", [(2 * NUMBERS.size, 0), (2 * NUMBERS.size - 1, 1)])
def test_large_work_is_compiled(limit, compiles, monkeypatch):
    monkeypatch.setattr(deferred_compilation, "MAX_PYTHON_ARRAY_SIZE", limit)
    function = LazyCompiled(all_steps)
    outcome(function)
    assert len(function.compiled.overloads) == compiles
