"""Planar joint: b slides on a plane of a and turns about its normal."""

from gaitwright.physics.attachments import Point
from gaitwright.physics.axis import (
    ACROSS_PARAMETER,
    AXIS_B_PARAMETER,
    THIRD_PARAMETER,
    axis_alignment,
    axis_frame,
    transfer_axis,
)
from gaitwright.physics.declarations import Joint
from gaitwright.physics.parameters import Direction
from gaitwright.physics.symbolic import dot, minus


class PlanarJoint(Joint):
    """Phi = (axis_a . (r_b - r_a), across_a . axis_b, third_a . axis_b): point b stays in the plane through point a."""

    name = "planar"
    dimensions = (3,)
    attachments = {"a": Point("point of the plane"), "b": Point("point that stays in the plane")}
    parameters = {
        "axis": Direction("a", "normal of the plane in the frame of a's body"),
        "axis_b": AXIS_B_PARAMETER,
        "across": ACROSS_PARAMETER,
        "third": THIRD_PARAMETER,
    }
    rows = {"off": ("", "m"), "tilt_1": ("", "1"), "tilt_2": ("", "1")}

    @staticmethod
    def residual(a, b, axis, axis_b, across, third):
        return (dot(a.direction(axis), minus(b.position, a.position)), *axis_alignment(a, b, axis_b, across, third))

    @staticmethod
    def drawn(a, b, axis):
        return {"axis_b": transfer_axis(a, b, axis), **axis_frame(axis)}
