"""A point, circle or sphere on a circle or sphere."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.symbolic import norm


class SphereShape(ContactShape):
    """gap = |at| - R_a - R, from the centre of that of a. One of the two may be a point, but not both."""

    name = "sphere"
    dimensions = (2, 3)
    parameters = {
        "radius_a": Number("m", "R_a of the surface", 0.0, minimum=0.0),
        "radius": Number("m", "R of the touching circle or sphere", 0.0, minimum=0.0),
    }

    @staticmethod
    def gap(at, radius_a, radius):
        return norm(at) - radius_a - radius

    @staticmethod
    def normal(at, radius_a, radius):
        return tuple(x / norm(at) for x in at)
