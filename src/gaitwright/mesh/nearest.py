"""The nearest point of a triangle, and of many triangles in a tree of boxes, compiled. See distance.py.

The tree is full and balanced: node k has the children 2 k + 1 and 2 k + 2, and leaf l of L the triangles from l t // L on.
So it is made of nothing but its boxes, and when triangles move, only these change.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.compiled import compiled

VERTICES, EDGES, FACE = 0, 3, 6
"""What of a triangle is nearest: vertex 0 to 2, edge 3 to 5 (from vertex k - 3 to the next), or its inside. Also the order of
normals of a triangle."""
FLAT = 1e-24
"""Squared area of a triangle, over the squared sum of its squared sides, below which it is a line."""
DEPTH = 64
"""Boxes that wait to be looked at; a tree of 2^60 triangles needs no more."""


@compiled
def nearest_of_edges(p, corners, weights):
    """The same for a triangle without area: the nearest of its edges."""
    best, on = math.inf, VERTICES
    for k in range(3):
        here, ahead = corners[k], corners[(k + 1) % 3]
        along, length = 0.0, 0.0
        for axis in range(3):
            side = ahead[axis] - here[axis]
            along += side * (p[axis] - here[axis])
            length += side * side
        share = min(max(along / length, 0.0), 1.0) if length > 0.0 else 0.0
        total = 0.0
        for axis in range(3):
            away = p[axis] - here[axis] - share * (ahead[axis] - here[axis])
            total += away * away
        if total < best:
            best = total
            on = EDGES + k if 0.0 < share < 1.0 else VERTICES + (k if share == 0.0 else (k + 1) % 3)
            weights[k], weights[(k + 1) % 3], weights[(k + 2) % 3] = 1.0 - share, share, 0.0
    return on


@compiled
def nearest_of_triangle(p, corners, weights):
    """Fill weights (3,) with those of the corners (3, 3) in the nearest point, and return what that lies on.

    Source: C. Ericson, Real-Time Collision Detection (2005), section 5.1.5. Triangles may be flat."""
    abx, aby, abz = corners[1, 0] - corners[0, 0], corners[1, 1] - corners[0, 1], corners[1, 2] - corners[0, 2]
    acx, acy, acz = corners[2, 0] - corners[0, 0], corners[2, 1] - corners[0, 1], corners[2, 2] - corners[0, 2]
    bb, cc = abx * abx + aby * aby + abz * abz, acx * acx + acy * acy + acz * acz
    bc = abx * acx + aby * acy + abz * acz
    if bb * cc - bc * bc <= FLAT * (bb + cc) * (bb + cc):
        return nearest_of_edges(p, corners, weights)
    x, y, z = p[0] - corners[0, 0], p[1] - corners[0, 1], p[2] - corners[0, 2]
    d1, d2 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    if d1 <= 0.0 and d2 <= 0.0:
        weights[0], weights[1], weights[2] = 1.0, 0.0, 0.0
        return VERTICES
    x, y, z = p[0] - corners[1, 0], p[1] - corners[1, 1], p[2] - corners[1, 2]
    d3, d4 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    if d3 >= 0.0 and d4 <= d3:
        weights[0], weights[1], weights[2] = 0.0, 1.0, 0.0
        return VERTICES + 1
    x, y, z = p[0] - corners[2, 0], p[1] - corners[2, 1], p[2] - corners[2, 2]
    d5, d6 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    if d6 >= 0.0 and d5 <= d6:
        weights[0], weights[1], weights[2] = 0.0, 0.0, 1.0
        return VERTICES + 2
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        share = d1 / (d1 - d3)
        weights[0], weights[1], weights[2] = 1.0 - share, share, 0.0
        return EDGES
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        share = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        weights[0], weights[1], weights[2] = 0.0, 1.0 - share, share
        return EDGES + 1
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        share = d2 / (d2 - d6)
        weights[0], weights[1], weights[2] = 1.0 - share, 0.0, share
        return EDGES + 2
    whole = va + vb + vc
    weights[1], weights[2] = vb / whole, vc / whole
    weights[0] = 1.0 - weights[1] - weights[2]
    return FACE


@compiled
def _box_distance(p, boxes, k):
    """Squared distance of a point from box k; zero inside."""
    total = 0.0
    for axis in range(3):
        below, above = boxes[k, axis] - p[axis], p[axis] - boxes[k, 3 + axis]
        away = max(below, above, 0.0)
        total += away * away
    return total


@compiled
def _try_triangle(p, corners, trial, found, best):
    """Squared distance of a triangle if it is nearer than `best`, with its weights in found and what is nearest; or best,
    -1."""
    on = nearest_of_triangle(p, corners, trial)
    total = 0.0
    for axis in range(3):
        away = p[axis] - (trial[0] * corners[0, axis] + trial[1] * corners[1, axis] + trial[2] * corners[2, axis])
        total += away * away
    if total < best:
        found[0], found[1], found[2] = trial[0], trial[1], trial[2]
        return total, on
    return best, -1


@compiled
def search(p, start, within, boxes, corners, trial, found, waiting, far):
    """The nearest triangle to a point (3,): squared distance, its number in the order of the tree (-1 if none is nearer than
    `within`, m), and what of it is nearest; weights in found (3,). start: a triangle to look at first, -1 for none. trial
    (3,), waiting and far (DEPTH,) are scratch."""
    count, leaves = corners.shape[0], (boxes.shape[0] + 1) // 2
    best, which, feature = within * within, -1, -1
    if start >= 0:
        best, on = _try_triangle(p, corners[start], trial, found, best)
        if on >= 0:
            which, feature = start, on
    waiting[0], far[0] = 0, _box_distance(p, boxes, 0)
    height = 1
    while height > 0:
        height -= 1
        k = waiting[height]
        if far[height] >= best:
            continue
        if k >= leaves - 1:
            leaf = k - (leaves - 1)
            for j in range(leaf * count // leaves, (leaf + 1) * count // leaves):
                best, on = _try_triangle(p, corners[j], trial, found, best)
                if on >= 0:
                    which, feature = j, on
            continue
        left, right = _box_distance(p, boxes, 2 * k + 1), _box_distance(p, boxes, 2 * k + 2)
        first = 2 * k + 1 if left <= right else 2 * k + 2  # the nearer one is looked at next
        waiting[height], far[height] = 4 * k + 3 - first, max(left, right)
        waiting[height + 1], far[height + 1] = first, min(left, right)
        height += 2
    return best, which, feature


@compiled
def find_nearest(points, start, within, boxes, corners, normals, distance, triangle, weights, directions):
    """For each point (p, 3): signed distance, triangle (-1 if none is within reach), weights and normal.

    start: (p,) triangles to look at first, -1 for none. boxes: (nodes of the tree, 6). corners: (t, 3, 3), normals: (t, 7, 3)
    of triangles in the order of the tree."""
    waiting, far = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    trial = np.empty(3)
    for i in range(points.shape[0]):
        p, found = points[i], weights[i]
        best, which, feature = search(p, start[i], within, boxes, corners, trial, found, waiting, far)
        triangle[i] = which
        if which < 0:
            distance[i] = math.inf
            continue
        distance[i], _ = signed(p, corners[which], normals[which, feature], math.sqrt(best), found, directions[i])


@compiled
def signed(p, corners, normal, size, weights, direction):
    """The distance with its sign, by the normal of what is nearest; the direction (3,) in which it grows; and whether the
    point lies on the surface up to rounding, where the difference has no direction and that of the normal is taken."""
    height, reach = 0.0, 0.0
    for axis in range(3):
        nearest = weights[0] * corners[0, axis] + weights[1] * corners[1, axis] + weights[2] * corners[2, axis]
        direction[axis] = p[axis] - nearest
        height += direction[axis] * normal[axis]
        reach = max(reach, abs(p[axis]), abs(nearest))
    sign = 1.0 if height >= 0.0 else -1.0
    on_it = size <= 1e-12 * reach or size == 0.0
    for axis in range(3):
        direction[axis] = normal[axis] if on_it else sign * direction[axis] / size
    return sign * size, on_it


@compiled
def fit_boxes(nodes, triangles, boxes, corners):
    """Boxes of the tree and corners of its triangles (t, 3), for nodes (n, 3) as they are now."""
    count, leaves = triangles.shape[0], (boxes.shape[0] + 1) // 2
    for j in range(count):
        for k in range(3):
            for axis in range(3):
                corners[j, k, axis] = nodes[triangles[j, k], axis]
    for leaf in range(leaves):
        k = leaf + leaves - 1
        for axis in range(3):
            low, high = math.inf, -math.inf
            for j in range(leaf * count // leaves, (leaf + 1) * count // leaves):
                for corner in range(3):
                    low, high = min(low, corners[j, corner, axis]), max(high, corners[j, corner, axis])
            boxes[k, axis], boxes[k, 3 + axis] = low, high
    for k in range(leaves - 2, -1, -1):
        for axis in range(3):
            boxes[k, axis] = min(boxes[2 * k + 1, axis], boxes[2 * k + 2, axis])
            boxes[k, 3 + axis] = max(boxes[2 * k + 1, 3 + axis], boxes[2 * k + 2, 3 + axis])


@compiled
def fit_normals(triangles, edges, corners, at_vertices, at_edges, normals):
    """Normals (t, 7, 3) of vertices, edges and faces. edges: (t, 3), which edge of the surface each is. at_vertices: (n,
    3) and at_edges: (e, 3) are overwritten.

    An edge has the sum of the normals of its faces; a vertex their sum weighted by the angles there: with these the sign
    is right wherever the nearest point is (J. A. Baerentzen, H. Aanaes, IEEE Trans. Vis. Comput. Graph. 11 (2005) 243)."""
    at_vertices[:] = 0.0
    at_edges[:] = 0.0
    for j in range(triangles.shape[0]):
        normal = normals[j, FACE]
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            normal[axis] = (corners[j, 1, u] - corners[j, 0, u]) * (corners[j, 2, v] - corners[j, 0, v]) - (
                corners[j, 1, v] - corners[j, 0, v]
            ) * (corners[j, 2, u] - corners[j, 0, u])
        double_area = _normalise(normal)
        for k in range(3):
            here, ahead, back = corners[j, k], corners[j, (k + 1) % 3], corners[j, (k + 2) % 3]
            along = 0.0
            for axis in range(3):
                along += (ahead[axis] - here[axis]) * (back[axis] - here[axis])
            angle = math.atan2(double_area, along)
            for axis in range(3):
                at_vertices[triangles[j, k], axis] += angle * normal[axis]
                at_edges[edges[j, k], axis] += normal[axis]
    for k in range(at_vertices.shape[0]):
        _normalise(at_vertices[k])
    for k in range(at_edges.shape[0]):
        _normalise(at_edges[k])
    for j in range(triangles.shape[0]):
        for k in range(3):
            for axis in range(3):
                normals[j, VERTICES + k, axis] = at_vertices[triangles[j, k], axis]
                normals[j, EDGES + k, axis] = at_edges[edges[j, k], axis]


@compiled
def _normalise(vector):
    """To length one, unless it is zero; its length."""
    size = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if size > 0.0:
        for axis in range(3):
            vector[axis] /= size
    return size
