"""A sweep, a walk and the demonstration have times and a page."""

from __future__ import annotations

import pytest

from gaitwright_apps.benchmarks import legs
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = pytest.mark.slow


def test_legs_have_times_and_a_page() -> None:
    results = legs.measure(quick=True)
    assert results["sweep"]["failed"] == 0 and results["sweep"]["variants"] == 36
    assert results["walk"]["contacts"] == 6 and "error" not in results["demo"]
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"legs": results}}
    assert "## legs" in render_markdown(result) and "| demo |" in render_markdown(result)
