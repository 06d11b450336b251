"""Equations 5.23 and 5.26 to 5.28 of paper 003, as printed: the slider-crank in the angles of crank and rod."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitwright.papers.slider_crank_impact import Setup
    from gaitwright.result.result import Result


def mass_matrix(s: Setup, a1: float, a2: float) -> np.ndarray:
    """Eq 5.26: mass matrix for the angles of crank and rod."""
    j1, j2 = s.crank_mass * s.crank**2 / 12, s.rod_mass * s.rod**2 / 12
    m1, m2, m3, l1, l2 = s.crank_mass, s.rod_mass, s.slider_mass, s.crank, s.rod
    mixed = l1 * l2 * math.cos(a1 - a2) * (m2 / 2 + m3)
    return np.array([[j1 + l1**2 * (m1 / 4 + m2 + m3), mixed], [mixed, j2 + l2**2 * (m2 / 4 + m3)]])


def inelastic_impulse(s: Setup, run: Result, k: int) -> float:
    """Eq 5.23 and 5.28 for the impact that leaves slider and block at one speed, from the k-th state of a run, N s."""
    a1, a2, *before = (
        float(run.values(name)[k]) for name in ("crank.angle", "rod.angle", "crank.spin", "rod.spin", "block.vx")
    )
    guide = [s.crank * math.cos(a1), s.rod * math.cos(a2), 0.0]
    closing = [-s.crank * math.sin(a1), -s.rod * math.sin(a2), -1.0]  # speed of the slider minus that of the block
    mass = np.zeros((3, 3))
    mass[:2, :2], mass[2, 2] = mass_matrix(s, a1, a2), s.block_mass
    rows = np.array([guide, closing])
    matrix = np.block([[mass, rows.T], [rows, np.zeros((2, 2))]])
    return float(np.linalg.solve(matrix, np.concatenate([mass @ before, np.zeros(2)]))[-1])


def crank_acceleration(
    s: Setup, a1: float, a2: float, w1: float, w2: float, of_difference: Callable[[float], float]
) -> float:
    """Eq 5.26 to 5.28 solved for the acceleration of the crank; of_difference: what stands for theta_1 - theta_2 in
    Eq 5.27."""
    m1, m2, m3, l1, l2, g = s.crank_mass, s.rod_mass, s.slider_mass, s.crank, s.rod, s.gravity
    gyroscopic = l1 * l2 * of_difference(a1 - a2) * (m2 / 2 + m3)
    h = [
        -gyroscopic * w2**2 - g * l1 * math.cos(a1) * (m1 / 2 + m2 + m3),
        gyroscopic * w1**2 - g * l2 * math.cos(a2) * (m2 / 2 + m3),
        l1 * math.sin(a1) * w1**2 + l2 * math.sin(a2) * w2**2,
    ]
    guide = np.array([l1 * math.cos(a1), l2 * math.cos(a2)])
    matrix = np.zeros((3, 3))
    matrix[:2, :2], matrix[:2, 2], matrix[2, :2] = mass_matrix(s, a1, a2), guide, guide
    return float(np.linalg.solve(matrix, h)[0])
