"""Detection of up, forward and side for many feet."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.orientation import detect_foot_axes

FEET = {
    "adult": {},
    "flat child": {"length": 0.15, "arch_height": 0.004, "side": "left"},
    "high arch": {"arch_height": 0.03},
    "narrow": {"ball_width": 0.08, "heel_width": 0.055},
    "low cut": {"height": 0.05, "side": "left"},
    "high cut": {"height": 0.1},
}


@pytest.mark.parametrize("name", FEET)
def test_axes_of_parametric_feet_are_detected(name):
    axes = detect_foot_axes(gw.foot.from_measures(**FEET[name]).surface)
    assert axes.side == axes.looks == FEET[name].get("side", "right")
    assert np.degrees(np.arccos(axes.up[2])) < 1.5
    assert np.degrees(np.arccos(axes.forward[0])) < 1.5
    assert min(axes.sure.values()) > 0.4 and axes.standing > 0.4
    assert np.allclose(axes.rotation @ axes.rotation.T, np.eye(3)) and np.linalg.det(axes.rotation) > 0.0


def test_given_axes_are_not_detected():
    surface = gw.foot.from_measures().surface
    axes = detect_foot_axes(surface, np.array([0.0, 0.0, 1.0]), np.array([2.0, 0.0, 1.0]), "left")
    assert axes.up.tolist() == [0.0, 0.0, 1.0] and axes.forward.tolist() == [1.0, 0.0, 0.0]
    assert axes.side == "left" and axes.looks == "right" and set(axes.sure) == {"side"}
