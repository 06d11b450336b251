"""Cuts by a plane: the section of tetrahedra (marching tetrahedra), and the parts of triangles and lines on one side of it.

`height` is the distance of nodes or corners from the plane, m, positive on the removed side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class CutPolygons:
    """Section of tetrahedra by a plane: polygons with four corners; a triangle has its last corner twice.

    ends: (p, 4, 2), the nodes of the edge that contains a corner. weight: (p, 4), relative position of the corner from the
    first to the second node. drawn: (p, 4), True if the side from a corner to the next lies on a face of an element."""

    ends: np.ndarray
    weight: np.ndarray
    drawn: np.ndarray

    def interpolate(self, values: np.ndarray) -> np.ndarray:
        """Interpolate nodal values (n, ...) to the corners (p, 4, ...)."""
        weight = self.weight.reshape(*self.weight.shape, *(1,) * (values.ndim - 1))
        first, second = values[self.ends[..., 0]], values[self.ends[..., 1]]
        return first + weight * (second - first)


def cut_tetrahedra(cells: np.ndarray, height: np.ndarray, sides: np.ndarray) -> CutPolygons:
    """Cut tetrahedra. cells: (k, 4); height: (n,), of nodes; sides: (k, 4), True if the face opposite to a corner is a face
    of an element."""
    above = height[cells] > 0.0
    count = above.sum(axis=1)
    ends, drawn = [np.zeros((0, 4, 2), dtype=np.int64)], [np.zeros((0, 4), dtype=bool)]
    for lone_side, corner_count in ((True, 1), (False, 3)):  # one corner on its side of the plane: a triangle
        cut = np.flatnonzero(count == corner_count)
        a = (above[cut] == lone_side).argmax(axis=1)
        b, c, d = (a + 1) % 4, (a + 2) % 4, (a + 3) % 4
        ends.append(_cut_edges(cells[cut], [(a, b), (a, c), (a, d), (a, d)]))
        flags = [_take_column(sides[cut], k) for k in (d, b, c)]
        drawn.append(np.stack([flags[0], flags[1], np.zeros(len(cut), dtype=bool), flags[2]], axis=1))
    cut = np.flatnonzero(count == 2)  # two on each side: a quadrilateral
    order = np.argsort(~above[cut], axis=1, kind="stable")
    a, b, c, d = order.T
    ends.append(_cut_edges(cells[cut], [(a, c), (a, d), (b, d), (b, c)]))
    drawn.append(np.stack([_take_column(sides[cut], k) for k in (b, c, a, d)], axis=1))
    together = np.concatenate(ends)
    first, second = height[together[..., 0]], height[together[..., 1]]
    return CutPolygons(together, first / (first - second), np.concatenate(drawn))


def clip_triangles(triangles: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Parts of triangles (n, 3, k), with any numbers at their corners, below the plane: polygons (m, 4, k); a triangle has
    its last corner twice. height: (n, 3)."""
    above = height > 0.0
    count = above.sum(axis=1)
    polygons = [triangles[count == 0][:, [0, 1, 2, 2]]]
    for corner_count in (1, 2):
        cut = count == corner_count
        turn = (above[cut] == (corner_count == 1)).argmax(axis=1)  # the corner that is alone on its side comes first
        order = (turn[:, None] + np.arange(3)) % 3
        corners = np.take_along_axis(triangles[cut], order[:, :, None], axis=1)
        level = np.take_along_axis(height[cut], order, axis=1)
        share = (level[:, :1] / (level[:, :1] - level[:, 1:]))[:, :, None]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, ac = a + share[:, 0] * (b - a), a + share[:, 1] * (c - a)
        polygons.append(np.stack([ab, b, c, ac] if corner_count == 1 else [a, ab, ac, ac], axis=1))
    return np.concatenate(polygons)


def clip_lines(lines: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Parts of lines (n, 2, k) below the plane. height: (n, 2)."""
    above = height > 0.0
    kept_lines = lines[~above.any(axis=1)]
    cut = above.sum(axis=1) == 1
    first, second = height[cut].T
    share = (first / (first - second))[:, None]
    place = lines[cut, 0] + share * (lines[cut, 1] - lines[cut, 0])
    inner_end = np.where(above[cut, 0][:, None], lines[cut, 1], lines[cut, 0])
    return np.concatenate([kept_lines, np.stack([inner_end, place], axis=1)])


def _take_column(rows: np.ndarray, column: np.ndarray) -> np.ndarray:
    return np.take_along_axis(rows, column[:, None], axis=1)[:, 0]


def _cut_edges(cells: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Edges between two corners of each of the cells, (p, 4, 2)."""
    return np.stack([np.stack([_take_column(cells, a), _take_column(cells, b)], axis=1) for a, b in pairs], axis=1)
