"""Contacts of a document of the plane: what touches, and surfaces, which contact/surface_pieces.py takes to pieces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gaitwright.checks import At
from gaitwright.contact.surface_pieces import (
    Surface,
    circle_surface,
    face_surface,
    line_surface,
    polyline_surface,
    segment_surface,
    whole_polyline,
)
from gaitwright.model.contact_numbers import not_negative
from gaitwright.model.limits import within_limits
from gaitwright.model.touching import Carried, Surfaces, Touched, Touching, Where
from gaitwright.physics.declare import NO_DIRECTION
from gaitwright.system.parts.beam import BeamPart

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

PICTURE = 10.0
"""How far a line is drawn to both sides, in sizes of the mechanism."""


def planar_touching(s: Lowering, entry: dict[str, Any], label: str) -> list[tuple[str, Touching]]:
    """A point, a circle, or the nodes of a beam."""
    if entry["point"] is not None:
        return [("", Touching(s.point(entry["point"], label, "point"), 0.0, "point", entry["point"]))]
    if entry["along"] is not None:
        beam, radius = _along(s, entry["along"], label)
        places = [(beam.name, beam.place_of(node)) for node in range(beam.stations.size)]
        return [(f"node{k + 1}", Touching(place, radius, "along.beam", beam.name)) for k, place in enumerate(places)]
    circle, field = entry["circle"], "circle.body"
    place = s.point(circle["body"], label, field)
    radius = not_negative(s, circle["radius"], label, "circle.radius", "m")
    return [("", Touching(place, radius, field, circle["body"]))]


def _along(s: Lowering, given: dict[str, Any], label: str) -> tuple[BeamPart, float]:
    """The beam whose nodes touch, and half of its thickness: that of its section unless given."""
    beam = s.beam(given["beam"], label, "along.beam")
    if given["radius"] is not None:
        return beam, not_negative(s, given["radius"], label, "along.radius", "m")
    height = beam.section.height
    return beam, float(height(beam.stations).min()) / 2.0 if height is not None else 0.0


# Surfaces -----------------------------------------------------------------------------------------------------------


def _line(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    a, b, c = (s.number(value, label, f"surface.line[{k}]") for k, value in enumerate(given))
    if math.hypot(a, b) > NO_DIRECTION:
        within_limits(c / math.hypot(a, b), "m", label, "surface.line[2]")
    return "ground", line_surface(a, b, c, touching.radius, s.drawn_at(touching.place), PICTURE * s.size())


def _polyline(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    points = [s.pair(point, label, f"surface.polyline[{k}]") for k, point in enumerate(given)]
    return "ground", whole_polyline(points) if touching.many else polyline_surface(points, touching.radius)


def _circle(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    carrier, centre = _rigid(s, given["body"], label, "surface.circle.body")
    radius = not_negative(s, given["radius"], label, "surface.circle.radius", "m")
    return carrier, circle_surface(centre, radius, touching.radius)


def _segment(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    carrier, start, end = _two_points(s, given, label, "segment")
    return carrier, segment_surface(start, end, touching.radius)


def _face(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    carrier, start, end = _two_points(s, given, label, "face")
    return carrier, face_surface(start, end, touching.radius)


SURFACES: dict[str, Callable[[Any, Any, Touching, str], tuple[str, Surface]]] = {
    "line": _line, "polyline": _polyline, "circle": _circle, "segment": _segment, "face": _face,
}  # fmt: skip


class PlanarSurfaces(Surfaces):
    def __init__(self, s: Lowering, given: dict[str, Any], label: str):
        super().__init__(s, given, label, SURFACES)

    def read(self, touching: Touching) -> Carried:
        carrier, surface = SURFACES[self.kind](self.s, self.given[self.kind], touching, self.label)
        pieces = [Touched((carrier, one.at), one.shape, one.values(), one.weight, one.field) for one in surface.pieces]
        return Carried(pieces, surface.outline, surface.pieces[0].numbers.get("radius_a", math.inf))


def _rigid(s: Lowering, reference: str, label: str, field: str) -> Where:
    """A point of a rigid body, which can carry a surface."""
    place = s.point(reference, label, field)
    part = s.part(place[0])
    if part.flexible:
        At(label, field).fail(
            f"'{part.name}' is a {part.kind}, which bends and cannot carry a surface",
            reference,
            f"a surface of the other body, touched along the beam: along {{beam: {part.name}}}",
        )
    if not part.rigid:
        At(label, field).fail(
            f"'{part.name}' has no axes and cannot carry a surface",
            reference,
            "a point of a body, a link or the ground",
        )
    return place


def _two_points(s: Lowering, given: list[str], label: str, kind: str) -> tuple[str, Any, Any]:
    (carrier, start), (other, end) = (_rigid(s, ref, label, f"surface.{kind}[{k}]") for k, ref in enumerate(given))
    if carrier != other:
        At(label, f"surface.{kind}").fail(
            f"its points belong to '{carrier}' and to '{other}'", given, "two points of one body, written as body.point"
        )
    return carrier, start, end
