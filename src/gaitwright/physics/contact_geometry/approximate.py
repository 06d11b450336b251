"""A point on the surface of a mesh, by the approximate distance of paper 004."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import dot, minus, norm


class ApproximateShape(ContactShape):
    """gap = l log(phi) inside, with phi linear in each cell (mesh/approximate_distance.py); the exact distance outside.

    Lookup from a place p gives the gap d there, its gradient g = l phi' / phi, which is not a unit vector, and k = 1/l
    (outside 0). Derivatives of the gap need two terms, with y = at - p:

        gap(at) = d + g . y - k/2 (g . y)^2 - R

    Paper 004 Eq 4.14 to 4.19; its Eq 4.19 lacks the root: l = sqrt(c_L). The gradient jumps from cell to cell, the gap
    does not."""

    name = "approximate-mesh"
    dimensions = (2, 3)
    parameters = {
        "radius": Number("m", "R, always 0: the approximate distance holds for points only", 0.0, minimum=0.0),
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
