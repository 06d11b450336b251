"""Panels of curves below each other, each with its legend beside it, in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.report.plots import new_figure, save, style

WIDTH, PANEL = 8.4, 2.6
"""Inches: of a picture, and the height of one of its panels."""


@dataclass(frozen=True)
class Curve:
    """x, y: (n,). look: options of matplotlib's plot. steps: y held since the x before; stems: lines up from zero; bars: the
    width of bars up from zero."""

    label: str
    x: Any
    y: Any
    look: dict[str, Any] = field(default_factory=dict)
    steps: bool = False
    stems: bool = False
    bars: float = 0.0


@dataclass(frozen=True)
class Panel:
    ylabel: str
    curves: Sequence[Curve]
    xlabel: str = "time (s)"
    title: str = ""
    log: bool = False
    xlim: tuple[float, float] | None = None
    equal: bool = False
    """The same scale in both directions, for paths."""
    ticks: Sequence[str] = ()
    """Words below 0, 1, 2 ... instead of numbers."""


def save_panels(panels: Sequence[Panel], path: Path) -> Path:
    """Write the picture; the ending of the path picks the format."""
    with style():
        figure = new_figure(WIDTH, 0.3 + PANEL * len(panels))
        axes: list[Any] = list(np.ravel(figure.subplots(len(panels), 1, squeeze=False)))
        for ax, panel in zip(axes, panels, strict=True):
            for k, curve in enumerate(panel.curves):
                _draw(ax, curve, {"color": f"C{k}", **curve.look}, panel.xlim)
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
        return save(figure, path)


def _draw(ax: Any, curve: Curve, look: dict[str, Any], xlim: tuple[float, float] | None) -> None:
    x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    if xlim is not None:  # what is not shown must not stretch the other axis; one sample more on each side
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
