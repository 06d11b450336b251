"""Mass matrix of a spatial body in fully Cartesian coordinates (r, v1, v2, v3).

With r_P = r + s_x v1 + s_y v2 + s_z v3 the kinetic energy is a quadratic form with constant coefficients:

    T = 1/2 m r'.r' + m c_i r'.v_i' + 1/2 J_ij v_i'.v_j'        c: centre of mass, J = sum m s s^T, both in the body frame

J, about the reference point, follows from the usual inertia tensor I about the centre of mass:

    J = tr(I)/2 E - I + m c c^T

J must be positive semidefinite: no principal moment of inertia of a body exceeds the sum of the other two.
"""

from __future__ import annotations

import numpy as np

from gaitwright._core.error_context import ErrorContext

Array = np.ndarray
TRIANGLE_INEQUALITY_RTOL = 1e-9
"""Relative tolerance of the triangle inequality of the principal moments: rounding of the digits in a file."""
THIN_BODY_RTOL = 1e-6
"""Ratio of the smallest eigenvalue of J to its trace below which a body counts as a rod or a plate without thickness."""


def inertia_tensor(numbers: list[float]) -> Array:
    """Return the symmetric tensor of [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], given as entries of the matrix."""
    xx, yy, zz, xy, xz, yz = [*numbers, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def second_moments(inertia: Array, label: str) -> Array:
    """Return J about the centre of mass; raise ModelError if no body can have this inertia tensor."""
    at, moments = ErrorContext(label, "inertia"), np.linalg.eigvalsh(inertia)
    listed = [float(f"{m:.6g}") for m in moments]
    if moments[2] <= 0.0 or moments[0] < -TRIANGLE_INEQUALITY_RTOL * moments[2]:
        at.fail("has a principal moment that is not positive", listed, "principal moments above 0 kg m^2")
    if moments[2] > (moments[0] + moments[1]) * (1.0 + TRIANGLE_INEQUALITY_RTOL):
        at.fail(
            f"no body has these principal moments: {listed[2]:g} is more than {listed[0]:g} + {listed[1]:g}",
            listed,
            "each principal moment at most the sum of the other two, kg m^2",
        )
    size, axes = np.linalg.eigh(0.5 * np.trace(inertia) * np.eye(3) - inertia)
    return (axes * np.maximum(size, 0.0)) @ axes.T


def mass_matrix(mass: float, centre: Array, moments: Array) -> Array:
    """Return the mass matrix M, (12, 12). mass: kg; centre: of mass, m; moments: J about the centre of mass, kg m^2."""
    small = np.zeros((4, 4))
    small[0, 0] = mass
    small[0, 1:] = small[1:, 0] = mass * centre
    small[1:, 1:] = moments + mass * np.outer(centre, centre)
    return np.kron(small, np.eye(3))


def thin_body_inertia(mass: float, centre: Array, moments: Array) -> float:
    """Return the weight of the rigidity in the mass matrix of a thin body, kg m^2: 0 unless M would be singular."""
    about_origin = moments + mass * np.outer(centre, centre)
    return float(np.trace(about_origin)) if np.linalg.eigvalsh(moments)[0] < THIN_BODY_RTOL * np.trace(moments) else 0.0


# Sections -------------------------------------------------------------------------------------------------------------


def torsion_of_rectangle(b: Array, h: Array) -> Array:
    """Return the torsion constant J, m^4, of rectangles with sides b and h, m: torque = G J times twist (S. Timoshenko, J. N.
    Goodier, Theory of Elasticity, section 109)."""
    short, long = np.minimum(b, h), np.maximum(b, h)
    odd = np.arange(1, 40, 2)
    series = (np.tanh(np.multiply.outer(long / short, odd) * np.pi / 2) / odd**5).sum(axis=-1)
    return long * short**3 / 3 * (1 - 192 / np.pi**5 * short / long * series)
