"""Rotations nearest to matrices."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitwright.geometry.nearest_rotation import nearest_rotation_plane, nearest_rotation_space
from gaitwright.jit import jit_compile


@jit_compile
def in_space(B, R):
    nearest_rotation_space(B, R)


@jit_compile
def in_plane(B, R):
    nearest_rotation_plane(B, R)


def by_svd(B):
    u, _, vt = np.linalg.svd(B)
    u[:, -1] *= np.sign(np.linalg.det(u @ vt))
    return u @ vt


TURNS = Rotation.from_rotvec(
    [[0, 0, 0], [1e-9, 0, 0], [0.3, -0.2, 0.5], [np.pi, 0, 0], [0, 2.2, 2.2], [-1, 2, 3]]
).as_matrix()


@pytest.mark.parametrize("turn", range(len(TURNS)))
@pytest.mark.parametrize("stretch", [(1, 1, 1), (3, 2, 1), (1, 1, 0), (1, 0.5, -0.2), (1e-12, 2e-12, 3e-12)], ids=str)
def test_in_space(turn, stretch):
    axes, R = Rotation.from_rotvec([0.5, 1.0, -0.7]).as_matrix(), np.empty((3, 3))
    B = np.ascontiguousarray(TURNS[turn] @ axes @ np.diag(stretch) @ axes.T)
    in_space(B, R)
    np.testing.assert_allclose(R, TURNS[turn], atol=3e-15)
    np.testing.assert_allclose(R, by_svd(B), atol=1e-14)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.7, 2.0, np.pi, -2.5])
def test_in_the_plane(angle):
    c, s, R = np.cos(angle), np.sin(angle), np.empty((2, 2))
    in_plane(np.array([[c, -s], [s, c]]) @ np.array([[2.0, 0.3], [0.3, 1.0]]), R)
    np.testing.assert_allclose(R, [[c, -s], [s, c]], atol=1e-15)
