"""The benchmark of solids times the same work."""

import pytest

from gaitwright.bench import solids
from gaitwright.bench.page import markdown
from gaitwright.bench.scikit_fem_peer import available


@pytest.mark.slow
def test_elements_are_timed():
    details = solids.measure(quick=True)
    assert set(details["elements"]) == {"TET4", "TET10"}
    assert set(details["ratios"]) == ({"solids-TET4", "solids-TET10"} if available() else set())
    result = {"machine": {}, "notes": [], "quick": True, "ratios": details["ratios"], "details": {"solids": details}}
    assert "| TET10 | 162 |" in markdown(result)
