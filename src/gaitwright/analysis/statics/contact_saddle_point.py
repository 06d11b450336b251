"""The matrix of statics for solids in contact with each other: only nonzero entries are factorised.

Each point may slide to any face of the other solid, and K has an entry for every such pair of nodes, nearly all of them zero (a
foot of 1,000 nodes on a mat: 2.1 million entries, 100,000 of them nonzero). With all of them a factorisation takes seconds
instead of tens of milliseconds. The order of elimination is computed anew when new entries become nonzero, which is cheap.
"""

from __future__ import annotations

import numpy as np

from gaitwright.analysis.statics.saddle_point import LargeSaddlePoint, SaddlePointPattern
from gaitwright.mechanism.tables import Array

MAX_PATTERN_SURPLUS_RATIO = 2.0
"""Ratio of entries in the pattern to nonzero entries above which entries of earlier poses are dropped from the pattern."""


class ContactSaddlePoint(LargeSaddlePoint):
    """Saddle-point matrix with pattern, order and factors for present and earlier contacts."""

    def _first(self) -> SaddlePointPattern:
        none = np.zeros(0, dtype=np.int64)
        return self._places(none, none)

    def fit(self, stiffness: Array) -> None:
        nonzero, in_pattern = stiffness != 0.0, np.zeros(stiffness.size, dtype=bool)
        if not isinstance(self.part, slice):
            in_pattern[self.part] = True
            if not np.any(nonzero & ~in_pattern):
                return
        keep_pattern = np.count_nonzero(in_pattern) < MAX_PATTERN_SURPLUS_RATIO * np.count_nonzero(nonzero)
        self.part = np.flatnonzero(nonzero | in_pattern if keep_pattern else nonzero)
        self.whole = self._places(self.s.k_row[self.part], self.s.k_col[self.part])
        self.direct = self.whole.direct

    def is_symmetric(self, stiffness: Array) -> bool:
        nonzero = np.flatnonzero(stiffness)
        values = stiffness[nonzero]
        off = np.max(np.abs(values - np.append(stiffness, 0.0)[self.mirror[nonzero]]), initial=0.0)
        return bool(off <= 1e-10 * np.max(np.abs(values), initial=0.0))
