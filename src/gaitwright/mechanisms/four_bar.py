"""Four-bar linkages: one, or a chain with a common crank motion."""

from __future__ import annotations

import math

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model


def _rocker_pin(ax: float, ay: float, coupler: float, rocker: float, ground: float) -> tuple[float, float]:
    """Upper intersection of the circles about A and about the rocker's ground pin; the nearest point if there is
    none."""
    dx, dy = ground - ax, -ay
    span = math.hypot(dx, dy)
    distance_along = (coupler**2 - rocker**2 + span**2) / (2 * span)
    height = math.sqrt(max(coupler**2 - distance_along**2, 0.0))
    return ax + (distance_along * dx - height * dy) / span, ay + (distance_along * dy + height * dx) / span


def four_bar(
    crank: float = 0.1,
    coupler: float = 0.3,
    rocker: float = 0.25,
    ground: float = 0.3,
    *,
    angle: float = 0.0,
    speed: float | None = 2 * math.pi,
    density: float = 0.25,
    gravity: float = 9.81,
) -> Model:
    """A four-bar linkage with its crank at the origin, drawn with the coupler above.

    Lengths in m, angle of the crank at the start in rad, speed of the crank in rad/s (None: no drive), density of the
    bars in kg/m."""
    ErrorContext("four-bar", "angle").radians(angle)
    model = Model("four-bar", gravity=(0.0, -gravity))
    ax, ay = crank * math.cos(angle), crank * math.sin(angle)
    bx, by = _rocker_pin(ax, ay, coupler, rocker, ground)
    model.ground_point("O", 0.0, 0.0).ground_point("C", ground, 0.0).point("A", ax, ay).point("B", bx, by)
    model.link("crank", "O", "A", length=crank, mass=density * crank)
    model.link("coupler", "A", "B", length=coupler, mass=density * coupler)
    model.link("rocker", "C", "B", length=rocker, mass=density * rocker)
    if speed is not None:
        model.drive.rotation("crank", f"{angle!r} + {speed!r}*t")
    return model


def four_bar_chain(loops: int, *, speed: float = 2 * math.pi, density: float = 0.25, gravity: float = 9.81) -> Model:
    """`loops` four-bars in a row: the rocker of one is the crank of the next, all driven by the first crank.

    Parallelograms with 0.1 m cranks and 0.3 m couplers. They would be singular when flat, so the first crank oscillates
    between 60 and 120 degrees. All cranks are parallel: with unequal lengths, the small gain of one loop would grow to the
    power of the number of loops, and a chain of 1000 could not move. speed: angular frequency of the oscillation, rad/s."""
    crank, coupler = 0.1, 0.3
    model = Model(f"chain of {loops} four-bars", gravity=(0.0, -gravity))
    model.ground_point("O0", 0.0, 0.0).point("A0", 0.0, crank)
    model.link("crank0", "O0", "A0", length=crank, mass=density * crank)
    for k in range(1, loops + 1):
        model.ground_point(f"O{k}", k * coupler, 0.0).point(f"A{k}", k * coupler, crank)
        model.link(f"coupler{k}", f"A{k - 1}", f"A{k}", length=coupler, mass=density * coupler)
        model.link(f"crank{k}", f"O{k}", f"A{k}", length=crank, mass=density * crank)
    model.drive.rotation("crank0", f"pi/2 + pi/6*sin({speed!r}*t)")
    return model
