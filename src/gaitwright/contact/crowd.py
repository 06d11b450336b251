"""Many touchdowns and releases inside one step, taken together.

To end a step at every touchdown costs a step of the whole system for each: a foot of 2,000 points that come down one after
the other took the square of their number. Where many contacts begin or end in a step, each at its own instant, the step goes
on over them. That is no loss where the force of a contact begins at zero, because a contact whose gap is open has no force,
whatever its memory says:

    touchdown   the instant, the approach speed and the place from which bristles count are found on the motion of the first
                attempt; the step is repeated with the contacts as if they touched, until what is found on the motion agrees
                with what it was computed with
    release     the instant is found on the motion, which is right already

How long a step may be then is a question of its forces, which is asked as ever (events.unresolved, and the error estimate of
a method that has one). Single events, those of laws that begin with a jump, and those of surfaces that consist of pieces are
met by ends of steps as before.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.history import ALONE, IN_A_ROW, LANDS, LAST, LEAVES, LOCATED, MANY, ROW
from gaitwright.contact.instants import touchdown
from gaitwright.system.invoke import behind, invoke
from gaitwright.system.touch import APPROACH, BY_LAW, FORCE, GAP, RATE, SEEN, TINY, TOUCHING, begin, memory_of, touching

TOGETHER = 1e-9
"""Of a step: events as near as that to each other are one."""
NOTHING = 1e-50
"""N, at the smallest penetration that a law is given."""
AGREES = 1e-6
"""Relative difference of approach speeds that is none."""
AGAIN = 1.0 - 1e-13
"""Factor of a step that is repeated with the length that it had."""


@compiled
def joins(s, w, run, c, x, what):
    """Whether contact c, whose event is at the fraction x of the step, may begin or end inside it: the event is one of its
    gap, its surface one piece, and its force begins at zero. Then the event is in run.instant and run.pace."""
    b = s.contacts
    rate, run.expected[c], run.instant[c] = run.probe[SEEN * c + RATE], ALONE, 2.0
    if x >= 1.0 or what != GAP or b.next_piece[c] != c or b.law[c] == 0:
        return False
    if touching(s, w, c) == 0.0:
        w.given[0], w.given[1], w.given[2] = TINY, -rate, max(-rate, b.slowest[c])
        invoke(b.law[c], (1, behind(b.law_par, b.law_start[c]), w.given, w.law))
        if w.law[FORCE] > NOTHING:
            return False
    run.instant[c], run.pace[c] = x, rate
    return True


@compiled
def is_crowd(run, first):
    """Whether the contacts whose instants are in run.instant are many, or come after many."""
    behind = count = 0
    for c in range(run.instant.size):
        if run.expected[c] == ALONE and run.instant[c] < 1.0:
            count += 1
            if run.instant[c] > first + TOGETHER:
                behind += 1
    return behind >= MANY or (count > 0 and run.touch_count[ROW] >= IN_A_ROW)


@compiled
def count_row(run, landed):
    """Go on with the row of steps that ended at events, or in which there were some, which are counted. landed: the contact
    whose event the step has ended at, -1 if there is none."""
    count, inside = run.touch_count, False
    for c in range(run.expected.size):
        if run.expected[c] != ALONE and run.instant[c] <= 1.0:
            inside = True
            count[LOCATED] += 1
    if landed >= 0:
        count[ROW] = count[ROW] + 1 if landed != count[LAST] else 0
        count[LAST] = landed
    elif not inside:
        count[ROW] = 0


@compiled
def expect(s, w, run):
    """Take the events in run.instant as those of a crowd."""
    for c in range(run.instant.size):
        if run.expected[c] == ALONE and run.instant[c] < 1.0:
            run.expected[c] = LEAVES if touching(s, w, c) != 0.0 else LANDS


@compiled
def find_landings(s, w, run, t, h, zone):
    """Instants of the touchdowns that are expected, on the motion as it is now; whether the memory of a contact has changed
    by that."""
    changed = False
    for c in range(run.expected.size):
        if run.expected[c] == LANDS:
            run.instant[c], _ = touchdown(s, w, run, t, h, c, zone)
            if run.instant[c] < 1.0 and not agrees(s, w, run, c):
                changed = True
    return changed


@compiled
def agrees(s, w, run, c):
    """Whether contact c touches from the state in run.probe on, as its memory says; from now on it does."""
    m, speed = memory_of(s, c), max(-run.probe[SEEN * c + RATE], 0.0)
    known = w.memory[m + APPROACH] if touching(s, w, c) != 0.0 else math.inf
    if abs(speed - known) <= AGREES * speed:
        return True
    w.memory[m + TOUCHING], w.memory[m + APPROACH] = BY_LAW, speed
    begin(s, w, c, -1, run.probe_q, run.probe_v)
    return False
