"""Quality of cells: measures of every cell, a table, and the list of bad cells.

shape     12 (3 V)^(2/3) / sum l^2 of a tetrahedron with volume V and edges l; 4 sqrt(3) A / sum l^2 of a triangle. 1 for a
regular cell, 0 for a flat one (A. Liu, B. Joe, BIT 34 (1994) 268: the mean ratio).
angles    between faces of a tetrahedron, between sides of a triangle, degrees
aspect    longest edge over shortest height, as a multiple of that of a regular cell: 1 is best
curvature smallest det dx/dxi over the largest in a quadratic cell: 1 for a straight cell, 0 at the onset of folding

The first three use only the corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh import cell_measures
from gaitwright.mesh.cell_kinds import Array, CellKind

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.mesh.mesh import Mesh

MIN_GOOD_SHAPE = 0.2
"""Shape below which a cell degrades the solution around it: its condition number is ten times that of a good one."""


@dataclass(frozen=True, eq=False)
class Quality:
    """Measures of each cell (m,): shape, smallest and largest angle, deg, aspect, volume, m^3 (of triangles area, m^2), and
    curvature; and the length of each edge, m."""

    shape: Array
    smallest_angle: Array
    largest_angle: Array
    aspect: Array
    volume: Array
    curvature: Array
    edge: Array
    dimension: int

    @property
    def bad(self) -> Array:
        """Numbers of the cells with a shape below MIN_GOOD_SHAPE, the worst first."""
        bad_cells = np.flatnonzero(self.shape < MIN_GOOD_SHAPE)
        return bad_cells[np.argsort(self.shape[bad_cells])]

    def table(self) -> pd.DataFrame:
        """Minimum, mean and maximum of every measure."""
        import pandas as pd

        rows = {name: (values.min(), values.mean(), values.max()) for name, (_, values) in self._measures().items()}
        units = [unit for unit, _ in self._measures().values()]
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=["min", "mean", "max"])
        frame.insert(0, "unit", units)
        return frame

    def _measures(self) -> dict[str, tuple[str, Array]]:
        size = ("volume", "m^3") if self.dimension == 3 else ("area", "m^2")
        measures = {
            "shape": ("1", self.shape),
            "smallest angle": ("deg", self.smallest_angle),
            "largest angle": ("deg", self.largest_angle),
            "aspect": ("1", self.aspect),
            size[0]: (size[1], self.volume),
            "edge": ("m", self.edge),
        }
        return {**measures, "curvature": ("1", self.curvature)} if (self.curvature < 1.0).any() else measures

    def summary(self) -> dict[str, Any]:
        """Summary as nested mappings of numbers."""
        measures = self._measures()
        numbers = {n: {"min": v.min(), "mean": v.mean(), "max": v.max(), "unit": u} for n, (u, v) in measures.items()}
        return {"cells": len(self.shape), "bad_cells": len(self.bad), "measures": numbers}

    def verdict(self) -> str:
        """Summary in one sentence."""
        if len(self.bad):
            return (
                f"{len(self.bad)} of {len(self.shape)} cells are bad (shape below {MIN_GOOD_SHAPE:g}); the worst "
                f"is cell {self.bad[0]}"
            )
        return f"no cell is bad: the worst shape is {self.shape.min():.2f} (bad below {MIN_GOOD_SHAPE:g})"

    def __str__(self) -> str:
        lines = [f"{'':<15}{'min':>10}{'mean':>10}{'max':>10}"]
        for name, (unit, values) in self._measures().items():
            numbers = "".join(f"{value:>10.3g}" for value in (values.min(), values.mean(), values.max()))
            lines.append(f"{name:<15}{numbers}  {unit if unit != '1' else ''}".rstrip())
        return "\n".join([*lines, self.verdict()])


def quality_of(mesh: Mesh) -> Quality:
    """Shapes, edges and volumes of the cells of a mesh."""
    kind = mesh.kind
    flat = mesh.linear()
    x = flat.nodes[flat.cells]
    i, j = np.array(kind.edges).T
    lengths = np.linalg.norm(x[:, j] - x[:, i], axis=2)
    volume = np.abs(flat.volumes)
    total = (lengths**2).sum(axis=1)
    if kind.dimension == 3:
        shape = 12.0 * np.cbrt(3.0 * volume) ** 2 / total
        angles, heights = _dihedral_angles(x, volume, kind)
        regular = math.sqrt(2.0 / 3.0)
    else:
        shape = 4.0 * math.sqrt(3.0) * volume / total
        angles = np.degrees(cell_measures.corner_angles(_pad_to_space(flat.nodes), flat.cells))
        heights = 2.0 * volume[:, None] / lengths
        regular = math.sqrt(3.0) / 2.0
    with np.errstate(divide="ignore"):
        aspect = regular * lengths.max(axis=1) / heights.min(axis=1)
    determinants = cell_measures.jacobians(mesh.nodes, mesh.cells, kind)
    curvature = determinants.min(axis=1) / determinants.max(axis=1) if kind.order == 2 else np.ones(len(mesh.cells))
    curvature = np.where(curvature > 1.0 - 1e-9, 1.0, curvature)
    return Quality(
        shape,
        angles.min(axis=1),
        angles.max(axis=1),
        aspect,
        mesh.volumes,
        curvature,
        flat.edge_lengths,
        kind.dimension,
    )


def _pad_to_space(nodes: Array) -> Array:
    return np.column_stack([nodes, np.zeros(len(nodes))]) if nodes.shape[1] == 2 else nodes


def _dihedral_angles(x: Array, volume: Array, kind: CellKind) -> tuple[Array, Array]:
    """Angles between faces at the six edges, deg, and the four heights, m."""
    faces = np.array(kind.sides)
    a, b, c = (x[:, faces[:, k]] for k in range(3))
    vectors = np.cross(b - a, c - a)
    sizes = np.linalg.norm(vectors, axis=2)
    normals = vectors / np.maximum(sizes, 1e-300)[:, :, None]
    pairs = np.array([(p, q) for p in range(4) for q in range(p)]).T
    cosines = -(normals[:, pairs[0]] * normals[:, pairs[1]]).sum(axis=2)
    return np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))), 6.0 * volume[:, None] / np.maximum(sizes, 1e-300)
