"""Surfaces as pieces: their smallest gap equals the distance from the surface, computed independently."""

from __future__ import annotations

import ctypes
import functools
import itertools
import math
from typing import Any

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.contact.surface_lookup import lookup_address
from gaitwright.contact.surface_pieces import (
    UNBOUNDED_DEPTH_M,
    SurfacePiece,
    circle_surface,
    face_surface,
    line_surface,
    polyline_surface,
    segment_surface,
    whole_polyline_surface,
)
from gaitwright.derive.kernel_interface import pose_size, surface_size
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.jit import jit_compile
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.contact_geometry.corner import CornerShape
from gaitwright.physics.contact_geometry.face import FaceShape
from gaitwright.physics.contact_geometry.notch import NotchShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.contact_geometry.sphere import SphereShape

GAP, RATE, SLIP, REGION = range(4)
RADII = [0.0, 0.08]
EPS = 1e-9


# evaluating pieces and surfaces -------------------------------------------------------------------------------------


REST, STILL = np.zeros(6), np.zeros((2, 3))


@functools.cache
def kernels_of(shape: Any) -> tuple[Any, Any]:
    """Pose and surface, compiled: some tests ask for a million places."""
    return jit_compile(kernel_module(RelativePose, (PlanarRigidBody, PlanarRigidBody)).frame), jit_compile(
        kernel_module(shape, (PlanarRigidBody,)).surface
    )


def observe(piece: SurfacePiece, q: Any, v: Any = REST, local: Any = (0.0, 0.0), moved: Any = STILL) -> Any:
    """Gap, rate, slip along the tangent and region of one piece. q: pose of the surface's body and of what touches; moved: the
    displacement [x, y] of the surface, each with its first and second derivative."""
    return observe_all(piece, np.asarray(q, dtype=float)[None], v, local, moved)[0]


def observe_all(piece: SurfacePiece, q: Any, v: Any = REST, local: Any = (0.0, 0.0), moved: Any = STILL) -> Any:
    """The same for many poses, (n, 6): (n, 4)."""
    frame, surface_of = kernels_of(piece.shape)
    n = len(q)
    pose, surface = np.zeros((n, pose_size(2))), np.zeros((n, surface_size(2)))
    frame(
        n, np.arange(6 * n), np.tile([*piece.at, *local], n), np.tile((0, 1), n), np.ravel(q),
        np.tile(np.asarray(v, dtype=float), n), np.ravel(moved).astype(float), pose.ravel(), np.zeros(18 * n),
    )  # fmt: skip
    surface_of(n, np.tile(np.asarray(piece.values(), dtype=float), n), np.ravel(pose[:, :2]), surface.ravel())
    normal, gradient, velocity = surface[:, 2:4], surface[:, 4:], pose[:, 2:4]
    slip = normal[:, 1] * velocity[:, 0] - normal[:, 0] * velocity[:, 1] + piece.numbers["radius"] * pose[:, 4]
    return np.stack([surface[:, 0], np.sum(gradient * velocity, axis=1), slip, surface[:, 1]], axis=1)


def gaps_where_held(pieces: list[SurfacePiece], at: Any) -> Any:
    """Gap of each piece, of a surface on the ground, for points or centres of circles: (places, pieces), NaN where it does not
    hold."""
    q = np.zeros((len(at), 6))
    q[:, 3:5] = at
    seen = np.stack([observe_all(piece, q) for piece in pieces], axis=1)
    return np.where(seen[:, :, REGION] >= 0.0, seen[:, :, GAP], np.nan)


def holding(pieces: list[SurfacePiece], at: Any) -> list[tuple[SurfacePiece, float]]:
    """The pieces that hold at one place, and their gaps."""
    gaps = gaps_where_held(pieces, [at])[0]
    return [(piece, float(gap)) for piece, gap in zip(pieces, gaps, strict=True) if not math.isnan(gap)]


def nearest_gaps(pieces: list[SurfacePiece], at: Any) -> Any:
    """Smallest gap of the pieces with weight 1, at many places; infinite if there is none."""
    gaps = gaps_where_held([piece for piece in pieces if piece.weight > 0.0], at)
    return np.min(np.where(np.isnan(gaps), math.inf, gaps), axis=1)


