"""Projected Gauss-Seidel for complementarity with friction, compiled. Problem and sources: lcp.py.

After SWEEPS_BEFORE_NEWTON sweeps without a solution, and then each time their number has doubled, Newton's method continues
from the current point (impulse_newton.py), and returns a better point even if it finds no solution."""

from __future__ import annotations

import math

import numpy as np

from gaitwright.contact.impulse_newton import DIVERGED_SIZE, NO_TANGENT_PAIR, solve_by_continuation
from gaitwright.contact.lemke import STATUS_LIMIT, STATUS_NO_DIAGONAL, STATUS_SOLVED
from gaitwright.jit import jit_compile

SWEEPS_BEFORE_NEWTON = 16
"""Number of sweeps with about the cost of a Newton step of a small problem."""


@jit_compile
def _sweep(A, b, low, high, normal_of, z, move):
    """One pass over the rows; returns the largest violation, in units of w. With move = False z is not changed."""
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
        if move:
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
    newton_at, guess = SWEEPS_BEFORE_NEWTON, z
    for i in range(b.size):
        if low[i] == 0.0 == high[i]:
            z[i] = 0.0
        elif not A[i, i] > 0.0:
            return STATUS_NO_DIAGONAL, i
    for sweep in range(1, max_sweeps + 1):
        worst = _sweep(A, b, low, high, normal_of, z, True)
        if worst == math.inf:
            return STATUS_LIMIT, sweep
        # rows at the top of a sweep do not include the changes of those below: check again before accepting
        if worst <= tolerance and _sweep(A, b, low, high, normal_of, z, False) <= tolerance:
            return STATUS_SOLVED, sweep
        if sweep == newton_at:
            newton_at *= 2
            guess = z.copy()
            solve_by_continuation(A, b, low, high, normal_of, np.full(b.size, NO_TANGENT_PAIR), guess, tolerance)
            here = _sweep(A, b, low, high, normal_of, z, False)
            there = _sweep(A, b, low, high, normal_of, guess, False)
            if there < here:
                z[:] = guess
            if there <= tolerance:
                return STATUS_SOLVED, sweep
    return STATUS_LIMIT, max_sweeps
