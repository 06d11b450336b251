"""Hip centres from pelvis markers: published regressions, linear in the dimensions of the pelvis.

Origin: midpoint of the ASIS; axes of the pelvis (ISB): x forward, y up, z to the right. Lengths in m.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class HipCentreRegression(NamedTuple):
    """Rows x, y, z (outwards): a + b * width + c * depth. width: between the ASIS. depth: from the midpoint of the ASIS to
    that of the PSIS."""

    source: str
    rows: tuple[tuple[float, float, float], ...]

    def offset(self, width: float, depth: float) -> np.ndarray:
        """Position of the hip (3,), m: forward, up, outwards."""
        return np.array(self.rows) @ [1.0, width, depth]


HIP_CENTRE_REGRESSIONS = {
    "harrington": HipCentreRegression(
        "M. E. Harrington et al., J. Biomech. 40 (2007) 595-602",
        ((-0.0099, 0.0, -0.24), (-0.0109, -0.30, 0.0), (0.0073, 0.33, 0.0)),
    ),
    "bell": HipCentreRegression(
        "A. L. Bell, D. R. Pedersen, R. A. Brand, J. Biomech. 23 (1990) 617-621",
        ((0.0, -0.19, 0.0), (0.0, -0.30, 0.0), (0.0, 0.36, 0.0)),
    ),
}
