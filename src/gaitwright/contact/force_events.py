"""Events of force elements: a solid in equilibrium at every instant touches its plane, or leaves it, inside a step.

Such a force is a function of the pose alone, or of the pose and the element state at the beginning of the step. It has a kink
at the event, and a step in free flight could skip the whole contact; so a step ends where a force begins or ends. Elements
return their distance from that by an optional kernel, `gap`. (Elements with history: mechanism/history_parts.py.)
"""

from __future__ import annotations

import numpy as np

from gaitwright.contact.event_location import MAX_BRACKET_STEPS, MIN_BRACKET_WIDTH, narrow_bracket
from gaitwright.contact.history import LOCATED_EVENTS, OBSERVED_STATES
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.mechanism.batch_kernels import COUNT_COLUMN, DOF_COLUMN, GAP_KERNEL, PAR_COLUMN, SIG_COLUMN
from gaitwright.mechanism.hermite_interpolation import interpolate_step_state
from gaitwright.mechanism.marker_chain import compute_variable_motion
from gaitwright.mechanism.tables import MechanismTables

NO_EVENT_FRACTION = 2.0
STEP_END_FRACTION = 1e-6
"""Fraction of a step at its beginning and at its end that counts as the beginning or the end."""
MIN_BISECTION_FRACTION = 1e-9
"""Fraction of a step at which the bisection for a sign change of a rate stops."""
VALUES_PER_ELEMENT = 3
"""Values per element: gap, m, its rate, m/s, and the gap that counts as zero, m."""


def has_force_events(s: MechanismTables) -> bool:
    """True if the mechanism has such forces."""
    return bool(np.any(s.chain.forces.table[:, GAP_KERNEL]))


@jit_compile
def evaluate_force_gaps(s, w, q, v):
    """Gap values of all elements with a gap kernel, VALUES_PER_ELEMENT each."""
    b, count = s.chain.forces, 0
    for k in range(b.table.shape[0]):
        if b.table[k, GAP_KERNEL] != 0:
            count += b.table[k, COUNT_COLUMN]
    values, start = np.empty(VALUES_PER_ELEMENT * count), 0
    compute_variable_motion(s, w, q, v)
    for k in range(b.table.shape[0]):
        e = b.table[k]
        if e[GAP_KERNEL] != 0:
            rest = values[VALUES_PER_ELEMENT * start :]
            dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
            sig = b.sig[e[SIG_COLUMN] :]
            call_address(e[GAP_KERNEL], (e[COUNT_COLUMN], dof, par, sig, w.x, w.x_v, w.u, rest))
            start += e[COUNT_COLUMN]
    return values


@jit_compile
def evaluate_force_gaps_between(s, w, run, h, x):
    """Gap values at the fraction x of the step."""
    interpolate_step_state(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, run.probe_q, run.probe_v)
    run.touch_count[OBSERVED_STATES] += 1
    return evaluate_force_gaps(s, w, run.probe_q, run.probe_v)


@jit_compile
def find_smallest_gap(s, w, run, h, k, first, last):
    """Fraction of the step with the smallest gap of element k if its rate changes sign in the step, and this gap."""
    low, high, x, gap = 0.0, 1.0, 0.0, min(first[VALUES_PER_ELEMENT * k], last[VALUES_PER_ELEMENT * k])
    if not (first[VALUES_PER_ELEMENT * k + 1] < 0.0 and last[VALUES_PER_ELEMENT * k + 1] > 0.0):
        return x, gap
    while high - low > MIN_BISECTION_FRACTION:
        x = 0.5 * (low + high)
        values = evaluate_force_gaps_between(s, w, run, h, x)
        gap = values[VALUES_PER_ELEMENT * k]
        if gap < -values[VALUES_PER_ELEMENT * k + 2]:
            break
        if values[VALUES_PER_ELEMENT * k + 1] < 0.0:
            low = x
        else:
            high = x
    return x, gap


@jit_compile
def find_gap_crossing(s, w, run, h, k, low, high, f_low, f_high):
    """Fraction of the step at which the gap of element k vanishes, between two fractions with different signs (Illinois)."""
    side, x = 0, high
    for _ in range(MAX_BRACKET_STEPS):
        x = (low * f_high - high * f_low) / (f_high - f_low)
        values = evaluate_force_gaps_between(s, w, run, h, x)
        f = values[VALUES_PER_ELEMENT * k]
        if abs(f) <= 0.1 * values[VALUES_PER_ELEMENT * k + 2] or high - low < MIN_BRACKET_WIDTH:
            break
        low, high, f_low, f_high, side = narrow_bracket(low, high, f_low, f_high, side, x, f)
    return x


@jit_compile
def check_force_events(s, w, run, h):
    """Return 1.0 to accept a step; otherwise the factor by which to shorten it to the beginning or end of a force."""
    first = evaluate_force_gaps(s, w, run.q, run.v)
    last = evaluate_force_gaps(s, w, run.q1, run.v1)
    soonest = NO_EVENT_FRACTION
    for k in range(first.size // VALUES_PER_ELEMENT):
        g0, g1, land = first[VALUES_PER_ELEMENT * k], last[VALUES_PER_ELEMENT * k], last[VALUES_PER_ELEMENT * k + 2]
        if abs(g0) <= land or abs(g1) <= land:
            continue
        if (g0 > 0.0) != (g1 > 0.0):
            soonest = min(soonest, find_gap_crossing(s, w, run, h, k, 0.0, 1.0, g0, g1))
        elif g0 > 0.0:
            x, g = find_smallest_gap(s, w, run, h, k, first, last)
            if g < -land:
                soonest = min(soonest, find_gap_crossing(s, w, run, h, k, 0.0, x, g0, g))
    if soonest >= 1.0 - STEP_END_FRACTION or soonest <= STEP_END_FRACTION:
        return 1.0
    run.touch_count[LOCATED_EVENTS] += 1
    return soonest
