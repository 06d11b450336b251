"""Derivatives of the contact force, by the chain rule through place, rotation and twist.

    dF_n = -F_n,d dgap - F_n,d' dgap'        dF_t = F_t,N dF_n + F_t,slip dslip + F_t,z dz
    dw   = (gap_at dF_n + F_n dgap_at + d(P F_t), -R d(n x F_t))

Columns of dw: place and rotation of b, then its velocity and spin. The deflection changes with place and rotation as the slip
changes with velocity and spin; the curvature of the surface over the step is neglected in it.
"""

from __future__ import annotations

from gaitwright.contact.bristles import add_cross_product
from gaitwright.contact.forces import set_wrench
from gaitwright.contact.marker_kinematics import NOT_ON_MARKERS, add_marker_tangent
from gaitwright.contact.state import (
    CONTACT_DOF_COLUMN,
    CONTACT_MAP_COLUMN,
    CONTACT_N_DOF_COLUMN,
    CONTACT_N_PAR_COLUMN,
    CONTACT_N_SIG_COLUMN,
    CONTACT_N_SLOT_COLUMN,
    CONTACT_PAR_COLUMN,
    CONTACT_SIG_COLUMN,
    CONTACT_SLOT_COLUMN,
    FRAME_TOUCHED_FRACTION,
    FRAME_TOUCHED_FRACTION_SLOPE,
    LAW_FORCE,
    LAW_FORCE_BY_PENETRATION,
    LAW_FORCE_BY_RATE,
    SURFACE_NORMAL,
    SURFACE_TANGENT_COLUMN,
    TANGENT_KERNEL_COLUMN,
    TOUCHING_BY_LAW,
    contact_status,
    evaluate_contact_force,
)
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to


@jit_compile
def add_tangents(s, w, q, v):
    """Add -Q_q and -Q_v of all touching contacts."""
    for c in range(s.contacts.count):
        if contact_status(s, w, c) == TOUCHING_BY_LAW:
            evaluate_contact_force(s, w, c, q, v)
            if s.contacts.by_gap[c] != 0 and w.law[LAW_FORCE_BY_PENETRATION] == 0.0:
                continue  # most points of a skin are open
            set_wrench(s, w, c, 1.0)
            add_contact_tangents(s, w, c, q, v)
            if s.contacts.deforms != 0 and s.contacts.meeting[c, 0] >= 0:
                call_address(s.contacts.meet[1], (s, w, c))


@jit_compile
def expand_planar_friction(w):
    """Convert planar derivatives of friction along the tangent to those of a vector, as in space."""
    t0, t1, along, out = w.surface[SURFACE_NORMAL + 1], -w.surface[SURFACE_NORMAL], w.along, w.friction
    for k in range(2):  # by slip and stretch
        slope = along[1 + k]
        out[2 + 4 * k], out[5 + 4 * k] = slope * t0 * t0, slope * t1 * t1
        out[3 + 4 * k] = out[4 + 4 * k] = slope * t0 * t1
    out[10], out[11] = along[3] * t0, along[3] * t1


@jit_compile
def add_contact_tangents(s, w, c, q, v):
    """Add -Q_q and -Q_v of contact c, after its evaluation, with its wrench in w.wrench."""
    b = s.contacts
    e, place = b.table[b.batch[c]], b.place[c]
    n = e[CONTACT_N_DOF_COLUMN]
    first = e[CONTACT_DOF_COLUMN] + e[CONTACT_N_DOF_COLUMN] * place
    slot = pointer_to(b.slot, e[CONTACT_SLOT_COLUMN] + e[CONTACT_N_SLOT_COLUMN] * place)
    dof, par = pointer_to(b.dof, first), pointer_to(b.par, e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * place)
    sig = pointer_to(b.sig, e[CONTACT_SIG_COLUMN] + e[CONTACT_N_SIG_COLUMN] * place)
    size = b.twist
    rows = size if b.radius[c] != 0.0 and b.friction[c] != 0 else b.dimension  # otherwise no moment
    compute_wrench_derivatives(s, w, c)
    if b.placed != 0 and e[CONTACT_MAP_COLUMN] != NOT_ON_MARKERS:
        add_marker_tangent(s, w, e, place, rows, slot)
    else:
        call_address(e[TANGENT_KERNEL_COLUMN], (1, dof, par, sig, slot, q, v, w.u, w.wrench, w.twist_q, w.kq))
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


@jit_compile
def compute_wrench_derivatives(s, w, c):
    """Compute the derivatives of the wrench into w.slope, row by row."""
    b, bend, pose, slope, surface, law = s.contacts, w.bend, w.pose, w.slope, w.surface, w.law
    d, size = b.dimension, b.twist
    shape = pointer_to(b.shape_par, b.shape_start[c])
    if b.field_start[c] >= 0:
        shape = pointer_to(w.patch, 0)
    call_address(b.shape[c, SURFACE_TANGENT_COLUMN], (1, shape, pose, bend))
    for j in range(d):
        # normal force: derivatives with respect to place and velocity
        gap, rate = surface[SURFACE_NORMAL + d + j], 0.0
        for i in range(d):
            rate += bend[d * i + j] * pose[d + i]
        placed = -law[LAW_FORCE_BY_PENETRATION] * gap - law[LAW_FORCE_BY_RATE] * rate
        moved = -law[LAW_FORCE_BY_RATE] * gap
        w.by_place[j], w.by_velocity[j] = placed, moved
        for i in range(d):
            slope[2 * size * i + j] = surface[SURFACE_NORMAL + d + i] * placed + law[LAW_FORCE] * bend[d * i + j]
            slope[2 * size * i + size + j] = surface[SURFACE_NORMAL + d + i] * moved
    if b.friction[c] != 0:
        for j in range(d, size):
            for i in range(d):
                slope[2 * size * i + j] = slope[2 * size * i + size + j] = 0.0
        add_friction_derivatives(s, w, c)


