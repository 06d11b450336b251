"""The matrix of statics where solids touch each other: only the entries that are there are factorised.

Each point may slide to any face of the other solid, and K has an entry for every such pair of nodes, nearly all of them zero (a
foot of 1,000 nodes on a mat: 2.1 million, of which 100,000 are not). With all of them a factorisation takes seconds instead of
tens of milliseconds. The order of elimination is found anew where entries come that were not there: that is cheap.
"""

from __future__ import annotations

import numpy as np

from gaitwright.analyse.statics.saddle import Large, Places
from gaitwright.system.tables import Array

SPARE = 2.0
"""Entries that have a place, in those that are there, beyond which what was there before is forgotten."""


class Sliding(Large):
    """Keeps pattern, order and factors of what touches at present and did before."""

    def _first(self) -> Places:
        none = np.zeros(0, dtype=np.int64)
        return self._places(none, none)

    def fit(self, stiffness: Array) -> None:
        there, known = stiffness != 0.0, np.zeros(stiffness.size, dtype=bool)
        if not isinstance(self.part, slice):
            known[self.part] = True
            if not np.any(there & ~known):
                return
        few = np.count_nonzero(known) < SPARE * np.count_nonzero(there)
        self.part = np.flatnonzero(there | known if few else there)
        self.whole = self._places(self.s.k_row[self.part], self.s.k_col[self.part])
        self.direct = self.whole.direct

    def is_symmetric(self, stiffness: Array) -> bool:
        there = np.flatnonzero(stiffness)
        values = stiffness[there]
        off = np.max(np.abs(values - np.append(stiffness, 0.0)[self.mirror[there]]), initial=0.0)
        return bool(off <= 1e-10 * np.max(np.abs(values), initial=0.0))
