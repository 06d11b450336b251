"""Quasi-static solids with friction: their ground, friction and solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.condensation import Condensation
from gaitwright.fem.condensed_contact import CondensedContactSolid
from gaitwright.fem.frictional_solid import FrictionalSolid, TouchedGround
from gaitwright.fem.frictional_solid_part import FrictionalSolidPart
from gaitwright.fem.quasi_static_part import CarriedFrame
from gaitwright.mechanism.signals import SignalProgram, evaluate_program
from gaitwright.model.reader.contact_sides import TouchingSide
from gaitwright.model.reader.spatial_contacts import SpatialSurfaceReader
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES
from gaitwright.physics.contact_geometry.plane import PlaneShape

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver


def read_frictional_solid(
    names: NameResolver, wanted: Any, what: dict[str, Any], at: ErrorContext
) -> FrictionalSolidPart:
    """Part of such a solid. what: its fields common to all quasi-static solids."""
    from gaitwright.model.reader.quasi_static_solids import read_contact_plane

    d, field = names.document.dimension, at["quasi_static.friction"]
    if not wanted.condensed:
        at["quasi_static.condensed"].fail("is missing: a solid that rubs is condensed", expected="condensed: true")
    if what["copies"] != 1.0:
        at["quasi_static.copies"].fail("does not go with friction, whose pieces are not mirrored", what["copies"], "1")
    friction = 0.0 if wanted.friction is None else names.numbers.number(wanted.friction, field.element, field.field)
    if friction < 0.0:
        field.fail("is negative", friction, "a coefficient such as 0.6")
    belt: list[int] = []
    if wanted.surface is None:
        plane = read_contact_plane(names, wanted, at)
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
        surfaces = SpatialSurfaceReader(names, wanted.surface.model_dump(), f"{at.element}")  # pyright: ignore[reportArgumentType]
        touched = surfaces.of(
            TouchingSide((what["carrier"].part.name, names.origin), 0.0, "quasi_static", at.element)
        ).pieces[0]
        owner, place = touched.place
        part = names.part(names.body(owner, at.element, "quasi_static.surface"))
        shape, numbers, table, belt = touched.shape, list(touched.numbers), touched.field, surfaces.displacement
    belt = belt or [names.numbers.signal(0.0, at.element, "quasi_static.surface")] * d
    programs: list[SignalProgram] = [names.numbers.signals[k] for k in belt]

    def shift(t: np.ndarray) -> np.ndarray:
        return np.stack([np.reshape(evaluate_program(one, np.ravel(t))[0], np.shape(t)) for one in programs], axis=-1)

    def condense(part: FrictionalSolidPart) -> tuple[np.ndarray, Condensation, FrictionalSolid]:
        soft = CondensedContactSolid(part.mesh, part.fillings, part.number, part.touching, part.thickness)
        ground = TouchedGround(shape, numbers, NODE_FAMILIES[d], table)
        rubs = FrictionalSolid(soft.compliance, soft.places, soft.areas, ground, friction)
        return soft.nodes, soft.condensation, rubs

    units = tuple(tuple(row) for row in np.eye(d).tolist())
    return FrictionalSolidPart(
        **what, plane=CarriedFrame(part, tuple(place), units), solver=lambda p: p.condensed[2], condense=condense,
        friction=friction, penalty=0.0, belt=belt, shift=shift,
    )  # fmt: skip