@jit_compile
def add_friction_derivatives(s, w, c):
    """Add the friction terms to the slopes."""
    b, bend, pose, surface = s.contacts, w.bend, w.pose, w.surface
    by_normal, by_slip, by_stretch = w.by_normal, w.by_slip, w.by_stretch
    d, size = b.dimension, b.twist
    radius, bristled = b.radius[c], b.bristled[c] != 0
    if d == 2:
        expand_planar_friction(w)
    across = 0.0
    for i in range(d):
        across += surface[SURFACE_NORMAL + i] * pose[d + i]
    for j in range(d):
        # derivatives with respect to the place
        turned = 0.0
        for i in range(d):
            by_normal[i] = bend[d * d + d * i + j]
            turned += by_normal[i] * pose[d + i]
        for i in range(d):
            by_slip[i] = -by_normal[i] * across - surface[SURFACE_NORMAL + i] * turned
            unit = (1.0 if i == j else 0.0) - surface[SURFACE_NORMAL + i] * surface[SURFACE_NORMAL + j]
            # after a touchdown within the step, the counted fraction of the displacement grows with the depth
            grows = w.frame[FRAME_TOUCHED_FRACTION_SLOPE] * w.stretch[i] * surface[SURFACE_NORMAL + d + j]
            by_stretch[i] = w.frame[FRAME_TOUCHED_FRACTION] * unit + grows if bristled else 0.0
        if radius != 0.0:
            add_cross_product(s, -radius, pose, 2 * d, by_normal, 0, by_slip)
        fill_friction_column(s, radius, j, w.by_place[j], w)
        # derivatives with respect to the velocity
        for i in range(d):
            by_slip[i] = (1.0 if i == j else 0.0) - surface[SURFACE_NORMAL + i] * surface[SURFACE_NORMAL + j]
            by_normal[i] = by_stretch[i] = 0.0
        fill_friction_column(s, radius, size + j, w.by_velocity[j], w)
    if radius == 0.0:
        return
    for j in range(size - d):
        # derivatives with respect to rotation and spin, with constant normal
        for i in range(size - d):
            w.turn[i] = 1.0 if i == j else 0.0
        for i in range(d):
            by_normal[i] = by_slip[i] = by_stretch[i] = 0.0
        if bristled:
            add_cross_product(s, -radius, w.turn, 0, surface, SURFACE_NORMAL, by_stretch)
        fill_friction_column(s, radius, d + j, 0.0, w)
        for i in range(d):
            by_stretch[i] = 0.0
        add_cross_product(s, -radius, w.turn, 0, surface, SURFACE_NORMAL, by_slip)
        fill_friction_column(s, radius, size + d + j, 0.0, w)


@jit_compile
def fill_friction_column(s, radius, column, normal, w):
    """Friction terms of a column of w.slope, from the changes of normal force, normal, slip and deflection."""
    d, size = s.contacts.dimension, s.contacts.twist
    friction, surface, by_force, slope = w.friction, w.surface, w.by_force, w.slope
    by_normal, by_slip, by_stretch = w.by_normal, w.by_slip, w.by_stretch
    across = normal_friction = turned_friction = 0.0
    for i in range(d):
        change = friction[d + 2 * d * d + i] * normal
        for k in range(d):
            change += friction[d + d * i + k] * by_slip[k] + friction[d + d * d + d * i + k] * by_stretch[k]
        by_force[i] = change
        across += surface[SURFACE_NORMAL + i] * change
        normal_friction += surface[SURFACE_NORMAL + i] * friction[i]
        turned_friction += by_normal[i] * friction[i]
    for i in range(d):
        slope[2 * size * i + column] += (
            by_force[i] - surface[SURFACE_NORMAL + i] * (across + turned_friction) - by_normal[i] * normal_friction
        )
    if radius == 0.0:
        return
    # the moment, -R n x F_t
    if d == 2:
        moment = surface[SURFACE_NORMAL] * by_force[1] - surface[SURFACE_NORMAL + 1] * by_force[0]
        moment += by_normal[0] * friction[1] - by_normal[1] * friction[0]
        slope[2 * size * 2 + column] = -radius * moment
    else:
        for i in range(3):
            k, l = (i + 1) % 3, (i + 2) % 3
            moment = surface[SURFACE_NORMAL + k] * by_force[l] - surface[SURFACE_NORMAL + l] * by_force[k]
            moment += by_normal[k] * friction[l] - by_normal[l] * friction[k]
            slope[2 * size * (3 + i) + column] = -radius * moment
