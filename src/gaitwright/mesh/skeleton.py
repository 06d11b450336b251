"""Nodes and cells, and all that follows from them: computed when asked for, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh import measure
from gaitwright.mesh.kinds import BY_NODES, Array, Kind
from gaitwright.mesh.topology import Edges, Sides, cell_links, edges_of, pieces_of, sides_of

if TYPE_CHECKING:
    from gaitwright.mesh.distance import OutlineTree, SurfaceTree


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Nodes (n, d), m, and cells (m, nodes of a cell)."""

    nodes: Array
    cells: Array

    # What it is

    @cached_property
    def kind(self) -> Kind:
        return BY_NODES[self.cells.shape[1]]

    @property
    def dimension(self) -> int:
        """Of space: 2 or 3."""
        return self.nodes.shape[1]

    @property
    def is_surface(self) -> bool:
        """Triangles in space, without anything inside."""
        return self.kind.dimension < self.dimension

    @cached_property
    def bounds(self) -> Array:
        """Lowest and highest coordinates (2, d), m."""
        return np.stack([self.nodes.min(axis=0), self.nodes.max(axis=0)])

    @cached_property
    def size(self) -> float:
        """Longest side of the box about it, m."""
        return float(np.ptp(self.bounds, axis=0).max())

    @cached_property
    def centroids(self) -> Array:
        """Mean of the corners of each cell (m, d), m."""
        return self.nodes[self.cells[:, : self.kind.corners]].mean(axis=1)

    @cached_property
    def volumes(self) -> Array:
        """Of each cell (m,), m^3; of triangles m^2. Curved cells as they are."""
        return measure.volumes(self.nodes, self.cells, self.kind)

    @property
    def volume(self) -> float:
        """Of all cells, m^3; of triangles m^2."""
        return float(self.volumes.sum())

    # Who touches whom

    @cached_property
    def _edges(self) -> Edges:
        return edges_of(self.cells, self.kind)

    @cached_property
    def _sides(self) -> Sides:
        return sides_of(self.cells, self.kind)

    @property
    def edges(self) -> Array:
        """Corners of every edge once (e, 2)."""
        return self._edges.ends

    @property
    def edge_lengths(self) -> Array:
        """Between the corners of each edge (e,), m."""
        return np.linalg.norm(self.nodes[self.edges[:, 1]] - self.nodes[self.edges[:, 0]], axis=1)

    @property
    def boundary(self) -> Array:
        """Sides that one cell has alone (f, nodes of a side): corners counter-clockwise seen from outside, then the
        middles of the edges between them in turn. Of triangles: edges, with what is outside on their right; of a surface:
        open edges."""
        return self._sides.boundary

    @property
    def boundary_cells(self) -> Array:
        """The cell of each side of the boundary (f,)."""
        return self._sides.cells

    @property
    def neighbours(self) -> Array:
        """The cell behind each side of each cell (m, sides), -1 where there is none; sides in the order of kind.sides."""
        return self._sides.neighbours

    @cached_property
    def pieces(self) -> Array:
        """Which connected piece each cell belongs to (m,), from 0: cells hang together where they share a node."""
        return pieces_of(cell_links(self.cells), len(self.nodes))[self.cells[:, 0]]

    @property
    def piece_count(self) -> int:
        return int(self.pieces.max()) + 1

    @cached_property
    def node_graph(self) -> Any:
        """Sparse (n, n) with ones where two nodes share a cell, and on the diagonal: the pattern of a stiffness."""
        from scipy.sparse import coo_array

        k = self.cells.shape[1]
        rows, columns = np.repeat(self.cells, k, axis=1).reshape(-1), np.tile(self.cells, (1, k)).reshape(-1)
        ones = np.ones(rows.size, dtype=np.int8)
        graph = coo_array((ones, (rows, columns)), shape=(len(self.nodes),) * 2).tocsr()
        graph.data[:] = 1
        return graph

    # Its surface

    @cached_property
    def triangles(self) -> Array:
        """The boundary (of a surface: itself) as flat triangles (t, 3) of its nodes, outwards; quadratic sides are four
        each."""
        if self.dimension == 2:
            At("mesh").fail("a mesh of the plane has edges, not triangles, as its boundary", expected="mesh.boundary")
        faces = self.cells if self.is_surface else self.boundary
        return faces[:, BY_NODES[faces.shape[1]].parts].reshape(-1, 3)

    @cached_property
    def tree(self) -> SurfaceTree | OutlineTree:
        """Its surface (in the plane: its outline), made for finding what is nearest to points; not to be moved: make one
        of your own for nodes that move."""
        from gaitwright.mesh.distance import OutlineTree, SurfaceTree

        if self.dimension == 2:
            return OutlineTree(self.nodes, self.outline)
        return SurfaceTree(self.nodes, self.triangles)

    @property
    def outline(self) -> Array:
        """The boundary of a mesh of the plane as straight edges (e, 2), with what is outside on their right; quadratic
        ones are two each."""
        if self.dimension == 3:
            At("mesh").fail("a mesh of space has triangles, not edges, as its boundary", expected="mesh.triangles")
        a, b, middle = self.boundary[:, 0], self.boundary[:, 1], self.boundary[:, -1]
        if self.kind.order == 1:
            return self.boundary
        return np.concatenate([np.stack([a, middle], axis=1), np.stack([middle, b], axis=1)])

    def distance(self, points: Any) -> Array:
        """Signed distance (p,), m, of points (p, d), m, from its surface or outline: negative inside."""
        return self.tree.query(points).distance

    @cached_property
    def surface_nodes(self) -> Array:
        """Numbers of the nodes on the boundary, ascending; of a surface: of all."""
        return np.unique(self.cells if self.is_surface else self.boundary)

    @cached_property
    def side_areas(self) -> Array:
        """Of each side of the boundary (f,), m^2; in the plane lengths, m."""
        return self._shares.sum(axis=1)

    @cached_property
    def _shares(self) -> Array:
        return measure.side_shares(self.nodes, self.cells if self.is_surface else self.boundary)

    @cached_property
    def node_areas(self) -> Array:
        """The part of the boundary that belongs to each node (n,), m^2 (in the plane m): the integral of its shape
        function, so that a pressure p at the nodes has the force p A. Corners of flat quadratic sides have none."""
        sides = self.cells if self.is_surface else self.boundary
        return measure.summed(sides.reshape(-1), self._shares.reshape(-1), len(self.nodes))

    @cached_property
    def side_normals(self) -> Array:
        """Outward unit normals of the sides of the boundary between their corners (f, d)."""
        corners = (self.cells if self.is_surface else self.boundary)[:, : self.dimension]
        if self.dimension == 2:
            along = self.nodes[corners[:, 1]] - self.nodes[corners[:, 0]]
            vectors = np.stack([along[:, 1], -along[:, 0]], axis=1)
        else:
            vectors = measure.face_vectors(self.nodes, corners)
        return _unit(vectors)

    @cached_property
    def node_normals(self) -> Array:
        """Outward unit normals at the nodes of the boundary (n, d): the mean of those of the sides there, by angle (in the
        plane: plain). Zero inside."""
        if self.dimension == 2:
            corners = self.boundary[:, :2]
            return _unit(measure.summed(corners.T.reshape(-1), np.tile(self.side_normals, (2, 1)), len(self.nodes)))
        flat = self.triangles
        angles = measure.corner_angles(self.nodes, flat)
        normals = _unit(measure.face_vectors(self.nodes, flat))
        return _unit(
            measure.summed(flat.reshape(-1), (angles[:, :, None] * normals[:, None]).reshape(-1, 3), len(self.nodes))
        )


def _unit(vectors: Array) -> Array:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0.0)
