"""Feet that roll have times and a page."""

from __future__ import annotations

import pytest

from gaitwright_apps.benchmarks import calculix_peer, fine_foot, foot, pressed_foot
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = pytest.mark.slow


def test_feet_have_times_and_a_page() -> None:
    results = foot.measure(quick=True)
    moments = {speed: row["largest_moment"] for speed, row in results["speeds"].items()}
    assert moments["condensed"] == pytest.approx(moments["foundation"], rel=0.3)
    forward = results["forward"]
    assert forward["steps"] > 10 and forward["force_apart"] < 0.05 and forward["energy_residual"] < 1e-3
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"foot": results}}
    page = render_markdown(result)
    assert "## foot" in page and "| condensed |" in page and "Pressed on to a plane" in page
    assert "forward step, condensed" in page
    pressed = results["pressed"]
    if "skipped" in pressed:
        assert pressed["skipped"] in page
    else:  # both spread the penalty over the nodes in their own way
        assert abs(pressed["force_difference"]) < 2e-3 and results["ratios"]["foot-pressed"] == pressed["ratio"]


def test_a_foot_of_many_nodes_has_times_and_a_page() -> None:
    results = fine_foot.measure(quick=True)
    assert results["speeds"]["condensed"]["newton_iterations"] > 0
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"fine_foot": results}}
    assert "| condensed |" in render_markdown(result)


def test_a_foot_is_pressed_without_the_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculix_peer, "find_program", lambda: None)
    results = pressed_foot.measure(quick=True)
    assert results["force"] > 100.0 and "not installed" in results["skipped"]
