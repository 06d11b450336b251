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
    names: NameResolver, spec: Any, fields: dict[str, Any], at: ErrorContext
) -> FrictionalSolidPart:
    """Part of a quasi-static solid with friction. spec: QuasiStaticSpec. fields: those common to all quasi-static solids."""
    from gaitwright.model.reader.quasi_static_solids import read_contact_plane

    d, field = names.document.dimension, at["quasi_static.friction"]
    if not spec.condensed:
        at["quasi_static.condensed"].fail("is missing: a solid that rubs is condensed", expected="condensed: true")
    if fields["copies"] != 1.0:
        at["quasi_static.copies"].fail(
            "does not go with friction, whose pieces are not mirrored", fields["copies"], "1"
        )
    friction = 0.0 if spec.friction is None else names.numbers.number(spec.friction, field.element, field.field)
    if friction < 0.0:
        field.fail("is negative", friction, "a coefficient such as 0.6")
    belt: list[int] = []
    if spec.surface is None:
        plane = read_contact_plane(names, spec, at)
        part, origin, shape, table = plane.part, plane.at, PlaneShape, None
        numbers = [*plane.directions[0], 0.0]
    else:
        if d == 2:
            at["quasi_static.surface"].fail("belongs to models in space", expected="line: [a, b, c]")
        if spec.plane is not None:
            at["quasi_static.plane"].fail("is given besides a surface", expected="one of the two")
        if spec.surface.solid is not None:
            at["quasi_static.surface.solid"].fail(
                "deforms, which a solid at rest cannot touch", spec.surface.solid, "a plane, sphere, heights or mesh"
            )
        surfaces = SpatialSurfaceReader(names, spec.surface.model_dump(), f"{at.element}")  # pyright: ignore[reportArgumentType]
        touched = surfaces.of(
            TouchingSide((fields["carrier"].part.name, names.origin), 0.0, "quasi_static", at.element)
        ).pieces[0]
        owner, origin = touched.place
        part = names.part(names.body(owner, at.element, "quasi_static.surface"))
        shape, numbers, table, belt = touched.shape, list(touched.numbers), touched.field, surfaces.displacement
    belt = belt or [names.numbers.signal(0.0, at.element, "quasi_static.surface")] * d
    programs: list[SignalProgram] = [names.numbers.signals[k] for k in belt]

    def shift(t: np.ndarray) -> np.ndarray:
        return np.stack(
            [np.reshape(evaluate_program(program, np.ravel(t))[0], np.shape(t)) for program in programs], axis=-1
        )

    def condense(part: FrictionalSolidPart) -> tuple[np.ndarray, Condensation, FrictionalSolid]:
        soft = CondensedContactSolid(part.mesh, part.fillings, part.number, part.touching, part.thickness)
        ground = TouchedGround(shape, numbers, NODE_FAMILIES[d], table)
        rubs = FrictionalSolid(soft.compliance, soft.places, soft.areas, ground, friction)
        return soft.nodes, soft.condensation, rubs

    units = tuple(tuple(row) for row in np.eye(d).tolist())
    return FrictionalSolidPart(
        **fields, plane=CarriedFrame(part, tuple(origin), units), solver=lambda p: p.condensed[2], condense=condense,
        friction=friction, penalty=0.0, belt=belt, shift=shift,
    )  # fmt: skip
