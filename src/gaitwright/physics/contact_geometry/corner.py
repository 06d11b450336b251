"""A circle on a corner between two faces."""

from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declare import Components, Number, Shape
from gaitwright.physics.symbolic import dot


class Corner(Shape):
    """gap = |at| - R, in the wedge beyond the end of the face before the corner and before the start of the face after it:
    with their directions t1 and t2, t1 . at >= 0 and t2 . at <= 0. With -t1 and -t2: the places above a concave corner
    from which both faces are seen."""

    name = "corner"
    parameters = {
        "before": Components("1", "direction of the face that ends here, in the frame of a"),
        "after": Components("1", "direction of the face that starts here"),
        "radius": Number("m", "R", minimum=0.0),
        "margin": Number("m", "by how much the wedge is wider than it is", 0.0),
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
