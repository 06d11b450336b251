"""Paths of points, for pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.outputs import StateHistory

MAX_SUGGESTED_POINTS = 20
"""Maximum number of points listed in a message."""


def point_traces(mechanism: Mechanism, motion: StateHistory, names: Sequence[str] | None) -> dict[str, np.ndarray]:
    """Paths of points such as F, leg.F or rod.node3: (n_times, dimension), m, by name."""
    return {name: _point_trace(mechanism, motion, name) for name in names or ()}


def _point_trace(mechanism: Mechanism, motion: StateHistory, name: str) -> np.ndarray:
    owner, _, point = name.rpartition(".")
    for part in mechanism.parts.values():
        place = part.place(point) if owner == part.name or (not owner and point in part.points) else None
        if place is not None:
            return part.position(motion.q, place)
    points = [f"{part.name}.{point}" for part in mechanism.parts.values() for point in part.points]
    ellipsis = ", ..." if len(points) > MAX_SUGGESTED_POINTS else ""
    expected = f"one of {', '.join(points[:MAX_SUGGESTED_POINTS])}{ellipsis}{suggest_spelling(name, points)}"
    return ErrorContext(field="trace").fail(f"there is no point '{name}' to trace", expected=expected if points else "")
