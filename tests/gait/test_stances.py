"""Stances of a walk with a known rhythm, whatever part of it a trial shows."""

from __future__ import annotations

import pytest

from gaitwright.gait.events import Event
from gaitwright.gait.stances import stances

STRIDE, STANCE = 1.0, 0.6


def rhythm(first: float, last: float) -> list[Event]:
    """Right strikes at 0, left at half a stride."""
    found = [
        Event(kind, side, late + k * STRIDE + after, "markers")
        for side, late in (("right", 0.0), ("left", 0.5))
        for k in range(-2, 6)
        for kind, after in (("strike", 0.0), ("off", STANCE))
    ]
    return sorted((one for one in found if first <= one.time <= last), key=lambda one: one.time)


@pytest.mark.parametrize(("first", "last"), [(0.05, 2.05), (0.3, 1.7), (-0.2, 1.25)])
def test_all_stances_are_there(first: float, last: float) -> None:
    """Also those whose strike or off lies outside, and those of which nothing was seen."""
    found = stances(rhythm(first, last), first, last)
    for side, late in (("right", 0.0), ("left", 0.5)):
        true = [late + k * STRIDE for k in range(-2, 6)]
        true = [start for start in true if start + STANCE > first and start < last]
        own = [one for one in found if one.side == side]
        assert [one.start for one in own] == pytest.approx(true) and all(one.seen for one in own)
        assert [one.end - one.start for one in own] == pytest.approx([STANCE] * len(true))


def test_what_was_missed_follows_the_rhythm() -> None:
    """Events near the ends cannot be seen in markers: the next stance is expected, and said to be."""
    events = [one for one in rhythm(0.0, 2.1) if 0.15 < one.time < 1.9]
    found = stances(events, 0.0, 2.1)
    assert [(one.side, one.start) for one in found if not one.seen] == [
        ("left", pytest.approx(-0.5)), ("right", pytest.approx(2.0)),
    ]  # fmt: skip


def test_a_short_walk_takes_the_usual_times() -> None:
    found = stances([Event("strike", "right", 0.1, "markers"), Event("strike", "left", 0.7, "markers")], 0.0, 0.8)
    assert [(one.side, one.end - one.start) for one in found if one.seen] == [
        ("right", pytest.approx(0.66)), ("left", pytest.approx(0.66)),
    ]  # fmt: skip
