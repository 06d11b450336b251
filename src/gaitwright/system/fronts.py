"""A = L D L^T of a large sparse symmetric matrix, front by front, without pivoting (multifrontal method).

Unknowns that are eliminated one after the other and touch the same others form a front: a small dense matrix of its own
unknowns, first, and of those that it passes on to. From the leaves of the tree of fronts to its roots:

    [ F11  F21^T ]     entries of A and what the children pass on, added up
    [ F21  F22   ]     F11 = L11 D L11^T, and F22 - F21 F11^-1 F21^T is passed on

All the work is in dense rows: short ones in loops, long ones by BLAS (SciPy's, by its address, on all threads it has). The tree
and the places of all entries (front_tree.py) are found once per pattern: a new matrix costs the arithmetic alone.

Layout, rows behind one another: panel (p, f) of a front holds D L^T of its p own unknowns, to the right of the diagonal; what
lies left of it is not used. Pivots are not searched for: every leading block must be regular, as it is for positive definite
matrices, and with multipliers behind what they touch (elimination.py). Who calls watches the residual. The signs of D are those
of the eigenvalues of A (Sylvester).

Sources: I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9 (1983) 302-325; J. W. H. Liu, SIAM Review 34 (1992) 82-109
(multifrontal method).
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled, put_inside
from gaitwright.system.front_tree import Tree
from gaitwright.system.invoke import invoke

Array = np.ndarray

FEW, BLOCK = 8, 64
"""Pivots whose effect is taken at once to other pivots, and to the rest of a front."""
STRIP = 96
"""Rows of a front that are updated at once: only half of the square has to be."""
LONG = 96
"""Rows of this length are left to BLAS."""
THREADED = 2e9
"""Multiplications of a factorisation from which on several threads pay."""


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


@functools.cache
def threads() -> tuple[Any, Any] | None:
    """What tells and what sets the number of threads of SciPy's matrix product; None where it is not that of its wheel."""
    import scipy

    for path in sorted((Path(scipy.__file__).parent.parent / "scipy.libs").glob("*openblas*")):
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(str(path))
            return library.scipy_openblas_get_num_threads, library.scipy_openblas_set_num_threads
    return None


@contextlib.contextmanager
def threads_for(work: float) -> Iterator[None]:
    """One thread where the products are small: on a busy machine threads that wait for each other take ten times as long."""
    found = threads() if work < THREADED else None
    if found is None:
        yield
        return
    tell, set_to = found
    before = tell()
    set_to(1)
    try:
        yield
    finally:
        set_to(before)


class Room(NamedTuple):
    """What the factors of one matrix need."""

    L: Array  # all panels
    stack: Array
    local: Array  # one number for each unknown of the longest front


def room(tree: Tree) -> Room:
    return Room(np.empty(tree.panel[-1]), np.empty(tree.stack), np.empty(widest(tree.row_start)))


NOTHING = np.zeros((0, 0))


def factorise(tree: Tree, room: Room, values: Array, rest: Array = NOTHING) -> int:
    """Factors of a matrix, given by its values on the pattern; the number of negative pivots, or -1 if one vanished. rest: of
    unknowns that are kept, (kept, kept); what the others pass on to them is added, right of the diagonal and on it."""
    with threads_for(tree.work):
        return factor(
            np.ascontiguousarray(values), tree.own, tree.row_start, tree.inside, tree.parent, tree.panel,
            tree.take, tree.take_start, tree.at, tree.children, room.L, room.stack, rest, dgemm(),
        )  # fmt: skip


def solved(tree: Tree, room: Room, b: Array) -> Array:
    """A^-1 b."""
    x, b = np.empty(tree.order.size), np.ascontiguousarray(b, dtype=float)
    solve(tree.order, tree.own, tree.row, tree.row_start, tree.panel, room.L, b, x, room.local)
    return x


@compiled
def factor(values, own, row_start, inside, above, panel, take, take_start, at, children, L, stack, rest, product):
    """Fill the panels L; the number of negative pivots, or -1 if one vanished."""
    negative, count, top = 0, 0, 0
    fronts = above.size
    left = np.empty(fronts, np.int64)  # fronts on the stack
    begin = np.empty(fronts, np.int64)  # where they begin
    scaled = np.empty(BLOCK * widest(row_start))
    for k in range(L.size):
        L[k] = 0.0
    for f in range(fronts):
        p, wide = own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        u = wide - p
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        flat = L[panel[f] : panel[f + 1]]
        for k in range(take_start[f], take_start[f + 1]):
            flat[at[k]] += values[take[k]]
        U = stack[top : top + u * u].reshape((u, u))
        for k in range(top, top + u * u):
            stack[k] = 0.0
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
        passed_on(stack, bottom, top, u * u)
        left[count], begin[count] = f, bottom
        count += 1
        top = bottom + u * u
        if above[f] < 0:
            if u > 0:
                first = row_start[f] + p
                add(stack[bottom : bottom + u * u].reshape((u, u)), inside[first : first + u], P, rest, 0)
            count -= 1
            top = begin[count]
    return negative


