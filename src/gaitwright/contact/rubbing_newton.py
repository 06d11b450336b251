"""Newton's method for nodes that rub (rubbing.py): all of them at once, with who sticks and who slides as they are.

    sticks    s_n n (n . e) + s_t a = 0                        a = e - n (n . e) + h T        h = G s_n / (s_t N)
    slides    s_n n (n . e) + T - mu N y / |y| = 0             y = T - s_t a
    open      f = 0

s_n, s_t: stiffnesses of a node alone, by which lengths become forces; G: the gap of a node that came down in this step. The
residual r of a node depends on its own e and f, and e of all forces, so that the matrix is r_e C + r_f, the same for Newton's
step and for what the pose changes. It is not symmetric where nodes slide: LU factors with row exchange.

Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.dense_factors import factorise, solve

ROUNDING = 1e-13
OPEN, STICKS, SLIDES = range(3)
SET, ON, ROUNDS, STEPS = range(4)
"""How many nodes may touch, how many of them are not open; rounds of the last call, and Newton's steps of all."""


@compiled
def stiffen(s, i):
    """Of node i alone: what its projections take. Along the surface no more than its softest direction allows."""
    C, n, d, along, trace, least = s.C, s.n, s.n.shape[1], 0.0, 0.0, 0.0
    for a in range(d):
        trace += C[i, i, d * a + a]
        for b in range(d):
            along += n[i, a] * C[i, i, d * a + b] * n[i, b]
            least += C[i, i, d * a + b] * C[i, i, d * a + b]
    s.stiff[i, 0] = 1.0 / along
    s.stiff[i, 1] = 1.0 / min(math.sqrt(least), max(trace - along, ROUNDING * trace))


@compiled
def along_surface(s, i):
    """n . e, N, h s_t and |y| of a node; y into s.y."""
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


@compiled
def state_of(s, i, mu):
    gap, push, _, size = along_surface(s, i)
    N = push - s.stiff[i, 0] * gap
    if N <= 0.0:
        return OPEN
    return SLIDES if size > mu * N or mu == 0.0 else STICKS


@compiled
def residual(s, i, mu, out):
    """r of a node in the state that is known of it, N."""
    n, f, d = s.n, s.f, s.n.shape[1]
    gap, push, _, size = along_surface(s, i)
    for a in range(d):
        T = f[i, a] - push * n[i, a]
        if s.state[i] == OPEN:
            out[a] = f[i, a]
        elif s.state[i] == SLIDES:
            out[a] = s.stiff[i, 0] * gap * n[i, a] + T - (mu * push * s.y[a] / size if size > 0.0 else 0.0)
        else:
            out[a] = s.stiff[i, 0] * gap * n[i, a] + T - s.y[a]


@compiled
def slopes(s, i, mu):
    """r_e and r_f of a node, side by side in s.slope."""
    n, f, d, slope, state = s.n, s.f, s.n.shape[1], s.slope, s.state[i]
    _, push, hung, size = along_surface(s, i)
    part = mu * push / size if size > 0.0 else 0.0
    for a in range(d):
        for b in range(d):
            one, normal = 1.0 if a == b else 0.0, n[i, a] * n[i, b]
            if state == OPEN:
                slope[a, b], slope[a, d + b] = 0.0, one
                continue
            T = f[i, a] - push * n[i, a]
            pulled = hung * T * n[i, b] / push if push > 0.0 else 0.0
            if state == STICKS:
                slope[a, b] = s.stiff[i, 0] * normal + s.stiff[i, 1] * (one - normal)
                slope[a, d + b] = hung * (one - normal) - pulled
            else:
                turn, way = 0.0, 0.0  # of the direction of sliding, none where it does not slide at all
                if size > 0.0:
                    way = s.y[a] / size
                    turn = one - normal - way * s.y[b] / size
                across = 0.0
                for c in range(d):
                    across += (s.y[a] * s.y[c]) * (f[i, c] - push * n[i, c])
                across = (T - across / (size * size)) if size > 0.0 else 0.0  # T beside y
                bent = hung * across * n[i, b] / push if push > 0.0 else 0.0
                slope[a, b] = s.stiff[i, 0] * normal + part * s.stiff[i, 1] * turn
                slope[a, d + b] = one - normal - mu * way * n[i, b] - part * ((1.0 - hung) * turn + bent)


@compiled
def factor(s, mu):
    """LU factors of r_e C + r_f between the nodes of the set that are not open, in s.J; False where there are none."""
    J, M, slope, on, d, count = s.J, s.M, s.slope, s.on, s.n.shape[1], s.count[ON]
    for r in range(count):
        slopes(s, s.active[on[r]], mu)
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
    return factorise(J, s.order, d * count)


@compiled
def note_states(s, mu):
    """Who is open, sticks and slides, from forces and displacements of now; s.on: who is not open."""
    d, found = s.n.shape[1], 0
    for k in range(s.count[SET]):
        i = s.active[k]
        for a in range(d):
            s.u[i, a] = s.v[d * k + a]
        s.state[i] = state_of(s, i, mu)
        if s.state[i] != OPEN:
            s.on[found] = k
            found += 1
    s.count[ON] = found


@compiled
def newton(s, mu):
    """One step of all forces of the set; False where there is none."""
    d, count, on, x = s.n.shape[1], s.count[SET], s.on, s.x
    note_states(s, mu)
    for k in range(count):
        i = s.active[k]
        for a in range(d):
            s.kept[d * k + a] = s.f[i, a]
            if s.state[i] == OPEN:
                s.f[i, a] = 0.0
    move(s)
    for r in range(s.count[ON]):
        i = s.active[on[r]]
        for a in range(d):
            s.u[i, a] = s.v[d * on[r] + a]
        residual(s, i, mu, x[d * r : d * r + d])
    size = 0.0
    if factor(s, mu):
        s.count[STEPS] += 1
        solve(s.J, s.order, d * s.count[ON], x)
        for r in range(d * s.count[ON]):
            size += abs(x[r])
    else:
        size = math.inf
    if not size < math.inf:
        take_back(s)
        return False
    for r in range(s.count[ON]):
        i, push = s.active[on[r]], 0.0
        for a in range(d):
            s.f[i, a] -= x[d * r + a]
            push += s.n[i, a] * s.f[i, a]
        if not push > 0.0:
            for a in range(d):
                s.f[i, a] = 0.0
    move(s)
    return True


@compiled
def take_back(s):
    """The forces before a step of Newton's."""
    d = s.n.shape[1]
    for k in range(s.count[SET]):
        for a in range(d):
            s.f[s.active[k], a] = s.kept[d * k + a]
    move(s)


@compiled
def move(s):
    """Displacements of the set from its forces."""
    d, v, M, size = s.n.shape[1], s.v, s.M, s.n.shape[1] * s.count[SET]
    for r in range(size):
        v[r] = 0.0
    for k in range(s.count[SET]):
        for a in range(d):
            by, row = s.f[s.active[k], a], M[d * k + a]
            if by != 0.0:
                for r in range(size):
                    v[r] += by * row[r]
