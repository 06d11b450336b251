"""Space curves: helical pieces, arcs, and splines parametrised by arc length."""

import math

import numpy as np
import pytest

from gaitwright.geometry.curves import align_rotation, arc_through, integrate_helices, spline_through


def test_pieces_of_constant_curvature_are_exact():
    """A quarter of a circle, in one piece and in seven; and turns so small that they vanish."""
    for count in (1, 7):
        r, axes = integrate_helices(np.full(count, math.pi / 2 / count), np.tile([0.0, 0.0, 1.0], (count, 1)))
        np.testing.assert_allclose(r[-1], [1, 1, 0], atol=1e-14)
        np.testing.assert_allclose(axes[-1], [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=1e-14)
    r, _ = integrate_helices(np.ones(1), np.array([[1e-9, 2e-9, 0.0]]))
    np.testing.assert_allclose(r[-1], [1, 0, -1e-9], atol=1e-15)


def test_an_arc_through_three_points_and_a_line():
    length, curve = arc_through(np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0]]))
    r, t = curve(np.array([0.0, math.pi / 2, math.pi]))
    assert length == pytest.approx(math.pi)
    np.testing.assert_allclose(r, [[1, 0, 0], [0, 1, 0], [-1, 0, 0]], atol=1e-14)
    np.testing.assert_allclose(t, [[0, 1, 0], [-1, 0, 0], [0, -1, 0]], atol=1e-14)
    length, curve = arc_through(np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2]]))
    assert length == pytest.approx(math.sqrt(12)) and curve(np.array([length]))[0][0] == pytest.approx([2, 2, 2])


def test_spline_is_parametrised_by_arc_length():
    points = np.array([[0, 0, 0], [1, 0.5, 0.2], [2, 0, 1], [3, 1, 0.5]])
    length, curve = spline_through(points)
    s = np.linspace(0.0, length, 400)
    r, t = curve(s)
    np.testing.assert_allclose(np.linalg.norm(np.diff(r, axis=0), axis=1), length / 399, rtol=1e-4)
    np.testing.assert_allclose(r[[0, -1]], points[[0, -1]], atol=1e-9)
    np.testing.assert_allclose(np.gradient(r, s, axis=0)[5:-5], t[5:-5], atol=1e-3)


def test_frame_is_rotated_onto_a_chord():
    turned = align_rotation(np.array([1.0, 0, 0]), np.array([0.0, 1, 0]), np.array([0.0, 0, 1]), np.array([1.0, 0, 1]))
    np.testing.assert_allclose(turned @ [1, 0, 0], [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(turned @ [0, 1, 0], [1, 0, 0], atol=1e-15)
