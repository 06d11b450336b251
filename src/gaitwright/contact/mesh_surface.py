"""Meshes as surfaces of contacts: the tables that look-ups read (system/look_up.py)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.approximate import ApproximateDistance
from gaitwright.mesh.distance import OutlineTree
from gaitwright.mesh.mesh import Mesh
from gaitwright.system.look_up import ENDS
from gaitwright.system.tables import Array


class MeshTable(NamedTuple):
    """How a mesh is looked up, and in which numbers."""

    look_up: str
    numbers: Array


def exact_table(mesh: Mesh, at: At) -> MeshTable:
    """The tree of its surface or outline, in the frame of the mesh, m. ModelError if it has no inside."""
    tree = mesh.tree
    if not tree.closed:
        at.fail(
            "is open, so that nothing tells what is inside",
            expected="a closed surface: see gw.mesh.surface_report, and gw.mesh.repaired(mesh, holes=...) to close it",
        )
    return MeshTable("outline" if mesh.dimension == 2 else "faces", tree.numbers)


def approximate_table(mesh: Mesh, at: At, length: float | None = None) -> MeshTable:
    """phi in the cells of a mesh, and the tree for what is outside. length: sqrt(c_L), m."""
    faces = exact_table(mesh, at).numbers
    if mesh.is_surface:
        at.fail(
            "is a surface; the approximate distance is computed inside of cells",
            expected="distance: exact, or cells: fill it with gaitwright mesh FILE --fill SIZE",
        )
    cells = ApproximateDistance(mesh, length).numbers
    head = [2 + len(faces) + len(cells), 2 + len(faces)]
    return MeshTable("flat cells" if mesh.dimension == 2 else "cells", np.concatenate([head, faces, cells]))


def line_table(points: Array, closed: bool, seam: float) -> MeshTable:
    """The tree of a line through points (n, 2), m, with the solid on its right. seam: how far beyond its ends it holds, m."""
    here = np.arange(len(points))
    edges = np.stack([np.roll(here, -1), here], axis=1)  # backwards: what is outside is on the right of an outline
    if closed:
        return MeshTable("outline", OutlineTree(points, edges).numbers)
    tree = OutlineTree(points, edges[:-1]).numbers
    head = [ENDS + len(tree), seam, *points[0], *points[-1]]
    return MeshTable("open line", np.concatenate([head, tree]))


def triangles_of(mesh: Mesh) -> Array:
    """Its surface for pictures: corners of triangles one after another, (3 t, 3), m."""
    return mesh.nodes[mesh.triangles].reshape(-1, 3)


def loop_of(mesh: Mesh) -> Array:
    """The longest line of its outline for pictures: (n, 2), m, closed, with the solid on the right."""
    following = {int(b): int(a) for a, b in mesh.outline}  # walked backwards: what is outside was on the right
    loops = []
    while following:
        start = at = next(iter(following))
        loop = [start]
        while at in following:
            at = following.pop(at)
            loop.append(at)
        loops.append(mesh.nodes[loop])
    return max(loops, key=lambda points: float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()))
