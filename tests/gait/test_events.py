"""Strikes and offs, from forces and from markers, against the known instants: within 15 ms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.synthetic import LENGTH, STRIDE, Y_UP, Walk, walk
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


def combined(made: Walk, groups: list[list[tuple[int, np.ndarray | float]]]) -> Walk:
    """The walk on other plates: each carries shares of the forces of contacts, by number."""
    plates = []
    for group in groups:
        forces = [np.asarray(share).reshape(-1, 1) * made.forces[k][0] for k, share in group]
        force = np.sum(forces, axis=0)
        vertical = np.maximum(force[:, 2:], 1e-9)
        point = sum(one[:, 2:] * made.forces[k][1] for one, (k, _) in zip(forces, group, strict=True)) / vertical
        plates.append((force, np.asarray(point), np.zeros(len(force))))
    return replace(made, forces=plates)


def numbers(made: Walk, side: str) -> list[int]:
    """Contacts of a side."""
    return [k for k, (_, point, _) in enumerate(made.forces) if (point[0, 1] > 0) == (side == "left")]


def split_belt(made: Walk) -> Walk:
    return combined(made, [[(k, 1.0) for k in numbers(made, side)] for side in ("right", "left")])


def crossed_belts(made: Walk) -> Walk:
    """Every right foot stands with 40 % of its load on the left belt."""
    right, left = numbers(made, "right"), numbers(made, "left")
    return combined(made, [[(k, 0.6) for k in right], [(k, 1.0) for k in left] + [(k, 0.4) for k in right]])


def partly_hit(made: Walk) -> Walk:
    """The last 40 % of every stance is beside the plate."""
    groups = []
    for k, (force, _, _) in enumerate(made.forces):
        on = np.flatnonzero(force[:, 2] > 0)
        share = np.ones(len(force))
        share[on[int(0.6 * len(on)) :]] = 0.0
        groups.append([(k, share)])
    return combined(made, groups)


def on_two_plates(made: Walk) -> Walk:
    """Heels strike one plate, and the load moves to the next during the stance."""
    groups = []
    for k, (force, _, _) in enumerate(made.forces):
        on = np.flatnonzero(force[:, 2] > 0)
        moved = np.clip((np.arange(len(force)) - on[0]) / len(on) * 3.0 - 1.0, 0.0, 1.0)
        groups += [[(k, 1.0 - moved)], [(k, moved)]]
    return combined(made, groups)


def pairs(made: Walk) -> Walk:
    """Each plate carries a step of one foot and the next one of the other foot."""
    order = sorted(range(len(made.forces)), key=lambda k: int(np.flatnonzero(made.forces[k][0][:, 2])[0]))
    return combined(made, [[(k, 1.0) for k in order[n : n + 2]] for n in range(0, len(order), 2)])


PLATE_LAYOUTS: dict[str, tuple[bool, Callable[[Walk], Walk], float]] = {
    # belt, plates, largest error of an event, s: of forces 2 ms, of markers 15 ms
    "overground": (False, lambda made: made, 0.002),
    "split belts": (True, split_belt, 0.002),
    "crossed belts": (True, crossed_belts, 0.015),
    "plates partly hit": (False, partly_hit, 0.015),
    "steps on two plates": (False, on_two_plates, 0.002),
    "plates with two feet": (False, pairs, 0.015),
}


@pytest.mark.parametrize("name", PLATE_LAYOUTS)
def test_events_of_every_layout_of_plates(name: str, tmp_path: Path) -> None:
    """None is missing, none is added, and every error is small."""
    belt, change, largest = PLATE_LAYOUTS[name]
    made = walk(5.0, belt=belt)
    trial = gw.gait.load(*change(made).save(tmp_path))
    assert abs(trial.lab.belt - (LENGTH / STRIDE if belt else 0.0)) < 0.02
    found = gw.gait.find_events(trial)
    for kind, known in (("strike", made.strikes), ("off", made.offs)):
        apart = errors(found, known, kind)
        assert np.abs(apart).max() < largest, (kind, apart)
        assert sum(e.kind == kind for e in found) <= len(known)
    if name in ("crossed belts", "plates with two feet"):
        shared = [finding for finding in gw.gait.findings(trial) if finding.about == "shared plate"]
        assert shared and all("carries both feet" in str(finding) for finding in shared)
        notes = gw.gait.ground_forces_from_plates(trial).notes
        assert any("is left out: it carries both feet" in note for note in notes)


@pytest.mark.parametrize("edge", [0.07, 0.1])
@pytest.mark.parametrize("end", ["begin", "end"])
def test_events_near_the_ends_of_a_trial(end: str, edge: float, tmp_path: Path) -> None:
    """A trial that is cut 70 ms before or after an event of the markers still has it, and no other one."""
    made = walk(4.0)
    trial = gw.gait.load(made.save(tmp_path)[0])
    for kind, known in (("strike", made.strikes), ("off", made.offs)):
        for side, time in known:
            if not 1.0 < time < 3.0:
                continue
            inside = trial.times >= time - edge if end == "begin" else trial.times <= time + edge
            frames = np.flatnonzero(inside)
            cut = replace(trial, markers=trial.markers[frames], filled=trial.filled[frames])
            found = events_from_markers(cut)
            apart = [e.time - time for e in found if (e.kind, e.side) == (kind, side)]
            assert min(map(abs, apart)) < 0.015, (kind, side, time)
            truth = {"strike": made.strikes, "off": made.offs}
            assert all(min(abs(e.time - t) for s, t in truth[e.kind] if s == e.side) < 0.015 for e in found)
