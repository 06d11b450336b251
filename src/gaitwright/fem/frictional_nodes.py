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
diverge. If the rounds would take longer than a matrix factorisation, Newton's method takes steps with all nodes, one round
after each; if these do not help, rounds alone continue for a while. Nothing is allocated.

A Newton step treats all nodes at once and keeps each node sticking or sliding:

    sticks    s_n n (n . e) + s_t a = 0                        a = e - n (n . e) + h T        h = G s_n / (s_t N)
    slides    s_n n (n . e) + T - mu N y / |y| = 0             y = T - s_t a
    open      f = 0

s_n, s_t: stiffnesses of a single node, which convert lengths to forces; G: the gap of a node that made contact in this step.
The residual r of a node depends on its own e and f, and e on all forces, so the matrix is r_e C + r_f, both for the step
and for the derivative with respect to the pose. It is unsymmetric if nodes slide: LU factors with row exchange.

Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375 (projections, Newton's method); O. Mangasarian,
J. Optim. Theory Appl. 22 (1977) 465-485 (relaxation).
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Longs, PointerRecord, Reals, Reals2, Reals3
from gaitwright.linalg.dense_lu import factorise_dense_lu, solve_dense_lu

NODE_OPEN, NODE_STICKS, NODE_SLIDES = range(3)
"""States of a node."""
NODE_SET_SIZE, CLOSED_NODE_COUNT, ROUND_COUNT, NEWTON_STEP_COUNT = range(4)
"""Indices into FrictionalNodes.counters: number of nodes that may touch, number of them that are not open; rounds of the last
call, and Newton steps of all calls."""
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
"""Penetration, relative to the deepest initial one, above which a node enters the set."""
COMPLIANCE_RTOL = 1e-13
"""Lower bound of the tangential compliance of a node, relative to the trace of its compliance."""


class FrictionalNodes(PointerRecord):
    """Soft body in frictional contact, and its cached results. Vectors are in the frame of the body."""

    C: Reals3  # (nodes, nodes, d d), m/N
    X: Reals2  # (nodes, d), undeformed positions
    n: Reals2  # (nodes, d), normals
    e0: Reals2  # (nodes, d), m
    G: Reals  # gaps at the start of the step, 0 for nodes that touched
    f: Reals2  # (nodes, d), forces on the nodes, N
    u: Reals2  # (nodes, d), displacements, m
    stiffness: Reals2  # (nodes, 2), of each node alone, along its normal and along the surface, N/m
    active: Longs  # nodes that may touch
    set_index: Longs  # index of each node among them, or -1
    counters: Longs  # see NODE_SET_SIZE and following
    M: Reals2  # C between the active nodes
    v: Reals  # displacements of the active nodes, m
    e: Reals  # scratch: e of a node, then the change of its force
    t: Reals  # scratch: T of a node
    state: Longs  # of each node: open, sticks, slides
    closed_nodes: Longs  # indices in the set of nodes that are not open
    J: Reals2  # Newton matrix of these nodes, and its factors
    pivots: Longs  # exchanged rows of J
    node_jacobian: Reals2  # scratch: r_e and r_f of a node, (d, 2 d)
    trial_force: Reals  # scratch: y of a node
    unknowns: Reals  # scratch: residuals, then the changes of the forces
    previous_forces: Reals  # forces before a Newton step


def new_frictional_nodes(C: np.ndarray, X: np.ndarray) -> FrictionalNodes:
    """Create the state. C: (nodes, nodes, d, d)."""
    m, d = X.shape
    return FrictionalNodes(
        C=np.ascontiguousarray(C).reshape(m, m, d * d), X=X, n=np.zeros((m, d)), e0=np.zeros((m, d)), G=np.zeros(m),
        f=np.zeros((m, d)), u=np.zeros((m, d)), stiffness=np.zeros((m, 2)), active=np.zeros(m, np.int64),
        set_index=np.full(m, -1), counters=np.zeros(4, np.int64), M=np.zeros((m * d, m * d)), v=np.zeros(m * d), e=np.zeros(d),
        t=np.zeros(d), state=np.zeros(m, np.int64), closed_nodes=np.zeros(m, np.int64),
        J=np.zeros((m * d, m * d)), pivots=np.zeros(m * d, np.int64),
        node_jacobian=np.zeros((d, 2 * d)), trial_force=np.zeros(d), unknowns=np.zeros(m * d), previous_forces=np.zeros(m * d),
    )  # fmt: skip


# Displacements due to the forces --------------------------------------------------------------------------------------


@jit_compile
def displace_node(s, i):
    """Compute u_i from all forces. (Independent sums, so that the processor adds them in parallel.)"""
    C, f, active, count = s.C, s.f, s.active, s.counters[NODE_SET_SIZE]
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
    C, M, active, d, count = s.C, s.M, s.active, s.n.shape[1], s.counters[NODE_SET_SIZE]
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
    v, M, e, size = s.v, s.M, s.e, s.counters[NODE_SET_SIZE] * s.n.shape[1]
    if e.size == 3:
        x, y, z, first, second, third = e[0], e[1], e[2], M[3 * k], M[3 * k + 1], M[3 * k + 2]
        for r in range(size):
            v[r] += first[r] * x + second[r] * y + third[r] * z
    else:
        x, y, first, second = e[0], e[1], M[2 * k], M[2 * k + 1]
        for r in range(size):
            v[r] += first[r] * x + second[r] * y


@jit_compile
def update_node_stiffness(s, i):
    """Compute the stiffnesses of node i used in its projections. The tangential one is limited by the softest direction."""
    C, n, d, normal_compliance, trace, softest = s.C, s.n, s.n.shape[1], 0.0, 0.0, 0.0
    for a in range(d):
        trace += C[i, i, d * a + a]
        for b in range(d):
            normal_compliance += n[i, a] * C[i, i, d * a + b] * n[i, b]
            softest += C[i, i, d * a + b] * C[i, i, d * a + b]
    s.stiffness[i, 0] = 1.0 / normal_compliance
    s.stiffness[i, 1] = 1.0 / min(math.sqrt(softest), max(trace - normal_compliance, COMPLIANCE_RTOL * trace))


# Newton's method ------------------------------------------------------------------------------------------------------


@jit_compile
def find_tangential_state(s, i):
    """Return n . e, N, h s_t and |y| of a node; write y to s.trial_force."""
    n, f, d, gap, push = s.n, s.f, s.n.shape[1], 0.0, 0.0
    for a in range(d):
        gap += n[i, a] * (s.e0[i, a] + s.u[i, a])
        push += n[i, a] * f[i, a]
    released, size = s.G[i] * s.stiffness[i, 0] / push if push > 0.0 else 0.0, 0.0
    for a in range(d):
        T = f[i, a] - push * n[i, a]
        s.trial_force[a] = (1.0 - released) * T - s.stiffness[i, 1] * (s.e0[i, a] + s.u[i, a] - gap * n[i, a])
        size += s.trial_force[a] * s.trial_force[a]
    return gap, push, released, math.sqrt(size)


@jit_compile
def find_node_state(s, i, mu):
    """Return NODE_OPEN, NODE_STICKS or NODE_SLIDES."""
    gap, push, _, size = find_tangential_state(s, i)
    N = push - s.stiffness[i, 0] * gap
    if N <= 0.0:
        return NODE_OPEN
    return NODE_SLIDES if size > mu * N or mu == 0.0 else NODE_STICKS


@jit_compile
def compute_node_residual(s, i, mu, out):
    """Write the residual r, N, of a node in its current state to out."""
    n, f, d = s.n, s.f, s.n.shape[1]
    gap, push, _, size = find_tangential_state(s, i)
    for a in range(d):
        T = f[i, a] - push * n[i, a]
        if s.state[i] == NODE_OPEN:
            out[a] = f[i, a]
        elif s.state[i] == NODE_SLIDES:
            out[a] = (
                s.stiffness[i, 0] * gap * n[i, a] + T - (mu * push * s.trial_force[a] / size if size > 0.0 else 0.0)
            )
        else:
            out[a] = s.stiffness[i, 0] * gap * n[i, a] + T - s.trial_force[a]


@jit_compile
def compute_node_jacobian(s, i, mu):
    """Write r_e and r_f of a node, side by side, to s.node_jacobian."""
    n, f, d, slope, state = s.n, s.f, s.n.shape[1], s.node_jacobian, s.state[i]
    _, push, released, size = find_tangential_state(s, i)
    slide_ratio = mu * push / size if size > 0.0 else 0.0
    for a in range(d):
        for b in range(d):
            identity, normal = 1.0 if a == b else 0.0, n[i, a] * n[i, b]
            if state == NODE_OPEN:
                slope[a, b], slope[a, d + b] = 0.0, identity
                continue
            T = f[i, a] - push * n[i, a]
            by_normal_force = released * T * n[i, b] / push if push > 0.0 else 0.0
            if state == NODE_STICKS:
                slope[a, b] = s.stiffness[i, 0] * normal + s.stiffness[i, 1] * (identity - normal)
                slope[a, d + b] = released * (identity - normal) - by_normal_force
            else:
                turning, direction = 0.0, 0.0  # of the sliding direction; zero if the node does not slide at all
                if size > 0.0:
                    direction = s.trial_force[a] / size
                    turning = identity - normal - direction * s.trial_force[b] / size
                across = 0.0
                for c in range(d):
                    across += (s.trial_force[a] * s.trial_force[c]) * (f[i, c] - push * n[i, c])
                across = (T - across / (size * size)) if size > 0.0 else 0.0  # T minus its component along y
                bent = released * across * n[i, b] / push if push > 0.0 else 0.0
                slope[a, b] = s.stiffness[i, 0] * normal + slide_ratio * s.stiffness[i, 1] * turning
                slope[a, d + b] = identity - normal - mu * direction * n[i, b]
                slope[a, d + b] -= slide_ratio * ((1.0 - released) * turning + bent)


@jit_compile
def factorise_node_set(s, mu):
    """Compute the LU factors of r_e C + r_f for the closed nodes of the set, in s.J; return False if it is singular."""
    J = s.J
    M = s.M
    slope = s.node_jacobian
    closed = s.closed_nodes
    d = s.n.shape[1]
    count = s.counters[CLOSED_NODE_COUNT]
    for r in range(count):
        compute_node_jacobian(s, s.active[closed[r]], mu)
        for a in range(d):
            row = J[d * r + a]
            for c in range(d * count):
                row[c] = 0.0
            for b in range(d):
                factor, compliance = slope[a, b], M[d * closed[r] + b]
                for c in range(count):
                    for k in range(d):
                        row[d * c + k] += factor * compliance[d * closed[c] + k]
                row[d * r + b] += slope[a, d + b]
    return factorise_dense_lu(J, s.pivots, d * count)


@jit_compile
def update_node_states(s, mu):
    """Classify each node as open, sticking or sliding from the current forces and displacements. s.closed_nodes
    lists the others than open ones."""
    d, closed_count = s.n.shape[1], 0
    for k in range(s.counters[NODE_SET_SIZE]):
        i = s.active[k]
        for a in range(d):
            s.u[i, a] = s.v[d * k + a]
        s.state[i] = find_node_state(s, i, mu)
        if s.state[i] != NODE_OPEN:
            s.closed_nodes[closed_count] = k
            closed_count += 1
    s.counters[CLOSED_NODE_COUNT] = closed_count


@jit_compile
def take_newton_step(s, mu):
    """Take one Newton step of all forces of the set; return False if it fails."""
    d, count, closed, x = s.n.shape[1], s.counters[NODE_SET_SIZE], s.closed_nodes, s.unknowns
    update_node_states(s, mu)
    for k in range(count):
        i = s.active[k]
        for a in range(d):
            s.previous_forces[d * k + a] = s.f[i, a]
            if s.state[i] == NODE_OPEN:
                s.f[i, a] = 0.0
    update_displacements(s)
    for r in range(s.counters[CLOSED_NODE_COUNT]):
        i = s.active[closed[r]]
        for a in range(d):
            s.u[i, a] = s.v[d * closed[r] + a]
        compute_node_residual(s, i, mu, x[d * r : d * r + d])
    size = 0.0
    if factorise_node_set(s, mu):
        s.counters[NEWTON_STEP_COUNT] += 1
        solve_dense_lu(s.J, s.pivots, d * s.counters[CLOSED_NODE_COUNT], x)
        for r in range(d * s.counters[CLOSED_NODE_COUNT]):
            size += abs(x[r])
    else:
        size = math.inf
    if not size < math.inf:
        restore_forces(s)
        return False
    for r in range(s.counters[CLOSED_NODE_COUNT]):
        i, push = s.active[closed[r]], 0.0
        for a in range(d):
            s.f[i, a] -= x[d * r + a]
            push += s.n[i, a] * s.f[i, a]
        if not push > 0.0:
            for a in range(d):
                s.f[i, a] = 0.0
    update_displacements(s)
    return True


@jit_compile
def restore_forces(s):
    """Restore the forces before a Newton step."""
    d = s.n.shape[1]
    for k in range(s.counters[NODE_SET_SIZE]):
        for a in range(d):
            s.f[s.active[k], a] = s.previous_forces[d * k + a]
    update_displacements(s)


@jit_compile
def update_displacements(s):
    """Compute the displacements of the set from its forces."""
    d, v, M, size = s.n.shape[1], s.v, s.M, s.n.shape[1] * s.counters[NODE_SET_SIZE]
    for r in range(size):
        v[r] = 0.0
    for k in range(s.counters[NODE_SET_SIZE]):
        for a in range(d):
            component, row = s.f[s.active[k], a], M[d * k + a]
            if component != 0.0:
                for r in range(size):
                    v[r] += component * row[r]


# Projections, node by node --------------------------------------------------------------------------------------------


@jit_compile
def update_node_force(s, k, mu, relaxation):
    """Update the force of node k of the set from its displacement; write its change to s.e and return its size, N."""
    i, d = s.active[k], s.n.shape[1]
    C, n, f, v, e, t = s.C, s.n, s.f, s.v, s.e, s.t
    gap, push = 0.0, 0.0
    for a in range(d):
        e[a] = s.e0[i, a] + v[d * k + a]
        gap += n[i, a] * e[a]
        push += n[i, a] * f[i, a]
    N = max(push - relaxation * s.stiffness[i, 0] * gap, 0.0)
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
    sticking_fraction = 1.0
    if s.G[i] > 0.0:  # it made contact in this step: without its own force it would be further inside
        penetration = max(N / s.stiffness[i, 0] - gap, 0.0)
        sticking_fraction = penetration / (s.G[i] + penetration)
    size = 0.0
    for a in range(d):
        tangential, along = f[i, a] - push * n[i, a], e[a] - gap * n[i, a]
        if sticking_fraction < 1.0:  # the node's own force causes the elastic part of the tangential displacement
            elastic_part = tangential / s.stiffness[i, 1]
            along = elastic_part + sticking_fraction * (along - elastic_part)
        t[a] = tangential - relaxation * s.stiffness[i, 1] * along
        size += t[a] * t[a]
    size = math.sqrt(size)
    cone_factor, change = mu * N / size if size > mu * N else 1.0, 0.0
    for a in range(d):
        new = N * n[i, a] + cone_factor * t[a]
        e[a] = new - f[i, a]
        change = max(change, abs(e[a]))
        f[i, a] = new
    return change


@jit_compile
def add_node(s, i):
    """Append node i to the set."""
    s.active[s.counters[NODE_SET_SIZE]], s.set_index[i] = i, s.counters[NODE_SET_SIZE]
    s.counters[NODE_SET_SIZE] += 1


@jit_compile
def sweep_nodes(s, mu, relaxation):
    """Update all nodes of the set in sequence; return the largest change of a force, and the largest force, N."""
    d, largest_change, largest_force = s.n.shape[1], 0.0, 0.0
    for k in range(s.counters[NODE_SET_SIZE]):
        change = update_node_force(s, k, mu, relaxation)
        if change > 0.0:
            apply_force_change(s, k)
        largest_change = max(largest_change, change)
        for a in range(d):
            largest_force = max(largest_force, abs(s.f[s.active[k], a]))
    s.counters[ROUND_COUNT] += 1
    return largest_change, largest_force


@jit_compile
def solve_node_set(s, mu):
    """Solve for the forces of the set; return True if they converge."""
    cost = EXTRA_ROUNDS + s.n.shape[1] * s.counters[NODE_SET_SIZE]
    rounds_to_check, marked_change, best_change, failed_steps, use_newton = 1, -1.0, 0.0, 0, False
    for round_number in range(2 * MAX_ROUNDS_PER_SET):
        largest_change, largest_force = sweep_nodes(
            s, mu, OVER_RELAXATION if round_number < MAX_ROUNDS_PER_SET else UNDER_RELAXATION
        )
        if largest_change <= FORCE_CHANGE_RTOL * largest_force:
            return True
        rounds_to_check -= 1
        if use_newton:
            failed_steps = 0 if largest_change < MAX_NEWTON_CHANGE_RATIO * best_change else failed_steps + 1
            best_change = min(best_change, largest_change)
            use_newton = failed_steps <= MAX_FAILED_NEWTON_STEPS and largest_change < MAX_NEWTON_GROWTH * best_change
        elif rounds_to_check == 0:
            use_newton = (
                marked_change > 0.0
                and estimate_remaining_rounds(largest_change, marked_change, FORCE_CHANGE_RTOL * largest_force) > cost
            )
            rounds_to_check = MONITORED_ROUNDS
            marked_change = largest_change
            best_change = largest_change
            failed_steps = 0
        else:
            continue
        if use_newton:
            use_newton = take_newton_step(s, mu)
        if not use_newton and rounds_to_check < 0:  # without success
            cost *= 2
            rounds_to_check, marked_change = cost, -1.0
    return False


@jit_compile
def estimate_remaining_rounds(change, earlier_change, tolerance):
    """Estimate the number of further rounds from the decrease of the changes in the last MONITORED_ROUNDS rounds."""
    if not change < earlier_change:
        return math.inf
    return MONITORED_ROUNDS * math.log(change / tolerance) / math.log(earlier_change / change)


@jit_compile
def solve_friction(s, mu):
    """Solve for the forces; return the number of rounds, or -1 if they do not converge."""
    nodes, d, count = s.n.shape[0], s.n.shape[1], s.counters
    count[NODE_SET_SIZE] = count[ROUND_COUNT] = 0
    deepest = 0.0
    for i in range(nodes):
        gap, force_size = 0.0, 0.0
        for a in range(d):
            gap += s.n[i, a] * s.e0[i, a]
            force_size += abs(s.f[i, a])
        deepest = max(deepest, -gap)
        s.set_index[i] = -1
        if gap < 0.0 or force_size > 0.0:
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
        loaded_count = 0  # nodes without force leave the set
        for k in range(count[NODE_SET_SIZE]):
            i, force_size = s.active[k], 0.0
            for a in range(d):
                force_size += abs(s.f[i, a])
            s.set_index[i] = -1
            if force_size > 0.0:
                s.active[loaded_count], s.set_index[i] = i, loaded_count
                loaded_count += 1
        count[NODE_SET_SIZE] = loaded_count
        entering, set_size = 0, loaded_count
        for i in range(nodes):
            displace_node(s, i)
            gap = 0.0
            for a in range(d):
                gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
            if s.set_index[i] < 0 and gap < -PENETRATION_RTOL * deepest:
                s.active[set_size + entering] = i
                entering += 1
        if entering == 0:
            return count[ROUND_COUNT]
        for k in range(entering):
            s.set_index[s.active[set_size + k]] = set_size + k
            update_node_stiffness(s, s.active[set_size + k])
        count[NODE_SET_SIZE] = set_size + entering
    return -1
