"""A circle on a corner between two faces."""

from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import dot


class CornerShape(ContactShape):
    """gap = |at| - R, in the wedge beyond the end of the face before the corner and before the start of the face after it:
    with their directions t1 and t2, t1 . at >= 0 and t2 . at <= 0. With -t1 and -t2: the places above a concave corner
    that lie above both faces."""

    name = "corner"
    parameters = {
        "before": Components("1", "direction of the face that ends here, in the frame of a"),
        "after": Components("1", "direction of the face that starts here"),
        "radius": Number("m", "R", minimum=0.0),
        "margin": Number("m", "additional width of the wedge", 0.0),
    }

    @staticmethod
    def gap(at, before, after, radius, margin):
        return SphereShape.gap(at, 0, radius)

    @staticmethod
    def normal(at, before, after, radius, margin):
        return SphereShape.normal(at, 0, radius)

    @staticmethod
    def region(at, before, after, radius, margin):
        return (dot(before, at) + margin, margin - dot(after, at))
