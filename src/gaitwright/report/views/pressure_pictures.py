"""Pictures of the pressure under a foot: maps at instants, the largest pressures, and the roll-over of a step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.foot.areas import QUARTERS
from gaitwright.foot.measures import from_below
from gaitwright.foot.rollover import INSTANTS
from gaitwright.report.plots import INK, MUTED, PALETTE, new_figure, save, style
from gaitwright.report.views.foot_pictures import CELLS, draw_areas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.foot.measures import Below
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.gait.pressure_compared import PressureCompared

COLOURS = "turbo"
MARGIN = 0.06
"""Around the sole, in its lengths."""


def draw_peak(found: FootPressure, path: str | Path | None = None) -> Figure:
    """Largest pressure of each cell, with the path of the centre of pressure."""
    seen = from_below(found.shape.surface, found.shape.measures.length / CELLS)
    with style():
        figure = new_figure(4.6, 6.6)
        figure.set_layout_engine("constrained")
        ax = figure.add_subplot()
        image = _panel(ax, found, seen, found.peak, float(found.peak.max()))
        draw_areas(ax, found.shape, seen, names=False)
        _path(ax, found, len(found.time))
        ax.set_xlabel("y, to the left (mm)")
        ax.set_ylabel("x, forward (mm)")
        ax.set_title(f"largest pressures: {1e-3 * float(found.peak.max()):.0f} kPa")
        figure.colorbar(image, ax=ax, shrink=0.6, pad=0.02).set_label("pressure (kPa)")
        if path is not None:
            save(figure, path)
    return figure


def draw_beside(compared: PressureCompared, path: str | Path | None = None) -> Figure:
    """Largest pressures as measured and as computed, in the frame of the foot, in one scale."""
    found, measured = compared.computed, compared.laid.pressure
    seen = from_below(found.shape.surface, found.shape.measures.length / CELLS)
    most = max(float(measured.max()), float(found.peak.max()))
    with style():
        figure = new_figure(7.6, 6.6)
        figure.set_layout_engine("constrained")
        axes, image = figure.subplots(1, 2, sharey=True), None
        for ax, shown, name in zip(axes, (measured, found.peak), ("measured", "computed"), strict=True):
            image = _panel(ax, found, seen, shown, most) or image
            draw_areas(ax, found.shape, seen, names=False)
            ax.set_xlabel("y, to the left (mm)")
            ax.set_title(f"{name}: {1e-3 * float(shown.max()):.0f} kPa")
        axes[0].set_ylabel("x, forward (mm)")
        if image is not None:
            figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02).set_label("pressure (kPa)")
        if path is not None:
            save(figure, path)
    return figure


def draw_rollover(found: FootPressure, path: str | Path | None = None) -> Figure:
    """Maps at heel strike, foot flat, heel-off, toe-off and swing and the largest pressures, in one scale; below, forces of the
    areas over time with these instants."""
    seen = from_below(found.shape.surface, found.shape.measures.length / CELLS)
    most = float(found.peak.max())
    with style():
        figure = new_figure(11.0, 6.6)
        figure.set_layout_engine("constrained")
        grid = figure.add_gridspec(2, len(INSTANTS) + 1, height_ratios=(3.0, 2.0))
        axes, image = [], None
        for k, name in enumerate((*INSTANTS, "largest")):
            ax = figure.add_subplot(grid[0, k])
            axes.append(ax)
            when = found.instants.get(name, np.nan)
            shown = found.peak if name == "largest" else None if np.isnan(when) else _shown(found, name, when)
            image = _panel(ax, found, seen, shown, most) or image
            if shown is not None and float(shown.max()) > 0.0:
                _path(ax, found, len(found.time) if np.isnan(when) else int(np.searchsorted(found.time, when)) + 1)
            said = "" if name == "largest" else "\nnot in this run" if np.isnan(when) else f"\n{when:.3f} s"
            ax.set_title(("largest pressures" if name == "largest" else name) + said, fontsize=9)
            ax.set_xticks([])
            ax.set_yticks([])
            for side in ax.spines.values():
                side.set_visible(False)
        if image is not None:
            figure.colorbar(image, ax=axes, shrink=0.75, pad=0.01).set_label("pressure (kPa)")
        _forces(figure.add_subplot(grid[1, :]), found)
        if path is not None:
            save(figure, path)
    return figure


def _shown(found: FootPressure, name: str, when: float) -> Any:
    """The map of an instant: on its side of it, where there is something to see."""
    k = int(np.clip(np.searchsorted(found.time, when), 0, len(found.time) - 1))
    return found.maps[max(k - 1, 0) if name == "toe-off" else k]


def _panel(ax: Any, found: FootPressure, seen: Below, pressure: Any, most: float) -> Any:
    """The outline of the sole, and a map in it if there is one: the image."""
    outline = np.pad(np.isfinite(seen.z).astype(float), 1)  # so that it closes where the sole ends
    x, y = (np.concatenate([[2 * v[0] - v[1]], v, [2 * v[-1] - v[-2]]]) for v in (1e3 * seen.x, 1e3 * seen.y))
    ax.contourf(y, x, outline, [0.5, 1.5], colors=["#eef1f5"])
    ax.contour(y, x, outline, [0.5], colors=[MUTED], linewidths=0.8)
    image = None
    if pressure is not None:
        x, y = (
            1e3 * pressure.x.values.T,
            1e3 * pressure.y.values.T,
        )  # of rows and columns, or of each cell of a turned map
        values = np.ma.masked_less_equal(1e-3 * pressure.values.T, 0.0)
        shades: Any = {"cmap": COLOURS, "vmin": 0.0, "vmax": 1e-3 * most, "shading": "nearest", "rasterized": True}
        if len(x) > 1 and len(y) > 1:
            image = ax.pcolormesh(y, x, values, **shades)
    ax.set_aspect("equal")
    length = 1e3 * found.shape.measures.length
    sides = 1e3 * found.shape.surface.nodes[:, 1]
    ax.set_xlim(sides.max() + MARGIN * length, sides.min() - MARGIN * length)
    ax.set_ylim(-MARGIN * length, (1.0 + MARGIN) * length)
    return image


def _path(ax: Any, found: FootPressure, until: int) -> None:
    """The centre of pressure up to a sample, with a dot at the last."""
    centre = 1e3 * found.centre.values[:until]
    there = centre[~np.isnan(centre[:, 0])]
    if len(there) > 1:
        ax.plot(there[:, 1], there[:, 0], color="white", linewidth=2.6, zorder=8)
        ax.plot(there[:, 1], there[:, 0], color=INK, linewidth=1.2, zorder=9)
    if len(there):
        ax.plot(there[-1:, 1], there[-1:, 0], "o", color="white", markeredgecolor=INK, markersize=5, zorder=10)


def _forces(ax: Any, found: FootPressure) -> None:
    ax.plot(found.time, found.force.values, color=INK, linewidth=1.6, label="all")
    for colour, (name, areas) in zip(PALETTE, QUARTERS.items(), strict=False):
        ax.plot(found.time, found.forces.sel(area=list(areas)).sum("area").values, color=colour, label=name)
    top = 1.08 * float(found.force.max()) or 1.0
    for name, when in found.instants.items():
        if not np.isnan(when):
            ax.axvline(when, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
            ax.annotate(name, (when, top), xytext=(2, -2), textcoords="offset points", fontsize=8, color=MUTED, va="top",
                        rotation=90)  # fmt: skip
    ax.set_ylim(0.0, top)
    ax.set_xlim(found.time[0], found.time[-1])
    ax.set_xlabel("time (s)")
    ax.set_ylabel("normal force (N)")
    ax.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.5, 1.16), frameon=False)
