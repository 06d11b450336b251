"""Functions that are compiled when it pays give the same before and after."""

import numpy as np
import pytest

from gaitwright.compiled import compiled, later
from gaitwright.compiled.later import Later, in_python


@compiled
def halved(number):
    return number // 2


@compiled
def steps_to_one(number):
    """Collatz."""
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


def test_python_needs_no_compiler():
    plain = in_python(all_steps)
    assert outcome(plain)[1][26] == 111
    assert not steps_to_one.overloads and not halved.overloads


def test_small_work_is_done_in_python_until_it_has_cost_enough(monkeypatch):
    monkeypatch.setattr(later, "PAYS", 1e-9)
    function = Later(all_steps)
    first = outcome(function)
    assert not function.compiled.overloads and function.spent > 0.0
    assert outcome(function) == first
    assert len(function.compiled.overloads) == 1


@pytest.mark.parametrize("limit, compiles", [(2 * NUMBERS.size, 0), (2 * NUMBERS.size - 1, 1)])
def test_large_work_is_compiled(limit, compiles, monkeypatch):
    monkeypatch.setattr(later, "SMALL", limit)
    function = Later(all_steps)
    outcome(function)
    assert len(function.compiled.overloads) == compiles
