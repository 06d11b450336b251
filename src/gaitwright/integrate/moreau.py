"""Moreau's midpoint rule for rigid contact: velocities jump, impulses follow from complementarity. Order 1.

    q_M = q + h/2 v                    active: contacts with gap(q_M) <= 0
    M (v' - v) + Phi_q^T P = h Q(q_M, v) + W_N L_N + W_T L_T          Phi_q v' + Phi_t = h/2 g
    0 <= L_N  perpendicular to  gamma_N' + e gamma_N >= 0             Newton's restitution e
    -L_T in mu L_N Sgn(gamma_T')                                      Coulomb's friction mu; in space a cone
    q' = q_M + h/2 v'

Joints hold at the end of the step: g = -(Phi'' without accelerations) carries Phi_q and Phi_t there from q_M. (With zero
in its place and with projection, every step saw half of the centripetal accelerations: reactions and works of drives were
wrong by O(1).)

gamma = W^T v + (gap, slide)_t are the relative velocities of the contacts, normal and tangential. Elimination of v' and P
leaves a complementarity problem in the impulses, with the matrix G = W^T K^-1 W of the mechanism including its joints. It
is solved by Lemke's pivoting or by projected Gauss-Seidel. Impacts need no event: bodies may overlap by O(h), and
infinitely many bounces in finite time are passed over. What it gives as a force is the impulse of a step divided by h.

In space a contact has two tangents, across its normal. Gauss-Seidel projects onto the cone itself. Pivoting needs a cone
with flat sides: it has FACETS of them, one along the slip; friction that holds is up to 1 - cos(pi / FACETS) = 8 % too small.

Source: J. J. Moreau, in Nonsmooth Mechanics and Applications, CISM 302, Springer 1988; M. Jean, Comput. Methods Appl. Mech.
Eng. 177 (1999) 235-257; the complementarity form of friction in D. Stewart, J. Trinkle, Int. J. Numer. Methods Eng. 39
(1996) 2673-2691; paper 003 Eq 5.1 to 5.13. Not for laws: stiffness plays no part.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.cones import cone_gauss_seidel
from gaitwright.contact.gauss_seidel import projected_gauss_seidel
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
from gaitwright.contact.lemke import SOLVED, lemke, lemke_workspace
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
    explicit_slip,
    memory_of,
    observe_contacts,
    press,
    speed_of_slip,
    touch,
)

FACETS = 8
"""Sides of the cone of friction in space for pivoting."""
NO_SLIP = 1e-12
"""m/s, below which a slip has no direction."""
SWEEPS = 50_000
IMMOBILE = 1e-13
"""Mobility of a tangent, relative to that of the normal, below which it is rounding."""
SETTLED, STILL = 1e-12, 1e-15
"""Largest change of a relative velocity in a sweep that counts as the solution: relative to the fastest, and in m/s."""


class Impulses(Packed):
    """Scratch of the method. Directions, as many per contact as dimensions: the normal of each active contact, then the tangent
    of each, in space then another."""

    active: Longs  # contacts that take part
    direction: Reals2  # (d count, n + 1) W
    response: Reals2  # (d count, n + m) K^-1 W: velocities, and reactions of the joints
    drift: Reals  # (d count,) part of gamma that the surface's own motion makes
    before: Reals  # (d count,) gamma at the begin
    after: Reals  # (d count,) gamma at the end
    tangent: Reals2  # (d count, d) the tangents in the frame of a
    matrix: Reals  # G, then the matrix of the complementarity problem
    delassus: Reals
    offset: Reals
    solution: Reals
    impulse: Reals  # (d count,)
    low: Reals
    high: Reals
    normal_of: Longs
    tableau: Reals
    basis: Longs


def impulses(s: System) -> Impulses:
    count, wide = s.contacts.count, s.contacts.dimension
    unknowns = 2 + (FACETS if wide == 3 else 2)  # per contact, for pivoting
    tableau, basis = lemke_workspace(unknowns * count)
    return Impulses(
        active=count,
        direction=(wide * count, s.n + 1),
        response=(wide * count, s.n + s.m),
        tangent=(wide * count, wide),
        matrix=(unknowns * count) ** 2,
        delassus=(wide * count) ** 2,
        offset=unknowns * count,
        solution=unknowns * count,
        normal_of=wide * count,
        tableau=tableau.ravel(),
        basis=basis,
        **dict.fromkeys(("drift", "before", "after", "impulse", "low", "high"), wide * count),
    )


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
            im.drift[row] += w.friction[k] * explicit_slip(s, w, k)
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
def side(k, facets):
    """Direction of side k of the cone of friction, in the two tangents; in the plane only the first counts."""
    if facets == 2:
        return 1.0 - 2.0 * k, 0.0
    angle = 2.0 * math.pi * k / facets
    return math.cos(angle), math.sin(angle)


@compiled
def along(G, i, j, count, k, facets, n):
    """Entry of G between direction i and side k of the friction of contact j."""
    x, y = side(k, facets)
    value = x * G[i, count + j]
    if n > 2 * count:
        value += y * G[i, 2 * count + j]
    return value


@compiled
def solve_impulses(s, im, count, lemke_first):
    """Impulses of the active contacts from G and the free velocities in im.after; (status, iterations)."""
    b = s.contacts
    n = b.dimension * count
    G = im.delassus[: n * n].reshape(n, n)
    fastest = 0.0
    for k in range(n):
        fastest = max(fastest, abs(im.before[k]), abs(im.after[k]))
    for i in range(count):
        im.after[i] += b.restitution[im.active[i]] * im.before[i]  # gamma' + e gamma, gamma' for the normals yet free
    if lemke_first:
        # Unknowns L_N, the sides of friction L_T = sum d L_k (in the plane two, d = 1 and -1), and the speed of slip: Stewart
        # and Trinkle's form, whose matrix is copositive. One unknown less per contact suffices in the plane, but pivoting
        # then ended on rays in heaps of discs.
        facets = FACETS if b.dimension == 3 else 2
        size = (2 + facets) * count
        A = im.matrix[: size * size].reshape(size, size)
        A[:, :] = 0.0
        for i in range(count):
            slip = (1 + facets) * count + i
            A[slip, i], im.offset[slip] = b.coefficient[im.active[i]], 0.0
            for j in range(count):
                A[i, j] = G[i, j]
                for k in range(facets):
                    A[i, (1 + k) * count + j] = along(G, i, j, count, k, facets, n)
            im.offset[i] = im.after[i]
            for k in range(facets):
                row = (1 + k) * count + i
                x, y = side(k, facets)
                A[row, slip], A[slip, row] = 1.0, -1.0
                im.offset[row] = x * im.after[count + i] + (y * im.after[2 * count + i] if n > 2 * count else 0.0)
                for j in range(count):
                    A[row, j] = x * G[count + i, j] + (y * G[2 * count + i, j] if n > 2 * count else 0.0)
                    for l in range(facets):
                        A[row, (1 + l) * count + j] = x * along(G, count + i, j, count, l, facets, n)
                        if n > 2 * count:
                            A[row, (1 + l) * count + j] += y * along(G, 2 * count + i, j, count, l, facets, n)
        tableau = im.tableau[: (size + 5) * (size + 1)].reshape(size + 5, size + 1)
        status, pivots = lemke(A, im.offset[:size], im.solution[:size], tableau, im.basis[:size], 50 * size)
        if status == SOLVED:
            for i in range(count):
                im.impulse[i] = im.solution[i]
                for d in range(1, n // count):
                    im.impulse[d * count + i] = 0.0
                    for k in range(facets):
                        im.impulse[d * count + i] += side(k, facets)[d - 1] * im.solution[(1 + k) * count + i]
        return status, pivots
    if b.dimension == 3:
        for i in range(count):
            im.high[i] = b.coefficient[im.active[i]]
        im.impulse[:n] = 0.0
        return cone_gauss_seidel(G, im.after[:n], im.high[:count], im.impulse[:n], SETTLED * fastest + STILL, SWEEPS)
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
