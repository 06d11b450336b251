"""Drag solver compared with kinematics: reachable positions are reached, and joints stay closed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.analysis.joint_closure import closure_gap
from gaitwright.analysis.start_state import find_start
from gaitwright.studio import drag_solver as module
from gaitwright.studio.document import StudioDocument
from gaitwright.studio.drag_solver import DragSolver

FOLDER = Path(__file__).parents[2] / "examples"


def held(name):
    model = StudioDocument((FOLDER / f"{name}.yaml").read_text(), FOLDER).model
    mechanism = model.mechanism()
    return model, DragSolver(mechanism, find_start(mechanism).q)


@pytest.mark.parametrize("point", ["A", "F"])
def test_a_leg_follows_the_hand_through_its_turn(point):
    """Pulled along the curve of kinematics, all other points match kinematics. (Not at B, which reverses on its arc:
    the hand position does not determine the crank direction there.)"""
    model, puller = held("jansen")
    times = np.linspace(0.0, 0.3, 31)
    run = model.kinematics(times=times)
    for k in range(1, 31):
        miss = puller.pull(point, (run.array(f"{point}.x")[k], run.array(f"{point}.y")[k]))
        assert miss < 1e-7
    assert puller.q[: run.motion.q.shape[1]] == pytest.approx(run.motion.q[-1], abs=1e-5)
    assert puller.time_of(1.0) == pytest.approx(0.3, abs=1e-5)


def test_an_unreachable_hand_is_missed_by_the_remaining_distance():
    _, puller = held("jansen")
    assert puller.pull("A", (0.3, 0.4)) == pytest.approx(0.4, abs=1e-6)
    # The distance has its minimum here, so it hardly determines the angle: a millionth of it is 5e-4 rad.
    assert puller.q[2] == pytest.approx(math.atan2(0.4, 0.3), abs=5e-4)


@pytest.mark.parametrize(
    ("name", "point", "hand"),
    [
        ("jansen", "F", (5.0, 5.0)),
        ("klann", "F", (-0.3, -0.1)),
        ("four_bar", "B", (0.1, 0.3)),
        ("slider_crank", "B", (0.2, 0.3)),
        ("flexible_slider_crank", "A", (0.05, 0.08)),
        ("knee_exoskeleton", "shank.ankle", (0.3, -0.5)),
        ("pendulum", "P", (-1.0, 0.2)),
    ],
)
def test_joints_stay_closed_wherever_the_hand_goes(name, point, hand):
    _, puller = held(name)
    first = puller.pull(point, hand)
    for _ in range(4):
        miss = puller.pull(point, hand)
    assert miss <= first + 1e-9
    joints = [names for names in puller.mechanism.constraint_names if names.kind != "drive"]
    assert joints
    phi = close_gap_of_joints(puller)
    assert phi < 1e-8 * max(puller.mechanism.size, 1.0)


def close_gap_of_joints(puller):
    class Joints:
        system = puller.joints

    return closure_gap(Joints, puller.q, 0.0)


def test_lengths_are_locked():
    _, puller = held("jansen")
    puller.pull("F", (-0.1, -0.3))
    part = puller.mechanism.parts["L10"]
    ends = [part.position(puller.q, part.points[name]) for name in ("D", "F")]
    assert math.dist(*ends) == pytest.approx(0.327)


def test_only_moving_points_can_be_pulled(monkeypatch):
    _, puller = held("jansen")
    for point in ("O1", "Z", "ground.O1"):
        with pytest.raises(ModelError, match="no moving point"):
            puller.pull(point, (0, 0))
    monkeypatch.setattr(module, "MAX_DENSE_COORDINATES", 10)
    with pytest.raises(ModelError, match="33 coordinates"):
        held("jansen")


@pytest.mark.parametrize("hand", [(0.1,), (0.1, 0.2, 0.3), (0.1, math.nan)])
def test_invalid_hand_positions_are_refused(hand):
    _, puller = held("four_bar")
    with pytest.raises(ModelError, match=r"is at no place .*expected two numbers \[x, y\]"):
        puller.pull("B", hand)
