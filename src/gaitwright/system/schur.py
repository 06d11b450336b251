"""What is left of a large sparse symmetric matrix when most of its unknowns are eliminated (static condensation).

    [ K_ii  K_ib ] [ u_i ]   [ f_i ]        K* = K_bb - K_bi K_ii^-1 K_ib        f* = f_b - K_bi K_ii^-1 f_i
    [ K_bi  K_bb ] [ u_b ] = [ f_b ]        K* u_b = f*        u_i = K_ii^-1 (f_i - K_ib u_b)

The unknowns i are eliminated front by front (fronts.py), in an order of their own; the roots of the tree of fronts pass on to
the unknowns b, and what they pass on is K*. No right-hand sides are solved for. The factors are kept: f* is the first half of
a solution, u_i the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.system import dissection, fronts
from gaitwright.system.front_tree import Tree, tree
from gaitwright.system.solvers import Singular

Array = np.ndarray
COLUMNS = 32
"""Of solutions that are found together."""


class Schur:
    """matrix: sparse, symmetric, both triangles, zeros of a symmetric pattern included. kept: numbers of its
    unknowns b. Singular if K_ii is.

    stiffness: K*, (b, b), in the order of `kept`; negative: number of negative eigenvalues of K_ii; work: multiplications."""

    inner: Array
    kept: Array
    tree: Tree
    room: fronts.Room
    negative: int
    stiffness: Array
    work: float

    def __init__(self, matrix: Any, kept: Array):
        size, kept = matrix.shape[0], np.asarray(kept)
        inner = np.ones(size, dtype=bool)
        inner[kept] = False
        own = np.flatnonzero(inner)
        whole = matrix.tocsc(copy=True)
        whole.sort_indices()
        inside = whole[own][:, own].tocsc()
        inside.sort_indices()
        found = dissection.order(own.size, *_long(inside), np.zeros(own.size, dtype=np.int64)) if own.size else own
        order = np.r_[own[found], kept]
        self.inner, self.kept = own, kept
        self.tree = tree(size, *_long(whole), order, kept.size)
        self.room = fronts.room(self.tree)
        rest = np.ascontiguousarray(whole[kept][:, kept].toarray())
        self.negative = fronts.factorise(self.tree, self.room, whole.data, rest) if own.size else 0
        if self.negative < 0:
            raise Singular
        below = np.tril_indices(kept.size, -1)
        rest[below] = rest.T[below]
        self.stiffness, self.work = rest, self.tree.work
        self.room = self.room._replace(stack=np.empty(0))  # was for the factorisation

    def condensed(self, loads: Array) -> tuple[Array, Array]:
        """f* (b,) of loads f on all unknowns, and what `all_of` needs to know of them."""
        t = self.tree
        y = np.ascontiguousarray(loads, dtype=float)[t.order]
        fronts.forward(t.own, t.row, t.row_start, t.panel, self.room.L, y, self.room.local)
        return y[self.inner.size :].copy(), y

    def all_of(self, u: Array, loaded: Array | None = None) -> Array:
        """All unknowns, from those that were kept. loaded: the loads, as `condensed` gave them; none unless given."""
        t = self.tree
        y = np.zeros(t.order.size) if loaded is None else loaded.copy()
        y[self.inner.size :] = u
        fronts.backward(t.own, t.row, t.row_start, t.panel, self.room.L, y, self.room.local)
        found = np.empty(y.size)
        found[t.order] = y
        return found

    def modes(self) -> Array:
        """All unknowns, (unknowns, b), by each of those that were kept: [-K_ii^-1 K_ib; 1]."""
        t, size, count = self.tree, self.tree.order.size, self.kept.size
        found = np.empty((size, count))
        local, total = np.empty((self.room.local.size, COLUMNS)), np.empty(COLUMNS)
        for first in range(0, count, COLUMNS):
            Y = np.zeros((size, COLUMNS))
            here = np.arange(first, min(first + COLUMNS, count))
            Y[self.inner.size + here, here - first] = 1.0
            fronts.backward_many(t.own, t.row, t.row_start, t.panel, self.room.L, Y, local, total)
            found[t.order[:, None], here] = Y[:, : here.size]
        return found


def _long(matrix: Any) -> tuple[Array, Array]:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
