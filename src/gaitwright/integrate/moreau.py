"""Moreau's midpoint rule for rigid contact: velocities jump, impulses follow from complementarity. Order 1.

    q_M = q + h/2 v                    active: contacts with gap(q_M) <= 0
    M (v' - v) + Phi_q^T P = h Q(q_M, v) + W_N L_N + W_T L_T          Phi_q v' + Phi_t = h/2 g
    0 <= L_N  perpendicular to  gamma_N' + e gamma_N >= 0             Newton's restitution e
    -L_T in mu L_N Sgn(gamma_T')                                      Coulomb's friction mu; in space a cone
    q' = q_M + h/2 v'

Joints hold at the end of the step: g = -(Phi'' without accelerations) carries Phi_q and Phi_t there from q_M. With the
option `joint_velocities` = midpoint, g is zero, as paper 003 prints the scheme: v' satisfies the joints at q_M. From one
midpoint to the next the joints then open by h^2/2 times (Phi_q v)_q v, so that their violation grows with time and is O(h)
instead of O(h^2). Projection moves v' to the end of the step, after which every step includes only half of the centripetal
accelerations and reactions are wrong by O(1), so it is refused together with this option.

gamma = W^T v + (gap, slide)_t are the relative velocities of the contacts, normal and tangential. Elimination of v' and P
leaves a complementarity problem in the impulses, with the matrix G = W^T K^-1 W of the mechanism including its joints. It
is solved by Lemke's pivoting or by projected Gauss-Seidel (impulses.py). Impacts need no event: bodies may overlap by O(h), and
infinitely many bounces in finite time are possible. A reported force is the impulse of a step divided by h.

Source: J. J. Moreau, in Nonsmooth Mechanics and Applications, CISM 302, Springer 1988; M. Jean, Comput. Methods Appl. Mech.
Eng. 177 (1999) 235-257; paper 003 Eq 5.1 to 5.13. Not for contact laws: stiffness is not used.
"""

from __future__ import annotations

import math

from gaitwright.contact.history import (
    EPISODE_BEGIN,
    EPISODE_CONTACT,
    EPISODE_END,
    EPISODE_ENERGY_LOSS,
    EPISODE_IMPULSE,
    EPISODE_MAX_FORCE,
    EPISODE_MAX_PENETRATION,
    EPISODE_SLIP_DISTANCE,
    EPISODE_SPEED_IN,
    EPISODE_SPEED_OUT,
    log_episode,
)
from gaitwright.contact.lemke import STATUS_SOLVED
from gaitwright.contact.state import (
    LAW_FORCE,
    MEMORY_APPROACH_SPEED,
    MEMORY_NORMAL_FORCE,
    MEMORY_SLIP_DISTANCE,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
    NOT_TOUCHING,
    POWERS_PER_CONTACT,
    STATE_GAP,
    STATE_REGION,
    STATE_SIZE,
    SURFACE_NORMAL,
    TOUCHING_BY_IMPULSE,
    add_contact_force,
    evaluate_contact_force,
    memory_start,
    observe_contacts,
    slip_speed,
    surface_gap_rate,
    surface_velocity_component,
)
from gaitwright.integrate.base import (
    EVALUATION_COUNT,
    FACTORISATION_COUNT,
    FAILED_ROW,
    LAST_NEWTON_COUNT,
    NEWTON_COUNT,
    NO_IMPULSE,
    NOT_FINITE,
    OK,
    SINGULAR,
    UNPROJECTED,
    IntegrationMethod,
    register_method,
)
from gaitwright.integrate.impulses import new_impulse_workspace, solve_impulses
from gaitwright.integrate.step_loops import PROJECTION_ATOL, is_finite_state, march_fixed
from gaitwright.jit import jit_compile
from gaitwright.mechanism.coordinate_partitioning import restore_state
from gaitwright.mechanism.evaluation import (
    add_inertia,
    evaluate_forces,
    evaluate_motion,
    evaluate_powers,
    update_signals,
)
from gaitwright.mechanism.kkt import factor_kkt, fill_mass, solve_kkt

MIN_SLIP_SPEED_M_PER_S = 1e-12
"""Slip speed below which slip has no direction, m/s."""


@jit_compile
def find_active(s, w, run, im):
    """Find the contacts that are closed at the midpoint (in run.aux[0]) and compute their directions; returns their number."""
    b, count = s.contacts, 0
    q, v = run.aux[0], run.v
    observe_contacts(s, w, q, v, run.seen1)
    for c in range(b.count):
        if (
            run.seen1[STATE_SIZE * c + STATE_GAP] <= 0.0 <= run.seen1[STATE_SIZE * c + STATE_REGION]
            and b.weight[c] > 0.0
        ):
            im.active[count] = c
            count += 1
    for i in range(count):
        c = im.active[i]
        evaluate_contact_force(s, w, c, q, v)
        find_tangents(s, w, im, i, count)
        find_directions(s, w, im, i, count)
    return count


