"""Factors of small dense matrices, against NumPy."""

import numpy as np
import pytest

from gaitwright.linalg.dense_lu import factorise_dense_lu, solve_dense_lu


@pytest.mark.parametrize("size", [1, 3, 4, 5, 8, 17, 40])
def test_factors_solve(size):
    """Whole and partial panels; zeros on the diagonal require row exchanges; the array may be larger than the matrix."""
    rng = np.random.default_rng(size)
    matrix, wanted = rng.normal(size=(size, size)), rng.normal(size=size)
    if size > 1:
        np.fill_diagonal(matrix, 0.0)
    A, order, x = np.full((50, 50), np.nan), np.zeros(50, dtype=np.int64), np.full(50, np.nan)
    A[:size, :size], x[:size] = matrix, matrix @ wanted
    assert factorise_dense_lu(A, order, size)
    solve_dense_lu(A, order, size, x)
    assert x[:size] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_column_without_pivot_is_reported():
    A = np.ones((6, 6))
    A[:, 4] = 0.0
    assert not factorise_dense_lu(A, np.zeros(6, dtype=np.int64), 6)
