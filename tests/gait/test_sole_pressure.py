"""Simulated steps of a trial: loading modes, both sides, comparison with the given force, and agreement with plates."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.sole_springs import make_sole_springs
from gaitwright.foot.step_balance import FootTrack, StepLoad
from gaitwright.gait.analysis import LOADING_MODES
from gaitwright.gait.ground_reaction import GroundForces
from gaitwright.gait.inverse_kinematics import follow
from gaitwright.gait.sole_pressure import (
    _check_force_below_foot,
    _load_on_belt,
    _on_belt,
    find_whole_stance,
    simulate_step,
)

WALK = gw.gait.schematic_walk(gw.gait.Subject(73.0, 1.741, "male"), 3.3)
WEIGHT = 73.0 * 9.81
SHAPE = gw.foot.from_measures(length=0.26, side="right")
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))


@pytest.fixture(scope="module")
def steps():
    """Balanced steps of both sides, of a trial whose feet have their own markers."""
    trial = WALK.trial()
    events = gw.gait.find_events(trial)
    motion = follow(trial, WALK.motion.skeleton, "segments", cutoff=12.0)
    results = {}
    for side in ("right", "left"):
        stance = find_whole_stance(events, WALK.forces, side, WEIGHT)
        assert stance is not None and 0.6 < stance[1] - stance[0] < 0.72
        results[side] = simulate_step(FOOT, motion, WALK.forces, side, stance, WEIGHT)
    return results


def test_balanced_foot_carries_the_given_force_at_its_point(steps) -> None:
    for step in steps.values():
        assert step.mode == "balanced"
        assert step.rolled.force[:, 2] == pytest.approx(step.reference.force[:, 2], abs=0.01 * WEIGHT)
        assert step.differences["centre_rms"] < 8e-3, "feet of a schematic walk slip sideways by centimetres"
        assert step.pressure.force.values == pytest.approx(step.rolled.force[:, 2], rel=1e-6)


def test_steps_of_both_sides_are_mirror_images(steps) -> None:
    """The walk is symmetric, and the left foot steps as the mirrored right one; the sides differ by half a frame."""
    right, left = steps["right"], steps["left"]
    assert left.registration.mirrored and not right.registration.mirrored
    assert left.registration.scale == pytest.approx(right.registration.scale, rel=0.01)
    for name in ("up_peak", "ankle_moment_peak"):
        assert left.differences[name] == pytest.approx(right.differences[name], rel=0.03)
    peaks = [step.pressure.regions.peak_pressure["total"] for step in steps.values()]
    assert peaks[0] == pytest.approx(peaks[1], rel=0.15)


def test_pose_follows_the_heel_and_the_toes(steps) -> None:
    pitch = np.degrees(steps["right"].rolled.motion.pitch)
    assert pitch[0] > 8.0, "the toes are up at heel strike"
    assert pitch[-1] < -30.0, "and the heel at toe-off"


def test_summary_has_corrections_registration_and_conditioning(steps) -> None:
    numbers = steps["right"].to_dict()
    assert set(numbers["corrections"]["rms"]) == {"height", "pitch", "roll", "forward", "left"}  # type: ignore[index]
    stiffness = numbers["conditioning"]["force_per_height"]  # type: ignore[index]
    assert 3e4 < stiffness < 1e6, "tens to hundreds of newtons per millimetre"
    assert numbers["registration"]["side"] == "right"  # type: ignore[index]


def test_plate_apart_from_the_foot_and_sliding_feet_are_refused(steps) -> None:
    step = steps["right"]
    track, load = step.balance.track, step.reference
    springs = make_sole_springs(step.foot, 0.6, step.registration.ankle)
    _check_force_below_foot(springs, track, load, "right")
    away = StepLoad(load.force, load.centre + np.array([0.0, 0.2]), load.free_moment)
    with pytest.raises(gw.ModelError, match="mm beside the foot: plate and foot are apart"):
        _check_force_below_foot(springs, track, away, "right")
    belt = np.outer(track.time - track.time[0], [-1.2, 0.0])
    sliding = FootTrack(track.time, track.ankle + np.column_stack([belt, 0.0 * track.time]), track.rotation)
    moved = StepLoad(load.force, load.centre + belt, load.free_moment)
    with pytest.raises(gw.ModelError, match=r"slides by \d+ mm while it is flat"):
        _check_force_below_foot(springs, sliding, moved, "right")
    assert _on_belt(sliding, 1.2).ankle == pytest.approx(track.ankle), "a foot on a treadmill stands on its belt"
    assert _load_on_belt(moved, track.time, 1.2).centre == pytest.approx(load.centre)


def test_tissue_models_are_compared(steps) -> None:
    """A foundation equals itself."""
    assert all(springs == ours for springs, ours in steps["right"].tissue_difference.values())


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(gw.ModelError, match="is no loading mode"):
        simulate_step(FOOT, WALK.motion, WALK.forces, "right", (0.0, 0.6), WEIGHT, mode="guessed")
    assert LOADING_MODES == ("kinematic", "balanced", "predicted")


def test_stance_needs_a_known_force_that_carries_the_person() -> None:
    events = gw.gait.find_events(WALK.trial())
    forces = WALK.forces
    unknown = GroundForces(
        forces.time, forces.force, forces.moment, forces.height, np.zeros_like(forces.known), forces.source
    )
    assert find_whole_stance(events, unknown, "right", WEIGHT) is None
    assert find_whole_stance(events, forces, "right", 3.0 * WEIGHT) is None
