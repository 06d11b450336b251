"""Forces of contacts: geometry, law and friction chained by numbers, one contact at a time.

A contact acts only while it is touching, which is part of its memory: the loops around a step set it at the instant of
touchdown (contact/events.py) and keep it over the step, so the motion within a step is smooth.

The functions at the end are called through addresses: a model without contacts does not compile them.
"""

from __future__ import annotations

from typing import Any

from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.derive.interface import CONTACT, FRAME
from gaitwright.system.evaluate import MEMORY_SIZE, POWER_COUNT, Work
from gaitwright.system.invoke import invoke, viewer
from gaitwright.system.tables import System

# Columns of Contacts.table
# (in space the kernels `pose`, `force` and `tangent` of the pose, see touch_in_space.py)
(COUNT, DOF, PAR, SIG, SLOT, N_DOF, N_PAR, N_SIG, N_SLOT, GAP_KERNEL, FRAME_KERNEL, TANGENT_KERNEL) = range(12)
# What the kernels `gap` and `frame` write
GAP, RATE, SLIDE, SLIP, REGION, GAP_T, SLIDE_T, POINT_X, POINT_Y = range(FRAME)
# What a law and a friction law write
FORCE, BY_PENETRATION, BY_RATE, ENERGY, ELASTIC = range(5)
BY_SLIP, BY_STRETCH, BY_NORMAL, LIMIT = range(1, 5)
# Memory of a contact: whether it touches (BY_LAW, or BY_IMPULSE in methods without laws); approach speed at touchdown, m/s;
# stretch of the bristles and slide at the begin of the step, m; distance slipped since the start, m; and, from methods that
# compute impulses, the mean forces, N.
TOUCHING, APPROACH, STRETCH, SLIDE_BEGIN, SLIPPED, NORMAL, TANGENTIAL = range(7)
NOT, BY_LAW, BY_IMPULSE = 0.0, 1.0, 2.0
MEMORY, POWERS = MEMORY_SIZE, POWER_COUNT
"""Powers per contact: lost in the normal direction, lost by friction, done by a moving surface."""
# Functions of touch_in_space.py in Contacts.calls, behind those of evaluate.py
TOUCH, OBSERVE, SPREAD, BEGIN, ADVANCE, POWERS_INTO = range(3, 9)
TINY = 1e-200
"""Smallest penetration given to a law: derivatives are printed as d^n / d, which 0 would make NaN."""


@compiled
def stretch_since(s, w, c, slide):
    """Stretch of the bristles of contact c at a slide, as long as they do not give way."""
    moved = slide - w.memory[MEMORY * c + SLIDE_BEGIN]
    period = s.contacts.period[c]
    if period > 0.0:
        moved -= period * round(moved / period)
    return w.memory[MEMORY * c + STRETCH] + moved


@compiled
def touch(s, w, c, q, v):
    """Normal and tangential force of contact c as if it were touching; its frame, law and friction stay in w. In space the
    tangential force is a vector, which stays in w.friction."""
    b = s.contacts
    if b.space:
        invoke(b.calls[TOUCH], (s, w, c, q, v))
        return w.law[FORCE], 0.0
    e, i = b.table[b.batch[c]], b.place[c]
    dof, par, sig = b.dof[e[DOF] + e[N_DOF] * i :], b.par[e[PAR] + e[N_PAR] * i :], b.sig[e[SIG] + e[N_SIG] * i :]
    invoke(e[FRAME_KERNEL], (1, dof, par, sig, q, v, w.u, w.frame))
    w.law[:] = 0.0
    w.friction[:] = 0.0
    if w.frame[GAP] > b.grain[0] or w.frame[REGION] < 0.0 or b.law[c] == 0:
        return 0.0, 0.0
    w.given[0] = max(-w.frame[GAP], TINY)
    w.given[1] = -w.frame[RATE]
    w.given[2] = max(w.memory[MEMORY * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, b.law_par[b.law_start[c] :], w.given, w.law))
    if b.friction[c] != 0:
        w.given[0] = w.frame[SLIP]
        w.given[1] = stretch_since(s, w, c, w.frame[SLIDE])
        w.given[2] = w.law[FORCE]
        invoke(b.friction[c], (1, b.friction_par[b.friction_start[c] :], w.given, w.friction))
    if b.weight[c] != 1.0:
        for k in range(w.law.size):
            w.law[k] *= b.weight[c]
        for k in (FORCE, BY_SLIP, BY_STRETCH):  # what comes by the normal force has its weight already
            w.friction[k] *= b.weight[c]
    return w.law[FORCE], w.friction[FORCE]


@compiled
def stretched(s, w, c):
    """Size of the stretch of the bristles of contact c at the state last touched, and its limit (-1: it has none)."""
    limit = w.friction[w.friction.size - 1]
    if s.contacts.space:
        return w.frame[FRAME], limit
    return abs(stretch_since(s, w, c, w.frame[SLIDE])), limit


@compiled
def elastic_energy(s, w, c, gap):
    """Elastic energy of contact c at a gap, wherever it is."""
    b = s.contacts
    w.given[0], w.given[1], w.given[2] = max(-gap, TINY), 0.0, max(w.memory[MEMORY * c + APPROACH], b.slowest[c])
    invoke(b.law[c], (1, b.law_par[b.law_start[c] :], w.given, w.law))
    return b.weight[c] * w.law[ENERGY]


