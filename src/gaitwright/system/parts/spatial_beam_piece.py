"""A beam of space as one rigid piece (system/pieces.py): z = displacement and turn of its middle."""

from __future__ import annotations

import numpy as np

from gaitwright.system.parts.base import Piece
from gaitwright.system.parts.solid_piece import nearest_rotation, rotation_of
from gaitwright.system.tables import Array


class SpatialBeamPiece(Piece):
    """shape: (nodes, 15) of the shape that is kept, as the tables have them."""

    def __init__(self, shape: Array):
        self.shape, _ = _arms(shape)

    def scale(self, size: float) -> Array:
        return np.r_[np.full(3, size), np.ones(3)]

    def moved(self, values: Array, step: Array) -> Array:
        arms, middle = _arms(values.reshape(-1, 15))
        turned = rotation_of(step[3:]) @ nearest_rotation(self.shape.reshape(-1, 3), arms.reshape(-1, 3))
        nodes = self.shape @ turned.T
        nodes[:, 0] += middle + step[:3]
        nodes[:, 1:4] -= np.eye(3)
        return nodes.ravel()

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        arms, _ = _arms(values.reshape(-1, 15))
        own = np.arange(values.size)
        moved = own.reshape(-1, 15)[:, :3].ravel()
        rows = np.concatenate([moved, *[own] * 3])
        cols = np.concatenate([moved % 3, *(np.full(own.size, 3 + k) for k in range(3))])
        turned = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
        return rows, cols, np.concatenate([np.ones(moved.size), *turned])


def _arms(nodes: Array) -> tuple[Array, Array]:
    """r from the middle of all, v1, v2, v3 and r_x, (nodes, 5, 3), and the middle."""
    arms = nodes.reshape(-1, 5, 3).copy()
    middle = arms[:, 0].mean(axis=0)
    arms[:, 0] -= middle
    arms[:, 1:4] += np.eye(3)
    return arms, middle
