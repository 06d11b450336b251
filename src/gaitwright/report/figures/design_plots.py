"""Plots of many designs: parallel coordinates, the Pareto front of two goals, and maps over two parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    from matplotlib.figure import Figure

MAX_LINES = 1500
"""Maximum number of designs drawn as lines; from more, an evenly spaced part is drawn."""
MAX_DOTS = 20_000
FEASIBLE_COLOUR, MARKED_COLOUR = PALETTE[4], PALETTE[3]
MAX_MAP_CELLS = 34
"""Maximum number of cells of a map along x."""


AXIS_REACH_IQR = 2.5
"""Range of axes and colours beyond the quartiles, in interquartile ranges: near a dead point some numbers are very large."""


def _axis_range(values: np.ndarray, always: np.ndarray | None = None) -> tuple[float, float]:
    """Range of an axis: nearly all values; `always`: values that must be inside."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    first, third = np.percentile(finite, (25.0, 75.0))
    low = max(finite.min(), first - AXIS_REACH_IQR * (third - first))
    high = min(finite.max(), third + AXIS_REACH_IQR * (third - first))
    if always is not None and always.size:
        low, high = min(low, np.min(always)), max(high, np.max(always))
    return float(low), float(high)


def describe_outliers(values: np.ndarray, low: float, high: float) -> str:
    """Text about the values outside an axis from low to high: their number, and the whole range; empty if there are none."""
    finite = values[np.isfinite(values)]
    beyond = finite[(finite < low) | (finite > high)]
    if not beyond.size:
        return ""
    return f"{beyond.size} outside, {finite.min():.4g} to {finite.max():.4g}"


def _add_note(figure: Figure, words: Sequence[str]) -> None:
    """Add a note below the picture about the values outside the axes."""
    if words:
        figure.supxlabel(
            "Not shown: " + "; ".join(words), x=0.01, ha="left", fontsize=8, color=MUTED_COLOUR, parse_math=False
        )


def _sample_indices(count: int, maximum: int) -> np.ndarray:
    return np.unique(np.linspace(0, count - 1, min(count, maximum)).astype(int)) if count else np.zeros(0, dtype=int)


def plot_parallel(
    columns: Mapping[str, np.ndarray],
    marked: np.ndarray,
    *,
    title: str = "",
    split: int = 0,
    path: str | Path | None = None,
) -> Figure:
    """Plot every design as a line across vertical axes, one per column, (designs,) each; marked designs in front. split:
    number of parameters among the first columns; the others are measures."""
    values = np.stack([np.asarray(column, dtype=float) for column in columns.values()])
    low, high = np.array([_axis_range(row, row[marked & np.isfinite(row)]) for row in values]).T
    span = np.where(high > low, high - low, 1.0)
    scaled = np.clip((values - low[:, None]) / span[:, None], -0.01, 1.01)
    x = np.arange(len(columns))
    with plot_style():
        figure = new_figure(max(7.2, 0.82 * len(columns) + 1.4), 4.2)
        ax = figure.subplots()
        ax.grid(False)
        plain = np.flatnonzero(~marked)
        ax.plot(
            x,
            scaled[:, plain[_sample_indices(plain.size, MAX_LINES)]],
            color=FEASIBLE_COLOUR,
            linewidth=0.5,
            alpha=0.25,
            zorder=2,
        )
        chosen = np.flatnonzero(marked)
        chosen = chosen[_sample_indices(chosen.size, MAX_LINES)]
        ax.plot(x, scaled[:, chosen], color=MARKED_COLOUR, linewidth=1.1, alpha=0.85, zorder=3)
        cut = [describe_outliers(row, a, b) for row, a, b in zip(values, low, high, strict=True)]
        for k, (a, b) in enumerate(zip(low, high, strict=True)):
            ax.axvline(k, color=MUTED_COLOUR if k < split else INK_COLOUR, linewidth=1.0, zorder=4)
            for value, y, side in ((a, -0.035, "top"), (b, 1.03, "bottom")):
                ax.text(k, y, f"{value:.4g}", ha="center", va=side, fontsize=8, color=MUTED_COLOUR, parse_math=False)
        if 0 < split < len(columns):
            ax.axvspan(split - 0.5, len(columns) - 0.5, color=GRID_COLOUR, alpha=0.5, zorder=0, linewidth=0)
        ax.set_xticks(x, list(columns), rotation=28, ha="right", rotation_mode="anchor", parse_math=False)
        ax.tick_params(axis="x", pad=14, length=0)
        ax.set_yticks([])
        ax.set_ylim(-0.02, 1.02)
        ax.set_xlim(-0.5, len(columns) - 0.5)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_title(title, pad=24, parse_math=False)
        lines = [f"{name}: {words}" for name, words in zip(columns, cut, strict=True) if words]
        _add_note(figure, ["\n".join(", ".join(lines[k : k + 3]) for k in range(0, len(lines), 3))] if lines else [])
        figure.set_layout_engine("constrained")
        if path is not None:
            save_figure(figure, path)
        return figure


