"""Contacts with the surface of a solid: of another solid, of a layer on a rigid body, or of single points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.model.contact_numbers import chosen, fastest, sliding_coefficient, with_stiffness
from gaitwright.model.skins import add_points, points_of, poses, require_continuous, skin_points, solid_of
from gaitwright.model.touching import Touched, Touching
from gaitwright.physics.contact_geometry.apart import Apart
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.system.blocks import Contact, Faces
from gaitwright.system.mechanism import ContactNames
from gaitwright.system.parts.solid import SolidPart
from gaitwright.system.solids.facing import faces_of
from gaitwright.system.solids.ties import UNTIED
from gaitwright.system.tables import GROUND, Array

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

MOST_PAIRS = 400_000
"""Pairs of nodes of the two regions: the tangent has an entry for each, and all axes."""


def add_meeting(s: Lowering, entry: dict[str, Any], name: str, label: str) -> None:
    """Add the contact of a solid with another; both ways, each of them touches the other with half of the pressure."""
    surface = entry["surface"]
    here, there = solid_of(s, entry, label), solid_of(s, surface, label, "surface.")
    if here is there:
        At(label, "surface.solid").fail(
            f"'{here.name}' cannot touch itself", expected="another solid: cut it in two, or leave a gap"
        )
    ways = [(here, entry["region"], there, surface["region"])]
    if surface["both_ways"]:
        ways.append((there, surface["region"], here, entry["region"]))
    for number, (part, region, other, opposite) in enumerate(ways):
        faces = _faces(s, other, opposite, label)
        _require_few(part.at_nodes[np.unique(part.sides_of(region))], faces, label, "region")
        own = entry | {"solid": part.name, "region": region}
        way = f"{name}:{number + 1}" if number else name
        touched = _touched(other, faces, 1.0 / len(ways))
        add_points(s, own, way, label, skin_points(part, own), touched, (), np.zeros((0, part.dimension)))


def add_layer_on_solid(s: Lowering, entry: dict[str, Any], name: str, label: str) -> None:
    """Add the contact of a soft layer on a rigid body with the surface of a solid."""
    other, faces = _touched_solid(s, entry, label)
    points = points_of(s, entry, label)
    for _, coordinates, _ in points.groups:
        _require_few(coordinates, faces, label, "foundation")
    add_points(s, entry, name, label, points, _touched(other, faces), (), np.zeros((0, other.dimension)))


def add_points_on_solid(
    s: Lowering, entry: dict[str, Any], name: str, label: str, touching: Sequence[tuple[str, Touching]]
) -> None:
    """Add the contacts of single points with the surface of a solid. touching: as the reader of contacts gives it."""
    other, faces = _touched_solid(s, entry, label)
    for ending, one in touching:
        if one.radius > 0.0:
            At(label, one.field).fail(
                f"is round, and presses a dent into '{other.name}' that it touches at many places",
                one.reference,
                f"the other way round: solid: {other.name}, with the circle or sphere as its surface; or a point",
            )
        whole = name if ending else ""
        _add_point(s, entry, f"{name}:{ending}" if ending else name, label, one, other, faces, whole)


def _add_point(
    s: Lowering, entry: dict[str, Any], name: str, label: str, one: Touching, other: SolidPart, faces: Faces, whole: str
) -> None:
    owner, place = one.place
    if owner == other.name:
        At(label, one.field).fail(f"'{owner}' cannot touch itself", one.reference, "a point of something else")
    law, law_values = chosen(s, "law", with_stiffness(s, entry, 0.0, np.inf, "surface.solid", label), label)
    require_continuous(law, label, "a point on a surface that deforms has not")
    friction, friction_values = chosen(s, "friction", entry["friction"], label)
    family, index, numbers = s.part(owner).marker(Apart, Apart.attachments["b"], place)
    _require_few(index, faces, label, one.field)
    touched = _touched(other, faces)
    contact = Contact(
        geometry=poses(s, touched, (family, index[None], np.array([numbers], dtype=float)), ()),
        shape=(touched.shape, touched.numbers),
        law=(law, list(law_values.values())),
        friction=(friction, list(friction_values.values())) if friction else None,
        group=len(s.contact_names),
        slowest=1.0,
        restitution=float("nan"),
        coefficient=sliding_coefficient(friction_values),
        faces=faces,
        by_gap=True,
    )
    s.contact_names.append(
        ContactNames(
            name=name, law=law.name, bodies=(other.name, owner), outline=np.zeros((0, other.dimension)), radius=0.0,
            place=place, fastest=fastest(s, entry["material"], label), whole=whole, **s.add_contacts([contact]),
        )
    )  # fmt: skip


def _touched_solid(s: Lowering, entry: dict[str, Any], label: str) -> tuple[SolidPart, Faces]:
    """The solid that a rigid body touches, and its faces."""
    surface = entry["surface"]
    other = solid_of(s, surface, label, "surface.")
    if surface["both_ways"]:
        At(label, "surface.both_ways").fail(
            "needs two solids", surface["both_ways"], "a surface without it, or solid: ... as what touches"
        )
    return other, _faces(s, other, surface["region"], label)


def _touched(part: SolidPart, faces: Faces, weight: float = 1.0) -> Touched:
    return Touched((part.name, ()), PlaneShape, [0.0] * (part.dimension + 1), weight, faces=faces)


def _faces(s: Lowering, part: SolidPart, region: str | None, label: str) -> Faces:
    """Its surface, without what moves with a rigid body: tied nodes have no coordinates of their own, and would count as nodes
    of the ground."""
    sides = part.sides_of(region)
    free = (part.ties.owner[sides] == UNTIED).all(axis=1)
    if not free.any():
        At(label, "surface.region").fail(
            "moves with a body everywhere and does not deform",
            region,
            "the surface of that body: surface: {mesh: ..., body: ...}",
        )
    if not free.all():
        s.notes.append(
            f"{label}: of the {len(sides)} sides of '{part.name}' that could be touched, {int((~free).sum())} have nodes "
            "that move with a body, and nothing touches these; the surface of that body could: surface: {mesh: ..., body: ...}"
        )
    return faces_of(part.mesh.nodes, sides[free], part.at_nodes)


def _require_few(own: Array, faces: Faces, label: str, field: str) -> None:
    """ModelError if the tangent would have too many entries. own: coordinates (points, numbers) of what touches."""
    d = faces.places.shape[2]
    used = np.unique(own)
    count, other = -(-int((used != GROUND).sum()) // d), int(faces.nodes.max()) + 1
    if count * other > MOST_PAIRS:
        At(label, field).fail(
            f"{count} nodes may touch {other} others, {count * other} pairs",
            expected=f"regions of both solids that hold what can touch, with at most {MOST_PAIRS} pairs",
        )
