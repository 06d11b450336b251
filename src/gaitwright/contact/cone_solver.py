"""Projected Gauss-Seidel for contacts in space with Coulomb's cone, compiled. Source: M. Jean, Comput. Methods Appl. Mech.
Eng. 177 (1999) 235-257."""

from __future__ import annotations

import math

import numpy as np

from gaitwright.contact.gauss_seidel import SWEEPS_BEFORE_NEWTON
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


@jit_compile
def _contact_velocity(A, b, z, i):
    w = b[i]
    for j in range(b.size):
        w += A[i, j] * z[j]
    return w


@jit_compile
def _sweep(A, b, mu, z, move):
    """One pass over the contacts; returns the largest violation, in units of w. With move = False z is not changed."""
    count = mu.size
    worst = 0.0
    for i in range(count):
        new = max(z[i] - _contact_velocity(A, b, z, i) / A[i, i], 0.0)
        worst = max(worst, abs(new - z[i]) * A[i, i])
        if move:
            z[i] = new
        j, k = count + i, 2 * count + i
        stiff = tangent_mobility(A, j, k)
        if mu[i] == 0.0 or not stiff > MIN_MOBILITY_RATIO * A[i, i]:
            continue
        x, y = z[j] - _contact_velocity(A, b, z, j) / stiff, z[k] - _contact_velocity(A, b, z, k) / stiff
        size, most = math.sqrt(x * x + y * y), mu[i] * z[i]
        if size > most:
            x, y = x * most / size, y * most / size
        violation = math.sqrt((x - z[j]) ** 2 + (y - z[k]) ** 2) * stiff
        if not violation < DIVERGED_SIZE:
            return math.inf
        worst = max(worst, violation)
        if move:
            z[j], z[k] = x, y
    return worst if worst < DIVERGED_SIZE else math.inf


@jit_compile
def _solve_newton(A, b, mu, z, tolerance):
    """Newton's method from z: normals as rows, tangents as discs; immobile tangents have no impulse."""
    count = mu.size
    low, high = np.zeros(3 * count), np.full(3 * count, math.inf)
    normal_of, pair_of = np.full(3 * count, -1), np.full(3 * count, NO_TANGENT_PAIR)
    for i in range(count):
        j, k = count + i, 2 * count + i
        moves = mu[i] > 0.0 and tangent_mobility(A, j, k) > MIN_MOBILITY_RATIO * A[i, i]
        high[j] = high[k] = mu[i] if moves else 0.0
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
    newton_at, guess = SWEEPS_BEFORE_NEWTON, z
    for i in range(mu.size):
        if not A[i, i] > 0.0:
            return STATUS_NO_DIAGONAL, i
    for sweep in range(1, max_sweeps + 1):
        worst = _sweep(A, b, mu, z, True)
        if worst == math.inf:
            return STATUS_LIMIT, sweep
        if worst <= tolerance and _sweep(A, b, mu, z, False) <= tolerance:
            return STATUS_SOLVED, sweep
        if sweep == newton_at:
            newton_at *= 2
            guess = z.copy()
            _solve_newton(A, b, mu, guess, tolerance)
            here, there = _sweep(A, b, mu, z, False), _sweep(A, b, mu, guess, False)
            if there < here:
                z[:] = guess
            if there <= tolerance:
                return STATUS_SOLVED, sweep
    return STATUS_LIMIT, max_sweeps
