"""Counter: displacement of a joint in space, as a coordinate without mass (physics/bodies/counter.py)."""

from __future__ import annotations

from dataclasses import dataclass

from gaitwright.mechanism.parts.base import Part, PlaceCoordinates
from gaitwright.physics.bodies.counter import Counter
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
