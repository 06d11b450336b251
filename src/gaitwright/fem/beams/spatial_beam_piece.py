"""Spatial beam as one rigid piece (mechanism/rigid_pieces.py): z = displacement and rotation vector of its middle."""

from __future__ import annotations

import numpy as np

from gaitwright.fem.rigid_solid_piece import nearest_rotation, rotation_from_vector
from gaitwright.mechanism.parts.base import RigidPiece
from gaitwright.mechanism.tables import Array


class SpatialBeamPiece(RigidPiece):
    """Rigid piece of a spatial beam. shape: (nodes, 15) of its rigid shape, as in the tables."""

    def __init__(self, shape: Array):
        self.shape, _ = _nodal_vectors(shape)

    def scale(self, size: float) -> Array:
        return np.r_[np.full(3, size), np.ones(3)]

    def moved(self, values: Array, step: Array) -> Array:
        arms, middle = _nodal_vectors(values.reshape(-1, 15))
        turned = rotation_from_vector(step[3:]) @ nearest_rotation(self.shape.reshape(-1, 3), arms.reshape(-1, 3))
        nodes = self.shape @ turned.T
        nodes[:, 0] += middle + step[:3]
        nodes[:, 1:4] -= np.eye(3)
        return nodes.ravel()

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        arms, _ = _nodal_vectors(values.reshape(-1, 15))
        own = np.arange(values.size)
        moved = own.reshape(-1, 15)[:, :3].ravel()
        rows = np.concatenate([moved, *[own] * 3])
        cols = np.concatenate([moved % 3, *(np.full(own.size, 3 + k) for k in range(3))])
        turned = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
        return rows, cols, np.concatenate([np.ones(moved.size), *turned])


def _nodal_vectors(nodes: Array) -> tuple[Array, Array]:
    """Return r relative to the mean position, v1, v2, v3 and r_x, (nodes, 5, 3), and the mean position."""
    arms = nodes.reshape(-1, 5, 3).copy()
    middle = arms[:, 0].mean(axis=0)
    arms[:, 0] -= middle
    arms[:, 1:4] += np.eye(3)
    return arms, middle
