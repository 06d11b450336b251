"""Cells between regular points: grids, prisms and cones of a lattice. Arrays of integers; the shapes place them in space.

Every cell has positive volume if its points are placed without mirroring.
"""

from __future__ import annotations

import itertools

import numpy as np

from gaitwright.mesh.cell_kinds import Array


def grid_cells(counts: tuple[int, ...]) -> Array:
    """Triangles or tetrahedra of a grid of `counts` bricks; node (i, j, k) has the number (i (ny + 1) + j) (nz + 1) + k.

    A brick is divided along its paths from one corner to the opposite one (H. W. Kuhn, 1960: two triangles, six tetrahedra).
    Bricks with odd indices are mirrored, so that the grid is symmetric for even counts and has no preferred direction."""
    dimension = len(counts)
    steps = np.array([[0] * dimension, *np.eye(dimension, dtype=np.int64)])
    paths, signs = [], []
    for order in itertools.permutations(range(dimension)):
        paths.append(np.cumsum(steps[[0, *(axis + 1 for axis in order)]], axis=0))
        signs.append(round(float(np.linalg.det(np.eye(dimension)[list(order)]))))
    corners = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1).reshape(-1, dimension)
    odd = corners % 2
    cells = []
    for path, sign in zip(paths, signs, strict=True):
        places = corners[:, None] + np.where(odd[:, None] == 1, 1 - path, path)
        numbers = np.asarray(np.ravel_multi_index(tuple(np.moveaxis(places, -1, 0)), tuple(n + 1 for n in counts)))
        turned = (sign * (-1) ** odd.sum(axis=1)) < 0
        numbers[turned] = numbers[turned][:, [1, 0, *range(2, dimension + 1)]]
        cells.append(numbers)
    return np.concatenate(cells)


def prism_cells(triangles: Array, layers: int, count: int) -> Array:
    """Tetrahedra of triangles (t, 3) of `count` nodes, counter-clockwise seen from the last layer, extruded between layers of
    nodes: three for each prism. Node k of layer l has the number l count + k. Each quadrilateral is divided from the
    smaller number below to the larger above, so that neighbouring prisms fit."""
    order = np.argsort(triangles, axis=1)
    i, j, k = np.take_along_axis(triangles, order, axis=1).T
    positive = (order[:, 1] - order[:, 0]) % 3 == 1  # sorting did not mirror the triangle
    up = count
    base = np.concatenate(
        [np.stack(rows, axis=1) for rows in ((i, j, k, k + up), (i, j, k + up, j + up), (i, j + up, k + up, i + up))]
    )
    turned = ~np.tile(positive, 3)
    base[turned] = base[turned][:, [1, 0, 2, 3]]
    return np.concatenate([base + layer * count for layer in range(layers)])


def merge_points(points: Array) -> tuple[Array, Array]:
    """Unique points (p, 3) of integers in ascending order, and for each given point its index among them."""
    low = points.min(axis=0)
    base = int((points - low).max()) + 1
    key = ((points[:, 0] - low[0]) * base + points[:, 1] - low[1]) * base + points[:, 2] - low[2]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return points[first], number.reshape(-1)


def octant_cells(n: int) -> tuple[Array, Array]:
    """Points (p, 3), integers with x + y + z <= n, and tetrahedra between them: those of Kuhn's grid that fill the simplex
    n >= u >= v >= w >= 0 with u = x + y + z, v = x + y, w = x; n^3 of them, all of the same volume."""
    axis = np.arange(n)
    corners = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    corners = corners[(corners[:, 0] >= corners[:, 1]) & (corners[:, 1] >= corners[:, 2])]
    cells = []
    for order in itertools.permutations(range(3)):
        path = np.cumsum(np.array([[0, 0, 0], *np.eye(3, dtype=np.int64)[list(order)]]), axis=0)
        places = corners[:, None] + path
        u, v, w = np.moveaxis(places, -1, 0)
        fits = ((u >= v) & (v >= w)).all(axis=1)
        cells.append(places[fits])
    uvw = np.concatenate(cells)
    u, v, w = np.moveaxis(uvw, -1, 0)
    places = np.stack([w, v - w, u - v], axis=-1)  # x, y, z
    points, numbers = merge_points(places.reshape(-1, 3))
    numbers = numbers.reshape(-1, 4)
    x = points[numbers]
    a, b, c = np.moveaxis(x[:, 1:] - x[:, :1], 1, 0)
    turned = (np.cross(a, b) * c).sum(axis=1) < 0
    numbers[turned] = numbers[turned][:, [1, 0, 2, 3]]
    return points, numbers


def octant_triangles(n: int) -> tuple[Array, Array]:
    """Points (p, 3) with x + y + z = n and the n^2 triangles between them, counter-clockwise seen from outside."""
    x, y = (a.reshape(-1) for a in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    number = np.full((n + 1, n + 1), -1)
    inside = x + y <= n
    number[x[inside], y[inside]] = np.arange(inside.sum())
    points = np.stack([x, y, n - x - y], axis=1)[inside]
    a, b = points[points[:, 2] > 0][:, :2].T
    up = np.stack([number[a, b], number[a + 1, b], number[a, b + 1]], axis=1)
    has_second = a + b + 2 <= n
    a, b = a[has_second], b[has_second]
    down = np.stack([number[a + 1, b], number[a + 1, b + 1], number[a, b + 1]], axis=1)
    return points, np.concatenate([up, down])


def mirror_octants(points: Array, cells: Array, signs: list[tuple[int, int, int]]) -> tuple[Array, Array]:
    """One octant mirrored into others: unique points (p, 3) of integers, and cells."""
    mirrored_points, mirrored_cells = [], []
    for k, sign in enumerate(signs):
        mirrored_points.append(points * np.array(sign))
        turned = cells if np.prod(sign) > 0 else cells[:, [1, 0, *range(2, cells.shape[1])]]
        mirrored_cells.append(turned + k * len(points))
    unique, number = merge_points(np.concatenate(mirrored_points))
    return unique, number[np.concatenate(mirrored_cells)]


def fan_cells(rings: int, sectors: int, whole: bool) -> tuple[Array, Array, Array]:
    """A disc of rings; ring r has r steps in every sector. Returns ring and step of each node, and the triangles."""
    per_ring = [1] + [sectors * r + (0 if whole else 1) for r in range(1, rings + 1)]
    start = np.concatenate([[0], np.cumsum(per_ring)])
    ring = np.repeat(np.arange(rings + 1), per_ring)
    step = np.concatenate([np.arange(count) for count in per_ring])

    def number(r: int, a: Array) -> Array:
        return start[r] + (a % per_ring[r] if whole or r == 0 else a)

    cells = []
    for r in range(1, rings + 1):
        sector, j = (a.reshape(-1) for a in np.meshgrid(np.arange(sectors), np.arange(r), indexing="ij"))
        outer, inner = sector * r + j, (sector * (r - 1) + j) * (r > 1)
        cells.append(np.stack([number(r, outer), number(r, outer + 1), number(r - 1, inner)], axis=1))
        inside = j < r - 1
        outer, inner = outer[inside], inner[inside]
        cells.append(np.stack([number(r - 1, inner), number(r, outer + 1), number(r - 1, inner + 1)], axis=1))
    return ring, step, np.concatenate(cells)
