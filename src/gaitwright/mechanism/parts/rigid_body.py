"""Common base of planar and spatial rigid bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.mechanism.parts.base import Part, PlaceCoordinates
from gaitwright.mechanism.tables import GROUND, Array
from gaitwright.physics.declarations import Family


@dataclass(frozen=True, kw_only=True, eq=False)
class RigidBodyPart(Part):
    """A rigid body: a link, a body, or the ground. Its places are points in its own frame, m.

    inertia: kg m^2, about the centre of mass: a number in the plane, (3, 3) in the body frame in space. matrix: mass matrix
    of all its coordinates. middle: the centre of mass in its frame. shapes: its appearance, if given: evaluated entries of a
    document."""

    inertia: Any
    matrix: Array
    middle: PlaceCoordinates
    shapes: tuple[Any, ...] = ()
    rigid: ClassVar[bool] = True

    @property
    def centre(self) -> PlaceCoordinates:
        return self.middle

    @property
    def shared(self) -> Sequence[str]:
        return list(self.points) if self.kind == "link" else ()

    def place(self, name: str) -> PlaceCoordinates | None:
        if name in self.points:
            return self.points[name]
        return {"centre": self.middle, "origin": (0.0,) * self.family.dimension}.get(name)

    def known_places(self) -> str:
        return f"one of its points ({', '.join(self.points) or 'none'}, centre, origin)"

    def carried(self, places: Array) -> tuple[type[Family], Array, Array]:
        """Return family, coordinates in the tables (the same for all) and parameters (points, numbers) of many of its points
        (points, d), m, for contacts."""
        raise NotImplementedError

    def positions(self, q: Array, places: Array) -> Array:
        """Return the positions of many of its points (points, d), m, in poses q (..., n + 1): (..., points, d), m."""
        raise NotImplementedError

    def mass_entries(self) -> tuple[Array, Array, Array]:
        row, col = np.nonzero(self.matrix)
        return self.index[row], self.index[col], self.matrix[row, col]

    @property
    def length(self) -> float:
        """Approximate largest distance of two points; with a single point, from the centre."""
        points = [*self.points.values(), *([self.middle] if len(self.points) < 2 else [])]
        if len(points) < 2:
            return 0.0
        # diagonal of the bounding box: at most 1.7 times the distance
        return float(np.linalg.norm(np.ptp(np.array(points), axis=0)))

    def extent(self) -> float:
        return max((math.dist(at, self.middle) for at in self.points.values()), default=0.0)

    def drawn_places(self) -> list[Any]:
        return [self.drawn[: self.family.dimension]]


def ground_fields(count: int) -> dict[str, Any]:
    """Coordinates of the ground: zero, without entries in the tables."""
    return {"drawn": np.zeros(count), "index": np.full(count, GROUND), "matrix": np.zeros((count, count))}
