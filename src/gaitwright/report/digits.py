"""Numbers that are nothing but rounding are shown as 0: each beside the largest number of its unit or its column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

NOISE = 1e-9
"""Part of the largest number of a unit below which another one is rounding: -1.96e-14 m beside lengths of 0.3 m."""
UNIT = "unit"
"""Heading of the column that says the unit of each row."""


def quiet(value: Any, scale: float) -> Any:
    """The value, or 0 if it is a number that is noise beside the scale."""
    return 0.0 if is_float(value) and abs(value) < NOISE * scale else value


def without_noise(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Rows of a table in which numbers that are rounding are 0. Those of rows with the same unit belong together where a column
    says the unit; otherwise those of a column do."""
    column = list(header).index(UNIT) if UNIT in header else None
    groups: dict[Any, float] = {}

    def group(row: Sequence[Any], k: int) -> Any:
        return k if column is None else str(row[column])

    for row in rows:
        for k, cell in enumerate(row):
            if is_float(cell):
                groups[group(row, k)] = max(groups.get(group(row, k), 0.0), abs(float(cell)))
    return [[quiet(cell, groups.get(group(row, k), 0.0)) for k, cell in enumerate(row)] for row in rows]


def is_float(cell: Any) -> bool:
    """Counts are exact; texts are as they were written."""
    return isinstance(cell, (float, np.floating)) and bool(np.isfinite(cell))
