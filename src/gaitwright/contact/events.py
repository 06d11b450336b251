"""Contact events inside a step: touchdown, release and slip reversal.

After each step the integration loop calls `check_contact_events` to decide if the step is accepted. It is rejected if a contact
begins or ends inside it (then it is repeated up to that instant), and for methods without an error estimate also if it is too
long for the contact forces. After acceptance, `commit_contact_events` stores the events in the memory of the contacts, and
history.py keeps the records.

Gaps within +-LANDING_ZONE_GRAINS of zero (times the grain of the system) count as the instant itself: a touchdown is placed at
half of it inside, a release at half of it outside, so that rounding never starts or ends a contact.

Contacts that act at any closed gap (ContactTables.by_gap: the many points of a deformable surface) have no events: the method
integrates over the beginning and end of their force. Only their bristle state is stored.

All functions work on any record `run` with q, v, a, work at the beginning and q1, v1, a1, work1 at the end of the step, scale,
and the fields of `ContactHistory`.
"""

from __future__ import annotations

import math

from gaitwright.contact.event_location import (
    find_carrying_piece,
    find_concave_corner,
    find_first_event,
    has_entered_sideways,
)
from gaitwright.contact.history import (
    AIM_ATTEMPTS,
    CONTACTS_CHANGED,
    EPISODE_SLIP_DISTANCE,
    EPISODE_START_SLIP_DISTANCE,
    EXPECTED_RELEASE,
    EXPECTED_TOUCHDOWN,
    LOCATED_EVENTS,
    SINGLE_EVENT,
    STEP_ATTEMPTS,
    TARGET_CONTACT,
    TARGET_NUMBER,
    add_dissipated_energy,
    begin_episode,
    end_episode,
)
from gaitwright.contact.simultaneous_events import (
    REPEATED_STEP_FACTOR,
    count_event_steps,
    expect_events,
    find_expected_touchdowns,
    has_simultaneous_events,
    is_inner_event_allowed,
)
from gaitwright.contact.state import (
    LAW_FORCE,
    MEMORY_APPROACH_SPEED,
    MEMORY_SLIP_DISTANCE,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_REGION,
    STATE_SIZE,
    STATE_SLIP_ALONG_STRETCH,
    TOUCHING_BY_LAW,
    add_contact_force,
    advance_contact,
    begin_contact,
    contact_status,
    elastic_energy,
    evaluate_contact_force,
    memory_start,
    observe_contact,
    observe_watched,
)
from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import evaluate_position, update_signals, zero_values
from gaitwright.mechanism.hermite_interpolation import interpolate_step_state
from gaitwright.mechanism.kkt import factor_kkt, fill_mass, solve_kkt
from gaitwright.mechanism.tables import BEAM_POSITION_COORDINATE, RIGID_COORDINATE

LANDING_ZONE_GRAINS = 1e3
"""Width of the landing zone in grains: with a grain of 1e-13 of the mechanism's size, a touchdown is located to 1e-10 of it."""
MAX_STEP_ATTEMPTS = 24
"""Maximum number of attempts at one step; after them, slip reversals inside it are ignored."""
MAX_EVENT_ATTEMPTS = 8
"""Maximum number of attempts to end a step at an event; a grazing touchdown has no sharper instant."""
MAX_UNRESOLVED_VELOCITY_RATIO = 0.05
"""Maximum change of velocities, relative to them, that methods with an error estimate may leave unresolved, and that a step may
make without a corresponding force. The estimate of an embedded formula can be zero by accident: a long dopri5 step after a
touchdown had its force in the second stage alone, which has no weight."""
MAX_UNRESOLVED_BEAM_VELOCITY_RATIO = 1e-3
"""The same for nodes of beams. Their velocities oscillate with frequencies that no step resolves, and slopes even more."""
EQUAL_PENETRATION_ZONES = 100.0
"""Number of landing zones within which penetrations count as equal: there the seams between pieces are as wide as deep."""
STEP_FRACTION_ATOL = 1e-12
"""Fraction of a step that counts as zero: an event so near to the end of a step is at its end."""
MIN_STEP_FRACTION = 1e-9
"""Smallest fraction of a step that is tried: an error that it cannot resolve is passed to the method."""


