"""Repeated direct solution of one sparse system: a static pattern, an elimination program, no pivoting.

    [ A  J^T ] [ q''    ]   [ Q     ]        A: mass (or tangent) matrix, J: constraint Jacobian Phi_q
    [ J   0  ] [ lambda ] = [ gamma ]

`analyse_pattern` determines once which entries can be non-zero and records the elimination order and the address of every
multiply-subtract. `factor_*` and `solve_*` only replay that program: no search, no allocation, no decision on values.

Rule: a multiplier ("late" unknown) is eliminated only after all the coordinates that it touches; otherwise minimum
degree. Every leading block is then [[A1, J1^T], [J1, 0]] with complete rows of J in J1, so for A positive definite and
J of full rank no pivot vanishes: they are positive for coordinates, negative for multipliers. A vanishing pivot of a
multiplier means a redundant constraint or a singular pose. Not for indefinite A (statics past a limit point), which
needs an LU with pivoting. If A is only semidefinite, mechanism/mass_regularisation.py adds unknowns that are eliminated
after the multipliers.

Value array K of a matrix with n unknowns and nz entries below the diagonal, all in elimination order:

    K[0 : n]              diagonal; the diagonal entry of unknown i is at position[i]
    K[n : n + nz]         strictly lower entries (the row is eliminated after the column), column by column
    K[n + nz : n + 2 nz]  their mirror images above the diagonal, only in the general (unsymmetric) layout
    K[-1]                 trash: may be written, is never read

A factorisation replaces it by A = L D U (U = L^T if symmetric): 1/D in the diagonal, L below, U above, unit diagonals not
stored.

If the program would be too long (large_systems.py, with measurements), it is not created: K then has the same layout, with
the unknowns in their natural order and without fill-in, and a direct solver factorises it.

Source: LDL^T without pivoting of quasidefinite matrices, R. J. Vanderbei, SIAM J. Optim. 5 (1995) 100-113. Elimination
order: minimum_degree.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.jit.deferred_compilation import LazyCompiled
from gaitwright.jit.pointer_records import Ints, Longs, PointerRecord, Slots
from gaitwright.linalg.backends import MAX_PROGRAM_MULTIPLICATIONS, fastest_backend
from gaitwright.linalg.large_systems import LargeSystemSolver
from gaitwright.linalg.minimum_degree import minimum_degree

# The numeric phase uses unsigned integers: Numba then omits its test for negative indices, 40 % of the time.
UNSIGNED_ONE = np.uint64(1)

MISSING_SLOT = -2
LIBRARY_FACTOR, LIBRARY_SOLVE, LIBRARY_BAD_UNKNOWN = range(3)
"""Indices into EliminationProgram.library: addresses of two functions, 0 if there is a program; and the first one's result."""


class EliminationProgram(PointerRecord):
    """The elimination program of a pattern with n unknowns; can be passed into compiled functions."""

    order: Ints  # (n,) the unknown eliminated k-th
    position: Ints  # (n,) the inverse of order
    column: Slots  # (n + 1,) start of the entries below the diagonal of the k-th column in `row`
    row: Slots  # (nz,) elimination position of each such entry, ascending within a column
    target: Slots  # slots to update: for each column, for each entry j in it, for each entry i from j on
    library: Longs  # addresses of the solver that replaces the program; see above
    direct: LargeSystemSolver | None = None  # that solver, for Python only

    def own(self) -> EliminationProgram:
        """Return a program for another matrix. A program serves any number of matrices, a solver stores the factors of one."""
        if self.direct is None:
            return self
        direct = self.direct.another()
        copy = self.replaced(library=direct.library)
        copy.direct = direct
        return copy


def max_program_multiplications(symmetric: bool = True) -> int:
    """Multiplications above which another solver is faster: see large_systems.py."""
    return MAX_PROGRAM_MULTIPLICATIONS[fastest_backend(symmetric)]


