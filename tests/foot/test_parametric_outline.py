"""Plan view of the parametric foot: no cell is folded and toes stay separate for any size and proportions."""

import numpy as np
import pytest

from gaitwright.foot.parametric_outline import TOES, make_foot_plan


@pytest.mark.parametrize("size", [0.015, 0.01, 0.0075, 0.005, 0.003])
@pytest.mark.parametrize("shape", [(0.26, 0.1, 0.065), (0.26, 0.07, 0.05), (0.2, 0.1, 0.07), (0.3, 0.13, 0.08)])
def test_no_triangle_is_folded(shape, size):
    plan = make_foot_plan(shape[0], shape[1], shape[2], size)
    corners = np.stack([plan.x, plan.y], axis=1)[plan.triangles]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).min() > 0.0


@pytest.mark.parametrize("shape", [(0.26, 0.1, 0.065), (0.26, 0.07, 0.05), (0.3, 0.13, 0.08)])
def test_toes_stay_apart(shape):
    plan = make_foot_plan(shape[0], shape[1], shape[2], 0.004)
    for number in range(len(TOES) - 1):
        ahead = (plan.along > 0.3) & (plan.x > 0.0)
        one, two = (ahead & (plan.toe == k) for k in (number, number + 1))
        for x in np.linspace(plan.x[two].min(), plan.x[two].max(), 9):
            near = np.abs(plan.x - x) < 0.004
            if (one & near).any() and (two & near).any():
                assert plan.y[one & near].min() > plan.y[two & near].max()


def test_smaller_cells_give_more_nodes():
    counts = [len(make_foot_plan(0.26, 0.1, 0.065, size).x) for size in (0.015, 0.0075, 0.004)]
    assert counts[0] < counts[1] < counts[2]
