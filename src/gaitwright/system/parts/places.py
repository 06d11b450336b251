"""A place of a part in terms of coordinates, and with numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.physics.declare import Family, Place, Point
from gaitwright.system.tables import Array

Local = tuple[float, ...]
"""A place of a part, as the part counts it."""


class Marked(NamedTuple):
    """What stands at a place: a marker of this family, on these coordinates of the tables (GROUND where there is none, those of
    another part where it moves with that), with these local parameters."""

    family: type[Family]
    index: Array
    local: Sequence[float]


class DrawnMarker(NamedTuple):
    """A place of the plane with numbers: what `Declaration.drawn` sees. angle: None if nothing there has axes."""

    position: tuple[float, float]
    angle: Any

    def direction(self, vector: Sequence[float]) -> tuple[float, float]:
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (c * vector[0] - s * vector[1], s * vector[0] + c * vector[1])


def numeric(family: type[Family], values: Sequence[Any] | Array, local: Sequence[float]) -> Any:
    """The marker at a place with numbers instead of symbols, or with arrays of them. values: of the coordinates."""
    kind = family.markers[Point if Point in family.markers else Place]
    return kind.build(*(values[k] for k in kind.coordinates), *local)


def linear_place(family: type[Family], local: Sequence[float]) -> tuple[Array, Array]:
    """The position of a place that is linear in coordinates: where it is if they are zero, and its rows."""
    offered = family.components(*local)
    start, block = np.zeros(family.dimension), np.zeros((family.dimension, len(family.coordinates)))
    for axis in range(family.dimension):
        place = offered["position", axis]
        start[axis] = place.constant
        for coordinate, weight in place.terms:
            block[axis, coordinate] = weight
    return start, block
