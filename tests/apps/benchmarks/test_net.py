"""The benchmark of nets compares the same equilibrium and the same motion."""

import pytest

from gaitwright_apps.benchmarks import net
from gaitwright_apps.benchmarks.exudyn_peer import is_available
from gaitwright_apps.benchmarks.results_page import render_markdown


@pytest.mark.peer
@pytest.mark.skipif(not is_available(), reason="needs Exudyn")
def test_both_programs_give_the_same_positions():
    details = net.measure(quick=True)
    assert details["masses"] == 50 and details["coordinates"] == 150
    # Exudyn stops at a tolerance of 1e-8, ours at rounding.
    assert details["static_difference"] < 1e-8 and details["dynamic_difference"] < 1e-6
    assert set(details["ratios"]) == {"net-static", "net-dynamic"}
    result = {"machine": {}, "notes": [], "quick": True, "ratios": details["ratios"], "details": {"net": details}}
    assert "50 masses, 145 springs" in render_markdown(result)