@compiled
def add_contact_forces(s, w, q, v, total):
    """Q of all touching contacts, added to total."""
    b = s.contacts
    for c in range(b.count):
        if w.memory[MEMORY * c + TOUCHING] != BY_LAW:
            continue
        fn, ft = touch(s, w, c, q, v)
        e = b.table[b.batch[c]]
        n, first = e[N_DOF], e[DOF] + e[N_DOF] * b.place[c]
        for k in range(n):
            total[b.dof[first + k]] += fn * w.frame[FRAME + k] + ft * w.frame[FRAME + n + k]


@compiled
def add_contact_tangents(s, w, q, v):
    """-Q_q and -Q_v of all touching contacts."""
    b = s.contacts
    for c in range(b.count):
        if w.memory[MEMORY * c + TOUCHING] != BY_LAW:
            continue
        fn, ft = touch(s, w, c, q, v)
        w.coef[0], w.coef[1] = fn, ft
        e, i = b.table[b.batch[c]], b.place[c]
        n, slot = e[N_DOF], b.slot[e[SLOT] + e[N_SLOT] * i :]
        invoke(
            e[TANGENT_KERNEL],
            (
                1, b.dof[e[DOF] + n * i :], b.par[e[PAR] + e[N_PAR] * i :], b.sig[e[SIG] + e[N_SIG] * i :], slot,
                q, v, w.u, w.coef, w.change, w.kq,
            ),
        )  # fmt: skip
        by_gap, by_rate, by_normal = -w.law[BY_PENETRATION], -w.law[BY_RATE], w.friction[BY_NORMAL]
        by_stretch, by_slip = w.friction[BY_STRETCH], w.friction[BY_SLIP]
        kq, kv, normal, tangent, rates = w.kq, w.kv, w.frame[FRAME:], w.frame[FRAME + n :], w.change
        for j in range(n):
            # what the two forces change by with a coordinate, and with its rate
            fn_q, fn_v = by_gap * normal[j] + by_rate * rates[j], by_rate * normal[j]
            ft_q = by_normal * fn_q + by_stretch * tangent[j] + by_slip * rates[n + j]
            ft_v = by_normal * fn_v + by_slip * tangent[j]
            for k in range(n):
                at = slot[n * k + j]
                kq[at] -= normal[k] * fn_q + tangent[k] * ft_q
                kv[at] -= normal[k] * fn_v + tangent[k] * ft_v


@compiled
def contact_powers(s, w, q, v, power):
    """Powers of all contacts into `power` and their elastic energies into w.elastic."""
    b = s.contacts
    if b.space:
        invoke(b.calls[POWERS_INTO], (s, w, q, v, power))
        return
    for c in range(b.count):
        w.elastic[c] = 0.0
        for k in range(POWERS):
            power[POWERS * c + k] = 0.0
        if w.memory[MEMORY * c + TOUCHING] != BY_LAW:
            continue
        fn, ft = touch(s, w, c, q, v)
        w.elastic[c] = w.law[ENERGY]
        power[POWERS * c] = -(fn - w.law[ELASTIC]) * w.frame[RATE]
        power[POWERS * c + 1] = -ft * w.frame[SLIP]
        power[POWERS * c + 2] = -fn * w.frame[GAP_T] - ft * w.frame[SLIDE_T]


@compiled
def coordinates_of(s, c):
    """The coordinates that contact c depends on."""
    b = s.contacts
    e = b.table[b.batch[c]]
    first = e[DOF] + e[N_DOF] * b.place[c]
    return b.dof[first : first + e[N_DOF]]


@compiled
def observe_contact(s, w, c, q, v, out):
    """What observe_contacts writes, of contact c alone."""
    b = s.contacts
    if b.space:
        invoke(b.calls[OBSERVE], (s, w, c, q, v, out))
        return
    e, i = b.table[b.batch[c]], b.place[c]
    dof, par, sig = b.dof[e[DOF] + e[N_DOF] * i :], b.par[e[PAR] + e[N_PAR] * i :], b.sig[e[SIG] + e[N_SIG] * i :]
    invoke(e[GAP_KERNEL], (1, dof, par, sig, q, v, w.u, out[CONTACT * c :]))


@compiled
def observe_contacts(s, w, q, v, out):
    """Gap, gap', slide, slide' and region of all contacts, touching or not, with the signals as they are in w. In space
    the third number is the slip speed and the fourth the slip velocity along the stretch of the bristles."""
    b = s.contacts
    if b.space:
        for c in range(b.count):
            invoke(b.calls[OBSERVE], (s, w, c, q, v, out))
        return
    first = 0
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[GAP_KERNEL],
            (e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], q, v, w.u, out[CONTACT * first :]),
        )
        first += e[COUNT]


# Called through addresses -----------------------------------------------------------------------------------------


as_system, as_work = viewer(System), viewer(Work)
REALS = types.CPointer(types.float64)
STATE = types.void(types.int64, types.int64, REALS, REALS)


def _forces(system, work, q, v):
    w = as_work(work)
    add_contact_forces(as_system(system), w, q, v, w.force)


def _tangents(system, work, q, v):
    add_contact_tangents(as_system(system), as_work(work), q, v)


def _powers(system, work, q, v):
    s, w = as_system(system), as_work(work)
    contact_powers(s, w, q, v, w.power[w.power.size - POWERS * s.contacts.count :])


def addresses() -> list[int]:
    """What evaluate.py calls for contacts, in the order of evaluate.CONTACT_FORCES and so on."""
    return [_compiled(function).address for function in (_forces, _tangents, _powers)]


_kept: dict[Any, Any] = {}


def _compiled(function: Any) -> Any:
    if function not in _kept:  # in memory as long as its address may be in use
        _kept[function] = compiled_pointer(function, STATE)
    return _kept[function]
