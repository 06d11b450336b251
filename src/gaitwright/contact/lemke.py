"""Lemke's complementary pivoting, compiled. See lcp.py for the problem, the scaling and the sources."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gaitwright.compiled import compiled

SOLVED, RAY, LIMIT, INACCURATE, NO_DIAGONAL = range(5)
"""What the compiled functions return: solved; Lemke ended on a ray; the limit of pivots or sweeps was reached or the
sweeps diverge; rounding errors or NaN spoiled the pivots; Gauss-Seidel met a diagonal entry that is not positive."""

# All relative to data of size one.
PIVOT = 1e-12  # smaller entries of a column are rounding: a singular A (redundant contacts) leaves 1e-16 to 1e-14
TIE = 1e-11  # a row that this step brings so near to zero is tied with the one that limits it
SNAP = 1e-14  # basic variables below are zero
ACCURATE = 1e-9  # a basic solution that misses b, or is negative, by more is not a solution
PATHS, GOLDEN = 3, 0.6180339887498949  # covering vectors that are tried, and what makes their entries uneven

WORK_ROWS = 6
TARGET, COLUMN, SCALE, REST, PART, COVER = range(WORK_ROWS)  # rows of work below B^-1


def lemke_workspace(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Arrays `tableau` and `basis` that `lemke` needs for n unknowns; their content does not matter."""
    return np.zeros((n + WORK_ROWS, n + 1)), np.zeros(n, np.int64)


@compiled
def equilibrate(A, scale, work):
    """Fill scale (n,) with powers of two so that the largest of |scale_i A_ij scale_j| in row i and column i together is
    near one; zero rows get one. work: (n,) or longer."""
    n = A.shape[0]
    for i in range(n):
        scale[i] = 1.0
    for _ in range(5):
        for i in range(n):
            work[i] = 0.0
        for i in range(n):
            for j in range(n):
                size = abs(A[i, j]) * scale[i] * scale[j]
                work[i] = max(work[i], size)
                work[j] = max(work[j], size)
        for i in range(n):
            if work[i] > 0.0:
                scale[i] /= math.sqrt(work[i])
    for i in range(n):
        mantissa, exponent = math.frexp(scale[i])
        scale[i] = math.ldexp(1.0, exponent if mantissa > 0.70710678 else exponent - 1)


@compiled
def _remainder(A, tableau, basis):
    """rest = target - B x for the scaled basis B: w_i has the column e_i, z_i -A_i, z0 -d. Returns its size."""
    n = basis.size
    target, x, scale = tableau[n + TARGET], tableau[n + COLUMN], tableau[n + SCALE]
    rest, part = tableau[n + REST], tableau[n + PART]
    cover = 0.0
    for i in range(n):
        rest[i] = target[i]
        part[i] = 0.0
    for i in range(n):
        v = basis[i]
        if v < n:
            rest[v] -= x[i]
        elif v < 2 * n:
            part[v - n] = x[i] * scale[v - n]
        else:
            cover = x[i]
    size = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += A[i, j] * part[j]
        rest[i] += total * scale[i] + cover * tableau[n + COVER, i]
        size = max(size, abs(rest[i]))
    return size


@compiled
def _solve_basis(A, tableau, basis, refinements):
    """column = B^-1 target. Each refinement corrects what rounding in B^-1 left over."""
    n = basis.size
    x, rest = tableau[n + COLUMN], tableau[n + REST]
    for i in range(n):
        rest[i] = tableau[n + TARGET, i]
        x[i] = 0.0
    for k in range(refinements + 1):
        if k > 0:
            _remainder(A, tableau, basis)
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += tableau[i, j] * rest[j]
            x[i] += total


@compiled
def _entering_column(A, tableau, basis, entering):
    """What the basic variables lose per unit of the entering one, B^-1 times its scaled column."""
    n = basis.size
    target, scale = tableau[n + TARGET], tableau[n + SCALE]
    for i in range(n):
        target[i] = -scale[i] * A[i, entering - n] * scale[entering - n] if entering >= n else 0.0
    if entering < n:
        target[entering] = 1.0
    _solve_basis(A, tableau, basis, 1)  # without refinement, 4 % of nearly singular problems fail instead of 0.3 %


@compiled
def _leaving_row(tableau, basis):
    """Row of the basic variable that reaches zero first, -1 if none does (a ray).

    z0 leaves whenever it can, which ends the search. Other ties: the lexicographically smallest row of B^-1 over its
    entry in the entering column."""
    n = basis.size
    x, tied = tableau[n + COLUMN], tableau[n + PART]
    largest, value = 1.0, 1.0
    for i in range(n):
        largest = max(largest, abs(x[i]))
        value = max(value, tableau[i, n])
    least, row = math.inf, -1
    for i in range(n):
        if x[i] > PIVOT * largest and tableau[i, n] / x[i] < least:
            least, row = tableau[i, n] / x[i], i
    if row < 0:
        return -1
    # measured by what a wrong choice would cost: no variable gets below -TIE * value
    limit = least + TIE * value / largest
    count = 0
    for i in range(n):
        tied[i] = 0.0
        if i == row or (x[i] > PIVOT * largest and tableau[i, n] <= limit * x[i]):
            if basis[i] == 2 * n:
                return i
            tied[i] = 1.0
            count += 1
    for k in range(n):
        if count == 1:
            break
        least, size = math.inf, 1.0
        for i in range(n):
            if tied[i] > 0.0:
                ratio = tableau[i, k] / x[i]
                least = min(least, ratio)
                size = max(size, abs(ratio))
        for i in range(n):
            if tied[i] > 0.0 and tableau[i, k] / x[i] > least + TIE * size:
                tied[i] = 0.0
                count -= 1
    row = -1  # one is left, or rounding could not tell them apart: the safest pivot
    for i in range(n):
        if tied[i] > 0.0 and (row < 0 or x[i] > x[row]):
            row = i
    return row


