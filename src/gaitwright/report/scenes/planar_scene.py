"""Planar scene: a mechanism over time as plain arrays, the common source of pictures and animations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from gaitwright.report.array_checks import check_finite, check_times
from gaitwright.report.scenes.deformable_body import DeformationDisplay, DeformingBody, check_deforming_bodies

ShapeKind = Literal[
    "link", "body", "round", "surface", "ground", "spring", "beam", "rod", "actuator", "rail", "gear", "spiral"
]
SHAPE_KINDS: tuple[str, ...] = get_args(ShapeKind)
RIM_POINTS_TEXT, END_POINTS_TEXT = "its centre and a point of its rim", "its two ends"
SHAPE_POINT_COUNTS: dict[str, tuple[int, str]] = {
    "spring": (2, END_POINTS_TEXT), "rod": (2, END_POINTS_TEXT), "rail": (2, END_POINTS_TEXT),
    "round": (2, RIM_POINTS_TEXT), "gear": (2, RIM_POINTS_TEXT), "spiral": (2, RIM_POINTS_TEXT),
    "actuator": (3, "its first end, the end of its barrel and its other end"),
}  # fmt: skip
"""Kinds of shapes that are given by a few points; the renderer adds the rest."""
ROUND_KINDS = ("round", "gear", "spiral")
NEUTRAL_KINDS = ("ground", "spring", "rod", "actuator", "rail", "spiral")
"""Kinds that are not parts of the mechanism: drawn grey, and not counted among its parts."""
CIRCLE_POINT_COUNT = 64
"""Corners of a circle in a picture."""
GROUND_REACH_RATIO = 8.0
"""Distance from the mechanism up to which the ground is shown, relative to its size."""
MAX_NAMED_PARTS = 16
"""Maximum number of parts with own colours and names; more are combined in groups."""
MAX_ARROW_LENGTH_RATIO = 0.8
"""Maximum length of a force arrow, relative to the size of the mechanism."""


@dataclass
class SceneShape:
    """One drawn part.

    outline: (n_frames, n_points, 2), m, ground frame. Fixed ground may have a single frame.
    closed: the last point is connected to the first.
    A spring is given by its two ends; the renderer adds the zigzag; likewise a rod, and the rail of a slider. An actuator
    also has the end of its barrel. A round part is given by its centre and a point of its rim, connected by a spoke that
    shows its rotation; likewise a gear, by its pitch circle, and a spiral, a torsion spring. A surface is a contact side of
    a moving part. A beam may have `values`, (n_frames, n_points), of the quantity that colours it. Open ground is solid on
    the right of its outline, from the first point to the last: below a line drawn from left to right. Closed ground is solid
    inside.
    Shapes with the same name are parts of one body: they share its colour, and the name is written once.
    """

    name: str
    kind: ShapeKind
    outline: np.ndarray
    closed: bool = False
    values: np.ndarray | None = None

    def __post_init__(self) -> None:
        label = f"shape '{self.name}'"
        if self.kind not in SHAPE_KINDS:
            raise ValueError(f"{label} has kind '{self.kind}'; expected one of {', '.join(SHAPE_KINDS)}")
        self.outline = check_finite(self.outline, f"the outline of {label}")
        if self.outline.ndim != 3 or self.outline.shape[2] != 2 or 0 in self.outline.shape:
            raise ValueError(f"the outline of {label} has shape {self.outline.shape}; expected (n_frames, n_points, 2)")
        n_points = self.outline.shape[1]
        count, expected = SHAPE_POINT_COUNTS.get(self.kind, (n_points, ""))
        if n_points != count:
            raise ValueError(f"{label} is a {self.kind} with {n_points} points; expected {expected}")
        if n_points < (3 if self.closed else 2):
            raise ValueError(f"{label} has {n_points} point(s); a line needs 2 and a closed outline 3")
        if self.values is not None:
            self.values = check_finite(self.values, f"the values of {label}")
            if self.values.shape != self.outline.shape[:2]:
                shape, expected = self.values.shape, self.outline.shape[:2]
                raise ValueError(f"the values of {label} have shape {shape}; expected {expected}, one per point")

    def at(self, frame: int) -> np.ndarray:
        """Points (n_points, 2), m, in one frame."""
        return self.outline[0 if len(self.outline) == 1 else frame]

    def edge(self, frame: int) -> tuple[np.ndarray, bool]:
        """Drawn line in one frame, (n, 2), m, and True if it is closed."""
        if self.kind not in ROUND_KINDS:
            return self.at(frame), self.closed
        centre, rim = self.at(frame)
        return circle_points(centre, float(np.hypot(*(rim - centre)))), True

    def extent(self) -> np.ndarray:
        """Points that span the extent of the shape, (n_frames, n, 2), m."""
        if self.kind not in ROUND_KINDS:
            return self.outline
        centre, rim = self.outline[:, :1], self.outline[:, 1:]
        radius = np.hypot(*np.moveaxis(rim - centre, 2, 0))[:, :, None]
        return centre + radius * np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])


def circle_points(centre: np.ndarray, radius: float) -> np.ndarray:
    """Points (CIRCLE_POINT_COUNT, 2) of a circle."""
    angle = 2 * np.pi * np.arange(CIRCLE_POINT_COUNT) / CIRCLE_POINT_COUNT
    return centre + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def nearest_point_on_line(line: np.ndarray, point: np.ndarray) -> np.ndarray:
    """The point on a line (n, 2) that is nearest to a point (2,)."""
    start, segment = line[:-1], np.diff(line, axis=0)
    length = np.maximum((segment**2).sum(axis=1), 1e-300)
    along = np.clip(((point - start) * segment).sum(axis=1) / length, 0.0, 1.0)
    feet = start + along[:, None] * segment
    return feet[((feet - point) ** 2).sum(axis=1).argmin()]


@dataclass
class BeamColouring:
    """Colour scale of beams, from -limit to limit, with grey for zero. limit: default: the 97 % quantile over the frames of
    the largest magnitude."""

    name: str
    unit: str
    limit: float | None = None


@dataclass
class PlanarScene:
    """A mechanism over time, with the data shown beside it.

    time: (n_frames,), s, never decreasing.
    joints: name to (n_frames, 2), m: the pins. Those named in `ground_joints` are drawn as fixed supports.
    traces: name to (n, 2), m: paths of points. A path with n = n_frames grows while the animation plays.
    signals: name to (time s, values, unit): plotted beside the animation; NaN leaves a gap.
    forces: name to (points (n_frames, 2), m, forces (n_frames, 2), N): drawn as arrows; NaN if there is none.
    table: rows of text, header first, shown below it.
    colouring: colour scale of shapes with values.
    deforming: deforming bodies; showing: their display.
    marks: name to (2,), m: unused points of the ground, shown by a cross if they are in the picture.
    frame: range of the picture, (left, right, bottom, top), m; default: `bounds()`. See `equalise_frames`.
    """

    title: str
    time: np.ndarray
    shapes: list[SceneShape] = field(default_factory=list)
    joints: dict[str, np.ndarray] = field(default_factory=dict)
    ground_joints: set[str] = field(default_factory=set)
    traces: dict[str, np.ndarray] = field(default_factory=dict)
    signals: dict[str, tuple[np.ndarray, np.ndarray, str]] = field(default_factory=dict)
    forces: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    table: list[tuple[str, ...]] = field(default_factory=list)
    colouring: BeamColouring | None = None
    deforming: list[DeformingBody] = field(default_factory=list)
    showing: DeformationDisplay = field(default_factory=DeformationDisplay)
    frame: tuple[float, float, float, float] | None = None
    marks: dict[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.time = check_times(self.time, "the time of the scene")
        n = len(self.time)
        if not self.shapes and not self.joints and not self.deforming:
            raise ValueError("the scene is empty; expected at least one shape or joint")
        if self.deforming:
            check_deforming_bodies(self.deforming, self.showing, n, 2)
        for shape in self.shapes:
            frames = len(shape.outline)
            if frames != n and not (shape.kind == "ground" and frames == 1):
                raise ValueError(f"shape '{shape.name}' has {frames} frame(s) but the scene has {n} times")
        self.joints = {name: _check_points(path, f"joint '{name}'", n) for name, path in self.joints.items()}
        self.traces = {name: _check_points(path, f"trace '{name}'") for name, path in self.traces.items()}
        self.signals = {name: check_signal(name, *signal) for name, signal in self.signals.items()}
        self.forces = {name: _check_force(name, *force, n) for name, force in self.forces.items()}
        if unknown := self.ground_joints - self.joints.keys():
            raise ValueError(f"ground joint '{min(unknown)}' is not among the joints of the scene")
        self.table = [tuple(str(cell) for cell in row) for row in self.table]
        if len({len(row) for row in self.table}) > 1:
            raise ValueError("the rows of the table differ in length; expected one cell per column of the header")

    def groups(self) -> dict[str, str]:
        """Names of parts in legends and for colours: their own, or with many parts the text before the first dash of their
        names, so that the links of leg "left1" have one colour."""
        parts = [shape.name for shape in self.shapes if shape.kind not in NEUTRAL_KINDS]
        names = list(dict.fromkeys([*parts, *(body.name for body in self.deforming)]))
        return {name: name.partition("-")[0] if len(names) > MAX_NAMED_PARTS else name for name in names}

    @property
    def n_frames(self) -> int:
        return len(self.time)

    def moving_points(self) -> np.ndarray:
        """All points of the mechanism, (n_frames, n, 2), m; those of the ground if there are no others."""
        parts = [shape.extent() for shape in self.shapes if shape.kind != "ground"]
        parts += [path[:, None] for path in self.joints.values()]
        parts += [body.extent(self.showing.exaggeration) for body in self.deforming]
        if not parts:
            parts = [np.broadcast_to(s.outline, (self.n_frames, *s.outline.shape[1:])) for s in self.shapes]
        return np.concatenate(parts, axis=1)

    def size(self) -> float:
        """Size of the mechanism, m: the larger side of its box in a typical frame. Never zero."""
        points = self.moving_points()
        typical = float(np.median((points.max(axis=1) - points.min(axis=1)).max(axis=1)))
        # A single point has no size: use the length of its path, or 1 m if it is at rest.
        return typical or float(np.ptp(points.reshape(-1, 2), axis=0).max()) or 1.0

    def bounds(self) -> tuple[float, float, float, float]:
        """The box (left, right, bottom, top), m, that contains every frame, with a margin for bars and supports.

        The ground counts too, but may widen the box only by a quarter of the mechanism's size on each side: a long floor
        must not shrink the mechanism to a dot. Its nearest point is included if it is not too far away, and in the picture
        of a single pose all corners of a terrain around it.
        """
        if self.frame is not None:
            return self.frame
        size = self.size()
        points = np.concatenate([self.moving_points().reshape(-1, 2), *self.traces.values()])
        low, high = points.min(axis=0), points.max(axis=0)
        middle, reach = (low + high) / 2, (high - low) / 2 + GROUND_REACH_RATIO * size
        for shape in self.shapes:
            if shape.kind != "ground":
                continue
            corners = shape.at(0) if self.n_frames == 1 else np.zeros((0, 2))
            around = np.vstack([low, high, nearest_point_on_line(shape.at(0), middle), corners])
            around = around[(np.abs(around - middle) <= reach).all(axis=1)]
            low, high = around.min(axis=0), around.max(axis=0)
            clipped = np.clip(shape.outline.reshape(-1, 2), low - size / 4, high + size / 4)
            low, high = np.minimum(low, clipped.min(axis=0)), np.maximum(high, clipped.max(axis=0))
        ground = any(shape.kind == "ground" for shape in self.shapes)  # its hatching has a minimum thickness on paper
        margin = max(0.09 * size, 0.025 * float((high - low).max()) if ground else 0.0)
        low, high = low - margin, high + margin
        # A minimum aspect ratio, for mechanisms that fall straight down or roll far.
        width, height = high - low
        room = np.array([max(0.6 * height - width, 0.0), max(0.22 * width - height, 0.0)]) / 2
        low, high = low - room, high + room
        return float(low[0]), float(high[0]), float(low[1]), float(high[1])

    def force_scale(self) -> float:
        """Metres of arrow per newton: the median force has an arrow of a quarter of the mechanism's size. The largest force
        is not used: one impact would make all other arrows invisible."""
        sizes = np.concatenate([np.zeros(0), *(np.hypot(*vectors.T) for _, vectors in self.forces.values())])
        sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
        return 0.25 * self.size() / float(np.median(sizes)) if sizes.size else 0.0

    def colour_limit(self) -> float:
        """Value with the strongest colour, never zero."""
        if self.colouring is not None and self.colouring.limit:
            return self.colouring.limit
        largest = [np.abs(s.values).max(axis=1) for s in self.shapes if s.values is not None]
        # A moment of impact must not turn all other frames grey.
        return float(np.quantile(np.max(largest, axis=0), 0.97)) or 1.0 if largest else 1.0

    def pick_frames(self, count: int) -> np.ndarray:
        """Indices of at most `count` frames, evenly spread over time; the picked times strictly increase."""
        return spread_indices(self.time, count)


def equalise_frames(scenes: Sequence[PlanarScene]) -> None:
    """Give scenes that are shown side by side one scale: frames of equal size, each about its own centre, with the same
    bottom."""
    boxes = [scene.bounds() for scene in scenes]
    wide, high = (max(box[k + 1] - box[k] for box in boxes) for k in (0, 2))
    for scene, (left, right, bottom, _) in zip(scenes, boxes, strict=True):
        middle = (left + right) / 2
        scene.frame = (middle - wide / 2, middle + wide / 2, bottom, bottom + high)


def spread_indices(time: np.ndarray, count: int) -> np.ndarray:
    """Indices of at most `count` of the times, evenly spread; the picked times strictly increase."""
    if count >= len(time):
        return np.unique(np.searchsorted(time, time))
    targets = np.linspace(time[0], time[-1], count)
    right = np.searchsorted(time, targets).clip(1, len(time) - 1)
    nearest = np.where(targets - time[right - 1] < time[right] - targets, right - 1, right)
    # An event is stored with the same time twice: use the first, or an animation would divide by zero between the two.
    return np.unique(np.searchsorted(time, time[nearest]))


def _check_points(values: Any, label: str, count: int | None = None) -> np.ndarray:
    points = check_finite(values, label)
    if points.ndim != 2 or points.shape[1] != 2 or not len(points) or count not in (None, len(points)):
        raise ValueError(f"{label} has shape {points.shape}; expected ({'n' if count is None else count}, 2)")
    return points


def _check_force(name: str, points: Any, vectors: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    points, vectors = np.asarray(points, dtype=float), np.asarray(vectors, dtype=float)
    for part_name, array in (("points", points), ("vectors", vectors)):
        if array.shape != (count, 2):
            raise ValueError(f"the {part_name} of force '{name}' have shape {array.shape}; expected ({count}, 2)")
    return points, vectors


def check_signal(name: str, time: Any, values: Any, unit: str) -> tuple[np.ndarray, np.ndarray, str]:
    """Check a curve over time, with NaN for gaps but otherwise finite; raise ValueError."""
    time, values = check_times(time, f"the time of signal '{name}'"), np.asarray(values, dtype=float)
    if np.isinf(values).any():
        raise ValueError(f"signal '{name}' is infinite somewhere; expected finite numbers, or NaN for a gap")
    if time.shape != values.shape:
        raise ValueError(f"signal '{name}' has {values.shape} values at {time.shape} times; expected one per time")
    return time, values, unit
