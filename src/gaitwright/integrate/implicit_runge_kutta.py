"""Step of an implicit Runge-Kutta method on the index-1 form, for any tableau: Newton's method for all stages at once.

Unknowns are the accelerations a_i and multipliers lambda_i of the stages:

    q_i = q + c_i h v + h^2 sum_j (A A)_ij a_j        v_i = v + h sum_j A_ij a_j
    M a_i + Phi_q^T lambda_i - Q = 0                  Phi''_i + damp Phi'_i + stiff Phi_i = 0

The linearisation is exact and all stages are solved as one sparse system. Hairer's transformation to one real and one
complex system would need fewer operations, but only with one linearisation for all stages, and then Newton's method fails
for the large steps of paper 001. The factorisation is reused as long as the iteration contracts well.
"""

from __future__ import annotations

import math

from gaitwright.integrate.base import (
    DIVERGED,
    EVALUATION_COUNT,
    FACTORISATION_COUNT,
    FAILED_ROW,
    LAST_NEWTON_COUNT,
    NEWTON_COUNT,
    OK,
    SINGULAR,
)
from gaitwright.jit import jit_compile
from gaitwright.mechanism.coupled_stages import add_stage, factor_stages, solve_stages
from gaitwright.mechanism.evaluation import (
    add_inertia,
    copy_values,
    evaluate_acceleration_tangents,
    evaluate_forces,
    evaluate_motion,
    evaluate_powers,
    evaluate_tangents,
    update_signals,
)

MAX_NEWTON_ITERATIONS = 25
REFACTOR_CONTRACTION = 0.05
"""Contraction per iteration above which the linearisation is renewed."""
CONVERGED_RTOL = 1e-15
"""Tolerance of the stages: remaining change of a position relative to its scale, or of a velocity relative to its scale and
size. It is of the order of rounding, because the remaining error has the same sign in every step: with 1e-13 for the positions
only, gauss3 with h = 0.01 s lost 1.7e-8 J of a pendulum's energy in 100 s; its own error is 1.5e-11 J."""
STAGNATION_RTOL, BEAM_STAGNATION_RTOL = 1e-12, 1e-8
"""A change below this that does not decrease with a new linearisation is rounding, not divergence. The axial force of a beam is
a small difference of displacements times a large stiffness."""
MAX_CONTINUATION_STEPS = 20
"""Maximum number of shorter steps in the continuation to a step for which Newton's method does not converge directly."""


@jit_compile
def set_stage(s, run, i, A, A2, c, h):
    """Compute position and velocity of stage i from the accelerations of all stages."""
    for k in range(s.n):
        dq, dv = 0.0, 0.0
        for j in range(c.size):
            dq += A2[i, j] * run.stage_a[j, k]
            dv += A[i, j] * run.stage_a[j, k]
        run.stage_q[i, k] = run.q[k] + h * (c[i] * run.v[k] + h * dq)
        run.stage_v[i, k] = run.v[k] + h * dv


@jit_compile
def stage_residual(s, w, run, i, t, damp, stiff, rhs):
    """Write minus the residual of stage i into rhs, and Phi_q, Phi, Q into w."""
    q, v, a, lam = run.stage_q[i], run.stage_v[i], run.stage_a[i], run.stage_lam[i]
    update_signals(s, w, t)
    evaluate_motion(s, w, q, v)
    evaluate_forces(s, w, q, v)
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


@jit_compile
def row_of_unknown(s, unknown, count):
    """Row of Phi of an unknown of the stages; below 0 for a coordinate, m or more for a rod (Mechanism.rods)."""
    size = s.n + s.m
    return unknown % size - s.n if unknown < count * size else s.m + (unknown - count * size) % s.rod_weight.size


