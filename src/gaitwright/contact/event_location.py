"""Location of contact events in a step: the instants of touchdown, release and slip reversal, on the interpolated motion
between the ends of the step.

Roots are bracketed by the Illinois variant of false position: M. Dowell, P. Jarratt, BIT 11 (1971) 168-174."""

from __future__ import annotations

from gaitwright.contact.history import OBSERVED_STATES
from gaitwright.contact.state import (
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_REGION,
    STATE_SIZE,
    STATE_SLIP_ALONG_STRETCH,
    STATE_SLIP_SPEED,
    contact_coordinates,
    contact_status,
    evaluate_contact_force,
    observe_contact,
    stretch_and_limit,
)
from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import update_signals
from gaitwright.mechanism.hermite_interpolation import interpolate_step_coordinates

MAX_BRACKET_STEPS, MIN_BRACKET_WIDTH = 60, 1e-14
"""Maximum number of steps, more than bisection would need; bracket width, as a fraction of a step, that is rounding error."""


@jit_compile
def narrow_bracket(low, high, f_low, f_high, side, x, f):
    """Take one step of false position: the new bracket and its values after f was evaluated at x, and the end that moved.
    side: end that moved last. The value of an end that stays twice is halved."""
    if (f > 0.0) == (f_high > 0.0):
        return low, x, (0.5 * f_low if side == 1 else f_low), f, 1
    return x, high, f, (0.5 * f_high if side == -1 else f_high), -1


ALONG_BRISTLES_COSINE = 0.7
"""Cosine between slip and deflection above which the slip is along the bristles; in the plane it always is."""
MIN_BISECTION_FRACTION = 1e-9
"""Fraction of a step at which the bisection for the lowest gap inside it stops."""
EQUAL_GAP_RTOL = 1e-6
"""Relative difference below which the gaps of a face and of the corner at its end count as equal."""
SLIP_REVERSAL_RTOL, SLIP_REVERSAL_ATOL_M_S = 1e-9, 1e-15
"""Slip velocity that counts as zero at a reversal: relative to that at the beginning of the step, and absolute, m/s."""
STEP_EDGE_FRACTION = 1e-6
"""Fraction of a step at both ends in which a slip reversal counts as one at the end."""


@jit_compile
def probe_contact(s, w, run, t, h, c, x):
    """Observed state of contact c at the fraction x of the step, into run.probe."""
    interpolate_step_coordinates(
        contact_coordinates(s, c), s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, run.probe_q, run.probe_v
    )
    update_signals(s, w, t + x * h)
    observe_contact(s, w, c, run.probe_q, run.probe_v, run.probe)
    run.touch_count[OBSERVED_STATES] += 1


@jit_compile
def find_event_root(s, w, run, t, h, c, quantity, offset, low, high, f_low, f_high, tolerance):
    """Fraction of the step at which run.probe[c, quantity] + offset vanishes, between two fractions with different signs: the
    Illinois variant of false position, until the absolute value is at most `tolerance`. The state there stays in run.probe."""
    side, x = 0, high
    for _ in range(MAX_BRACKET_STEPS):
        x = (low * f_high - high * f_low) / (f_high - f_low)
        probe_contact(s, w, run, t, h, c, x)
        f = run.probe[STATE_SIZE * c + quantity] + offset
        if abs(f) <= tolerance or high - low < MIN_BRACKET_WIDTH:
            break
        low, high, f_low, f_high, side = narrow_bracket(low, high, f_low, f_high, side, x, f)
    return x


@jit_compile
def find_gap_dip(s, w, run, t, h, c, land):
    """A fraction of the step at which a gap that is open at both its ends is closed; 0 if there is none. Searches the sign
    change of the rate by bisection: the distance to a small body that flies past has a corner, which polynomials through the
    ends miss."""
    low, high = 0.0, 1.0
    if not (run.seen[STATE_SIZE * c + STATE_GAP_RATE] < 0.0 and run.seen1[STATE_SIZE * c + STATE_GAP_RATE] > 0.0):
        return 0.0
    while high - low > MIN_BISECTION_FRACTION:
        x = 0.5 * (low + high)
        probe_contact(s, w, run, t, h, c, x)
        gap, rate = run.probe[STATE_SIZE * c + STATE_GAP], run.probe[STATE_SIZE * c + STATE_GAP_RATE]
        if gap < -land:
            return x
        if gap - abs(rate) * h * (high - low) > 0.0:
            return 0.0  # the gap would not reach zero even at this rate, which decreases towards the lowest point
        if rate < 0.0:
            low = x
        else:
            high = x
    return 0.0


@jit_compile
def find_carrying_piece(s, w, states, c):
    """The touching piece with the largest penetration on the surface of contact c; -1 if nothing touches it."""
    deepest, d = -1, s.contacts.next_piece[c]
    while d != c:
        deeper = deepest < 0 or states[STATE_SIZE * d + STATE_GAP] < states[STATE_SIZE * deepest + STATE_GAP]
        if deeper and contact_status(s, w, d) != 0.0 and s.contacts.weight[d] > 0.0:
            deepest = d
        d = s.contacts.next_piece[d]
    return deepest


@jit_compile
def find_concave_corner(s, states, c, land):
    """The concave corner that starts or ends together with the face c, at the end of the face; -1 if there is none."""
    d = s.contacts.next_piece[c]
    while d != c:
        k = STATE_SIZE * d
        equal_gap = (
            abs(states[k + STATE_GAP] - states[STATE_SIZE * c + STATE_GAP])
            < EQUAL_GAP_RTOL * abs(states[k + STATE_GAP]) + land
        )
        if equal_gap and s.contacts.weight[d] < 0.0 and abs(states[k + STATE_REGION]) < 2.0 * land:
            return d
        d = s.contacts.next_piece[d]
    return -1


