"""Meshes that a document names as surfaces of contacts."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.contact.mesh_surface import MeshTable, approximate_table, exact_table, loop_of, triangles_of
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.solids import made, placed, s_value
from gaitwright.physics.contact_geometry.approximate import ApproximateShape
from gaitwright.physics.contact_geometry.mesh import MeshShape
from gaitwright.physics.declare import Shape

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

Where = tuple[str, tuple[float, ...]]


class CarriedMesh(NamedTuple):
    """place: the point of its body at which the mesh has its origin. outline: for pictures, in the frame of the body."""

    place: Where
    shape: type[Shape]
    table: MeshTable
    outline: np.ndarray


def read_mesh_surface(s: Lowering, given: Mapping[str, Any], label: str, radii: bool) -> CarriedMesh:
    """The mesh of a surface, in the frame of its body. radii: whether anything round touches it."""
    at = At(label, "surface.mesh")
    place = carrier(s, given["body"], label, "surface.body")
    mesh = placed(s, SimpleNamespace(**given), read_mesh(s, given, at), label)
    approximate = given["distance"] == "approximate"
    if approximate and radii:
        At(label, "surface.distance").fail(
            "is approximate, which only points can be", given["distance"], "exact for what is round, or points"
        )
    table = (approximate_table if approximate else exact_table)(mesh, at)
    picture = triangles_of(mesh) if mesh.dimension == 3 else loop_of(mesh)
    return CarriedMesh(place, ApproximateShape if approximate else MeshShape, table, picture + np.array(place[1]))


def carrier(s: Lowering, reference: str | None, label: str, field: str) -> Where:
    """The origin of a rigid body, or a point of it."""
    if reference is None or reference == "ground":
        return "ground", (0.0,) * s.document.dimension
    whole = reference in s.parts
    owner, place = s.point(f"{reference}.origin" if whole and s.part(reference).rigid else reference, label, field)
    if not s.part(owner).rigid:
        At(label, field).fail(
            f"'{owner}' is a {s.part(owner).kind}, which is not rigid and cannot carry a mesh",
            reference,
            "a body, a link or the ground; the surface of a solid is {solid: ...}",
        )
    return owner, place


def read_mesh(s: Lowering, given: Mapping[str, Any], at: At) -> Mesh:
    """A mesh that was given, one in a file, or a shape with its sizes."""
    mesh = given["mesh"]
    if isinstance(mesh, str):
        from gaitwright.mesh.files import read

        mesh = read(mesh, unit=given["unit"])
        s.notes += [f"{at.element}: {note}" for note in mesh.notes]
    elif isinstance(mesh, Mapping) and "nodes" in mesh:
        mesh = Mesh.from_dict(mesh)
    elif not isinstance(mesh, Mesh):
        mesh = made(mesh, at, lambda value, field: s_value(s, value, at, field))
    if mesh.dimension != s.document.dimension:
        at.fail(f"has {mesh.dimension} dimensions, the model {s.document.dimension}")
    return mesh
