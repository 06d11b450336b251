"""Sole as springs: exact derivatives, agreement with the engine's foundation, and the closed form of a block."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from foot_blocks import AREA, HEIGHT, MODULUS, block
from gaitwright.foot.sole_springs import POSE_COORDINATES, BristleState, SolePose, make_sole_springs
from gaitwright.foot.step_balance import FootTrack, _Frame, balance_step
from gaitwright.geometry.rotation import matrix_from_vector

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
SPRINGS = make_sole_springs(FOOT, 0.6, FOOT.ankle)


def test_derivatives_equal_finite_differences() -> None:
    """Forces, moments and hinge residuals, with facets that stick, slide and touch down, at finite corrections."""
    rotation, ankle = matrix_from_vector(np.array([0.02, -0.03, 0.1])), FOOT.ankle + np.array([0.0, 0.0, -0.004])
    start = SolePose(ankle, rotation, np.array([0.02, -0.01, -0.1]))
    before = SPRINGS.forces(start, SPRINGS.unloaded(), np.eye(2, 3), ankle)
    frame = _Frame(SPRINGS, ankle, rotation, BristleState(before.places, before.stretch), np.zeros(5), np.inf)
    values = np.array([3e-4, -2e-4, -1e-3, 0.04, 0.06, 0.03, -0.01, -0.09])

    def numbers(at: np.ndarray) -> np.ndarray:
        one = frame.forces(at)
        return np.concatenate([one.force, one.moment, one.hinge_moments])

    found = frame.forces(values)
    slides = np.isclose(np.linalg.norm(found.shear, axis=1), 0.6 * found.normal) & (found.normal > 0.0)
    assert slides.any() and not slides[found.normal > 0.0].all()
    slopes = np.concatenate([found.force_slope, found.moment_slope, found.hinge_slope])
    for k in range(len(values)):
        step = np.zeros(len(values))
        step[k] = 1e-7
        difference = (numbers(values + step) - numbers(values - step)) / 2e-7
        assert slopes[:, k] == pytest.approx(difference, rel=1e-5, abs=1e-5 * np.abs(difference).max())


def test_forces_equal_those_of_the_engine() -> None:
    """A prescribed step with friction memory and hinges, as a mechanism with a foundation and as springs."""
    time = np.linspace(0.0, 0.3, 13)
    pitch = np.radians(np.linspace(8.0, -25.0, len(time)))
    heights = FOOT.ankle[2] - 0.004 + 0.05 * np.maximum(-pitch, 0.0)
    motion = gw.foot.AnkleMotion(time, pitch, 0.06 + 0.02 * time, 0.002, heights, 0.02, 0.1)
    rolled = FOOT.roll(motion, len(time), load=None, speed="foundation")
    yaw, about_y, roll = motion.angles
    rotation = np.array(
        [
            matrix_from_vector(np.array([0.0, 0.0, a])) @ matrix_from_vector(np.array([0.0, b, 0.0]))
            @ matrix_from_vector(np.array([c, 0.0, 0.0]))
            for a, b, c in zip(yaw, about_y, roll, strict=True)
        ]
    )  # fmt: skip
    ankle = np.stack([motion.x, motion.y, motion.z], axis=1)  # type: ignore[list-item]
    balance = balance_step(SPRINGS, FootTrack(time, ankle, rotation), None)
    assert rolled.force[:, 2].max() > 300.0
    assert balance.load.force == pytest.approx(rolled.force, abs=0.05)
    loaded = rolled.force[:, 2] > 50.0
    assert balance.load.centre[loaded] == pytest.approx(rolled.centre_of_pressure[loaded], abs=2e-5)
    assert balance.load.free_moment[loaded] == pytest.approx(rolled.pressure.free_moment[loaded], abs=0.02)
    assert balance.angles[:, 2] == pytest.approx(rolled.angles["toe"], abs=1e-4)


def test_block_without_hinges_is_one_spring() -> None:
    springs = make_sole_springs(block(), 0.0, np.array([0.1, 0.0, 0.05]))
    pose = SolePose(springs.ankle - [0.0, 0.0, 1e-3], np.eye(3), np.zeros(0))
    found = springs.forces(pose, springs.unloaded(), np.eye(2, 3), springs.ankle)
    assert found.force[2] == pytest.approx(MODULUS * AREA / HEIGHT * 1e-3, rel=1e-9)
    assert found.force_slope[2, 2] == pytest.approx(-MODULUS * AREA / HEIGHT, rel=1e-9)
    assert found.centre == pytest.approx([0.13, 0.0], abs=1e-9) and found.force_slope.shape == (3, POSE_COORDINATES)
    balance = balance_step(springs, FootTrack(np.zeros(1), pose.ankle[None], np.eye(3)[None]), None)
    assert balance.stiffness[0, 0] == pytest.approx(MODULUS * AREA / HEIGHT, rel=1e-9)
