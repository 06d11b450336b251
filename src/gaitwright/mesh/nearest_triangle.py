"""Nearest point of a triangle, and of many triangles in a tree of boxes, compiled. See distance.py.

The tree is complete and balanced: node k has the children 2 k + 1 and 2 k + 2, and leaf l of L has the triangles from l t
// L on. So the tree is stored as its boxes alone, and only these change when triangles move.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.jit import jit_compile

FIRST_VERTEX, FIRST_EDGE, FACE_INTERIOR = 0, 3, 6
"""Feature of a triangle with the nearest point: vertex 0 to 2, edge 3 to 5 (from vertex k - 3 to the next), or interior. Also
the order of the normals of a triangle."""
FLAT_TRIANGLE_RTOL = 1e-24
"""Squared area of a triangle, over the squared sum of its squared sides, below which it counts as a line."""
MAX_WAITING_BOXES = 64
"""Size of the stack of boxes still to be searched; a tree of 2^60 triangles needs no more."""


@jit_compile
def project_on_edges(p, corners, weights):
    """As project_on_triangle, for a triangle without area: project on the nearest of its edges."""
    best, on = math.inf, FIRST_VERTEX
    for k in range(3):
        corner, next_corner = corners[k], corners[(k + 1) % 3]
        along, length = 0.0, 0.0
        for axis in range(3):
            side = next_corner[axis] - corner[axis]
            along += side * (p[axis] - corner[axis])
            length += side * side
        share = min(max(along / length, 0.0), 1.0) if length > 0.0 else 0.0
        total = 0.0
        for axis in range(3):
            away = p[axis] - corner[axis] - share * (next_corner[axis] - corner[axis])
            total += away * away
        if total < best:
            best = total
            on = FIRST_EDGE + k if 0.0 < share < 1.0 else FIRST_VERTEX + (k if share == 0.0 else (k + 1) % 3)
            weights[k], weights[(k + 1) % 3], weights[(k + 2) % 3] = 1.0 - share, share, 0.0
    return on


@jit_compile
def project_on_triangle(p, corners, weights):
    """Write the barycentric coordinates of the nearest point of a triangle with corners (3, 3) to weights (3,), and return
    the feature with that point.

    Source: C. Ericson, Real-Time Collision Detection (2005), section 5.1.5. Flat triangles are allowed."""
    abx, aby, abz = corners[1, 0] - corners[0, 0], corners[1, 1] - corners[0, 1], corners[1, 2] - corners[0, 2]
    acx, acy, acz = corners[2, 0] - corners[0, 0], corners[2, 1] - corners[0, 1], corners[2, 2] - corners[0, 2]
    bb, cc = abx * abx + aby * aby + abz * abz, acx * acx + acy * acy + acz * acz
    bc = abx * acx + aby * acy + abz * acz
    if bb * cc - bc * bc <= FLAT_TRIANGLE_RTOL * (bb + cc) * (bb + cc):
        return project_on_edges(p, corners, weights)
    x, y, z = p[0] - corners[0, 0], p[1] - corners[0, 1], p[2] - corners[0, 2]
    d1, d2 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    if d1 <= 0.0 and d2 <= 0.0:
        weights[0], weights[1], weights[2] = 1.0, 0.0, 0.0
        return FIRST_VERTEX
    x, y, z = p[0] - corners[1, 0], p[1] - corners[1, 1], p[2] - corners[1, 2]
    d3, d4 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    if d3 >= 0.0 and d4 <= d3:
        weights[0], weights[1], weights[2] = 0.0, 1.0, 0.0
        return FIRST_VERTEX + 1
    x, y, z = p[0] - corners[2, 0], p[1] - corners[2, 1], p[2] - corners[2, 2]
    d5, d6 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    if d6 >= 0.0 and d5 <= d6:
        weights[0], weights[1], weights[2] = 0.0, 0.0, 1.0
        return FIRST_VERTEX + 2
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        share = d1 / (d1 - d3)
        weights[0], weights[1], weights[2] = 1.0 - share, share, 0.0
        return FIRST_EDGE
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        share = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        weights[0], weights[1], weights[2] = 0.0, 1.0 - share, share
        return FIRST_EDGE + 1
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        share = d2 / (d2 - d6)
        weights[0], weights[1], weights[2] = 1.0 - share, 0.0, share
        return FIRST_EDGE + 2
    area = va + vb + vc
    weights[1], weights[2] = vb / area, vc / area
    weights[0] = 1.0 - weights[1] - weights[2]
    return FACE_INTERIOR


@jit_compile
def _box_distance(p, boxes, k):
    """Squared distance of a point from box k; zero inside."""
    total = 0.0
    for axis in range(3):
        below, above = boxes[k, axis] - p[axis], p[axis] - boxes[k, 3 + axis]
        away = max(below, above, 0.0)
        total += away * away
    return total


@jit_compile
def _try_triangle(p, corners, trial, weights, best):
    """Return squared distance and feature of a triangle that is nearer than `best`, with its weights written to `weights`;
    otherwise `best` and -1."""
    on = project_on_triangle(p, corners, trial)
    total = 0.0
    for axis in range(3):
        away = p[axis] - (trial[0] * corners[0, axis] + trial[1] * corners[1, axis] + trial[2] * corners[2, axis])
        total += away * away
    if total < best:
        weights[0], weights[1], weights[2] = trial[0], trial[1], trial[2]
        return total, on
    return best, -1


@jit_compile
def search_nearest(p, start, within, boxes, corners, trial, weights, waiting, box_distances):
    """Search the nearest triangle to a point (3,): squared distance, its index in the order of the tree (-1 if none is nearer
    than `within`, m), and its nearest feature; weights are written to `weights` (3,). start: triangle to try first, -1 for
    none.
    trial (3,), waiting and box_distances (MAX_WAITING_BOXES,) are work arrays."""
    count, leaves = corners.shape[0], (boxes.shape[0] + 1) // 2
    best, which, feature = within * within, -1, -1
    if start >= 0:
        best, on = _try_triangle(p, corners[start], trial, weights, best)
        if on >= 0:
            which, feature = start, on
    waiting[0], box_distances[0] = 0, _box_distance(p, boxes, 0)
    height = 1
    while height > 0:
        height -= 1
        k = waiting[height]
        if box_distances[height] >= best:
            continue
        if k >= leaves - 1:
            leaf = k - (leaves - 1)
            for j in range(leaf * count // leaves, (leaf + 1) * count // leaves):
                best, on = _try_triangle(p, corners[j], trial, weights, best)
                if on >= 0:
                    which, feature = j, on
            continue
        left, right = _box_distance(p, boxes, 2 * k + 1), _box_distance(p, boxes, 2 * k + 2)
        first = 2 * k + 1 if left <= right else 2 * k + 2  # visit the nearer child first
        waiting[height], box_distances[height] = 4 * k + 3 - first, max(left, right)
        waiting[height + 1], box_distances[height + 1] = first, min(left, right)
        height += 2
    return best, which, feature


@jit_compile
def find_nearest(points, start, within, boxes, corners, normals, distance, triangle, weights, directions):
    """For each point (p, 3): signed distance, triangle (-1 if none is within reach), weights and normal.

    start: (p,) triangles to try first, -1 for none. boxes: (nodes of the tree, 6). corners: (t, 3, 3), normals: (t, 7, 3) of
    triangles in the order of the tree."""
    waiting, box_distances = np.empty(MAX_WAITING_BOXES, np.int64), np.empty(MAX_WAITING_BOXES)
    trial = np.empty(3)
    for i in range(points.shape[0]):
        p, own_weights = points[i], weights[i]
        best, which, feature = search_nearest(
            p, start[i], within, boxes, corners, trial, own_weights, waiting, box_distances
        )
        triangle[i] = which
        if which < 0:
            distance[i] = math.inf
            continue
        distance[i], _ = evaluate_signed_distance(
            p, corners[which], normals[which, feature], math.sqrt(best), own_weights, directions[i]
        )


@jit_compile
def evaluate_signed_distance(p, corners, normal, size, weights, direction):
    """Return the signed distance, with the sign from the normal of the nearest feature, and True if the point lies on the
    surface up to rounding. The direction (3,) of growing distance is written to `direction`; on the surface it is the
    normal, because the difference of the points has no direction."""
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


@jit_compile
def fit_boxes(nodes, triangles, boxes, corners):
    """Update the boxes of the tree and the corners of its triangles (t, 3) for current node positions (n, 3)."""
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


@jit_compile
def fit_normals(triangles, edges, corners, at_vertices, at_edges, normals):
    """Compute normals (t, 7, 3) of vertices, edges and faces. edges: (t, 3), index of each triangle's edges. at_vertices
    (n, 3) and at_edges (e, 3) are overwritten.

    The normal of an edge is the normalised sum of its face normals; that of a vertex is weighted by the angles there. With
    these normals the sign is correct for any nearest point (J. A. Baerentzen, H. Aanaes, IEEE Trans. Vis. Comput. Graph.
    11 (2005) 243)."""
    at_vertices[:] = 0.0
    at_edges[:] = 0.0
    for j in range(triangles.shape[0]):
        normal = normals[j, FACE_INTERIOR]
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            normal[axis] = (corners[j, 1, u] - corners[j, 0, u]) * (corners[j, 2, v] - corners[j, 0, v]) - (
                corners[j, 1, v] - corners[j, 0, v]
            ) * (corners[j, 2, u] - corners[j, 0, u])
        double_area = _normalise_vector(normal)
        for k in range(3):
            corner, next_corner, last_corner = corners[j, k], corners[j, (k + 1) % 3], corners[j, (k + 2) % 3]
            along = 0.0
            for axis in range(3):
                along += (next_corner[axis] - corner[axis]) * (last_corner[axis] - corner[axis])
            angle = math.atan2(double_area, along)
            for axis in range(3):
                at_vertices[triangles[j, k], axis] += angle * normal[axis]
                at_edges[edges[j, k], axis] += normal[axis]
    for k in range(at_vertices.shape[0]):
        _normalise_vector(at_vertices[k])
    for k in range(at_edges.shape[0]):
        _normalise_vector(at_edges[k])
    for j in range(triangles.shape[0]):
        for k in range(3):
            for axis in range(3):
                normals[j, FIRST_VERTEX + k, axis] = at_vertices[triangles[j, k], axis]
                normals[j, FIRST_EDGE + k, axis] = at_edges[edges[j, k], axis]


@jit_compile
def _normalise_vector(vector):
    """Normalise a vector in place, unless it is zero; return its original length."""
    size = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if size > 0.0:
        for axis in range(3):
            vector[axis] /= size
    return size
