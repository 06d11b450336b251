"""Foot measures on a surface in the frame of a foot (see shape.py). Definitions: docs/theory/feet.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gaitwright.foot.parametric_outline import HEEL_LINE_RATIO
from gaitwright.measures.measure import Measure, MeasureRegistry
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh

HEIGHT_MAP_CELLS = 260
"""Cells along the foot in the height map from below: 1 mm for an adult."""
FOOTPRINT_HEIGHT_RATIO = 0.02
"""Height limit of the footprint, in foot lengths: 5 mm, the compression of soft tissue in standing."""
OUTLINE_HEIGHT_RATIO = 0.13
"""Height, relative to the length, below which the foot has its full outline: 35 mm for an adult, below the ankle."""
ANKLE_HEIGHT_RATIO = 0.25
"""Height of the ankle, in foot lengths: widths are measured below it."""
BALL_ZONE_RATIOS = (0.55, 0.80)
"""Search zone of the ball, in foot lengths."""
TOES_START_RATIO = 0.83
"""Start of the toes for the arch index, in foot lengths."""
ARCH_LINE_RATIO = 0.25
"""Distance from the heel-toe line to the line of the arch height, in ball widths."""


@dataclass(frozen=True)
class FootMeasures:
    """length: heel to the longest toe. ball_width, heel_width: across the heel-toe line. arch_height: of the sole over the
    ground on the medial side. height: of the cut. All m; sole_area, of the footprint with toes, m^2. arch_index: the middle
    third of the footprint without toes, as a part of it (P. R. Cavanagh, M. M. Rodgers, J. Biomech. 20 (1987) 547). surface:
    the measured surface."""

    length: float
    ball_width: float
    heel_width: float
    arch_height: float
    arch_index: float
    sole_area: float
    height: float
    surface: Mesh = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, float]:
        """All measures by name."""
        return FOOT_MEASURES.compute(self)


FOOT_MEASURES = MeasureRegistry(
    "foot",
    [
        Measure(
            "length", "m", "from the end of the heel to the longest toe, along the heel-toe line", lambda foot: foot.length
        ),
        Measure("ball_width", "m", "across the heads of the metatarsals", lambda foot: foot.ball_width),
        Measure("heel_width", "m", "at 16 % of the length", lambda foot: foot.heel_width),
        Measure(
            "arch_height", "m", "of the sole on the medial side, a quarter of the ball's width from the heel-toe line",
            lambda foot: foot.arch_height,
        ),
        Measure(
            "arch_index", "1", "middle third of the footprint without toes; 0.21 to 0.26 is usual, less is a high arch",
            lambda foot: foot.arch_index,
        ),
        Measure(
            "sole_area", "m^2", "of the footprint: what is lower than 2 % of the length", lambda foot: foot.sole_area
        ),
        Measure("height", "m", "of the cut", lambda foot: foot.height),
    ],
)  # fmt: skip
"""Measures of FootMeasures: its numbers, and any function of these and of its surface."""


class SoleHeightMap(NamedTuple):
    """Height map of a surface seen from below: lowest z over each cell (nx, ny), m, infinite where the surface is
    absent; x (nx,) and y (ny,) of cell centres, and the side of a cell, m."""

    z: Array
    x: Array
    y: Array
    cell: float


def map_heights_from_below(surface: Mesh, cell: float) -> SoleHeightMap:
    """Lowest point of a surface over the centre of each grid cell."""
    low, high = surface.bounds
    first = np.floor(low[:2] / cell).astype(int)
    counts = np.ceil(high[:2] / cell).astype(int) - first
    corners = surface.nodes[surface.cells]
    corners = corners[surface.side_normals[:, 2] < 0.0]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    # Candidate cells of all triangles: their centres lie in the bounding box of the triangle.
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
    return SoleHeightMap(z, x, y, cell)


def outline_below_ankle(nodes: Array) -> Array:
    """Mask (n,) of nodes below the ankle, of nodes in the frame of a foot: a calf may project behind the heel. The height limit
    is a fraction of the length of the part below it, which a few iterations find."""
    height = nodes[:, 2] - nodes[:, 2].min()
    low = np.ones(len(nodes), dtype=bool)
    for _ in range(4):
        low = height < OUTLINE_HEIGHT_RATIO * np.ptp(nodes[low, 0])
    return low


def measure_foot(surface: Mesh, side: str) -> FootMeasures:
    """Measure a surface in the frame of a foot. Only what is below the ankle counts, whatever the height of the cut."""
    below = outline_below_ankle(surface.nodes)
    low, high = surface.bounds
    low, high = (
        np.array([surface.nodes[below, 0].min(), *low[1:]]),
        np.array([surface.nodes[below, 0].max(), *high[1:]]),
    )
    length = float(high[0] - low[0])
    level = low[2] + ANKLE_HEIGHT_RATIO * length
    start, end = (low[0] + length * part for part in BALL_ZONE_RATIOS)
    ball_width = float(np.subtract(*_lateral_extent(surface, start, end, level)))
    line = low[0] + HEEL_LINE_RATIO * length
    heel_width = float(np.subtract(*_lateral_extent(surface, line, line, level)))
    seen = map_heights_from_below(surface, length / HEIGHT_MAP_CELLS)
    z, part = seen.z - low[2], (seen.x - low[0]) / length
    printed = z < FOOTPRINT_HEIGHT_RATIO * length
    trunk = part / TOES_START_RATIO
    third = printed[(trunk >= 1 / 3) & (trunk < 2 / 3)].sum() / max(printed[trunk < 1.0].sum(), 1)
    medial = 1.0 if side == "right" else -1.0
    place = (
        medial * ARCH_LINE_RATIO * ball_width - seen.y[0]
    ) / seen.cell  # in columns; the line lies between two of them
    line = min(max(int(place), 0), len(seen.y) - 2)
    pair = z[(trunk >= 1 / 3) & (trunk < 2 / 3)][:, line : line + 2]
    middle = pair[:, 0] + (place - line) * (pair[:, 1] - pair[:, 0])
    middle = middle[np.isfinite(middle)]
    return FootMeasures(
        length, ball_width, heel_width, float(middle.max()) if len(middle) else 0.0, float(third),
        float(printed.sum() * seen.cell**2), float(high[2] - low[2]), surface,
    )  # fmt: skip


def _lateral_extent(surface: Mesh, start: float, end: float, level: float) -> tuple[float, float]:
    """Largest and smallest y of a surface between two x and below a level, m: of its nodes there and of its edges at both
    ends."""
    x, y, low = surface.nodes[:, 0], surface.nodes[:, 1], surface.nodes[:, 2] < level
    y_values = [y[(x >= start) & (x <= end) & low]]
    a, b = surface.edges[low[surface.edges].all(axis=1)].T
    for at in {start, end}:
        cross = (x[a] < at) != (x[b] < at)
        i, j = a[cross], b[cross]
        y_values.append(y[i] + (at - x[i]) / (x[j] - x[i]) * (y[j] - y[i]))
    all_y = np.concatenate(y_values)
    return float(all_y.max()), float(all_y.min())
