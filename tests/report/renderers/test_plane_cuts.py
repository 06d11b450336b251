"""Cuts: areas against those of exact sections, values along the cut, remaining parts of triangles and lines."""

import numpy as np
import pytest

from gaitwright.report.renderers.spatial_deformable import clip_lines, clip_triangles, cut_tetrahedra
from gaitwright.report.scenes.mesh_faces import outer_piece_faces, split_cells
from made_up_solids import ball_nodes, brick, skin, with_middles


def area(polygons):
    """Area of polygons (p, 4, 3) in a plane."""
    return np.linalg.norm(np.cross(polygons[:, 2] - polygons[:, 0], polygons[:, 3] - polygons[:, 1]), axis=1).sum() / 2


def halves(cells):
    return np.ones(cells.shape, dtype=bool)


@pytest.mark.parametrize("at", [-0.9, -0.5, 0.0, 0.123, 0.999])
@pytest.mark.parametrize("normal", [(1, 0, 0), (0, 0, -1), (0.6, 0.8, 0)])
def test_the_section_of_a_cube_has_its_area_and_the_values_there(at, normal):
    """Also for nodes in the plane itself (-0.5 and 0)."""
    points, cells = brick(4, 4, 4)
    normal = np.array(normal)
    cut = cut_tetrahedra(cells, points @ normal - at, halves(cells))
    shape = cut.interpolate(points)
    np.testing.assert_allclose(shape @ normal, at, atol=1e-12)
    if abs(normal).max() == 1:
        assert area(shape) == pytest.approx(4.0)
    value = points @ [1.0, 2.0, 3.0]
    np.testing.assert_allclose(cut.interpolate(value), shape @ [1.0, 2.0, 3.0], atol=1e-12)


def test_the_section_of_a_ball_is_a_circle_and_nothing_is_cut_outside():
    points, cells = ball_nodes(12)
    for at in (0.0, 0.5):
        cut = cut_tetrahedra(cells, points[:, 2] - at, halves(cells))
        assert area(cut.interpolate(points)) == pytest.approx(np.pi * (1 - at**2), rel=0.03)
    assert not len(cut_tetrahedra(cells, points[:, 2] - 1.1, halves(cells)).ends)


def test_lines_of_the_section_lie_on_faces_of_elements():
    """A plane through one quadratic element gives many polygons of its pieces, but only the triangle around them is drawn."""
    points, cells = with_middles(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), np.array([[0, 1, 2, 3]]))
    pieces = split_cells(cells)
    cut = cut_tetrahedra(pieces, points[:, 2] - 0.3, outer_piece_faces())
    shape = cut.interpolate(points)
    sides = np.stack([shape, np.roll(shape, -1, axis=1)], axis=2)[cut.drawn]
    middles = sides.mean(axis=1)
    at_the_rim = (middles[:, 0] < 1e-9) | (middles[:, 1] < 1e-9) | (middles[:, :2].sum(axis=1) > 0.7 - 1e-9)
    assert at_the_rim.all() and area(shape) == pytest.approx(0.7**2 / 2)
    assert np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1).sum() == pytest.approx(0.7 * (2 + 2**0.5))


def test_clipped_surface():
    points, cells = brick(3, 3, 3)
    faces = skin(cells)
    triangles = points[faces]
    for at in (-0.4, 0.0, 1 / 3):
        left = clip_triangles(triangles, triangles[..., 0] - at)
        assert left[..., 0].max() <= at + 1e-12
        assert area(left) == pytest.approx(4 + 4 * 2 * (1 + at))
    assert len(clip_triangles(triangles, np.ones(faces.shape))) == 0


def test_clipped_lines():
    lines = np.array([[[0.0, 0, 0], [1, 0, 0]], [[2, 0, 0], [0, 1, 0]], [[2, 0, 0], [3, 0, 0]]])
    left = clip_lines(lines, lines[..., 0] - 1.0)
    np.testing.assert_allclose(left, [[[0, 0, 0], [1, 0, 0]], [[0, 1, 0], [1, 0.5, 0]]])
