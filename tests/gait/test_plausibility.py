"""Impossible values are withheld and counted; trials that are no walk are named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gait.lower_body_trial import with_all_markers
from gait.person import Person, standing, walking
from gait.synthetic import walk
from gaitwright.gait.cycles import find_cycles
from gaitwright.gait.events import GaitEvent
from gaitwright.gait.normative_data import normative_band
from gaitwright.gait.plausibility import (
    PLAUSIBLE_ANGLES_DEG,
    PLAUSIBLE_MOMENTS,
    check_event_order,
    check_movement,
    check_table,
    check_walking_ranges,
    doubtful_strides,
    mask_impossible_angles,
    mask_impossible_moments,
)
from gaitwright.gait.spatiotemporal_table import SampleStatistics, SpatiotemporalMeasure

SUBJECT = gw.gait.Subject(73.0, 1.741, "male")


def loaded(person: Person, folder: Path) -> gw.gait.GaitTrial:
    return gw.gait.load(person.save(folder / "walk.trc"))


@pytest.fixture(scope="module")
def motion(tmp_path_factory: pytest.TempPathFactory) -> gw.gait.SkeletonMotion:
    trial = loaded(walking(), tmp_path_factory.mktemp("walk"))
    return gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT))


def with_values(data: xr.Dataset, name: str, frames: slice, value: float) -> xr.Dataset:
    values = data[name].to_numpy().copy()
    values[frames] = value
    return data.assign({name: ("time", values, data[name].attrs)})


def test_possible_angles_are_unchanged(motion: gw.gait.SkeletonMotion) -> None:
    angles = gw.gait.joint_angles(motion)
    kept, masks, findings = mask_impossible_angles(angles, motion)
    assert not findings and not any(mask.any() for mask in masks.values())
    xr.testing.assert_equal(kept, angles)


def test_impossible_frames_of_a_joint_are_withheld_and_counted(motion: gw.gait.SkeletonMotion) -> None:
    angles = with_values(gw.gait.joint_angles(motion), "right_knee_flexion", slice(100, 110), np.radians(337.0))
    kept, masks, (finding,) = mask_impossible_angles(angles, motion)
    assert finding.how_bad == "wrong" and "right knee flexion would be 337 degrees; 4 % of the frames" in str(finding)
    for name in ("right_knee_flexion", "right_knee_rotation"):
        assert np.flatnonzero(np.isnan(kept[name])).tolist() == list(range(100, 110))
    assert kept["left_knee_flexion"].notnull().all()
    moments = xr.Dataset({"right_knee_moment": ("time", np.ones(len(masks["right_knee"])), {"units": "N m/kg"})})
    kept_moments, more = mask_impossible_moments(moments, masks)
    assert not more and int(kept_moments["right_knee_moment"].isnull().sum()) == 10


def test_a_mostly_impossible_joint_is_withheld_altogether(motion: gw.gait.SkeletonMotion) -> None:
    angles = with_values(gw.gait.joint_angles(motion), "left_knee_flexion", slice(0, 60), np.radians(-57.7))
    kept, _, (finding,) = mask_impossible_angles(angles, motion)
    assert not [name for name in kept if str(name).startswith("left_knee")] and "all frames" in str(finding)


def test_frames_with_markers_far_from_the_skeleton_are_withheld(motion: gw.gait.SkeletonMotion) -> None:
    residual = motion.residual.copy()
    residual.loc[{"marker": ["L.HF", "L.TT", "L.Ankle", "L.Ankle.Medial"], "time": residual.time[:5]}] = 0.3
    far = replace(motion, residual=residual)
    kept, _, findings = mask_impossible_angles(gw.gait.joint_angles(motion), far)
    assert {finding.where for finding in findings} == {"left_knee", "left_ankle"}
    assert np.isnan(kept["left_ankle_dorsiflexion"].to_numpy()[:5]).all() and kept["left_hip_flexion"].notnull().all()


def test_impossible_moments_are_withheld() -> None:
    values = np.full(100, -0.4)
    values[7] = -2763.0
    units = {"units": "N m/kg"}
    moments = xr.Dataset(
        {"left_hip_moment": ("time", values, units), "right_hip_moment": ("time", 0 * values, units),
         "residual_force": (("time", "axis"), np.ones((100, 3)), {"units": "N"})}
    )  # fmt: skip
    kept, (finding,) = mask_impossible_moments(moments, {})
    assert "left hip moment would be -2.76e+03 N m/kg; 1 %" in str(finding)
    assert np.flatnonzero(np.isnan(kept["left_hip_moment"])).tolist() == [7]
    assert kept["right_hip_moment"].notnull().all() and kept["residual_force"].notnull().all()


def measure(name: str, value: float) -> dict[str, SpatiotemporalMeasure]:
    one = SampleStatistics.of([value])
    return {name: SpatiotemporalMeasure(name, "m/s", one, one, one, "")}


@pytest.mark.parametrize(
    ("name", "value", "severity", "stays"),
    [
        ("speed", 1.2, None, True),
        ("speed", 3.5, "doubtful", True),
        ("speed", 1200.0, "wrong", False),
        ("stance", 97.0, "wrong", False),
        ("stance", 45.0, "doubtful", True),
        ("cadence", 600.0, "wrong", False),
        ("step_width", 0.6, "doubtful", True),
    ],
)
def test_values_of_the_table_are_compared_with_human_ranges(
    name: str, value: float, severity: str | None, stays: bool
) -> None:
    table, rows = check_table(measure(name, value), running=False)
    assert (name in table) == stays and [row.how_bad for row in rows] == ([severity] if severity else [])


def test_speed_of_a_run_is_possible() -> None:
    assert check_table(measure("speed", 5.0), running=True)[1] == []


def movement(trial: gw.gait.GaitTrial, events: list[GaitEvent] | None = None) -> str:
    events = gw.gait.find_events(trial) if events is None else events
    return "; ".join(str(finding) for finding in check_movement(trial, events, find_cycles(events)))


def test_a_walk_is_a_walk(tmp_path: Path) -> None:
    assert movement(gw.gait.load(walk().save(tmp_path)[0])) == ""


def test_standing_is_no_walk(tmp_path: Path) -> None:
    assert "this is no walk: the person stands" in movement(loaded(standing(), tmp_path))


def test_a_jump_is_no_walk(tmp_path: Path) -> None:
    trial = gw.gait.load(walk().save(tmp_path)[0])
    instants = (("off", 1.0), ("strike", 1.5))
    events = [GaitEvent(kind, side, time, "markers") for kind, time in instants for side in ("right", "left")]
    assert "both feet leave the ground together" in movement(trial, events)


def test_unknown_feet_are_named(tmp_path: Path) -> None:
    trial = gw.gait.load(walk().save(tmp_path)[0])
    assert "no feet are known" in movement(replace(trial, landmarks={}))


def test_turning_and_climbing_are_named(tmp_path: Path) -> None:
    made = walk(3.0)
    turn = np.linspace(0, np.pi / 2, len(made.points))
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.stack(
        [np.stack([c, -s, 0 * c], -1), np.stack([s, c, 0 * c], -1), np.tile([0, 0, 1.0], (len(c), 1))], 1
    )
    turned = {label: np.einsum("tij,tj->ti", rotation, at) for label, at in made.markers.items()}
    assert "the person turns" in movement(gw.gait.load(replace(made, markers=turned).save(tmp_path)[0]))
    climb = {label: at + np.outer(np.linspace(0, 1, len(at)), [0, 0, 0.6]) for label, at in made.markers.items()}
    assert "goes up, as on stairs or a ramp" in movement(gw.gait.load(replace(made, markers=climb).save(tmp_path)[0]))


def test_a_run_has_cycles_with_flight() -> None:
    events = []
    for k in range(6):
        side, _other = ("right", "left") if k % 2 == 0 else ("left", "right")
        events += [GaitEvent("strike", side, 0.35 * k, "markers"), GaitEvent("off", side, 0.35 * k + 0.22, "markers")]
    cycles = find_cycles(events)
    assert len(cycles.all) == 4 and all(cycle.flight and not cycle.phases for cycle in cycles.all)
    assert cycles.limits("right") is None
    one = cycles.all[0]
    assert (one.off, one.other_strike, one.other_off, one.end) == pytest.approx((0.22, 0.35, 0.57, 0.7))


def test_strides_that_differ_from_the_way_of_the_body_are_named(tmp_path: Path) -> None:
    trial = gw.gait.load(walk(4.0).save(tmp_path)[0])
    events = gw.gait.find_events(trial)
    assert doubtful_strides(trial, events) == []
    strikes = [e for e in events if (e.kind, e.side) == ("strike", "right")]
    gone = {"R.Heel": trial.marker("R.Heel").copy()}
    gone["R.Heel"][np.abs(trial.times - strikes[1].time - 0.1) < 0.2] += [0.6, 0, 0]
    points = trial.markers.copy()
    points.loc[{"marker": "R.Heel"}] = gone["R.Heel"]
    texts = [text for *_, text in doubtful_strides(replace(trial, markers=points), events)]
    assert any("is 1.90 m long, but the body moves 1.30 m" in text for text in texts)


@pytest.mark.parametrize("way", ["floor", "belt"])
def test_walking_backwards_is_not_mirrored(way: str, tmp_path: Path) -> None:
    """The walk in reverse order of time: every angle has the same values in reverse order."""
    forth = walking(belt=way == "belt")
    back = replace(forth, markers={label: at[::-1] for label, at in forth.markers.items()})
    analysis = gw.gait.analyse(loaded(back, tmp_path), SUBJECT)
    assert not any("crossed" in note for note in analysis.notes) and analysis.angles is not None
    motion = gw.gait.analyse(loaded(forth, tmp_path), SUBJECT).angles
    assert motion is not None
    for name in ("right_hip_flexion", "left_hip_adduction", "right_knee_flexion"):
        assert analysis.angles[name].to_numpy()[::-1] == pytest.approx(motion[name].to_numpy(), abs=0.02), name


def test_legs_without_feet_on_a_treadmill_are_not_mirrored(tmp_path: Path) -> None:
    """The direction follows from left and right."""
    person = walking(belt=True)
    legs = {label: at for label, at in person.markers.items() if not label.endswith(("Heel", "MT1", "MT2", "MT5"))}
    half_turn = np.diag([-1.0, -1.0, 1.0])
    trial = loaded(replace(person, markers={label: at @ half_turn for label, at in legs.items()}), tmp_path)
    assert "from left to right" in " ".join(trial.notes)
    right, left = trial.marker("R.ASIS"), trial.marker("L.ASIS")
    assert (left - right)[:, 1].mean() > 0.2 and (trial.marker("R.ASIS") - trial.marker("R.PSIS"))[:, 0].mean() > 0.1


def test_a_run_has_its_own_table_and_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of 0.44 s in strides of 1 s: both feet are in the air for 12 % of the cycle."""
    for name, value in (("STRIDE", 1.0), ("STANCE", 0.44), ("LENGTH", 2.6)):
        monkeypatch.setattr(f"gait.synthetic.{name}", value)
    markers, forces = with_all_markers(4.0).save(tmp_path)
    for files, limit in (((markers, forces), 0.3), ((markers,), 2.5)):
        analysis = gw.gait.analyse(gw.gait.load(*files), SUBJECT)
        table = {name: row.both.mean for name, row in analysis.table.items()}
        assert len(analysis.cycles.all) == 6 and "12 Hz" in analysis.methods["filter"]
        assert table["speed"] == pytest.approx(2.6, rel=0.01) and "double_support" not in table
        assert table["stance"] == pytest.approx(44.0, abs=limit) and table["flight"] == pytest.approx(12.0, abs=limit)
        assert "predicted" not in analysis.forces and "this is a run" in " ".join(map(str, analysis.findings))


