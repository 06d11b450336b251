"""Derivatives of the force of a contact: by the chain rule through place, turning and twist.

    dF_n = -F_n,d dgap - F_n,d' dgap'        dF_t = F_t,N dF_n + F_t,slip dslip + F_t,z dz
    dw   = (gap_at dF_n + F_n dgap_at + d(P F_t), -R d(n x F_t))

Columns of dw: place and turning of b, then its velocity and spin. What the stretch changes by with place and turning is what
the slip changes by with velocity and spin; the curvature of the surface over the step is left out of it.
"""

from __future__ import annotations

from gaitwright.compiled import compiled
from gaitwright.system.bristles import add_cross
from gaitwright.system.invoke import behind, invoke
from gaitwright.system.placing import NOT_PLACED, placed_tangent
from gaitwright.system.touch import (
    BEND,
    BY_LAW,
    BY_PENETRATION,
    BY_RATE,
    DOF,
    FORCE,
    LANDING,
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
    TOUCHED,
    touch,
    touching,
)
from gaitwright.system.touch_forces import set_wrench


@compiled
def add_tangents(s, w, q, v):
    """-Q_q and -Q_v of all touching contacts."""
    for c in range(s.contacts.count):
        if touching(s, w, c) == BY_LAW:
            touch(s, w, c, q, v)
            if s.contacts.by_gap[c] != 0 and w.law[BY_PENETRATION] == 0.0:
                continue  # most points of a skin are open
            set_wrench(s, w, c, 1.0)
            add_contact_tangents(s, w, c, q, v)
            if s.contacts.deforms != 0 and s.contacts.meeting[c, 0] >= 0:
                invoke(s.contacts.meet[1], (s, w, c))


@compiled
def turn_friction(w):
    """In the plane, derivatives of friction along the tangent become those of a vector, as they are in space."""
    t0, t1, along, out = w.surface[NORMAL + 1], -w.surface[NORMAL], w.along, w.friction
    for k in range(2):  # by slip and stretch
        slope = along[1 + k]
        out[2 + 4 * k], out[5 + 4 * k] = slope * t0 * t0, slope * t1 * t1
        out[3 + 4 * k] = out[4 + 4 * k] = slope * t0 * t1
    out[10], out[11] = along[3] * t0, along[3] * t1


@compiled
def add_contact_tangents(s, w, c, q, v):
    """-Q_q and -Q_v of contact c, whose state was touched and whose wrench is in w.wrench."""
    b = s.contacts
    e, place = b.table[b.batch[c]], b.place[c]
    n, first, slot = e[N_DOF], e[DOF] + e[N_DOF] * place, behind(b.slot, e[SLOT] + e[N_SLOT] * place)
    dof, par = behind(b.dof, first), behind(b.par, e[PAR] + e[N_PAR] * place)
    sig = behind(b.sig, e[SIG] + e[N_SIG] * place)
    size = b.twist
    rows = size if b.radius[c] != 0.0 and b.friction[c] != 0 else b.dimension  # else no moment, and no spin that counts
    find_slopes(s, w, c)
    if b.placed != 0 and e[MAP] != NOT_PLACED:
        placed_tangent(s, w, e, place, rows, slot)
    else:
        invoke(e[TANGENT_KERNEL], (1, dof, par, sig, slot, q, v, w.u, w.wrench, w.twist_q, w.kq))
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
    d, size = b.dimension, b.twist
    shape = behind(b.shape_par, b.shape_start[c])
    if b.field_start[c] >= 0:
        shape = behind(w.patch, 0)
    invoke(b.shape[c, BEND], (1, shape, pose, bend))
    for j in range(d):
        # what the normal force does: with the place, and with the velocity
        gap, rate = surface[NORMAL + d + j], 0.0
        for i in range(d):
            rate += bend[d * i + j] * pose[d + i]
        placed, moved = -law[BY_PENETRATION] * gap - law[BY_RATE] * rate, -law[BY_RATE] * gap
        w.by_place[j], w.by_velocity[j] = placed, moved
        for i in range(d):
            slope[2 * size * i + j] = surface[NORMAL + d + i] * placed + law[FORCE] * bend[d * i + j]
            slope[2 * size * i + size + j] = surface[NORMAL + d + i] * moved
    if b.friction[c] != 0:
        for j in range(d, size):
            for i in range(d):
                slope[2 * size * i + j] = slope[2 * size * i + size + j] = 0.0
        add_friction_slopes(s, w, c)


