"""Closing joints with every beam as one rigid piece of its unstressed shape.

    q = q(z)        z: the coordinates of rigid bodies as they are, and (x, y, angle) of each beam, of its middle

Whatever z is, no beam is strained. Where the joints close, the start is without stress, however rough the drawing. A beam
that is drawn prestressed by name keeps the shape in which it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gaitwright.system.beam_tables import BeamNames
from gaitwright.system.tables import Array, System


class Pieces:
    """The way in which `assemble.close` moves a pose: bodies by their coordinates, beams as rigid pieces.

    scale: of the coordinates; size: m, of the mechanism, the scale of where a piece is. drawn: the pose that tells the
    shape of prestressed beams."""

    def __init__(self, s: System, beams: Iterable[BeamNames], scale: Array, size: float, drawn: Array):
        self.s, self.beams = s, list(beams)
        self.shapes = [_centred(drawn[beam.nodes] if beam.prestressed else beam.reference) for beam in self.beams]
        bent = np.zeros(s.n, dtype=bool)
        for beam in self.beams:
            bent[beam.nodes] = True
        self.own = np.flatnonzero(~bent)
        self.scale = np.r_[scale[self.own], np.tile([size, size, 1.0], len(self.beams))]

    def placed(self, q: Array) -> Array:
        """The pose q with every beam replaced by the piece that comes closest to it; q itself if that is rounding alone, so
        that what is drawn exactly starts exactly so."""
        placed = self.moved(q, np.zeros(self.scale.size))
        return q if np.abs(placed - q).max() <= 1e-13 * max(1.0, np.abs(q).max()) else placed

    def moved(self, q: Array, step: Array) -> Array:
        """The pose after a step in z, m and rad."""
        q = q.copy()
        q[self.own] += step[: self.own.size]
        for k, (beam, shape) in enumerate(zip(self.beams, self.shapes, strict=True)):
            dx, dy, turned = step[self.own.size + 3 * k :][:3]
            centre, angle = _placement(q[beam.nodes], shape)
            q[beam.nodes] = _turned(shape, angle + turned)
            q[beam.nodes[:, :2]] += centre + np.array([dx, dy])
        return q

    def step(self, q: Array, phi: Array, jac: Array, mu: float) -> Array:
        """The damped step that closes the joints by small changes of z; see assemble.py."""
        import scipy.sparse as sparse
        from scipy.sparse.linalg import splu

        s, rows = self.s, self.s.jac_row < self.s.m
        full = sparse.csr_matrix((jac[rows], (s.jac_row[rows], s.jac_col[rows])), shape=(s.m, s.n))
        J = full @ self.rates(q)
        weight, damping = sparse.diags(1.0 / self.scale**2), sparse.diags(np.full(s.m, -mu))
        matrix = sparse.csc_matrix(sparse.bmat([[weight, J.T], [J, damping]]))
        return splu(matrix).solve(np.r_[np.zeros(self.scale.size), -phi[: s.m]])[: self.scale.size]

    def rates(self, q: Array) -> Any:
        """dq/dz, sparse."""
        import scipy.sparse as sparse

        rows, cols, values = [self.own], [np.arange(self.own.size)], [np.ones(self.own.size)]
        for k, beam in enumerate(self.beams):
            at, nodes = self.own.size + 3 * k, beam.nodes
            arms = q[nodes]
            arms[:, :2] -= arms[:, :2].mean(axis=0)
            rows += [nodes[:, 0], nodes[:, 1], nodes.ravel()]
            cols += [np.full(len(nodes), at), np.full(len(nodes), at + 1), np.full(nodes.size, at + 2)]
            values += [np.ones(len(nodes)), np.ones(len(nodes)), _across(arms).ravel()]
        entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols)))
        return sparse.csr_matrix(entries, shape=(self.s.n, self.scale.size))


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
