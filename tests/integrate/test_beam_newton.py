"""Tangents of beams are exact: Newton's iteration of an implicit step converges quadratically."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanism.evaluation import evaluate_forces, evaluate_tangents, new_workspace, update_signals
from gaitwright.mechanism.table_builder import compile_tangents

KINDS = {
    "continuum, full": {"integration": "full"},
    "continuum, reduced": {"integration": "reduced"},
    "takahashi": {"formulation": "takahashi"},
    "damped": {"damping": 2e-3},
    "curved and tapered": {"curvature": "2*s", "bending_stiffness": "1.4*(1 - s)", "axial_stiffness": "1e4*(1 - s)"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_newton_is_quadratic(kind):
    """A free beam with random bending and motion, over one Newmark step under follower loads."""
    section = {"bending_stiffness": 1.4, "axial_stiffness": 1e4, "mass_per_length": 0.1} | KINDS[kind]
    model = gw.Model().point("A", 0, 0).point("B", 0.5, 0).beam("rod", "A", "B", length=0.5, elements=4, **section)
    model.force.at_point("rod.end", [1.0, 2.0], frame="body").force.moment("rod.node2", 0.7)
    model.force.along_beam("rod", [0.5, -3.0], frame="body")
    mechanism = model.mechanism()
    s, rng = mechanism.system, np.random.default_rng(1)
    w, h, n = new_workspace(s), 2e-3, s.n
    compile_tangents(s)
    update_signals(s, w, 0.0)
    q = mechanism.drawn + np.append(rng.normal(size=n) * np.where(mechanism.scale == 1.0, 0.05, 0.002), 0.0)
    v = np.append(rng.normal(size=n) * 0.1, 0.0)
    M = np.zeros((n, n))
    np.add.at(M, (s.mass_row, s.mass_col), s.mass)

    def state(a):
        return q + h * v + 0.25 * h**2 * np.append(a, 0.0), v + 0.5 * h * np.append(a, 0.0)

    def residual(a):
        evaluate_forces(s, w, *state(a))
        return M @ a - w.force[:n]

    def matrix(a):
        evaluate_tangents(s, w, *state(a), np.zeros(s.m_all))
        kq, kv = np.zeros((n, n)), np.zeros((n, n))
        np.add.at(kq, (s.k_row, s.k_col), w.kq[:-1])
        if s.damped:
            np.add.at(kv, (s.k_row, s.k_col), w.kv[:-1])
        return M + 0.25 * h**2 * kq + 0.5 * h * kv

    a, changes = np.zeros(n), []
    for _ in range(12):
        d = np.linalg.solve(matrix(a), -residual(a))
        a += d
        changes.append(np.max(np.abs(0.25 * h**2 * d)))
    small = [(x, y) for x, y in itertools.pairwise(changes) if 1e-7 < x < 1e-3]
    assert small and changes[-1] < 1e-13
    for before, after in small:
        assert after < 2e3 * before**2 + 1e-14, changes


def test_a_fine_beam_that_is_strongly_damped_starts_as_a_coarser_one():
    """Through damping, rounding errors of the start velocities cause accelerations of 10^6 rad/s^2 with 400 elements, 10^5 with
    200: the first steps must not propagate them. Compares accelerations of the end after a step, to the error of 200
    elements."""
    ends = []
    for elements in (200, 400):
        model = gw.Model(gravity=(0.0, -9.81)).ground_point("O", 0, 0).point("A", 0.4, 0.2)
        model.beam(
            "rod", "O", "A", length=0.2**0.5, elements=elements, youngs_modulus=70e9, density=2700, width=0.02,
            height=0.005, damping=3e-3,
        )  # fmt: skip
        model.drive.rotation("rod.start", "atan(0.5) + 2*pi*t")
        run = model.simulate(until=5e-3, step=1e-3, method="generalized-alpha")
        ends.append(np.stack([run.array("rod.end.ax"), run.array("rod.end.ay")])[:, 1:])
    assert ends[1] == pytest.approx(ends[0], rel=1e-3)
