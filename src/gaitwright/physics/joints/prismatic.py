"""Prismatic joint (slider): b slides along a line of a and does not turn relative to it."""

from gaitwright.physics.attachments import Point
from gaitwright.physics.axis import ACROSS_PARAMETER, AXIS_PARAMETER, THIRD_PARAMETER, axis_frame
from gaitwright.physics.declarations import Joint, Number
from gaitwright.physics.joints.fixed import WELD_PARAMETERS, axes_alignment, drawn_axes
from gaitwright.physics.parameters import DRAWN, Direction
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
    """Phi = (across_a . d, third_a . d, no relative rotation), d = r_b - r_a. The relative orientation is the drawn one."""

    name = "prismatic"
    dimensions = (3,)
    drawn_as = "guide"
    attachments = {"a": Point("point of the guide"), "b": Point("point of the slider")}
    parameters = {"axis": AXIS_PARAMETER, "across": ACROSS_PARAMETER, "third": THIRD_PARAMETER, **WELD_PARAMETERS}
    rows = {"off_1": ("", "m"), "off_2": ("", "m"), "turn_1": ("", "1"), "turn_2": ("", "1"), "turn_3": ("", "1")}
    observed = {
        "displacement": ("m", "how far b has slid along the axis of a, from its point"),
        "speed": ("m/s", "rate of the displacement"),
    }

    @staticmethod
    def residual(a, b, axis, across, third, first, second, last):
        d = minus(b.position, a.position)
        return (dot(a.direction(across), d), dot(a.direction(third), d), *axes_alignment(a, b, first, second, last))

    @staticmethod
    def observe(a, b, axis, across, third, first, second, last):
        along = dot(a.direction(axis), minus(b.position, a.position))
        return {"displacement": along, "speed": rate(along)}

    @staticmethod
    def drawn(a, b, axis):
        return {**axis_frame(axis), **drawn_axes(a, b)}
