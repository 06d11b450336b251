"""A torque on a body, constant or a function of time."""

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.axis import HINGE_PARAMETERS, JOINT_FIELDS, angle_about, hinge_vectors
from gaitwright.physics.declarations import Effect, Force
from gaitwright.physics.parameters import Choice, Signal
from gaitwright.physics.symbolic import cross3, plus, times, turn


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


class SpatialTorque(Force):
    """tau = value(t), a vector in the ground frame or in that of the body; its opposite acts on no body.

    From its work on a virtual rotation, the sum of v_i x dv_i / 2, Q of each axis v_i is the vector tau x v_i / 2."""

    name = "torque"
    dimensions = (3,)
    attachments = {"body": Orientation("loaded body")}
    parameters = {
        "value": Signal("N m", "components", vector=True),
        "frame": Choice({"ground": 0.0, "body": 1.0}, "frame of the components", "ground"),
    }

    @staticmethod
    def effect(body, value, frame):
        torque = plus(times(1 - frame, value), times(frame, body.direction(value)))
        loads = ((pull / 2, part) for axis in body.axes for pull, part in zip(cross3(torque, axis), axis, strict=True))
        return Effect(loads=tuple(loads))


class JointTorque(Force):
    """tau = value(t) on b about an axis of a joint, and its opposite on a: a motor."""

    name = "joint-torque"
    dimensions = (3,)
    attachments = {"a": Orientation("body that carries the motor"), "b": Orientation("loaded body")}
    parameters = {**HINGE_PARAMETERS, "value": Signal("N m", "torque on b about the axis")}
    of_joint = JOINT_FIELDS

    @staticmethod
    def effect(a, b, axis, axis_b, drawn_angle, across, third, across_b, value):
        return Effect(loads=((value, angle_about(a, b, across, third, across_b)),))

    drawn = staticmethod(hinge_vectors)
