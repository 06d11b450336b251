"""Stances of a walk with a known rhythm, for any part of it in a trial."""

from __future__ import annotations

import pytest

from gaitwright.gait.events import GaitEvent
from gaitwright.gait.stances import find_stances

STRIDE, STANCE = 1.0, 0.6


def rhythm(first: float, last: float) -> list[GaitEvent]:
    """Right strikes at 0, left at half a stride."""
    found = [
        GaitEvent(kind, side, late + k * STRIDE + after, "markers")
        for side, late in (("right", 0.0), ("left", 0.5))
        for k in range(-2, 6)
        for kind, after in (("strike", 0.0), ("off", STANCE))
    ]
    return sorted((one for one in found if first <= one.time <= last), key=lambda one: one.time)


@pytest.mark.parametrize(("first", "last"), [(0.05, 2.05), (0.3, 1.7), (-0.2, 1.25)])
def test_all_stances_are_found(first: float, last: float) -> None:
    """Also those with a strike or off outside the trial, and those without any detected event."""
    found = find_stances(rhythm(first, last), first, last)
    for side, late in (("right", 0.0), ("left", 0.5)):
        true = [late + k * STRIDE for k in range(-2, 6)]
        true = [start for start in true if start + STANCE > first and start < last]
        own = [one for one in found if one.side == side]
        assert [one.start for one in own] == pytest.approx(true) and all(one.seen for one in own)
        assert [one.end - one.start for one in own] == pytest.approx([STANCE] * len(true))


def test_missed_stances_follow_the_rhythm() -> None:
    """Events near the ends cannot be detected in markers: the next stance is expected, and marked as not seen."""
    events = [one for one in rhythm(0.0, 2.1) if 0.15 < one.time < 1.9]
    found = find_stances(events, 0.0, 2.1)
    assert [(one.side, one.start) for one in found if not one.seen] == [
        ("left", pytest.approx(-0.5)), ("right", pytest.approx(2.0)),
    ]  # fmt: skip


def test_short_walk_uses_default_times() -> None:
    found = find_stances(
        [GaitEvent("strike", "right", 0.1, "markers"), GaitEvent("strike", "left", 0.7, "markers")], 0.0, 0.8
    )
    assert [(one.side, one.end - one.start) for one in found if one.seen] == [
        ("right", pytest.approx(0.66)), ("left", pytest.approx(0.66)),
    ]  # fmt: skip
