"""Contacts of a document, with names and expressions resolved to numbers. planar_contacts.py and spatial_contacts.py read the
touching side and the surface; surface_contact_points.py, foundations.py and solid_contacts.py read surfaces of solids and of
soft layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.blocks import ContactBlock
from gaitwright.mechanism.mechanism import ContactNames
from gaitwright.model.reader.contact_parameters import (
    law_with_stiffness,
    max_approach_speed,
    read_law_or_friction,
    read_non_negative,
    read_restitution,
    sliding_coefficient,
)
from gaitwright.model.reader.contact_sides import SurfaceReader, TouchingSide
from gaitwright.model.reader.planar_contacts import PlanarSurfaceReader, read_planar_touching
from gaitwright.model.reader.spatial_contacts import SpatialSurfaceReader, read_spatial_touching
from gaitwright.physics.contact_geometry.pose import RelativePose

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import ContactEntry

MIN_APPROACH_SPEED_M_S = 1e-3
"""Lower bound of approach speeds, m/s. Laws divide by the approach speed; without this bound the damping of a foot set down
gently would be unlimited."""


class ContactSideReaders(NamedTuple):
    """touching: reader of the touching sides, each with the suffix of its name; an empty suffix for a single one."""

    touching: Callable[[MechanismBuilder, ContactEntry, str], list[tuple[str, TouchingSide]]]
    surfaces: Callable[[MechanismBuilder, dict[str, Any], str], SurfaceReader]


CONTACT_SIDE_READERS = {
    2: ContactSideReaders(read_planar_touching, PlanarSurfaceReader),
    3: ContactSideReaders(read_spatial_touching, SpatialSurfaceReader),
}
"""Readers by dimension of the model."""


def read_contact(builder: MechanismBuilder, entry: ContactEntry, k: int) -> None:
    """Add contact k of a document to the tables."""
    label = f"contact '{entry['name']}'" if entry["name"] else f"contact {k + 1}"
    name = entry["name"] or builder.free_name(f"contact-{k + 1}")
    builder.use_name(name, "contact", label)
    readers = CONTACT_SIDE_READERS[builder.document.dimension]
    if entry["surface"]["solid"] is not None:
        from gaitwright.model.reader import solid_contacts  # solids, which few models have

        if entry["solid"] is not None:
            solid_contacts.add_solid_on_solid(builder, entry, name, label)
        elif entry["foundation"] is not None:
            solid_contacts.add_layer_on_solid(builder, entry, name, label)
        else:
            solid_contacts.add_points_on_solid(builder, entry, name, label, readers.touching(builder, entry, label))
    elif entry["solid"] is not None or entry["foundation"] is not None:
        from gaitwright.model.reader.surface_contact_points import add_contact_points, read_contact_points

        points = read_contact_points(builder, entry, label)
        surfaces = readers.surfaces(builder, entry["surface"], label)
        surface = surfaces.of(TouchingSide((points.owner, points.near), 0.0, points.field, points.owner, many=True))
        add_contact_points(
            builder, entry, name, label, points, surface.pieces[0], surfaces.displacement, surface.outline
        )
    else:
        touching = readers.touching(builder, entry, label)
        surfaces = readers.surfaces(builder, entry["surface"], label)
        for suffix, side in touching:
            group_name = name if suffix else ""
            add_contact(builder, entry, f"{name}:{suffix}" if suffix else name, side, surfaces, label, group_name)


def add_contact(
    builder: MechanismBuilder,
    entry: ContactEntry,
    name: str,
    touching: TouchingSide,
    surfaces: SurfaceReader,
    label: str,
    group_name: str,
) -> None:
    """Add a contact at one point. group_name: name of the contact that it is a part of, if that has several points."""
    surface = surfaces.of(touching)
    _require_two_bodies(surface.carrier, touching, surfaces.kind, label)
    radius_field = f"surface.{surfaces.kind}.radius"
    law, law_values = read_law_or_friction(
        builder, "law", law_with_stiffness(builder, entry, touching.radius, surface.radius, radius_field, label), label
    )
    friction, friction_values = read_law_or_friction(builder, "friction", entry["friction"], label)
    restitution = read_restitution(builder, entry["restitution"], law_values, label)
    slowest, approach = entry["slowest_approach"], entry["approach_speed"]
    slowest = (
        MIN_APPROACH_SPEED_M_S
        if slowest is None
        else builder.numbers.positive(slowest, label, "slowest_approach", "m/s")
    )
    approach = None if approach is None else read_non_negative(builder, approach, label, "approach_speed", "m/s")
    entries = [
        ContactBlock(
            geometry=builder.elements.table_entry(
                RelativePose, [piece.place, touching.place], {}, surfaces.displacement
            ),
            shape=(piece.shape, piece.numbers),
            law=(law, list(law_values.values())) if law else None,
            friction=(friction, list(friction_values.values())) if friction else None,
            group=len(builder.contact_names),
            slowest=slowest,
            restitution=restitution,
            weight=piece.weight,
            coefficient=sliding_coefficient(friction_values),
            approach=approach,
            field=piece.field,
        )
        for piece in surface.pieces
    ]
    builder.contact_names.append(
        ContactNames(
            name=name,
            law=law.name if law else "",
            bodies=(surface.carrier, touching.place[0]),
            outline=surface.outline,
            radius=touching.radius,
            place=touching.place[1],
            fastest=max_approach_speed(builder, entry["material"], label),
            whole=group_name,
            **builder.add_contacts(entries),
        )
    )


def _require_two_bodies(carrier: str, touching: TouchingSide, kind: str, label: str) -> None:
    owner = touching.place[0]
    if carrier != owner:
        return
    if owner == "ground":
        ErrorContext(label, touching.field).fail(
            "the ground cannot touch itself: neither side can move", touching.reference, "a point of a link or body"
        )
    ErrorContext(label, f"surface.{kind}").fail(
        f"'{owner}' cannot touch itself", touching.reference, "a surface of another body"
    )
