"""P2 and P3: the same integration scheme on the same equations, with errors relative to a more accurate reference."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.analysis.start_state import find_start
from gaitwright_apps.benchmarks import beams, exudyn_peer
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bent() -> dict:
    return beams.measure(quick=True)


def test_beams_have_our_times_and_errors(bent: dict) -> None:
    assert set(bent["problems"]) == {"P2b", "P3-10"}
    for case in bent["problems"].values():
        ours, loose = case["ours"], case["loose"]
        assert 100 * case["reference_unsure"] < 5 * ours["error"] < 1e-4
        assert loose["error"] == pytest.approx(ours["error"], rel=1e-3)
        assert loose["newton_per_step"] <= ours["newton_per_step"]
        assert min(ours["one_step_seconds"], ours["integration_seconds"]) > 0
    assert all(us > 0 for us in bent["P2a"]["us_per_evaluation"].values())
    assert min(bent["setup"]["model_seconds"], bent["setup"]["seconds"]) > 0


def test_beams_have_a_page(bent: dict) -> None:
    result = {"machine": {}, "notes": [], "quick": True, "ratios": bent["ratios"], "details": {"beams": bent}}
    text = render_markdown(result)
    assert "## beams" in text and "P3-10, ours" in text and "whole call, 1 step" in text


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.is_available(), reason="Exudyn is not installed")
def test_beams_are_the_same_problems_in_exudyn(bent: dict) -> None:
    """Exudyn's error over the run equals ours, so the benchmark compares the same scheme on the same equations."""
    assert set(bent["ratios"]) == {"P2b", "P2b per step", "P3-10", "P3-10 per step", "P4"}
    for case in bent["problems"].values():
        assert case["exudyn"]["error"] == pytest.approx(case["ours"]["error"], rel=1e-3)
        assert min(case["exudyn"]["whole_call_seconds"], case["exudyn"]["seconds"]) > 0
    assert "constraints" in bent["P2a"]["exudyn"]


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.is_available(), reason="Exudyn is not installed")
def test_the_blade_falls_equally_in_exudyn(bent: dict) -> None:
    """Its geometrically exact beams agree with ours within the accuracy of eight linear elements."""
    exact = [one for name, one in bent["P4"]["exudyn"].items() if name.startswith("geometrically exact")]
    assert exact and all(one["error"] is not None and one["error"] < 1e-3 for one in exact)
    assert bent["P4"]["ours"]["error"] < exact[0]["error"] and bent["P4"]["ratio"] > 0


def test_rod_starts_as_if_rigid() -> None:
    """Benchmark P2: crank level, rod in line with it, both rotating; the rod about the slider."""
    mechanism = beams.slider_crank().mechanism()
    begin = find_start(mechanism)
    rod, w = mechanism.beams["rod"], beams.CRANK_SPEED_RAD_S
    spin = -w * 0.15 / 0.4
    expected = np.zeros((9, 4))
    expected[:, 1], expected[:, 3] = w * 0.15 + spin * rod.stations, spin
    assert np.abs(begin.v[rod.nodes] - expected).max() < 1e-8
    assert begin.q[rod.nodes[:, 0]] == pytest.approx(0.15 + rod.stations, abs=1e-12)
    assert begin.v[mechanism.body_names["crank"].index] == pytest.approx([0.0, w * 0.075, w], abs=1e-12)
