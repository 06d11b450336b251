"""Projected Gauss-Seidel for contacts in space with Coulomb's cone, compiled. Source: M. Jean, Comput. Methods Appl. Mech.
Eng. 177 (1999) 235-257."""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.gauss_seidel import DIVERGED
from gaitwright.contact.lemke import LIMIT, NO_DIAGONAL, SOLVED

IMMOBILE = 1e-13
"""Mobility along a surface, relative to that of the normal, below which it is rounding."""


@compiled
def _velocity(A, b, z, i):
    w = b[i]
    for j in range(b.size):
        w += A[i, j] * z[j]
    return w


@compiled
def _sweep(A, b, mu, z, move):
    """One pass over the contacts; the largest violation that it met, in units of w. With move = False z stays as it is."""
    count = mu.size
    worst = 0.0
    for i in range(count):
        new = max(z[i] - _velocity(A, b, z, i) / A[i, i], 0.0)
        worst = max(worst, abs(new - z[i]) * A[i, i])
        if move:
            z[i] = new
        j, k = count + i, 2 * count + i
        # The largest eigenvalue of the block of the two tangents: a step that never goes too far.
        mean, half = 0.5 * (A[j, j] + A[k, k]), 0.5 * (A[j, j] - A[k, k])
        stiff = mean + math.sqrt(half * half + A[j, k] * A[k, j])
        if mu[i] == 0.0 or not stiff > IMMOBILE * A[i, i]:
            continue
        x, y = z[j] - _velocity(A, b, z, j) / stiff, z[k] - _velocity(A, b, z, k) / stiff
        size, most = math.sqrt(x * x + y * y), mu[i] * z[i]
        if size > most:
            x, y = x * most / size, y * most / size
        violation = math.sqrt((x - z[j]) ** 2 + (y - z[k]) ** 2) * stiff
        if not violation < DIVERGED:
            return math.inf
        worst = max(worst, violation)
        if move:
            z[j], z[k] = x, y
    return worst if worst < DIVERGED else math.inf


@compiled
def cone_gauss_seidel(A, b, mu, z, tolerance, max_sweeps):
    """Solve w = A z + b for contacts in space by sweeps: (status, number of sweeps).

    Rows: the normals of all contacts, then their first tangents, then their second. With the normal impulse z_n and the
    tangential impulse z_t of a contact,

        0 <= z_n  perpendicular to  w_n >= 0          |z_t| <= mu z_n,   w_t = 0 inside, against z_t on the border

    A: (3 c, 3 c), b: (3 c,), mu: (c,), none of them changed. z: (3 c,), the first guess, overwritten by the result.
    tolerance: in units of w, m/s, as in gauss_seidel.py. In practice it converges, without proof. Returns (NO_DIAGONAL,
    contact) when a normal cannot move."""
    for i in range(mu.size):
        if not A[i, i] > 0.0:
            return NO_DIAGONAL, i
    for sweep in range(1, max_sweeps + 1):
        worst = _sweep(A, b, mu, z, True)
        if worst == math.inf:
            return LIMIT, sweep
        if worst <= tolerance and _sweep(A, b, mu, z, False) <= tolerance:
            return SOLVED, sweep
    return LIMIT, max_sweeps
