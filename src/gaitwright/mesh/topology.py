"""Who touches whom: edges, sides, neighbours, boundary and pieces of cells. Arrays in, arrays out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mesh.kinds import Array, Kind


class Groups(NamedTuple):
    """Equal rows found together. first: a row of each group, number: the group of each row, count: rows of each group."""

    first: Array
    number: Array
    count: Array


def groups_of(rows: Array) -> Groups:
    """Rows (n, 2 or 3) of node numbers that are equal up to their order."""
    ordered = np.sort(rows, axis=1)
    base = int(rows.max(initial=0)) + 1
    if base ** rows.shape[1] < 2**63:
        key = ordered[:, 0].astype(np.int64)
        for column in ordered.T[1:]:
            key = key * base + column
        _, first, number, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    else:
        _, first, number, count = np.unique(ordered, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return Groups(first, number.reshape(-1), count)


class Edges(NamedTuple):
    """ends: (e, 2) nodes of each edge, the smaller first. of_cell: (m, edges of a cell), which edge each is."""

    ends: Array
    of_cell: Array


def edges_of(cells: Array, kind: Kind) -> Edges:
    rows = cells[:, np.array(kind.edges)].reshape(-1, 2)
    found = groups_of(rows)
    return Edges(np.sort(rows[found.first], axis=1), found.number.reshape(len(cells), -1))


class Sides(NamedTuple):
    """boundary: (f, nodes of a side) of sides that one cell has alone, seen from outside counter-clockwise. cells: (f,) to
    which they belong. neighbours: (m, sides of a cell), the cell behind each side, -1 where there is none. crowded: (c,
    corners) of sides that more than two cells claim."""

    boundary: Array
    cells: Array
    neighbours: Array
    crowded: Array


def sides_of(cells: Array, kind: Kind) -> Sides:
    local = kind.side_nodes
    rows = cells[:, local[:, : kind.dimension]].reshape(-1, kind.dimension)
    found = groups_of(rows)
    alone = found.count[found.number] == 1
    owner = np.repeat(np.arange(len(cells)), len(local))
    neighbours = np.full(len(rows), -1, dtype=np.int64)
    order = np.argsort(found.number, kind="stable")
    paired = order[found.count[found.number[order]] == 2].reshape(-1, 2)
    neighbours[paired[:, 0]], neighbours[paired[:, 1]] = owner[paired[:, 1]], owner[paired[:, 0]]
    full = cells[:, local].reshape(len(rows), -1)
    crowded = rows[found.first[found.count > 2]]
    return Sides(full[alone], owner[alone], neighbours.reshape(len(cells), -1), crowded)


def pieces_of(links: Array, count: int) -> Array:
    """The piece (from 0, the one with the smallest member first) of each of `count` things, of which `links` (k, 2) hang
    together."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    matrix = coo_array((np.ones(len(links), dtype=np.int8), (links[:, 0], links[:, 1])), shape=(count, count))
    return connected_components(matrix, directed=False)[1].astype(np.int64)


def cell_links(cells: Array) -> Array:
    """Pairs of nodes that a cell holds together: a chain through each cell."""
    return np.stack([cells[:, :-1], cells[:, 1:]], axis=2).reshape(-1, 2)
