"""Dragging in the studio has times and a page."""

from __future__ import annotations

import pytest

from gaitwright.bench import studio
from gaitwright.bench.page import markdown


@pytest.mark.slow
def test_dragging_has_times_and_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")
    monkeypatch.setattr(studio, "_in_browser", lambda served, drags: {"skipped": "not looked for"})
    found = studio.measure(quick=True)
    page = markdown({"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"studio": found}})
    assert "## studio" in page and "Theo Jansen leg, socket" in page and "not looked for" in page
    for name in ("leg", "sixty_links"):
        assert found[name]["frame_ms"] > 0 and found[name]["bytes"] > 1000
