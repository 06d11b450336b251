"""Drawing of solids: a mesh with moving nodes becomes a deforming body of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mesh.mesh import Mesh
from gaitwright.report.scenes.deformable_body import DeformingBody
from gaitwright.report.scenes.nodal_field import NodalField
from gaitwright.result.outputs import StateHistory

MAX_NODE_FRAMES = 1_500_000
"""Approximate maximum of nodes times frames of a picture of solids."""


def count_solid_frames(mechanism: Mechanism, maximum: int) -> int:
    """Number of frames of a picture with solids, at most `maximum`."""
    nodes = sum(len(part.drawn) for part in mechanism.parts.values() if part.meshed)
    return min(maximum, max(2, MAX_NODE_FRAMES // nodes), 120) if nodes else maximum


def deforming_solid_bodies(mechanism: Mechanism, frames: StateHistory) -> list[DeformingBody]:
    """Deforming bodies for the solids of a mechanism during a motion."""
    drawn_solids = {part.name: part.deforming(frames) for part in mechanism.parts.values() if part.meshed}
    return [
        deforming_body_from_mesh(
            name, solid.mesh, solid.points, [NodalField(*field) for field in solid.fields], carried=solid.free
        )
        for name, solid in drawn_solids.items()
    ]


def deforming_body_from_mesh(
    name: str,
    mesh: Mesh,
    points: Any,
    fields: Sequence[NodalField] = (),
    *,
    inside: bool = True,
    carried: bool = False,
    colour: str | None = None,
) -> DeformingBody:
    """Deforming body of a mesh with nodes at points (n_times, n, d), m; displacements are relative to the nodes of the
    mesh.

    fields: quantities at its nodes. inside: keep the cells for sections, which makes a page several times as large. carried,
    colour: see DeformingBody."""
    filled = mesh.kind.dimension == 3
    faces, cells = (mesh.boundary, mesh.cells if inside else None) if filled else (mesh.cells, None)
    return DeformingBody(
        name, points, faces, fields, cells, reference=mesh.nodes, carried=carried, colour=colour,
    )  # fmt: skip
