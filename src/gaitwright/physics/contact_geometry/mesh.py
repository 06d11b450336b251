"""A point, circle or sphere on the surface of a mesh: triangles in space, an outline of straight edges in the plane."""

from gaitwright.physics.declare import Components, Number, Shape
from gaitwright.physics.symbolic import dot, minus, norm, plus, times


class MeshShape(Shape):
    """gap = d - R, with d the distance to the nearest place c of the surface, negative inside.

    What is nearest is looked up from a place p (system/look_up.py): d there, its gradient n, and how it goes on, with
    y = at - p: d grows along n next to a face; next to a vertex like the distance from a point, next to an edge like that
    from a line, whose direction t is taken out by P = I - t t^T:

        d(at) = d + (|n + k P y| - 1) / k        k = 0 at a face, 1/d at edges and vertices

    written so that k may be zero. Where two things are equally near the gap does not jump. Its gradient does not either
    outside of what is convex, so a ball rolls over tessellated surfaces; it does in hollows and inside of edges: a ball in a
    groove is pushed by one of both sides at a time. Behind the middle of the solid the other side is nearest: what has
    gone so far is pushed out there."""

    name = "mesh"
    dimensions = (2, 3)
    parameters = {
        "radius": Number("m", "R of the circle or sphere; 0 for a point", 0.0, minimum=0.0),
        "seen_from": Components("m", "p, in the frame of a"),
        "outwards": Components("1", "n, away from what is nearest if outside, a unit vector"),
        "edge": Components("1", "t, a unit vector; zero where no edge is nearest"),
        "distance": Number("m", "d at p"),
        "curvature": Number("1/m", "k"),
    }

    @staticmethod
    def gap(at, radius, seen_from, outwards, edge, distance, curvature):
        n, y = _across(outwards, edge), _across(minus(at, seen_from), edge)
        turned = plus(n, times(curvature, y))
        return distance + (2 * dot(n, y) + curvature * dot(y, y)) / (norm(turned) + norm(n)) - radius

    @staticmethod
    def normal(at, radius, seen_from, outwards, edge, distance, curvature):
        turned = plus(_across(outwards, edge), times(curvature, _across(minus(at, seen_from), edge)))
        return times(1 / norm(turned), turned)


def _across(vector, edge):
    return minus(vector, times(dot(edge, vector), edge))
