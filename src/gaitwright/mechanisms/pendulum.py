"""Pendulums of uniform rods: single, double, n-fold. Paper 001 Fig 2."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model


def pendulum(
    angles: float | Sequence[float] = 0.0,
    *,
    n: int | None = None,
    length: float = 1.0,
    mass: float = 1.0,
    gravity: float = 9.81,
) -> Model:
    """A chain of equal rods hanging from the origin.

    angles: rad from the x axis, one per rod (0: horizontal, the start of paper 001), or one for all of them. n: number of
    rods; default: the number of angles. length: m. mass: kg each. Raises an error if n and the angles do not match."""
    start_angles = [float(angles)] if isinstance(angles, (int, float)) else [float(angle) for angle in angles]
    ErrorContext("pendulum", "angles").radians(start_angles)
    rod_angles = start_angles * n if n is not None and len(start_angles) == 1 else start_angles
    if not rod_angles or len(rod_angles) != (n or len(rod_angles)):
        ErrorContext(field="n").fail(
            f"does not fit to {len(start_angles)} angles", n, "as many rods as there are angles, at least one"
        )
    model = Model(f"{len(rod_angles)}-fold pendulum" if len(rod_angles) > 1 else "pendulum", gravity=(0.0, -gravity))
    model.ground_point("P0", 0.0, 0.0)
    x = y = 0.0
    for k, angle in enumerate(rod_angles, start=1):
        x, y = x + length * math.cos(angle), y + length * math.sin(angle)
        model.point(f"P{k}", x, y)
        model.link(f"rod{k}", f"P{k - 1}", f"P{k}", length=length, mass=mass)
    return model
