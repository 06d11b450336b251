"""A circle on a circle."""

import math

from gaitwright.physics.declare import Frame, Geometry, Number, Point
from gaitwright.physics.symbolic import atan2, minus, norm


class CircleGeometry(Geometry):
    """gap = |r_b - r_a| - R_a - R_b.   slide = -(R_a + R_b) phi + R_a theta_a + R_b theta_b, phi the direction from a to b.

    Rolling keeps the slide. It is measured at the radii of the undeformed circles. A radius of zero is a point, but not
    both: two points have no normal."""

    name = "circle"
    attachments = {"a": Frame("centre of the one circle"), "b": Point("centre of the other")}
    parameters = {
        "radius_a": Number("m", "R_a", 0.0, minimum=0.0),
        "radius": Number("m", "R_b", 0.0, minimum=0.0),
    }

    @staticmethod
    def gap(a, b, radius_a, radius):
        return norm(minus(b.position, a.position)) - radius_a - radius

    @staticmethod
    def slide(a, b, radius_a, radius):
        x, y = minus(b.position, a.position)
        return -(radius_a + radius) * atan2(y, x) + radius_a * a.angle + radius * b.angle

    @staticmethod
    def point(a, b, radius_a, radius):
        arm = minus(b.position, a.position)
        return tuple(r - radius * d / norm(arm) for r, d in zip(b.position, arm, strict=True))

    @staticmethod
    def period(radius_a, radius):
        return 2.0 * math.pi * (radius_a + radius)
