"""Surfaces as pieces of elementary geometry: a line, a terrain, a circle, a bar, a face of a body.

A surface is walked with the solid on its right: from left to right when it lies below. What touches it is a circle of a
given radius, 0 for a point. Near the surface each place belongs to one piece, so that gaps go over into each other:

- A convex corner (the walk turns right) is rounded for circles by a piece of its own, between the perpendiculars of its
  two faces; inside the solid the faces share the place by the bisector (`lean`).
- At a concave corner (the walk turns left) a circle may touch both faces, as a ball in a groove does: each face holds where
  the foot of the perpendicular lies on it, that is, where it is nearer than its surroundings. While the corner itself is
  outside the circle these are two contacts. Once it is inside, they are one, and counting both would count it twice; so the
  corner counts -1 (`weight`) where both faces hold, with the force of its own penetration. A face and its corner come and go
  together, at the perpendicular of the face, with the same penetration, normal and slip: nothing jumps, elastic laws keep
  energy, and a trough of many chords is as stiff as one face. In other words: every place that is nearest among its
  neighbours counts 1, every place that is farthest -1, so that each stretch of ground inside the circle counts once. (Two
  rejected: to let both faces go on beyond the corner, which pushed from afar and made fine troughs stiff; and to share the
  place by the bisector, where what rests at the bottom of a groove is handed back and forth for ever.)
- What is inside the solid behind a concave corner is nearest to the corner (`Notch`).
- No piece holds behind another side of the solid: a thin wall is shared by its two faces (`depth`).
- Faces are longer than they are by a hair, and the wedges of corners narrower by half of it: what comes down exactly above
  an end is met by the face alone, whatever the rounding, and nothing falls through between two pieces.

Frame: that of the body that carries the surface, m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.physics.contact_geometry.corner import Corner
from gaitwright.physics.contact_geometry.face import Face
from gaitwright.physics.contact_geometry.notch import Notch
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declare import NO_DIRECTION, Shape
from gaitwright.system.blocks import Table

FAR = 1e9
"""Further, m, than anything moves."""
HAIR = 1e-9
"""Width of the seam between two pieces, rad as seen from the centre of a circle."""
STRAIGHT = 10 * HAIR
"""Turns below this, rad, are none: two faces with such a corner are one."""
COINCIDENT = 1e-12
"""Points nearer than this, relative to the size of the surface, are the same."""
ROUND = 72
"""Corners of a circle in a picture."""

Vector = tuple[float, float]
Array = np.ndarray


class Piece(NamedTuple):
    """An elementary shape, where its origin lies, m, its parameters, what its force and energy count, and what it looks up."""

    shape: type[Shape]
    at: Vector
    numbers: dict[str, Any]
    weight: float = 1.0
    field: Table | None = None

    def values(self) -> list[float]:
        """Its parameters in the order in which the shape declares them, without those that are looked up."""
        given = (self.numbers[name] for name in self.shape.parameters if name in self.numbers)
        return [x for value in given for x in (value if isinstance(value, tuple) else (value,))]


class Surface(NamedTuple):
    """Pieces, and the outline for pictures: (n, 2), m, solid on the right."""

    pieces: list[Piece]
    outline: Array


def line_surface(
    a: float, b: float, c: float, radius: float, about: Vector = (0.0, 0.0), extent: float = 1.0
) -> Surface:
    """a x + b y + c = 0, solid where it is negative. The picture shows `extent` (m) to both sides of the place nearest to
    `about`; the surface has no ends."""
    size = (a * a + b * b) ** 0.5
    if size < NO_DIRECTION:
        At(field="line").fail(
            "the normal [a, b] of the line is zero",
            [a, b, c],
            "[a, b, c] of a x + b y + c = 0 with a or b different from 0",
        )
    # In plain arithmetic: numbers may remember the parameters that they come from (design/many/lowering.py).
    normal = (a / size, b / size)
    start = (-c / size * normal[0], -c / size * normal[1])
    tangent = np.array([float(normal[1]), -float(normal[0])])
    middle = np.array([float(x) for x in start]) + np.dot(tangent, about) * tangent
    piece = Piece(PlaneShape, start, {"direction": normal, "radius": radius})
    return Surface([piece], np.array([middle - extent * tangent, middle + extent * tangent]))


def circle_surface(centre: Vector, own_radius: float, radius: float) -> Surface:
    """A circle of `own_radius` about a point of a body."""
    if own_radius == 0.0 and radius == 0.0:
        At(field="circle").fail(
            "two points cannot touch: there is no direction between them",
            own_radius,
            "a radius above 0 m for one of them",
        )
    angles = np.linspace(0.0, -2.0 * math.pi, ROUND + 1)
    outline = np.array(centre) + own_radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Surface([Piece(SphereShape, _pair(centre), {"radius_a": own_radius, "radius": radius})], outline)


def segment_surface(start: Vector, end: Vector, radius: float) -> Surface:
    """A thin bar that is touched from both sides and at its ends, by circles only: a point has no side to come from."""
    if radius == 0.0:
        At(field="segment").fail(
            "a point passes through a bar without thickness",
            [list(start), list(end)],
            "a circle that touches it, or a face, which is solid on one side",
        )
    points = _distinct([start, end], "segment")
    length = float(np.hypot(*(points[1] - points[0])))
    along = (points[1] - points[0]) / length
    return Surface(
        [
            _face(points[0], along, radius, length, depth=0.0),
            _face(points[1], -along, radius, length, depth=0.0),
            _corner(points[0], -along, along, radius),
            _corner(points[1], along, -along, radius),
        ],
        points,
    )


def face_surface(start: Vector, end: Vector, radius: float) -> Surface:
    """A side of a body, solid on the right, as deep as it is long: what is further behind it has gone round it."""
    points = _distinct([start, end], "face")
    return _terrain(points, points, False, radius, float(np.hypot(*(points[1] - points[0]))))


def polyline_surface(given: Sequence[Vector], radius: float) -> Surface:
    """A terrain. One that ends where it starts is closed: an obstacle if walked clockwise, a room otherwise."""
    points, outline, closed = _walk(given)
    return _terrain(points, outline, closed, radius, FAR)


def whole_polyline(given: Sequence[Vector]) -> Surface:
    """The same for points that ask their gaps alone: one surface, which looks up what is nearest. As with pieces, nothing holds
    beyond the perpendiculars of free ends."""
    from gaitwright.contact.mesh_surface import line_table  # meshes, which few models have
    from gaitwright.physics.contact_geometry.mesh import MeshShape

    points, outline, closed = _walk(given)
    hair = _hair(0.0, float(_segments(points, closed)[2].min()))
    return Surface([Piece(MeshShape, (0.0, 0.0), {"radius": 0.0}, field=line_table(points, closed, hair))], outline)


def _walk(given: Sequence[Vector]) -> tuple[Array, Array, bool]:
    """Corners of a terrain, its outline for pictures, and whether it is closed."""
    outline = _distinct(given, "polyline")
    closed = len(outline) > 3 and _same(outline, outline[:1] - outline[-1:])
    points = _without_straight_corners(outline[:-1] if closed else outline, closed)
    _require_simple(points, closed)
    return points, outline, closed


# Terrain ------------------------------------------------------------------------------------------------------------


def _terrain(points: Array, outline: Array, closed: bool, radius: float, depth: float) -> Surface:
    """Faces between neighbouring points and the corners between them; for circles also those of free ends."""
    starts, along, length = _segments(points, closed)
    count = len(along)
    turn = _turns(along, closed)
    lean = np.tan(np.maximum(-turn, 0.0) / 2)
    pieces = []
    for i in range(count):
        deep = min(depth, _depth(i, starts, along, length, closed, (lean[i], lean[i + 1])))
        pieces.append(
            _face(starts[i], along[i], radius, length[i], lean_start=lean[i], lean_end=lean[i + 1], depth=deep)
        )
    hair = min(_hair(radius, size) for size in length)
    for i in range(count):
        before, after = along[i - 1], along[i]
        if turn[i] < 0 and radius > 0.0:
            pieces.append(_corner(starts[i], before, after, radius))
        if turn[i] > 0:
            deep = min(depth, _depth_behind(i, starts, along, length))
            pieces.append(_notch(starts[i], before, after, radius, hair, deep))
        if turn[i] > 0 and radius > 0.0:
            pieces.append(_corner(starts[i], -before, -after, radius, _hair(radius, 0.0))._replace(weight=-1.0))
    if radius > 0.0 and not closed:
        pieces.append(_corner(points[0], _left(along[0]), along[0], radius))
        pieces.append(_corner(points[-1], along[-1], -_left(along[-1]), radius))
    return Surface(pieces, outline)


def _depth(i: int, starts: Array, along: Array, length: Array, closed: bool, lean: tuple[float, float]) -> float:
    """Half the way from face i to the nearest other side of the solid behind it."""
    others = _apart(i, len(along), closed)
    first, last = _seen_from(starts[i], others, starts, along, length)
    t, down = along[i], -_left(along[i])
    x, d = np.stack([first @ t, last @ t]), np.stack([first @ down, last @ down])
    low, high, there = _part((d, x - lean[0] * d, length[i] - x - lean[1] * d))
    nearest = np.minimum(d[0] + low * (d[1] - d[0]), d[0] + high * (d[1] - d[0]))[there]
    return float(nearest.min()) / 2 if nearest.size else FAR


def _depth_behind(i: int, starts: Array, along: Array, length: Array) -> float:
    """Half the way from the concave corner at which face i starts to the nearest other side of the solid behind it."""
    others = np.ones(len(along), dtype=bool)
    others[[i, i - 1]] = False
    first, last = _seen_from(starts[i], others, starts, along, length)
    t1, t2, way = along[i - 1], along[i], last - first
    low, high, there = _part((np.stack([first @ t1, last @ t1]), -np.stack([first @ t2, last @ t2])))
    with np.errstate(invalid="ignore"):
        foot = np.clip(-np.sum(first * way, axis=1) / np.sum(way * way, axis=1), low, high)
    nearest = np.hypot(*(first + foot[:, None] * way).T)[there]
    return float(nearest.min()) / 2 if nearest.size else FAR


def _seen_from(origin: Array, which: Any, starts: Array, along: Array, length: Array) -> tuple[Array, Array]:
    """Begins and ends of some faces, seen from the origin. which: whether, for each."""
    first = starts[which] - origin
    return first, first + length[which, None] * along[which]


def _part(conditions: Sequence[Array]) -> tuple[Array, Array, Array]:
    """The part of each segment, from a fraction low to a fraction high of it, in which no condition is negative, and whether
    there is any; conditions: their values at the begins and at the ends of the segments."""
    low, high = np.zeros(conditions[0].shape[1]), np.ones(conditions[0].shape[1])
    for f0, f1 in conditions:
        with np.errstate(divide="ignore", invalid="ignore"):
            zero = f0 / (f0 - f1)
        low = np.where(f0 < 0, np.where(f1 < 0, 2.0, np.maximum(low, zero)), low)
        high = np.where((f0 >= 0) & (f1 < 0), np.minimum(high, zero), high)
    return low, high, low < high


def _apart(i: int, count: int, closed: bool) -> Array:
    """Which of all faces have no corner in common with face i."""
    between = np.abs(np.arange(count) - i)
    return (between > 1) & ~((between == count - 1) & closed)


def _segments(points: Array, closed: bool) -> tuple[Array, Array, Array]:
    """Starts, directions and lengths of the faces."""
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points if closed else points[:-1]
    length = np.hypot(*(ends - starts).T)
    return starts, (ends - starts) / length[:, None], length


def _turns(along: Array, closed: bool) -> Array:
    """Angle, rad, by which the walk turns to the left at the start of each face and at the end of the last."""
    before = np.roll(along, 1, axis=0)
    turn = np.arctan2(before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0], np.sum(before * along, axis=1))
    if not closed:
        turn[0] = 0.0  # a free end
    return np.append(turn, turn[0])


def _without_straight_corners(points: Array, closed: bool) -> Array:
    turn = _turns(_segments(points, closed)[1], closed)
    back = np.flatnonzero(np.abs(turn) > math.pi - 1e-6)
    if back.size:
        At(field="polyline").fail(
            "turns back on itself", points[back[0]].tolist(), "two different directions at every point"
        )
    bent = np.abs(turn) > STRAIGHT
    if not closed:
        bent[[0, -1]] = True
    return points[bent[: len(points)]]


def _require_simple(points: Array, closed: bool) -> None:
    starts, along, length = _segments(points, closed)
    ends = starts + length[:, None] * along
    for i in range(len(along)):

        def side(p: Array, origin: Array, direction: Array) -> Array:
            arm = p - origin
            return np.sign(direction[..., 0] * arm[..., 1] - direction[..., 1] * arm[..., 0])

        across = side(starts, starts[i], along[i]) * side(ends, starts[i], along[i]) < 0
        across &= side(starts[i], starts, along) * side(ends[i], starts, along) < 0
        crossed = np.flatnonzero(across & _apart(i, len(along), closed))
        if crossed.size:
            At(field="polyline").fail(
                f"crosses itself: from {starts[i].tolist()} and from {starts[crossed[0]].tolist()}",
                expected="a line that has the solid on its right everywhere",
            )


def _distinct(given: Sequence[Vector], field: str) -> Array:
    """The points as an array; ModelError unless there are two and neighbours differ."""
    points = np.array(given, dtype=float).reshape(-1, 2)
    if len(points) < 2:
        At(field=field).fail("has too few points", points.tolist(), "at least two points [x, y]")
    for k in range(len(points) - 1):
        if _same(points, points[k + 1] - points[k]):
            At(field=field).fail(
                "two neighbouring points are in the same place", points[k].tolist(), "different points"
            )
    return points


def _same(points: Array, difference: Array) -> bool:
    return bool(np.max(np.abs(difference)) <= COINCIDENT * np.max(np.ptp(points, axis=0)))


# Pieces -------------------------------------------------------------------------------------------------------------


def _hair(radius: float, length: float) -> float:
    """By how much a face is longer than it is, m."""
    return 2 * HAIR * (radius or length)


def _face(start: Any, tangent: Any, radius: float, length: float, **rest: float) -> Piece:
    ends = {"lean_start": 0.0, "lean_end": 0.0, "reach": _hair(radius, length)}
    numbers = {"tangent": _pair(tangent), "radius": radius, "length": float(length), **ends, **rest}
    return Piece(Face, _pair(start), {name: v if name == "tangent" else float(v) for name, v in numbers.items()})


def _corner(at: Any, before: Any, after: Any, radius: float, margin: float | None = None) -> Piece:
    margin = -HAIR * radius if margin is None else margin
    return Piece(
        Corner, _pair(at), {"before": _pair(before), "after": _pair(after), "radius": radius, "margin": margin}
    )


def _notch(at: Any, before: Any, after: Any, radius: float, hair: float, depth: float) -> Piece:
    between = (before + after) / np.hypot(*(before + after))
    directions = {"before": _pair(before), "after": _pair(after), "along": _pair(between)}
    return Piece(Notch, _pair(at), {**directions, "radius": radius, "margin": -hair / 2, "depth": float(depth)})


def _left(t: Array) -> Array:
    """Turned by +90 degrees: out of the solid."""
    return np.array([-t[1], t[0]])


def _pair(value: Any) -> Vector:
    x, y = value
    return float(x) + 0.0, float(y) + 0.0  # no -0.0
