"""Plot of the outputs of a run over time, one panel per unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.figures.style import new_figure, plot_style, save_figure, shade_intervals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_PANELS = 6
MAX_PANEL_LINES = 8
"""Maximum number of lines in a panel; more cannot be distinguished."""


def plot_unit_panels(
    title: str,
    time: np.ndarray,
    outputs: Mapping[str, tuple[np.ndarray, str]],
    bands: Sequence[tuple[float, float]] = (),
) -> Figure:
    """Plot outputs, name to (values (n,), unit), over the time (n,), s, one panel per unit. bands: times (from, to) to
    shade."""
    panels: dict[str, dict[str, np.ndarray]] = {}
    for name, (values, unit) in outputs.items():
        panel = panels.setdefault(unit, {})
        if len(panel) < MAX_PANEL_LINES:
            panel[name] = values
    drawn = list(panels.items())[:MAX_PANELS]
    with plot_style():
        figure = new_figure(7.6, 0.9 + 1.9 * len(drawn))
        axes: list[Any] = list(np.ravel(figure.subplots(len(drawn), 1, sharex=True, squeeze=False)))
        for ax, (unit, lines) in zip(axes, drawn, strict=True):
            for name, values in lines.items():
                ax.plot(time, values, label=name)
            ax.set_ylabel("" if unit in ("1", "mixed") else unit)
            ax.margins(x=0)
            shade_intervals(ax, bands)
            ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), borderaxespad=0.0)
        axes[0].set_title(title, parse_math=False)
        axes[-1].set_xlabel("time (s)")
        figure.align_ylabels(axes)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
        return figure


def save_overview(
    title: str,
    time: np.ndarray,
    outputs: Mapping[str, tuple[np.ndarray, str]],
    path: str | Path,
    bands: Sequence[tuple[float, float]] = (),
) -> Path:
    """Write a picture of outputs; see `plot_unit_panels`."""
    with plot_style():
        return save_figure(plot_unit_panels(title, time, outputs, bands), path)
