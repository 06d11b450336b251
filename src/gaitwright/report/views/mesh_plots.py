"""Plot of a mesh: its surface in the colours of its regions, and a section with its cells coloured by shape quality."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.quality import MIN_GOOD_SHAPE, quality_of
from gaitwright.mesh.regions import RegionSelector
from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, PALETTE, new_figure, plot_style, save_figure
from gaitwright.report.renderers.software_renderer import PolygonBuffer, hex_to_rgb, round_up_step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NO_REGION_COLOUR = "#c9d1db"
MAX_LEGEND_REGIONS = 12
"""Maximum number of regions in the legend."""
AXIS_NUMBERS = {"x": 0, "y": 1, "z": 2}
MAX_EDGED_TRIANGLES = 30_000
"""Maximum number of triangles with drawn edges; with more, the edges would cover everything."""


def plot_mesh(
    mesh: Mesh, path: str | Path | None = None, *, colour: str = "", hidden: RegionSelector | None = None, up: str = "z",
    title: str = "",
) -> Figure:  # fmt: skip
    """Draw a mesh, and save the picture if a path is given.

    colour: 'region' or 'quality'; default: both, the second with a section. hidden: cells that are left out; default: half
    of them in the second picture. up: the axis that points up."""
    at = ErrorContext("plot")
    colourings = [at["colour"].one_of(colour, ("region", "quality"))] if colour else ["region", "quality"]
    at["up"].one_of(up, tuple(AXIS_NUMBERS))
    if mesh.dimension == 2 or (mesh.is_surface and not colour):
        colourings = colourings[-1:] if mesh.dimension == 2 else colourings[:1]
    with plot_style():
        figure = new_figure(5.4 * len(colourings) + 0.6, 4.8)
        figure.set_layout_engine("constrained")
        for k, colouring in enumerate(colourings):
            ax = figure.add_subplot(1, len(colourings), k + 1)
            ax.set_aspect("equal")
            ax.axis("off")
            _MESH_COLOURINGS[colouring](figure, ax, mesh, hidden, up)
        heading = title or f"{len(mesh.nodes)} nodes, {len(mesh.cells)} {mesh.kind.name}"
        figure.suptitle(heading, x=0.012, ha="left", fontsize=11, parse_math=False)
        if path is not None:
            save_figure(figure, path)
    return figure


def _draw_regions(figure: Figure, ax: Any, mesh: Mesh, hidden: RegionSelector | None, up: str) -> None:
    """Draw sides in the colour of the last region that contains them. Sides belong to a region with cells only if their cell
    does; a mesh with such regions is cut open."""
    if (
        hidden is None
        and not mesh.is_surface
        and mesh.dimension == 3
        and any(len(r.cells) for r in mesh.regions.values())
    ):
        hidden = _front_half(mesh, up)
    sides, owner = _visible_triangles(mesh, hidden)
    which = np.full(len(sides), -1)
    for k, region in enumerate(mesh.regions.values()):
        chosen = np.all(np.isin(sides, region.nodes), axis=1)
        which[chosen & (np.isin(owner, region.cells) | (not len(region.cells)))] = k
    colours = np.array(
        [hex_to_rgb(PALETTE[k % len(PALETTE)]) for k in range(len(mesh.regions))] + [hex_to_rgb(NO_REGION_COLOUR)]
    )
    _paint_triangles(ax, mesh, sides, colours[which], up)
    names = list(mesh.regions)
    visible = [k for k in np.unique(which) if k >= 0]
    if visible:
        from matplotlib.patches import Patch

        patches = [Patch(facecolor=tuple(colours[k]), label=names[k]) for k in visible[:MAX_LEGEND_REGIONS]]
        ax.legend(handles=patches, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, fontsize=8)


def _draw_quality(figure: Figure, ax: Any, mesh: Mesh, hidden: RegionSelector | None, up: str) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    shape = quality_of(mesh).shape
    if hidden is None and not mesh.is_surface and mesh.dimension == 3:
        hidden = _front_half(mesh, up)
    sides, owner = _visible_triangles(mesh, hidden)
    scale = ScalarMappable(Normalize(0.0, 1.0), "viridis")
    _paint_triangles(ax, mesh, sides, scale.to_rgba(shape[owner])[:, :3], up)
    bar = figure.colorbar(scale, ax=ax, shrink=0.7, pad=0.02)
    bar.set_label(f"shape (bad below {MIN_GOOD_SHAPE:g})", color=MUTED_COLOUR, fontsize=8)


_MESH_COLOURINGS = {"region": _draw_regions, "quality": _draw_quality}


class _FrontHalf(RegionSelector):
    """Selector of the cells in front of the centre."""

    def __init__(self, middle: np.ndarray, normal: np.ndarray):
        self.middle, self.normal = middle, normal

    def holds(self, points: np.ndarray, size: float) -> np.ndarray:
        return np.greater((points - self.middle) @ self.normal, 0.0)


def _front_half(mesh: Mesh, up: str) -> RegionSelector:
    """Selector of the part in front of a plane through the centre, normal to the shorter horizontal axis."""
    _, _, back = _view_axes(up)
    spans = np.ptp(mesh.bounds, axis=0)
    spans[AXIS_NUMBERS[up]] = np.inf
    normal = np.zeros(3)
    axis = int(np.argmin(spans))
    normal[axis] = np.sign(back[axis])
    return _FrontHalf(mesh.bounds.mean(axis=0), normal)


def _visible_triangles(mesh: Mesh, hidden: RegionSelector | None) -> tuple[np.ndarray, np.ndarray]:
    """Visible triangles (f, 3), and the cell of each."""
    visible = np.ones(len(mesh.cells), dtype=bool) if hidden is None else ~hidden.cells(mesh)
    if not visible.any():
        ErrorContext("plot", "hidden").fail("hides all cells", expected="a place that leaves some")
    corners = mesh.cells[:, : mesh.kind.corners]
    if mesh.kind.dimension == 2:
        return corners[visible], np.flatnonzero(visible)
    behind = np.where(mesh.neighbours >= 0, visible[mesh.neighbours], False)
    cell, side = np.nonzero(visible[:, None] & ~behind)
    return corners[cell[:, None], np.array(mesh.kind.sides)[side]], cell


def _view_axes(up: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Axes of the view from a corner: right, above and towards the viewer."""
    upwards = np.eye(3)[AXIS_NUMBERS[up]]
    across = np.eye(3)[(AXIS_NUMBERS[up] + 1) % 3]
    back = 0.62 * across - np.cross(upwards, across) + 0.52 * upwards
    back /= np.linalg.norm(back)
    right = np.cross(upwards, back)
    right /= np.linalg.norm(right)
    return right, np.cross(back, right), back


