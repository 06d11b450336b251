"""Contacts of a planar document: touching sides, and surfaces, which contact/surface_pieces.py splits into pieces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.surface_pieces import (
    PiecewiseSurface,
    circle_surface,
    face_surface,
    line_surface,
    polyline_surface,
    segment_surface,
    whole_polyline_surface,
)
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.model.limits import require_within_limits
from gaitwright.model.reader.contact_parameters import read_non_negative
from gaitwright.model.reader.contact_sides import (
    ElementarySurface,
    PartPlace,
    SurfaceReader,
    TouchedSurface,
    TouchingSide,
)
from gaitwright.physics.parameters import ZERO_DIRECTION_TOL

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import BeamContactEntry, ContactEntry

DRAWN_LINE_LENGTH_RATIO = 10.0
"""Drawn length of a line to both sides, in sizes of the mechanism."""


def read_planar_touching(builder: MechanismBuilder, entry: ContactEntry, label: str) -> list[tuple[str, TouchingSide]]:
    """Touching sides: a point, a circle, or the nodes of a beam."""
    if entry["point"] is not None:
        return [("", TouchingSide(builder.names.point(entry["point"], label, "point"), 0.0, "point", entry["point"]))]
    if entry["along"] is not None:
        beam, radius = _read_beam(builder, entry["along"], label)
        places = [(beam.name, beam.place_of(node)) for node in range(beam.stations.size)]
        return [
            (f"node{k + 1}", TouchingSide(place, radius, "along.beam", beam.name)) for k, place in enumerate(places)
        ]
    circle, field = entry["circle"], "circle.body"
    assert circle is not None
    place = builder.names.point(circle["body"], label, field)
    radius = read_non_negative(builder, circle["radius"], label, "circle.radius", "m")
    return [("", TouchingSide(place, radius, field, circle["body"]))]


def _read_beam(builder: MechanismBuilder, given: BeamContactEntry, label: str) -> tuple[PlanarBeamPart, float]:
    """Beam with touching nodes, and half of its thickness (m): by default that of its section."""
    beam = builder.names.beam(given["beam"], label, "along.beam")
    if given["radius"] is not None:
        return beam, read_non_negative(builder, given["radius"], label, "along.radius", "m")
    height = beam.section.height
    return beam, float(height(beam.stations).min()) / 2.0 if height is not None else 0.0


# Surfaces -----------------------------------------------------------------------------------------------------------


def _read_line(
    builder: MechanismBuilder, given: Any, touching: TouchingSide, label: str
) -> tuple[str, PiecewiseSurface]:
    a, b, c = (builder.numbers.number(value, label, f"surface.line[{k}]") for k, value in enumerate(given))
    if math.hypot(a, b) > ZERO_DIRECTION_TOL:
        require_within_limits(c / math.hypot(a, b), "m", label, "surface.line[2]")
    return "ground", line_surface(
        a,
        b,
        c,
        touching.radius,
        builder.elements.drawn_at(touching.place),
        DRAWN_LINE_LENGTH_RATIO * builder.names.size(),
    )


def _read_polyline(
    builder: MechanismBuilder, given: Any, touching: TouchingSide, label: str
) -> tuple[str, PiecewiseSurface]:
    points = [builder.numbers.pair(point, label, f"surface.polyline[{k}]") for k, point in enumerate(given)]
    return "ground", whole_polyline_surface(points) if touching.many else polyline_surface(points, touching.radius)


def _read_circle(
    builder: MechanismBuilder, given: Any, touching: TouchingSide, label: str
) -> tuple[str, PiecewiseSurface]:
    carrier, centre = _read_rigid_point(builder, given["body"], label, "surface.circle.body")
    radius = read_non_negative(builder, given["radius"], label, "surface.circle.radius", "m")
    return carrier, circle_surface(centre, radius, touching.radius)


def _read_segment(
    builder: MechanismBuilder, given: Any, touching: TouchingSide, label: str
) -> tuple[str, PiecewiseSurface]:
    carrier, start, end = _read_two_points(builder, given, label, "segment")
    return carrier, segment_surface(start, end, touching.radius)


def _read_face(
    builder: MechanismBuilder, given: Any, touching: TouchingSide, label: str
) -> tuple[str, PiecewiseSurface]:
    carrier, start, end = _read_two_points(builder, given, label, "face")
    return carrier, face_surface(start, end, touching.radius)


PLANAR_SURFACE_READERS: dict[str, Callable[[Any, Any, TouchingSide, str], tuple[str, PiecewiseSurface]]] = {
    "line": _read_line, "polyline": _read_polyline, "circle": _read_circle, "segment": _read_segment, "face": _read_face,
}  # fmt: skip


class PlanarSurfaceReader(SurfaceReader):
    def __init__(self, builder: MechanismBuilder, given: dict[str, Any], label: str):
        super().__init__(builder, given, label, PLANAR_SURFACE_READERS)

    def read(self, touching: TouchingSide) -> TouchedSurface:
        carrier, surface = PLANAR_SURFACE_READERS[self.kind](self.builder, self.given[self.kind], touching, self.label)
        pieces = [
            ElementarySurface((carrier, piece.at), piece.shape, piece.values(), piece.weight, piece.field)
            for piece in surface.pieces
        ]
        return TouchedSurface(pieces, surface.outline, surface.pieces[0].numbers.get("radius_a", math.inf))


def _read_rigid_point(builder: MechanismBuilder, reference: str, label: str, field: str) -> PartPlace:
    """Point of a rigid body that can carry a surface."""
    place = builder.names.point(reference, label, field)
    part = builder.names.part(place[0])
    if part.flexible:
        ErrorContext(label, field).fail(
            f"'{part.name}' is a {part.kind}, which bends and cannot carry a surface",
            reference,
            f"a surface of the other body, touched along the beam: along {{beam: {part.name}}}",
        )
    if not part.rigid:
        ErrorContext(label, field).fail(
            f"'{part.name}' has no axes and cannot carry a surface",
            reference,
            "a point of a body, a link or the ground",
        )
    return place


def _read_two_points(builder: MechanismBuilder, given: list[str], label: str, kind: str) -> tuple[str, Any, Any]:
    (carrier, start), (end_carrier, end) = (
        _read_rigid_point(builder, ref, label, f"surface.{kind}[{k}]") for k, ref in enumerate(given)
    )
    if carrier != end_carrier:
        ErrorContext(label, f"surface.{kind}").fail(
            f"its points belong to '{carrier}' and to '{end_carrier}'",
            given,
            "two points of one body, written as body.point",
        )
    return carrier, start, end
