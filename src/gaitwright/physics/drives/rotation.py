"""Rotation drive: a motor between the ground and a body, in space about an axis of two bodies. Paper 003 Eq 2.5."""

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.axis import HINGE_PARAMETERS, JOINT_FIELDS, angle_about, hinge_vectors
from gaitwright.physics.bodies.marker import GROUND_MARKER
from gaitwright.physics.declarations import Drive
from gaitwright.physics.parameters import Signal
from gaitwright.physics.symbolic import make_angle_wrapper, turn


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
        return (turn(GROUND_MARKER, body, angle),)


class SpatialRotation(Drive):
    """The angle of b relative to a about an axis follows `angle`(t), over any number of turns.

    Phi = phi - angle(t), up to full turns; phi is measured from the drawn pose. Reaction: torque on b about the axis (its
    opposite acts on a). It does not constrain the other rotations: a joint must hold the axis."""

    name = "rotation"
    dimensions = (3,)
    attachments = {"a": Orientation("body that carries the motor"), "b": Orientation("driven body")}
    parameters = {**HINGE_PARAMETERS, "angle": Signal("rad", "angle of b relative to a about the axis")}
    rows = {"torque": ("N m", "rad")}
    of_joint = JOINT_FIELDS

    @staticmethod
    def residual(a, b, axis, axis_b, drawn_angle, across, third, across_b, angle):
        return (make_angle_wrapper()(angle_about(a, b, across, third, across_b) - angle),)

    drawn = staticmethod(hinge_vectors)
