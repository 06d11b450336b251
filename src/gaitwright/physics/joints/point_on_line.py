"""Point on a line: a point of b slides along a line of a; b may rotate arbitrarily about it. In the plane: slot."""

from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.axis import ACROSS_PARAMETER, AXIS_PARAMETER, THIRD_PARAMETER, axis_frame
from gaitwright.physics.declarations import Joint
from gaitwright.physics.symbolic import dot, minus


class PointOnLine(Joint):
    """Phi = (across_a . (r_b - r_a), third_a . (r_b - r_a))."""

    name = "point-on-line"
    dimensions = (3,)
    drawn_as = "guide"
    attachments = {"a": Point("point of the line"), "b": Place("point that stays on it")}
    parameters = {"axis": AXIS_PARAMETER, "across": ACROSS_PARAMETER, "third": THIRD_PARAMETER}
    rows = {"off_1": ("", "m"), "off_2": ("", "m")}

    @staticmethod
    def residual(a, b, axis, across, third):
        d = minus(b.position, a.position)
        return dot(a.direction(across), d), dot(a.direction(third), d)

    @staticmethod
    def drawn(axis):
        return axis_frame(axis)
