"""Many touchdowns and releases inside one step, treated together.

Ending a step at every touchdown costs a step of the whole system for each: for a foot of 2,000 points that come down one
after the other, the effort grew with the square of their number. If many contacts begin or end in a step, each at its own
instant, the step therefore continues over them. This loses no accuracy if the force of a contact begins at zero, because a
contact with an open gap has no force, whatever its memory contains:

    touchdown   the instant, the approach speed and the reference place of the bristles are found on the motion of the first
                attempt; the step is repeated with these contacts set to touching, until the values found on the motion agree
                with those used in its computation
    release     the instant is found on the motion, which is already correct

The step length is then limited by its forces, with the usual checks (events.estimate_unresolved_velocity, and the error
estimate of a method that has one). For single events, laws that begin with a jump, and surfaces that consist of pieces,
steps end at the event as before.
"""

from __future__ import annotations

import math

from gaitwright.contact.event_location import find_touchdown
from gaitwright.contact.history import (
    CONSECUTIVE_EVENT_STEPS,
    EXPECTED_RELEASE,
    EXPECTED_TOUCHDOWN,
    LAST_EVENT_CONTACT,
    LOCATED_EVENTS,
    MIN_CONSECUTIVE_EVENT_STEPS,
    MIN_SIMULTANEOUS_EVENTS,
    SINGLE_EVENT,
)
from gaitwright.contact.state import (
    LAW_FORCE,
    MEMORY_APPROACH_SPEED,
    MEMORY_TOUCHING,
    MIN_PENETRATION_M,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_SIZE,
    TOUCHING_BY_LAW,
    begin_contact,
    contact_status,
    memory_start,
)
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to

SIMULTANEOUS_STEP_FRACTION = 1e-9
"""Fraction of a step within which events count as simultaneous."""
MAX_ZERO_FORCE_N = 1e-50
"""Force, N, at MIN_PENETRATION_M that counts as zero."""
APPROACH_SPEED_RTOL = 1e-6
"""Relative difference below which approach speeds count as equal."""
REPEATED_STEP_FACTOR = 1.0 - 1e-13
"""Factor for a step that is repeated with the same length."""


@jit_compile
def is_inner_event_allowed(s, w, run, c, x, quantity):
    """True if contact c, with its event at the fraction x of the step, may begin or end inside it: the event is a zero of its
    gap, its surface is one piece, and its force begins at zero. The event is then stored in run.instant and run.pace."""
    b = s.contacts
    rate, run.expected[c], run.instant[c] = run.probe[STATE_SIZE * c + STATE_GAP_RATE], SINGLE_EVENT, 2.0
    if x >= 1.0 or quantity != STATE_GAP or b.next_piece[c] != c or b.law[c] == 0:
        return False
    if contact_status(s, w, c) == 0.0:
        w.given[0], w.given[1], w.given[2] = MIN_PENETRATION_M, -rate, max(-rate, b.slowest[c])
        call_address(b.law[c], (1, pointer_to(b.law_par, b.law_start[c]), w.given, w.law))
        if w.law[LAW_FORCE] > MAX_ZERO_FORCE_N:
            return False
    run.instant[c], run.pace[c] = x, rate
    return True


@jit_compile
def has_simultaneous_events(run, first):
    """True if many contacts have instants in run.instant, or some after many consecutive event steps."""
    later_count = count = 0
    for c in range(run.instant.size):
        if run.expected[c] == SINGLE_EVENT and run.instant[c] < 1.0:
            count += 1
            if run.instant[c] > first + SIMULTANEOUS_STEP_FRACTION:
                later_count += 1
    return later_count >= MIN_SIMULTANEOUS_EVENTS or (
        count > 0 and run.touch_count[CONSECUTIVE_EVENT_STEPS] >= MIN_CONSECUTIVE_EVENT_STEPS
    )


@jit_compile
def count_event_steps(run, landed):
    """Update the number of consecutive steps that ended at events or contained some. landed: contact of the event at the end
    of the step, -1 if there is none."""
    count, inside = run.touch_count, False
    for c in range(run.expected.size):
        if run.expected[c] != SINGLE_EVENT and run.instant[c] <= 1.0:
            inside = True
            count[LOCATED_EVENTS] += 1
    if landed >= 0:
        count[CONSECUTIVE_EVENT_STEPS] = (
            count[CONSECUTIVE_EVENT_STEPS] + 1 if landed != count[LAST_EVENT_CONTACT] else 0
        )
        count[LAST_EVENT_CONTACT] = landed
    elif not inside:
        count[CONSECUTIVE_EVENT_STEPS] = 0


@jit_compile
def expect_events(s, w, run):
    """Mark the events in run.instant as simultaneous ones."""
    for c in range(run.instant.size):
        if run.expected[c] == SINGLE_EVENT and run.instant[c] < 1.0:
            run.expected[c] = EXPECTED_RELEASE if contact_status(s, w, c) != 0.0 else EXPECTED_TOUCHDOWN


@jit_compile
def find_expected_touchdowns(s, w, run, t, h, zone):
    """Find the instants of the expected touchdowns on the current motion; True if the memory of a contact has changed."""
    changed = False
    for c in range(run.expected.size):
        if run.expected[c] == EXPECTED_TOUCHDOWN:
            run.instant[c], _ = find_touchdown(s, w, run, t, h, c, zone)
            if run.instant[c] < 1.0 and not confirm_touchdown(s, w, run, c):
                changed = True
    return changed


@jit_compile
def confirm_touchdown(s, w, run, c):
    """True if the memory already contains the touchdown of contact c at the state in run.probe; otherwise store it."""
    m, speed = memory_start(s, c), max(-run.probe[STATE_SIZE * c + STATE_GAP_RATE], 0.0)
    stored_speed = w.memory[m + MEMORY_APPROACH_SPEED] if contact_status(s, w, c) != 0.0 else math.inf
    if abs(speed - stored_speed) <= APPROACH_SPEED_RTOL * speed:
        return True
    w.memory[m + MEMORY_TOUCHING], w.memory[m + MEMORY_APPROACH_SPEED] = TOUCHING_BY_LAW, speed
    begin_contact(s, w, c, -1, run.probe_q, run.probe_v)
    return False
