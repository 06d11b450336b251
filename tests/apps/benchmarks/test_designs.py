"""Many designs have times, the same results as the classic path, and a page."""

from __future__ import annotations

import pytest

from gaitwright.codegen.c_library import find_compiler
from gaitwright_apps.benchmarks import designs
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = [pytest.mark.slow, pytest.mark.skipif(find_compiler() is None, reason="no C compiler")]


def test_designs_have_times_and_a_page() -> None:
    results = designs.measure(quick=True)
    for name in ("inverse", "forward"):
        assert results[name]["same_verdicts"] and results[name]["largest_difference"] < 1e-8
        assert results["ratios"][f"designs-{name}"] > 5.0
    result = {"machine": {}, "notes": [], "quick": True, "ratios": results["ratios"], "details": {"designs": results}}
    assert "## designs" in render_markdown(result)
