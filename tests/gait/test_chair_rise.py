"""Schematic rising from a chair: on still feet, off the seat by its own momentum, within published values."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.chair_rise import SitToStand
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2, segment_motions
from gaitwright.gait.schematic_motion import SchematicMotion

PEOPLE = {
    "man": gw.gait.Subject(73.0, 1.741, "male"),
    "small woman": gw.gait.Subject(52.0, 1.55, "female"),
    "someone": gw.gait.Subject(90.0, 1.9, table="winter"),
}
JOINTS = [*(f"{side}_{joint}" for side in ("right", "left") for joint in ("hip", "knee", "ankle")), "lumbar"]


@pytest.fixture(scope="module")
def rises() -> dict[str, SitToStand]:
    return {name: gw.gait.sit_to_stand(person) for name, person in PEOPLE.items()}


def on_still_feet(made: SchematicMotion) -> None:
    """Feet flat and still; knees not hyperextended; the ground force below the soles, within friction; no residual."""
    motion, subject = made.motion, made.motion.skeleton.subject
    foot = motion.skeleton.segments["right_foot"].length
    for side in ("right", "left"):
        assert np.ptp(motion.origin(f"{side}_foot"), axis=0).max() == 0.0
        assert np.abs(motion.turned(f"{side}_foot")[:, 2, 0]).max() < 1e-15
        assert gw.gait.joint_angles(motion)[f"{side}_knee_flexion"].min() > -1e-9
    ahead = made.forces.centre()[..., 0]
    assert np.nanmin(ahead) > -0.25 * foot and np.nanmax(ahead) < 0.75 * foot
    assert made.forces.force[:, 0] == pytest.approx(made.forces.force[:, 1], abs=1e-9)
    level = np.linalg.norm(made.forces.force[..., :2], axis=-1)
    assert (level < 0.4 * made.forces.force[..., 2] + 1e-9).all()
    moments = made.moments()
    assert np.abs(moments["residual_force"]).max() < 1e-9
    assert np.abs(moments["residual_moment"]).max() < 1e-9
    assert made.forces.force[-1, :, 2].sum() >= (1 - 1e-3) * subject.mass * GRAVITY_M_PER_S2
    limits = list(made.phases.values())
    assert limits[0][0] == 0.0 and limits[-1][1] == motion.times[-1]
    assert all(one[1] == pytest.approx(after[0]) for one, after in pairwise(limits))


def work_is_height(made: SchematicMotion, rel: float) -> None:
    """From rest to rest, the work of joints and loads equals the rise of the centre of mass; the ground does no work."""
    motion, mass = made.motion, made.motion.skeleton.subject.mass
    moments, segments = made.moments(), segment_motions(made.motion)
    power = mass * sum(moments[f"{name}_power"].to_numpy() for name in JOINTS)
    for name, load in made.loads.items():
        speed = motion.velocity.sel(segment=name).to_numpy()
        power += np.einsum("ti,ti->t", load.force, speed)
        power += np.einsum("ti,ti->t", load.about(motion.origin(name)), segments[name].spin)
    height = motion.centre_of_mass().to_numpy()[:, 2]
    risen = mass * GRAVITY_M_PER_S2 * (height[-1] - height[0])
    assert np.trapezoid(power, motion.times) == pytest.approx(risen, abs=rel * mass * GRAVITY_M_PER_S2 * np.ptp(height))


@pytest.mark.parametrize("name", PEOPLE)
def test_feet_stay_and_forces_are_consistent_with_the_motion(rises: dict[str, SitToStand], name: str) -> None:
    on_still_feet(rises[name])
    work_is_height(rises[name], 1e-3)


@pytest.mark.parametrize("name", PEOPLE)
def test_seat_pushes_until_seat_off(rises: dict[str, SitToStand], name: str) -> None:
    """Upwards, at its height, most of the weight at first, and zero when the hips have risen by a centimetre."""
    rise = rises[name]
    seat, weight = rise.loads["pelvis"], PEOPLE[name].mass * GRAVITY_M_PER_S2
    times, hips = rise.motion.times, rise.motion.origin("pelvis")
    sitting = times < rise.seat_off
    assert (seat.force[sitting, 2] > 0).all() and np.abs(seat.force[~sitting]).max() == 0.0
    assert 0.55 < seat.force[0, 2] / weight < 0.85
    assert seat.force[sitting, 2][-1] < 0.1 * weight
    assert hips[np.searchsorted(times, rise.seat_off), 2] - hips[0, 2] < 0.012
    assert hips[-1, 2] - hips[0, 2] > 0.2 * PEOPLE[name].height
    start, end = rise.phases["flexion"][0], rise.phases["extension"][1]
    assert (rise.seat_off - start) / (end - start) == pytest.approx(0.36, abs=0.02)


@pytest.mark.parametrize("name", PEOPLE)
def test_moments_are_within_published_values(rises: dict[str, SitToStand], name: str) -> None:
    """Per leg at least 0.7 (hip) and 0.9 N m/kg (knee) are needed (Kotake et al. 1993), and at most 1.92 and 1.97
    (Yoshioka et al., Biomed. Eng. Online 6 (2007) 26), both from the abstracts; the trunk leans by 40 to 60 degrees."""
    rise, moments = rises[name], rises[name].moments()
    assert 0.7 < float(moments["right_hip_moment"].max()) < 1.92
    assert 0.9 < float(moments["right_knee_moment"].max()) < 1.97
    lean = np.degrees(np.arccos(rise.motion.turned("trunk")[:, 2, 1]))
    assert 40 < lean.max() < 60
    peak = rise.motion.times[np.argmax(moments["right_knee_moment"].to_numpy())]
    assert abs(peak - rise.seat_off) < 0.15, "knees are loaded most when the seat is left"


def test_slower_rising_draws_the_feet_back() -> None:
    angles = [
        float(gw.gait.joint_angles(gw.gait.sit_to_stand(PEOPLE["man"], seconds).motion)["right_knee_flexion"][0])
        for seconds in (1.7, 3.0)
    ]
    assert angles[1] > angles[0] + np.radians(3)


@pytest.mark.parametrize(("seconds", "words"), [(0.0, "seconds"), (0.8, "seconds.*1.5 to 3 s"), (np.nan, "seconds")])
def test_invalid_duration_is_refused(seconds: float, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gw.gait.sit_to_stand(PEOPLE["man"], seconds)
