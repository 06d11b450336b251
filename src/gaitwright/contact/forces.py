"""Contact forces: pose of the two bodies, surface, law and friction, evaluated in a chain, one contact at a time.

    place, twist  = pose(q, v)                   of b in the frame of a
    gap, normal   = shape(place)
    F_n, F_t      = law(gap, gap'), friction(slip, stretch, F_n)
    w             = (F_n gap_at + P F_t, -R n x F_t)      force and moment on b in the frame of a
    Q             = twist_v^T w

The same in the plane and in space: all sizes follow from the dimension d.
"""

from __future__ import annotations

import math

from gaitwright.contact.bristles import find_slip, find_stretch, store_step_start
from gaitwright.contact.marker_kinematics import NOT_ON_MARKERS, add_wrench_forces, find_marker_pose
from gaitwright.contact.state import (
    CONTACT_DOF_COLUMN,
    CONTACT_MAP_COLUMN,
    CONTACT_N_DOF_COLUMN,
    CONTACT_N_PAR_COLUMN,
    CONTACT_N_SIG_COLUMN,
    CONTACT_PAR_COLUMN,
    CONTACT_SIG_COLUMN,
    FRAME_KERNEL_COLUMN,
    FRAME_SLIP_DISTANCE,
    FRAME_STRETCH_SIZE,
    LAW_ELASTIC_FORCE,
    LAW_ENERGY,
    LAW_FORCE,
    MEMORY_APPROACH_SPEED,
    MEMORY_SLIP_DISTANCE,
    MEMORY_STRETCH,
    MEMORY_SURFACE_SHIFT,
    MIN_PENETRATION_M,
    POWERS_PER_CONTACT,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_REGION,
    STATE_SIZE,
    STATE_SLIP_ALONG_STRETCH,
    STATE_SLIP_SPEED,
    SURFACE_KERNEL_COLUMN,
    SURFACE_NORMAL,
    SURFACE_REGION,
    TOUCHING_BY_LAW,
    contact_status,
    elastic_energy,
    slip_speed,
    surface_gap_rate,
    surface_slip_component,
)
from gaitwright.derive.kernel_interface import LAW_SIZE, friction_size
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to

STRETCH_LIMIT_INDEX = friction_size(2) - 1
"""Index of the largest deflection in w.friction, in the plane."""


@jit_compile
def find_pose(s, w, c, q, v):
    """Pose of b in the frame of a, into w.pose. On a deformable surface, b is computed before the closest place."""
    b = s.contacts
    if b.deforms != 0 and b.meeting[c, 0] >= 0:
        find_pose_from_row(s, w, c, q, v)
        call_address(b.meet[0], (s, w, c, q))
    find_pose_from_row(s, w, c, q, v)


@jit_compile
def find_pose_from_row(s, w, c, q, v):
    """Pose of b in the frame of a from the data in the row of the contact, into w.pose."""
    b = s.contacts
    e, i = b.table[b.batch[c]], b.place[c]
    if b.placed != 0 and e[CONTACT_MAP_COLUMN] != NOT_ON_MARKERS:
        find_marker_pose(s, w, e, i, q, v)
        return
    dof = pointer_to(b.dof, e[CONTACT_DOF_COLUMN] + e[CONTACT_N_DOF_COLUMN] * i)
    par = pointer_to(b.par, e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * i)
    sig = pointer_to(b.sig, e[CONTACT_SIG_COLUMN] + e[CONTACT_N_SIG_COLUMN] * i)
    call_address(e[FRAME_KERNEL_COLUMN], (1, dof, par, sig, q, v, w.u, w.pose, w.twist))


@jit_compile
def find_contact_state(s, w, c, q, v):
    """Compute pose, surface and slip velocity of contact c, into w.pose, w.surface and w.slip."""
    find_pose(s, w, c, q, v)
    find_surface(s, w, c)
    find_slip(s, w, c)


