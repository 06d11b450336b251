"""Nodes and cells with their derived quantities, computed on first use and cached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh import cell_measures
from gaitwright.mesh.cell_kinds import KIND_BY_NODE_COUNT, Array, CellKind
from gaitwright.mesh.topology import CellEdges, CellSides, find_edges, find_sides, label_pieces, link_cell_nodes

if TYPE_CHECKING:
    from gaitwright.mesh.distance import OutlineTree, SurfaceTree


@dataclass(frozen=True, eq=False)
class CellComplex:
    """Nodes (n, d), m, and cells (m, nodes of a cell)."""

    nodes: Array
    cells: Array

    # Kind, dimension and size

    @cached_property
    def kind(self) -> CellKind:
        return KIND_BY_NODE_COUNT[self.cells.shape[1]]

    @property
    def dimension(self) -> int:
        """Dimension of space: 2 or 3."""
        return self.nodes.shape[1]

    @property
    def is_surface(self) -> bool:
        """True for triangles in space, which have no interior."""
        return self.kind.dimension < self.dimension

    @cached_property
    def bounds(self) -> Array:
        """Lowest and highest coordinates (2, d), m."""
        return np.stack([self.nodes.min(axis=0), self.nodes.max(axis=0)])

    @cached_property
    def size(self) -> float:
        """Longest side of the bounding box, m."""
        return float(np.ptp(self.bounds, axis=0).max())

    @cached_property
    def centroids(self) -> Array:
        """Mean of the corners of each cell (m, d), m."""
        return self.nodes[self.cells[:, : self.kind.corners]].mean(axis=1)

    @cached_property
    def volumes(self) -> Array:
        """Volume of each cell (m,), m^3; area of triangles, m^2. Curved cells are integrated exactly."""
        return cell_measures.volumes(self.nodes, self.cells, self.kind)

    @property
    def volume(self) -> float:
        """Total volume of all cells, m^3; total area of triangles, m^2."""
        return float(self.volumes.sum())

    # Connectivity

    @cached_property
    def _edges(self) -> CellEdges:
        return find_edges(self.cells, self.kind)

    @cached_property
    def _sides(self) -> CellSides:
        return find_sides(self.cells, self.kind)

    @property
    def edges(self) -> Array:
        """Corners of every edge (e, 2), each edge once."""
        return self._edges.ends

    @property
    def edge_lengths(self) -> Array:
        """Distance between the corners of each edge (e,), m."""
        return np.linalg.norm(self.nodes[self.edges[:, 1]] - self.nodes[self.edges[:, 0]], axis=1)

    @property
    def boundary(self) -> Array:
        """Sides that belong to only one cell (f, nodes of a side): corners counter-clockwise seen from outside, then the
        midpoints of the edges between them in turn. For triangles in the plane: edges with the outside on their right; for a
        surface: open edges."""
        return self._sides.boundary

    @property
    def boundary_cells(self) -> Array:
        """Cell of each boundary side (f,)."""
        return self._sides.cells

    @property
    def neighbours(self) -> Array:
        """Neighbour cell across each side of each cell (m, sides), -1 on the boundary; sides in the order of kind.sides."""
        return self._sides.neighbours

    @cached_property
    def pieces(self) -> Array:
        """Index of the connected piece of each cell (m,), from 0; cells are connected if they share a node."""
        return label_pieces(link_cell_nodes(self.cells), len(self.nodes))[self.cells[:, 0]]

    @property
    def piece_count(self) -> int:
        return int(self.pieces.max()) + 1

    @cached_property
    def node_graph(self) -> Any:
        """Sparse matrix (n, n) with ones for pairs of nodes that share a cell, and on the diagonal: the pattern of a
        stiffness matrix."""
        from scipy.sparse import coo_array

        k = self.cells.shape[1]
        rows, columns = np.repeat(self.cells, k, axis=1).reshape(-1), np.tile(self.cells, (1, k)).reshape(-1)
        ones = np.ones(rows.size, dtype=np.int8)
        graph = coo_array((ones, (rows, columns)), shape=(len(self.nodes),) * 2).tocsr()
        graph.data[:] = 1
        return graph

    # Surface

    @cached_property
    def triangles(self) -> Array:
        """The boundary (of a surface: the surface itself) as flat triangles (t, 3) of node numbers, oriented outwards;
        quadratic sides give four each. Raises ModelError for a mesh of the plane."""
        if self.dimension == 2:
            ErrorContext("mesh").fail(
                "a mesh of the plane has edges, not triangles, as its boundary", expected="mesh.boundary"
            )
        faces = self.cells if self.is_surface else self.boundary
        return faces[:, KIND_BY_NODE_COUNT[faces.shape[1]].parts].reshape(-1, 3)

    @cached_property
    def tree(self) -> SurfaceTree | OutlineTree:
        """Search tree of the surface (in the plane: of the outline). Do not move it: build your own tree for nodes that
        move."""
        from gaitwright.mesh.distance import OutlineTree, SurfaceTree

        if self.dimension == 2:
            return OutlineTree(self.nodes, self.outline)
        return SurfaceTree(self.nodes, self.triangles)

    @property
    def outline(self) -> Array:
        """The boundary of a mesh of the plane as straight edges (e, 2) with the outside on their right; quadratic edges
        give two each. Raises ModelError for a mesh of space."""
        if self.dimension == 3:
            ErrorContext("mesh").fail(
                "a mesh of space has triangles, not edges, as its boundary", expected="mesh.triangles"
            )
        a, b, middle = self.boundary[:, 0], self.boundary[:, 1], self.boundary[:, -1]
        if self.kind.order == 1:
            return self.boundary
        return np.concatenate([np.stack([a, middle], axis=1), np.stack([middle, b], axis=1)])

    def distance(self, points: Any) -> Array:
        """Signed distance (p,), m, of points (p, d), m, from the surface or outline: negative inside."""
        return self.tree.query(points).distance

    @cached_property
    def surface_nodes(self) -> Array:
        """Numbers of the nodes on the boundary, ascending; all nodes of a surface."""
        return np.unique(self.cells if self.is_surface else self.boundary)

    @cached_property
    def side_areas(self) -> Array:
        """Area of each boundary side (f,), m^2; in the plane its length, m."""
        return self._shares.sum(axis=1)

    @cached_property
    def _shares(self) -> Array:
        return cell_measures.side_shares(self.nodes, self.cells if self.is_surface else self.boundary)

    @cached_property
    def node_areas(self) -> Array:
        """Boundary area per node (n,), m^2 (in the plane length, m): the integral of its shape function, so that a
        pressure p at the nodes gives the force p A. It is zero for corners of flat quadratic sides."""
        sides = self.cells if self.is_surface else self.boundary
        return cell_measures.sum_by_index(sides.reshape(-1), self._shares.reshape(-1), len(self.nodes))

    @cached_property
    def side_normals(self) -> Array:
        """Outward unit normals of the boundary sides, from their corners (f, d)."""
        corners = (self.cells if self.is_surface else self.boundary)[:, : self.dimension]
        if self.dimension == 2:
            along = self.nodes[corners[:, 1]] - self.nodes[corners[:, 0]]
            vectors = np.stack([along[:, 1], -along[:, 0]], axis=1)
        else:
            vectors = cell_measures.face_vectors(self.nodes, corners)
        return _normalise_rows(vectors)

    @cached_property
    def node_normals(self) -> Array:
        """Outward unit normals at the boundary nodes (n, d): mean of the normals of the adjacent sides, weighted by angle (in
        the plane: unweighted). Zero at inner nodes."""
        if self.dimension == 2:
            corners = self.boundary[:, :2]
            return _normalise_rows(
                cell_measures.sum_by_index(corners.T.reshape(-1), np.tile(self.side_normals, (2, 1)), len(self.nodes))
            )
        flat = self.triangles
        angles = cell_measures.corner_angles(self.nodes, flat)
        normals = _normalise_rows(cell_measures.face_vectors(self.nodes, flat))
        return _normalise_rows(
            cell_measures.sum_by_index(
                flat.reshape(-1), (angles[:, :, None] * normals[:, None]).reshape(-1, 3), len(self.nodes)
            )
        )


def _normalise_rows(vectors: Array) -> Array:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0.0)
