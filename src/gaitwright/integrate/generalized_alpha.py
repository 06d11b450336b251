"""Generalized-alpha on the index-3 form: constraints hold at position level at every step. Order 2, damps noise.

    (1 - alpha_m) b' + alpha_m b = (1 - alpha_f) a' + alpha_f a          (primes: end of the step)
    q' = q + h v + h^2 ((1/2 - beta) b + beta b')        v' = v + h ((1 - gamma) b + gamma b')
    M a' + Phi_q^T lambda' = Q(q', v', t')               Phi(q', t') = 0

rho = `spectral_radius` in [0, 1] sets the damping of the highest frequencies: 1 none, 0 all in one step. Newton runs on
the accelerations, with the constraints divided by h^2, so the matrix stays well scaled for small steps.
Source: M. Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007) 185-202; J. Chung, G. Hulbert, J. Appl. Mech. 60 (1993) 371.
The velocities satisfy the constraints only to the order of the method.
Newton starts from a continuation of the accelerations or, where these are noisy (stiff beams: their highest frequencies
change sign from step to step), of the positions; whichever would have been nearer in the step before.
Where a library factorises (large solids), factors serve as long as they take off all but the part KEEP of what remains, also in
the steps that follow: new ones take as long as many solutions. What is solved is the same, to the same tolerance.
Not for rho close to 1 with joints: without damping, errors of the multipliers grow from step to step (A. Cardona,
M. Geradin, Comput. Struct. 33 (1989) 801-820). A free slider-crank explodes after some 10^4 steps with rho = 1, at 500
steps per turn with 0.99 too; 0.9 is safe.
"""

import math

from gaitwright.compiled import compiled
from gaitwright.integrate.base import (
    ALIKE,
    ATTEMPTED,
    BY_POSITION,
    CURVATURE,
    DIVERGED,
    EVALUATIONS,
    FACTORISATIONS,
    FACTORS_FOR,
    LAST_NEWTON,
    NEWTON,
    OK,
    SINGULAR,
    STEPS,
    WHERE,
    H,
    Method,
    register,
)
from gaitwright.integrate.march import finish_own, march_fixed
from gaitwright.system.elimination import FACTOR
from gaitwright.system.evaluate import (
    add_inertia,
    clear,
    copy,
    forces,
    motion_of_drives,
    position,
    powers,
    signals_at,
    tangents,
)
from gaitwright.system.kkt import accelerate, factor, fill_mass, fill_tangent, remember_pivots, singular_row, solve
from gaitwright.system.project import project_velocity

MAX_ITERATIONS = 20
CURVED = 1e4
"""What remains after a change d of the coordinates (in their scale) is at most CURVED d^2, as long as no step has shown
better; joints alone give about d^2."""
LEARNT = 10.0
"""How much more than the last step has shown is expected of the next ones. Every CHECK-th step shows it anew."""
CHECK = 16
TINY = 1e-300
FROZEN = 1e-2
"""A factorisation serves the next iteration too when that is expected to take off all but this part of what remains, and
goes on to serve as long as it takes off all but the part SLOW."""
SLOW = 0.1
KEEP = 0.25
"""The same where a library factorises, which takes as long as four to ten iterations."""
LINEAR = 1e2
"""How much closer steps with kept factors have to come: their last one does not square what is left, of multipliers too."""

RINGING = 1e-2
"""Change of a coordinate, in its scale, that an acceleration which does not last makes in a first step: more leads astray."""


@compiled
def copy_part(n, source, target):
    """The first n numbers."""
    for i in range(n):
        target[i] = source[i]


@compiled
def newton(s, w, kkt, run, h, beta, gamma, enough):
    """Solve for a1, lam1 from the prediction in q1, v1, a1, lam1; q1, v1 follow. Returns a status."""
    before, curved, slow = math.inf, run.clock[CURVATURE], False
    sure = run.count[STEPS] % CHECK != 0
    large = kkt.elimination.library[FACTOR] != 0
    kept = large and run.clock[FACTORS_FOR] == h
    run.clock[FACTORS_FOR] = 0.0  # until these steps have converged
    for iteration in range(MAX_ITERATIONS):
        position(s, w, run.q1)
        forces(s, w, run.q1, run.v1)
        fresh = slow or not (kept or curved * before < FROZEN)
        if fresh:
            kept = False
            tangents(s, w, run.q1, run.v1, run.lam1)
            fill_tangent(s, w, kkt, gamma * h, beta * h * h)
        add_inertia(s, -1.0, run.a1, w.force)
        for k in range(s.jac_row.size):
            w.force[s.jac_col[k]] -= w.jac[k] * run.lam1[s.jac_row[k]]
        copy_part(s.n, w.force, kkt.rhs)
        for k in range(s.m):
            kkt.rhs[s.n + k] = -w.phi[k] / (beta * h * h)
        run.count[EVALUATIONS] += 1
        if fresh:
            bad = factor(kkt)
            run.count[FACTORISATIONS] += 1
            if bad >= 0:
                run.count[WHERE] = bad - s.n
                return SINGULAR
        solve(kkt)
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
        run.count[NEWTON] += 1
        run.count[LAST_NEWTON] = iteration + 1
        if not math.isfinite(total):
            return DIVERGED
        # Newton converges quadratically: what remains after a first change d is at most curved d^2; later the observed
        # rate times d tells better, and of factors of another step nothing else does.
        if kept:
            remaining = LINEAR * change * change / max(before - change, TINY) if iteration > 0 else math.inf
        elif iteration == 0:
            remaining = (curved if sure else CURVED) * change * change
        else:
            if iteration == 1 and before > enough:
                run.clock[CURVATURE] = min(LEARNT * change / (before * before), CURVED)
            remaining = change * min(1.0, change / before)
        if remaining <= enough or change <= (enough / LINEAR if kept else enough):
            run.clock[FACTORS_FOR] = h if large else 0.0
            return OK
        slow = change > (KEEP if large else SLOW) * before
        kept = kept or large
        before = change
    return DIVERGED


