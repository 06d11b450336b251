"""Two measured walks of https://github.com/BMClab/BMC (CC BY 4.0), if available: their defects are detected."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.gait.events import events_from_markers
from gaitwright.gait.trial_quality import estimate_weight

DATA = Path(os.environ.get("GAITWRIGHT_GAIT_DATA", Path(__file__).parents[3] / "shared" / "data" / "gait_bmclab"))
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the trials are not here")
MASSES = {"walk1": 76.5, "walk2": 72.2}


def trial(name: str) -> gw.gait.GaitTrial:
    return gw.gait.load(DATA / f"{name}.trc", DATA / f"{name}.forces")


@pytest.mark.parametrize(
    ("name", "about", "where", "value", "within"),
    [
        ("walk1", "sides", "", 0.25, 0.05),
        ("walk1", "registration", "plate 4", 0.034, 0.005),
        ("walk1", "registration", "plate 5", 0.078, 0.005),
        ("walk1", "free moment", "plate 5", 19.0, 0.5),
        ("walk1", "partial strike", "plate 4", 0.81, 0.03),
        ("walk2", "registration", "plate 4", 0.215, 0.01),
    ],
)
def test_known_defects_are_found(name: str, about: str, where: str, value: float, within: float) -> None:
    found = [one for one in gw.gait.findings(trial(name), MASSES[name]) if (one.about, one.where) == (about, where)]
    assert found and found[0].value == pytest.approx(value, abs=within)


def test_swapped_labels_are_found() -> None:
    """Of the left foot of walk2, from 0.167 s on: the right foot shows which labels are correct."""
    walk = trial("walk2")
    assert [fault for fault in walk.faults if "L.MT1 and L.MT2 had each other's label, 0.167 to" in fault]
    assert not [fault for fault in trial("walk1").faults if "label" in fault]
    apart = [np.median(np.linalg.norm(walk.marker(f"{s}.MT5") - walk.marker(f"{s}.MT2"), axis=1)) for s in "RL"]
    assert apart[0] == pytest.approx(apart[1], abs=0.005)


def test_good_plates_give_no_finding() -> None:
    for name, good in (("walk1", {"plate 3", "plate 6"}), ("walk2", {"plate 3", "plate 5", "plate 6"})):
        blamed = {one.where for one in gw.gait.findings(trial(name)) if one.how_bad != "good to know"}
        assert not blamed & good
    assert "sides" not in {one.about for one in gw.gait.findings(trial("walk2"))}


@pytest.mark.parametrize("name", MASSES)
def test_plates_measure_the_weight(name: str) -> None:
    carried = estimate_weight(gw.gait.contacts(trial(name)))
    assert carried is not None and carried / 9.81 == pytest.approx(MASSES[name], rel=0.01)


@pytest.mark.parametrize("name", MASSES)
def test_events_of_markers_and_forces_agree(name: str) -> None:
    """Within 15 ms; at the ends of a trial there may be no visible peak."""
    walk = trial(name)
    seen = events_from_markers(walk)
    for event in gw.gait.find_events(walk):
        if event.source == "forces" and walk.times[0] + 0.1 < event.time < walk.times[-1] - 0.15:
            apart = [e.time - event.time for e in seen if (e.kind, e.side) == (event.kind, event.side)]
            assert min(np.abs(apart)) < 0.015


@pytest.mark.parametrize(
    ("name", "speed", "cadence", "step", "cycles"),
    [("walk1", 1.19, 109.1, 0.66, 2), ("walk2", 1.20, 117.7, 0.62, 2)],
)
def test_table_has_plausible_values(name: str, speed: float, cadence: float, step: float, cycles: int) -> None:
    """The speed equals that of the pelvis; shares are those of healthy people."""
    walk = trial(name)
    events = gw.gait.find_events(walk)
    found = gw.gait.find_cycles(events)
    table = gw.gait.spatio_temporal(walk, events, found)
    assert len(found.all) == cycles
    for row, value in (("speed", speed), ("cadence", cadence), ("step_length", step)):
        assert table[row].both.mean == pytest.approx(value, rel=0.01)
    pelvis = walk.place("right_asis", "left_asis", "right_psis", "left_psis")
    assert pelvis is not None
    moving = np.polyfit(walk.times, pelvis[:, 0], 1)[0]
    assert table["speed"].both.mean == pytest.approx(moving, rel=0.03)
    assert 57 < table["stance"].both.mean < 63 and 15 < table["double_support"].both.mean < 22


HEIGHT = 1.75
"""m: not given with the trials; angles do not depend on it."""


def angles(name: str, method: str):
    walk = trial(name)
    walk = gw.gait.mirror_trial(walk) if name == "walk1" else walk
    skeleton = gw.gait.skeleton_of(walk, gw.gait.Subject(MASSES[name], HEIGHT))
    motion = gw.gait.follow(walk, skeleton, method)
    return motion, gw.gait.joint_angles(motion)


@pytest.mark.parametrize("method", ["joints", "segments"])
@pytest.mark.parametrize("name", MASSES)
def test_ranges_of_angles_are_plausible(name: str, method: str) -> None:
    """Degrees over a walk, from minimum to maximum. Healthy adults: knee 60 to 70, hip 40, ankle 20 to 40 (J. Perry, J. M.
    Burnfield, Gait Analysis, 2nd ed., 2010, chapters 4 to 6). Independent segments show less hip motion, because of skin
    motion."""
    motion, found = angles(name, method)
    ranges = {
        "knee_flexion": (55, 70), "hip_flexion": (30, 50), "ankle_dorsiflexion": (20, 40), "hip_adduction": (7, 18),
        "knee_adduction": (3, 15),
    }  # fmt: skip
    for side in ("right", "left"):
        for angle, (least, most) in ranges.items():
            values = np.degrees(found[f"{side}_{angle}"].to_numpy())
            assert least < np.ptp(values) < most, (side, angle, np.ptp(values))
        assert np.abs(np.diff(np.degrees(found[f"{side}_knee_flexion"].to_numpy()))).max() < 5  # no jumps
    assert np.ptp(np.degrees(found["pelvis_tilt"].to_numpy())) < 5
    assert motion.mean_residual() < {"joints": 6e-3, "segments": 5e-3}[method]


@pytest.mark.parametrize("name", MASSES)
def test_methods_agree(name: str) -> None:
    """To five degrees in flexion: the effect of skin motion."""
    (_, one), (_, other) = (angles(name, method) for method in ("joints", "segments"))
    for side in ("right", "left"):
        for angle in ("knee_flexion", "hip_flexion", "ankle_dorsiflexion"):
            apart = np.degrees((one - other)[f"{side}_{angle}"].to_numpy())
            assert np.sqrt(np.mean(apart**2)) < 3.0 and np.abs(apart).max() < 6.0


@pytest.mark.parametrize(("name", "up", "forward", "left"), [("walk1", 10.0, 4.0, 4.0), ("walk2", 8.0, 4.0, 4.0)])
def test_predicted_forces_are_near_the_plates(name: str, up: float, forward: float, left: float) -> None:
    """Per foot, % of the weight, RMS; the right foot of walk1 stood on two faulty plates."""
    found = gw.gait.analyse(trial(name), gw.gait.Subject(MASSES[name], 1.75, "male"))
    said = found.summary()["forces"]
    for row in said["rmse"].values():
        assert row["up"] < up and row["forward"] < forward and row["left"] < left
        assert row["centre_along"] < 0.014 and row["centre_across"] < 0.02
    assert max(said["events"].values()) < 0.015


@pytest.mark.parametrize("name", ["walk1", "walk2"])
@pytest.mark.parametrize("edge", [0.06, 0.1])
def test_events_near_the_end_of_a_trial_agree_with_the_plates(edge: float, name: str) -> None:
    """A trial that ends 60 ms after an event of a plate has the event of the markers."""
    walk = trial(name)
    walk = gw.gait.mirror_trial(walk) if name == "walk1" else walk
    for event in gw.gait.find_events(walk):
        frames = np.flatnonzero(walk.times <= event.time + edge)
        if event.source != "forces" or event.time < 0.1:
            continue
        cut = replace(walk, markers=walk.markers[frames], filled=walk.filled[frames], plates=[])
        same = [e.time for e in gw.gait.find_events(cut) if (e.kind, e.side) == (event.kind, event.side)]
        assert min(abs(time - event.time) for time in same) < 0.015, event
