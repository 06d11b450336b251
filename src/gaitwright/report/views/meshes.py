"""A picture of a mesh: its surface in the colours of its regions, and cut open, its cells by their shape."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.quality import BAD, quality_of
from gaitwright.mesh.regions import Where
from gaitwright.report.painter import Paint, nice_step, rgb
from gaitwright.report.plots import INK, MUTED, PALETTE, new_figure, save, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAIN = "#c9d1db"
LEGEND = 12
"""Regions that are named, at most."""
UP = {"x": 0, "y": 1, "z": 2}
FINE = 30_000
"""Triangles beyond which their edges are not drawn: they would be all that is seen."""


def plot_mesh(
    mesh: Mesh, path: str | Path | None = None, *, colour: str = "", hidden: Where | None = None, up: str = "z",
    title: str = "",
) -> Figure:  # fmt: skip
    """Draw a mesh, and save the picture under a path if there is one.

    colour: 'region' or 'quality'; both unless told, the second cut open. hidden: cells that are left out; half of them in
    the second picture unless told. up: the axis that points up."""
    at = At("plot")
    ways = [at["colour"].one_of(colour, ("region", "quality"))] if colour else ["region", "quality"]
    at["up"].one_of(up, tuple(UP))
    if mesh.dimension == 2 or (mesh.is_surface and not colour):
        ways = ways[-1:] if mesh.dimension == 2 else ways[:1]
    with style():
        figure = new_figure(5.4 * len(ways) + 0.6, 4.8)
        figure.set_layout_engine("constrained")
        for k, way in enumerate(ways):
            ax = figure.add_subplot(1, len(ways), k + 1)
            ax.set_aspect("equal")
            ax.axis("off")
            _COLOURED[way](figure, ax, mesh, hidden, up)
        said = title or f"{len(mesh.nodes)} nodes, {len(mesh.cells)} {mesh.kind.name}"
        figure.suptitle(said, x=0.012, ha="left", fontsize=11, parse_math=False)
        if path is not None:
            save(figure, path)
    return figure


def _by_region(figure: Figure, ax: Any, mesh: Mesh, hidden: Where | None, up: str) -> None:
    """Sides in the colour of the last region that they lie in; of regions with cells, sides of these, and cut open."""
    if (
        hidden is None
        and not mesh.is_surface
        and mesh.dimension == 3
        and any(len(r.cells) for r in mesh.regions.values())
    ):
        hidden = _front_half(mesh, up)
    sides, owner = _sides(mesh, hidden)
    which = np.full(len(sides), -1)
    for k, region in enumerate(mesh.regions.values()):
        chosen = np.all(np.isin(sides, region.nodes), axis=1)
        which[chosen & (np.isin(owner, region.cells) | (not len(region.cells)))] = k
    colours = np.array([rgb(PALETTE[k % len(PALETTE)]) for k in range(len(mesh.regions))] + [rgb(PLAIN)])
    _paint(ax, mesh, sides, colours[which], up)
    names = list(mesh.regions)
    seen = [k for k in np.unique(which) if k >= 0]
    if seen:
        from matplotlib.patches import Patch

        patches = [Patch(facecolor=tuple(colours[k]), label=names[k]) for k in seen[:LEGEND]]
        ax.legend(handles=patches, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, fontsize=8)


def _by_quality(figure: Figure, ax: Any, mesh: Mesh, hidden: Where | None, up: str) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    shape = quality_of(mesh).shape
    if hidden is None and not mesh.is_surface and mesh.dimension == 3:
        hidden = _front_half(mesh, up)
    sides, owner = _sides(mesh, hidden)
    scale = ScalarMappable(Normalize(0.0, 1.0), "viridis")
    _paint(ax, mesh, sides, scale.to_rgba(shape[owner])[:, :3], up)
    bar = figure.colorbar(scale, ax=ax, shrink=0.7, pad=0.02)
    bar.set_label(f"shape (bad below {BAD:g})", color=MUTED, fontsize=8)


_COLOURED = {"region": _by_region, "quality": _by_quality}


class _Front(Where):
    """Cells in front of the middle."""

    def __init__(self, middle: np.ndarray, normal: np.ndarray):
        self.middle, self.normal = middle, normal

    def holds(self, points: np.ndarray, size: float) -> np.ndarray:
        return np.greater((points - self.middle) @ self.normal, 0.0)


def _front_half(mesh: Mesh, up: str) -> Where:
    """What lies before a plane through the middle, across the shorter side."""
    _, _, back = _view(up)
    spans = np.ptp(mesh.bounds, axis=0)
    spans[UP[up]] = np.inf
    normal = np.zeros(3)
    axis = int(np.argmin(spans))
    normal[axis] = np.sign(back[axis])
    return _Front(mesh.bounds.mean(axis=0), normal)


def _sides(mesh: Mesh, hidden: Where | None) -> tuple[np.ndarray, np.ndarray]:
    """Triangles that are seen (f, 3), and the cell of each."""
    kept = np.ones(len(mesh.cells), dtype=bool) if hidden is None else ~hidden.cells(mesh)
    if not kept.any():
        At("plot", "hidden").fail("hides all cells", expected="a place that leaves some")
    corners = mesh.cells[:, : mesh.kind.corners]
    if mesh.kind.dimension == 2:
        return corners[kept], np.flatnonzero(kept)
    behind = np.where(mesh.neighbours >= 0, kept[mesh.neighbours], False)
    cell, side = np.nonzero(kept[:, None] & ~behind)
    return corners[cell[:, None], np.array(mesh.kind.sides)[side]], cell


def _view(up: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right, above and towards whoever looks, from a corner."""
    upwards = np.eye(3)[UP[up]]
    across = np.eye(3)[(UP[up] + 1) % 3]
    back = 0.62 * across - np.cross(upwards, across) + 0.52 * upwards
    back /= np.linalg.norm(back)
    right = np.cross(upwards, back)
    right /= np.linalg.norm(right)
    return right, np.cross(back, right), back


def _paint(ax: Any, mesh: Mesh, sides: np.ndarray, fills: np.ndarray, up: str) -> None:
    """Triangles from behind, lit from above; a bar for the scale."""
    paint = Paint()
    x = mesh.nodes[sides]
    if mesh.dimension == 2:
        flat, depth = x, np.zeros(len(x))
    else:
        right, above, back = _view(up)
        normal = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
        facing = normal @ back
        seen = facing > 0.0 if not mesh.is_surface or not len(mesh.boundary) else np.ones(len(x), dtype=bool)
        light = 0.72 + 0.28 * np.abs(normal @ (0.7 * np.eye(3)[UP[up]] + 0.5 * back - 0.3 * right))
        fills = np.clip(fills * light[:, None], 0.0, 1.0)[seen]
        x = x[seen]
        flat, depth = np.stack([x @ right, x @ above], axis=-1), x.mean(axis=1) @ back
    edges = 0.6 * fills if len(flat) <= FINE else fills
    paint.add(flat[:, [0, 1, 2, 2]], depth, fills, edges, 0.25)
    paint.put(ax, 2.0)
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    margin = 0.04 * float((high - low).max())
    bar = nice_step(0.25 * float(high[0] - low[0]))
    y = low[1] - 1.5 * margin
    ax.plot([low[0], low[0] + bar], [y, y], color=INK, linewidth=2.0, solid_capstyle="butt")
    unit = f"{1e3 * bar:g} mm" if bar < 1.0 else f"{bar:g} m"
    ax.annotate(unit, (low[0] + bar, y), xytext=(5, -3), textcoords="offset points", color=MUTED, fontsize=8)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(y - margin, high[1] + margin)
