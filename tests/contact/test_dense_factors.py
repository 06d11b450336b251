"""Factors of small full matrices, against NumPy."""

import numpy as np
import pytest

from gaitwright.contact.dense_factors import factorise, solve


@pytest.mark.parametrize("size", [1, 3, 4, 5, 8, 17, 40])
def test_factors_solve(size):
    """Whole panels and rests of them; zeros on the diagonal need rows to be exchanged; there may be room beside."""
    rng = np.random.default_rng(size)
    matrix, wanted = rng.normal(size=(size, size)), rng.normal(size=size)
    if size > 1:
        np.fill_diagonal(matrix, 0.0)
    A, order, x = np.full((50, 50), np.nan), np.zeros(50, dtype=np.int64), np.full(50, np.nan)
    A[:size, :size], x[:size] = matrix, matrix @ wanted
    assert factorise(A, order, size)
    solve(A, order, size, x)
    assert x[:size] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_a_column_without_pivot_has_no_factors():
    A = np.ones((6, 6))
    A[:, 4] = 0.0
    assert not factorise(A, np.zeros(6, dtype=np.int64), 6)
