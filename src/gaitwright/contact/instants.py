"""Where in a step something happens to a contact: the instants of touchdown, release and turning back, on the motion between
the ends of the step."""

from __future__ import annotations

from gaitwright.compiled import compiled
from gaitwright.contact.false_position import MOST, NARROW, narrowed
from gaitwright.contact.history import LOOKED
from gaitwright.system.evaluate import signals_at
from gaitwright.system.hermite import coordinates_between
from gaitwright.system.touch import (
    ALONG,
    GAP,
    RATE,
    REGION,
    SEEN,
    SPEED,
    coordinates_of,
    observe_contact,
    stretched,
    touch,
    touching,
)

BACK = 0.7
"""Cosine between slip and stretch above which a slip goes along the bristles; in the plane it always does."""
HALVED = 1e-9
"""Part of a step down to which the lowest gap inside of it is looked for."""
ALIKE = 1e-6
"""Relative difference of gaps up to which a face and the corner at its end have the same."""
TURNED, STILL = 1e-9, 1e-15
"""Slip at which it turns back: relative to that at the begin of the step, and m/s."""
EDGE = 1e-6
"""Part of a step, at both its ends, in which bristles that turn back do so there."""


@compiled
def look(s, w, run, t, h, c, x):
    """Gap and so on of contact c at the fraction x of the step, into run.probe."""
    coordinates_between(
        coordinates_of(s, c), s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, run.probe_q, run.probe_v
    )
    signals_at(s, w, t + x * h)
    observe_contact(s, w, c, run.probe_q, run.probe_v, run.probe)
    run.touch_count[LOOKED] += 1


@compiled
def root(s, w, run, t, h, c, what, offset, low, high, f_low, f_high, enough):
    """Where run.probe[c, what] + offset vanishes between two fractions of the step with different signs: the Illinois
    variant of false position, until the number is `enough` near zero. The state there stays in run.probe."""
    side, x = 0, high
    for _ in range(MOST):
        x = (low * f_high - high * f_low) / (f_high - f_low)
        look(s, w, run, t, h, c, x)
        f = run.probe[SEEN * c + what] + offset
        if abs(f) <= enough or high - low < NARROW:
            break
        low, high, f_low, f_high, side = narrowed(low, high, f_low, f_high, side, x, f)
    return x


@compiled
def dip(s, w, run, t, h, c, land):
    """A fraction of the step at which a gap that is open at both its ends is closed; 0 if there is none. Looks where the
    rate changes its sign, by bisection: the distance to a small body that flies past is a corner, which polynomials
    through the ends miss."""
    low, high = 0.0, 1.0
    if not (run.seen[SEEN * c + RATE] < 0.0 and run.seen1[SEEN * c + RATE] > 0.0):
        return 0.0
    while high - low > HALVED:
        x = 0.5 * (low + high)
        look(s, w, run, t, h, c, x)
        gap, rate = run.probe[SEEN * c + GAP], run.probe[SEEN * c + RATE]
        if gap < -land:
            return x
        if gap - abs(rate) * h * (high - low) > 0.0:
            return 0.0  # it would not come down to zero even at this rate, which falls towards the lowest point
        if rate < 0.0:
            low = x
        else:
            high = x
    return 0.0


@compiled
def carrier(s, w, seen, c):
    """Of the surface that contact c is a piece of, the piece that carries most; -1 if nothing touches it."""
    found, d = -1, s.contacts.next_piece[c]
    while d != c:
        deeper = found < 0 or seen[SEEN * d + GAP] < seen[SEEN * found + GAP]
        if deeper and touching(s, w, d) != 0.0 and s.contacts.weight[d] > 0.0:
            found = d
        d = s.contacts.next_piece[d]
    return found


@compiled
def concave_corner(s, seen, c, land):
    """The concave corner that comes or goes together with the face c, being at its end; -1 if it is not at such an end."""
    d = s.contacts.next_piece[c]
    while d != c:
        k = SEEN * d
        same = abs(seen[k + GAP] - seen[SEEN * c + GAP]) < ALIKE * abs(seen[k + GAP]) + land
        if same and s.contacts.weight[d] < 0.0 and abs(seen[k + REGION]) < 2.0 * land:
            return d
        d = s.contacts.next_piece[d]
    return -1


