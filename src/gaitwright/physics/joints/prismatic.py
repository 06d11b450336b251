"""Prismatic joint (slider): b slides along a line of a and does not turn relative to it."""

from gaitwright.physics.declare import DRAWN, Direction, Joint, Number, Point
from gaitwright.physics.symbolic import dot, minus, perpendicular, turn


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
