"""Stiffness of pads: against sums over small columns, each compressed along its normal and sheared across it."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.wear.pad_springs import pad_stiffness

PAD = {"youngs_modulus": 2e5, "poissons_ratio": 0.3, "thickness": 0.012, "height": 0.08}
SHEAR = 2e5 / 2.6


def by_columns(places: np.ndarray, normals: np.ndarray, area: float) -> np.ndarray:
    """(6,): diagonal of the stiffness of columns of this area at positions (n, 3) with normals (n, 3)."""
    stiffness = np.zeros((6, 6))
    for place, normal in zip(places, normals, strict=True):
        own = area / PAD["thickness"] * (SHEAR * np.eye(3) + (2e5 - SHEAR) * np.outer(normal, normal))
        x, y, z = place
        turn = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
        move = np.hstack([np.eye(3), turn])
        stiffness += move.T @ own @ move
    return np.diag(stiffness)


def test_around_a_limb() -> None:
    angle = (np.arange(60) + 0.5) * 2 * np.pi / 60
    height = (np.arange(60) + 0.5) / 60 * 0.08 - 0.04
    around, up = (grid.ravel() for grid in np.meshgrid(angle, height))
    normals = np.stack([np.cos(around), 0 * up, np.sin(around)], axis=1)
    expected = by_columns(0.05 * normals + np.outer(up, [0, 1, 0]), normals, 2 * np.pi * 0.05 * 0.08 / 3600)
    found = pad_stiffness({**PAD, "radius": 0.05}, "around")
    assert np.concatenate(found) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(("face", "axes"), [("front", (2, 1, 0)), ("inner", (0, 1, 2)), ("below", (2, 0, 1))])
def test_flat(face: str, axes: tuple[int, int, int]) -> None:
    """axes: of width, of height, and the normal."""
    width, height, normal = axes
    u, v = (grid.ravel() for grid in np.meshgrid(*2 * [(np.arange(60) + 0.5) / 60 - 0.5]))
    places = np.zeros((3600, 3))
    places[:, width], places[:, height] = 0.1 * u, 0.08 * v
    expected = by_columns(places, np.tile(np.eye(3)[normal], (3600, 1)), 0.1 * 0.08 / 3600)
    found = np.concatenate(pad_stiffness({**PAD, "width": 0.1}, face))
    assert found == pytest.approx(expected, rel=1e-3)
