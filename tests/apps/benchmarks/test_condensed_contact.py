"""The three compared methods for a contact step give the same forces."""

import pytest

from gaitwright_apps.benchmarks.condensed_contact import measure_condensed


@pytest.mark.slow
def test_all_methods_give_the_same_forces():
    results = measure_condensed(quick=True)
    (row,) = results["rows"]
    assert row["difference"] < 1e-9
    assert 5 < row["touching"] < row["unknowns"] / 3
    assert results["condensed_ms"] > 0.0 and {"full_ms", "dense_ms", "condensation_s", "pays_after"} <= set(row)
