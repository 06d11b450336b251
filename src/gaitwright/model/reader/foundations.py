"""Soft layer on a rigid body as the touching side: facets of a surface fixed to the body, each with its area, thickness and
modulus. One entry of a document gives one block of points in the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.contact_points import ContactPoints, build_facets, build_loose_facets
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.reader.mesh_surfaces import read_mesh_carrier, read_surface_mesh
from gaitwright.model.reader.solids import place_mesh
from gaitwright.model.reader.surface_contact_points import BRISTLE_STIFFNESS_UNIT, SurfaceContactPoints
from gaitwright.physics.contact_laws.winkler import Winkler

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import ContactEntry

DEFAULT_LAW = {"type": Winkler.name, "stiffness": None, "thickness": None, "damping": 0.0, "exponent": 1.0}
"""Law of a foundation whose contact has none."""


def read_foundation_points(builder: MechanismBuilder, entry: ContactEntry, label: str) -> SurfaceContactPoints:
    """Contact points of the facets, in the frame of their body."""
    foundation = entry["foundation"]
    assert foundation is not None
    owner, origin = read_mesh_carrier(builder, foundation["body"], label, "foundation.body")
    skin = _read_facets(builder, foundation, np.array(origin), label)
    assert skin.carried is not None
    body: Any = builder.names.part(owner)
    positions = skin.places(skin.carried)
    family, index, numbers = body.carried(positions)
    computed = _computed_parameters(builder, foundation, skin.count, label)
    middle = int(np.argmin(np.linalg.norm(positions - positions.mean(axis=0), axis=1)))
    return SurfaceContactPoints(
        owner=owner,
        near=tuple(float(x) for x in positions[middle]),
        skin=skin._replace(layer=computed["law"].get("m")),
        groups=[(family, np.broadcast_to(index, (skin.count, len(index))), numbers)],
        field="foundation.body",
        law=DEFAULT_LAW if entry["law"] is None else entry["law"],
        computed=computed,
    )


def _read_facets(builder: MechanismBuilder, foundation: Mapping[str, Any], origin: Array, label: str) -> ContactPoints:
    at, d = ErrorContext(label, "foundation.mesh"), builder.document.dimension
    width = 1.0
    if foundation["width"] is not None:
        if d == 3:
            ErrorContext(label, "foundation.width").fail(
                "is for models in the plane", foundation["width"], "a foundation without it"
            )
        width = builder.numbers.positive(foundation["width"], label, "foundation.width", "m")
    if (foundation["mesh"] is None) == (foundation["points"] is None):
        problem = "is missing, and so are points" if foundation["mesh"] is None else "is given besides points"
        at.fail(problem, expected="a mesh of the surface, or points with their areas")
    if foundation["points"] is not None:
        return _read_loose_facets(builder, foundation, origin, width, label)
    if foundation["areas"] is not None:
        ErrorContext(label, "foundation.areas").fail(
            "belong to points", expected="a mesh without them: its facets have areas"
        )
    mesh = place_mesh(builder.names, foundation, read_surface_mesh(builder, foundation, at), label).linear()
    sides = _facet_corners(mesh, foundation["region"], ErrorContext(label, "foundation.region"))
    used, numbers = np.unique(sides, return_inverse=True)
    return build_facets(mesh.nodes[used] + origin, numbers.reshape(sides.shape), width)


def _facet_corners(mesh: Mesh, region: str | None, at: ErrorContext) -> Array:
    """Corner nodes of the facets (facets, d) of the surface, or of a region of it."""
    sides = mesh.cells if mesh.is_surface else mesh.boundary
    if region is None:
        return sides
    if region not in mesh.regions:
        at.fail("is no region of the mesh", region, f"one of {', '.join(mesh.regions) or '(it has none)'}")
    selected_region = mesh.regions[region]
    rows = (
        selected_region.cells
        if mesh.is_surface and len(selected_region.cells)
        else np.isin(sides, selected_region.nodes).all(axis=1)
    )
    if not len(sides[rows]):
        at.fail("has no side on the surface", region, "a region of the surface")
    return sides[rows]


def _read_loose_facets(
    builder: MechanismBuilder, foundation: Mapping[str, Any], origin: Array, width: float, label: str
) -> ContactPoints:
    """Facets given by their midpoints and areas only."""
    d = builder.document.dimension
    if foundation["region"] is not None:
        ErrorContext(label, "foundation.region").fail("belongs to a mesh", foundation["region"], "points without it")
    points = [
        builder.numbers.vector(point, label, f"foundation.points[{k}]") for k, point in enumerate(foundation["points"])
    ]
    if not points or {len(point) for point in points} != {d}:
        ErrorContext(label, "foundation.points").fail(
            "are no places", expected=f"a list of places, {d} numbers of m each"
        )
    if foundation["areas"] is None:
        ErrorContext(label, "foundation.areas").fail("are missing", expected="the area of each facet, m^2")
    areas = _read_facet_numbers(builder, foundation["areas"], len(points), label, "foundation.areas", "m^2")
    return build_loose_facets(np.array(points) + origin, areas, width)


def _read_facet_numbers(builder: MechanismBuilder, value: Any, count: int, label: str, field: str, unit: str) -> Array:
    """Positive number for each facet."""
    if not isinstance(value, list):
        return np.full(count, builder.numbers.positive(value, label, field, unit))
    if len(value) != count:
        ErrorContext(label, field).fail(
            f"has {len(value)} numbers", expected=f"one number, or one for each of {count} facets"
        )
    return np.array([builder.numbers.positive(x, label, f"{field}[{k}]", unit) for k, x in enumerate(value)])


def _computed_parameters(
    builder: MechanismBuilder, foundation: Mapping[str, Any], count: int, label: str
) -> dict[str, dict[str, Any]]:
    """Default parameters of law and friction by field and unit: the oedometric modulus and the thickness of each facet, and for
    bristles the shear stiffness of the layer, G/t."""
    parameters: dict[str, dict[str, Any]] = {"law": {}, "friction": {}}
    if foundation["thickness"] is not None:
        parameters["law"]["m"] = _read_facet_numbers(
            builder, foundation["thickness"], count, label, "foundation.thickness", "m"
        )
    if foundation["modulus"] is not None:
        youngs = _read_facet_numbers(builder, foundation["modulus"], count, label, "foundation.modulus", "Pa")
        nu = _read_poissons_ratio(builder, foundation["poisson"], count, label)
        parameters["law"]["Pa"] = youngs * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
        if "m" in parameters["law"]:
            parameters["friction"][BRISTLE_STIFFNESS_UNIT] = youngs / (2.0 * (1.0 + nu)) / parameters["law"]["m"]
    return parameters


def _read_poissons_ratio(builder: MechanismBuilder, value: Any, count: int, label: str) -> Array:
    field = "foundation.poisson"
    values = value if isinstance(value, list) else [value]
    nu = np.array([builder.numbers.number(x, label, field, "1") for x in values])
    if len(nu) not in (1, count):
        ErrorContext(label, field).fail(
            f"has {len(nu)} numbers", expected=f"one number, or one for each of {count} facets"
        )
    if not ((nu >= 0.0) & (nu < 0.5)).all():
        ErrorContext(label, field).fail(
            "a thin incompressible layer cannot be compressed",
            float(nu[np.argmax(np.abs(nu - 0.25))]),
            "from 0 to below 1/2, such as 0.45",
        )
    return np.broadcast_to(nu, (count,))
