"""What is left of a variant that was analysed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Variant(NamedTuple):
    """What one variant left behind: series over time, single numbers, and the reason if it failed."""

    time: np.ndarray | None
    series: dict[str, np.ndarray]
    numbers: dict[str, float]
    failure: str


Job = tuple[int, dict[str, float]]
"""Number of a variant and the values of its parameters."""
