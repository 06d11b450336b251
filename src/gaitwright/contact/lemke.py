"""Lemke's complementary pivoting, compiled. Problem, scaling and sources: lcp.py."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gaitwright.jit import jit_compile

STATUS_SOLVED, STATUS_RAY, STATUS_LIMIT, STATUS_INACCURATE, STATUS_NO_DIAGONAL = range(5)
"""Status codes of the compiled functions: solved; Lemke ended on a ray; limit of pivots or sweeps reached, or sweeps diverge;
rounding errors or NaN in the pivots; nonpositive diagonal entry in Gauss-Seidel."""

# All relative to data of size one.
MIN_PIVOT = 1e-12  # smaller entries of a column are rounding errors: 1e-16 to 1e-14 for redundant contacts
RATIO_TIE_ATOL = 1e-11  # a row that this step brings so near to zero is tied with the limiting row
ZERO_VARIABLE_ATOL = 1e-14  # smaller basic variables are zero
SOLUTION_ATOL = 1e-9  # largest residual or negative value of a basic solution
# Number of covering vectors that are tried, and the factor that makes their entries uneven.
MAX_COVERING_PATHS = 3
GOLDEN_RATIO = 0.6180339887498949

WORK_ROWS = 6
# Rows of work below B^-1.
WORK_TARGET, WORK_COLUMN, WORK_SCALE, WORK_REMAINDER, WORK_PART, WORK_COVER = range(WORK_ROWS)


def lemke_workspace(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Work arrays `tableau` and `basis` for `lemke` with n unknowns; their content does not matter."""
    return np.zeros((n + WORK_ROWS, n + 1)), np.zeros(n, np.int64)


@jit_compile
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


@jit_compile
def _compute_remainder(A, tableau, basis):
    """remainder = target - B x for the scaled basis B: w_i has the column e_i, z_i -A_i, z0 -d. Returns its size."""
    n = basis.size
    target, x, scale = tableau[n + WORK_TARGET], tableau[n + WORK_COLUMN], tableau[n + WORK_SCALE]
    remainder, scaled_z = tableau[n + WORK_REMAINDER], tableau[n + WORK_PART]
    cover = 0.0
    for i in range(n):
        remainder[i] = target[i]
        scaled_z[i] = 0.0
    for i in range(n):
        v = basis[i]
        if v < n:
            remainder[v] -= x[i]
        elif v < 2 * n:
            scaled_z[v - n] = x[i] * scale[v - n]
        else:
            cover = x[i]
    size = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += A[i, j] * scaled_z[j]
        remainder[i] += total * scale[i] + cover * tableau[n + WORK_COVER, i]
        size = max(size, abs(remainder[i]))
    return size


@jit_compile
def _solve_basis(A, tableau, basis, refinements):
    """column = B^-1 target. Each refinement corrects the rounding error of B^-1."""
    n = basis.size
    x, rest = tableau[n + WORK_COLUMN], tableau[n + WORK_REMAINDER]
    for i in range(n):
        rest[i] = tableau[n + WORK_TARGET, i]
        x[i] = 0.0
    for k in range(refinements + 1):
        if k > 0:
            _compute_remainder(A, tableau, basis)
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += tableau[i, j] * rest[j]
            x[i] += total


@jit_compile
def _compute_entering_column(A, tableau, basis, entering):
    """Decrease of the basic variables per unit of the entering one: B^-1 times its scaled column."""
    n = basis.size
    target, scale = tableau[n + WORK_TARGET], tableau[n + WORK_SCALE]
    for i in range(n):
        target[i] = -scale[i] * A[i, entering - n] * scale[entering - n] if entering >= n else 0.0
    if entering < n:
        target[entering] = 1.0
    _solve_basis(A, tableau, basis, 1)  # without refinement, 4 % of nearly singular problems fail instead of 0.3 %


