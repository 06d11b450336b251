"""Exact answers for beams of space, independent of gaitwright: nothing here imports the package.

A rod without shear: r' = (1 + N/EA) t, and axes D = (t, d2, d3) that turn at rates k about themselves, D' = D [k]x, with
(N, T, M2, M3) = C (strain, k - k0) and M' = -r' x F of a dead load F at the tip. The force is known everywhere; the moment at
the clamp is not, and is found by shooting until that of the tip is right: DOP853 at 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

Array = Any


class Rod(NamedTuple):
    """Of a length, m, with a stiffness (4, 4) and rates k0 without load, by arc length; axes (rows): at the clamp."""

    length: float
    stiffness: Array
    rest: Callable[[float], Array] = lambda s: np.zeros(3)
    axes: Array = np.eye(3)


def skew(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def loaded(rod: Rod, force: Array, moment: Array = (0.0, 0.0, 0.0), steps: int = 3) -> tuple[Array, Array, Array]:
    """Tip and axes there (rows), and the moment at the clamp, N m, under a dead force, N, and moment, N m, at the tip."""
    C = np.asarray(rod.stiffness, dtype=float)
    inner = np.linalg.inv(C[1:, 1:])

    def slopes(s: float, y: Array, F: Array) -> Array:
        D, M = y[3:12].reshape(3, 3), y[12:]
        given = np.r_[D[0] @ F, D @ M]
        strain, *k = np.linalg.solve(C, given) if np.any(C[0, 1:]) else (given[0] / C[0, 0], *(inner @ given[1:]))
        k = np.asarray(k) + rod.rest(s)
        way = (1.0 + strain) * D[0]
        turned = np.stack([k[2] * D[1] - k[1] * D[2], k[0] * D[2] - k[2] * D[0], k[1] * D[0] - k[0] * D[1]])
        return np.r_[way, turned.ravel(), -np.cross(way, F)]

    def end(M0: Array, F: Array) -> Array:
        y0 = np.r_[np.zeros(3), np.asarray(rod.axes, dtype=float).ravel(), M0]
        return solve_ivp(slopes, (0.0, rod.length), y0, args=(F,), method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1]

    force, moment, M0 = np.asarray(force, dtype=float), np.asarray(moment, dtype=float), np.zeros(3)
    size = max(np.linalg.norm(force) * rod.length, np.linalg.norm(moment), 1e-300)
    for share in np.linspace(0.0, 1.0, steps + 1)[1:]:
        found = root(
            lambda M, share=share: (end(size * M, share * force)[12:] - share * moment) / size, M0 / size, tol=1e-12
        )
        assert np.abs(found.fun).max() < 1e-9, found.message
        M0 = size * found.x
    tip = end(M0, force)
    return tip[:3], tip[3:12].reshape(3, 3), M0
