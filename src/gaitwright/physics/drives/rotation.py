"""Rotation drive: a motor between the ground and a body. Paper 003 Eq 2.5."""

from gaitwright.physics.declare import Drive, Orientation, Signal


class Rotation(Drive):
    """The body's angle follows `angle`(t).

    Phi = theta - angle(t). Reaction: torque that the drive exerts on the body."""

    name = "rotation"
    attachments = {"body": Orientation("driven body")}
    parameters = {"angle": Signal("rad", "angle of the body against the x axis")}
    turns = (None, 0)
    rows = {"torque": ("N m", "rad")}

    @staticmethod
    def residual(body, angle):
        return (body.angle - angle,)
