"""Slot: a pin in a straight groove; a point of b stays on a line of a and may turn."""

from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.declarations import Joint
from gaitwright.physics.parameters import Direction
from gaitwright.physics.symbolic import dot, minus, perpendicular


class Slot(Joint):
    """Point b stays on the line through point a along `axis`, which is fixed in the body of a.

    Phi = n . (r_b - r_a) with n the axis turned by +90 degrees. Reaction: force on b along n.
    The line has no ends: a pin that leaves a real groove is not detected."""

    name = "slot"
    drawn_as = "guide"
    fused = False
    attachments = {"a": Point("a point of the line"), "b": Place("the pin")}
    parameters = {"axis": Direction("a", "direction of the line in the frame of a's body")}
    aliases = {"line": "a", "point": "b"}
    rows = {"normal": ("N", "m")}

    @staticmethod
    def residual(a, b, axis):
        return (dot(perpendicular(a.direction(axis)), minus(b.position, a.position)),)
