"""Closing joints with every flexible part as one rigid piece of its unstressed shape.

    q = q(z)        z: coordinates of rigid bodies, and the freedoms of each piece (parts/base.RigidPiece)

A part that is tied to others follows them (parts/base.DependentCoordinates), and has no freedoms here.

No piece is strained, for any z. Once the joints are closed, the start is free of stress, however inaccurate the drawing. A
beam that is explicitly drawn prestressed keeps its drawn shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gaitwright.mechanism.parts.base import DependentCoordinates, Part, RigidPiece
from gaitwright.mechanism.tables import Array, MechanismTables


class RigidPieceCoordinates:
    """Coordinates by which `pose_assembly.assemble_pose` moves a pose: bodies by their coordinates, flexible parts as rigid
    pieces.

    scale: of the coordinates; size: of the mechanism, m."""

    followers: list[tuple[Array, DependentCoordinates]]
    pieces: list[tuple[Array, RigidPiece]]
    own: Array
    scale: Array
    ends: Array

    def __init__(self, s: MechanismTables, parts: Iterable[Part], scale: Array, size: float):
        self.s = s
        parts = list(parts)
        self.followers = [
            (part.index, interpolation) for part in parts if (interpolation := part.following()) is not None
        ]
        self.pieces = [(part.index, piece) for part in parts if (piece := part.piece()) is not None]
        bent = np.zeros(s.n, dtype=bool)
        for index, _ in (*self.pieces, *self.followers):
            bent[index] = True
        self.own = np.flatnonzero(~bent)
        scales = [scale[self.own], *(piece.scale(size) for _, piece in self.pieces)]
        self.scale = np.concatenate(scales)
        self.ends = np.cumsum([part.size for part in scales])

    def placed(self, q: Array) -> Array:
        """Return the pose q with every flexible part replaced by the closest rigid piece; q itself if the difference is
        rounding, so that an exact drawing is used unchanged."""
        placed = self.moved(q, np.zeros(self.scale.size))
        return q if np.abs(placed - q).max() <= 1e-13 * max(1.0, np.abs(q).max()) else placed

    def moved(self, q: Array, step: Array) -> Array:
        """Return the pose after a step in z."""
        q = q.copy()
        own, *steps = np.split(step, self.ends[:-1])
        q[self.own] += own
        for (index, piece), own in zip(self.pieces, steps, strict=True):
            q[index] = piece.moved(q[index], own)
        for index, (constant, row, column, value) in self.followers:
            q[index] = constant + np.bincount(row, value * q[column], minlength=len(index))
        return q

    def step(self, q: Array, phi: Array, jac: Array, mu: float) -> Array:
        """Return the damped step that closes the joints by small changes of z; see pose_assembly.py."""
        import scipy.sparse as sparse
        from scipy.sparse.linalg import splu

        s, rows = self.s, self.s.jac_row < self.s.m
        full = sparse.csr_matrix((jac[rows], (s.jac_row[rows], s.jac_col[rows])), shape=(s.m, s.n))
        J = full @ self.rates(q)
        weight, damping = sparse.diags(1.0 / self.scale**2), sparse.diags(np.full(s.m, -mu))
        matrix = sparse.csc_matrix(sparse.bmat([[weight, J.T], [J, damping]]))
        return splu(matrix).solve(np.r_[np.zeros(self.scale.size), -phi[: s.m]])[: self.scale.size]

    def rates(self, q: Array) -> Any:
        """Return dq/dz, sparse."""
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
