"""Many nodes of a soft body that touch with friction: which of them stick, which slide, and with what forces.

    e = e0 + C f        N = n . f >= 0,  n . e >= 0,  N (n . e) = 0        |T| <= mu N        T = f - N n

e is how far each node is from where it stood on the surface at the begin of the step, its gap along n; C the compliance as in
active_set.py. A node sticks where its e along the surface is zero, and slides against T where |T| = mu N. Nothing else is
remembered: at the end of a step nodes stand where they are. So friction follows the path of the body, and between
nodes that slide and nodes that stick the solid creeps.

A node that was off the surface by a gap G sticks from where it came down: of its way along the surface before forces of its
own, the part G / (G - n . e) was in the air.

The forces are found node after node (projected successive over-relaxation), from those of the call before, until a round
changes nothing that counts. A node pulls nothing and holds no more than its friction at any time: so it cannot
diverge. Where rounds would take longer than factors of a matrix, Newton's method (rubbing_newton.py) takes steps with all
nodes, a round after each; where these do not gain, rounds alone go on for a while. Nothing is allocated.

Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375 (the projections); O. Mangasarian, J. Optim.
Theory Appl. 22 (1977) 465-485 (relaxation).
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.contact.rubbing_newton import ROUNDS, SET, newton, stiffen
from gaitwright.system.packed import Longs, Packed, Reals, Reals2, Reals3

ENOUGH = 1e-11
"""Change of a force in a round, of the largest force, that counts as none."""
MOST, SETS = 500, 50
"""Rounds for one set of nodes before they become cautious, and sets."""
RELAXED, CAUTIOUS = 1.6, 0.9
"""How much further than to its own solution a node goes."""
WATCHED, PATIENT = 4, 8
"""Rounds by which it is judged how many more it takes; and, beside three per node, which Newton's few steps cost, how many more
these may be."""
GAIN, LOST, FAR = 0.5, 4, 1e3
"""What a step of Newton's, with a round, leaves of the change of a round; how many may leave more, as nodes come and go; and
how much more at most."""
ROUNDING = 1e-13


class Rubbed(Packed):
    """A soft body as friction sees it, and what is kept between calls. Vectors in the frame of the body."""

    C: Reals3  # (nodes, nodes, d d), m/N
    X: Reals2  # (nodes, d), undeformed places
    n: Reals2  # (nodes, d), normals
    e0: Reals2  # (nodes, d), m
    G: Reals  # gaps at the begin of the step, 0 of nodes that touched
    f: Reals2  # (nodes, d), forces on the nodes, N
    u: Reals2  # (nodes, d), displacements, m
    stiff: Reals2  # (nodes, 2), of each node alone, along its normal and along the surface, N/m
    active: Longs  # nodes that may touch
    place: Longs  # of each node among them, or -1
    count: Longs  # of them; see rubbing_newton.py
    M: Reals2  # C between these
    v: Reals  # their displacements
    e: Reals  # room
    t: Reals  # room
    state: Longs  # of each node: open, sticks, slides
    on: Longs  # places in the set of nodes that are not open
    J: Reals2  # the matrix of Newton's method between them, and its factors
    order: Longs  # rows exchanged
    slope: Reals2  # room: of one node
    y: Reals  # room
    x: Reals  # room
    kept: Reals  # forces before Newton's step


def rubbed(C: np.ndarray, X: np.ndarray) -> Rubbed:
    """C: (nodes, nodes, d, d)."""
    m, d = X.shape
    return Rubbed(
        C=np.ascontiguousarray(C).reshape(m, m, d * d), X=X, n=np.zeros((m, d)), e0=np.zeros((m, d)), G=np.zeros(m),
        f=np.zeros((m, d)), u=np.zeros((m, d)), stiff=np.zeros((m, 2)), active=np.zeros(m, np.int64),
        place=np.full(m, -1), count=np.zeros(4, np.int64), M=np.zeros((m * d, m * d)), v=np.zeros(m * d), e=np.zeros(d),
        t=np.zeros(d), state=np.zeros(m, np.int64), on=np.zeros(m, np.int64),
        J=np.zeros((m * d, m * d)), order=np.zeros(m * d, np.int64),
        slope=np.zeros((d, 2 * d)), y=np.zeros(d), x=np.zeros(m * d), kept=np.zeros(m * d),
    )  # fmt: skip


@compiled
def displace(s, i):
    """u_i of all forces. (Sums beside each other: the processor adds them at once.)"""
    C, f, active, count = s.C, s.f, s.active, s.count[SET]
    if f.shape[1] == 3:
        a0, a1, a2, b0, b1, b2, c0, c1, c2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            j = active[k]
            x, y, z = f[j, 0], f[j, 1], f[j, 2]
            a0 += C[i, j, 0] * x
            a1 += C[i, j, 1] * y
            a2 += C[i, j, 2] * z
            b0 += C[i, j, 3] * x
            b1 += C[i, j, 4] * y
            b2 += C[i, j, 5] * z
            c0 += C[i, j, 6] * x
            c1 += C[i, j, 7] * y
            c2 += C[i, j, 8] * z
        s.u[i, 0], s.u[i, 1], s.u[i, 2] = a0 + a1 + a2, b0 + b1 + b2, c0 + c1 + c2
    else:
        a, b = 0.0, 0.0
        for k in range(count):
            j = active[k]
            a += C[i, j, 0] * f[j, 0] + C[i, j, 1] * f[j, 1]
            b += C[i, j, 2] * f[j, 0] + C[i, j, 3] * f[j, 1]
        s.u[i, 0], s.u[i, 1] = a, b


@compiled
def gather(s):
    """Compliances between the nodes that may touch, side by side, and their displacements."""
    C, M, active, d, count = s.C, s.M, s.active, s.n.shape[1], s.count[SET]
    for k in range(count):
        i = active[k]
        for l in range(count):
            j = active[l]
            for a in range(d):
                for b in range(d):
                    M[d * k + a, d * l + b] = C[i, j, d * a + b]
        displace(s, i)
        for a in range(d):
            s.v[d * k + a] = s.u[i, a]


@compiled
def push_on(s, k):
    """What the change of force s.e of the k-th of them does to all of them."""
    v, M, e, size = s.v, s.M, s.e, s.count[SET] * s.n.shape[1]
    if e.size == 3:
        x, y, z, first, second, third = e[0], e[1], e[2], M[3 * k], M[3 * k + 1], M[3 * k + 2]
        for r in range(size):
            v[r] += first[r] * x + second[r] * y + third[r] * z
    else:
        x, y, first, second = e[0], e[1], M[2 * k], M[2 * k + 1]
        for r in range(size):
            v[r] += first[r] * x + second[r] * y


@compiled
def renew(s, k, mu, relaxed):
    """The force of the k-th of the nodes from its displacement; its change into s.e, and how large that is, N."""
    i, d = s.active[k], s.n.shape[1]
    C, n, f, v, e, t = s.C, s.n, s.f, s.v, s.e, s.t
    gap, push = 0.0, 0.0
    for a in range(d):
        e[a] = s.e0[i, a] + v[d * k + a]
        gap += n[i, a] * e[a]
        push += n[i, a] * f[i, a]
    N = max(push - relaxed * s.stiff[i, 0] * gap, 0.0)
    if N == 0.0:
        change = 0.0
        for a in range(d):
            e[a] = -f[i, a]
            change = max(change, abs(e[a]))
            f[i, a] = 0.0
        return change
    gap = 0.0
    for a in range(d):  # what the change of N alone does
        for b in range(d):
            e[a] += C[i, i, d * a + b] * n[i, b] * (N - push)
        gap += n[i, a] * e[a]
    stuck = 1.0
    if s.G[i] > 0.0:  # it came down in this step: without its own force it were further inside
        inside = max(N / s.stiff[i, 0] - gap, 0.0)
        stuck = inside / (s.G[i] + inside)
    size = 0.0
    for a in range(d):
        rubbing, along = f[i, a] - push * n[i, a], e[a] - gap * n[i, a]
        if stuck < 1.0:  # of the way along the surface, the elastic part is its own
            own = rubbing / s.stiff[i, 1]
            along = own + stuck * (along - own)
        t[a] = rubbing - relaxed * s.stiff[i, 1] * along
        size += t[a] * t[a]
    size = math.sqrt(size)
    part, change = mu * N / size if size > mu * N else 1.0, 0.0
    for a in range(d):
        new = N * n[i, a] + part * t[a]
        e[a] = new - f[i, a]
        change = max(change, abs(e[a]))
        f[i, a] = new
    return change


@compiled
def enter(s, i):
    s.active[s.count[SET]], s.place[i] = i, s.count[SET]
    s.count[SET] += 1


@compiled
def go_round(s, mu, relaxed):
    """All nodes of the set one after another: the largest change of a force, and the largest force, N."""
    d, worst, strongest = s.n.shape[1], 0.0, 0.0
    for k in range(s.count[SET]):
        change = renew(s, k, mu, relaxed)
        if change > 0.0:
            push_on(s, k)
        worst = max(worst, change)
        for a in range(d):
            strongest = max(strongest, abs(s.f[s.active[k], a]))
    s.count[ROUNDS] += 1
    return worst, strongest


@compiled
def settle(s, mu):
    """The forces of the set; whether they settle."""
    cost = PATIENT + s.n.shape[1] * s.count[SET]
    wait, mark, best, lost, stepping = 1, -1.0, 0.0, 0, False
    for tried in range(2 * MOST):
        worst, strongest = go_round(s, mu, RELAXED if tried < MOST else CAUTIOUS)
        if worst <= ENOUGH * strongest:
            return True
        wait -= 1
        if stepping:
            lost = 0 if worst < GAIN * best else lost + 1
            best = min(best, worst)
            stepping = lost <= LOST and worst < FAR * best
        elif wait == 0:
            stepping = mark > 0.0 and rounds_to_go(worst, mark, ENOUGH * strongest) > cost
            wait, mark, best, lost = WATCHED, worst, worst, 0
        else:
            continue
        if stepping:
            stepping = newton(s, mu)
        if not stepping and wait < 0:  # in vain
            cost *= 2
            wait, mark = cost, -1.0
    return False


@compiled
def rounds_to_go(worst, before, enough):
    """How many more until changes are small enough, as they fell in the last WATCHED rounds."""
    if not worst < before:
        return math.inf
    return WATCHED * math.log(worst / enough) / math.log(before / worst)


@compiled
def rub(s, mu):
    """Find the forces; how many rounds it took, or -1 where they do not settle."""
    nodes, d, count = s.n.shape[0], s.n.shape[1], s.count
    count[SET] = count[ROUNDS] = 0
    deepest = 0.0
    for i in range(nodes):
        gap, size = 0.0, 0.0
        for a in range(d):
            gap += s.n[i, a] * s.e0[i, a]
            size += abs(s.f[i, a])
        deepest = max(deepest, -gap)
        s.place[i] = -1
        if gap < 0.0 or size > 0.0:
            enter(s, i)
    if deepest == 0.0:
        for i in range(nodes):
            for a in range(d):
                s.f[i, a] = s.u[i, a] = 0.0
        count[SET] = 0
        return 0
    for k in range(count[SET]):
        stiffen(s, s.active[k])
    for _ in range(SETS):
        gather(s)
        if not settle(s, mu):
            return -1
        kept = 0  # those without a force leave
        for k in range(count[SET]):
            i, size = s.active[k], 0.0
            for a in range(d):
                size += abs(s.f[i, a])
            s.place[i] = -1
            if size > 0.0:
                s.active[kept], s.place[i] = i, kept
                kept += 1
        count[SET] = kept
        missed, known = 0, kept
        for i in range(nodes):
            displace(s, i)
            gap = 0.0
            for a in range(d):
                gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
            if s.place[i] < 0 and gap < -ROUNDING * deepest:
                s.active[known + missed] = i
                missed += 1
        if missed == 0:
            return count[ROUNDS]
        for k in range(missed):
            s.place[s.active[known + k]] = known + k
            stiffen(s, s.active[known + k])
        count[SET] = known + missed
    return -1
