"""Forces that begin and end: a solid that rests at every instant touches its plane, or leaves it, inside a step.

Such a force is a function of the pose alone, or of the pose and of what it remembers from the begin of the step. It has a
corner there, and a step in free flight would leap over all of it; so a step ends where a force begins or
ends. Elements tell by an optional kernel, `gap`, how far they are from that. (Those that remember: system/remembering.py.)
"""

from __future__ import annotations

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.contact.false_position import MOST, NARROW, narrowed
from gaitwright.contact.history import LOCATED, LOOKED
from gaitwright.system.batch_calls import COUNT, DOF, GAP, PAR, SIG
from gaitwright.system.chain import moving
from gaitwright.system.hermite import state_between
from gaitwright.system.invoke import invoke
from gaitwright.system.tables import System

NEVER = 2.0
THERE = 1e-6
"""Parts of a step from its begin, and from its end, that are the begin and the end."""
SHORT = 1e-9
"""Part of a step within which a rate that changes its sign is sought."""
VALUES = 3
"""What an element tells: gap, m, its rate, m/s, and the gap that counts as none, m."""


def begin_and_end(s: System) -> bool:
    """Whether there are such forces."""
    return bool(np.any(s.chain.forces.table[:, GAP]))


@compiled
def gaps(s, w, q, v):
    """Of all elements that have one, VALUES each."""
    b, count = s.chain.forces, 0
    for k in range(b.table.shape[0]):
        if b.table[k, GAP] != 0:
            count += b.table[k, COUNT]
    found, start = np.empty(VALUES * count), 0
    moving(s, w, q, v)
    for k in range(b.table.shape[0]):
        e = b.table[k]
        if e[GAP] != 0:
            rest = found[VALUES * start :]
            invoke(e[GAP], (e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], w.x, w.x_v, w.u, rest))
            start += e[COUNT]
    return found


@compiled
def gaps_between(s, w, run, h, x):
    """The same at the fraction x of the step."""
    state_between(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, run.probe_q, run.probe_v)
    run.touch_count[LOOKED] += 1
    return gaps(s, w, run.probe_q, run.probe_v)


@compiled
def deepest(s, w, run, h, k, first, last):
    """Where the gap of element k is smallest in a step in which its rate changes its sign: fraction and gap."""
    low, high, x, gap = 0.0, 1.0, 0.0, min(first[VALUES * k], last[VALUES * k])
    if not (first[VALUES * k + 1] < 0.0 and last[VALUES * k + 1] > 0.0):
        return x, gap
    while high - low > SHORT:
        x = 0.5 * (low + high)
        found = gaps_between(s, w, run, h, x)
        gap = found[VALUES * k]
        if gap < -found[VALUES * k + 2]:
            break
        if found[VALUES * k + 1] < 0.0:
            low = x
        else:
            high = x
    return x, gap


@compiled
def crossing(s, w, run, h, k, low, high, f_low, f_high):
    """The fraction of the step at which the gap of element k vanishes, between two where its signs differ: Illinois."""
    side, x = 0, high
    for _ in range(MOST):
        x = (low * f_high - high * f_low) / (f_high - f_low)
        found = gaps_between(s, w, run, h, x)
        f = found[VALUES * k]
        if abs(f) <= 0.1 * found[VALUES * k + 2] or high - low < NARROW:
            break
        low, high, f_low, f_high, side = narrowed(low, high, f_low, f_high, side, x, f)
    return x


@compiled
def watch_forces(s, w, run, h):
    """1 if a step may stand; otherwise the factor of its length with which it ends where a force begins or ends."""
    first, last, soonest = gaps(s, w, run.q, run.v), gaps(s, w, run.q1, run.v1), NEVER
    for k in range(first.size // VALUES):
        g0, g1, land = first[VALUES * k], last[VALUES * k], last[VALUES * k + 2]
        if abs(g0) <= land or abs(g1) <= land:
            continue
        if (g0 > 0.0) != (g1 > 0.0):
            soonest = min(soonest, crossing(s, w, run, h, k, 0.0, 1.0, g0, g1))
        elif g0 > 0.0:
            x, g = deepest(s, w, run, h, k, first, last)
            if g < -land:
                soonest = min(soonest, crossing(s, w, run, h, k, 0.0, x, g0, g))
    if soonest >= 1.0 - THERE or soonest <= THERE:
        return 1.0
    run.touch_count[LOCATED] += 1
    return soonest
