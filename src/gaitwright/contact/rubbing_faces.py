"""What nodes that rub see of the surface below them, and what a change of the pose is to their forces. For symbols see
rubbing_solid.py.

On a plane, the residuals r of the nodes that touch (rubbing_newton.py) stay zero as the pose x changes, with who sticks and who
slides as they are:

    (r_e C + r_f) df/dx = -r_x        dF = dm f + m df        dQ_c = sum dF        dQ_m = sum dF (X + u)^T + F (C df)^T

r_x is of one node alone, from the normal and the place where it stood as the body sees them: by central differences.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.dense_factors import solve
from gaitwright.contact.rubbing import gather
from gaitwright.contact.rubbing_newton import ON, SET, factor, note_states, residual, stiffen
from gaitwright.system.invoke import invoke

SURFACE, LOOK_UP, FLAT, OWN = range(4)
"""Addresses of the surface and of what it looks up; whether it is a plane; how many numbers of its own it has."""
NUDGE = 1e-6
"""Of the size of the solid, and of a direction: differences by which tangents and the loss are found."""


@compiled
def look(p, x, i, moved):
    """The surface at node i, with its displacement or without, into p.seen."""
    d, X, u = p.d, p.soft.X, p.soft.u
    for k in range(d):
        p.at[k] = x[k]
        for l in range(d):
            p.at[k] += x[d + d * k + l] * (X[i, l] + (u[i, l] if moved else 0.0))
    if p.surface[LOOK_UP] != 0:
        invoke(p.surface[LOOK_UP], (p.field, p.at, p.shape[p.surface[OWN] :]))
    invoke(p.surface[SURFACE], (1, p.shape, p.at, p.seen))


@compiled
def face_node(p, x, i):
    """The tangent plane at a node: its normal, and how far the node is from where it stood."""
    s, d = p.soft, p.d
    look(p, x, i, True)
    gap, away, size = p.seen[0], 0.0, 0.0
    for a in range(d):
        s.n[i, a], back = 0.0, 0.0
        for k in range(d):
            s.n[i, a] += x[d + d * k + a] * p.seen[2 + k]
            back += x[d + d * k + a] * (p.stood[i, k] - x[k])
        s.e0[i, a] = s.X[i, a] - back
        size += s.n[i, a] * s.n[i, a]
    size = math.sqrt(size)
    for a in range(d):  # axes of an iteration need not be orthogonal: a normal has length one all the same
        s.n[i, a] /= size
        away += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
    for a in range(d):
        s.e0[i, a] += (gap - away) * s.n[i, a]
    s.G[i] = p.above[i]


@compiled
def face(p, x):
    """Tangent planes at all nodes."""
    for i in range(p.soft.X.shape[0]):
        face_node(p, x, i)


@compiled
def stiffness_on_plane(p, x, out):
    """V_xx at the forces that are known; False where the nodes that touch have no factors."""
    s, d = p.soft, p.d
    n_x, mu, change, room, on = d + d * d, p.friction[0], s.x, s.kept, s.on
    out[: n_x * n_x] = 0.0
    if s.count[SET] == 0:
        return True
    gather(s)
    note_states(s, mu)
    count = s.count[ON]
    if not factor(s, mu):
        return False
    for j in range(n_x):
        step, kept = NUDGE * (p.size[0] if j < d else 1.0), x[j]
        for r in range(count):
            i = s.active[on[r]]
            for side in range(2):
                x[j] = kept + (step if side == 0 else -step)
                face_node(p, x, i)
                stiffen(s, i)
                residual(s, i, mu, s.e if side == 0 else s.t)
            for a in range(d):
                change[d * r + a] = (s.t[a] - s.e[a]) / (2.0 * step)
            x[j] = kept
            face_node(p, x, i)
            stiffen(s, i)
        solve(s.J, s.order, d * count, change)
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
