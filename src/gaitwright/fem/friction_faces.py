"""Tangent planes of the surface at the contact nodes, and the derivative of the nodal forces with respect to the pose. For
symbols see friction_solid.py.

On a plane, the residuals r of the touching nodes (friction_newton.py) stay zero as the pose x changes, with each node kept
sticking or sliding:

    (r_e C + r_f) df/dx = -r_x        dF = dm f + m df        dQ_c = sum dF        dQ_m = sum dF (X + u)^T + F (C df)^T

r_x involves one node at a time, through its normal and its sticking point in the frame of the body: computed by central
differences.
"""

from __future__ import annotations

import math

from gaitwright.fem.friction_newton import (
    CLOSED_NODE_COUNT,
    NODE_SET_SIZE,
    compute_node_residual,
    factorise_node_set,
    update_node_states,
    update_node_stiffness,
)
from gaitwright.fem.frictional_nodes import gather_compliances
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.linalg.dense_lu import solve_dense_lu

SURFACE_ADDRESS, LOOKUP_ADDRESS, IS_PLANE, OWN_NUMBER_COUNT = range(4)
"""Indices into FrictionalSolidState.surface: addresses of the surface kernel and of its lookup function; 1 if it is a plane;
number of its own parameters."""
DIFFERENCE_STEP = 1e-6
"""Relative to the size of the solid, or absolute for a direction: difference step of tangents and of the loss."""


@jit_compile
def evaluate_surface(p, x, i, moved):
    """Evaluate the surface at node i, displaced or undeformed, and write the result to p.seen."""
    d, X, u = p.d, p.soft.X, p.soft.u
    for k in range(d):
        p.at[k] = x[k]
        for l in range(d):
            p.at[k] += x[d + d * k + l] * (X[i, l] + (u[i, l] if moved else 0.0))
    if p.surface[LOOKUP_ADDRESS] != 0:
        call_address(p.surface[LOOKUP_ADDRESS], (p.field, p.at, p.shape[p.surface[OWN_NUMBER_COUNT] :]))
    call_address(p.surface[SURFACE_ADDRESS], (1, p.shape, p.at, p.seen))


@jit_compile
def update_tangent_plane(p, x, i):
    """Update the tangent plane at a node: its normal, and the distance of the node from its sticking point."""
    s, d = p.soft, p.d
    evaluate_surface(p, x, i, True)
    gap, away, size = p.seen[0], 0.0, 0.0
    for a in range(d):
        s.n[i, a], back = 0.0, 0.0
        for k in range(d):
            s.n[i, a] += x[d + d * k + a] * p.seen[2 + k]
            back += x[d + d * k + a] * (p.stood[i, k] - x[k])
        s.e0[i, a] = s.X[i, a] - back
        size += s.n[i, a] * s.n[i, a]
    size = math.sqrt(size)
    for a in range(d):  # axes of an iteration need not be orthogonal: normalise
        s.n[i, a] /= size
        away += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
    for a in range(d):
        s.e0[i, a] += (gap - away) * s.n[i, a]
    s.G[i] = p.above[i]


@jit_compile
def update_tangent_planes(p, x):
    """Update the tangent planes at all nodes."""
    for i in range(p.soft.X.shape[0]):
        update_tangent_plane(p, x, i)


@jit_compile
def compute_plane_stiffness(p, x, out):
    """Compute V_xx at the current forces; return False if the matrix of the touching nodes is singular."""
    s, d = p.soft, p.d
    n_x, mu, change, room, on = d + d * d, p.friction[0], s.x, s.kept, s.on
    out[: n_x * n_x] = 0.0
    if s.count[NODE_SET_SIZE] == 0:
        return True
    gather_compliances(s)
    update_node_states(s, mu)
    count = s.count[CLOSED_NODE_COUNT]
    if not factorise_node_set(s, mu):
        return False
    for j in range(n_x):
        step, kept = DIFFERENCE_STEP * (p.size[0] if j < d else 1.0), x[j]
        for r in range(count):
            i = s.active[on[r]]
            for side in range(2):
                x[j] = kept + (step if side == 0 else -step)
                update_tangent_plane(p, x, i)
                update_node_stiffness(s, i)
                compute_node_residual(s, i, mu, s.e if side == 0 else s.t)
            for a in range(d):
                change[d * r + a] = (s.t[a] - s.e[a]) / (2.0 * step)
            x[j] = kept
            update_tangent_plane(p, x, i)
            update_node_stiffness(s, i)
        solve_dense_lu(s.J, s.order, d * count, change)
        for r in range(count):
            for a in range(d):
                total, row = 0.0, s.M[d * on[r] + a]
                for c in range(count):
                    for b in range(d):
                        total += row[d * on[c] + b] * change[d * c + b]
                room[d * r + a] = total
        for r in range(count):
            i = s.active[on[r]]
            for k in range(d):
                force, more = 0.0, 0.0
                for a in range(d):
                    force += x[d + d * k + a] * s.f[i, a]
                    more += x[d + d * k + a] * change[d * r + a]
                    if j == d + d * k + a:
                        more += s.f[i, a]
                out[n_x * k + j] -= more
                for l in range(d):
                    out[n_x * (d + d * k + l) + j] -= more * (s.X[i, l] + s.u[i, l]) + force * room[d * r + l]
    return True
