"""Replace rounding errors by 0 in tables: numbers that are tiny beside the largest of their unit or column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

NOISE_RTOL = 1e-9
"""Ratio to the largest number of a unit below which another number is a rounding error: -1.96e-14 m beside lengths of 0.3 m."""
UNIT_HEADER = "unit"
"""Header of the column that holds the unit of each row."""


def zero_noise(value: Any, scale: float) -> Any:
    """The value, or 0 if it is a number that is noise relative to the scale."""
    return 0.0 if is_float(value) and abs(value) < NOISE_RTOL * scale else value


def zero_table_noise(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Replace rounding errors in the rows of a table by 0. With a column of units, numbers of rows with the same unit are
    compared; otherwise the numbers of each column."""
    column = list(header).index(UNIT_HEADER) if UNIT_HEADER in header else None
    groups: dict[Any, float] = {}

    def group(row: Sequence[Any], k: int) -> Any:
        return k if column is None else str(row[column])

    for row in rows:
        for k, cell in enumerate(row):
            if is_float(cell):
                groups[group(row, k)] = max(groups.get(group(row, k), 0.0), abs(float(cell)))
    return [[zero_noise(cell, groups.get(group(row, k), 0.0)) for k, cell in enumerate(row)] for row in rows]


def is_float(cell: Any) -> bool:
    """True for finite floats; counts are exact, and texts remain unchanged."""
    return isinstance(cell, (float, np.floating)) and bool(np.isfinite(cell))
