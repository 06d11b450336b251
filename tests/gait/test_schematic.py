"""A walk that is nobody's: on the ground, within what is usual, forces that belong to the motion; and read back from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.errors import ModelError
from gaitwright.gait.drawn_skeleton import BALL, HEEL
from gaitwright.gait.normal import band
from gaitwright.gait.schematic import STRIDE, SchematicWalk
from gaitwright.gait.subject import ANKLE_HEIGHT

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
def test_standing_feet_stay_where_they_are(walks: dict[str, SchematicWalk], name: str, side: str) -> None:
    motion = walks[name].motion
    foot, height = motion.skeleton.segments[f"{side}_foot"], PEOPLE[name].height
    phase = np.linspace(0, 1, 111)
    for ahead, begin, end in ((HEEL, 0.0, 0.36), (BALL, 0.08, 0.58)):
        place = of_a_stride(
            motion.place(f"{side}_foot", np.array([ahead * foot.length, -ANKLE_HEIGHT * height, 0.0])), side
        )
        still = place[(phase >= begin) & (phase <= end)]
        assert np.ptp(still, axis=0).max() < 4e-3
        assert np.abs(still[:, 2]).max() < 4e-3
        assert place[:, 2].min() > -1e-3


CURVES = ("hip_flexion", "hip_adduction", "knee_flexion", "ankle_dorsiflexion", "ankle_moment", "force_up")
BESIDE = {"ankle_moment": 0.25, "force_up": 0.2}
"""How far beside the band a curve may be somewhere, in its unit."""


@pytest.mark.parametrize("curve", CURVES)
def test_curves_lie_in_what_is_usual(walks: dict[str, SchematicWalk], curve: str) -> None:
    walk = walks["man"]
    usual = band(curve)
    assert usual is not None
    if curve == "force_up":
        values = walk.forces.force[:, 0, 2] / (73 * 9.81)
    elif curve.endswith("moment"):
        values = gw.gait.joint_moments(walk.motion, walk.forces)[f"right_{curve}"].to_numpy()
    else:
        values = np.degrees(gw.gait.joint_angles(walk.motion)[f"right_{curve}"].to_numpy())
        values = values + (10 if curve == "hip_flexion" else 0)  # of the pelvis, which is upright here
    percent = np.linspace(0, 100, 111)
    low, high = (np.interp(percent, usual.percent, one) for one in (usual.low, usual.high))
    found = of_a_stride(values)
    assert np.maximum(low - found, found - high).max() < BESIDE.get(curve, 0.0)


@pytest.mark.parametrize("name", PEOPLE)
def test_forces_belong_to_the_motion(walks: dict[str, SchematicWalk], name: str) -> None:
    """All of it: no residual force or moment; the weight on average; one foot or both; under the foot; friction enough."""
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


def test_a_trial_of_it_gives_it_back(tmp_path: Path) -> None:
    """As files, by inverse kinematics and dynamics; the weight, strikes and offs by plates."""
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
        )  # a foot lies level to a millimetre
    strikes = [event.time for event in gw.gait.find_events(trial) if (event.side, event.kind) == ("left", "strike")]
    assert strikes[0] == pytest.approx(0.5 * STRIDE, abs=0.02)
    forces = gw.gait.measured(trial, cutoff=None)
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
def test_bad_input(options: dict[str, float], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gw.gait.schematic_walk(PEOPLE["man"], **options)


def test_phases_are_stances(walks: dict[str, SchematicWalk]) -> None:
    """Where a foot carries, it is in one of its stances."""
    walk = walks["man"]
    for k, side in enumerate(("right", "left")):
        own = [limits for name, limits in walk.phases.items() if name.startswith(side)]
        inside = np.any([(walk.motion.times >= a - 1e-9) & (walk.motion.times <= b + 1e-9) for a, b in own], axis=0)
        assert inside[:-1][walk.forces.force[:-1, k, 2] > 1.0].all()  # a strike with the last frame begins no stance
        assert sum(b - a for a, b in own) == pytest.approx(0.62 * 3.3, abs=1e-9)


def test_strides_and_sides_are_alike() -> None:
    """Frames fall on strikes (a stride is 110 frames): each foot carries in every stride what it did before, and the other half
    a stride later, to the rounding of the derivatives."""
    force = gw.gait.schematic_walk(gw.gait.Subject(85.0, 1.92), 4.0).forces.force
    middle = force[20:-20]  # the ends of a spline are worse
    assert np.abs(middle[110:] - middle[:-110]).max() < 1e-6 * 85.0 * 9.81
    mirrored = force[75:-20, ::-1] * [1.0, -1.0, 1.0]
    assert np.abs(mirrored - force[20:-75]).max() < 1e-6 * 85.0 * 9.81


def test_it_is_printed_in_a_line(walks: dict[str, SchematicWalk]) -> None:
    assert len(repr(walks["man"])) < 150 and "SCHEMATIC" in repr(walks["man"])
    assert len(repr(walks["man"].motion)) < 150 and "kg" in repr(walks["man"].motion)
