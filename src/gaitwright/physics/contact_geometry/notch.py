"""A point, or the centre of a circle, in the solid behind a concave corner."""

from gaitwright.physics.declare import Components, Number, Shape
from gaitwright.physics.symbolic import dot, perpendicular, sqrt

TINY = 1e-200
"""m^2, so that the distance to the corner has derivatives in the corner itself."""


class Notch(Shape):
    """gap = -|at| - R, in the wedge behind the corner: with the directions t1 and t2 of the faces that end and start there,
    t1 . at >= 0 and t2 . at <= 0. The corner is what lies nearest there, so the force turns steadily from the normal of the
    one face to that of the other.

    What slips does so along the direction between the two faces: off by the cosine of half the turn at most."""

    name = "notch"
    parameters = {
        "before": Components("1", "direction of the face that ends here, in the frame of a"),
        "after": Components("1", "direction of the face that starts here"),
        "along": Components("1", "the direction between them"),
        "radius": Number("m", "R; 0 for a point", 0.0, minimum=0.0),
        "margin": Number("m", "by how much the wedge is wider than it is", 0.0),
        "depth": Number("m", "how far behind the corner a point still belongs to it", 1e9, minimum=0.0),
    }

    @staticmethod
    def gap(at, before, after, along, radius, margin, depth):
        return -_size(at) - radius

    @staticmethod
    def normal(at, before, after, along, radius, margin, depth):
        return perpendicular(along)

    @staticmethod
    def region(at, before, after, along, radius, margin, depth):
        return (dot(before, at) + margin, margin - dot(after, at), depth - _size(at))


def _size(at):
    return sqrt(dot(at, at) + TINY)
