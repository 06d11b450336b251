"""Lengths, areas and volumes of cells, straight or curved; normals of surfaces. Functions of arrays.

A quadratic cell is x(xi) = sum N_a(xi) x_a; its volume is the integral of det dx/dxi, a polynomial of degree 3 (degree 2
for a triangle in the plane), which the quadrature rules below integrate exactly.
"""

from __future__ import annotations

import numpy as np

from gaitwright.mesh.cell_kinds import T3, T6, Array, CellKind

_ONE_THIRD = 1.0 / 3.0
# Corners and face centres of a tetrahedron, and corners, edge midpoints and centre of a triangle: exact up to degree 3, with
# positive weights.
_TETRAHEDRON_RULE = (
    np.array(
        [
            [1, 0, 0, 0],
            [0, 1, 0, 0],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
            [0, _ONE_THIRD, _ONE_THIRD, _ONE_THIRD],
            [_ONE_THIRD, 0, _ONE_THIRD, _ONE_THIRD],
            [_ONE_THIRD, _ONE_THIRD, 0, _ONE_THIRD],
            [_ONE_THIRD, _ONE_THIRD, _ONE_THIRD, 0],
        ]
    ),
    np.array([1.0 / 240.0] * 4 + [9.0 / 240.0] * 4),
)
_TRIANGLE_RULE = (
    np.array(
        [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
            [0.5, 0.5, 0],
            [0, 0.5, 0.5],
            [0.5, 0, 0.5],
            [_ONE_THIRD, _ONE_THIRD, _ONE_THIRD],
        ]
    ),
    np.array([3.0, 3.0, 3.0, 8.0, 8.0, 8.0, 27.0]) / 120.0,
)
JACOBIAN_RULES = {2: _TRIANGLE_RULE, 3: _TETRAHEDRON_RULE}
"""Quadrature rules by dimension: points in barycentric coordinates, weights that sum to the volume of the reference cell."""


def shape_functions(kind: CellKind, weights: Array) -> Array:
    """N (p, nodes) at points with barycentric coordinates (p, corners): L_i, or L_i (2 L_i - 1) and 4 L_i L_j."""
    L = np.asarray(weights, dtype=float)
    if kind.order == 1:
        return L
    middles = [4.0 * L[:, i] * L[:, j] for i, j in kind.edges]
    return np.concatenate([L * (2.0 * L - 1.0), np.stack(middles, axis=1)], axis=1)


def shape_gradients(kind: CellKind, weights: Array) -> Array:
    """dN/dxi (p, nodes, dimension) at the same points, with xi_k the barycentric coordinate of corner k + 1."""
    L = np.asarray(weights, dtype=float)
    own = np.vstack([-np.ones(kind.dimension), np.eye(kind.dimension)])  # dL_i/dxi
    if kind.order == 1:
        return np.broadcast_to(own, (len(L), *own.shape))
    corners = (4.0 * L - 1.0)[:, :, None] * own
    middles = [4.0 * (L[:, i, None] * own[j] + L[:, j, None] * own[i]) for i, j in kind.edges]
    return np.concatenate([corners, np.stack(middles, axis=1)], axis=1)


def jacobians(nodes: Array, cells: Array, kind: CellKind) -> Array:
    """det dx/dxi (m, p) at the points of the quadrature rule; at one point for straight cells. For a surface in space, its
    magnitude."""
    points = JACOBIAN_RULES[kind.dimension][0] if kind.order == 2 else np.full((1, kind.corners), 1.0 / kind.corners)
    gradients = shape_gradients(kind, points)
    # dx_i/dxi_k (i, k, p, m). An explicit determinant is twenty times as fast as one by elimination.
    table = gradients.transpose(2, 0, 1).reshape(-1, kind.nodes)
    slopes = np.matmul(table, nodes.T[:, cells.T]).reshape(nodes.shape[1], kind.dimension, len(points), len(cells))
    if nodes.shape[1] == 2:
        return (slopes[0, 0] * slopes[1, 1] - slopes[0, 1] * slopes[1, 0]).T
    x, y, z = slopes
    across = y[0] * z[1] - z[0] * y[1], z[0] * x[1] - x[0] * z[1], x[0] * y[1] - y[0] * x[1]
    if kind.dimension == 2:
        return np.sqrt(across[0] ** 2 + across[1] ** 2 + across[2] ** 2).T
    return (across[0] * x[2] + across[1] * y[2] + across[2] * z[2]).T


def volumes(nodes: Array, cells: Array, kind: CellKind) -> Array:
    """Volume (area) of each cell, m^3 (m^2); negative for inverted cells."""
    determinants = jacobians(nodes, cells, kind)
    if kind.order == 1:
        return determinants[:, 0] / (6.0 if kind.dimension == 3 else 2.0)
    return determinants @ JACOBIAN_RULES[kind.dimension][1]


def longest_edges(nodes: Array, cells: Array, kind: CellKind) -> Array:
    """Longest edge of each cell, between corners, m."""
    x = nodes.T[:, cells[:, : kind.corners].T]
    longest = np.zeros(len(cells))
    for i, j in kind.edges:
        np.maximum(longest, ((x[:, j] - x[:, i]) ** 2).sum(axis=0), out=longest)
    return np.sqrt(longest)


def face_vectors(nodes: Array, triangles: Array) -> Array:
    """Area times normal (f, 3), m^2, of flat triangles in space."""
    a, b, c = (nodes[triangles[:, k]] for k in range(3))
    return 0.5 * np.cross(b - a, c - a)


def corner_angles(nodes: Array, triangles: Array) -> Array:
    """Angles (f, 3), rad, of flat triangles at their corners."""
    x = nodes[triangles]
    u, v = np.roll(x, -1, axis=1) - x, np.roll(x, 1, axis=1) - x
    return np.arctan2(np.linalg.norm(np.cross(u, v), axis=2), (u * v).sum(axis=2))


def side_shares(nodes: Array, sides: Array) -> Array:
    """Integrals of N_a over each side (f, nodes of a side), m^2 in space, m in the plane.

    For a straight quadratic triangle: zero at the corners, a third of the area at each midpoint."""
    if nodes.shape[1] == 2:
        # Sides are lines: Simpson's rule with |dx/dxi| at both ends and the midpoint.
        x = nodes[sides]
        if sides.shape[1] == 2:
            return np.repeat(0.5 * np.linalg.norm(x[:, 1] - x[:, 0], axis=1)[:, None], 2, axis=1)
        slopes = np.array([[-3.0, -1.0, 4.0], [1.0, 3.0, -4.0], [-1.0, 1.0, 0.0]])
        speed = np.linalg.norm(np.einsum("pa,fai->fpi", slopes, x), axis=2)
        return speed * np.array([1.0, 1.0, 4.0]) / 6.0
    kind = T3 if sides.shape[1] == 3 else T6
    points, weights = JACOBIAN_RULES[2]
    sizes = jacobians(nodes, sides, kind)
    if kind.order == 1:
        return np.repeat(sizes / 6.0, 3, axis=1)
    return np.einsum("fp,p,pa->fa", sizes, weights, shape_functions(kind, points))


def sum_by_index(index: Array, values: Array, count: int) -> Array:
    """Sums of values (k,) or (k, d) with equal index (k,), for indices 0 to count - 1."""
    if values.ndim == 1:
        return np.bincount(index, values, minlength=count)
    return np.stack([np.bincount(index, column, minlength=count) for column in values.T], axis=1)
