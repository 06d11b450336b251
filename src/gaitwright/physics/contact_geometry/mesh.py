"""A point, circle or sphere on the surface of a mesh: triangles in space, an outline of straight edges in the plane."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import dot, minus, norm, plus, times


class MeshShape(ContactShape):
    """gap = d - R, with d the distance to the nearest place c of the surface, negative inside.

    The nearest feature is looked up from a place p (contact/surface_lookup.py): d there, its gradient n, and its variation,
    with y = at - p: d grows along n next to a face; next to a vertex like the distance from a point, next to an edge like
    that from a line: its direction t is removed by P = I - t t^T:

        d(at) = d + (|n + k P y| - 1) / k        k = 0 at a face, 1/d at edges and vertices

    evaluated in a form that allows k = 0. Between two equally near features the gap does not jump. Outside of convex parts
    its gradient does not jump either, so a ball rolls over tessellated surfaces; it does in hollows and inside of edges: a ball
    in a groove is pushed by one of both sides at a time. Behind the middle of the solid the other side is nearest: a body that
    penetrates so far is pushed out there."""

    name = "mesh"
    dimensions = (2, 3)
    parameters = {
        "radius": Number("m", "R of the circle or sphere; 0 for a point", 0.0, minimum=0.0),
        "seen_from": Components("m", "p, in the frame of a"),
        "outwards": Components("1", "n, outward unit vector at the nearest feature"),
        "edge": Components("1", "t, a unit vector; zero where no edge is nearest"),
        "distance": Number("m", "d at p"),
        "curvature": Number("1/m", "k"),
    }

    @staticmethod
    def gap(at, radius, seen_from, outwards, edge, distance, curvature):
        n, y = _remove_edge_component(outwards, edge), _remove_edge_component(minus(at, seen_from), edge)
        turned = plus(n, times(curvature, y))
        return distance + (2 * dot(n, y) + curvature * dot(y, y)) / (norm(turned) + norm(n)) - radius

    @staticmethod
    def normal(at, radius, seen_from, outwards, edge, distance, curvature):
        turned = plus(
            _remove_edge_component(outwards, edge), times(curvature, _remove_edge_component(minus(at, seen_from), edge))
        )
        return times(1 / norm(turned), turned)


def _remove_edge_component(vector, edge):
    return minus(vector, times(dot(edge, vector), edge))
