"""A = L D L^T of a large sparse symmetric matrix, front by front, without pivoting (multifrontal method).

Unknowns that are eliminated one after the other and touch the same others form a front: a small dense matrix of its own
unknowns, first, and of those that it passes on to. From the leaves of the tree of fronts to its roots:

    [ F11  F21^T ]     entries of A and what the children pass on, added up
    [ F21  F22   ]     F11 = L11 D L11^T, and F22 - F21 F11^-1 F21^T is passed on

All the work is in dense rows: short ones in loops, long ones by BLAS (SciPy's, by its address, on all threads it has). The tree
and the places of all entries (`Tree`) are found once per pattern: a new matrix costs the arithmetic alone.

Layout, rows behind one another: panel (p, f) of a front holds D L^T of its p own unknowns, to the right of the diagonal; what
lies left of it is not used. Pivots are not searched for: every leading block must be regular, as it is for positive definite
matrices, and with multipliers behind what they touch (elimination.py). Who calls watches the residual. The signs of D are those
of the eigenvalues of A (Sylvester).

Sources: I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9 (1983) 302-325; J. W. H. Liu, SIAM Review 34 (1992) 82-109
(multifrontal method) and SIAM J. Matrix Anal. Appl. 11 (1990) 134-172 (elimination trees); C. Ashcraft, R. Grimes, ACM Trans.
Math. Softw. 15 (1989) 291-309 (joining fronts).
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.invoke import invoke

Array = np.ndarray

FEW, BLOCK = 8, 64
"""Pivots whose effect is taken at once to other pivots, and to the rest of a front."""
STRIP = 96
"""Rows of a front that are updated at once: only half of the square has to be."""
LONG = 96
"""Rows of this length are left to BLAS."""
NARROW, WASTE = 8, 0.15
"""Fronts with so few unknowns are joined with their parent if at most WASTE of the result is zeros; wider ones for a tenth."""


class Tree(NamedTuple):
    """Fronts in the order of elimination, children first. order: the unknown that is eliminated k-th."""

    order: Array
    own: Array  # (fronts + 1,) where the own unknowns of each begin in the order of elimination
    row: Array  # positions of all unknowns of the fronts, one front behind the other, ascending
    row_start: Array
    parent: Array  # of each front, -1 for roots
    inside: Array  # for each unknown of a front: its place in the parent's; of the own ones nothing
    panel: Array  # (fronts + 1,) where the panels begin
    take: Array  # entries of the matrix, by fronts
    take_start: Array
    at: Array  # where each goes: within the panel
    children: Array  # number of each
    stack: int  # largest size of what waits to be taken on
    work: float  # multiplications of a factorisation


@functools.cache
def dgemm() -> int:
    """The address of SciPy's matrix product."""
    from scipy.linalg import cython_blas  # pyright: ignore[reportAttributeAccessIssue]

    capsule = cython_blas.__pyx_capi__["dgemm"]
    python: Any = ctypes.pythonapi
    python.PyCapsule_GetName.restype, python.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(python.PyCapsule_GetPointer(capsule, python.PyCapsule_GetName(capsule)))


# the tree --------------------------------------------------------------------------------------------------------------


def tree(size: int, start: Array, index: Array, order: Array) -> Tree:
    """The fronts of a symmetric pattern by columns (both triangles, sorted) for unknowns eliminated in a given order."""
    parent = parents(start, index, order, np.argsort(order))
    order = order[_postorder(parent)]
    position = np.argsort(order)
    parent = parents(start, index, order, position)
    count = _counts(start, index, order, position, parent)
    front = _joined(parent, count)
    # Own unknowns of a front behind one another, fronts in the order of their last one, which is behind all children's.
    last = np.zeros(front.max(initial=-1) + 1, dtype=np.int64)
    np.maximum.at(last, front, np.arange(size))
    place = np.argsort(np.argsort(last))[front]
    moved = np.argsort(place, kind="stable")
    order, parent_of = order[moved], parent
    position = np.argsort(order)
    own = np.searchsorted(place[moved], np.arange(last.size + 1))
    above = np.full(last.size, -1, dtype=np.int64)
    tops = np.sort(last)
    above[:] = np.where(parent_of[tops] >= 0, place[parent_of[tops]], -1)
    row, row_start = _rows(start, index, order, position, own, above)
    inside = _inside(row, row_start, own, above)
    wide, width = np.diff(row_start), np.diff(own)
    panel = np.concatenate(([0], np.cumsum(width * wide)))
    take, take_start, at = _places(start, index, position, own, row, row_start, panel)
    children = np.bincount(above[above >= 0], minlength=last.size)
    stack = _stack(above, children, wide - width)
    work = float(np.sum(width * wide * wide - width * width * wide + width**3 / 3.0) / 2.0)
    return Tree(
        order, own, row, row_start, above, inside, panel, take, take_start, at, children, max(stack, 1), work
    )  # fmt: skip


