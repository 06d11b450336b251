"""When either foot stands, from strikes and offs, also where a trial begins or ends within a stance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gaitwright.gait.events import Event
from gaitwright.gait.marker_sets import SIDES

STRIDE, STANCE = 1.1, 0.66
"""s, of a walk that is too short to have its own."""


@dataclass(frozen=True)
class Stance:
    """start, end: s. seen: that at least one of them was found; otherwise it continues the rhythm of the walk."""

    side: str
    start: float
    end: float
    seen: bool = True


def stances(events: Sequence[Event], first: float, last: float) -> list[Stance]:
    """All that lie between the times first and last, s, in part or whole; by start. What was not seen at the ends of a trial
    lasts as long as others, and follows a stride later."""
    by_side = {side: sorted((e for e in events if e.side == side), key=lambda e: e.time) for side in SIDES}
    stance = _median(
        [b.time - a.time for own in by_side.values() for a, b in _pairs(own, "strike", "off") if b.time - a.time < 1.5],
        STANCE,
    )
    stride = _median(
        [
            b.time - a.time
            for own in by_side.values()
            for kind in ("strike", "off")
            for a, b in _next([e for e in own if e.kind == kind])
        ],
        _of_steps(events),
    )
    found = []
    for side, own in by_side.items():
        mine = _seen(side, own, stance)
        if not mine:
            continue
        while (before := mine[0].start - stride + stance) > first:
            mine.insert(0, Stance(side, before - stance, before, seen=False))
        while (after := mine[-1].start + stride) < last:
            mine.append(Stance(side, after, after + stance, seen=False))
        found += [one for one in mine if one.end > first and one.start < last]
    return sorted(found, key=lambda one: one.start)


def _seen(side: str, own: list[Event], stance: float) -> list[Stance]:
    found = []
    for k, event in enumerate(own):
        if event.kind == "off" and (k == 0 or own[k - 1].kind == "off"):
            found.append(Stance(side, event.time - stance, event.time))
        if event.kind == "strike":
            follows = k + 1 < len(own) and own[k + 1].kind == "off"
            found.append(Stance(side, event.time, own[k + 1].time if follows else event.time + stance))
    return found


def _pairs(own: list[Event], first: str, second: str) -> list[tuple[Event, Event]]:
    return [(a, b) for a, b in _next(own) if (a.kind, b.kind) == (first, second)]


def _next(own: list[Event]) -> list[tuple[Event, Event]]:
    return list(pairwise(own))


def _of_steps(events: Sequence[Event]) -> float:
    """Twice the time from a strike to that of the other foot."""
    strikes = sorted((e for e in events if e.kind == "strike"), key=lambda e: e.time)
    return _median([2 * (b.time - a.time) for a, b in _next(strikes) if a.side != b.side], STRIDE)


def _median(values: list[float], otherwise: float) -> float:
    return float(np.median(values)) if values else otherwise
