"""Nodes and cells as others wrote them, made into a mesh: what has to be dropped or turned is, and every such thing is
said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.kinds import Array, Kind
from gaitwright.mesh.measure import jacobians, longest_edges
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Region
from gaitwright.mesh.sound import FLAT, checked_arrays, some
from gaitwright.mesh.topology import pieces_of


def tidied(
    nodes: Any, cells: Any, regions: Mapping[str, Region] | None = None, *, weld: float | None = None,
    origin: str = "", notes: Sequence[str] = (), called: str = "mesh",
) -> Mesh:  # fmt: skip
    """A mesh of nodes (n, d), m, and cells (m, nodes of a cell): cells that are inside out are turned, those without
    volume and nodes without cells dropped; its notes say which. weld: nodes nearer to each other than this, m, become one;
    0 for those at exactly the same place."""
    at = At(called)
    x, whole, kind = checked_arrays(nodes, cells, at)
    said = list(notes)
    number = np.arange(len(x)) if weld is None else welded(x, weld)
    merged = len(x) - len(np.unique(number))
    if merged:
        said.append(f"{merged} nodes lie where another one does and were joined with it")
    whole = number[whole]
    kept = np.arange(len(whole))
    turn, drop = _wrong(x, whole, kind)
    if turn.any():
        said.append(f"{some(np.flatnonzero(turn), 'cell')} {_were(turn)} inside out and {_were(turn)} turned")
        whole[turn] = whole[turn][:, mirrored(kind)]
    if drop.any():
        size = "area" if kind.dimension == 2 else "volume"
        said.append(f"{some(np.flatnonzero(drop), 'cell')} without {size} {_were(drop)} dropped")
        whole, kept = whole[~drop], kept[~drop]
    if not len(whole):
        at["cells"].fail("none of them has a volume", expected="cells between nodes that differ")
    used, flat = np.unique(whole, return_inverse=True)
    unused = len(x) - merged - len(used)
    if unused:
        said.append(
            f"{unused} node{'' if unused == 1 else 's'} belonged to no cell and {'was' if unused == 1 else 'were'} dropped"
        )
    new_node, new_cell = np.full(len(x), -1), np.full(int(kept.max()) + 1, -1)
    new_node[used], new_cell[kept] = np.arange(len(used)), np.arange(len(kept))
    found = {}
    for name, region in (regions or {}).items():
        mine, own = new_node[number[region.nodes]], region.cells[region.cells < len(new_cell)]
        own = new_cell[own]
        found[name] = Region(mine[mine >= 0], own[own >= 0])
    return Mesh(x[used], flat.reshape(whole.shape), found, origin, tuple(said))


def _were(which: Array) -> str:
    return "was" if which.sum() == 1 else "were"


def mirrored(kind: Kind) -> list[int]:
    """Local nodes of a cell turned inside out: its first two corners change places, and the middles of edges with them."""
    swap = {0: 1, 1: 0}
    corners = [swap.get(k, k) for k in range(kind.corners)]
    if kind.order == 1:
        return corners
    middle = {frozenset(edge): kind.corners + k for k, edge in enumerate(kind.edges)}
    return corners + [middle[frozenset(swap.get(k, k) for k in edge)] for edge in kind.edges]


def _wrong(x: Array, cells: Array, kind: Kind) -> tuple[Array, Array]:
    """Which cells are inside out, and which have no volume."""
    found = jacobians(x, cells, kind)
    limit = FLAT * longest_edges(x, cells, kind)[:, None] ** kind.dimension
    if kind.dimension < x.shape[1]:
        return np.zeros(len(cells), dtype=bool), np.all(found <= limit, axis=1)
    return np.all(found < -limit, axis=1), np.all(np.abs(found) <= limit, axis=1)


def welded(x: Array, distance: float) -> Array:
    """For each node, the number of the first one that lies where it does."""
    if distance > 0.0:
        from scipy.spatial import KDTree

        groups = pieces_of(KDTree(x).query_pairs(distance, output_type="ndarray").reshape(-1, 2), len(x))
    else:
        groups = np.unique(x, axis=0, return_inverse=True)[1].reshape(-1)
    first = np.full(int(groups.max()) + 1, len(x))
    np.minimum.at(first, groups, np.arange(len(x)))
    return first[groups]
