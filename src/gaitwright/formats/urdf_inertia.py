"""Masses in URDF: sums over links that are fixed to each other, and repair of physically impossible values.

Pinocchio and others accept inertia tensors that no distribution of mass has, point masses, and moving links without mass. None
of these is a possible body. Fixed to a larger body they may be part of one: only the sum counts, and the sum is exact."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gaitwright._core.errors import ModelError
from gaitwright.geometry.inertia import second_moments

Array = np.ndarray
SUBSTITUTE_DENSITY_KG_M3 = 1000.0
"""Density of the ball that replaces a point mass, kg/m^3: that of water, and about the mean density of most robots."""
SUBSTITUTE_MASS_RATIO = 1e-6
"""Mass that a moving link without mass gets, relative to the mass of the robot."""
MIN_SECOND_MOMENT_RATIO = 1e-3
"""Smallest second moment of a repaired body along any axis, relative to their sum: a plate a thirtieth as thick as wide."""
MIN_GYRATION_RADIUS_M = 1e-6
"""Radius of gyration below which a body counts as a point mass, m: rounding of zeros."""


def _zero_vector() -> Array:
    return np.zeros(3)


def _zero_matrix() -> Array:
    return np.zeros((3, 3))


@dataclass(frozen=True)
class LinkInertia:
    """mass: kg. centre: m. inertia: tensor about the centre, kg m^2. All in the link frame; possibly unphysical."""

    mass: float = 0.0
    centre: Array = field(default_factory=_zero_vector)
    inertia: Array = field(default_factory=_zero_matrix)

    @property
    def nothing(self) -> bool:
        return self.mass == 0.0 and not self.inertia.any()

    def placed(self, at: Array, rotation: Array) -> LinkInertia:
        """Same mass in another frame, in which the link frame has position `at` (m) and this rotation."""
        return LinkInertia(self.mass, at + rotation @ self.centre, rotation @ self.inertia @ rotation.T)

    def __add__(self, other: LinkInertia) -> LinkInertia:
        """Sum of both as one rigid body. Inertia without mass is added as it is, wherever its centre."""
        if other.nothing:
            return self
        if self.nothing:
            return other
        mass = self.mass + other.mass
        centre = (self.mass * self.centre + other.mass * other.centre) / mass if mass else self.centre
        return LinkInertia(mass, centre, self._about(centre) + other._about(centre))

    def _about(self, point: Array) -> Array:
        d = self.centre - point
        return self.inertia + self.mass * (d @ d * np.eye(3) - np.outer(d, d))


def inertia_error(inertia: LinkInertia, label: str) -> ModelError | None:
    """Error if no body can have this mass and inertia, else None."""
    if inertia.mass <= 0.0:
        problem = "has no mass" if inertia.nothing else "has inertia but no mass"
        return ModelError(problem, element=label, field="inertial", expected="a mass in kg, and its inertia")
    try:
        second_moments(inertia.inertia, label)
    except ModelError as error:
        return error
    return None


def repair_inertia(given: LinkInertia, robot_mass: float) -> tuple[LinkInertia, str]:
    """Nearest possible body, and a description of the change. robot_mass: kg."""
    if given.mass <= 0.0:
        mass = SUBSTITUTE_MASS_RATIO * robot_mass or SUBSTITUTE_MASS_RATIO
        inertia = given.inertia if given.inertia.any() else _ball_inertia(mass)
        repair = LinkInertia(mass, given.centre, inertia)
        remark = f"got a mass of {mass:.3g} kg, {SUBSTITUTE_MASS_RATIO:g} of the robot's"
        if inertia_error(repair, "") is None:
            return (
                repair,
                remark if given.inertia.any() else f"{remark}, as a ball of {_ball_radius(mass) * 1e3:.2g} mm",
            )
        given = repair
    size, axes = np.linalg.eigh(0.5 * np.trace(given.inertia) * np.eye(3) - given.inertia)
    total = float(np.maximum(size, 0.0).sum())
    if total <= given.mass * MIN_GYRATION_RADIUS_M**2:
        ball = LinkInertia(given.mass, given.centre, _ball_inertia(given.mass))
        return (
            ball,
            f"got the inertia of a ball of {_ball_radius(given.mass) * 1e3:.3g} mm, which has its mass in water",
        )
    size = np.maximum(size, MIN_SECOND_MOMENT_RATIO * total)
    inertia = size.sum() * np.eye(3) - (axes * size) @ axes.T
    moments = [", ".join(f"{m:.4g}" for m in np.linalg.eigvalsh(tensor)) for tensor in (given.inertia, inertia)]
    return LinkInertia(given.mass, given.centre, inertia), f"principal moments {moments[0]} became {moments[1]} kg m^2"


def _ball_radius(mass: float) -> float:
    return (3.0 * mass / (4.0 * math.pi * SUBSTITUTE_DENSITY_KG_M3)) ** (1.0 / 3.0)


def _ball_inertia(mass: float) -> Array:
    return 0.4 * mass * _ball_radius(mass) ** 2 * np.eye(3)
