"""Angles of a synthetic person are recovered, from files, by both methods."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.person import Person, mirrored, plug_in, standing, walking, without_trunk
from gaitwright._core.errors import ModelError

SUBJECT = gw.gait.Subject(73.0, 1.741, "male")
METHODS = ("segments", "joints")


def angles_of(path: Path, static: Path | None, method: str, cutoff: float | None = None, **kinds: str):
    trial = gw.gait.load(path)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, None if static is None else gw.gait.load(static), **kinds)
    return gw.gait.joint_angles(gw.gait.follow(trial, skeleton, method, cutoff=cutoff))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("suffix", [".trc", ".c3d"])
def test_known_angles_are_recovered(suffix: str, method: str, tmp_path: Path) -> None:
    """To 1e-6 rad. C3D has 32-bit numbers: on a belt, near the origin, they are accurate to 6e-8 m."""
    if suffix == ".c3d":
        pytest.importorskip("ezc3d")
    truth = walking(belt=suffix == ".c3d")
    found = angles_of(truth.save(tmp_path / f"walk{suffix}"), standing().save(tmp_path / f"static{suffix}"), method)
    assert set(truth.angles) <= set(found)
    for name, values in truth.angles.items():
        assert found[name].to_numpy() == pytest.approx(values, abs=1e-6), name
        assert found[name].attrs["plus"] and found[name].attrs["units"] == "rad"


@pytest.mark.parametrize("method", METHODS)
def test_sizes_come_from_the_walk_without_a_static_trial(method: str, tmp_path: Path) -> None:
    """The lowest frames of the foot count as flat: an approximation that gives an offset of the ankle. So is the
    assumption that the mean pelvis tilt of the walk equals that in standing: with joints, the navel is displaced by
    micrometres."""
    truth, exact = walking(), {"segments": 1e-6, "joints": 2e-4}[method]
    found = angles_of(truth.save(tmp_path / "walk.trc"), None, method)
    for name, values in truth.angles.items():
        error = found[name].to_numpy() - values
        if "ankle" not in name:
            assert np.abs(error).max() < exact, name
        assert np.std(error) < 0.05, name


@pytest.mark.parametrize("method", METHODS)
def test_a_millimetre_of_noise_gives_at_most_a_degree(method: str, tmp_path: Path) -> None:
    truth = walking()
    noise = np.random.default_rng(3).normal(scale=1e-3, size=truth.points.shape)
    path = truth.save(tmp_path / "walk.trc", truth.points + noise)
    static = standing().save(tmp_path / "static.trc")
    raw, smooth = (angles_of(path, static, method, cutoff) for cutoff in (None, 10.0))
    for name, values in truth.angles.items():
        errors = [np.degrees(np.std(one[name].to_numpy() - values)) for one in (raw, smooth)]
        assert errors[0] < 2.0 and errors[1] < 0.7 * errors[0], name


@pytest.mark.parametrize("method", METHODS)
def test_a_mirrored_person_has_mirrored_angles(method: str, tmp_path: Path) -> None:
    static = standing()
    one = angles_of(walking().save(tmp_path / "a.trc"), static.save(tmp_path / "sa.trc"), method)
    other = angles_of(mirrored(walking()).save(tmp_path / "b.trc"), mirrored(static).save(tmp_path / "sb.trc"), method)
    for name in one:
        side, _, rest = str(name).partition("_")
        partner = {"right": f"left_{rest}", "left": f"right_{rest}"}.get(side, name)
        turned_round = name in ("pelvis_rotation", "pelvis_obliquity", "trunk_bending", "trunk_rotation")
        assert other[partner].to_numpy() == pytest.approx((-1 if turned_round else 1) * one[name].to_numpy(), abs=1e-6)


def test_hinge_knees_are_recovered(tmp_path: Path) -> None:
    """A knee that only flexes is recovered by a skeleton with hinge knees and its constant other angles."""
    truth = without_trunk(walking(knee_hinge=True))
    found = angles_of(truth.save(tmp_path / "walk.trc"), None, "joints", knee="hinge")
    for name, values in truth.angles.items():
        if "ankle" not in name and "trunk" not in name:
            assert found[name].to_numpy() == pytest.approx(values, abs=1e-6), name


def test_conventional_marker_set_gives_the_sagittal_angles(tmp_path: Path) -> None:
    """Plug-in names, no inner markers: knee and ankle centres follow from the height, flexion is within 2 degrees."""
    truth = plug_in(walking())
    path, static = truth.save(tmp_path / "walk.trc"), plug_in(standing()).save(tmp_path / "static.trc")
    trial, standing_still = gw.gait.load(path), gw.gait.load(static)
    assert "no right_knee_medial" in " ".join(gw.gait.skeleton_of(trial, SUBJECT, standing_still).notes)
    for method in METHODS:
        found = angles_of(path, static, method)
        for name, values in truth.angles.items():
            error = np.degrees(found[name].to_numpy() - values)
            if "flexion" in name or "pelvis" in name:
                assert np.abs(error).max() < 2.0, name
            assert np.std(error) < 3.0, name


def test_sacrum_replaces_both_psis(tmp_path: Path) -> None:
    def one_behind(person: Person) -> Person:
        kept = {label: at for label, at in person.markers.items() if "PSIS" not in label}
        behind = 0.5 * (person.markers["R.PSIS"] + person.markers["L.PSIS"])
        return replace(person, markers={**kept, "V.Sacral": behind})

    truth = one_behind(walking())
    path, static = truth.save(tmp_path / "walk.trc"), one_behind(standing()).save(tmp_path / "static.trc")
    for method in METHODS:
        found = angles_of(path, static, method)
        for name, values in truth.angles.items():
            assert found[name].to_numpy() == pytest.approx(values, abs=1e-6), name


def test_joint_markers_only_in_the_static_trial(tmp_path: Path) -> None:
    """Names of OpenSim's example: in the walk thigh, shank and foot have only clusters; one sacrum, shoulders and sternum."""
    clusters = {
        "thigh": {"Thigh.Upper": (0.02, -0.15, 0.08), "Thigh.Front": (0.08, -0.2, 0.02), "Thigh.Rear": (-0.02, -0.28, 0.07)},
        "shank": {"Shank.Upper": (0.01, -0.1, 0.06), "Shank.Front": (0.05, -0.15, 0.0), "Shank.Rear": (-0.02, -0.22, 0.05)},
        "foot": {"Midfoot.Sup": (0.06, 0.0, 0.0), "Midfoot.Lat": (0.05, -0.04, 0.05), "Toe.Tip": (0.19, -0.05, 0.0)},
    }  # fmt: skip
    only = {
        "Knee": "Knee.Lat",
        "Knee.Medial": "Knee.Med",
        "Ankle": "Ankle.Lat",
        "Ankle.Medial": "Ankle.Med",
        "MT1": "Toe.Med",
    }
    only["MT5"] = "Toe.Lat"

    def dressed(person: Person, still: bool) -> Person:
        markers = {f"{s}.{k}": person.markers[f"{s}.{k}"] for s in "RL" for k in ("ASIS", "Heel")}
        markers["V.Sacral"] = 0.5 * (person.markers["R.PSIS"] + person.markers["L.PSIS"])
        for side, sign in (("right", 1.0), ("left", -1.0)):
            letter = side[0].upper()
            for kind, places in clusters.items():
                origin, rotation = person.origins[f"{side}_{kind}"], person.rotations[f"{side}_{kind}"]
                markers |= {f"{letter}.{k}": origin + rotation @ [x, y, sign * z] for k, (x, y, z) in places.items()}
            if still:
                markers |= {f"{letter}.{new}": person.markers[f"{letter}.{old}"] for old, new in only.items()}
        return replace(person, markers=markers)

    truth = dressed(walking(), False)
    path, static = truth.save(tmp_path / "walk.trc"), dressed(standing(), True).save(tmp_path / "static.trc")
    with pytest.raises(ModelError, match=r"has no markers of the thighs; it has R\.ASIS.*right_knee.*--static"):
        angles_of(path, None, "joints")
    for method in METHODS:
        found = angles_of(path, static, method)
        for name, values in truth.angles.items():
            if "trunk" not in name:
                assert found[name].to_numpy() == pytest.approx(values, abs=1e-6), name


def test_trunk_from_shoulder_markers(tmp_path: Path) -> None:
    """Two shoulders and the navel: upright as in the static trial, and the rotation follows the trunk."""

    def with_shoulders(person: Person) -> Person:
        legs = without_trunk(person)
        origin, rotation = person.origins["trunk"], person.rotations["trunk"]
        two = {f"{s}.Shoulder": origin + rotation @ [0.0, 0.4, z] for s, z in (("R", 0.2), ("L", -0.2))}
        return replace(legs, markers={**legs.markers, **two})

    truth = with_shoulders(walking())
    path, static = truth.save(tmp_path / "walk.trc"), with_shoulders(standing()).save(tmp_path / "static.trc")
    for method in METHODS:
        found = angles_of(path, static, method)
        for name in ("trunk_flexion", "trunk_bending", "trunk_rotation"):
            assert found[name].to_numpy() == pytest.approx(truth.angles[name], abs=1e-6), name
