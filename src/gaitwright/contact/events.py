"""Touchdown, release and everything else that happens to a contact inside a step.

After each step the loop around it asks `watch`: may the step stand? Not if a contact begins or ends inside it (then it is
repeated up to that instant), and for methods without an error estimate not if it is too long for the forces of the
contacts. When it stands, `settle` writes what happened into the memory of the contacts and history.py keeps the records.

Gaps within +-LAND of zero (times the grain of the system) count as the instant itself: a touchdown is placed at half of it
inside, a release at half of it outside, so that rounding never starts or ends a contact.

Contacts that touch wherever their gap is closed (Contacts.by_gap: the many points of a surface that deforms) have no events:
the step sees their force begin and end. All there is to do for them is to keep what their bristles have become.

All functions work on any record `run` with q, v, a, work at the begin and q1, v1, a1, work1 at the end of the step, scale,
and the fields of `History`.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.history import (
    AIMED,
    CHANGED,
    FIRST_SLID,
    LOCATED,
    LOOKED,
    SLID,
    TARGET,
    TRIED,
    WHAT,
    begin_episode,
    end_episode,
    lose,
)
from gaitwright.system.evaluate import position, signals_at
from gaitwright.system.hermite import coordinates_between, state_between
from gaitwright.system.kkt import factor, fill_mass, solve
from gaitwright.system.tables import BEAM_POSITION, RIGID
from gaitwright.system.touch import (
    ALONG,
    APPROACH,
    BY_LAW,
    FORCE,
    GAP,
    RATE,
    REGION,
    SEEN,
    SLIPPED,
    SPEED,
    STRETCH,
    TOUCHING,
    advance,
    begin,
    coordinates_of,
    elastic_energy,
    memory_of,
    observe_contact,
    observe_watched,
    press,
    stretched,
    touch,
    touching,
)

LAND = 1e3
"""Width of the landing zone in grains: with a grain of 1e-13 of the mechanism's size, a touchdown is met to 1e-10 of it."""
TRIES = 24
"""Attempts at one step after which bristles may turn back inside it unnoticed."""
AIMS = 8
"""Attempts to land on an event; a grazing touchdown has no sharper instant."""
PLAUSIBLE = 0.05
"""Most, relative to the velocities, that methods with an error estimate may leave unresolved, and that a step may change
velocities without a force to show for it. The estimate of an embedded formula can be zero by
accident: a long dopri5 step after a touchdown had its force in the second stage alone, which has no weight."""
RINGING = 1e-3
"""The same for nodes of beams. Their velocities ring with frequencies that no step resolves, and slopes even more."""
SHALLOW = 100.0
"""Landing zones within which all penetrations are the same: there the seams between pieces are as wide as they are deep."""
BACK = 0.7
"""Cosine between slip and stretch above which a slip goes along the bristles; in the plane it always does."""
SMALLEST_PART = 1e-9
"""Parts of a step below this fraction of it are not tried: what cannot be resolved then is passed to the method."""


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
    for _ in range(60):
        x = (low * f_high - high * f_low) / (f_high - f_low)
        look(s, w, run, t, h, c, x)
        f = run.probe[SEEN * c + what] + offset
        if abs(f) <= enough or high - low < 1e-14:
            break
        if (f > 0.0) == (f_high > 0.0):
            high, f_high = x, f
            if side == 1:
                f_low *= 0.5
            side = 1
        else:
            low, f_low = x, f
            if side == -1:
                f_high *= 0.5
            side = -1
    return x


@compiled
def dip(s, w, run, t, h, c, land):
    """A fraction of the step at which a gap that is open at both its ends is closed; 0 if there is none. Looks where the
    rate changes its sign, by bisection: the distance to a small body that flies past is a corner, which polynomials
    through the ends miss."""
    low, high = 0.0, 1.0
    if not (run.seen[SEEN * c + RATE] < 0.0 and run.seen1[SEEN * c + RATE] > 0.0):
        return 0.0
    while high - low > 1e-9:
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
        same = abs(seen[k + GAP] - seen[SEEN * c + GAP]) < 1e-6 * abs(seen[k + GAP]) + land
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
        x = root(s, w, run, t, h, c, ALONG, 0.0, 0.0, 1.0, s0, s1, 1e-9 * abs(s0) + 1e-15)
        touch(s, w, c, run.probe_q, run.probe_v)
        stretch, limit = stretched(w)
        if stretch > limit and 1e-6 < x < min(first, 1.0 - 1e-6):
            first, what = x, ALONG
    return first, what