@jit_compile
def find_surface(s, w, c):
    """Evaluate the surface at the pose in w, into w.surface."""
    b = s.contacts
    shape = pointer_to(b.shape_par, b.shape_start[c])
    if b.field_start[c] >= 0:
        find_surface_parameters(s, w, c)
        shape = pointer_to(w.patch, 0)
    call_address(b.shape[c, SURFACE_KERNEL_COLUMN], (1, shape, w.pose, w.surface))


@jit_compile
def find_surface_parameters(s, w, c):
    """Parameters of a surface with a lookup table, for the place in w.pose, into w.patch."""
    b = s.contacts
    size = b.shape_size[c]
    for k in range(size):
        w.patch[k] = b.shape_par[b.shape_start[c] + k]
    if b.look_up[c] != 0:
        call_address(b.look_up[c], (pointer_to(b.field, b.field_start[c]), w.pose, pointer_to(w.patch, size)))


@jit_compile
def compute_gap_rate(s, w):
    """Rate of the gap, m/s, at the pose and surface in w."""
    d = s.contacts.dimension
    rate = 0.0
    for k in range(d):
        rate += w.surface[SURFACE_NORMAL + d + k] * w.pose[d + k]
    return rate


@jit_compile
def surface_shift(s, w, c):
    """Outward displacement of the surface for contact c, m."""
    return w.memory[s.contacts.memory * c + MEMORY_SURFACE_SHIFT] if s.contacts.by_gap[c] != 0 else 0.0


@jit_compile
def compute_contact_force(s, w, c, q, v):
    """Implementation of state.evaluate_contact_force."""
    d = s.contacts.dimension
    b, f, law, given = s.contacts, w.frame, w.law, w.given
    find_contact_state(s, w, c, q, v)
    f[STATE_GAP], f[STATE_GAP_RATE], f[STATE_REGION], f[FRAME_STRETCH_SIZE] = (
        w.surface[0],
        compute_gap_rate(s, w),
        w.surface[SURFACE_REGION],
        0.0,
    )
    if b.bristled[c] != 0:
        find_stretch(s, w, c)
        size = 0.0
        for k in range(d):
            size += w.stretch[k] * w.stretch[k]
        f[FRAME_STRETCH_SIZE] = math.sqrt(size)
    gap = f[STATE_GAP] - surface_shift(s, w, c)
    if gap > b.grain[0] or f[STATE_REGION] < 0.0 or b.law[c] == 0:
        for k in range(LAW_SIZE):
            law[k] = 0.0
        clear_friction(s, w)
        return
    weight = b.weight[c]
    given[0] = max(-gap, MIN_PENETRATION_M)
    given[1] = -f[STATE_GAP_RATE]
    given[2] = max(w.memory[b.memory * c + MEMORY_APPROACH_SPEED], b.slowest[c])
    call_address(b.law[c], (1, pointer_to(b.law_par, b.law_start[c]), given, law))
    if b.friction[c] != 0:
        compute_friction(s, w, c, weight)
    else:
        clear_friction(s, w)
    if weight != 1.0:
        for k in range(LAW_SIZE):
            law[k] *= weight


@jit_compile
def compute_friction(s, w, c, weight):
    """Tangential force and the largest deflection, into w.friction, in space together with its derivatives with respect to
    slip, deflection and normal force. weight: of the contact; terms that contain the normal force already include it."""
    b, given, out, slip, stretch = s.contacts, w.given, w.friction, w.slip, w.stretch
    par = pointer_to(b.friction_par, b.friction_start[c])
    if b.dimension == 3:
        for k in range(3):
            given[k], given[3 + k] = slip[k], stretch[k]
        given[6] = w.law[LAW_FORCE]
        call_address(b.friction[c], (1, par, given, out))
        if weight != 1.0:
            for k in range(3 + 9 + 9):
                out[k] *= weight
    else:
        # There is one tangent, and friction is a number along it, with its derivatives in w.along (tangents.py).
        t0, t1, along = w.surface[SURFACE_NORMAL + 1], -w.surface[SURFACE_NORMAL], w.along
        given[0], given[1] = t0 * slip[0] + t1 * slip[1], t0 * stretch[0] + t1 * stretch[1]
        given[2] = w.law[LAW_FORCE]
        call_address(b.friction[c], (1, par, given, along))
        for k in range(3):
            along[k] *= weight
        out[0], out[1], out[STRETCH_LIMIT_INDEX] = along[0] * t0, along[0] * t1, along[4]


