"""Supports of a solid of a document: regions of its mesh that are fixed or move with a rigid body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.solid_part import PinnedNodes
from gaitwright.fem.ties import NodeTie, tie_nodes
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.region_reader import region_from
from gaitwright.mesh.regions import RegionSelector, format_point

if TYPE_CHECKING:
    from gaitwright.model.reader.name_resolver import NameResolver
    from gaitwright.model.spec.document import SolidSpec

Array = np.ndarray
AXIS_LETTERS = "xyz"
GROUND = "ground"


class SolidSupports(NamedTuple):
    """named: supported displacements (nodes, d) by the name of the region, or fixed1, fixed2, ... held: displacements
    without coordinates. tied, pinned: nodes that move with bodies, in space and in the plane."""

    named: dict[str, Array]
    held: Array
    tied: tuple[NodeTie, ...]
    pinned: tuple[PinnedNodes, ...]


def read_supports(names: NameResolver, entry: SolidSpec, mesh: Mesh, at: ErrorContext) -> SolidSupports:
    named: dict[str, Array] = {}
    owner: dict[str, Array] = {}
    given = entry.fixed if isinstance(entry.fixed, list) else [] if entry.fixed is None else [entry.fixed]
    for k, one in enumerate(given):
        here = at["fixed" if len(given) == 1 else f"fixed[{k}]"]
        region, axes, to = one, AXIS_LETTERS[: mesh.dimension], GROUND
        if isinstance(one, Mapping) and "region" in one:
            if unknown := [key for key in one if key not in ("region", "axes", "to")]:
                here.fail(f"has no field '{unknown[0]}'", expected="region, axes and to")
            region, to = one["region"], names.body(str(one.get("to", GROUND)), here.element, f"{here.field}.to")
            axes = _read_axes(one["axes"], to, here["axes"]) if "axes" in one else axes
        columns = [
            AXIS_LETTERS.index(here["axes"].one_of(axis, list(AXIS_LETTERS[: mesh.dimension]), "is no axis"))
            for axis in axes
        ]
        name = region if isinstance(region, str) else f"fixed{k + 1 if len(given) > 1 else ''}"
        chosen = select_nodes(region, here, mesh)
        for holding in (named.setdefault(name, _no_displacements(mesh)), owner.setdefault(to, _no_displacements(mesh))):
            holding[:, columns] |= chosen[:, None]
        for other in [other for other in owner if other != to]:
            twice = np.flatnonzero((owner[other] & owner[to]).any(axis=1))
            if twice.size:
                here.fail(
                    f"{twice.size} of its nodes, such as node{twice[0] + 1}, follow both '{other}' and '{to}'",
                    expected="regions without common nodes",
                )
    fixed = owner.pop(GROUND, _no_displacements(mesh))
    following = [(names.part(name), np.flatnonzero(nodes[:, 0])) for name, nodes in owner.items()]
    if mesh.dimension == 2:
        return SolidSupports(named, fixed, (), tuple(PinnedNodes(body, nodes) for body, nodes in following))
    tied = tuple(tie_nodes(body, nodes, mesh.nodes) for body, nodes in following)
    return SolidSupports(named, np.any([fixed, *owner.values()], axis=0), tied, ())


def _no_displacements(mesh: Mesh) -> Array:
    return np.zeros(mesh.nodes.shape, dtype=bool)


def _read_axes(given: Any, to: str, at: ErrorContext) -> Any:
    if not isinstance(given, (str, list, tuple)) or not given:
        at.fail("is no axis", given, "some of the letters xyz, such as xy")
    if to != GROUND:
        at.fail(f"are only for nodes fixed to the ground, but these nodes follow '{to}' as a whole", given, "no axes")
    return given


def resolve_region(spec: Any, at: ErrorContext, mesh: Mesh) -> RegionSelector:
    return spec if isinstance(spec, RegionSelector) else region_from(spec, at, mesh.dimension)


def select_nodes(spec: Any, at: ErrorContext, mesh: Mesh) -> Array:
    """Mask of the selected nodes; ModelError if there are none."""
    where = resolve_region(spec, at, mesh)
    chosen = where.nodes(mesh)
    if not chosen.any():
        reach = f"from {format_point(mesh.bounds[0])} to {format_point(mesh.bounds[1])} m"
        at.fail(f"{where} holds no node of the mesh", expected=f"a place on it: it reaches {reach}{where.missed(mesh)}")
    return chosen
