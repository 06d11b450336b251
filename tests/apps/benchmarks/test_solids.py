"""The benchmark of solids compares programs on the same work."""

import pytest

from gaitwright_apps.benchmarks import solids
from gaitwright_apps.benchmarks.calculix_peer import find_program
from gaitwright_apps.benchmarks.results_page import render_markdown
from gaitwright_apps.benchmarks.scikit_fem_peer import is_available


@pytest.mark.slow
def test_elements_and_a_ramp_are_timed():
    """Without the peer, the ratio is missing and the reason is given; with CalculiX, the results agree."""
    details = solids.measure(quick=True)
    assert set(details["elements"]) == {"TET4", "TET10"}
    wanted = {"solids-assembly"} if is_available() else set()
    assert set(details["ratios"]) == wanted | ({"solids-ramp"} if find_program() else set())
    ramp = details["ramp"]
    assert 0.0 < details["condensed_ms"] == details["condensed"]["condensed_ms"]
    if find_program():
        assert ramp["force_difference"] < 1e-4 and ramp["displacement_difference"] < 1e-4
    result = {"machine": {}, "notes": [], "quick": True, "ratios": details["ratios"], "details": {"solids": details}}
    page = render_markdown(result)
    assert "| TET10 | 162 |" in page and "Exponent of the time against cells" in page
    assert ("CalculiX is not installed" in page) == (find_program() is None)
