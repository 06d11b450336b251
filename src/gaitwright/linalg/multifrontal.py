"""A = L D U of a large sparse matrix with a symmetric pattern, front by front, without pivoting (multifrontal method). A
symmetric matrix has U = L^T.

Unknowns that are eliminated consecutively and have the same other neighbours form a front: a small dense matrix of its own
unknowns, first, and of the unknowns to which it passes its update. From the leaves of the tree of fronts to its roots:

        [ F11  F12 ]     sum of entries of A and of the children's updates
        [ F21  F22 ]     F11 = L11 D U11; the update F22 - F21 F11^-1 F12 is passed on

All the work is in dense rows: short ones in loops, long ones by BLAS (SciPy's, by its address, on all its threads). The tree
and the places of all entries (front_tree.py) are computed once per pattern: a new matrix costs only the arithmetic.

Layout, rows one after another: the upper panel P (p, f) of a front holds D U of its p own unknowns, on and right of the
diagonal; the part left of it is unused. The lower panel Q holds the columns of L D below the diagonal, as rows, in the same
layout. Each panel gives the factors to update the other:

    P[j, r] -= Q[k, j] / d_k P[k, r]        Q[j, r] -= P[k, j] / d_k Q[k, r]        r >= j > k

For a symmetric matrix, P and Q are one array, and so are the updates of both. An unsymmetric one, as with sliding friction and
follower loads, takes twice the work. The first pass of a solution reads Q, the second P.

There is no pivoting: every leading block must be regular, as in positive definite matrices, and with multipliers after the
unknowns that they are connected to (elimination.py). The caller must check the residual. The signs of D are those of the
eigenvalues of a symmetric A (Sylvester).

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

from gaitwright.jit import force_inline, jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.linalg.front_tree import FrontTree

Array = np.ndarray

PIVOT_GROUP_SIZE, PIVOT_BLOCK_SIZE = 8, 64
"""Pivots applied together to other pivots of a block, and to the rest of a front."""
UPDATE_STRIP_ROWS = 96
"""Rows of a front updated together: only half of the square is needed."""
MIN_BLAS_ROW_LENGTH = 96
"""Row length from which BLAS is used."""
MIN_THREADED_MULTIPLICATIONS = 2e9
"""Multiplications of a factorisation from which several threads pay off."""


@functools.cache
def dgemm_address() -> int:
    """Address of SciPy's matrix product."""
    from scipy.linalg import cython_blas  # pyright: ignore[reportAttributeAccessIssue]

    capsule = cython_blas.__pyx_capi__["dgemm"]
    python: Any = ctypes.pythonapi
    python.PyCapsule_GetName.restype, python.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(python.PyCapsule_GetPointer(capsule, python.PyCapsule_GetName(capsule)))


@functools.cache
def blas_thread_functions() -> tuple[Any, Any] | None:
    """Getter and setter for the thread count of SciPy's matrix product; None if SciPy does not use the BLAS of its wheel."""
    import scipy

    for path in sorted((Path(scipy.__file__).parent.parent / "scipy.libs").glob("*openblas*")):
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(str(path))
            return library.scipy_openblas_get_num_threads, library.scipy_openblas_set_num_threads
    return None


@contextlib.contextmanager
def limit_blas_threads(work: float) -> Iterator[None]:
    """Use one thread if the products are small: on a busy machine waiting threads take ten times as long."""
    thread_functions = blas_thread_functions() if work < MIN_THREADED_MULTIPLICATIONS else None
    if thread_functions is None:
        yield
        return
    get_count, set_count = thread_functions
    before = get_count()
    set_count(1)
    try:
        yield
    finally:
        set_count(before)


class MultifrontalStorage(NamedTuple):
    """Storage for the factors of one matrix. Of a symmetric matrix, both panels are one array, and both stacks."""

    upper: Array  # all panels of D U
    lower: Array  # all panels of (L D)^T
    stack: Array  # updates to the right of the diagonal
    lower_stack: Array  # updates below it
    local: Array  # one number for each unknown of the longest front


def allocate_storage(tree: FrontTree, symmetric: bool) -> MultifrontalStorage:
    """Allocate the arrays of a factorisation."""
    upper, stack = np.empty(tree.panel[-1]), np.empty(tree.stack)
    lower, lower_stack = (upper, stack) if symmetric else (np.empty_like(upper), np.empty_like(stack))
    return MultifrontalStorage(upper, lower, stack, lower_stack, np.empty(longest_front(tree.row_start)))


EMPTY_MATRIX = np.zeros((0, 0))


def factorise(
    tree: FrontTree, room: MultifrontalStorage, values: Array, mirrored: Array | None = None, rest: Array = EMPTY_MATRIX
) -> int:
    """Factorise a matrix; return the number of negative pivots, or -1 if one vanished. values: of the entries of the pattern;
    mirrored: those of the transpose, None for a symmetric matrix. rest: (kept, kept) matrix of the retained unknowns of a
    symmetric matrix; the updates of the others are added on and right of its diagonal."""
    below = np.ascontiguousarray(values)
    right = below if mirrored is None else np.ascontiguousarray(mirrored)
    with limit_blas_threads(tree.work if mirrored is None else 2.0 * tree.work):
        return factor_panels(
            mirrored is None, right, below, tree.own, tree.row_start, tree.inside, tree.parent, tree.panel, tree.take,
            tree.take_start, tree.at, tree.children, room.upper, room.lower, room.stack, room.lower_stack, rest,
            dgemm_address(),
        )  # fmt: skip