@compiled
def parents(start, index, order, position):
    """The elimination tree: for each position the first one that its column of L touches, -1 if none."""
    size = order.size
    parent, ancestor = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for k in range(size):
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[index[entry]]
            while i < k:
                following = ancestor[i]
                ancestor[i] = k
                if following == -1:
                    parent[i] = k
                    break
                i = following
    return parent


@compiled
def _postorder(parent):
    """Children directly before their parents."""
    size = parent.size
    first, following = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for k in range(size - 1, -1, -1):
        if parent[k] >= 0:
            following[k] = first[parent[k]]
            first[parent[k]] = k
    found, waiting = np.empty(size, np.int64), np.empty(size, np.int64)
    at = 0
    for root in range(size):
        if parent[root] >= 0:
            continue
        top = 0
        waiting[0] = root
        while top >= 0:
            k = waiting[top]
            child = first[k]
            if child >= 0:
                first[k] = following[child]
                top += 1
                waiting[top] = child
            else:
                found[at] = k
                at += 1
                top -= 1
    return found


@compiled
def _counts(start, index, order, position, parent):
    """Entries in each column of L, the diagonal included."""
    size = order.size
    count, seen = np.ones(size, np.int64), np.full(size, -1, np.int64)
    for k in range(size):
        seen[k] = k
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[index[entry]]
            while i < k and seen[i] != k:
                count[i] += 1
                seen[i] = k
                i = parent[i]
    return count


@compiled
def _joined(parent, count):
    """The front of each position, numbered at will: columns with the same pattern; small fronts join their parents."""
    size = parent.size
    only = np.zeros(size, np.int64)
    for k in range(size):
        if parent[k] >= 0:
            only[parent[k]] += 1
    # top: the last position of a front stands for it.
    top = np.arange(size)
    width, height, zeros = np.ones(size, np.int64), count.copy(), np.zeros(size, np.int64)
    for k in range(size):
        above = parent[k]
        if above < 0:
            continue
        whole, wide = height[above], width[k]
        # Parents are visited after all their children: above is still a single column that fronts may have joined.
        empty = zeros[k] + zeros[above] + wide * (whole - (height[k] - wide))
        length = wide + whole
        columns = wide + width[above]
        all_of_it = columns * length - columns * (columns - 1) // 2
        same = only[above] == 1 and empty == zeros[k]
        if same or (wide <= NARROW and empty <= WASTE * all_of_it) or empty <= 0.1 * WASTE * all_of_it:
            top[k] = above
            width[above], height[above], zeros[above] = columns, length, empty
    front = np.empty(size, np.int64)
    number = 0
    for k in range(size - 1, -1, -1):
        if top[k] == k:
            front[k] = number
            number += 1
        else:
            front[k] = front[top[k]]
    return front


@compiled
def _rows(start, index, order, position, own, above):
    """Positions of all unknowns of each front, and where they begin."""
    size, fronts = order.size, above.size
    front = np.empty(size, np.int64)
    for f in range(fronts):
        for k in range(own[f], own[f + 1]):
            front[k] = f
    first, following = np.full(fronts, -1, np.int64), np.full(fronts, -1, np.int64)
    row_start = np.zeros(fronts + 1, np.int64)
    rows = np.empty(2 * index.size + size, np.int64)
    seen = np.full(size, -1, np.int64)
    top = 0
    for f in range(fronts):
        row_start[f] = top
        need = own[f + 1] - own[f]
        for k in range(own[f], own[f + 1]):
            need += start[order[k] + 1] - start[order[k]]
        child = first[f]
        while child >= 0:
            need += row_start[child + 1] - row_start[child]
            child = following[child]
        if top + need > rows.size:
            more = np.empty(2 * rows.size + need, np.int64)
            more[:top] = rows[:top]
            rows = more
        for k in range(own[f], own[f + 1]):
            seen[k] = f
            rows[top] = k
            top += 1
        behind = top
        for k in range(own[f], own[f + 1]):
            for entry in range(start[order[k]], start[order[k] + 1]):
                i = position[index[entry]]
                if i >= own[f + 1] and seen[i] != f:
                    seen[i] = f
                    rows[top] = i
                    top += 1
        child = first[f]
        while child >= 0:
            for entry in range(row_start[child], row_start[child + 1]):
                i = rows[entry]
                if i >= own[f + 1] and seen[i] != f:
                    seen[i] = f
                    rows[top] = i
                    top += 1
            child = following[child]
        rows[behind:top].sort()
        if above[f] >= 0:
            following[f] = first[above[f]]
            first[above[f]] = f
    row_start[fronts] = top
    return rows[:top].copy(), row_start


