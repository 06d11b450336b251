"""How well shaped cells are: measures of every cell, a table, and which ones are bad.

shape     12 (3 V)^(2/3) / sum l^2 of a tetrahedron with volume V and edges l; 4 sqrt(3) A / sum l^2 of a triangle. 1 for a
regular cell, 0 for a flat one (A. Liu, B. Joe, BIT 34 (1994) 268: the mean ratio).
angles    between faces of a tetrahedron, between sides of a triangle, degrees
aspect    longest edge over shortest height, as a multiple of that of a regular cell: 1 is best
curvature smallest det dx/dxi over the largest in a quadratic cell: 1 if it is straight, 0 where it begins to fold

The first three look at corners alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh import measure
from gaitwright.mesh.kinds import Array, Kind

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.mesh.mesh import Mesh

BAD = 0.2
"""Shape below which a cell spoils what is around it: its condition number is ten times that of a good one."""


@dataclass(frozen=True, eq=False)
class Quality:
    """Of each cell (m,): shape, smallest and largest angle, deg, aspect, volume, m^3 (of triangles m^2), and curvature; of
    each edge its length, m."""

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
        """Numbers of cells with a shape below 0.2, the worst first."""
        found = np.flatnonzero(self.shape < BAD)
        return found[np.argsort(self.shape[found])]

    def table(self) -> pd.DataFrame:
        """Least, mean and greatest of every measure."""
        import pandas as pd

        rows = {name: (values.min(), values.mean(), values.max()) for name, (_, values) in self._measures().items()}
        units = [unit for unit, _ in self._measures().values()]
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=["min", "mean", "max"])
        frame.insert(0, "unit", units)
        return frame

    def _measures(self) -> dict[str, tuple[str, Array]]:
        size = ("volume", "m^3") if self.dimension == 3 else ("area", "m^2")
        found = {
            "shape": ("1", self.shape),
            "smallest angle": ("deg", self.smallest_angle),
            "largest angle": ("deg", self.largest_angle),
            "aspect": ("1", self.aspect),
            size[0]: (size[1], self.volume),
            "edge": ("m", self.edge),
        }
        return {**found, "curvature": ("1", self.curvature)} if (self.curvature < 1.0).any() else found

    def summary(self) -> dict[str, Any]:
        """For machines."""
        measures = self._measures()
        numbers = {n: {"min": v.min(), "mean": v.mean(), "max": v.max(), "unit": u} for n, (u, v) in measures.items()}
        return {"cells": len(self.shape), "bad_cells": len(self.bad), "measures": numbers}

    def verdict(self) -> str:
        """One sentence."""
        if len(self.bad):
            return f"{len(self.bad)} of {len(self.shape)} cells are bad (shape below {BAD:g}); the worst is cell {self.bad[0]}"
        return f"no cell is bad: the worst shape is {self.shape.min():.2f} (bad below {BAD:g})"

    def __str__(self) -> str:
        lines = [f"{'':<15}{'min':>10}{'mean':>10}{'max':>10}"]
        for name, (unit, values) in self._measures().items():
            numbers = "".join(f"{value:>10.3g}" for value in (values.min(), values.mean(), values.max()))
            lines.append(f"{name:<15}{numbers}  {unit if unit != '1' else ''}".rstrip())
        return "\n".join([*lines, self.verdict()])


def quality_of(mesh: Mesh) -> Quality:
    kind = mesh.kind
    flat = mesh.linear()
    x = flat.nodes[flat.cells]
    i, j = np.array(kind.edges).T
    lengths = np.linalg.norm(x[:, j] - x[:, i], axis=2)
    volume = np.abs(flat.volumes)
    total = (lengths**2).sum(axis=1)
    if kind.dimension == 3:
        shape = 12.0 * np.cbrt(3.0 * volume) ** 2 / total
        angles, heights = _dihedral(x, volume, kind)
        regular = math.sqrt(2.0 / 3.0)
    else:
        shape = 4.0 * math.sqrt(3.0) * volume / total
        angles = np.degrees(measure.corner_angles(_in_space(flat.nodes), flat.cells))
        heights = 2.0 * volume[:, None] / lengths
        regular = math.sqrt(3.0) / 2.0
    with np.errstate(divide="ignore"):
        aspect = regular * lengths.max(axis=1) / heights.min(axis=1)
    found = measure.jacobians(mesh.nodes, mesh.cells, kind)
    curvature = found.min(axis=1) / found.max(axis=1) if kind.order == 2 else np.ones(len(mesh.cells))
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


def _in_space(nodes: Array) -> Array:
    return np.column_stack([nodes, np.zeros(len(nodes))]) if nodes.shape[1] == 2 else nodes


def _dihedral(x: Array, volume: Array, kind: Kind) -> tuple[Array, Array]:
    """Angles between faces at the six edges, deg, and the four heights, m."""
    faces = np.array(kind.sides)
    a, b, c = (x[:, faces[:, k]] for k in range(3))
    vectors = np.cross(b - a, c - a)
    sizes = np.linalg.norm(vectors, axis=2)
    normals = vectors / np.maximum(sizes, 1e-300)[:, :, None]
    pairs = np.array([(p, q) for p in range(4) for q in range(p)]).T
    cosines = -(normals[:, pairs[0]] * normals[:, pairs[1]]).sum(axis=2)
    return np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))), 6.0 * volume[:, None] / np.maximum(sizes, 1e-300)
