"""Registration of a foot model to markers: sizes from known places, sides, other sizes, missing markers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.gait.foot_registration import LANDMARK_POSITION_RATIOS, MARKER_RADIUS_M, register_foot

SHAPE = gw.foot.from_measures(length=0.25, ball_width=0.095)
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
LENGTH, WIDTH, ANKLE, HEIGHT = 0.27, 0.11, np.array([0.06, 0.004]), 0.08


def skeleton(side: str = "right", noise: float = 0.0, leave_out: tuple[str, ...] = ()) -> Any:
    """Skeleton with markers on the landmarks of a foot of known size; the segment has y up and z to the right."""
    outward = 1.0 if side == "right" else -1.0
    random = np.random.default_rng(3)
    markers = {}
    for name, (along, medial) in LANDMARK_POSITION_RATIOS.items():
        if name not in leave_out:
            x = along * LENGTH - ANKLE[0] - (MARKER_RADIUS_M if name == "heel" else 0.0)
            z = -outward * (medial * WIDTH - ANKLE[1])
            markers[f"{side} {name}"] = np.array([x, -0.05, z]) + noise * random.standard_normal(3)
    segment = SimpleNamespace(markers=markers)
    landmarks = {f"{side}_{name}": f"{side} {name}" for name in LANDMARK_POSITION_RATIOS}
    return SimpleNamespace(segments={f"{side}_foot": segment}, landmarks=landmarks)


@pytest.mark.parametrize("side", ["right", "left"])
def test_known_size_and_place_are_found(side: str) -> None:
    found = register_foot(FOOT, skeleton(side), side, -HEIGHT)
    measures = found.foot.shape.measures
    assert measures.length == pytest.approx(LENGTH, rel=1e-6)
    assert measures.ball_width == pytest.approx(WIDTH, rel=1e-3)
    assert found.scale == pytest.approx((1.08, WIDTH / SHAPE.measures.ball_width, 1.08))
    assert found.ankle == pytest.approx([ANKLE[0], ANKLE[1], HEIGHT], abs=1e-9), "in the frame of a right model"
    assert max(found.residuals.values()) < 1e-9 and not found.warnings
    assert found.mirrored == (side == "left")


@pytest.mark.parametrize("side", ["right", "left"])
def test_transform_takes_the_model_to_its_markers(side: str) -> None:
    """The second metatarsal head of the unscaled model, 0.745 of its length from the heel, at the height of the sole."""
    found = register_foot(FOOT, skeleton(side), side, -HEIGHT)
    head = found.transform @ np.array([0.745 * SHAPE.measures.length, 0.0, 0.0, 1.0])
    marker = skeleton(side).segments[f"{side}_foot"].markers[f"{side} mt2"]
    assert head[[0, 2]] == pytest.approx(marker[[0, 2]], abs=1e-9) and head[1] == pytest.approx(-HEIGHT)
    first = found.transform @ np.array([0.73 * SHAPE.measures.length, 0.32 * SHAPE.measures.ball_width, 0.0, 1.0])
    marker = skeleton(side).segments[f"{side}_foot"].markers[f"{side} mt1"]
    assert first[[0, 2]] == pytest.approx(marker[[0, 2]], abs=1e-4)


def test_noise_appears_as_residuals() -> None:
    found = register_foot(FOOT, skeleton(noise=4e-3), "right", -HEIGHT)
    assert 5e-4 < max(found.residuals.values()) < 0.012
    assert found.foot.shape.measures.length == pytest.approx(LENGTH, rel=0.05)


def test_foot_of_a_child_is_reported() -> None:
    shape = gw.foot.from_measures(length=0.15)
    found = register_foot(gw.foot.Foot(shape, shape.fill(0.01)), skeleton(), "right", -HEIGHT)
    (warning,) = found.warnings
    assert "another size: it is 150 mm long" in warning and "270 mm" in warning
    assert found.foot.shape.measures.length == pytest.approx(LENGTH)


def test_markers_of_the_other_foot_are_refused() -> None:
    crossed = skeleton()
    marks = crossed.segments["right_foot"].markers
    marks["right mt1"], marks["right mt5"] = marks["right mt5"], marks["right mt1"]
    with pytest.raises(gw.ModelError, match="markers of the other foot"):
        register_foot(FOOT, crossed, "right", -HEIGHT)


def test_missing_markers_are_named() -> None:
    with pytest.raises(gw.ModelError, match="no markers of heel and metatarsals"):
        register_foot(FOOT, skeleton(leave_out=("heel",)), "right", -HEIGHT)
    only_second = register_foot(FOOT, skeleton(leave_out=("mt1", "mt5")), "right", -HEIGHT)
    measures = only_second.foot.shape.measures
    assert measures.ball_width / measures.length == pytest.approx(
        SHAPE.measures.ball_width / SHAPE.measures.length, rel=1e-3
    ), "without both borders the width is in proportion"
