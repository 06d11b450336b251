"""Forces of contacts in space: pose of the two bodies, surface, law and friction chained by numbers, one contact at a time.

    place, twist  = pose(q, v)                   of b in the frame of a
    gap, slip, .. = shape(place, twist)
    F_n, F_t      = law(gap, gap'), friction(slip, stretch, F_n)
    w             = F_n gap_at + slip_twist^T F_t         force and moment on b in the frame of a
    Q             = twist_v^T w

The slip is a vector that no coordinate integrates: a ball that rolls round a triangle comes back turned. The stretch of
bristles, z' = slip in the frame of a, is therefore integrated along the step by the trapezoidal rule from its begin,
z = z0 + (t - t0) (slip0 + slip) / 2, and kept in the memory. At rest (statics) it is the slip that goes with the
displacement q - q0 from the pose in which the bristles stood straight.

What is in w is laid out as in the plane (touch.py), where that has a meaning.
"""

from __future__ import annotations

import math
from typing import Any

from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.derive.interface import CONTACT, FRAME, SEEN, TWIST
from gaitwright.system.evaluate import MEMORY_IN_SPACE
from gaitwright.system.invoke import invoke
from gaitwright.system.touch import (
    APPROACH,
    BY_LAW,
    BY_PENETRATION,
    BY_RATE,
    DOF,
    ELASTIC,
    ENERGY,
    FORCE,
    FRAME_KERNEL,
    GAP,
    GAP_KERNEL,
    GAP_T,
    MEMORY,
    N_DOF,
    N_PAR,
    N_SIG,
    N_SLOT,
    PAR,
    POWERS,
    RATE,
    REALS,
    REGION,
    SIG,
    SLIDE,
    SLIP,
    SLIPPED,
    SLOT,
    STATE,
    TANGENT_KERNEL,
    TINY,
    TOUCHING,
    as_system,
    as_work,
)

# What `pose` writes: place, twist, explicit part of the velocity, place of b in the ground frame, axes of a
PLACE, VELOCITY, SPIN, EXPLICIT, POINT, AXES = 0, 3, 6, 9, 12, 15
# What a shape writes: gap, gap', region, slip, normal; gradient of the gap; rows of d slip/d twist
SLIP_IN_SPACE, NORMAL_IN_SPACE, GRADIENT, ROWS = 3, 6, SEEN, SEEN + 3
SHAPE_GAP, SHAPE_FRAME, SHAPE_TANGENT = range(3)
# What friction writes
BY_SLIP, BY_STRETCH, BY_NORMAL = 3, 12, 21
# Memory behind that of touch.py: stretch, slip and time at the begin of the step (-inf: at rest, for statics), and from
# methods that compute impulses the mean tangential force; vectors in the frame of a
STRETCH, SLIP_BEGIN, TIME_BEGIN, TANGENTIAL = 0, 3, 6, 7
AT_REST = -math.inf
STRETCHED = FRAME
"""Where `touch` leaves the size of the stretch in w.frame."""


@compiled
def extra(s, c):
    """Where the memory of contact c goes on."""
    return MEMORY * s.contacts.count + MEMORY_IN_SPACE * c


@compiled
def pose(s, w, c, q, v):
    """Where b is in the frame of a, and the parameters of the surface there."""
    b = s.contacts
    e, i = b.table[b.batch[c]], b.place[c]
    dof, par, sig = b.dof[e[DOF] + e[N_DOF] * i :], b.par[e[PAR] + e[N_PAR] * i :], b.sig[e[SIG] + e[N_SIG] * i :]
    invoke(e[GAP_KERNEL], (1, dof, par, sig, q, v, w.u, w.pose))
    size = b.shape_size[c]
    for k in range(size):
        w.patch[k] = b.shape_par[b.shape_start[c] + k]
    if b.field_start[c] >= 0:
        look_up(b.field[b.field_start[c] :], w.pose[PLACE], w.pose[PLACE + 1], w.patch[size:])


@compiled
def nearest_cell(u, count):
    """The cell that u, in cells from the first, lies in. Compared before it becomes an integer: NaN and numbers beyond all
    integers, which a run gone wrong asks for, would become any index."""
    if u >= count:
        return count - 1
    return int(u) if u > 0.0 else 0


@compiled
def look_up(field, x, y, patch):
    """The cell of a terrain at (x, y): its corner and its coefficients. Beyond the grid, the nearest."""
    nx, ny = int(field[0]), int(field[1])
    i, j = nearest_cell((x - field[2]) / field[4], nx), nearest_cell((y - field[3]) / field[5], ny)
    patch[0], patch[1] = field[2] + i * field[4], field[3] + j * field[5]
    first = 6 + 16 * (ny * i + j)
    for k in range(16):
        patch[2 + k] = field[first + k]


