"""Centres of the hips from the markers of the pelvis: published regressions, linear in the sizes of the pelvis.

Origin: the middle between the ASIS; axes: x forward, y up, z to the right, of the pelvis (ISB). Lengths in m.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Regression(NamedTuple):
    """Rows x, y, z (outwards): a + b * width + c * depth. width: between the ASIS. depth: from the middle of the ASIS to
    that of the PSIS."""

    source: str
    rows: tuple[tuple[float, float, float], ...]

    def offset(self, width: float, depth: float) -> np.ndarray:
        """(3,): forward, up, outwards."""
        return np.array(self.rows) @ [1.0, width, depth]


REGRESSIONS = {
    "harrington": Regression(
        "M. E. Harrington et al., J. Biomech. 40 (2007) 595-602",
        ((-0.0099, 0.0, -0.24), (-0.0109, -0.30, 0.0), (0.0073, 0.33, 0.0)),
    ),
    "bell": Regression(
        "A. L. Bell, D. R. Pedersen, R. A. Brand, J. Biomech. 23 (1990) 617-621",
        ((0.0, -0.19, 0.0), (0.0, -0.30, 0.0), (0.0, 0.36, 0.0)),
    ),
}
