"""Derivatives of the force of a contact: by the chain rule through place, turning and twist.

    dF_n = -F_n,d dgap - F_n,d' dgap'        dF_t = F_t,N dF_n + F_t,slip dslip + F_t,z dz
    dw   = (gap_at dF_n + F_n dgap_at + d(P F_t), -R d(n x F_t))

Columns of dw: place and turning of b, then its velocity and spin. What the stretch changes by with place and turning is what
the slip changes by with velocity and spin; the curvature of the surface over the step is left out of it.
"""

from __future__ import annotations

from gaitwright.compiled import compiled
from gaitwright.system.bristles import add_cross
from gaitwright.system.invoke import invoke
from gaitwright.system.placing import NOT_PLACED, placed_tangent
from gaitwright.system.touch import (
    BY_PENETRATION,
    BY_RATE,
    DOF,
    FORCE,
    MAP,
    N_DOF,
    N_PAR,
    N_SIG,
    N_SLOT,
    NORMAL,
    PAR,
    SIG,
    SLOT,
    TANGENT_KERNEL,
)

SURFACE, BEND = range(2)
"""Columns of Contacts.shape: kernels of the surface and of its derivatives."""


@compiled
def add_contact_tangents(s, w, c, q, v):
    """-Q_q and -Q_v of contact c, whose state was touched and whose wrench is in w.wrench."""
    b = s.contacts
    e, place = b.table[b.batch[c]], b.place[c]
    n, first, slot = e[N_DOF], e[DOF] + e[N_DOF] * place, b.slot[e[SLOT] + e[N_SLOT] * place :]
    dof, par, sig = b.dof[first:], b.par[e[PAR] + e[N_PAR] * place :], b.sig[e[SIG] + e[N_SIG] * place :]
    find_slopes(s, w, c)
    if e[MAP] != NOT_PLACED:
        placed_tangent(s, w, e, place, b.twist if b.radius[c] != 0.0 else b.dimension, slot)
    else:
        invoke(e[TANGENT_KERNEL], (1, dof, par, sig, slot, q, v, w.u, w.wrench, w.twist_q, w.kq))
    size = b.twist
    rows = size if b.radius[c] != 0.0 else b.dimension  # a point has no moment
    in_v, by_v, by_q, slope, change, kq, kv = size * n, w.twist, w.twist_q, w.slope, w.change, w.kq, w.kv
    for j in range(n):
        if dof[j] == s.n:
            continue
        for k in range(rows):
            position = velocity = 0.0
            for i in range(rows):
                position += slope[2 * size * k + i] * by_v[n * i + j]
                position += slope[2 * size * k + size + i] * by_q[n * i + j]
                velocity += slope[2 * size * k + size + i] * by_v[n * i + j]
            change[n * k + j], change[in_v + n * k + j] = position, velocity
    for i in range(n):
        if dof[i] == s.n:
            continue
        for j in range(n):
            if dof[j] == s.n:
                continue
            position = velocity = 0.0
            for k in range(rows):
                position += by_v[n * k + i] * change[n * k + j]
                velocity += by_v[n * k + i] * change[in_v + n * k + j]
            kq[slot[n * i + j]] -= position
            kv[slot[n * i + j]] -= velocity


@compiled
def find_slopes(s, w, c):
    """Derivatives of the wrench into w.slope, row by row."""
    b, bend, pose, slope, surface, law = s.contacts, w.bend, w.pose, w.slope, w.surface, w.law
    by_normal, by_slip, by_stretch = w.by_normal, w.by_slip, w.by_stretch
    d, size, radius, bristled = b.dimension, b.twist, b.radius[c], b.bristled[c] != 0
    if b.field_start[c] >= 0:
        invoke(b.shape[c, BEND], (1, w.patch, pose, bend))
    else:
        invoke(b.shape[c, BEND], (1, b.shape_par[b.shape_start[c] :], pose, bend))
    across = 0.0
    for i in range(d):
        across += surface[NORMAL + i] * pose[d + i]
    for j in range(size if radius != 0.0 else d):
        # with place or turning
        for i in range(d):
            by_normal[i] = by_slip[i] = by_stretch[i] = 0.0
        gap = rate = 0.0
        if j < d:
            gap, turned = surface[NORMAL + d + j], 0.0
            for i in range(d):
                rate += bend[d * i + j] * pose[d + i]
                by_normal[i] = bend[d * d + d * i + j]
                turned += by_normal[i] * pose[d + i]
            for i in range(d):
                by_slip[i] -= by_normal[i] * across + surface[NORMAL + i] * turned
            if radius != 0.0:
                add_cross(d, -radius, pose, 2 * d, by_normal, 0, by_slip)
        if bristled:
            add_unit_slip(d, radius, j, surface, w.turn, by_stretch)
        fill_column(d, size, radius, j, gap, rate, w)
        if j < d:
            for i in range(d):
                slope[2 * size * i + j] += law[FORCE] * bend[d * i + j]
        # with velocity or spin
        for i in range(d):
            by_normal[i] = by_slip[i] = by_stretch[i] = 0.0
        add_unit_slip(d, radius, j, surface, w.turn, by_slip)
        fill_column(d, size, radius, size + j, 0.0, surface[NORMAL + d + j] if j < d else 0.0, w)


@compiled
def add_unit_slip(d, radius, j, surface, turn, out):
    """The slip that a velocity or spin of 1 along j makes."""
    if j < d:
        for i in range(d):
            out[i] -= surface[NORMAL + i] * surface[NORMAL + j]
        out[j] += 1.0
        return
    for i in range(turn.size):
        turn[i] = 0.0
    turn[j - d] = 1.0
    add_cross(d, -radius, turn, 0, surface, NORMAL, out)


@compiled
def fill_column(d, size, radius, column, gap, rate, w):
    """A column of w.slope, from the changes of gap, rate, normal, slip and stretch."""
    friction, surface, by_force, slope = w.friction, w.surface, w.by_force, w.slope
    by_normal, by_slip, by_stretch = w.by_normal, w.by_slip, w.by_stretch
    normal = -w.law[BY_PENETRATION] * gap - w.law[BY_RATE] * rate
    across = held = turned = 0.0
    for i in range(d):
        change = friction[d + 2 * d * d + i] * normal
        for k in range(d):
            change += friction[d + d * i + k] * by_slip[k] + friction[d + d * d + d * i + k] * by_stretch[k]
        by_force[i] = change
        across += surface[NORMAL + i] * change
        held += surface[NORMAL + i] * friction[i]
        turned += by_normal[i] * friction[i]
    for i in range(d):
        slope[2 * size * i + column] = (
            surface[NORMAL + d + i] * normal
            + by_force[i]
            - surface[NORMAL + i] * (across + turned)
            - by_normal[i] * held
        )
    if radius == 0.0:
        return
    # the moment, -R n x F_t
    if d == 2:
        moment = surface[NORMAL] * by_force[1] - surface[NORMAL + 1] * by_force[0]
        moment += by_normal[0] * friction[1] - by_normal[1] * friction[0]
        slope[2 * size * 2 + column] = -radius * moment
        return
    for i in range(3):
        k, l = (i + 1) % 3, (i + 2) % 3
        moment = surface[NORMAL + k] * by_force[l] - surface[NORMAL + l] * by_force[k]
        moment += by_normal[k] * friction[l] - by_normal[l] * friction[k]
        slope[2 * size * (3 + i) + column] = -radius * moment
