"""Cuts by a plane: the section of tetrahedra (marching tetrahedra), and what is left of triangles and lines on one side of it.

`height` is the distance of nodes or corners from the plane, m, positive on the side that is taken away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Section:
    """Where a plane cuts tetrahedra: polygons of four corners, of which a triangle has its last one twice.

    ends: (p, 4, 2), the nodes of the edge that a corner lies on. weight: (p, 4), how far from the first to the second it
    is. drawn: (p, 4), whether the side from a corner to the next lies on a face of an element."""

    ends: np.ndarray
    weight: np.ndarray
    drawn: np.ndarray

    def of(self, values: np.ndarray) -> np.ndarray:
        """Values (n, ...) at nodes, at the corners (p, 4, ...)."""
        weight = self.weight.reshape(*self.weight.shape, *(1,) * (values.ndim - 1))
        first, second = values[self.ends[..., 0]], values[self.ends[..., 1]]
        return first + weight * (second - first)


def section(cells: np.ndarray, height: np.ndarray, sides: np.ndarray) -> Section:
    """cells: (k, 4); height: (n,), of nodes; sides: (k, 4), whether the face opposite to a corner is that of an element."""
    above = height[cells] > 0.0
    count = above.sum(axis=1)
    ends, drawn = [np.zeros((0, 4, 2), dtype=np.int64)], [np.zeros((0, 4), dtype=bool)]
    for alone, wanted in ((True, 1), (False, 3)):  # one corner on its side of the plane: a triangle
        cut = np.flatnonzero(count == wanted)
        a = (above[cut] == alone).argmax(axis=1)
        b, c, d = (a + 1) % 4, (a + 2) % 4, (a + 3) % 4
        ends.append(_ends(cells[cut], [(a, b), (a, c), (a, d), (a, d)]))
        flags = [_pick(sides[cut], k) for k in (d, b, c)]
        drawn.append(np.stack([flags[0], flags[1], np.zeros(len(cut), dtype=bool), flags[2]], axis=1))
    cut = np.flatnonzero(count == 2)  # two on each side: a quadrilateral
    order = np.argsort(~above[cut], axis=1, kind="stable")
    a, b, c, d = order.T
    ends.append(_ends(cells[cut], [(a, c), (a, d), (b, d), (b, c)]))
    drawn.append(np.stack([_pick(sides[cut], k) for k in (b, c, a, d)], axis=1))
    together = np.concatenate(ends)
    first, second = height[together[..., 0]], height[together[..., 1]]
    return Section(together, first / (first - second), np.concatenate(drawn))


def below(triangles: np.ndarray, height: np.ndarray) -> np.ndarray:
    """What is left of triangles (n, 3, k) with numbers of any kind at their corners: polygons (m, 4, k), of which a triangle
    has its last corner twice. height: (n, 3)."""
    above = height > 0.0
    count = above.sum(axis=1)
    found = [triangles[count == 0][:, [0, 1, 2, 2]]]
    for wanted in (1, 2):
        cut = count == wanted
        turn = (above[cut] == (wanted == 1)).argmax(axis=1)  # the corner that is alone comes first
        order = (turn[:, None] + np.arange(3)) % 3
        corners = np.take_along_axis(triangles[cut], order[:, :, None], axis=1)
        level = np.take_along_axis(height[cut], order, axis=1)
        share = (level[:, :1] / (level[:, :1] - level[:, 1:]))[:, :, None]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, ac = a + share[:, 0] * (b - a), a + share[:, 1] * (c - a)
        found.append(np.stack([ab, b, c, ac] if wanted == 1 else [a, ab, ac, ac], axis=1))
    return np.concatenate(found)


def lines_below(lines: np.ndarray, height: np.ndarray) -> np.ndarray:
    """What is left of lines (n, 2, k). height: (n, 2)."""
    above = height > 0.0
    left = lines[~above.any(axis=1)]
    cut = above.sum(axis=1) == 1
    first, second = height[cut].T
    share = (first / (first - second))[:, None]
    place = lines[cut, 0] + share * (lines[cut, 1] - lines[cut, 0])
    kept = np.where(above[cut, 0][:, None], lines[cut, 1], lines[cut, 0])
    return np.concatenate([left, np.stack([kept, place], axis=1)])


def _pick(rows: np.ndarray, column: np.ndarray) -> np.ndarray:
    return np.take_along_axis(rows, column[:, None], axis=1)[:, 0]


def _ends(cells: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """(p, 4, 2): edges between two corners of each of the cells."""
    return np.stack([np.stack([_pick(cells, a), _pick(cells, b)], axis=1) for a, b in pairs], axis=1)
