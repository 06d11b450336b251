"""Newton's method for complementarity with friction, compiled. Projected Gauss-Seidel uses it if its sweeps converge slowly or
not at all.

Sweeps are slow if contacts share a load in nearly dependent ways (two feet of a box, with parallel tangents except for
its tilt), and do not converge if a normal and its friction are strongly coupled: with one contact each sweep multiplies
the error by mu |A_nt| / A_nn, which is above one for a tall box and mu = 1. Newton's method on the natural map

    F(z) = z - P(z - w / A_ii),    w = A z + b,    P: onto the bounds, those of friction from the normal impulse of z

converges in a few steps once the set of rows at their bounds is right, but may cycle between such sets. `solve_by_continuation`
therefore starts with a well-conditioned problem, w = A z + b + r A_ii z with r = 1, and uses the solution for each r as the
initial guess for the next smaller one, down to rounding. If a step in r fails, a smaller one is tried, until single rows reach
their bounds one after the other. Such problems are common: two feet of a box that lands with restitution, tilted by 1e-8 rad,
cannot both stick, because their separation speeds turn the box and thereby move one of them by 1e-10 m/s; this foot slips, and
the friction of the two forms a pair of opposite forces of nearly mu times the load.

Sources: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375 (the derivative of F with friction); V. Acary,
B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, Springer 2008, chapter 13.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.linalg.dense_lu import factorise_dense_lu, solve_dense_lu

DIVERGED_SIZE = 1e200
MIN_MOBILITY_RATIO = 1e-13
"""Mobility along a surface over that of the normal below which it is rounding."""
MAX_NEWTON_STEPS = 30
"""Limit of steps for one problem."""
DIAGONAL_DAMPING = 1e-10
"""Addition to the diagonal in Newton's equations without r, relative to the diagonal: redundant rows do not make the matrix
singular. It slows convergence, but does not change the solution."""
MIN_REGULARISATION = 1e-13
"""Smallest r."""
MAX_REGULARISATION_FACTOR, MIN_REGULARISATION_FACTOR = 0.999, 0.1
"""Factor of r from one problem to the next; above the larger one the path is abandoned."""
FRICTION_REGULARISATION_RATIOS = np.array([1.0, 0.1, 10.0])
"""Regularisation of rows of friction over that of normals: one path for each, until one reaches a solution."""
MAX_NEGLIGIBLE_REGULARISATION = 1e-6
"""The problem without regularisation is tried after a failed step if r is below this."""
MAX_REFINEMENTS = 6
"""Solutions without regularisation at the end of a path, each from the result of the one before."""

NO_TANGENT_PAIR, SECOND_TANGENT = -1, -2
"""Values in pair_of: a row that is not the tangent of a disc, and the second tangent of a disc."""


@jit_compile
def tangent_mobility(A, i, k):
    """Largest eigenvalue of the 2 x 2 block of two tangents; steps divided by it do not overshoot."""
    mean, half = 0.5 * (A[i, i] + A[k, k]), 0.5 * (A[i, i] - A[k, k])
    return mean + math.sqrt(half * half + A[i, k] * A[k, i])


@jit_compile
def _row_velocity(A, b, z, i, r):
    w = b[i] + r[i] * z[i]
    for j in range(b.size):
        w += A[i, j] * z[j]
    return w


@jit_compile
def _free_row_equation(A, J, rhs, i, w, r):
    """Row i of Newton's equations for a row inside its bounds: w_i becomes 0."""
    for j in range(rhs.size):
        J[i, j] = A[i, j]
    J[i, i] += r[i] if r[i] > 0.0 else DIAGONAL_DAMPING * A[i, i]
    rhs[i] = -w


@jit_compile
def _bounded_row_equation(A, b, low, high, normal_of, z, r, J, rhs, i):
    """Newton's equation of a row with two bounds. Returns its residual, in units of w."""
    w = _row_velocity(A, b, z, i, r)
    lowest, highest, k = low[i], high[i], normal_of[i]
    if k >= 0:
        normal = z[k]
        lowest = lowest * normal if normal > 0.0 else 0.0
        highest = highest * normal if normal > 0.0 else 0.0
    aim = z[i] - w / A[i, i]
    new = min(max(aim, lowest), highest)
    if lowest < aim < highest:
        _free_row_equation(A, J, rhs, i, w, r)
    else:
        J[i, i], rhs[i] = A[i, i], A[i, i] * (new - z[i])
        if k >= 0:
            slope = low[i] if aim <= lowest else high[i]
            if abs(slope) < DIVERGED_SIZE:
                J[i, k] -= slope * A[i, i]
                rhs[i] = A[i, i] * (slope * z[k] - z[i])
    return abs(new - z[i]) * A[i, i]


