"""Strains of beam elements, as the formulations of physics/beams mean them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright.physics.bodies.beam import combine, shape
from gaitwright.system.tables import Array


def cross(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _continuum(e: Array, r_x: Array, r_xx: Array, length: Array) -> tuple[Array, Array]:
    """As in physics/beams/continuum.py."""
    return np.hypot(r_x[..., 0], r_x[..., 1]) - 1.0, cross(r_x, r_xx) / (r_x**2).sum(axis=-1)


def _takahashi(e: Array, r_x: Array, r_xx: Array, length: Array) -> tuple[Array, Array]:
    """As in physics/beams/takahashi.py: the strain of the chord, and |r_xx| with the sign of the curvature."""
    chord = np.hypot(e[..., 4] - e[..., 0], e[..., 5] - e[..., 1])[..., None] / length - 1.0
    bent = np.hypot(r_xx[..., 0], r_xx[..., 1]) * np.sign(cross(r_x, r_xx))
    return np.broadcast_to(chord, bent.shape), bent


MEASURES: dict[str, Callable[..., tuple[Array, Array]]] = {"continuum": _continuum, "takahashi": _takahashi}
"""Axial strain, 1, and curvature, 1/m, by the name under which the strains of a formulation are known."""


def family_of(formulation: str) -> str:
    """That name: the strains of all variants of a formulation are the same."""
    return formulation.partition("-")[0]


def shaped(e: Array, xi: Array, length: Array, derivative: int = 0) -> Array:
    """r, r_x or r_xx at places xi of elements with the coordinates e, (..., elements, 8), and lengths (elements, 1)."""
    return np.stack(combine(shape(xi, length, derivative), np.moveaxis(e, -1, 0)[..., None]), axis=-1)


def measured(formulation: str, e: Array, xi: Array, length: Array) -> tuple[Array, Array]:
    """Axial strain, 1, and curvature, 1/m, of elements with the coordinates e."""
    return MEASURES[family_of(formulation)](e, shaped(e, xi, length, 1), shaped(e, xi, length, 2), length)
