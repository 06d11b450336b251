"""Line plots and trajectories in one consistent style, and the colours of all pictures.

Figures are built without pyplot, so they need no display and leave no global state. matplotlib is imported when the first
picture is drawn, not with gaitwright.
"""

from __future__ import annotations

import functools
import io
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.output_files import save_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colour-blind-safe set without black and yellow, which are invisible on a dark or a white page; then olive
# and violet.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#999933", "#785EF0")
INK_COLOUR, MUTED_COLOUR, GRID_COLOUR, BAND_COLOUR = "#1f2733", "#6b7685", "#e3e7ec", "#eef1f5"

MATPLOTLIB_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK_COLOUR,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelcolor": MUTED_COLOUR,
    "axes.edgecolor": "#b6bec9",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "grid.color": GRID_COLOUR,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED_COLOUR,
    "ytick.color": MUTED_COLOUR,
    "lines.linewidth": 1.8,
    "lines.solid_capstyle": "round",
    "lines.solid_joinstyle": "round",
    "legend.frameon": False,
    "figure.dpi": 100,
    "savefig.dpi": 160,
}

_style_lock = threading.RLock()


@contextmanager
def plot_style() -> Iterator[None]:
    """Context manager: draw in Gaitwright's style. Locked, since matplotlib's settings are global."""
    import matplotlib
    from cycler import cycler

    talk = logging.getLogger("matplotlib.axes._base")  # it reports that it makes the scales equal, which is intended
    before = talk.level
    with _style_lock, matplotlib.rc_context({**MATPLOTLIB_STYLE, "axes.prop_cycle": cycler(color=PALETTE)}):
        talk.setLevel(logging.ERROR)
        try:
            yield
        finally:
            talk.setLevel(before)


def new_figure(width: float, height: float) -> Figure:
    """Create an empty figure (inches) that draws into memory, independent of displays, and is shown in notebooks."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = _notebook_figure()(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


@functools.cache
def _notebook_figure() -> type[Figure]:
    """Figure class that is shown in notebooks without pyplot; matplotlib's own figures need pyplot for that."""
    from matplotlib.figure import Figure

    class Shown(Figure):
        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            with plot_style():
                self.savefig(picture, format="png", dpi=self.dpi)
            return picture.getvalue()

    Shown.__name__ = Shown.__qualname__ = "Figure"
    return Shown


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write the figure; the suffix selects the format (png, svg, pdf). Missing folders are created."""
    path = Path(path)
    if not path.suffix:
        path = path.with_name(f"{path.name}.png")
    formats = figure.canvas.get_supported_filetypes()
    ErrorContext(field="path").one_of(path.suffix[1:].lower(), formats, "is not a picture format")
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower())
    return save_bytes(path, picture.getbuffer())


def plot_lines(
    series: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    xlabel: str = "time (s)",
    ylabel: str = "",
    title: str = "",
    bands: Sequence[tuple[float, float]] = (),
    path: str | Path | None = None,
) -> Figure:
    """Plot curves over a common axis: name to (x, y), each (n,). Put the units into the labels: "torque (N m)".

    bands: intervals (from, to) of the axis that are shaded."""
    with plot_style():
        figure = new_figure(7.2, 4.0)
        ax = figure.add_subplot()
        for name, (x, y) in series.items():
            ax.plot(np.asarray(x), np.asarray(y), label=name)
        ax.margins(x=0)
        shade_intervals(ax, bands)
        _finish_axes(figure, xlabel, ylabel, title, legend=len(series) > 1)
        if path is not None:
            save_figure(figure, path)
        return figure


def plot_curve(
    x: ArrayLike,
    y: ArrayLike,
    *,
    xlabel: str = "x (m)",
    ylabel: str = "y (m)",
    title: str = "",
    label: str = "",
    equal: bool = True,
    path: str | Path | None = None,
) -> Figure:
    """Plot one quantity against another, (n,) and (n,). equal: the path of a point, m, with the same scale in both
    directions and a dot at the start; otherwise a loop such as force against penetration."""
    with plot_style():
        figure = new_figure(6.0, 4.8)
        ax = figure.add_subplot()
        x, y = np.asarray(x), np.asarray(y)
        (line,) = ax.plot(x, y, label=label)
        if equal:
            ax.plot(x[:1], y[:1], "o", color=line.get_color(), markersize=6, label="start")
            ax.set_aspect("equal", adjustable="datalim")
        _finish_axes(figure, xlabel, ylabel, title, legend=bool(label))
        if path is not None:
            save_figure(figure, path)
        return figure


def shade_intervals(ax: Axes, bands: Sequence[tuple[float, float]]) -> None:
    """Shade intervals (from, to) of the horizontal axis, behind the curves; very short ones are visible as a line."""
    left, right = ax.get_xlim()
    thin = 0.002 * (right - left)
    for begin, end in bands:
        ax.axvspan(begin, max(end, begin + thin), color=BAND_COLOUR, linewidth=0, zorder=0)
    ax.set_xlim(left, right)


def _finish_axes(figure: Figure, xlabel: str, ylabel: str, title: str, *, legend: bool) -> None:
    figure.axes[0].set(xlabel=xlabel, ylabel=ylabel, title=title)
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    if legend:
        figure.legend(loc="outside right upper")  # beside the axes: inside, it would hide a part of a dense signal
