"""Strikes and offs, from forces and from markers, against the known instants: within 15 ms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.synthetic import LENGTH, STRIDE, Y_UP, walk
from gaitwright.gait.events import GaitEvent, events_from_labels, events_from_markers


def errors(found: list[GaitEvent], known: list[tuple[str, float]], kind: str, ends: float = 0.15) -> list[float]:
    """Time error of every known instant that is not near an end; fails if one is missing."""
    last = max(t for _, t in known)
    return [
        min((e.time - t for e in found if (e.kind, e.side) == (kind, side)), key=abs)
        for side, t in known
        if ends < t <= last - ends
    ]


@pytest.mark.parametrize("rate", [100.0, 150.0, 250.0])
@pytest.mark.parametrize("noise", [0.0, 0.0005])
@pytest.mark.parametrize("belt", [False, True], ids=["floor", "belt"])
def test_events_from_markers(belt: bool, noise: float, rate: float, tmp_path: Path) -> None:
    made = walk(4.0, rate=rate, force_rate=4 * rate, belt=belt)
    points = made.points + noise * np.random.default_rng(5).normal(size=made.points.shape)
    found = events_from_markers(gw.gait.load(made.save(tmp_path, Y_UP, points=points)[0]))
    for kind, known in (("strike", made.strikes), ("off", made.offs)):
        assert np.abs(errors(found, known, kind)).max() < 0.015
        assert sum(e.kind == kind for e in found) <= len(known)


def test_gaps_lose_events_but_do_not_shift_them(tmp_path: Path) -> None:
    """A tenth of every marker is lost, in gaps of up to 0.4 s."""
    made, random = walk(10.0), np.random.default_rng(7)
    points = made.points.copy()
    for k in range(points.shape[1]):
        for start in random.integers(0, len(points), 5):
            points[start : start + random.integers(1, 60), k] = np.nan
    found = events_from_markers(gw.gait.load(made.save(tmp_path, points=points)[0]))
    known = {"strike": made.strikes, "off": made.offs}
    apart = [min(abs(e.time - t) for side, t in known[e.kind] if side == e.side) for e in found]
    assert max(apart) < 0.015 and len(found) > 0.6 * (len(made.strikes) + len(made.offs))


def test_events_from_forces(tmp_path: Path) -> None:
    made = walk(4.0)
    found = gw.gait.find_events(gw.gait.load(*made.save(tmp_path)))
    for kind, known in (("strike", made.strikes), ("off", made.offs)):
        assert np.abs(errors(found, known, kind)).max() < 0.002
    assert {e.source for e in found if 0.3 < e.time < 3.4} == {"forces"}


def test_steps_beside_the_plates_are_found_from_markers(tmp_path: Path) -> None:
    made = walk(4.0)
    trc, forces = made.save(tmp_path)
    trial = gw.gait.load(trc, forces)
    fewer = replace(trial, plates=trial.plates[:2])
    found = gw.gait.find_events(fewer)
    assert {e.source for e in found} == {"forces", "markers"}
    assert np.abs(errors(found, made.strikes, "strike")).max() < 0.015


def test_events_of_a_file() -> None:
    found = events_from_labels([("Foot Off", "Right", 0.5), ("Foot Strike", "Left", 0.2), ("General", "Left", 0.1)])
    assert [(e.kind, e.side, e.time) for e in found] == [("strike", "left", 0.2), ("off", "right", 0.5)]


@pytest.mark.parametrize("belt", [False, True], ids=["floor", "belt"])
@pytest.mark.parametrize("feet", ["RL", "R"])
def test_markers_of_the_feet_alone_give_events_and_lengths(feet: str, belt: bool, tmp_path: Path) -> None:
    made = walk(4.0, belt=belt)
    names = [f"{side}.{name}" for side in feet for name in ("Heel", "MT1", "MT5")]
    alone = replace(made, markers={label: made.markers[label] for label in names})
    trial = gw.gait.load(alone.save(tmp_path)[0])
    found = events_from_markers(trial)
    assert {event.side for event in found} == {"right", "left"} - ({"left"} if feet == "R" else set())
    for kind, known in (("strike", made.strikes), ("off", made.offs)):
        own = [(side, time) for side, time in known if side[0].upper() in feet]
        assert np.abs(errors(found, own, kind)).max() < 0.025
    table = gw.gait.spatio_temporal(trial, found)
    assert table["stride_length"].right.mean == pytest.approx(LENGTH, rel=0.01)
    assert table["stride_time"].right.mean == pytest.approx(STRIDE, rel=0.01)
    assert ("step_length" in table) == (feet == "RL")


def test_labels_without_landmarks_give_no_events(tmp_path: Path) -> None:
    trial = gw.gait.load(walk().save(tmp_path)[0])
    assert events_from_markers(replace(trial, landmarks={})) == []