@compiled
def moved(s, w, q):
    """The displacement since the bristles stood straight, into w.moved."""
    first = extra(s, s.contacts.count)
    for i in range(s.n):
        w.moved[i] = q[i] - w.memory[first + i]
    w.moved[s.n] = 0.0


@compiled
def touch(s, w, c, q, v):
    """As touch.touch; F_t stays in w.friction, in the frame of a."""
    b, x = s.contacts, extra(s, c)
    z0, z1, z2 = w.memory[x], w.memory[x + 1], w.memory[x + 2]
    at_rest = w.memory[x + TIME_BEGIN] == AT_REST
    if at_rest:
        moved(s, w, q)
        pose(s, w, c, q, w.moved)
        invoke(b.shape[c, SHAPE_GAP], (1, w.patch, w.pose, w.surface))
        z0, z1, z2 = (z0 + w.surface[SLIP_IN_SPACE], z1 + w.surface[SLIP_IN_SPACE + 1],
                      z2 + w.surface[SLIP_IN_SPACE + 2])  # fmt: skip
    pose(s, w, c, q, v)
    invoke(b.shape[c, SHAPE_FRAME], (1, w.patch, w.pose, w.surface))
    f, surface = w.frame, w.surface
    f[GAP], f[RATE], f[REGION], f[SLIDE] = surface[0], surface[1], surface[2], 0.0
    f[GAP_T] = 0.0
    for k in range(3):
        f[GAP_T] += surface[GRADIENT + k] * w.pose[EXPLICIT + k]
    w.law[:] = 0.0
    w.friction[:] = 0.0
    v0, v1, v2 = surface[SLIP_IN_SPACE], surface[SLIP_IN_SPACE + 1], surface[SLIP_IN_SPACE + 2]
    f[SLIP] = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if not at_rest:
        half = 0.5 * (w.clock[0] - w.memory[x + TIME_BEGIN])
        z0 += half * (w.memory[x + SLIP_BEGIN] + v0)
        z1 += half * (w.memory[x + SLIP_BEGIN + 1] + v1)
        z2 += half * (w.memory[x + SLIP_BEGIN + 2] + v2)
    f[STRETCHED] = math.sqrt(z0 * z0 + z1 * z1 + z2 * z2)
    f[STRETCHED + 1], f[STRETCHED + 2], f[STRETCHED + 3] = z0, z1, z2
    if f[GAP] > b.grain[0] or f[REGION] < 0.0 or b.law[c] == 0:
        return
    w.given[0] = max(-f[GAP], TINY)
    w.given[1] = -f[RATE]
    w.given[2] = max(w.memory[MEMORY * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, b.law_par[b.law_start[c] :], w.given, w.law))
    if b.friction[c] == 0:
        return
    w.given[0], w.given[1], w.given[2] = v0, v1, v2
    w.given[3], w.given[4], w.given[5] = z0, z1, z2
    w.given[6] = w.law[FORCE]
    invoke(b.friction[c], (1, b.friction_par[b.friction_start[c] :], w.given, w.friction))


@compiled
def set_wrench(w, fn, f0, f1, f2):
    """Force and moment on b of a normal force and a tangential one (in the frame of a), at the state last touched."""
    surface = w.surface
    for i in range(TWIST):
        w.wrench[i] = f0 * surface[ROWS + i] + f1 * surface[ROWS + TWIST + i] + f2 * surface[ROWS + 2 * TWIST + i]
    for i in range(3):
        w.wrench[i] += fn * surface[GRADIENT + i]


@compiled
def spread(s, w, c, q, total):
    """Add Q of the force and moment in w.wrench."""
    b = s.contacts
    e, i = b.table[b.batch[c]], b.place[c]
    dof, par, sig = b.dof[e[DOF] + e[N_DOF] * i :], b.par[e[PAR] + e[N_PAR] * i :], b.sig[e[SIG] + e[N_SIG] * i :]
    invoke(e[FRAME_KERNEL], (1, dof, par, sig, q, w.u, w.wrench, total))


@compiled
def add_forces(s, w, q, v, total):
    for c in range(s.contacts.count):
        if w.memory[MEMORY * c + TOUCHING] == BY_LAW:
            touch(s, w, c, q, v)
            set_wrench(w, w.law[FORCE], w.friction[0], w.friction[1], w.friction[2])
            spread(s, w, c, q, total)