@jit_compile
def estimate_unresolved_velocity(s, w, kkt, run, t, h, allowed):
    """Estimate of the velocity error after the step, relative to the velocity scale, due to contact forces that are not linear
    over it: the force in the middle of the step minus the mean of those at its ends, h^2 F''/8, applied to the mechanism.
    allowed: tolerance for rigid bodies."""
    b = s.contacts
    zero_values(run.residual)
    interpolate_step_state(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, 0.5, h, run.probe_q, run.probe_v)
    for x, weight in ((0.0, -0.5), (1.0, -0.5), (0.5, 1.0)):
        q, v = (run.q, run.v) if x == 0.0 else (run.q1, run.v1) if x == 1.0 else (run.probe_q, run.probe_v)
        update_signals(s, w, t + x * h)
        for c in range(b.count):
            if contact_status(s, w, c) == 0.0 or b.by_gap[c] != 0:
                continue
            evaluate_contact_force(s, w, c, q, v)
            add_contact_force(s, w, c, weight, run.residual)
            # for `record_step`, if the step is accepted
            if x == 1.0:
                run.last[c] = w.law[LAW_FORCE]
            elif x == 0.5:
                run.middle[c], run.known[c] = w.law[LAW_FORCE], 1
    update_signals(s, w, t + h)
    evaluate_position(s, w, run.q1)
    fill_mass(s, w, kkt)
    zero_values(kkt.rhs)
    for i in range(s.n):
        kkt.rhs[i] = run.residual[i]
    if factor_kkt(kkt) >= 0:
        return 0.0  # the method reports a singular pose
    solve_kkt(kkt)
    worst = total = 0.0
    for i in range(s.n):
        size = run.scale[i] + abs(run.v[i])
        error = 2.0 / 3.0 * h * kkt.rhs[i]
        total += abs(error)
        if s.nature[i] == RIGID_COORDINATE:
            # Simpson's rule; a change that it does not explain came from stage forces in states that the motion never reaches.
            unexplained = abs(run.v1[i] - run.v[i] - 0.5 * h * (run.a[i] + run.a1[i]) - error)
            worst = max(
                worst, abs(error) / size, math.inf if unexplained > MAX_UNRESOLVED_VELOCITY_RATIO * size else 0.0
            )
            total += unexplained
        elif s.nature[i] == BEAM_POSITION_COORDINATE:
            worst = max(worst, abs(error) / size * allowed / MAX_UNRESOLVED_BEAM_VELOCITY_RATIO)
    return worst if math.isfinite(total) else math.inf


@jit_compile
def count_touching_contacts(s, w):
    """Number of touching contacts with events."""
    count = 0
    for c in range(s.contacts.count):
        if contact_status(s, w, c) != 0.0 and s.contacts.by_gap[c] == 0:
            count += 1
    return count


@jit_compile
def check_contact_events(s, w, kkt, run, t, h, order, tolerance):
    """Return 1.0 to accept the step, otherwise the factor of its length for the repetition (mostly a shorter step).

    order: of a method without an error estimate, with a local error of (h omega)^(order + 1); the measure of
    `estimate_unresolved_velocity` is of (h omega)^3. Order 1 gets the sub-steps of order 2, otherwise it would take millions.
    0: the method controls its own error, and only errors that it cannot detect are rejected."""
    land = LANDING_ZONE_GRAINS * s.contacts.grain[0]
    update_signals(s, w, t + h)
    observe_watched(s, w, run.q1, run.v1, run.seen1)
    count = run.touch_count
    if s.n > s.m and count_touching_contacts(s, w) > 0:
        allowed = tolerance ** min(1.0, 3.0 / (order + 1.0)) if order > 0 else MAX_UNRESOLVED_VELOCITY_RATIO
        error = estimate_unresolved_velocity(s, w, kkt, run, t, h, allowed)
        if error > allowed and h > MIN_STEP_FRACTION * run.whole[0]:
            count[TARGET_CONTACT] = -1
            factor = max(0.1, 0.8 * (allowed / error) ** (1.0 / 3.0)) if math.isfinite(error) else 0.1
            run.part[0] = factor * h
            return factor
        if 8.0 * error < allowed:
            # Doubled or unchanged: methods with data of earlier steps restart then.
            run.part[0] = max(run.part[0], 2.0 * h)
    repeat = run.crowds != 0 and find_expected_touchdowns(s, w, run, t, h, land)
    first, contact, quantity = 2.0, -1, STATE_GAP
    # The first event that cannot be one of many simultaneous ones:
    single_first, single_contact, single_quantity = 2.0, -1, STATE_GAP
    for c in range(s.contacts.count):
        if c == count[TARGET_CONTACT] or s.contacts.by_gap[c] != 0 or run.expected[c] == EXPECTED_TOUCHDOWN:
            continue
        x, kind = find_first_event(s, w, run, t, h, c, land, count[STEP_ATTEMPTS] > MAX_STEP_ATTEMPTS)
        if x < first:
            first, contact, quantity = x, c, kind
        if run.crowds != 0 and not is_inner_event_allowed(s, w, run, c, x, kind) and x < single_first:
            single_first, single_contact, single_quantity = x, c, kind
    if run.crowds != 0 and first < 1.0 - STEP_FRACTION_ATOL and has_simultaneous_events(run, first):
        expect_events(s, w, run)
        repeat = find_expected_touchdowns(s, w, run, t, h, land) or repeat
        first, contact, quantity = single_first, single_contact, single_quantity
        count[TARGET_CONTACT] = -1
    if first < 1.0 - STEP_FRACTION_ATOL:
        count[TARGET_CONTACT], count[TARGET_NUMBER], count[AIM_ATTEMPTS] = contact, quantity, 1
        count[LOCATED_EVENTS] += 1
        count[STEP_ATTEMPTS] += 1
        return max(first, STEP_FRACTION_ATOL)
    if repeat and count[STEP_ATTEMPTS] <= MAX_STEP_ATTEMPTS:
        count[STEP_ATTEMPTS] += 1
        return REPEATED_STEP_FACTOR
    if count[TARGET_CONTACT] >= 0:
        repeat = aim_at_event(s, w, run, h, land)
        if repeat != 1.0:
            return repeat
    return 1.0