@jit_compile
def has_entered_sideways(run, c, land):
    """True if a contact has entered the region of its piece from the side in this step, with penetration."""
    k = STATE_SIZE * c
    return (
        run.seen1[k + STATE_GAP] < -land
        and run.seen1[k + STATE_REGION] >= 0.05 * land > run.seen[k + STATE_REGION] - 0.45 * land
    )


@jit_compile
def find_touchdown(s, w, run, t, h, c, land):
    """Fraction of the step at which an open contact touches down (2: it does not), and the index of the crossing quantity."""
    k = STATE_SIZE * c
    g0, g1 = run.seen[k + STATE_GAP], run.seen1[k + STATE_GAP]
    if g0 >= -land:
        end, f_end = 1.0, g1 + 0.5 * land
        if g1 >= -land:
            end = find_gap_dip(s, w, run, t, h, c, land) if g0 > 0.0 and g1 > 0.0 else 0.0
            if end == 0.0:
                return 2.0, STATE_GAP
            f_end = run.probe[k + STATE_GAP] + 0.5 * land
        x = 0.0
        if g0 > -0.5 * land:
            x = find_event_root(
                s, w, run, t, h, c, STATE_GAP, 0.5 * land, 0.0, end, g0 + 0.5 * land, f_end, 0.05 * land
            )
        else:
            probe_contact(s, w, run, t, h, c, x)
        if run.probe[k + STATE_REGION] >= 0.0:
            return x, STATE_GAP
    # Behind the surface. This counts if it enters a face at a concave corner, from another piece that carries it.
    r0, r1 = run.seen[k + STATE_REGION] - 0.5 * land, run.seen1[k + STATE_REGION] - 0.5 * land
    if r0 < 0.0 and r1 > 0.5 * land and s.contacts.weight[c] > 0.0 and find_carrying_piece(s, w, run.seen1, c) >= 0:
        x = find_event_root(s, w, run, t, h, c, STATE_REGION, -0.5 * land, 0.0, 1.0, r0, r1, 0.05 * land)
        d = s.contacts.next_piece[c]
        while d != c:
            if s.contacts.weight[d] < 0.0:  # only concave corners are observed: a hill of many faces has none
                probe_contact(s, w, run, t, h, d, x)
            d = s.contacts.next_piece[d]
        if run.probe[k + STATE_GAP] < -land and find_concave_corner(s, run.probe, c, land) >= 0:
            return x, STATE_REGION
    return 2.0, STATE_GAP


@jit_compile
def find_first_event(s, w, run, t, h, c, land, ignore_reversals):
    """The first event of contact c in the step: fraction of the step (2: none) and index of the crossing quantity.
    ignore_reversals: ignore slip reversals, because two contacts with reversals at the same instant have requested shorter
    steps in turn."""
    k = STATE_SIZE * c
    if contact_status(s, w, c) == 0.0:
        return find_touchdown(s, w, run, t, h, c, land)
    first_fraction, quantity = 2.0, STATE_GAP
    g0, g1 = run.seen[k + STATE_GAP] - 0.5 * land, run.seen1[k + STATE_GAP] - 0.5 * land
    if g1 > 0.5 * land and g0 < 0.0:
        first_fraction = find_event_root(s, w, run, t, h, c, STATE_GAP, -0.5 * land, 0.0, 1.0, g0, g1, 0.05 * land)
    r0, r1 = run.seen[k + STATE_REGION] + 0.5 * land, run.seen1[k + STATE_REGION] + 0.5 * land
    if r1 < -0.5 * land and r0 > 0.0:
        x = find_event_root(s, w, run, t, h, c, STATE_REGION, 0.5 * land, 0.0, 1.0, r0, r1, 0.05 * land)
        if x < first_fraction:
            first_fraction, quantity = x, STATE_REGION
    s0, s1 = run.seen[k + STATE_SLIP_ALONG_STRETCH], run.seen1[k + STATE_SLIP_ALONG_STRETCH]
    # A slip that changes direction gradually turns its bristles with it; only a reversal along them is an event. (Without
    # this condition, a ball in a hollow had such an instant in every step, in ever shorter ones.)
    is_reversal = (
        abs(s0) > ALONG_BRISTLES_COSINE * run.seen[k + STATE_SLIP_SPEED]
        and abs(s1) > ALONG_BRISTLES_COSINE * run.seen1[k + STATE_SLIP_SPEED]
    )
    if s0 * s1 < 0.0 and is_reversal and s.contacts.bristled[c] != 0 and not ignore_reversals:
        # Bristles that have slid and now reverse: their deflection is counted from the reversal.
        x = find_event_root(
            s,
            w,
            run,
            t,
            h,
            c,
            STATE_SLIP_ALONG_STRETCH,
            0.0,
            0.0,
            1.0,
            s0,
            s1,
            SLIP_REVERSAL_RTOL * abs(s0) + SLIP_REVERSAL_ATOL_M_S,
        )
        evaluate_contact_force(s, w, c, run.probe_q, run.probe_v)
        stretch, limit = stretch_and_limit(w)
        if stretch > limit and STEP_EDGE_FRACTION < x < min(first_fraction, 1.0 - STEP_EDGE_FRACTION):
            first_fraction, quantity = x, STATE_SLIP_ALONG_STRETCH
    return first_fraction, quantity