@compiled
def continued(run, i):
    """A prediction of coordinate i from the steps before: the parabola through the last three positions."""
    if run.count[ALIKE] == 0:
        return run.q[i] + run.clock[H] * run.v[i]
    if run.count[ALIKE] == 1:
        return 2.0 * run.q[i] - run.aux[4, i]
    return 3.0 * (run.q[i] - run.aux[4, i]) + run.aux[5, i]


@compiled
def acceleration_after(s, w, kkt, run, t, h, v, a, rise):
    """The acceleration a time h after the begin of the step into run.a1, if it changed by `rise` until then; whether
    there is one."""
    for i in range(s.n):
        run.q1[i] = run.q[i] + h * (v[i] + h * (a[i] / 2.0 + rise[i] / 6.0))
        run.v1[i] = v[i] + h * (a[i] + rise[i] / 2.0)
    return accelerate(s, w, kkt, t + h, run.q1, run.v1, 0.0, 0.0, run.a1, run.lam1) < 0


@compiled
def averaged_acceleration(s, w, kkt, run, t, h, v, enough):
    """The acceleration of a step of implicit Euler into run.a1; whether there is one. The one at an instant is of no use where
    it is ringing: a damped beam of 400 elements has 10^6 rad/s^2 from the last bits of its velocities, which the first step
    would carry on as a change of slopes by 0.3."""
    signals_at(s, w, t + h)
    for i in range(s.n):
        run.q1[i] = run.q[i] + h * v[i]
        run.v1[i] = v[i]
        run.a1[i] = 0.0
    clear(run.lam1)
    run.clock[CURVATURE] = CURVED
    found = newton(s, w, kkt, run, h, 1.0, 1.0, enough) == OK
    run.clock[FACTORS_FOR] = 0.0
    return found


@compiled
def restart(s, w, kkt, run, t, h, shift, miss, enough):
    """Values for a step that has none like it before it (the first, or a shorter last one), into run.aux: b, the
    acceleration before, the velocity and the acceleration at the begin.

    b stands for the time t + shift h, so it begins as a + shift h a'. The formula for q' misses the motion by miss h^3 a';
    the velocity begins with miss h^2 a' in the directions of the joints, or the constraints would put that into the
    multipliers: with b = a and v as they are, accelerations and reactions are off by O(h) for the first 20 steps or so.
    Source: M. Arnold, O. Bruels, A. Cardona, Numer. Math. 129 (2015) 149-179. a' by a difference."""
    b, a_before, v, a = run.aux[0], run.aux[1], run.aux[2], run.aux[3]
    run.clock[FACTORS_FOR] = 0.0
    copy(run.v, v)
    signals_at(s, w, t)
    project_velocity(s, w, kkt, run.q, v)
    accelerate(s, w, kkt, t, run.q, v, 0.0, 0.0, a, run.lam1)
    rise = b
    clear(rise)
    smooth = acceleration_after(s, w, kkt, run, t, h, v, a, rise)
    largest = missed = fastest = 0.0
    for i in range(s.n):
        fastest = max(fastest, abs(a[i]) / run.scale[i])
        rise[i] = run.a1[i] - a[i]
        largest = max(largest, abs(rise[i]) / run.scale[i])
    # A stiff beam changes its acceleration within the step in ways that no difference tells: with this change it is another.
    smooth &= acceleration_after(s, w, kkt, run, t, h, v, a, rise)
    run.count[EVALUATIONS] += 3
    for i in range(s.n):
        missed = max(missed, abs(run.a1[i] - a[i] - rise[i]) / run.scale[i])
    smooth &= missed <= 0.25 * largest
    run.count[BY_POSITION] = not smooth
    if not smooth and h * h * fastest > RINGING and averaged_acceleration(s, w, kkt, run, t, h, v, enough):
        copy(run.a1, a)
    for i in range(s.n):
        change = rise[i] if smooth else 0.0
        b[i] = a[i] + shift * change
        a_before[i] = a[i] - change
    signals_at(s, w, t)
    position(s, w, run.q)
    fill_mass(s, w, kkt)
    clear(kkt.rhs)
    for k in range(s.jac_row.size):
        row, col = s.jac_row[k], s.jac_col[k]
        if row < s.m:
            kkt.rhs[s.n + row] += miss * h * w.jac[k] * (a[col] - a_before[col])
    if factor(kkt) < 0:
        solve(kkt)
        for i in range(s.n):
            v[i] += kkt.rhs[i]


