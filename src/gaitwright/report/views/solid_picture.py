"""Solids as they are drawn: a mesh whose nodes move becomes a body of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitwright.mesh.mesh import Mesh
from gaitwright.report.deforming import DeformingBody
from gaitwright.report.fields import Field


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
