"""Projected Gauss-Seidel for complementarity with friction, compiled. Problem and sources: lcp.py; with Coulomb's cone in space
M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257.

After SWEEPS_BEFORE_NEWTON sweeps without a solution, and then each time their number has doubled, Newton's method continues
from the current point (impulse_newton.py), and returns a better point even if it finds no solution."""

from __future__ import annotations

import math

import numpy as np

from gaitwright.contact.impulse_newton import (
    DIVERGED_SIZE,
    MIN_MOBILITY_RATIO,
    NO_TANGENT_PAIR,
    SECOND_TANGENT,
    solve_by_continuation,
    tangent_mobility,
)
from gaitwright.contact.lemke import STATUS_LIMIT, STATUS_NO_DIAGONAL, STATUS_SOLVED
from gaitwright.jit import jit_compile

SWEEPS_BEFORE_NEWTON = 16
"""Number of sweeps with about the cost of a Newton step of a small problem."""


@jit_compile
def _sweep_rows(A, b, low, high, normal_of, z, update):
    """One pass over the rows; returns the largest violation, in units of w. With update = False z is not changed."""
    worst = 0.0
    for i in range(b.size):
        if low[i] == 0.0 == high[i]:
            continue
        w = b[i]
        for j in range(b.size):
            w += A[i, j] * z[j]
        lowest, highest = low[i], high[i]
        if normal_of[i] >= 0:
            normal = z[normal_of[i]]
            lowest = lowest * normal if normal > 0.0 else 0.0
            highest = highest * normal if normal > 0.0 else 0.0
        new = min(max(z[i] - w / A[i, i], lowest), highest)
        violation = abs(new - z[i]) * A[i, i]
        if not violation < DIVERGED_SIZE:
            return math.inf
        worst = max(worst, violation)
        if update:
            z[i] = new
    return worst


@jit_compile
def projected_gauss_seidel(A, b, low, high, normal_of, z, tolerance, max_sweeps):
    """Solve w = A z + b with z in a box by sweeps over the rows: (status, number of sweeps).

    Row i: z_i between its bounds; w_i = 0 inside, w_i >= 0 at the lower and w_i <= 0 at the upper bound. The bounds are
    low_i and high_i or, where j = normal_of[i] >= 0, low_i z_j and high_i z_j. So

        unilateral contact    low = 0,     high = inf,  normal_of = -1    (all rows so: the complementarity problem)
        bilateral joint       low = -inf,  high = inf,  normal_of = -1
        Coulomb friction      low = -mu,   high = mu,   normal_of = row of its normal impulse, which should come before
        excluded row          low = 0,     high = 0     (z_i = 0, for any value of the diagonal)

    A: (n, n), b, low, high: (n,), normal_of: (n,) integers, none of them changed. z: (n,), initial guess (the impulses of the
    last step are a good one, zero always works), overwritten by the result. tolerance: in units of w (m/s). Solved if
    no row i, with all z held, could change w_i by more than that on its way to its own solution: for unilateral rows, if
    |min(A_ii z_i, w_i)| <= tolerance. Returns (STATUS_NO_DIAGONAL, row) before any sweep if a diagonal entry is not positive.
    STATUS_LIMIT after fewer than max_sweeps means that the sweeps diverge. Does not check its input.

    The sweeps converge for A symmetric positive definite and finite bounds; with friction they need not, and Newton's
    method does in practice but without proof.
    """
    next_newton_sweep, guess = SWEEPS_BEFORE_NEWTON, z
    for i in range(b.size):
        if low[i] == 0.0 == high[i]:
            z[i] = 0.0
        elif not A[i, i] > 0.0:
            return STATUS_NO_DIAGONAL, i
    for sweep in range(1, max_sweeps + 1):
        worst = _sweep_rows(A, b, low, high, normal_of, z, True)
        if worst == math.inf:
            return STATUS_LIMIT, sweep
        # rows at the top of a sweep do not include the changes of those below: check again before accepting
        if worst <= tolerance and _sweep_rows(A, b, low, high, normal_of, z, False) <= tolerance:
            return STATUS_SOLVED, sweep
        if sweep == next_newton_sweep:
            next_newton_sweep *= 2
            guess = z.copy()
            solve_by_continuation(A, b, low, high, normal_of, np.full(b.size, NO_TANGENT_PAIR), guess, tolerance)
            error = _sweep_rows(A, b, low, high, normal_of, z, False)
            newton_error = _sweep_rows(A, b, low, high, normal_of, guess, False)
            if newton_error < error:
                z[:] = guess
            if newton_error <= tolerance:
                return STATUS_SOLVED, sweep
    return STATUS_LIMIT, max_sweeps


