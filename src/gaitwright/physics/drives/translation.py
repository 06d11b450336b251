"""Translation drive: a linear actuator along an axis of a body."""

from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.axis import AXIS_PARAMETER
from gaitwright.physics.declarations import Drive
from gaitwright.physics.parameters import Signal
from gaitwright.physics.symbolic import dot, minus


class Translation(Drive):
    """The displacement of point b from point a along an axis of a follows `displacement`(t).

    Phi = axis_a . (r_b - r_a) - displacement(t). Reaction: force on b along the axis."""

    name = "translation"
    drawn_as = "actuator"
    dimensions = (3,)
    attachments = {"a": Point("point of the guide"), "b": Place("driven point")}
    parameters = {"axis": AXIS_PARAMETER, "displacement": Signal("m", "of b from a along the axis")}
    rows = {"force": ("N", "m")}
    of_joint = ("a", "b", "axis")

    @staticmethod
    def residual(a, b, axis, displacement):
        return (a.named(dot(a.direction(axis), minus(b.position, a.position))) - displacement,)
