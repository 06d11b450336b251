"""Exact signed distance of points from a surface of triangles, which may deform; in the plane, from an outline of edges.

d(p) = s |p - c|, with c the nearest point of the surface and s = 1 outside, -1 inside: the sign of (p - c) . n, where n is
the normal of the face, edge or vertex that contains c (see nearest_triangle.py). The normal in the result is grad d.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import T3, Array
from gaitwright.mesh.nearest_triangle import find_nearest, fit_boxes, fit_normals
from gaitwright.mesh.topology import find_edges

MAX_LEAF_TRIANGLES = 4
"""Upper bound of the triangles per leaf: slightly faster than two or eight."""


class NearestPoints(NamedTuple):
    """Result for each point: signed distance (p,), m, negative inside; the nearest triangle (p,), -1 if none is within
    reach (the distance is then infinite); barycentric coordinates of the nearest point (p, 3); unit normal (p, 3), the
    direction of growing distance."""

    distance: Array
    triangle: Array
    weights: Array
    normal: Array


class SurfaceTree:
    """Search tree of triangles (t, 3) between nodes (n, 3), m, for the triangle nearest to a point.

        tree = gw.mesh.SurfaceTree(mesh.nodes, mesh.triangles)
        near = tree.query(points)
        tree.move(nodes)                              # the same triangles, deformed: 20 times faster than a new tree
        near = tree.query(points, start=near.triangle)

    The surface should be closed and its triangles counter-clockwise seen from outside; if it is open (`closed` is False), the
    sign is that of the side of its nearest face. Raises ModelError for invalid arrays."""

    order: Array
    triangles: Array
    closed: bool

    def __init__(self, nodes: Any, triangles: Any):
        at = ErrorContext("surface")
        nodes, triangles = np.ascontiguousarray(nodes, dtype=float), np.asarray(triangles)
        if (
            nodes.ndim != 2
            or nodes.shape[1] != 3
            or triangles.ndim != 2
            or triangles.shape[1] != 3
            or not len(triangles)
        ):
            at.fail("is not made of triangles in space", expected="nodes (n, 3), m, and triangles (t, 3)")
        if triangles.min() < 0 or triangles.max() >= len(nodes) or not np.isfinite(nodes).all():
            at.fail("has nodes that are not there or not finite", expected="numbers from 0, and finite coordinates")
        levels = max(0, math.ceil(math.log2(len(triangles) / MAX_LEAF_TRIANGLES)))
        self.order = _order_triangles(nodes[triangles].mean(axis=1), levels)
        self._place = np.empty_like(self.order)
        self._place[self.order] = np.arange(len(self.order))
        self.triangles = np.ascontiguousarray(triangles[self.order], dtype=np.int64)
        edges = find_edges(self.triangles, T3)
        self._edges = np.ascontiguousarray(edges.of_cell)
        self.closed = bool((np.bincount(edges.of_cell.reshape(-1)) == 2).all())
        count = len(self.triangles)
        self._boxes, self._corners = np.empty((2 ** (levels + 1) - 1, 6)), np.empty((count, 3, 3))
        self._normals = np.empty((count, 7, 3))
        self._at_vertices, self._at_edges = np.empty((len(nodes), 3)), np.empty((len(edges.ends), 3))
        self.move(nodes)

    def move(self, nodes: Any) -> None:
        """Update the positions of the nodes (n, 3), m; the triangles stay. Raises ModelError for another shape."""
        nodes = np.array(nodes, dtype=float)  # a copy: a read-only array would compile another specialisation
        if nodes.shape != self._at_vertices.shape:
            ErrorContext("surface", "nodes").fail(f"has the shape {nodes.shape}", expected=f"{self._at_vertices.shape}")
        fit_boxes(nodes, self.triangles, self._boxes, self._corners)
        fit_normals(self.triangles, self._edges, self._corners, self._at_vertices, self._at_edges, self._normals)

    @property
    def numbers(self) -> Array:
        """The tree as one array for contact searches (contact/surface_lookup.py): numbers of triangles and boxes, then boxes,
        corners and normals."""
        parts = (self._boxes, self._corners, self._normals)
        return np.concatenate([[len(self.triangles), len(self._boxes)], *(part.ravel() for part in parts)])

    def query(self, points: Any, start: Array | None = None, within: float = math.inf) -> NearestPoints:
        """Nearest points of the surface for points (p, 3), m. start: triangles (p,) of an earlier query, which shorten the
        search.
        within: search radius, m. Raises ModelError for another shape."""
        points = np.array(points, dtype=float)
        if points.ndim != 2 or points.shape[1] != 3:
            ErrorContext("surface", "points").fail(f"has the shape {points.shape}", expected="(p, 3), m")
        count = len(points)
        first = np.full(count, -1) if start is None else np.where(start >= 0, self._place[start], -1)
        nearest = NearestPoints(np.empty(count), np.empty(count, np.int64), np.zeros((count, 3)), np.zeros((count, 3)))
        find_nearest(points, first, float(within), self._boxes, self._corners, self._normals, *nearest)
        triangle = np.where(nearest.triangle >= 0, self.order[nearest.triangle], -1)
        return nearest._replace(triangle=triangle)


def _order_triangles(middles: Array, levels: int) -> Array:
    """Order of the triangles such that each box of the tree is halved across its longest side."""
    count = len(middles)
    order = np.arange(count)
    for level in range(levels):
        parts = 2**level
        starts = np.arange(parts + 1) * count // parts
        part = np.repeat(np.arange(parts), np.diff(starts))
        x = middles[order]
        low, high = np.minimum.reduceat(x, starts[:-1]), np.maximum.reduceat(x, starts[:-1])
        axis = np.argmax(high - low, axis=1)
        order = order[np.lexsort((x[np.arange(count), axis[part]], part))]
    return order


class OutlineTree:
    """The same in the plane: edges (e, 2) between nodes (n, 2), m, with the outside on their right.

    Each edge becomes a wall of two triangles perpendicular to the plane: the wall point nearest to a point of the plane
    lies in the plane."""

    edges: Array
    closed: bool

    def __init__(self, nodes: Any, edges: Any):
        nodes, edges = np.array(nodes, dtype=float), np.asarray(edges)
        if nodes.ndim != 2 or nodes.shape[1] != 2 or edges.ndim != 2 or edges.shape[1] != 2 or not len(edges):
            ErrorContext("outline").fail(
                "is not made of edges in the plane", expected="nodes (n, 2), m, and edges (e, 2)"
            )
        self._height = float(np.ptp(nodes, axis=0).max())
        a, b, up = edges[:, 0], edges[:, 1], len(nodes)
        walls = np.stack([np.stack([a, b, b + up], axis=1), np.stack([a, b + up, a + up], axis=1)], axis=1)
        self._tree = SurfaceTree(self._standing(nodes), walls.reshape(-1, 3))
        self.edges = edges
        ends = np.bincount(edges.reshape(-1), minlength=up)
        self.closed = bool((ends[np.unique(edges)] == 2).all())

    def _standing(self, nodes: Any) -> Array:
        flat = np.array(nodes, dtype=float)
        return np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in (-self._height, self._height)])

    def move(self, nodes: Any) -> None:
        """Update the positions of the nodes (n, 2), m; the edges stay."""
        self._tree.move(self._standing(nodes))

    @property
    def numbers(self) -> Array:
        """As in SurfaceTree, for the walls."""
        return self._tree.numbers

    def query(self, points: Any, start: Array | None = None, within: float = math.inf) -> NearestPoints:
        """As in SurfaceTree, with edges instead of triangles: weights (p, 2) of both ends, normals (p, 2)."""
        points = np.array(points, dtype=float)
        if points.ndim != 2 or points.shape[1] != 2:
            ErrorContext("outline", "points").fail(f"has the shape {points.shape}", expected="(p, 2), m")
        first = None if start is None else np.where(start >= 0, 2 * start, -1)
        nearest = self._tree.query(np.column_stack([points, np.zeros(len(points))]), first, within)
        second = nearest.triangle % 2 == 1  # the two triangles of a wall: a b b', a b' a'
        of_b = np.where(second, nearest.weights[:, 1], nearest.weights[:, 1] + nearest.weights[:, 2])
        weights = np.stack([1.0 - of_b, of_b], axis=1)
        weights[nearest.triangle < 0] = 0.0
        return NearestPoints(nearest.distance, nearest.triangle // 2, weights, nearest.normal[:, :2])
