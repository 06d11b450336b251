"""Conditions between a hinge or slider in space and a counter: the travel of the joint is `ratio` times that of the
counter, plus an offset.

With ratio 1 the counter is that of the joint itself; a second joint on the same counter with another ratio is geared to the
first; both may be hinges or sliders."""

from gaitwright.physics.attachments import JointTravel, Orientation, Place, Point
from gaitwright.physics.axis import AXIS_PARAMETER, HINGE_PARAMETERS, JOINT_FIELDS, angle_about, hinge_vectors
from gaitwright.physics.declarations import Coupling, Number
from gaitwright.physics.symbolic import dot, make_angle_wrapper, minus

RATIO_PARAMETER = Number("1", "travel of the joint per travel of the counter", 1.0)
COUNTER_ATTACHMENT = JointTravel("counter of the joint")


class HingeTravel(Coupling):
    """Phi = phi - ratio travel - offset, up to full turns, which the counter counts. Reaction: torque on b about the axis."""

    name = "hinge-travel"
    dimensions = (3,)
    attachments = {
        "a": Orientation("reference body"),
        "b": Orientation("body that turns"),
        "counter": COUNTER_ATTACHMENT,
    }
    parameters = {
        **HINGE_PARAMETERS,
        "ratio": RATIO_PARAMETER,
        "offset": Number("rad", "angle at zero of the counter", 0.0),
    }
    rows = {"torque": ("N m", "rad")}
    of_joint = JOINT_FIELDS

    @staticmethod
    def residual(a, b, counter, axis, axis_b, drawn_angle, across, third, across_b, ratio, offset):
        return (make_angle_wrapper()(angle_about(a, b, across, third, across_b) - ratio * counter.travel - offset),)

    drawn = staticmethod(hinge_vectors)


class SliderTravel(Coupling):
    """Phi = axis_a . (r_b - r_a) - ratio travel - offset. Reaction: force on b along the axis."""

    name = "slider-travel"
    dimensions = (3,)
    attachments = {"a": Point("point of the guide"), "b": Place("point of the slider"), "counter": COUNTER_ATTACHMENT}
    parameters = {
        "axis": AXIS_PARAMETER,
        "ratio": RATIO_PARAMETER,
        "offset": Number("m", "displacement at zero of the counter", 0.0),
    }
    rows = {"force": ("N", "m")}
    of_joint = ("a", "b", "axis")

    @staticmethod
    def residual(a, b, counter, axis, ratio, offset):
        along = a.named(dot(a.direction(axis), minus(b.position, a.position)))
        return (along - ratio * counter.travel - offset,)