def test_likely_ranges_are_possible_and_contain_the_published_bands() -> None:
    for name, one in {**PLAUSIBLE_ANGLES_DEG, **PLAUSIBLE_MOMENTS}.items():
        band = normative_band(name)
        assert np.isfinite(one.likely).all() == (band is not None), name
        if band is not None:
            margin = {"deg": 15.0, "N m/kg": 0.8, "W/kg": 2.5}[band.unit]
            assert one.possible[0] < one.likely[0] <= band.low.min() - margin, name
            assert one.possible[1] > one.likely[1] >= band.high.max() + margin, name
            assert band.source


@pytest.mark.parametrize(("count", "doubtful"), [(0, 0), (2, 0), (10, 1)])
def test_unlikely_angles_are_doubtful_with_value_and_range(
    count: int, doubtful: int, motion: gw.gait.SkeletonMotion
) -> None:
    angles = with_values(gw.gait.joint_angles(motion), "left_knee_flexion", slice(50, 50 + count), np.radians(110.0))
    kept, _, impossible = mask_impossible_angles(angles, motion)
    rows = list(check_walking_ranges(kept, None))
    assert not impossible and len(rows) == doubtful
    for row in rows:
        assert row.how_bad == "doubtful" and row.value == pytest.approx(110.0)
        assert "left knee flexion is unusual" in str(row) and "reaches 110 deg, where walks have -25 to 95" in str(row)
        assert "Schwartz" in str(row)


def test_unlikely_moments_are_doubtful() -> None:
    values = np.zeros(100)
    values[40:45] = 4.2
    moments = xr.Dataset({"right_ankle_moment": ("time", values, {"units": "N m/kg"})})
    kept, impossible = mask_impossible_moments(moments, {})
    (row,) = check_walking_ranges(xr.Dataset(), kept)
    assert not impossible and "reaches 4.2 N m/kg, where walks have -1.5 to 3" in str(row) and "Winter" in str(row)


def test_missing_strikes_of_a_foot_are_named() -> None:
    both = [
        GaitEvent(kind, side, 0.55 * k + late, "markers")
        for side, late in (("right", 0.0), ("left", 0.3))
        for k, kind in enumerate(("strike", "off") * 3)
    ]
    assert not list(check_event_order(both)) and not list(check_event_order([]))
    less = [event for event in both if (event.kind, event.side) != ("strike", "left")] + both[6:7]
    (finding,) = check_event_order(less)
    assert "steps of the left foot are missing: it has 1 strike and 3 toe-offs, which do not alternate" in str(finding)
    (finding,) = check_event_order(both[:6])
    assert "steps of the left foot are missing: it has 0 strikes and 0 toe-offs;" in str(finding)