@compiled
def unresolved(s, w, kkt, run, t, h, allowed):
    """How far the velocities after the step may be off, relative to their scale, because the forces of the contacts are
    not straight lines over it: the force in the middle of the step minus the mean of those at its ends, h^2 F''/8,
    applied to the mechanism. allowed: what will be allowed of rigid bodies."""
    b = s.contacts
    run.residual[:] = 0.0
    state_between(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, 0.5, h, run.probe_q, run.probe_v)
    for x, weight in ((0.0, -0.5), (1.0, -0.5), (0.5, 1.0)):
        q, v = (run.q, run.v) if x == 0.0 else (run.q1, run.v1) if x == 1.0 else (run.probe_q, run.probe_v)
        signals_at(s, w, t + x * h)
        for c in range(b.count):
            if touching(s, w, c) == 0.0 or b.by_gap[c] != 0:
                continue
            touch(s, w, c, q, v)
            press(s, w, c, weight, run.residual)
            # for `record`, if the step stands
            if x == 1.0:
                run.last[c] = w.law[FORCE]
            elif x == 0.5:
                run.middle[c], run.known[c] = w.law[FORCE], 1
    signals_at(s, w, t + h)
    position(s, w, run.q1)
    fill_mass(s, w, kkt)
    kkt.rhs[:] = 0.0
    for i in range(s.n):
        kkt.rhs[i] = run.residual[i]
    if factor(kkt) >= 0:
        return 0.0  # a singular pose is for the method to report
    solve(kkt)
    worst = total = 0.0
    for i in range(s.n):
        size = run.scale[i] + abs(run.v[i])
        bent = 2.0 / 3.0 * h * kkt.rhs[i]
        total += abs(bent)
        if s.nature[i] == RIGID:
            # Simpson's rule; what it does not explain at all came from forces in the stages that the motion never meets.
            odd = abs(run.v1[i] - run.v[i] - 0.5 * h * (run.a[i] + run.a1[i]) - bent)
            worst = max(worst, abs(bent) / size, math.inf if odd > PLAUSIBLE * size else 0.0)
            total += odd
        elif s.nature[i] == BEAM_POSITION:
            worst = max(worst, abs(bent) / size * allowed / RINGING)
    return worst if math.isfinite(total) else math.inf


@compiled
def touching_count(s, w):
    """How many contacts with events touch."""
    count = 0
    for c in range(s.contacts.count):
        if touching(s, w, c) != 0.0 and s.contacts.by_gap[c] == 0:
            count += 1
    return count


@compiled
def watch(s, w, kkt, run, t, h, order, tolerance):
    """1 if the step may stand; otherwise the factor of its length with which it has to be repeated.

    order: of a method without an error estimate, whose local error goes with (h omega)^(order + 1); the measure of
    `unresolved` goes with (h omega)^3. Order 1 gets the parts of order 2, it would take millions. 0: the method watches
    its error itself, and only what it cannot see is refused."""
    land = LAND * s.contacts.grain[0]
    signals_at(s, w, t + h)
    observe_watched(s, w, run.q1, run.v1, run.seen1)
    count = run.touch_count
    if s.n > s.m and touching_count(s, w) > 0:
        allowed = tolerance ** min(1.0, 3.0 / (order + 1.0)) if order > 0 else PLAUSIBLE
        error = unresolved(s, w, kkt, run, t, h, allowed)
        if error > allowed and h > SMALLEST_PART * run.whole[0]:
            count[TARGET] = -1
            factor = max(0.1, 0.8 * (allowed / error) ** (1.0 / 3.0)) if math.isfinite(error) else 0.1
            run.part[0] = factor * h
            return factor
        if 8.0 * error < allowed:
            run.part[0] = max(run.part[0], 2.0 * h)  # doubled or kept: methods with a memory restart at each change
    first, who, what = 2.0, -1, GAP
    for c in range(s.contacts.count):
        if c != count[TARGET] and s.contacts.by_gap[c] == 0:
            x, kind = event_of(s, w, run, t, h, c, land, count[TRIED] > TRIES)
            if x < first:
                first, who, what = x, c, kind
    if first < 1.0 - 1e-12:
        count[TARGET], count[WHAT], count[AIMED] = who, what, 1
        count[LOCATED] += 1
        count[TRIED] += 1
        return max(first, 1e-12)
    if count[TARGET] >= 0:
        again = aim(s, w, run, h, land)
        if again != 1.0:
            return again
    return 1.0


@compiled
def aim(s, w, run, h, land):
    """1 if the step has landed on the event it was shortened for, otherwise the factor for the next attempt."""
    count = run.touch_count
    c, what = count[TARGET], count[WHAT]
    k = SEEN * c + what
    f, slope = run.seen1[k], (run.seen1[k] - run.seen[k]) / h
    closed = touching(s, w, c) != 0.0
    if what == GAP:
        f += -0.5 * land if closed else 0.5 * land
        slope = run.seen1[SEEN * c + RATE]
    elif what == REGION:
        f += 0.5 * land if closed else -0.5 * land
    zone = 0.4 * land if what != ALONG else 1e-9 * (abs(run.seen[k]) + 1e-6)
    if abs(f) <= zone:
        return 1.0
    if count[AIMED] >= AIMS or count[TRIED] > 4 * TRIES or slope == 0.0:
        # As near as it gets. On the wrong side of the event, it is still to come.
        arrived = f > 0.0 if closed == (what == GAP) else f < 0.0
        if not arrived:
            count[TARGET] = -1
        return 1.0
    count[AIMED] += 1
    count[TRIED] += 1
    return min(max(1.0 - f / (slope * h), 0.1), 1.5)