@jit_compile
def solve_stage_equations(s, w, stages, run, t, h, options, A, A2, c, enough):
    """Newton iteration for all stages, from the accelerations in run.stage_a, until the remaining change (as in
    CONVERGED_RTOL) is at most `enough`. Returns a status."""
    size, count = s.n + s.m, c.size
    damp, stiff = options.damp, options.stiff
    fresh, before = False, math.inf
    factorised = False
    for iteration in range(MAX_NEWTON_ITERATIONS):
        if not factorised:
            stages.K[:] = 0.0
        for i in range(count):
            set_stage(s, run, i, A, A2, c, h)
            stage_residual(s, w, run, i, t + c[i] * h, damp, stiff, stages.rhs[i * size : (i + 1) * size])
            run.count[EVALUATION_COUNT] += 1
            if not factorised:
                evaluate_tangents(s, w, run.stage_q[i], run.stage_v[i], run.stage_lam[i])
                evaluate_acceleration_tangents(s, w, run.stage_q[i], run.stage_v[i], run.stage_a[i], damp, stiff)
                add_stage(s, w, stages, i, A, A2, h)
        if not factorised:
            pivot = factor_stages(stages)
            run.count[FACTORISATION_COUNT] += 1
            if pivot >= 0:
                run.count[FAILED_ROW] = row_of_unknown(s, stages.elimination.order[pivot], count)
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
        run.count[NEWTON_COUNT] += 1
        run.count[LAST_NEWTON_COUNT] = iteration + 1
        if not math.isfinite(total):
            return DIVERGED
        rate = change / before
        # The remaining error is about rate * change; in the first iteration, without a rate, only a tiny change suffices.
        if change * min(rate, 1.0) <= enough and (change <= 1e-3 * enough or iteration > 0):
            return OK
        if change > 1e3 and iteration > 3:
            return DIVERGED
        if iteration > 0 and rate > REFACTOR_CONTRACTION:
            if fresh and change <= (BEAM_STAGNATION_RTOL if s.flexible else STAGNATION_RTOL):
                return OK
            factorised = False
        fresh = False
        before = change
    return DIVERGED


@jit_compile
def finish_implicit(s, w, run, t, h, b, bA, c):
    """Compute the end of the step from the stages, and the works with the same weights."""
    for k in range(s.n):
        dq, dv = 0.0, 0.0
        for j in range(c.size):
            dq += bA[j] * run.stage_a[j, k]
            dv += b[j] * run.stage_a[j, k]
        run.q1[k] = run.q[k] + h * (run.v[k] + h * dq)
        run.v1[k] = run.v[k] + h * dv
    copy_values(run.work, run.work1)
    if run.work1.size == 0:
        return
    for i in range(c.size):
        update_signals(s, w, t + c[i] * h)
        evaluate_motion(s, w, run.stage_q[i], run.stage_v[i])
        evaluate_powers(s, w, run.stage_q[i], run.stage_v[i], run.stage_lam[i])
        for k in range(run.work1.size):
            run.work1[k] += h * b[i] * w.power[k]


@jit_compile
def guess_stages(s, run, count):
    """Initial guess of the stages: acceleration and multipliers at the start of the step."""
    for i in range(count):
        copy_values(run.a, run.stage_a[i])
        copy_values(run.lam, run.stage_lam[i])


@jit_compile
def continue_stages(s, w, stages, run, t, h, options, A, A2, c):
    """Continuation: solve shorter steps first and follow their stages up to the step h. It succeeds where Newton's method from
    the start of the step fails, unless the solution branch ends before h. Paper 001's double pendulum with h = 0.1 s: gauss2
    then gets as far as the recomputation of 001 (step 134), not only to step 57."""
    count = c.size
    guess_stages(s, run, count)
    kept_a, kept_lam = run.stage_a[:count].copy(), run.stage_lam[:count].copy()
    reached, increment, status = 0.0, 0.5, DIVERGED
    for _ in range(MAX_CONTINUATION_STEPS):
        status = solve_stage_equations(
            s, w, stages, run, t, (reached + increment) * h, options, A, A2, c, CONVERGED_RTOL
        )
        if status == OK:
            reached += increment
            if reached >= 1.0:
                return OK
            kept_a[:], kept_lam[:] = run.stage_a[:count], run.stage_lam[:count]
            increment = min(2.0 * increment, 1.0 - reached)
        else:
            run.stage_a[:count], run.stage_lam[:count] = kept_a, kept_lam
            increment *= 0.5
    return DIVERGED if status == OK else status  # the computed stages belong to a shorter step


@jit_compile
def implicit_step(s, w, stages, run, t, h, options, A, A2, b, bA, c):
    """One step of a method with coefficients A, b, c (A2 = A A, bA = b A)."""
    guess_stages(s, run, c.size)
    status = solve_stage_equations(s, w, stages, run, t, h, options, A, A2, c, CONVERGED_RTOL)
    if status != OK:
        status = continue_stages(s, w, stages, run, t, h, options, A, A2, c)
    if status == OK:
        finish_implicit(s, w, run, t, h, b, bA, c)
    return status, 0.0
