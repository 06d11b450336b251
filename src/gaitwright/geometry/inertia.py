"""Mass matrix of a spatial body in fully Cartesian coordinates (r, v1, v2, v3).

With r_P = r + s_x v1 + s_y v2 + s_z v3 the kinetic energy is a quadratic form with constant coefficients:

    T = 1/2 m r'.r' + m c_i r'.v_i' + 1/2 J_ij v_i'.v_j'        c: centre of mass, J = sum m s s^T, both in the body frame

J, about the reference point, and the usual tensor of inertia I about the centre of mass say the same:

    J = tr(I)/2 E - I + m c c^T

J must not be negative in any direction: no body has a principal moment of inertia larger than the sum of the other two.
"""

from __future__ import annotations

import numpy as np

from gaitwright.checks import At

Array = np.ndarray
ROUNDING = 1e-9
"""By how much, relative to the moments, the triangle inequality may be missed: digits of a file."""
THIN = 1e-6
"""Relative size of the smallest direction of J below which a body counts as a rod or a plate without thickness."""


def tensor(numbers: list[float]) -> Array:
    """The symmetric tensor of [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], entries of the matrix themselves."""
    xx, yy, zz, xy, xz, yz = [*numbers, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def second_moments(inertia: Array, label: str) -> Array:
    """J about the centre of mass; ModelError if no body has this tensor."""
    at, moments = At(label, "inertia"), np.linalg.eigvalsh(inertia)
    listed = [float(f"{m:.6g}") for m in moments]
    if moments[2] <= 0.0 or moments[0] < -ROUNDING * moments[2]:
        at.fail("has a principal moment that is not positive", listed, "principal moments above 0 kg m^2")
    if moments[2] > (moments[0] + moments[1]) * (1.0 + ROUNDING):
        at.fail(
            f"no body has these principal moments: {listed[2]:g} is more than {listed[0]:g} + {listed[1]:g}",
            listed,
            "each principal moment at most the sum of the other two, kg m^2",
        )
    size, axes = np.linalg.eigh(0.5 * np.trace(inertia) * np.eye(3) - inertia)
    return (axes * np.maximum(size, 0.0)) @ axes.T


def mass_matrix(mass: float, centre: Array, moments: Array) -> Array:
    """M, (12, 12). moments: J about the centre of mass."""
    small = np.zeros((4, 4))
    small[0, 0] = mass
    small[0, 1:] = small[1:, 0] = mass * centre
    small[1:, 1:] = moments + mass * np.outer(centre, centre)
    return np.kron(small, np.eye(3))


def brace(mass: float, centre: Array, moments: Array) -> float:
    """0, or for a body so thin that its mass matrix is singular, by how much its rigidity takes part in it, kg m^2."""
    whole = moments + mass * np.outer(centre, centre)
    return float(np.trace(whole)) if np.linalg.eigvalsh(moments)[0] < THIN * np.trace(moments) else 0.0
