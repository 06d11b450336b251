"""Solids of a document that rest at every instant and rub: on what, with what friction, and who computes that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.contact.condensed_solid import CondensedSolid
from gaitwright.contact.rubbing_solid import Ground, RubbingSolid
from gaitwright.model.spatial_contacts import SpatialSurfaces
from gaitwright.model.touching import Touching
from gaitwright.physics.bodies.nodes import NODE
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.system.parts.quasi_static import Carried
from gaitwright.system.parts.rubbing import RubbingPart
from gaitwright.system.signals import Program, evaluate_program
from gaitwright.system.solids.condensation import Condensation

if TYPE_CHECKING:
    from gaitwright.model.scope import Scope


def read_rubbing(s: Scope, wanted: Any, what: dict[str, Any], at: At) -> RubbingPart:
    """The part. what: its fields that any solid at rest has."""
    from gaitwright.model.quasi_static import read_plane

    d, field = s.document.dimension, at["quasi_static.friction"]
    if not wanted.condensed:
        at["quasi_static.condensed"].fail("is missing: a solid that rubs is condensed", expected="condensed: true")
    if what["copies"] != 1.0:
        at["quasi_static.copies"].fail("does not go with friction, whose pieces are not mirrored", what["copies"], "1")
    friction = 0.0 if wanted.friction is None else s.number(wanted.friction, field.element, field.field)
    if friction < 0.0:
        field.fail("is negative", friction, "a coefficient such as 0.6")
    belt: list[int] = []
    if wanted.surface is None:
        plane = read_plane(s, wanted, at)
        part, place, shape, table = plane.part, plane.at, PlaneShape, None
        numbers = [*plane.directions[0], 0.0]
    else:
        if d == 2:
            at["quasi_static.surface"].fail("belongs to models in space", expected="line: [a, b, c]")
        if wanted.plane is not None:
            at["quasi_static.plane"].fail("is given besides a surface", expected="one of the two")
        if wanted.surface.solid is not None:
            at["quasi_static.surface.solid"].fail(
                "deforms, which a solid at rest cannot touch", wanted.surface.solid, "a plane, sphere, heights or mesh"
            )
        surfaces = SpatialSurfaces(s, wanted.surface.model_dump(), f"{at.element}")  # pyright: ignore[reportArgumentType]
        touched = surfaces.of(Touching((what["carrier"].part.name, s.origin), 0.0, "quasi_static", at.element)).pieces[
            0
        ]
        owner, place = touched.place
        part = s.part(s.body(owner, at.element, "quasi_static.surface"))
        shape, numbers, table, belt = touched.shape, list(touched.numbers), touched.field, surfaces.displacement
    belt = belt or [s.signal(0.0, at.element, "quasi_static.surface")] * d
    programs: list[Program] = [s.signals[k] for k in belt]

    def shift(t: np.ndarray) -> np.ndarray:
        return np.stack([np.reshape(evaluate_program(one, np.ravel(t))[0], np.shape(t)) for one in programs], axis=-1)

    def condense(part: RubbingPart) -> tuple[np.ndarray, Condensation, RubbingSolid]:
        soft = CondensedSolid(part.mesh, part.fillings, part.number, part.touching, part.thickness)
        ground = Ground(shape, numbers, NODE[d], table)
        rubs = RubbingSolid(soft.compliance, soft.places, soft.areas, ground, friction)
        return soft.nodes, soft.condensation, rubs

    units = tuple(tuple(row) for row in np.eye(d).tolist())
    return RubbingPart(
        **what, plane=Carried(part, tuple(place), units), solver=lambda p: p.condensed[2], condense=condense,
        friction=friction, penalty=0.0, belt=belt, shift=shift,
    )  # fmt: skip
