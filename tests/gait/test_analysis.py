"""Analysis of a trial in one call, for a walk with known events, lengths and forces."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from foot.prints import on_a_platform
from gait.lower_body_trial import with_all_markers
from gait.synthetic import LENGTH, STRIDE, WEIGHT
from gaitwright.foot.pressure_files import to_platform_picture
from gaitwright.formats.apd_file import write_apd
from gaitwright.formats.opensim_table import read_table
from gaitwright.gait.analysis import GaitAnalysis
from gaitwright.gait.analysis_summary import compare_forces
from gaitwright.gait.pressure_comparison import compare_pressure

SUBJECT = gw.gait.Subject(WEIGHT / 9.81, 1.75, "male")


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> gw.gait.GaitTrial:
    return gw.gait.load(*with_all_markers(4.0).save(tmp_path_factory.mktemp("walk")))


@pytest.fixture(scope="module")
def found(trial: gw.gait.GaitTrial) -> GaitAnalysis:
    return gw.gait.analyse(trial, SUBJECT)


def test_summary_has_all_results(found: GaitAnalysis) -> None:
    said = found.summary()
    assert set(said) >= {"quality", "events", "cycles", "moments", "forces", "subject", "methods", "versions"}
    table = said["cycles"]["table"]
    assert table["speed"]["both"]["mean"] == pytest.approx(LENGTH / STRIDE, rel=2e-3)
    assert table["speed"]["usual"][0] < table["speed"]["both"]["mean"] < table["speed"]["usual"][1]
    assert len(said["cycles"]["complete"]) == 5 and said["cycles"]["incomplete"]
    assert said["subject"]["mass"] == SUBJECT.mass and "right_thigh" in said["subject"]["segments"]
    assert {event["source"] for event in said["events"]} == {"forces"}
    for side in ("right", "left"):
        assert said["angles"]["knee_flexion"][side]["max"] > 20 and said["moments"]["ankle_moment"][side]["max"] > 0.5


def test_forces_in_body_weights_equal_the_known_ones(trial: gw.gait.GaitTrial) -> None:
    """With little filtering, which keeps the corners of the forces, the mean cycle equals the defined one."""
    one = gw.gait.analyse(trial, SUBJECT, cutoff=60.0)
    truth = max(force[:, 2].max() for force, _, _ in with_all_markers(4.0).forces) / WEIGHT
    for side in ("right", "left"):
        mean = one.mean["force_up"].sel(side=side)
        assert float(mean.max()) == pytest.approx(truth, rel=5e-3)
        forward, inward = (one.mean[f"force_{name}"].sel(side=side).to_numpy() for name in ("forward", "inward"))
        assert forward[5] < -0.05 and forward[52] > 0.05  # brakes, then pushes
        assert (inward[10:50] > 0.01).all()  # towards the midline, on both sides
        assert np.nanmax(one.spread["force_up"].sel(side=side)) < 0.01


def test_curves_of_both_sides_of_a_symmetric_walk_coincide(found: GaitAnalysis) -> None:
    for name in (
        "hip_flexion",
        "knee_flexion",
        "ankle_dorsiflexion",
        "pelvis_tilt",
        "pelvis_rotation",
        "pelvis_obliquity",
    ):
        right, left = (found.mean[name].sel(side=side).to_numpy() for side in ("right", "left"))
        assert right == pytest.approx(left, abs=np.radians(1.5)), name
    assert found.curves["pelvis_obliquity"].attrs["plus"] == "own side up"


def test_without_a_subject_only_independent_results_exist(trial: gw.gait.GaitTrial) -> None:
    one = gw.gait.analyse(trial)
    assert one.angles is None and one.moments is None and one.table and one.cycles.all
    assert one.weight == pytest.approx(WEIGHT, rel=0.01) and "force_up" in one.mean
    assert one.summary()["subject"] is None


def test_markers_alone_give_events_and_a_page(tmp_path: Path) -> None:
    """Without plates and subject there are no curves."""
    one = gw.gait.analyse(gw.gait.load(with_all_markers(3.0).save(tmp_path)[0]))
    assert one.cycles.all and one.table and not one.series.data_vars
    assert not one.mean.data_vars and list(one.spread["side"].to_numpy()) == ["right", "left"]
    one.report(tmp_path)
    assert "mass and height of the person were not given" in (tmp_path / "gait.html").read_text()


def test_without_plates_forces_are_predicted(tmp_path: Path) -> None:
    trc, _ = with_all_markers(3.0).save(tmp_path)
    one = gw.gait.analyse(gw.gait.load(trc), SUBJECT)
    assert one.angles is not None and {event.source for event in one.events} == {"markers"}
    assert set(one.forces) == {"predicted"} and one.moments is not None and one.moments.attrs["forces"] == "predicted"
    assert "with predicted forces" in one.methods["moments"] and "rmse" not in one.summary()["forces"]


def test_prediction_is_compared_with_plates(found: GaitAnalysis) -> None:
    """An addition to the measured forces appears exactly as the difference."""
    said = found.summary()["forces"]
    assert set(said["rmse"]) == {"right", "left"} and said["events"]["strike"] < 0.015
    plates = found.forces["measured"]
    more = replace(plates, force=plates.force + np.array([7.0, 0.0, 14.0]) * (plates.force[..., 2:] > 20))
    rows = compare_forces(plates, more, WEIGHT)
    for side in ("right", "left"):
        assert rows[side]["up"] == pytest.approx(2.0, rel=1e-6) and rows[side]["forward"] == pytest.approx(
            1.0, rel=1e-6
        )
        assert rows[side]["left"] == pytest.approx(0.0, abs=1e-9)


def test_crossed_sides_are_corrected_and_noted(trial: gw.gait.GaitTrial, found: GaitAnalysis) -> None:
    crossed = gw.gait.mirror_trial(trial)
    one = gw.gait.analyse(crossed, SUBJECT)
    assert any("left and right were crossed" in note for note in one.notes)
    assert any(finding.about == "sides" for finding in one.findings)
    assert one.mean["knee_flexion"].to_numpy() == pytest.approx(found.mean["knee_flexion"].to_numpy(), abs=1e-6)
    swapped = gw.gait.analyse(crossed, SUBJECT, sides="swapped")
    right, left = swapped.mean["knee_flexion"].sel(side="right"), found.mean["knee_flexion"].sel(side="left")
    assert right.to_numpy() == pytest.approx(left.to_numpy(), abs=1e-3)
    with pytest.raises(gw.ModelError, match=r"sides.*is no treatment of"):
        gw.gait.analyse(crossed, SUBJECT, sides="upside down")


def test_saved_files_have_the_results(found: GaitAnalysis, tmp_path: Path) -> None:
    files = found.save(tmp_path)
    assert json.loads(files["summary"].read_text())["cycles"]["table"]["cadence"]["unit"] == "1/min"
    angles = read_table(files["angles"])
    assert angles.degrees and angles.column("right_knee_flexion") == pytest.approx(
        np.degrees(found.series["right_knee_flexion"]), abs=1e-6
    )
    curves = (tmp_path / "curves.csv").read_text().splitlines()
    assert len(curves) == 102 and "right knee_flexion mean (deg)" in curves[0]
    with xr.open_dataset(files["curves of cycles"], engine="h5netcdf") as read:
        assert read["ankle_moment"].shape == (5, 101)
    again = gw.gait.load(files["markers"], files["measured forces"])
    assert len(again.plates) == 2 and len(gw.gait.find_events(again)) >= 10


def test_height_that_does_not_fit_the_legs_is_a_finding(trial: gw.gait.GaitTrial) -> None:
    about = {one.about: one for one in gw.gait.analyse(trial, gw.gait.Subject(90.0, 2.4)).findings}
    assert "do not fit the height" in about["height"].what
    assert "weight" in about  # the plates do not carry 90 kg either


def test_events_of_a_file_are_used_if_they_make_a_cycle(trial: gw.gait.GaitTrial, found: GaitAnalysis) -> None:
    few = replace(trial, events=[gw.gait.GaitEvent("strike", "left", 0.5, "file")])
    assert gw.gait.analyse(few).cycles == found.cycles
    told = [replace(event, time=event.time + 0.01, source="file") for event in found.events]
    late = gw.gait.analyse(replace(trial, events=told))
    assert late.methods["events"] == "file"
    assert late.cycles.all[0].start == pytest.approx(found.cycles.all[0].start + 0.01)


@pytest.mark.slow
def test_pressure_of_a_foot_carries_the_measured_force(trial: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """For both sides with one foot model: the pressure adds up to the plate force, from heel to toes."""
    shape = gw.foot.from_measures(length=0.26, side="right")
    foot = gw.foot.Foot(shape, shape.fill(0.012))
    one = gw.gait.analyse(trial, SUBJECT, foot=foot, pressure=on_a_platform(10.0, "left"))
    said = one.summary()["pressure"]
    assert set(said) == {"right", "left", "measured"} and said["measured"]["side"] == "left"
    assert any(note.startswith("measured pressure: map, of the left foot") for note in one.notes)
    for side, step in one.steps.items():
        force = one.loads("measured")
        assert force is not None
        peak = float(force[f"{side}_force_up"].max()) * WEIGHT
        assert step.rolled.force[:, 2].max() == pytest.approx(peak, rel=0.02) and step.mode == "balanced"
        assert float(step.pressure.force.max()) == pytest.approx(peak, rel=0.03)
        regions = said[side]["regions"]
        assert regions["heel"]["share"] > 0.15 and 5e4 < said[side]["peak"] < 2e6 and 0.004 < said[side]["area"] < 0.02
    assert any("in a mirror" in note for note in one.notes)
    pressures = {side: step.pressure for side, step in one.steps.items()}
    file = write_apd(to_platform_picture(pressures["right"].peak), tmp_path / "step.apd")
    again = compare_pressure(pressures, file)
    assert again.side == "right" and np.abs(again.areas.difference).max() < 1e-2
    with pytest.raises(gw.ModelError, match="needs the person's mass and height"):
        gw.gait.analyse(trial, foot=foot)
