"""Cylindrical joint: b turns about an axis of a and slides along it."""

from gaitwright.physics.attachments import Point
from gaitwright.physics.axis import HINGE_PARAMETERS, angle_about, axis_alignment, hinge_vectors
from gaitwright.physics.declarations import Joint
from gaitwright.physics.symbolic import dot, minus, rate


class Cylindrical(Joint):
    """Phi = (across_a . d, third_a . d, across_a . axis_b, third_a . axis_b), d = r_b - r_a."""

    name = "cylindrical"
    dimensions = (3,)
    drawn_as = "guide"
    attachments = {"a": Point("point of the axis in the reference body"), "b": Point("point that stays on the axis")}
    parameters = HINGE_PARAMETERS
    rows = {"off_1": ("", "m"), "off_2": ("", "m"), "tilt_1": ("", "1"), "tilt_2": ("", "1")}
    observed = {
        "angle": ("rad", "angle of b relative to a about the axis, from -pi to pi"),
        "rate": ("rad/s", "rate of the angle"),
        "displacement": ("m", "how far b has slid along the axis of a, from its point"),
        "speed": ("m/s", "rate of the displacement"),
    }

    @staticmethod
    def residual(a, b, axis, axis_b, drawn_angle, across, third, across_b):
        d = minus(b.position, a.position)
        off = (dot(a.direction(across), d), dot(a.direction(third), d))
        return (*off, *axis_alignment(a, b, axis_b, across, third))

    @staticmethod
    def observe(a, b, axis, axis_b, drawn_angle, across, third, across_b):
        angle = angle_about(a, b, across, third, across_b)
        along = dot(a.direction(axis), minus(b.position, a.position))
        return {"angle": angle, "rate": rate(angle), "displacement": along, "speed": rate(along)}

    drawn = staticmethod(hinge_vectors)
