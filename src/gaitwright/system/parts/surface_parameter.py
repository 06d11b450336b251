"""Surface parameter: where on a curve a point is, as a coordinate without mass (physics/bodies/surface_parameter.py)."""

from __future__ import annotations

from dataclasses import dataclass

from gaitwright.physics.bodies.surface_parameter import SurfaceParameter
from gaitwright.physics.declare import Family
from gaitwright.system.parts.base import Local, Part
from gaitwright.system.tables import Array


@dataclass(frozen=True, kw_only=True, eq=False)
class SurfaceParameterPart(Part):
    """slope: m, length of the curve per unit of the parameter at the start."""

    slope: float
    kind: str = "surface parameter"
    family: type[Family] = SurfaceParameter

    def coordinates(self) -> list[tuple[str, str]]:
        return [(self.name, "1")]

    def scale(self, size: float) -> Array:
        return super().scale(size) * size / self.slope

    @property
    def centre(self) -> Local | None:
        return None