def solve(tree: FrontTree, room: MultifrontalStorage, b: Array) -> Array:
    """A^-1 b."""
    x, b = np.empty(tree.order.size), np.ascontiguousarray(b, dtype=float)
    solve_panels(tree.order, tree.own, tree.row, tree.row_start, tree.panel, room.upper, room.lower, b, x, room.local)
    return x


@jit_compile
def factor_panels(
    symmetric, right, below, own, row_start, inside, above, panel, take, take_start, at, children, upper, lower, stack,
    lower_stack, rest, product,
):  # fmt: skip
    """Fill the panels; return the number of negative pivots, or -1 if one vanished. right, below: entries to the right of the
    diagonal and below it, both indexed by the places of the latter."""
    negative, count, top = 0, 0, 0
    fronts = above.size
    left = np.empty(fronts, np.int64)  # fronts on the stacks
    begin = np.empty(fronts, np.int64)  # their start
    scaled = np.empty(PIVOT_BLOCK_SIZE * longest_front(row_start))
    for f in range(fronts):
        p, wide = own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        u = wide - p
        P = gather_entries(right, take, take_start[f], take_start[f + 1], at, upper[panel[f] : panel[f + 1]], p, wide)
        U = clear_update(stack, top, u)
        Q, V = P, U
        if not symmetric:
            Q = gather_entries(
                below, take, take_start[f], take_start[f + 1], at, lower[panel[f] : panel[f + 1]], p, wide
            )
            V = clear_update(lower_stack, top, u)
        bottom = top
        for _ in range(children[f]):
            count -= 1
            c = left[count]
            bottom = begin[count]
            first = row_start[c] + own[c + 1] - own[c]
            places = inside[first : row_start[c + 1]]
            add_child_update(stack[bottom:], places, P, U, p)
            if not symmetric:
                add_child_update(lower_stack[bottom:], places, Q, V, p)
        if not eliminate_front(symmetric, P, Q, U, V, scaled, product):
            return -1
        for k in range(p):
            negative += P[k, k] < 0.0
        compact_stack(stack, bottom, top, u * u)
        if not symmetric:
            compact_stack(lower_stack, bottom, top, u * u)
        left[count], begin[count] = f, bottom
        count += 1
        top = bottom + u * u
        if above[f] < 0:
            if u > 0:
                first = row_start[f] + p
                add_child_update(stack[bottom:], inside[first : first + u], P, rest, 0)
            count -= 1
            top = begin[count]
    return negative


@jit_compile
def gather_entries(values, take, start, stop, at, panel, p, wide):
    """Fill the panel of a front with the entries of the matrix; return it as a matrix (p, wide)."""
    panel[:] = 0.0
    for k in range(start, stop):
        panel[at[k]] += values[take[k]]
    return panel.reshape((p, wide))


@jit_compile
def clear_update(stack, top, u):
    """Clear the place of an update on top of the stack; return it as a matrix (u, u)."""
    stack[top : top + u * u] = 0.0
    return stack[top : top + u * u].reshape((u, u))


@jit_compile
def longest_front(row_start):
    """Number of unknowns of the longest front."""
    longest = 1
    for f in range(row_start.size - 1):
        longest = max(longest, row_start[f + 1] - row_start[f])
    return longest


@jit_compile
def compact_stack(stack, bottom, top, size):
    """Move the update of a front to the place of its children's updates."""
    if bottom < top:
        for k in range(size):
            stack[bottom + k] = stack[top + k]


@jit_compile
def add_child_update(stack, inside, P, U, p):
    """Add the update of a child, which begins at the start of `stack`, to a front."""
    size = inside.size
    source = stack[: size * size].reshape((size, size))
    for c in range(size):
        j = inside[c]
        if j < p:
            for r in range(c, size):
                P[j, inside[r]] += source[c, r]
        else:
            for r in range(c, size):
                U[j - p, inside[r] - p] += source[c, r]


@jit_compile
def eliminate_front(symmetric, P, Q, U, V, scaled, product):
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
                    right, below = P[k, j] / d, Q[k, j] / d
                    for r in range(j, wide):
                        P[j, r] -= below * P[k, r]
                    if not symmetric:
                        for r in range(j, wide):
                            Q[j, r] -= right * Q[k, r]
            for j in range(last, end):
                subtract_pivots(P, Q, first, last, j, P[j, j:wide])
                if not symmetric:
                    subtract_pivots(Q, P, first, last, j, Q[j, j:wide])
        if end < wide:
            subtract_block(P, Q, U, scaled, begin, end, product)
            if not symmetric:
                subtract_block(Q, P, V, scaled, begin, end, product)
    return True


