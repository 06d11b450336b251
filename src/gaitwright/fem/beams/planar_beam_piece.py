"""Planar beam as one rigid piece (mechanism/rigid_pieces.py): z = (x, y, angle) of its middle."""

from __future__ import annotations

import numpy as np

from gaitwright.mechanism.parts.base import RigidPiece
from gaitwright.mechanism.tables import Array


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
