"""Closing joints with every flexible part as one rigid piece of its unstressed shape.

    q = q(z)        z: the coordinates of rigid bodies as they are, and the freedoms of each piece (parts/base.Piece)

A part that is tied to others goes where they go (parts/base.Following), and has no freedoms here.

Whatever z is, no piece is strained. Where the joints close, the start is without stress, however rough the drawing. A beam
that is drawn prestressed by name keeps the shape in which it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gaitwright.system.parts.base import Following, Part, Piece
from gaitwright.system.tables import Array, System


class Pieces:
    """The way in which `assemble.close` moves a pose: bodies by their coordinates, flexible parts as rigid pieces.

    scale: of the coordinates; size: m, of the mechanism."""

    followers: list[tuple[Array, Following]]
    pieces: list[tuple[Array, Piece]]
    own: Array
    scale: Array
    ends: Array

    def __init__(self, s: System, parts: Iterable[Part], scale: Array, size: float):
        self.s = s
        parts = list(parts)
        self.followers = [(part.index, way) for part in parts if (way := part.following()) is not None]
        self.pieces = [(part.index, piece) for part in parts if (piece := part.piece()) is not None]
        bent = np.zeros(s.n, dtype=bool)
        for index, _ in (*self.pieces, *self.followers):
            bent[index] = True
        self.own = np.flatnonzero(~bent)
        scales = [scale[self.own], *(piece.scale(size) for _, piece in self.pieces)]
        self.scale = np.concatenate(scales)
        self.ends = np.cumsum([part.size for part in scales])

    def placed(self, q: Array) -> Array:
        """The pose q with every flexible part replaced by the piece that comes closest to it; q itself if that is rounding
        alone, so that what is drawn exactly starts exactly so."""
        placed = self.moved(q, np.zeros(self.scale.size))
        return q if np.abs(placed - q).max() <= 1e-13 * max(1.0, np.abs(q).max()) else placed

    def moved(self, q: Array, step: Array) -> Array:
        """The pose after a step in z."""
        q = q.copy()
        own, *steps = np.split(step, self.ends[:-1])
        q[self.own] += own
        for (index, piece), own in zip(self.pieces, steps, strict=True):
            q[index] = piece.moved(q[index], own)
        for index, (constant, row, column, value) in self.followers:
            q[index] = constant + np.bincount(row, value * q[column], minlength=len(index))
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
        for (index, piece), first in zip(self.pieces, self.ends[:-1], strict=True):
            row, col, value = piece.rates(q[index])
            rows.append(index[row])
            cols.append(first + col)
            values.append(value)
        for index, (_, row, column, value) in self.followers:
            rows.append(index[row])
            cols.append(np.searchsorted(self.own, column))  # bodies move by their own coordinates
            values.append(value)
        entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols)))
        return sparse.csr_matrix(entries, shape=(self.s.n, self.scale.size))
