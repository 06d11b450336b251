"""Places of a part: in terms of coordinates, and evaluated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.mechanism.tables import Array
from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.declarations import Family

PlaceCoordinates = tuple[float, ...]
"""Coordinates of a place in the numbering of its part."""


class PlacedMarker(NamedTuple):
    """Marker at a place: its family, its coordinates in the tables (GROUND for the ground, those of another part if the place
    moves with that part), and its local parameters."""

    family: type[Family]
    index: Array
    local: Sequence[float]


class DrawnMarker(NamedTuple):
    """Evaluated place in the plane, as passed to `Declaration.drawn`. angle: None if the place has no axes."""

    position: tuple[float, float]
    angle: Any

    def direction(self, vector: Sequence[float]) -> tuple[float, float]:
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (c * vector[0] - s * vector[1], s * vector[0] + c * vector[1])


def numeric_marker(family: type[Family], values: Sequence[Any] | Array, local: Sequence[float]) -> Any:
    """Return the marker at a place evaluated with numbers or arrays instead of symbols. values: of the coordinates."""
    kind = family.markers[Point if Point in family.markers else Place]
    return kind.build(*(values[k] for k in kind.coordinates), *local)


def linear_position(family: type[Family], local: Sequence[float]) -> tuple[Array, Array]:
    """Return the position of a place that is linear in the coordinates: its constant part and its rows."""
    components = family.components(*local)
    start, block = np.zeros(family.dimension), np.zeros((family.dimension, len(family.coordinates)))
    for axis in range(family.dimension):
        place = components["position", axis]
        start[axis] = place.constant
        for coordinate, weight in place.terms:
            block[axis, coordinate] = weight
    return start, block
