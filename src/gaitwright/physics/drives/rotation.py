"""Rotation drive: a motor between the ground and a body. Paper 003 Eq 2.5."""

from gaitwright.physics.bodies.marker import GROUND
from gaitwright.physics.declare import Drive, Orientation, Signal
from gaitwright.physics.symbolic import turn


class Rotation(Drive):
    """The body's angle follows `angle`(t).

    Phi = theta - angle(t). Reaction: torque that the drive exerts on the body.
    On a beam the angle is that of its tangent."""

    name = "rotation"
    attachments = {"body": Orientation("driven body, or point of a beam")}
    parameters = {"angle": Signal("rad", "angle of the body against the x axis")}
    turns = (None, 0)
    rows = {"torque": ("N m", "rad")}

    @staticmethod
    def residual(body, angle):
        return (turn(GROUND, body, angle),)
