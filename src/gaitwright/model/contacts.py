"""Contacts of a document: names and expressions become numbers; contact/surface_pieces.py takes the surface to pieces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright.checks import At
from gaitwright.contact.surface_pieces import (
    Piece,
    Surface,
    circle_surface,
    face_surface,
    line_surface,
    polyline_surface,
    segment_surface,
)
from gaitwright.errors import ModelError
from gaitwright.messages import relabel
from gaitwright.model.limits import within_limits
from gaitwright.model.spec import CHOICES
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.declare import NO_DIRECTION
from gaitwright.system.blocks import Contact
from gaitwright.system.mechanism import ContactNames
from gaitwright.system.parts.beam import BeamPart

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

SLOWEST_APPROACH = 1e-3
"""m/s. Laws divide by the approach speed; below this one, a foot that is set down gently would be damped without limit."""
PICTURE = 10.0
"""How far a line is drawn to both sides, in sizes of the mechanism."""
HERTZ_EXPONENT, HERTZ_UNIT = 1.5, "N/m^1.5"

Where = tuple[str, Any]
"""A body and coordinates in its frame, m."""


class Touching(NamedTuple):
    """What touches: the point or the centre of the circle, its radius, m, and the field that names it."""

    place: Where
    radius: float
    field: str
    reference: str


def read_contact(s: Lowering, entry: dict[str, Any], k: int) -> None:
    """Add contact k of a document of the plane to the tables."""
    label = f"contact '{entry['name']}'" if entry["name"] else f"contact {k + 1}"
    name = entry["name"] or s.free_name(f"contact-{k + 1}")
    s.use_name(name, "contact", label)
    if entry["surface"]["solid"] is not None:
        from gaitwright.model.solid_surfaces import add_meeting  # solids, which few models have

        add_meeting(s, entry, name, label)
        return
    if entry["solid"] is not None:
        _add_skin(s, entry, name, label)
        return
    if entry["along"] is None:
        add_contact(s, entry, name, _touching(s, entry, label), label)
        return
    beam, radius = _along(s, entry["along"], label)
    for node in range(beam.stations.size):
        touching = Touching((beam.name, beam.place_of(node)), radius, "along.beam", beam.name)
        add_contact(s, entry, f"{name}:node{node + 1}", touching, label, name)


def add_contact(s: Lowering, entry: dict[str, Any], name: str, touching: Touching, label: str, whole: str = "") -> None:
    """Add a contact at one point. whole: the name of the contact along a beam that it is a part of."""
    kind, carrier, surface = _surface(s, entry["surface"], touching, label)
    _require_two_bodies(carrier, touching, kind, label)
    own_radius = surface.pieces[0].numbers.get("radius_a", math.inf)
    given = with_stiffness(s, entry, touching.radius, own_radius, "surface.circle.radius", label)
    law, law_values = chosen(s, "law", given, label)
    friction, friction_values = chosen(s, "friction", entry["friction"], label)
    displacement = _displacement(s, entry["surface"], label)
    restitution = restitution_of(s, entry["restitution"], law_values, label)
    slowest, approach = entry["slowest_approach"], entry["approach_speed"]
    slowest = SLOWEST_APPROACH if slowest is None else s.positive(slowest, label, "slowest_approach", "m/s")
    approach = None if approach is None else not_negative(s, approach, label, "approach_speed", "m/s")
    entries = [
        Contact(
            geometry=s.table_entry(RelativePose, [(carrier, piece.at), touching.place], {}, displacement),
            shape=(piece.shape, piece.values()),
            law=(law, list(law_values.values())) if law else None,
            friction=(friction, list(friction_values.values())) if friction else None,
            group=len(s.contact_names),
            slowest=slowest,
            restitution=restitution,
            weight=piece.weight,
            coefficient=friction_values.get("coefficient", friction_values.get("kinetic_coefficient", 0.0)),
            approach=approach,
            field=piece.field,
        )
        for piece in surface.pieces
    ]
    s.contact_names.append(
        ContactNames(
            name=name,
            law=law.name if law else "",
            bodies=(carrier, touching.place[0]),
            outline=surface.outline,
            radius=touching.radius,
            place=touching.place[1],
            fastest=fastest(s, entry["material"], label),
            whole=whole,
            **s.add_contacts(entries),
        )
    )


def _add_skin(s: Lowering, entry: dict[str, Any], name: str, label: str) -> None:
    from gaitwright.model.skins import Touched, add_skin, near, solid_of

    part = solid_of(s, entry, label)
    touching = Touching(near(part, part.skin(entry["region"])), 0.0, "solid", part.name)
    _, carrier, surface = _surface(s, entry["surface"], touching, label)
    pieces = [
        Touched((carrier, piece.at), piece.shape, piece.values(), piece.weight, piece.field) for piece in surface.pieces
    ]
    add_skin(s, entry, name, label, part, pieces, _displacement(s, entry["surface"], label), surface.outline)


def _touching(s: Lowering, entry: dict[str, Any], label: str) -> Touching:
    if entry["point"] is not None:
        return Touching(s.point(entry["point"], label, "point"), 0.0, "point", entry["point"])
    circle = entry["circle"]
    place = s.point(circle["body"], label, "circle.body")
    return Touching(place, not_negative(s, circle["radius"], label, "circle.radius", "m"), "circle", circle["body"])


def _along(s: Lowering, given: dict[str, Any], label: str) -> tuple[BeamPart, float]:
    """The beam whose nodes touch, and half of its thickness: that of its section unless given."""
    beam = s.beam(given["beam"], label, "along.beam")
    if given["radius"] is not None:
        return beam, not_negative(s, given["radius"], label, "along.radius", "m")
    height = beam.section.height
    return beam, float(height(beam.stations).min()) / 2.0 if height is not None else 0.0


def _require_two_bodies(carrier: str, touching: Touching, kind: str, label: str) -> None:
    owner = touching.place[0]
    if carrier != owner:
        return
    field = {"circle": "circle.body"}.get(touching.field, touching.field)
    if owner == "ground":
        At(label, field).fail(
            "the ground cannot touch itself: neither side can move", touching.reference, "a point of a link or body"
        )
    At(label, f"surface.{kind}").fail(f"'{owner}' cannot touch itself", touching.reference, "a surface of another body")


# Surfaces -----------------------------------------------------------------------------------------------------------


def _surface(s: Lowering, given: dict[str, Any], touching: Touching, label: str) -> tuple[str, str, Surface]:
    """Kind of the surface, the body that carries it, and its pieces."""
    kind = next(name for name in SURFACES if given[name] is not None)
    try:
        carrier, surface = SURFACES[kind](s, given if kind == "mesh" else given[kind], touching, label)
    except ModelError as error:
        raise (error if error.element else relabel(error, label, f"surface.{error.field}")) from None
    return kind, carrier, surface


def _line(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    a, b, c = (s.number(value, label, f"surface.line[{k}]") for k, value in enumerate(given))
    if math.hypot(a, b) > NO_DIRECTION:
        within_limits(c / math.hypot(a, b), "m", label, "surface.line[2]")
    return "ground", line_surface(a, b, c, touching.radius, s.drawn_at(touching.place), PICTURE * s.size())


def _polyline(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    points = [s.pair(point, label, f"surface.polyline[{k}]") for k, point in enumerate(given)]
    return "ground", polyline_surface(points, touching.radius)


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


def _mesh(s: Lowering, given: Any, touching: Touching, label: str) -> tuple[str, Surface]:
    from gaitwright.model.mesh_surfaces import read_mesh_surface  # meshes, which few models have

    mesh = read_mesh_surface(s, given, label, touching.radius > 0.0)
    (x, y), numbers = mesh.place[1], {"radius": touching.radius}
    return mesh.place[0], Surface([Piece(mesh.shape, (x, y), numbers, field=mesh.table)], mesh.outline)


SURFACES: dict[str, Callable[[Any, Any, Touching, str], tuple[str, Surface]]] = {
    "line": _line, "polyline": _polyline, "circle": _circle, "segment": _segment, "face": _face, "mesh": _mesh,
}  # fmt: skip


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


def _displacement(s: Lowering, given: dict[str, Any], label: str) -> list[int]:
    """Signals of how far the surface has moved, m."""
    if given["velocity"] is not None:
        velocity = s.pair(given["velocity"], label, "surface.velocity", "m/s")
        return [s.signal(f"{v!r}*t" if v else 0.0, label, "surface.velocity") for v in velocity]
    moved = given["displacement"] or [0.0, 0.0]
    return [s.signal(value, label, f"surface.displacement[{k}]") for k, value in enumerate(moved)]


# Law, friction, material --------------------------------------------------------------------------------------------


def chosen(s: Lowering, field: str, given: dict[str, Any] | None, label: str) -> tuple[Any, dict[str, float]]:
    """The class of a law or friction and its numbers, in the order of its parameters."""
    if given is None:
        return None, {}
    declaration: Any = CHOICES[field][given["type"]]
    values = s.numbers(declaration, given, label, {}, f"{field}.")
    try:
        declaration.check(**values)
    except ModelError as error:
        raise relabel(error, label, f"{field}.{error.field}") from None
    return declaration, values


def with_stiffness(
    s: Lowering, entry: dict[str, Any], radius: float, own_radius: float, own_field: str, label: str
) -> dict[str, Any] | None:
    """The law, with the stiffness of its material unless one is given. radius: of what touches; own_radius: of the surface,
    given by the field own_field."""
    law, material = entry["law"], entry["material"]
    if law is None or material is None or "stiffness" not in law or law["stiffness"] is not None:
        return law
    declaration = CHOICES["law"][law["type"]]
    free = "exponent" in declaration.parameters
    given = law.get("exponent")
    exponent = HERTZ_EXPONENT if given is None else s.number(given, label, "law.exponent")
    if exponent != HERTZ_EXPONENT or not (free or declaration.parameters["stiffness"].unit == HERTZ_UNIT):
        At(label, "law.exponent" if free else "law.type").fail(
            f"the stiffness of a material belongs to Hertz's exponent, {HERTZ_EXPONENT:g}",
            exponent if free else law["type"],
            f"{HERTZ_EXPONENT:g}, or the stiffness of this law" if free else "the stiffness of this law",
        )
    from gaitwright.contact.material import hertz_stiffness

    if material["radius"] is not None:
        radius = s.number(material["radius"], label, "material.radius", "m")
    elif radius == 0.0:
        At(label, "material.radius").fail(
            "a point has no radius from which to compute a stiffness",
            expected="the radius in m of the rounded end that the point stands for, or the stiffness of the law",
        )
    youngs, poisson = (_two(s, material, name, label) for name in ("youngs_modulus", "poissons_ratio"))
    try:
        return {**law, "stiffness": hertz_stiffness(own_radius, radius, *youngs, *poisson)}
    except ModelError as error:
        field = {"radius_a": own_field}.get(error.field, f"material.{error.field[:-2]}")
        raise relabel(error, label, field) from None


def _two(s: Lowering, material: dict[str, Any], name: str, label: str) -> tuple[float, float]:
    """A property of the surface and of what touches it."""
    given = material[name]
    if isinstance(given, list):
        return s.pair(given, label, f"material.{name}", "")
    value = s.number(given, label, f"material.{name}")
    return value, value


def fastest(s: Lowering, material: dict[str, Any] | None, label: str) -> float | None:
    if material is None or material["density"] is None:
        return None
    from gaitwright.contact.material import fastest_approach

    youngs, density = (_two(s, material, name, label) for name in ("youngs_modulus", "density"))
    try:
        return min(fastest_approach(*of) for of in zip(youngs, density, strict=True))
    except ModelError as error:
        raise relabel(error, label, f"material.{error.field}") from None


def restitution_of(s: Lowering, given: Any, law_values: dict[str, float], label: str) -> float:
    if given is None:
        return law_values.get("restitution", math.nan)
    value = s.number(given, label, "restitution")
    if not 0.0 <= value <= 1.0:
        At(label, "restitution").fail(
            "bodies cannot part faster than they met, nor pass through each other", value, "a number from 0 to 1"
        )
    return value


def not_negative(s: Lowering, given: Any, label: str, field: str, unit: str) -> float:
    value = s.number(given, label, field, unit)
    if value < 0.0:
        At(label, field).fail("is negative", value, f"at least 0 {unit}")
    return value
