"""Blocks of a report, as plain data: numbers, animations, charts, maps, pictures, tables, verdicts, code and text.

    report = Report("My leg", blocks=[
        Figures([Fact("step length", 0.388, "m")]),
        Animation(run.scene(trace=["F"])),
        Chart("Drive torque", [ChartLine("crank", run.time, run.array("crank.torque"))], ylabel="torque (N m)"),
    ])
    report.save("leg.html")

Consecutive charts, maps and pictures are arranged in a grid; after an animation, they are placed beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gaitwright.report.scenes.planar_scene import PlanarScene
from gaitwright.report.scenes.spatial_scene import SpatialScene

LineStyle = Literal["line", "thick", "dashed", "dots"]


class Fact(NamedTuple):
    """A key number (or word) for the top of a page. note: a few words below it."""

    label: str
    value: float | str
    unit: str = ""
    note: str = ""


@dataclass(frozen=True)
class ChartLine:
    """Curve of a chart. x, y: (n,); NaN leaves a gap. time: (n,), s, of every point, if x is not the time: a dot then moves
    along the curve while the animation plays. spans: (from, to), s: intervals of the animation's time; in each of them the
    dot moves from the first x to the last, for example if x is a fraction of a gait cycle. colour: index in the palette;
    default: the next one."""

    label: str
    x: ArrayLike
    y: ArrayLike
    time: ArrayLike | None = None
    look: LineStyle = "line"
    colour: int | None = None
    spans: Sequence[tuple[float, float]] = ()


class ShadedArea(NamedTuple):
    """Area between two curves, shaded behind the lines: x, low, high: (n,). colour: index in the palette; default: grey, as
    for normal ranges."""

    x: ArrayLike
    low: ArrayLike
    high: ArrayLike
    colour: int | None = None


class Remark(NamedTuple):
    """A sentence with a badge. tone: good, odd or bad. more: smaller text below it."""

    tone: Literal["good", "odd", "bad"]
    badge: str
    text: str
    more: str = ""


@dataclass
class ReportBlock:
    """One part of a report. `stands`: its placement relative to its neighbours; see page.py."""

    stands: ClassVar[Literal["plain", "tile", "picture", "stage"]] = "plain"


@dataclass
class Heading(ReportBlock):
    """Title of a section; the page contains links to all sections."""

    title: str


@dataclass
class Text(ReportBlock):
    """Paragraphs. tone: "warning" highlights them."""

    paragraphs: Sequence[str]
    tone: Literal["plain", "warning"] = "plain"


@dataclass
class Remarks(ReportBlock):
    """Sentences with badges, the worst first: information that a reader needs before the numbers."""

    title: str
    remarks: Sequence[Remark]


@dataclass
class Figures(ReportBlock):
    """Key numbers, large."""

    facts: Sequence[Fact]


@dataclass
class Animation(ReportBlock):
    """Animation of a mechanism. title: shown above it; charts refer to the animation by this title."""

    stands = "stage"
    scene: PlanarScene | SpatialScene
    title: str = ""


@dataclass
class Chart(ReportBlock):
    """Curves. Put the units into the labels: "torque (N m)".

    bands: intervals (from, to) of the x axis that are shaded, such as the stance; areas: areas between two curves, such as
    the normal range; band_label: their description. yticks: (y, text), labels instead of numbers on the y axis, such as
    names of rows. ylim: limits of the y axis, for data with a few outliers. marks: (x, colour), vertical dashed lines, such
    as the toe-off of a side. equal: same scale in both directions, as for the path of a foot. logarithmic: the y axis.
    over_time: True if x is the time of the animation; default: if xlabel starts with "time". follows: title of the animation
    whose time the chart shows; default: the first one."""

    stands = "tile"
    title: str
    lines: Sequence[ChartLine]
    xlabel: str = "time (s)"
    ylabel: str = ""
    bands: Sequence[tuple[float, float]] = ()
    areas: Sequence[ShadedArea] = ()
    band_label: str = ""
    marks: Sequence[tuple[float, int]] = ()
    yticks: Sequence[tuple[float, str]] = ()
    ylim: tuple[float, float] | None = None
    equal: bool = False
    logarithmic: bool = False
    over_time: bool | None = None
    follows: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.over_time is None:
            self.over_time = self.xlabel.startswith("time")
        for line in self.lines:
            shapes = [np.shape(part) for part in (line.x, line.y, line.time) if part is not None]
            if len(set(shapes)) > 1 or len(shapes[0]) != 1:
                raise ValueError(f"line '{line.label}' of chart '{self.title}' has shapes {shapes}; expected (n,) each")


@dataclass
class Map(ReportBlock):
    """A quantity over two others, as colours: z[j, i] at (x[i], y[j]); NaN for missing values.

    marks: points (label, x, y) to show, such as the design before and after."""

    stands = "tile"
    title: str
    x: ArrayLike
    y: ArrayLike
    z: ArrayLike
    xlabel: str = ""
    ylabel: str = ""
    zlabel: str = ""
    marks: Sequence[tuple[str, float, float]] = ()
    note: str = ""

    def __post_init__(self) -> None:
        shape, expected = np.shape(self.z), (np.size(self.y), np.size(self.x))
        if shape != expected:
            raise ValueError(f"map '{self.title}' has values of shape {shape}; expected {expected}, (y, x)")


@dataclass
class Drawing(ReportBlock):
    """A matplotlib figure, embedded in the page as SVG. Ink, greys and palette (figures/style.py) are replaced by the
    colours of the page, dark or light. figure: a matplotlib Figure."""

    stands = "tile"
    title: str
    figure: Any
    note: str = ""


@dataclass
class Picture(ReportBlock):
    """A PNG file. wide: use the full width of the page if the picture has no neighbours."""

    stands = "picture"
    title: str
    path: Path
    note: str = ""
    wide: bool = False


@dataclass
class Table(ReportBlock):
    """Rows of text and numbers. A column that holds only numbers is aligned at the right.

    folded: closed until a reader opens it. best: (row, column) of highlighted cells, from 0. exact: also show numbers that
    are rounding errors, as in evidence; otherwise they are 0 beside larger ones of their unit."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""
    folded: bool = False
    best: Collection[tuple[int, int]] = ()
    exact: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"a row of table '{self.title}' has {len(row)} cells; expected {len(self.header)}")


@dataclass
class Verdicts(ReportBlock):
    """Comparison of published and computed numbers, each with id, quantity, published, computed, unit, tolerance, verdict,
    why and kind (see gaitwright_apps/reproductions/experiments.py); readers can filter by verdict."""

    title: str
    checks: Sequence[Mapping[str, Any]]
    order: Sequence[str] = field(default=("fail", "not-reproducible", "within-rounding", "pass"))


@dataclass
class Code(ReportBlock):
    """Text of a file, such as a model: folded, and readers can copy it. name: name of the file written beside the page."""

    title: str
    text: str
    name: str = ""
