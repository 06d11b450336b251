"""Surface parameter: position of a point on a curve, as a coordinate without mass (physics/bodies/surface_parameter.py)."""

from __future__ import annotations

from dataclasses import dataclass

from gaitwright.mechanism.parts.base import Part, PlaceCoordinates
from gaitwright.mechanism.tables import Array
from gaitwright.physics.bodies.surface_parameter import SurfaceParameter
from gaitwright.physics.declarations import Family


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
