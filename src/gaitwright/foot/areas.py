"""Anatomical areas of the sole, as fractions of foot length and ball width.

The forefoot lies between 51 and 81 % of the length, as in a mask of in-shoe pressure (S. Forghany, D. R. Bonanno, H. B. Menz,
K. B. Landorf, J. Foot Ankle Res. 11 (2018) 31, abstract). The other lines follow our parametric foot: the end of the heel,
the borders between metatarsals 1 and 2, 3 and 4, and between hallux and toe 2 (parametric_outline.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.shape import check_side
from gaitwright.mesh.cell_kinds import Array

AREAS = ("heel", "midfoot", "metatarsal_1", "metatarsals_2_3", "metatarsals_4_5", "hallux", "toes")
AREA_GROUPS = {"heel": AREAS[:1], "midfoot": AREAS[1:2], "forefoot": AREAS[2:5], "toes": AREAS[5:]}
"""Coarser areas, and the areas that each contains."""
HEEL_END_RATIO, MIDFOOT_END_RATIO, FOREFOOT_END_RATIO = 0.31, 0.51, 0.81
"""Ends of the areas, in foot lengths."""
METATARSALS_1_2_BORDER_RATIO, METATARSALS_3_4_BORDER_RATIO, HALLUX_BORDER_RATIO = 0.13, -0.23, 0.11
"""Distance from the heel-toe line to the medial side, in ball widths: borders between metatarsals 1 and 2, 3 and 4,
and between hallux and toe 2."""


def area_of(x: Any, y: Any, *, length: float, ball_width: float, side: str) -> Array:
    """Index into AREAS of each point. x, y: of points in the frame of a foot, m, of equal shape; length, ball_width:
    of the foot, m. Points beyond its ends belong to the nearest area."""
    at = ErrorContext("areas")
    medial = 1.0 if check_side(side, at) == "right" else -1.0
    along = np.asarray(x, dtype=float) / at["length"].positive(length, "m")
    across = medial * np.asarray(y, dtype=float) / at["ball_width"].positive(ball_width, "m")
    forefoot = np.where(
        across >= METATARSALS_1_2_BORDER_RATIO, 2, np.where(across >= METATARSALS_3_4_BORDER_RATIO, 3, 4)
    )
    toes = np.where(across >= HALLUX_BORDER_RATIO, 5, 6)
    behind = np.where(along < HEEL_END_RATIO, 0, 1)
    return np.where(along < MIDFOOT_END_RATIO, behind, np.where(along < FOREFOOT_END_RATIO, forefoot, toes))
