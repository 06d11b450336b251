"""Generalized-alpha on the index-3 form: constraints hold at position level at every step. Order 2, with numerical damping.

    (1 - alpha_m) b' + alpha_m b = (1 - alpha_f) a' + alpha_f a          (primes: end of the step)
    q' = q + h v + h^2 ((1/2 - beta) b + beta b')        v' = v + h ((1 - gamma) b + gamma b')
    M a' + Phi_q^T lambda' = Q(q', v', t')               Phi(q', t') = 0

rho = `spectral_radius` in [0, 1] sets the damping of the highest frequencies: 1 none, 0 all in one step. Newton runs on
the accelerations, with the constraints divided by h^2, so the matrix stays well scaled for small steps.
Source: M. Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007) 185-202; J. Chung, G. Hulbert, J. Appl. Mech. 60 (1993) 371.
The velocities satisfy the constraints only to the order of the method.
Newton's method starts from an extrapolation of the accelerations or, if these are noisy (stiff beams: their highest frequencies
change sign from step to step), of the positions; the one that would have been closer in the previous step is used.
If a library factorises (large solids), the factors are reused, also in later steps, as long as each iteration reduces the
change at least by the factor LARGE_REFACTOR_CONTRACTION: a new factorisation takes as long as many solutions. The equations
and the tolerance are the same. Not for rho close to 1 with joints: without damping, errors of the multipliers grow from
step to step (A. Cardona, M. Geradin, Comput. Struct. 33 (1989) 801-820). A free slider-crank explodes after some 10^4 steps
with rho = 1, at 500 steps per turn with 0.99 too; 0.9 is safe.
"""

import math

from gaitwright.integrate.base import (
    ATTEMPTED_TIME,
    DIVERGED,
    EQUAL_STEP_COUNT,
    EVALUATION_COUNT,
    FACTORED_STEP_SIZE,
    FACTORISATION_COUNT,
    FAILED_ROW,
    LAST_NEWTON_COUNT,
    NEWTON_COUNT,
    NEWTON_CURVATURE,
    OK,
    PREDICTS_POSITION,
    SINGULAR,
    STEP_COUNT,
    STEP_SIZE,
    IntegrationMethod,
    register_method,
)
from gaitwright.integrate.step_loops import finish_own_step, march_fixed
from gaitwright.jit import jit_compile
from gaitwright.linalg.elimination import LIBRARY_FACTOR
from gaitwright.mechanism.evaluation import (
    add_inertia,
    copy_values,
    evaluate_drive_motion,
    evaluate_forces,
    evaluate_position,
    evaluate_powers,
    evaluate_tangents,
    update_signals,
    zero_values,
)
from gaitwright.mechanism.kkt import (
    factor_kkt,
    fill_mass,
    fill_tangent,
    find_singular_row,
    solve_accelerations,
    solve_kkt,
    store_reference_pivots,
)
from gaitwright.mechanism.projection import project_velocity

MAX_NEWTON_ITERATIONS = 20
MAX_CURVATURE = 1e4
"""Assumed curvature c: the error after a first change d of the coordinates (relative to their scale) is at most c d^2. Used
until a step has given a better estimate; joints alone give about d^2."""
CURVATURE_SAFETY_FACTOR = 10.0
"""Safety factor on the curvature estimated in the last step, for the next ones."""
CURVATURE_CHECK_STEPS = 16
"""Number of steps after which the curvature is estimated again."""
MIN_DIVISOR = 1e-300
MAX_EXPECTED_CONTRACTION = 1e-2
"""A factorisation is reused for the next iteration if this contraction is expected, and afterwards as long as the
contraction is better than REFACTOR_CONTRACTION."""
REFACTOR_CONTRACTION = 0.1
LARGE_REFACTOR_CONTRACTION = 0.25
"""The same if a library factorises, which takes as long as four to ten iterations."""
KEPT_FACTORS_SAFETY = 1e2
"""Factor by which the tolerance is tightened for steps with reused factors: their convergence, including that of the
multipliers, is not quadratic."""

MAX_TRANSIENT_CHANGE = 1e-2
"""Maximum change of a coordinate, relative to its scale, that a transient acceleration may cause in the first step: a
larger one gives a wrong start."""


@jit_compile
def copy_first(n, source, target):
    """Copy the first n numbers."""
    for i in range(n):
        target[i] = source[i]


