"""The three ways of a contact step that are raced find the same forces."""

import pytest

from gaitwright.bench.condensed import measure_condensed


@pytest.mark.slow
def test_all_ways_are_the_same():
    found = measure_condensed(quick=True)
    (row,) = found["rows"]
    assert row["difference"] < 1e-9
    assert 5 < row["touching"] < row["unknowns"] / 3
    assert found["condensed_ms"] > 0.0 and {"full_ms", "dense_ms", "condensation_s", "pays_after"} <= set(row)