@compiled
def add_friction_slopes(s, w, c):
    """What friction adds to the slopes."""
    b, bend, pose, surface = s.contacts, w.bend, w.pose, w.surface
    by_normal, by_slip, by_stretch = w.by_normal, w.by_slip, w.by_stretch
    d, size = b.dimension, b.twist
    radius, bristled = b.radius[c], b.bristled[c] != 0
    if d == 2:
        turn_friction(w)
    across = 0.0
    for i in range(d):
        across += surface[NORMAL + i] * pose[d + i]
    for j in range(d):
        # with the place
        turned = 0.0
        for i in range(d):
            by_normal[i] = bend[d * d + d * i + j]
            turned += by_normal[i] * pose[d + i]
        for i in range(d):
            by_slip[i] = -by_normal[i] * across - surface[NORMAL + i] * turned
            unit = (1.0 if i == j else 0.0) - surface[NORMAL + i] * surface[NORMAL + j]
            # what lands within the step is stretched by more of its way, too, the deeper it is
            grows = w.frame[LANDING] * w.stretch[i] * surface[NORMAL + d + j]
            by_stretch[i] = w.frame[TOUCHED] * unit + grows if bristled else 0.0
        if radius != 0.0:
            add_cross(s, -radius, pose, 2 * d, by_normal, 0, by_slip)
        fill_column(s, radius, j, w.by_place[j], w)
        # with the velocity
        for i in range(d):
            by_slip[i] = (1.0 if i == j else 0.0) - surface[NORMAL + i] * surface[NORMAL + j]
            by_normal[i] = by_stretch[i] = 0.0
        fill_column(s, radius, size + j, w.by_velocity[j], w)
    if radius == 0.0:
        return
    for j in range(size - d):
        # with turning and with spin; the normal stays
        for i in range(size - d):
            w.turn[i] = 1.0 if i == j else 0.0
        for i in range(d):
            by_normal[i] = by_slip[i] = by_stretch[i] = 0.0
        if bristled:
            add_cross(s, -radius, w.turn, 0, surface, NORMAL, by_stretch)
        fill_column(s, radius, d + j, 0.0, w)
        for i in range(d):
            by_stretch[i] = 0.0
        add_cross(s, -radius, w.turn, 0, surface, NORMAL, by_slip)
        fill_column(s, radius, size + d + j, 0.0, w)


@compiled
def fill_column(s, radius, column, normal, w):
    """What friction has in a column of w.slope, from the changes of normal force, normal, slip and stretch."""
    d, size = s.contacts.dimension, s.contacts.twist
    friction, surface, by_force, slope = w.friction, w.surface, w.by_force, w.slope
    by_normal, by_slip, by_stretch = w.by_normal, w.by_slip, w.by_stretch
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
        slope[2 * size * i + column] += by_force[i] - surface[NORMAL + i] * (across + turned) - by_normal[i] * held
    if radius == 0.0:
        return
    # the moment, -R n x F_t
    if d == 2:
        moment = surface[NORMAL] * by_force[1] - surface[NORMAL + 1] * by_force[0]
        moment += by_normal[0] * friction[1] - by_normal[1] * friction[0]
        slope[2 * size * 2 + column] = -radius * moment
    else:
        for i in range(3):
            k, l = (i + 1) % 3, (i + 2) % 3
            moment = surface[NORMAL + k] * by_force[l] - surface[NORMAL + l] * by_force[k]
            moment += by_normal[k] * friction[l] - by_normal[l] * friction[k]
            slope[2 * size * (3 + i) + column] = -radius * moment
