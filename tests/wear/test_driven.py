"""Segments from standing to a motion: joints stay together, and the motion is met with its velocity and acceleration."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.wear.driven import driven

from .people import SUBJECT


def test_the_way_to_the_first_frame_is_smooth_and_joints_stay_together() -> None:
    motion = gw.gait.schematic_walk(SUBJECT, 1.2).motion
    standing = gw.wear.standing(motion.skeleton)
    along = driven(motion, standing, ["right_thigh", "right_shank"])
    thigh, shank = along.poses["right_thigh"], along.poses["right_shank"]
    for name, (place, rotation) in along.poses.items():
        assert place[0] == pytest.approx(standing[name][0]) and rotation[0] == pytest.approx(standing[name][1])
        assert place[along.first :] + along.away == pytest.approx(motion.origin(name))
        assert rotation[along.first :] == pytest.approx(motion.turned(name))
        for values in (place, rotation):  # no jump of velocity or acceleration where the motion begins
            change = np.abs(np.diff(values, 3, axis=0)).reshape(len(values) - 3, -1).max(axis=1)
            here = slice(along.first - 4, along.first + 2)
            assert change[here].max() < 2 * max(change[: here.start].max(), change[here.stop :].max())
    knee = thigh[0] + thigh[1] @ motion.skeleton.segments["right_thigh"].joints["right_knee"]
    assert knee == pytest.approx(shank[0], abs=1e-9)