@compiled
def _exchange(tableau, basis, row, entering):
    """Let `entering` take the place of the basic variable of `row`: update B^-1 and the values beside it."""
    n = basis.size
    x = tableau[n + COLUMN]
    for k in range(n + 1):
        tableau[row, k] /= x[row]
    value = 1.0
    for i in range(n):
        if i != row:
            for k in range(n + 1):
                tableau[i, k] -= x[i] * tableau[row, k]
        value = max(value, tableau[i, n])
    for i in range(n):
        if tableau[i, n] < SNAP * value:
            tableau[i, n] = 0.0
    basis[row] = entering


@compiled
def _cover(tableau, basis):
    """z0, over the largest value of a basic variable.

    At zero the path has arrived. z0 can be stuck in the basis there, its entry in the entering column lost in rounding,
    when b is on the border between problems with and without solution."""
    n = basis.size
    cover, value = 0.0, 1.0
    for i in range(n):
        value = max(value, tableau[i, n])
        if basis[i] == 2 * n:
            cover = tableau[i, n]
    return cover / value


@compiled
def _follow(A, b, z, tableau, basis, max_pivots, path):
    """`lemke` along the path of one covering vector: (status, number of pivots, by how much the solution misses b or is
    negative, in parts of b)."""
    n = b.size
    status, pivots, row, missed = SOLVED, 0, 0, math.inf
    for i in range(n):
        z[i] = 0.0
        if b[i] < 0.0:
            status = LIMIT
    for i in range(n):
        if not abs(b[i]) < math.inf:  # a run gone wrong must not look solved
            return INACCURATE, 0, math.inf
    if status == SOLVED:
        return SOLVED, 0, 0.0
    scale, x, cover = tableau[n + SCALE], tableau[n + COLUMN], tableau[n + COVER]
    equilibrate(A, scale, tableau[n + REST])
    unit = 0.0
    for i in range(n):
        unit = max(unit, abs(scale[i] * b[i]))
    for i in range(n):
        for j in range(n):
            tableau[i, j] = 1.0 if i == j else 0.0
        tableau[i, n] = scale[i] * b[i] / unit
        basis[i] = i
        cover[i] = 1.0 + (i + 1 + path) * GOLDEN ** (1 + path) % 1.0
        x[i] = -cover[i]
        # the last of equals: the lexicographically smallest (b_i, e_i)
        if tableau[i, n] / cover[i] <= tableau[row, n] / cover[row]:
            row = i

    entering = 2 * n
    while pivots < max_pivots:
        leaving = basis[row]
        _exchange(tableau, basis, row, entering)
        pivots += 1
        if leaving == 2 * n or _cover(tableau, basis) <= SNAP:
            status = SOLVED
            break
        entering = leaving + n if leaving < n else leaving - n
        _entering_column(A, tableau, basis, entering)
        row = _leaving_row(tableau, basis)
        if row < 0:
            status = SOLVED if _cover(tableau, basis) <= TIE else RAY
            break

    if status == SOLVED:  # the values once more, from b, free of what snapping and many pivots left in them
        for i in range(n):
            tableau[n + TARGET, i] = scale[i] * b[i] / unit
        _solve_basis(A, tableau, basis, 2)
        missed = _remainder(A, tableau, basis)
        size = 1.0
        for i in range(n):
            tableau[i, n] = x[i]
            missed = max(missed, abs(x[i]) if basis[i] == 2 * n else -x[i])
            size = max(size, abs(x[i]))
            if not abs(x[i]) < math.inf:
                missed = math.inf
        if not missed <= ACCURATE * size or size == math.inf:
            status = INACCURATE
    for i in range(n):
        if n <= basis[i] < 2 * n:
            z[basis[i] - n] = max(tableau[i, n], 0.0) * scale[basis[i] - n] * unit
    if status == RAY:
        ray = tableau[n + TARGET]
        largest = 1.0
        for i in range(n):
            ray[i] = 0.0
            largest = max(largest, -x[i])
        for i in range(n):
            if n <= basis[i] < 2 * n and -x[i] > PIVOT * largest:
                ray[basis[i] - n] = -x[i] / largest * scale[basis[i] - n]
        if entering >= n:
            ray[entering - n] = scale[entering - n] / largest
    return status, pivots, missed


@compiled
def lemke(A, b, z, tableau, basis, max_pivots):
    """Solve w = A z + b >= 0, z >= 0, z . w = 0 by complementary pivoting: (status, number of pivots).

    A: (n, n) and b: (n,), not changed. z: (n,), overwritten by the solution; without one (status not SOLVED) by
    the last point of the path. tableau, basis: see `lemke_workspace`. On RAY, tableau[n, :n] is the direction y of z
    along the ray, its largest entry near one in scaled units. Does not allocate, does not check sizes; numbers in b that
    are not finite give INACCURATE.

    Where a path ends without a solution, or with one that is large and rough, those of other covering vectors are tried;
    the best counts. Each may take its share of max_pivots."""
    status, pivots, best, least = LIMIT, 0, -1, math.inf
    for path in range(PATHS):
        share = (max_pivots - pivots) // (PATHS - path)
        status, more, missed = _follow(A, b, z, tableau, basis, share, path)
        pivots += more
        if status == SOLVED and missed < least:
            best, least = path, missed
        if least <= ACCURATE:
            return SOLVED, pivots
    if best >= 0:
        _follow(A, b, z, tableau, basis, max_pivots, best)
        status = SOLVED
    return status, pivots
