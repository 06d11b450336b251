"""The Pareto front."""

import numpy as np
import pytest

from gaitwright.design.pareto import pareto


@pytest.mark.parametrize("goals", [1, 2, 3])
def test_the_front_is_what_nobody_dominates(goals):
    costs = np.random.default_rng(goals).integers(0, 12, (300, goals)).astype(float)
    by_definition = [
        k for k, row in enumerate(costs) if not np.any(np.all(costs <= row, axis=1) & np.any(costs < row, axis=1))
    ]
    assert sorted(pareto(costs).tolist()) == by_definition


def test_of_nothing_there_is_no_front():
    assert pareto(np.zeros((0, 2))).size == 0
