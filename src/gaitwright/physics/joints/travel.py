"""What ties a hinge or a slider in space to a counter: the joint has moved `ratio` times as far as it, plus an offset.

With ratio 1 the counter is that of the joint itself; a second joint on the same counter with another ratio is geared to the
first, whatever the two are: hinges, or sliders."""

from gaitwright.physics.axis import AXIS, HINGE, OF_JOINT, angle_about, hinge_vectors
from gaitwright.physics.declare import Coupling, Number, Orientation, Place, Point, Travel
from gaitwright.physics.symbolic import dot, minus, wrapped

RATIO = Number("1", "travel of the joint per travel of the counter", 1.0)
COUNTER = Travel("what counts")


class HingeTravel(Coupling):
    """Phi = phi - ratio travel - offset, up to full turns: the counter knows how many. Reaction: torque on b about the axis."""

    name = "hinge-travel"
    dimensions = (3,)
    attachments = {"a": Orientation("reference body"), "b": Orientation("body that turns"), "counter": COUNTER}
    parameters = {**HINGE, "ratio": RATIO, "offset": Number("rad", "angle at zero of the counter", 0.0)}
    rows = {"torque": ("N m", "rad")}
    of_joint = OF_JOINT

    @staticmethod
    def residual(a, b, counter, axis, axis_b, drawn_angle, across, third, across_b, ratio, offset):
        return (wrapped()(angle_about(a, b, across, third, across_b) - ratio * counter.travel - offset),)

    drawn = staticmethod(hinge_vectors)


class SliderTravel(Coupling):
    """Phi = axis_a . (r_b - r_a) - ratio travel - offset. Reaction: force on b along the axis."""

    name = "slider-travel"
    dimensions = (3,)
    attachments = {"a": Point("point of the guide"), "b": Place("point of the slider"), "counter": COUNTER}
    parameters = {"axis": AXIS, "ratio": RATIO, "offset": Number("m", "displacement at zero of the counter", 0.0)}
    rows = {"force": ("N", "m")}
    of_joint = ("a", "b", "axis")

    @staticmethod
    def residual(a, b, counter, axis, ratio, offset):
        along = a.named(dot(a.direction(axis), minus(b.position, a.position)))
        return (along - ratio * counter.travel - offset,)
