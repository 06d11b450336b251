"""Terrains from heights on a grid: splines through them, and the heights of the centre of a sphere in contact with the
terrain."""

from __future__ import annotations

import numpy as np

from gaitwright.mechanism.blocks import HeightTable
from gaitwright.mechanism.tables import Array

TRIALS_PER_CELL = 4
"""Trial places per cell and direction for a sphere, before Newton's method finds the contact place."""


def height_table(origin: tuple[float, float], spacing: tuple[float, float], z: Array) -> HeightTable:
    """The bicubic spline through the heights z[i, j] at (x0 + i dx, y0 + j dy), m: twice continuously differentiable. Between
    steep steps it overshoots, as splines do."""
    from scipy.interpolate import CubicSpline

    x, y = spacing[0] * np.arange(z.shape[0]), spacing[1] * np.arange(z.shape[1])
    along_x = CubicSpline(x, z, axis=0).c[::-1]  # (power of x, cell, y)
    both = CubicSpline(y, along_x, axis=2).c[::-1]  # (power of y, cell along y, power of x, cell along x)
    return HeightTable(origin, spacing, np.ascontiguousarray(np.transpose(both, (3, 1, 2, 0))))


def evaluate_heights(table: HeightTable, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """Height, gradient (..., 2) and second derivatives (..., 2, 2) at places (x, y); linear extrapolation beyond the grid."""
    (x0, y0), (dx, dy), c = table.origin, table.spacing, table.coefficients
    inside_x, inside_y = np.clip(x, x0, x0 + dx * c.shape[0]), np.clip(y, y0, y0 + dy * c.shape[1])
    i = np.clip(((inside_x - x0) / dx).astype(int), 0, c.shape[0] - 1)
    j = np.clip(((inside_y - y0) / dy).astype(int), 0, c.shape[1] - 1)
    u, v = (_cubic_monomials(at) for at in (inside_x - x0 - dx * i, inside_y - y0 - dy * j))
    D = {(a, b): np.einsum("...i,...j,...ij->...", u[a], v[b], c[i, j]) for a in range(3) for b in range(3 - a)}
    gradient = np.stack([D[1, 0], D[0, 1]], axis=-1)
    second = np.stack([np.stack([D[2, 0], D[1, 1]], axis=-1), np.stack([D[1, 1], D[0, 2]], axis=-1)], axis=-1)
    overhang = np.stack([x - inside_x, y - inside_y], axis=-1)
    second = np.where((overhang == 0.0).all(axis=-1)[..., None, None], second, 0.0)
    return D[0, 0] + (overhang * gradient).sum(axis=-1), gradient, second


def _cubic_monomials(u: Array) -> list[Array]:
    """Monomials 1, u, u^2, u^3 and their first and second derivatives."""
    ones, zeros = np.ones_like(u), np.zeros_like(u)
    return [
        np.stack([ones, u, u**2, u**3], axis=-1),
        np.stack([zeros, ones, 2 * u, 3 * u**2], axis=-1),
        np.stack([zeros, zeros, 2 * ones, 6 * u], axis=-1),
    ]


def offset_heights(table: HeightTable, radius: float) -> HeightTable:
    """Heights of the centre of a sphere in contact with the terrain, over the same grid:

        H(X, Y) = max over d of h(X + d_x, Y + d_y) + sqrt(R^2 - d^2)

    A sphere larger than a hollow rests on its rims, as it does in reality; where it changes from one rim to the
    other, H has a crease, which the spline rounds over a cell."""
    nx, ny = table.coefficients.shape[:2]
    (x0, y0), (dx, dy) = table.origin, table.spacing
    X, Y = np.meshgrid(x0 + dx * np.arange(nx + 1), y0 + dy * np.arange(ny + 1), indexing="ij")
    highest, place = np.full(X.shape, -np.inf), np.zeros((*X.shape, 2))
    for d in _disc_points(radius, min(dx, dy) / TRIALS_PER_CELL):
        height = evaluate_heights(table, X + d[0], Y + d[1])[0] + np.sqrt(max(radius**2 - d @ d, 0.0))
        higher = height > highest
        highest = np.where(higher, height, highest)
        place[higher] = d
    for _ in range(8):
        _, slope, second = evaluate_heights(table, X + place[..., 0], Y + place[..., 1])
        rise = np.sqrt(np.maximum(radius**2 - (place**2).sum(axis=-1), 1e-12 * radius**2))[..., None]
        gradient = slope - place / rise
        hessian = (
            second - np.eye(2) / rise[..., None] - place[..., :, None] * place[..., None, :] / rise[..., None] ** 3
        )
        step = np.linalg.solve(hessian, -gradient[..., None])[..., 0]
        trial = place + step
        size = np.linalg.norm(trial, axis=-1, keepdims=True)
        trial *= np.minimum(1.0, 0.999999 * radius / np.maximum(size, 1e-300))
        height = evaluate_heights(table, X + trial[..., 0], Y + trial[..., 1])[0]
        height += np.sqrt(np.maximum(radius**2 - (trial**2).sum(axis=-1), 0.0))
        higher = height >= highest
        highest = np.where(higher, height, highest)
        place = np.where(higher[..., None], trial, place)
    return height_table(table.origin, table.spacing, highest)


def _disc_points(radius: float, spacing: float) -> Array:
    """Trial points in a disc, at most some hundreds."""
    count = int(np.clip(np.ceil(radius / spacing), 2, 12))
    line = radius * np.arange(-count, count + 1) / (count + 1e-9)
    places = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    return places[(places**2).sum(axis=1) <= radius**2]