def distances(p: Any, corners: Any) -> Any:
    """Distances from points to a polyline."""
    a, b = np.asarray(corners)[:-1], np.asarray(corners)[1:]
    p = np.asarray(p)[:, None]
    t = np.clip(np.sum((p - a) * (b - a), axis=2) / np.sum((b - a) ** 2, axis=1), 0, 1)
    return np.min(np.linalg.norm(a + t[..., None] * (b - a) - p, axis=2), axis=1)


def inside(p: Any, ring: Any) -> Any:
    """Mask of the points inside a closed polygon, by counting crossings."""
    a, b = np.asarray(ring)[:-1], np.asarray(ring)[1:]
    px, py = np.asarray(p).T[:, :, None]
    across = (a[:, 1] > py) != (b[:, 1] > py)
    with np.errstate(divide="ignore", invalid="ignore"):
        x = a[:, 0] + (py - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    return np.sum(across & (x > px), axis=1) % 2 == 1


def in_solid(p: Any, corners: Any) -> Any:
    """Solid on the right: of a ring inside if it is walked clockwise; of a terrain below."""
    ring = np.asarray(corners, dtype=float)
    if not np.array_equal(ring[0], ring[-1]):
        (x0, _), (x1, _) = ring[0], ring[-1]
        ring = np.array([[x0, -1e3], *ring, [x1, -1e3], [x0, -1e3]])
        return inside(p, ring)
    area = np.sum(ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1])
    return inside(p, ring) == (area < 0)


def outside(p: Any, corners: Any) -> Any:
    """Those of the points that are not in the solid."""
    return np.asarray(p)[~in_solid(p, corners)]


# Terrains (open, from left to right) and rings (closed; clockwise: an obstacle, otherwise a room).
TERRAINS: dict[str, list[list[float]]] = {
    "flat": [[-1, 0], [2, 0]],
    "slope": [[-1, -1], [2, 1]],
    "hill": [[-1, 0], [0.5, 1], [2, 0]],
    "valley": [[-1, 1], [0.5, 0], [2, 1]],
    "bump on a plain": [[-2, 0], [0, 0], [0.3, 0.2], [0.6, 0], [2, 0]],
    "bump on a slope": [[-2, -0.2], [0, 0], [0.3, 0.23], [0.6, 0.06], [2, 0.2]],
    "two bumps and a dip": [[-2, 0], [0, 0], [0.3, 0.3], [0.6, 0.001], [0.9, 0.3], [1.2, 0], [3, 0]],
    "steps": [[-1, 0], [0, 0], [0, 0.3], [0.5, 0.3], [0.5, 0.6], [1, 0.6], [1, -0.2], [2, -0.2]],
    "thin wall": [[-1, 0], [0, 0], [0, 1], [0.1, 1], [0.1, 0], [1, 0]],
    "thin wall over a cliff": [[-1, 0], [0, 0], [0, 1], [0.1, 1], [0.1, -1], [1, -1]],
    "trench": [[-1, 0], [0, 0], [0, -0.5], [0.2, -0.5], [0.2, 0], [1, 0]],
    "overhang": [[-1, 0], [0.5, 0], [0.2, 0.5], [1, 0.5], [1, -0.3], [2, -0.3]],
    "nearly straight": [[-1, 0], [0, 1e-4], [1, 0], [2, 1e-3]],
    "straight points": [[-1, 0], [-0.5, 0], [0, 0], [0.25, 0.25], [0.5, 0.5], [1, 0]],
}
RINGS: dict[str, list[list[float]]] = {
    "triangle": [[0, 0], [0.5, 1], [1, 0], [0, 0]],
    "square": [[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]],
    "plate": [[0, 0], [0, 0.05], [1, 0.05], [1, 0], [0, 0]],
    "spike": [[0, 0], [1, 0.1], [2, 0], [1, -0.1], [0, 0]],
    "letter L": [[0, 0], [0, 1], [0.3, 1], [0.3, 0.3], [1, 0.3], [1, 0], [0, 0]],
    "letter C": [[0, 0], [0, 1], [1, 1], [1, 0.8], [0.2, 0.8], [0.2, 0.2], [1, 0.2], [1, 0], [0, 0]],
    "starts on a side": [[0, 0.5], [0, 1], [1, 1], [1, 0], [0, 0], [0, 0.5]],
}
RINGS |= {f"{name}, a room": ring[::-1] for name, ring in RINGS.items()}
ALL = TERRAINS | RINGS


