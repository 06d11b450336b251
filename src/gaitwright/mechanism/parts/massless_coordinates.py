"""Parts with one coordinate without mass: the displacement of a joint in space (physics/bodies/counter.py), and the position of
a point on a curve (physics/bodies/massless_coordinates.py)."""

from __future__ import annotations

from dataclasses import dataclass

from gaitwright.mechanism.parts.base import Part, PlaceCoordinates
from gaitwright.mechanism.tables import Array
from gaitwright.physics.bodies.counter import Counter
from gaitwright.physics.bodies.surface_parameter import SurfaceParameter
from gaitwright.physics.declarations import Family


@dataclass(frozen=True, kw_only=True, eq=False)
class CounterPart(Part):
    """Part with one massless coordinate. unit: rad or m."""

    unit: str
    kind: str = "counter"
    family: type[Family] = Counter

    def coordinates(self) -> list[tuple[str, str]]:
        return [(self.name, self.unit)]

    @property
    def centre(self) -> PlaceCoordinates | None:
        return None


# Position on a curve --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class SurfaceParameterPart(Part):
    """Part with one massless coordinate. slope: m, length of the curve per unit of the parameter at the start."""

    slope: float
    kind: str = "surface parameter"
    family: type[Family] = SurfaceParameter

    def coordinates(self) -> list[tuple[str, str]]:
        return [(self.name, "1")]

    def scale(self, size: float) -> Array:
        return super().scale(size) * size / self.slope

    @property
    def centre(self) -> PlaceCoordinates | None:
        return None