@jit_compile
def subtract_block(P, by, U, scaled, begin, end, product):
    """Subtract the effect of a block of pivots from the later rows of a panel and from its update."""
    p, wide = P.shape
    if wide - end >= MIN_BLAS_ROW_LENGTH and end - begin >= PIVOT_GROUP_SIZE:
        subtract_pivots_by_blas(P, by, U, scaled, begin, end, product)
        return
    for j in range(end, p):
        subtract_pivots(P, by, begin, end, j, P[j, j:wide])
    for j in range(max(p, end), wide):
        subtract_pivots(P, by, begin, end, j, U[j - p, j - p : wide - p])


@jit_compile
def subtract_pivots(P, by, begin, end, j, target):
    """Subtract the effect of some pivots from one row, which begins on the diagonal. by: panel with the
    factors, P itself if the matrix is symmetric."""
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


@jit_compile
def subtract_pivots_by_blas(P, by, U, scaled, begin, end, product):
    """Same as subtract_pivots for long rows, in strips."""
    p, wide = P.shape
    rest = wide - end
    for k in range(begin, end):
        inverse = 1.0 / P[k, k]
        for r in range(rest):
            scaled[(k - begin) * rest + r] = by[k, end + r] * inverse
    letters, factors, numbers = np.empty(2, np.uint8), np.empty(2), np.empty(6, np.int32)
    no, yes, minus, plus = letters[0:1], letters[1:2], factors[0:1], factors[1:2]
    no[0], yes[0], minus[0], plus[0] = 78, 84, -1.0, 1.0  # N, T
    m, n, inner = numbers[0:1], numbers[1:2], numbers[2:3]
    lda, ldb, ldc = numbers[3:4], numbers[4:5], numbers[5:6]
    inner[0], lda[0], ldb[0] = end - begin, wide, rest
    j = end
    while j < wide:
        stop = min(j + UPDATE_STRIP_ROWS, p if j < p else wide)
        m[0], n[0] = wide - j, stop - j
        A, B = P[begin, j:], scaled[j - end :]
        if j < p:
            ldc[0] = wide
            call_address(product, (no, yes, m, n, inner, minus, A, lda, B, ldb, plus, P[j, j:], ldc))
        else:
            ldc[0] = wide - p
            call_address(product, (no, yes, m, n, inner, minus, A, lda, B, ldb, plus, U[j - p, j - p :], ldc))
        j = stop


@force_inline
def _subtract_scaled(a, scale, b):
    for r in range(b.size):
        a[r] -= scale * b[r]


@force_inline
def _dot_product(a, b):
    total = 0.0
    for r in range(a.size):
        total += a[r] * b[r]
    return total


@jit_compile
def solve_panels(order, own, row, row_start, panel, upper, lower, b, x, local):
    """x = A^-1 b; local: scratch for the longest front."""
    y = np.empty(order.size)
    for k in range(order.size):
        y[k] = b[order[k]]
    forward_substitution(own, row, row_start, panel, lower, y, local)
    back_substitution(own, row, row_start, panel, upper, y, local)
    for k in range(order.size):
        x[order[k]] = y[k]


@jit_compile
def forward_substitution(own, row, row_start, panel, lower, y, local):
    """y becomes D^-1 L^-1 y, in the order of elimination; for retained unknowns, the condensed right-hand side."""
    for f in range(own.size - 1):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        Q = lower[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p):
            local[r] = y[first + r]
        for r in range(p, wide):
            local[r] = 0.0
        for k in range(p):
            scale = local[k] / Q[k, k]
            _subtract_scaled(local[k + 1 : wide], scale, Q[k, k + 1 :])
            y[first + k] = scale
        for r in range(p, wide):
            y[row[row_start[f] + r]] += local[r]


@jit_compile
def back_substitution(own, row, row_start, panel, upper, y, local):
    """y becomes U^-1 y; the retained unknowns are given."""
    for f in range(own.size - 2, -1, -1):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = upper[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p, wide):
            local[r] = y[row[row_start[f] + r]]
        for k in range(p - 1, -1, -1):
            local[k] = y[first + k] - _dot_product(P[k, k + 1 :], local[k + 1 : wide]) / P[k, k]
            y[first + k] = local[k]


@jit_compile
def back_substitution_columns(own, row, row_start, panel, upper, Y, local, total):
    """Same as back_substitution for the columns of Y, (unknowns, columns). local: (longest front, columns) and total:
    (columns,) are scratch."""
    columns = Y.shape[1]
    for f in range(own.size - 2, -1, -1):
        first, p, wide = own[f], own[f + 1] - own[f], row_start[f + 1] - row_start[f]
        P = upper[panel[f] : panel[f + 1]].reshape((p, wide))
        for r in range(p, wide):
            local[r] = Y[row[row_start[f] + r]]
        for k in range(p - 1, -1, -1):
            total[:] = 0.0
            for r in range(k + 1, wide):
                weight, source = P[k, r], local[r]
                for c in range(columns):
                    total[c] += weight * source[c]
            inverse = 1.0 / P[k, k]
            for c in range(columns):
                local[k, c] = Y[first + k, c] - total[c] * inverse
                Y[first + k, c] = local[k, c]