@jit_compile
def _disc_equations(A, b, high, normal_of, z, r, J, rhs, i, k):
    """Newton's equations of two tangents with disc-shaped friction bounds. Returns their residual, in units of w."""
    n = normal_of[i]
    wi = _row_velocity(A, b, z, i, r)
    wk = _row_velocity(A, b, z, k, r)
    mobility = tangent_mobility(A, i, k) + r[i]
    mu = high[i]
    x, y, limit = z[i] - wi / mobility, z[k] - wk / mobility, mu * max(z[n], 0.0)
    size = math.sqrt(x * x + y * y)
    if size <= limit and limit > 0.0:
        _free_row_equation(A, J, rhs, i, wi, r)
        _free_row_equation(A, J, rhs, k, wk, r)
        return math.sqrt(wi * wi + wk * wk)
    x, y = (x / size, y / size) if size > 0.0 else (1.0, 0.0)
    # z_t = mu z_n e, e the direction of z_t - w_t / stiff; de = (1 - e e^T) d(z_t - w_t / stiff) / size
    limit_ratio = limit / size if size > 0.0 else 0.0
    for j in range(rhs.size):
        di = (1.0 if j == i else 0.0) - (A[i, j] + (r[i] if j == i else 0.0)) / mobility
        dk = (1.0 if j == k else 0.0) - (A[k, j] + (r[k] if j == k else 0.0)) / mobility
        across = limit_ratio * (-y * di + x * dk)
        slope = mu if j == n else 0.0
        J[i, j] = mobility * ((1.0 if j == i else 0.0) - slope * x + y * across)
        J[k, j] = mobility * ((1.0 if j == k else 0.0) - slope * y - x * across)
    rhs[i], rhs[k] = mobility * (mu * z[n] * x - z[i]), mobility * (mu * z[n] * y - z[k])
    return mobility * math.sqrt((limit * x - z[i]) ** 2 + (limit * y - z[k]) ** 2)


@jit_compile
def solve_newton(A, b, low, high, normal_of, pair_of, z, r, tolerance, J, rhs, order, best_z):
    """Newton's method from z, which becomes the iterate with the smallest residual. Returns this residual, in units of w.

    Rows as in gauss_seidel.py. pair_of: (n,), index of the second tangent of a friction disc at the row of its first one,
    SECOND_TANGENT at that second one, NO_TANGENT_PAIR elsewhere. r: (n,), added to the diagonal of A. J, rhs, order, best_z:
    work arrays."""
    n, smallest_residual = b.size, math.inf
    for i in range(n):
        best_z[i] = z[i]
    for _ in range(MAX_NEWTON_STEPS):
        residual = 0.0
        for i in range(n):
            for j in range(n):
                J[i, j] = 0.0
        for i in range(n):
            if low[i] == 0.0 == high[i]:
                J[i, i], rhs[i] = 1.0, -z[i]
            elif pair_of[i] >= 0:
                residual = max(residual, _disc_equations(A, b, high, normal_of, z, r, J, rhs, i, pair_of[i]))
            elif pair_of[i] == NO_TANGENT_PAIR:
                residual = max(residual, _bounded_row_equation(A, b, low, high, normal_of, z, r, J, rhs, i))
        if residual < smallest_residual:
            smallest_residual = residual
            for i in range(n):
                best_z[i] = z[i]
        if residual <= tolerance or not residual < DIVERGED_SIZE or not factorise_dense_lu(J, order, n):
            break
        solve_dense_lu(J, order, n, rhs)
        for i in range(n):
            z[i] += rhs[i]
    for i in range(n):
        z[i] = best_z[i]
    return smallest_residual


@jit_compile
def _regularise(A, normal_of, r, share, reg):
    for i in range(reg.size):
        reg[i] = r * A[i, i] * (1.0 if normal_of[i] < 0 else share)


@jit_compile
def solve_by_continuation(A, b, low, high, normal_of, pair_of, z, tolerance):
    """Solve by Newton's method from z or, if that fails, with decreasing regularisation. Returns the residual at z, in units of
    w. Arguments as in `solve_newton`."""
    n = b.size
    J, order = np.zeros((n, n)), np.zeros(n, np.int64)
    rhs, best, trial, best_start, reg, unregularised = np.zeros((6, n))
    smallest_residual = solve_newton(
        A, b, low, high, normal_of, pair_of, z, unregularised, tolerance, J, rhs, order, best
    )
    for path in range(FRICTION_REGULARISATION_RATIOS.size):
        if smallest_residual <= tolerance:
            return smallest_residual
        best_start[:] = z
        z[:] = 0.0
        error, r, factor = math.inf, 1.0, MIN_REGULARISATION_FACTOR
        _regularise(A, normal_of, r, FRICTION_REGULARISATION_RATIOS[path], reg)
        solve_newton(A, b, low, high, normal_of, pair_of, z, reg, tolerance, J, rhs, order, best)
        while r > MIN_REGULARISATION and factor < MAX_REGULARISATION_FACTOR:
            trial[:] = z
            _regularise(A, normal_of, r * factor, FRICTION_REGULARISATION_RATIOS[path], reg)
            if (
                solve_newton(A, b, low, high, normal_of, pair_of, trial, reg, tolerance, J, rhs, order, best)
                <= tolerance
            ):
                z[:] = trial
                r, factor = r * factor, max(MIN_REGULARISATION_FACTOR, factor * factor)
                continue
            factor = math.sqrt(factor)
            if r < MAX_NEGLIGIBLE_REGULARISATION:
                trial[:] = z
                error = solve_newton(
                    A, b, low, high, normal_of, pair_of, trial, unregularised, tolerance, J, rhs, order, best
                )
                if error <= tolerance:
                    z[:] = trial
                    break
        for _ in range(MAX_REFINEMENTS):
            if error <= tolerance:
                break
            error = solve_newton(A, b, low, high, normal_of, pair_of, z, unregularised, tolerance, J, rhs, order, best)
        if error > smallest_residual:
            z[:] = best_start
        smallest_residual = min(error, smallest_residual)
    return smallest_residual
