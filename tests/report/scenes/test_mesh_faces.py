"""Faces, edges and rigid motions of meshes."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitwright.report.scenes.mesh_faces import (
    CELL_FACES,
    boundary_edges,
    corner_normals,
    element_edges,
    fit_rigid_motion,
    outer_piece_faces,
    split_cells,
    split_faces,
    split_sharp_corners,
    subdivide_triangles,
)  # fmt: skip
from made_up_solids import ball_nodes, brick, skin, skin_with_middles, with_middles


def volumes(points, cells):
    a, b, c, d = (points[cells[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6


def areas(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


def test_pieces_fill_their_element():
    points, cells = with_middles(*brick(2, 1, 1))
    pieces = split_cells(cells)
    assert pieces.shape == (8 * len(cells), 4)
    np.testing.assert_allclose(volumes(points, pieces), 8.0 / len(pieces), err_msg="equal, and all the same way round")
    faces = split_faces(skin_with_middles(cells))
    assert areas(points, faces).sum() == pytest.approx(24.0)
    assert not len(boundary_edges(faces)), "it is closed"
    outward = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    assert ((outward * points[faces].mean(axis=1)).sum(axis=1) > 0).all()


def test_edges_belong_to_elements_not_to_pieces():
    triangle = np.arange(6)[None]
    assert element_edges(triangle).tolist() == [[0, 3], [0, 5], [1, 3], [1, 4], [2, 4], [2, 5]]
    assert element_edges(split_faces(triangle)).shape == (9, 2)


def test_faces_between_pieces_of_one_element_are_flagged():
    points, cells = with_middles(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), np.array([[0, 1, 2, 3]]))
    middles = points[split_cells(cells)[:, CELL_FACES]].mean(axis=2)
    outside = (middles.min(axis=2) < 1e-9) | (middles.sum(axis=2) > 1 - 1e-9)
    np.testing.assert_array_equal(outer_piece_faces(), outside)
    assert outside.sum() == 16, "four on each of four faces"


@pytest.mark.parametrize(
    ("mesh", "count"), [(brick(3, 3, 3), 6 * 16), (ball_nodes(8), len(np.unique(skin(ball_nodes(8)[1]))))]
)
def test_only_sharp_edges_have_two_normals(mesh, count):
    points, cells = mesh
    faces = skin(cells)
    node, numbered = split_sharp_corners(points, faces)
    assert len(node) == count
    np.testing.assert_array_equal(node[numbered], faces)
    normals = corner_normals(points[faces], numbered, len(node))
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)


def test_normals_of_a_ball_point_away_from_its_middle():
    points, cells = ball_nodes(8)
    faces = skin(cells)
    node, numbered = split_sharp_corners(points, faces)
    outward = (corner_normals(points[faces], numbered, len(node)) * points[node]).sum(axis=1)
    assert outward.min() > 0.97


def test_rigid_motion_fit_is_never_a_reflection():
    rest = np.random.default_rng(1).normal(size=(40, 3))
    turns = Rotation.random(5, random_state=2).as_matrix()
    points = np.einsum("tij,nj->tni", turns, rest) + np.arange(5)[:, None, None]
    found, shift = fit_rigid_motion(rest, points)
    np.testing.assert_allclose(found, turns, atol=1e-12)
    np.testing.assert_allclose(shift, np.arange(5)[:, None] * np.ones(3), atol=1e-12)
    for d in (2, 3):
        turn, _ = fit_rigid_motion(rest[:, :d], rest[None, :, :d] * np.r_[-1.0, np.ones(d - 1)])
        assert np.linalg.det(turn[0]) == pytest.approx(1.0)


def test_small_triangles_fill_the_large_one_and_keep_its_numbers():
    triangle = np.array([[[0.0, 0, 5], [1, 0, 6], [0, 1, 8]]])
    for pieces in (1, 2, 5):
        small = subdivide_triangles(triangle, pieces)
        assert len(small) == pieces**2
        np.testing.assert_allclose(small[..., 2], 5 + small[..., 0] + 3 * small[..., 1])
        one, other = small[:, 1] - small[:, 0], small[:, 2] - small[:, 0]
        np.testing.assert_allclose(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0], 1 / pieces**2)
