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
    touching_solid, touched_solid = (
        find_solid(builder, entry["solid"], entry["region"], label),
        find_solid(builder, surface["solid"], surface["region"], label, "surface."),
    )
    if touching_solid is touched_solid:
        ErrorContext(label, "surface.solid").fail(
            f"'{touching_solid.name}' cannot touch itself", expected="another solid: cut it in two, or leave a gap"
        )
    directions = [(touching_solid, entry["region"], touched_solid, surface["region"])]
    if surface["both_ways"]:
        directions.append((touched_solid, surface["region"], touching_solid, entry["region"]))
    for number, (part, region, other_part, other_region) in enumerate(directions):
        faces = _touched_faces(builder, other_part, other_region, label)
        _require_few_pairs(part.at_nodes[np.unique(part.sides_of(region))], faces, label, "region")
        own_entry: ContactEntry = {**entry, "solid": part.name, "region": region}
        contact_name = f"{name}:{number + 1}" if number else name
        touched = _touched_surface(other_part, faces, 1.0 / len(directions))
        add_contact_points(
            builder,
            own_entry,
            contact_name,
            label,
            solid_contact_points(part, own_entry),
            touched,
            (),
            np.zeros((0, part.dimension)),
        )


def add_layer_on_solid(builder: MechanismBuilder, entry: ContactEntry, name: str, label: str) -> None:
    """Add the contact of a soft layer on a rigid body with the surface of a solid."""
    solid, faces = _read_touched_solid(builder, entry, label)
    points = read_contact_points(builder, entry, label)
    for _, coordinates, _ in points.groups:
        _require_few_pairs(coordinates, faces, label, "foundation")
    add_contact_points(
        builder, entry, name, label, points, _touched_surface(solid, faces), (), np.zeros((0, solid.dimension))
    )


def add_points_on_solid(
    builder: MechanismBuilder,
    entry: ContactEntry,
    name: str,
    label: str,
    touching: Sequence[tuple[str, TouchingSide]],
) -> None:
    """Add the contacts of single points with the surface of a solid. touching: from the contact reader."""
    solid, faces = _read_touched_solid(builder, entry, label)
    for ending, side in touching:
        if side.radius > 0.0:
            ErrorContext(label, side.field).fail(
                f"is round, and would touch '{solid.name}' at many places",
                side.reference,
                f"the other way round: solid: {solid.name}, with the circle or sphere as its surface; or a point",
            )
        group_name = name if ending else ""
        _add_point(builder, entry, f"{name}:{ending}" if ending else name, label, side, solid, faces, group_name)


def _add_point(
    builder: MechanismBuilder,
    entry: ContactEntry,
    name: str,
    label: str,
    side: TouchingSide,
    solid: SolidPart,
    faces: DeformingFaces,
    group_name: str,
) -> None:
    owner, place = side.place
    if owner == solid.name:
        ErrorContext(label, side.field).fail(
            f"'{owner}' cannot touch itself", side.reference, "a point of something else"
        )
    law, law_values = read_law_or_friction(
        builder, "law", law_with_stiffness(builder, entry, 0.0, np.inf, "surface.solid", label), label
    )
    require_continuous_law(law, label, "a point on a surface that deforms has not")
    friction, friction_values = read_law_or_friction(builder, "friction", entry["friction"], label)
    family, index, numbers = builder.names.part(owner).marker(
        RelativePosition, RelativePosition.attachments["b"], place
    )
    _require_few_pairs(index, faces, label, side.field)
    touched = _touched_surface(solid, faces)
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
            name=name, law=law.name, bodies=(solid.name, owner), outline=np.zeros((0, solid.dimension)), radius=0.0,
            place=place, fastest=max_approach_speed(builder, entry["material"], label), whole=group_name,
            **builder.add_contacts([contact]),
        )
    )  # fmt: skip


def _read_touched_solid(builder: MechanismBuilder, entry: ContactEntry, label: str) -> tuple[SolidPart, DeformingFaces]:
    """Solid touched by a rigid body, and its faces."""
    surface = entry["surface"]
    solid = find_solid(builder, surface["solid"], surface["region"], label, "surface.")
    if surface["both_ways"]:
        ErrorContext(label, "surface.both_ways").fail(
            "needs two solids", surface["both_ways"], "a surface without it, or solid: ... as the touching side"
        )
    return solid, _touched_faces(builder, solid, surface["region"], label)


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


def _require_few_pairs(touching_coordinates: Array, faces: DeformingFaces, label: str, field: str) -> None:
    """ModelError if the tangent would have too many entries. touching_coordinates: int[points, numbers]."""
    d = faces.places.shape[2]
    touching_indices = np.unique(touching_coordinates)
    node_count, face_node_count = -(-int((touching_indices != GROUND).sum()) // d), int(faces.nodes.max()) + 1
    if node_count * face_node_count > MAX_NODE_PAIRS:
        ErrorContext(label, field).fail(
            f"{node_count} nodes may touch {face_node_count} others, {node_count * face_node_count} pairs",
            expected=f"regions of both solids with the nodes that can touch, with at most {MAX_NODE_PAIRS} pairs",
        )
