"""Feet that roll have times and a page."""

from __future__ import annotations

import pytest

from gaitwright.bench import foot
from gaitwright.bench.page import markdown

pytestmark = pytest.mark.slow


def test_feet_have_times_and_a_page() -> None:
    found = foot.measure(quick=True)
    moments = {speed: row["largest_moment"] for speed, row in found["speeds"].items()}
    assert moments["condensed"] == pytest.approx(moments["foundation"], rel=0.3)
    forward = found["forward"]
    assert forward["steps"] > 10 and forward["force_apart"] < 0.05 and forward["energy_residual"] < 1e-3
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"foot": found}}
    assert "## foot" in markdown(result) and "| condensed |" in markdown(result)
    assert "forward step, condensed" in markdown(result)