@jit_compile
def _find_leaving_row(tableau, basis):
    """Row of the basic variable that reaches zero first, -1 if none does (a ray).

    z0 leaves whenever it can, which ends the search. Other ties: the lexicographically smallest row of B^-1 over its
    entry in the entering column."""
    n = basis.size
    x, tied = tableau[n + WORK_COLUMN], tableau[n + WORK_PART]
    largest, value = 1.0, 1.0
    for i in range(n):
        largest = max(largest, abs(x[i]))
        value = max(value, tableau[i, n])
    smallest_ratio, row = math.inf, -1
    for i in range(n):
        if x[i] > MIN_PIVOT * largest and tableau[i, n] / x[i] < smallest_ratio:
            smallest_ratio, row = tableau[i, n] / x[i], i
    if row < 0:
        return -1
    # relative to the effect of a wrong choice: no variable gets below -RATIO_TIE_ATOL * value
    limit = smallest_ratio + RATIO_TIE_ATOL * value / largest
    count = 0
    for i in range(n):
        tied[i] = 0.0
        if i == row or (x[i] > MIN_PIVOT * largest and tableau[i, n] <= limit * x[i]):
            if basis[i] == 2 * n:
                return i
            tied[i] = 1.0
            count += 1
    for k in range(n):
        if count == 1:
            break
        smallest_ratio, size = math.inf, 1.0
        for i in range(n):
            if tied[i] > 0.0:
                ratio = tableau[i, k] / x[i]
                smallest_ratio = min(smallest_ratio, ratio)
                size = max(size, abs(ratio))
        for i in range(n):
            if tied[i] > 0.0 and tableau[i, k] / x[i] > smallest_ratio + RATIO_TIE_ATOL * size:
                tied[i] = 0.0
                count -= 1
    row = -1  # one is left, or they are equal within rounding: take the safest pivot
    for i in range(n):
        if tied[i] > 0.0 and (row < 0 or x[i] > x[row]):
            row = i
    return row


@jit_compile
def _exchange_variable(tableau, basis, row, entering):
    """Exchange the basic variable of `row` for `entering`: update B^-1 and the values of the basic variables."""
    n = basis.size
    x = tableau[n + WORK_COLUMN]
    for k in range(n + 1):
        tableau[row, k] /= x[row]
    value = 1.0
    for i in range(n):
        if i != row:
            for k in range(n + 1):
                tableau[i, k] -= x[i] * tableau[row, k]
        value = max(value, tableau[i, n])
    for i in range(n):
        if tableau[i, n] < ZERO_VARIABLE_ATOL * value:
            tableau[i, n] = 0.0
    basis[row] = entering


@jit_compile
def _relative_cover(tableau, basis):
    """Ratio of z0 to the largest basic variable.

    At zero the path has ended. z0 can remain in the basis there, with its entry in the entering column lost in rounding,
    if b is on the border between problems with and without solution."""
    n = basis.size
    cover, value = 0.0, 1.0
    for i in range(n):
        value = max(value, tableau[i, n])
        if basis[i] == 2 * n:
            cover = tableau[i, n]
    return cover / value


