"""Dragging in the studio has times and a page."""

from __future__ import annotations

import pytest

from gaitwright_apps.benchmarks import studio
from gaitwright_apps.benchmarks.results_page import render_markdown


@pytest.mark.slow
def test_dragging_has_times_and_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")
    monkeypatch.setattr(studio, "_measure_in_browser", lambda served, drags: {"skipped": "not looked for"})
    results = studio.measure(quick=True)
    page = render_markdown({"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"studio": results}})
    assert "## studio" in page and "Theo Jansen leg, socket" in page and "not looked for" in page
    for name in ("leg", "sixty_links"):
        assert results[name]["frame_ms"] > 0 and results[name]["bytes"] > 1000
