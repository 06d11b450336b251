"""A solid as one rigid piece (system/pieces.py): z = displacement and turn of its middle."""

from __future__ import annotations

import numpy as np

from gaitwright.system.parts.base import Piece
from gaitwright.system.tables import Array


class SolidPiece(Piece):
    """nodes: (n, d), m, where they are undeformed. Its coordinates are their displacements."""

    def __init__(self, nodes: Array):
        self.nodes, self.middle = nodes, nodes.mean(axis=0)
        self.arms = nodes - self.middle
        self.dimension = nodes.shape[1]
        self.turns = 1 if self.dimension == 2 else 3

    def scale(self, size: float) -> Array:
        return np.r_[np.full(self.dimension, size), np.ones(self.turns)]

    def moved(self, values: Array, step: Array) -> Array:
        d = self.dimension
        now = self.nodes + values.reshape(-1, d)
        turned = rotation_of(step[d:]) @ nearest_rotation(self.arms, now - now.mean(axis=0))
        return (now.mean(axis=0) + step[:d] + self.arms @ turned.T - self.nodes).ravel()

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        d, own = self.dimension, np.arange(values.size)
        now = self.nodes + values.reshape(-1, d)
        arms = now - now.mean(axis=0)
        turned = [np.stack([-arms[:, 1], arms[:, 0]], axis=1)] if d == 2 else [np.cross(e, arms) for e in np.eye(3)]
        rows = np.concatenate([own, *[own] * self.turns])
        cols = np.concatenate([own % d, *(np.full(own.size, d + k) for k in range(self.turns))])
        return rows, cols, np.concatenate([np.ones(own.size), *(part.ravel() for part in turned)])


def rotation_of(turn: Array) -> Array:
    """By a vector of rotation, rad; in the plane by an angle."""
    from scipy.spatial.transform import Rotation

    if turn.size == 3:
        return Rotation.from_rotvec(turn).as_matrix()
    c, s = np.cos(turn[0]), np.sin(turn[0])
    return np.array([[c, -s], [s, c]])


def nearest_rotation(before: Array, after: Array) -> Array:
    """The rotation that takes some arms closest to others (W. Kabsch, Acta Cryst. A 32 (1976) 922-923)."""
    u, _, vt = np.linalg.svd(after.T @ before)
    u[:, -1] *= np.sign(np.linalg.det(u @ vt))
    return u @ vt
