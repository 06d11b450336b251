"""Body sizes equal those of the skeleton; leg lengths follow the segment tables."""

from __future__ import annotations

import pytest

import gaitwright as gw
from gaitwright.gait.generic_skeleton import HIP_WIDTH_PER_BODY_HEIGHT, build_generic_skeleton, segment_length_ratios


def test_sizes_of_a_generic_person() -> None:
    subject = gw.gait.Subject(73.0, 1.74)
    found = gw.wear.sizes(build_generic_skeleton(subject))
    for kind in ("pelvis", "thigh", "shank", "foot"):
        assert found[f"{kind}_length"] == pytest.approx(segment_length_ratios()[kind] * 1.74)
    assert found["hip_width"] == pytest.approx(HIP_WIDTH_PER_BODY_HEIGHT * 1.74)
    assert (found["body_mass"], found["body_height"]) == (73.0, 1.74)


def test_standing_pose_has_the_joints_at_the_stated_heights() -> None:
    skeleton = build_generic_skeleton(gw.gait.Subject(73.0, 1.74))
    poses, found = gw.wear.standing_poses(skeleton), gw.wear.sizes(skeleton)
    for segment, height in (
        ("right_foot", "ankle_height"),
        ("right_shank", "knee_height"),
        ("right_thigh", "hip_height"),
        ("trunk", "navel_height"),
    ):
        assert poses[segment][0][2] == pytest.approx(found[height])
    assert poses["right_foot"][0] == pytest.approx([0.0, -found["hip_width"] / 2, found["ankle_height"]])