def analyse_pattern(
    size: int, rows: ArrayLike, cols: ArrayLike, late: ArrayLike, longest: int | None = None
) -> EliminationProgram:
    """Determine the elimination order and create the elimination program.

    rows, cols: the pattern, in either triangle or both, with duplicates; the diagonal is always included, and entries
    with an index of -1 are ignored. late: (size,) 0 for coordinates, 1 for multipliers, 2 for unknowns after those. The
    same pattern always gives the same program, whatever the order of its entries. longest: multiplications above which a
    direct solver replaces the program. Raises ValueError for an invalid index or shape of `late`.
    """
    rows, cols = _index_arrays(size, rows, cols)
    late = np.array(late, dtype=np.uint8)
    if late.shape != (size,):
        raise ValueError(f"late has the shape {late.shape}, expected ({size},)")
    real = (rows >= 0) & (cols >= 0) & (rows != cols)
    rows, cols = rows[real], cols[real]
    keys = np.sort(np.concatenate((rows * size + cols, cols * size + rows)))  # np.unique is eight times slower here
    owner, neighbour = np.divmod(keys[np.diff(keys, prepend=-1) > 0], size)
    start = np.searchsorted(owner, np.arange(size + 1))

    max_multiplications = max_program_multiplications() if longest is None else longest
    order, length, below = minimum_degree(start, neighbour, late, max_multiplications)
    if length.size == 0 < size:
        return _library_program(size, owner, neighbour, late)
    position = np.argsort(order)
    row = np.sort(np.repeat(position, length) * size + position[below[: length.sum()]]) % size
    column = np.concatenate(([0], np.cumsum(length[order])))
    target = np.empty(np.sum(length * (length + 1) // 2), dtype=np.uint32)
    _write_targets(column, row, target)
    return EliminationProgram(
        order.astype(np.int32), position.astype(np.int32), column.astype(np.uint32), row.astype(np.uint32), target,
        np.zeros(3, dtype=np.int64),
    )  # fmt: skip


def _library_program(size: int, owner: NDArray[Any], neighbour: NDArray[Any], late: NDArray[Any]) -> EliminationProgram:
    """EliminationProgram without a program: the pattern in natural order, for a direct solver."""
    below = neighbour > owner
    column, row = np.searchsorted(owner[below], np.arange(size + 1)), neighbour[below]
    direct, natural = LargeSystemSolver(column, row, late), np.arange(size, dtype=np.int32)
    program = EliminationProgram(
        natural, natural, column.astype(np.uint32), row.astype(np.uint32), np.zeros(0, dtype=np.uint32), direct.library
    )
    program.direct = direct
    return program


def storage_size(elimination: EliminationProgram) -> tuple[int, int]:
    """Length of the value array K in the symmetric and in the general layout, trash slot included."""
    n, nz = elimination.order.size, elimination.row.size
    return n + nz + 1, n + 2 * nz + 1


def find_entry_slots(
    elimination: EliminationProgram, rows: ArrayLike, cols: ArrayLike, general: bool
) -> NDArray[np.int64]:
    """Slots in K of the matrix entries (row, col); rows and cols are broadcast against each other.

    Symmetric layout: the entries above the diagonal go to the trash slot, so that a matrix given by both triangles is
    stored once. Entries with an index of -1 go there too. An entry outside the pattern raises ValueError.
    """
    rows, cols = _index_arrays(elimination.order.size, rows, cols)
    slots = np.empty(rows.size, dtype=np.int64)
    _find_slots(elimination, rows.flatten(), cols.flatten(), general, storage_size(elimination)[general] - 1, slots)
    if MISSING_SLOT in slots:
        first = np.argmax(slots == MISSING_SLOT)
        raise ValueError(f"entry ({rows.flat[first]}, {cols.flat[first]}) is not in the pattern")
    return slots.reshape(rows.shape)


@jit_compile
def factor_symmetric(e: EliminationProgram, K: NDArray[Any]) -> Any:
    """A = L D L^T in place. Returns -1, or the elimination position of the first pivot that is zero or not finite."""
    if e.library[LIBRARY_FACTOR] != 0:
        call_address(e.library[LIBRARY_FACTOR], (K, 0))
        return e.library[LIBRARY_BAD_UNKNOWN]
    n = np.uint64(e.order.size)
    column, target = e.column, e.target
    t = np.uint64(0)
    for k in range(n):
        d = K[k]
        if not 0.0 < abs(d) < np.inf:
            return np.int64(k)
        inverse = 1.0 / d
        K[k] = inverse
        last = n + column[k + UNSIGNED_ONE]
        for j in range(n + column[k], last):
            # Entry j is scaled only after its own row: later rows do not need it. So no second copy of the column.
            L_jk = K[j] * inverse
            for i in range(j, last):
                K[target[t]] -= L_jk * K[i]
                t += UNSIGNED_ONE
            K[j] = L_jk
    return -1


@jit_compile
def factor_general(e: EliminationProgram, K: NDArray[Any]) -> Any:
    """A = L D U in place, for real or complex values. Returns the same value as factor_symmetric."""
    if e.library[LIBRARY_FACTOR] != 0:
        call_address(e.library[LIBRARY_FACTOR], (K, 1))
        return e.library[LIBRARY_BAD_UNKNOWN]
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
        last = n + column[k + UNSIGNED_ONE]
        for j in range(n + column[k], last):
            L_jk = K[j] * inverse
            U_kj = K[nz + j] * inverse
            K[target[t]] -= L_jk * K[nz + j]
            t += UNSIGNED_ONE
            for i in range(j + UNSIGNED_ONE, last):
                slot = target[t]
                K[slot] -= K[i] * U_kj
                K[nz + slot] -= L_jk * K[nz + i]
                t += UNSIGNED_ONE
            K[j] = L_jk
            K[nz + j] = U_kj
    return -1


@jit_compile
def solve_symmetric(e: EliminationProgram, K: NDArray[Any], b: NDArray[Any], x_work: NDArray[Any]) -> None:
    """Overwrite b, indexed by unknown, with the solution of A x = b; K from factor_symmetric, x_work: (n,) scratch."""
    _solve(e, K, np.uint64(e.order.size), b, x_work)


@jit_compile
def solve_general(e: EliminationProgram, K: NDArray[Any], b: NDArray[Any], x_work: NDArray[Any]) -> None:
    """Overwrite b, indexed by unknown, with the solution of A x = b; K from factor_general, x_work: (n,) scratch."""
    _solve(e, K, np.uint64(e.order.size) + np.uint64(e.row.size), b, x_work)


def write_pivots(e: EliminationProgram, K: NDArray[Any], out: NDArray[Any]) -> None:
    """Write the pivots D of a factorisation to out, indexed by unknown."""
    with np.errstate(divide="ignore"):  # for an interrupted factorisation
        out[e.order] = 1.0 / K[: e.order.size]


@jit_compile
def _solve(e, K, upper, b, x):
    """Solve L D U x = b, with U starting at K[upper]."""
    if e.library[LIBRARY_SOLVE] != 0:
        call_address(e.library[LIBRARY_SOLVE], (b,))
        return
    n = np.uint64(e.order.size)
    order, column, row = e.order, e.column, e.row
    for k in range(n):
        x[k] = b[np.uint32(order[k])]
    # One running index, not range(): LLVM unrolls range() loops for far longer columns than these, which costs 30 %.
    entry = np.uint64(0)
    for k in range(n):
        x_k = x[k]
        last = column[k + UNSIGNED_ONE]
        while entry < last:
            x[row[entry]] -= K[n + entry] * x_k
            entry += UNSIGNED_ONE
    for back in range(n):
        k = n - UNSIGNED_ONE - back
        x_k = x[k] * K[k]
        first = column[k]
        while entry > first:
            entry -= UNSIGNED_ONE
            x_k -= K[upper + entry] * x[row[entry]]
        x[k] = x_k
        b[np.uint32(order[k])] = x_k


@LazyCompiled
def _write_targets(column, row, target):
    """Write the slots that factor_symmetric updates, in its order: entry (row[b], row[a]) for all b >= a of a column."""
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


@LazyCompiled
def _find_slots(e, rows, cols, general, trash, slots):
    """Slot of each entry, or MISSING_SLOT."""
    n, nz = e.order.size, e.row.size
    for entry in range(rows.size):
        if rows[entry] < 0 or cols[entry] < 0:
            slots[entry] = trash
            continue
        at_row, at_col = e.position[rows[entry]], e.position[cols[entry]]
        if at_row == at_col:
            slots[entry] = at_row
            continue
        i, j = max(at_row, at_col), min(at_row, at_col)
        place, end = np.int64(e.column[j]), np.int64(e.column[j + 1])
        while place < end:  # bisection; ends at the first row not before i
            middle = (place + end) // 2
            if e.row[middle] < i:
                place = middle + 1
            else:
                end = middle
        if place == e.column[j + 1] or e.row[place] != i:
            slots[entry] = MISSING_SLOT
        elif at_row > at_col:
            slots[entry] = n + place
        else:
            slots[entry] = n + nz + place if general else trash


def _index_arrays(size: int, rows: ArrayLike, cols: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both arrays as integers of a common shape; ValueError for an invalid index."""
    rows, cols = np.broadcast_arrays(np.asarray(rows, dtype=np.int64), np.asarray(cols, dtype=np.int64))
    for index in (rows, cols):
        if index.size and (index.min() < -1 or index.max() >= size):
            raise ValueError(f"index outside of -1 ... {size - 1} in the pattern of a matrix with {size} unknowns")
    return rows, cols
