"""Simulated steps of a trial: pose and load of the foot, for every tissue method and both sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.gait.analysis import TISSUE_METHODS
from gaitwright.gait.sole_pressure import STEP_FRAME_COUNT, find_whole_stance, simulate_step

WALK = gw.gait.schematic_walk(gw.gait.Subject(73.0, 1.741, "male"), 3.3)
WEIGHT = 73.0 * 9.81


@pytest.mark.parametrize("tissue", TISSUE_METHODS)
@pytest.mark.parametrize("side", ["right", "left"])
def test_foot_gets_the_pose_and_the_load_of_the_step(side: str, tissue: str) -> None:
    events = gw.gait.find_events(WALK.trial())
    stance = find_whole_stance(events, WALK.forces, side, WEIGHT)
    assert stance is not None and 0.6 < stance[1] - stance[0] < 0.72
    took: dict[str, Any] = {}

    def roll(motion: Any, frames: int, **options: Any) -> None:
        took.update(motion=motion, frames=frames, **options)

    foot: Any = SimpleNamespace(shape=SimpleNamespace(side="right"), roll=roll)
    simulate_step(foot, WALK.motion, WALK.forces, side, stance, WEIGHT, tissue)
    assert took["speed"] == tissue and took["frames"] == STEP_FRAME_COUNT
    k = ("right", "left").index(side)
    assert took["load"][:, 2].max() == pytest.approx(WALK.forces.force[:, k, 2].max(), rel=0.02)
    assert np.degrees(took["motion"].pitch[0]) > 8.0, "the toes are up at heel strike"
    assert np.degrees(took["motion"].pitch[-1]) < -30.0, "and the heel at toe-off"
    inward = took["load"][len(took["load"]) // 2, 1]
    assert inward > 0.0, "a right foot, or a left one in a mirror, is pushed to the left"
