"""Contact history during a run: step data of the contacts, and their episodes from touchdown to release."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.contact.state import (
    MEMORY_APPROACH_SPEED,
    MEMORY_SLIP_DISTANCE,
    MEMORY_TOUCHING,
    POWERS_PER_CONTACT,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_SIZE,
    contact_coordinates,
    contact_status,
    evaluate_contact_force,
    memory_start,
)
from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Integer, Longs, PointerRecord, Reals, Reals2
from gaitwright.mechanism.evaluation import update_signals, zero_values
from gaitwright.mechanism.hermite_interpolation import interpolate_step_coordinates
from gaitwright.mechanism.tables import ContactTables

# Entries of run.touch_count: contact of the targeted event (-1: none), index of the targeted quantity, attempts, located
# events, evaluated states, flag for a contact that began or ended at the end of this step, episodes in the log, attempts
# at this step, consecutive steps that ended at events (simultaneous_events.py), and the contact of the last such event
(
    TARGET_CONTACT,
    TARGET_NUMBER,
    AIM_ATTEMPTS,
    LOCATED_EVENTS,
    OBSERVED_STATES,
    CONTACTS_CHANGED,
    LOGGED_EPISODES,
    STEP_ATTEMPTS,
    CONSECUTIVE_EVENT_STEPS,
    LAST_EVENT_CONTACT,
) = range(10)

# Columns of run.episode and run.log: the contact, begin, end, approach and separation speed, largest penetration and
# normal force, impulse, energy lost, slip distance; then values at the beginning of the step or of the episode
(
    EPISODE_CONTACT,
    EPISODE_BEGIN,
    EPISODE_END,
    EPISODE_SPEED_IN,
    EPISODE_SPEED_OUT,
    EPISODE_MAX_PENETRATION,
    EPISODE_MAX_FORCE,
    EPISODE_IMPULSE,
    EPISODE_ENERGY_LOSS,
    EPISODE_SLIP_DISTANCE,
    EPISODE_START_ENERGY_LOSS,
    EPISODE_START_SLIP_DISTANCE,
    EPISODE_LAST_FORCE,
) = range(13)
EPISODE_COLUMNS = 13


MIN_SIMULTANEOUS_EVENTS, MIN_CONSECUTIVE_EVENT_STEPS = 3, 8
"""Number of events of one step after the first, and number of consecutive steps that ended at events of different contacts,
above which events are treated together (simultaneous_events.py): short steps that events have cut contain few of them."""
SINGLE_EVENT, EXPECTED_TOUCHDOWN, EXPECTED_RELEASE = range(3)
"""Values of run.expected: single event, or touchdown or release as one of many inside the step (simultaneous_events.py)."""
EPISODE_LOG_ROWS = 1024
"""Number of ended episodes that are kept until Python fetches them; additional rows allow all contacts to end at once."""


class ContactHistory(PointerRecord):
    """Data of the contacts during a run, besides their memory."""

    seen: Reals  # observed state (contact/state.py) of each contact at the beginning of the step
    seen1: Reals  # at its end
    probe: Reals  # at an intermediate time
    probe_q: Reals
    probe_v: Reals
    residual: Reals
    episode: Reals2  # current episode of each touching contact
    log: Reals2  # ended episodes
    middle: Reals  # normal force of each contact in the middle of the step and at its end, N, valid if `known` is 1
    last: Reals
    known: Longs
    crowds: Integer  # 1 if there are so many contacts that simultaneous events are possible
    expected: Longs  # SINGLE_EVENT, EXPECTED_TOUCHDOWN or EXPECTED_RELEASE
    instant: Reals  # fraction of the step at which a contact begins or ends inside it, 2 if it does not
    pace: Reals  # rate of its gap then, m/s
    touch_count: Longs
    ended: Longs  # 1 if a contact ended at the end of this step
    part: Reals  # one number: sub-step length that contacts require, s
    whole: Reals  # one number: length of the whole step, s
    verdict: Reals  # one number: result of the event check of a step (integrate/contact_callbacks.py)


def allows_simultaneous_events(contacts: ContactTables) -> bool:
    """True if more than MIN_SIMULTANEOUS_EVENTS contacts can begin or end inside a step."""
    has_events = (contacts.next_piece == np.arange(contacts.count)) & (contacts.by_gap == 0)
    return bool(np.count_nonzero(has_events) > MIN_SIMULTANEOUS_EVENTS)


def history_shapes(n: int, count: int) -> dict[str, Any]:
    """Shapes of the fields, for n coordinates (including the ground's) and a number of contacts."""
    seen = dict.fromkeys(("seen", "seen1", "probe"), STATE_SIZE * count)
    probe = dict.fromkeys(("probe_q", "probe_v"), n)
    log = {
        "episode": (count, EPISODE_COLUMNS),
        "log": (EPISODE_LOG_ROWS + count if count else 0, EPISODE_COLUMNS),
        "ended": count,
    }
    log |= dict.fromkeys(("middle", "last", "known", "expected", "instant", "pace"), count)
    return {**seen, **probe, "residual": n, **log, "touch_count": 10, "part": 1, "whole": 1, "verdict": 1}


def begin_history(run: ContactHistory) -> None:
    """Set the fields with nonzero initial values."""
    run.touch_count[TARGET_CONTACT] = -1
    run.part[0], run.whole[0], run.verdict[0] = np.inf, 1.0, 1.0


@jit_compile
def is_log_full(run):
    """True if the ended episodes must be fetched before another step, in which every contact may end once."""
    return run.touch_count[LOGGED_EPISODES] > run.log.shape[0] - run.episode.shape[0]


def fetch_log(run: ContactHistory) -> np.ndarray:
    """The episodes that have ended since the last call, (n, EPISODE_COLUMNS); the log is empty afterwards."""
    count = int(run.touch_count[LOGGED_EPISODES])
    if count > run.log.shape[0]:
        raise RuntimeError(f"{count} ended contacts for a log of {run.log.shape[0]}: a mistake in Gaitwright")
    run.touch_count[LOGGED_EPISODES] = 0
    return run.log[:count].copy()


@jit_compile
def dissipated_energy(run, work, c):
    """Energy that contact c has dissipated so far."""
    k = work.size - POWERS_PER_CONTACT * (run.episode.shape[0] - c)
    return work[k] + work[k + 1]


@jit_compile
def add_dissipated_energy(run, c, energy):
    """Count elastic energy of contact c, J, as dissipated, because the surface ended below it."""
    run.work1[run.work1.size - POWERS_PER_CONTACT * (run.episode.shape[0] - c)] += energy
    run.episode[c, EPISODE_ENERGY_LOSS] += energy


@jit_compile
def begin_episode(s, w, run, c, t):
    """Begin the episode of contact c at t, the end of the step."""
    e = run.episode[c]
    zero_values(e)
    e[EPISODE_CONTACT], e[EPISODE_BEGIN], e[EPISODE_END] = c, t, math.nan
    e[EPISODE_SPEED_IN] = w.memory[memory_start(s, c) + MEMORY_APPROACH_SPEED]
    e[EPISODE_START_ENERGY_LOSS], e[EPISODE_START_SLIP_DISTANCE] = (
        dissipated_energy(run, run.work1, c),
        w.memory[memory_start(s, c) + MEMORY_SLIP_DISTANCE],
    )
    e[EPISODE_LAST_FORCE] = evaluate_contact_force(s, w, c, run.q1, run.v1)
    e[EPISODE_MAX_PENETRATION], e[EPISODE_MAX_FORCE] = (
        max(-run.seen1[STATE_SIZE * c + STATE_GAP], 0.0),
        e[EPISODE_LAST_FORCE],
    )


@jit_compile
def begin_episode_inside_step(s, w, run, c, t):
    """Begin the episode of a contact that touched down at t, inside the step that ends now: its energy loss and slip count from
    the beginning of the step."""
    e, m = run.episode[c], memory_start(s, c)
    zero_values(e)
    e[EPISODE_CONTACT] = c
    e[EPISODE_BEGIN] = t
    e[EPISODE_END] = math.nan
    e[EPISODE_SPEED_IN] = w.memory[m + MEMORY_APPROACH_SPEED]
    e[EPISODE_START_ENERGY_LOSS] = dissipated_energy(run, run.work, c)
    e[EPISODE_START_SLIP_DISTANCE] = w.memory[m + MEMORY_SLIP_DISTANCE]


@jit_compile
def end_episode(s, w, run, c, t, rate):
    """End the episode of contact c at t. rate: rate of the gap then, m/s."""
    e = run.episode[c]
    e[EPISODE_END] = t
    e[EPISODE_SLIP_DISTANCE] = w.memory[memory_start(s, c) + MEMORY_SLIP_DISTANCE] - e[EPISODE_START_SLIP_DISTANCE]
    e[EPISODE_SPEED_OUT] = rate
    log_episode(run, c)


@jit_compile
def log_episode(run, c):
    """Append the episode of contact c to the log. It is counted even if the log is full, which `fetch_log` then reports."""
    k = run.touch_count[LOGGED_EPISODES]
    if k < run.log.shape[0]:
        for i in range(EPISODE_COLUMNS):
            run.log[k, i] = run.episode[c, i]
    run.touch_count[LOGGED_EPISODES] = k + 1


@jit_compile
def find_step_peak(s, w, run, t, h, c, force):
    """Largest normal force (or penetration) of contact c inside the step, by three parabolas through the motion."""
    low, high = 0.0, 1.0
    peak = 0.0
    for _ in range(4):
        middle = 0.5 * (low + high)
        f0 = sample_contact(s, w, run, t, h, c, force, low)
        f1 = sample_contact(s, w, run, t, h, c, force, middle)
        f2 = sample_contact(s, w, run, t, h, c, force, high)
        peak = max(max(peak, f0), max(f1, f2))
        second_difference = f0 - 2.0 * f1 + f2
        if second_difference >= 0.0:
            return peak
        vertex = middle + 0.25 * (high - low) * (f0 - f2) / second_difference
        if not low < vertex < high:
            return peak
        half_width = 0.15 * (high - low)
        low, high = max(vertex - half_width, 0.0), min(vertex + half_width, 1.0)
    return max(peak, sample_contact(s, w, run, t, h, c, force, 0.5 * (low + high)))


@jit_compile
def sample_contact(s, w, run, t, h, c, force, x):
    """Normal force (or penetration, if `force` is False) of contact c at the fraction x of the step."""
    interpolate_step_coordinates(
        contact_coordinates(s, c), s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, x, h, run.probe_q, run.probe_v
    )
    update_signals(s, w, t + x * h)
    normal = evaluate_contact_force(s, w, c, run.probe_q, run.probe_v)
    return normal if force else -w.frame[STATE_GAP]


@jit_compile
def record_step(s, w, run, t, h):
    """Add the step to the episodes of the touching contacts. Call it before `commit_contact_events`."""
    for c in range(s.contacts.count):
        if contact_status(s, w, c) == 0.0 or s.contacts.by_gap[c] != 0:
            continue
        e, k, begun = run.episode[c], STATE_SIZE * c, 0.0
        if run.crowds != 0 and run.expected[c] == EXPECTED_TOUCHDOWN:
            if run.instant[c] > 1.0:  # the expected touchdown did not occur
                w.memory[memory_start(s, c) + MEMORY_TOUCHING] = w.memory[
                    memory_start(s, c) + MEMORY_APPROACH_SPEED
                ] = 0.0
                continue
            begun, run.known[c] = run.instant[c], 0
            begin_episode_inside_step(s, w, run, c, t + begun * h)
        if run.known[c] == 0:
            run.middle[c] = sample_contact(s, w, run, t, h, c, True, 0.5 * (begun + 1.0))
            update_signals(s, w, t + h)
            run.last[c] = evaluate_contact_force(s, w, c, run.q1, run.v1)
        middle, last, run.known[c] = run.middle[c], run.last[c], 0
        e[EPISODE_IMPULSE] += (1.0 - begun) * h / 6.0 * (e[EPISODE_LAST_FORCE] + 4.0 * middle + last)
        if (
            middle > e[EPISODE_MAX_FORCE]
            or last > e[EPISODE_MAX_FORCE]
            or e[EPISODE_LAST_FORCE] == e[EPISODE_MAX_FORCE]
        ):
            e[EPISODE_MAX_FORCE] = max(e[EPISODE_MAX_FORCE], find_step_peak(s, w, run, t, h, c, True))
        e[EPISODE_LAST_FORCE] = last
        e[EPISODE_MAX_PENETRATION] = max(e[EPISODE_MAX_PENETRATION], -run.seen1[k + STATE_GAP])
        if run.seen[k + STATE_GAP_RATE] < 0.0 and run.seen1[k + STATE_GAP_RATE] >= 0.0:
            e[EPISODE_MAX_PENETRATION] = max(e[EPISODE_MAX_PENETRATION], find_step_peak(s, w, run, t, h, c, False))
        e[EPISODE_ENERGY_LOSS] = dissipated_energy(run, run.work1, c) - e[EPISODE_START_ENERGY_LOSS]