def random_star(seed: int) -> list[list[float]]:
    """A ring with convex and concave corners."""
    rng = np.random.default_rng(seed)
    angles = np.sort(rng.uniform(0, 2 * math.pi, 9))[::-1]
    points = [[r * math.cos(a), r * math.sin(a)] for a, r in zip(angles, rng.uniform(0.3, 1, 9), strict=True)]
    return [*points, points[0]]


def random_terrain(seed: int) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    return np.stack([np.cumsum(rng.uniform(0.05, 0.5, 10)), rng.uniform(0, 0.4, 10)], axis=1).tolist()


ALL |= {f"star {seed}": random_star(seed) for seed in range(6)}
ALL |= {f"star {seed}, a room": random_star(seed)[::-1] for seed in range(3)}
ALL |= {f"terrain {seed}": random_terrain(seed) for seed in range(6)}


def places(corners: Any, count: int = 200, seed: int = 1) -> list[Any]:
    """Random places: all around, and near the surface."""
    rng = np.random.default_rng(seed)
    c = np.asarray(corners)
    low, high = c.min(axis=0) - 0.5, c.max(axis=0) + 0.5
    if not np.array_equal(c[0], c[-1]):
        low[0], high[0] = c[0, 0] + EPS, c[-1, 0] - EPS  # beyond its ends a terrain is nothing
    wide = rng.uniform(low, high, (count, 2))
    k = rng.integers(0, len(c) - 1, count)
    near = c[k] + rng.uniform(0, 1, (count, 1)) * (c[k + 1] - c[k]) + rng.normal(0, 0.03, (count, 2))
    corner = c[rng.integers(0, len(c), count)] + rng.normal(0, 0.03, (count, 2))
    return [p for p in np.concatenate([wide, near, corner]) if np.all(p > low) and np.all(p < high)]