@jit_compile
def clear_friction(s, w):
    """Set the outputs of `compute_friction` to zero for a contact without friction."""
    if s.contacts.dimension == 3:
        for k in range(w.friction.size):
            w.friction[k] = 0.0
    else:
        w.friction[0] = w.friction[1] = w.friction[STRETCH_LIMIT_INDEX] = 0.0
        for k in range(LAW_SIZE):
            w.along[k] = 0.0


@jit_compile
def apply_contact_force(s, w, c, factor, total):
    """Implementation of state.add_contact_force."""
    set_wrench(s, w, c, factor)
    add_wrench_forces(s, w, c, total)


@jit_compile
def set_wrench(s, w, c, factor):
    """Force and moment on b of the forces in w.law and w.friction times a factor, into w.wrench, at the state of the last
    evaluation: f = F_n gap_at + P F_t, m = -R n x F_t."""
    d = s.contacts.dimension
    surface, force, wrench, radius = w.surface, w.friction, w.wrench, factor * s.contacts.radius[c]
    across = 0.0
    for k in range(d):
        across += surface[SURFACE_NORMAL + k] * force[k]
    for k in range(d):
        wrench[k] = factor * (
            w.law[LAW_FORCE] * surface[SURFACE_NORMAL + d + k] + force[k] - across * surface[SURFACE_NORMAL + k]
        )
    if radius == 0.0:
        for k in range(d, s.contacts.twist):
            wrench[k] = 0.0
    elif d == 2:
        wrench[2] = -radius * (surface[SURFACE_NORMAL] * force[1] - surface[SURFACE_NORMAL + 1] * force[0])
    else:
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            wrench[3 + k] = -radius * (surface[SURFACE_NORMAL + i] * force[j] - surface[SURFACE_NORMAL + j] * force[i])


@jit_compile
def add_forces(s, w, q, v, total):
    """Add Q of all touching contacts to total."""
    for c in range(s.contacts.count):
        if contact_status(s, w, c) == TOUCHING_BY_LAW:
            compute_contact_force(s, w, c, q, v)
            apply_contact_force(s, w, c, 1.0, total)


@jit_compile
def add_powers(s, w, q, v, power):
    """Implementation of state.evaluate_contact_powers."""
    d = s.contacts.dimension
    for c in range(s.contacts.count):
        w.elastic[c] = 0.0
        for k in range(POWERS_PER_CONTACT):
            power[POWERS_PER_CONTACT * c + k] = 0.0
        if contact_status(s, w, c) != TOUCHING_BY_LAW:
            continue
        shift = surface_shift(s, w, c)
        moved = elastic_energy(s, w, c, -shift) if shift > 0.0 else 0.0
        compute_contact_force(s, w, c, q, v)
        fn = w.law[LAW_FORCE]
        w.elastic[c] = w.law[LAW_ENERGY] - moved
        power[POWERS_PER_CONTACT * c] = -(fn - w.law[LAW_ELASTIC_FORCE]) * w.frame[STATE_GAP_RATE]
        power[POWERS_PER_CONTACT * c + 2] = -fn * surface_gap_rate(s, w)
        for k in range(d):
            power[POWERS_PER_CONTACT * c + 1] -= w.friction[k] * w.slip[k]
            power[POWERS_PER_CONTACT * c + 2] -= w.friction[k] * surface_slip_component(s, w, k)


