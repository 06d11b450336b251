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


@pytest.mark.parametrize(
    ("gone", "says"),
    [
        (["R.ASIS"], r"no markers of the pelvis.*right_asis.*RASI"),
        (
            ["L.Knee"],
            r"left thigh.*left_knee is usually called L\.Knee, LLE, L\.Knee\.Lat, LKNE; .*'left_knee': label}\)$",
        ),
        (["R.Heel"], r"no markers of the right foot.*right_heel and right_mt2"),
        (["L.Ankle", "L.Ankle.Medial"], "no markers of the left shank"),
    ],
)
def test_missing_segment_is_named(gone: list[str], says: str, tmp_path: Path) -> None:
    person = walking()
    person = replace(person, markers={label: at for label, at in person.markers.items() if label not in gone})
    with pytest.raises(ModelError, match=says):
        gw.gait.skeleton_of(loaded(person, tmp_path), SUBJECT)


def test_similar_label_is_suggested(tmp_path: Path) -> None:
    person = walking()
    person = replace(
        person, markers={{"R.Heel": "R.Heal"}.get(label, label): at for label, at in person.markers.items()}
    )
    with pytest.raises(ModelError, match=r"no markers of the right foot.*did you mean 'R\.Heal'"):
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
