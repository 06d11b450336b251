"""Matrices of many elements, summed into one list of distinct entries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitwright.system.distinct import distinct
from gaitwright.system.tables import Array


class ElementMatrices:
    """Where square matrices of elements go in a list of distinct entries (row, column).

    elements: for each group of elements of one size, which coordinates they have, (elements, k); negative ones have no
    entries."""

    def __init__(self, diagonal: Array, elements: Sequence[Array]):
        """diagonal: coordinates that have an entry on the diagonal in any case."""
        rows = np.concatenate([diagonal, *(np.repeat(e, e.shape[1], axis=1).ravel() for e in elements)])
        cols = np.concatenate([diagonal, *(np.tile(e, (1, e.shape[1])).ravel() for e in elements)])
        self.there = (rows >= 0) & (cols >= 0)
        size = int(rows.max(initial=0)) + 1
        self.row, self.col, self.place = distinct(rows[self.there], cols[self.there], size, size)

    def summed(self, diagonal: Array, matrices: Sequence[Array]) -> Array:
        """Values on the distinct entries."""
        values = np.concatenate([diagonal, *(matrix.ravel() for matrix in matrices)])
        return np.bincount(self.place, values[self.there], minlength=self.row.size)