@compiled
def _inside(row, row_start, own, above):
    """Where the unknowns that a front passes on are in the front of its parent."""
    found = np.zeros(row.size, np.int32)
    for f in range(above.size):
        if above[f] < 0:
            continue
        begin = row_start[above[f]]
        at = begin
        for entry in range(row_start[f] + own[f + 1] - own[f], row_start[f + 1]):
            while row[at] != row[entry]:
                at += 1
            found[entry] = at - begin
    return found


@compiled
def _entries(start, index, position, own, row, row_start, panel, front_of):
    """The front of every entry in the lower triangle, -1 for others, and its place in the panel."""
    owner, at = np.full(index.size, -1, np.int64), np.zeros(index.size, np.int64)
    for column in range(position.size):
        j = position[column]
        f = front_of[j]
        begin, wide = row_start[f], row_start[f + 1] - row_start[f]
        for entry in range(start[column], start[column + 1]):
            i = position[index[entry]]
            if i < j:
                continue
            low, high = begin, row_start[f + 1]
            while low < high:
                middle = (low + high) // 2
                if row[middle] < i:
                    low = middle + 1
                else:
                    high = middle
            owner[entry], at[entry] = f, (j - own[f]) * wide + low - begin
    return owner, at


def _places(
    start: Array, index: Array, position: Array, own: Array, row: Array, row_start: Array, panel: Array
) -> tuple[Array, Array, Array]:
    front_of = np.repeat(np.arange(own.size - 1), np.diff(own))
    owner, at = _entries(start, index, position, own, row, row_start, panel, front_of)
    inside = np.flatnonzero(owner >= 0)
    take = inside[np.argsort(owner[inside], kind="stable")]
    return take, np.searchsorted(owner[take], np.arange(own.size)), at[take]


@compiled
def _stack(above, children, passed):
    """Numbers on the stack, at most: a front is built on top of what its children left there."""
    sizes, count, top, most = np.zeros(above.size, np.int64), 0, 0, 0
    for f in range(above.size):
        most = max(most, top + passed[f] ** 2)
        for _ in range(children[f]):
            count -= 1
            top -= sizes[count]
        sizes[count] = passed[f] ** 2
        top += sizes[count]
        count += 1
    return most


# numbers ---------------------------------------------------------------------------------------------------------------


class Room(NamedTuple):
    """What the factors of one matrix need."""

    L: Array  # all panels
    stack: Array
    local: Array  # one number for each unknown of the longest front


def room(tree: Tree) -> Room:
    return Room(np.empty(tree.panel[-1]), np.empty(tree.stack), np.empty(np.diff(tree.row_start).max(initial=0)))


def factorise(tree: Tree, room: Room, values: Array) -> int:
    """Factors of a matrix, given by its values on the pattern; the number of negative pivots, or -1 if one vanished."""
    return factor(
        np.ascontiguousarray(values), tree.own, tree.row_start, tree.inside, tree.parent, tree.panel,
        tree.take, tree.take_start, tree.at, tree.children, room.L, room.stack, dgemm(),
    )  # fmt: skip


def solved(tree: Tree, room: Room, b: Array) -> Array:
    """A^-1 b."""
    x, b = np.empty(tree.order.size), np.ascontiguousarray(b, dtype=float)
    solve(tree.order, tree.own, tree.row, tree.row_start, tree.panel, room.L, b, x, room.local)
    return x


@compiled
def factor(values, own, row_start, inside, above, panel, take, take_start, at, children, L, stack, product):
    """Fill the panels L; the number of negative pivots, or -1 if one vanished."""
    negative, count, top = 0, 0, 0
    fronts = above.size
    left = np.empty(fronts, np.int64)  # fronts on the stack
    begin = np.empty(fronts, np.int64)  # where they begin
    scaled = np.empty(BLOCK * max(1, np.max(row_start[1:] - row_start[:-1])))
    L[:] = 0.0
    for f in range(fronts):
        p, wide = own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        u = wide - p
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        flat = L[panel[f] : panel[f + 1]]
        for k in range(take_start[f], take_start[f + 1]):
            flat[at[k]] += values[take[k]]
        U = stack[top : top + u * u].reshape((u, u))
        U[:] = 0.0
        bottom = top
        for _ in range(children[f]):
            count -= 1
            c = left[count]
            bottom = begin[count]
            first = row_start[c] + own[c + 1] - own[c]
            size = row_start[c + 1] - first
            add(stack[bottom : bottom + size * size].reshape((size, size)), inside[first : first + size], P, U, p)
        if not eliminate(P, U, scaled, product):
            return -1
        for k in range(p):
            negative += P[k, k] < 0.0
        if u > 0:
            if bottom < top:
                for k in range(u * u):
                    stack[bottom + k] = stack[top + k]
            left[count], begin[count] = f, bottom
            count += 1
            top = bottom + u * u
        else:
            top = bottom
            left[count], begin[count] = f, bottom
            count += 1
        if above[f] < 0:
            count -= 1
            top = begin[count]
    return negative


