"""Forces of contacts: pose of the two bodies, surface, law and friction chained by numbers, one contact at a time.

    place, twist  = pose(q, v)                   of b in the frame of a
    gap, normal   = shape(place)
    F_n, F_t      = law(gap, gap'), friction(slip, stretch, F_n)
    w             = (F_n gap_at + P F_t, -R n x F_t)      force and moment on b in the frame of a
    Q             = twist_v^T w

The same in the plane and in space: all sizes follow from the dimension d.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.derive.interface import LAW, friction_size
from gaitwright.system.bristles import find_slip, find_stretch, remember
from gaitwright.system.invoke import behind, invoke
from gaitwright.system.placing import NOT_PLACED, placed_pose, spread
from gaitwright.system.touch import (
    ALONG,
    APPROACH,
    BY_LAW,
    DOF,
    ELASTIC,
    ENERGY,
    FORCE,
    FRAME_KERNEL,
    GAP,
    MAP,
    N_DOF,
    N_PAR,
    N_SIG,
    NORMAL,
    PAR,
    POWERS,
    RATE,
    REGION,
    SEEN,
    SHIFT,
    SIG,
    SLIPPED,
    SPEED,
    STRETCH,
    STRETCHED,
    SURFACE,
    SURFACE_REGION,
    TINY,
    WAY,
    elastic_energy,
    explicit_rate,
    explicit_slip,
    speed_of_slip,
    touching,
)

LIMIT = friction_size(2) - 1
"""Where the largest stretch stands in w.friction, in the plane."""


@compiled
def find_pose(s, w, c, q, v):
    """The pose of b in the frame of a, into w.pose. On a surface that deforms, b is known before the place next to it."""
    b = s.contacts
    if b.deforms != 0 and b.meeting[c, 0] >= 0:
        find_pose_of_places(s, w, c, q, v)
        invoke(b.meet[0], (s, w, c, q))
    find_pose_of_places(s, w, c, q, v)


@compiled
def find_pose_of_places(s, w, c, q, v):
    """The pose of b in the frame of a as the row of the contact has them, into w.pose."""
    b = s.contacts
    e, i = b.table[b.batch[c]], b.place[c]
    if b.placed != 0 and e[MAP] != NOT_PLACED:
        placed_pose(s, w, e, i, q, v)
        return
    dof, par = behind(b.dof, e[DOF] + e[N_DOF] * i), behind(b.par, e[PAR] + e[N_PAR] * i)
    sig = behind(b.sig, e[SIG] + e[N_SIG] * i)
    invoke(e[FRAME_KERNEL], (1, dof, par, sig, q, v, w.u, w.pose, w.twist))


@compiled
def see(s, w, c, q, v):
    """Pose, surface and slip velocity of contact c, into w.pose, w.surface and w.slip."""
    find_pose(s, w, c, q, v)
    find_surface(s, w, c)
    find_slip(s, w, c)


@compiled
def find_surface(s, w, c):
    """The surface at the pose in w, into w.surface."""
    b = s.contacts
    shape = behind(b.shape_par, b.shape_start[c])
    if b.field_start[c] >= 0:
        find_patch(s, w, c)
        shape = behind(w.patch, 0)
    invoke(b.shape[c, SURFACE], (1, shape, w.pose, w.surface))


@compiled
def find_patch(s, w, c):
    """Parameters of a surface that looks them up by the place in w.pose, into w.patch."""
    b = s.contacts
    size = b.shape_size[c]
    for k in range(size):
        w.patch[k] = b.shape_par[b.shape_start[c] + k]
    if b.look_up[c] != 0:
        invoke(b.look_up[c], (behind(b.field, b.field_start[c]), w.pose, behind(w.patch, size)))


@compiled
def rate_of_gap(s, w):
    d = s.contacts.dimension
    rate = 0.0
    for k in range(d):
        rate += w.surface[NORMAL + d + k] * w.pose[d + k]
    return rate


@compiled
def shift_of(s, w, c):
    """How far the surface is moved outwards for contact c, m."""
    return w.memory[s.contacts.memory * c + SHIFT] if s.contacts.by_gap[c] != 0 else 0.0


@compiled
def touch(s, w, c, q, v):
    """As touch.touch."""
    d = s.contacts.dimension
    b, f, law, given = s.contacts, w.frame, w.law, w.given
    see(s, w, c, q, v)
    f[GAP], f[RATE], f[REGION], f[STRETCHED] = w.surface[0], rate_of_gap(s, w), w.surface[SURFACE_REGION], 0.0
    if b.bristled[c] != 0:
        find_stretch(s, w, c)
        size = 0.0
        for k in range(d):
            size += w.stretch[k] * w.stretch[k]
        f[STRETCHED] = math.sqrt(size)
    gap = f[GAP] - shift_of(s, w, c)
    if gap > b.grain[0] or f[REGION] < 0.0 or b.law[c] == 0:
        for k in range(LAW):
            law[k] = 0.0
        rub_not(s, w)
        return
    weight = b.weight[c]
    given[0] = max(-gap, TINY)
    given[1] = -f[RATE]
    given[2] = max(w.memory[b.memory * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, behind(b.law_par, b.law_start[c]), given, law))
    if b.friction[c] != 0:
        rub(s, w, c, weight)
    else:
        rub_not(s, w)
    if weight != 1.0:
        for k in range(LAW):
            law[k] *= weight


@compiled
def rub(s, w, c, weight):
    """Tangential force and the largest stretch, into w.friction, in space together with its derivatives in slip, stretch and
    normal force. weight: of the contact; what comes by the normal force has it already."""
    b, given, out, slip, stretch = s.contacts, w.given, w.friction, w.slip, w.stretch
    par = behind(b.friction_par, b.friction_start[c])
    if b.dimension == 3:
        for k in range(3):
            given[k], given[3 + k] = slip[k], stretch[k]
        given[6] = w.law[FORCE]
        invoke(b.friction[c], (1, par, given, out))
        if weight != 1.0:
            for k in range(3 + 9 + 9):
                out[k] *= weight
    else:
        # There is one tangent, and friction is a number along it: with its derivatives in w.along (touch_tangents.py).
        t0, t1, along = w.surface[NORMAL + 1], -w.surface[NORMAL], w.along
        given[0], given[1] = t0 * slip[0] + t1 * slip[1], t0 * stretch[0] + t1 * stretch[1]
        given[2] = w.law[FORCE]
        invoke(b.friction[c], (1, par, given, along))
        for k in range(3):
            along[k] *= weight
        out[0], out[1], out[LIMIT] = along[0] * t0, along[0] * t1, along[4]


@compiled
def rub_not(s, w):
    """What `rub` writes where there is no friction."""
    if s.contacts.dimension == 3:
        for k in range(w.friction.size):
            w.friction[k] = 0.0
    else:
        w.friction[0] = w.friction[1] = w.friction[LIMIT] = 0.0
        for k in range(LAW):
            w.along[k] = 0.0


@compiled
def press(s, w, c, factor, total):
    """As touch.press."""
    set_wrench(s, w, c, factor)
    spread(s, w, c, total)


@compiled
def set_wrench(s, w, c, factor):
    """Force and moment on b of the forces in w.law and w.friction times a factor, into w.wrench, at the state last touched:
    f = F_n gap_at + P F_t, m = -R n x F_t."""
    d = s.contacts.dimension
    surface, force, wrench, radius = w.surface, w.friction, w.wrench, factor * s.contacts.radius[c]
    across = 0.0
    for k in range(d):
        across += surface[NORMAL + k] * force[k]
    for k in range(d):
        wrench[k] = factor * (w.law[FORCE] * surface[NORMAL + d + k] + force[k] - across * surface[NORMAL + k])
    if radius == 0.0:
        for k in range(d, s.contacts.twist):
            wrench[k] = 0.0
    elif d == 2:
        wrench[2] = -radius * (surface[NORMAL] * force[1] - surface[NORMAL + 1] * force[0])
    else:
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            wrench[3 + k] = -radius * (surface[NORMAL + i] * force[j] - surface[NORMAL + j] * force[i])


@compiled
def add_forces(s, w, q, v, total):
    """Q of all touching contacts, added to total."""
    for c in range(s.contacts.count):
        if touching(s, w, c) == BY_LAW:
            touch(s, w, c, q, v)
            press(s, w, c, 1.0, total)


@compiled
def add_powers(s, w, q, v, power):
    """As touch.contact_powers."""
    d = s.contacts.dimension
    for c in range(s.contacts.count):
        w.elastic[c] = 0.0
        for k in range(POWERS):
            power[POWERS * c + k] = 0.0
        if touching(s, w, c) != BY_LAW:
            continue
        shift = shift_of(s, w, c)
        moved = elastic_energy(s, w, c, -shift) if shift > 0.0 else 0.0
        touch(s, w, c, q, v)
        fn = w.law[FORCE]
        w.elastic[c] = w.law[ENERGY] - moved
        power[POWERS * c] = -(fn - w.law[ELASTIC]) * w.frame[RATE]
        power[POWERS * c + 2] = -fn * explicit_rate(s, w)
        for k in range(d):
            power[POWERS * c + 1] -= w.friction[k] * w.slip[k]
            power[POWERS * c + 2] -= w.friction[k] * explicit_slip(s, w, k)


@compiled
def observe(s, w, first, end, watched, q, v, out):
    """As touch.observe_contact, of several contacts; watched: of those with events alone. Pieces of one surface have one
    pose, which is found once."""
    b, known = s.contacts, -1
    for c in range(first, end):
        if watched and b.by_gap[c] != 0:
            continue
        if b.pose[c] != known:
            find_pose(s, w, c, q, v)
            known = b.pose[c]
        find_surface(s, w, c)
        observe_surface(s, w, c, out)


@compiled
def observe_surface(s, w, c, out):
    """What is seen of contact c at the pose and surface in w: of the slip only what bristles ask for. Where these stand
    straight, a tangent stands for their direction."""
    d = s.contacts.dimension
    k, z, memory, slip = SEEN * c, s.contacts.memory * c + STRETCH, w.memory, w.slip
    out[k + GAP], out[k + RATE], out[k + REGION] = w.surface[0], rate_of_gap(s, w), w.surface[SURFACE_REGION]
    out[k + SPEED] = out[k + ALONG] = 0.0
    if s.contacts.bristled[c] == 0:
        return
    find_slip(s, w, c)
    size = along = 0.0
    for i in range(d):
        size += memory[z + i] * memory[z + i]
        along += memory[z + i] * slip[i]
    if size == 0.0:
        n0, n1 = w.surface[NORMAL], w.surface[NORMAL + 1]
        size, along = n0 * n0 + n1 * n1, n1 * slip[0] - n0 * slip[1]
    out[k + SPEED], out[k + ALONG] = speed_of_slip(s, w), along / math.sqrt(size) if size > 0.0 else 0.0


@compiled
def begin(s, w, c, origin, q, v):
    """As touch.begin."""
    z, other = s.contacts.memory * c + STRETCH, s.contacts.memory * max(origin, 0) + STRETCH
    for k in range(s.contacts.dimension):
        w.memory[z + k] = w.memory[other + k] if origin >= 0 else 0.0
    see(s, w, c, q, v)
    remember(s, w, c)


@compiled
def slide(s, w, c):
    """As touch.slid."""
    b, way = s.contacts, find_stretch(s, w, c)
    if b.by_gap[c] == 0:
        way *= b.weight[c]
    elif w.surface[0] - shift_of(s, w, c) > b.grain[0]:
        way = 0.0
    w.frame[WAY] = way


@compiled
def advance(s, w, c, q, v):
    """As touch.advance."""
    b = s.contacts
    m = b.memory * c
    if b.bristled[c] != 0:
        touch(s, w, c, q, v)  # for the limit
    else:
        see(s, w, c, q, v)
    slide(s, w, c)
    w.memory[m + SLIPPED] += w.frame[WAY]
    part = 0.0
    if b.bristled[c] != 0:
        # What gave way is lost. Beyond its piece of the surface it has no force, so no limit.
        part, size, limit = 1.0, w.frame[STRETCHED], w.friction[w.friction.size - 1]
        if w.frame[REGION] >= 0.0 and size > 0.0:
            part = min(1.0, limit / size)
    for k in range(b.dimension):
        w.memory[m + STRETCH + k] = part * w.stretch[k]
    remember(s, w, c)
