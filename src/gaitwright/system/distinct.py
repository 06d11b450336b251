"""Distinct entries of a sparse matrix that many elements fill: their numbers, by row and column."""

from __future__ import annotations

import numpy as np

from gaitwright.system.tables import Array

FEW = 10_000
"""Entries up to which sorting their keys takes no longer than counting them."""


def distinct(rows: Array, cols: Array, n_rows: int, n_cols: int) -> tuple[Array, Array, Array]:
    """Row and column of each distinct entry, sorted by row and then by column, and which of them each of the given is.

    Many entries are sorted by counting, first by column and then by row: 5.8 million of 40,000 elements with twelve
    coordinates take 0.4 s, 2.7 with their keys sorted."""
    if rows.size <= FEW:
        found, which = np.unique(rows * np.int64(n_cols) + cols, return_inverse=True)
        return (found // n_cols).astype(np.int32), (found % n_cols).astype(np.int32), which.astype(np.int32)
    order = _counted(cols, n_cols)
    order = order[_counted(rows[order], n_rows)]
    r, c = rows[order].astype(np.int32), cols[order].astype(np.int32)
    first = np.ones(r.size, dtype=bool)
    first[1:] = (r[1:] != r[:-1]) | (c[1:] != c[:-1])
    which = np.empty(r.size, dtype=np.int32)
    which[order] = np.cumsum(first, dtype=np.int32) - 1
    return r[first], c[first], which


def _counted(values: Array, count: int) -> Array:
    """The stable order of whole numbers below `count`: that in which a library transposes a matrix with one in each row."""
    from scipy.sparse import csr_array

    ones, places = np.ones(values.size, dtype=np.int8), np.arange(values.size + 1)
    return csr_array((ones, values, places), shape=(values.size, count)).tocsc().indices
