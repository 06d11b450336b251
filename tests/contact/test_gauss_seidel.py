"""Projected Gauss-Seidel with friction on boxes that stand, land and are pushed: Signorini's and Coulomb's conditions hold to
the tolerance, and where pivoting is exact the velocities are those of pivoting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitwright.contact.gauss_seidel import cone_gauss_seidel, projected_gauss_seidel
from gaitwright.contact.lcp import STATUS_SOLVED, solve_lcp

SWEEPS = 50_000
G = 9.81


def landing(seed: int, dimension: int) -> tuple[Any, Any, float, int]:
    """Matrix, velocities without impulses, coefficient of friction and number of feet of a box that leans by 1e-12 to 0.1 rad,
    after a step of 2 ms in which it was pushed; its feet have different restitutions."""
    rng = np.random.default_rng(seed)
    size, mass, mu = rng.uniform(0.1, 1.0, 3), 10 ** rng.uniform(-2, 2), float(rng.choice([0.1, 0.5, 1.0, 2.0]))
    inertia = mass / 12 * (np.sum(size**2) - size**2)
    corners = [(x, y, -0.5) for x in (-0.5, 0.5) for y in ((0.0,) if dimension == 2 else (-0.5, 0.5))]
    axis = np.array([0.0, 1.0, 0.0]) if dimension == 2 else rng.normal(size=3)
    feet = (np.array(corners) * size) @ Rotation.from_rotvec(axis * 10 ** rng.uniform(-12, -1)).as_matrix().T
    count = len(feet)
    directions = [(0, 0, 1), (1, 0, 0), (0, 1, 0)][:dimension]
    W = np.vstack([np.column_stack([np.tile(d, (count, 1)), np.cross(feet, d)]) for d in directions])
    moves = np.array([1, 0, 1, 0, 1, 0]) if dimension == 2 else np.ones(6)
    before = rng.normal(size=6) * moves * 10 ** rng.uniform(-9, -1)
    after = before + 2e-3 * np.array([2 * mu * G * rng.uniform(), 0, -G, 0, 0, 0])
    b = W @ after
    b[:count] += rng.choice([0.0, 0.3, 0.6], count) * (W[:count] @ before)
    return W / [*[mass] * 3, *inertia] @ W.T, b, mu, count


def assert_coulomb(A: Any, b: Any, z: Any, mu: float, count: int, tolerance: float) -> None:
    """Violations in m/s; where a foot slips, its friction is against the slip."""
    w, scale = A @ z + b, np.diag(A)
    assert np.abs(np.minimum(scale[:count] * z[:count], w[:count])).max() <= 2 * tolerance
    friction, slip = z[count:].reshape(-1, count), w[count:].reshape(-1, count)
    most, stiff = mu * z[:count], scale[count:].reshape(-1, count).max(axis=0)
    assert np.all(stiff * (np.linalg.norm(friction, axis=0) - most) <= 2 * tolerance)
    aim = friction - slip / stiff
    aim *= np.minimum(1.0, most / np.maximum(np.linalg.norm(aim, axis=0), 1e-300))
    assert np.all(stiff * np.linalg.norm(friction - aim, axis=0) <= 4 * tolerance)


def swept(A: Any, b: Any, mu: float, count: int, tolerance: float) -> tuple[int, Any]:
    z, ones = np.zeros(b.size), np.ones(count)
    if b.size == 3 * count:
        return cone_gauss_seidel(A, b, mu * ones, z, tolerance, SWEEPS)[0], z
    low, high = np.append(0.0 * ones, -mu * ones), np.append(np.inf * ones, mu * ones)
    normal_of = np.append(np.full(count, -1), np.arange(count))
    return projected_gauss_seidel(A, b, low, high, normal_of, z, tolerance, SWEEPS)[0], z


@pytest.mark.parametrize("dimension", [2, 3])
def test_boxes_that_land_and_are_pushed(dimension: int) -> None:
    for seed in range(400 if dimension == 2 else 100):
        A, b, mu, count = landing(seed, dimension)
        tolerance = 1e-12 * float(np.abs(b).max())
        status, z = swept(A, b, mu, count, tolerance)
        assert status == STATUS_SOLVED, seed
        assert_coulomb(A, b, z, mu, count, tolerance)


def test_velocities_are_those_of_pivoting() -> None:
    """Impulses of redundant feet are not unique; for little friction, velocities are."""
    compared = 0
    for seed in range(100):
        A, b, mu, n = landing(seed, 2)
        if mu > 0.5:
            continue
        zero, one = np.zeros((n, n)), np.eye(n)
        N, T = A[:n], A[n:]
        rows = [[N[:, :n], N[:, n:], -N[:, n:], zero], [T[:, :n], T[:, n:], -T[:, n:], one]]
        rows += [[-T[:, :n], -T[:, n:], T[:, n:], one], [mu * one, -one, -one, zero]]
        pivoted = solve_lcp(np.block(rows), np.concatenate([b, -b[n:], np.zeros(n)])).z.reshape(4, n)
        _, z = swept(A, b, mu, n, 1e-12 * float(np.abs(b).max()))
        exact = A @ np.append(pivoted[0], pivoted[1] - pivoted[2]) + b
        assert np.abs(A @ z + b - exact).max() <= 1e-9 * np.abs(b).max(), seed
        compared += 1
    assert compared > 30


@pytest.mark.parametrize("mu", [1.0, 2.0, 10.0])
def test_one_foot_of_a_tall_box_sticks(mu: float) -> None:
    """Sweeps multiply the error by mu |A_nt| / A_nn, here above one."""
    foot = np.array([-0.2, -0.5])
    W = np.array([[0.0, 1.0, foot[0]], [1.0, 0.0, -foot[1]]])
    A = W / [1.0, 1.0, 0.02] @ W.T
    assert mu * abs(A[0, 1]) / A[0, 0] > 1.0
    b = np.array([-0.1, 0.02])
    impulse = np.linalg.solve(A, -b)
    assert impulse[0] > 0.0 and abs(impulse[1]) < mu * impulse[0]
    status, z = swept(A, b, mu, 1, 1e-13)
    assert status == STATUS_SOLVED and z == pytest.approx(impulse, rel=1e-10)
