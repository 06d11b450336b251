"""Mass, centre of mass and weight of a whole mechanism."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.mechanism.mechanism import Mechanism

if TYPE_CHECKING:
    from gaitwright.result.result import Result


def total_mass(mechanism: Mechanism) -> float:
    """Mass of the whole mechanism, kg, including beams: its inertia in a common translation."""
    unit_translation, _ = _translation_velocities(mechanism)
    rows, cols, values = mechanism.mass
    return float((unit_translation[rows] * values * unit_translation[cols]).sum())


def centre_of_mass(run: Result) -> tuple[np.ndarray, np.ndarray]:
    """Position (n_times, 2), m, and velocity (n_times, 2), m/s, of the centre of mass of the whole mechanism."""
    rows, cols, values = run.mechanism.mass
    mass, n = total_mass(run.mechanism), run.mechanism.n

    def mean(states: np.ndarray) -> np.ndarray:
        parts = [
            (states[:, :n][:, cols] * (values * unit_translation[rows])).sum(axis=1) / mass
            for unit_translation in _translation_velocities(run.mechanism)
        ]
        return np.stack(parts, axis=1)

    return mean(run.motion.q), mean(run.motion.v)


def weight(mechanism: Mechanism) -> float:
    """Weight of the whole mechanism, N: mass times gravity, 0 without gravity."""
    return total_mass(mechanism) * math.hypot(*mechanism.gravity)


def _translation_velocities(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Generalized velocities (n,) of a common translation at 1 m/s along x, and along y."""
    velocities = np.zeros((2, mechanism.n))
    for part in mechanism.parts.values():
        for axis in (0, 1):
            velocities[axis, part.index] = part.translation(axis)
    return velocities[0], velocities[1]
