"""Point on a line: a point of b slides along a line of a; b may turn about it in any way. In the plane: slot."""

from gaitwright.physics.axis import ACROSS, AXIS, THIRD, frame_of
from gaitwright.physics.declare import Joint, Place, Point
from gaitwright.physics.symbolic import dot, minus


class PointOnLine(Joint):
    """Phi = (across_a . (r_b - r_a), third_a . (r_b - r_a))."""

    name = "point-on-line"
    dimensions = (3,)
    drawn_as = "guide"
    attachments = {"a": Point("point of the line"), "b": Place("point that stays on it")}
    parameters = {"axis": AXIS, "across": ACROSS, "third": THIRD}
    rows = {"off_1": ("", "m"), "off_2": ("", "m")}

    @staticmethod
    def residual(a, b, axis, across, third):
        d = minus(b.position, a.position)
        return dot(a.direction(across), d), dot(a.direction(third), d)

    @staticmethod
    def drawn(axis):
        return frame_of(axis)
