"""A soft layer on a rigid body as what touches: facets of a surface that the body carries, each with its area, its thickness
and its modulus. One entry of a document, one block of points in the tables."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.mesh_surfaces import carrier, read_mesh
from gaitwright.model.skins import BRISTLES, Points
from gaitwright.model.solids import placed
from gaitwright.physics.contact_laws.winkler import Winkler
from gaitwright.system.solids.skin import Skin, facets_of, loose_facets
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

LAW = {"type": Winkler.name, "stiffness": None, "thickness": None, "damping": 0.0, "exponent": 1.0}
"""Of a foundation whose contact names none."""


def foundation_points(s: Lowering, entry: dict[str, Any], label: str) -> Points:
    """The facets that touch, in the frame of their body."""
    given = entry["foundation"]
    owner, origin = carrier(s, given["body"], label, "foundation.body")
    skin = _skin(s, given, np.array(origin), label)
    assert skin.carried is not None
    body: Any = s.part(owner)
    places = skin.places(skin.carried)
    family, index, numbers = body.carried(places)
    computed = _computed(s, given, skin.count, label)
    middle = int(np.argmin(np.linalg.norm(places - places.mean(axis=0), axis=1)))
    return Points(
        owner=owner,
        near=tuple(float(x) for x in places[middle]),
        skin=skin._replace(layer=computed["law"].get("m")),
        groups=[(family, np.broadcast_to(index, (skin.count, len(index))), numbers)],
        field="foundation.body",
        law=LAW if entry["law"] is None else entry["law"],
        computed=computed,
    )


def _skin(s: Lowering, given: Mapping[str, Any], origin: Array, label: str) -> Skin:
    at, d = At(label, "foundation.mesh"), s.document.dimension
    width = 1.0
    if given["width"] is not None:
        if d == 3:
            At(label, "foundation.width").fail("is for models in the plane", given["width"], "a foundation without it")
        width = s.positive(given["width"], label, "foundation.width", "m")
    if (given["mesh"] is None) == (given["points"] is None):
        problem = "is missing, and so are points" if given["mesh"] is None else "is given besides points"
        at.fail(problem, expected="a mesh of the surface, or points with their areas")
    if given["points"] is not None:
        return _loose(s, given, origin, width, label)
    if given["areas"] is not None:
        At(label, "foundation.areas").fail("belong to points", expected="a mesh without them: its facets have areas")
    mesh = placed(s, SimpleNamespace(**given), read_mesh(s, given, at), label).linear()
    sides = _sides(mesh, given["region"], At(label, "foundation.region"))
    used, numbers = np.unique(sides, return_inverse=True)
    return facets_of(mesh.nodes[used] + origin, numbers.reshape(sides.shape), width)


def _sides(mesh: Mesh, region: str | None, at: At) -> Array:
    """Corners of the facets (facets, d) of the surface, or of a region of it."""
    sides = mesh.cells if mesh.is_surface else mesh.boundary
    if region is None:
        return sides
    if region not in mesh.regions:
        at.fail("is no region of the mesh", region, f"one of {', '.join(mesh.regions) or '(it has none)'}")
    own = mesh.regions[region]
    rows = own.cells if mesh.is_surface and len(own.cells) else np.isin(sides, own.nodes).all(axis=1)
    if not len(sides[rows]):
        at.fail("has no side on the surface", region, "a region of the surface")
    return sides[rows]


def _loose(s: Lowering, given: Mapping[str, Any], origin: Array, width: float, label: str) -> Skin:
    """Facets of which only the middles are known."""
    d = s.document.dimension
    if given["region"] is not None:
        At(label, "foundation.region").fail("belongs to a mesh", given["region"], "points without it")
    points = [s.vector(point, label, f"foundation.points[{k}]") for k, point in enumerate(given["points"])]
    if not points or {len(point) for point in points} != {d}:
        At(label, "foundation.points").fail("are no places", expected=f"a list of places, {d} numbers of m each")
    if given["areas"] is None:
        At(label, "foundation.areas").fail("are missing", expected="the area of each facet, m^2")
    areas = _each(s, given["areas"], len(points), label, "foundation.areas", "m^2")
    return loose_facets(np.array(points) + origin, areas, width)


def _each(s: Lowering, value: Any, count: int, label: str, field: str, unit: str) -> Array:
    """A positive number for each facet."""
    if not isinstance(value, list):
        return np.full(count, s.positive(value, label, field, unit))
    if len(value) != count:
        At(label, field).fail(f"has {len(value)} numbers", expected=f"one number, or one for each of {count} facets")
    return np.array([s.positive(x, label, f"{field}[{k}]", unit) for k, x in enumerate(value)])


def _computed(s: Lowering, given: Mapping[str, Any], count: int, label: str) -> dict[str, dict[str, Any]]:
    """By field and unit what a law and a friction have unless given: the oedometric modulus and the thickness of each facet,
    and as bristles the shear of the layer, G/t."""
    known: dict[str, dict[str, Any]] = {"law": {}, "friction": {}}
    if given["thickness"] is not None:
        known["law"]["m"] = _each(s, given["thickness"], count, label, "foundation.thickness", "m")
    if given["modulus"] is not None:
        youngs = _each(s, given["modulus"], count, label, "foundation.modulus", "Pa")
        nu = _poisson(s, given["poisson"], count, label)
        known["law"]["Pa"] = youngs * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
        if "m" in known["law"]:
            known["friction"][BRISTLES] = youngs / (2.0 * (1.0 + nu)) / known["law"]["m"]
    return known


def _poisson(s: Lowering, value: Any, count: int, label: str) -> Array:
    field = "foundation.poisson"
    listed = value if isinstance(value, list) else [value]
    nu = np.array([s.number(x, label, field, "1") for x in listed])
    if len(nu) not in (1, count):
        At(label, field).fail(f"has {len(nu)} numbers", expected=f"one number, or one for each of {count} facets")
    if not ((nu >= 0.0) & (nu < 0.5)).all():
        At(label, field).fail(
            "a thin layer that keeps its volume cannot be pressed",
            float(nu[np.argmax(np.abs(nu - 0.25))]),
            "from 0 to below 1/2, such as 0.45",
        )
    return np.broadcast_to(nu, (count,))
