"""Strains of beam elements, as defined by the formulations in physics/beams."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright.mechanism.tables import Array
from gaitwright.physics.bodies.beam import combine_nodal_vectors, shape_functions


def planar_cross_product(a: Array, b: Array) -> Array:
    """Cross product of planar vectors, (..., 2)."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _continuum_strains(e: Array, r_x: Array, r_xx: Array, length: Array) -> tuple[Array, Array]:
    """Strains as in physics/beams/continuum.py."""
    return np.hypot(r_x[..., 0], r_x[..., 1]) - 1.0, planar_cross_product(r_x, r_xx) / (r_x**2).sum(axis=-1)


def _takahashi_strains(e: Array, r_x: Array, r_xx: Array, length: Array) -> tuple[Array, Array]:
    """Strains as in physics/beams/takahashi.py: the strain of the chord, and |r_xx| with the sign of the curvature."""
    chord = np.hypot(e[..., 4] - e[..., 0], e[..., 5] - e[..., 1])[..., None] / length - 1.0
    bent = np.hypot(r_xx[..., 0], r_xx[..., 1]) * np.sign(planar_cross_product(r_x, r_xx))
    return np.broadcast_to(chord, bent.shape), bent


STRAIN_FUNCTIONS: dict[str, Callable[..., tuple[Array, Array]]] = {
    "continuum": _continuum_strains,
    "takahashi": _takahashi_strains,
}
"""Functions for axial strain, 1, and curvature, 1/m, by the name of a family of formulations."""


def formulation_family(formulation: str) -> str:
    """Return the name of the family: all variants of a formulation have the same strains."""
    return formulation.partition("-")[0]


def interpolate_elements(e: Array, xi: Array, length: Array, derivative: int = 0) -> Array:
    """Evaluate r, r_x or r_xx at positions xi of elements with the coordinates e, (..., elements, 8), and lengths (elements,
    1)."""
    return np.stack(
        combine_nodal_vectors(shape_functions(xi, length, derivative), np.moveaxis(e, -1, 0)[..., None]), axis=-1
    )


def compute_strains(formulation: str, e: Array, xi: Array, length: Array) -> tuple[Array, Array]:
    """Return axial strain, 1, and curvature, 1/m, of elements with the coordinates e at positions xi."""
    return STRAIN_FUNCTIONS[formulation_family(formulation)](
        e, interpolate_elements(e, xi, length, 1), interpolate_elements(e, xi, length, 2), length
    )
