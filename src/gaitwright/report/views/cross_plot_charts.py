"""Charts of outputs over another output, as defined by a model: on the page of a run, and as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Chart as ChartBlock
from gaitwright.report.blocks import ChartLine, ReportBlock
from gaitwright.report.figures.style import PALETTE, new_figure, plot_style, save_figure
from gaitwright.report.views.output_curves import sample_curves
from gaitwright.result.cross_plots import (
    TIME_AXIS,
    CrossPlot,
    axis_unit,
    cross_plot_numbers,
    describe_numbers,
    find_turning_point,
    read_cross_plots,
)
from gaitwright.result.state_interpolation import accumulate_times

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MIN_VISIBLE_RATIO = 5e-3
"""Fraction of the height of a chart that is just visible."""


def cross_plot_blocks(result: Result) -> Iterator[ReportBlock]:
    """A block for every chart of the model, with its numbers below."""
    if result.time.size < 2:
        return
    texts = [describe_numbers(numbers) for numbers in cross_plot_numbers(result)]
    for chart in read_cross_plots(result.document):
        mine, texts = texts[: len(chart.y)], texts[len(chart.y) :]
        lines = cross_plot_lines(result, chart)
        equal_units = axis_unit(result, chart.x) == axis_unit(result, chart.y[0]) in ("m", "mm")
        axes = {"xlabel": output_label(result, chart.x), "ylabel": _y_label(result, chart), "equal": equal_units}
        yield ChartBlock(chart.named(), lines, note=". ".join(mine), over_time=chart.x == TIME_AXIS, **axes)


def cross_plot_lines(result: Result, chart: CrossPlot) -> list[ChartLine]:
    """One line per y; if x moves forth and back once and y differs on the way back, one line for each way, dashed for the
    way back."""
    names = [name for name in (chart.x, *chart.y) if name != TIME_AXIS]
    time, values = sample_curves(result, names)
    time = accumulate_times(time)
    x = time if chart.x == TIME_AXIS else values[0]
    lines: list[ChartLine] = []
    turn = None if chart.x == TIME_AXIS else find_turning_point(x)
    for k, (name, y) in enumerate(zip(chart.y, values[-len(chart.y) :], strict=True)):
        if chart.x == TIME_AXIS or turn is None or not _is_loop(x, y, turn):
            lines.append(ChartLine(name, x, y, time=None if chart.x == TIME_AXIS else time, colour=k))
            continue
        indices = np.arange(x.size)
        forth, back = np.where(indices <= turn, y, np.nan), np.where(indices >= turn, y, np.nan)
        lines.append(ChartLine(name, x, forth, time=time, colour=k))
        lines.append(ChartLine(f"{name}, on the way back", x, back, time=time, look="dashed", colour=k))
    return lines


def _is_loop(x: np.ndarray, y: np.ndarray, turn: int) -> bool:
    """True if y visibly differs on the way back."""
    back = np.argsort(x[turn:])
    y_back = np.interp(x[: turn + 1], x[turn:][back], y[turn:][back])
    return bool(np.nanmax(np.abs(y_back - y[: turn + 1])) > MIN_VISIBLE_RATIO * np.ptp(y[np.isfinite(y)]))


def output_label(result: Result, name: str) -> str:
    unit = axis_unit(result, name)
    return name if unit in ("1", "mixed") else f"{name} ({unit})"


def _y_label(result: Result, chart: CrossPlot) -> str:
    unit = axis_unit(result, chart.y[0])
    return output_label(result, chart.y[0]) if len(chart.y) == 1 else "" if unit in ("1", "mixed") else unit


def save_cross_plots(result: Result, folder: Path, max_count: int | None = None) -> dict[str, Path]:
    """Save chart-1.png, chart-2.png, ...: a picture for every chart of the model; max_count: only the first ones."""
    charts = read_cross_plots(result.document)[:max_count] if result.time.size > 1 else []
    return {
        f"chart {k}": draw_cross_plot(result, chart, Path(folder) / f"chart-{k}.png")
        for k, chart in enumerate(charts, 1)
    }


def draw_cross_plot(result: Result, chart: CrossPlot, path: Path) -> Path:
    """Save one chart as a picture."""
    with plot_style():
        figure = new_figure(6.0, 4.2)
        _fill_axes(figure.add_subplot(), result, chart)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        return save_figure(figure, path)


def draw_picture_and_chart(result: Result, chart: CrossPlot, picture: Path, path: Path) -> Path:
    """Save a picture (PNG) of the mechanism and a chart beside it, as one picture."""
    from matplotlib.image import imread

    drawn = imread(picture)
    inked = np.argwhere(drawn[..., :3].min(axis=2) < 1.0)
    (top, first), (bottom, last) = inked.min(axis=0), inked.max(axis=0)
    drawn = drawn[top : bottom + 1, first : last + 1]
    wide = float(np.clip(4.4 * drawn.shape[1] / drawn.shape[0], 1.8, 4.4))
    with plot_style():
        figure = new_figure(wide + 3.4, 4.4)
        left, right = figure.subplots(1, 2, width_ratios=(wide, 3.4))
        left.imshow(drawn)
        left.axis("off")
        _fill_axes(right, result, chart)
        right.set_title(chart.named(), parse_math=False, fontsize=10)
        figure.set_layout_engine("constrained", w_pad=0.05, h_pad=0.05)
        return save_figure(figure, path)


def _fill_axes(ax: Any, result: Result, chart: CrossPlot) -> None:
    for line in cross_plot_lines(result, chart):
        colour, dashed = PALETTE[(line.colour or 0) % len(PALETTE)], line.look == "dashed"
        look = {"linestyle": (0, (4, 3)), "linewidth": 1.4} if dashed else {}
        ax.plot(np.asarray(line.x), np.asarray(line.y), color=colour, label=line.label, **look)
    ax.set_xlabel(output_label(result, chart.x), parse_math=False)
    ax.set_ylabel(_y_label(result, chart), parse_math=False)
    ax.set_title(chart.named(), parse_math=False)
    if axis_unit(result, chart.x) == axis_unit(result, chart.y[0]) in ("m", "mm"):
        ax.set_aspect("equal", adjustable="datalim")
    if len(ax.lines) > 1:
        ax.legend()
