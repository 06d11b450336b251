"""Measures of a foot, taken on its surface in the frame of a foot (see shape.py). docs/theory/feet.md has their definitions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from gaitwright.foot.outline import HEEL_LINE
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh

CELLS = 260
"""Of the picture from below, along the foot: 1 mm for an adult."""
PRINT = 0.02
"""What is lower than this part of the length is in the footprint: 5 mm, as far as soft tissue gives way in standing."""
BALL_ZONE = (0.55, 0.80)
"""Where the ball is looked for, in lengths of the foot."""
WITHOUT_TOES = 0.83
"""Where the toes begin, in lengths of the foot, for the arch index."""
ARCH_LINE = 0.25
"""How far from the heel-toe line the height of the arch is measured, in widths of the ball."""


@dataclass(frozen=True)
class Measures:
    """length: heel to the longest toe. ball_width, heel_width: across the heel-toe line. arch_height: of the sole over the
    ground on the medial side. height: of the cut. All m; sole_area, of the footprint with toes, m^2. arch_index: the middle
    third of the footprint without toes, as a part of it (P. R. Cavanagh, M. M. Rodgers, J. Biomech. 20 (1987) 547)."""

    length: float
    ball_width: float
    heel_width: float
    arch_height: float
    arch_index: float
    sole_area: float
    height: float

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


class Below(NamedTuple):
    """A surface seen from below: z of what is lowest over each cell (nx, ny), m, infinite where there is nothing; x (nx,)
    and y (ny,) of the middles of cells, and the side of a cell, m."""

    z: Array
    x: Array
    y: Array
    cell: float


def from_below(surface: Mesh, cell: float) -> Below:
    """The lowest point of a surface over the middle of each cell of a grid."""
    low, high = surface.bounds
    first = np.floor(low[:2] / cell).astype(int)
    counts = np.ceil(high[:2] / cell).astype(int) - first
    corners = surface.nodes[surface.cells]
    corners = corners[surface.side_normals[:, 2] < 0.0]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    # Cells whose middles may lie in each triangle, all triangles at once.
    start = np.ceil(corners[:, :, :2].min(axis=1) / cell - 0.5).astype(int)
    spans = np.floor(corners[:, :, :2].max(axis=1) / cell - 0.5).astype(int) - start + 1
    many = np.maximum(spans, 0).prod(axis=1)
    owner = np.repeat(np.arange(len(corners)), many)
    k = np.arange(len(owner)) - np.repeat(np.cumsum(many) - many, many)
    i, j = start[owner, 0] + k // spans[owner, 1], start[owner, 1] + k % spans[owner, 1]
    px, py = (i + 0.5) * cell, (j + 0.5) * cell
    u, w = (b - a)[owner], (c - a)[owner]
    determinant = u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]
    dx, dy = px - a[owner, 0], py - a[owner, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (dx * w[:, 1] - dy * w[:, 0]) / determinant
        t = (u[:, 0] * dy - u[:, 1] * dx) / determinant
    inside = (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1.0 + 1e-9)
    z = np.full(tuple(counts), np.inf)
    height = a[owner, 2] + s * u[:, 2] + t * w[:, 2]
    np.minimum.at(z, (i[inside] - first[0], j[inside] - first[1]), height[inside])
    x, y = ((first[k] + np.arange(counts[k]) + 0.5) * cell for k in range(2))
    return Below(z, x, y, cell)


def measured(surface: Mesh, side: str) -> Measures:
    """Of a surface in the frame of a foot."""
    low, high = surface.bounds
    length = float(high[0] - low[0])
    ball_width = float(np.subtract(*_reach(surface, *(low[0] + length * part for part in BALL_ZONE))))
    heel_width = float(np.subtract(*_reach(surface, low[0] + HEEL_LINE * length, low[0] + HEEL_LINE * length)))
    seen = from_below(surface, length / CELLS)
    z, part = seen.z - low[2], (seen.x - low[0]) / length
    printed = z < PRINT * length
    trunk = part / WITHOUT_TOES
    third = printed[(trunk >= 1 / 3) & (trunk < 2 / 3)].sum() / max(printed[trunk < 1.0].sum(), 1)
    medial = 1.0 if side == "right" else -1.0
    place = (medial * ARCH_LINE * ball_width - seen.y[0]) / seen.cell  # in columns; the line lies between two of them
    line = min(max(int(place), 0), len(seen.y) - 2)
    pair = z[(trunk >= 1 / 3) & (trunk < 2 / 3)][:, line : line + 2]
    middle = pair[:, 0] + (place - line) * (pair[:, 1] - pair[:, 0])
    middle = middle[np.isfinite(middle)]
    return Measures(
        length, ball_width, heel_width, float(middle.max()) if len(middle) else 0.0, float(third),
        float(printed.sum() * seen.cell**2), float(high[2] - low[2]),
    )  # fmt: skip


def _reach(surface: Mesh, start: float, end: float) -> tuple[float, float]:
    """Greatest and least y of a surface between two x, m: of its nodes there and of its edges at both ends."""
    x, y = surface.nodes[:, 0], surface.nodes[:, 1]
    found = [y[(x >= start) & (x <= end)]]
    a, b = surface.edges.T
    for at in {start, end}:
        cross = (x[a] < at) != (x[b] < at)
        i, j = a[cross], b[cross]
        found.append(y[i] + (at - x[i]) / (x[j] - x[i]) * (y[j] - y[i]))
    all_y = np.concatenate(found)
    return float(all_y.max()), float(all_y.min())
