"""The step of an implicit Runge-Kutta method on the index-1 form, for any tableau: Newton over all stages at once.

Unknowns are the accelerations a_i and multipliers lambda_i of the stages:

    q_i = q + c_i h v + h^2 sum_j (A A)_ij a_j        v_i = v + h sum_j A_ij a_j
    M a_i + Phi_q^T lambda_i - Q = 0                  Phi''_i + damp Phi'_i + stiff Phi_i = 0

The linearisation is exact and all stages are solved as one sparse system. Hairer's transformation to one real and one
complex system would need fewer operations, but only with one linearisation for all stages, and then Newton fails at
the large steps of paper 001. The factorisation is kept as long as the iteration contracts well.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.integrate.base import DIVERGED, EVALUATIONS, FACTORISATIONS, LAST_NEWTON, NEWTON, OK, SINGULAR, WHERE
from gaitwright.system.evaluate import (
    acceleration_tangents,
    add_inertia,
    copy,
    forces,
    motion,
    powers,
    signals_at,
    tangents,
)
from gaitwright.system.stages import add_stage, factor_stages, solve_stages

MAX_ITERATIONS = 25
REFACTOR_ABOVE = 0.05
"""Contraction per iteration above which the linearisation is renewed."""
CONVERGED = 1e-15
"""Remaining change of a position relative to its scale, or of a velocity relative to its scale and size, at which the
stages count as solved. Rounding order, because what is left has the same sign step after step: with 1e-13 of the
positions alone, gauss3 with h = 0.01 s lost 1.7e-8 J of a pendulum's energy in 100 s; its own error is 1.5e-11 J."""
ROUNDING, ROUNDING_OF_BEAMS = 1e-12, 1e-8
"""Below this, a change that no longer shrinks under a fresh linearisation is rounding, not divergence. The axial force of
a beam is the small difference of its ends times a large stiffness."""
CONTINUATIONS = 20
"""Shorter steps tried on the way to a step for which Newton does not converge at once."""


@compiled
def set_stage(s, run, i, A, A2, c, h):
    """Position and velocity of stage i from the accelerations of all stages."""
    for k in range(s.n):
        dq, dv = 0.0, 0.0
        for j in range(c.size):
            dq += A2[i, j] * run.stage_a[j, k]
            dv += A[i, j] * run.stage_a[j, k]
        run.stage_q[i, k] = run.q[k] + h * (c[i] * run.v[k] + h * dq)
        run.stage_v[i, k] = run.v[k] + h * dv


@compiled
def stage_residual(s, w, run, i, t, damp, stiff, rhs):
    """Minus the residual of stage i into rhs, and its Phi_q, Phi, Q into w."""
    q, v, a, lam = run.stage_q[i], run.stage_v[i], run.stage_a[i], run.stage_lam[i]
    signals_at(s, w, t)
    motion(s, w, q, v)
    forces(s, w, q, v)
    add_inertia(s, -1.0, a, w.force)
    for k in range(s.m):
        rhs[s.n + k] = w.gamma[k] - damp * w.phi_dot[k] - stiff * w.phi[k]
    for k in range(s.jac_row.size):
        row, col = s.jac_row[k], s.jac_col[k]
        if row < s.m:
            w.force[col] -= w.jac[k] * lam[row]
            rhs[s.n + row] -= w.jac[k] * a[col]
    for k in range(s.n):
        rhs[k] = w.force[k]


@compiled
def row_of_unknown(s, unknown, count):
    """The row of Phi behind an unknown of the stages; below 0 for a coordinate, from m on for a rod (Mechanism.rods)."""
    size = s.n + s.m
    return unknown % size - s.n if unknown < count * size else s.m + (unknown - count * size) % s.rod_weight.size


