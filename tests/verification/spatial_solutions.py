"""Exact or independently integrated answers for spatial mechanisms; nothing here imports gaitwright. SI units, gravity along
-z unless a docstring says otherwise. `a` and `b` are rotations as 3 x 3 matrices, axes as columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

Array = np.ndarray
G = 9.81
DOWN = np.array([0.0, 0.0, -G])


def about(axis: Array, angle: float) -> Array:
    """Rotation about a unit vector (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def unit(vector: Array) -> Array:
    return np.asarray(vector, dtype=float) / np.linalg.norm(vector)


# An arm on a hinge with a body on a ball joint -----------------------------------------------------------------------


class ArmAndBody(NamedTuple):
    """An arm turns about an axis through the origin; a body hangs on a ball joint at its end. Frames are drawn parallel to
    the ground. Inertia about centres of mass."""

    axis: Array
    arm_mass: float
    arm_inertia: Array
    arm_centre: Array
    tip: Array
    mass: float
    inertia: Array
    centre: Array  # of the body, from the ball joint

    def accelerations(self, angle: float, rate: float, matrix: Array, omega: Array) -> tuple[float, Array, Array]:
        """angle'', omega' (ground frame) and the force of the arm on the body, from Newton's and Euler's equations."""
        turned = about(self.axis, angle)
        e, arm, tip, c = self.axis, turned @ self.arm_centre, turned @ self.tip, matrix @ self.centre
        inertia = matrix @ self.inertia @ matrix.T
        about_axis = e @ self.arm_inertia @ e + self.arm_mass * np.dot(np.cross(e, arm), np.cross(e, arm))
        skew = np.array([[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]])
        matrix7, right = np.zeros((7, 7)), np.zeros(7)
        matrix7[0, 0], matrix7[0, 4:] = about_axis, np.cross(e, tip)  # arm: - e . (tip x -F)
        right[0] = self.arm_mass * np.dot(e, np.cross(arm, DOWN))
        matrix7[1:4, 0], matrix7[1:4, 1:4], matrix7[1:4, 4:] = np.cross(e, tip), -skew, -np.eye(3) / self.mass
        right[1:4] = DOWN - rate**2 * np.cross(e, np.cross(e, tip)) - np.cross(omega, np.cross(omega, c))
        matrix7[4:, 1:4], matrix7[4:, 4:] = inertia, skew
        right[4:] = -np.cross(omega, inertia @ omega)
        found = np.linalg.solve(matrix7, right)
        return float(found[0]), found[1:4], found[4:]

    def motion(self, end: float, rate: float, omega: Array) -> Callable[[Array], tuple[Array, Array, Array, Array]]:
        """From the drawn pose: angle, angle', rotation matrices and omega of the body at the given times, to 1e-12."""

        def slope(_t: float, y: Array) -> Array:
            matrix, spin = y[2:11].reshape(3, 3), y[11:]
            gain, alpha, _ = self.accelerations(y[0], y[1], matrix, spin)
            return np.concatenate([[y[1], gain], np.cross(spin, matrix.T).T.ravel(), alpha])

        start = np.concatenate([[0.0, rate], np.eye(3).ravel(), omega])
        run = solve_ivp(slope, (0.0, end), start, method="DOP853", rtol=1e-13, atol=1e-14, max_step=end / 200, dense_output=True)

        def at(times: Array) -> tuple[Array, Array, Array, Array]:
            y = run.sol(times)
            return y[0], y[1], y[2:11].T.reshape(-1, 3, 3), y[11:].T

        return at


# Closed-form kinematics ----------------------------------------------------------------------------------------------


def cardan_output(angle: Array, bend: float) -> Array:
    """Angle of the driven shaft of a universal joint, both angles from the pose in which the driving fork lies in the plane
    of the shafts: tan(output) = tan(angle) / cos(bend), on the same turn."""
    return np.arctan2(np.sin(angle), np.cos(angle) * np.cos(bend)) + 2 * np.pi * np.round(angle / (2 * np.pi))


class Rssr(NamedTuple):
    """Spatial four-bar: cranks on hinges about unit vectors through points of the ground, a coupler with ball joints. The pins
    are at arms (from the point, at angle zero)."""

    input_axis: Array
    input_point: Array
    input_arm: Array
    output_axis: Array
    output_point: Array
    output_arm: Array
    coupler: float

    def output(self, angle: float, near: float) -> float:
        """Angle of the output crank: A cos + B sin = C from the length of the coupler; of two roots the one near `near`."""
        a = self.input_point + about(self.input_axis, angle) @ self.input_arm
        along = np.dot(self.output_arm, self.output_axis) * self.output_axis
        across = self.output_arm - along
        d = self.output_point + along - a
        cosine, sine = 2 * np.dot(d, across), 2 * np.dot(d, np.cross(self.output_axis, across))
        right = self.coupler**2 - np.dot(d, d) - np.dot(across, across)
        middle, spread = np.arctan2(sine, cosine), np.arccos(right / np.hypot(cosine, sine))
        roots = np.array([middle + spread, middle - spread])
        roots += 2 * np.pi * np.round((near - roots) / (2 * np.pi))
        return float(roots[np.argmin(np.abs(roots - near))])


def bennett_output(angle: Array, twist_a: float, twist_b: float) -> Array:
    """Angle of the second joint of Bennett's linkage: tan(x / 2) tan(y / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2),
    G. T. Bennett, Proc. London Math. Soc. 13 (1914) 151."""
    ratio = np.sin((twist_b + twist_a) / 2) / np.sin((twist_b - twist_a) / 2)
    return 2 * np.arctan(ratio / np.tan(angle / 2))


# One-coordinate motions ----------------------------------------------------------------------------------------------


def swing(inertia: Callable[[float], float], height: Callable[[float], float], weight: float, start: float,
          other: float) -> float:  # fmt: skip
    """Time from rest at `start` to rest at `other` of a mechanism with T = inertia(s) s'^2 / 2 and V = weight height(s):
    integral of sqrt(inertia / (2 (V0 - V))), with s = middle + half cos(x), which takes the ends' infinities away."""
    middle, half = (start + other) / 2, (start - other) / 2
    nodes, weights = np.polynomial.legendre.leggauss(200)
    x = np.pi / 2 * (nodes + 1)
    s = middle + half * np.cos(x)
    fall = weight * (height(start) - np.array([height(p) for p in s]))
    speeds = np.array([inertia(p) for p in s])
    return float(np.pi / 2 * np.sum(weights * abs(half) * np.sin(x) * np.sqrt(speeds / (2 * fall))))


def other_rest(height: Callable[[float], float], start: float, low: float, high: float) -> float:
    """Where the height is that of the start again, between low and high."""
    return float(brentq(lambda s: height(s) - height(start), low, high, xtol=1e-14, rtol=1e-14))
