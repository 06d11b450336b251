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
    supports: dict[str, Array] = {}
    nodes_by_carrier: dict[str, Array] = {}
    entries = entry.fixed if isinstance(entry.fixed, list) else [] if entry.fixed is None else [entry.fixed]
    for k, entry_value in enumerate(entries):
        context = at["fixed" if len(entries) == 1 else f"fixed[{k}]"]
        region, axes, carrier = entry_value, AXIS_LETTERS[: mesh.dimension], GROUND
        if isinstance(entry_value, Mapping) and "region" in entry_value:
            if unknown := [key for key in entry_value if key not in ("region", "axes", "to")]:
                context.fail(f"has no field '{unknown[0]}'", expected="region, axes and to")
            region, carrier = (
                entry_value["region"],
                names.body(str(entry_value.get("to", GROUND)), context.element, f"{context.field}.to"),
            )
            axes = _read_axes(entry_value["axes"], carrier, context["axes"]) if "axes" in entry_value else axes
        columns = [
            AXIS_LETTERS.index(context["axes"].one_of(axis, list(AXIS_LETTERS[: mesh.dimension]), "is no axis"))
            for axis in axes
        ]
        name = region if isinstance(region, str) else f"fixed{k + 1 if len(entries) > 1 else ''}"
        selected = select_nodes(region, context, mesh)
        for mask in (
            supports.setdefault(name, _no_displacements(mesh)),
            nodes_by_carrier.setdefault(carrier, _no_displacements(mesh)),
        ):
            mask[:, columns] |= selected[:, None]
        for other_carrier in [other_carrier for other_carrier in nodes_by_carrier if other_carrier != carrier]:
            conflicting = np.flatnonzero((nodes_by_carrier[other_carrier] & nodes_by_carrier[carrier]).any(axis=1))
            if conflicting.size:
                context.fail(
                    f"{conflicting.size} of its nodes, such as node{conflicting[0] + 1}, follow both '{other_carrier}' "
                    f"and '{carrier}'",
                    expected="regions without common nodes",
                )
    fixed = nodes_by_carrier.pop(GROUND, _no_displacements(mesh))
    carried = [(names.part(name), np.flatnonzero(nodes[:, 0])) for name, nodes in nodes_by_carrier.items()]
    if mesh.dimension == 2:
        return SolidSupports(supports, fixed, (), tuple(PinnedNodes(body, nodes) for body, nodes in carried))
    tied = tuple(tie_nodes(body, nodes, mesh.nodes) for body, nodes in carried)
    return SolidSupports(supports, np.any([fixed, *nodes_by_carrier.values()], axis=0), tied, ())


def _no_displacements(mesh: Mesh) -> Array:
    return np.zeros(mesh.nodes.shape, dtype=bool)


def _read_axes(axes: Any, carrier: str, at: ErrorContext) -> Any:
    if not isinstance(axes, (str, list, tuple)) or not axes:
        at.fail("is no axis", axes, "some of the letters xyz, such as xy")
    if carrier != GROUND:
        at.fail(
            f"are only for nodes fixed to the ground, but these nodes follow '{carrier}' as a whole", axes, "no axes"
        )
    return axes


def resolve_region(spec: Any, at: ErrorContext, mesh: Mesh) -> RegionSelector:
    return spec if isinstance(spec, RegionSelector) else region_from(spec, at, mesh.dimension)


def select_nodes(spec: Any, at: ErrorContext, mesh: Mesh) -> Array:
    """Mask of the selected nodes; ModelError if there are none."""
    selector = resolve_region(spec, at, mesh)
    selected = selector.nodes(mesh)
    if not selected.any():
        reach = f"from {format_point(mesh.bounds[0])} to {format_point(mesh.bounds[1])} m"
        at.fail(
            f"{selector} holds no node of the mesh",
            expected=f"a place on it: it reaches {reach}{selector.missed(mesh)}",
        )
    return selected
