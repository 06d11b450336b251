"""Counter: how far a joint in space has moved, as a coordinate without mass (physics/bodies/counter.py)."""

from __future__ import annotations

from dataclasses import dataclass

from gaitwright.physics.bodies.counter import Counter
from gaitwright.physics.declare import Family
from gaitwright.system.parts.base import Local, Part


@dataclass(frozen=True, kw_only=True, eq=False)
class CounterPart(Part):
    """unit: rad or m."""

    unit: str
    kind: str = "counter"
    family: type[Family] = Counter

    def coordinates(self) -> list[tuple[str, str]]:
        return [(self.name, self.unit)]

    @property
    def centre(self) -> Local | None:
        return None
