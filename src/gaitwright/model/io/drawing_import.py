"""Conversion of a line drawing from CAD and drawing programs to a mechanism of links.

A line is a link, an open or closed polyline one rigid link through all of its points. Ends that coincide within a tolerance are
pins; an end on another line is a pin in the middle of that link. Circles and points on a ground layer fix the pin at their
place, lines there fix their ends. Imprecise drawings are snapped, and moved ends are reported in notes."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.formats.drawing import TechnicalDrawing

GROUND_LAYER_PREFIXES = ("ground", "frame", "fixed", "base", "chassis")
"""Prefixes of ground layers, unless a layer is given."""
CIRCLES_LAYER = "circles"
"""Value of the option `ground` for all circles and points on any layer."""
ANNOTATION_LAYER_PREFIXES = ("curves", "dimensions", "names")
"""Prefixes of annotation layers in drawings of Gaitwright."""
SNAP_TOLERANCE_RATIO = 5e-3
"""Default tolerance for closing gaps, relative to the diagonal of the drawing."""
REPORTED_GAP_RATIO = 1e-7
"""Gaps below this fraction of the diagonal are rounding and not reported."""
DEFAULT_MASS_PER_LENGTH_KG_M = 1.0
"""Default mass of links, kg/m: a steel bar of 16 by 8 mm."""
MAX_LINES = 3000
"""Maximum number of lines: beyond it a drawing is a picture and not a mechanism."""


class SnappedPins(NamedTuple):
    """points: (n, 2), m, of pins. of: pin of each end. gaps: largest distance of the ends of each pin, m."""

    points: np.ndarray
    of: list[int]
    gaps: np.ndarray


def convert_drawing(
    drawing: TechnicalDrawing,
    source: str,
    *,
    name: str = "drawing",
    ground: str | None = None,
    tolerance: float | None = None,
    mass_per_length: float = DEFAULT_MASS_PER_LENGTH_KG_M,
    crank: str | None = None,
) -> tuple[dict[str, Any], list[str]]:
    """Document of a planar model, and sentences about assumptions and snapped ends.

    ground: ground layer, or "circles"; default all layers with a ground prefix. tolerance: m, of gaps to be closed.
    mass_per_length: kg/m of all links. crank: link that is driven with one turn per second."""
    return _LinkageReader(drawing, ErrorContext(source), ground, tolerance).document(name, mass_per_length, crank)


class _LinkageReader:
    def __init__(self, drawing: TechnicalDrawing, at: ErrorContext, ground: str | None, tolerance: float | None):
        self.drawing, self.at, self.notes = drawing, at, list(drawing.notes)
        self.layers = self._ground_layers(ground)
        annotation_layers = [path.layer for path in drawing.paths if path.layer.startswith(ANNOTATION_LAYER_PREFIXES)]
        if annotation_layers:
            self.notes.append(f"layers that are no links are left out: {', '.join(dict.fromkeys(annotation_layers))}")
        layers = {path.layer for path in drawing.paths}
        if any(f"assembled {layer}" in layers for layer in layers):
            self.notes.append(
                "this is a sheet of parts that `gaitwright export` drew: its outlines become links; "
                "export it with --sheet skeleton for lines from pin to pin"
            )
        paths = [(path.layer, _path_corners(path)) for path in drawing.paths if path.layer not in annotation_layers]
        self.fixed = [points for layer, points in paths if layer in self.layers]
        self.lines = [(layer, points) for layer, points in paths if layer not in self.layers]
        if not self.lines:
            at.fail(
                "has no lines that could be links", expected="straight lines or polylines on a layer beside the ground"
            )
        if len(self.lines) > MAX_LINES:
            at.fail(f"has {len(self.lines)} lines", expected=f"at most {MAX_LINES}: the centre lines of links alone")
        ends = np.concatenate([points for _, points in self.lines])
        self.size = float(np.linalg.norm(np.ptp(ends, axis=0)))
        if not self.size:
            at.fail("has only lines without length", expected="lines from pin to pin")
        self.near = (
            SNAP_TOLERANCE_RATIO * self.size
            if tolerance is None
            else ErrorContext(field="tolerance").positive(tolerance, "m")
        )
        self.pins = self._snap()

    def _ground_layers(self, ground: str | None) -> set[str]:
        layers = self.drawing.layers()
        if ground is None:
            return {layer for layer in layers if layer.lower().startswith(GROUND_LAYER_PREFIXES)}
        if ground != CIRCLES_LAYER and ground not in layers:
            ErrorContext(field="ground").fail(
                f"there is no layer '{ground}'", ground, format_choices(ground, [*layers, CIRCLES_LAYER])
            )
        return {ground}

    def _snap(self) -> SnappedPins:
        ends = np.concatenate([points for _, points in self.lines])
        group = _cluster_points(ends, self.near)
        count = max(group) + 1
        points = np.array([ends[[g == k for g in group]].mean(axis=0) for k in range(count)])
        gaps = np.array([_largest_distance(ends[[g == k for g in group]]) for k in range(count)])
        return SnappedPins(points, group, gaps)

    def document(self, name: str, mass_per_length: float, crank: str | None) -> tuple[dict[str, Any], list[str]]:
        bars = self._bars()
        grounded = self._grounded()
        names = _point_names(len(self.pins.points), grounded)
        places = {k: [float(x) + 0.0 for x in self.pins.points[k]] for k in range(len(self.pins.points))}
        links = []
        for link, pins in bars.items():
            (x0, y0), (x1, y1) = (self.pins.points[k] for k in pins[:2])
            length = math.hypot(x1 - x0, y1 - y0)
            path_length = sum(math.dist(self.pins.points[i], self.pins.points[j]) for i, j in itertools.pairwise(pins))
            entry: dict[str, Any] = {"name": link, "from": names[pins[0]], "to": names[pins[1]]}
            entry["mass"] = f"mass_per_length*{max(path_length, length):.6g}"
            if inner_points := {names[k]: self._inside(pins, k) for k in pins[2:]}:
                entry["points"] = inner_points
            links.append(entry)
        document: dict[str, Any] = {"gaitwright": 1, "name": name, "dimension": 2}
        document["parameters"] = {
            "mass_per_length": ErrorContext(field="mass_per_length").positive(mass_per_length, "kg/m")
        }
        document["ground"] = {"points": {names[k]: places[k] for k in grounded}}
        used = {k for pins in bars.values() for k in pins[:2]}  # others are only points of their link
        document["points"] = {names[k]: places[k] for k in sorted(used - set(grounded))}
        document["links"] = links
        if crank is not None:
            ErrorContext(field="crank").one_of(crank, list(bars), "is no link of the drawing")
            (x0, y0), (x1, y1) = (self.pins.points[k] for k in bars[crank][:2])
            angle = f"{math.atan2(y1 - y0, x1 - x0):.9g} + 2*pi*t"
            document["drives"] = [{"type": "rotation", "body": crank, "angle": angle}]
            document["analysis"] = {"type": "inverse", "until": 1, "step": 5e-3}
        self._say(names, grounded, mass_per_length)
        return document, self.notes

    def _bars(self) -> dict[str, list[int]]:
        """Pins of every link by name, ends first."""
        raw: list[tuple[str, list[int]]] = []
        first_end, layer_by_pins = 0, dict[tuple[int, ...], str]()
        for layer, points in self.lines:
            pins = list(dict.fromkeys(self.pins.of[first_end : first_end + len(points)]))
            first_end += len(points)
            if len(pins) < 2:
                reach = f"{1e3 * _largest_distance(points):.3g} mm"
                self.at.fail(
                    f"has a line of {reach} on layer '{layer}', shorter than the gap that is closed",
                    f"{1e3 * self.near:.3g} mm", "a smaller tolerance (--tolerance), or no such line",
                )  # fmt: skip
            key = tuple(sorted(pins))
            if key in layer_by_pins:
                self.notes.append(
                    f"two lines between the same points count once: on layers '{layer_by_pins[key]}' and '{layer}'"
                )
                continue
            layer_by_pins[key] = layer
            raw.append((layer, pins))
        for k, (_, pins) in enumerate(raw):
            pins += [pin for pin in self._touching(k, pins, [p for _, p in raw]) if pin not in pins]
        return dict(zip(_link_names([layer for layer, _ in raw]), [pins for _, pins in raw], strict=True))

    def _touching(self, own_index: int, pins: list[int], others: list[list[int]]) -> list[int]:
        """Ends of other lines that lie on this one, between its ends."""
        if len(pins) != 2:
            return []
        a, b = (self.pins.points[k] for k in pins)
        direction = (b - a) / np.linalg.norm(b - a)
        touching = []
        for pin in {pin for k, other_pins in enumerate(others) if k != own_index for pin in other_pins[:2]} - set(pins):
            offset = self.pins.points[pin] - a
            distance = abs(offset[0] * direction[1] - offset[1] * direction[0])
            if distance <= self.near and self.near < offset @ direction < np.linalg.norm(b - a) - self.near:
                touching.append(pin)
        return sorted(touching)

    def _inside(self, pins: list[int], pin: int) -> list[float]:
        """Point in the frame of a link: origin in the middle of its first two points, x towards the second."""
        a, b, c = (self.pins.points[k] for k in (*pins[:2], pin))
        x, y = (b - a) / np.linalg.norm(b - a)
        offset = c - (a + b) / 2
        return [float(x * offset[0] + y * offset[1]), float(x * offset[1] - y * offset[0])]

    def _grounded(self) -> list[int]:
        """Pins at the circles, points and lines of the ground."""
        takes_all = CIRCLES_LAYER in self.layers
        marks = [c.centre for c in self.drawing.circles if takes_all or c.layer in self.layers]
        marks += [m.at for m in self.drawing.marks if takes_all or m.layer in self.layers]
        marks += [point for points in self.fixed for point in points]
        grounded, missed_count = [], 0
        for mark in marks:
            gaps = np.linalg.norm(self.pins.points - np.asarray(mark), axis=1)
            k = int(gaps.argmin())
            if gaps[k] > self.near:
                missed_count += 1
            elif k not in grounded:
                grounded.append(k)
        if missed_count:
            self.notes.append(f"{missed_count} marks of the ground stand on no end of a line and are left out")
        return grounded

    def _say(self, names: list[str], grounded: list[int], mass_per_length: float) -> None:
        moved = [k for k, gap in enumerate(self.pins.gaps) if gap > REPORTED_GAP_RATIO * self.size]
        if moved:
            listed = ", ".join(f"{names[k]} ({1e3 * self.pins.gaps[k]:.3g} mm)" for k in moved)
            self.notes.append(f"ends that were apart were brought together: {listed}")
        close_pairs = [pair for pair in _find_close_pairs(self.pins.points, 3.0 * self.near) if pair[0] != pair[1]]
        if close_pairs:
            listed = ", ".join(
                f"{names[i]} and {names[j]} ({1e3 * math.dist(self.pins.points[i], self.pins.points[j]):.3g} mm)"
                for i, j in close_pairs[:5]
            )
            self.notes.append(f"points that are close but not pinned: {listed}; a larger --tolerance pins them")
        if not grounded:
            layers = ", ".join(dict.fromkeys(layer for layer, _ in self.lines)) or "none"
            self.notes.append(
                "nothing is fixed: no circle, point or line is on a layer called ground; "
                f"--ground LAYER names another, --ground circles takes all circles (layers: {layers})"
            )
        self.notes.append(f"the drawing has no masses: links have {mass_per_length:g} kg/m (parameter mass_per_length)")


def _path_corners(path: Any) -> np.ndarray:
    """Points of a line; the end is omitted if it coincides with the start."""
    points = np.asarray(path.points, dtype=float).reshape(-1, 2)
    return points[:-1] if len(points) > 2 and np.array_equal(points[0], points[-1]) else points


def _cluster_points(points: np.ndarray, near: float) -> list[int]:
    """Group index of each point; points within the distance `near` are in one group, also through others."""
    owner = list(range(len(points)))

    def root(k: int) -> int:
        while owner[k] != k:
            owner[k] = owner[owner[k]]
            k = owner[k]
        return k

    for i, j in _find_close_pairs(points, near):
        owner[root(i)] = root(j)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(k), len(numbers)) for k in range(len(points))]


def _find_close_pairs(points: np.ndarray, near: float) -> list[tuple[int, int]]:
    from scipy.spatial import KDTree

    return sorted(KDTree(points).query_pairs(near))


def _largest_distance(points: np.ndarray) -> float:
    """Largest distance of two points, m."""
    return float(np.linalg.norm(points[:, None] - points[None], axis=2).max())


def _point_names(count: int, grounded: list[int]) -> list[str]:
    """Names O1, O2, ... on the ground; A, B, ... Z, A1, B1, ... elsewhere."""
    letters = (f"{letter}{turn or ''}" for turn in itertools.count() for letter in "ABCDEFGHIJKLMNPQRSTUVWXYZ")
    return [f"O{grounded.index(k) + 1}" if k in grounded else next(letters) for k in range(count)]


def _link_names(layers: list[str]) -> list[str]:
    """Link names: the layer of a single link on it, otherwise with a number; link1, ... if the layer has a generic name."""
    names: list[str] = []
    for k, layer in enumerate(layers):
        name = re.sub(r"[^\w-]", "_", layer.removeprefix("assembled ")).strip("_")
        plain = not re.match(r"[^\W\d]", name) or name.lower().startswith("layer")
        name = (
            f"link{k + 1}" if plain else name if layers.count(layer) == 1 else f"{name}-{layers[:k].count(layer) + 1}"
        )
        while name in names:
            name += "_"
        names.append(name)
    return names
