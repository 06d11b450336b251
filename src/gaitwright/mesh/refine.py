"""More nodes in the same shape: quadratic cells, all cells cut into equal parts, or some cells cut in two where small ones
are wanted. Arrays in, arrays out; what becomes of regions follows from where new nodes and cells come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gaitwright.mesh.kinds import LINEAR, QUADRATIC, Array, Kind
from gaitwright.mesh.measure import shape_functions
from gaitwright.mesh.topology import Edges, edges_of, groups_of, sides_of

Projection = Callable[[Array], Array]
"""Points (n, d) onto the nearest ones of a smooth surface; see Round in curves.py."""
ON = 1e-6
"""Of the size of a mesh: what is nearer to a smooth surface lies on it."""


class Finer(NamedTuple):
    """nodes: the old ones, then new ones. parents: (k, 2), the nodes between which each new one lies. outside: (k,), whether
    that edge lies on the boundary. source: (cells,), the old cell that each is part of."""

    nodes: Array
    cells: Array
    parents: Array
    outside: Array
    source: Array


def on_boundary(ends: Array, cells: Array, kind: Kind, dimension: int) -> Array:
    """Which edges (e, 2) lie on the boundary; all of a surface in space do."""
    if kind.dimension < dimension:
        return np.ones(len(ends), dtype=bool)
    corners = sides_of(cells, kind).boundary[:, : kind.dimension]
    rows = np.concatenate([corners[:, [k, (k + 1) % kind.dimension]] for k in range(kind.dimension)])
    found = groups_of(np.concatenate([ends, rows]))
    known = np.zeros(len(found.first), dtype=bool)
    known[found.number[len(ends) :]] = True
    return known[found.number[: len(ends)]]


def middles(nodes: Array, ends: Array, outside: Array, onto: Sequence[Projection]) -> Array:
    """Middles of edges (e, 2); of those on the boundary both of whose ends lie on one of the smooth surfaces, there."""
    found = nodes[ends].mean(axis=1)
    near = ON * float(np.ptp(nodes, axis=0).max(initial=0.0))
    for project in onto:
        lies = np.linalg.norm(project(nodes) - nodes, axis=1) <= near
        chosen = outside & lies[ends].all(axis=1)
        found[chosen] = project(found[chosen])
    return found


def made_quadratic(nodes: Array, cells: Array, kind: Kind, onto: Sequence[Projection] = ()) -> Finer:
    edges = edges_of(cells, kind)
    outside = on_boundary(edges.ends, cells, kind, nodes.shape[1])
    new = middles(nodes, edges.ends, outside, onto)
    quadratic = np.hstack([cells, len(nodes) + edges.of_cell])
    return Finer(np.vstack([nodes, new]), quadratic, edges.ends, outside, np.arange(len(cells)))


def _inside_out(table: Array, kind: Kind) -> Array:
    """The same parts, all the right way round. table: (parts, corners) of local nodes of the quadratic cell."""
    points = _local_points(kind)[:, 1:]
    x = points[table]
    wrong = np.linalg.det(x[:, 1:] - x[:, :1]) < 0.0
    table[wrong] = table[wrong][:, [1, 0, *range(2, kind.corners)]]
    return table


def _local_points(kind: Kind) -> Array:
    """Barycentric coordinates of the nodes of the quadratic cell."""
    corners = np.eye(kind.corners)
    return np.vstack([corners, *(corners[list(edge)].mean(axis=0)[None] for edge in kind.edges)])


_DIAGONALS = ((4, 9), (5, 7), (6, 8))
"""Of the octahedron in the middle of a tetrahedron; any of them cuts it into four."""


def _parts(kind: Kind) -> list[Array]:
    """Local nodes of the parts of a cell: of a triangle four, of a tetrahedron eight, for each of the three diagonals."""
    middle = {frozenset(edge): kind.corners + k for k, edge in enumerate(kind.edges)}
    tips = [[i, *(middle[frozenset((i, j))] for j in range(kind.corners) if j != i)] for i in range(kind.corners)]
    if kind.dimension == 2:
        return [_inside_out(np.array([*tips, [3, 4, 5]]), kind)]
    tables = []
    for a, b in _DIAGONALS:
        (c, d), (e, f) = (pair for pair in _DIAGONALS if pair != (a, b))
        tables.append(_inside_out(np.array([*tips, [a, b, c, e], [a, b, e, d], [a, b, d, f], [a, b, f, c]]), kind))
    return tables


def cut_all(nodes: Array, cells: Array, kind: Kind, onto: Sequence[Projection] = ()) -> Finer:
    """Every triangle becomes four, every tetrahedron eight (its inner octahedron cut along the shortest diagonal).
    Quadratic cells keep their curvature: new middles lie on x(xi)."""
    linear = LINEAR[kind.dimension]
    if kind.order == 1:
        finer = made_quadratic(nodes, cells, kind, onto)
        nodes, cells = finer.nodes, finer.cells
    tables = _parts(linear)
    choice = np.zeros(len(cells), dtype=np.int64)
    if len(tables) > 1:
        pairs = np.array(_DIAGONALS)
        x = nodes[cells[:, pairs]]
        choice = np.argmin(np.linalg.norm(x[:, :, 1] - x[:, :, 0], axis=2), axis=1)
    local = np.stack(tables)[choice]  # (m, parts, corners)
    new = np.take_along_axis(cells[:, None, :], local.reshape(len(cells), 1, -1), axis=2).reshape(-1, kind.corners)
    source = np.repeat(np.arange(len(cells)), local.shape[1])
    if kind.order == 1:
        return Finer(nodes, new, finer.parents, finer.outside, source)
    edges = edges_of(new, linear)
    pairs = local[:, :, np.array(linear.edges)].reshape(-1, 2)  # local nodes at the ends of each edge of each part
    points = _local_points(linear)
    first = np.unique(edges.of_cell, return_index=True)[1]  # one part that has the edge
    ends = pairs[first]
    weights = shape_functions(QUADRATIC[kind.dimension], points[ends].mean(axis=1))
    owner = cells[source[first // len(linear.edges)]]
    x = np.einsum("ea,eai->ei", weights, nodes[owner])
    outside = on_boundary(edges.ends, new, linear, nodes.shape[1])
    return Finer(np.vstack([nodes, x]), np.hstack([new, len(nodes) + edges.of_cell]), edges.ends, outside, source)


def cut_some(nodes: Array, cells: Array, kind: Kind, chosen: Array, onto: Sequence[Projection] = ()) -> Finer:
    """Cells are cut in two at their longest edge: the chosen ones (m,), and others as far as the cells must fit together.

    A cell one of whose edges is cut is cut at its longest edge, too, which keeps cells from becoming ever thinner (M. C.
    Rivara, Int. J. Numer. Meth. Engng 20 (1984) 745). Where several edges of a cell are cut, the longest is cut first, in
    every cell alike (equal ones in the order of their numbers), so that both sides of a face are cut the same way."""
    edges = edges_of(cells, kind)
    length = np.linalg.norm(nodes[edges.ends[:, 0]] - nodes[edges.ends[:, 1]], axis=1)
    rank = np.empty(len(length), dtype=np.int64)
    # Edges that differ by rounding alone count as equal: their order must not hang on the last bits.
    rank[np.lexsort((np.arange(len(length)), np.round(length / length.max(), 9)))] = np.arange(len(length))
    cut = _edges_to_cut(edges, rank, chosen)
    outside = on_boundary(edges.ends, cells, kind, nodes.shape[1])[cut]
    parents = edges.ends[cut]
    number = np.full(len(cut), -1, dtype=np.int64)
    number[cut] = len(nodes) + np.arange(len(parents))
    new = np.vstack([nodes, middles(nodes, parents, outside, onto)])

    pairs = np.array(kind.edges)
    touches = (pairs[None] == np.arange(kind.corners)[:, None, None]).any(axis=2)  # (corner, edge)
    waiting = np.where(cut[edges.of_cell], edges.of_cell, -1)
    source = np.arange(len(cells))
    while True:
        open_ = np.flatnonzero((waiting >= 0).any(axis=1))
        if not len(open_):
            return Finer(new, cells, parents, outside, source)
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


def _edges_to_cut(edges: Edges, rank: Array, chosen: Array) -> Array:
    longest = np.take_along_axis(edges.of_cell, np.argmax(rank[edges.of_cell], axis=1)[:, None], axis=1)[:, 0]
    cut = np.zeros(len(edges.ends), dtype=bool)
    cut[longest[chosen]] = True
    while True:
        needed = longest[cut[edges.of_cell].any(axis=1)]
        if cut[needed].all():
            return cut
        cut[needed] = True
