"""Newton's method for frictional nodes (frictional_nodes.py): all nodes at once, with each node kept sticking or sliding.

    sticks    s_n n (n . e) + s_t a = 0                        a = e - n (n . e) + h T        h = G s_n / (s_t N)
    slides    s_n n (n . e) + T - mu N y / |y| = 0             y = T - s_t a
    open      f = 0

s_n, s_t: stiffnesses of a single node, which convert lengths to forces; G: the gap of a node that made contact in this step.
The residual r of a node depends on its own e and f, and e on all forces, so that the matrix is r_e C + r_f, both for Newton's
step and for the derivative with respect to the pose. It is unsymmetric if nodes slide: LU factors with row exchange.

Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375.
"""

from __future__ import annotations

import math

from gaitwright.jit import jit_compile
from gaitwright.linalg.dense_lu import factorise_dense_lu, solve_dense_lu

COMPLIANCE_RTOL = 1e-13
NODE_OPEN, NODE_STICKS, NODE_SLIDES = range(3)
NODE_SET_SIZE, CLOSED_NODE_COUNT, ROUND_COUNT, NEWTON_STEP_COUNT = range(4)
"""Indices into FrictionalNodes.count: number of nodes that may touch, number of them that are not open; rounds of the last
call, and Newton steps of all calls."""


@jit_compile
def update_node_stiffness(s, i):
    """Compute the stiffnesses of node i used in its projections. The tangential one is limited by the softest direction."""
    C, n, d, along, trace, least = s.C, s.n, s.n.shape[1], 0.0, 0.0, 0.0
    for a in range(d):
        trace += C[i, i, d * a + a]
        for b in range(d):
            along += n[i, a] * C[i, i, d * a + b] * n[i, b]
            least += C[i, i, d * a + b] * C[i, i, d * a + b]
    s.stiff[i, 0] = 1.0 / along
    s.stiff[i, 1] = 1.0 / min(math.sqrt(least), max(trace - along, COMPLIANCE_RTOL * trace))


@jit_compile
def find_tangential_state(s, i):
    """Return n . e, N, h s_t and |y| of a node; write y to s.y."""
    n, f, d, gap, push = s.n, s.f, s.n.shape[1], 0.0, 0.0
    for a in range(d):
        gap += n[i, a] * (s.e0[i, a] + s.u[i, a])
        push += n[i, a] * f[i, a]
    hung, size = s.G[i] * s.stiff[i, 0] / push if push > 0.0 else 0.0, 0.0
    for a in range(d):
        T = f[i, a] - push * n[i, a]
        s.y[a] = (1.0 - hung) * T - s.stiff[i, 1] * (s.e0[i, a] + s.u[i, a] - gap * n[i, a])
        size += s.y[a] * s.y[a]
    return gap, push, hung, math.sqrt(size)


@jit_compile
def find_node_state(s, i, mu):
    gap, push, _, size = find_tangential_state(s, i)
    N = push - s.stiff[i, 0] * gap
    if N <= 0.0:
        return NODE_OPEN
    return NODE_SLIDES if size > mu * N or mu == 0.0 else NODE_STICKS


@jit_compile
def compute_node_residual(s, i, mu, out):
    """Residual r, N, of a node in its current state."""
    n, f, d = s.n, s.f, s.n.shape[1]
    gap, push, _, size = find_tangential_state(s, i)
    for a in range(d):
        T = f[i, a] - push * n[i, a]
        if s.state[i] == NODE_OPEN:
            out[a] = f[i, a]
        elif s.state[i] == NODE_SLIDES:
            out[a] = s.stiff[i, 0] * gap * n[i, a] + T - (mu * push * s.y[a] / size if size > 0.0 else 0.0)
        else:
            out[a] = s.stiff[i, 0] * gap * n[i, a] + T - s.y[a]


