"""Quasi-static solids of a document: their carrier, the plane on which they are pressed, and their friction."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.condensation import Condensation
from gaitwright.fem.condensed_contact import CondensedContactSolid
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.fem.frictional_solid import FrictionalSolid, TouchedGround
from gaitwright.fem.frictional_solid_part import FrictionalSolidPart
from gaitwright.fem.kernel_modules import lame_constants
from gaitwright.fem.quasi_static_part import CarriedFrame, QuasiStaticPart
from gaitwright.fem.solid_part import MaterialRegion
from gaitwright.mechanism.parts.base import Part
from gaitwright.mechanism.signals import SignalProgram, evaluate_program
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.reader.contact_sides import TouchingSide
from gaitwright.model.reader.solid_supports import read_supports, resolve_region
from gaitwright.model.reader.solids import mesh_warnings, read_material_regions, read_placed_mesh
from gaitwright.model.reader.spatial_contacts import SpatialSurfaceReader
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.materials.base import youngs_modulus

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver
    from gaitwright.model.spec.document import QuasiStaticSpec, SolidSpec

PLANE_FIELD_BY_DIMENSION = {2: "line", 3: "plane"}
PLANE_EXAMPLES = {
    2: ("[a, b, c] of a x + b y + c = 0", "[0, 1]"),
    3: ("[a, b, c, d] of a x + b y + c z + d = 0", "[0, 0, 1]"),
}
"""Definition and example of a plane, by dimension."""
PENALTY_RATIO = 100.0
"""Penalty times the size of a side, relative to the modulus: the penetration is a hundredth of the deformation of a cell."""


def read_quasi_static(names: NameResolver, entry: SolidSpec, at: ErrorContext) -> QuasiStaticPart:
    """Part of a quasi-static solid."""
    label, spec = at.element, entry.quasi_static
    assert spec is not None
    mesh, thickness = read_placed_mesh(names, entry, at)
    # It has no mass: a density is neither needed nor used.
    fillings = read_material_regions(
        names, entry.model_copy(update={"density": entry.density or 1.0}), mesh, thickness, at
    )
    if any(filling.viscosity for filling in fillings):
        at["material"].fail("is damped, which a solid at rest cannot be", expected="a material without damping")
    fixed, body = split_carrier(entry.fixed, spec.body, at)
    supports = read_supports(names, entry.model_copy(update={"fixed": fixed}), mesh, at)
    if not supports.named:
        at["fixed"].fail("is missing: nothing ties the solid to its body", expected="a region that the body carries")
    number = np.full(mesh.nodes.shape, HELD_COORDINATE)
    free = ~supports.held
    number[free] = np.arange(int(free.sum()))
    if not free.any():
        at["fixed"].fail("holds every node", expected="a region that leaves some nodes free")
    sides = find_touching_sides(mesh, spec.region, number, at)
    stiffness = spec.stiffness
    if spec.condensed and stiffness is not None:
        at["quasi_static.stiffness"].fail(
            "has no effect for a condensed solid, whose nodes do not penetrate", stiffness
        )
    names.notes += [f"{label}: {note}" for note in mesh_warnings(mesh, fillings)]
    fields: dict[str, Any] = dict(
        name=entry.name,
        family=NODE_FAMILIES[mesh.dimension],
        drawn=np.zeros(0),
        mesh=mesh,
        number=number,
        fillings=fillings,
        supports=supports.named,
        thickness=thickness,
        carrier=read_carrier_frame(names, body, label),
        touching=sides,
        copies=names.numbers.positive(spec.copies, label, "quasi_static.copies", ""),
    )
    if spec.friction is not None or spec.surface is not None:
        return read_frictional_solid(names, spec, fields, at)
    return QuasiStaticPart(
        **fields,
        plane=read_contact_plane(names, spec, at),
        solver=make_condensed_solid if spec.condensed else QuasiStaticPart.with_all_nodes,
        penalty=default_penalty(mesh, fillings, sides)
        if stiffness is None
        else names.numbers.positive(stiffness, label, "quasi_static.stiffness", "N/m^3"),
    )


def make_condensed_solid(part: QuasiStaticPart) -> CondensedContactSolid:
    """Equilibrium solver with compliances of the nodes that can touch."""
    return CondensedContactSolid(part.mesh, part.fillings, part.number, part.touching, part.thickness, part.copies)


def split_carrier(fixed_entry: Any, body: str | None, at: ErrorContext) -> tuple[list[Any], str]:
    """Fixed regions, in the frame of the body that carries them; and that body, named in `fixed` or `body`."""
    entries = fixed_entry if isinstance(fixed_entry, list) else [] if fixed_entry is None else [fixed_entry]
    carriers = {str(entry["to"]) for entry in entries if isinstance(entry, Mapping) and "to" in entry} | (
        {body} if body else set()
    )
    if len(carriers) != 1:
        description = f"is carried by {' and '.join(sorted(carriers))}" if carriers else "is carried by no body"
        at["quasi_static.body"].fail(f"the fixed region {description}", expected="one body, such as {body: K1}")
    fixed = [
        {key: x for key, x in entry.items() if key != "to"}
        if isinstance(entry, Mapping) and "region" in entry
        else entry
        for entry in entries
    ]
    return fixed, carriers.pop()


def find_touching_sides(mesh: Mesh, region: Any, number: np.ndarray, at: ErrorContext) -> np.ndarray:
    """Boundary sides that can touch: those of a region, otherwise all that can move."""
    boundary = mesh.boundary
    if region is None:
        return boundary[(number[boundary] != HELD_COORDINATE).any(axis=(1, 2))]
    is_selected = resolve_region(region, at["quasi_static.region"], mesh).nodes(mesh)
    sides = boundary[is_selected[boundary].all(axis=1)]
    if not len(sides):
        at["quasi_static.region"].fail(
            "has no side on the surface of the mesh", region, "a region such as bottom or surface"
        )
    return sides


def default_penalty(mesh: Mesh, fillings: tuple[MaterialRegion, ...], sides: np.ndarray) -> float:
    """Default penalty stiffness, N/m^3, that makes penetrations negligible."""
    modulus = max(youngs_modulus(*lame_constants(filling.material, filling.constants)) for filling in fillings)
    corners = mesh.nodes[sides[:, : mesh.dimension]]
    size = float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))
    return PENALTY_RATIO * modulus / size


def drawn_frame(part: Part, origin: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Drawn position of a rigid part, and its axes as rows."""
    marker = part.marker_drawn(origin)
    units = np.eye(len(origin))
    if len(origin) == 2:
        return np.array(marker.position, dtype=float), np.array([marker.direction(unit) for unit in units])
    return np.array(marker.position, dtype=float), np.array(marker.axes, dtype=float)


