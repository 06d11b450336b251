"""Line plots and trajectories in one consistent style, and the colours that all pictures share.

Figures are built without pyplot, so they need no display and leave no global state behind. matplotlib is imported when
the first picture is drawn, not when gaitwright is imported.
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

from gaitwright.checks import At
from gaitwright.saving import save_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colour-blind-safe set without black and yellow, lost on a dark or a white page; then olive and violet.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#999933", "#785EF0")
INK, MUTED, GRID, BAND = "#1f2733", "#6b7685", "#e3e7ec", "#eef1f5"

STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": "#b6bec9",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "lines.linewidth": 1.8,
    "lines.solid_capstyle": "round",
    "lines.solid_joinstyle": "round",
    "legend.frameon": False,
    "figure.dpi": 100,
    "savefig.dpi": 160,
}

_style_lock = threading.RLock()


@contextmanager
def style() -> Iterator[None]:
    """Draw in Gaitwright's style. Locked, because matplotlib's settings belong to the whole process."""
    import matplotlib
    from cycler import cycler

    talk = logging.getLogger(
        "matplotlib.axes._base"
    )  # it tells users how it makes scales equal, which is what we asked for
    before = talk.level
    with _style_lock, matplotlib.rc_context({**STYLE, "axes.prop_cycle": cycler(color=PALETTE)}):
        talk.setLevel(logging.ERROR)
        try:
            yield
        finally:
            talk.setLevel(before)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure (inches) that draws into memory, whatever display the machine has, and shows itself in a notebook."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = _shown_figure()(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


@functools.cache
def _shown_figure() -> type[Figure]:
    """matplotlib's figures show themselves only where pyplot was imported, which these do without."""
    from matplotlib.figure import Figure

    class Shown(Figure):
        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            with style():
                self.savefig(picture, format="png", dpi=self.dpi)
            return picture.getvalue()

    Shown.__name__ = Shown.__qualname__ = "Figure"
    return Shown


def save(figure: Figure, path: str | Path) -> Path:
    """Write the figure; the ending of the name picks the format (png, svg, pdf). Missing folders are made."""
    path = Path(path)
    if not path.suffix:
        path = path.with_name(f"{path.name}.png")
    known = figure.canvas.get_supported_filetypes()
    At(field="path").one_of(path.suffix[1:].lower(), known, "is no kind of picture")
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
    """Curves over a common axis: name to (x, y), each (n,). Put the units into the labels: "torque (N m)".

    bands: stretches (from, to) of the axis that are shaded."""
    with style():
        figure = new_figure(7.2, 4.0)
        ax = figure.add_subplot()
        for name, (x, y) in series.items():
            ax.plot(np.asarray(x), np.asarray(y), label=name)
        ax.margins(x=0)
        shade(ax, bands)
        _finish(figure, xlabel, ylabel, title, legend=len(series) > 1)
        if path is not None:
            save(figure, path)
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
    """One quantity against another, (n,) and (n,). equal: the path of a point, m, to the same scale in both directions,
    with a dot at the start; otherwise a loop such as force against penetration."""
    with style():
        figure = new_figure(6.0, 4.8)
        ax = figure.add_subplot()
        x, y = np.asarray(x), np.asarray(y)
        (line,) = ax.plot(x, y, label=label)
        if equal:
            ax.plot(x[:1], y[:1], "o", color=line.get_color(), markersize=6, label="start")
            ax.set_aspect("equal", adjustable="datalim")
        _finish(figure, xlabel, ylabel, title, legend=bool(label))
        if path is not None:
            save(figure, path)
        return figure


def shade(ax: Axes, bands: Sequence[tuple[float, float]]) -> None:
    """Shade stretches (from, to) of the horizontal axis, behind the curves; very short ones still show as a line."""
    left, right = ax.get_xlim()
    thin = 0.002 * (right - left)
    for begin, end in bands:
        ax.axvspan(begin, max(end, begin + thin), color=BAND, linewidth=0, zorder=0)
    ax.set_xlim(left, right)


def _finish(figure: Figure, xlabel: str, ylabel: str, title: str, *, legend: bool) -> None:
    figure.axes[0].set(xlabel=xlabel, ylabel=ylabel, title=title)
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    if legend:
        figure.legend(loc="outside right upper")  # beside the axes: inside, it hides a part of a dense signal
