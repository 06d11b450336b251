"""Drawings of a plane mechanism for the workshop: every part with its holes and their distances, the whole assembled, and the
curves of points. What they are written as is in formats/ (DXF, SVG)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.formats.drawing import Circle, Dimension, Drawing, Label, Mark, Path
from gaitwright.physics.declare import Frame, Place
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism

SHEETS = ("all", "assembled", "parts", "skeleton")
WIDE = 2.6
"""Width of a bar, in diameters of its holes."""
HOLE = 0.03
"""Diameter of a hole, in lengths of the median bar, where none is given; rounded down to a nice number."""
NICE = (1, 2, 3, 4, 5, 6, 8)
ROUND = 16
"""Corners of half a circle."""
SAME = 1e-9
"""m, distance below which a joint stands at a named point."""
CURVES, FRAME, NOTES, NAMES = "curves", "ground", "dimensions", "names"


class Part(NamedTuple):
    """A rigid part. holes, marks: places in its own frame, m, by name; of pins, and of its other points. pose: x, y, angle."""

    name: str
    holes: dict[str, np.ndarray]
    marks: dict[str, np.ndarray]
    pose: tuple[float, float, float]

    def placed(self, at: Any) -> np.ndarray:
        x, y, angle = self.pose
        c, s = math.cos(angle), math.sin(angle)
        return np.asarray(at) @ np.array([[c, s], [-s, c]]) + (x, y)


def parts_of(mechanism: Mechanism, q: np.ndarray) -> list[Part]:
    """The ground and all rigid bodies in a pose. A hole is where a pin is."""
    if mechanism.dimension != 2:
        At("the drawing").fail(
            "is of a model in space", expected="a model of the plane; for space write .glb, which other viewers open"
        )
    pins: dict[str, list[np.ndarray]] = {}
    for names, element in mechanism.attached():
        if names.kind == "joint" and names.declaration.drawn_as == "pin":
            for body, at in zip(names.bodies, _places(element), strict=False):
                pins.setdefault(body, []).append(at)
    found = []
    bodies = {"ground": mechanism.ground, **mechanism.body_names}
    for name, body in bodies.items():
        points = {point: np.array(at, dtype=float) for point, at in body.points.items()}
        mine = pins.get(name, [])
        holes = {point: at for point, at in points.items() if any(np.abs(at - pin).max() < SAME for pin in mine)}
        for pin in mine:  # a joint at a place that has no name, such as the centre of mass
            if not any(np.abs(at - pin).max() < SAME for at in holes.values()):
                holes[f"pin{len(holes) + 1}"] = pin
        marks = {point: at for point, at in points.items() if point not in holes}
        pose = (0.0, 0.0, 0.0) if name == "ground" else tuple(float(v) for v in q[body.index])
        if holes or marks:
            found.append(Part(name, holes, marks, pose))  # type: ignore[arg-type]
    if not any(part.holes or len(part.marks) > 1 for part in found):
        At("the drawing").fail("has nothing to show", expected="a model with links or bodies that have points")
    return found


def _places(element: Element) -> list[np.ndarray]:
    """Where an element stands on its bodies, in their frames."""
    found, first = [], 0
    for kind, family in zip(element.declaration.attachments.values(), element.families, strict=True):
        count = len(family.markers[type(kind)].parameters)
        if isinstance(kind, (Place, Frame)):
            found.append(np.asarray(element.parameters[first : first + 2], dtype=float))
        first += count
    return found


def part_drawing(
    mechanism: Mechanism,
    q: np.ndarray,
    *,
    sheet: str = "all",
    hole: float | None = None,
    curves: Mapping[str, np.ndarray] | None = None,
) -> Drawing:
    """The drawing of a mechanism in a pose.

    sheet: assembled, parts (each beside the other, in its own frame, with the distances of its holes), skeleton (lines from
    pin to pin, as they are read again), or all of the first two. hole: diameter, m. curves: points (n, 2) by name, drawn
    where the mechanism is assembled. Layers are called after the bodies; those of the assembled drawing begin with
    `assembled`."""
    At(field="sheet").one_of(sheet, SHEETS, "is no sheet")
    parts = parts_of(mechanism, q)
    size = _usual_hole(parts) if hole is None else _given_hole(hole, parts)
    drawing = Drawing(mechanism.name)
    if sheet == "skeleton":
        _skeleton(drawing, parts)
    if sheet in ("all", "assembled"):
        for part in parts:
            _assembled(drawing, part, size)
        _named(drawing, parts, size)
    if sheet in ("all", "assembled"):
        for name, points in (curves or {}).items():
            drawing.paths.append(Path(np.asarray(points, dtype=float), f"{CURVES} {name}"))
    if sheet in ("all", "parts"):
        _sheet(drawing, parts, size)
    return drawing


def _given_hole(hole: float, parts: Sequence[Part]) -> float:
    At(field="hole").positive(hole, "m")
    longest = max(_span([*part.holes.values(), *part.marks.values()]) for part in parts)
    if hole > longest / 2:
        At(field="hole").fail(
            "is larger than the parts", hole, f"a diameter in m, well below {longest:.3g}, such as '6 mm'"
        )
    return hole


def _usual_hole(parts: Sequence[Part]) -> float:
    spans = [span for part in parts if (span := _span([*part.holes.values(), *part.marks.values()])) > 0.0]
    wanted = HOLE * float(np.median(spans)) if spans else 5e-3
    power = 10.0 ** math.floor(math.log10(wanted))
    return max(n for n in NICE if n * power <= wanted * (1.0 + 1e-9)) * power


def _span(points: Sequence[np.ndarray]) -> float:
    return max((math.dist(a, b) for a, b in itertools.combinations(points, 2)), default=0.0)


def _outline(points: np.ndarray, radius: float) -> np.ndarray:
    """The hull of circles about points: two make a bar with round ends, three and more a plate."""
    angle = np.pi * np.arange(2 * ROUND) / ROUND
    rim = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    cloud = (points[:, None] + rim).reshape(-1, 2)
    return cloud[_hull(cloud)]


def _hull(points: np.ndarray) -> list[int]:
    """Indices of the convex hull, counter-clockwise (Andrew's monotone chain)."""
    order = np.lexsort(points.round(12).T[::-1]).tolist()
    found: list[int] = []
    for way in (order, order[::-1]):
        side: list[int] = []
        for k in way:
            while len(side) > 1 and _turn(points[side[-2]], points[side[-1]], points[k]) <= 0.0:
                side.pop()
            side.append(k)
        found += side[:-1]
    return found


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _body(drawing: Drawing, layer: str, holes: Any, marks: Any, size: float, dashed: bool = False) -> None:
    points = np.array([*holes, *marks], dtype=float).reshape(-1, 2)
    drawing.paths.append(Path(_outline(points, WIDE * size / 2), layer, True, dashed))
    drawing.circles += [Circle(at, size / 2, layer) for at in holes]
    drawing.marks += [Mark(at, layer) for at in marks]


def _assembled(drawing: Drawing, part: Part, size: float) -> None:
    layer = f"assembled {part.name}"
    holes, marks = ([part.placed(at) for at in some.values()] for some in (part.holes, part.marks))
    if part.name != "ground":
        _body(drawing, layer, holes, marks, size)
        return
    drawing.circles += [Circle(at, size / 2, layer) for at in holes]  # what is pinned to the ground is not hidden by it
    drawing.marks += [Mark(at, layer) for at in marks]


def _named(drawing: Drawing, parts: Sequence[Part], size: float) -> None:
    """Names of parts at their middles, and of points, each once, beside them."""
    seen: set[tuple[float, ...]] = set()
    for part in parts:
        places = {name: part.placed(at) for name, at in (*part.holes.items(), *part.marks.items())}
        for name, at in places.items():
            key = tuple(np.round(at, 6).tolist())
            if key not in seen:
                seen.add(key)
                drawing.labels.append(Label(name, at + np.array([1.0, 0.9]) * size, 1.1 * size, NAMES))
        if part.name != "ground" and len(places) > 1:
            middle = np.mean(list(places.values()), axis=0)
            drawing.labels.append(Label(part.name, middle - np.array([0.0, 0.55 * size]), 1.1 * size, NAMES, True))


def _skeleton(drawing: Drawing, parts: Sequence[Part]) -> None:
    """A line per bar, a closed line through the points of a plate; pins of the ground as circles on a layer of that name."""
    for part in parts:
        points = np.array([part.placed(at) for at in (*part.holes.values(), *part.marks.values())])
        if part.name == "ground":
            drawing.circles += [
                Circle(part.placed(at), _span(list(points)) / 50 or 1e-3, FRAME) for at in part.holes.values()
            ]
        elif len(points) > 1:
            drawing.paths.append(Path(points, part.name, len(points) > 2))


def _sheet(drawing: Drawing, parts: Sequence[Part], size: float) -> None:
    """Parts below each other at the right of what is drawn already, each lying along its longest distance."""
    height, gap = 1.2 * size, 2.5 * size
    before = drawing.points()
    left = float(before[:, 0].max()) + 8 * size if len(before) else 0.0
    top = float(before[:, 1].max()) if len(before) else 0.0
    for part in parts:
        one = Drawing()
        names, points = [*part.holes, *part.marks], np.array([*part.holes.values(), *part.marks.values()])
        points = _laid(points)
        holes = points[: len(part.holes)]
        _body(one, part.name, holes, points[len(part.holes) :], size)
        middle = float(points[:, 0].mean())
        for name, at in zip(names, points, strict=True):  # beside its hole, on the side of the middle
            letters = 0.7 * height
            beside = -(0.8 * size + 0.85 * letters * len(name)) if at[0] > middle else 0.8 * size
            one.labels.append(Label(name, at + np.array([beside, -letters / 2]), letters, NOTES))
        off = WIDE * size / 2 + 2.0 * height
        for i, j in distances(points):
            a, b = (i, j) if points[i][0] <= points[j][0] else (j, i)
            # away from the middle of the part; of a bar above it
            side = -1.0 if _turn(points[a], points[b], points.mean(axis=0)) > 1e-12 else 1.0
            one.dimensions.append(Dimension(points[a], points[b], side * off, height, NOTES))
        counts = {"hole": len(holes), "other point": len(points) - len(holes)}
        listed = ", ".join(f"{n} {what}{'s' * (n != 1)}" for what, n in counts.items() if n or what == "hole")
        said = f"{part.name}: {listed}"
        reach = one.points()
        one.labels.append(Label(said, (reach[:, 0].min(), reach[:, 1].max() + height), height, NOTES))
        reach = one.points()
        shift = np.array([left - reach[:, 0].min(), top - reach[:, 1].max()])
        _add(drawing, one, shift)
        top -= float(np.ptp(reach[:, 1])) + gap


def distances(points: np.ndarray) -> list[tuple[int, int]]:
    """Pairs whose distances fix where points are to each other: 2 n - 3 of them, from the two that are farthest apart; of up
    to three points all."""
    if len(points) < 2:
        return []
    i, j = max(itertools.combinations(range(len(points)), 2), key=lambda p: (math.dist(points[p[0]], points[p[1]]), p))
    others = [k for k in range(len(points)) if k not in (i, j)]
    return [*((end, k) for k in others for end in (i, j)), (i, j)]


def _laid(points: np.ndarray) -> np.ndarray:
    """Points turned so that the two that are farthest apart lie level, the first at the left."""
    pairs = distances(points)
    if not pairs:
        return points - points[0]
    i, j = pairs[-1]
    way = (points[j] - points[i]) / max(math.dist(points[i], points[j]), 1e-300)
    return (points - points[i]) @ np.array([[way[0], -way[1]], [way[1], way[0]]])


def _add(drawing: Drawing, one: Drawing, shift: np.ndarray) -> None:
    drawing.paths += [Path(np.asarray(p.points) + shift, p.layer, p.closed, p.dashed) for p in one.paths]
    drawing.circles += [Circle(np.asarray(c.centre) + shift, c.radius, c.layer) for c in one.circles]
    drawing.marks += [Mark(np.asarray(m.at) + shift, m.layer) for m in one.marks]
    drawing.labels += [Label(t.text, np.asarray(t.at) + shift, t.height, t.layer, t.centred) for t in one.labels]
    drawing.dimensions += [
        Dimension(np.asarray(d.a) + shift, np.asarray(d.b) + shift, d.off, d.height, d.layer) for d in one.dimensions
    ]
