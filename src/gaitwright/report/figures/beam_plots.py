"""Beams over time in one picture: successive shapes, and quantities along the beams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.figures.style import INK_COLOUR, MUTED_COLOUR, new_figure, plot_style, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

MAX_LEGEND_CURVES = 5
"""Maximum number of curves with a legend; more have a colour bar."""
DEFAULT_INSTANT_COUNT = 9
"""Default number of curves in a picture."""


def pick_instants(time: np.ndarray, times: int | Sequence[float] | None) -> np.ndarray:
    """Indices of the instants to show: a number of them, evenly spread, or the nearest to given times, s."""
    if times is None or isinstance(times, int):
        count = min(DEFAULT_INSTANT_COUNT if times is None else max(times, 1), time.size)
        if np.any(np.diff(time) < 0):  # a path that goes back in time
            return np.unique(np.linspace(0, time.size - 1, count).round().astype(int))
        times = np.linspace(time[0], time[-1], count)
    picked = np.abs(time[:, None] - np.atleast_1d(np.asarray(times, dtype=float))).argmin(axis=0)
    return np.array(list(dict.fromkeys(picked.tolist())))


def plot_shapes_over_time(
    title: str,
    time: np.ndarray,
    shapes: Sequence[tuple[np.ndarray, np.ndarray]],
    *,
    paths: Sequence[np.ndarray] = (),
    axes: tuple[str, str] = ("x", "y"),
    path: str | Path | None = None,
) -> Figure:
    """Plot shapes of beams, pairs of x and y, (n_times, n_points), m, at the times (n_times,), s, in one picture.

    paths: of points, (n, 2), m. axes: names of x and y."""
    with plot_style():
        points = np.concatenate([np.stack([x.ravel(), y.ravel()]) for x, y in shapes], axis=1)
        wide, high = np.maximum(np.ptp(points, axis=1), 0.05 * np.ptp(points) + 1e-12)
        height = float(np.clip(5.6 * high / wide, 2.2, 6.6))
        figure = new_figure(7.2, height + 0.9)
        ax = figure.add_subplot()
        colours, norm = _time_colours(time)
        for k, t in enumerate(time):
            for number, (x, y) in enumerate(shapes):
                label = _time_label(t, time) if number == 0 else None
                ax.plot(x[k], y[k], color=colours(norm(t)), linewidth=2.4, label=label)
        for x, y in shapes:
            if len(time) == 1 or np.ptp(x[:, 0]) + np.ptp(y[:, 0]) < 1e-3 * np.ptp(points):
                ax.plot(x[0, 0], y[0, 0], "s", color=INK_COLOUR, markersize=6, zorder=4)  # its fixed end
        for trace in paths:
            ax.plot(*trace.T, color=MUTED_COLOUR, linewidth=0.9, linestyle=(0, (1, 3)), zorder=1)
        ax.set_aspect("equal", adjustable="datalim")
        _finish_axes(figure, ax, time, colours, norm, f"{axes[0]} (m)", f"{axes[1]} (m)", title)
        if path is not None:
            save_figure(figure, path)
        return figure


def plot_along_arc_length(
    title: str, time: np.ndarray, s: np.ndarray, values: np.ndarray, *, label: str, path: str | Path | None = None
) -> Figure:
    """Plot a quantity along a beam, (n_times, n_places), over the arc length s (n_places,), m, at several times, s."""
    with plot_style():
        figure = new_figure(7.2, 4.0)
        ax = figure.add_subplot()
        colours, norm = _time_colours(time)
        for t, row in zip(time, values, strict=True):
            ax.plot(s, row, color=colours(norm(t)), label=_time_label(t, time))
        if len(time) == 1:
            ax.fill_between(s, values[0], color=colours(norm(time[0])), alpha=0.15, linewidth=0)
        low, high = ax.get_ylim()
        if low < 0.0 < high or len(time) == 1:
            ax.axhline(0.0, color=MUTED_COLOUR, linewidth=0.9, zorder=1)
        if np.abs(np.diff([low, high]))[0] < 1e-9 * np.abs(values).max(initial=1e-300):  # constant along the beam
            ax.set_ylim(*sorted((0.0, 1.15 * float(values.flat[np.abs(values).argmax()]))))
        ax.margins(x=0)
        _finish_axes(figure, ax, time, colours, norm, "arc length s (m)", label, title)
        if path is not None:
            save_figure(figure, path)
        return figure


def _time_label(t: float, time: np.ndarray) -> str:
    digits = int(np.clip(3 - np.floor(np.log10(float(np.ptp(time)) or 1.0)), 0, 6))
    return f"t = {round(float(t), digits):g} s"


def _time_colours(time: np.ndarray) -> tuple[Colormap, Normalize]:
    """Colours from the first time to the last: dark to bright, without yellow, which is hardly visible on white paper."""
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    colours = colormaps["viridis"](np.linspace(0.0, 0.86, 64))
    low, high = float(time.min()), float(time.max())
    return LinearSegmentedColormap.from_list("time", colours), Normalize(low, high if high > low else low + 1.0)


def _finish_axes(
    figure: Figure, ax: Axes, time: np.ndarray, colours: Any, norm: Any, xlabel: str, ylabel: str, title: str
) -> None:
    """Set the labels, and add a colour bar or legend."""
    from matplotlib.cm import ScalarMappable

    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    if len(time) > MAX_LEGEND_CURVES:
        bar = figure.colorbar(ScalarMappable(norm, colours), ax=ax, pad=0.02, aspect=28)
        bar.set_label("time (s)", color=MUTED_COLOUR)
        bar.outline.set_visible(False)  # type: ignore[operator]
        bar.ax.tick_params(length=0)
    elif len(time) > 1:
        figure.legend(loc="outside right upper")
