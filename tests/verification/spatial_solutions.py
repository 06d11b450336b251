"""Exact or independently integrated answers for spatial mechanisms; nothing here imports gaitwright. SI units, gravity along
-z unless stated otherwise. `a` and `b` are rotations as 3 x 3 matrices, axes as columns."""

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
        run = solve_ivp(
            slope, (0.0, end), start, method="DOP853", rtol=1e-13, atol=1e-14, max_step=end / 200, dense_output=True
        )

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
    """Angle of the second joint of Bennett's linkage: tan(x / 2) tan(y / 2) = sin((b + a) / 2) / sin((b - a) / 2) with the
    twists a and b. G. T. Bennett, Proc. London Math. Soc. 13 (1914) 151."""
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
    """Position with the initial height again, between low and high."""
    return float(brentq(lambda s: height(s) - height(start), low, high, xtol=1e-14, rtol=1e-14))


class HingeLoop:
    """A closed chain of hinges with one freedom: bodies 1 .. n - 1 after the hinges 0 .. n - 2, the last hinge back to the
    ground. Points and axes (unit vectors) in the drawn pose, in which all angles are zero. By products of rotations and
    Newton's method on the closure; speeds from the twists of the hinges."""

    def __init__(self, points: Array, axes: Array, masses: Array, centres: Array, inertias: Array, by: int = 0):
        """masses, centres, inertias: of the n - 1 moving bodies, drawn pose, ground frame. by: index of the hinge with the
        angle as coordinate."""
        self.points, self.axes = np.asarray(points, float), np.asarray(axes, float)
        self.masses, self.centres, self.inertias = masses, np.asarray(centres, float), np.asarray(inertias, float)
        self.by = by
        self.known = {0.0: np.zeros(len(self.points))}

    def poses(self, angles: Array) -> tuple[Array, Array]:
        """Rotation and displacement of what follows each hinge: r = R r_drawn + p."""
        rotation, shift, rotations, shifts = np.eye(3), np.zeros(3), [], []
        for point, axis, angle in zip(self.points, self.axes, angles, strict=True):
            turn = about(axis, angle)
            shift = shift + rotation @ (point - turn @ point)
            rotation = rotation @ turn
            rotations.append(rotation)
            shifts.append(shift)
        return np.array(rotations), np.array(shifts)

    def twists(self, angles: Array) -> Array:
        """Angular velocity, and velocity of the point at the origin, per unit rate of each hinge: (n, 6)."""
        rotations, shifts = self.poses(angles)
        before = np.concatenate([np.eye(3)[None], rotations[:-1]]), np.concatenate([np.zeros((1, 3)), shifts[:-1]])
        axes = np.einsum("kij,kj->ki", before[0], self.axes)
        places = np.einsum("kij,kj->ki", before[0], self.points) + before[1]
        return np.hstack([axes, np.cross(places, axes)])

    def angles(self, s: float) -> Array:
        """All angles if that of the hinge `by` is s, by small steps from a known solution."""
        near = min(self.known, key=lambda known: abs(known - s))
        found = self.known[near].copy()
        for part in np.linspace(near, s, 2 + int(abs(s - near) / 0.05))[1:]:
            found += self.rates(found) * (part - found[self.by])
            for _ in range(20):
                rotations, shifts = self.poses(found)
                matrix, moved = rotations[-1], shifts[-1]
                tilt = (
                    np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
                    / 2
                )
                gap = np.append(np.concatenate([tilt, moved]), found[self.by] - part)
                if np.abs(gap).max() < 1e-15:
                    break
                slope = np.vstack([self.twists(found).T, np.eye(len(found))[self.by]])
                found -= np.linalg.lstsq(slope, gap, rcond=1e-9)[0]
        self.known[s] = found
        return found

    def rates(self, angles: Array) -> Array:
        """Rates of all angles per unit rate of the hinge `by`."""
        loop = np.linalg.svd(self.twists(angles).T)[2][-1]
        return loop / loop[self.by]

    def inertia(self, s: float) -> float:
        """T = inertia s'^2 / 2."""
        angles = self.angles(s)
        rotations, _ = self.poses(angles)
        twist = np.cumsum(self.twists(angles) * self.rates(angles)[:, None], axis=0)[:-1]
        speed = twist[:, 3:] + np.cross(twist[:, :3], self.places(s))
        turned = np.einsum("kij,kjl,kml->kim", rotations[:-1], self.inertias, rotations[:-1])
        return float(
            self.masses @ (speed**2).sum(axis=1) + np.einsum("ki,kij,kj->", twist[:, :3], turned, twist[:, :3])
        )

    def places(self, s: float) -> Array:
        """Centres of mass of the moving bodies, (n - 1, 3)."""
        rotations, shifts = self.poses(self.angles(s))
        return np.einsum("kij,kj->ki", rotations[:-1], self.centres) + shifts[:-1]