@jit_compile
def find_tangents(s, w, im, i, count):
    """Compute unit tangents of the surface of active contact i, at the state evaluated last, in the frame of a."""
    d = s.contacts.dimension
    n = w.surface[SURFACE_NORMAL : SURFACE_NORMAL + d]
    across = im.tangent[count + i]
    if d == 2:
        across[0], across[1] = n[1], -n[0]
        return
    smallest = 0
    for k in range(1, 3):
        if abs(n[k]) < abs(n[smallest]):
            smallest = k
    third = im.tangent[2 * count + i]
    speed, size = slip_speed(s, w), math.sqrt(1.0 - n[smallest] * n[smallest])
    for k in range(3):
        # The first tangent is along the slip, if there is any: one facet of the cone for pivoting then opposes the slip.
        component = ((1.0 if k == smallest else 0.0) - n[smallest] * n[k]) / size
        across[k] = w.slip[k] / speed if speed > MIN_SLIP_SPEED_M_PER_S else component
    for k in range(3):
        third[k] = n[(k + 1) % 3] * across[(k + 2) % 3] - n[(k + 2) % 3] * across[(k + 1) % 3]


@jit_compile
def find_directions(s, w, im, i, count):
    """Compute the generalized forces of unit forces along normal and tangents of active contact i, at the state evaluated
    last."""
    c, x = im.active[i], im.tangent
    for d in range(s.contacts.dimension):
        row = d * count + i
        im.direction[row, :] = 0.0
        im.drift[row] = surface_gap_rate(s, w) if d == 0 else 0.0
        w.law[LAW_FORCE] = 1.0 if d == 0 else 0.0
        for k in range(s.contacts.dimension):
            w.friction[k] = x[row, k] if d > 0 else 0.0
            im.drift[row] += w.friction[k] * surface_velocity_component(s, w, k)
        add_contact_force(s, w, c, 1.0, im.direction[row])
        im.direction[row, s.n] = 0.0  # discard the entry of the ground


@jit_compile
def relative_velocity(s, im, k, v):
    """Relative velocity gamma of direction k for the velocities v, m/s."""
    total = im.drift[k]
    for i in range(s.n):
        total += im.direction[k, i] * v[i]
    return total


@jit_compile
def step(s, w, kkt, im, run, t, h, options):
    q, n = run.aux[0], s.n
    for i in range(n):
        q[i] = run.q[i] + 0.5 * h * run.v[i]
    update_signals(s, w, t + 0.5 * h)
    evaluate_motion(s, w, q, run.v)
    evaluate_forces(s, w, q, run.v)
    run.count[EVALUATION_COUNT] += 1
    fill_mass(s, w, kkt)
    unknown = factor_kkt(kkt)
    run.count[FACTORISATION_COUNT] += 1
    if unknown >= 0:
        run.count[FAILED_ROW] = unknown - n
        return SINGULAR, 0.0
    # velocities without contact
    for i in range(n):
        kkt.rhs[i] = h * w.force[i]
    add_inertia(s, 1.0, run.v, kkt.rhs)
    for k in range(s.m):
        kkt.rhs[n + k] = -w.phi_t[k] - options.damp * w.phi[k]
        if not options.midpoint:
            kkt.rhs[n + k] += 0.5 * h * w.gamma[k]
    solve_kkt(kkt)
    for i in range(n):
        run.v1[i] = kkt.rhs[i]
    for k in range(s.m):
        run.lam1[k] = kkt.rhs[n + k] / h
    count = find_active(s, w, run, im)
    if count > 0:
        status = add_impulses(s, w, kkt, im, run, h, count, options.lemke)
        if status != OK:
            return status, 0.0
    for i in range(n):
        run.q1[i] = q[i] + 0.5 * h * run.v1[i]
        run.a1[i] = (run.v1[i] - run.v[i]) / h
        run.aux[1][i] = 0.5 * (run.v[i] + run.v1[i])
    evaluate_powers(s, w, q, run.aux[1], run.lam1)
    for k in range(run.work1.size):
        run.power1[k] = w.power[k]
        run.work1[k] = run.work[k] + h * w.power[k]
    record_contacts(s, w, im, run, t, h, count)
    return OK, 0.0