@compiled
def add_tangents(s, w, q, v):
    """-Q_q and -Q_v of all touching contacts: by the chain rule through place and twist."""
    b = s.contacts
    for c in range(b.count):
        if w.memory[MEMORY * c + TOUCHING] != BY_LAW:
            continue
        touch(s, w, c, q, v)
        coef, friction, x = w.coef, w.friction, extra(s, c)
        at_rest = w.memory[x + TIME_BEGIN] == AT_REST
        half = 0.0 if at_rest else 0.5 * (w.clock[0] - w.memory[x + TIME_BEGIN])  # d stretch / d slip
        coef[0], coef[4], coef[5] = w.law[FORCE], -w.law[BY_PENETRATION], -w.law[BY_RATE]
        for k in range(3):
            coef[1 + k] = friction[k]
            coef[6 + k], coef[9 + k] = friction[BY_NORMAL + k] * coef[4], friction[BY_NORMAL + k] * coef[5]
        for k in range(9):
            coef[12 + k] = friction[BY_SLIP + k] + half * friction[BY_STRETCH + k]
        set_wrench(w, w.law[FORCE], friction[0], friction[1], friction[2])
        add_changes(s, w, c, q, v, False)
        if at_rest and b.friction[c] != 0:
            moved(s, w, q)
            pose(s, w, c, q, w.moved)
            for k in range(12):
                coef[k] = 0.0
            for k in range(9):
                coef[12 + k] = friction[BY_STRETCH + k]
            for k in range(TWIST):
                w.wrench[k] = 0.0
            add_changes(s, w, c, q, w.moved, True)


@compiled
def add_changes(s, w, c, q, v, displacement):
    """-Q_q and -Q_v of the wrench in w.wrench and of its changes with the coefficients in w.coef. displacement: v stands for
    q - q0, so that the twist changes with both, and nothing with the velocities."""
    b = s.contacts
    e, place = b.table[b.batch[c]], b.place[c]
    n, first, slot = e[N_DOF], e[DOF] + e[N_DOF] * place, b.slot[e[SLOT] + e[N_SLOT] * place :]
    dof, par, sig = b.dof[first:], b.par[e[PAR] + e[N_PAR] * place :], b.sig[e[SIG] + e[N_SIG] * place :]
    invoke(b.shape[c, SHAPE_TANGENT], (1, w.patch, w.pose, w.coef, w.slope))
    invoke(e[TANGENT_KERNEL], (1, dof, par, sig, slot, q, v, w.u, w.wrench, w.twist, w.kq))
    by_v, by_q, slope = w.twist, w.twist[TWIST * n :], w.slope
    in_q, in_v = w.change, w.change[TWIST * n :]
    for k in range(TWIST):
        for j in range(n):
            position = velocity = 0.0
            for i in range(3):
                position += slope[9 * k + i] * by_v[n * i + j]
            for i in range(TWIST):
                position += slope[9 * k + 3 + i] * by_q[n * i + j]
                velocity += slope[9 * k + 3 + i] * by_v[n * i + j]
            in_q[n * k + j] = position + velocity if displacement else position
            in_v[n * k + j] = 0.0 if displacement else velocity
    for i in range(n):
        if dof[i] == s.n:
            continue
        for j in range(n):
            position = velocity = 0.0
            for k in range(TWIST):
                position += by_v[n * k + i] * in_q[n * k + j]
                velocity += by_v[n * k + i] * in_v[n * k + j]
            w.kq[slot[n * i + j]] -= position
            w.kv[slot[n * i + j]] -= velocity


@compiled
def add_powers(s, w, q, v, power):
    """As touch.contact_powers."""
    for c in range(s.contacts.count):
        w.elastic[c] = 0.0
        for k in range(POWERS):
            power[POWERS * c + k] = 0.0
        if w.memory[MEMORY * c + TOUCHING] != BY_LAW:
            continue
        touch(s, w, c, q, v)
        fn = w.law[FORCE]
        w.elastic[c] = w.law[ENERGY]
        power[POWERS * c] = -(fn - w.law[ELASTIC]) * w.frame[RATE]
        power[POWERS * c + 2] = -fn * w.frame[GAP_T]
        for k in range(3):
            power[POWERS * c + 1] -= w.friction[k] * w.surface[SLIP_IN_SPACE + k]
            power[POWERS * c + 2] -= w.friction[k] * explicit_slip(w, k)


@compiled
def explicit_slip(w, k):
    """Component k of the slip that the surface's own motion makes, at the state last touched."""
    row = ROWS + TWIST * k
    return (
        w.surface[row] * w.pose[EXPLICIT]
        + w.surface[row + 1] * w.pose[EXPLICIT + 1]
        + w.surface[row + 2] * w.pose[EXPLICIT + 2]
    )


