"""Masses in URDF: those of links that are fixed to each other put together, and repaired where no body can have them.

Pinocchio and others take a tensor that no distribution of mass has, a mass without extent or a moving link without mass without
complaint. None of them is a body. Fixed to something larger it may be part of one: only the sum counts, and that is exact."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.geometry.inertia import second_moments

Array = np.ndarray
DENSITY = 1000.0
"""kg/m^3, of the ball that a mass without extent is taken for: that of water, and of most robots on the whole."""
LIGHT = 1e-6
"""Part of the mass of the robot that a moving link without mass gets."""
THINNEST = 1e-3
"""Least part of its second moments that a repaired body has along any axis: a plate a thirtieth as thick as wide."""
POINT = 1e-6
"""m, radius of gyration below which a body has no extent: rounding of zeros."""


def _zero() -> Array:
    return np.zeros(3)


def _nothing() -> Array:
    return np.zeros((3, 3))


@dataclass(frozen=True)
class Inertial:
    """mass: kg. centre: m. inertia: tensor about the centre, kg m^2. All in the frame of a link; possible or not."""

    mass: float = 0.0
    centre: Array = field(default_factory=_zero)
    inertia: Array = field(default_factory=_nothing)

    @property
    def nothing(self) -> bool:
        return self.mass == 0.0 and not self.inertia.any()

    def placed(self, at: Array, rotation: Array) -> Inertial:
        """Seen from a frame in which that of the link lies at `at`, turned."""
        return Inertial(self.mass, at + rotation @ self.centre, rotation @ self.inertia @ rotation.T)

    def __add__(self, other: Inertial) -> Inertial:
        """Both as one body. Inertia without mass counts as it is, wherever its centre."""
        if other.nothing:
            return self
        if self.nothing:
            return other
        mass = self.mass + other.mass
        centre = (self.mass * self.centre + other.mass * other.centre) / mass if mass else self.centre
        return Inertial(mass, centre, self._about(centre) + other._about(centre))

    def _about(self, point: Array) -> Array:
        d = self.centre - point
        return self.inertia + self.mass * (d @ d * np.eye(3) - np.outer(d, d))


def impossible(given: Inertial, label: str) -> ModelError | None:
    """Why no body has this mass and inertia; None if one has."""
    if given.mass <= 0.0:
        problem = "has no mass" if given.nothing else "has inertia but no mass"
        return ModelError(problem, element=label, field="inertial", expected="a mass in kg, and its inertia")
    try:
        second_moments(given.inertia, label)
    except ModelError as error:
        return error
    return None


def repaired(given: Inertial, whole: float) -> tuple[Inertial, str]:
    """A body as near as possible, and what was done. whole: mass of the robot, kg."""
    if given.mass <= 0.0:
        mass = LIGHT * whole or LIGHT
        inertia = given.inertia if given.inertia.any() else _ball(mass)
        repair = Inertial(mass, given.centre, inertia)
        said = f"got a mass of {mass:.3g} kg, {LIGHT:g} of the robot's"
        if impossible(repair, "") is None:
            return repair, said if given.inertia.any() else f"{said}, as a ball of {_radius(mass) * 1e3:.2g} mm"
        given = repair
    size, axes = np.linalg.eigh(0.5 * np.trace(given.inertia) * np.eye(3) - given.inertia)
    total = float(np.maximum(size, 0.0).sum())
    if total <= given.mass * POINT**2:
        ball = Inertial(given.mass, given.centre, _ball(given.mass))
        return ball, f"got the inertia of a ball of {_radius(given.mass) * 1e3:.3g} mm, which has its mass in water"
    size = np.maximum(size, THINNEST * total)
    inertia = size.sum() * np.eye(3) - (axes * size) @ axes.T
    moments = [", ".join(f"{m:.4g}" for m in np.linalg.eigvalsh(tensor)) for tensor in (given.inertia, inertia)]
    return Inertial(given.mass, given.centre, inertia), f"principal moments {moments[0]} became {moments[1]} kg m^2"


def _radius(mass: float) -> float:
    return (3.0 * mass / (4.0 * math.pi * DENSITY)) ** (1.0 / 3.0)


def _ball(mass: float) -> Array:
    return 0.4 * mass * _radius(mass) ** 2 * np.eye(3)
