"""Distinct entries found by sorting and by counting are equal."""

import numpy as np
import pytest

from gaitwright.mechanism import element_matrices as module
from gaitwright.mechanism.element_matrices import find_unique_entries


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("count", "n_rows", "n_cols"), [(0, 1, 1), (1, 1, 1), (500, 7, 40), (500, 300, 1), (500, 3000, 3000)]
)
def test_entries_are_numbered_by_row_and_column(kind, count, n_rows, n_cols, monkeypatch):
    rng = np.random.default_rng(3)
    rows, cols = (rng.integers(0, n, count).astype(kind) for n in (n_rows, n_cols))
    pairs = sorted({(int(r), int(c)) for r, c in zip(rows, cols, strict=True)})
    for few in (10_000, -1):
        monkeypatch.setattr(module, "MAX_SORTED_ENTRIES", few)
        row, col, which = find_unique_entries(rows, cols, n_rows, n_cols)
        assert list(zip(row.tolist(), col.tolist(), strict=True)) == pairs
        assert np.array_equal(row[which], rows) and np.array_equal(col[which], cols)


def test_keys_of_large_matrices_do_not_overflow():
    rows, cols = np.array([99_999, 0, 99_999], dtype=np.int32), np.array([99_998, 0, 99_998], dtype=np.int32)
    row, col, which = find_unique_entries(rows, cols, 100_000, 100_000)
    assert (row.tolist(), col.tolist(), which.tolist()) == ([0, 99_999], [0, 99_998], [1, 0, 1])