@jit_compile
def _follow_path(A, b, z, tableau, basis, max_pivots, path):
    """Follow the path of one covering vector: (status, number of pivots, largest residual or negative value of the solution
    relative to b)."""
    n = b.size
    status, pivots, row, error = STATUS_SOLVED, 0, 0, math.inf
    for i in range(n):
        z[i] = 0.0
        if b[i] < 0.0:
            status = STATUS_LIMIT
    for i in range(n):
        if not abs(b[i]) < math.inf:  # a failed run must not look solved
            return STATUS_INACCURATE, 0, math.inf
    if status == STATUS_SOLVED:
        return STATUS_SOLVED, 0, 0.0
    scale, x, cover = tableau[n + WORK_SCALE], tableau[n + WORK_COLUMN], tableau[n + WORK_COVER]
    equilibrate(A, scale, tableau[n + WORK_REMAINDER])
    unit = 0.0
    for i in range(n):
        unit = max(unit, abs(scale[i] * b[i]))
    for i in range(n):
        for j in range(n):
            tableau[i, j] = 1.0 if i == j else 0.0
        tableau[i, n] = scale[i] * b[i] / unit
        basis[i] = i
        cover[i] = 1.0 + (i + 1 + path) * GOLDEN_RATIO ** (1 + path) % 1.0
        x[i] = -cover[i]
        # of equal ratios the last: the lexicographically smallest (b_i, e_i)
        if tableau[i, n] / cover[i] <= tableau[row, n] / cover[row]:
            row = i

    entering = 2 * n
    while pivots < max_pivots:
        leaving = basis[row]
        _exchange_variable(tableau, basis, row, entering)
        pivots += 1
        if leaving == 2 * n or _relative_cover(tableau, basis) <= ZERO_VARIABLE_ATOL:
            status = STATUS_SOLVED
            break
        entering = leaving + n if leaving < n else leaving - n
        _compute_entering_column(A, tableau, basis, entering)
        row = _find_leaving_row(tableau, basis)
        if row < 0:
            status = STATUS_SOLVED if _relative_cover(tableau, basis) <= RATIO_TIE_ATOL else STATUS_RAY
            break

    if status == STATUS_SOLVED:  # recompute the values from b, without accumulated errors
        for i in range(n):
            tableau[n + WORK_TARGET, i] = scale[i] * b[i] / unit
        _solve_basis(A, tableau, basis, 2)
        error = _compute_remainder(A, tableau, basis)
        size = 1.0
        for i in range(n):
            tableau[i, n] = x[i]
            error = max(error, abs(x[i]) if basis[i] == 2 * n else -x[i])
            size = max(size, abs(x[i]))
            if not abs(x[i]) < math.inf:
                error = math.inf
        if not error <= SOLUTION_ATOL * size or size == math.inf:
            status = STATUS_INACCURATE
    for i in range(n):
        if n <= basis[i] < 2 * n:
            z[basis[i] - n] = max(tableau[i, n], 0.0) * scale[basis[i] - n] * unit
    if status == STATUS_RAY:
        ray = tableau[n + WORK_TARGET]
        largest = 1.0
        for i in range(n):
            ray[i] = 0.0
            largest = max(largest, -x[i])
        for i in range(n):
            if n <= basis[i] < 2 * n and -x[i] > MIN_PIVOT * largest:
                ray[basis[i] - n] = -x[i] / largest * scale[basis[i] - n]
        if entering >= n:
            ray[entering - n] = scale[entering - n] / largest
    return status, pivots, error


@jit_compile
def lemke(A, b, z, tableau, basis, max_pivots):
    """Solve w = A z + b >= 0, z >= 0, z . w = 0 by complementary pivoting: (status, number of pivots).

    A: (n, n) and b: (n,), not changed. z: (n,), overwritten by the solution; without one (status not STATUS_SOLVED) by
    the last point of the path. tableau, basis: from `lemke_workspace`. On STATUS_RAY, tableau[n, :n] is the direction y of z
    along the ray, its largest entry near one in scaled units. Does not allocate, does not check sizes; entries of b that
    are not finite give STATUS_INACCURATE.

    If a path ends without a solution, or with a large and inaccurate one, those of other covering vectors are tried; the most
    accurate solution counts. Each path may use its share of max_pivots."""
    status, pivots, best_path, smallest_error = STATUS_LIMIT, 0, -1, math.inf
    for path in range(MAX_COVERING_PATHS):
        share = (max_pivots - pivots) // (MAX_COVERING_PATHS - path)
        status, path_pivots, error = _follow_path(A, b, z, tableau, basis, share, path)
        pivots += path_pivots
        if status == STATUS_SOLVED and error < smallest_error:
            best_path, smallest_error = path, error
        if smallest_error <= SOLUTION_ATOL:
            return STATUS_SOLVED, pivots
    if best_path >= 0:
        _follow_path(A, b, z, tableau, basis, max_pivots, best_path)
        status = STATUS_SOLVED
    return status, pivots
