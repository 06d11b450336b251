"""The Pareto front."""

import numpy as np
import pytest

from gaitwright.design.pareto import find_pareto_front


@pytest.mark.parametrize("goals", [1, 2, 3])
def test_the_front_has_the_rows_that_no_other_dominates(goals):
    costs = np.random.default_rng(goals).integers(0, 12, (300, goals)).astype(float)
    by_definition = [
        k for k, row in enumerate(costs) if not np.any(np.all(costs <= row, axis=1) & np.any(costs < row, axis=1))
    ]
    assert sorted(find_pareto_front(costs).tolist()) == by_definition


def test_the_front_of_no_rows_is_empty():
    assert find_pareto_front(np.zeros((0, 2))).size == 0
