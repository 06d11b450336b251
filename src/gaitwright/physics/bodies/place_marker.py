"""Markers of contacts at a place without axes: it touches like a body that does not rotate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gaitwright.physics.attachments import Place
from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.bodies.spatial import UNIT_AXES, SpatialMarker
from gaitwright.physics.declarations import ContactPose, Declaration, Family, MarkerKind

GROUND_AXES_MARKERS: dict[int, Callable[[Any], Any]] = {
    2: lambda position: Marker(position, (1, 0), 0, True),
    3: lambda position: SpatialMarker(position, UNIT_AXES),
}
"""Functions by dimension that make a marker at a position, with the axes of the ground."""


def find_marker_kind(declaration: type[Declaration], kind: Any, family: type[Family]) -> MarkerKind:
    """The marker of a declaration on a part of this family."""
    if type(kind) in family.markers or not issubclass(declaration, ContactPose):
        return family.markers[type(kind)]
    place = family.markers[Place]
    return place._replace(build=lambda *given: GROUND_AXES_MARKERS[family.dimension](place.build(*given).position))