@jit_compile
def add_impulses(s, w, kkt, im, run, h, count, lemke_first):
    """Change the velocities in run.v1 (and the reactions) by the impulses of the active contacts."""
    n, size = s.contacts.dimension * count, s.n + s.m
    G = im.delassus[: n * n].reshape(n, n)
    for k in range(n):
        kkt.rhs[:] = 0.0
        for i in range(s.n):
            kkt.rhs[i] = im.direction[k, i]
        solve_kkt(kkt)
        for i in range(size):
            im.response[k, i] = kkt.rhs[i]
        for j in range(n):
            total = 0.0
            for i in range(s.n):
                total += im.direction[j, i] * kkt.rhs[i]
            G[j, k] = total
        im.before[k] = relative_velocity(s, im, k, run.v)
        im.after[k] = relative_velocity(s, im, k, run.v1)
    status, iterations = solve_impulses(s, im, count, lemke_first)
    run.count[NEWTON_COUNT] += iterations
    run.count[LAST_NEWTON_COUNT] = iterations
    if status != STATUS_SOLVED:
        return NO_IMPULSE
    for k in range(n):
        for i in range(s.n):
            run.v1[i] += im.response[k, i] * im.impulse[k]
        for i in range(s.m):
            run.lam1[i] += im.response[k, s.n + i] * im.impulse[k] / h
    for k in range(n):
        im.after[k] = relative_velocity(s, im, k, run.v1)
    return OK


@jit_compile
def record_contacts(s, w, im, run, t, h, count):
    """Store impulses, energy losses and episodes of the contacts."""
    first = run.work1.size - POWERS_PER_CONTACT * s.contacts.count
    for c in range(s.contacts.count):
        m = memory_start(s, c)
        touched = w.memory[m + MEMORY_TOUCHING] != NOT_TOUCHING
        w.memory[m + MEMORY_TOUCHING] = w.memory[m + MEMORY_NORMAL_FORCE] = 0.0
        for d in range(s.contacts.dimension):
            w.memory[m + MEMORY_STRETCH + s.contacts.dimension + d] = 0.0
        for i in range(count):
            if im.active[i] == c and im.impulse[i] > 0.0:
                normal = im.impulse[i]
                loss = -normal * 0.5 * (im.before[i] + im.after[i])
                rubbed, work, slip = 0.0, -normal * im.drift[i], 0.0
                for d in range(1, s.contacts.dimension):
                    k = d * count + i
                    rubbed -= im.impulse[k] * 0.5 * (im.before[k] + im.after[k])
                    work -= im.impulse[k] * im.drift[k]
                    slip += im.after[k] * im.after[k]
                slip = h * math.sqrt(slip)
                run.work1[first + POWERS_PER_CONTACT * c] += loss
                run.work1[first + POWERS_PER_CONTACT * c + 1] += rubbed
                run.work1[first + POWERS_PER_CONTACT * c + 2] += work
                w.memory[m + MEMORY_TOUCHING] = TOUCHING_BY_IMPULSE
                w.memory[m + MEMORY_NORMAL_FORCE] = normal / h
                record_friction(s, w, im, i, count, h)
                w.memory[m + MEMORY_SLIP_DISTANCE] += slip
                e = run.episode[c]
                if not touched:
                    w.memory[m + MEMORY_APPROACH_SPEED] = -im.before[i]
                    e[:] = 0.0
                    e[EPISODE_CONTACT] = c
                    e[EPISODE_BEGIN] = t + 0.5 * h
                    e[EPISODE_END] = math.nan
                    e[EPISODE_SPEED_IN] = -im.before[i]
                e[EPISODE_SPEED_OUT] = im.after[i]
                e[EPISODE_MAX_PENETRATION] = max(e[EPISODE_MAX_PENETRATION], -run.seen1[STATE_SIZE * c + STATE_GAP])
                e[EPISODE_MAX_FORCE] = max(e[EPISODE_MAX_FORCE], normal / h)
                e[EPISODE_IMPULSE] += normal
                e[EPISODE_ENERGY_LOSS] += loss + rubbed
                e[EPISODE_SLIP_DISTANCE] += slip
        if touched and w.memory[m + MEMORY_TOUCHING] == NOT_TOUCHING:
            run.episode[c, EPISODE_END] = t + 0.5 * h
            log_episode(run, c)


@jit_compile
def record_friction(s, w, im, i, count, h):
    """Store the mean tangential force of active contact i, N, in the frame of a."""
    d = s.contacts.dimension
    first = memory_start(s, im.active[i]) + MEMORY_STRETCH + d
    for row in range(count + i, d * count, count):
        for k in range(d):
            w.memory[first + k] += im.impulse[row] * im.tangent[row, k] / h


@jit_compile
def finish_impulse_step(s, w, kkt, run, t, options):
    """Project if requested; check for NaN."""
    if not is_finite_state(s, run):
        return NOT_FINITE
    if options.project and not restore_state(s, w, kkt, run, t, run.q1, run.v1) <= PROJECTION_ATOL:
        return UNPROJECTED
    return OK


@jit_compile
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(
        step, finish_impulse_step, 1, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps
    )


register_method(
    IntegrationMethod(
        "moreau",
        1,
        False,
        "nonsmooth: rigid contact by impulses",
        advance,
        own_acceleration=True,
        workspace=new_impulse_workspace,
    )
)
