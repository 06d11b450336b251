"""Solid as one rigid piece (mechanism/rigid_pieces.py): z = displacement and rotation of its middle."""

from __future__ import annotations

import numpy as np

from gaitwright.mechanism.parts.base import RigidPiece
from gaitwright.mechanism.tables import Array


class RigidSolidPiece(RigidPiece):
    """Rigid piece of a solid. nodes: (n, d), m, undeformed positions. Its coordinates are their displacements."""

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
        turned = rotation_from_vector(step[d:]) @ nearest_rotation(self.arms, now - now.mean(axis=0))
        return (now.mean(axis=0) + step[:d] + self.arms @ turned.T - self.nodes).ravel()

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        d, own = self.dimension, np.arange(values.size)
        now = self.nodes + values.reshape(-1, d)
        arms = now - now.mean(axis=0)
        turned = [np.stack([-arms[:, 1], arms[:, 0]], axis=1)] if d == 2 else [np.cross(e, arms) for e in np.eye(3)]
        rows = np.concatenate([own, *[own] * self.turns])
        cols = np.concatenate([own % d, *(np.full(own.size, d + k) for k in range(self.turns))])
        return rows, cols, np.concatenate([np.ones(own.size), *(part.ravel() for part in turned)])


def rotation_from_vector(turn: Array) -> Array:
    """Return the rotation matrix of a rotation vector, rad; in the plane of an angle."""
    from scipy.spatial.transform import Rotation

    if turn.size == 3:
        return Rotation.from_rotvec(turn).as_matrix()
    c, s = np.cos(turn[0]), np.sin(turn[0])
    return np.array([[c, -s], [s, c]])


def nearest_rotation(before: Array, after: Array) -> Array:
    """Return the rotation that maps vectors `before` closest to vectors `after` (W. Kabsch, Acta Cryst. A 32 (1976)
    922-923)."""
    u, _, vt = np.linalg.svd(after.T @ before)
    u[:, -1] *= np.sign(np.linalg.det(u @ vt))
    return u @ vt
