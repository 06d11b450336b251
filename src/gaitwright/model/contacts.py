"""Contacts of a document: names and expressions become numbers. What touches and what is touched is read by
planar_contacts.py and spatial_contacts.py; surfaces of solids and of soft layers are in skins.py, foundations.py and
solid_surfaces.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright.checks import At
from gaitwright.model.contact_numbers import (
    chosen,
    fastest,
    not_negative,
    restitution_of,
    sliding_coefficient,
    with_stiffness,
)
from gaitwright.model.planar_contacts import PlanarSurfaces, planar_touching
from gaitwright.model.spatial_contacts import SpatialSurfaces, spatial_touching
from gaitwright.model.touching import Surfaces, Touching
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.system.blocks import Contact
from gaitwright.system.mechanism import ContactNames

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

SLOWEST_APPROACH = 1e-3
"""m/s. Laws divide by the approach speed; below this one, a foot that is set down gently would be damped without limit."""


class Readers(NamedTuple):
    """touching: what touches, each with what its name ends with, nothing where it is the only one."""

    touching: Callable[[Lowering, dict[str, Any], str], list[tuple[str, Touching]]]
    surfaces: Callable[[Lowering, dict[str, Any], str], Surfaces]


READERS = {2: Readers(planar_touching, PlanarSurfaces), 3: Readers(spatial_touching, SpatialSurfaces)}
"""By dimension."""


def read_contact(s: Lowering, entry: dict[str, Any], k: int) -> None:
    """Add contact k of a document to the tables."""
    label = f"contact '{entry['name']}'" if entry["name"] else f"contact {k + 1}"
    name = entry["name"] or s.free_name(f"contact-{k + 1}")
    s.use_name(name, "contact", label)
    readers = READERS[s.document.dimension]
    if entry["surface"]["solid"] is not None:
        from gaitwright.model import solid_surfaces  # solids, which few models have

        if entry["solid"] is not None:
            solid_surfaces.add_meeting(s, entry, name, label)
        elif entry["foundation"] is not None:
            solid_surfaces.add_layer_on_solid(s, entry, name, label)
        else:
            solid_surfaces.add_points_on_solid(s, entry, name, label, readers.touching(s, entry, label))
    elif entry["solid"] is not None or entry["foundation"] is not None:
        from gaitwright.model.skins import add_points, points_of

        points = points_of(s, entry, label)
        surfaces = readers.surfaces(s, entry["surface"], label)
        found = surfaces.of(Touching((points.owner, points.near), 0.0, points.field, points.owner, many=True))
        add_points(s, entry, name, label, points, found.pieces[0], surfaces.displacement, found.outline)
    else:
        touching = readers.touching(s, entry, label)
        surfaces = readers.surfaces(s, entry["surface"], label)
        for ending, one in touching:
            whole = name if ending else ""
            add_contact(s, entry, f"{name}:{ending}" if ending else name, one, surfaces, label, whole)


def add_contact(
    s: Lowering, entry: dict[str, Any], name: str, touching: Touching, surfaces: Surfaces, label: str, whole: str
) -> None:
    """Add a contact at one point. whole: the name of the contact that it is a part of, if that has several."""
    surface = surfaces.of(touching)
    _require_two_bodies(surface.carrier, touching, surfaces.kind, label)
    own_field = f"surface.{surfaces.kind}.radius"
    law, law_values = chosen(
        s, "law", with_stiffness(s, entry, touching.radius, surface.radius, own_field, label), label
    )
    friction, friction_values = chosen(s, "friction", entry["friction"], label)
    restitution = restitution_of(s, entry["restitution"], law_values, label)
    slowest, approach = entry["slowest_approach"], entry["approach_speed"]
    slowest = SLOWEST_APPROACH if slowest is None else s.positive(slowest, label, "slowest_approach", "m/s")
    approach = None if approach is None else not_negative(s, approach, label, "approach_speed", "m/s")
    entries = [
        Contact(
            geometry=s.table_entry(RelativePose, [piece.place, touching.place], {}, surfaces.displacement),
            shape=(piece.shape, piece.numbers),
            law=(law, list(law_values.values())) if law else None,
            friction=(friction, list(friction_values.values())) if friction else None,
            group=len(s.contact_names),
            slowest=slowest,
            restitution=restitution,
            weight=piece.weight,
            coefficient=sliding_coefficient(friction_values),
            approach=approach,
            field=piece.field,
        )
        for piece in surface.pieces
    ]
    s.contact_names.append(
        ContactNames(
            name=name,
            law=law.name if law else "",
            bodies=(surface.carrier, touching.place[0]),
            outline=surface.outline,
            radius=touching.radius,
            place=touching.place[1],
            fastest=fastest(s, entry["material"], label),
            whole=whole,
            **s.add_contacts(entries),
        )
    )


def _require_two_bodies(carrier: str, touching: Touching, kind: str, label: str) -> None:
    owner = touching.place[0]
    if carrier != owner:
        return
    if owner == "ground":
        At(label, touching.field).fail(
            "the ground cannot touch itself: neither side can move", touching.reference, "a point of a link or body"
        )
    At(label, f"surface.{kind}").fail(f"'{owner}' cannot touch itself", touching.reference, "a surface of another body")
