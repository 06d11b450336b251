"""Curves of points, for pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitwright.checks import At, did_you_mean
from gaitwright.result.outputs import Motion
from gaitwright.system.mechanism import Mechanism

FEW = 20
"""Points that a message offers."""


def traces(mechanism: Mechanism, motion: Motion, names: Sequence[str] | None) -> dict[str, np.ndarray]:
    """Where points such as F, leg.F or rod.node3 go: (n_times, dimension), m, by name."""
    return {name: _trace(mechanism, motion, name) for name in names or ()}


def _trace(mechanism: Mechanism, motion: Motion, name: str) -> np.ndarray:
    owner, _, point = name.rpartition(".")
    for part in mechanism.parts.values():
        place = part.place(point) if owner == part.name or (not owner and point in part.points) else None
        if place is not None:
            return part.position(motion.q, place)
    known = [f"{part.name}.{point}" for part in mechanism.parts.values() for point in part.points]
    some = f"one of {', '.join(known[:FEW])}{', ...' if len(known) > FEW else ''}{did_you_mean(name, known)}"
    return At(field="trace").fail(f"there is no point '{name}' to trace", expected=some if known else "")
