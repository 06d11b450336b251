"""A point or circle on a straight line that is solid on one side."""

from gaitwright.physics.declare import Direction, Frame, Geometry, Number, Point, Signal
from gaitwright.physics.symbolic import dot, minus, perpendicular


class LineGeometry(Geometry):
    """gap = n . (r_b - r_a - d(t)) - R, with n the tangent of the line turned by +90 degrees: solid where the gap is negative.

    slide = t . (r_b - r_a - d(t)) + R (theta_b - theta_a): its rate is the velocity at the rim of the circle relative to the
    line, also when the line turns with its body. The line has no ends. Source: paper 000 Eq 11 to 13, with Eq 11's
    velocity completed by the derivative of the rotation and Eq 12 without the absolute value."""

    name = "line"
    attachments = {"a": Frame("a point of the line"), "b": Point("the point, or the centre of the circle")}
    parameters = {
        "tangent": Direction("a", "direction of the line in the frame of a's body; solid on its right"),
        "radius": Number("m", "R; 0 for a point", 0.0, minimum=0.0),
        "displacement": Signal("m", "d(t), of the whole line in the ground frame", vector=True, default=[0.0, 0.0]),
    }

    @staticmethod
    def gap(a, b, tangent, radius, displacement):
        return dot(perpendicular(a.direction(tangent)), minus(minus(b.position, a.position), displacement)) - radius

    @staticmethod
    def slide(a, b, tangent, radius, displacement):
        along = dot(a.direction(tangent), minus(minus(b.position, a.position), displacement))
        return along + radius * (b.angle - a.angle)

    @staticmethod
    def point(a, b, tangent, radius, displacement):
        normal = perpendicular(a.direction(tangent))
        return tuple(r - radius * n for r, n in zip(b.position, normal, strict=True))
