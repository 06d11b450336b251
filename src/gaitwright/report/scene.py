"""What a mechanism looks like over time, in plain arrays: the one thing pictures and animations are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from gaitwright.report.arrays import finite, times
from gaitwright.report.deforming import DeformingBody, Showing, check_deforming

Kind = Literal[
    "link", "body", "round", "surface", "ground", "spring", "beam", "rod", "actuator", "rail", "gear", "spiral"
]
KINDS: tuple[str, ...] = get_args(Kind)
RIM, TWO_ENDS = "its centre and a point of its rim", "its two ends"
ENDS: dict[str, tuple[int, str]] = {
    "spring": (2, TWO_ENDS), "rod": (2, TWO_ENDS), "rail": (2, TWO_ENDS),
    "round": (2, RIM), "gear": (2, RIM), "spiral": (2, RIM),
    "actuator": (3, "its first end, the end of its barrel and its other end"),
}  # fmt: skip
"""Kinds that are given by a few points; the rest is added by whoever draws them."""
ROUND_KINDS = ("round", "gear", "spiral")
PLAIN_KINDS = ("ground", "spring", "rod", "actuator", "rail", "spiral")
"""What is no part of the mechanism: grey, and not counted among its parts."""
ROUND = 64
"""Corners of a circle in a picture."""
NEAR = 8.0
"""How far from the mechanism a ground is still shown, in its sizes."""
MANY_PARTS = 16
"""More are not told apart by colours and names, but in groups."""
LONGEST = 0.8
"""Longest arrow of a force, in sizes of the mechanism."""


@dataclass
class Shape:
    """One drawn part.

    `outline`: (n_frames, n_points, 2), m, ground frame. A ground that stands still may have a single frame.
    `closed`: the last point is joined to the first.
    A spring is given by its two ends; the zigzag is added by whoever draws it; likewise a rod, and the rail of a slider. An
    actuator also says where its barrel ends. A round part is given by its centre and the point of its rim that a spoke leads
    to, which shows how it turns; so is a gear, by its pitch circle, and a spiral, a torsion spring. A surface is a side of a
    moving part that others touch. A beam may have `values`, (n_frames, n_points), of the quantity that colours it. An open
    ground is solid on the right of its outline, walked from the first point to the last: below a line drawn from left to right.
    A closed ground is solid inside.
    Shapes of the same name are parts of one body: they share its colour, and the name is written once.
    """

    name: str
    kind: Kind
    outline: np.ndarray
    closed: bool = False
    values: np.ndarray | None = None

    def __post_init__(self) -> None:
        what = f"shape '{self.name}'"
        if self.kind not in KINDS:
            raise ValueError(f"{what} has kind '{self.kind}'; expected one of {', '.join(KINDS)}")
        self.outline = finite(self.outline, f"the outline of {what}")
        if self.outline.ndim != 3 or self.outline.shape[2] != 2 or 0 in self.outline.shape:
            raise ValueError(f"the outline of {what} has shape {self.outline.shape}; expected (n_frames, n_points, 2)")
        n_points = self.outline.shape[1]
        count, expected = ENDS.get(self.kind, (n_points, ""))
        if n_points != count:
            raise ValueError(f"{what} is a {self.kind} with {n_points} points; expected {expected}")
        if n_points < (3 if self.closed else 2):
            raise ValueError(f"{what} has {n_points} point(s); a line needs 2 and a closed outline 3")
        if self.values is not None:
            self.values = finite(self.values, f"the values of {what}")
            if self.values.shape != self.outline.shape[:2]:
                got, expected = self.values.shape, self.outline.shape[:2]
                raise ValueError(f"the values of {what} have shape {got}; expected {expected}, one per point")

    def at(self, frame: int) -> np.ndarray:
        """Points (n_points, 2), m, in one frame."""
        return self.outline[0 if len(self.outline) == 1 else frame]

    def edge(self, frame: int) -> tuple[np.ndarray, bool]:
        """The line that is drawn in one frame, (n, 2), m, and whether it is closed."""
        if self.kind not in ROUND_KINDS:
            return self.at(frame), self.closed
        centre, rim = self.at(frame)
        return circle(centre, float(np.hypot(*(rim - centre)))), True

    def extent(self) -> np.ndarray:
        """Points that reach as far as the shape does, (n_frames, n, 2), m."""
        if self.kind not in ROUND_KINDS:
            return self.outline
        centre, rim = self.outline[:, :1], self.outline[:, 1:]
        radius = np.hypot(*np.moveaxis(rim - centre, 2, 0))[:, :, None]
        return centre + radius * np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])


def circle(centre: np.ndarray, radius: float) -> np.ndarray:
    """Points (ROUND, 2) of a circle."""
    angle = 2 * np.pi * np.arange(ROUND) / ROUND
    return centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def nearest(line: np.ndarray, point: np.ndarray) -> np.ndarray:
    """The point of a line (n, 2) that is nearest to a point (2,)."""
    start, way = line[:-1], np.diff(line, axis=0)
    length = np.maximum((way**2).sum(axis=1), 1e-300)
    along = np.clip(((point - start) * way).sum(axis=1) / length, 0.0, 1.0)
    feet = start + along[:, None] * way
    return feet[((feet - point) ** 2).sum(axis=1).argmin()]


@dataclass
class Colouring:
    """What the colours of beams mean. They go from -limit to limit, with grey for zero; limit: the largest value unless
    given, but for the few frames with the most."""

    name: str
    unit: str
    limit: float | None = None


@dataclass
class Scene:
    """A mechanism over time, with what should be shown beside it.

    `time`: (n_frames,), s, never decreasing.
    `joints`: name to (n_frames, 2), m: the pins. Those named in `ground_joints` are drawn as fixed supports.
    `traces`: name to (n, 2), m: curves of points. One with n = n_frames grows as the animation plays.
    `signals`: name to (time s, values, unit): plotted beside the animation; NaN leaves a gap.
    `forces`: name to (points (n_frames, 2), m, forces (n_frames, 2), N): drawn as arrows; NaN where there is none.
    `table`: rows of text, header first, shown below it.
    `colouring`: what the colours of shapes with values mean.
    `deforming`: bodies that deform; `showing`: how, with which field.
    `marks`: name to (2,), m: points of the ground that nothing is fixed to, shown by a cross where they are in the picture.
    `frame`: what the picture shows, (left, right, bottom, top), m; `bounds()` unless given. See `one_scale`.
    """

    title: str
    time: np.ndarray
    shapes: list[Shape] = field(default_factory=list)
    joints: dict[str, np.ndarray] = field(default_factory=dict)
    ground_joints: set[str] = field(default_factory=set)
    traces: dict[str, np.ndarray] = field(default_factory=dict)
    signals: dict[str, tuple[np.ndarray, np.ndarray, str]] = field(default_factory=dict)
    forces: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    table: list[tuple[str, ...]] = field(default_factory=list)
    colouring: Colouring | None = None
    deforming: list[DeformingBody] = field(default_factory=list)
    showing: Showing = field(default_factory=Showing)
    frame: tuple[float, float, float, float] | None = None
    marks: dict[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.time = times(self.time, "the time of the scene")
        n = len(self.time)
        if not self.shapes and not self.joints and not self.deforming:
            raise ValueError("the scene is empty; expected at least one shape or joint")
        if self.deforming:
            check_deforming(self.deforming, self.showing, n, 2)
        for shape in self.shapes:
            frames = len(shape.outline)
            if frames != n and not (shape.kind == "ground" and frames == 1):
                raise ValueError(f"shape '{shape.name}' has {frames} frame(s) but the scene has {n} times")
        self.joints = {name: _points(path, f"joint '{name}'", n) for name, path in self.joints.items()}
        self.traces = {name: _points(path, f"trace '{name}'") for name, path in self.traces.items()}
        self.signals = {name: checked_signal(name, *signal) for name, signal in self.signals.items()}
        self.forces = {name: _force(name, *force, n) for name, force in self.forces.items()}
        if unknown := self.ground_joints - self.joints.keys():
            raise ValueError(f"ground joint '{min(unknown)}' is not among the joints of the scene")
        self.table = [tuple(str(cell) for cell in row) for row in self.table]
        if len({len(row) for row in self.table}) > 1:
            raise ValueError("the rows of the table differ in length; expected one cell per column of the header")

    def groups(self) -> dict[str, str]:
        """What parts are called in legends, and coloured by: themselves, or where there are many, what stands before the first
        dash of their names, so that the links of leg "left1" look alike."""
        parts = [shape.name for shape in self.shapes if shape.kind not in PLAIN_KINDS]
        names = list(dict.fromkeys([*parts, *(body.name for body in self.deforming)]))
        return {name: name.partition("-")[0] if len(names) > MANY_PARTS else name for name in names}

    @property
    def n_frames(self) -> int:
        return len(self.time)

    def moving_points(self) -> np.ndarray:
        """All points of the mechanism, (n_frames, n, 2), m; of the ground when there is nothing else."""
        parts = [shape.extent() for shape in self.shapes if shape.kind != "ground"]
        parts += [path[:, None] for path in self.joints.values()]
        parts += [body.extent(self.showing.exaggeration) for body in self.deforming]
        if not parts:
            parts = [np.broadcast_to(s.outline, (self.n_frames, *s.outline.shape[1:])) for s in self.shapes]
        return np.concatenate(parts, axis=1)

    def size(self) -> float:
        """How large the mechanism itself is, m: the larger side of its box in a typical frame. Never zero."""
        points = self.moving_points()
        typical = float(np.median((points.max(axis=1) - points.min(axis=1)).max(axis=1)))
        # A lone point has no size of its own: take the way it goes, or a metre when it stands still.
        return typical or float(np.ptp(points.reshape(-1, 2), axis=0).max()) or 1.0

    def bounds(self) -> tuple[float, float, float, float]:
        """The box (left, right, bottom, top), m, that holds every frame, with a margin for bars and supports.

        The ground counts too, but may widen the box only by a quarter of the mechanism's size on each side: a long
        floor must not shrink the mechanism to a dot. Its nearest point is shown if it is not too far, and in the picture
        of a single pose all corners of a terrain around it.
        """
        if self.frame is not None:
            return self.frame
        size = self.size()
        points = np.concatenate([self.moving_points().reshape(-1, 2), *self.traces.values()])
        low, high = points.min(axis=0), points.max(axis=0)
        middle, reach = (low + high) / 2, (high - low) / 2 + NEAR * size
        for shape in self.shapes:
            if shape.kind != "ground":
                continue
            corners = shape.at(0) if self.n_frames == 1 else np.zeros((0, 2))
            around = np.vstack([low, high, nearest(shape.at(0), middle), corners])
            around = around[(np.abs(around - middle) <= reach).all(axis=1)]
            low, high = around.min(axis=0), around.max(axis=0)
            seen = np.clip(shape.outline.reshape(-1, 2), low - size / 4, high + size / 4)
            low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
        ground = any(shape.kind == "ground" for shape in self.shapes)  # its hatching has a least thickness on paper
        margin = max(0.09 * size, 0.025 * float((high - low).max()) if ground else 0.0)
        low, high = low - margin, high + margin
        # What falls straight down, or rolls far, still gets a picture and not a slit.
        width, height = high - low
        room = np.array([max(0.6 * height - width, 0.0), max(0.22 * width - height, 0.0)]) / 2
        low, high = low - room, high + room
        return float(low[0]), float(high[0]), float(low[1]), float(high[1])

    def force_scale(self) -> float:
        """Metres of arrow per newton: the usual force while there is contact is a quarter of the mechanism's size. Not the
        largest: one impact would shrink all others to nothing."""
        sizes = np.concatenate([np.zeros(0), *(np.hypot(*vectors.T) for _, vectors in self.forces.values())])
        sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
        return 0.25 * self.size() / float(np.median(sizes)) if sizes.size else 0.0

    def colour_limit(self) -> float:
        """The value that has the strongest colour, never zero."""
        if self.colouring is not None and self.colouring.limit:
            return self.colouring.limit
        largest = [np.abs(s.values).max(axis=1) for s in self.shapes if s.values is not None]
        # A moment of impact must not turn all others grey.
        return float(np.quantile(np.max(largest, axis=0), 0.97)) or 1.0 if largest else 1.0

    def pick_frames(self, count: int) -> np.ndarray:
        """Indices of at most `count` frames, evenly spread over time; the times picked strictly increase."""
        return spread(self.time, count)


def one_scale(scenes: Sequence[Scene]) -> None:
    """Let scenes be shown side by side at one scale: with frames of one size, each about its own middle, on one line."""
    boxes = [scene.bounds() for scene in scenes]
    wide, high = (max(box[k + 1] - box[k] for box in boxes) for k in (0, 2))
    for scene, (left, right, bottom, _) in zip(scenes, boxes, strict=True):
        middle = (left + right) / 2
        scene.frame = (middle - wide / 2, middle + wide / 2, bottom, bottom + high)


def spread(time: np.ndarray, count: int) -> np.ndarray:
    """Indices of at most `count` of the times, evenly spread; those picked strictly increase."""
    if count >= len(time):
        return np.unique(np.searchsorted(time, time))
    wanted = np.linspace(time[0], time[-1], count)
    right = np.searchsorted(time, wanted).clip(1, len(time) - 1)
    nearest = np.where(wanted - time[right - 1] < time[right] - wanted, right - 1, right)
    # An event stores its instant twice: keep the first, or an animation would divide by zero between the two.
    return np.unique(np.searchsorted(time, time[nearest]))


def _points(values: Any, what: str, count: int | None = None) -> np.ndarray:
    points = finite(values, what)
    if points.ndim != 2 or points.shape[1] != 2 or not len(points) or count not in (None, len(points)):
        raise ValueError(f"{what} has shape {points.shape}; expected ({'n' if count is None else count}, 2)")
    return points


def _force(name: str, points: Any, vectors: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    points, vectors = np.asarray(points, dtype=float), np.asarray(vectors, dtype=float)
    for what, array in (("points", points), ("vectors", vectors)):
        if array.shape != (count, 2):
            raise ValueError(f"the {what} of force '{name}' have shape {array.shape}; expected ({count}, 2)")
    return points, vectors


def checked_signal(name: str, time: Any, values: Any, unit: str) -> tuple[np.ndarray, np.ndarray, str]:
    """A curve over time, with gaps but finite, or an error about it."""
    time, values = times(time, f"the time of signal '{name}'"), np.asarray(values, dtype=float)
    if np.isinf(values).any():
        raise ValueError(f"signal '{name}' is infinite somewhere; expected finite numbers, or NaN for a gap")
    if time.shape != values.shape:
        raise ValueError(f"signal '{name}' has {values.shape} values at {time.shape} times; expected one per time")
    return time, values, unit
