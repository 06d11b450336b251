"""Anatomical areas of the sole, as parts of the length of a foot and of the width of its ball.

The forefoot lies between 51 and 81 % of the length, as in a mask of in-shoe pressure (S. Forghany, D. R. Bonanno, H. B. Menz,
K. B. Landorf, J. Foot Ankle Res. 11 (2018) 31, abstract). The other lines are where our drawing has what they divide: the end
of the heel, metatarsals 1 and 2, 3 and 4, the hallux and toe 2 (outline.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.foot.shape import side_of
from gaitwright.mesh.kinds import Array

AREAS = ("heel", "midfoot", "metatarsal_1", "metatarsals_2_3", "metatarsals_4_5", "hallux", "toes")
QUARTERS = {"heel": AREAS[:1], "midfoot": AREAS[1:2], "forefoot": AREAS[2:5], "toes": AREAS[5:]}
"""Coarser: the areas of each."""
HEEL_END, MIDFOOT_END, FOREFOOT_END = 0.31, 0.51, 0.81
"""In lengths of the foot."""
BESIDE_FIRST, BESIDE_THIRD, BESIDE_HALLUX = 0.13, -0.23, 0.11
"""From the heel-toe line to the medial side, in widths of the ball: between metatarsals 1 and 2, 3 and 4, hallux and toe 2."""


def area_of(x: Any, y: Any, *, length: float, ball_width: float, side: str) -> Array:
    """Which of AREAS each point belongs to, as its place in the list. x, y: of points in the frame of a foot, m, of one
    shape; length, ball_width: of the foot, m. Points beyond its ends belong to the nearest area."""
    at = At("areas")
    medial = 1.0 if side_of(side, at) == "right" else -1.0
    along = np.asarray(x, dtype=float) / at["length"].positive(length, "m")
    across = medial * np.asarray(y, dtype=float) / at["ball_width"].positive(ball_width, "m")
    forefoot = np.where(across >= BESIDE_FIRST, 2, np.where(across >= BESIDE_THIRD, 3, 4))
    toes = np.where(across >= BESIDE_HALLUX, 5, 6)
    behind = np.where(along < HEEL_END, 0, 1)
    return np.where(along < MIDFOOT_END, behind, np.where(along < FOREFOOT_END, forefoot, toes))
