"""Frictional contact of many nodes of a soft body: which nodes stick, which slide, and their forces.

    e = e0 + C f        N = n . f >= 0,  n . e >= 0,  N (n . e) = 0        |T| <= mu N        T = f - N n

e is the displacement of each node from its sticking point on the surface at the start of the step, its gap along n; C the
compliance as in contact/active_set.py. A node sticks if the component of e along the surface is zero, and slides against T if
|T| = mu N. The only history is the sticking point: at the end of a step it moves to the current position. So friction follows
the path of the body, and between sliding and sticking nodes the solid creeps.

A node with an initial gap G sticks at the point where it made contact: of its displacement along the surface before its own
forces act, the part G / (G - n . e) occurred without contact.

The forces are found node by node (projected successive over-relaxation), starting from those of the previous call, until the
change in a round is below the tolerance. Forces are projected onto the friction cone in every update: so the iteration cannot
diverge. If the rounds would take longer than a matrix factorisation, Newton's method (friction_newton.py) takes steps with
all nodes, one round after each; if these do not help, rounds alone continue for a while. Nothing is allocated.

Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375 (the projections); O. Mangasarian, J. Optim.
Theory Appl. 22 (1977) 465-485 (relaxation).
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.fem.friction_newton import NODE_SET_SIZE, ROUND_COUNT, take_newton_step, update_node_stiffness
from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Longs, PointerRecord, Reals, Reals2, Reals3

FORCE_CHANGE_RTOL = 1e-11
"""Convergence tolerance: change of a force in a round, relative to the largest force."""
MAX_ROUNDS_PER_SET, MAX_NODE_SETS = 500, 50
"""Rounds for one set of nodes before under-relaxation starts, and maximum number of sets."""
OVER_RELAXATION, UNDER_RELAXATION = 1.6, 0.9
"""Relaxation factors of the update of a node."""
MONITORED_ROUNDS, EXTRA_ROUNDS = 4, 8
"""MONITORED_ROUNDS: rounds from which the remaining number is estimated. EXTRA_ROUNDS: Newton's steps start if the estimate
exceeds this number plus d per node, the cost of a few Newton steps."""
MAX_NEWTON_CHANGE_RATIO, MAX_FAILED_NEWTON_STEPS, MAX_NEWTON_GROWTH = 0.5, 4, 1e3
"""Required change of a round after a Newton step, relative to the best so far; number of consecutive steps that may exceed
it, since nodes open and close; and maximum growth."""
PENETRATION_RTOL = 1e-13


class FrictionalNodes(PointerRecord):
    """Soft body in frictional contact, and its cached results. Vectors are in the frame of the body."""

    C: Reals3  # (nodes, nodes, d d), m/N
    X: Reals2  # (nodes, d), undeformed positions
    n: Reals2  # (nodes, d), normals
    e0: Reals2  # (nodes, d), m
    G: Reals  # gaps at the start of the step, 0 for nodes that touched
    f: Reals2  # (nodes, d), forces on the nodes, N
    u: Reals2  # (nodes, d), displacements, m
    stiff: Reals2  # (nodes, 2), of each node alone, along its normal and along the surface, N/m
    active: Longs  # nodes that may touch
    place: Longs  # index of each node among them, or -1
    count: Longs  # counters, see friction_newton.py
    M: Reals2  # C between the active nodes
    v: Reals  # their displacements
    e: Reals  # scratch
    t: Reals  # scratch
    state: Longs  # of each node: open, sticks, slides
    on: Longs  # indices in the set of nodes that are not open
    J: Reals2  # Newton matrix of these nodes, and its factors
    order: Longs  # rows exchanged
    slope: Reals2  # scratch: of one node
    y: Reals  # scratch
    x: Reals  # scratch
    kept: Reals  # forces before a Newton step


def new_frictional_nodes(C: np.ndarray, X: np.ndarray) -> FrictionalNodes:
    """Create the state. C: (nodes, nodes, d, d)."""
    m, d = X.shape
    return FrictionalNodes(
        C=np.ascontiguousarray(C).reshape(m, m, d * d), X=X, n=np.zeros((m, d)), e0=np.zeros((m, d)), G=np.zeros(m),
        f=np.zeros((m, d)), u=np.zeros((m, d)), stiff=np.zeros((m, 2)), active=np.zeros(m, np.int64),
        place=np.full(m, -1), count=np.zeros(4, np.int64), M=np.zeros((m * d, m * d)), v=np.zeros(m * d), e=np.zeros(d),
        t=np.zeros(d), state=np.zeros(m, np.int64), on=np.zeros(m, np.int64),
        J=np.zeros((m * d, m * d)), order=np.zeros(m * d, np.int64),
        slope=np.zeros((d, 2 * d)), y=np.zeros(d), x=np.zeros(m * d), kept=np.zeros(m * d),
    )  # fmt: skip


@jit_compile
def displace_node(s, i):
    """Compute u_i from all forces. (Independent sums, so that the processor adds them in parallel.)"""
    C, f, active, count = s.C, s.f, s.active, s.count[NODE_SET_SIZE]
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


@jit_compile
def gather_compliances(s):
    """Collect the compliances between the nodes that may touch in one matrix, and compute their displacements."""
    C, M, active, d, count = s.C, s.M, s.active, s.n.shape[1], s.count[NODE_SET_SIZE]
    for k in range(count):
        i = active[k]
        for l in range(count):
            j = active[l]
            for a in range(d):
                for b in range(d):
                    M[d * k + a, d * l + b] = C[i, j, d * a + b]
        displace_node(s, i)
        for a in range(d):
            s.v[d * k + a] = s.u[i, a]


@jit_compile
def apply_force_change(s, k):
    """Add the displacements due to the change s.e of the force of node k of the set to all nodes of the set."""
    v, M, e, size = s.v, s.M, s.e, s.count[NODE_SET_SIZE] * s.n.shape[1]
    if e.size == 3:
        x, y, z, first, second, third = e[0], e[1], e[2], M[3 * k], M[3 * k + 1], M[3 * k + 2]
        for r in range(size):
            v[r] += first[r] * x + second[r] * y + third[r] * z
    else:
        x, y, first, second = e[0], e[1], M[2 * k], M[2 * k + 1]
        for r in range(size):
            v[r] += first[r] * x + second[r] * y


@jit_compile
def update_node_force(s, k, mu, relaxed):
    """Update the force of node k of the set from its displacement; write its change to s.e and return its size, N."""
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
    for a in range(d):  # effect of the change of N alone
        for b in range(d):
            e[a] += C[i, i, d * a + b] * n[i, b] * (N - push)
        gap += n[i, a] * e[a]
    stuck = 1.0
    if s.G[i] > 0.0:  # it made contact in this step: without its own force it would be further inside
        inside = max(N / s.stiff[i, 0] - gap, 0.0)
        stuck = inside / (s.G[i] + inside)
    size = 0.0
    for a in range(d):
        rubbing, along = f[i, a] - push * n[i, a], e[a] - gap * n[i, a]
        if stuck < 1.0:  # the node's own force causes the elastic part of the tangential displacement
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


@jit_compile
def add_node(s, i):
    s.active[s.count[NODE_SET_SIZE]], s.place[i] = i, s.count[NODE_SET_SIZE]
    s.count[NODE_SET_SIZE] += 1


@jit_compile
def sweep_nodes(s, mu, relaxed):
    """Update all nodes of the set in sequence; return the largest change of a force, and the largest force, N."""
    d, worst, strongest = s.n.shape[1], 0.0, 0.0
    for k in range(s.count[NODE_SET_SIZE]):
        change = update_node_force(s, k, mu, relaxed)
        if change > 0.0:
            apply_force_change(s, k)
        worst = max(worst, change)
        for a in range(d):
            strongest = max(strongest, abs(s.f[s.active[k], a]))
    s.count[ROUND_COUNT] += 1
    return worst, strongest


@jit_compile
def solve_node_set(s, mu):
    """Solve for the forces of the set; return True if they converge."""
    cost = EXTRA_ROUNDS + s.n.shape[1] * s.count[NODE_SET_SIZE]
    wait, mark, best, lost, stepping = 1, -1.0, 0.0, 0, False
    for tried in range(2 * MAX_ROUNDS_PER_SET):
        worst, strongest = sweep_nodes(s, mu, OVER_RELAXATION if tried < MAX_ROUNDS_PER_SET else UNDER_RELAXATION)
        if worst <= FORCE_CHANGE_RTOL * strongest:
            return True
        wait -= 1
        if stepping:
            lost = 0 if worst < MAX_NEWTON_CHANGE_RATIO * best else lost + 1
            best = min(best, worst)
            stepping = lost <= MAX_FAILED_NEWTON_STEPS and worst < MAX_NEWTON_GROWTH * best
        elif wait == 0:
            stepping = mark > 0.0 and estimate_remaining_rounds(worst, mark, FORCE_CHANGE_RTOL * strongest) > cost
            wait, mark, best, lost = MONITORED_ROUNDS, worst, worst, 0
        else:
            continue
        if stepping:
            stepping = take_newton_step(s, mu)
        if not stepping and wait < 0:  # without success
            cost *= 2
            wait, mark = cost, -1.0
    return False


@jit_compile
def estimate_remaining_rounds(worst, before, enough):
    """Estimate the number of further rounds from the decrease of the changes in the last MONITORED_ROUNDS rounds."""
    if not worst < before:
        return math.inf
    return MONITORED_ROUNDS * math.log(worst / enough) / math.log(before / worst)


@jit_compile
def solve_friction(s, mu):
    """Solve for the forces; return the number of rounds, or -1 if they do not converge."""
    nodes, d, count = s.n.shape[0], s.n.shape[1], s.count
    count[NODE_SET_SIZE] = count[ROUND_COUNT] = 0
    deepest = 0.0
    for i in range(nodes):
        gap, size = 0.0, 0.0
        for a in range(d):
            gap += s.n[i, a] * s.e0[i, a]
            size += abs(s.f[i, a])
        deepest = max(deepest, -gap)
        s.place[i] = -1
        if gap < 0.0 or size > 0.0:
            add_node(s, i)
    if deepest == 0.0:
        for i in range(nodes):
            for a in range(d):
                s.f[i, a] = s.u[i, a] = 0.0
        count[NODE_SET_SIZE] = 0
        return 0
    for k in range(count[NODE_SET_SIZE]):
        update_node_stiffness(s, s.active[k])
    for _ in range(MAX_NODE_SETS):
        gather_compliances(s)
        if not solve_node_set(s, mu):
            return -1
        kept_count = 0  # nodes without force leave the set
        for k in range(count[NODE_SET_SIZE]):
            i, size = s.active[k], 0.0
            for a in range(d):
                size += abs(s.f[i, a])
            s.place[i] = -1
            if size > 0.0:
                s.active[kept_count], s.place[i] = i, kept_count
                kept_count += 1
        count[NODE_SET_SIZE] = kept_count
        missed, set_size = 0, kept_count
        for i in range(nodes):
            displace_node(s, i)
            gap = 0.0
            for a in range(d):
                gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
            if s.place[i] < 0 and gap < -PENETRATION_RTOL * deepest:
                s.active[set_size + missed] = i
                missed += 1
        if missed == 0:
            return count[ROUND_COUNT]
        for k in range(missed):
            s.place[s.active[set_size + k]] = set_size + k
            update_node_stiffness(s, s.active[set_size + k])
        count[NODE_SET_SIZE] = set_size + missed
    return -1
