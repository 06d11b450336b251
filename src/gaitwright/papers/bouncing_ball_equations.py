"""Equations 2.2 to 2.8, 3.6 to 3.27 and 5.1 to 5.12 of paper 004, as printed: contact laws, fully Cartesian coordinates, and a
sphere on a plane. Written without the package's own kernels, which they are compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitwright.result.result import Result

Array = np.ndarray
UNIT = np.concatenate([np.zeros(3), np.eye(3).ravel()])
"""What the tables leave out of Eq 3.8: they hold v_i - e_i."""
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Axes whose products Eq 3.9 to 3.12 prescribe, in that order."""


# Contact laws -------------------------------------------------------------------------------------------------------


def stiffness(radii: tuple[float, float], moduli: tuple[float, float], ratios: tuple[float, float]) -> float:
    """Eq 2.2 and 2.3: K of two spheres, N/m^1.5."""
    sigma = sum((1 - nu**2) / modulus for nu, modulus in zip(ratios, moduli, strict=True))
    return 4 / (3 * sigma) * math.sqrt(radii[0] * radii[1] / (radii[0] + radii[1]))


def hunt_crossley_damping(k: float, restitution: float, approach: float) -> float:
    """Eq 2.5: chi, N s/m^2.5."""
    return 3 * k * (1 - restitution) / (2 * approach)


def flores_damping(k: float, restitution: float, approach: float) -> float:
    """Eq 2.8: chi, N s/m^2.5; infinite at restitution 0."""
    return 8 * k * (1 - restitution) / (5 * restitution * approach) if restitution else math.inf


def force(k: float, exponent: float, chi: float, depth: float, rate: float) -> float:
    """Eq 2.4, N."""
    return (k + chi * rate) * depth**exponent


# Bodies -------------------------------------------------------------------------------------------------------------


def of_point(place: Array) -> Array:
    """Eq 3.19: C of a point with these coordinates in the body frame, (3, 12)."""
    return np.hstack([np.eye(3), *(s * np.eye(3) for s in place)])


def of_vector(vector: Array) -> Array:
    """Eq 3.23: C of a vector with these components in the body frame, (3, 12)."""
    return np.hstack([np.zeros((3, 3)), *(s * np.eye(3) for s in vector)])


@dataclass(frozen=True)
class State:
    """A body at one time: q of Eq 3.8 and its derivatives, each (12,)."""

    q: Array
    v: Array
    a: Array

    @property
    def axes(self) -> Array:
        """v1, v2, v3 as rows."""
        return self.q[3:].reshape(3, 3)

    @property
    def matrix(self) -> Array:
        """Eq 3.17."""
        return self.axes.T

    def rigidity(self) -> Array:
        """Eq 3.9 to 3.12, (6,)."""
        return np.array([self.axes[i] @ self.axes[j] - (i == j) for i, j in PAIRS])

    def jacobian(self) -> Array:
        """Of Eq 3.9 to 3.12, (6, 12)."""
        rows = np.zeros((6, 4, 3))
        for row, (i, j) in zip(rows, PAIRS, strict=True):
            row[1 + i] += self.axes[j]
            row[1 + j] += self.axes[i]
        return rows.reshape(6, 12)

    def right_side(self) -> Array:
        """gamma of Eq 3.4 for Eq 3.9 to 3.12, (6,)."""
        rates = self.v[3:].reshape(3, 3)
        return np.array([-2 * rates[i] @ rates[j] for i, j in PAIRS])


def state(run: Result, body: str, k: int = 0) -> State:
    """The k-th state of a body of a run."""
    motion, index = run.motion, run.mechanism.body_names[body].index
    return State(motion.q[k, index] + UNIT, motion.v[k, index], motion.a[k, index])


def accelerations(body: State, mass: Array, loads: Array) -> Array:
    """Eq 3.6 for one body without joints: q'', (12,). mass: (12, 12). loads: g of Eq 3.26."""
    rows = body.jacobian()
    matrix = np.block([[mass, rows.T], [rows, np.zeros((6, 6))]])
    return np.linalg.solve(matrix, np.concatenate([loads, body.right_side()]))[:12]


# A sphere on a plane ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Touch:
    """Body i with point A and normal n of a plane, body j with the centre B of a sphere of radius R; A, n and B in their body
    frames."""

    i: State
    j: State
    a: Array
    n: Array
    b: Array
    radius: float

    @property
    def normal(self) -> Array:
        """Eq 5.6."""
        return of_vector(self.n) @ self.i.q

    @property
    def normal_rate(self) -> Array:
        """Eq 5.8."""
        return of_vector(self.n) @ self.i.v

    @property
    def apart(self) -> Array:
        """Eq 5.3 to 5.5: r_AB."""
        return of_point(self.b) @ self.j.q - of_point(self.a) @ self.i.q

    @property
    def distance(self) -> float:
        """Eq 5.2: d, a number although it is printed as a vector."""
        return float(self.apart @ self.normal)

    @property
    def depth(self) -> float:
        """Eq 5.1."""
        return self.radius - abs(self.distance)

    @property
    def printed_rate(self) -> float:
        """The right side of Eq 5.7 as printed, without the minus."""
        apart_rate = of_point(self.b) @ self.j.v - of_point(self.a) @ self.i.v
        return float(apart_rate @ self.normal + self.apart @ self.normal_rate)

    def contact_points(self) -> tuple[Array, Array]:
        """CP_i on the plane and CP_j at the base of the sphere, each in the frame of its body."""
        centre = of_point(self.b) @ self.j.q
        on_plane, on_sphere = (centre - reach * self.normal for reach in (self.distance, self.radius))
        return self.i.matrix.T @ (on_plane - self.i.q[:3]), self.j.matrix.T @ (on_sphere - self.j.q[:3])

    def loads(self, size: float) -> tuple[Array, Array]:
        """Eq 5.9 to 5.12: generalized forces on i and on j of a contact force of this size, each (12,)."""
        of_i, of_j = self.contact_points()
        return of_point(of_i).T @ (-size * self.normal), of_point(of_j).T @ (size * self.normal)