@jit_compile
def solve_newton(s, w, kkt, run, h, beta, gamma, enough):
    """Solve for a1, lam1 by Newton's method from the prediction in q1, v1, a1, lam1; update q1, v1. enough: tolerance of the
    change of a coordinate, relative to its scale. Returns a status."""
    before, curved, slow = math.inf, run.clock[NEWTON_CURVATURE], False
    sure = run.count[STEP_COUNT] % CURVATURE_CHECK_STEPS != 0
    large = kkt.elimination.library[LIBRARY_FACTOR] != 0
    reused = large and run.clock[FACTORED_STEP_SIZE] == h
    run.clock[FACTORED_STEP_SIZE] = 0.0  # until this step has converged
    for iteration in range(MAX_NEWTON_ITERATIONS):
        evaluate_position(s, w, run.q1)
        evaluate_forces(s, w, run.q1, run.v1)
        fresh = slow or not (reused or curved * before < MAX_EXPECTED_CONTRACTION)
        if fresh:
            reused = False
            evaluate_tangents(s, w, run.q1, run.v1, run.lam1)
            fill_tangent(s, w, kkt, gamma * h, beta * h * h)
        add_inertia(s, -1.0, run.a1, w.force)
        for k in range(s.jac_row.size):
            w.force[s.jac_col[k]] -= w.jac[k] * run.lam1[s.jac_row[k]]
        copy_first(s.n, w.force, kkt.rhs)
        for k in range(s.m):
            kkt.rhs[s.n + k] = -w.phi[k] / (beta * h * h)
        run.count[EVALUATION_COUNT] += 1
        if fresh:
            unknown = factor_kkt(kkt)
            run.count[FACTORISATION_COUNT] += 1
            if unknown >= 0:
                run.count[FAILED_ROW] = unknown - s.n
                return SINGULAR
        solve_kkt(kkt)
        change = total = 0.0
        rhs, q1, v1, a1, scale = kkt.rhs, run.q1, run.v1, run.a1, run.scale
        for i in range(s.n):
            d = rhs[i]
            total += abs(d)
            a1[i] += d
            v1[i] += gamma * h * d
            q1[i] += beta * h * h * d
            change = max(change, abs(d) / scale[i])
        for k in range(s.m):
            run.lam1[k] += kkt.rhs[s.n + k]
        change *= beta * h * h
        run.count[NEWTON_COUNT] += 1
        run.count[LAST_NEWTON_COUNT] = iteration + 1
        if not math.isfinite(total):
            return DIVERGED
        # Newton's method converges quadratically: the error after a first change d is at most curved d^2. Later the observed
        # rate times d is a better estimate; with the factors of another step it is the only one.
        if reused:
            remaining = (
                KEPT_FACTORS_SAFETY * change * change / max(before - change, MIN_DIVISOR) if iteration > 0 else math.inf
            )
        elif iteration == 0:
            remaining = (curved if sure else MAX_CURVATURE) * change * change
        else:
            if iteration == 1 and before > enough:
                run.clock[NEWTON_CURVATURE] = min(CURVATURE_SAFETY_FACTOR * change / (before * before), MAX_CURVATURE)
            remaining = change * min(1.0, change / before)
        if remaining <= enough or change <= (enough / KEPT_FACTORS_SAFETY if reused else enough):
            run.clock[FACTORED_STEP_SIZE] = h if large else 0.0
            return OK
        slow = change > (LARGE_REFACTOR_CONTRACTION if large else REFACTOR_CONTRACTION) * before
        reused = reused or large
        before = change
    return DIVERGED


@jit_compile
def extrapolate_position(run, i):
    """Predict coordinate i from previous steps by the parabola through the last three positions."""
    if run.count[EQUAL_STEP_COUNT] == 0:
        return run.q[i] + run.clock[STEP_SIZE] * run.v[i]
    if run.count[EQUAL_STEP_COUNT] == 1:
        return 2.0 * run.q[i] - run.aux[4, i]
    return 3.0 * (run.q[i] - run.aux[4, i]) + run.aux[5, i]


@jit_compile
def acceleration_after(s, w, kkt, run, t, h, v, a, rise):
    """Write into run.a1 the acceleration at time h after the start of the step, if the acceleration has changed by
    `rise` until then; True on success."""
    for i in range(s.n):
        run.q1[i] = run.q[i] + h * (v[i] + h * (a[i] / 2.0 + rise[i] / 6.0))
        run.v1[i] = v[i] + h * (a[i] + rise[i] / 2.0)
    return solve_accelerations(s, w, kkt, t + h, run.q1, run.v1, 0.0, 0.0, run.a1, run.lam1) < 0


