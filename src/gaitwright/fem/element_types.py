"""Kinds of elements with their integration points: triangles and tetrahedra, and their sides.

Nodes and shape functions are those of the mesh (mesh/cell_kinds.py): corners, in the plane counter-clockwise, in space with
the fourth on the side to which a right-handed screw through the first three moves; then the middles of edges, in the order of
VTK, Abaqus and CalculiX.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from math import sqrt

import numpy as np

from gaitwright.mesh.cell_kinds import T3, T6, TET4, TET10, Array, CellKind
from gaitwright.mesh.cell_measures import shape_functions, shape_gradients

BarycentricRule = tuple[tuple[tuple[float, ...], float], ...]
"""Points in barycentric coordinates, and weights, which sum to the size of the reference element."""


@dataclass(frozen=True)
class ElementType:
    """Kind of element with its integration rule."""

    kind: CellKind
    rule: BarycentricRule

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
        """Barycentric coordinates of the points, (points, corners)."""
        return np.array([point for point, _ in self.rule])

    @property
    def weights(self) -> Array:
        return np.array([weight for _, weight in self.rule])

    def values(self) -> Array:
        """Shape functions at the points, (points, nodes)."""
        return shape_functions(self.kind, self.points)

    def slopes(self) -> Array:
        """Derivatives of the shape functions in the coordinates of the reference element, (points, nodes, dimension)."""
        return shape_gradients(self.kind, self.points)


def _permute_coordinate(first: float, others: float, count: int) -> tuple[tuple[float, ...], ...]:
    """All points with one coordinate different from the others."""
    return tuple(tuple(first if k == i else others for k in range(count)) for i in range(count))


def _equal_weights(points: tuple[tuple[float, ...], ...], size: float) -> BarycentricRule:
    return tuple((point, size / len(points)) for point in points)


def _degree_four_rule() -> BarycentricRule:
    """Six points on a triangle, exact for polynomials of degree 4, in closed form."""
    root = sqrt(38 - 44 * sqrt(2 / 5))
    inner, outer = (8 - sqrt(10) + root) / 18, (8 - sqrt(10) - root) / 18
    root_of_weights = sqrt(213125 - 53320 * sqrt(10))
    groups = ((inner, (620 + root_of_weights) / 3720), (outer, (620 - root_of_weights) / 3720))
    return tuple((point, weight / 2) for b, weight in groups for point in _permute_coordinate(1 - 2 * b, b, 3))


_TETRAHEDRON_MAJOR, _TETRAHEDRON_MINOR = (5 + 3 * sqrt(5)) / 20, (5 - sqrt(5)) / 20
_GAUSS_TWO_POINT, _GAUSS_THREE_POINT = (1 + 1 / sqrt(3)) / 2, (1 + sqrt(3 / 5)) / 2
_TRIANGLE_THREE_POINTS = _equal_weights(_permute_coordinate(2 / 3, 1 / 6, 3), 1 / 2)

ELEMENT_TYPES = {
    shape.name: shape
    for shape in (
        ElementType(T3, _equal_weights(((1 / 3, 1 / 3, 1 / 3),), 1 / 2)),
        ElementType(T6, _TRIANGLE_THREE_POINTS),
        ElementType(TET4, _equal_weights(((1 / 4, 1 / 4, 1 / 4, 1 / 4),), 1 / 6)),
        ElementType(TET10, _equal_weights(_permute_coordinate(_TETRAHEDRON_MAJOR, _TETRAHEDRON_MINOR, 4), 1 / 6)),
    )
}
"""Element types by name. The rules of quadratic elements are exact for polynomials of degree 2, as is the stiffness of
straight ones."""

SIDE_TYPES = {
    "T3": ElementType(
        CellKind("EDGE2", 1, 1, ((0, 1),), (), "line"),
        (((_GAUSS_TWO_POINT, 1 - _GAUSS_TWO_POINT), 1 / 2), ((1 - _GAUSS_TWO_POINT, _GAUSS_TWO_POINT), 1 / 2)),
    ),
    "T6": ElementType(
        CellKind("EDGE3", 1, 2, ((0, 1),), (), "line3"),
        (
            ((_GAUSS_THREE_POINT, 1 - _GAUSS_THREE_POINT), 5 / 18),
            ((1 / 2, 1 / 2), 8 / 18),
            ((1 - _GAUSS_THREE_POINT, _GAUSS_THREE_POINT), 5 / 18),
        ),
    ),
    "TET4": ElementType(T3, _TRIANGLE_THREE_POINTS),
    "TET10": ElementType(T6, _degree_four_rule()),
}
"""Side types of these elements, with rules that integrate the pressure on a curved side exactly."""


@functools.cache
def collapsed_gauss_rule(dimension: int, points: int) -> tuple[Array, Array]:
    """Return points (n, corners) and weights of a rule that is exact for polynomials of degree 2 points - 1: Gauss rules
    along collapsed coordinates. For matrices that are computed once."""
    from scipy.special import roots_jacobi

    L, weights = np.ones((1, 1)), np.ones(1)
    for k in range(1, dimension + 1):
        # the last coordinate s has the weight (1 - s)^(k - 1); the others share 1 - s
        x, w = roots_jacobi(points, k - 1, 0)
        s, w = (1 + x) / 2, w / 2**k
        L = np.concatenate([np.column_stack((L * (1 - coordinate), np.full(len(L), coordinate))) for coordinate in s])
        weights = np.concatenate([weights * coordinate for coordinate in w])
    return L, weights
