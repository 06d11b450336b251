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
from typing import Any

from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.system.bristles import find_slip, find_stretch, remember
from gaitwright.system.invoke import invoke
from gaitwright.system.placing import NOT_PLACED, placed_pose, placed_twist, spread
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
    SIG,
    SLIPPED,
    SPEED,
    STRETCH,
    STRETCHED,
    SURFACE_REGION,
    TINY,
    as_system,
    as_work,
    explicit_rate,
    explicit_slip,
    set_wrench,
    speed_of_slip,
    touching,
)
from gaitwright.system.touch_tangents import SURFACE, add_contact_tangents


@compiled
def find_pose(s, w, c, q, v):
    """Where b is in the frame of a, into w.pose."""
    b = s.contacts
    e, i = b.table[b.batch[c]], b.place[c]
    if e[MAP] != NOT_PLACED:
        placed_pose(s, w, e, i, q, v)
        return
    dof, par, sig = b.dof[e[DOF] + e[N_DOF] * i :], b.par[e[PAR] + e[N_PAR] * i :], b.sig[e[SIG] + e[N_SIG] * i :]
    invoke(e[FRAME_KERNEL], (1, dof, par, sig, q, v, w.u, w.pose, w.twist))


@compiled
def find_twist(s, w, c):
    """How the twist depends on velocities, into w.twist, after find_pose. A point has no spin that counts."""
    b = s.contacts
    e = b.table[b.batch[c]]
    if e[MAP] != NOT_PLACED:
        placed_twist(s, w, e, b.place[c], b.twist if b.radius[c] != 0.0 else b.dimension)


@compiled
def find_surface(s, w, c):
    """The surface at the pose in w, and the slip velocity, into w.surface and w.slip."""
    b = s.contacts
    if b.field_start[c] >= 0:
        size = b.shape_size[c]
        for k in range(size):
            w.patch[k] = b.shape_par[b.shape_start[c] + k]
        invoke(b.look_up[c], (b.field[b.field_start[c] :], w.pose, w.patch[size:]))
        invoke(b.shape[c, SURFACE], (1, w.patch, w.pose, w.surface))
    else:
        invoke(b.shape[c, SURFACE], (1, b.shape_par[b.shape_start[c] :], w.pose, w.surface))
    find_slip(s, w, c)


@compiled
def rate_of_gap(s, w):
    d, rate = s.contacts.dimension, 0.0
    for k in range(d):
        rate += w.surface[NORMAL + d + k] * w.pose[d + k]
    return rate


@compiled
def touch(s, w, c, q, v):
    """As touch.touch."""
    b, f, law, friction, given = s.contacts, w.frame, w.law, w.friction, w.given
    find_pose(s, w, c, q, v)
    find_surface(s, w, c)
    f[GAP], f[RATE], f[REGION], f[STRETCHED] = w.surface[0], rate_of_gap(s, w), w.surface[SURFACE_REGION], 0.0
    if b.bristled[c] != 0:
        find_stretch(s, w, c)
        size = 0.0
        for k in range(b.dimension):
            size += w.stretch[k] * w.stretch[k]
        f[STRETCHED] = math.sqrt(size)
    closed = not (f[GAP] > b.grain[0] or f[REGION] < 0.0 or b.law[c] == 0)
    if not closed:
        law[:] = 0.0
    if not closed or b.friction[c] == 0:
        friction[:] = 0.0
    if not closed:
        return
    given[0] = max(-f[GAP], TINY)
    given[1] = -f[RATE]
    given[2] = max(w.memory[b.memory * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, b.law_par[b.law_start[c] :], given, law))
    if b.friction[c] != 0:
        rub(s, w, c)
    if b.weight[c] != 1.0:
        for k in range(law.size):
            law[k] *= b.weight[c]
        for k in range(b.dimension + 2 * b.dimension * b.dimension):  # what comes by the normal force has its weight
            friction[k] *= b.weight[c]


@compiled
def rub(s, w, c):
    """Tangential force, its derivatives in slip, stretch and normal force, and the largest stretch, into w.friction."""
    b, given, out, slip, stretch, along = s.contacts, w.given, w.friction, w.slip, w.stretch, w.along
    par = b.friction_par[b.friction_start[c] :]
    if b.dimension == 3:
        for k in range(3):
            given[k], given[3 + k] = slip[k], stretch[k]
        given[6] = w.law[FORCE]
        invoke(b.friction[c], (1, par, given, out))
        return
    # In the plane there is one tangent, and friction is a number along it.
    t0, t1 = w.surface[NORMAL + 1], -w.surface[NORMAL]
    given[0], given[1] = t0 * slip[0] + t1 * slip[1], t0 * stretch[0] + t1 * stretch[1]
    given[2] = w.law[FORCE]
    invoke(b.friction[c], (1, par, given, along))
    out[0], out[1] = along[0] * t0, along[0] * t1
    for k in range(2):  # by slip and stretch
        slope = along[1 + k]
        out[2 + 4 * k], out[5 + 4 * k] = slope * t0 * t0, slope * t1 * t1
        out[3 + 4 * k] = out[4 + 4 * k] = slope * t0 * t1
    out[10], out[11], out[12] = along[3] * t0, along[3] * t1, along[4]


@compiled
def add_contact_forces(s, w, q, v, total):
    """Q of all touching contacts, added to total."""
    for c in range(s.contacts.count):
        if touching(s, w, c) == BY_LAW:
            touch(s, w, c, q, v)
            set_wrench(s, w, c, w.law[FORCE], w.friction, 0)
            spread(s, w, c, total)


