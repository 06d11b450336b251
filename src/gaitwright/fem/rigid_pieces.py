"""Flexible parts as one rigid piece each (mechanism/rigid_pieces.py): z is the displacement and the rotation of the middle of a
solid, a planar or a spatial beam."""

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


# Planar beam ----------------------------------------------------------------------------------------------------------


class PlanarBeamPiece(RigidPiece):
    """Rigid piece of a planar beam. shape: nodes (x, y, u, v) of its rigid shape."""

    shape: Array

    def __init__(self, shape: Array):
        self.shape = _centre_nodes(shape)

    def scale(self, size: float) -> Array:
        return np.array([size, size, 1.0])

    def moved(self, values: Array, step: Array) -> Array:
        dx, dy, turned = step
        centre, angle = _fit_placement(values.reshape(-1, 4), self.shape)
        nodes = _rotate_nodes(self.shape, angle + turned)
        nodes[:, :2] += centre + np.array([dx, dy])
        return nodes.ravel()

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        arms = _centre_nodes(values.reshape(-1, 4))
        count, own = len(arms), np.arange(values.size)
        rows = np.concatenate([own[0::4], own[1::4], own])
        cols = np.repeat([0, 1, 2], [count, count, values.size])
        return rows, cols, np.concatenate([np.ones(2 * count), _rotate_quarter_turn(arms).ravel()])


def _centre_nodes(nodes: Array) -> Array:
    """Shift nodes (x, y, u, v) so that their mean is at the origin."""
    nodes = nodes.copy()
    nodes[:, :2] -= nodes[:, :2].mean(axis=0)
    return nodes


def _rotate_quarter_turn(nodes: Array) -> Array:
    """Rotate every vector of the nodes by +90 degrees."""
    return np.stack([-nodes[:, 1], nodes[:, 0], -nodes[:, 3], nodes[:, 2]], axis=1)


def _rotate_nodes(nodes: Array, angle: float) -> Array:
    return np.cos(angle) * nodes + np.sin(angle) * _rotate_quarter_turn(nodes)


def _fit_placement(nodes: Array, shape: Array) -> tuple[Array, float]:
    """Return the position of the middle and the rotation of the piece that fit it best to nodes, including their
    directions."""
    arms = _centre_nodes(nodes)
    return nodes[:, :2].mean(axis=0), float(
        np.arctan2((arms * _rotate_quarter_turn(shape)).sum(), (arms * shape).sum())
    )


# Spatial beam ---------------------------------------------------------------------------------------------------------


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