# polylines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_circles_outside_are_as_far_as_the_surface(name: str):
    """Everywhere outside, also on the other side of thin walls: no piece holds that is nearer than the surface."""
    radius = 0.08
    pieces = polyline_surface(ALL[name], radius).pieces
    at = outside(places(ALL[name]), ALL[name])
    assert nearest_gaps(pieces, at) == pytest.approx(distances(at, ALL[name]) - radius, abs=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_points_outside_touch_nothing(name: str):
    pieces = polyline_surface(ALL[name], 0.0).pieces
    assert np.min(nearest_gaps(pieces, outside(places(ALL[name]), ALL[name]))) > -1e-9


@pytest.mark.parametrize("name", ALL)
def test_as_one_surface_it_has_the_true_distance(name: str):
    """Everywhere, deep inside of thin and tapered walls too; beyond the ends of a terrain all is outside."""
    corners = np.asarray(ALL[name], dtype=float)
    piece = whole_polyline_surface([(x, y) for x, y in corners.tolist()]).pieces[0]
    assert piece.field is not None
    look_up = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(lookup_address(piece.field.look_up))
    numbers, patch = np.ascontiguousarray(piece.field.numbers), np.zeros(8)

    def seen(p: Any) -> tuple[float, Any]:
        place = np.array(p, dtype=float)
        look_up(numbers.ctypes.data, place.ctypes.data, patch.ctypes.data)
        return float(patch[6]), patch[2:4].copy()

    at = np.asarray(places(corners))
    away = distances(at, corners)
    found = [seen(p) for p in at]
    gaps = np.array([gap for gap, _ in found])
    assert np.abs(gaps) == pytest.approx(away, abs=1e-12)
    foot = at - gaps[:, None] * np.array([normal for _, normal in found])
    assert distances(foot, corners) == pytest.approx(np.zeros(len(at)), abs=1e-12)
    ends = [] if np.array_equal(corners[0], corners[-1]) else [corners[0], corners[-1]]
    free = np.array([any(abs(math.dist(p, end) - d) < 1e-12 for end in ends) for p, d in zip(at, away, strict=True)])
    assert np.array_equal(gaps < 0, in_solid(at, corners) & ~free)
    for end, before in ((0, 1), (-1, -2)) if ends else ():
        along = corners[end] - corners[before]
        for side in (-1e-3, 0.0, 1e-3):
            beyond = corners[end] + 1e-3 * along + side * np.array([-along[1], along[0]])
            assert seen(beyond)[0] == pytest.approx(math.dist(beyond, corners[end]), abs=1e-12)
        assert seen(corners[end])[0] == pytest.approx(0.0, abs=1e-15)


def turns(corners: Any) -> dict[tuple[float, ...], float]:
    """Angle to the left at each corner, rad; none at the ends of a terrain."""
    c = np.asarray(corners, dtype=float)
    closed = np.array_equal(c[0], c[-1])
    steps = np.diff(c, axis=0)
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    turn = (np.diff(angles, prepend=angles[-1]) + math.pi) % (2 * math.pi) - math.pi
    return {tuple(p): a for k, (p, a) in enumerate(zip(c[:-1], turn, strict=True)) if closed or k}


def small(name: str) -> float:
    """A length, m, that is small against the faces and the thickness of a surface."""
    return 0.02 * float(np.min(np.hypot(*np.diff(np.asarray(ALL[name]), axis=0).T)))


def near(name: str, count: int, seed: int) -> list[Any]:
    """Places within a small length of the surface, half of them at its corners, none at the free ends of a terrain."""
    rng, c, reach = np.random.default_rng(seed), np.asarray(ALL[name], dtype=float), small(name)
    k = rng.integers(0, len(c) - 1, count)
    share = np.where(rng.uniform(size=(count, 1)) < 0.5, rng.integers(0, 2, (count, 1)), rng.uniform(size=(count, 1)))
    found = c[k] + share * (c[k + 1] - c[k]) + rng.uniform(-0.7, 0.7, (count, 2)) * reach
    ends = [] if np.array_equal(c[0], c[-1]) else [c[0], c[-1]]
    return [p for p in found if all(math.dist(p, end) > 3 * reach for end in ends)]


@pytest.mark.slow
@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("name", ALL)
def test_gaps_just_inside(name: str, radius: float):
    """The depth: below a face, and behind a concave corner."""
    corners = ALL[name]
    pieces = polyline_surface(corners, radius).pieces
    at = np.asarray(near(name, 400, 5))
    at = at[in_solid(at, corners)]
    assert len(at) > 50
    assert nearest_gaps(pieces, at) + radius == pytest.approx(-distances(at, corners), abs=1e-9)


CONVEX = ["flat", "slope", "hill", "triangle", "square", "plate", "spike", "starts on a side"]


@pytest.mark.parametrize("name", CONVEX)
def test_at_convex_corners_one_piece_holds(name: str):
    """Everywhere outside, and just inside."""
    pieces = polyline_surface(ALL[name], 0.08).pieces
    at = np.concatenate([near(name, 500, 3), outside(places(ALL[name]), ALL[name])])
    assert np.all(np.sum(~np.isnan(gaps_where_held(pieces, at)), axis=1) == 1)


@pytest.mark.slow
@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("name", ALL)
def test_gap_goes_over_from_piece_to_piece(name: str, radius: float):
    """Along short straight ways near the surface, the gap changes by no more than the way: no piece begins or ends with a
    jump. A point has a gap only inside."""
    rng, corners = np.random.default_rng(7), ALL[name]
    pieces = polyline_surface(corners, radius).pieces
    for p in near(name, 25, 11):
        angle = rng.uniform(0, 2 * math.pi)
        step = small(name) / 50 * np.array([math.cos(angle), math.sin(angle)])
        way = p + np.arange(-25, 26)[:, None] * step
        gaps = np.where(in_solid(way, corners) | (radius > 0.0), nearest_gaps(pieces, way), 0.0)
        assert np.max(np.abs(np.diff(gaps))) <= 1.0001 * math.hypot(*step), p


@pytest.mark.parametrize("name", ALL)
def test_exactly_above_an_end_one_face_holds(name: str):
    """Places above the ends of faces. The corner beside it is not valid as well, and the circle does not fall between them."""
    radius, corners = 0.08, np.asarray(ALL[name], dtype=float)
    pieces = polyline_surface(ALL[name], radius).pieces
    turn, shift = turns(ALL[name]), 1e-15
    for a, b in itertools.pairwise(corners):
        t = (b - a) / np.hypot(*(b - a))
        for end in (a, b):
            if turn.get(tuple(end), -1.0) > -1e-9:
                continue
            for rounding in (-shift, 0.0, shift):
                centre = end + (radius - 1e-9) * np.array([-t[1], t[0]]) + rounding * t
                met = [piece.shape for piece, gap in holding(pieces, centre) if -2e-9 < gap < 0]
                others = distances([centre], corners)[0] < radius - 2e-9
                assert others or met == [FaceShape], (end, rounding)


@pytest.mark.parametrize("radius", RADII)
def test_peak_has_valid_piece(radius: float):
    """A point or a circle that comes down exactly on a ridge."""
    for turn in (1e-6, 1e-3, 0.3, 2.0, 3.0):
        c, s = math.cos(turn / 2), math.sin(turn / 2)
        pieces = polyline_surface([(-c, -s), (0, 0), (c, -s)], radius).pieces
        for depth in (1e-12, 1e-9, 1e-6):
            for x in (-1e-16, 0.0, 1e-16):
                assert any(gap < 0 for _, gap in holding(pieces, (x, radius - depth))), (turn, depth, x)


@pytest.mark.parametrize("name", ["valley", "steps", "trench", "bump on a plain", "square, a room"])
def test_in_concave_corners_both_faces_hold(name: str):
    """A circle that fits into the corner touches both; a point pressed into it, the corner alone."""
    radius, depth = 0.08, 1e-3
    for corner, turn in turns(ALL[name]).items():
        if turn <= 0:
            continue
        pieces = polyline_surface(ALL[name], radius).pieces
        faces = [piece for piece in pieces if piece.shape is FaceShape and _has_corner(piece, corner)]
        t = np.sum([face.numbers["tangent"] for face in faces], axis=0)
        out = np.array([-t[1], t[0]]) / np.hypot(*t)
        centre = np.asarray(corner) + out * ((radius - depth) / math.cos(turn / 2))
        assert [gap for _, gap in holding(faces, centre)] == pytest.approx([-depth, -depth])
        (held,) = holding(polyline_surface(ALL[name], 0.0).pieces, np.asarray(corner) - depth * out)
        assert held[0].shape is NotchShape and held[1] == pytest.approx(-depth)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_energy_goes_over_from_piece_to_piece(name: str):
    """U, the energies of all pieces with their weights, of a circle that is pressed against the surface: along short straight
    ways outside the solid, U changes by no more than the force of all pieces that hold does work, and its slope is
    continuous. Each stretch of ground inside the circle counts once."""
    rng, corners, radius = np.random.default_rng(13), ALL[name], small(name)
    pieces = polyline_surface(corners, radius).pieces
    weights = [piece.weight for piece in pieces]

    def energies(at: Any) -> Any:
        return np.nan_to_num(np.maximum(-gaps_where_held(pieces, at), 0.0) ** 2 / 2) @ weights

    ways = 0
    for p in near(name, 60, 17):
        angle = rng.uniform(0, 2 * math.pi)
        step = radius / 400 * np.array([math.cos(angle), math.sin(angle)])
        way = p + np.arange(-50, 51)[:, None] * step
        if np.any(in_solid(way, corners) | (distances(way, corners) < 0.1 * radius)):
            continue
        ways += 1
        slope = np.diff(energies(way)) / math.hypot(*step)
        assert np.max(np.abs(np.diff(slope))) < 30 * math.hypot(*step), p
        assert np.max(np.abs(slope)) <= 2 * radius
    assert ways > 5


@pytest.mark.parametrize("chords", [20, 80, 320])
def test_a_trough_of_many_chords_counts_once(chords: int):
    """However many faces and corners are inside the circle, which here is as large as the trough."""
    angles = np.linspace(-1.0, 1.0, chords + 1)
    trough = [(0.8 * math.sin(a), 0.8 - 0.8 * math.cos(a)) for a in angles]
    held = holding(polyline_surface(trough, 0.82).pieces, (0.0, 0.8 - 1e-6))
    assert len(held) >= chords
    assert sum(piece.weight for piece, gap in held if gap < 0.0) == 1.0


def _has_corner(piece: SurfacePiece, corner: Any) -> bool:
    end = np.asarray(piece.at) + piece.numbers["length"] * np.asarray(piece.numbers["tangent"])
    return min(math.dist(piece.at, corner), math.dist(end, corner)) < 1e-9


def test_a_plain_does_not_reach_under_a_bump_to_the_next():
    """The faces before and after a bump lie on one line; neither holds on the other."""
    for radius in RADII:
        before, *_, after = (
            p for p in polyline_surface(TERRAINS["bump on a plain"], radius).pieces if p.shape is FaceShape
        )
        assert [piece for piece, _ in holding([before, after], (1.0, -0.01))] == [after]


def test_straight_points_are_no_corners():
    surface = polyline_surface(TERRAINS["straight points"], 0.1)
    assert [piece.shape for piece in surface.pieces] == [FaceShape] * 3 + [NotchShape, CornerShape] + [
        CornerShape
    ] * 3  # concave; convex; two free ends
    assert surface.pieces[0].numbers["length"] == pytest.approx(1.0)
    assert surface.outline.tolist() == TERRAINS["straight points"]
    ring = polyline_surface(RINGS["starts on a side"], 0.1)
    assert [piece.shape for piece in ring.pieces] == [FaceShape] * 4 + [CornerShape] * 4


@pytest.mark.slow
def test_many_points():
    """A terrain measured every centimetre."""
    x = np.linspace(0, 10, 1001)
    surface = polyline_surface(np.stack([x, 0.05 * np.sin(x)], axis=1).tolist(), 0.02)
    assert sum(piece.shape is FaceShape for piece in surface.pieces) == 1000


# the other surfaces -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("line", [(0, 1, 0.606), (0, -2, 1), (3, 0, -1), (-1, 2, 0.3)])
def test_line(line: Any, radius: float):
    a, b, c = line
    (piece,) = line_surface(a, b, c, radius).pieces
    assert piece.shape is PlaneShape
    for p in np.random.default_rng(2).uniform(-2, 2, (50, 2)):
        expected = (a * p[0] + b * p[1] + c) / math.hypot(a, b) - radius
        assert observe(piece, [0, 0, 0, *p, 0])[GAP] == pytest.approx(expected, abs=1e-12)
        assert len(holding([piece], p)) == 1


def test_line_in_pictures():
    """Around the place nearest to what touches, solid on the right."""
    outline = line_surface(0, 1, 0.5, 0.0, about=(3.0, 7.0), extent=2.0).outline
    assert outline == pytest.approx(np.array([[1.0, -0.5], [5.0, -0.5]]))


def test_circle_on_circle():
    (piece,) = circle_surface((0.1, 0.2), 0.3, 0.05).pieces
    assert piece.shape is SphereShape
    for p in np.random.default_rng(2).uniform(-2, 2, (50, 2)):
        expected = math.dist(p, (0.1, 0.2)) - 0.35
        assert observe(piece, [0, 0, 0, *p, 0])[GAP] == pytest.approx(expected, abs=1e-12)
    outline = circle_surface((0.1, 0.2), 0.3, 0.0).outline
    assert np.hypot(*(outline - [0.1, 0.2]).T) == pytest.approx(np.full(len(outline), 0.3))
    area = np.sum(outline[:-1, 0] * outline[1:, 1] - outline[1:, 0] * outline[:-1, 1])
    assert area < 0, "solid on the right: clockwise"


def test_segment_is_a_capsule():
    """Seen from a circle, a thin bar is as far as its nearest point, from both sides and around its ends."""
    start, end, radius = (0.2, -0.1), (1.0, 0.5), 0.08
    pieces = segment_surface(start, end, radius).pieces
    assert [piece.shape for piece in pieces] == [FaceShape, FaceShape, CornerShape, CornerShape]
    at = np.random.default_rng(2).uniform(-1, 2, (500, 2))
    assert np.all(np.sum(~np.isnan(gaps_where_held(pieces, at)), axis=1) == 1)
    assert nearest_gaps(pieces, at) == pytest.approx(distances(at, [start, end]) - radius, abs=1e-12)


def test_face_has_one_side_and_two_ends():
    start, end = (0.0, 0.0), (0.5, 0.0)
    (face,) = face_surface(start, end, 0.0).pieces
    assert face.numbers["depth"] == 0.5
    assert holding([face], (0.2, -0.1)) == [(face, pytest.approx(-0.1))]
    assert holding([face], (0.2, -0.6)) == [], "gone round it"
    assert holding([face], (0.6, -0.1)) == []
    pieces = face_surface(start, end, 0.08).pieces
    assert [piece.shape for piece in pieces] == [FaceShape, CornerShape, CornerShape]
    at = np.random.default_rng(2).uniform([-1, 0], [1, 1], (300, 2))
    assert nearest_gaps(pieces, at) == pytest.approx(distances(at, [start, end]) - 0.08, abs=1e-12)
    assert np.all(np.sum(~np.isnan(gaps_where_held(pieces, at)), axis=1) == 1)


# motion -------------------------------------------------------------------------------------------------------------

PIECES = {
    "line": line_surface(-0.3, 1, 0.2, 0.07).pieces[0],
    "face": face_surface((0.1, 0.2), (0.6, -0.1), 0.07).pieces[0],
    "corner": face_surface((0.1, 0.2), (0.6, -0.1), 0.07).pieces[1],
    "circle": circle_surface((0.1, 0.2), 0.3, 0.07).pieces[0],
}


def test_pieces_are_all_geometries():
    assert {piece.shape for piece in PIECES.values()} == {PlaneShape, FaceShape, CornerShape, SphereShape}


@pytest.mark.parametrize("name", PIECES)
def test_rates_are_derivatives(name: str):
    """Of the gap, while both bodies and the surface itself move and turn."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        q, v, local = rng.normal(0, 1, 6), rng.normal(0, 1, 6), rng.normal(0, 1, 2)
        moved = rng.normal(0, 1, (2, 3))

        def at(h: float, q: Any = q, v: Any = v, local: Any = local, moved: Any = moved) -> Any:
            there = moved + h * np.stack([moved[:, 1], moved[:, 2], 0 * moved[:, 0]], axis=1)
            return observe(PIECES[name], q + h * v, v, local, there)

        h = 1e-6
        assert at(0.0)[RATE] == pytest.approx((at(h) - at(-h))[GAP] / (2 * h), abs=1e-7)


@pytest.mark.parametrize("name", PIECES)
def test_common_rigid_motion_has_no_effect(name: str):
    """Surface and circle carried along together by a rigid motion: same gap, no rates."""
    piece, rng = PIECES[name], np.random.default_rng(4)
    for _ in range(20):
        q, (x, y, turn) = rng.normal(0, 1, 6), rng.normal(0, 1, 3)

        def carried(p: Any, x: float = x, y: float = y, turn: float = turn) -> list[float]:
            c, s = math.cos(turn), math.sin(turn)
            return [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1], p[2] + turn]

        before, after = observe(piece, q), observe(piece, [*carried(q[:3]), *carried(q[3:])])
        assert after[[GAP, REGION]] == pytest.approx(before[[GAP, REGION]], abs=1e-12)
        spin, vx, vy = rng.normal(0, 1, 3)
        v = np.ravel([[vx - spin * p[1], vy + spin * p[0], spin] for p in (q[:3], q[3:])])
        assert observe(piece, q, v)[[RATE, SLIP]] == pytest.approx(np.zeros(2), abs=1e-12)


@pytest.mark.parametrize("slope", [0.0, 0.5, -1.2])
def test_rolling_on_a_sloped_moving_line(slope: float):
    """A ball that rolls uphill without slipping turns clockwise; on a belt, it stands on turning the other way."""
    radius, t = 0.07, np.array([math.cos(slope), math.sin(slope)])
    n = np.array([-t[1], t[0]])
    (piece,) = line_surface(-t[1], t[0], 0.0, radius).pieces
    centre = 0.4 * t + radius * n
    speed, belt = 0.3, 0.2
    rolling = observe(piece, [0, 0, 0, *centre, 0], [0, 0, 0, *(speed * t), -speed / radius])
    assert rolling[[GAP, RATE, SLIP]] == pytest.approx(np.zeros(3), abs=1e-15)
    moved = np.stack([0 * t, belt * t, 0 * t], axis=1)
    standing = observe(piece, [0, 0, 0, *centre, 0], [0, 0, 0, 0, 0, belt / radius], moved=moved)
    assert standing[[GAP, RATE, SLIP]] == pytest.approx(np.zeros(3), abs=1e-15)
    sliding = observe(piece, [0, 0, 0, *centre, 0], [0, 0, 0, *(speed * t - 0.1 * n), 0], moved=moved)
    assert sliding[[RATE, SLIP]] == pytest.approx([-0.1, speed - belt])


@pytest.mark.parametrize("name", ["line", "face", "corner"])
def test_a_displaced_surface_is_the_same_elsewhere(name: str):
    """Displacement [x, y] of the surface is displacement [-x, -y] of what touches it."""
    piece, rng = PIECES[name], np.random.default_rng(4)
    for _ in range(20):
        p, d = rng.normal(0, 1, 2), rng.normal(0, 1, 2)
        moved = observe(piece, [0, 0, 0, *p, 0.3], moved=np.stack([d, 0 * d, 0 * d], axis=1))
        assert moved == pytest.approx(observe(piece, [0, 0, 0, *(p - d), 0.3]), abs=1e-12)


# invalid surfaces -------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Any, str, str]] = {
    "zero normal": (lambda: line_surface(0, 0, 1, 0), "line", "the normal .* is zero"),
    "one point": (lambda: polyline_surface([(0, 0)], 0), "polyline", "too few points"),
    "no point": (lambda: polyline_surface([], 0), "polyline", "too few points"),
    "the same point twice": (lambda: polyline_surface([(0, 0), (1, 0), (1, 0)], 0), "polyline", "the same place"),
    "only one place": (lambda: polyline_surface([(1, 1), (1, 1)], 0), "polyline", "the same place"),
    "back on itself": (lambda: polyline_surface([(0, 0), (1, 0), (0, 0)], 0), "polyline", "turns back"),
    "across itself": (lambda: polyline_surface([(0, 0), (2, 0), (2, 1), (1, -1)], 0), "polyline", "crosses itself"),
    "face of no length": (lambda: face_surface((1, 2), (1, 2), 0), "face", "the same place"),
    "bar of no length": (lambda: segment_surface((1, 2), (1, 2), 0.1), "segment", "the same place"),
    "point on a bar": (lambda: segment_surface((0, 0), (1, 0), 0), "segment", "a circle .* or a face"),
    "point on a point": (lambda: circle_surface((0, 0), 0, 0), "circle", "two points cannot touch"),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_surface_raises(what: str):
    make, field, problem = WRONG[what]
    with pytest.raises(ModelError, match=problem) as caught:
        make()
    assert caught.value.field == field and caught.value.expected


def test_depth_of_terrain_is_unbounded():
    (face, *_) = polyline_surface([(0, 0), (1, 0)], 0.1).pieces
    assert face.numbers["depth"] == UNBOUNDED_DEPTH_M and nearest_gaps([face], [(0.5, -1e6)]) == pytest.approx(-1e6)
