"""Relative rotation drive: a motor between two bodies."""

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.declarations import Drive
from gaitwright.physics.parameters import Signal
from gaitwright.physics.symbolic import turn


class RelativeRotation(Drive):
    """The angle of b relative to a follows `angle`(t).

    Phi = theta_b - theta_a - angle(t). Reaction: torque on b (its opposite acts on a)."""

    name = "relative-rotation"
    attachments = {"a": Orientation("body that carries the motor"), "b": Orientation("driven body")}
    parameters = {"angle": Signal("rad", "angle of b relative to a")}
    turns = (0, 1)
    rows = {"torque": ("N m", "rad")}

    @staticmethod
    def residual(a, b, angle):
        return (turn(a, b, angle),)