@jit_compile
def observe_range(s, w, first, end, watched, q, v, out):
    """Implementation of state.observe_contact for several contacts; watched: only those with events. Pieces of one surface
    share a pose, which is evaluated once."""
    b, current_pose = s.contacts, -1
    for c in range(first, end):
        if watched and b.by_gap[c] != 0:
            continue
        if b.pose[c] != current_pose:
            find_pose(s, w, c, q, v)
            current_pose = b.pose[c]
        find_surface(s, w, c)
        observe_surface(s, w, c, out)


@jit_compile
def observe_surface(s, w, c, out):
    """Observed state of contact c at the pose and surface in w; slip only for bristles. For undeflected bristles, a tangent
    is used as their direction."""
    d = s.contacts.dimension
    k, z, memory, slip = STATE_SIZE * c, s.contacts.memory * c + MEMORY_STRETCH, w.memory, w.slip
    out[k + STATE_GAP], out[k + STATE_GAP_RATE], out[k + STATE_REGION] = (
        w.surface[0],
        compute_gap_rate(s, w),
        w.surface[SURFACE_REGION],
    )
    out[k + STATE_SLIP_SPEED] = out[k + STATE_SLIP_ALONG_STRETCH] = 0.0
    if s.contacts.bristled[c] == 0:
        return
    find_slip(s, w, c)
    size = along = 0.0
    for i in range(d):
        size += memory[z + i] * memory[z + i]
        along += memory[z + i] * slip[i]
    if size == 0.0:
        n0, n1 = w.surface[SURFACE_NORMAL], w.surface[SURFACE_NORMAL + 1]
        size, along = n0 * n0 + n1 * n1, n1 * slip[0] - n0 * slip[1]
    out[k + STATE_SLIP_SPEED], out[k + STATE_SLIP_ALONG_STRETCH] = (
        slip_speed(s, w),
        along / math.sqrt(size) if size > 0.0 else 0.0,
    )


@jit_compile
def start_contact(s, w, c, origin, q, v):
    """Implementation of state.begin_contact."""
    z, origin_stretch = s.contacts.memory * c + MEMORY_STRETCH, s.contacts.memory * max(origin, 0) + MEMORY_STRETCH
    for k in range(s.contacts.dimension):
        w.memory[z + k] = w.memory[origin_stretch + k] if origin >= 0 else 0.0
    find_contact_state(s, w, c, q, v)
    store_step_start(s, w, c)


@jit_compile
def compute_step_slip(s, w, c):
    """Implementation of state.step_slip_distance."""
    b, distance = s.contacts, find_stretch(s, w, c)
    if b.by_gap[c] == 0:
        distance *= b.weight[c]
    elif w.surface[0] - surface_shift(s, w, c) > b.grain[0]:
        distance = 0.0
    w.frame[FRAME_SLIP_DISTANCE] = distance


@jit_compile
def finish_contact_step(s, w, c, q, v):
    """Implementation of state.advance_contact."""
    b = s.contacts
    m = b.memory * c
    if b.bristled[c] != 0:
        compute_contact_force(s, w, c, q, v)  # for the deflection limit
    else:
        find_contact_state(s, w, c, q, v)
    compute_step_slip(s, w, c)
    w.memory[m + MEMORY_SLIP_DISTANCE] += w.frame[FRAME_SLIP_DISTANCE]
    kept_fraction = 0.0
    if b.bristled[c] != 0:
        # The deflection above the limit is lost. Beyond its piece of the surface a contact has no force, so no limit.
        kept_fraction, size, limit = 1.0, w.frame[FRAME_STRETCH_SIZE], w.friction[w.friction.size - 1]
        if w.frame[STATE_REGION] >= 0.0 and size > 0.0:
            kept_fraction = min(1.0, limit / size)
    for k in range(b.dimension):
        w.memory[m + MEMORY_STRETCH + k] = kept_fraction * w.stretch[k]
    store_step_start(s, w, c)
