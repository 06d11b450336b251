"""Many designs have times, the same results as the classic path, and a page."""

from __future__ import annotations

import pytest

from gaitwright.bench import designs
from gaitwright.bench.page import markdown
from gaitwright.design.many.library import compiler

pytestmark = [pytest.mark.slow, pytest.mark.skipif(compiler() is None, reason="no C compiler")]


def test_designs_have_times_and_a_page() -> None:
    found = designs.measure(quick=True)
    for name in ("inverse", "forward"):
        assert found[name]["same_verdicts"] and found[name]["largest_difference"] < 1e-8
        assert found["ratios"][f"designs-{name}"] > 5.0
    result = {"machine": {}, "notes": [], "quick": True, "ratios": found["ratios"], "details": {"designs": found}}
    assert "## designs" in markdown(result)