@jit_compile
def averaged_acceleration(s, w, kkt, run, t, h, v, enough):
    """Write into run.a1 the acceleration of a step of implicit Euler; True on success. The instantaneous acceleration is
    useless if it oscillates: a damped beam of 400 elements has 10^6 rad/s^2 from rounding errors of its velocities, which
    would change slopes by 0.3 in the first step."""
    update_signals(s, w, t + h)
    for i in range(s.n):
        run.q1[i] = run.q[i] + h * v[i]
        run.v1[i] = v[i]
        run.a1[i] = 0.0
    zero_values(run.lam1)
    run.clock[NEWTON_CURVATURE] = MAX_CURVATURE
    converged = solve_newton(s, w, kkt, run, h, 1.0, 1.0, enough) == OK
    run.clock[FACTORED_STEP_SIZE] = 0.0
    return converged


@jit_compile
def restart(s, w, kkt, run, t, h, shift, miss, enough):
    """Initial values of a step without an equal step before it (the first, or a shorter last one), into run.aux: b, the
    previous acceleration, and velocity and acceleration at the start of the step.

    b belongs to the time t + shift h, so its initial value is a + shift h a'. The formula for q' has the error miss h^3 a'; the
    velocity is therefore corrected by miss h^2 a' in the directions of the joints. Otherwise the constraints would put this
    error into the multipliers: with b = a and uncorrected v, accelerations and reactions are off by O(h) for about the first 20
    steps. Source: M. Arnold, O. Bruels, A. Cardona, Numer. Math. 129 (2015) 149-179. a' is a finite difference."""
    b, a_before, v, a = run.aux[0], run.aux[1], run.aux[2], run.aux[3]
    run.clock[FACTORED_STEP_SIZE] = 0.0
    copy_values(run.v, v)
    update_signals(s, w, t)
    project_velocity(s, w, kkt, run.q, v)
    solve_accelerations(s, w, kkt, t, run.q, v, 0.0, 0.0, a, run.lam1)
    rise = b
    zero_values(rise)
    smooth = acceleration_after(s, w, kkt, run, t, h, v, a, rise)
    largest = missed = fastest = 0.0
    for i in range(s.n):
        fastest = max(fastest, abs(a[i]) / run.scale[i])
        rise[i] = run.a1[i] - a[i]
        largest = max(largest, abs(rise[i]) / run.scale[i])
    # A finite difference does not represent the acceleration of a stiff beam within the step: the second evaluation differs.
    smooth &= acceleration_after(s, w, kkt, run, t, h, v, a, rise)
    run.count[EVALUATION_COUNT] += 3
    for i in range(s.n):
        missed = max(missed, abs(run.a1[i] - a[i] - rise[i]) / run.scale[i])
    smooth &= missed <= 0.25 * largest
    run.count[PREDICTS_POSITION] = not smooth
    if not smooth and h * h * fastest > MAX_TRANSIENT_CHANGE and averaged_acceleration(s, w, kkt, run, t, h, v, enough):
        copy_values(run.a1, a)
    for i in range(s.n):
        change = rise[i] if smooth else 0.0
        b[i] = a[i] + shift * change
        a_before[i] = a[i] - change
    update_signals(s, w, t)
    evaluate_position(s, w, run.q)
    fill_mass(s, w, kkt)
    zero_values(kkt.rhs)
    for k in range(s.jac_row.size):
        row, col = s.jac_row[k], s.jac_col[k]
        if row < s.m:
            kkt.rhs[s.n + row] += miss * h * w.jac[k] * (a[col] - a_before[col])
    if factor_kkt(kkt) < 0:
        solve_kkt(kkt)
        for i in range(s.n):
            v[i] += kkt.rhs[i]