@compiled
def entered(run, c, land):
    """Whether a contact has come into the region of its piece from the side in this step, inside."""
    k = SEEN * c
    return run.seen1[k + GAP] < -land and run.seen1[k + REGION] >= 0.05 * land > run.seen[k + REGION] - 0.45 * land


@compiled
def touchdown(s, w, run, t, h, c, land):
    """Fraction of the step at which a contact that does not touch begins to (2: it does not), and which number says so."""
    k = SEEN * c
    g0, g1 = run.seen[k + GAP], run.seen1[k + GAP]
    if g0 >= -land:
        end, f_end = 1.0, g1 + 0.5 * land
        if g1 >= -land:
            end = dip(s, w, run, t, h, c, land) if g0 > 0.0 and g1 > 0.0 else 0.0
            if end == 0.0:
                return 2.0, GAP
            f_end = run.probe[k + GAP] + 0.5 * land
        x = 0.0
        if g0 > -0.5 * land:
            x = root(s, w, run, t, h, c, GAP, 0.5 * land, 0.0, end, g0 + 0.5 * land, f_end, 0.05 * land)
        else:
            look(s, w, run, t, h, c, x)
        if run.probe[k + REGION] >= 0.0:
            return x, GAP
    # Behind the surface. It counts when it comes onto a face at a concave corner, from another piece that carries it.
    r0, r1 = run.seen[k + REGION] - 0.5 * land, run.seen1[k + REGION] - 0.5 * land
    if r0 < 0.0 and r1 > 0.5 * land and s.contacts.weight[c] > 0.0 and carrier(s, w, run.seen1, c) >= 0:
        x = root(s, w, run, t, h, c, REGION, -0.5 * land, 0.0, 1.0, r0, r1, 0.05 * land)
        d = s.contacts.next_piece[c]
        while d != c:
            if s.contacts.weight[d] < 0.0:  # concave corners alone are asked for: a hill of many faces has none
                look(s, w, run, t, h, d, x)
            d = s.contacts.next_piece[d]
        if run.probe[k + GAP] < -land and concave_corner(s, run.probe, c, land) >= 0:
            return x, REGION
    return 2.0, GAP


@compiled
def event_of(s, w, run, t, h, c, land, tired):
    """The first event of contact c in the step: fraction of the step (2: none) and which number crosses zero. tired: two
    contacts that turn back at the same instant have asked for it in turn; without them the step may stand."""
    k = SEEN * c
    if touching(s, w, c) == 0.0:
        return touchdown(s, w, run, t, h, c, land)
    first, what = 2.0, GAP
    g0, g1 = run.seen[k + GAP] - 0.5 * land, run.seen1[k + GAP] - 0.5 * land
    if g1 > 0.5 * land and g0 < 0.0:
        first = root(s, w, run, t, h, c, GAP, -0.5 * land, 0.0, 1.0, g0, g1, 0.05 * land)
    r0, r1 = run.seen[k + REGION] + 0.5 * land, run.seen1[k + REGION] + 0.5 * land
    if r1 < -0.5 * land and r0 > 0.0:
        x = root(s, w, run, t, h, c, REGION, 0.5 * land, 0.0, 1.0, r0, r1, 0.05 * land)
        if x < first:
            first, what = x, REGION
    s0, s1 = run.seen[k + ALONG], run.seen1[k + ALONG]
    # A slip that swings round turns its bristles with it; only one that goes back along them is an event. (Without
    # this, a ball in a hollow met such an instant in every step, in ever shorter ones.)
    back = abs(s0) > BACK * run.seen[k + SPEED] and abs(s1) > BACK * run.seen1[k + SPEED]
    if s0 * s1 < 0.0 and back and s.contacts.bristled[c] != 0 and not tired:
        # Bristles that have given way and now swing back: their stretch is counted from the turning point.
        x = root(s, w, run, t, h, c, ALONG, 0.0, 0.0, 1.0, s0, s1, TURNED * abs(s0) + STILL)
        touch(s, w, c, run.probe_q, run.probe_v)
        stretch, limit = stretched(w)
        if stretch > limit and EDGE < x < min(first, 1.0 - EDGE):
            first, what = x, ALONG
    return first, what