@compiled
def add_tangents(s, w, q, v):
    """-Q_q and -Q_v of all touching contacts."""
    for c in range(s.contacts.count):
        if touching(s, w, c) == BY_LAW:
            touch(s, w, c, q, v)
            find_twist(s, w, c)
            set_wrench(s, w, c, w.law[FORCE], w.friction, 0)
            add_contact_tangents(s, w, c, q, v)


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
        touch(s, w, c, q, v)
        fn = w.law[FORCE]
        w.elastic[c] = w.law[ENERGY]
        power[POWERS * c] = -(fn - w.law[ELASTIC]) * w.frame[RATE]
        power[POWERS * c + 2] = -fn * explicit_rate(s, w)
        for k in range(d):
            power[POWERS * c + 1] -= w.friction[k] * w.slip[k]
            power[POWERS * c + 2] -= w.friction[k] * explicit_slip(s, w, k)


@compiled
def observe(s, w, c, q, v, out):
    """As touch.observe_contact. Where bristles stand straight, a tangent stands for their direction."""
    d, k, z = s.contacts.dimension, SEEN * c, s.contacts.memory * c + STRETCH
    find_pose(s, w, c, q, v)
    find_surface(s, w, c)
    out[k + GAP], out[k + RATE], out[k + REGION] = w.surface[0], rate_of_gap(s, w), w.surface[SURFACE_REGION]
    size = along = 0.0
    for i in range(d):
        size += w.memory[z + i] ** 2
        along += w.memory[z + i] * w.slip[i]
    if size == 0.0:
        n0, n1 = w.surface[NORMAL], w.surface[NORMAL + 1]
        size, along = n0 * n0 + n1 * n1, n1 * w.slip[0] - n0 * w.slip[1]
    out[k + SPEED], out[k + ALONG] = speed_of_slip(s, w), along / math.sqrt(size) if size > 0.0 else 0.0


@compiled
def begin(s, w, c, origin, q, v):
    """As touch.begin."""
    z, other = s.contacts.memory * c + STRETCH, s.contacts.memory * max(origin, 0) + STRETCH
    for k in range(s.contacts.dimension):
        w.memory[z + k] = w.memory[other + k] if origin >= 0 else 0.0
    find_pose(s, w, c, q, v)
    find_surface(s, w, c)
    remember(s, w, c)


@compiled
def slid(s, w, c):
    """How far contact c has slid since the begin of the step, at the state in w; nothing if it is open."""
    b, way = s.contacts, find_stretch(s, w, c)
    if b.by_gap[c] == 0:
        return b.weight[c] * way
    return way if w.surface[0] <= b.grain[0] else 0.0


@compiled
def advance(s, w, c, q, v):
    """As touch.advance."""
    b = s.contacts
    m = b.memory * c
    if b.bristled[c] != 0:
        touch(s, w, c, q, v)  # for the limit
    else:
        find_pose(s, w, c, q, v)
        find_surface(s, w, c)
    w.memory[m + SLIPPED] += slid(s, w, c)
    part = 0.0
    if b.bristled[c] != 0:
        # What gave way is lost. Beyond its piece of the surface it has no force, so no limit.
        part, size, limit = 1.0, w.frame[STRETCHED], w.friction[w.friction.size - 1]
        if w.frame[REGION] >= 0.0 and size > 0.0:
            part = min(1.0, limit / size)
    for k in range(b.dimension):
        w.memory[m + STRETCH + k] = part * w.stretch[k]
    remember(s, w, c)


# Called through addresses -----------------------------------------------------------------------------------------

REALS = types.CPointer(types.float64)
STATE = types.void(types.int64, types.int64, REALS, REALS)
ONE = types.void(types.int64, types.int64, types.int64, REALS, REALS)
SEE = types.void(types.int64, types.int64, types.int64, REALS, REALS, REALS)
POWER = types.void(types.int64, types.int64, REALS, REALS, REALS)
START = types.void(types.int64, types.int64, types.int64, types.int64, REALS, REALS)


def _forces(system, work, q, v):
    w = as_work(work)
    add_contact_forces(as_system(system), w, q, v, w.force)


def _tangents(system, work, q, v):
    add_tangents(as_system(system), as_work(work), q, v)


def _powers(system, work, q, v):
    s, w = as_system(system), as_work(work)
    add_powers(s, w, q, v, w.power[w.power.size - POWERS * s.contacts.count :])


def _touch(system, work, c, q, v):
    touch(as_system(system), as_work(work), c, q, v)


def _observe(system, work, c, q, v, out):
    observe(as_system(system), as_work(work), c, q, v, out)


def _begin(system, work, c, origin, q, v):
    begin(as_system(system), as_work(work), c, origin, q, v)


def _advance(system, work, c, q, v):
    advance(as_system(system), as_work(work), c, q, v)


def _powers_into(system, work, q, v, power):
    add_powers(as_system(system), as_work(work), q, v, power)


CALLS = (
    (_forces, STATE), (_tangents, STATE), (_powers, STATE), (_touch, ONE), (_observe, SEE),
    (_begin, START), (_advance, ONE), (_powers_into, POWER),
)  # fmt: skip


def addresses() -> list[int]:
    """In the order of evaluate.CONTACT_FORCES and so on, then of touch.TOUCH and so on."""
    return [_compiled(function, signature).address for function, signature in CALLS]


_kept: dict[Any, Any] = {}


def _compiled(function: Any, signature: Any) -> Any:
    if function not in _kept:  # in memory as long as its address may be in use
        _kept[function] = compiled_pointer(function, signature)
    return _kept[function]