@jit_compile
def compute_node_jacobian(s, i, mu):
    """Write r_e and r_f of a node, side by side, to s.slope."""
    n, f, d, slope, state = s.n, s.f, s.n.shape[1], s.slope, s.state[i]
    _, push, hung, size = find_tangential_state(s, i)
    part = mu * push / size if size > 0.0 else 0.0
    for a in range(d):
        for b in range(d):
            one, normal = 1.0 if a == b else 0.0, n[i, a] * n[i, b]
            if state == NODE_OPEN:
                slope[a, b], slope[a, d + b] = 0.0, one
                continue
            T = f[i, a] - push * n[i, a]
            pulled = hung * T * n[i, b] / push if push > 0.0 else 0.0
            if state == NODE_STICKS:
                slope[a, b] = s.stiff[i, 0] * normal + s.stiff[i, 1] * (one - normal)
                slope[a, d + b] = hung * (one - normal) - pulled
            else:
                turn, way = 0.0, 0.0  # of the sliding direction; zero if the node does not slide at all
                if size > 0.0:
                    way = s.y[a] / size
                    turn = one - normal - way * s.y[b] / size
                across = 0.0
                for c in range(d):
                    across += (s.y[a] * s.y[c]) * (f[i, c] - push * n[i, c])
                across = (T - across / (size * size)) if size > 0.0 else 0.0  # T minus its component along y
                bent = hung * across * n[i, b] / push if push > 0.0 else 0.0
                slope[a, b] = s.stiff[i, 0] * normal + part * s.stiff[i, 1] * turn
                slope[a, d + b] = one - normal - mu * way * n[i, b] - part * ((1.0 - hung) * turn + bent)


@jit_compile
def factorise_node_set(s, mu):
    """Compute the LU factors of r_e C + r_f for the closed nodes of the set, in s.J; return False if it is singular."""
    J, M, slope, on, d, count = s.J, s.M, s.slope, s.on, s.n.shape[1], s.count[CLOSED_NODE_COUNT]
    for r in range(count):
        compute_node_jacobian(s, s.active[on[r]], mu)
        for a in range(d):
            row = J[d * r + a]
            for c in range(d * count):
                row[c] = 0.0
            for b in range(d):
                by, other = slope[a, b], M[d * on[r] + b]
                for c in range(count):
                    for k in range(d):
                        row[d * c + k] += by * other[d * on[c] + k]
                row[d * r + b] += slope[a, d + b]
    return factorise_dense_lu(J, s.order, d * count)


@jit_compile
def update_node_states(s, mu):
    """Classify each node as open, sticking or sliding from the current forces and displacements. s.on lists the closed
    nodes."""
    d, closed_count = s.n.shape[1], 0
    for k in range(s.count[NODE_SET_SIZE]):
        i = s.active[k]
        for a in range(d):
            s.u[i, a] = s.v[d * k + a]
        s.state[i] = find_node_state(s, i, mu)
        if s.state[i] != NODE_OPEN:
            s.on[closed_count] = k
            closed_count += 1
    s.count[CLOSED_NODE_COUNT] = closed_count


@jit_compile
def take_newton_step(s, mu):
    """Take one Newton step of all forces of the set; return False if it fails."""
    d, count, on, x = s.n.shape[1], s.count[NODE_SET_SIZE], s.on, s.x
    update_node_states(s, mu)
    for k in range(count):
        i = s.active[k]
        for a in range(d):
            s.kept[d * k + a] = s.f[i, a]
            if s.state[i] == NODE_OPEN:
                s.f[i, a] = 0.0
    update_displacements(s)
    for r in range(s.count[CLOSED_NODE_COUNT]):
        i = s.active[on[r]]
        for a in range(d):
            s.u[i, a] = s.v[d * on[r] + a]
        compute_node_residual(s, i, mu, x[d * r : d * r + d])
    size = 0.0
    if factorise_node_set(s, mu):
        s.count[NEWTON_STEP_COUNT] += 1
        solve_dense_lu(s.J, s.order, d * s.count[CLOSED_NODE_COUNT], x)
        for r in range(d * s.count[CLOSED_NODE_COUNT]):
            size += abs(x[r])
    else:
        size = math.inf
    if not size < math.inf:
        restore_forces(s)
        return False
    for r in range(s.count[CLOSED_NODE_COUNT]):
        i, push = s.active[on[r]], 0.0
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
    for k in range(s.count[NODE_SET_SIZE]):
        for a in range(d):
            s.f[s.active[k], a] = s.kept[d * k + a]
    update_displacements(s)


@jit_compile
def update_displacements(s):
    """Compute the displacements of the set from its forces."""
    d, v, M, size = s.n.shape[1], s.v, s.M, s.n.shape[1] * s.count[NODE_SET_SIZE]
    for r in range(size):
        v[r] = 0.0
    for k in range(s.count[NODE_SET_SIZE]):
        for a in range(d):
            by, row = s.f[s.active[k], a], M[d * k + a]
            if by != 0.0:
                for r in range(size):
                    v[r] += by * row[r]