@compiled
def widest(row_start):
    """Unknowns of the longest front."""
    found = 1
    for f in range(row_start.size - 1):
        found = max(found, row_start[f + 1] - row_start[f])
    return found


@compiled
def passed_on(stack, bottom, top, size):
    """What a front passes on takes the place of what its children did."""
    if bottom < top:
        for k in range(size):
            stack[bottom + k] = stack[top + k]


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
                subtract(P, P, first, last, j, P[j, j:wide])
        if end == wide:
            break
        if wide - end >= LONG and end - begin >= FEW:
            by_blas(P, P, U, scaled, begin, end, product)
        else:
            for j in range(end, p):
                subtract(P, P, begin, end, j, P[j, j:wide])
            for j in range(max(p, end), wide):
                subtract(P, P, begin, end, j, U[j - p, j - p : wide - p])
    return True


@compiled
def subtract(P, by, begin, end, j, target):
    """Take the effect of some pivots to one row, which begins on the diagonal. by: rows that tell how much of each, P itself
    unless the matrix is not symmetric (lu_fronts.py)."""
    wide = P.shape[1]
    k = begin
    while k + 3 < end:
        c0, c1 = by[k, j] / P[k, k], by[k + 1, j] / P[k + 1, k + 1]
        c2, c3 = by[k + 2, j] / P[k + 2, k + 2], by[k + 3, j] / P[k + 3, k + 3]
        x0, x1, x2, x3 = P[k, j:wide], P[k + 1, j:wide], P[k + 2, j:wide], P[k + 3, j:wide]
        for r in range(target.size):
            target[r] -= c0 * x0[r] + c1 * x1[r] + c2 * x2[r] + c3 * x3[r]
        k += 4
    while k < end:
        c0, x0 = by[k, j] / P[k, k], P[k, j:wide]
        for r in range(target.size):
            target[r] -= c0 * x0[r]
        k += 1


@compiled
def by_blas(P, by, U, scaled, begin, end, product):
    """The same for long rows, in strips."""
    p, wide = P.shape
    rest = wide - end
    for k in range(begin, end):
        inverse = 1.0 / P[k, k]
        for r in range(rest):
            scaled[(k - begin) * rest + r] = by[k, end + r] * inverse
    letters, factors, numbers = np.empty(2, np.uint8), np.empty(2), np.empty(6, np.int32)
    no, yes, minus, one = letters[0:1], letters[1:2], factors[0:1], factors[1:2]
    no[0], yes[0], minus[0], one[0] = 78, 84, -1.0, 1.0  # N, T
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


@put_inside
def _take_off(a, scale, b):
    for r in range(b.size):
        a[r] -= scale * b[r]


@put_inside
def _product(a, b):
    total = 0.0
    for r in range(a.size):
        total += a[r] * b[r]
    return total


@compiled
def solve(order, own, row, row_start, panel, L, b, x, local):
    """x = A^-1 b; local: room for the longest front."""
    y = np.empty(order.size)
    for k in range(order.size):
        y[k] = b[order[k]]
    forward(own, row, row_start, panel, L, y, local)
    backward(own, row, row_start, panel, L, y, local)
    for k in range(order.size):
        x[order[k]] = y[k]


@compiled
def forward(own, row, row_start, panel, L, y, local):
    """y becomes D^-1 L^-1 y, in the order of elimination; of unknowns that are kept, what the others leave of theirs."""
    for f in range(own.size - 1):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p):
            local[r] = y[first + r]
        for r in range(p, wide):
            local[r] = 0.0
        for k in range(p):
            scale = local[k] / P[k, k]
            _take_off(local[k + 1 : wide], scale, P[k, k + 1 :])
            y[first + k] = scale
        for r in range(p, wide):
            y[row[row_start[f] + r]] += local[r]


@compiled
def backward(own, row, row_start, panel, L, y, local):
    """y becomes L^-T y; unknowns that are kept are given."""
    for f in range(own.size - 2, -1, -1):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p, wide):
            local[r] = y[row[row_start[f] + r]]
        for k in range(p - 1, -1, -1):
            local[k] = y[first + k] - _product(P[k, k + 1 :], local[k + 1 : wide]) / P[k, k]
            y[first + k] = local[k]


@compiled
def backward_many(own, row, row_start, panel, L, Y, local, total):
    """The same for the columns of Y, (unknowns, columns). local: (longest front, columns), total: (columns,): room."""
    columns = Y.shape[1]
    for f in range(own.size - 2, -1, -1):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = L[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p, wide):
            local[r] = Y[row[row_start[f] + r]]
        for k in range(p - 1, -1, -1):
            total[:] = 0.0
            for r in range(k + 1, wide):
                weight, given = P[k, r], local[r]
                for c in range(columns):
                    total[c] += weight * given[c]
            inverse = 1.0 / P[k, k]
            for c in range(columns):
                local[k, c] = Y[first + k, c] - total[c] * inverse
                Y[first + k, c] = local[k, c]
