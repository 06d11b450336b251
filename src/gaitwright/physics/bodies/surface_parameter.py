"""Surface parameter: where on a curve a point is, as a coordinate of its own without mass (paper 003 Eq 5.16 to 5.18).

The condition that ties it to its curve (joints/point_on_curve.py) braces it, as system/brace.py does with counters in space.
"""

from __future__ import annotations

from typing import Any

from gaitwright.physics.bodies.counter import CounterMarker
from gaitwright.physics.declare import Family, Linear, MarkerKind, Travel


class SurfaceParameter(Family):
    name = "surface-parameter"
    dimension = 2
    coordinates = ("s",)
    units = ("1",)
    markers = {Travel: MarkerKind((0,), (), CounterMarker)}

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], Linear]:
        return {("travel",): Linear(0.0, ((0, 1.0),))}
