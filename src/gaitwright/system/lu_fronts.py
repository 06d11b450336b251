"""A = L D U of a large sparse matrix with a symmetric pattern, front by front, without pivoting: friction that slides, follower
loads.

The same fronts, in the same order, as of a symmetric matrix (fronts.py), each with two panels in place of one: rows of D U to
the right of the diagonal, and columns of L D below it, kept as rows. Where one of them is updated, the other tells by how much:

    P[j, r] -= Q[k, j] / d_k P[k, r]        Q[j, r] -= P[k, j] / d_k Q[k, r]        r >= j > k

so that all loops are those of the symmetric matrix, done twice: a factorisation costs twice as much, and a solution nothing
more. The first pass of a solution reads Q, the second P.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.front_tree import Tree
from gaitwright.system.fronts import (
    BLOCK,
    FEW,
    LONG,
    add,
    backward,
    by_blas,
    dgemm,
    forward,
    passed_on,
    subtract,
    threads_for,
    widest,
)

Array = np.ndarray


class Room(NamedTuple):
    """What the factors of one matrix need: panels of D U, of (L D)^T, and what is passed on of both."""

    upper: Array
    lower: Array
    stack: Array
    other: Array
    local: Array


def room(tree: Tree) -> Room:
    panels, stack = int(tree.panel[-1]), tree.stack
    return Room(
        np.empty(panels), np.empty(panels), np.empty(stack), np.empty(stack), np.empty(widest(tree.row_start)),
    )  # fmt: skip


def factorise(tree: Tree, room: Room, values: Array, mirrored: Array) -> bool:
    """Factors of a matrix, given by its values on the pattern and those of the transposed one; whether all pivots are there."""
    with threads_for(2.0 * tree.work):
        return factor(
            np.ascontiguousarray(mirrored), np.ascontiguousarray(values), tree.own, tree.row_start, tree.inside, tree.parent,
            tree.panel, tree.take, tree.take_start, tree.at, tree.children, room.upper, room.lower, room.stack, room.other,
            dgemm(),
        )  # fmt: skip


def solved(tree: Tree, room: Room, b: Array) -> Array:
    """A^-1 b."""
    x, b = np.empty(tree.order.size), np.ascontiguousarray(b, dtype=float)
    solve(tree.order, tree.own, tree.row, tree.row_start, tree.panel, room.upper, room.lower, b, x, room.local)
    return x


@compiled
def factor(
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
    """Fill both panels; False if a pivot vanished. right, below: entries to the right of the diagonal and below it, both by the
    places of the latter."""
    count, top = 0, 0
    fronts = above.size
    left = np.empty(fronts, np.int64)  # fronts on the stacks
    begin = np.empty(fronts, np.int64)  # where they begin
    scaled = np.empty(BLOCK * widest(row_start))
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
            add(stack[bottom : bottom + size * size].reshape((size, size)), places, P, U, p)
            add(other[bottom : bottom + size * size].reshape((size, size)), places, Q, V, p)
        if not eliminate(P, Q, U, V, scaled, product):
            return False
        passed_on(stack, bottom, top, u * u)
        passed_on(other, bottom, top, u * u)
        left[count], begin[count] = f, bottom
        count += 1
        top = bottom + u * u
        if above[f] < 0:
            count -= 1
            top = begin[count]
    return True


@compiled
def eliminate(P, Q, U, V, scaled, product):
    """The own unknowns of a front; whether all have a pivot."""
    p, wide = P.shape
    for begin in range(0, p, BLOCK):
        end = min(begin + BLOCK, p)
        for first in range(begin, end, FEW):
            last = min(first + FEW, end)
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
                subtract(P, Q, first, last, j, P[j, j:wide])
                subtract(Q, P, first, last, j, Q[j, j:wide])
        if end == wide:
            break
        if wide - end >= LONG and end - begin >= FEW:
            by_blas(P, Q, U, scaled, begin, end, product)
            by_blas(Q, P, V, scaled, begin, end, product)
        else:
            for j in range(end, p):
                subtract(P, Q, begin, end, j, P[j, j:wide])
                subtract(Q, P, begin, end, j, Q[j, j:wide])
            for j in range(max(p, end), wide):
                subtract(P, Q, begin, end, j, U[j - p, j - p : wide - p])
                subtract(Q, P, begin, end, j, V[j - p, j - p : wide - p])
    return True


@compiled
def solve(order, own, row, row_start, panel, upper, lower, b, x, local):
    """x = A^-1 b; local: room for the longest front."""
    y = np.empty(order.size)
    for k in range(order.size):
        y[k] = b[order[k]]
    forward(own, row, row_start, panel, lower, y, local)
    backward(own, row, row_start, panel, upper, y, local)
    for k in range(order.size):
        x[order[k]] = y[k]
