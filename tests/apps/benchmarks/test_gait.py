"""A walk has times and a page, with the peer and without."""

from __future__ import annotations

import pytest

from gaitwright_apps.benchmarks import gait, opensim_peer
from gaitwright_apps.benchmarks.results_page import render_markdown


@pytest.mark.peer
@pytest.mark.parametrize("peer", [True, False], ids=["with OpenSim", "alone"])
def test_a_walk_has_times_and_a_page(peer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if peer and not opensim_peer.is_available():
        pytest.skip("OpenSim is not installed: pip install 'gaitwright[bench]'")
    monkeypatch.setattr(opensim_peer, "is_available", lambda: peer)
    results = gait.measure(quick=True)
    page = render_markdown({"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"gait": results}})
    assert "## gait" in page and "times real time" in page
    if peer:
        assert results["apart"] < 1e-4 and results["ratios"]["gait-kinematics"] > 0
        assert "Rotations differ by" in page
    else:
        assert "OpenSim is not installed" in page
