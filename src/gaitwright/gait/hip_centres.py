"""Hip centres from pelvis markers: published regressions, linear in the dimensions of the pelvis and the length of the leg.

Origin: midpoint of the ASIS; axes of the pelvis (ISB): x forward, y up, z to the right. Lengths in m.

R. B. Davis' regression, of the conventional gait model, in his symbols, with the radius m of the markers, the leg length l from
ASIS to inner malleolus, a = 0.1288 l - 0.04856 and C = 0.115 l - 0.0153:

    forward   C cos(28.4 deg) sin(18 deg) - (a + m) cos(18 deg)
    up       -C cos(28.4 deg) cos(18 deg) - (a + m) sin(18 deg)
    outwards  width / 2 - C sin(28.4 deg)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MARKER_RADIUS_M = 0.007
"""m: radius of the markers of the conventional gait model."""
LEG_LENGTH_TO_INNER_MALLEOLUS_PER_BODY_HEIGHT = 0.53
"""Leg length from ASIS to inner malleolus over body height, used where it is not given. OUR choice: usual values are 0.52 to
0.54; 2 % of the leg length move the hip by 3 mm."""


class HipCentreRegression(NamedTuple):
    """Rows x, y, z (outwards): a + b * width + c * depth + d * leg. width: between the ASIS. depth: from the midpoint of the
    ASIS to that of the PSIS. leg: from ASIS to inner malleolus."""

    source: str
    rows: tuple[tuple[float, float, float, float], ...]

    def offset(self, width: float, depth: float, leg: float = 0.0) -> np.ndarray:
        """Position of the hip (3,), m: forward, up, outwards."""
        return np.array(self.rows) @ [1.0, width, depth, leg]

    @property
    def needs_leg(self) -> bool:
        return any(row[3] for row in self.rows)


def _davis_rows() -> tuple[tuple[float, float, float, float], ...]:
    theta, beta = 0.5, 0.314  # rad, of Davis
    sizes = np.array([-0.0153, 0.0, 0.0, 0.115]), np.array([MARKER_RADIUS_M - 0.04856, 0.0, 0.0, 0.1288])
    forward = np.cos(theta) * np.sin(beta) * sizes[0] - np.cos(beta) * sizes[1]
    up = -np.cos(theta) * np.cos(beta) * sizes[0] - np.sin(beta) * sizes[1]
    outwards = np.array([0.0, 0.5, 0.0, 0.0]) - np.sin(theta) * sizes[0]
    forward, up, outwards = (tuple(float(v) for v in row) for row in (forward, up, outwards))
    return forward, up, outwards  # type: ignore[return-value]


HIP_CENTRE_REGRESSIONS = {
    "harrington": HipCentreRegression(
        "M. E. Harrington et al., J. Biomech. 40 (2007) 595-602",
        ((-0.0099, 0.0, -0.24, 0.0), (-0.0109, -0.30, 0.0, 0.0), (0.0073, 0.33, 0.0, 0.0)),
    ),
    "bell": HipCentreRegression(
        "A. L. Bell, D. R. Pedersen, R. A. Brand, J. Biomech. 23 (1990) 617-621",
        ((0.0, -0.19, 0.0, 0.0), (0.0, -0.30, 0.0, 0.0), (0.0, 0.36, 0.0, 0.0)),
    ),
    "davis": HipCentreRegression("R. B. Davis et al., Hum. Mov. Sci. 10 (1991) 575-587", _davis_rows()),
}
