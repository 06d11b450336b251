"""Quality measures against those of known cells."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw

REGULAR = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
CORNER = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
RIGHT = np.array([[0.0, 0], [1, 0], [0, 1]])
EVEN = np.array([[0.0, 0], [1, 0], [0.5, 3**0.5 / 2]])


@pytest.mark.parametrize(
    ("nodes", "shape", "angles", "aspect"),
    [
        (REGULAR, 1.0, (70.5288, 70.5288), 1.0),
        (CORNER, 12 * 0.5 ** (2 / 3) / 9, (54.7356, 90.0), 2**0.5 * (2 / 3) ** 0.5 * 3**0.5),
        (EVEN, 1.0, (60, 60), 1.0),
        (RIGHT, 4 * 3**0.5 * 0.5 / 4, (45, 90), 2**0.5 * 2**0.5 * 3**0.5 / 2),
        (CORNER * 1e-3, 12 * 0.5 ** (2 / 3) / 9, (54.7356, 90.0), 2.0),
    ],
)
def test_known_cells(nodes, shape: float, angles: tuple[float, float], aspect: float) -> None:
    quality = gw.mesh.tidied(nodes, [range(len(nodes))]).quality()
    assert quality.shape[0] == pytest.approx(shape)
    assert (quality.smallest_angle[0], quality.largest_angle[0]) == pytest.approx(angles, abs=1e-3)
    assert quality.aspect[0] == pytest.approx(aspect)
    assert quality.curvature[0] == 1


def test_bad_cells_are_listed() -> None:
    nodes = np.vstack([CORNER, [[0.3, 0.3, -0.01]], [[0.3, 0.3, -1]]])
    quality = gw.mesh.tidied(nodes, [[0, 1, 2, 3], [1, 0, 2, 4], [1, 4, 0, 5]]).quality()
    assert quality.bad.tolist() == [1] or quality.bad[0] == 1
    assert "cells are bad (shape below 0.2); the worst is cell 1" in str(quality)
    table = quality.table()
    assert table.loc["shape", "min"] == quality.shape.min()
    assert list(table.columns) == ["unit", "min", "mean", "max"]
    assert quality.summary()["bad_cells"] == len(quality.bad)


def test_curved_cells_have_a_curvature() -> None:
    straight, curved = gw.mesh.ball(1, 0.5).quadratic().quality(), gw.mesh.ball(1, 0.5, order=2).quality()
    assert "curvature" not in str(straight)
    assert 0.2 < curved.curvature.min() < 1
    assert "curvature" in str(curved)
    assert "no cell is bad" in str(curved)


def test_surfaces_and_the_plane() -> None:
    assert gw.mesh.disc(1, 0.2).quality().shape.min() > 0.9
    surface = gw.mesh.ball(1, 0.2).surface().quality()
    assert surface.shape.min() > 0.7 and "area" in str(surface)
