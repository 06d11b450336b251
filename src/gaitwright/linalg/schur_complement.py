"""Schur complement of a large sparse symmetric matrix on a few retained unknowns (static condensation).

    [ K_ii  K_ib ] [ u_i ]   [ f_i ]        K* = K_bb - K_bi K_ii^-1 K_ib        f* = f_b - K_bi K_ii^-1 f_i
    [ K_bi  K_bb ] [ u_b ] = [ f_b ]        K* u_b = f*        u_i = K_ii^-1 (f_i - K_ib u_b)

The unknowns i are eliminated front by front (multifrontal.py), in their own order; the roots of the tree of fronts pass
their updates to the unknowns b, which gives K*. No right-hand sides are solved for. The factors are stored: f* is the first
half of a solution, u_i the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.linalg import elimination_order, multifrontal
from gaitwright.linalg.backends import SingularMatrix
from gaitwright.linalg.front_tree import FrontTree, build_front_tree

Array = np.ndarray
SOLUTION_BLOCK_COLUMNS = 32
"""Number of solutions computed together."""


class SchurComplement:
    """Schur complement. matrix: sparse, symmetric, both triangles, explicit zeros that complete a symmetric pattern included.
    kept: indices of the retained unknowns b. Raises SingularMatrix if K_ii is singular.

    stiffness: K*, (b, b), in the order of `kept`; negative: number of negative eigenvalues of K_ii; work: multiplications."""

    inner: Array
    kept: Array
    tree: FrontTree
    room: multifrontal.MultifrontalStorage
    negative: int
    stiffness: Array
    work: float

    def __init__(self, matrix: Any, retained: Array):
        size, retained = matrix.shape[0], np.asarray(retained)
        inner = np.ones(size, dtype=bool)
        inner[retained] = False
        own = np.flatnonzero(inner)
        columns = matrix.tocsc(copy=True)
        columns.sort_indices()
        inside = columns[own][:, own].tocsc()
        inside.sort_indices()
        inner_order = (
            elimination_order.find_elimination_order(
                own.size, *_int64_pattern(inside), np.zeros(own.size, dtype=np.int64)
            )
            if own.size
            else own
        )
        order = np.r_[own[inner_order], retained]
        self.inner, self.kept = own, retained
        self.tree = build_front_tree(size, *_int64_pattern(columns), order, retained.size)
        self.room = multifrontal.allocate_storage(self.tree, symmetric=True)
        rest = np.ascontiguousarray(columns[retained][:, retained].toarray())
        self.negative = multifrontal.factorise(self.tree, self.room, columns.data, rest=rest) if own.size else 0
        if self.negative < 0:
            raise SingularMatrix
        below = np.tril_indices(retained.size, -1)
        rest[below] = rest.T[below]
        self.stiffness, self.work = rest, self.tree.work
        self.room = self.room._replace(stack=np.empty(0), lower_stack=np.empty(0))  # only needed for the factorisation

    def condensed(self, loads: Array) -> tuple[Array, Array]:
        """f* (b,) of loads f on all unknowns, and the forward-substituted loads, an argument of `all_of`."""
        t = self.tree
        y = np.ascontiguousarray(loads, dtype=float)[t.order]
        multifrontal.forward_substitution(t.own, t.row, t.row_start, t.panel, self.room.lower, y, self.room.local)
        return y[self.inner.size :].copy(), y

    def all_of(self, u: Array, loaded: Array | None = None) -> Array:
        """All unknowns from the retained ones. loaded: loads as returned by `condensed`; zero by default."""
        t = self.tree
        y = np.zeros(t.order.size) if loaded is None else loaded.copy()
        y[self.inner.size :] = u
        multifrontal.back_substitution(t.own, t.row, t.row_start, t.panel, self.room.upper, y, self.room.local)
        unknowns = np.empty(y.size)
        unknowns[t.order] = y
        return unknowns

    def modes(self) -> Array:
        """All unknowns, (unknowns, b), for a unit value of each retained one: [-K_ii^-1 K_ib; 1]."""
        t, size, count = self.tree, self.tree.order.size, self.kept.size
        shapes = np.empty((size, count))
        local, total = np.empty((self.room.local.size, SOLUTION_BLOCK_COLUMNS)), np.empty(SOLUTION_BLOCK_COLUMNS)
        for first in range(0, count, SOLUTION_BLOCK_COLUMNS):
            Y = np.zeros((size, SOLUTION_BLOCK_COLUMNS))
            chunk = np.arange(first, min(first + SOLUTION_BLOCK_COLUMNS, count))
            Y[self.inner.size + chunk, chunk - first] = 1.0
            multifrontal.back_substitution_columns(t.own, t.row, t.row_start, t.panel, self.room.upper, Y, local, total)
            shapes[t.order[:, None], chunk] = Y[:, : chunk.size]
        return shapes


def _int64_pattern(matrix: Any) -> tuple[Array, Array]:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
