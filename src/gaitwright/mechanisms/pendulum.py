"""Pendulums of uniform rods: single, double, n-fold. Paper 001 Fig 2."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaitwright.model.model import Model


def pendulum(
    angles: Sequence[float] = (0.0,), *, length: float = 1.0, mass: float = 1.0, gravity: float = 9.81
) -> Model:
    """A chain of equal rods hanging from the origin.

    angles: rad against the x axis, one per rod (0: horizontal, the start of paper 001). length: m. mass: kg each."""
    model = Model(f"{len(angles)}-fold pendulum" if len(angles) > 1 else "pendulum", gravity=(0.0, -gravity))
    model.ground_point("P0", 0.0, 0.0)
    x = y = 0.0
    for k, angle in enumerate(angles, start=1):
        x, y = x + length * math.cos(angle), y + length * math.sin(angle)
        model.point(f"P{k}", x, y)
        model.link(f"rod{k}", f"P{k - 1}", f"P{k}", length=length, mass=mass)
    return model
