"""Cleanup of nodes and cells from other sources: remove or reorient invalid members and note each change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array, CellKind
from gaitwright.mesh.cell_measures import jacobians, longest_edges
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import MeshRegion
from gaitwright.mesh.topology import label_pieces
from gaitwright.mesh.validation import FLAT_CELL_RTOL, check_arrays, describe_members


def tidied(
    nodes: Any, cells: Any, regions: Mapping[str, MeshRegion] | None = None, *, weld: float | None = None,
    origin: str = "", notes: Sequence[str] = (), called: str = "mesh",
) -> Mesh:  # fmt: skip
    """Make a valid mesh of nodes (n, d), m, and cells (m, nodes of a cell): inverted cells are reoriented, cells without
    volume and nodes without cells are removed; the notes of the mesh state each change. weld: nodes closer to each other
    than this, m, are merged; 0 merges nodes at exactly the same position; None merges none. Raises ModelError if no valid
    cell is left."""
    at = ErrorContext(called)
    x, cells, kind = check_arrays(nodes, cells, at)
    all_notes = list(notes)
    number = np.arange(len(x)) if weld is None else weld_nodes(x, weld)
    merged = len(x) - len(np.unique(number))
    if merged:
        all_notes.append(f"{merged} nodes lie where another one does and were joined with it")
    cells = number[cells]
    kept_cells = np.arange(len(cells))
    turn, drop = _find_wrong_cells(x, cells, kind)
    if turn.any():
        all_notes.append(
            f"{describe_members(np.flatnonzero(turn), 'cell')} {_was_or_were(turn)} inside out and {_was_or_were(turn)} turned"
        )
        cells[turn] = cells[turn][:, mirror_node_order(kind)]
    if drop.any():
        size = "area" if kind.dimension == 2 else "volume"
        all_notes.append(
            f"{describe_members(np.flatnonzero(drop), 'cell')} without {size} {_was_or_were(drop)} dropped"
        )
        cells, kept_cells = cells[~drop], kept_cells[~drop]
    if not len(cells):
        at["cells"].fail("none of them has a volume", expected="cells between nodes that differ")
    used, flat = np.unique(cells, return_inverse=True)
    unused = len(x) - merged - len(used)
    if unused:
        all_notes.append(
            f"{unused} node{'' if unused == 1 else 's'} belonged to no cell and {'was' if unused == 1 else 'were'} dropped"
        )
    new_node, new_cell = np.full(len(x), -1), np.full(int(kept_cells.max()) + 1, -1)
    new_node[used], new_cell[kept_cells] = np.arange(len(used)), np.arange(len(kept_cells))
    new_regions = {}
    for name, region in (regions or {}).items():
        region_nodes, region_cells = new_node[number[region.nodes]], region.cells[region.cells < len(new_cell)]
        region_cells = new_cell[region_cells]
        new_regions[name] = MeshRegion(region_nodes[region_nodes >= 0], region_cells[region_cells >= 0])
    return Mesh(x[used], flat.reshape(cells.shape), new_regions, origin, tuple(all_notes))


def _was_or_were(which: Array) -> str:
    return "was" if which.sum() == 1 else "were"


def mirror_node_order(kind: CellKind) -> list[int]:
    """Local nodes of a cell in reversed orientation: the first two corners are exchanged, and the edge midpoints with
    them."""
    swap = {0: 1, 1: 0}
    corners = [swap.get(k, k) for k in range(kind.corners)]
    if kind.order == 1:
        return corners
    middle = {frozenset(edge): kind.corners + k for k, edge in enumerate(kind.edges)}
    return corners + [middle[frozenset(swap.get(k, k) for k in edge)] for edge in kind.edges]


def _find_wrong_cells(x: Array, cells: Array, kind: CellKind) -> tuple[Array, Array]:
    """Masks of the inverted cells, and of those without volume."""
    determinants = jacobians(x, cells, kind)
    limit = FLAT_CELL_RTOL * longest_edges(x, cells, kind)[:, None] ** kind.dimension
    if kind.dimension < x.shape[1]:
        return np.zeros(len(cells), dtype=bool), np.all(determinants <= limit, axis=1)
    return np.all(determinants < -limit, axis=1), np.all(np.abs(determinants) <= limit, axis=1)


def weld_nodes(x: Array, distance: float) -> Array:
    """For each node, the number of the first node at the same position, or connected to it by distances up to `distance`,
    m."""
    if distance > 0.0:
        from scipy.spatial import KDTree

        groups = label_pieces(KDTree(x).query_pairs(distance, output_type="ndarray").reshape(-1, 2), len(x))
    else:
        groups = np.unique(x, axis=0, return_inverse=True)[1].reshape(-1)
    first = np.full(int(groups.max()) + 1, len(x))
    np.minimum.at(first, groups, np.arange(len(x)))
    return first[groups]