# Contacts in space with Coulomb's cone --------------------------------------------------------------------------------


@jit_compile
def _contact_velocity(A, b, z, i):
    w = b[i]
    for j in range(b.size):
        w += A[i, j] * z[j]
    return w


@jit_compile
def _sweep_cones(A, b, mu, z, update):
    """One pass over the contacts; returns the largest violation, in units of w. With update = False z is not changed."""
    count = mu.size
    worst = 0.0
    for i in range(count):
        new = max(z[i] - _contact_velocity(A, b, z, i) / A[i, i], 0.0)
        worst = max(worst, abs(new - z[i]) * A[i, i])
        if update:
            z[i] = new
        j, k = count + i, 2 * count + i
        mobility = tangent_mobility(A, j, k)
        if mu[i] == 0.0 or not mobility > MIN_MOBILITY_RATIO * A[i, i]:
            continue
        x, y = z[j] - _contact_velocity(A, b, z, j) / mobility, z[k] - _contact_velocity(A, b, z, k) / mobility
        size, limit = math.sqrt(x * x + y * y), mu[i] * z[i]
        if size > limit:
            x, y = x * limit / size, y * limit / size
        violation = math.sqrt((x - z[j]) ** 2 + (y - z[k]) ** 2) * mobility
        if not violation < DIVERGED_SIZE:
            return math.inf
        worst = max(worst, violation)
        if update:
            z[j], z[k] = x, y
    return worst if worst < DIVERGED_SIZE else math.inf


@jit_compile
def _solve_cone_newton(A, b, mu, z, tolerance):
    """Newton's method from z: normals as rows, tangents as discs; immobile tangents have no impulse."""
    count = mu.size
    low, high = np.zeros(3 * count), np.full(3 * count, math.inf)
    normal_of, pair_of = np.full(3 * count, -1), np.full(3 * count, NO_TANGENT_PAIR)
    for i in range(count):
        j, k = count + i, 2 * count + i
        is_mobile = mu[i] > 0.0 and tangent_mobility(A, j, k) > MIN_MOBILITY_RATIO * A[i, i]
        high[j] = high[k] = mu[i] if is_mobile else 0.0
        normal_of[j] = normal_of[k] = i
        pair_of[j], pair_of[k] = k, SECOND_TANGENT
    return solve_by_continuation(A, b, low, high, normal_of, pair_of, z, tolerance)


@jit_compile
def cone_gauss_seidel(A, b, mu, z, tolerance, max_sweeps):
    """Solve w = A z + b for contacts in space by sweeps: (status, number of sweeps).

    Rows: the normals of all contacts, then their first tangents, then their second. With the normal impulse z_n and the
    tangential impulse z_t of a contact,

        0 <= z_n  perpendicular to  w_n >= 0          |z_t| <= mu z_n,   w_t = 0 inside, against z_t on the border

    A: (3 c, 3 c), b: (3 c,), mu: (c,), none of them changed. z: (3 c,), initial guess, overwritten by the result.
    tolerance: in units of w, m/s, as in gauss_seidel.py. Newton's method helps as there; in practice it converges, without
    proof. Returns (STATUS_NO_DIAGONAL, contact) if a normal is immobile."""
    next_newton_sweep, guess = SWEEPS_BEFORE_NEWTON, z
    for i in range(mu.size):
        if not A[i, i] > 0.0:
            return STATUS_NO_DIAGONAL, i
    for sweep in range(1, max_sweeps + 1):
        worst = _sweep_cones(A, b, mu, z, True)
        if worst == math.inf:
            return STATUS_LIMIT, sweep
        if worst <= tolerance and _sweep_cones(A, b, mu, z, False) <= tolerance:
            return STATUS_SOLVED, sweep
        if sweep == next_newton_sweep:
            next_newton_sweep *= 2
            guess = z.copy()
            _solve_cone_newton(A, b, mu, guess, tolerance)
            error, newton_error = _sweep_cones(A, b, mu, z, False), _sweep_cones(A, b, mu, guess, False)
            if newton_error < error:
                z[:] = guess
            if newton_error <= tolerance:
                return STATUS_SOLVED, sweep
    return STATUS_LIMIT, max_sweeps
