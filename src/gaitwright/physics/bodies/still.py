"""What a contact finds at a place without axes: it touches like a body that does not turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.bodies.spatial import UNIT, SpatialMarker
from gaitwright.physics.declare import Declaration, Family, MarkerKind, Place, Pose

STILL: dict[int, Callable[[Any], Any]] = {
    2: lambda position: Marker(position, (1, 0), 0, True),
    3: lambda position: SpatialMarker(position, UNIT),
}
"""By dimension: a marker at a position, with the axes of the ground."""


def marker_of(declaration: type[Declaration], kind: Any, family: type[Family]) -> MarkerKind:
    """The marker that a declaration finds on a part of this family."""
    if type(kind) in family.markers or not issubclass(declaration, Pose):
        return family.markers[type(kind)]
    place = family.markers[Place]
    return place._replace(build=lambda *given: STILL[family.dimension](place.build(*given).position))
