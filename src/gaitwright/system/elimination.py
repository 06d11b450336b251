"""Direct solution of one sparse system many times: a static pattern, an elimination program, no pivoting.

    [ A  J^T ] [ q''    ]   [ Q     ]        A: mass (or tangent) matrix, J: constraint Jacobian Phi_q
    [ J   0  ] [ lambda ] = [ gamma ]

`analyse` looks once at which entries can be non-zero and writes down the order of elimination and the place of every
multiply-subtract. `factor_*` and `solve_*` only replay that program: no search, no allocation, no decision on values.

Rule: a multiplier ("late" unknown) is eliminated only after all the coordinates that it touches; otherwise minimum
degree. Every leading block is then [[A1, J1^T], [J1, 0]] with complete rows of J in J1, so for A positive definite and
J of full rank no pivot vanishes: they are positive for coordinates, negative for multipliers. A vanishing pivot of a
multiplier means a redundant constraint or a singular pose. Not for indefinite A (statics past a limit point), which
needs an LU with pivoting. Where A is only semidefinite, system/brace.py adds unknowns that wait for multipliers.

Value array K of a matrix with n unknowns and nz entries below the diagonal, all in elimination order:

    K[0 : n]              diagonal; the diagonal entry of unknown i is at position[i]
    K[n : n + nz]         strictly lower entries (the row is eliminated after the column), column by column
    K[n + nz : n + 2 nz]  their mirror images above the diagonal, only in the general (unsymmetric) layout
    K[-1]                 trash: may be written, is never read

A factorisation replaces it by A = L D U (U = L^T if symmetric): 1/D in the diagonal, L below, U above, ones not stored.

A program that would be too long (library.py, with what was measured) is not written: K has the same layout then, with the
unknowns in their natural order and without the entries that elimination fills in, and a library factorises it.

Source: LDL^T without pivoting of quasidefinite matrices, R. J. Vanderbei, SIAM J. Optim. 5 (1995) 100-113. The order:
minimum_degree.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gaitwright.compiled import compiled
from gaitwright.compiled.later import Later
from gaitwright.system.invoke import invoke
from gaitwright.system.library import Direct
from gaitwright.system.minimum_degree import minimum_degree
from gaitwright.system.packed import Ints, Longs, Packed, Slots
from gaitwright.system.solvers import LIMIT, chosen

# The numeric phase counts in unsigned integers: Numba then omits its test for negative indices, 40 % of the time.
ONE = np.uint64(1)

MISSING = -2
FACTOR, SOLVE, BAD = range(3)
"""Entries of Elimination.library: addresses of two functions, 0 if there is a program; and what the first has found."""


class Elimination(Packed):
    """The elimination program of a pattern with n unknowns; can be passed into compiled functions."""

    order: Ints  # (n,) the unknown that is eliminated k-th
    position: Ints  # (n,) the inverse of order
    column: Slots  # (n + 1,) where the entries below the diagonal of the k-th column start in row
    row: Slots  # (nz,) elimination position of each such entry, ascending within a column
    target: Slots  # slots to update: for each column, for each entry j in it, for each entry i from j on
    library: Longs  # who factorises and solves instead; see above
    direct: Direct | None = None  # the same, known to Python only

    def own(self) -> Elimination:
        """For one matrix: a program serves any number of them, a library keeps the factors of one."""
        if self.direct is None:
            return self
        direct = self.direct.another()
        copy = self.replaced(library=direct.library)
        copy.direct = direct
        return copy


def longest_program(symmetric: bool = True) -> int:
    """Multiplications above which others are faster: see library.py."""
    return LIMIT[chosen(symmetric)]


def analyse(size: int, rows: ArrayLike, cols: ArrayLike, late: ArrayLike, longest: int | None = None) -> Elimination:
    """Order the unknowns and write the elimination program.

    rows, cols: the pattern, in either triangle or both, with duplicates; the diagonal always belongs to it, and entries
    with an index of -1 are ignored. late: (size,) 0 for coordinates, 1 for multipliers, 2 for what waits for those. The
    same pattern always gives the same program, whatever the order of its entries. longest: multiplications above which there
    is no program but a library.
    """
    rows, cols = _indices(size, rows, cols)
    late = np.array(late, dtype=np.uint8)
    if late.shape != (size,):
        raise ValueError(f"late has the shape {late.shape}, expected ({size},)")
    real = (rows >= 0) & (cols >= 0) & (rows != cols)
    rows, cols = rows[real], cols[real]
    keys = np.sort(np.concatenate((rows * size + cols, cols * size + rows)))  # np.unique is eight times slower here
    owner, neighbour = np.divmod(keys[np.diff(keys, prepend=-1) > 0], size)
    start = np.searchsorted(owner, np.arange(size + 1))

    most = longest_program() if longest is None else longest
    order, length, below = minimum_degree(start, neighbour, late, most)
    if length.size == 0 < size:
        return _by_library(size, owner, neighbour, late)
    position = np.argsort(order)
    row = np.sort(np.repeat(position, length) * size + position[below[: length.sum()]]) % size
    column = np.concatenate(([0], np.cumsum(length[order])))
    target = np.empty(np.sum(length * (length + 1) // 2), dtype=np.uint32)
    _write_targets(column, row, target)
    return Elimination(
        order.astype(np.int32), position.astype(np.int32), column.astype(np.uint32), row.astype(np.uint32), target,
        np.zeros(3, dtype=np.int64),
    )  # fmt: skip


def _by_library(size: int, owner: NDArray[Any], neighbour: NDArray[Any], late: NDArray[Any]) -> Elimination:
    """No program, but the pattern as it is, for a library."""
    below = neighbour > owner
    column, row = np.searchsorted(owner[below], np.arange(size + 1)), neighbour[below]
    direct, natural = Direct(column, row, late), np.arange(size, dtype=np.int32)
    found = Elimination(
        natural, natural, column.astype(np.uint32), row.astype(np.uint32), np.zeros(0, dtype=np.uint32), direct.library
    )
    found.direct = direct
    return found


def storage_size(elimination: Elimination) -> tuple[int, int]:
    """Length of the value array K in the symmetric and in the general layout, trash slot included."""
    n, nz = elimination.order.size, elimination.row.size
    return n + nz + 1, n + 2 * nz + 1


def slots(elimination: Elimination, rows: ArrayLike, cols: ArrayLike, general: bool) -> NDArray[np.int64]:
    """Where the entries (row, col) of the matrix live in K; rows and cols are broadcast against each other.

    Symmetric layout: the entries above the diagonal go to the trash slot, so that a matrix given by both triangles is
    stored once. An index of -1 goes there too. An entry outside the pattern raises ValueError.
    """
    rows, cols = _indices(elimination.order.size, rows, cols)
    found = np.empty(rows.size, dtype=np.int64)
    _find(elimination, rows.flatten(), cols.flatten(), general, storage_size(elimination)[general] - 1, found)
    if MISSING in found:
        first = np.argmax(found == MISSING)
        raise ValueError(f"entry ({rows.flat[first]}, {cols.flat[first]}) is not in the pattern")
    return found.reshape(rows.shape)


@compiled
def factor_symmetric(e: Elimination, K: NDArray[Any]) -> Any:
    """A = L D L^T in place. Returns -1, or the elimination position of the first pivot that is zero or not finite."""
    if e.library[FACTOR] != 0:
        invoke(e.library[FACTOR], (K, 0))
        return e.library[BAD]
    n = np.uint64(e.order.size)
    column, target = e.column, e.target
    t = np.uint64(0)
    for k in range(n):
        d = K[k]
        if not 0.0 < abs(d) < np.inf:
            return np.int64(k)
        inverse = 1.0 / d
        K[k] = inverse
        last = n + column[k + ONE]
        for j in range(n + column[k], last):
            # Entry j is scaled only after its own row: the later ones no longer need it. No second copy of the column.
            L_jk = K[j] * inverse
            for i in range(j, last):
                K[target[t]] -= L_jk * K[i]
                t += ONE
            K[j] = L_jk
    return -1


@compiled
def factor_general(e: Elimination, K: NDArray[Any]) -> Any:
    """A = L D U in place, for real or complex values. Returns the same as factor_symmetric."""
    if e.library[FACTOR] != 0:
        invoke(e.library[FACTOR], (K, 1))
        return e.library[BAD]
    n = np.uint64(e.order.size)
    nz = np.uint64(e.row.size)
    column, target = e.column, e.target
    t = np.uint64(0)
    for k in range(n):
        d = K[k]
        if not 0.0 < abs(d) < np.inf:
            return np.int64(k)
        inverse = 1.0 / d
        K[k] = inverse
        last = n + column[k + ONE]
        for j in range(n + column[k], last):
            L_jk = K[j] * inverse
            U_kj = K[nz + j] * inverse
            K[target[t]] -= L_jk * K[nz + j]
            t += ONE
            for i in range(j + ONE, last):
                slot = target[t]
                K[slot] -= K[i] * U_kj
                K[nz + slot] -= L_jk * K[nz + i]
                t += ONE
            K[j] = L_jk
            K[nz + j] = U_kj
    return -1


@compiled
def solve_symmetric(e: Elimination, K: NDArray[Any], b: NDArray[Any], x_work: NDArray[Any]) -> None:
    """Overwrite b, indexed by unknown, with the solution of A x = b; K from factor_symmetric, x_work: (n,) scratch."""
    _solve(e, K, np.uint64(e.order.size), b, x_work)


@compiled
def solve_general(e: Elimination, K: NDArray[Any], b: NDArray[Any], x_work: NDArray[Any]) -> None:
    """Overwrite b, indexed by unknown, with the solution of A x = b; K from factor_general, x_work: (n,) scratch."""
    _solve(e, K, np.uint64(e.order.size) + np.uint64(e.row.size), b, x_work)


def pivots(e: Elimination, K: NDArray[Any], out: NDArray[Any]) -> None:
    """Write the pivots D of a factorisation to out, indexed by unknown."""
    with np.errstate(divide="ignore"):  # of a factorisation that broke off
        out[e.order] = 1.0 / K[: e.order.size]


@compiled
def _solve(e, K, upper, b, x):
    """L D U x = b, with U from K[upper] on."""
    if e.library[SOLVE] != 0:
        invoke(e.library[SOLVE], (b,))
        return
    n = np.uint64(e.order.size)
    order, column, row = e.order, e.column, e.row
    for k in range(n):
        x[k] = b[np.uint32(order[k])]
    # One running index, not range(): LLVM unrolls such loops for far longer columns than ours, which costs 30 %.
    entry = np.uint64(0)
    for k in range(n):
        x_k = x[k]
        last = column[k + ONE]
        while entry < last:
            x[row[entry]] -= K[n + entry] * x_k
            entry += ONE
    for back in range(n):
        k = n - ONE - back
        x_k = x[k] * K[k]
        first = column[k]
        while entry > first:
            entry -= ONE
            x_k -= K[upper + entry] * x[row[entry]]
        x[k] = x_k
        b[np.uint32(order[k])] = x_k


@Later
def _write_targets(column, row, target):
    """The slots that factor_symmetric updates, in its order: entry (row[b], row[a]) for all b >= a of a column."""
    size = column.size - 1
    t = 0
    for k in range(size):
        for a in range(column[k], column[k + 1]):
            j = row[a]
            target[t] = j
            t += 1
            place = column[j]
            for b in range(a + 1, column[k + 1]):
                while row[place] != row[b]:  # column j has all of these rows, in the same order
                    place += 1
                target[t] = size + place
                t += 1


@Later
def _find(e, rows, cols, general, trash, found):
    """Slot of each entry, or MISSING."""
    n, nz = e.order.size, e.row.size
    for entry in range(rows.size):
        if rows[entry] < 0 or cols[entry] < 0:
            found[entry] = trash
            continue
        at_row, at_col = e.position[rows[entry]], e.position[cols[entry]]
        if at_row == at_col:
            found[entry] = at_row
            continue
        i, j = max(at_row, at_col), min(at_row, at_col)
        place, end = np.int64(e.column[j]), np.int64(e.column[j + 1])
        while place < end:  # bisection; ends at the first row that is not before i
            middle = (place + end) // 2
            if e.row[middle] < i:
                place = middle + 1
            else:
                end = middle
        if place == e.column[j + 1] or e.row[place] != i:
            found[entry] = MISSING
        elif at_row > at_col:
            found[entry] = n + place
        else:
            found[entry] = n + nz + place if general else trash


def _indices(size: int, rows: ArrayLike, cols: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both as integers of one shape, checked."""
    rows, cols = np.broadcast_arrays(np.asarray(rows, dtype=np.int64), np.asarray(cols, dtype=np.int64))
    for index in (rows, cols):
        if index.size and (index.min() < -1 or index.max() >= size):
            raise ValueError(f"index outside of -1 ... {size - 1} in the pattern of a matrix with {size} unknowns")
    return rows, cols
