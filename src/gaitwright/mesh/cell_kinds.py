"""Kinds of cells: number and order of their nodes, and the nodes of their edges and sides.

The order is that of VTK and meshio: corners first, then one midpoint per edge, in the order of `edges`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class CellKind:
    """A kind of cell. dimension: of the cell itself, 2 or 3. edges: pairs of corners. sides: corners of its faces (of a
    triangle: edges), counter-clockwise seen from outside. order: 1, or 2 with nodes on the edges. file_name: name in
    meshio."""

    name: str
    dimension: int
    order: int
    edges: tuple[tuple[int, int], ...]
    sides: tuple[tuple[int, ...], ...]
    file_name: str

    @property
    def corners(self) -> int:
        return self.dimension + 1

    @property
    def nodes(self) -> int:
        return self.corners + (len(self.edges) if self.order == 2 else 0)

    @cached_property
    def side_nodes(self) -> Array:
        """Local nodes (sides, nodes of a side): corners, then the midpoints of the edges between them in turn."""
        if self.order == 1:
            return np.array(self.sides)
        middle = {frozenset(edge): self.corners + k for k, edge in enumerate(self.edges)}
        rows = []
        for side in self.sides:
            turns = len(side) if len(side) > 2 else 1
            rows.append([*side, *(middle[frozenset((side[k], side[(k + 1) % len(side)]))] for k in range(turns))])
        return np.array(rows)

    @cached_property
    def parts(self) -> Array:
        """Local nodes of the linear parts of a triangle: four triangles for a quadratic one, the triangle itself for a linear
        one. Tetrahedra have no single subdivision that this table could hold."""
        return np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]) if self.order == 2 else np.array([[0, 1, 2]])


_TRIANGLE_EDGES = ((0, 1), (1, 2), (2, 0))
_TETRAHEDRON_EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
_TETRAHEDRON_FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
T3 = CellKind("T3", 2, 1, _TRIANGLE_EDGES, _TRIANGLE_EDGES, "triangle")
T6 = CellKind("T6", 2, 2, _TRIANGLE_EDGES, _TRIANGLE_EDGES, "triangle6")
TET4 = CellKind("TET4", 3, 1, _TETRAHEDRON_EDGES, _TETRAHEDRON_FACES, "tetra")
TET10 = CellKind("TET10", 3, 2, _TETRAHEDRON_EDGES, _TETRAHEDRON_FACES, "tetra10")
KINDS = {kind.name: kind for kind in (T3, T6, TET4, TET10)}
LINEAR_KINDS = {2: T3, 3: TET4}
QUADRATIC_KINDS = {2: T6, 3: TET10}
KIND_BY_NODE_COUNT = {kind.nodes: kind for kind in KINDS.values()}
