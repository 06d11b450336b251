"""Persons on stationary feet: minimum-jerk moves, connected limbs, and balancing ankles."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.gait.schematic_motion import build_motion
from gaitwright.gait.stationary_feet import SagittalAngles, StationaryFeetModel, TrunkCarriedMass, minimum_jerk_path

SUBJECT = gw.gait.Subject(73.0, 1.741, "male")


def test_minimum_jerk_move() -> None:
    """At rest at both ends, half way at half time, with the largest speed there: 15/8 of the mean (Flash and Hogan)."""
    t = np.linspace(0, 3, 30001)
    found = minimum_jerk_path(t, [[1.0, 2.0, 4.0]], first=1.0)
    speed = np.gradient(found, t)
    assert found[[0, 15000, 30000]] == pytest.approx([1.0, 3.0, 5.0])
    assert speed.max() == pytest.approx(4.0 * 15 / 8, rel=1e-6)
    assert np.abs(speed[[9990, 20010]]).max() < 1e-9


def bent(count: int = 9) -> SagittalAngles:
    part = np.linspace(0, 1, count)
    return SagittalAngles(0.3 * part, 1.8 * part, 1.9 * part, 0.5 * part)


def test_limbs_are_connected_at_the_joints() -> None:
    body = StationaryFeetModel(SUBJECT)
    motion = build_motion(body.skeleton, np.arange(9) / 100, 100.0, body.poses(bent()))
    for name, joint in body.skeleton.joints.items():
        below = motion.place(joint.child, body.skeleton.segments[joint.child].joints[name])
        assert motion.joint_centre(name) == pytest.approx(below, abs=1e-12)
    angles = gw.gait.joint_angles(motion)
    for name, told in (
        ("ankle_dorsiflexion", bent().ankle),
        ("knee_flexion", bent().knee),
        ("hip_flexion", bent().hip),
    ):
        assert angles[f"left_{name}"].to_numpy() == pytest.approx(told, abs=1e-12)
    assert angles["trunk_flexion"].to_numpy() == pytest.approx(bent().trunk, abs=1e-12)
    assert motion.turned("right_foot")[:, 2, 0] == pytest.approx(np.zeros(9), abs=1e-15)


def test_ankles_balance_the_body_and_the_load() -> None:
    """Body and load together have their centre of mass at the required position."""
    body, angles = StationaryFeetModel(SUBJECT), bent()
    burden = TrunkCarriedMass(np.linspace(0, 20, 9), np.array([0.1, 0.3, 0.0]), np.tile([0.15, 0.0, -0.4], (9, 1)))
    balanced = body.balanced(angles, 0.04, [burden])
    motion = build_motion(body.skeleton, np.arange(9) / 100, 100.0, body.poses(balanced))
    place = motion.place("trunk", burden.local) + burden.reach
    first = SUBJECT.mass * motion.centre_of_mass().to_numpy()[:, 0] + burden.mass * place[:, 0]
    assert first / (SUBJECT.mass + burden.mass) == pytest.approx(np.full(9, 0.04), abs=1e-12)
    assert balanced.knee is angles.knee
