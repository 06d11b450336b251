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


def test_joints_do_not_swing_far_to_get_up_speed() -> None:
    """Before the first frame they stay within what they do later and upright, but for 10 degrees: a stiff ankle spring that is
    bent further on the way comes out of its place and helps no more."""
    walk = gw.gait.schematic_walk(SUBJECT, 1.4)
    needed = ["right_shank", "right_foot"]
    path = driven(walk.motion, gw.wear.standing(walk.motion.skeleton), needed)
    shank, foot = (path.poses[name][1] for name in needed)
    relative = np.swapaxes(shank, 1, 2) @ foot
    angle = np.degrees(np.arctan2(relative[:, 1, 0], relative[:, 0, 0]))
    lead, later = angle[: path.first], np.append(angle[path.first :], 0.0)
    assert later.min() - 10 < lead.min() and lead.max() < later.max() + 10
    shares = [
        gw.wear.put_on(gw.wear.devices.ankle_spring(k), walk).assistance()["right_ankle"].share_of_peak
        for k in (6.0, 9.0)
    ]
    assert shares[1] > shares[0] > 0.4