@compiled
def add(source, inside, P, U, p):
    """Add what a child passes on."""
    size = inside.size
    for c in range(size):
        j = inside[c]
        if j < p:
            for r in range(c, size):
                P[j, inside[r]] += source[c, r]
        else:
            for r in range(c, size):
                U[j - p, inside[r] - p] += source[c, r]


@compiled
def eliminate(P, U, scaled, product):
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
                    scale = P[k, j] / d
                    for r in range(j, wide):
                        P[j, r] -= scale * P[k, r]
            for j in range(last, end):
                subtract(P, first, last, j, P[j, j:wide])
        if end == wide:
            break
        if wide - end >= LONG and end - begin >= FEW:
            by_blas(P, U, scaled, begin, end, product)
        else:
            for j in range(end, p):
                subtract(P, begin, end, j, P[j, j:wide])
            for j in range(max(p, end), wide):
                subtract(P, begin, end, j, U[j - p, j - p : wide - p])
    return True


@compiled
def subtract(P, begin, end, j, target):
    """Take the effect of some pivots to one row, which begins on the diagonal."""
    wide = P.shape[1]
    k = begin
    while k + 3 < end:
        c0, c1 = P[k, j] / P[k, k], P[k + 1, j] / P[k + 1, k + 1]
        c2, c3 = P[k + 2, j] / P[k + 2, k + 2], P[k + 3, j] / P[k + 3, k + 3]
        x0, x1, x2, x3 = P[k, j:wide], P[k + 1, j:wide], P[k + 2, j:wide], P[k + 3, j:wide]
        for r in range(target.size):
            target[r] -= c0 * x0[r] + c1 * x1[r] + c2 * x2[r] + c3 * x3[r]
        k += 4
    while k < end:
        c0, x0 = P[k, j] / P[k, k], P[k, j:wide]
        for r in range(target.size):
            target[r] -= c0 * x0[r]
        k += 1


@compiled
def by_blas(P, U, scaled, begin, end, product):
    """The same for long rows, in strips."""
    p, wide = P.shape
    rest = wide - end
    for k in range(begin, end):
        inverse = 1.0 / P[k, k]
        for r in range(rest):
            scaled[(k - begin) * rest + r] = P[k, end + r] * inverse
    no, yes = np.array([78], np.uint8), np.array([84], np.uint8)  # N, T
    minus, one = np.array([-1.0]), np.array([1.0])
    numbers = np.empty(6, np.int32)
    m, n, inner = numbers[0:1], numbers[1:2], numbers[2:3]
    lda, ldb, ldc = numbers[3:4], numbers[4:5], numbers[5:6]
    inner[0], lda[0], ldb[0] = end - begin, wide, rest
    j = end
    while j < wide:
        stop = min(j + STRIP, p if j < p else wide)
        m[0], n[0] = wide - j, stop - j
        A, B = P[begin, j:], scaled[j - end :]
        if j < p:
            ldc[0] = wide
            invoke(product, (no, yes, m, n, inner, minus, A, lda, B, ldb, one, P[j, j:], ldc))
        else:
            ldc[0] = wide - p
            invoke(product, (no, yes, m, n, inner, minus, A, lda, B, ldb, one, U[j - p, j - p :], ldc))
        j = stop


@compiled
def solve(order, own, row, row_start, panel, L, b, x, local):
    """x = A^-1 b; local: room for the longest front."""
    fronts = own.size - 1
    y = np.empty(order.size)
    for k in range(order.size):
        y[k] = b[order[k]]
    for f in range(fronts):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p):
            local[r] = y[first + r]
        for r in range(p, wide):
            local[r] = 0.0
        for k in range(p):
            scale = local[k] / P[k, k]
            for r in range(k + 1, wide):
                local[r] -= scale * P[k, r]
            y[first + k] = scale
        for r in range(p, wide):
            y[row[row_start[f] + r]] += local[r]
    for back in range(fronts):
        f = fronts - 1 - back
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p, wide):
            local[r] = y[row[row_start[f] + r]]
        for k in range(p - 1, -1, -1):
            total = 0.0
            for r in range(k + 1, wide):
                total += P[k, r] * local[r]
            local[k] = y[first + k] - total / P[k, k]
            y[first + k] = local[k]
    for k in range(order.size):
        x[order[k]] = y[k]