def read_carrier_frame(names: NameResolver, name: str, label: str) -> CarriedFrame:
    """Frame on a body that coincides with the ground frame in the drawn pose."""
    body = names.part(names.body(name, label, "quasi_static.body"))
    if name == "ground":
        ErrorContext(label, "quasi_static.body").fail(
            "is the ground, on which a force has no effect", name, "a body or link"
        )
    origin, axes = drawn_frame(body, names.origin)
    directions = tuple(tuple((axes @ unit).tolist()) for unit in np.eye(len(names.origin)))
    return CarriedFrame(body, tuple((-axes @ origin).tolist()), directions)


def read_contact_plane(names: NameResolver, spec: QuasiStaticSpec, solid: ErrorContext) -> CarriedFrame:
    """Contact plane [a, b, c, d] of the ground, or {point: block.A, normal: [0, 0, 1]} of a body, in its frame."""
    d = names.document.dimension
    field = PLANE_FIELD_BY_DIMENSION[d]
    other_field = PLANE_FIELD_BY_DIMENSION[5 - d]
    if getattr(spec, other_field) is not None:
        solid[f"quasi_static.{other_field}"].fail(
            f"belongs to models with {5 - d} dimensions", getattr(spec, other_field), field
        )
    plane, at = getattr(spec, field), solid[f"quasi_static.{field}"]
    numbers, point = PLANE_EXAMPLES[d]
    expected = f"{numbers}, or {{point: block.A, normal: {point}}}"
    if isinstance(plane, Mapping) and set(plane) == {"point", "normal"}:
        owner, origin = names.point(plane["point"], at.element, f"{at.field}.point")
        normal = names.numbers.vector(plane["normal"], at.element, f"{at.field}.normal")
        part = names.part(names.body(owner, at.element, f"{at.field}.point"))
    elif isinstance(plane, (list, tuple)) and len(plane) == d + 1:
        *normal, offset = (names.numbers.number(x, at.element, f"{at.field}[{k}]") for k, x in enumerate(plane))
        part, norm = names.ground_part, math.hypot(*normal)
        origin = tuple(-offset * x / norm**2 for x in normal) if norm > 0.0 else names.origin
    else:
        at.fail(f"is no {field}", plane, expected)
    norm = math.hypot(*normal)
    if len(normal) != d or not norm > 0.0:
        at.fail("has no direction", list(normal), expected)
    return CarriedFrame(part, tuple(origin), (tuple(x / norm for x in normal),))


def read_frictional_solid(
    names: NameResolver, spec: QuasiStaticSpec, fields: dict[str, Any], at: ErrorContext
) -> FrictionalSolidPart:
    """Part of a quasi-static solid with friction. fields: those common to all quasi-static solids."""
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
