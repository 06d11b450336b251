"""Solids of a document: mesh, placement, materials and supports."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.fem.element_geometry import HELD_COORDINATE, build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import lame_constants, locking_warning, needs_mean_dilatation
from gaitwright.fem.solid_part import MaterialRegion, SolidPart
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.reader.materials import read_material
from gaitwright.model.reader.solid_drives import number_coordinates
from gaitwright.model.reader.solid_supports import read_supports, resolve_region
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import SmallViscosity, Viscosity, proportional_viscosity

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver
    from gaitwright.model.spec.document import SolidSpec

Array = np.ndarray
MAX_MATRIX_ENTRIES = 60_000_000
"""Maximum number of entries of all element matrices: 400,000 linear tetrahedra or 66,000 quadratic ones. With more, the tables
do not fit into the memory of a typical machine."""
MAX_PLAUSIBLE_SIZE_M = 20.0
"""Size of a mesh, m, above which it is probably not in metres: no leg, foot or device is as large."""
MESH_SHAPES = {
    2: ("rectangle", "disc", "ring"),
    3: ("box", "ball", "cylinder", "hollow_ball", "pad", "pipe"),
}
"""Mesh shapes without a file, by dimension."""


def add_solid(names: NameResolver, entry: SolidSpec) -> None:
    """Add the part of an entry, and its requested start velocity."""
    at = ErrorContext(f"solid '{entry.name}'")
    names.unused(entry.name, "solid")
    try:
        part = names.add(_read_solid_part(names, entry, at))
    except ModelError as error:  # of a mesh, a region or a material, which do not contain the name of the solid
        if (error.element or "").startswith((at.element, "drive ")):
            raise
        raise with_location(error, ", ".join(filter(None, (at.element, error.element))), error.field or "") from None
    d = part.dimension
    if entry.velocity is None and entry.spin is None:
        return
    carriers = [body.name for body, *_ in (*part.tied, *part.pinned)]
    if entry.quasi_static is not None:
        carriers.append(part.carrier.part.name)
    if carriers:
        at["velocity" if entry.spin is None else "spin"].fail(
            f"follows '{carriers[0]}'", expected=f"velocity and spin of '{carriers[0]}': the solid goes along"
        )
    velocity = (0.0,) * d if entry.velocity is None else read_vector(names, entry.velocity, at["velocity"], "m/s")
    spin_entry = entry.spin if isinstance(entry.spin, list) else [entry.spin or 0.0] * (1 if d == 2 else 3)
    if len(spin_entry) != (1 if d == 2 else 3) or (
        d == 3 and entry.spin is not None and not isinstance(entry.spin, list)
    ):
        at["spin"].fail("is not a spin", entry.spin, "a number of rad/s" if d == 2 else "three numbers of rad/s")
    spin = names.numbers.vector(spin_entry, at.element, "spin", "rad/s")
    if any(velocity) or any(spin):
        names.wanted.append(part.request_motion(f"{entry.name}.velocity", velocity, spin))


def _read_solid_part(names: NameResolver, entry: SolidSpec, at: ErrorContext) -> Any:
    """Part of an entry."""
    if entry.quasi_static is None:
        return read_solid(names, entry, at)
    from gaitwright.model.reader.quasi_static_solids import (
        read_quasi_static,  # contact by compliances, which few solids need
    )

    return read_quasi_static(names, entry, at)


def read_solid(names: NameResolver, entry: SolidSpec, at: ErrorContext) -> SolidPart:
    """Part of a dynamic solid."""
    mesh, thickness = read_placed_mesh(names, entry, at)
    fillings = read_material_regions(names, entry, mesh, thickness, at)
    supports = read_supports(names, entry, mesh, at)
    pinned = np.concatenate([np.zeros(0, dtype=int), *(nodes for _, nodes in supports.pinned)])
    coordinate_of = number_coordinates(names, entry.name, mesh, supports.held, pinned)
    if not coordinate_of.size or (coordinate_of == HELD_COORDINATE).all():
        at["fixed"].fail("holds every node", expected="a region that leaves some nodes free")
    mass_per_thickness = sum(filling.density * float(mesh.volumes[filling.cells].sum()) for filling in fillings)
    points = {
        name: find_nearest_node(mesh, read_vector(names, position, at[f"points.{name}"]))
        for name, position in entry.points.items()
    }
    is_supported = np.any([np.zeros(mesh.nodes.shape, dtype=bool), *supports.named.values()], axis=0)
    names.notes += [
        f"{at.element}: {note}"
        for note in (*mesh_warnings(mesh, fillings), *loose_piece_warnings(mesh, is_supported.any(axis=1)))
    ]
    part = SolidPart(
        name=entry.name,
        family=NODE_FAMILIES[mesh.dimension],
        drawn=np.zeros(int(coordinate_of.max()) + 1),
        mesh=mesh,
        number=coordinate_of,
        fillings=fillings,
        supports=supports.named,
        tied=supports.tied,
        pinned=supports.pinned,
        gravity=names.numbers.vector(names.document.gravity, "", "gravity", "m/s^2"),
        thickness=thickness,
        lumped=entry.lumped,
        points=points,
        mass=thickness * mass_per_thickness,
    )
    if entry.condensed is None:
        return part
    from gaitwright.model.reader.condensed_solids import read_condensed_solid

    return read_condensed_solid(entry, part, supports.held, at, names.notes)


def mesh_warnings(mesh: Mesh, fillings: tuple[MaterialRegion, ...]) -> Iterator[str]:
    """Warnings about a mesh and its materials."""
    yield from mesh.notes
    if mesh.size > MAX_PLAUSIBLE_SIZE_M:
        yield f"its mesh is {mesh.size:.3g} m long: if these are millimetres, say unit: mm, or mesh.scaled(1e-3)"
    for filling in fillings:
        if sentence := locking_warning(filling.material, filling.constants, filling.geometry.shape):
            yield sentence


def loose_piece_warnings(mesh: Mesh, is_supported: Array) -> Iterator[str]:
    """Warning about a mesh of several disconnected pieces, with the number of unsupported ones. is_supported: bool[nodes]."""
    if mesh.piece_count == 1:
        return
    supported_pieces = {int(piece) for piece in mesh.pieces[is_supported[mesh.cells].any(axis=1)]}
    unsupported = [k for k in range(mesh.piece_count) if k not in supported_pieces]
    remark = ""
    if supported_pieces and unsupported:
        cells = int(np.isin(mesh.pieces, unsupported).sum())
        remark = f", and the fixed regions hold nothing of {len(unsupported)} of them ({cells} cells)"
    if remark or not any("pieces" in note for note in mesh.notes):
        yield f"its mesh is {mesh.piece_count} pieces that share no node{remark}"


# Mesh ---------------------------------------------------------------------------------------------------------------


def read_placed_mesh(names: NameResolver, entry: SolidSpec, at: ErrorContext) -> tuple[Mesh, float]:
    """Placed mesh with the regions of the entry, and its thickness, m: 1 in space."""
    placement = {"angle": entry.angle, "axis": entry.axis, "at": entry.at}
    mesh = place_mesh(names, placement, read_solid_mesh(names, entry, at), at.element)
    for name, spec in entry.regions.items():
        mesh = mesh.with_region(name, resolve_region(spec, at[f"regions.{name}"], mesh))
    if entry.thickness is None:
        return mesh, 1.0
    if mesh.dimension == 3:
        at["thickness"].fail("belongs to a solid of the plane", entry.thickness, "no thickness in space")
    return mesh, names.numbers.positive(entry.thickness, at.element, "thickness", "m")


def read_solid_mesh(names: NameResolver, entry: SolidSpec, at: ErrorContext) -> Mesh:
    """A given mesh, a mesh from a file, or that of a shape with its sizes."""
    given, dimension = entry.mesh, names.document.dimension
    if isinstance(given, Mesh):
        mesh = given
    elif isinstance(given, str):
        from gaitwright.mesh.files import read

        if not Path(given).exists():
            at["mesh"].fail(f"there is no file '{given}'", expected="a mesh, beside the model file if that names it")
        mesh = read(given, unit=entry.unit)
    elif isinstance(given, Mapping) and "nodes" in given:
        try:
            mesh = Mesh.from_dict(given)
        except ModelError as error:
            raise with_location(error, at.element, f"mesh.{error.field}" if error.field else "mesh") from None
    else:
        mesh = make_mesh(given, at["mesh"], lambda value, field: mesh_argument(names, value, at, field))
    if mesh.is_surface:
        at["mesh"].fail(
            "is a surface, with nothing inside", expected="cells: fill it with gaitwright mesh FILE --fill SIZE"
        )
    if mesh.dimension != dimension:
        at["mesh"].fail(f"has {mesh.dimension} dimensions, the model {dimension}")
    mesh = {None: lambda: mesh, "linear": mesh.linear, "quadratic": mesh.quadratic}[entry.elements]()
    max_cells = MAX_MATRIX_ENTRIES // (mesh.cells.shape[1] * dimension) ** 2
    if len(mesh.cells) > max_cells:
        at["mesh"].fail(f"has {len(mesh.cells)} cells", expected=f"at most {max_cells} of this kind: larger cells")
    return mesh


def make_mesh(given: Any, at: ErrorContext | None = None, number: Any = lambda value, field: value) -> Mesh:
    """Mesh of a shape with its sizes, such as {box: {size: [0.1, 0.1, 0.1], divisions: [4, 4, 4]}}."""
    from gaitwright import mesh as meshes

    at = at or ErrorContext("mesh")
    shape_names = [*MESH_SHAPES[2], *MESH_SHAPES[3]]
    if not isinstance(given, Mapping) or len(given) != 1:
        at.fail("is no mesh", given, f"the name of a file, or the sizes of a shape: one of {', '.join(shape_names)}")
    ((kind, sizes),) = given.items()
    at.one_of(kind, shape_names, "is not a shape")
    if not isinstance(sizes, Mapping):
        at.fail("has no sizes", sizes, f"a mapping such as {{{kind}: {{size: 0.005}}}}")
    shape = getattr(meshes, kind)
    for name in sizes:
        at.one_of(name, list(inspect.signature(shape).parameters), f"is no size of a {kind}")
    try:
        return shape(**{name: number(value, f"mesh.{name}") for name, value in sizes.items()})
    except TypeError as error:
        at.fail(f"a {kind} cannot be made of {', '.join(sizes)} ({error})")


def mesh_argument(names: NameResolver, value: Any, at: ErrorContext, field: str) -> Any:
    """Evaluate numbers and lists of them, with expressions of the parameters; `cut` contains names of axes."""
    if field == "mesh.cut":
        return value
    if isinstance(value, (list, tuple)):
        return tuple(mesh_argument(names, x, at, field) for x in value)
    number = names.numbers.number(value, at.element, field)
    return int(number) if number == int(number) and not isinstance(value, float) else number


def place_mesh(names: NameResolver, placement: Mapping[str, Any], mesh: Mesh, label: str) -> Mesh:
    """Mesh rotated about its own origin, then moved. placement: fields angle, axis and at of an entry, or None."""
    angle, given_axis, at = (placement[field] for field in ("angle", "axis", "at"))
    if angle is not None:
        axis = (0.0, 0.0, 1.0) if given_axis is None else names.numbers.vector(given_axis, label, "axis")
        if len(axis) != 3 or not any(axis):
            ErrorContext(label, "axis").fail("has no direction", list(axis), "three numbers such as [0, 0, 1]")
        mesh = mesh.turned(names.numbers.number(angle, label, "angle", "rad"), axis)
    return mesh if at is None else mesh.moved(read_vector(names, at, ErrorContext(label, "at")))


def read_vector(names: NameResolver, value: Any, at: ErrorContext, unit: str = "m") -> tuple[float, ...]:
    """Read one number per dimension; ModelError for another count."""
    count = names.document.dimension
    if len(value) != count:
        at.fail(f"has {len(value)} numbers", list(value), f"{count} numbers of {unit}")
    return names.numbers.vector(value, at.element, at.field, unit)


def find_nearest_node(mesh: Mesh, point: tuple[float, ...]) -> tuple[float, ...]:
    """Local coordinates of the node nearest to a point."""
    node = int(np.argmin(np.linalg.norm(mesh.nodes - np.array(point), axis=1)))
    return (float(node), 1.0)


# Materials ----------------------------------------------------------------------------------------------------------


def read_material_regions(
    names: NameResolver, entry: SolidSpec, mesh: Mesh, thickness: float, at: ErrorContext
) -> tuple[MaterialRegion, ...]:
    """Cells by material: those of named regions, and the rest."""
    entries = entry.material if isinstance(entry.material, list) else [entry.material]
    is_assigned, regions = np.zeros(len(mesh.cells), dtype=bool), []
    for k, entry_value in enumerate(entries):
        context = at["material" if len(entries) == 1 else f"material[{k}]"]
        fields = dict(entry_value.entry()) if isinstance(entry_value, Material) else entry_value
        if not isinstance(fields, Mapping) or not all(isinstance(name, str) for name in fields):
            context.fail(
                "is no material", entry_value, "a mapping such as {type: neo-hookean, youngs_modulus: 1e6, ...}"
            )
        fields = dict(fields)
        region = fields.pop("region", None)
        cells = (
            ~is_assigned
            if region is None
            else resolve_region(region, context["region"], mesh).cells(mesh) & ~is_assigned
        )
        if not cells.any():
            context["region"].fail("holds no cell that is not taken by a material before", region)
        is_assigned |= cells
        regions.append(_read_material_region(names, fields, np.flatnonzero(cells), mesh, thickness, entry, context))
    if not is_assigned.all():
        at["material"].fail(
            f"leaves {int((~is_assigned).sum())} cells without a material", expected="a last one without region"
        )
    return tuple(regions)


def _read_material_region(
    names: NameResolver,
    fields: dict[str, Any],
    cells: Array,
    mesh: Mesh,
    thickness: float,
    entry: SolidSpec,
    at: ErrorContext,
) -> MaterialRegion:
    density = fields.pop("density", entry.density)
    density = names.numbers.positive(
        at["density"].given(density, "a number of kg/m^3"), at.element, "density", "kg/m^3"
    )
    beta = fields.pop("damping", 0.0)
    viscous = {name: fields.pop(name) for name in Viscosity.parameters if name in fields}
    material, constants = read_material(names, fields, at)
    shape = ELEMENT_TYPES[mesh.kind.name]
    law = SmallViscosity if material.linear else Viscosity
    viscosity = None
    if viscous:
        values = {name: names.numbers.number(value, at.element, name, "Pa s") for name, value in viscous.items()}
        viscosity = (law, law.constants(**values))
    elif beta:
        beta = at["damping"].not_negative(
            names.numbers.number(beta, at.element, "damping", "s"), "a number of s that is not negative"
        )
        viscosity = (law, proportional_viscosity(beta, *lame_constants(material, constants)))
    return MaterialRegion(
        cells,
        build_element_geometry(shape, mesh.nodes, mesh.cells[cells], thickness, at),
        material,
        constants,
        density,
        viscosity,
        needs_mean_dilatation(material, constants, shape),
    )
