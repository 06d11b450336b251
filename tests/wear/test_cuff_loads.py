"""Cuff moments follow from the cuff's energy: the derivative of axis times sine against differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitwright.wear.cuff_loads import rotation_sine_jacobian


def axis_times_sine(matrix: np.ndarray) -> np.ndarray:
    return 0.5 * np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])


@pytest.mark.parametrize("vector", [(0.0, 0.0, 0.0), (0.3, -0.2, 0.5), (-0.9, 0.4, 0.1)])
def test_derivative_of_axis_times_sine(vector: tuple[float, float, float]) -> None:
    """R becomes exp(w) R: columns by central differences; an unsymmetric matrix reveals a transposed result."""
    relative, small = Rotation.from_rotvec(vector), 1e-6
    columns = []
    for turn in small * np.eye(3):
        ahead, back = ((Rotation.from_rotvec(sign * turn) * relative).as_matrix() for sign in (1.0, -1.0))
        columns.append((axis_times_sine(ahead) - axis_times_sine(back)) / (2 * small))
    assert rotation_sine_jacobian(relative.as_matrix()[None])[0] == pytest.approx(np.column_stack(columns), abs=1e-9)
