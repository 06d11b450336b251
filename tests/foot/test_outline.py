"""The drawn foot from above: whatever its size and proportions, no cell is folded and toes stay apart."""

import numpy as np
import pytest

from gaitwright.foot.outline import TOES, plan


@pytest.mark.parametrize("size", [0.015, 0.01, 0.0075, 0.005, 0.003])
@pytest.mark.parametrize("shape", [(0.26, 0.1, 0.065), (0.26, 0.07, 0.05), (0.2, 0.1, 0.07), (0.3, 0.13, 0.08)])
def test_no_triangle_is_folded(shape, size):
    found = plan(shape[0], shape[1], shape[2], size)
    corners = np.stack([found.x, found.y], axis=1)[found.triangles]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).min() > 0.0


@pytest.mark.parametrize("shape", [(0.26, 0.1, 0.065), (0.26, 0.07, 0.05), (0.3, 0.13, 0.08)])
def test_toes_stay_apart(shape):
    found = plan(shape[0], shape[1], shape[2], 0.004)
    for number in range(len(TOES) - 1):
        ahead = (found.along > 0.3) & (found.x > 0.0)
        one, two = (ahead & (found.toe == k) for k in (number, number + 1))
        for x in np.linspace(found.x[two].min(), found.x[two].max(), 9):
            near = np.abs(found.x - x) < 0.004
            if (one & near).any() and (two & near).any():
                assert found.y[one & near].min() > found.y[two & near].max()


def test_smaller_cells_are_more():
    counts = [len(plan(0.26, 0.1, 0.065, size).x) for size in (0.015, 0.0075, 0.004)]
    assert counts[0] < counts[1] < counts[2]
