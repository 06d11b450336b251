"""Foot on a circle: a crank with an end that touches the ground. All its numbers are known in closed form."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import gaitwright as gw

RADIUS, MASS, RATE, G = 0.3, 0.4, 5.0, 9.81
HIP = 0.7


class Circle(NamedTuple):
    """Foot at r (cos, sin)(angle) about the hip, and a ground at d above its lowest point. half: angle of the stance on either
    side of the lowest point, rad."""

    depth: float
    radius: float = RADIUS
    rate: float = RATE

    @property
    def half(self) -> float:
        return math.acos(1 - self.depth / self.radius)

    @property
    def period(self) -> float:
        return 2 * math.pi / self.rate

    @property
    def duty(self) -> float:
        return self.half / math.pi

    @property
    def step_length(self) -> float:
        return 2 * self.radius * math.sin(self.half)

    @property
    def touchdown_speed(self) -> float:
        return self.radius * self.rate * math.sin(self.half)

    @property
    def body_speed(self) -> float:
        """Speed of the foot along the ground, on average over the stance."""
        return self.step_length / (self.duty * self.period)

    @property
    def stance_work(self) -> float:
        """Positive work against the crank's own weight in stance, J: from its lowest point up to lift-off."""
        return MASS * G * 0.5 * self.radius * (1 - math.cos(self.half))


def crank(angle: str = "rate*t", **gait: Any) -> gw.Model:
    """Uniform crank about O with the foot at its end F."""
    model = gw.Model("turning", gravity=(0, -G), parameters={"rate": RATE})
    model.ground_point("O", 0.0, HIP)
    model.point("F", RADIUS, HIP)
    model.link("crank", "O", "F", length=RADIUS, mass=MASS)
    model.drive.rotation("crank", angle)
    return model.gait("F", hip="O", **gait) if gait else model
