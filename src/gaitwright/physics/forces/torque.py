"""A torque on a body, constant or a function of time."""

from gaitwright.physics.declare import Effect, Force, Orientation, Signal
from gaitwright.physics.symbolic import turn


class Torque(Force):
    """tau = value(t), counter-clockwise positive; between body and `reaction` (the ground unless given)."""

    name = "torque"
    attachments = {
        "body": Orientation("loaded body"),
        "reaction": Orientation("body that takes the opposite torque", default="ground"),
    }
    parameters = {"value": Signal("N m", "torque on the body")}

    @staticmethod
    def effect(body, reaction, value):
        return Effect(loads=((value, turn(reaction, body)),))
