"""Blocks of a page about comfort."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.blocks import Chart, Drawing, Figures, Remarks, Table
from gaitwright.report.page import Report
from gaitwright.report.views.comfort_blocks import comfort_blocks

TIME = np.linspace(0.0, 1.0, 21)


@pytest.fixture(scope="module")
def found():
    force = np.zeros((21, 3))
    force[:, 0] = -40.0 * np.sin(np.pi * TIME) ** 2
    pads = {
        "left_thigh": gw.wear.CuffPad("thigh", 0.1),
        "brace": gw.wear.CuffPad("knee", 0.1, 360.0, strap=20.0),
        "sole": gw.wear.CuffPad("sole", 0.1, 60.0),
    }
    return {name: gw.wear.press(pad, force, time=TIME) for name, pad in pads.items()}


def test_numbers_of_the_page_are_those_of_the_comfort(found, tmp_path):
    comfort = gw.wear.comfort.judge(found)
    blocks = comfort_blocks(comfort)
    (facts,) = (block.facts for block in blocks if isinstance(block, Figures))
    assert facts[0].value == f"{1e-3 * comfort.worst.peak:.3g}"
    assert facts[1].value == f"{100 * comfort.share_discomfort:.0f} %"
    table = next(block for block in blocks if isinstance(block, Table))
    assert [row[0] for row in table.rows] == list(found)
    assert table.rows[2][8] == "not known"
    assert table.rows[0][8].startswith("≥ ")
    charts = [block.title for block in blocks if isinstance(block, Chart)]
    assert charts == ["Tolerance at left thigh", "Tolerance at brace", "Largest pressure below each pad"]
    remarks = next(block for block in blocks if isinstance(block, Remarks))
    assert any("only an order is known" in remark.text for remark in remarks.remarks)
    Report("comfort", blocks=blocks).save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    drawing = next(block for block in blocks if isinstance(block, Drawing))
    assert drawing.title in page
    assert "var(--band)" in page  # the figure has the colours of the page
    assert "at least" in page
    assert list((tmp_path / "page-files").glob("share-of-people*.png"))


def test_unknown_threshold_is_reported(found):
    blocks = comfort_blocks(gw.wear.comfort.judge({"sole": found["sole"]}))
    (facts,) = (block.facts for block in blocks if isinstance(block, Figures))
    assert facts[1].value == "not known"
