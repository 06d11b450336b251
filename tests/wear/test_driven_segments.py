"""Segments from standing to a motion: joints stay connected, and velocity and acceleration are continuous at its start."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.wear.driven_segments import drive_segments

from .people import SUBJECT


def test_lead_is_smooth_and_joints_stay_connected() -> None:
    motion = gw.gait.schematic_walk(SUBJECT, 1.2).motion
    standing = gw.wear.standing_poses(motion.skeleton)
    along = drive_segments(motion, standing, ["right_thigh", "right_shank"])
    thigh, shank = along.poses["right_thigh"], along.poses["right_shank"]
    for name, (place, rotation) in along.poses.items():
        assert place[0] == pytest.approx(standing[name][0]) and rotation[0] == pytest.approx(standing[name][1])
        assert place[along.first :] + along.away == pytest.approx(motion.origin(name))
        assert rotation[along.first :] == pytest.approx(motion.turned(name))
        for values in (place, rotation):  # velocity and acceleration do not jump at the start of the motion
            change = np.abs(np.diff(values, 3, axis=0)).reshape(len(values) - 3, -1).max(axis=1)
            here = slice(along.first - 4, along.first + 2)
            assert change[here].max() < 2 * max(change[: here.start].max(), change[here.stop :].max())
    knee = thigh[0] + thigh[1] @ motion.skeleton.segments["right_thigh"].joints["right_knee"]
    assert knee == pytest.approx(shank[0], abs=1e-9)


def test_joints_stay_near_their_range_while_speeding_up() -> None:
    """In the lead the joint angles stay within 10 degrees of their range in standing and motion: a stiff ankle spring that is
    bent further leaves its working range, and no longer assists."""
    walk = gw.gait.schematic_walk(SUBJECT, 1.4)
    needed = ["right_shank", "right_foot"]
    path = drive_segments(walk.motion, gw.wear.standing_poses(walk.motion.skeleton), needed)
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