@jit_compile
def predict(s, run, h, v, a, alpha_m, alpha_f, beta, gamma):
    """Write the start values of Newton's method into q1, v1, a1 and lam1."""
    b, a_before = run.aux[0], run.aux[1]
    for i in range(s.n):
        if run.count[PREDICTS_POSITION] != 0:
            run.q1[i] = extrapolate_position(run, i)
            b1 = (((run.q1[i] - run.q[i]) / h - v[i]) / h - (0.5 - beta) * b[i]) / beta
            run.a1[i] = ((1.0 - alpha_m) * b1 + alpha_m * b[i] - alpha_f * a[i]) / (1.0 - alpha_f)
        else:
            run.a1[i] = 2.0 * a[i] - a_before[i]
            b1 = ((1.0 - alpha_f) * run.a1[i] + alpha_f * a[i] - alpha_m * b[i]) / (1.0 - alpha_m)
            run.q1[i] = run.q[i] + h * (v[i] + h * ((0.5 - beta) * b[i] + beta * b1))
        run.v1[i] = v[i] + h * ((1.0 - gamma) * b[i] + gamma * b1)
    copy_values(run.lam, run.lam1)


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    rho = options.spectral_radius
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    ratio = (1.0 - alpha_f) / (1.0 - alpha_m)
    b, a_before, b_after, v, a = run.aux[0], run.aux[1], run.aux[2], run.v, run.a
    if t > run.clock[ATTEMPTED_TIME]:  # the last step was accepted, not repeated
        copy_values(b_after, b)
    run.clock[ATTEMPTED_TIME] = t + 0.5 * h
    changed = abs(h - run.clock[STEP_SIZE]) > 1e-3 * h
    if changed and s.flexible and run.count[STEP_COUNT] > 0:
        # The accelerations of stiff beams oscillate; recomputing them from the forces would excite the beams.
        copy_values(a, a_before)
        run.count[EQUAL_STEP_COUNT] = run.count[PREDICTS_POSITION] = 0
        run.clock[NEWTON_CURVATURE] = MAX_CURVATURE
    elif changed or run.count[STEP_COUNT] == 0:
        shift = alpha_m - alpha_f
        restart(s, w, kkt, run, t, h, shift, 1.0 / 6.0 - 0.5 * shift - beta, options.newton)
        v, a = run.aux[2], run.aux[3]
        run.count[EQUAL_STEP_COUNT] = 0
        run.clock[NEWTON_CURVATURE] = MAX_CURVATURE
    run.clock[STEP_SIZE] = h
    update_signals(s, w, t + h)
    status, reused = DIVERGED, run.clock[FACTORED_STEP_SIZE] == h
    for _ in range(2):
        predict(s, run, h, v, a, alpha_m, alpha_f, beta, gamma)
        status = solve_newton(s, w, kkt, run, h, beta * ratio, gamma * ratio, options.newton)
        if status == OK or not reused:
            break
        reused = False  # factors of another step may prevent convergence
    if status != OK:
        return status, 0.0
    if run.count[STEP_COUNT] == 0:
        store_reference_pivots(s, kkt)
    row = find_singular_row(s, kkt)
    if row >= 0:
        run.count[FAILED_ROW] = row
        return SINGULAR, 0.0
    q_before, q_earlier = run.aux[4], run.aux[5]
    by_position = by_acceleration = 0.0
    for i in range(s.n):
        missed = run.a1[i] - 2.0 * a[i] + a_before[i]
        by_acceleration = max(by_acceleration, abs(missed) / run.scale[i])
        by_position = max(by_position, abs(run.q1[i] - extrapolate_position(run, i)) / run.scale[i])
        a_before[i] = a[i]
        q_earlier[i] = q_before[i]
        q_before[i] = run.q[i]
        b_after[i] = ((1.0 - alpha_f) * run.a1[i] + alpha_f * a[i] - alpha_m * b[i]) / (1.0 - alpha_m)
    run.count[EQUAL_STEP_COUNT] += 1
    run.count[PREDICTS_POSITION] = by_position < beta * ratio * h * h * by_acceleration
    if run.work1.size > 0:
        evaluate_drive_motion(s, w, run.q1, run.v1)
        evaluate_powers(s, w, run.q1, run.v1, run.lam1)
        for k in range(run.work1.size):
            run.power1[k] = w.power[k]
            run.work1[k] = run.work[k] + 0.5 * h * (run.power[k] + w.power[k])
    return OK, 0.0


@jit_compile
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    tangent_kkt, start_kkt = kkt
    return march_fixed(
        step,
        finish_own_step,
        2,
        s,
        w,
        tangent_kkt,
        start_kkt,
        stages,
        run,
        options,
        t_start,
        t_end,
        h,
        every,
        max_steps,
    )


register_method(
    IntegrationMethod(
        "generalized-alpha", 2, False, "implicit, index 3, damped", advance, tangent=True, own_acceleration=True
    )
)
