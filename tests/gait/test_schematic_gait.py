"""Schematic walk: on the ground, within usual values, forces consistent with the motion; and recovered from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.generic_skeleton import BALL_OFFSET_PER_FOOT_LENGTH, HEEL_OFFSET_PER_FOOT_LENGTH
from gaitwright.gait.normative_data import normative_band
from gaitwright.gait.schematic_gait import SCHEMATIC_STRIDE_SECONDS, SchematicWalk
from gaitwright.gait.subject import ANKLE_HEIGHT_PER_BODY_HEIGHT

PEOPLE = {
    "man": gw.gait.Subject(73.0, 1.741, "male"),
    "small woman": gw.gait.Subject(52.0, 1.55, "female"),
    "someone": gw.gait.Subject(90.0, 1.9, table="winter"),
}


@pytest.fixture(scope="module")
def walks() -> dict[str, SchematicWalk]:
    return {name: gw.gait.schematic_walk(person, 3.3) for name, person in PEOPLE.items()}


def of_a_stride(values: np.ndarray, side: str = "right") -> np.ndarray:
    """The second stride of a side, from strike to strike."""
    first = 110 if side == "right" else 165
    return values[first : first + 111]


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("side", ["right", "left"])
def test_standing_feet_stay_in_place(walks: dict[str, SchematicWalk], name: str, side: str) -> None:
    motion = walks[name].motion
    foot, height = motion.skeleton.segments[f"{side}_foot"], PEOPLE[name].height
    phase = np.linspace(0, 1, 111)
    for ahead, begin, end in ((HEEL_OFFSET_PER_FOOT_LENGTH, 0.0, 0.36), (BALL_OFFSET_PER_FOOT_LENGTH, 0.08, 0.58)):
        place = of_a_stride(
            motion.place(f"{side}_foot", np.array([ahead * foot.length, -ANKLE_HEIGHT_PER_BODY_HEIGHT * height, 0.0])),
            side,
        )
        still = place[(phase >= begin) & (phase <= end)]
        assert np.ptp(still, axis=0).max() < 4e-3
        assert np.abs(still[:, 2]).max() < 4e-3
        assert place[:, 2].min() > -1e-3


CURVES = ("hip_flexion", "hip_adduction", "knee_flexion", "ankle_dorsiflexion", "ankle_moment", "force_up")
BESIDE = {"ankle_moment": 0.25, "force_up": 0.2}
"""Largest allowed distance of a curve from its band, in its unit."""


@pytest.mark.parametrize("curve", CURVES)
def test_curves_lie_in_the_normative_bands(walks: dict[str, SchematicWalk], curve: str) -> None:
    walk = walks["man"]
    usual = normative_band(curve)
    assert usual is not None
    if curve == "force_up":
        values = walk.forces.force[:, 0, 2] / (73 * 9.81)
    elif curve.endswith("moment"):
        values = gw.gait.joint_moments(walk.motion, walk.forces)[f"right_{curve}"].to_numpy()
    else:
        values = np.degrees(gw.gait.joint_angles(walk.motion)[f"right_{curve}"].to_numpy())
        values = values + (10 if curve == "hip_flexion" else 0)  # offset of the pelvis tilt, which is zero here
    percent = np.linspace(0, 100, 111)
    low, high = (np.interp(percent, usual.percent, one) for one in (usual.low, usual.high))
    found = of_a_stride(values)
    assert np.maximum(low - found, found - high).max() < BESIDE.get(curve, 0.0)


@pytest.mark.parametrize("name", PEOPLE)
def test_forces_are_consistent_with_the_motion(walks: dict[str, SchematicWalk], name: str) -> None:
    """No residual force or moment; the weight on average; one foot or both; the force under the foot, within friction."""
    walk, weight = walks[name], PEOPLE[name].mass * 9.81
    moments = gw.gait.joint_moments(walk.motion, walk.forces)
    assert np.abs(moments["residual_force"]).max() < 1e-9
    assert np.abs(moments["residual_moment"]).max() < 1e-9
    force = walk.forces.force[110:220]
    assert force[:, :, 2].sum(axis=1).mean() == pytest.approx(weight, rel=1e-3)
    assert (force[:, :, 2] >= 0).all()
    assert (force[:, 0, 2] == 0).any() and (force[:, 1, 2] == 0).any()
    loaded = force[..., 2] > 0.2 * weight
    assert (np.linalg.norm(force[..., :2], axis=-1)[loaded] < 0.5 * force[..., 2][loaded]).all()
    for k, side in enumerate(("right", "left")):
        carried = walk.forces.force[:, k, 2] > 0.3 * weight
        foot = walk.motion.skeleton.segments[f"{side}_foot"]
        ankle = walk.motion.origin(f"{side}_foot")[:, :2]
        ahead = (walk.forces.centre()[:, k, :2] - ankle)[carried]
        assert np.linalg.norm(ahead, axis=1).max() < foot.length


def test_left_is_right_half_a_stride_later(walks: dict[str, SchematicWalk]) -> None:
    angles = gw.gait.joint_angles(walks["man"].motion)
    for name in ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion"):
        right, left = (angles[f"{side}_{name}"].to_numpy() for side in ("right", "left"))
        assert left[:110] == pytest.approx(right[55:165], abs=1e-9)


def test_synthetic_trial_recovers_the_motion(tmp_path: Path) -> None:
    """From files, by inverse kinematics and dynamics; the weight, strikes and offs by plates."""
    subject = PEOPLE["man"]
    walk = gw.gait.schematic_walk(subject, 3.3)
    path = walk.trial().save(tmp_path / "walk.c3d")
    trial = gw.gait.load(path)
    assert not [finding for finding in gw.gait.findings(trial, mass=subject.mass) if finding.how_bad == "wrong"]
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, subject), cutoff=None)
    there, here = (gw.gait.joint_angles(one) for one in (walk.motion, motion))
    for name in here:
        assert here[name].to_numpy() == pytest.approx(
            there[name].to_numpy(), abs=1e-3
        )  # a foot is level to a millimetre
    strikes = [event.time for event in gw.gait.find_events(trial) if (event.side, event.kind) == ("left", "strike")]
    assert strikes[0] == pytest.approx(0.5 * SCHEMATIC_STRIDE_SECONDS, abs=0.02)
    forces = gw.gait.ground_forces_from_plates(trial, cutoff=None)
    found, expected = (gw.gait.joint_moments(one, by) for one, by in ((motion, forces), (walk.motion, walk.forces)))
    middle = slice(30, -30)
    for joint in ("hip", "knee", "ankle"):
        one, other = (values[f"right_{joint}_moment"].to_numpy()[middle] for values in (found, expected))
        assert one == pytest.approx(other, abs=0.02)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": 0.01}, "too short"),
        ({"rate": -1.0}, "rate"),
        ({"stride": 0.0}, "stride"),
    ],
)
def test_invalid_arguments_are_refused(options: dict[str, float], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gw.gait.schematic_walk(PEOPLE["man"], **options)


def test_phases_are_stances(walks: dict[str, SchematicWalk]) -> None:
    """While a foot is loaded, it is in one of its stances."""
    walk = walks["man"]
    for k, side in enumerate(("right", "left")):
        own = [limits for name, limits in walk.phases.items() if name.startswith(side)]
        inside = np.any([(walk.motion.times >= a - 1e-9) & (walk.motion.times <= b + 1e-9) for a, b in own], axis=0)
        assert inside[:-1][walk.forces.force[:-1, k, 2] > 1.0].all()  # a strike in the last frame starts no stance
        assert sum(b - a for a, b in own) == pytest.approx(0.62 * 3.3, abs=1e-9)


def test_strides_and_sides_are_equal() -> None:
    """Frames coincide with strikes (a stride is 110 frames): each foot has the same load in every stride, and the other
    foot half a stride later, to the rounding of the derivatives."""
    force = gw.gait.schematic_walk(gw.gait.Subject(85.0, 1.92), 4.0).forces.force
    middle = force[20:-20]  # the ends of a spline are less accurate
    assert np.abs(middle[110:] - middle[:-110]).max() < 1e-6 * 85.0 * 9.81
    mirrored = force[75:-20, ::-1] * [1.0, -1.0, 1.0]
    assert np.abs(mirrored - force[20:-75]).max() < 1e-6 * 85.0 * 9.81


def test_repr_is_one_line(walks: dict[str, SchematicWalk]) -> None:
    assert len(repr(walks["man"])) < 150 and "SCHEMATIC" in repr(walks["man"])
    assert len(repr(walks["man"].motion)) < 150 and "kg" in repr(walks["man"].motion)
