"""Planar rigid body: q = (x, y, theta), the position of the centre of mass and the angle, counter-clockwise.

A point with body coordinates s = (s_x, s_y) is at r = (x, y) + A(theta) s (paper 003 Eq 2.1, 2.3).
The ground is a body of this family whose coordinates are zero and stay zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gaitwright.physics.declare import Centre, Family, MarkerKind, Orientation, Point
from gaitwright.physics.symbolic import Vector, rotate


class Marker(NamedTuple):
    position: Vector
    angle: Any

    def direction(self, vector: Vector) -> Vector:
        """A vector of the body frame, seen in the ground frame."""
        return rotate(vector, self.angle)


def _point(x: Any, y: Any, theta: Any, s_x: Any, s_y: Any) -> Marker:
    along_x, along_y = rotate((s_x, s_y), theta)
    return Marker((x + along_x, y + along_y), theta)


class Planar(Family):
    name = "planar"
    coordinates = ("x", "y", "theta")
    units = ("m", "m", "rad")
    markers = {
        Point: MarkerKind((0, 1, 2), ("s_x", "s_y"), _point),
        Orientation: MarkerKind((2,), (), lambda theta: Marker((), theta)),
        Centre: MarkerKind((0, 1), (), lambda x, y: Marker((x, y), None)),
    }
