"""Trials with a fault: each gives an analysis without impossible values, and a finding or a note, or one clear sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.lower_body_trial import with_all_markers
from gait.person import standing, walking
from gait.preset_person import with_preset
from gait.synthetic import LENGTH, STRIDE, WEIGHT, Walk
from gaitwright.gait.marker_sets import marker_sets
from gaitwright.gait.plausibility import PLAUSIBLE_ANGLES_DEG, PLAUSIBLE_MOMENTS
from gaitwright.gait.spatiotemporal_table import SPATIOTEMPORAL_MEASURES
from gaitwright.gait.trial import split_marker_map

SUBJECT = gw.gait.Subject(WEIGHT / 9.81, 1.75, "male")
Fault = Callable[[Walk], Walk]


def renamed(names: dict[str, str]) -> Fault:
    return lambda made: replace(made, markers={names.get(label, label): at for label, at in made.markers.items()})


def without(*labels: str) -> Fault:
    return lambda made: replace(made, markers={k: at for k, at in made.markers.items() if k not in labels})


def lost(label: str, share: float) -> Fault:
    def change(made: Walk) -> Walk:
        at = made.markers[label].copy()
        at[: round(share * len(at))] = np.nan
        return replace(made, markers={**made.markers, label: at})

    return change


def mapped(turn: np.ndarray, forces_too: bool = True) -> Fault:
    """Markers, and forces, in mirrored or rotated axes."""

    def change(made: Walk) -> Walk:
        markers = {label: at @ turn.T for label, at in made.markers.items()}
        sign = np.linalg.det(turn)
        forces = [(force @ turn.T, point @ turn.T, sign * free) for force, point, free in made.forces]
        return replace(made, markers=markers, forces=forces if forces_too else made.forces)

    return change


def partial(made: Walk) -> Walk:
    """Half of every step is beside its plate."""
    forces = []
    for force, point, free in made.forces:
        on = np.flatnonzero(force[:, 2] > 0)
        gone = force.copy()
        gone[on[len(on) // 2 :]] = 0.0
        forces.append((gone, point, free))
    return replace(made, forces=forces)


SWAPPED = {f"{a}.{name}": f"{b}.{name}" for a, b in ("RL", "LR") for name in (
    "ASIS", "PSIS", "Knee", "Knee.Medial", "Ankle", "Ankle.Medial", "Heel", "MT1", "MT5", "GTR", "HF", "TT")}  # fmt: skip
EXCHANGED_KNEE = {"R.Knee": "R.Knee.Medial", "R.Knee.Medial": "R.Knee"}
MIRROR, HALF_TURN = np.diag([1.0, -1.0, 1.0]), np.diag([-1.0, -1.0, 1.0])
FAULTS: dict[str, tuple[Fault, str]] = {
    "sides swapped": (renamed(SWAPPED), "left and right are swapped"),
    "mirrored frame": (mapped(MIRROR), "left and right are swapped, or the frame is mirrored"),
    "knee markers exchanged": (renamed(EXCHANGED_KNEE), "the inner and the outer marker of the right knee"),
    "heel lost for a while": (lost("R.Heel", 0.4), "marker R.Heel was lost"),
    "knee never seen": (lost("R.Knee", 1.0), "no right_knee"),
    "one leg": (without(*(label for label in SWAPPED if label.startswith("L") and "IS" not in label)), "left thigh"),
    "one knee": (without("L.Knee", "L.Knee.Medial"), "left thigh"),
    "one knee, no plates": (without("L.Knee", "L.Knee.Medial"), "forces are not predicted: motion: has no instant"),
    "no pelvis": (without("R.ASIS", "L.ASIS", "R.PSIS", "L.PSIS"), "no markers of the pelvis"),
    "partial plates": (partial, "there is a part of the push-off"),
    "walk to the other side": (mapped(HALF_TURN), ""),
    "forces in other axes": (mapped(HALF_TURN, forces_too=False), "the forces have other axes"),
}


def check_possible(analysis: gw.gait.GaitAnalysis) -> None:
    for data, ranges, scale in (
        (analysis.angles, PLAUSIBLE_ANGLES_DEG, 180 / np.pi),
        (analysis.moments, PLAUSIBLE_MOMENTS, 1.0),
    ):
        for name, one in data.data_vars.items() if data is not None else ():
            values = scale * one.to_numpy()[np.isfinite(one.to_numpy())]
            quantity = str(name).removeprefix("right_").removeprefix("left_")
            if quantity in ranges:
                low, high = ranges[quantity].possible
                assert ((values >= low) & (values <= high)).all(), name
    for name, row in analysis.table.items():
        low, high = SPATIOTEMPORAL_MEASURES[name].possible
        assert all(low <= one.mean <= high for one in (row.right, row.left) if one.count), name


@pytest.mark.parametrize("name", FAULTS)
def test_faulty_trial_gives_what_it_supports(name: str, tmp_path: Path) -> None:
    change, says = FAULTS[name]
    files = change(with_all_markers(4.0)).save(tmp_path)
    analysis = gw.gait.analyse(gw.gait.load(*files[: 1 if "no plates" in name else 2]), SUBJECT)
    text = " ".join(
        [*map(str, analysis.findings), *analysis.notes, *(analysis.skeleton.notes if analysis.skeleton else ())]
    )
    if name != "partial plates":
        assert says in text
    check_possible(analysis)
    assert analysis.cycles.all
    analysis.save(tmp_path / "out")
    assert analysis.report(tmp_path / "out")["report"].is_file()
    if "lost" not in name:
        assert analysis.table["stride_length"].both.mean == pytest.approx(LENGTH, rel=0.02)
    assert analysis.table["stride_time"].both.mean == pytest.approx(STRIDE, rel=0.02)
    if name == "one leg":  # the steps of the other leg on the plates are no faults
        assert not [finding for finding in analysis.findings if finding.how_bad == "wrong"]
    if name == "no pelvis":
        assert analysis.angles is None
    else:
        assert analysis.angles is not None and np.degrees(np.nanmax(analysis.angles["right_knee_flexion"])) > 20


@pytest.mark.parametrize(
    ("unit", "scale"), [("mm", 1e3), ("m", 1e-3), ("mm", 1e2)], ids=["m as mm", "mm as m", "cm as mm"]
)
def test_wrong_units_are_corrected(unit: str, scale: float, tmp_path: Path) -> None:
    """Values of one unit with the name of another."""
    made = with_all_markers(3.0)
    points = made.points / scale if unit == "mm" and scale == 1e3 else made.points
    factor = {"mm": 1.0, "m": 1e3}[unit] if scale != 1e2 else 0.1
    files = made.save(tmp_path, unit=unit, points=points * factor if scale != 1e3 else points)
    trial = gw.gait.load(*files)
    assert trial.place("right_asis", "left_asis")[:, 2].mean() == pytest.approx(0.98, abs=0.03)  # type: ignore[index]
    assert any("gives the size of a person" in note for note in trial.faults)


def test_plates_that_are_hit_partly_give_no_events(tmp_path: Path) -> None:
    made = with_all_markers(4.0)
    trial = gw.gait.load(*partial(made).save(tmp_path))
    offs = [event for event in gw.gait.find_events(trial) if event.kind == "off"]
    assert {event.source for event in offs} == {"markers"}
    for event in offs:
        assert min(abs(event.time - time) for side, time in made.offs if side == event.side) < 0.02


def test_a_map_may_name_labels_of_the_static_trial_only(tmp_path: Path) -> None:
    """Knees and ankles have other names than in the presets, and markers in standing only."""
    preset = marker_sets()["opensim"]
    markers = [f"{side}.{name}" for side in "RL" for name in ("Knee.Lat", "Knee.Med", "Ankle.Lat", "Ankle.Med")]
    names = {label: f"{label.replace('.', '_', 1)}_x" for label in markers}
    still = with_preset(standing(), preset)
    still = replace(still, markers={names.get(label, label): at for label, at in still.markers.items()})
    joints = ("knee", "knee_medial", "ankle", "ankle_medial")
    walk = with_preset(walking(), preset, joints).save(tmp_path / "walk.trc")
    static = still.save(tmp_path / "static.trc")
    landmarks = [f"{side}_{joint}" for side in ("right", "left") for joint in joints]
    marker_map = {landmark: names[preset.names()[landmark][0]] for landmark in landmarks}
    own, own_static = split_marker_map(marker_map, walk, static)
    assert own == {} and own_static == marker_map
    trial, standing_still = gw.gait.load(walk, markers=own), gw.gait.load(static, markers=own_static)
    angles = gw.gait.joint_angles(
        gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, standing_still), cutoff=None)
    )
    truth = walking().angles["left_knee_flexion"]
    assert angles["left_knee_flexion"].to_numpy() == pytest.approx(truth, abs=0.01)
    with pytest.raises(gw.ModelError, match=r"did you mean 'R_Knee\.Lat_x'"):
        split_marker_map({"right_knee": "R_Knee.Lat_y"}, walk, static)
