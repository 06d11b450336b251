"""Result of one variant of a sweep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class VariantResult(NamedTuple):
    """Result of one variant. time: s, (n_samples,). series: outputs over time, (n_samples,). numbers: scalars by name. failure:
    reason, or empty."""

    time: np.ndarray | None
    series: dict[str, np.ndarray]
    numbers: dict[str, float]
    failure: str


VariantJob = tuple[int, dict[str, float]]
"""Number of a variant and the values of its parameters."""
