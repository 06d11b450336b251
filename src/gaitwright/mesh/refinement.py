"""Refinement of a mesh of the same shape: quadratic cells, subdivision of all cells, or bisection of selected cells.
Functions of arrays; regions of the refined mesh are derived from the origin of new nodes and cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gaitwright.mesh.cell_kinds import LINEAR_KINDS, QUADRATIC_KINDS, Array, CellKind
from gaitwright.mesh.cell_measures import shape_functions
from gaitwright.mesh.topology import CellEdges, find_edges, find_sides, group_rows

Projection = Callable[[Array], Array]
"""Projection of points (n, d) onto the nearest points of a smooth surface; see SphereOrCylinder in smooth_surfaces.py."""
ON_SURFACE_RTOL = 1e-6
"""Distance, relative to the size of a mesh, below which a point lies on a smooth surface."""


class RefinedCells(NamedTuple):
    """Refined cells. nodes: the old ones, then new ones. parents: (k, 2), the two nodes on both sides of each new one.
    outside: (k,), True if that edge lies on the boundary. source: (cells,), the old cell that contains each cell."""

    nodes: Array
    cells: Array
    parents: Array
    outside: Array
    source: Array


def mark_boundary_edges(ends: Array, cells: Array, kind: CellKind, dimension: int) -> Array:
    """Mask of the edges (e, 2) on the boundary; True for all edges of a surface in space."""
    if kind.dimension < dimension:
        return np.ones(len(ends), dtype=bool)
    corners = find_sides(cells, kind).boundary[:, : kind.dimension]
    rows = np.concatenate([corners[:, [k, (k + 1) % kind.dimension]] for k in range(kind.dimension)])
    groups = group_rows(np.concatenate([ends, rows]))
    on_boundary = np.zeros(len(groups.first), dtype=bool)
    on_boundary[groups.number[len(ends) :]] = True
    return on_boundary[groups.number[: len(ends)]]


def edge_midpoints(nodes: Array, ends: Array, outside: Array, onto: Sequence[Projection]) -> Array:
    """Midpoints of edges (e, 2); on boundary edges with both ends on one of the smooth surfaces, projected onto it."""
    midpoints = nodes[ends].mean(axis=1)
    tolerance = ON_SURFACE_RTOL * float(np.ptp(nodes, axis=0).max(initial=0.0))
    for project in onto:
        lies = np.linalg.norm(project(nodes) - nodes, axis=1) <= tolerance
        chosen = outside & lies[ends].all(axis=1)
        midpoints[chosen] = project(midpoints[chosen])
    return midpoints


def make_quadratic(nodes: Array, cells: Array, kind: CellKind, onto: Sequence[Projection] = ()) -> RefinedCells:
    """Add midpoints of edges to linear cells, on smooth surfaces where they belong."""
    edges = find_edges(cells, kind)
    outside = mark_boundary_edges(edges.ends, cells, kind, nodes.shape[1])
    new = edge_midpoints(nodes, edges.ends, outside, onto)
    quadratic = np.hstack([cells, len(nodes) + edges.of_cell])
    return RefinedCells(np.vstack([nodes, new]), quadratic, edges.ends, outside, np.arange(len(cells)))


def _orient_parts(table: Array, kind: CellKind) -> Array:
    """Parts with consistent positive orientation. table: (parts, corners) of local nodes of the quadratic cell."""
    points = _barycentric_nodes(kind)[:, 1:]
    x = points[table]
    wrong = np.linalg.det(x[:, 1:] - x[:, :1]) < 0.0
    table[wrong] = table[wrong][:, [1, 0, *range(2, kind.corners)]]
    return table


def _barycentric_nodes(kind: CellKind) -> Array:
    """Barycentric coordinates of the nodes of the quadratic cell."""
    corners = np.eye(kind.corners)
    return np.vstack([corners, *(corners[list(edge)].mean(axis=0)[None] for edge in kind.edges)])


_DIAGONALS = ((4, 9), (5, 7), (6, 8))
"""Diagonals of the octahedron in the middle of a tetrahedron; each of them divides it into four."""


def _cell_subdivisions(kind: CellKind) -> list[Array]:
    """Local nodes of the parts of a cell: four of a triangle, eight of a tetrahedron, for each of the three diagonals."""
    middle = {frozenset(edge): kind.corners + k for k, edge in enumerate(kind.edges)}
    tips = [[i, *(middle[frozenset((i, j))] for j in range(kind.corners) if j != i)] for i in range(kind.corners)]
    if kind.dimension == 2:
        return [_orient_parts(np.array([*tips, [3, 4, 5]]), kind)]
    tables = []
    for a, b in _DIAGONALS:
        (c, d), (e, f) = (pair for pair in _DIAGONALS if pair != (a, b))
        tables.append(_orient_parts(np.array([*tips, [a, b, c, e], [a, b, e, d], [a, b, d, f], [a, b, f, c]]), kind))
    return tables


def split_all_cells(nodes: Array, cells: Array, kind: CellKind, onto: Sequence[Projection] = ()) -> RefinedCells:
    """Divide every triangle into four, every tetrahedron into eight (its inner octahedron along the shortest diagonal).
    Quadratic cells keep their curvature: new midpoints lie on x(xi)."""
    linear = LINEAR_KINDS[kind.dimension]
    if kind.order == 1:
        finer = make_quadratic(nodes, cells, kind, onto)
        nodes, cells = finer.nodes, finer.cells
    tables = _cell_subdivisions(linear)
    choice = np.zeros(len(cells), dtype=np.int64)
    if len(tables) > 1:
        pairs = np.array(_DIAGONALS)
        x = nodes[cells[:, pairs]]
        choice = np.argmin(np.linalg.norm(x[:, :, 1] - x[:, :, 0], axis=2), axis=1)
    local = np.stack(tables)[choice]  # (m, parts, corners)
    new = np.take_along_axis(cells[:, None, :], local.reshape(len(cells), 1, -1), axis=2).reshape(-1, kind.corners)
    source = np.repeat(np.arange(len(cells)), local.shape[1])
    if kind.order == 1:
        return RefinedCells(nodes, new, finer.parents, finer.outside, source)
    edges = find_edges(new, linear)
    pairs = local[:, :, np.array(linear.edges)].reshape(-1, 2)  # local nodes at the ends of each edge of each part
    points = _barycentric_nodes(linear)
    first = np.unique(edges.of_cell, return_index=True)[1]  # index of one part with the edge
    ends = pairs[first]
    weights = shape_functions(QUADRATIC_KINDS[kind.dimension], points[ends].mean(axis=1))
    owner = cells[source[first // len(linear.edges)]]
    x = np.einsum("ea,eai->ei", weights, nodes[owner])
    outside = mark_boundary_edges(edges.ends, new, linear, nodes.shape[1])
    return RefinedCells(
        np.vstack([nodes, x]), np.hstack([new, len(nodes) + edges.of_cell]), edges.ends, outside, source
    )


def bisect_cells(
    nodes: Array, cells: Array, kind: CellKind, chosen: Array, onto: Sequence[Projection] = ()
) -> RefinedCells:
    """Bisect the chosen cells (m,) at their longest edge, and others as far as needed for a conforming mesh.

    A cell with a bisected edge is also bisected at its longest edge, which prevents degenerating cells (M. C. Rivara, Int. J.
    Numer. Meth. Engng 20 (1984) 745). If several edges of a cell are bisected, the longest comes first, by the same order
    in every cell (equal lengths by edge number), so that both sides of a face are divided in the same way."""
    edges = find_edges(cells, kind)
    length = np.linalg.norm(nodes[edges.ends[:, 0]] - nodes[edges.ends[:, 1]], axis=1)
    rank = np.empty(len(length), dtype=np.int64)
    # Edges that differ only by rounding count as equal: their order must not depend on the last bits.
    rank[np.lexsort((np.arange(len(length)), np.round(length / length.max(), 9)))] = np.arange(len(length))
    cut = _edges_to_cut(edges, rank, chosen)
    outside = mark_boundary_edges(edges.ends, cells, kind, nodes.shape[1])[cut]
    parents = edges.ends[cut]
    number = np.full(len(cut), -1, dtype=np.int64)
    number[cut] = len(nodes) + np.arange(len(parents))
    new = np.vstack([nodes, edge_midpoints(nodes, parents, outside, onto)])

    pairs = np.array(kind.edges)
    touches = (pairs[None] == np.arange(kind.corners)[:, None, None]).any(axis=2)  # (corner, edge)
    waiting = np.where(cut[edges.of_cell], edges.of_cell, -1)
    source = np.arange(len(cells))
    while True:
        open_ = np.flatnonzero((waiting >= 0).any(axis=1))
        if not len(open_):
            return RefinedCells(new, cells, parents, outside, source)
        local = np.argmax(np.where(waiting[open_] >= 0, rank[waiting[open_]], -1), axis=1)
        middle = number[waiting[open_, local]]
        i, j = pairs[local].T
        halves, left = cells[open_].copy(), waiting[open_].copy()
        left[touches[i]] = -1
        halves[np.arange(len(open_)), i] = middle
        cells, waiting = cells.copy(), waiting.copy()
        cells[open_, j] = middle
        waiting[open_] = np.where(touches[j], -1, waiting[open_])
        cells, waiting = np.vstack([cells, halves]), np.vstack([waiting, left])
        source = np.concatenate([source, source[open_]])


def _edges_to_cut(edges: CellEdges, rank: Array, chosen: Array) -> Array:
    longest = np.take_along_axis(edges.of_cell, np.argmax(rank[edges.of_cell], axis=1)[:, None], axis=1)[:, 0]
    cut = np.zeros(len(edges.ends), dtype=bool)
    cut[longest[chosen]] = True
    while True:
        needed = longest[cut[edges.of_cell].any(axis=1)]
        if cut[needed].all():
            return cut
        cut[needed] = True
