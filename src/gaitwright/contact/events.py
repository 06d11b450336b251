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
from gaitwright.contact.crowd import AGAIN, count_row, expect, find_landings, is_crowd, joins
from gaitwright.contact.history import (
    AIMED,
    ALONE,
    CHANGED,
    FIRST_SLID,
    LANDS,
    LEAVES,
    LOCATED,
    SLID,
    TARGET,
    TRIED,
    WHAT,
    begin_episode,
    end_episode,
    lose,
)
from gaitwright.contact.instants import carrier, concave_corner, entered, event_of
from gaitwright.system.evaluate import clear, position, signals_at
from gaitwright.system.hermite import state_between
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
    STRETCH,
    TOUCHING,
    advance,
    begin,
    elastic_energy,
    memory_of,
    observe_contact,
    observe_watched,
    press,
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
ROUNDING = 1e-12
"""Part of a step that is nothing: an event so near to its end is at its end."""
SMALLEST_PART = 1e-9
"""Parts of a step below this fraction of it are not tried: what cannot be resolved then is passed to the method."""


@compiled
def unresolved(s, w, kkt, run, t, h, allowed):
    """How far the velocities after the step may be off, relative to their scale, because the forces of the contacts are
    not straight lines over it: the force in the middle of the step minus the mean of those at its ends, h^2 F''/8,
    applied to the mechanism. allowed: what will be allowed of rigid bodies."""
    b = s.contacts
    clear(run.residual)
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
    clear(kkt.rhs)
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
    again = run.crowds != 0 and find_landings(s, w, run, t, h, land)
    first, who, what = 2.0, -1, GAP
    single, who_alone, what_alone = 2.0, -1, GAP  # of those that cannot be one of many
    for c in range(s.contacts.count):
        if c == count[TARGET] or s.contacts.by_gap[c] != 0 or run.expected[c] == LANDS:
            continue
        x, kind = event_of(s, w, run, t, h, c, land, count[TRIED] > TRIES)
        if x < first:
            first, who, what = x, c, kind
        if run.crowds != 0 and not joins(s, w, run, c, x, kind) and x < single:
            single, who_alone, what_alone = x, c, kind
    if run.crowds != 0 and first < 1.0 - ROUNDING and is_crowd(run, first):
        expect(s, w, run)
        again = find_landings(s, w, run, t, h, land) or again
        first, who, what = single, who_alone, what_alone
        count[TARGET] = -1
    if first < 1.0 - ROUNDING:
        count[TARGET], count[WHAT], count[AIMED] = who, what, 1
        count[LOCATED] += 1
        count[TRIED] += 1
        return max(first, ROUNDING)
    if again and count[TRIED] <= TRIES:
        count[TRIED] += 1
        return AGAIN
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
def settle(s, w, run, t, h):
    """Write into the memory what happened until t, the end of a step of length h that stands, whose contacts are in
    run.seen1."""
    b, land = s.contacts, LAND * s.contacts.grain[0]
    landed = run.touch_count[TARGET] if run.touch_count[WHAT] == GAP else -1
    if run.crowds != 0:
        count_row(run, run.touch_count[TARGET])
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
                if run.crowds != 0 and run.expected[c] == LEAVES:
                    end_episode(s, w, run, c, t - (1.0 - run.instant[c]) * h, run.pace[c])
                else:
                    run.touch_count[CHANGED] = 1
                    end_episode(s, w, run, c, t, run.seen1[k + RATE])
    for c in range(b.count):
        k = SEEN * c
        closed = -land <= run.seen1[k + GAP] <= -0.05 * land and run.seen[k + GAP] >= -land
        if touching(s, w, c) != 0.0 or run.ended[c] != 0:
            continue
        if (c == landed or closed) and run.seen1[k + REGION] >= 0.0:
            # What a concave corner takes away is part of what its faces carry.
            origin = carrier(s, w, run.seen1, c) if b.weight[c] < 0.0 else -1
            begin_touching(s, w, run, c, max(-run.seen1[k + RATE], 0.0), origin)
            begin_episode(s, w, run, c, t)
        elif b.weight[c] > 0.0 and entered(run, c, land):
            origin, corner = carrier(s, w, run.seen1, c), concave_corner(s, run.seen1, c, land)
            if origin >= 0 and corner >= 0:
                for d in (c, corner):
                    begin_touching(s, w, run, d, 0.0, origin)
                    begin_episode(s, w, run, d, t)
    if touching_count(s, w) == 0:
        run.part[0] = math.inf
    for c in range(b.count):
        run.expected[c] = ALONE
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
