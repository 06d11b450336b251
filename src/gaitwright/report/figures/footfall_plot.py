"""Plots of a walk: footfalls, the path of the body, and curves over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.figures.style import (
    INK_COLOUR,
    MUTED_COLOUR,
    PALETTE,
    new_figure,
    plot_style,
    save_figure,
    shade_intervals,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ContactIntervals = Mapping[str, Sequence[tuple[float, float]]]
"""Intervals of ground contact by foot, (from, to), s."""


def plot_walk(
    title: str,
    time: np.ndarray,
    path: np.ndarray,
    feet: Mapping[str, np.ndarray],
    curves: Mapping[str, tuple[np.ndarray, str]],
    bars: ContactIntervals,
    window: tuple[float, float],
    *,
    to: str | Path | None = None,
) -> Figure:
    """One picture of a walk over the time (n,), s.

    path: of the body, and feet: of the feet by name, (n, 2), m. curves: name to (values (n,), unit), a panel each. bars:
    footfalls, as a Hildebrand diagram. window: times (from, to), s, that were measured; shaded."""
    count = len(curves)
    wide, high = np.ptp(np.concatenate([path, *feet.values()]), axis=0)
    with plot_style():
        heights = [float(np.clip(6.8 * high / max(wide, 1e-9), 1.1, 3.5)), *([1.15] * count), 0.5 + 0.22 * len(bars)]
        figure = new_figure(8.0, 1.2 + sum(heights))
        axes: list[Axes] = list(np.ravel(figure.subplots(count + 2, 1, height_ratios=heights, squeeze=False)))
        _draw_paths(axes[0], path, feet)
        for ax, (name, (values, unit)) in zip(axes[1:], curves.items(), strict=False):
            ax.plot(time, values, color=PALETTE[0], linewidth=1.3)
            ax.set_ylabel(name if unit == "1" else f"{name}\n({unit})")
            ax.tick_params(labelbottom=False)
        draw_footfalls(axes[-1], bars)
        for ax in axes[1:]:
            ax.set_xlim(time[0], time[-1])
            shade_intervals(ax, [window])
        axes[-1].set_xlabel("time (s)")
        axes[0].set_title(title, parse_math=False)
        figure.align_ylabels(axes[1:])
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
        if to is not None:
            save_figure(figure, to)
        return figure


def draw_footfalls(ax: Axes, bars: ContactIntervals) -> None:
    """Draw rows of bars, the first foot on top."""
    for row, (name, stretches) in enumerate(bars.items()):
        spans = [(begin, end - begin) for begin, end in stretches]
        ax.broken_barh(spans, (row - 0.36, 0.72), color=PALETTE[row % len(PALETTE)], linewidth=0, label=name)
    ax.set_yticks(range(len(bars)), list(bars))
    ax.set_ylim(len(bars) - 0.4, -0.6)
    ax.grid(visible=False, axis="y")
    ax.tick_params(axis="y", length=0)


def _draw_paths(ax: Axes, path: np.ndarray, feet: Mapping[str, np.ndarray]) -> None:
    """Draw the paths of the body and of each foot on the ground, with equal scales."""
    for k, (name, foot_path) in enumerate(feet.items()):
        ax.plot(*foot_path.T, color=PALETTE[k % len(PALETTE)], linewidth=0.9, alpha=0.8, label=name)
    ax.plot(*path.T, color=INK_COLOUR, linewidth=2.0, label="body")
    ax.plot(*path[:1].T, "o", color=INK_COLOUR, markersize=5)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xlabel="x (m)", ylabel="y (m)")
    legend: Any = {
        "loc": "upper left",
        "bbox_to_anchor": (1.01, 1.03),
        "borderaxespad": 0.0,
        "labelcolor": MUTED_COLOUR,
    }
    ax.legend(**legend)
