"""A sweep, a walk and the demonstration have times and a page."""

from __future__ import annotations

import pytest

from gaitwright.bench import legs
from gaitwright.bench.page import markdown

pytestmark = pytest.mark.slow


def test_legs_have_times_and_a_page() -> None:
    found = legs.measure(quick=True)
    assert found["sweep"]["failed"] == 0 and found["sweep"]["variants"] == 36
    assert found["walk"]["contacts"] == 6 and "error" not in found["demo"]
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"legs": found}}
    assert "## legs" in markdown(result) and "| demo |" in markdown(result)
