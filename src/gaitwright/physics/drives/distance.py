"""Distance drive: a linear actuator with hinges at both ends."""

from gaitwright.physics.attachments import Place
from gaitwright.physics.declarations import Drive
from gaitwright.physics.parameters import Signal
from gaitwright.physics.symbolic import distance


class DrivenDistance(Drive):
    """The distance between points a and b follows `length`(t).

    Phi = |r_b - r_a| - length(t). Reaction: force on b along the line, positive when the actuator pushes.
    The length must stay above zero."""

    name = "distance"
    drawn_as = "actuator"
    dimensions = (2, 3)
    fused = False
    attachments = {"a": Place("one end"), "b": Place("other end")}
    parameters = {"length": Signal("m", "distance between the ends")}
    rows = {"force": ("N", "m")}

    @staticmethod
    def residual(a, b, length):
        return (distance(a, b) - length,)
