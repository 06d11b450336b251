"""Panels of curves below each other, each with its legend beside it, in one figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.report.figures.style import new_figure, plot_style, save_figure

FIGURE_WIDTH_IN, PANEL_HEIGHT_IN = 8.4, 2.6
"""Size in inches: width of a figure, and height of one of its panels."""


@dataclass(frozen=True)
class PanelCurve:
    """Curve of a panel. x, y: (n,). look: options of matplotlib's plot. steps: y is constant since the preceding x; stems:
    vertical lines from zero; bars: width of bars from zero."""

    label: str
    x: Any
    y: Any
    look: dict[str, Any] = field(default_factory=dict)
    steps: bool = False
    stems: bool = False
    bars: float = 0.0


@dataclass(frozen=True)
class FigurePanel:
    ylabel: str
    curves: Sequence[PanelCurve]
    xlabel: str = "time (s)"
    title: str = ""
    log: bool = False
    xlim: tuple[float, float] | None = None
    equal: bool = False
    """Same scale in both directions, for paths."""
    ticks: Sequence[str] = ()
    """Labels below 0, 1, 2 ... instead of numbers."""


def save_panels(panels: Sequence[FigurePanel], path: Path) -> Path:
    """Write the figure; the suffix of the path selects the format."""
    with plot_style():
        figure = new_figure(FIGURE_WIDTH_IN, 0.3 + PANEL_HEIGHT_IN * len(panels))
        axes: list[Any] = list(np.ravel(figure.subplots(len(panels), 1, squeeze=False)))
        for ax, panel in zip(axes, panels, strict=True):
            for k, curve in enumerate(panel.curves):
                _draw_curve(ax, curve, {"color": f"C{k}", **curve.look}, panel.xlim)
            ax.set(xlabel=panel.xlabel, ylabel=panel.ylabel, title=panel.title)
            ax.margins(x=0.01)
            if panel.xlim is not None:
                ax.set_xlim(*panel.xlim)
            if panel.equal:
                ax.set_aspect("equal", adjustable="datalim")
            if panel.ticks:
                ax.set_xticks(range(len(panel.ticks)), panel.ticks)
                ax.grid(visible=False, axis="x")
            if panel.log:
                ax.set_yscale("log")
            ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), borderaxespad=0.0)
        figure.align_ylabels(axes)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
        return save_figure(figure, path)


def _draw_curve(ax: Any, curve: PanelCurve, look: dict[str, Any], xlim: tuple[float, float] | None) -> None:
    x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    if xlim is not None:  # hidden samples must not extend the other axis; one sample more on each side
        first, last = np.searchsorted(x, xlim)
        x, y = x[max(first - 1, 0) : last + 1], y[max(first - 1, 0) : last + 1]
    if curve.stems:
        ax.vlines(x, 0.0, y, color=look["color"], linewidth=1.2)
        ax.plot(x, y, "o", markersize=4, color=look["color"], label=curve.label)
    elif curve.bars:
        ax.bar(x, y, curve.bars, label=curve.label, **look)
    elif curve.steps:
        ax.step(x, y, where="pre", label=curve.label, **look)
    else:
        ax.plot(x, y, label=curve.label, **look)
