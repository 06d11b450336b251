"""A point, or the centre of a circle, in the solid behind a concave corner."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import dot, perpendicular, sqrt

CORNER_REGULARISATION_M2 = 1e-200
"""Regularisation, m^2: makes the distance to the corner differentiable in the corner itself."""


class NotchShape(ContactShape):
    """gap = -|at| - R, in the wedge behind the corner: with the directions t1 and t2 of the faces that end and start there,
    t1 . at >= 0 and t2 . at <= 0. The corner is the nearest place there, so the force turns continuously from the normal of one
    face to that of the other.

    The slip direction is the direction between the two faces: its error is at most the cosine of half the turn."""

    name = "notch"
    parameters = {
        "before": Components("1", "direction of the face that ends here, in the frame of a"),
        "after": Components("1", "direction of the face that starts here"),
        "along": Components("1", "the direction between them"),
        "radius": Number("m", "R; 0 for a point", 0.0, minimum=0.0),
        "margin": Number("m", "additional width of the wedge", 0.0),
        "depth": Number("m", "how far behind the corner a point still belongs to it", 1e9, minimum=0.0),
    }

    @staticmethod
    def gap(at, before, after, along, radius, margin, depth):
        return -_regularised_norm(at) - radius

    @staticmethod
    def normal(at, before, after, along, radius, margin, depth):
        return perpendicular(along)

    @staticmethod
    def region(at, before, after, along, radius, margin, depth):
        return (dot(before, at) + margin, margin - dot(after, at), depth - _regularised_norm(at))


def _regularised_norm(at):
    return sqrt(dot(at, at) + CORNER_REGULARISATION_M2)
