"""Solids as they are drawn: a mesh whose nodes move becomes a body of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitwright.mesh.mesh import Mesh
from gaitwright.report.deforming import DeformingBody
from gaitwright.report.fields import Field
from gaitwright.result.outputs import Motion
from gaitwright.system.mechanism import Mechanism

MOST_NUMBERS = 1_500_000
"""Nodes times frames that a picture of solids has about."""


def solid_frames(mechanism: Mechanism, most: int) -> int:
    """Frames of a picture with solids, at most so many."""
    nodes = sum(len(part.drawn) for part in mechanism.parts.values() if part.meshed)
    return min(most, max(2, MOST_NUMBERS // nodes), 120) if nodes else most


def bodies_of(mechanism: Mechanism, frames: Motion) -> list[DeformingBody]:
    """The solids of a mechanism along a motion."""
    found = {part.name: part.deforming(frames) for part in mechanism.parts.values() if part.meshed}
    return [
        body_of_mesh(name, seen.mesh, seen.points, [Field(*field) for field in seen.fields], carried=seen.free)
        for name, seen in found.items()
    ]


def body_of_mesh(
    name: str,
    mesh: Mesh,
    points: Any,
    fields: Sequence[Field] = (),
    *,
    inside: bool = True,
    carried: bool = False,
    colour: str | None = None,
) -> DeformingBody:
    """A mesh whose nodes are at points (n_times, n, d), m; displacements count from where the mesh has them.

    fields: quantities at its nodes. inside: keep what a cut shows, which makes a page several times as large. carried, colour:
    see DeformingBody."""
    filled = mesh.kind.dimension == 3
    faces, cells = (mesh.boundary, mesh.cells if inside else None) if filled else (mesh.cells, None)
    return DeformingBody(
        name, points, faces, fields, cells, reference=mesh.nodes, carried=carried, colour=colour,
    )  # fmt: skip
