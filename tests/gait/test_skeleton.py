"""Skeletons: known sizes and positions are recovered; missing or wrong markers are reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.person import HIP, NAVEL, OUTWARDS, SHANK, THIGH, TILT, Person, standing, walking, without_trunk
from gaitwright._core.errors import ModelError
from gaitwright.gait.hip_centres import HIP_CENTRE_REGRESSIONS

SUBJECT = gw.gait.Subject(73.0, 1.741, "male")
SEGMENTS = ["pelvis", *(f"{side}_{kind}" for side in ("right", "left") for kind in ("thigh", "shank", "foot")), "trunk"]


def loaded(person: Person, folder: Path, name: str = "walk") -> gw.gait.GaitTrial:
    return gw.gait.load(person.save(folder / f"{name}.trc"))


def test_known_sizes_and_positions_are_recovered(tmp_path: Path) -> None:
    found = gw.gait.skeleton_of(loaded(walking(), tmp_path), SUBJECT, loaded(standing(), tmp_path, "static"))
    assert list(found.segments) == SEGMENTS and not found.carried
    assert found.mass == pytest.approx(73.0, rel=1e-3)
    for side, sign in (("right", 1), ("left", -1)):
        assert found.segments[f"{side}_thigh"].length == pytest.approx(THIGH, abs=1e-7)
        assert found.segments[f"{side}_shank"].length == pytest.approx(SHANK, abs=1e-7)
        assert found.segments["pelvis"].joints[f"{side}_hip"] == pytest.approx([0, 0, sign * HIP[2]], abs=1e-7)
        for kind, places in OUTWARDS.items():
            name = kind if kind == "pelvis" else f"{side}_{kind}"
            for label, (x, y, z) in places.items():
                local = found.segments[name].markers[f"{side[0].upper()}.{label}"]
                assert local == pytest.approx([x, y, sign * z], abs=1e-7), label
    navel = NAVEL * np.array([-np.sin(TILT), np.cos(TILT), 0])
    assert found.segments["pelvis"].joints["lumbar"] == pytest.approx(navel, abs=1e-7)


def test_hip_regressions_equal_the_published_ones() -> None:
    """Hand calculation from the papers, for a pelvis 0.25 m wide and 0.15 m deep."""
    assert HIP_CENTRE_REGRESSIONS["harrington"].offset(0.25, 0.15) == pytest.approx([-0.0459, -0.0859, 0.0898])
    assert HIP_CENTRE_REGRESSIONS["bell"].offset(0.25, 0.15) == pytest.approx([-0.0475, -0.075, 0.09])


@pytest.mark.parametrize("method", ["joints", "segments"])
def test_trunk_without_markers_is_carried_upright(method: str, tmp_path: Path) -> None:
    trial = loaded(without_trunk(walking()), tmp_path)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT)
    assert skeleton.carried and "carried by the pelvis, upright" in " ".join(skeleton.notes)
    assert skeleton.mass == pytest.approx(73.0, rel=1e-3) and list(skeleton.segments) == SEGMENTS
    for cutoff in (None, 6.0):
        motion = gw.gait.follow(trial, skeleton, method, cutoff=cutoff)
        above = motion.centres.sel(segment="trunk").to_numpy() - motion.origin("trunk")
        assert above[:, :2] == pytest.approx(0, abs=1e-9) and 0.2 < above[0, 2] < 0.35
        assert motion.origin("trunk") == pytest.approx(motion.joint_centre("lumbar"), abs=0.03)
        assert not [name for name in gw.gait.joint_angles(motion) if "trunk" in str(name)]
        assert np.isfinite(motion.centre_of_mass()).all()


@pytest.mark.parametrize("kind", ["spherical", "hinge"])
def test_model_of_a_skeleton_is_assembled(kind: str, tmp_path: Path) -> None:
    """Drawn upright and in a pose of a walk: the solver finds its joints closed, and the expected degrees of freedom."""
    trial = loaded(walking(), tmp_path)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, knee=kind, ankle=kind)
    model = skeleton.model()
    assert sum(one["mass"] for one in model.to_dict()["bodies"]) == pytest.approx(skeleton.mass)
    assert model.check().degrees_of_freedom == (27 if kind == "spherical" else 19)
    motion = gw.gait.follow(trial, skeleton, cutoff=None)
    for drawn in (model, skeleton.model(poses=motion.poses(70))):
        assert drawn.assemble().drawn_gap < 1e-9


def angles_without(gone: tuple[str, ...], folder: Path) -> tuple[gw.gait.HumanSkeleton, dict[str, float]]:
    """Skeleton of the person without some markers, and the largest error by angle, deg."""
    person, still = (
        replace(one, markers={label: at for label, at in one.markers.items() if label not in gone})
        for one in (walking(), standing())
    )
    trial = loaded(person, folder)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, loaded(still, folder, "static"))
    angles = gw.gait.joint_angles(gw.gait.follow(trial, skeleton, cutoff=None))
    off = {name: np.abs(angles[name].to_numpy() - truth) for name, truth in person.angles.items()}
    return skeleton, {name: float(np.degrees(np.max(values))) for name, values in off.items()}


@pytest.mark.parametrize(
    ("gone", "note", "limits"),
    [
        (("R.ASIS",), "no right_asis: it mirrors left_asis", {}),
        (("L.PSIS",), "no left_psis: it mirrors right_psis", {}),
        (("L.Knee",), "the left knee is 65 mm outwards", {"left_hip": 3.0, "left_knee": 12.0, "left_ankle": 12.0}),
        (("R.Heel",), "no right_heel: the right foot points from the ankle", {"right_ankle": 30.0}),
        (("R.MT1", "R.MT2", "R.MT5"), "no right_mt2: the right foot points from the heel", {"right_ankle": 40.0}),
    ],
)  # fmt: skip
def test_missing_landmarks_are_completed(
    gone: tuple[str, ...], note: str, limits: dict[str, float], tmp_path: Path
) -> None:
    """All other angles stay exact: to 0.5 degrees, since the zero of the neighbouring segment may move."""
    skeleton, errors = angles_without(gone, tmp_path)
    assert note in " ".join(skeleton.notes) and not skeleton.missing
    for name, error in errors.items():
        limit = next((limit for start, limit in limits.items() if name.startswith(start)), 0.5)
        assert error < limit, (name, error)


@pytest.mark.parametrize(
    ("gone", "missing"),
    [
        (("L.Knee", "L.Knee.Medial"), {"left_thigh", "left_shank", "left_foot"}),
        (("L.Ankle", "L.Ankle.Medial"), {"left_shank", "left_foot"}),
        (("L.Heel", "L.MT1", "L.MT2", "L.MT5"), {"left_foot"}),
    ],
)
def test_one_leg_gives_one_leg(gone: tuple[str, ...], missing: set[str], tmp_path: Path) -> None:
    skeleton, errors = angles_without(gone, tmp_path)
    assert set(skeleton.missing) == missing and skeleton.mass == pytest.approx(73.0, rel=1e-3)
    below = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
    joints = {f"left_{joint}" for joint, kind in below.items() if f"left_{kind}" in missing}
    for name, error in errors.items():
        if name.rpartition("_")[0] in joints:
            assert np.isnan(error), name
        else:
            assert error < 1e-4, name


def test_exchanged_inner_and_outer_markers_are_put_right(tmp_path: Path) -> None:
    other = {"R.Knee": "R.Knee.Medial", "R.Knee.Medial": "R.Knee"}

    def exchanged(person: Person) -> Person:
        return replace(person, markers={label: person.markers[other.get(label, label)] for label in person.markers})

    trial = loaded(exchanged(walking()), tmp_path)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, loaded(exchanged(standing()), tmp_path, "static"))
    assert skeleton.faults == ["the inner and the outer marker of the right knee have each other's label"]
    angles = gw.gait.joint_angles(gw.gait.follow(trial, skeleton, cutoff=None))
    for name, truth in walking().angles.items():
        assert angles[name].to_numpy() == pytest.approx(truth, abs=1e-6), name


@pytest.mark.parametrize(
    ("gone", "says"),
    [
        (("R.ASIS", "L.ASIS"), r"no markers of the pelvis; it has .*right_asis.*RASI"),
        (
            ("R.Knee", "R.Knee.Medial", "L.Knee", "L.Knee.Medial"),
            r"no markers of the thighs.*right_knee.*--static.*--markers",
        ),
    ],
)
def test_missing_pelvis_or_legs_are_named(gone: tuple[str, ...], says: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=says):
        angles_without(gone, tmp_path)


def test_similar_label_is_suggested(tmp_path: Path) -> None:
    person = walking()
    names = {"R.ASIS": "R.ASIX", "R.PSIS": "R.PSIX"}
    person = replace(person, markers={names.get(label, label): at for label, at in person.markers.items()})
    with pytest.raises(ModelError, match=r"no markers of the pelvis.*did you mean 'R\.ASIX'"):
        gw.gait.skeleton_of(loaded(person, tmp_path), SUBJECT)


def test_static_trial_of_another_person_is_refused(tmp_path: Path) -> None:
    static = standing()
    other = replace(static, markers={label: 0.8 * at for label, at in static.markers.items()})
    with pytest.raises(
        ModelError,
        match=r"static trial 'other': is of someone else than 'walk': the right thigh is 0\.334 m long there",
    ):
        gw.gait.skeleton_of(loaded(walking(), tmp_path), SUBJECT, loaded(other, tmp_path, "other"))


def test_swapped_sides_are_refused(tmp_path: Path) -> None:
    trial = gw.gait.swap_sides(loaded(walking(), tmp_path))
    with pytest.raises(ModelError, match=r"has its right markers on the left.*swap_sides"):
        gw.gait.skeleton_of(trial, SUBJECT)
    assert gw.gait.skeleton_of(gw.gait.swap_sides(trial), SUBJECT)


def test_height_that_does_not_fit_is_noted(tmp_path: Path) -> None:
    small = gw.gait.Subject(40.0, 1.3)
    assert "is the height right?" in " ".join(gw.gait.skeleton_of(loaded(walking(), tmp_path), small).notes)


def test_unknown_choices_are_refused(tmp_path: Path) -> None:
    trial = loaded(walking(), tmp_path)
    with pytest.raises(ModelError, match="did you mean 'bell'"):
        gw.gait.skeleton_of(trial, SUBJECT, hip="bel")
    with pytest.raises(ModelError, match="did you mean 'hinge'"):
        gw.gait.skeleton_of(trial, SUBJECT, knee="hing")
