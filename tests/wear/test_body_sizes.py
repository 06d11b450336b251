"""Sizes are those of the skeleton, whose legs are as tables of segments have them."""

from __future__ import annotations

import pytest

import gaitwright as gw
from gaitwright.gait.drawn_skeleton import HIP_WIDTH, drawn_skeleton, lengths


def test_sizes_of_a_drawn_person() -> None:
    subject = gw.gait.Subject(73.0, 1.74)
    found = gw.wear.sizes(drawn_skeleton(subject))
    for kind in ("pelvis", "thigh", "shank", "foot"):
        assert found[f"{kind}_length"] == pytest.approx(lengths()[kind] * 1.74)
    assert found["hip_width"] == pytest.approx(HIP_WIDTH * 1.74)
    assert (found["body_mass"], found["body_height"]) == (73.0, 1.74)


def test_who_stands_has_the_joints_at_the_heights_that_are_told() -> None:
    skeleton = drawn_skeleton(gw.gait.Subject(73.0, 1.74))
    poses, found = gw.wear.standing(skeleton), gw.wear.sizes(skeleton)
    for segment, height in (
        ("right_foot", "ankle_height"),
        ("right_shank", "knee_height"),
        ("right_thigh", "hip_height"),
        ("trunk", "navel_height"),
    ):
        assert poses[segment][0][2] == pytest.approx(found[height])
    assert poses["right_foot"][0] == pytest.approx([0.0, -found["hip_width"] / 2, found["ankle_height"]])
