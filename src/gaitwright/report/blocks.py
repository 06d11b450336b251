"""What a report is made of, in plain data: numbers, animations, charts, maps, pictures, tables, verdicts, code and text.

    report = Report("My leg", blocks=[
        Figures([Fact("step length", 0.388, "m")]),
        Animation(run.scene(trace=["F"])),
        Chart("Drive torque", [Line("crank", run.time, run.values("crank.torque"))], ylabel="torque (N m)"),
    ])
    report.save("leg.html")

Charts, maps and pictures that follow each other stand in a grid; those that follow an animation stand beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gaitwright.report.scene import Scene
from gaitwright.report.spatial_scene import SpaceScene

Look = Literal["line", "thick", "dashed", "dots"]


class Fact(NamedTuple):
    """One number (or word) that a reader should see first. note: a few words below it."""

    label: str
    value: float | str
    unit: str = ""
    note: str = ""


@dataclass(frozen=True)
class Line:
    """A curve of a chart. x, y: (n,); NaN leaves a gap. time: (n,), s, of every point, where x is not the time itself: a dot
    then runs along the curve while the animation plays. spans: (from, to), s: stretches of the animation's time in each of
    which the dot runs from the first x to the last, as where x is a share of a gait cycle. colour: which of the palette; the
    next one unless given."""

    label: str
    x: ArrayLike
    y: ArrayLike
    time: ArrayLike | None = None
    look: Look = "line"
    colour: int | None = None
    spans: Sequence[tuple[float, float]] = ()


class Area(NamedTuple):
    """What lies between two curves, shaded behind the lines: x, low, high: (n,). colour: which of the palette; grey, as for
    what is usual, unless given."""

    x: ArrayLike
    low: ArrayLike
    high: ArrayLike
    colour: int | None = None


class Remark(NamedTuple):
    """A sentence with a badge. tone: good, odd or bad. more: what is below it, smaller."""

    tone: Literal["good", "odd", "bad"]
    badge: str
    text: str
    more: str = ""


@dataclass
class Block:
    """One part of a report. `stands`: how it goes with its neighbours; see page.py."""

    stands: ClassVar[Literal["plain", "tile", "picture", "stage"]] = "plain"


@dataclass
class Heading(Block):
    """The title of a section; the page has links to them."""

    title: str


@dataclass
class Text(Block):
    """Paragraphs. tone: "warning" sets them apart."""

    paragraphs: Sequence[str]
    tone: Literal["plain", "warning"] = "plain"


@dataclass
class Remarks(Block):
    """Sentences with badges, the worst first: what a reader must know before the numbers."""

    title: str
    remarks: Sequence[Remark]


@dataclass
class Figures(Block):
    """Key numbers, large."""

    facts: Sequence[Fact]


@dataclass
class Animation(Block):
    """A mechanism that plays. title: shown above it, and what charts that follow it call it."""

    stands = "stage"
    scene: Scene | SpaceScene
    title: str = ""


@dataclass
class Chart(Block):
    """Curves. Put the units into the labels: "torque (N m)".

    bands: stretches (from, to) of the x axis that are shaded, such as the stance; areas: what lies between two curves, such as
    the usual range; band_label: what they are. yticks: (y, text) instead of numbers at the y axis, as names of rows. ylim: of
    the y axis, where a few values are far off. marks:
    (x, colour), upright dashes, such as the toe-off of a side. equal: the same scale in both directions, as for the path of a
    foot. logarithmic: the y axis. over_time: x is the time of the animation; unless given, when xlabel says so. follows: title
    of the animation whose time it shows; the first one unless given."""

    stands = "tile"
    title: str
    lines: Sequence[Line]
    xlabel: str = "time (s)"
    ylabel: str = ""
    bands: Sequence[tuple[float, float]] = ()
    areas: Sequence[Area] = ()
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
class Map(Block):
    """A quantity over two others, as colours: z[j, i] at (x[i], y[j]); NaN where there is none.

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
        got, expected = np.shape(self.z), (np.size(self.y), np.size(self.x))
        if got != expected:
            raise ValueError(f"map '{self.title}' has values of shape {got}; expected {expected}, (y, x)")


@dataclass
class Drawing(Block):
    """A figure of matplotlib, in the page as SVG. Ink, greys and palette (plots.py) become those of the page,
    dark or light. figure: a matplotlib Figure."""

    stands = "tile"
    title: str
    figure: Any
    note: str = ""


@dataclass
class Picture(Block):
    """A picture that exists as a PNG file. wide: it takes the width of the page where it stands alone."""

    stands = "picture"
    title: str
    path: Path
    note: str = ""
    wide: bool = False


@dataclass
class Table(Block):
    """Rows of text and numbers. A column that holds only numbers is aligned at the right.

    folded: closed until a reader opens it. best: (row, column) of cells to be marked, from 0 on. exact: also numbers that are
    nothing but rounding are shown, as in evidence; otherwise they are 0 beside larger ones of their unit."""

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
class Verdicts(Block):
    """Published numbers beside ours, each with id, quantity, published, computed, unit, tolerance, verdict, why and kind
    (see papers/check.py); readers choose which verdicts they see."""

    title: str
    checks: Sequence[Mapping[str, Any]]
    order: Sequence[str] = field(default=("fail", "not-reproducible", "within-rounding", "pass"))


@dataclass
class Code(Block):
    """A text in a file, such as a model: folded, and readers can copy it. name: of the file that is written beside."""

    title: str
    text: str
    name: str = ""
