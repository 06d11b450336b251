"""Mesh topology: edges, faces, neighbours, boundary and connected components. Functions of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mesh.cell_kinds import Array, CellKind


class RowGroups(NamedTuple):
    """Groups of equal rows. first: index of one row per group, number: group of each row, count: rows per group."""

    first: Array
    number: Array
    count: Array


def group_rows(rows: Array) -> RowGroups:
    """Group rows (n, 2 or 3) of node numbers that are equal up to their order."""
    ordered = np.sort(rows, axis=1)
    base = int(rows.max(initial=0)) + 1
    if base ** rows.shape[1] < 2**63:
        key = ordered[:, 0].astype(np.int64)
        for column in ordered.T[1:]:
            key = key * base + column
        _, first, number, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    else:
        _, first, number, count = np.unique(ordered, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return RowGroups(first, number.reshape(-1), count)


class CellEdges(NamedTuple):
    """Edges of cells. ends: (e, 2) nodes of each edge, the smaller first. of_cell: (m, edges of a cell), their edge
    indices."""

    ends: Array
    of_cell: Array


def find_edges(cells: Array, kind: CellKind) -> CellEdges:
    """Edges of cells (m, nodes of a cell), each once."""
    rows = cells[:, np.array(kind.edges)].reshape(-1, 2)
    groups = group_rows(rows)
    return CellEdges(np.sort(rows[groups.first], axis=1), groups.number.reshape(len(cells), -1))


class CellSides(NamedTuple):
    """Sides of cells. boundary: (f, nodes of a side), sides of only one cell, counter-clockwise seen from outside. cells:
    (f,), their cells. neighbours: (m, sides of a cell), the cell across each side, -1 if there is none. crowded: (c,
    corners), sides shared by more than two cells."""

    boundary: Array
    cells: Array
    neighbours: Array
    crowded: Array


def find_sides(cells: Array, kind: CellKind) -> CellSides:
    """Boundary and neighbours of cells (m, nodes of a cell)."""
    local = kind.side_nodes
    rows = cells[:, local[:, : kind.dimension]].reshape(-1, kind.dimension)
    groups = group_rows(rows)
    is_boundary = groups.count[groups.number] == 1
    owner = np.repeat(np.arange(len(cells)), len(local))
    neighbours = np.full(len(rows), -1, dtype=np.int64)
    order = np.argsort(groups.number, kind="stable")
    paired = order[groups.count[groups.number[order]] == 2].reshape(-1, 2)
    neighbours[paired[:, 0]], neighbours[paired[:, 1]] = owner[paired[:, 1]], owner[paired[:, 0]]
    full = cells[:, local].reshape(len(rows), -1)
    crowded = rows[groups.first[groups.count > 2]]
    return CellSides(full[is_boundary], owner[is_boundary], neighbours.reshape(len(cells), -1), crowded)


def label_pieces(links: Array, count: int) -> Array:
    """Connected component of each of `count` items (from 0, in the order of their smallest member), linked by `links` (k,
    2)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    matrix = coo_array((np.ones(len(links), dtype=np.int8), (links[:, 0], links[:, 1])), shape=(count, count))
    return connected_components(matrix, directed=False)[1].astype(np.int64)


def link_cell_nodes(cells: Array) -> Array:
    """Pairs of nodes connected by a cell: a chain through the nodes of each cell."""
    return np.stack([cells[:, :-1], cells[:, 1:]], axis=2).reshape(-1, 2)
