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
    assert (found["mass"], found["height"]) == (73.0, 1.74)
