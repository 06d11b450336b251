"""Plots of a foot: its surface with the axes of its frame, its sole with areas and measures, and the pressure under it.

Soles are drawn in their position on the ground, seen from above: toes up, and the big toe of a right foot on the left.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.foot import areas
from gaitwright.foot.measures import ARCH_LINE_RATIO, FOOTPRINT_HEIGHT_RATIO, SoleHeightMap, map_heights_from_below
from gaitwright.foot.parametric_outline import HEEL_LINE_RATIO
from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, PALETTE, new_figure, plot_style, save_figure
from gaitwright.report.renderers.software_renderer import PolygonBuffer, hex_to_rgb

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.foot.shape import FootShape

SKIN_COLOUR = "#d9b8a0"
SOLE_CELL_COUNT = 260
"""Number of cells of a picture along the foot."""
MAX_COLOURED_HEIGHT_MM = 20.0
"""Height of the sole above which the colour is constant, mm."""
VIEW_DIRECTIONS = {
    "from the medial side": (0.75, 0.85, 0.55),
    "from the lateral side": (0.6, -0.95, 0.45),
    "from below": (-0.35, 0.55, -1.0),
}
"""Directions to the viewer: forward, medial, up."""
AXIS_ARROWS = (
    ("x, forward", (1, 0, 0), PALETTE[3]),
    ("y, left", (0, 1, 0), PALETTE[2]),
    ("z, up", (0, 0, 1), PALETTE[0]),
)


def draw_surface(shape: FootShape, path: str | Path | None = None) -> Figure:
    """Draw the surface from three sides, with the axes of the foot frame."""
    with plot_style():
        figure = new_figure(9.0, 3.6)
        figure.set_layout_engine("constrained")
        for k, (title, looks) in enumerate(VIEW_DIRECTIONS.items()):
            ax = figure.add_subplot(1, len(VIEW_DIRECTIONS), k + 1)
            ax.set_aspect("equal")
            ax.axis("off")
            ax.set_title(title, fontsize=12, color=MUTED_COLOUR)
            _draw_shaded_surface(ax, shape, np.array([looks[0], looks[1] * shape.medial, looks[2]]))
        if path is not None:
            save_figure(figure, path)
    return figure


def _draw_shaded_surface(ax: Any, shape: FootShape, back: np.ndarray) -> None:
    back = back / np.linalg.norm(back)
    right = np.cross((0.0, 0.0, 1.0), back)
    right /= np.linalg.norm(right)
    above = np.cross(back, right)
    surface, size = shape.surface, shape.measures.length
    x, normal = surface.nodes[surface.cells], surface.side_normals
    visible = normal @ back > 0.0
    # Smooth shading with the nodal normals, where they deviate little from the face normals.
    lit = surface.node_normals[surface.cells].mean(axis=1)
    lit = np.where(((lit * normal).sum(axis=1) < 0.9)[:, None], normal, lit)  # but not around the edge of the cut
    light = 0.5 * above + 0.75 * back - 0.35 * right
    shade = 0.45 + 0.55 * np.clip(lit @ (light / np.linalg.norm(light)), 0.0, 1.0)
    fills = np.clip(hex_to_rgb(SKIN_COLOUR) * shade[:, None], 0.0, 1.0)[visible]
    flat, depth = np.stack([x[visible] @ right, x[visible] @ above], axis=-1), x[visible].mean(axis=1) @ back
    paint = PolygonBuffer()
    paint.add(flat[:, [0, 1, 2, 2]], depth, fills, fills, 0.4)
    paint.put(ax, 2.0)

    def put(point: Any) -> np.ndarray:
        return np.array([np.dot(point, right), np.dot(point, above)])

    ends = []
    for name, direction, colour in AXIS_ARROWS:
        reach = 1.2 * size if name[0] == "x" else 0.42 * size
        start, end = put((0.0, 0.0, 0.0)), put(reach * np.array(direction, dtype=float))
        ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.3}, zorder=1.0)
        away = 14.0 * (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        ax.annotate(name, end, xytext=tuple(away), textcoords="offset points", color=colour, fontsize=10, ha="center",
                    va="center", zorder=1.0)  # fmt: skip
        ends += [start, end]
    corners = np.concatenate([flat.reshape(-1, 2), ends])
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.07 * float((high - low).max())
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)


def draw_sole(shape: FootShape, path: str | Path | None = None) -> Figure:
    """Draw the sole with its height, its areas and the measures of the foot."""
    measures = shape.measures
    height_map = map_heights_from_below(shape.surface, measures.length / SOLE_CELL_COUNT)
    with plot_style():
        figure, ax = _new_sole_figure()
        z = np.where(np.isfinite(height_map.z), 1e3 * height_map.z, np.nan)
        image = ax.pcolormesh(
            1e3 * height_map.y,
            1e3 * height_map.x,
            np.ma.masked_invalid(z),
            cmap="YlGnBu",
            vmin=0,
            vmax=MAX_COLOURED_HEIGHT_MM,
            shading="nearest",
            rasterized=True,
        )
        bar = figure.colorbar(image, ax=ax, shrink=0.5, pad=0.02, extend="max")
        bar.set_label("height of the sole (mm)")
        filled = np.where(np.isnan(z), 99.0, z)
        ax.contour(
            1e3 * height_map.y,
            1e3 * height_map.x,
            filled,
            [1e3 * FOOTPRINT_HEIGHT_RATIO * measures.length],
            colors=[INK_COLOUR],
            linewidths=1.2,
        )
        draw_areas(ax, shape, height_map, names=True)
        _draw_measures(ax, shape)
        _frame_sole(ax, shape)
        if path is not None:
            save_figure(figure, path)
    return figure


def _new_sole_figure() -> tuple[Figure, Any]:
    figure = new_figure(6.0, 7.2)
    figure.set_layout_engine("constrained")
    return figure, figure.add_subplot()


def _frame_sole(ax: Any, shape: FootShape) -> None:
    """Set axes with toes up and y to the left."""
    ax.set_aspect("equal")
    half = 0.75 * 1e3 * shape.measures.ball_width
    ax.set_xlim(1.25 * half, -1.25 * half)
    ax.set_ylim(-0.06 * 1e3 * shape.measures.length, 1.1 * 1e3 * shape.measures.length)
    ax.set_xlabel("y, to the left (mm)")
    ax.set_ylabel("x, forward (mm)")


def draw_areas(ax: Any, shape: FootShape, height_map: SoleHeightMap, names: bool) -> None:
    """Draw lines between areas, and their names."""
    measures = shape.measures
    x, y = np.meshgrid(height_map.x, height_map.y, indexing="ij")
    which = areas.area_of(x, y, length=measures.length, ball_width=measures.ball_width, side=shape.side)
    covered = np.isfinite(height_map.z)
    visible_areas = np.where(covered, which, np.nan)
    for k, name in enumerate(areas.AREAS):
        mine = covered & (which == k)
        if not mine.any():
            continue
        ax.contour(1e3 * height_map.y, 1e3 * height_map.x, np.where(np.isnan(visible_areas), -9.0, mine.astype(float)), [0.5],
                   colors=[MUTED_COLOUR], linewidths=0.7, linestyles="dashed")  # fmt: skip
        if names:
            text = (
                name.replace("_", " ").replace("metatarsals ", "MT ").replace("metatarsal ", "MT ").replace(" 3", "-3")
            )
            text = text.replace(" 5", "-5")
            centre = 1e3 * float(np.median(y[mine])), 1e3 * float(np.median(x[mine]))
            ax.annotate(text, centre, ha="center", va="center", fontsize=8, color=INK_COLOUR, zorder=9,
                        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "alpha": 0.75, "linewidth": 0})  # fmt: skip


def _draw_measures(ax: Any, shape: FootShape) -> None:
    """Draw arrows with lengths, mm."""
    measures, medial = shape.measures, shape.medial
    nodes = 1e3 * shape.surface.nodes
    length = 1e3 * measures.length
    side = -medial * 0.72 * 1e3 * measures.ball_width  # of the length: on the lateral side

    def arrow(start: tuple[float, float], end: tuple[float, float], text: str, **place: Any) -> None:
        ax.annotate("", end, start, arrowprops={"arrowstyle": "<|-|>", "color": INK_COLOUR, "linewidth": 1.0}, zorder=8)
        ax.annotate(
            text,
            (0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1])),
            fontsize=9,
            color=INK_COLOUR,
            zorder=9,
            **place,
        )

    label = {"bbox": {"facecolor": "white", "linewidth": 0, "pad": 1.5}}
    arrow((side, 0.0), (side, length), f"length {length:.0f} mm", rotation=90, ha="center", va="center", **label)
    widths = {
        "ball": (0.55, 0.80, measures.ball_width),
        "heel": (HEEL_LINE_RATIO - 0.012, HEEL_LINE_RATIO + 0.012, measures.heel_width),
    }
    for name, (low, high, wide) in widths.items():
        zone = nodes[(nodes[:, 0] > low * length) & (nodes[:, 0] < high * length)]
        left, right = float(zone[:, 1].max()), float(zone[:, 1].min())
        at = float(np.mean([zone[np.argmax(zone[:, 1]), 0], zone[np.argmin(zone[:, 1]), 0]]))
        arrow((left, at), (right, at), "")
        outer = left if medial > 0 else right
        ax.annotate(f"{name}\n{1e3 * wide:.0f} mm", (outer, at), xytext=(-6 * medial, 0), textcoords="offset points",
                    ha="right" if medial > 0 else "left", va="center", fontsize=9, color=INK_COLOUR, zorder=9)  # fmt: skip
    ax.plot([0.0, 0.0], [0.0, length], color=INK_COLOUR, linewidth=0.8, linestyle=(0, (6, 4)), zorder=7)
    arch = medial * 1e3 * ARCH_LINE_RATIO * measures.ball_width
    ax.annotate(f"arch\n{1e3 * measures.arch_height:.0f} mm", (arch, 0.43 * length),
                xytext=(medial * 0.72 * 1e3 * measures.ball_width, 0.43 * length), fontsize=9, color=INK_COLOUR, ha="center",
                va="center", zorder=9, arrowprops={"arrowstyle": "-", "color": INK_COLOUR, "linewidth": 0.8})  # fmt: skip
    ax.plot([arch], [0.43 * length], "o", color=INK_COLOUR, markersize=3, zorder=9)


def draw_pressure(
    shape: FootShape, pressure: Any, centre: tuple[float, float] | None = None, path: str | Path | None = None
) -> Figure:
    """Draw the pressure per sensor cell, Pa over (y, x), m, in the outline of the sole. centre: centre of pressure, (x, y),
    m."""
    measures = shape.measures
    height_map = map_heights_from_below(shape.surface, measures.length / SOLE_CELL_COUNT)
    with plot_style():
        figure, ax = _new_sole_figure()
        values = 1e-3 * np.asarray(pressure.values)
        x, y = 1e3 * pressure["x"].values, 1e3 * pressure["y"].values
        outline = np.isfinite(height_map.z).astype(float)
        ax.contourf(1e3 * height_map.y, 1e3 * height_map.x, outline, [0.5, 1.5], colors=["#eef1f5"])
        image = ax.pcolormesh(y, x, np.ma.masked_less_equal(values.T, 0.0), cmap="turbo", vmin=0.0, shading="nearest")
        ax.contour(1e3 * height_map.y, 1e3 * height_map.x, outline, [0.5], colors=[MUTED_COLOUR], linewidths=1.0)
        bar = figure.colorbar(image, ax=ax, shrink=0.6, pad=0.02)
        bar.set_label("pressure (kPa)")
        draw_areas(ax, shape, height_map, names=False)
        if centre is not None:
            ax.plot(
                [1e3 * centre[1]],
                [1e3 * centre[0]],
                "o",
                color="white",
                markeredgecolor=INK_COLOUR,
                markersize=9,
                zorder=9,
            )
            ax.annotate("centre of pressure", (1e3 * centre[1], 1e3 * centre[0]), xytext=(10, -3), fontsize=8,
                        textcoords="offset points", color=INK_COLOUR, zorder=9,
                        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "alpha": 0.8, "linewidth": 0})  # fmt: skip
        _frame_sole(ax, shape)
        if path is not None:
            save_figure(figure, path)
    return figure
