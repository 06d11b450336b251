"""Contacts with the surface of a solid: of another solid, of a layer on a rigid body, or of single points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.solid_part import SolidPart
from gaitwright.fem.surface_faces import build_surface_faces
from gaitwright.fem.ties import UNTIED_NODE
from gaitwright.mechanism.blocks import ContactBlock, DeformingFaces
from gaitwright.mechanism.mechanism import ContactNames
from gaitwright.mechanism.tables import GROUND, Array
from gaitwright.model.reader.contact_parameters import (
    law_with_stiffness,
    max_approach_speed,
    read_law_or_friction,
    sliding_coefficient,
)
from gaitwright.model.reader.contact_sides import ElementarySurface, TouchingSide
from gaitwright.model.reader.surface_contact_points import (
    add_contact_points,
    contact_poses,
    find_solid,
    read_contact_points,
    require_continuous_law,
    solid_contact_points,
)
from gaitwright.physics.contact_geometry.apart import RelativePosition
from gaitwright.physics.contact_geometry.plane import PlaneShape

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import ContactEntry

MAX_NODE_PAIRS = 400_000
"""Maximum number of node pairs of the two regions: the tangent has entries for each pair and all axes."""


def add_solid_on_solid(builder: MechanismBuilder, entry: ContactEntry, name: str, label: str) -> None:
    """Add the contact of two solids; in both directions, each touches the other with half of the pressure."""
    surface = entry["surface"]
    here, there = (
        find_solid(builder, entry["solid"], entry["region"], label),
        find_solid(builder, surface["solid"], surface["region"], label, "surface."),
    )
    if here is there:
        ErrorContext(label, "surface.solid").fail(
            f"'{here.name}' cannot touch itself", expected="another solid: cut it in two, or leave a gap"
        )
    ways = [(here, entry["region"], there, surface["region"])]
    if surface["both_ways"]:
        ways.append((there, surface["region"], here, entry["region"]))
    for number, (part, region, other, opposite) in enumerate(ways):
        faces = _touched_faces(builder, other, opposite, label)
        _require_few_pairs(part.at_nodes[np.unique(part.sides_of(region))], faces, label, "region")
        own: ContactEntry = {**entry, "solid": part.name, "region": region}
        way = f"{name}:{number + 1}" if number else name
        touched = _touched_surface(other, faces, 1.0 / len(ways))
        add_contact_points(
            builder, own, way, label, solid_contact_points(part, own), touched, (), np.zeros((0, part.dimension))
        )


def add_layer_on_solid(builder: MechanismBuilder, entry: ContactEntry, name: str, label: str) -> None:
    """Add the contact of a soft layer on a rigid body with the surface of a solid."""
    other, faces = _read_touched_solid(builder, entry, label)
    points = read_contact_points(builder, entry, label)
    for _, coordinates, _ in points.groups:
        _require_few_pairs(coordinates, faces, label, "foundation")
    add_contact_points(
        builder, entry, name, label, points, _touched_surface(other, faces), (), np.zeros((0, other.dimension))
    )


def add_points_on_solid(
    builder: MechanismBuilder,
    entry: ContactEntry,
    name: str,
    label: str,
    touching: Sequence[tuple[str, TouchingSide]],
) -> None:
    """Add the contacts of single points with the surface of a solid. touching: from the contact reader."""
    other, faces = _read_touched_solid(builder, entry, label)
    for ending, one in touching:
        if one.radius > 0.0:
            ErrorContext(label, one.field).fail(
                f"is round, and would touch '{other.name}' at many places",
                one.reference,
                f"the other way round: solid: {other.name}, with the circle or sphere as its surface; or a point",
            )
        whole = name if ending else ""
        _add_point(builder, entry, f"{name}:{ending}" if ending else name, label, one, other, faces, whole)


def _add_point(
    builder: MechanismBuilder,
    entry: ContactEntry,
    name: str,
    label: str,
    one: TouchingSide,
    other: SolidPart,
    faces: DeformingFaces,
    whole: str,
) -> None:
    owner, place = one.place
    if owner == other.name:
        ErrorContext(label, one.field).fail(
            f"'{owner}' cannot touch itself", one.reference, "a point of something else"
        )
    law, law_values = read_law_or_friction(
        builder, "law", law_with_stiffness(builder, entry, 0.0, np.inf, "surface.solid", label), label
    )
    require_continuous_law(law, label, "a point on a surface that deforms has not")
    friction, friction_values = read_law_or_friction(builder, "friction", entry["friction"], label)
    family, index, numbers = builder.names.part(owner).marker(
        RelativePosition, RelativePosition.attachments["b"], place
    )
    _require_few_pairs(index, faces, label, one.field)
    touched = _touched_surface(other, faces)
    contact = ContactBlock(
        geometry=contact_poses(builder, touched, (family, index[None], np.array([numbers], dtype=float)), ()),
        shape=(touched.shape, touched.numbers),
        law=(law, list(law_values.values())),
        friction=(friction, list(friction_values.values())) if friction else None,
        group=len(builder.contact_names),
        slowest=1.0,
        restitution=float("nan"),
        coefficient=sliding_coefficient(friction_values),
        faces=faces,
        by_gap=True,
    )
    builder.contact_names.append(
        ContactNames(
            name=name, law=law.name, bodies=(other.name, owner), outline=np.zeros((0, other.dimension)), radius=0.0,
            place=place, fastest=max_approach_speed(builder, entry["material"], label), whole=whole,
            **builder.add_contacts([contact]),
        )
    )  # fmt: skip


def _read_touched_solid(builder: MechanismBuilder, entry: ContactEntry, label: str) -> tuple[SolidPart, DeformingFaces]:
    """Solid touched by a rigid body, and its faces."""
    surface = entry["surface"]
    other = find_solid(builder, surface["solid"], surface["region"], label, "surface.")
    if surface["both_ways"]:
        ErrorContext(label, "surface.both_ways").fail(
            "needs two solids", surface["both_ways"], "a surface without it, or solid: ... as what touches"
        )
    return other, _touched_faces(builder, other, surface["region"], label)


def _touched_surface(part: SolidPart, faces: DeformingFaces, weight: float = 1.0) -> ElementarySurface:
    return ElementarySurface((part.name, ()), PlaneShape, [0.0] * (part.dimension + 1), weight, faces=faces)


def _touched_faces(builder: MechanismBuilder, part: SolidPart, region: str | None, label: str) -> DeformingFaces:
    """Faces of its surface, except those that move with a rigid body: tied nodes have no coordinates, and would count as
    nodes of the ground."""
    sides = part.sides_of(region)
    free = (part.ties.owner[sides] == UNTIED_NODE).all(axis=1)
    if not free.any():
        ErrorContext(label, "surface.region").fail(
            "moves with a body everywhere and does not deform",
            region,
            "the surface of that body: surface: {mesh: ..., body: ...}",
        )
    if not free.all():
        builder.names.notes.append(
            f"{label}: of the {len(sides)} sides of '{part.name}' that could be touched, {int((~free).sum())} have nodes "
            "that move with a body, and nothing touches these; the surface of that body could: surface: {mesh: ..., body: ...}"
        )
    return build_surface_faces(part.mesh.nodes, sides[free], part.at_nodes)


def _require_few_pairs(own: Array, faces: DeformingFaces, label: str, field: str) -> None:
    """ModelError if the tangent would have too many entries. own: coordinates (points, numbers) of the touching side."""
    d = faces.places.shape[2]
    used = np.unique(own)
    count, other = -(-int((used != GROUND).sum()) // d), int(faces.nodes.max()) + 1
    if count * other > MAX_NODE_PAIRS:
        ErrorContext(label, field).fail(
            f"{count} nodes may touch {other} others, {count * other} pairs",
            expected=f"regions of both solids that hold what can touch, with at most {MAX_NODE_PAIRS} pairs",
        )
