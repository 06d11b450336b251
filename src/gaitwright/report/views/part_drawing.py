"""Workshop drawings of a planar mechanism: every part with its holes and their distances, the assembled mechanism, and the
paths of points. File formats are in formats/ (DXF, SVG)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.drawing import (
    DrawingCircle,
    DrawingDimension,
    DrawingLabel,
    DrawingPath,
    DrawingPoint,
    TechnicalDrawing,
)
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.physics.attachments import BodyFrame, Place

SHEET_KINDS = ("all", "assembled", "parts", "skeleton")
BAR_WIDTH_RATIO = 2.6
"""Width of a bar, relative to the diameter of its holes."""
HOLE_DIAMETER_RATIO = 0.03
"""Default diameter of a hole, relative to the length of the median bar; rounded down to one significant digit."""
ROUND_DIGITS = (1, 2, 3, 4, 5, 6, 8)
HALF_CIRCLE_CORNERS = 16
"""Corners of half a circle."""
SAME_POINT_TOL_M = 1e-9
"""Distance below which a joint is at a named point, m."""
CURVE_LAYER, GROUND_LAYER, DIMENSION_LAYER, NAME_LAYER = "curves", "ground", "dimensions", "names"


class WorkshopPart(NamedTuple):
    """A rigid part. holes, marks: positions in its own frame, m, by name; of pins, and of its other points. pose: x, y,
    angle."""

    name: str
    holes: dict[str, np.ndarray]
    marks: dict[str, np.ndarray]
    pose: tuple[float, float, float]

    def placed(self, at: Any) -> np.ndarray:
        x, y, angle = self.pose
        c, s = math.cos(angle), math.sin(angle)
        return np.asarray(at) @ np.array([[c, s], [-s, c]]) + (x, y)


def collect_parts(mechanism: Mechanism, q: np.ndarray) -> list[WorkshopPart]:
    """The ground and all rigid bodies in a pose. There is a hole at each pin."""
    if mechanism.dimension != 2:
        ErrorContext("the drawing").fail(
            "is of a model in space", expected="a model of the plane; for space write .glb, which other viewers open"
        )
    pins: dict[str, list[np.ndarray]] = {}
    for names, element in mechanism.attached():
        if names.kind == "joint" and names.declaration.drawn_as == "pin":
            for body, at in zip(names.bodies, _attachment_points(element), strict=False):
                pins.setdefault(body, []).append(at)
    parts = []
    bodies = {"ground": mechanism.ground, **mechanism.body_names}
    for name, body in bodies.items():
        points = {point: np.array(at, dtype=float) for point, at in body.points.items()}
        mine = pins.get(name, [])
        holes = {
            point: at for point, at in points.items() if any(np.abs(at - pin).max() < SAME_POINT_TOL_M for pin in mine)
        }
        for pin in mine:  # a joint at a point without name, such as the centre of mass
            if not any(np.abs(at - pin).max() < SAME_POINT_TOL_M for at in holes.values()):
                holes[f"pin{len(holes) + 1}"] = pin
        marks = {point: at for point, at in points.items() if point not in holes}
        pose = (0.0, 0.0, 0.0) if name == "ground" else tuple(float(v) for v in q[body.index])
        if holes or marks:
            parts.append(WorkshopPart(name, holes, marks, pose))  # type: ignore[arg-type]
    if not any(part.holes or len(part.marks) > 1 for part in parts):
        ErrorContext("the drawing").fail(
            "has nothing to show", expected="a model with links or bodies that have points"
        )
    return parts


def _attachment_points(element: MechanismElement) -> list[np.ndarray]:
    """Positions of the attachments of an element on its bodies, in their frames."""
    positions, first = [], 0
    for kind, family in zip(element.declaration.attachments.values(), element.families, strict=True):
        count = len(family.markers[type(kind)].parameters)
        if isinstance(kind, (Place, BodyFrame)):
            positions.append(np.asarray(element.parameters[first : first + 2], dtype=float))
        first += count
    return positions


def make_part_drawing(
    mechanism: Mechanism,
    q: np.ndarray,
    *,
    sheet: str = "all",
    hole: float | None = None,
    curves: Mapping[str, np.ndarray] | None = None,
) -> TechnicalDrawing:
    """Create the drawing of a mechanism in a pose.

    sheet: assembled, parts (below each other, each in its own frame, with the distances of its holes), skeleton (lines from
    pin to pin, readable by `import`), or all (the first two). hole: diameter, m. curves: points (n, 2) by name, drawn with
    the assembled mechanism. Layers are named after the bodies; those of the assembled drawing start with `assembled`."""
    ErrorContext(field="sheet").one_of(sheet, SHEET_KINDS, "is no sheet")
    parts = collect_parts(mechanism, q)
    size = _default_hole(parts) if hole is None else _check_hole(hole, parts)
    drawing = TechnicalDrawing(mechanism.name)
    if sheet == "skeleton":
        _add_skeleton(drawing, parts)
    if sheet in ("all", "assembled"):
        for part in parts:
            _add_assembled(drawing, part, size)
        _add_names(drawing, parts, size)
    if sheet in ("all", "assembled"):
        for name, points in (curves or {}).items():
            drawing.paths.append(DrawingPath(np.asarray(points, dtype=float), f"{CURVE_LAYER} {name}"))
    if sheet in ("all", "parts"):
        _add_part_sheets(drawing, parts, size)
    return drawing


def _check_hole(hole: float, parts: Sequence[WorkshopPart]) -> float:
    ErrorContext(field="hole").positive(hole, "m")
    longest = max(_longest_distance([*part.holes.values(), *part.marks.values()]) for part in parts)
    if hole > longest / 2:
        ErrorContext(field="hole").fail(
            "is larger than the parts", hole, f"a diameter in m, well below {longest:.3g}, such as '6 mm'"
        )
    return hole


def _default_hole(parts: Sequence[WorkshopPart]) -> float:
    spans = [span for part in parts if (span := _longest_distance([*part.holes.values(), *part.marks.values()])) > 0.0]
    wanted = HOLE_DIAMETER_RATIO * float(np.median(spans)) if spans else 5e-3
    power = 10.0 ** math.floor(math.log10(wanted))
    return max(n for n in ROUND_DIGITS if n * power <= wanted * (1.0 + 1e-9)) * power


def _longest_distance(points: Sequence[np.ndarray]) -> float:
    return max((math.dist(a, b) for a, b in itertools.combinations(points, 2)), default=0.0)


def _rounded_outline(points: np.ndarray, radius: float) -> np.ndarray:
    """Convex hull of circles around points: two points give a bar with round ends, three or more a plate."""
    angle = np.pi * np.arange(2 * HALF_CIRCLE_CORNERS) / HALF_CIRCLE_CORNERS
    rim = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    cloud = (points[:, None] + rim).reshape(-1, 2)
    return cloud[_convex_hull(cloud)]


def _convex_hull(points: np.ndarray) -> list[int]:
    """Indices of the convex hull, counter-clockwise (Andrew's monotone chain)."""
    order = np.lexsort(points.round(12).T[::-1]).tolist()
    hull: list[int] = []
    for way in (order, order[::-1]):
        side: list[int] = []
        for k in way:
            while len(side) > 1 and _turn_direction(points[side[-2]], points[side[-1]], points[k]) <= 0.0:
                side.pop()
            side.append(k)
        hull += side[:-1]
    return hull


def _turn_direction(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _add_body(drawing: TechnicalDrawing, layer: str, holes: Any, marks: Any, size: float, dashed: bool = False) -> None:
    points = np.array([*holes, *marks], dtype=float).reshape(-1, 2)
    drawing.paths.append(DrawingPath(_rounded_outline(points, BAR_WIDTH_RATIO * size / 2), layer, True, dashed))
    drawing.circles += [DrawingCircle(at, size / 2, layer) for at in holes]
    drawing.marks += [DrawingPoint(at, layer) for at in marks]


def _add_assembled(drawing: TechnicalDrawing, part: WorkshopPart, size: float) -> None:
    layer = f"assembled {part.name}"
    holes, marks = ([part.placed(at) for at in some.values()] for some in (part.holes, part.marks))
    if part.name != "ground":
        _add_body(drawing, layer, holes, marks, size)
        return
    drawing.circles += [DrawingCircle(at, size / 2, layer) for at in holes]  # parts pinned to the ground remain visible
    drawing.marks += [DrawingPoint(at, layer) for at in marks]


def _add_names(drawing: TechnicalDrawing, parts: Sequence[WorkshopPart], size: float) -> None:
    """Add the names of parts at their centres, and of points, each once, beside them."""
    seen: set[tuple[float, ...]] = set()
    for part in parts:
        places = {name: part.placed(at) for name, at in (*part.holes.items(), *part.marks.items())}
        for name, at in places.items():
            key = tuple(np.round(at, 6).tolist())
            if key not in seen:
                seen.add(key)
                drawing.labels.append(DrawingLabel(name, at + np.array([1.0, 0.9]) * size, 1.1 * size, NAME_LAYER))
        if part.name != "ground" and len(places) > 1:
            middle = np.mean(list(places.values()), axis=0)
            drawing.labels.append(
                DrawingLabel(part.name, middle - np.array([0.0, 0.55 * size]), 1.1 * size, NAME_LAYER, True)
            )


def _add_skeleton(drawing: TechnicalDrawing, parts: Sequence[WorkshopPart]) -> None:
    """Add a line per bar, a closed line through the points of a plate, and pins of the ground as circles on the ground
    layer."""
    for part in parts:
        points = np.array([part.placed(at) for at in (*part.holes.values(), *part.marks.values())])
        if part.name == "ground":
            drawing.circles += [
                DrawingCircle(part.placed(at), _longest_distance(list(points)) / 50 or 1e-3, GROUND_LAYER)
                for at in part.holes.values()
            ]
        elif len(points) > 1:
            drawing.paths.append(DrawingPath(points, part.name, len(points) > 2))


def _add_part_sheets(drawing: TechnicalDrawing, parts: Sequence[WorkshopPart], size: float) -> None:
    """Add the parts below each other, to the right of the existing drawing, each aligned with its longest distance."""
    height, gap = 1.2 * size, 2.5 * size
    before = drawing.points()
    left = float(before[:, 0].max()) + 8 * size if len(before) else 0.0
    top = float(before[:, 1].max()) if len(before) else 0.0
    for part in parts:
        one = TechnicalDrawing()
        names, points = [*part.holes, *part.marks], np.array([*part.holes.values(), *part.marks.values()])
        points = _rotate_level(points)
        holes = points[: len(part.holes)]
        _add_body(one, part.name, holes, points[len(part.holes) :], size)
        middle = float(points[:, 0].mean())
        for name, at in zip(names, points, strict=True):  # beside its hole, towards the middle
            letters = 0.7 * height
            beside = -(0.8 * size + 0.85 * letters * len(name)) if at[0] > middle else 0.8 * size
            one.labels.append(DrawingLabel(name, at + np.array([beside, -letters / 2]), letters, DIMENSION_LAYER))
        off = BAR_WIDTH_RATIO * size / 2 + 2.0 * height
        for i, j in dimension_pairs(points):
            a, b = (i, j) if points[i][0] <= points[j][0] else (j, i)
            # away from the centre of the part; for a bar above it
            side = -1.0 if _turn_direction(points[a], points[b], points.mean(axis=0)) > 1e-12 else 1.0
            one.dimensions.append(DrawingDimension(points[a], points[b], side * off, height, DIMENSION_LAYER))
        counts = {"hole": len(holes), "other point": len(points) - len(holes)}
        listed = ", ".join(f"{n} {what}{'s' * (n != 1)}" for what, n in counts.items() if n or what == "hole")
        heading = f"{part.name}: {listed}"
        reach = one.points()
        one.labels.append(
            DrawingLabel(heading, (reach[:, 0].min(), reach[:, 1].max() + height), height, DIMENSION_LAYER)
        )
        reach = one.points()
        shift = np.array([left - reach[:, 0].min(), top - reach[:, 1].max()])
        _append_drawing(drawing, one, shift)
        top -= float(np.ptp(reach[:, 1])) + gap


def dimension_pairs(points: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of points with distances that define the shape: 2 n - 3 of them, starting from the two farthest points; for up to
    three points all pairs."""
    if len(points) < 2:
        return []
    i, j = max(itertools.combinations(range(len(points)), 2), key=lambda p: (math.dist(points[p[0]], points[p[1]]), p))
    others = [k for k in range(len(points)) if k not in (i, j)]
    return [*((end, k) for k in others for end in (i, j)), (i, j)]


def _rotate_level(points: np.ndarray) -> np.ndarray:
    """Rotate points so that the two farthest points are level, with the first on the left."""
    pairs = dimension_pairs(points)
    if not pairs:
        return points - points[0]
    i, j = pairs[-1]
    way = (points[j] - points[i]) / max(math.dist(points[i], points[j]), 1e-300)
    return (points - points[i]) @ np.array([[way[0], -way[1]], [way[1], way[0]]])


def _append_drawing(drawing: TechnicalDrawing, one: TechnicalDrawing, shift: np.ndarray) -> None:
    drawing.paths += [DrawingPath(np.asarray(p.points) + shift, p.layer, p.closed, p.dashed) for p in one.paths]
    drawing.circles += [DrawingCircle(np.asarray(c.centre) + shift, c.radius, c.layer) for c in one.circles]
    drawing.marks += [DrawingPoint(np.asarray(m.at) + shift, m.layer) for m in one.marks]
    drawing.labels += [DrawingLabel(t.text, np.asarray(t.at) + shift, t.height, t.layer, t.centred) for t in one.labels]
    drawing.dimensions += [
        DrawingDimension(np.asarray(d.a) + shift, np.asarray(d.b) + shift, d.off, d.height, d.layer)
        for d in one.dimensions
    ]
