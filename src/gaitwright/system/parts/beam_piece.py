"""A beam as one rigid piece (system/pieces.py): z = (x, y, angle) of its middle."""

from __future__ import annotations

import numpy as np

from gaitwright.system.parts.base import Piece
from gaitwright.system.tables import Array


class BeamPiece(Piece):
    """shape: nodes (x, y, u, v) of the shape that is kept."""

    shape: Array

    def __init__(self, shape: Array):
        self.shape = _centred(shape)

    def scale(self, size: float) -> Array:
        return np.array([size, size, 1.0])

    def moved(self, values: Array, step: Array) -> Array:
        dx, dy, turned = step
        centre, angle = _placement(values.reshape(-1, 4), self.shape)
        nodes = _turned(self.shape, angle + turned)
        nodes[:, :2] += centre + np.array([dx, dy])
        return nodes.ravel()

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        arms = _centred(values.reshape(-1, 4))
        count, own = len(arms), np.arange(values.size)
        rows = np.concatenate([own[0::4], own[1::4], own])
        cols = np.repeat([0, 1, 2], [count, count, values.size])
        return rows, cols, np.concatenate([np.ones(2 * count), _across(arms).ravel()])


def _centred(nodes: Array) -> Array:
    """(x, y, u, v) of nodes, with their mean at the origin."""
    nodes = nodes.copy()
    nodes[:, :2] -= nodes[:, :2].mean(axis=0)
    return nodes


def _across(nodes: Array) -> Array:
    """Every vector of the nodes turned by +90 degrees."""
    return np.stack([-nodes[:, 1], nodes[:, 0], -nodes[:, 3], nodes[:, 2]], axis=1)


def _turned(nodes: Array, angle: float) -> Array:
    return np.cos(angle) * nodes + np.sin(angle) * _across(nodes)


def _placement(nodes: Array, shape: Array) -> tuple[Array, float]:
    """Where the middle of a piece is and how it is turned to come closest to nodes, by their directions."""
    arms = _centred(nodes)
    return nodes[:, :2].mean(axis=0), float(np.arctan2((arms * _across(shape)).sum(), (arms * shape).sum()))
