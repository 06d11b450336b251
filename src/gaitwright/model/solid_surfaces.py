"""Contacts of one solid with the surface of another, in the plane and in space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.model.skins import add_points, skin_points, solid_of
from gaitwright.model.touching import Touched
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.system.blocks import Faces
from gaitwright.system.parts.solid import SolidPart
from gaitwright.system.solids.facing import faces_of
from gaitwright.system.solids.ties import UNTIED

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

MOST_PAIRS = 400_000
"""Pairs of nodes of the two regions: the tangent has an entry for each, and all axes."""


def add_meeting(s: Lowering, entry: dict[str, Any], name: str, label: str) -> None:
    """Add the contact of a solid with another; both ways, each of them touches the other with half of the pressure."""
    surface = entry["surface"]
    if entry["solid"] is None:
        At(label, "surface.solid").fail(
            "deforms, and only a solid can touch it",
            surface["solid"],
            f"the other way round: solid: {surface['solid']}, and what touches now as its surface",
        )
    here = solid_of(s, entry, label)
    there = solid_of(s, surface, label, "surface.")
    if here is there:
        At(label, "surface.solid").fail(
            f"'{here.name}' cannot touch itself", expected="another solid: cut it in two, or leave a gap"
        )
    ways = [(here, entry["region"], there, surface["region"])]
    if surface["both_ways"]:
        ways.append((there, surface["region"], here, entry["region"]))
    for number, (part, region, other, opposite) in enumerate(ways):
        faces = _faces(s, other, opposite, label)
        _require_few(part, region, faces, label)
        d = part.dimension
        touched = Touched((other.name, ()), PlaneShape, [0.0] * (d + 1), 1.0 / len(ways), faces=faces)
        own = entry | {"solid": part.name, "region": region}
        add_points(
            s, own, f"{name}:{number + 1}" if number else name, label, skin_points(part, own), touched, (),
            np.zeros((0, d)),
        )  # fmt: skip


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


def _require_few(part: SolidPart, region: str | None, faces: Faces, label: str) -> None:
    own = np.unique(part.sides_of(region)).size
    other = int(faces.nodes.max()) + 1
    if own * other > MOST_PAIRS:
        At(label, "region").fail(
            f"{own} nodes may touch {other} others, {own * other} pairs",
            region,
            f"regions of both solids that hold what can touch, with at most {MOST_PAIRS} pairs",
        )
