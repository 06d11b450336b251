"""Moreau's midpoint rule for rigid contact: velocities jump, impulses follow from complementarity. Order 1.

    q_M = q + h/2 v                    active: contacts with gap(q_M) <= 0
    M (v' - v) + Phi_q^T P = h Q(q_M, v) + W_N L_N + W_T L_T          Phi_q v' + Phi_t = h/2 g
    0 <= L_N  perpendicular to  gamma_N' + e gamma_N >= 0             Newton's restitution e
    -L_T in mu L_N Sgn(gamma_T')                                      Coulomb's friction mu
    q' = q_M + h/2 v'

Joints hold at the end of the step: g = -(Phi'' without accelerations) carries Phi_q and Phi_t there from q_M. (With zero
in its place and with projection, every step saw half of the centripetal accelerations: reactions and works of drives were
wrong by O(1).)

gamma = W^T v + (gap, slide)_t are the relative velocities of the contacts, normal and tangential. Elimination of v' and P
leaves a complementarity problem in the impulses, with the matrix G = W^T K^-1 W of the mechanism including its joints. It
is solved by Lemke's pivoting or by projected Gauss-Seidel. Impacts need no event: bodies may overlap by O(h), and
infinitely many bounces in finite time are passed over. What it gives as a force is the impulse of a step divided by h.

Source: J. J. Moreau, in Nonsmooth Mechanics and Applications, CISM 302, Springer 1988; M. Jean, Comput. Methods Appl. Mech.
Eng. 177 (1999) 235-257; the complementarity form of friction in D. Stewart, J. Trinkle, Int. J. Numer. Methods Eng. 39
(1996) 2673-2691; paper 003 Eq 5.1 to 5.13. Not for laws: stiffness plays no part.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.contact.gauss_seidel import projected_gauss_seidel
from gaitwright.contact.history import (
    BEGIN,
    CONTACT_NUMBER,
    DEEPEST,
    END,
    EPISODE,
    IMPULSE,
    LOGGED,
    LOST,
    SLID,
    SPEED_IN,
    SPEED_OUT,
    STRONGEST,
)
from gaitwright.contact.lemke import SOLVED, lemke, lemke_workspace
from gaitwright.derive.interface import CONTACT, FRAME
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
from gaitwright.integrate.march import OPEN, is_finite, march_fixed
from gaitwright.system.evaluate import add_inertia, forces, motion, powers, signals_at
from gaitwright.system.kkt import factor, fill_mass, solve
from gaitwright.system.packed import Longs, Packed, Reals, Reals2
from gaitwright.system.project import project
from gaitwright.system.tables import System
from gaitwright.system.touch import (
    APPROACH,
    BY_IMPULSE,
    DOF,
    GAP,
    GAP_T,
    MEMORY,
    N_DOF,
    NORMAL,
    NOT,
    POWERS,
    REGION,
    SLIDE_T,
    SLIPPED,
    TANGENTIAL,
    TOUCHING,
    observe_contacts,
    touch,
)

SWEEPS = 50_000
IMMOBILE = 1e-13
"""Mobility of a tangent, relative to that of the normal, below which it is rounding."""
SETTLED, STILL = 1e-12, 1e-15
"""Largest change of a relative velocity in a sweep that counts as the solution: relative to the fastest, and in m/s."""


class Impulses(Packed):
    """Scratch of the method. Directions: the normal of each active contact, then the tangent of each."""

    active: Longs  # contacts that take part
    direction: Reals2  # (2 count, n + 1) W
    response: Reals2  # (2 count, n + m) K^-1 W: velocities, and reactions of the joints
    drift: Reals  # (2 count,) part of gamma that the surface's own motion makes
    before: Reals  # (2 count,) gamma at the begin
    after: Reals  # (2 count,) gamma at the end
    matrix: Reals  # G, then the matrix of the complementarity problem
    delassus: Reals
    offset: Reals
    solution: Reals
    impulse: Reals  # (2 count,)
    low: Reals
    high: Reals
    normal_of: Longs
    tableau: Reals
    basis: Longs


def impulses(s: System) -> Impulses:
    count = s.contacts.count
    tableau, basis = lemke_workspace(4 * count)
    vectors = {name: np.zeros(2 * count) for name in ("drift", "before", "after", "impulse", "low", "high")}
    return Impulses(
        active=np.zeros(count, dtype=np.int64),
        direction=np.zeros((2 * count, s.n + 1)),
        response=np.zeros((2 * count, s.n + s.m)),
        matrix=np.zeros(16 * count * count),
        delassus=np.zeros(4 * count * count),
        offset=np.zeros(4 * count),
        solution=np.zeros(4 * count),
        normal_of=np.zeros(2 * count, dtype=np.int64),
        tableau=tableau.ravel(),
        basis=basis,
        **vectors,
    )


@compiled
def find_active(s, w, run, im):
    """Contacts that are closed at the midpoint (in run.aux[0]), with their directions; how many."""
    b, count = s.contacts, 0
    q, v = run.aux[0], run.v
    observe_contacts(s, w, q, v, run.seen1)
    for c in range(b.count):
        if run.seen1[CONTACT * c + GAP] <= 0.0 <= run.seen1[CONTACT * c + REGION]:
            im.active[count] = c
            count += 1
    for i in range(count):
        c = im.active[i]
        touch(s, w, c, q, v)
        e = b.table[b.batch[c]]
        size, first = e[N_DOF], e[DOF] + e[N_DOF] * b.place[c]
        im.drift[i], im.drift[count + i] = w.frame[GAP_T], w.frame[SLIDE_T]
        im.direction[i, :] = 0.0
        im.direction[count + i, :] = 0.0
        for k in range(size):
            im.direction[i, b.dof[first + k]] += w.frame[FRAME + k]
            im.direction[count + i, b.dof[first + k]] += w.frame[FRAME + size + k]
    return count


@compiled
def relative(s, im, k, v):
    """gamma of direction k for the velocities v."""
    total = im.drift[k]
    for i in range(s.n):
        total += im.direction[k, i] * v[i]
    return total


@compiled
def solve_impulses(s, im, count, lemke_first):
    """Impulses of the active contacts from G and the free velocities in im.after; (status, iterations)."""
    n = 2 * count
    G = im.delassus[: n * n].reshape(n, n)
    b = s.contacts
    fastest = 0.0
    for k in range(n):
        fastest = max(fastest, abs(im.before[k]), abs(im.after[k]))
    for i in range(count):
        im.after[i] += b.restitution[im.active[i]] * im.before[i]  # gamma' + e gamma, gamma' for the normals yet free
    if lemke_first:
        # Unknowns L_N, the two directions of friction L_T = L_R - L_L, and the speed of slip: Stewart and Trinkle's form,
        # whose matrix is copositive. Three unknowns per contact suffice, but pivoting then ended on rays in heaps of discs.
        size = 4 * count
        A = im.matrix[: size * size].reshape(size, size)
        A[:, :] = 0.0
        for i in range(count):
            right, left, slip = count + i, 2 * count + i, 3 * count + i
            for j in range(count):
                A[i, j] = G[i, j]
                A[i, count + j] = G[i, count + j]
                A[i, 2 * count + j] = -G[i, count + j]
                for row, sign in ((right, 1.0), (left, -1.0)):
                    A[row, j] = sign * G[count + i, j]
                    A[row, count + j] = sign * G[count + i, count + j]
                    A[row, 2 * count + j] = -sign * G[count + i, count + j]
            A[right, slip] = A[left, slip] = 1.0
            A[slip, i], A[slip, right], A[slip, left] = b.coefficient[im.active[i]], -1.0, -1.0
            im.offset[i], im.offset[right], im.offset[left] = im.after[i], im.after[count + i], -im.after[count + i]
            im.offset[slip] = 0.0
        tableau = im.tableau[: (size + 5) * (size + 1)].reshape(size + 5, size + 1)
        status, pivots = lemke(A, im.offset[:size], im.solution[:size], tableau, im.basis[:size], 50 * size)
        if status == SOLVED:
            for i in range(count):
                im.impulse[i] = im.solution[i]
                im.impulse[count + i] = im.solution[count + i] - im.solution[2 * count + i]
        return status, pivots
    for i in range(count):
        im.low[i], im.high[i], im.normal_of[i] = 0.0, math.inf, -1
        # A tangent along which the joints let nothing move has no say, nor has one without friction.
        moves = G[count + i, count + i] > IMMOBILE * G[i, i]
        mu = b.coefficient[im.active[i]] if moves else 0.0
        im.low[count + i], im.high[count + i], im.normal_of[count + i] = -mu, mu, i
    im.impulse[:n] = 0.0
    return projected_gauss_seidel(
        G, im.after[:n], im.low[:n], im.high[:n], im.normal_of[:n], im.impulse[:n], SETTLED * fastest + STILL, SWEEPS
    )


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
        kkt.rhs[n + k] = 0.5 * h * w.gamma[k] - w.phi_t[k] - options.damp * w.phi[k]
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
    n, size = 2 * count, s.n + s.m
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
        m = MEMORY * c
        touched = w.memory[m + TOUCHING] != NOT
        w.memory[m + TOUCHING] = w.memory[m + NORMAL] = w.memory[m + TANGENTIAL] = 0.0
        for i in range(count):
            if im.active[i] == c and im.impulse[i] > 0.0:
                normal, tangential = im.impulse[i], im.impulse[count + i]
                loss = -normal * 0.5 * (im.before[i] + im.after[i])
                rubbed = -tangential * 0.5 * (im.before[count + i] + im.after[count + i])
                run.work1[first + POWERS * c] += loss
                run.work1[first + POWERS * c + 1] += rubbed
                run.work1[first + POWERS * c + 2] += -normal * im.drift[i] - tangential * im.drift[count + i]
                w.memory[m + TOUCHING] = BY_IMPULSE
                w.memory[m + NORMAL], w.memory[m + TANGENTIAL] = normal / h, tangential / h
                w.memory[m + SLIPPED] += h * abs(im.after[count + i])
                e = run.episode[c]
                if not touched:
                    w.memory[m + APPROACH] = -im.before[i]
                    e[:] = 0.0
                    e[CONTACT_NUMBER], e[BEGIN], e[END], e[SPEED_IN] = c, t + 0.5 * h, math.nan, -im.before[i]
                e[SPEED_OUT] = im.after[i]
                e[DEEPEST] = max(e[DEEPEST], -run.seen1[CONTACT * c + GAP])
                e[STRONGEST] = max(e[STRONGEST], normal / h)
                e[IMPULSE] += normal
                e[LOST] += loss + rubbed
                e[SLID] += h * abs(im.after[count + i])
        if touched and w.memory[m + TOUCHING] == NOT:
            run.episode[c, END] = t + 0.5 * h
            for k in range(EPISODE):
                run.log[run.touch_count[LOGGED], k] = run.episode[c, k]
            run.touch_count[LOGGED] += 1


@compiled
def finish(s, w, kkt, run, t, options):
    """Project if asked; watch for NaN."""
    if not is_finite(s, run):
        return NOT_FINITE
    if options.project and not project(s, w, kkt, t, run.q1, run.v1) <= OPEN:
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
