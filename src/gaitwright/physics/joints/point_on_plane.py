"""Point on a plane: a point of b stays in a plane of a."""

from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.declarations import Joint
from gaitwright.physics.parameters import Direction
from gaitwright.physics.symbolic import dot, minus


class PointOnPlane(Joint):
    """Phi = axis_a . (r_b - r_a). Reaction: force on b along the normal."""

    name = "point-on-plane"
    dimensions = (3,)
    attachments = {"a": Point("point of the plane"), "b": Place("point that stays in it")}
    parameters = {"axis": Direction("a", "normal of the plane in the frame of a's body")}
    rows = {"normal": ("N", "m")}

    @staticmethod
    def residual(a, b, axis):
        return (dot(a.direction(axis), minus(b.position, a.position)),)
