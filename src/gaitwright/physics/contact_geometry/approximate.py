"""A point on the surface of a mesh, by the approximate distance of paper 004."""

from gaitwright.physics.declare import Components, Number, Shape
from gaitwright.physics.symbolic import dot, minus, norm


class ApproximateShape(Shape):
    """gap = l log(phi) inside, with phi linear in each cell (mesh/approximate.py); the exact distance outside.

    Looked up from a place p: the gap d there, its gradient g = l phi' / phi, which is not a unit vector, and k = 1/l
    (outside 0). What is derived from the gap needs two terms, with y = at - p:

        gap(at) = d + g . y - k/2 (g . y)^2 - R

    Paper 004 Eq 4.14 to 4.19, whose Eq 4.19 lacks the root: l = sqrt(c_L). The gradient jumps from cell to cell, the gap
    does not."""

    name = "approximate-mesh"
    dimensions = (2, 3)
    parameters = {
        "radius": Number("m", "R, 0: only points know the inside", 0.0, minimum=0.0),
        "seen_from": Components("m", "p, in the frame of a"),
        "slope": Components("1", "g"),
        "distance": Number("m", "d at p"),
        "curvature": Number("1/m", "k"),
    }

    @staticmethod
    def gap(at, radius, seen_from, slope, distance, curvature):
        along = dot(slope, minus(at, seen_from))
        return distance + along - curvature * along**2 / 2 - radius

    @staticmethod
    def normal(at, radius, seen_from, slope, distance, curvature):
        return tuple(part / norm(slope) for part in slope)
