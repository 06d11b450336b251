"""The benchmark of solids times the same work."""

import pytest

from gaitwright.bench import solids
from gaitwright.bench.calculix_peer import program
from gaitwright.bench.page import markdown
from gaitwright.bench.scikit_fem_peer import available


@pytest.mark.slow
def test_elements_and_a_ramp_are_timed():
    """Without a peer its ratio is missing, and the reason is said; with CalculiX the answers are the same."""
    details = solids.measure(quick=True)
    assert set(details["elements"]) == {"TET4", "TET10"}
    wanted = {"solids-assembly"} if available() else set()
    assert set(details["ratios"]) == wanted | ({"solids-ramp"} if program() else set())
    ramp = details["ramp"]
    assert 0.0 < details["condensed_ms"] == details["condensed"]["condensed_ms"]
    if program():
        assert ramp["force_difference"] < 1e-4 and ramp["displacement_difference"] < 1e-4
    result = {"machine": {}, "notes": [], "quick": True, "ratios": details["ratios"], "details": {"solids": details}}
    page = markdown(result)
    assert "| TET10 | 162 |" in page and "Exponent of the time against cells" in page
    assert ("CalculiX is not installed" in page) == (program() is None)
