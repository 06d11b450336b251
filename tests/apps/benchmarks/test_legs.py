"""A sweep, a walk and the demonstration have times and a page."""

from __future__ import annotations

import pytest

from gaitwright_apps.benchmarks import legs, reproduce
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = pytest.mark.slow


def test_legs_have_times_and_a_page() -> None:
    results = legs.measure(quick=True)
    assert results["sweep"]["failed"] == 0 and results["sweep"]["variants"] == 36
    assert results["walk"]["contacts"] == 6 and "error" not in results["demo"]
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"legs": results}}
    assert "## legs" in render_markdown(result) and "| demo |" in render_markdown(result)


def test_experiments_have_times_and_a_page() -> None:
    results = reproduce.measure(quick=True)
    assert "error" not in results["reproduce"] and results["reproduce"]["warm_seconds"] > 0.0
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"reproduce": results}}
    assert "| reproduce |" in render_markdown(result)
