"""Blocks about a step on a foot model: computed and measured curves are distinguished, values have ranges and flags."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.reference_pressure import WALKING_RANGES, walking_values
from gaitwright.gait.inverse_kinematics import follow
from gaitwright.gait.sole_pressure import WalkingStep, find_whole_stance, simulate_step
from gaitwright.report.blocks import Chart, Table, Text
from gaitwright.report.views.walking_step_blocks import range_rows, walking_step_blocks

WEIGHT = 73.0 * 9.81


@pytest.fixture(scope="module")
def step() -> WalkingStep:
    walk = gw.gait.schematic_walk(gw.gait.Subject(73.0, 1.741, "male"), 3.3)
    trial = walk.trial()
    shape = gw.foot.from_measures()
    motion = follow(trial, walk.motion.skeleton, "segments", cutoff=12.0)
    stance = find_whole_stance(gw.gait.find_events(trial), walk.forces, "right", WEIGHT)
    assert stance is not None
    return simulate_step(gw.foot.Foot(shape, shape.fill(0.016)), motion, walk.forces, "right", stance, WEIGHT)


def test_computed_and_reference_curves_differ_in_look_and_label(step: WalkingStep) -> None:
    charts = [block for block in walking_step_blocks(step) if isinstance(block, Chart)]
    pairs = [chart for chart in charts if not chart.title.startswith("Corrections")]
    assert len(pairs) == 7, "three forces, two coordinates of the centre of pressure, free moment, ankle moment"
    for chart in pairs:
        computed, reference = chart.lines
        assert (computed.label, computed.look) == ("foot model (computed)", "line")
        assert reference.look == "dashed" and reference.colour != computed.colour
        assert np.shape(computed.y) == np.shape(reference.y) == np.shape(computed.x)


def test_page_names_mode_registration_and_differences(step: WalkingStep) -> None:
    blocks = walking_step_blocks(step)
    text = next(block for block in blocks if isinstance(block, Text))
    assert text.paragraphs[0].startswith("Loading mode: balanced") and "the model is scaled by" in text.paragraphs[1]
    tables = {block.title.partition(",")[0]: block for block in blocks if isinstance(block, Table)}
    rows = {row[0]: row for row in tables["Registration of the model to the markers"].rows}
    assert set(rows) == {"heel", "mt1", "mt2", "mt5"}
    differences = next(table for name, table in tables.items() if name.startswith("Computed against"))
    assert [row[0] for row in differences.rows][-1] == "centre of pressure (mm)"


def test_values_outside_their_ranges_are_flagged(step: WalkingStep) -> None:
    values = dict(walking_values(step.pressure))
    assert set(values) >= {one.name for one in WALKING_RANGES}
    assert sum(value for name, value in values.items() if name.startswith("share")) == pytest.approx(1.0)
    values |= {"peak pressure, heel": 1e6, "contact area of the step": 20e-4, "peak pressure, forefoot": 400e3}
    flags = {row[0]: row[3] for row in range_rows(WALKING_RANGES, values)}
    assert flags["peak pressure, heel"] == "▲ above" and flags["contact area of the step"] == "▼ below"
    assert flags["peak pressure, forefoot"] == ""
