"""Signed distance from a surface: against closed forms, against a search over all triangles, and during deformation."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mesh import DistanceSelector, Mesh, OutlineTree, SurfaceTree
from gaitwright.mesh.nearest_triangle import project_on_triangle

RNG = np.random.default_rng(5)
HALF = np.array([0.5, 1.0, 1.5])
BOX = gw.mesh.box(2 * HALF, (2, 3, 4)).surface()


def box_distance(points: np.ndarray) -> np.ndarray:
    """Signed distance of points from a box about the origin: outside, the length of the excess; inside, minus the distance
    to the nearest side."""
    out = np.abs(points) - HALF
    return np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)


def special(points: np.ndarray, away: float) -> np.ndarray:
    """Points near the corners, edges and faces of a box, outside and inside."""
    signs = np.array([[a, b, c] for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)], dtype=float)
    return np.vstack([signs * HALF + away * signs, signs * HALF - away * signs])


@pytest.mark.parametrize(
    "points",
    [
        RNG.uniform(-3, 3, (500, 3)),
        RNG.uniform(-1, 1, (500, 3)) * HALF,
        special(HALF, 0.3),
        special(HALF, 1e-9),
        RNG.integers(-2, 3, (300, 3)) * HALF / 2 * 1.0,
    ],
    ids=["about", "inside", "corners and edges", "hardly off", "on the lattice"],
)
def test_box(points: np.ndarray) -> None:
    found = BOX.tree.query(points)
    assert BOX.tree.closed
    assert found.distance == pytest.approx(box_distance(points), abs=1e-14)
    nearest = np.einsum("pk,pki->pi", found.weights, BOX.nodes[BOX.cells[found.triangle]])
    assert nearest + found.distance[:, None] * found.normal == pytest.approx(points, abs=1e-14)
    assert np.linalg.norm(found.normal, axis=1) == pytest.approx(1)
    assert found.weights.sum(axis=1) == pytest.approx(1)
    assert found.weights.min() >= -1e-15


def test_ball() -> None:
    """The surface lies between the spheres through the corners and through the centres of its faces."""
    ball = gw.mesh.ball(1, 0.1)
    inner = np.linalg.norm(ball.nodes[ball.boundary].mean(axis=1), axis=1).min()
    points = RNG.normal(size=(2000, 3))
    exact = np.linalg.norm(points, axis=1) - 1
    found = ball.distance(points)
    assert (found >= exact - 1e-12).all()
    assert (found <= exact + (1 - inner) + 1e-12).all()


@pytest.mark.parametrize("away", [1e-10, 1e-3, 0.5])
def test_sign_at_sharp_and_saddle_vertices(away: float) -> None:
    """A corner of three adjacent boxes, and a spike: the normal of a single face would give the wrong sign."""
    bricks = gw.mesh.grid([0, 1, 2], [0, 1, 2], [0, 1, 2])
    middles = bricks.centroids
    missing = (middles > 1).all(axis=1)  # one of eight is missing: a re-entrant corner at (1, 1, 1)
    used, cells = np.unique(bricks.cells[~missing], return_inverse=True)
    notch = Mesh(bricks.nodes[used], cells.reshape(-1, 4))
    directions = RNG.normal(size=(500, 3))
    points = 1.0 + away * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    out = (points > 1).all(axis=1) | (points < 0).any(axis=1) | (points > 2).any(axis=1)
    assert (np.sign(notch.distance(points)) == np.where(out, 1, -1)).all()
    spike = gw.mesh.box((1, 1, 1), 1).surface()
    nodes = spike.nodes * [0.02, 0.02, 1.0] + [0.4, 0, 0] * (spike.nodes[:, 2:] > 0)
    leaning = SurfaceTree(nodes, spike.cells)
    tip = nodes[np.argmax(nodes.sum(axis=1))]
    near = tip + away * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    # in the frame of the leaning bar it is a box again
    straight = near - np.array([0.4, 0, 0]) * (near[:, 2:] + 0.5)
    inside = (np.abs(straight) <= [0.01, 0.01, 0.5]).all(axis=1)
    assert (np.sign(leaning.query(near).distance) == np.where(inside, -1, 1)).all()


def test_distance_equals_that_of_a_search_over_all_triangles() -> None:
    surface = gw.mesh.ball(1, 0.3).surface()
    nodes = surface.nodes * [1.0, 0.4, 2.0] + 0.2 * np.sin(3 * surface.nodes[:, [1, 2, 0]])
    tree, points = SurfaceTree(nodes, surface.cells), RNG.normal(size=(60, 3))
    found, weights = tree.query(points), np.empty(3)
    for k, point in enumerate(points):
        least = np.inf
        for cell in surface.cells:
            project_on_triangle(point, nodes[cell], weights)
            least = min(least, float(np.linalg.norm(point - weights @ nodes[cell])))
        assert abs(found.distance[k]) == pytest.approx(least, abs=1e-14)


def test_projection_on_a_triangle_is_the_nearest_of_many_points() -> None:
    lattice = np.array([(a, b, 60 - a - b) for a in range(61) for b in range(61 - a)]) / 60
    weights = np.empty(3)
    for _ in range(200):
        corners, point = RNG.normal(size=(3, 3)), 2 * RNG.normal(size=3)
        on = project_on_triangle(point, corners, weights)
        own = np.linalg.norm(point - weights @ corners)
        assert own <= np.linalg.norm(point - lattice @ corners, axis=1).min() + 1e-12
        assert (weights == 0).sum() == {0: 2, 1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 0}[on]


@pytest.mark.parametrize(
    "corners",
    [[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0], [0.5, 0, 0]],
     [[0, 0, 0], [0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0], [1, 0, 0]]],
)  # fmt: skip
def test_flat_triangles_are_handled(corners) -> None:
    corners = np.array(corners, dtype=float)
    weights = np.empty(3)
    for point in RNG.normal(size=(50, 3)):
        project_on_triangle(point, corners, weights)
        assert np.isfinite(weights).all()
        best = min(np.linalg.norm(point - [s, 0, 0]) for s in np.linspace(0, corners[:, 0].max(), 101))
        assert np.linalg.norm(point - weights @ corners) <= best + 1e-12


def test_moved_tree_equals_a_new_one() -> None:
    surface = gw.mesh.ball(1, 0.2).surface()
    tree = SurfaceTree(surface.nodes, surface.cells)
    points = RNG.normal(size=(300, 3))
    before = tree.query(points)
    for scale in (0.5, 1.5):
        nodes = surface.nodes * [scale, 1, 1] + [0, 0, 0.3]
        tree.move(nodes)
        again, new = tree.query(points, start=before.triangle), SurfaceTree(nodes, surface.cells).query(points)
        assert again.distance == pytest.approx(new.distance, abs=1e-15)
        assert again.normal == pytest.approx(new.normal, abs=1e-12)


def test_normal_is_the_gradient_of_the_distance() -> None:
    points = RNG.uniform(-3, 3, (200, 3))
    found = BOX.tree.query(points)
    smooth = np.abs(found.distance) > 0.05
    step = 1e-6
    for axis in range(3):
        ahead, back = (BOX.distance(points + sign * step * np.eye(3)[axis]) for sign in (1, -1))
        slope = (ahead - back) / (2 * step)
        # planes inside a box at which the nearest side changes: a few points lie there
        agree = np.abs(slope - found.normal[:, axis]) < 1e-5
        assert agree[smooth].mean() > 0.98


def test_search_radius_limits_the_result() -> None:
    points = np.array([[0.6, 0, 0], [3.0, 0, 0]])
    found = BOX.tree.query(points, within=0.2)
    assert found.distance.tolist() == [pytest.approx(0.1), np.inf]
    assert found.triangle[1] == -1
    again = BOX.tree.query(points, start=found.triangle)
    assert again.distance == pytest.approx([0.1, 2.5])


def test_open_surface_has_signed_sides() -> None:
    sheet = gw.mesh.box((1, 1, 1), 2).surface()
    top = sheet.cells[(sheet.nodes[sheet.cells][:, :, 2] == 0.5).all(axis=1)]
    tree = SurfaceTree(sheet.nodes, top)
    assert not tree.closed
    assert tree.query([[0.1, 0, 0.7], [0.1, 0, 0.2]]).distance == pytest.approx([0.2, -0.3])


def test_one_triangle() -> None:
    tree = SurfaceTree([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert tree.query([[0.2, 0.2, 1.0], [2, 0, 0]]).distance == pytest.approx([1, 1])


def test_distance_in_the_plane() -> None:
    """A rectangle: outside, the length of the excess; inside, minus the distance to the nearest side."""
    mesh = gw.mesh.rectangle((1, 2), (3, 5))
    corners = np.array([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)]) * [0.5, 1.0]
    points = np.vstack([RNG.uniform(-2, 2, (300, 2)), corners * 1.2, corners * 0.9])
    out = np.abs(points) - [0.5, 1.0]
    exact = np.linalg.norm(np.maximum(out, 0), axis=1) + np.minimum(out.max(axis=1), 0)
    tree = OutlineTree(mesh.nodes, mesh.outline)
    found = tree.query(points)
    assert found.distance == pytest.approx(exact, abs=1e-14) and tree.closed
    assert (mesh.distance(points) == found.distance).all()
    nearest = np.einsum("pk,pki->pi", found.weights, mesh.nodes[mesh.outline[found.triangle]])
    assert nearest + found.distance[:, None] * found.normal == pytest.approx(points, abs=1e-14)
    tree.move(2 * mesh.nodes)
    again = tree.query(2 * points, start=found.triangle)
    assert again.distance == pytest.approx(2 * exact, abs=1e-14)
    far = tree.query([[9.0, 9.0]], within=1.0)
    assert far.distance[0] == np.inf and far.triangle[0] == -1


def test_curved_outlines_and_reentrant_corners() -> None:
    ring = gw.mesh.ring(1, 2, 0.3, order=2)
    points = RNG.uniform(-3, 3, (500, 2))
    radius = np.linalg.norm(points, axis=1)
    exact = np.abs(radius - 1.5) - 0.5
    assert np.abs(ring.distance(points) - exact).max() < 0.02
    sure = np.abs(exact) > 0.02
    assert (np.sign(ring.distance(points)) == np.sign(exact))[sure].all()
    bricks = gw.mesh.grid([0, 1, 2], [0, 1, 2])
    corner = gw.mesh.tidied(bricks.nodes, bricks.cells[~(bricks.centroids > 1).all(axis=1)])
    near = 1 + 1e-6 * RNG.normal(size=(200, 2))
    assert (np.sign(corner.distance(near)) == np.where((near > 1).all(axis=1), 1, -1)).all()


def test_distance_selector_of_another_surface() -> None:
    box = gw.mesh.box((4, 4, 4), 8)
    core = gw.mesh.box((2, 2, 2), 2)
    assert len(box.with_region("core", DistanceSelector(core, 1e-6)).region("core").nodes) == 5**3
    assert len(box.with_region("skin", DistanceSelector(core, 1e-6, inside=False)).region("skin").nodes) == 5**3 - 3**3


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: SurfaceTree(np.zeros((3, 2)), [[0, 1, 2]]), "is not made of triangles in space"),
        (lambda: SurfaceTree(np.zeros((3, 3)), np.zeros((0, 3), int)), "is not made of triangles in space"),
        (lambda: SurfaceTree(np.zeros((3, 3)), [[0, 1, 3]]), "has nodes that are not there"),
        (lambda: BOX.tree.move(np.zeros((3, 3))), "has the shape"),
        (lambda: BOX.distance([1, 2, 3]), "has the shape"),
        (lambda: gw.mesh.disc(1, 0.5).distance([[0, 0, 0]]), "has the shape"),
        (lambda: gw.mesh.disc(1, 0.5).triangles, "a mesh of the plane has edges"),
        (lambda: gw.mesh.ball(1, 0.5).outline, "a mesh of space has triangles"),
        (lambda: OutlineTree(np.zeros((3, 3)), [[0, 1]]), "is not made of edges in the plane"),
    ],
)
def test_invalid_input_is_refused(act, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        act()
