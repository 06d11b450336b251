"""Prismatic joint (slider): b slides along a line of a and does not turn relative to it."""

from gaitwright.physics.axis import ACROSS, AXIS, THIRD, frame_of
from gaitwright.physics.declare import DRAWN, Direction, Joint, Number, Point
from gaitwright.physics.joints.fixed import WELD, as_drawn, parallel
from gaitwright.physics.symbolic import dot, minus, perpendicular, rate, turn


class Prismatic(Joint):
    """Point b moves on the line through point a along `axis`, which is fixed in the body of a.

    Phi = (n . (r_b - r_a), theta_b - theta_a - angle) with n the axis turned by +90 degrees.
    Reaction: force on b along n, moment on b."""

    name = "prismatic"
    drawn_as = "guide"
    attachments = {"a": Point("point of the guide"), "b": Point("point of the slider")}
    parameters = {
        "axis": Direction("a", "direction of sliding in the frame of a's body"),
        "angle": Number("rad", "angle of b relative to a; as drawn unless given", DRAWN),
    }
    rows = {"normal": ("N", "m"), "moment": ("N m", "rad")}

    @staticmethod
    def residual(a, b, axis, angle):
        n = perpendicular(a.direction(axis))
        return (dot(n, minus(b.position, a.position)), turn(a, b, angle))

    @staticmethod
    def drawn(a, b):
        return {"angle": b.angle - a.angle}


class SpatialPrismatic(Joint):
    """Phi = (across_a . d, third_a . d, no relative rotation), d = r_b - r_a. The orientation is that of the drawing."""

    name = "prismatic"
    dimensions = (3,)
    drawn_as = "guide"
    attachments = {"a": Point("point of the guide"), "b": Point("point of the slider")}
    parameters = {"axis": AXIS, "across": ACROSS, "third": THIRD, **WELD}
    rows = {"off_1": ("", "m"), "off_2": ("", "m"), "turn_1": ("", "1"), "turn_2": ("", "1"), "turn_3": ("", "1")}
    observed = {
        "displacement": ("m", "how far b has slid along the axis of a, from its point"),
        "speed": ("m/s", "rate of the displacement"),
    }

    @staticmethod
    def residual(a, b, axis, across, third, first, second, last):
        d = minus(b.position, a.position)
        return (dot(a.direction(across), d), dot(a.direction(third), d), *parallel(a, b, first, second, last))

    @staticmethod
    def observe(a, b, axis, across, third, first, second, last):
        along = dot(a.direction(axis), minus(b.position, a.position))
        return {"displacement": along, "speed": rate(along)}

    @staticmethod
    def drawn(a, b, axis):
        return {**frame_of(axis), **as_drawn(a, b)}
