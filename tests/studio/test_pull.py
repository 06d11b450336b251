"""Pulling by hand against kinematics: what the mechanism can reach it reaches, and joints stay closed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from gaitwright.analyse.closing import close_gap
from gaitwright.analyse.start import start
from gaitwright.errors import ModelError
from gaitwright.studio import pull as module
from gaitwright.studio.document import Document
from gaitwright.studio.pull import Puller

FOLDER = Path(__file__).parents[2] / "examples"


def held(name):
    model = Document((FOLDER / f"{name}.yaml").read_text(), FOLDER).model
    mechanism = model.lowered({})
    return model, Puller(mechanism, start(mechanism).q)


@pytest.mark.parametrize("point", ["A", "F"])
def test_a_leg_follows_the_hand_through_its_turn(point):
    """Pulled along the curve that kinematics gives, it is where kinematics has it, also in the points that are not held. (Not
    at B, which turns back on its arc: the hand cannot tell the crank which way to go on there.)"""
    model, puller = held("jansen")
    times = np.linspace(0.0, 0.3, 31)
    run = model.kinematics(times=times)
    for k in range(1, 31):
        miss = puller.pull(point, (run.values(f"{point}.x")[k], run.values(f"{point}.y")[k]))
        assert miss < 1e-7
    assert puller.q[: run.motion.q.shape[1]] == pytest.approx(run.motion.q[-1], abs=1e-5)
    assert puller.time_of(1.0) == pytest.approx(0.3, abs=1e-5)


def test_what_cannot_be_reached_is_missed_by_the_rest():
    _, puller = held("jansen")
    assert puller.pull("A", (0.3, 0.4)) == pytest.approx(0.4, abs=1e-6)
    # The distance is least there, so it hardly tells the angle: a millionth of it is 5e-4 rad.
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

    return close_gap(Joints, puller.q, 0.0)


def test_lengths_are_locked():
    _, puller = held("jansen")
    puller.pull("F", (-0.1, -0.3))
    part = puller.mechanism.parts["L10"]
    ends = [part.position(puller.q, part.points[name]) for name in ("D", "F")]
    assert math.dist(*ends) == pytest.approx(0.327)


def test_what_is_no_moving_point_is_refused(monkeypatch):
    _, puller = held("jansen")
    for point in ("O1", "Z", "ground.O1"):
        with pytest.raises(ModelError, match="no moving point"):
            puller.pull(point, (0, 0))
    monkeypatch.setattr(module, "MOST", 10)
    with pytest.raises(ModelError, match="33 coordinates"):
        held("jansen")


@pytest.mark.parametrize("hand", [(0.1,), (0.1, 0.2, 0.3), (0.1, math.nan)])
def test_a_hand_at_no_place_is_refused(hand):
    _, puller = held("four_bar")
    with pytest.raises(ModelError, match=r"is at no place .*expected two numbers \[x, y\]"):
        puller.pull("B", hand)
