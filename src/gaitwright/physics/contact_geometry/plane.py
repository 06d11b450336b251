"""A point, circle or sphere on a straight line or a plane that is solid on one side."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import dot


class PlaneShape(ContactShape):
    """gap = n . at - R. The surface passes through the origin of its frame and has no ends.

    Paper 004 Eq 5.1 to 5.12; its Eq 5.7 lacks the minus that makes the indentation positive inside: d = -gap. In the plane
    paper 000 Eq 12, without the absolute value."""

    name = "plane"
    dimensions = (2, 3)
    parameters = {
        "direction": Components("1", "outward normal n in the frame of a, a unit vector"),
        "radius": Number("m", "R of the circle or sphere; 0 for a point", 0.0, minimum=0.0),
    }

    @staticmethod
    def gap(at, direction, radius):
        return dot(direction, at) - radius

    @staticmethod
    def normal(at, direction, radius):
        return direction
