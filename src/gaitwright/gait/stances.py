"""Stances of both feet from strikes and offs, also for stances cut off by the start or end of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gaitwright.gait.events import GaitEvent
from gaitwright.gait.marker_sets import SIDE_LETTERS

DEFAULT_STRIDE_SECONDS, DEFAULT_STANCE_SECONDS = 1.1, 0.66
"""s: defaults for a walk that is too short to have its own."""


@dataclass(frozen=True)
class FootStance:
    """Stance of one foot. start, end: s. seen: True if at least one of them was detected; otherwise the stance continues the
    rhythm of the walk."""

    side: str
    start: float
    end: float
    seen: bool = True


def find_stances(events: Sequence[GaitEvent], first: float, last: float) -> list[FootStance]:
    """Stances that overlap the interval from first to last, s, by start. Undetected stances at the ends of a trial have
    the median duration, and follow at the median stride."""
    by_side = {side: sorted((e for e in events if e.side == side), key=lambda e: e.time) for side in SIDE_LETTERS}
    stance = _median_or_default(
        [
            b.time - a.time
            for own in by_side.values()
            for a, b in _event_pairs(own, "strike", "off")
            if b.time - a.time < 1.5
        ],
        DEFAULT_STANCE_SECONDS,
    )
    stride = _median_or_default(
        [
            b.time - a.time
            for own in by_side.values()
            for kind in ("strike", "off")
            for a, b in _consecutive_events([e for e in own if e.kind == kind])
        ],
        _stride_from_steps(events),
    )
    stances = []
    for side, own in by_side.items():
        mine = _stances_from_events(side, own, stance)
        if not mine:
            continue
        while (before := mine[0].start - stride + stance) > first:
            mine.insert(0, FootStance(side, before - stance, before, seen=False))
        while (after := mine[-1].start + stride) < last:
            mine.append(FootStance(side, after, after + stance, seen=False))
        stances += [one for one in mine if one.end > first and one.start < last]
    return sorted(stances, key=lambda one: one.start)


def _stances_from_events(side: str, own: list[GaitEvent], stance: float) -> list[FootStance]:
    stances = []
    for k, event in enumerate(own):
        if event.kind == "off" and (k == 0 or own[k - 1].kind == "off"):
            stances.append(FootStance(side, event.time - stance, event.time))
        if event.kind == "strike":
            follows = k + 1 < len(own) and own[k + 1].kind == "off"
            stances.append(FootStance(side, event.time, own[k + 1].time if follows else event.time + stance))
    return stances


def _event_pairs(own: list[GaitEvent], first: str, second: str) -> list[tuple[GaitEvent, GaitEvent]]:
    return [(a, b) for a, b in _consecutive_events(own) if (a.kind, b.kind) == (first, second)]


def _consecutive_events(own: list[GaitEvent]) -> list[tuple[GaitEvent, GaitEvent]]:
    return list(pairwise(own))


def _stride_from_steps(events: Sequence[GaitEvent]) -> float:
    """Stride estimate: twice the time from a strike to the next one of the other foot."""
    strikes = sorted((e for e in events if e.kind == "strike"), key=lambda e: e.time)
    return _median_or_default(
        [2 * (b.time - a.time) for a, b in _consecutive_events(strikes) if a.side != b.side], DEFAULT_STRIDE_SECONDS
    )


def _median_or_default(values: list[float], otherwise: float) -> float:
    return float(np.median(values)) if values else otherwise
