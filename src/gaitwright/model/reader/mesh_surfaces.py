"""Meshes as surfaces of contacts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.mesh_surface import (
    MeshLookupTable,
    approximate_table,
    exact_table,
    outline_loop,
    surface_triangles,
)
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.reader.solids import make_mesh, mesh_argument, place_mesh
from gaitwright.physics.contact_geometry.approximate import ApproximateShape
from gaitwright.physics.contact_geometry.mesh import MeshShape
from gaitwright.physics.declarations import ContactShape

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder

PartPlace = tuple[str, tuple[float, ...]]


class CarriedMesh(NamedTuple):
    """place: origin of the mesh on its body. outline: for pictures, in the frame of the body."""

    place: PartPlace
    shape: type[ContactShape]
    table: MeshLookupTable
    outline: np.ndarray


def read_mesh_surface(builder: MechanismBuilder, given: Mapping[str, Any], label: str, radii: bool) -> CarriedMesh:
    """Mesh of a surface, in the frame of its body. radii: True if any round part touches it."""
    at = ErrorContext(label, "surface.mesh")
    place = read_mesh_carrier(builder, given["body"], label, "surface.body")
    mesh = place_mesh(builder.names, given, read_surface_mesh(builder, given, at), label)
    approximate = given["distance"] == "approximate"
    if approximate and radii:
        ErrorContext(label, "surface.distance").fail(
            "is approximate, which only points can be", given["distance"], "exact for round parts, or points"
        )
    table = (approximate_table if approximate else exact_table)(mesh, at)
    picture = surface_triangles(mesh) if mesh.dimension == 3 else outline_loop(mesh)
    return CarriedMesh(place, ApproximateShape if approximate else MeshShape, table, picture + np.array(place[1]))


def read_mesh_carrier(builder: MechanismBuilder, reference: str | None, label: str, field: str) -> PartPlace:
    """Origin of a rigid body, or a point of it."""
    if reference is None or reference == "ground":
        return "ground", (0.0,) * builder.document.dimension
    is_part_name = reference in builder.names.parts
    owner, place = builder.names.point(
        f"{reference}.origin" if is_part_name and builder.names.part(reference).rigid else reference, label, field
    )
    if not builder.names.part(owner).rigid:
        ErrorContext(label, field).fail(
            f"'{owner}' is a {builder.names.part(owner).kind}, which is not rigid and cannot carry a mesh",
            reference,
            "a body, a link or the ground; the surface of a solid is {solid: ...}",
        )
    return owner, place


def read_surface_mesh(builder: MechanismBuilder, given: Mapping[str, Any], at: ErrorContext) -> Mesh:
    """A given mesh, a mesh from a file, or that of a shape with its sizes."""
    mesh = given["mesh"]
    if isinstance(mesh, str):
        from gaitwright.mesh.files import read

        mesh = read(mesh, unit=given["unit"])
        builder.names.notes += [f"{at.element}: {note}" for note in mesh.notes]
    elif isinstance(mesh, Mapping) and "nodes" in mesh:
        mesh = Mesh.from_dict(mesh)
    elif not isinstance(mesh, Mesh):
        mesh = make_mesh(mesh, at, lambda value, field: mesh_argument(builder.names, value, at, field))
    if mesh.dimension != builder.document.dimension:
        at.fail(f"has {mesh.dimension} dimensions, the model {builder.document.dimension}")
    return mesh
