"""Plots of the pressure under a foot: maps at instants, the largest pressures, and the roll-over of a step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.foot.areas import AREA_GROUPS
from gaitwright.foot.measures import map_heights_from_below
from gaitwright.foot.rollover import STANCE_INSTANTS
from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, PALETTE, new_figure, plot_style, save_figure
from gaitwright.report.views.foot_plots import SOLE_CELL_COUNT, draw_areas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.foot.measures import SoleHeightMap
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.gait.pressure_comparison import PressureComparison

PRESSURE_COLORMAP = "turbo"
SOLE_MARGIN_RATIO = 0.06
"""Margin around the sole, relative to its length."""


def draw_peak_pressure(found: FootPressure, path: str | Path | None = None) -> Figure:
    """Draw the largest pressure of each cell, with the path of the centre of pressure."""
    seen = map_heights_from_below(found.shape.surface, found.shape.measures.length / SOLE_CELL_COUNT)
    with plot_style():
        figure = new_figure(4.6, 6.6)
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
        image = _draw_panel(ax, found, seen, found.peak, float(found.peak.max()))
        draw_areas(ax, found.shape, seen, names=False)
        _draw_centre_path(ax, found, len(found.time))
        ax.set_xlabel("y, to the left (mm)")
        ax.set_ylabel("x, forward (mm)")
        ax.set_title(f"largest pressures: {1e-3 * float(found.peak.max()):.0f} kPa")
        figure.colorbar(image, ax=ax, shrink=0.6, pad=0.02).set_label("pressure (kPa)")
        if path is not None:
            save_figure(figure, path)
    return figure


def draw_pressure_comparison(compared: PressureComparison, path: str | Path | None = None) -> Figure:
    """Draw the measured and the computed largest pressures in the frame of the foot, with one scale."""
    computed, measured = compared.computed, compared.laid.pressure
    seen = map_heights_from_below(computed.shape.surface, computed.shape.measures.length / SOLE_CELL_COUNT)
    most = max(float(measured.max()), float(computed.peak.max()))
    with plot_style():
        figure = new_figure(7.6, 6.6)
        figure.set_layout_engine("constrained")
        axes, image = figure.subplots(1, 2, sharey=True), None
        for ax, shown, name in zip(axes, (measured, computed.peak), ("measured", "computed"), strict=True):
            image = _draw_panel(ax, computed, seen, shown, most) or image
            draw_areas(ax, computed.shape, seen, names=False)
            ax.set_xlabel("y, to the left (mm)")
            ax.set_title(f"{name}: {1e-3 * float(shown.max()):.0f} kPa")
        axes[0].set_ylabel("x, forward (mm)")
        if image is not None:
            figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02).set_label("pressure (kPa)")
        if path is not None:
            save_figure(figure, path)
    return figure


def draw_rollover(pressure: FootPressure, path: str | Path | None = None) -> Figure:
    """Draw maps at heel strike, foot flat, heel-off, toe-off and swing, and the largest pressures, with one scale; below,
    forces of the areas over time with these instants."""
    height_map = map_heights_from_below(pressure.shape.surface, pressure.shape.measures.length / SOLE_CELL_COUNT)
    largest = float(pressure.peak.max())
    with plot_style():
        figure = new_figure(11.0, 6.6)
        figure.set_layout_engine("constrained")
        grid = figure.add_gridspec(2, len(STANCE_INSTANTS) + 1, height_ratios=(3.0, 2.0))
        axes, image = [], None
        for k, name in enumerate((*STANCE_INSTANTS, "largest")):
            ax = figure.add_subplot(grid[0, k])
            axes.append(ax)
            when = pressure.instants.get(name, np.nan)
            map_values = (
                pressure.peak
                if name == "largest"
                else None
                if np.isnan(when)
                else _map_at_instant(pressure, name, when)
            )
            image = _draw_panel(ax, pressure, height_map, map_values, largest) or image
            if map_values is not None and float(map_values.max()) > 0.0:
                _draw_centre_path(
                    ax,
                    pressure,
                    len(pressure.time) if np.isnan(when) else int(np.searchsorted(pressure.time, when)) + 1,
                )
            time_text = "" if name == "largest" else "\nnot in this run" if np.isnan(when) else f"\n{when:.3f} s"
            ax.set_title(("largest pressures" if name == "largest" else name) + time_text, fontsize=9)
            ax.set_xticks([])
            ax.set_yticks([])
            for side in ax.spines.values():
                side.set_visible(False)
        if image is not None:
            figure.colorbar(image, ax=axes, shrink=0.75, pad=0.01).set_label("pressure (kPa)")
        _draw_forces(figure.add_subplot(grid[1, :]), pressure)
        if path is not None:
            save_figure(figure, path)
    return figure


def _map_at_instant(pressure: FootPressure, name: str, when: float) -> Any:
    """Pressure map of an instant; at toe-off the preceding one, which still has contact."""
    k = int(np.clip(np.searchsorted(pressure.time, when), 0, len(pressure.time) - 1))
    return pressure.maps[max(k - 1, 0) if name == "toe-off" else k]


def _draw_panel(ax: Any, found: FootPressure, seen: SoleHeightMap, pressure: Any, most: float) -> Any:
    """Draw the outline of the sole and, if given, a map in it; return the image."""
    outline = np.pad(np.isfinite(seen.z).astype(float), 1)  # so that the outline closes where the sole ends
    x, y = (np.concatenate([[2 * v[0] - v[1]], v, [2 * v[-1] - v[-2]]]) for v in (1e3 * seen.x, 1e3 * seen.y))
    ax.contourf(y, x, outline, [0.5, 1.5], colors=["#eef1f5"])
    ax.contour(y, x, outline, [0.5], colors=[MUTED_COLOUR], linewidths=0.8)
    image = None
    if pressure is not None:
        # Of rows and columns, or of each cell of a rotated map.
        x = 1e3 * pressure.x.values.T
        y = 1e3 * pressure.y.values.T
        values = np.ma.masked_less_equal(1e-3 * pressure.values.T, 0.0)
        shades: Any = {
            "cmap": PRESSURE_COLORMAP,
            "vmin": 0.0,
            "vmax": 1e-3 * most,
            "shading": "nearest",
            "rasterized": True,
        }
        if len(x) > 1 and len(y) > 1:
            image = ax.pcolormesh(y, x, values, **shades)
    ax.set_aspect("equal")
    length = 1e3 * found.shape.measures.length
    sides = 1e3 * found.shape.surface.nodes[:, 1]
    ax.set_xlim(sides.max() + SOLE_MARGIN_RATIO * length, sides.min() - SOLE_MARGIN_RATIO * length)
    ax.set_ylim(-SOLE_MARGIN_RATIO * length, (1.0 + SOLE_MARGIN_RATIO) * length)
    return image


def _draw_centre_path(ax: Any, pressure: FootPressure, until: int) -> None:
    """Draw the path of the centre of pressure up to a sample, with a dot at the last."""
    centre = 1e3 * pressure.centre.values[:until]
    in_contact = centre[~np.isnan(centre[:, 0])]
    if len(in_contact) > 1:
        ax.plot(in_contact[:, 1], in_contact[:, 0], color="white", linewidth=2.6, zorder=8)
        ax.plot(in_contact[:, 1], in_contact[:, 0], color=INK_COLOUR, linewidth=1.2, zorder=9)
    if len(in_contact):
        ax.plot(
            in_contact[-1:, 1],
            in_contact[-1:, 0],
            "o",
            color="white",
            markeredgecolor=INK_COLOUR,
            markersize=5,
            zorder=10,
        )


def _draw_forces(ax: Any, pressure: FootPressure) -> None:
    ax.plot(pressure.time, pressure.force.values, color=INK_COLOUR, linewidth=1.6, label="all")
    for colour, (name, areas) in zip(PALETTE, AREA_GROUPS.items(), strict=False):
        ax.plot(pressure.time, pressure.forces.sel(area=list(areas)).sum("area").values, color=colour, label=name)
    top = 1.08 * float(pressure.force.max()) or 1.0
    for name, when in pressure.instants.items():
        if not np.isnan(when):
            ax.axvline(when, color=MUTED_COLOUR, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
            ax.annotate(name, (when, top), xytext=(2, -2), textcoords="offset points", fontsize=8, color=MUTED_COLOUR, va="top",
                        rotation=90)  # fmt: skip
    ax.set_ylim(0.0, top)
    ax.set_xlim(pressure.time[0], pressure.time[-1])
    ax.set_xlabel("time (s)")
    ax.set_ylabel("normal force (N)")
    ax.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.5, 1.16), frameon=False)
