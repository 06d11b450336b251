"""Intersecting triangles of a surface, compiled, with the tree of boxes of nearest_triangle.py."""

from __future__ import annotations

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.nearest_triangle import MAX_WAITING_BOXES

VOLUME_RTOL = 1e-12
"""Smallest significant volume, relative to the cube of the size of two triangles."""


@jit_compile
def _six_times_volume(a, b, c, d):
    """Six times the volume of a tetrahedron."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    wx, wy, wz = d[0] - a[0], d[1] - a[1], d[2] - a[2]
    return ux * (vy * wz - vz * wy) - uy * (vx * wz - vz * wx) + uz * (vx * wy - vy * wx)


@jit_compile
def _pierces(p, q, corners):
    """True if the line from p to q intersects a triangle: its ends lie on different sides by more than rounding, which
    could put coplanar neighbours there, and it passes all edges on the same side, or through one of them."""
    a, b, c = corners[0], corners[1], corners[2]
    size = 0.0
    for axis in range(3):
        size = max(size, abs(b[axis] - a[axis]), abs(c[axis] - a[axis]), abs(q[axis] - p[axis]))
    tolerance = VOLUME_RTOL * size**3
    volume_p, volume_q = _six_times_volume(a, b, c, p), _six_times_volume(a, b, c, q)
    if not ((volume_p > tolerance and volume_q < -tolerance) or (volume_p < -tolerance and volume_q > tolerance)):
        return False
    first, second, third = _six_times_volume(p, q, a, b), _six_times_volume(p, q, b, c), _six_times_volume(p, q, c, a)
    lowest, highest = min(first, second, third), max(first, second, third)
    return lowest > -tolerance or highest < tolerance


@jit_compile
def _mark_crossing(triangles, corners, boxes, crossing):
    """Mark triangles (t,) that intersect a triangle with which they share no node."""
    count, leaves = corners.shape[0], (boxes.shape[0] + 1) // 2
    waiting = np.empty(MAX_WAITING_BOXES, np.int64)
    low, high = np.empty(3), np.empty(3)
    for i in range(count):
        for axis in range(3):
            low[axis] = min(corners[i, 0, axis], corners[i, 1, axis], corners[i, 2, axis])
            high[axis] = max(corners[i, 0, axis], corners[i, 1, axis], corners[i, 2, axis])
        waiting[0], height = 0, 1
        while height > 0:
            height -= 1
            k = waiting[height]
            is_separate = False
            for axis in range(3):
                is_separate |= boxes[k, axis] > high[axis] or boxes[k, 3 + axis] < low[axis]
            if is_separate:
                continue
            if k < leaves - 1:
                waiting[height], waiting[height + 1] = 2 * k + 1, 2 * k + 2
                height += 2
                continue
            leaf = k - (leaves - 1)
            for j in range(leaf * count // leaves, (leaf + 1) * count // leaves):
                shared = False
                for a in range(3):
                    for b in range(3):
                        shared |= triangles[i, a] == triangles[j, b]
                if shared:
                    continue
                for a in range(3):
                    if _pierces(corners[i, a], corners[i, (a + 1) % 3], corners[j]):
                        crossing[i] = crossing[j] = True


def find_crossing_triangles(tree: SurfaceTree) -> Array:
    """Numbers of triangles that intersect others; pairs that only touch, or share a node, do not count."""
    crossing = np.zeros(len(tree.triangles), dtype=np.bool_)
    _mark_crossing(tree.triangles, tree._corners, tree._boxes, crossing)
    return np.sort(tree.order[crossing])
