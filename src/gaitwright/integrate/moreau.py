"""Moreau's midpoint rule for rigid contact: velocities jump, impulses follow from complementarity. Order 1.

    q_M = q + h/2 v                    active: contacts with gap(q_M) <= 0
    M (v' - v) + Phi_q^T P = h Q(q_M, v) + W_N L_N + W_T L_T          Phi_q v' + Phi_t = h/2 g
    0 <= L_N  perpendicular to  gamma_N' + e gamma_N >= 0             Newton's restitution e
    -L_T in mu L_N Sgn(gamma_T')                                      Coulomb's friction mu; in space a cone
    q' = q_M + h/2 v'

Joints hold at the end of the step: g = -(Phi'' without accelerations) carries Phi_q and Phi_t there from q_M. With the
option `joint_velocities` = midpoint, g is zero, as paper 003 prints the scheme: v' satisfies the joints at q_M. From one
midpoint to the next the joints then open by h^2/2 times (Phi_q v)_q v, so that their violation grows with time and is O(h)
instead of O(h^2). Projection moves v' to the end of the step, after which every step sees only half of the centripetal
accelerations and reactions are wrong by O(1), so it is refused together with this option.

gamma = W^T v + (gap, slide)_t are the relative velocities of the contacts, normal and tangential. Elimination of v' and P
leaves a complementarity problem in the impulses, with the matrix G = W^T K^-1 W of the mechanism including its joints. It
is solved by Lemke's pivoting or by projected Gauss-Seidel (impulses.py). Impacts need no event: bodies may overlap by O(h), and
infinitely many bounces in finite time are passed over. What it gives as a force is the impulse of a step divided by h.

Source: J. J. Moreau, in Nonsmooth Mechanics and Applications, CISM 302, Springer 1988; M. Jean, Comput. Methods Appl. Mech.
Eng. 177 (1999) 235-257; paper 003 Eq 5.1 to 5.13. Not for laws: stiffness plays no part.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.history import (
    BEGIN,
    CONTACT_NUMBER,
    DEEPEST,
    END,
    IMPULSE,
    LOST,
    SLID,
    SPEED_IN,
    SPEED_OUT,
    STRONGEST,
    log_episode,
)
from gaitwright.contact.lemke import SOLVED
from gaitwright.integrate.base import (
    EVALUATIONS,
    FACTORISATIONS,
    LAST_NEWTON,
    NEWTON,
    NO_IMPULSE,
    NOT_FINITE,
    OK,
    SINGULAR,
    UNPROJECTED,
    WHERE,
    Method,
    register,
)
from gaitwright.integrate.impulses import impulses, solve_impulses
from gaitwright.integrate.march import OPEN, is_finite, march_fixed
from gaitwright.system.evaluate import add_inertia, forces, motion, powers, signals_at
from gaitwright.system.kkt import factor, fill_mass, solve
from gaitwright.system.partition import restore
from gaitwright.system.touch import (
    APPROACH,
    BY_IMPULSE,
    FORCE,
    GAP,
    NORMAL,
    NORMAL_FORCE,
    NOT,
    POWERS,
    REGION,
    SEEN,
    SLIPPED,
    STRETCH,
    TOUCHING,
    explicit_rate,
    explicit_velocity,
    memory_of,
    observe_contacts,
    press,
    speed_of_slip,
    touch,
)

NO_SLIP = 1e-12
"""m/s, below which a slip has no direction."""


@compiled
def find_active(s, w, run, im):
    """Contacts that are closed at the midpoint (in run.aux[0]), with their directions; how many."""
    b, count = s.contacts, 0
    q, v = run.aux[0], run.v
    observe_contacts(s, w, q, v, run.seen1)
    for c in range(b.count):
        if run.seen1[SEEN * c + GAP] <= 0.0 <= run.seen1[SEEN * c + REGION] and b.weight[c] > 0.0:
            im.active[count] = c
            count += 1
    for i in range(count):
        c = im.active[i]
        touch(s, w, c, q, v)
        find_tangents(s, w, im, i, count)
        find_directions(s, w, im, i, count)
    return count


@compiled
def find_tangents(s, w, im, i, count):
    """Unit vectors along the surface of an active contact, at the state last touched, in the frame of a."""
    d = s.contacts.dimension
    n = w.surface[NORMAL : NORMAL + d]
    across = im.tangent[count + i]
    if d == 2:
        across[0], across[1] = n[1], -n[0]
        return
    least = 0
    for k in range(1, 3):
        if abs(n[k]) < abs(n[least]):
            least = k
    third = im.tangent[2 * count + i]
    speed, size = speed_of_slip(s, w), math.sqrt(1.0 - n[least] * n[least])
    for k in range(3):
        # Along the slip, if there is any: then the sides of the cone for pivoting have one against it.
        other = ((1.0 if k == least else 0.0) - n[least] * n[k]) / size
        across[k] = w.slip[k] / speed if speed > NO_SLIP else other
    for k in range(3):
        third[k] = n[(k + 1) % 3] * across[(k + 2) % 3] - n[(k + 2) % 3] * across[(k + 1) % 3]


@compiled
def find_directions(s, w, im, i, count):
    """What forces of 1 along normal and tangents of an active contact do to the coordinates, at the state last touched."""
    c, x = im.active[i], im.tangent
    for d in range(s.contacts.dimension):
        row = d * count + i
        im.direction[row, :] = 0.0
        im.drift[row] = explicit_rate(s, w) if d == 0 else 0.0
        w.law[FORCE] = 1.0 if d == 0 else 0.0
        for k in range(s.contacts.dimension):
            w.friction[k] = x[row, k] if d > 0 else 0.0
            im.drift[row] += w.friction[k] * explicit_velocity(s, w, k)
        press(s, w, c, 1.0, im.direction[row])
        im.direction[row, s.n] = 0.0  # what was written for the ground


@compiled
def relative(s, im, k, v):
    """gamma of direction k for the velocities v."""
    total = im.drift[k]
    for i in range(s.n):
        total += im.direction[k, i] * v[i]
    return total


@compiled
def step(s, w, kkt, im, run, t, h, options):
    q, n = run.aux[0], s.n
    for i in range(n):
        q[i] = run.q[i] + 0.5 * h * run.v[i]
    signals_at(s, w, t + 0.5 * h)
    motion(s, w, q, run.v)
    forces(s, w, q, run.v)
    run.count[EVALUATIONS] += 1
    fill_mass(s, w, kkt)
    bad = factor(kkt)
    run.count[FACTORISATIONS] += 1
    if bad >= 0:
        run.count[WHERE] = bad - n
        return SINGULAR, 0.0
    # velocities without contact
    for i in range(n):
        kkt.rhs[i] = h * w.force[i]
    add_inertia(s, 1.0, run.v, kkt.rhs)
    for k in range(s.m):
        kkt.rhs[n + k] = -w.phi_t[k] - options.damp * w.phi[k]
        if not options.midpoint:
            kkt.rhs[n + k] += 0.5 * h * w.gamma[k]
    solve(kkt)
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
    powers(s, w, q, run.aux[1], run.lam1)
    for k in range(run.work1.size):
        run.power1[k] = w.power[k]
        run.work1[k] = run.work[k] + h * w.power[k]
    remember(s, w, im, run, t, h, count)
    return OK, 0.0


@compiled
def add_impulses(s, w, kkt, im, run, h, count, lemke_first):
    """Change the velocities in run.v1 (and the reactions) by the impulses of the active contacts."""
    n, size = s.contacts.dimension * count, s.n + s.m
    G = im.delassus[: n * n].reshape(n, n)
    for k in range(n):
        kkt.rhs[:] = 0.0
        for i in range(s.n):
            kkt.rhs[i] = im.direction[k, i]
        solve(kkt)
        for i in range(size):
            im.response[k, i] = kkt.rhs[i]
        for j in range(n):
            total = 0.0
            for i in range(s.n):
                total += im.direction[j, i] * kkt.rhs[i]
            G[j, k] = total
        im.before[k] = relative(s, im, k, run.v)
        im.after[k] = relative(s, im, k, run.v1)
    status, iterations = solve_impulses(s, im, count, lemke_first)
    run.count[NEWTON] += iterations
    run.count[LAST_NEWTON] = iterations
    if status != SOLVED:
        return NO_IMPULSE
    for k in range(n):
        for i in range(s.n):
            run.v1[i] += im.response[k, i] * im.impulse[k]
        for i in range(s.m):
            run.lam1[i] += im.response[k, s.n + i] * im.impulse[k] / h
    for k in range(n):
        im.after[k] = relative(s, im, k, run.v1)
    return OK


@compiled
def remember(s, w, im, run, t, h, count):
    """Impulses, losses and episodes of the contacts."""
    first = run.work1.size - POWERS * s.contacts.count
    for c in range(s.contacts.count):
        m = memory_of(s, c)
        touched = w.memory[m + TOUCHING] != NOT
        w.memory[m + TOUCHING] = w.memory[m + NORMAL_FORCE] = 0.0
        for d in range(s.contacts.dimension):
            w.memory[m + STRETCH + s.contacts.dimension + d] = 0.0
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
                run.work1[first + POWERS * c] += loss
                run.work1[first + POWERS * c + 1] += rubbed
                run.work1[first + POWERS * c + 2] += work
                w.memory[m + TOUCHING] = BY_IMPULSE
                w.memory[m + NORMAL_FORCE] = normal / h
                remember_friction(s, w, im, i, count, h)
                w.memory[m + SLIPPED] += slip
                e = run.episode[c]
                if not touched:
                    w.memory[m + APPROACH] = -im.before[i]
                    e[:] = 0.0
                    e[CONTACT_NUMBER], e[BEGIN], e[END], e[SPEED_IN] = c, t + 0.5 * h, math.nan, -im.before[i]
                e[SPEED_OUT] = im.after[i]
                e[DEEPEST] = max(e[DEEPEST], -run.seen1[SEEN * c + GAP])
                e[STRONGEST] = max(e[STRONGEST], normal / h)
                e[IMPULSE] += normal
                e[LOST] += loss + rubbed
                e[SLID] += slip
        if touched and w.memory[m + TOUCHING] == NOT:
            run.episode[c, END] = t + 0.5 * h
            log_episode(run, c)


@compiled
def remember_friction(s, w, im, i, count, h):
    """The mean tangential force of an active contact, in the frame of a."""
    d = s.contacts.dimension
    first = memory_of(s, im.active[i]) + STRETCH + d
    for row in range(count + i, d * count, count):
        for k in range(d):
            w.memory[first + k] += im.impulse[row] * im.tangent[row, k] / h


@compiled
def finish(s, w, kkt, run, t, options):
    """Project if asked; watch for NaN."""
    if not is_finite(s, run):
        return NOT_FINITE
    if options.project and not restore(s, w, kkt, run, t, run.q1, run.v1) <= OPEN:
        return UNPROJECTED
    return OK


@compiled
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish, 1, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register(
    Method(
        "moreau", 1, False, "nonsmooth: rigid contact by impulses", advance, own_acceleration=True, workspace=impulses
    )
)
