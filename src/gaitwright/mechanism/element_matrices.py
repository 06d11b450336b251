"""Assembly of element matrices into one list of distinct entries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitwright.mechanism.tables import Array
from gaitwright.mechanism.unique_entries import find_unique_entries


class ElementMatrices:
    """Positions of square element matrices in a list of distinct entries (row, column).

    elements: coordinates of each element, one array (elements, k) for each group of elements of one size; negative ones have
    no entries."""

    def __init__(self, diagonal: Array, elements: Sequence[Array]):
        """diagonal: coordinates that always have an entry on the diagonal."""
        rows = np.concatenate([diagonal, *(np.repeat(e, e.shape[1], axis=1).ravel() for e in elements)])
        cols = np.concatenate([diagonal, *(np.tile(e, (1, e.shape[1])).ravel() for e in elements)])
        self.there = (rows >= 0) & (cols >= 0)
        size = int(rows.max(initial=0)) + 1
        self.row, self.col, self.place = find_unique_entries(rows[self.there], cols[self.there], size, size)

    def summed(self, diagonal: Array, matrices: Sequence[Array]) -> Array:
        """Sum the values on the distinct entries."""
        values = np.concatenate([diagonal, *(matrix.ravel() for matrix in matrices)])
        return np.bincount(self.place, values[self.there], minlength=self.row.size)