@jit_compile
def aim_at_event(s, w, run, h, land):
    """Return 1.0 if the step ends at the event for which it was shortened, otherwise the factor for the next attempt."""
    count = run.touch_count
    c, quantity = count[TARGET_CONTACT], count[TARGET_NUMBER]
    k = STATE_SIZE * c + quantity
    f, slope = run.seen1[k], (run.seen1[k] - run.seen[k]) / h
    closed = contact_status(s, w, c) != 0.0
    if quantity == STATE_GAP:
        f += -0.5 * land if closed else 0.5 * land
        slope = run.seen1[STATE_SIZE * c + STATE_GAP_RATE]
    elif quantity == STATE_REGION:
        f += 0.5 * land if closed else -0.5 * land
    zone = 0.4 * land if quantity != STATE_SLIP_ALONG_STRETCH else 1e-9 * (abs(run.seen[k]) + 1e-6)
    if abs(f) <= zone:
        return 1.0
    if count[AIM_ATTEMPTS] >= MAX_EVENT_ATTEMPTS or count[STEP_ATTEMPTS] > 4 * MAX_STEP_ATTEMPTS or slope == 0.0:
        # As near as possible. If the step ends before the event, the event is still to come.
        arrived = f > 0.0 if closed == (quantity == STATE_GAP) else f < 0.0
        if not arrived:
            count[TARGET_CONTACT] = -1
        return 1.0
    count[AIM_ATTEMPTS] += 1
    count[STEP_ATTEMPTS] += 1
    return min(max(1.0 - f / (slope * h), 0.1), 1.5)


@jit_compile
def start_touching(s, w, run, c, approach, origin):
    """Set a contact to touching. origin: piece of the surface from which the contact is transferred, with its approach speed
    and its bristles; -1 for a new contact."""
    m = memory_start(s, c)
    w.memory[m + MEMORY_TOUCHING] = TOUCHING_BY_LAW
    w.memory[m + MEMORY_APPROACH_SPEED] = (
        w.memory[memory_start(s, origin) + MEMORY_APPROACH_SPEED] if origin >= 0 else approach
    )
    begin_contact(s, w, c, origin, run.q1, run.v1)
    run.touch_count[CONTACTS_CHANGED] = 1