@compiled
def observe(s, w, c, q, v, out):
    """As touch.observe_contact: gap, gap', slip speed, slip velocity along the stretch of the bristles, region."""
    pose(s, w, c, q, v)
    invoke(s.contacts.shape[c, SHAPE_GAP], (1, w.patch, w.pose, w.surface))
    k, x = CONTACT * c, extra(s, c)
    z0, z1, z2 = w.memory[x], w.memory[x + 1], w.memory[x + 2]
    size = math.sqrt(z0 * z0 + z1 * z1 + z2 * z2)
    out[k + GAP], out[k + RATE], out[k + REGION] = w.surface[0], w.surface[1], w.surface[2]
    v0, v1, v2 = w.surface[SLIP_IN_SPACE], w.surface[SLIP_IN_SPACE + 1], w.surface[SLIP_IN_SPACE + 2]
    along = z0 * v0 + z1 * v1 + z2 * v2
    out[k + SLIDE], out[k + SLIP] = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2), along / size if size > 0.0 else 0.0


@compiled
def remember(s, w, c):
    """The slip at the state last touched and its time are those of the begin of the next step."""
    x = extra(s, c)
    for k in range(3):
        w.memory[x + SLIP_BEGIN + k] = w.surface[SLIP_IN_SPACE + k]
    w.memory[x + TIME_BEGIN] = w.clock[0]


@compiled
def begin(s, w, c, origin, q, v):
    """Memory of a contact that begins to touch; its bristles stand straight, or as those of contact `origin` if it is
    handed over from that one (origin >= 0)."""
    x, other = extra(s, c), extra(s, max(origin, 0))
    for k in range(3):
        w.memory[x + STRETCH + k] = w.memory[other + STRETCH + k] if origin >= 0 else 0.0
    w.memory[x + TIME_BEGIN] = w.clock[0]
    touch(s, w, c, q, v)
    remember(s, w, c)


@compiled
def advance(s, w, c, q, v):
    """Slip distance and bristles of a touching contact at the end of the step."""
    x, m = extra(s, c), MEMORY * c
    touch(s, w, c, q, v)
    f = w.frame
    way = 0.0
    for k in range(3):
        way += (f[STRETCHED + 1 + k] - w.memory[x + STRETCH + k]) ** 2
    w.memory[m + SLIPPED] += math.sqrt(way)
    limit = w.friction[w.friction.size - 1]
    held = s.contacts.friction[c] != 0 and limit >= 0.0
    # What gave way is lost; so is what stands up from a surface that curves away.
    across = 0.0
    for k in range(3):
        across += f[STRETCHED + 1 + k] * w.surface[NORMAL_IN_SPACE + k]
    part = 0.0
    if held:
        # Beyond its piece of the surface it has no force, so no limit.
        part = min(1.0, limit / f[STRETCHED]) if f[REGION] >= 0.0 and f[STRETCHED] > 0.0 else 1.0
    for k in range(3):
        w.memory[x + STRETCH + k] = part * (f[STRETCHED + 1 + k] - across * w.surface[NORMAL_IN_SPACE + k])
    remember(s, w, c)


# Called through addresses -----------------------------------------------------------------------------------------

ONE = types.void(types.int64, types.int64, types.int64, REALS, REALS)
OBSERVE = types.void(types.int64, types.int64, types.int64, REALS, REALS, REALS)
POWER = types.void(types.int64, types.int64, REALS, REALS, REALS)
BEGIN = types.void(types.int64, types.int64, types.int64, types.int64, REALS, REALS)


def _forces(system, work, q, v):
    w = as_work(work)
    add_forces(as_system(system), w, q, v, w.force)


def _tangents(system, work, q, v):
    add_tangents(as_system(system), as_work(work), q, v)


def _powers(system, work, q, v):
    s, w = as_system(system), as_work(work)
    add_powers(s, w, q, v, w.power[w.power.size - POWERS * s.contacts.count :])


def _touch(system, work, c, q, v):
    touch(as_system(system), as_work(work), c, q, v)


def _observe(system, work, c, q, v, out):
    observe(as_system(system), as_work(work), c, q, v, out)


def _spread(system, work, c, q, total):
    spread(as_system(system), as_work(work), c, q, total)


def _begin(system, work, c, origin, q, v):
    begin(as_system(system), as_work(work), c, origin, q, v)


def _advance(system, work, c, q, v):
    advance(as_system(system), as_work(work), c, q, v)


def _powers_into(system, work, q, v, power):
    add_powers(as_system(system), as_work(work), q, v, power)


CALLS = (
    (_forces, STATE), (_tangents, STATE), (_powers, STATE), (_touch, ONE), (_observe, OBSERVE), (_spread, ONE),
    (_begin, BEGIN), (_advance, ONE), (_powers_into, POWER),
)  # fmt: skip


def addresses() -> list[int]:
    """In the order of touch.TOUCH and so on, behind those that evaluate.py calls."""
    return [_compiled(function, signature).address for function, signature in CALLS]


_kept: dict[Any, Any] = {}


def _compiled(function: Any, signature: Any) -> Any:
    if function not in _kept:  # in memory as long as its address may be in use
        _kept[function] = compiled_pointer(function, signature)
    return _kept[function]