@compiled
def begin_touching(s, w, run, c, approach, origin):
    """origin: the piece of the surface that hands the contact over, with its approach speed and its bristles; -1 if it is
    new."""
    m = memory_of(s, c)
    w.memory[m + TOUCHING] = BY_LAW
    w.memory[m + APPROACH] = w.memory[memory_of(s, origin) + APPROACH] if origin >= 0 else approach
    begin(s, w, c, origin, run.q1, run.v1)
    run.touch_count[CHANGED] = 1


@compiled
def settle(s, w, run, t):
    """Write into the memory what happened until t, the end of a step that stands, whose contacts are in run.seen1."""
    b, land = s.contacts, LAND * s.contacts.grain[0]
    landed = run.touch_count[TARGET] if run.touch_count[WHAT] == GAP else -1
    run.touch_count[CHANGED] = run.touch_count[TRIED] = 0
    run.touch_count[TARGET] = -1
    signals_at(s, w, t)
    for c in range(b.count):
        m, k = memory_of(s, c), SEEN * c
        run.ended[c] = 0
        if b.by_gap[c] != 0:
            if b.friction[c] != 0:
                advance(s, w, c, run.q1, run.v1)
            continue
        if w.memory[m + TOUCHING] != 0.0:
            advance_memory(s, w, run, c)
            if c == landed or run.seen1[k + GAP] >= 0.05 * land or run.seen1[k + REGION] < 0.0:
                if run.seen1[k + REGION] < 0.0 and run.seen1[k + GAP] < 0.0 and not hand_over(s, w, run, c, t, land):
                    lose(run, c, elastic_energy(s, w, c, run.seen1[k + GAP]))
                w.memory[m + TOUCHING] = 0.0
                run.ended[c] = 1
                w.memory[m + APPROACH] = 0.0
                for i in range(b.dimension):
                    w.memory[m + STRETCH + i] = 0.0
                run.touch_count[CHANGED] = 1
                end_episode(s, w, run, c, t)
    for c in range(b.count):
        k = SEEN * c
        closed = -land <= run.seen1[k + GAP] <= -0.05 * land and run.seen[k + GAP] >= -land
        if touching(s, w, c) != 0.0 or run.ended[c] != 0:
            continue
        origin = carrier(s, w, run.seen1, c) if b.next_piece[c] != c else -1
        if (c == landed or closed) and run.seen1[k + REGION] >= 0.0:
            # What a concave corner takes away is part of what its faces carry.
            origin = origin if b.weight[c] < 0.0 else -1
            begin_touching(s, w, run, c, max(-run.seen1[k + RATE], 0.0), origin)
            begin_episode(s, w, run, c, t)
        elif origin >= 0 and b.weight[c] > 0.0 and entered(run, c, land):
            corner = concave_corner(s, run.seen1, c, land)
            if corner >= 0:
                for d in (c, corner):
                    begin_touching(s, w, run, d, 0.0, origin)
                    begin_episode(s, w, run, d, t)
    if touching_count(s, w) == 0:
        run.part[0] = math.inf
    for c in range(b.count):
        if b.bristled[c] != 0 and b.by_gap[c] == 0:
            observe_contact(s, w, c, run.q1, run.v1, run.seen1)  # the slip along what the bristles have become
    for i in range(run.seen.size):
        run.seen[i] = run.seen1[i]


@compiled
def hand_over(s, w, run, c, t, land):
    """A contact that leaves its piece of the surface goes on on the piece it enters, with the same penetration. False if
    there is none: it slips off an edge, or goes together with a concave corner, which takes as much away."""
    b, k = s.contacts, SEEN * c
    if b.weight[c] < 0.0 or concave_corner(s, run.seen1, c, land) >= 0:
        return False
    d = b.next_piece[c]
    while d != c:
        other = SEEN * d
        same = abs(run.seen1[other + GAP] - run.seen1[k + GAP]) <= 1e-3 * abs(run.seen1[k + GAP]) + SHALLOW * land
        free = b.weight[d] > 0.0 and touching(s, w, d) == 0.0
        if free and same and run.seen1[other + REGION] >= -2.0 * land:
            begin_touching(s, w, run, d, 0.0, c)
            begin_episode(s, w, run, d, t)
            return True
        d = b.next_piece[d]
    return False


@compiled
def advance_memory(s, w, run, c):
    """Slip distance and bristles of a touching contact at the end of the step."""
    advance(s, w, c, run.q1, run.v1)
    run.episode[c, SLID] = w.memory[memory_of(s, c) + SLIPPED] - run.episode[c, FIRST_SLID]