def _paint_triangles(ax: Any, mesh: Mesh, sides: np.ndarray, fills: np.ndarray, up: str) -> None:
    """Paint triangles from back to front, lit from above, and a scale bar."""
    paint = PolygonBuffer()
    x = mesh.nodes[sides]
    if mesh.dimension == 2:
        flat, depth = x, np.zeros(len(x))
    else:
        right, above, back = _view_axes(up)
        normal = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
        facing = normal @ back
        visible = facing > 0.0 if not mesh.is_surface or not len(mesh.boundary) else np.ones(len(x), dtype=bool)
        light = 0.72 + 0.28 * np.abs(normal @ (0.7 * np.eye(3)[AXIS_NUMBERS[up]] + 0.5 * back - 0.3 * right))
        fills = np.clip(fills * light[:, None], 0.0, 1.0)[visible]
        x = x[visible]
        flat, depth = np.stack([x @ right, x @ above], axis=-1), x.mean(axis=1) @ back
    edges = 0.6 * fills if len(flat) <= MAX_EDGED_TRIANGLES else fills
    paint.add(flat[:, [0, 1, 2, 2]], depth, fills, edges, 0.25)
    paint.put(ax, 2.0)
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    margin = 0.04 * float((high - low).max())
    bar = round_up_step(0.25 * float(high[0] - low[0]))
    y = low[1] - 1.5 * margin
    ax.plot([low[0], low[0] + bar], [y, y], color=INK_COLOUR, linewidth=2.0, solid_capstyle="butt")
    unit = f"{1e3 * bar:g} mm" if bar < 1.0 else f"{bar:g} m"
    ax.annotate(unit, (low[0] + bar, y), xytext=(5, -3), textcoords="offset points", color=MUTED_COLOUR, fontsize=8)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(y - margin, high[1] + margin)
