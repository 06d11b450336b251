"""Plot of an optimisation: paths of points before and after, values within their bounds, and the progress of the search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.figures.style import (
    GRID_COLOUR,
    INK_COLOUR,
    MUTED_COLOUR,
    PALETTE,
    new_figure,
    plot_style,
    save_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BEFORE_COLOUR, AFTER_COLOUR = MUTED_COLOUR, PALETTE[0]
INFEASIBLE_COLOUR = "#D55E00"
"""Colour of trials that violate limits."""
PathXY = tuple[np.ndarray, np.ndarray]


def plot_optimisation(
    title: str,
    label: str,
    objective: np.ndarray,
    feasible: np.ndarray,
    values: Mapping[str, tuple[float, float, float, float]],
    *,
    curves: Mapping[str, Mapping[str, PathXY]] | None = None,
    sign: float = 1.0,
    before: float = np.nan,
    path: str | Path | None = None,
) -> Figure:
    """Plot an optimisation. label: name of the objective, with its unit. objective: (n,), NaN for failed trials; feasible:
    (n,), True for trials that satisfy the limits; both in the order of the trials. values: name to (position before,
    position after, value before, value after), where positions are relative to the bounds, 0 to 1. curves: paths of points
    by name, each "before" and "after" as (x, y), m. sign: -1 if larger is better."""
    curves = curves or {}
    with plot_style():
        below = max(2.6, 0.9 + 0.3 * len(values))
        figure = new_figure(9.6, below + (3.6 if curves else 0.6))
        parts = figure.add_gridspec(2 if curves else 1, 2, height_ratios=[3.0, below] if curves else None)
        if curves:
            _draw_curves(figure.add_subplot(parts[0, :]), curves)
        _draw_trials(figure.add_subplot(parts[-1, 0]), label, objective, feasible, sign, before)
        _draw_values(figure.add_subplot(parts[-1, 1]), values)
        figure.suptitle(title, x=0.012, ha="left", fontweight="bold", parse_math=False)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.08)
        if path is not None:
            save_figure(figure, path)
        return figure


def _draw_curves(ax: Axes, curves: Mapping[str, Mapping[str, PathXY]]) -> None:
    for k, (point, pair) in enumerate(curves.items()):
        for when, (x, y) in pair.items():
            colour = BEFORE_COLOUR if when == "before" else PALETTE[k % len(PALETTE)]
            line = {"linestyle": (0, (4, 2)), "linewidth": 1.4} if when == "before" else {}
            ax.plot(x, y, color=colour, label=f"{point} {when}", **line)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xlabel="x (m)", ylabel="y (m)")
    ax.legend(loc="upper right", fontsize=9)


def _draw_trials(ax: Axes, label: str, objective: np.ndarray, feasible: np.ndarray, sign: float, before: float) -> None:
    """Draw the trials, and the best feasible one so far."""
    count = np.arange(1, objective.size + 1)
    usable = feasible & np.isfinite(objective)
    broken = ~feasible & np.isfinite(objective)
    best = np.minimum.accumulate(np.where(usable, sign * objective, np.inf))
    ax.plot(
        count[broken], objective[broken], ".", color=INFEASIBLE_COLOUR, alpha=0.35, markersize=4, label="breaks limits"
    )
    ax.plot(count[usable], objective[usable], ".", color=AFTER_COLOUR, alpha=0.35, markersize=4, label="keeps them")
    ax.step(count, np.where(np.isfinite(best), sign * best, np.nan), where="post", color=AFTER_COLOUR, label="best")
    if np.isfinite(before):
        ax.axhline(before, color=BEFORE_COLOUR, linestyle=(0, (4, 2)), linewidth=1.2, label="before", zorder=1)
    if np.any(usable):
        # Range from the best to the start, or to most of the others: single trials near a dead point are a hundred times
        # worse.
        start = [before] if np.isfinite(before) else []
        visible = np.array([*start, sign * best[-1], *np.quantile(objective[usable], [0.2, 0.8])])
        room = 0.08 * (np.ptp(visible) or abs(visible[0]) or 1.0)
        ax.set_ylim(visible.min() - room, visible.max() + room)
    failed = count[~np.isfinite(objective)]
    if failed.size:
        bottom: Any = ax.get_xaxis_transform()
        ax.plot(
            failed,
            np.full(failed.size, 0.02),
            "|",
            color=INK_COLOUR,
            alpha=0.6,
            markersize=5,
            transform=bottom,
            label="failed",
        )
    ax.set_xlabel("variants analysed")
    ax.set_ylabel(label, parse_math=False)
    ax.margins(x=0.01)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5, fontsize=8, handlelength=1.2, columnspacing=1.0)


def _draw_values(ax: Axes, values: Mapping[str, tuple[float, float, float, float]]) -> None:
    """Draw the position of each parameter between its bounds, before and after."""
    for k, (old, new, before, after) in enumerate(values.values()):
        ax.plot([0.0, 1.0], [k, k], color=GRID_COLOUR, linewidth=5, solid_capstyle="round", zorder=1)
        ax.plot([old, new], [k, k], color=AFTER_COLOUR, linewidth=1.6, zorder=2)
        ax.plot([old], [k], "o", color=BEFORE_COLOUR, markerfacecolor="white", markersize=6, zorder=3)
        ax.plot([new], [k], "o", color=AFTER_COLOUR, markersize=6, zorder=4)
        ax.text(1.04, k, f"{before:.4g} → {after:.4g}", va="center", fontsize=8.5, color=INK_COLOUR)
    ax.set_yticks(range(len(values)), list(values), parse_math=False)
    ax.set_xticks([0.0, 1.0], ["low bound", "high bound"])
    ax.set(xlim=(-0.03, 1.5), ylim=(len(values) - 0.4, -0.6))
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
