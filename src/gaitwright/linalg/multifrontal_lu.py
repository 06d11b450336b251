"""A = L D U of a large sparse matrix with a symmetric pattern, front by front, without pivoting: for sliding friction and
follower loads.

The fronts and their order are those of a symmetric matrix (multifrontal_ldl.py), each with two panels instead of one: rows of
D U to the right of the diagonal, and columns of L D below it, stored as rows. Each panel gives the factors to update the other:

    P[j, r] -= Q[k, j] / d_k P[k, r]        Q[j, r] -= P[k, j] / d_k Q[k, r]        r >= j > k

so that all loops are those of the symmetric matrix, executed twice: a factorisation costs twice as much, a solution the
same. The first pass of a solution reads Q, the second P.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.linalg.front_tree import FrontTree
from gaitwright.linalg.multifrontal_ldl import (
    MIN_BLAS_ROW_LENGTH,
    PIVOT_BLOCK_SIZE,
    PIVOT_GROUP_SIZE,
    add_child_update,
    back_substitution,
    compact_stack,
    dgemm_address,
    forward_substitution,
    limit_blas_threads,
    longest_front,
    subtract_pivots,
    subtract_pivots_by_blas,
)

Array = np.ndarray


class LuStorage(NamedTuple):
    """Storage for the factors of one matrix: panels of D U and of (L D)^T, and the updates of both."""

    upper: Array
    lower: Array
    stack: Array
    other: Array
    local: Array


def allocate_lu_storage(tree: FrontTree) -> LuStorage:
    panels, stack = int(tree.panel[-1]), tree.stack
    return LuStorage(
        np.empty(panels), np.empty(panels), np.empty(stack), np.empty(stack), np.empty(longest_front(tree.row_start)),
    )  # fmt: skip


def factorise_lu(tree: FrontTree, room: LuStorage, values: Array, mirrored: Array) -> bool:
    """Factorise a matrix given by its values on the pattern and those of its transpose; True if all pivots exist."""
    with limit_blas_threads(2.0 * tree.work):
        return factor_lu_panels(
            np.ascontiguousarray(mirrored), np.ascontiguousarray(values), tree.own, tree.row_start, tree.inside, tree.parent,
            tree.panel, tree.take, tree.take_start, tree.at, tree.children, room.upper, room.lower, room.stack, room.other,
            dgemm_address(),
        )  # fmt: skip


def solve_lu(tree: FrontTree, room: LuStorage, b: Array) -> Array:
    """A^-1 b."""
    x, b = np.empty(tree.order.size), np.ascontiguousarray(b, dtype=float)
    solve_lu_panels(
        tree.order, tree.own, tree.row, tree.row_start, tree.panel, room.upper, room.lower, b, x, room.local
    )
    return x


@jit_compile
def factor_lu_panels(
    right,
    below,
    own,
    row_start,
    inside,
    above,
    panel,
    take,
    take_start,
    at,
    children,
    upper,
    lower,
    stack,
    other,
    product,
):
    """Fill both panels; False if a pivot vanished. right, below: entries to the right of the diagonal and below it, both
    indexed by the places of the latter."""
    count, top = 0, 0
    fronts = above.size
    left = np.empty(fronts, np.int64)  # fronts on the stacks
    begin = np.empty(fronts, np.int64)  # their start
    scaled = np.empty(PIVOT_BLOCK_SIZE * longest_front(row_start))
    upper[:] = 0.0
    lower[:] = 0.0
    for f in range(fronts):
        p, wide = own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        u = wide - p
        flat, turned = upper[panel[f] : panel[f + 1]], lower[panel[f] : panel[f + 1]]
        P, Q = flat.reshape((p, wide)), turned.reshape((p, wide))
        for k in range(take_start[f], take_start[f + 1]):
            flat[at[k]] += right[take[k]]
            turned[at[k]] += below[take[k]]
        U, V = stack[top : top + u * u].reshape((u, u)), other[top : top + u * u].reshape((u, u))
        U[:] = 0.0
        V[:] = 0.0
        bottom = top
        for _ in range(children[f]):
            count -= 1
            c = left[count]
            bottom = begin[count]
            first = row_start[c] + own[c + 1] - own[c]
            size = row_start[c + 1] - first
            places = inside[first : first + size]
            add_child_update(stack[bottom : bottom + size * size].reshape((size, size)), places, P, U, p)
            add_child_update(other[bottom : bottom + size * size].reshape((size, size)), places, Q, V, p)
        if not eliminate_lu_front(P, Q, U, V, scaled, product):
            return False
        compact_stack(stack, bottom, top, u * u)
        compact_stack(other, bottom, top, u * u)
        left[count], begin[count] = f, bottom
        count += 1
        top = bottom + u * u
        if above[f] < 0:
            count -= 1
            top = begin[count]
    return True


@jit_compile
def eliminate_lu_front(P, Q, U, V, scaled, product):
    """Eliminate the own unknowns of a front; True if all have a pivot."""
    p, wide = P.shape
    for begin in range(0, p, PIVOT_BLOCK_SIZE):
        end = min(begin + PIVOT_BLOCK_SIZE, p)
        for first in range(begin, end, PIVOT_GROUP_SIZE):
            last = min(first + PIVOT_GROUP_SIZE, end)
            for k in range(first, last):
                d = P[k, k]
                if not 0.0 < abs(d) < np.inf:
                    return False
                for j in range(k + 1, last):
                    here, there = Q[k, j] / d, P[k, j] / d
                    for r in range(j, wide):
                        P[j, r] -= here * P[k, r]
                    for r in range(j, wide):
                        Q[j, r] -= there * Q[k, r]
            for j in range(last, end):
                subtract_pivots(P, Q, first, last, j, P[j, j:wide])
                subtract_pivots(Q, P, first, last, j, Q[j, j:wide])
        if end == wide:
            break
        if wide - end >= MIN_BLAS_ROW_LENGTH and end - begin >= PIVOT_GROUP_SIZE:
            subtract_pivots_by_blas(P, Q, U, scaled, begin, end, product)
            subtract_pivots_by_blas(Q, P, V, scaled, begin, end, product)
        else:
            for j in range(end, p):
                subtract_pivots(P, Q, begin, end, j, P[j, j:wide])
                subtract_pivots(Q, P, begin, end, j, Q[j, j:wide])
            for j in range(max(p, end), wide):
                subtract_pivots(P, Q, begin, end, j, U[j - p, j - p : wide - p])
                subtract_pivots(Q, P, begin, end, j, V[j - p, j - p : wide - p])
    return True


@jit_compile
def solve_lu_panels(order, own, row, row_start, panel, upper, lower, b, x, local):
    """x = A^-1 b; local: scratch for the longest front."""
    y = np.empty(order.size)
    for k in range(order.size):
        y[k] = b[order[k]]
    forward_substitution(own, row, row_start, panel, lower, y, local)
    back_substitution(own, row, row_start, panel, upper, y, local)
    for k in range(order.size):
        x[order[k]] = y[k]
