"""Distance joint: a massless rod with hinges at both ends."""

import math

from gaitwright.physics.attachments import Place
from gaitwright.physics.declarations import Joint, Number
from gaitwright.physics.parameters import DRAWN
from gaitwright.physics.symbolic import distance


class Distance(Joint):
    """Keeps the distance between points a and b.

    Phi = |r_b - r_a| - length. Reaction: force on b along the line, positive when it pushes b away from a.
    The length must not be zero: use a revolute joint instead."""

    name = "distance"
    drawn_as = "rod"
    dimensions = (2, 3)
    fused = False
    attachments = {"a": Place("one end"), "b": Place("other end")}
    parameters = {"length": Number("m", "kept distance; as drawn unless given", DRAWN, minimum=1e-12)}
    rows = {"force": ("N", "m")}

    @staticmethod
    def residual(a, b, length):
        return (distance(a, b) - length,)

    @staticmethod
    def drawn(a, b):
        return {"length": math.dist(a.position, b.position)}