@compiled
def solve_stage_equations(s, w, stages, run, t, h, options, A, A2, c, enough):
    """Newton iteration for all stages, from the accelerations that are in run.stage_a, until the remaining change (as
    in CONVERGED) is at most `enough`. Returns a status."""
    size, count = s.n + s.m, c.size
    damp, stiff = options.damp, options.stiff
    fresh, before = False, math.inf
    factorised = False
    for iteration in range(MAX_ITERATIONS):
        if not factorised:
            stages.K[:] = 0.0
        for i in range(count):
            set_stage(s, run, i, A, A2, c, h)
            stage_residual(s, w, run, i, t + c[i] * h, damp, stiff, stages.rhs[i * size : (i + 1) * size])
            run.count[EVALUATIONS] += 1
            if not factorised:
                tangents(s, w, run.stage_q[i], run.stage_v[i], run.stage_lam[i])
                acceleration_tangents(s, w, run.stage_q[i], run.stage_v[i], run.stage_a[i], damp, stiff)
                add_stage(s, w, stages, i, A, A2, h)
        if not factorised:
            bad = factor_stages(stages)
            run.count[FACTORISATIONS] += 1
            if bad >= 0:
                run.count[WHERE] = row_of_unknown(s, stages.elimination.order[bad], count)
                return SINGULAR
            factorised = fresh = True
        solve_stages(stages)
        change = total = 0.0
        for i in range(count):
            for k in range(s.n):
                d = stages.rhs[i * size + k]
                total += abs(d)
                run.stage_a[i, k] += d
                # h^2 d changes a position, h d a velocity
                change = max(change, h * abs(d) * max(h / run.scale[k], 1.0 / (run.scale[k] + abs(run.v[k]))))
            for k in range(s.m):
                run.stage_lam[i, k] += stages.rhs[i * size + s.n + k]
        run.count[NEWTON] += 1
        run.count[LAST_NEWTON] = iteration + 1
        if not math.isfinite(total):
            return DIVERGED
        rate = change / before
        # The error left is about rate * change; without a rate yet, only a tiny change is proof.
        if change * min(rate, 1.0) <= enough and (change <= 1e-3 * enough or iteration > 0):
            return OK
        if change > 1e3 and iteration > 3:
            return DIVERGED
        if iteration > 0 and rate > REFACTOR_ABOVE:
            if fresh and change <= (ROUNDING_OF_BEAMS if s.flexible else ROUNDING):
                return OK
            factorised = False
        fresh = False
        before = change
    return DIVERGED


@compiled
def finish_implicit(s, w, run, t, h, b, bA, c):
    """End of the step from the stages; works with the same weights."""
    for k in range(s.n):
        dq, dv = 0.0, 0.0
        for j in range(c.size):
            dq += bA[j] * run.stage_a[j, k]
            dv += b[j] * run.stage_a[j, k]
        run.q1[k] = run.q[k] + h * (run.v[k] + h * dq)
        run.v1[k] = run.v[k] + h * dv
    copy(run.work, run.work1)
    if run.work1.size == 0:
        return
    for i in range(c.size):
        signals_at(s, w, t + c[i] * h)
        motion(s, w, run.stage_q[i], run.stage_v[i])
        powers(s, w, run.stage_q[i], run.stage_v[i], run.stage_lam[i])
        for k in range(run.work1.size):
            run.work1[k] += h * b[i] * w.power[k]


@compiled
def guess_from_begin(s, run, count):
    """First guess of the stages: the acceleration and multipliers at the begin of the step."""
    for i in range(count):
        copy(run.a, run.stage_a[i])
        copy(run.lam, run.stage_lam[i])


@compiled
def continue_in_step(s, w, stages, run, t, h, options, A, A2, c):
    """Solve shorter steps first and follow their stages up to the step h: reaches it where Newton from the begin fails,
    unless the solution itself ends on the way. Paper 001's double pendulum with h = 0.1 s: gauss2 then gets as far as
    REFERENCE E (step 134), not only to step 57."""
    count = c.size
    guess_from_begin(s, run, count)
    kept_a, kept_lam = run.stage_a[:count].copy(), run.stage_lam[:count].copy()
    done, part, status = 0.0, 0.5, DIVERGED
    for _ in range(CONTINUATIONS):
        status = solve_stage_equations(s, w, stages, run, t, (done + part) * h, options, A, A2, c, CONVERGED)
        if status == OK:
            done += part
            if done >= 1.0:
                return OK
            kept_a[:], kept_lam[:] = run.stage_a[:count], run.stage_lam[:count]
            part = min(2.0 * part, 1.0 - done)
        else:
            run.stage_a[:count], run.stage_lam[:count] = kept_a, kept_lam
            part *= 0.5
    return DIVERGED if status == OK else status  # the stages found belong to a shorter step


@compiled
def implicit_step(s, w, stages, run, t, h, options, A, A2, b, bA, c):
    """One step of a method with coefficients A, b, c (A2 = A A, bA = b A)."""
    guess_from_begin(s, run, c.size)
    status = solve_stage_equations(s, w, stages, run, t, h, options, A, A2, c, CONVERGED)
    if status != OK:
        status = continue_in_step(s, w, stages, run, t, h, options, A, A2, c)
    if status == OK:
        finish_implicit(s, w, run, t, h, b, bA, c)
    return status, 0.0
