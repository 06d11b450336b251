"""Planar joint: b slides on a plane of a and turns about its normal."""

from gaitwright.physics.axis import ACROSS, AXIS_B, THIRD, aligned, frame_of, same_axis
from gaitwright.physics.declare import Direction, Joint, Point
from gaitwright.physics.symbolic import dot, minus


class PlanarJoint(Joint):
    """Phi = (axis_a . (r_b - r_a), across_a . axis_b, third_a . axis_b): point b stays in the plane through point a."""

    name = "planar"
    dimensions = (3,)
    attachments = {"a": Point("point of the plane"), "b": Point("point that stays in the plane")}
    parameters = {
        "axis": Direction("a", "normal of the plane in the frame of a's body"), "axis_b": AXIS_B, "across": ACROSS,
        "third": THIRD,
    }  # fmt: skip
    rows = {"off": ("", "m"), "tilt_1": ("", "1"), "tilt_2": ("", "1")}

    @staticmethod
    def residual(a, b, axis, axis_b, across, third):
        return (dot(a.direction(axis), minus(b.position, a.position)), *aligned(a, b, axis_b, across, third))

    @staticmethod
    def drawn(a, b, axis):
        return {"axis_b": same_axis(a, b, axis), **frame_of(axis)}
