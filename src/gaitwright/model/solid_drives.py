"""Regions of solids that a drive displaces as a whole: their nodes share one coordinate along each driven axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.mesh import Mesh
from gaitwright.physics.bodies.nodes import NODE
from gaitwright.physics.drives.displacement import Displacement
from gaitwright.physics.drives.position import SINGLE
from gaitwright.system.blocks import Element
from gaitwright.system.solids.geometry import HELD

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering
    from gaitwright.model.scope import Scope

Array = np.ndarray


def driven_regions(s: Scope, name: str, mesh: Mesh) -> Iterator[tuple[At, Array, list[int]]]:
    """What drives of the document displace of the solid of this name: nodes and axes. Regions that there are not are told
    of when the drives are read."""
    for k, entry in enumerate(s.document.drives):
        if entry["type"] != Displacement.name:
            continue
        owner, _, region = entry["of"].partition(".")
        if owner == name and region in mesh.regions:
            label = f"drive '{entry['name']}'" if entry["name"] else f"drive {k + 1} ({entry['type']})"
            axes = [axis for axis, x in enumerate("xyz") if entry.get(x) not in (None, ())]
            yield At(label, "of"), mesh.regions[region].nodes, axes


def numbered(s: Scope, name: str, mesh: Mesh, held: Array, pinned: Array) -> Array:
    """(nodes, d): which coordinate of the solid each displacement is, HELD if none. held: those that have none; pinned: nodes
    that follow bodies by pins."""
    owner = np.arange(held.size).reshape(held.shape)
    taken = held | np.isin(np.arange(len(held)), pinned)[:, None]
    for at, nodes, axes in driven_regions(s, name, mesh):
        for axis in axes:
            twice = nodes[taken[nodes, axis]]
            if twice.size:
                at.fail(
                    f"{twice.size} of its nodes, such as node{twice[0] + 1}, are held, tied or driven already along "
                    f"{'xyz'[axis]}",
                    expected="a region that is free along the driven axes",
                )
            taken[nodes, axis] = True
            owner[nodes, axis] = owner[nodes[0], axis]
    number = np.full(held.shape, HELD)
    number[~held] = np.unique(owner[~held], return_inverse=True)[1]
    return number


def read_displacement(s: Lowering, fields: dict[str, Any], name: str, label: str) -> None:
    """A row for each axis of a displacement drive."""
    part, region = s.region(fields["of"], label, "of")
    node = part.mesh.regions[region].nodes[0]
    for axis, declaration in SINGLE.items():
        if fields.get(axis) not in (None, ()):
            # The node shares the coordinate of all, and counts from where it is undeformed.
            local = [1.0, *s.origin]
            signal = s.signal(fields[axis], label, axis)
            element = Element(declaration, (NODE[part.dimension],), (part.at_nodes[node],), local, [signal])
            s.add_rows(declaration, element, (part.name,), name, "drive")
