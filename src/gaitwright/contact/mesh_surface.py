"""Meshes as contact surfaces: the tables for lookup functions (contact/surface_lookup.py)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.surface_lookup import LINE_HEADER_SIZE
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.approximate_distance import ApproximateDistance
from gaitwright.mesh.distance import OutlineTree
from gaitwright.mesh.mesh import Mesh


class MeshLookupTable(NamedTuple):
    """Name of the lookup function of a mesh, and its numbers."""

    look_up: str
    numbers: Array


def exact_table(mesh: Mesh, at: ErrorContext) -> MeshLookupTable:
    """The tree of the surface or outline, in the frame of the mesh, m. Raises ModelError if it has no inside."""
    tree = mesh.tree
    if not tree.closed:
        at.fail(
            "is open, so that its inside is undefined",
            expected="a closed surface: see gw.mesh.surface_report, and gw.mesh.repaired(mesh, holes=...) to close it",
        )
    return MeshLookupTable("outline" if mesh.dimension == 2 else "faces", tree.numbers)


def approximate_table(mesh: Mesh, at: ErrorContext, length: float | None = None) -> MeshLookupTable:
    """phi in the cells of a mesh, and the tree for points outside. length: sqrt(c_L), m."""
    faces = exact_table(mesh, at).numbers
    if mesh.is_surface:
        at.fail(
            "is a surface; the approximate distance is computed inside of cells",
            expected="distance: exact, or cells: fill it with gaitwright mesh FILE --fill SIZE",
        )
    cells = ApproximateDistance(mesh, length).numbers
    head = [2 + len(faces) + len(cells), 2 + len(faces)]
    return MeshLookupTable("flat cells" if mesh.dimension == 2 else "cells", np.concatenate([head, faces, cells]))


def line_table(points: Array, closed: bool, seam: float) -> MeshLookupTable:
    """The tree of a line through points (n, 2), m, with the solid on its right. seam: extension beyond its ends, m."""
    indices = np.arange(len(points))
    edges = np.stack([np.roll(indices, -1), indices], axis=1)  # reversed: the outside is on the right of an outline
    if closed:
        return MeshLookupTable("outline", OutlineTree(points, edges).numbers)
    tree = OutlineTree(points, edges[:-1]).numbers
    head = [LINE_HEADER_SIZE + len(tree), seam, *points[0], *points[-1]]
    return MeshLookupTable("open line", np.concatenate([head, tree]))


def surface_triangles(mesh: Mesh) -> Array:
    """Surface triangles for pictures: corners of triangles one after another, (3 t, 3), m."""
    return mesh.nodes[mesh.triangles].reshape(-1, 3)


def outline_loop(mesh: Mesh) -> Array:
    """The longest line of the outline for pictures: (n, 2), m, closed, with the solid on the right."""
    following = {int(b): int(a) for a, b in mesh.outline}  # reversed: the outside was on the right
    loops = []
    while following:
        start = node = next(iter(following))
        loop = [start]
        while node in following:
            node = following.pop(node)
            loop.append(node)
        loops.append(mesh.nodes[loop])
    return max(loops, key=lambda points: float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()))