@jit_compile
def commit_contact_events(s, w, run, t, h):
    """Store the events until t in the memory of the contacts. t: end of an accepted step of length h; run.seen1: observed state
    there."""
    b, land = s.contacts, LANDING_ZONE_GRAINS * s.contacts.grain[0]
    landed = run.touch_count[TARGET_CONTACT] if run.touch_count[TARGET_NUMBER] == STATE_GAP else -1
    if run.crowds != 0:
        count_event_steps(run, run.touch_count[TARGET_CONTACT])
    run.touch_count[CONTACTS_CHANGED] = run.touch_count[STEP_ATTEMPTS] = 0
    run.touch_count[TARGET_CONTACT] = -1
    update_signals(s, w, t)
    for c in range(b.count):
        m, k = memory_start(s, c), STATE_SIZE * c
        run.ended[c] = 0
        if b.by_gap[c] != 0:
            if b.friction[c] != 0:
                advance_contact(s, w, c, run.q1, run.v1)
            continue
        if w.memory[m + MEMORY_TOUCHING] != 0.0:
            advance_contact_memory(s, w, run, c)
            if c == landed or run.seen1[k + STATE_GAP] >= 0.05 * land or run.seen1[k + STATE_REGION] < 0.0:
                if (
                    run.seen1[k + STATE_REGION] < 0.0
                    and run.seen1[k + STATE_GAP] < 0.0
                    and not hand_over_contact(s, w, run, c, t, land)
                ):
                    add_dissipated_energy(run, c, elastic_energy(s, w, c, run.seen1[k + STATE_GAP]))
                w.memory[m + MEMORY_TOUCHING] = 0.0
                run.ended[c] = 1
                w.memory[m + MEMORY_APPROACH_SPEED] = 0.0
                for i in range(b.dimension):
                    w.memory[m + MEMORY_STRETCH + i] = 0.0
                if run.crowds != 0 and run.expected[c] == EXPECTED_RELEASE:
                    end_episode(s, w, run, c, t - (1.0 - run.instant[c]) * h, run.pace[c])
                else:
                    run.touch_count[CONTACTS_CHANGED] = 1
                    end_episode(s, w, run, c, t, run.seen1[k + STATE_GAP_RATE])
    for c in range(b.count):
        k = STATE_SIZE * c
        closed = -land <= run.seen1[k + STATE_GAP] <= -0.05 * land and run.seen[k + STATE_GAP] >= -land
        if contact_status(s, w, c) != 0.0 or run.ended[c] != 0:
            continue
        if (c == landed or closed) and run.seen1[k + STATE_REGION] >= 0.0:
            # A concave corner subtracts a part of the force of its faces.
            origin = find_carrying_piece(s, w, run.seen1, c) if b.weight[c] < 0.0 else -1
            start_touching(s, w, run, c, max(-run.seen1[k + STATE_GAP_RATE], 0.0), origin)
            begin_episode(s, w, run, c, t)
        elif b.weight[c] > 0.0 and has_entered_sideways(run, c, land):
            origin, corner = find_carrying_piece(s, w, run.seen1, c), find_concave_corner(s, run.seen1, c, land)
            if origin >= 0 and corner >= 0:
                for d in (c, corner):
                    start_touching(s, w, run, d, 0.0, origin)
                    begin_episode(s, w, run, d, t)
    if count_touching_contacts(s, w) == 0:
        run.part[0] = math.inf
    for c in range(b.count):
        run.expected[c] = SINGLE_EVENT
        if b.bristled[c] != 0 and b.by_gap[c] == 0:
            observe_contact(s, w, c, run.q1, run.v1, run.seen1)  # slip along the updated bristle direction
    for i in range(run.seen.size):
        run.seen[i] = run.seen1[i]


@jit_compile
def hand_over_contact(s, w, run, c, t, land):
    """Transfer a contact that leaves its piece of the surface to the piece that it enters, with the same penetration. False if
    there is none: it slips off an edge, or ends together with a concave corner, which subtracts the same force."""
    b, k = s.contacts, STATE_SIZE * c
    if b.weight[c] < 0.0 or find_concave_corner(s, run.seen1, c, land) >= 0:
        return False
    d = b.next_piece[c]
    while d != c:
        state_start = STATE_SIZE * d
        equal_gap = (
            abs(run.seen1[state_start + STATE_GAP] - run.seen1[k + STATE_GAP])
            <= 1e-3 * abs(run.seen1[k + STATE_GAP]) + EQUAL_PENETRATION_ZONES * land
        )
        is_free = b.weight[d] > 0.0 and contact_status(s, w, d) == 0.0
        if is_free and equal_gap and run.seen1[state_start + STATE_REGION] >= -2.0 * land:
            start_touching(s, w, run, d, 0.0, c)
            begin_episode(s, w, run, d, t)
            return True
        d = b.next_piece[d]
    return False


@jit_compile
def advance_contact_memory(s, w, run, c):
    """Update slip distance and bristles of a touching contact at the end of the step."""
    advance_contact(s, w, c, run.q1, run.v1)
    run.episode[c, EPISODE_SLIP_DISTANCE] = (
        w.memory[memory_start(s, c) + MEMORY_SLIP_DISTANCE] - run.episode[c, EPISODE_START_SLIP_DISTANCE]
    )
