"""Space curves with a frame along them: from curvature and twist, through an arc, or as a spline through points."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

Array = np.ndarray
Curve = Callable[[Array], tuple[Array, Array]]
"""Callable: arc length (n,), m, to position (n, 3), m, and unit tangent (n, 3)."""


def skew(v: Array) -> Array:
    """Return the cross-product matrices: skew(v) @ u = v x u; v (..., 3), result (..., 3, 3)."""
    x, y, z = np.moveaxis(v, -1, 0)
    zero = np.zeros_like(x)
    return np.stack([np.stack(r, axis=-1) for r in ((zero, -z, y), (z, zero, -x), (-y, x, zero))], axis=-2)


def integrate_helices(lengths: Array, rates: Array) -> tuple[Array, Array]:
    """Integrate a curve of helical pieces from the origin, starting along x; each helix is exact.

    lengths: of the pieces, m. rates: (pieces, 3), constant turning rate of each piece about its own axes, rad/m. Returns
    positions (pieces + 1, 3), m, and axes (pieces + 1, 3, 3), with rows t, d2, d3."""
    turn = rates * lengths[:, None]
    angle = np.linalg.norm(turn, axis=1)[:, None, None]
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    # sin(a)/a, (1 - cos a)/a^2, (a - sin a)/a^3
    first = np.where(small, 1.0 - angle**2 / 6.0, np.sin(safe) / safe)
    second = np.where(small, 0.5 - angle**2 / 24.0, (1.0 - np.cos(safe)) / safe**2)
    third = np.where(small, 1.0 / 6.0 - angle**2 / 120.0, (safe - np.sin(safe)) / safe**3)
    W = skew(turn)
    R = np.eye(3) + first * W + second * W @ W
    steps = (np.eye(3) + second * W + third * W @ W)[..., 0] * lengths[:, None]
    r, D = [np.zeros(3)], [np.eye(3)]  # D: columns are the axes
    for k in range(len(lengths)):
        r.append(r[-1] + D[-1] @ steps[k])
        D.append(D[-1] @ R[k])
    return np.array(r), np.swapaxes(np.array(D), 1, 2)


def align_rotation(along: Array, upright: Array, chord: Array, wanted: Array) -> Array:
    """Return the rotation that takes the unit vector `along` to `chord`, and `upright` as close to `wanted` as possible."""

    def axes(first: Array, second: Array) -> Array:
        across = second - (second @ first) * first
        if np.linalg.norm(across) < 1e-9:
            across = np.cross(first, np.eye(3)[np.argmin(np.abs(first))])
        across = across / np.linalg.norm(across)
        return np.stack([first, across, np.cross(first, across)], axis=1)

    return axes(chord, wanted) @ axes(along, upright).T


def arc_through(points: Array) -> tuple[float, Curve]:
    """Return the length, m, and the curve of the circular arc through three points, from the first to the last. The curve is
    straight if the points are collinear."""
    a, b, c = points
    u, v = b - a, c - a
    normal = np.cross(u, v)
    if np.linalg.norm(normal) <= 1e-9 * np.linalg.norm(u) * np.linalg.norm(v):
        length = float(np.linalg.norm(v))
        return length, lambda s: (a + np.multiply.outer(s / length, v), np.broadcast_to(v / length, (*s.shape, 3)))
    centre = a + (np.cross(normal, u) * (v @ v) + np.cross(v, normal) * (u @ u)) / (2.0 * normal @ normal)
    axis = normal / np.linalg.norm(normal)
    x = a - centre
    radius = float(np.linalg.norm(x))
    x = x / radius
    y = np.cross(axis, x)
    angle = float(np.arctan2((c - centre) @ y, (c - centre) @ x)) % (2.0 * np.pi)

    def curve(s: Array) -> tuple[Array, Array]:
        cos, sin = np.cos(s / radius)[..., None], np.sin(s / radius)[..., None]
        return centre + radius * (cos * x + sin * y), cos * y - sin * x

    return radius * angle, curve


def spline_through(points: Array) -> tuple[float, Curve]:
    """Return the length, m, and the curve of the cubic spline through points, parametrised by chord length."""
    from scipy.interpolate import CubicSpline

    knots = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    spline = CubicSpline(knots, points)
    x, w = np.polynomial.legendre.leggauss(5)
    fine = np.unique(np.concatenate([np.linspace(a, b, 65) for a, b in itertools.pairwise(knots)]))
    step = np.diff(fine)
    at = fine[:-1, None] + step[:, None] * (x + 1.0) / 2.0
    arc = np.r_[0.0, np.cumsum((np.linalg.norm(spline(at, 1), axis=-1) @ w) / 2.0 * step)]

    def curve(s: Array) -> tuple[Array, Array]:
        u = np.interp(s, arc, fine)
        for _ in range(3):  # Newton steps on the arc length
            k = np.clip(np.searchsorted(fine, u, side="right") - 1, 0, fine.size - 2)
            span = u - fine[k]
            inner = fine[k][:, None] + span[:, None] * (x + 1.0) / 2.0
            reached = arc[k] + (np.linalg.norm(spline(inner, 1), axis=-1) @ w) / 2.0 * span
            u = np.clip(u + (s - reached) / np.linalg.norm(spline(u, 1), axis=-1), fine[0], fine[-1])
        slope = spline(u, 1)
        return spline(u), slope / np.linalg.norm(slope, axis=-1, keepdims=True)

    return float(arc[-1]), curve
