"""Charts of outputs over another output, as a model asks for them: on the page of a run, and as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Block, Line
from gaitwright.report.blocks import Chart as ChartBlock
from gaitwright.report.plots import PALETTE, new_figure, save, style
from gaitwright.report.views.curves import curves
from gaitwright.result.between import never_back
from gaitwright.result.charted import TIME, Chart, chart_numbers, charts_of, told, turned_at, unit_of

if TYPE_CHECKING:
    from gaitwright.result.result import Result

SEEN = 5e-3
"""Part of the height of a chart that can be told from nothing."""


def asked_charts(result: Result) -> Iterator[Block]:
    """A block for every chart of the model, with what is to be read from it below."""
    if result.time.size < 2:
        return
    said = [told(numbers) for numbers in chart_numbers(result)]
    for chart in charts_of(result.document):
        mine, said = said[: len(chart.y)], said[len(chart.y) :]
        lines = lines_of(result, chart)
        same = unit_of(result, chart.x) == unit_of(result, chart.y[0]) in ("m", "mm")
        axes = {"xlabel": label(result, chart.x), "ylabel": _y_label(result, chart), "equal": same}
        yield ChartBlock(chart.named(), lines, note=". ".join(mine), over_time=chart.x == TIME, **axes)


def lines_of(result: Result, chart: Chart) -> list[Line]:
    """One per y; where x goes forth and back once and y is another on the way back, one for each way, that back dashed."""
    names = [name for name in (chart.x, *chart.y) if name != TIME]
    time, values = curves(result, names)
    time = never_back(time)
    x = time if chart.x == TIME else values[0]
    found: list[Line] = []
    turn = None if chart.x == TIME else turned_at(x)
    for k, (name, y) in enumerate(zip(chart.y, values[-len(chart.y) :], strict=True)):
        if chart.x == TIME or turn is None or not _loops(x, y, turn):
            found.append(Line(name, x, y, time=None if chart.x == TIME else time, colour=k))
            continue
        way = np.arange(x.size)
        forth, back = np.where(way <= turn, y, np.nan), np.where(way >= turn, y, np.nan)
        found.append(Line(name, x, forth, time=time, colour=k))
        found.append(Line(f"{name}, on the way back", x, back, time=time, look="dashed", colour=k))
    return found


def _loops(x: np.ndarray, y: np.ndarray, turn: int) -> bool:
    """Whether y is another on the way back, as far as an eye can see."""
    back = np.argsort(x[turn:])
    other = np.interp(x[: turn + 1], x[turn:][back], y[turn:][back])
    return bool(np.nanmax(np.abs(other - y[: turn + 1])) > SEEN * np.ptp(y[np.isfinite(y)]))


def label(result: Result, name: str) -> str:
    unit = unit_of(result, name)
    return name if unit in ("1", "mixed") else f"{name} ({unit})"


def _y_label(result: Result, chart: Chart) -> str:
    unit = unit_of(result, chart.y[0])
    return label(result, chart.y[0]) if len(chart.y) == 1 else "" if unit in ("1", "mixed") else unit


def save_charts(result: Result, folder: Path, most: int | None = None) -> dict[str, Path]:
    """chart-1.png, chart-2.png, ...: a picture for every chart of the model, or of the first ones."""
    charts = charts_of(result.document)[:most] if result.time.size > 1 else []
    return {
        f"chart {k}": draw_chart(result, chart, Path(folder) / f"chart-{k}.png") for k, chart in enumerate(charts, 1)
    }


def draw_chart(result: Result, chart: Chart, path: Path) -> Path:
    """One chart as a picture."""
    with style():
        figure = new_figure(6.0, 4.2)
        _fill(figure.add_subplot(), result, chart)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        return save(figure, path)


def draw_beside(result: Result, chart: Chart, picture: Path, path: Path) -> Path:
    """A picture (PNG) of the mechanism and a chart beside it, as one."""
    from matplotlib.image import imread

    drawn = imread(picture)
    inked = np.argwhere(drawn[..., :3].min(axis=2) < 1.0)
    (top, first), (bottom, last) = inked.min(axis=0), inked.max(axis=0)
    drawn = drawn[top : bottom + 1, first : last + 1]
    wide = float(np.clip(4.4 * drawn.shape[1] / drawn.shape[0], 1.8, 4.4))
    with style():
        figure = new_figure(wide + 3.4, 4.4)
        left, right = figure.subplots(1, 2, width_ratios=(wide, 3.4))
        left.imshow(drawn)
        left.axis("off")
        _fill(right, result, chart)
        right.set_title(chart.named(), parse_math=False, fontsize=10)
        figure.set_layout_engine("constrained", w_pad=0.05, h_pad=0.05)
        return save(figure, path)


def _fill(ax: Any, result: Result, chart: Chart) -> None:
    for line in lines_of(result, chart):
        colour, dashed = PALETTE[(line.colour or 0) % len(PALETTE)], line.look == "dashed"
        look = {"linestyle": (0, (4, 3)), "linewidth": 1.4} if dashed else {}
        ax.plot(np.asarray(line.x), np.asarray(line.y), color=colour, label=line.label, **look)
    ax.set_xlabel(label(result, chart.x), parse_math=False)
    ax.set_ylabel(_y_label(result, chart), parse_math=False)
    ax.set_title(chart.named(), parse_math=False)
    if unit_of(result, chart.x) == unit_of(result, chart.y[0]) in ("m", "mm"):
        ax.set_aspect("equal", adjustable="datalim")
    if len(ax.lines) > 1:
        ax.legend()