def plot_front(
    x: np.ndarray,
    y: np.ndarray,
    feasible: np.ndarray,
    front: np.ndarray,
    *,
    labels: tuple[str, str],
    best: Sequence[tuple[str, int]] = (),
    title: str = "",
    path: str | Path | None = None,
) -> Figure:
    """Plot two goals against each other, (designs,) each: feasible and infeasible designs, the Pareto front, and some
    designs with names."""
    with plot_style():
        figure = new_figure(7.2, 4.6)
        ax = figure.subplots()
        for mask, colour, label in (
            (~feasible, GRID_COLOUR, "breaks a limit"),
            (feasible & ~front, FEASIBLE_COLOUR, "feasible"),
        ):
            place = np.flatnonzero(mask & np.isfinite(x) & np.isfinite(y))
            place = place[_sample_indices(place.size, MAX_DOTS)]
            if place.size:
                ax.scatter(x[place], y[place], s=5, color=colour, linewidths=0, label=label, zorder=2, rasterized=True)
        order = np.flatnonzero(front)[np.argsort(x[front])]
        ax.plot(x[order], y[order], "o-", color=MARKED_COLOUR, markersize=4, linewidth=1.2, label="front", zorder=4)
        for name, k in best:
            ax.plot(x[k], y[k], "o", color=INK_COLOUR, markerfacecolor="none", markersize=10, zorder=5)
            ax.annotate(
                name,
                (x[k], y[k]),
                xytext=(9, 7),
                textcoords="offset points",
                color=INK_COLOUR,
                fontsize=9,
                parse_math=False,
            )
        cut = []
        for values, limit, label in ((x, ax.set_xlim, labels[0]), (y, ax.set_ylim, labels[1])):
            low, high = _axis_range(values[feasible], values[front])
            margin = 0.06 * (high - low) or 0.5
            limit(low - margin, high + margin)
            words = describe_outliers(values, low - margin, high + margin)
            cut += [f"{label}: {words}"] if words else []
        _add_note(figure, cut)
        ax.set_xlabel(labels[0], parse_math=False)
        ax.set_ylabel(labels[1], parse_math=False)
        ax.set_title(title, parse_math=False)
        ax.legend(loc="best", markerscale=2.0)
        figure.set_layout_engine("constrained")
        if path is not None:
            save_figure(figure, path)
        return figure


def colour_bar_extend(values: np.ndarray, low: float, high: float) -> str:
    """Ends of a colour scale that values exceed, as Matplotlib's `extend` option."""
    finite = values[np.isfinite(values)]
    below, above = bool((finite < low).any()), bool((finite > high).any())
    return "both" if below and above else "min" if below else "max" if above else "neither"


def plot_parameter_maps(
    x: np.ndarray,
    y: np.ndarray,
    panels: Mapping[str, np.ndarray],
    *,
    labels: tuple[str, str],
    title: str = "",
    path: str | Path | None = None,
) -> Figure:
    """Plot means of numbers (designs,) over cells of two parameters, one panel each; cells without a number are empty."""
    with plot_style():
        figure = new_figure(1.0 + 3.7 * len(panels), 3.7)
        figure.set_layout_engine("constrained")
        axes = np.ravel(figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False))
        cut: list[str] = []
        for ax, (name, values) in zip(axes, panels.items(), strict=True):
            finite = np.isfinite(values)
            size = int(np.clip(np.sqrt(finite.sum() / 6.0), 5, MAX_MAP_CELLS))
            ax.grid(False)
            low, high = _axis_range(values)
            drawn = ax.hexbin(
                x[finite],
                y[finite],
                C=values[finite],
                gridsize=size,
                cmap="viridis",
                linewidths=0.1,
                vmin=low,
                vmax=high,
            )
            ends = colour_bar_extend(values, low, high)
            bar = figure.colorbar(drawn, ax=ax, extend=ends, aspect=30)
            bar.outline.set_visible(False)  # pyright: ignore
            words = describe_outliers(values, low, high)
            cut += [f"colours of {name}: {words}"] if words else []
            ax.set_title(name, fontsize=10, fontweight="normal", color=MUTED_COLOUR, parse_math=False)
            ax.set_xlabel(labels[0], parse_math=False)
        axes[0].set_ylabel(labels[1], parse_math=False)
        _add_note(figure, cut)
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK_COLOUR)
        if path is not None:
            save_figure(figure, path)
        return figure
