"""The history of contacts during a run: what a step has to know of them, and their episodes from touchdown to release."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.evaluate import clear, signals_at
from gaitwright.system.hermite import coordinates_between
from gaitwright.system.packed import Integer, Longs, Packed, Reals, Reals2
from gaitwright.system.tables import Contacts
from gaitwright.system.touch import (
    APPROACH,
    GAP,
    POWERS,
    RATE,
    SEEN,
    SLIPPED,
    TOUCHING,
    coordinates_of,
    memory_of,
    touch,
    touching,
)

# Entries of run.touch_count: contact whose event is aimed at (-1: none), which of its numbers, attempts, located events,
# states looked at on the way, whether a contact began or ended at the end of this step, episodes in the log,
# attempts at this step, steps in a row that ended at events (crowd.py), and the contact of the last such event
TARGET, WHAT, AIMED, LOCATED, LOOKED, CHANGED, LOGGED, TRIED, ROW, LAST = range(10)

# Columns of run.episode and run.log: the contact, begin, end, approach and separation speed, largest penetration and
# normal force, impulse, energy lost, slip distance; then values at the begin of the step or of the episode
(CONTACT_NUMBER, BEGIN, END, SPEED_IN, SPEED_OUT, DEEPEST, STRONGEST, IMPULSE, LOST, SLID, FIRST_LOST, FIRST_SLID,
 LAST_FORCE) = range(13)  # fmt: skip
EPISODE = 13


MANY, IN_A_ROW = 3, 8
"""Events of one step behind the first, and steps in a row that ended at events of ever other contacts, from which on events are
taken together (crowd.py): short steps that events have cut have few of them."""
ALONE, LANDS, LEAVES = range(3)
"""What run.expected says of a contact: whether its touchdown or release inside the step is one of many (crowd.py)."""
LOG_ROWS = 1024
"""Ended episodes kept until Python fetches them; beyond them there is room for all contacts to end at once."""


class History(Packed):
    """What is known of the contacts during a run, besides their memory."""

    seen: Reals  # gap and so on (system/touch.py) of each contact at the begin of the step
    seen1: Reals  # at its end
    probe: Reals  # in between
    probe_q: Reals
    probe_v: Reals
    residual: Reals
    episode: Reals2  # of each contact, while it touches
    log: Reals2  # episodes that have ended
    middle: Reals  # normal force of each contact in the middle of the step and at its end, N, where `known` says so
    last: Reals
    known: Longs
    crowds: Integer  # 1 if there are so many contacts that crowd.py is asked
    expected: Longs  # ALONE, LANDS or LEAVES
    instant: Reals  # fraction of the step at which a contact begins or ends inside it, 2 if it does not
    pace: Reals  # rate of its gap then, m/s
    touch_count: Longs
    ended: Longs  # whether a contact ended at the end of this step
    part: Reals  # one number: length of the parts of a step that contacts ask for, s
    whole: Reals  # one number: length of the whole step, s
    verdict: Reals  # one number: see `watch`


def has_crowds(contacts: Contacts) -> bool:
    """Whether more contacts than MANY can begin or end inside a step."""
    alone = (contacts.next_piece == np.arange(contacts.count)) & (contacts.by_gap == 0)
    return bool(np.count_nonzero(alone) > MANY)


def history_shapes(n: int, count: int) -> dict[str, Any]:
    """Shapes of the fields, for n coordinates (the ground's among them) and a number of contacts."""
    seen, probe = dict.fromkeys(("seen", "seen1", "probe"), SEEN * count), dict.fromkeys(("probe_q", "probe_v"), n)
    log = {"episode": (count, EPISODE), "log": (LOG_ROWS + count if count else 0, EPISODE), "ended": count}
    log |= dict.fromkeys(("middle", "last", "known", "expected", "instant", "pace"), count)
    return {**seen, **probe, "residual": n, **log, "touch_count": 10, "part": 1, "whole": 1, "verdict": 1}


def begin_history(run: History) -> None:
    """What is not zero at the begin."""
    run.touch_count[TARGET] = -1
    run.part[0], run.whole[0], run.verdict[0] = np.inf, 1.0, 1.0


@compiled
def is_log_full(run):
    """Whether the ended episodes have to be fetched before another step: in one, every contact may end once."""
    return run.touch_count[LOGGED] > run.log.shape[0] - run.episode.shape[0]


def fetch_log(run: History) -> np.ndarray:
    """The episodes that have ended since the last call, (n, EPISODE); the log is empty afterwards."""
    count = int(run.touch_count[LOGGED])
    if count > run.log.shape[0]:
        raise RuntimeError(f"{count} ended contacts for a log of {run.log.shape[0]}: a mistake in Gaitwright")
    run.touch_count[LOGGED] = 0
    return run.log[:count].copy()


@compiled
def lost(run, work, c):
    """Energy that contact c has dissipated so far."""
    k = work.size - POWERS * (run.episode.shape[0] - c)
    return work[k] + work[k + 1]


@compiled
def lose(run, c, energy):
    """Count elastic energy of contact c, J, as dissipated: its surface ended under it."""
    run.work1[run.work1.size - POWERS * (run.episode.shape[0] - c)] += energy
    run.episode[c, LOST] += energy


@compiled
def begin_episode(s, w, run, c, t):
    e = run.episode[c]
    clear(e)
    e[CONTACT_NUMBER], e[BEGIN], e[END] = c, t, math.nan
    e[SPEED_IN] = w.memory[memory_of(s, c) + APPROACH]
    e[FIRST_LOST], e[FIRST_SLID] = lost(run, run.work1, c), w.memory[memory_of(s, c) + SLIPPED]
    e[LAST_FORCE] = touch(s, w, c, run.q1, run.v1)
    e[DEEPEST], e[STRONGEST] = max(-run.seen1[SEEN * c + GAP], 0.0), e[LAST_FORCE]


@compiled
def begin_inside(s, w, run, c, t):
    """The episode of a contact that has begun at t, inside the step that ends now: what it has lost and slipped counts from
    the begin of the step on."""
    e, m = run.episode[c], memory_of(s, c)
    clear(e)
    e[CONTACT_NUMBER], e[BEGIN], e[END], e[SPEED_IN] = c, t, math.nan, w.memory[m + APPROACH]
    e[FIRST_LOST], e[FIRST_SLID] = lost(run, run.work, c), w.memory[m + SLIPPED]


@compiled
def end_episode(s, w, run, c, t, rate):
    """rate: of the gap at t, m/s."""
    e = run.episode[c]
    e[END] = t
    e[SLID] = w.memory[memory_of(s, c) + SLIPPED] - e[FIRST_SLID]
    e[SPEED_OUT] = rate
    log_episode(run, c)


@compiled
def log_episode(run, c):
    """Keep the episode of contact c. It is counted also where there is no room, which `fetch_log` then reports."""
    k = run.touch_count[LOGGED]
    if k < run.log.shape[0]:
        for i in range(EPISODE):
            run.log[k, i] = run.episode[c, i]
    run.touch_count[LOGGED] = k + 1


@compiled
def peak(s, w, run, t, h, c, force):
    """Largest normal force (or penetration) of contact c inside the step, by three parabolas through the motion."""
    left, right = 0.0, 1.0
    best = 0.0
    for _ in range(4):
        middle = 0.5 * (left + right)
        f0, f1, f2 = (
            sample(s, w, run, t, h, c, force, left),
            sample(s, w, run, t, h, c, force, middle),
            sample(s, w, run, t, h, c, force, right),
        )
        best = max(max(best, f0), max(f1, f2))
        curve = f0 - 2.0 * f1 + f2
        if curve >= 0.0:
            return best
        vertex = middle + 0.25 * (right - left) * (f0 - f2) / curve
        if not left < vertex < right:
            return best
        reach = 0.15 * (right - left)
        left, right = max(vertex - reach, 0.0), min(vertex + reach, 1.0)
    return max(best, sample(s, w, run, t, h, c, force, 0.5 * (left + right)))


@compiled
def sample(s, w, run, t, h, c, force, x):
    coordinates_between(
        coordinates_of(s, c), s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, run.probe_q, run.probe_v
    )
    signals_at(s, w, t + x * h)
    normal = touch(s, w, c, run.probe_q, run.probe_v)
    return normal if force else -w.frame[GAP]


@compiled
def record(s, w, run, t, h):
    """Add the step to the episodes of the contacts that touch. Before `settle`."""
    for c in range(s.contacts.count):
        if touching(s, w, c) == 0.0 or s.contacts.by_gap[c] != 0:
            continue
        e, k, begun = run.episode[c], SEEN * c, 0.0
        if run.crowds != 0 and run.expected[c] == LANDS:
            if run.instant[c] > 1.0:  # it was expected to land, and did not
                w.memory[memory_of(s, c) + TOUCHING] = w.memory[memory_of(s, c) + APPROACH] = 0.0
                continue
            begun, run.known[c] = run.instant[c], 0
            begin_inside(s, w, run, c, t + begun * h)
        if run.known[c] == 0:
            run.middle[c] = sample(s, w, run, t, h, c, True, 0.5 * (begun + 1.0))
            signals_at(s, w, t + h)
            run.last[c] = touch(s, w, c, run.q1, run.v1)
        middle, last, run.known[c] = run.middle[c], run.last[c], 0
        e[IMPULSE] += (1.0 - begun) * h / 6.0 * (e[LAST_FORCE] + 4.0 * middle + last)
        if middle > e[STRONGEST] or last > e[STRONGEST] or e[LAST_FORCE] == e[STRONGEST]:
            e[STRONGEST] = max(e[STRONGEST], peak(s, w, run, t, h, c, True))
        e[LAST_FORCE] = last
        e[DEEPEST] = max(e[DEEPEST], -run.seen1[k + GAP])
        if run.seen[k + RATE] < 0.0 and run.seen1[k + RATE] >= 0.0:
            e[DEEPEST] = max(e[DEEPEST], peak(s, w, run, t, h, c, False))
        e[LOST] = lost(run, run.work1, c) - e[FIRST_LOST]
