"""Surfaces as pieces of elementary geometry: a line, a terrain, a circle, a bar, a face of a body.

A surface is traversed with the solid on its right: from left to right if it lies below. The touching part is a circle of a
given radius, 0 for a point. Near the surface each place belongs to one piece, so that gaps are continuous between pieces:

- A convex corner (the path turns right) is rounded for circles by a separate piece, between the perpendiculars of its
  two faces; inside the solid the bisector separates the faces (`lean`).
- At a concave corner (the path turns left) a circle may touch both faces, like a ball in a groove: each face is valid where
  the foot of the perpendicular lies on it, that is, where it is nearer than its surroundings. While the corner itself is
  outside the circle these are two contacts. Once it is inside, they are one, and counting both would count it twice; so the
  corner counts -1 (`weight`) where both faces are valid, with the force for the penetration of the corner. A face and its
  corner start and end together, at the perpendicular of the face, with the same penetration, normal and slip: nothing
  jumps, elastic laws conserve energy, and a trough of many chords is as stiff as one face. In other words: every place that
  is nearest among its neighbours counts 1, every place that is farthest -1, so that each stretch of ground inside the
  circle counts once. (Two alternatives were rejected: faces that continue beyond the corner, which pushed from afar and
  made fine troughs stiff; and a division of the place by the bisector, with which a body at the bottom of a groove
  alternates between faces for ever.)
- A point inside the solid behind a concave corner is nearest to the corner (`NotchShape`).
- No piece is valid behind another side of the solid: the two faces of a thin wall share it (`depth`).
- Faces are extended by a seam width, and the wedges of corners narrowed by half of it: a body that comes down exactly above
  an end touches the face alone, whatever the rounding, and nothing falls through between two pieces.

Frame: that of the body with the surface, m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.blocks import LookupTable
from gaitwright.physics.contact_geometry.corner import CornerShape
from gaitwright.physics.contact_geometry.face import FaceShape
from gaitwright.physics.contact_geometry.notch import NotchShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declarations import ContactShape
from gaitwright.physics.parameters import ZERO_DIRECTION_TOL

UNBOUNDED_DEPTH_M = 1e9
"""Depth, m, larger than any displacement."""
SEAM_WIDTH_RAD = 1e-9
"""Width of the seam between two pieces, rad as seen from the centre of a circle."""
MAX_STRAIGHT_TURN_RAD = 10 * SEAM_WIDTH_RAD
"""Turn angle, rad, below which a corner counts as straight and its two faces are merged."""
COINCIDENT_POINT_RTOL = 1e-12
"""Distance of points, relative to the size of the surface, below which they coincide."""
CIRCLE_OUTLINE_CORNERS = 72
"""Number of corners of a circle in a picture."""

Vector = tuple[float, float]
Array = np.ndarray


class SurfacePiece(NamedTuple):
    """An elementary shape: place of its origin, m, its parameters, weight of its force and energy, and lookup table."""

    shape: type[ContactShape]
    at: Vector
    numbers: dict[str, Any]
    weight: float = 1.0
    field: LookupTable | None = None

    def values(self) -> list[float]:
        """Its parameters in the order of declaration in the shape, without those that are looked up."""
        values = (self.numbers[name] for name in self.shape.parameters if name in self.numbers)
        return [x for value in values for x in (value if isinstance(value, tuple) else (value,))]


class PiecewiseSurface(NamedTuple):
    """Pieces, and the outline for pictures: (n, 2), m, solid on the right."""

    pieces: list[SurfacePiece]
    outline: Array


def line_surface(
    a: float, b: float, c: float, radius: float, about: Vector = (0.0, 0.0), extent: float = 1.0
) -> PiecewiseSurface:
    """Surface a x + b y + c = 0, solid where the left side is negative. The picture shows `extent` (m) to both sides of the
    place nearest to `about`; the surface has no ends."""
    size = (a * a + b * b) ** 0.5
    if size < ZERO_DIRECTION_TOL:
        ErrorContext(field="line").fail(
            "the normal [a, b] of the line is zero",
            [a, b, c],
            "[a, b, c] of a x + b y + c = 0 with a or b different from 0",
        )
    # In plain arithmetic: numbers may be traced back to parameters (codegen/tracing.py).
    normal = (a / size, b / size)
    start = (-c / size * normal[0], -c / size * normal[1])
    tangent = np.array([float(normal[1]), -float(normal[0])])
    middle = np.array([float(x) for x in start]) + np.dot(tangent, about) * tangent
    piece = SurfacePiece(PlaneShape, start, {"direction": normal, "radius": radius})
    return PiecewiseSurface([piece], np.array([middle - extent * tangent, middle + extent * tangent]))


def circle_surface(centre: Vector, own_radius: float, radius: float) -> PiecewiseSurface:
    """A circle of `own_radius` about a point of a body."""
    if own_radius == 0.0 and radius == 0.0:
        ErrorContext(field="circle").fail(
            "two points cannot touch: there is no direction between them",
            own_radius,
            "a radius above 0 m for one of them",
        )
    angles = np.linspace(0.0, -2.0 * math.pi, CIRCLE_OUTLINE_CORNERS + 1)
    outline = np.array(centre) + own_radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return PiecewiseSurface(
        [SurfacePiece(SphereShape, _float_pair(centre), {"radius_a": own_radius, "radius": radius})], outline
    )


def segment_surface(start: Vector, end: Vector, radius: float) -> PiecewiseSurface:
    """A thin bar that can be touched on both sides and at its ends, by circles only: a point would pass through."""
    if radius == 0.0:
        ErrorContext(field="segment").fail(
            "a point passes through a bar without thickness",
            [list(start), list(end)],
            "a circle that touches it, or a face, which is solid on one side",
        )
    points = _distinct_points([start, end], "segment")
    length = float(np.hypot(*(points[1] - points[0])))
    along = (points[1] - points[0]) / length
    return PiecewiseSurface(
        [
            _face_piece(points[0], along, radius, length, depth=0.0),
            _face_piece(points[1], -along, radius, length, depth=0.0),
            _corner_piece(points[0], -along, along, radius),
            _corner_piece(points[1], along, -along, radius),
        ],
        points,
    )


def face_surface(start: Vector, end: Vector, radius: float) -> PiecewiseSurface:
    """A side of a body, solid on the right, with a depth equal to its length: points further behind it have gone round it."""
    points = _distinct_points([start, end], "face")
    return _terrain_pieces(points, points, False, radius, float(np.hypot(*(points[1] - points[0]))))


def polyline_surface(corners: Sequence[Vector], radius: float) -> PiecewiseSurface:
    """A terrain. If it ends at its start point it is closed: an obstacle if traversed clockwise, a room otherwise."""
    points, outline, closed = _polyline_corners(corners)
    return _terrain_pieces(points, outline, closed, radius, UNBOUNDED_DEPTH_M)


def whole_polyline_surface(corners: Sequence[Vector]) -> PiecewiseSurface:
    """The same for points that depend on their gap alone: one surface, which looks up the nearest feature. As with pieces,
    there is no contact beyond the perpendiculars of free ends."""
    from gaitwright.contact.mesh_surface import line_table  # meshes, which few models have
    from gaitwright.physics.contact_geometry.mesh import MeshShape

    points, outline, closed = _polyline_corners(corners)
    seam = _seam_width(0.0, float(_segments(points, closed)[2].min()))
    return PiecewiseSurface(
        [SurfacePiece(MeshShape, (0.0, 0.0), {"radius": 0.0}, field=line_table(points, closed, seam))], outline
    )


def _polyline_corners(corners: Sequence[Vector]) -> tuple[Array, Array, bool]:
    """Corners of a terrain, its outline for pictures, and True if it is closed."""
    outline = _distinct_points(corners, "polyline")
    closed = len(outline) > 3 and _is_coincident(outline, outline[:1] - outline[-1:])
    points = _remove_straight_corners(outline[:-1] if closed else outline, closed)
    _require_simple(points, closed)
    return points, outline, closed


# Terrain ------------------------------------------------------------------------------------------------------------


def _terrain_pieces(points: Array, outline: Array, closed: bool, radius: float, depth: float) -> PiecewiseSurface:
    """Faces between neighbouring points and the corners between them; for circles also those of free ends."""
    starts, along, length = _segments(points, closed)
    count = len(along)
    turn = _turn_angles(along, closed)
    lean = np.tan(np.maximum(-turn, 0.0) / 2)
    pieces = []
    for i in range(count):
        piece_depth = min(depth, _face_depth(i, starts, along, length, closed, (lean[i], lean[i + 1])))
        pieces.append(
            _face_piece(
                starts[i], along[i], radius, length[i], lean_start=lean[i], lean_end=lean[i + 1], depth=piece_depth
            )
        )
    seam = min(_seam_width(radius, size) for size in length)
    for i in range(count):
        before, after = along[i - 1], along[i]
        if turn[i] < 0 and radius > 0.0:
            pieces.append(_corner_piece(starts[i], before, after, radius))
        if turn[i] > 0:
            piece_depth = min(depth, _corner_depth(i, starts, along, length))
            pieces.append(_notch_piece(starts[i], before, after, radius, seam, piece_depth))
        if turn[i] > 0 and radius > 0.0:
            pieces.append(
                _corner_piece(starts[i], -before, -after, radius, _seam_width(radius, 0.0))._replace(weight=-1.0)
            )
    if radius > 0.0 and not closed:
        pieces.append(_corner_piece(points[0], _rotate_left(along[0]), along[0], radius))
        pieces.append(_corner_piece(points[-1], along[-1], -_rotate_left(along[-1]), radius))
    return PiecewiseSurface(pieces, outline)


def _face_depth(i: int, starts: Array, along: Array, length: Array, closed: bool, lean: tuple[float, float]) -> float:
    """Half the distance from face i to the nearest other side of the solid behind it."""
    others = _nonadjacent_faces(i, len(along), closed)
    first, last = _relative_ends(starts[i], others, starts, along, length)
    t, down = along[i], -_rotate_left(along[i])
    x, d = np.stack([first @ t, last @ t]), np.stack([first @ down, last @ down])
    low, high, admissible = _admissible_parts((d, x - lean[0] * d, length[i] - x - lean[1] * d))
    nearest = np.minimum(d[0] + low * (d[1] - d[0]), d[0] + high * (d[1] - d[0]))[admissible]
    return float(nearest.min()) / 2 if nearest.size else UNBOUNDED_DEPTH_M


def _corner_depth(i: int, starts: Array, along: Array, length: Array) -> float:
    """Half the distance from the concave corner at the start of face i to the nearest other side of the solid behind it."""
    others = np.ones(len(along), dtype=bool)
    others[[i, i - 1]] = False
    first, last = _relative_ends(starts[i], others, starts, along, length)
    t1, t2, edge = along[i - 1], along[i], last - first
    low, high, admissible = _admissible_parts((np.stack([first @ t1, last @ t1]), -np.stack([first @ t2, last @ t2])))
    with np.errstate(invalid="ignore"):
        foot = np.clip(-np.sum(first * edge, axis=1) / np.sum(edge * edge, axis=1), low, high)
    nearest = np.hypot(*(first + foot[:, None] * edge).T)[admissible]
    return float(nearest.min()) / 2 if nearest.size else UNBOUNDED_DEPTH_M


def _relative_ends(origin: Array, selected: Any, starts: Array, along: Array, length: Array) -> tuple[Array, Array]:
    """Begins and ends of some faces, relative to the origin. selected: boolean mask."""
    first = starts[selected] - origin
    return first, first + length[selected, None] * along[selected]


def _admissible_parts(conditions: Sequence[Array]) -> tuple[Array, Array, Array]:
    """Part of each segment, from a fraction low to a fraction high of it, in which no condition is negative, and a mask of the
    segments that have one; conditions: their values at the begins and at the ends of the segments."""
    low, high = np.zeros(conditions[0].shape[1]), np.ones(conditions[0].shape[1])
    for f0, f1 in conditions:
        with np.errstate(divide="ignore", invalid="ignore"):
            zero = f0 / (f0 - f1)
        low = np.where(f0 < 0, np.where(f1 < 0, 2.0, np.maximum(low, zero)), low)
        high = np.where((f0 >= 0) & (f1 < 0), np.minimum(high, zero), high)
    return low, high, low < high


def _nonadjacent_faces(i: int, count: int, closed: bool) -> Array:
    """Mask of all faces without a common corner with face i."""
    between = np.abs(np.arange(count) - i)
    return (between > 1) & ~((between == count - 1) & closed)


def _segments(points: Array, closed: bool) -> tuple[Array, Array, Array]:
    """Starts, directions and lengths of the faces."""
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points if closed else points[:-1]
    length = np.hypot(*(ends - starts).T)
    return starts, (ends - starts) / length[:, None], length


def _turn_angles(along: Array, closed: bool) -> Array:
    """Angle, rad, by which the path turns to the left at the start of each face and at the end of the last."""
    before = np.roll(along, 1, axis=0)
    turn = np.arctan2(before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0], np.sum(before * along, axis=1))
    if not closed:
        turn[0] = 0.0  # a free end
    return np.append(turn, turn[0])


def _remove_straight_corners(points: Array, closed: bool) -> Array:
    turn = _turn_angles(_segments(points, closed)[1], closed)
    back = np.flatnonzero(np.abs(turn) > math.pi - 1e-6)
    if back.size:
        ErrorContext(field="polyline").fail(
            "turns back on itself", points[back[0]].tolist(), "two different directions at every point"
        )
    bent = np.abs(turn) > MAX_STRAIGHT_TURN_RAD
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
        crossed = np.flatnonzero(across & _nonadjacent_faces(i, len(along), closed))
        if crossed.size:
            ErrorContext(field="polyline").fail(
                f"crosses itself: from {starts[i].tolist()} and from {starts[crossed[0]].tolist()}",
                expected="a line that has the solid on its right everywhere",
            )


def _distinct_points(corners: Sequence[Vector], field: str) -> Array:
    """The points as an array; ModelError unless there are two and neighbours differ."""
    points = np.array(corners, dtype=float).reshape(-1, 2)
    if len(points) < 2:
        ErrorContext(field=field).fail("has too few points", points.tolist(), "at least two points [x, y]")
    for k in range(len(points) - 1):
        if _is_coincident(points, points[k + 1] - points[k]):
            ErrorContext(field=field).fail(
                "two neighbouring points are in the same place", points[k].tolist(), "different points"
            )
    return points


def _is_coincident(points: Array, difference: Array) -> bool:
    return bool(np.max(np.abs(difference)) <= COINCIDENT_POINT_RTOL * np.max(np.ptp(points, axis=0)))


# Pieces -------------------------------------------------------------------------------------------------------------


def _seam_width(radius: float, length: float) -> float:
    """Extension of a face beyond its ends, m."""
    return 2 * SEAM_WIDTH_RAD * (radius or length)


def _face_piece(start: Any, tangent: Any, radius: float, length: float, **changes: float) -> SurfacePiece:
    ends = {"lean_start": 0.0, "lean_end": 0.0, "reach": _seam_width(radius, length)}
    numbers = {"tangent": _float_pair(tangent), "radius": radius, "length": float(length), **ends, **changes}
    return SurfacePiece(
        FaceShape, _float_pair(start), {name: v if name == "tangent" else float(v) for name, v in numbers.items()}
    )


def _corner_piece(at: Any, before: Any, after: Any, radius: float, margin: float | None = None) -> SurfacePiece:
    margin = -SEAM_WIDTH_RAD * radius if margin is None else margin
    return SurfacePiece(
        CornerShape,
        _float_pair(at),
        {"before": _float_pair(before), "after": _float_pair(after), "radius": radius, "margin": margin},
    )


def _notch_piece(at: Any, before: Any, after: Any, radius: float, seam: float, depth: float) -> SurfacePiece:
    between = (before + after) / np.hypot(*(before + after))
    directions = {"before": _float_pair(before), "after": _float_pair(after), "along": _float_pair(between)}
    return SurfacePiece(
        NotchShape, _float_pair(at), {**directions, "radius": radius, "margin": -seam / 2, "depth": float(depth)}
    )


def _rotate_left(t: Array) -> Array:
    """Direction rotated by +90 degrees: out of the solid."""
    return np.array([-t[1], t[0]])


def _float_pair(value: Any) -> Vector:
    x, y = value
    return float(x) + 0.0, float(y) + 0.0  # no -0.0
