"""Exact signed distance of points from a surface of triangles, also one that deforms; in the plane, from an outline of edges.

d(p) = s |p - c|, with c the nearest point of the surface and s = 1 outside, -1 inside: the sign of (p - c) . n, where n is
the normal of the face, edge or vertex on which c lies (see nearest.py). The normal of the result is grad d.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.kinds import T3, Array
from gaitwright.mesh.nearest import find_nearest, fit_boxes, fit_normals
from gaitwright.mesh.topology import edges_of

LEAF = 4
"""Triangles of a leaf, at most: of two, four and eight the quickest, by little."""


class Nearest(NamedTuple):
    """Of each point: signed distance (p,), m, negative inside; the nearest triangle (p,), -1 where none is within reach
    (and the distance infinite); weights of its corners in the nearest point (p, 3); unit normal (p, 3), along which the
    distance grows."""

    distance: Array
    triangle: Array
    weights: Array
    normal: Array


class SurfaceTree:
    """Triangles (t, 3) between nodes (n, 3), m, ordered so that the nearest one is found quickly.

        tree = gw.mesh.SurfaceTree(mesh.nodes, mesh.triangles)
        near = tree.query(points)
        tree.move(nodes)                              # the same triangles, deformed: 20 times faster than a new tree
        near = tree.query(points, start=near.triangle)

    The surface should be closed and its triangles counter-clockwise seen from outside; where it is open (`closed` is
    false), the sign is that of the side of its nearest face."""

    order: Array
    triangles: Array
    closed: bool

    def __init__(self, nodes: Any, triangles: Any):
        at = At("surface")
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
        levels = max(0, math.ceil(math.log2(len(triangles) / LEAF)))
        self.order = _tree_order(nodes[triangles].mean(axis=1), levels)
        self._place = np.empty_like(self.order)
        self._place[self.order] = np.arange(len(self.order))
        self.triangles = np.ascontiguousarray(triangles[self.order], dtype=np.int64)
        edges = edges_of(self.triangles, T3)
        self._edges = np.ascontiguousarray(edges.of_cell)
        self.closed = bool((np.bincount(edges.of_cell.reshape(-1)) == 2).all())
        count = len(self.triangles)
        self._boxes, self._corners = np.empty((2 ** (levels + 1) - 1, 6)), np.empty((count, 3, 3))
        self._normals = np.empty((count, 7, 3))
        self._at_vertices, self._at_edges = np.empty((len(nodes), 3)), np.empty((len(edges.ends), 3))
        self.move(nodes)

    def move(self, nodes: Any) -> None:
        """Take other positions of the nodes (n, 3), m; the triangles stay."""
        nodes = np.array(nodes, dtype=float)  # a copy: what may not be written to would be compiled for once more
        if nodes.shape != self._at_vertices.shape:
            At("surface", "nodes").fail(f"has the shape {nodes.shape}", expected=f"{self._at_vertices.shape}")
        fit_boxes(nodes, self.triangles, self._boxes, self._corners)
        fit_normals(self.triangles, self._edges, self._corners, self._at_vertices, self._at_edges, self._normals)

    @property
    def numbers(self) -> Array:
        """The tree as one array, which contacts look up (system/look_up.py): numbers of triangles and boxes, then boxes,
        corners and normals."""
        parts = (self._boxes, self._corners, self._normals)
        return np.concatenate([[len(self.triangles), len(self._boxes)], *(part.ravel() for part in parts)])

    def query(self, points: Any, start: Array | None = None, within: float = math.inf) -> Nearest:
        """The nearest of the surface for points (p, 3), m. start: triangles (p,) that were nearest before, which makes the
        search shorter. within: how far to look, m."""
        points = np.array(points, dtype=float)
        if points.ndim != 2 or points.shape[1] != 3:
            At("surface", "points").fail(f"has the shape {points.shape}", expected="(p, 3), m")
        count = len(points)
        first = np.full(count, -1) if start is None else np.where(start >= 0, self._place[start], -1)
        found = Nearest(np.empty(count), np.empty(count, np.int64), np.zeros((count, 3)), np.zeros((count, 3)))
        find_nearest(points, first, float(within), self._boxes, self._corners, self._normals, *found)
        triangle = np.where(found.triangle >= 0, self.order[found.triangle], -1)
        return found._replace(triangle=triangle)


def _tree_order(middles: Array, levels: int) -> Array:
    """Triangles such that every box of the tree is the half of one, cut across its longest side."""
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
    """The same in the plane: edges (e, 2) between nodes (n, 2), m, with what is outside on their right.

    An edge is a wall that stands across the plane, of two triangles: what is nearest to a point of the plane lies in it."""

    edges: Array
    closed: bool

    def __init__(self, nodes: Any, edges: Any):
        nodes, edges = np.array(nodes, dtype=float), np.asarray(edges)
        if nodes.ndim != 2 or nodes.shape[1] != 2 or edges.ndim != 2 or edges.shape[1] != 2 or not len(edges):
            At("outline").fail("is not made of edges in the plane", expected="nodes (n, 2), m, and edges (e, 2)")
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
        """Take other positions of the nodes (n, 2), m; the edges stay."""
        self._tree.move(self._standing(nodes))

    @property
    def numbers(self) -> Array:
        """As of SurfaceTree, of its walls."""
        return self._tree.numbers

    def query(self, points: Any, start: Array | None = None, within: float = math.inf) -> Nearest:
        """As of SurfaceTree, with edges for triangles: weights (p, 2) of both ends, normals (p, 2)."""
        points = np.array(points, dtype=float)
        if points.ndim != 2 or points.shape[1] != 2:
            At("outline", "points").fail(f"has the shape {points.shape}", expected="(p, 2), m")
        first = None if start is None else np.where(start >= 0, 2 * start, -1)
        found = self._tree.query(np.column_stack([points, np.zeros(len(points))]), first, within)
        second = found.triangle % 2 == 1  # of both triangles of a wall: a b b', a b' a'
        of_b = np.where(second, found.weights[:, 1], found.weights[:, 1] + found.weights[:, 2])
        weights = np.stack([1.0 - of_b, of_b], axis=1)
        weights[found.triangle < 0] = 0.0
        return Nearest(found.distance, found.triangle // 2, weights, found.normal[:, :2])
