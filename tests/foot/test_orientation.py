"""Up, forward and side are found, of many feet."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.orientation import found_in

FEET = {
    "adult": {},
    "flat child": {"length": 0.15, "arch_height": 0.004, "side": "left"},
    "high arch": {"arch_height": 0.03},
    "narrow": {"ball_width": 0.08, "heel_width": 0.055},
    "low cut": {"height": 0.05, "side": "left"},
    "high cut": {"height": 0.1},
}


@pytest.mark.parametrize("name", FEET)
def test_drawn_feet_lie_as_they_were_drawn(name):
    found = found_in(gw.foot.from_measures(**FEET[name]).surface)
    assert found.side == found.looks == FEET[name].get("side", "right")
    assert np.degrees(np.arccos(found.up[2])) < 1.5
    assert np.degrees(np.arccos(found.forward[0])) < 1.5
    assert min(found.sure.values()) > 0.4 and found.standing > 0.4
    assert np.allclose(found.rotation @ found.rotation.T, np.eye(3)) and np.linalg.det(found.rotation) > 0.0


def test_what_is_told_is_not_looked_for():
    surface = gw.foot.from_measures().surface
    found = found_in(surface, np.array([0.0, 0.0, 1.0]), np.array([2.0, 0.0, 1.0]), "left")
    assert found.up.tolist() == [0.0, 0.0, 1.0] and found.forward.tolist() == [1.0, 0.0, 0.0]
    assert found.side == "left" and found.looks == "right" and set(found.sure) == {"side"}
