"""Interpolation of the motion between the two states of a step."""

from __future__ import annotations

from gaitwright.jit import jit_compile


@jit_compile
def quintic_hermite_weights(x):
    """Weights of q, q' and q'' at both ends of a step, at the fraction x of it: quintic Hermite polynomials for the position,
    starting with the increment of q, and their derivatives for the velocity."""
    x2, x3, x4, x5 = x * x, x**3, x**4, x**5
    b1 = 10 * x3 - 15 * x4 + 6 * x5
    c0, c1 = x - 6 * x3 + 8 * x4 - 3 * x5, -4 * x3 + 7 * x4 - 3 * x5
    d0, d1 = (x2 - 3 * x3 + 3 * x4 - x5) / 2, (x3 - 2 * x4 + x5) / 2
    e1 = 30 * x2 - 60 * x3 + 30 * x4
    f0, f1 = 1 - 18 * x2 + 32 * x3 - 15 * x4, -12 * x2 + 28 * x3 - 15 * x4
    g0, g1 = (2 * x - 9 * x2 + 12 * x3 - 5 * x4) / 2, (3 * x2 - 8 * x3 + 5 * x4) / 2
    return b1, c0, c1, d0, d1, e1, f0, f1, g0, g1


@jit_compile
def interpolate_step_state(n, q0, v0, a0, q1, v1, a1, x, h, q, v):
    """Position and velocity at the fraction x of a step h: quintic Hermite polynomial through q, q', q'' at both ends.
    Error O(h^6) in q and O(h^5) in v."""
    b1, c0, c1, d0, d1, e1, f0, f1, g0, g1 = quintic_hermite_weights(x)
    for i in range(n):
        rise = q1[i] - q0[i]
        q[i] = q0[i] + b1 * rise + h * (c0 * v0[i] + c1 * v1[i] + h * (d0 * a0[i] + d1 * a1[i]))
        v[i] = e1 * rise / h + f0 * v0[i] + f1 * v1[i] + h * (g0 * a0[i] + g1 * a1[i])
    q[n] = v[n] = 0.0


@jit_compile
def interpolate_step_coordinates(which, n, q0, v0, a0, q1, v1, a1, x, h, q, v):
    """Same as `interpolate_step_state` for the coordinates `which`; n, the index of the ground, gives 0."""
    b1, c0, c1, d0, d1, e1, f0, f1, g0, g1 = quintic_hermite_weights(x)
    for i in which:
        if i < n:
            rise = q1[i] - q0[i]
            q[i] = q0[i] + b1 * rise + h * (c0 * v0[i] + c1 * v1[i] + h * (d0 * a0[i] + d1 * a1[i]))
            v[i] = e1 * rise / h + f0 * v0[i] + f1 * v1[i] + h * (g0 * a0[i] + g1 * a1[i])
    q[n] = v[n] = 0.0
