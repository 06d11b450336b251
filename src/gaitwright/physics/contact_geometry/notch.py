"""A point, or the centre of a circle, in the solid behind a concave corner."""

from gaitwright.physics.declare import Direction, Frame, Geometry, Number, Point, Signal
from gaitwright.physics.symbolic import dot, minus, plus, sqrt, times

TINY = 1e-200
"""m^2, so that the distance to the corner has derivatives in the corner itself."""


class Notch(Geometry):
    """gap = -|r_b - r_a - d(t)| - R, in the wedge behind the corner: with the directions t1 and t2 of the faces that end and
    start there, t1 . (r_b - r_a) >= 0 and t2 . (r_b - r_a) <= 0. The corner is what lies nearest there, so the force turns
    steadily from the normal of the one face to that of the other.

    slide = t . (r_b - r_a - d(t)) + R (theta_b - theta_a) along the direction t between the two faces: off by the cosine of
    half the turn at most."""

    name = "notch"
    attachments = {"a": Frame("the corner"), "b": Point("the point, or the centre of the circle")}
    parameters = {
        "before": Direction("a", "direction of the face that ends here, in the frame of a's body"),
        "after": Direction("a", "direction of the face that starts here"),
        "along": Direction("a", "the direction between them"),
        "radius": Number("m", "R; 0 for a point", 0.0, minimum=0.0),
        "displacement": Signal("m", "d(t), of the corner in the ground frame", vector=True, default=[0.0, 0.0]),
        "margin": Number("m", "by how much the wedge is wider than it is", 0.0),
        "depth": Number("m", "how far behind the corner a point still belongs to it", 1e9, minimum=0.0),
    }

    @staticmethod
    def gap(a, b, before, after, along, radius, displacement, margin, depth):
        return -_distance(a, b, displacement) - radius

    @staticmethod
    def slide(a, b, before, after, along, radius, displacement, margin, depth):
        return dot(a.direction(along), _arm(a, b, displacement)) + radius * (b.angle - a.angle)

    @staticmethod
    def point(a, b, before, after, along, radius, displacement, margin, depth):
        arm = _arm(a, b, displacement)
        return plus(b.position, times(radius / _distance(a, b, displacement), arm))

    @staticmethod
    def region(a, b, before, after, along, radius, displacement, margin, depth):
        arm = _arm(a, b, displacement)
        return (
            dot(a.direction(before), arm) + margin,
            margin - dot(a.direction(after), arm),
            depth - _distance(a, b, displacement),
        )


def _arm(a, b, displacement):
    return minus(minus(b.position, a.position), displacement)


def _distance(a, b, displacement):
    arm = _arm(a, b, displacement)
    return sqrt(dot(arm, arm) + TINY)
