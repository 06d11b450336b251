"""Planar beam in absolute nodal coordinates: a node has e = (r, r_x), its position and its slope (paper 002 Eq 2-5).

    r(x) = S_0 r_0 + S_1 r_x0 + S_2 r_1 + S_3 r_x1        cubic Hermite functions of xi = x / l (paper 002 Eq 3)

x is the arc length in the unstressed shape, so that |r_x| - 1 is the axial strain. Joints, drives, forces and contacts
attach to nodes; elastic forces and weight belong to elements, which are two nodes.
"""

from __future__ import annotations

from typing import Any

from gaitwright.physics.attachments import Centre, Orientation, Place, Point
from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.declarations import ElementSpan, Family, LinearExpression, MarkerKind
from gaitwright.physics.symbolic import Vector, atan2


def shape_functions(xi: Any, length: Any, derivative: int = 0) -> tuple[Any, Any, Any, Any]:
    """S, S_x or S_xx at xi (0 to 1), with numbers, arrays or symbols."""
    l = length
    if derivative == 0:
        return (1 - 3 * xi**2 + 2 * xi**3, l * (xi - 2 * xi**2 + xi**3), 3 * xi**2 - 2 * xi**3, l * (xi**3 - xi**2))
    if derivative == 1:
        return ((6 * xi**2 - 6 * xi) / l, 1 - 4 * xi + 3 * xi**2, (6 * xi - 6 * xi**2) / l, 3 * xi**2 - 2 * xi)
    return ((12 * xi - 6) / l**2, (6 * xi - 4) / l, (6 - 12 * xi) / l**2, (6 * xi - 2) / l)


def combine_nodal_vectors(weights: Any, e: Any) -> Vector:
    """The vector with the given weights of r_0, r_x0, r_1 and r_x1."""
    return tuple(sum(w * e[2 * k + axis] for k, w in enumerate(weights)) for axis in range(2))


class BeamElementMarker:
    """A whole element; length: unstressed length, m."""

    def __init__(self, *e: Any):
        self.e, self.start, self.end = e, e[0:2], e[4:6]

    def r(self, xi: Any, length: Any) -> Vector:
        return combine_nodal_vectors(shape_functions(xi, length), self.e)

    def r_x(self, xi: Any, length: Any) -> Vector:
        return combine_nodal_vectors(shape_functions(xi, length, 1), self.e)

    def r_xx(self, xi: Any, length: Any) -> Vector:
        return combine_nodal_vectors(shape_functions(xi, length, 2), self.e)


class BeamNode(Family):
    """Family of the four coordinates of a node: position and slope vector."""

    name = "node"
    coordinates = ("x", "y", "u", "v")
    units = ("m", "m", "1", "1")
    markers = {
        Place: MarkerKind((0, 1), (), lambda x, y: Marker((x, y), (), None, False)),
        Point: MarkerKind((0, 1, 2, 3), (), lambda x, y, u, v: Marker((x, y), (u, v), atan2(v, u), False)),
        Orientation: MarkerKind((2, 3), (), lambda u, v: Marker((), (u, v), atan2(v, u), False)),
    }

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        places = {("position", k): LinearExpression(0.0, ((k, 1.0),)) for k in range(2)}
        return {**places, **{("axis", 0, k): LinearExpression(0.0, ((2 + k, 1.0),)) for k in range(2)}}


class BeamElement(Family):
    """Family of the eight coordinates of an element: those of both nodes."""

    name = "beam"
    coordinates = ("x0", "y0", "u0", "v0", "x1", "y1", "u1", "v1")
    units = ("m", "m", "1", "1", "m", "m", "1", "1")
    markers = {
        Centre: MarkerKind(
            tuple(range(8)),
            ("n0", "n1", "n2", "n3"),
            lambda *g: Marker(combine_nodal_vectors(g[8:], g), (), None, False),
        ),
        ElementSpan: MarkerKind(tuple(range(8)), (), BeamElementMarker),
    }
