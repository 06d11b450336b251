"""Kinds of elements with their points of integration: triangles and tetrahedra, and their sides.

Nodes and shape functions are those of the mesh (mesh/kinds.py): corners, in the plane counter-clockwise, in space with the
fourth where a right-handed screw through the first three moves; then the middles of edges, in the order of VTK, Abaqus and
CalculiX.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from math import sqrt

import numpy as np

from gaitwright.mesh.kinds import T3, T6, TET4, TET10, Array, Kind
from gaitwright.mesh.measure import shape_functions, shape_gradients

Rule = tuple[tuple[tuple[float, ...], float], ...]
"""Points in barycentric coordinates, and weights, which sum to the size of the reference element."""


@dataclass(frozen=True)
class Shape:
    """A kind of element and its rule of integration."""

    kind: Kind
    rule: Rule

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def dimension(self) -> int:
        return self.kind.dimension

    @property
    def nodes(self) -> int:
        return self.kind.nodes

    @property
    def points(self) -> Array:
        """Barycentric coordinates, (points, corners)."""
        return np.array([point for point, _ in self.rule])

    @property
    def weights(self) -> Array:
        return np.array([weight for _, weight in self.rule])

    def values(self) -> Array:
        """Shape functions at the points, (points, nodes)."""
        return shape_functions(self.kind, self.points)

    def slopes(self) -> Array:
        """Their derivatives in the coordinates of the reference element, (points, nodes, dimension)."""
        return shape_gradients(self.kind, self.points)


def _turned(first: float, others: float, count: int) -> tuple[tuple[float, ...], ...]:
    """Points with one coordinate unlike the others, in all places."""
    return tuple(tuple(first if k == i else others for k in range(count)) for i in range(count))


def _even(points: tuple[tuple[float, ...], ...], size: float) -> Rule:
    return tuple((point, size / len(points)) for point in points)


def _degree_four() -> Rule:
    """Six points on a triangle, exact for polynomials of degree 4, in closed form."""
    root = sqrt(38 - 44 * sqrt(2 / 5))
    near, far = (8 - sqrt(10) + root) / 18, (8 - sqrt(10) - root) / 18
    part = sqrt(213125 - 53320 * sqrt(10))
    groups = ((near, (620 + part) / 3720), (far, (620 - part) / 3720))
    return tuple((point, weight / 2) for b, weight in groups for point in _turned(1 - 2 * b, b, 3))


_A, _B = (5 + 3 * sqrt(5)) / 20, (5 - sqrt(5)) / 20
_G, _H = (1 + 1 / sqrt(3)) / 2, (1 + sqrt(3 / 5)) / 2
_THREE = _even(_turned(2 / 3, 1 / 6, 3), 1 / 2)

SOLIDS = {
    shape.name: shape
    for shape in (
        Shape(T3, _even(((1 / 3, 1 / 3, 1 / 3),), 1 / 2)),
        Shape(T6, _THREE),
        Shape(TET4, _even(((1 / 4, 1 / 4, 1 / 4, 1 / 4),), 1 / 6)),
        Shape(TET10, _even(_turned(_A, _B, 4), 1 / 6)),
    )
}
"""By name. The rules of quadratic elements are exact for polynomials of degree 2: so is the stiffness of straight ones."""

SIDES = {
    "T3": Shape(Kind("EDGE2", 1, 1, ((0, 1),), (), "line"), (((_G, 1 - _G), 1 / 2), ((1 - _G, _G), 1 / 2))),
    "T6": Shape(
        Kind("EDGE3", 1, 2, ((0, 1),), (), "line3"),
        (((_H, 1 - _H), 5 / 18), ((1 / 2, 1 / 2), 8 / 18), ((1 - _H, _H), 5 / 18)),
    ),
    "TET4": Shape(T3, _THREE),
    "TET10": Shape(T6, _degree_four()),
}
"""Sides of these, with rules that take the pressure on a curved side exactly."""


@functools.cache
def fine_rule(dimension: int, points: int) -> tuple[Array, Array]:
    """Points (n, corners) and weights of a rule that is exact for polynomials of degree 2 points - 1: Gauss's rules along
    collapsed coordinates. For matrices that are computed once."""
    from scipy.special import roots_jacobi

    L, weights = np.ones((1, 1)), np.ones(1)
    for k in range(1, dimension + 1):
        # the last coordinate s weighs (1 - s)^(k - 1); the others share 1 - s
        x, w = roots_jacobi(points, k - 1, 0)
        s, w = (1 + x) / 2, w / 2**k
        L = np.concatenate([np.column_stack((L * (1 - one), np.full(len(L), one))) for one in s])
        weights = np.concatenate([weights * one for one in w])
    return L, weights