@compiled
def predict(s, run, h, v, a, alpha_m, alpha_f, beta, gamma):
    """What Newton starts from, into q1, v1, a1 and lam1."""
    b, a_before = run.aux[0], run.aux[1]
    for i in range(s.n):
        if run.count[BY_POSITION] != 0:
            run.q1[i] = continued(run, i)
            b1 = (((run.q1[i] - run.q[i]) / h - v[i]) / h - (0.5 - beta) * b[i]) / beta
            run.a1[i] = ((1.0 - alpha_m) * b1 + alpha_m * b[i] - alpha_f * a[i]) / (1.0 - alpha_f)
        else:
            run.a1[i] = 2.0 * a[i] - a_before[i]
            b1 = ((1.0 - alpha_f) * run.a1[i] + alpha_f * a[i] - alpha_m * b[i]) / (1.0 - alpha_m)
            run.q1[i] = run.q[i] + h * (v[i] + h * ((0.5 - beta) * b[i] + beta * b1))
        run.v1[i] = v[i] + h * ((1.0 - gamma) * b[i] + gamma * b1)
    copy(run.lam, run.lam1)


@compiled
def step(s, w, kkt, stages, run, t, h, options):
    rho = options.spectral_radius
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    ratio = (1.0 - alpha_f) / (1.0 - alpha_m)
    b, a_before, b_after, v, a = run.aux[0], run.aux[1], run.aux[2], run.v, run.a
    if t > run.clock[ATTEMPTED]:  # the last step was taken, not given up
        copy(b_after, b)
    run.clock[ATTEMPTED] = t + 0.5 * h
    changed = abs(h - run.clock[H]) > 1e-3 * h
    if changed and s.flexible and run.count[STEPS] > 0:
        # The accelerations of stiff beams ring; computed anew from the forces they would kick.
        copy(a, a_before)
        run.count[ALIKE] = run.count[BY_POSITION] = 0
        run.clock[CURVATURE] = CURVED
    elif changed or run.count[STEPS] == 0:
        shift = alpha_m - alpha_f
        restart(s, w, kkt, run, t, h, shift, 1.0 / 6.0 - 0.5 * shift - beta, options.newton)
        v, a = run.aux[2], run.aux[3]
        run.count[ALIKE] = 0
        run.clock[CURVATURE] = CURVED
    run.clock[H] = h
    signals_at(s, w, t + h)
    status, kept = DIVERGED, run.clock[FACTORS_FOR] == h
    for _ in range(2):
        predict(s, run, h, v, a, alpha_m, alpha_f, beta, gamma)
        status = newton(s, w, kkt, run, h, beta * ratio, gamma * ratio, options.newton)
        if status == OK or not kept:
            break
        kept = False  # factors of another step may have led astray
    if status != OK:
        return status, 0.0
    if run.count[STEPS] == 0:
        remember_pivots(s, kkt)
    row = singular_row(s, kkt)
    if row >= 0:
        run.count[WHERE] = row
        return SINGULAR, 0.0
    q_before, q_earlier = run.aux[4], run.aux[5]
    by_position = by_acceleration = 0.0
    for i in range(s.n):
        missed = run.a1[i] - 2.0 * a[i] + a_before[i]
        by_acceleration = max(by_acceleration, abs(missed) / run.scale[i])
        by_position = max(by_position, abs(run.q1[i] - continued(run, i)) / run.scale[i])
        a_before[i] = a[i]
        q_earlier[i] = q_before[i]
        q_before[i] = run.q[i]
        b_after[i] = ((1.0 - alpha_f) * run.a1[i] + alpha_f * a[i] - alpha_m * b[i]) / (1.0 - alpha_m)
    run.count[ALIKE] += 1
    run.count[BY_POSITION] = by_position < beta * ratio * h * h * by_acceleration
    if run.work1.size > 0:
        motion_of_drives(s, w, run.q1, run.v1)
        powers(s, w, run.q1, run.v1, run.lam1)
        for k in range(run.work1.size):
            run.power1[k] = w.power[k]
            run.work1[k] = run.work[k] + 0.5 * h * (run.power[k] + w.power[k])
    return OK, 0.0


@compiled
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    tangent_kkt, start_kkt = kkt
    return march_fixed(
        step, finish_own, 2, s, w, tangent_kkt, start_kkt, stages, run, options, t_start, t_end, h, every, max_steps
    )


register(
    Method("generalized-alpha", 2, False, "implicit, index 3, damped", advance, tangent=True, own_acceleration=True)
)
