"""Revolute joint (hinge): two points coincide, in space also an axis. Paper 003 Eq 2.3."""

from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.axis import HINGE_PARAMETERS, angle_about, axis_alignment, hinge_vectors
from gaitwright.physics.declarations import Joint
from gaitwright.physics.symbolic import minus, rate


class Revolute(Joint):
    """Pins point b to point a.

    Phi = r_b - r_a. Reaction: force on b, ground frame. Leaves one rotation free."""

    name = "revolute"
    drawn_as = "pin"
    attachments = {"a": Place("point of the reference body"), "b": Place("point pinned to it")}
    rows = {"fx": ("N", "m"), "fy": ("N", "m")}

    @staticmethod
    def residual(a, b):
        return minus(b.position, a.position)


class SpatialRevolute(Joint):
    """Pins point b to point a and aligns the axis of b with that of a.

    Phi = (r_b - r_a, across_a . axis_b, third_a . axis_b), with two vectors of a perpendicular to the axis."""

    name = "revolute"
    dimensions = (3,)
    drawn_as = "pin"
    attachments = {"a": Point("point of the reference body"), "b": Point("point pinned to it")}
    parameters = HINGE_PARAMETERS
    rows = {"x": ("", "m"), "y": ("", "m"), "z": ("", "m"), "tilt_1": ("", "1"), "tilt_2": ("", "1")}
    observed = {
        "angle": ("rad", "angle of b relative to a about the axis, from -pi to pi"),
        "rate": ("rad/s", "rate of the angle"),
    }

    @staticmethod
    def residual(a, b, axis, axis_b, drawn_angle, across, third, across_b):
        return (*minus(b.position, a.position), *axis_alignment(a, b, axis_b, across, third))

    @staticmethod
    def observe(a, b, axis, axis_b, drawn_angle, across, third, across_b):
        angle = angle_about(a, b, across, third, across_b)
        return {"angle": angle, "rate": rate(angle)}

    drawn = staticmethod(hinge_vectors)
