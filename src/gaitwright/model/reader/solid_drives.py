"""Regions of solids displaced as a whole by a drive: their nodes share one coordinate along each driven axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mesh.mesh import Mesh
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES
from gaitwright.physics.drives.displacement import Displacement
from gaitwright.physics.drives.position import DRIVE_BY_AXIS

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.reader.name_resolver import NameResolver

Array = np.ndarray


def iterate_driven_regions(
    names: NameResolver, name: str, mesh: Mesh
) -> Iterator[tuple[ErrorContext, Array, list[int]]]:
    """Nodes and axes that drives of the document displace on this solid. Unknown regions are reported when the drives are
    read."""
    for k, entry in enumerate(names.document.drives):
        if entry["type"] != Displacement.name:
            continue
        owner, _, region = entry["of"].partition(".")
        if owner == name and region in mesh.regions:
            label = f"drive '{entry['name']}'" if entry["name"] else f"drive {k + 1} ({entry['type']})"
            axes = [axis for axis, x in enumerate("xyz") if entry.get(x) not in (None, ())]
            yield ErrorContext(label, "of"), mesh.regions[region].nodes, axes


def number_coordinates(names: NameResolver, name: str, mesh: Mesh, is_fixed: Array, pinned: Array) -> Array:
    """(nodes, d): index of the coordinate of each displacement, HELD_COORDINATE for none. is_fixed: bool[nodes, d],
    displacements without coordinate; pinned: nodes that follow bodies by pins."""
    owner = np.arange(is_fixed.size).reshape(is_fixed.shape)
    is_assigned = is_fixed | np.isin(np.arange(len(is_fixed)), pinned)[:, None]
    for context, nodes, axes in iterate_driven_regions(names, name, mesh):
        for axis in axes:
            conflicting = nodes[is_assigned[nodes, axis]]
            if conflicting.size:
                context.fail(
                    f"{conflicting.size} of its nodes, such as node{conflicting[0] + 1}, are held, tied or driven already "
                    f"along {'xyz'[axis]}",
                    expected="a region that is free along the driven axes",
                )
            is_assigned[nodes, axis] = True
            owner[nodes, axis] = owner[nodes[0], axis]
    number = np.full(is_fixed.shape, HELD_COORDINATE)
    number[~is_fixed] = np.unique(owner[~is_fixed], return_inverse=True)[1]
    return number


def read_displacement_drive(builder: MechanismBuilder, fields: dict[str, Any], name: str, label: str) -> None:
    """Add a row for each axis of a displacement drive."""
    part, region = builder.elements.region(fields["of"], label, "of")
    node = part.mesh.regions[region].nodes[0]
    for axis, declaration in DRIVE_BY_AXIS.items():
        if fields.get(axis) not in (None, ()):
            # The coordinate of this node is shared by all nodes, and measured from the undeformed position.
            local = [1.0, *builder.names.origin]
            signal = builder.numbers.signal(fields[axis], label, axis)
            element = MechanismElement(
                declaration, (NODE_FAMILIES[part.dimension],), (part.at_nodes[node],), local, [signal]
            )
            builder.add_rows(declaration, element, (part.name,), name, "drive")
