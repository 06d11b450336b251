"""Faces of a deformable surface in a pose: the face nearest to a point, and mean normals, compiled (closest_face.py).

`b` is the record of contacts; its arrays `faces` and `face_places` hold the surfaces, and `surface` and `places` are the start
indices of one of them. Arrays have three numbers also in the plane.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.contact.state import CLOSEST_NODE_NORMALS, CLOSEST_TANGENTIAL_GRADIENT, CLOSEST_WEIGHT_SLOPES
from gaitwright.jit import jit_compile
from gaitwright.mesh.nearest_triangle import FACE_INTERIOR, FIRST_EDGE, project_on_triangle

FACE_TABLE_HEADER_SIZE = 2
"""Number of header entries of a surface: number of faces, and number of entries of `begins`. Then follow, for each face,
coordinates, rims and nodes; then `begins`, and the faces around each node."""
EQUAL_DISTANCE_RTOL = 1e-9
"""Relative difference below which distances of two faces count as equal: a common edge or vertex is nearest."""
MAX_SIDE_STRETCH = 4.0
SHARP_EDGE_COSINE = 0.5
"""Cosine of the angle between two faces below which one does not count for the mean normal of the other: a sharp edge."""
FACE_WEIGHT_ATOL = 1e-13
"""Difference of weights that counts as rounding error."""
MAX_NEWTON_ITERATIONS, MAX_FACE_STEPS = 12, 12
"""Maximum number of iterations for a place on a face, and of faces that are crossed, before the nearest place is used."""
RIM_MARGIN_RATIO = 0.05
"""Distance beyond the rim of a surface, in side lengths, at which a point still touches it: needed for edges of equal
blocks."""


@jit_compile
def load_corners(b, d, surface, places, face, q, corners):
    """Corners (3, 3) of a face in a pose; in the plane the first two, z = 0."""
    first = surface + FACE_TABLE_HEADER_SIZE + d * d * face
    for j in range(d):
        for k in range(d):
            corners[j, k] = b.face_places[places + d * d * face + d * j + k] + q[b.faces[first + d * j + k]]


@jit_compile
def find_nearest_on_face(d, p, corners, weights):
    """Weights of the nearest place of a face; returns its feature, as for triangles; in the plane an end counts as an edge."""
    if d == 3:
        return project_on_triangle(p, corners, weights)
    projection = length = 0.0
    for k in range(2):
        side = corners[1, k] - corners[0, k]
        projection += side * (p[k] - corners[0, k])
        length += side * side
    share = min(max(projection / length, 0.0), 1.0) if length > 0.0 else 0.0
    weights[0], weights[1] = 1.0 - share, share
    return FACE_INTERIOR if 0.0 < share < 1.0 else FIRST_EDGE + int(share)


@jit_compile
def find_face_normal(d, corners, normal):
    """Outward normal of a face, and the length of its first side."""
    size = length = 0.0
    for k in range(d):
        length += (corners[1, k] - corners[0, k]) ** 2
    if d == 2:  # the outside is on the right
        normal[0], normal[1] = corners[1, 1] - corners[0, 1], corners[0, 0] - corners[1, 0]
    else:
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            normal[k] = (corners[1, i] - corners[0, i]) * (corners[2, j] - corners[0, j]) - (
                corners[1, j] - corners[0, j]
            ) * (corners[2, i] - corners[0, i])
    for k in range(d):
        size += normal[k] * normal[k]
    size = math.sqrt(size)
    for k in range(d):
        normal[k] = normal[k] / size if size > 0.0 else 0.0
    return math.sqrt(length)


@jit_compile
def is_on_rim(b, d, surface, face, feature):
    """True if the nearest feature of a face lies on the rim of the surface."""
    if feature == FACE_INTERIOR:
        return False
    rims = surface + FACE_TABLE_HEADER_SIZE + d * d * b.faces[surface] + d * face
    if feature >= FIRST_EDGE:
        return b.faces[rims + feature - FIRST_EDGE] != 0
    return b.faces[rims + feature] != 0 or b.faces[rims + (feature + 2) % 3] != 0


@jit_compile
def is_beyond_reach(b, d, surface, places, face, q, p, reach):
    """True if a face is certainly further away than `reach`, m, unless its sides are stretched more than MAX_SIDE_STRETCH
    times."""
    at = surface + FACE_TABLE_HEADER_SIZE + d * d * face
    places_at = places + d * d * face
    distance_squared = 0.0
    size = 0.0
    for k in range(d):
        distance_squared += (p[k] - b.face_places[places_at + k] - q[b.faces[at + k]]) ** 2
    for j in range(1, d):
        length = 0.0
        for k in range(d):
            length += (b.face_places[places_at + d * j + k] - b.face_places[places_at + k]) ** 2
        size = max(size, length)
    return math.sqrt(distance_squared) > reach + MAX_SIDE_STRETCH * math.sqrt(size)


@jit_compile
def find_nearest_face(b, d, surface, places, q, p, start_face, weights, normal):
    """Nearest face to a point, its distance and the nearest feature; fills the weights of its nodes and its normal. Of
    several equally near faces, at an edge or a vertex, the one with the largest distance of the point from its plane: it
    gives the sign. start_face: face that was nearest before, which speeds up the search; -1 for none."""
    corners, trial, across = np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    best, which, feature, best_height, reach, count = math.inf, -1, FACE_INTERIOR, -1.0, math.inf, b.faces[surface]
    for number in range(-1, count):
        face = start_face if number < 0 else number
        if face < 0 or (number == start_face and number >= 0):
            continue
        if is_beyond_reach(b, d, surface, places, face, q, p, reach):
            continue
        load_corners(b, d, surface, places, face, q, corners)
        trial_feature = find_nearest_on_face(d, p, corners, trial)
        total = 0.0
        for k in range(d):
            component = p[k]
            for j in range(d):
                component -= trial[j] * corners[j, k]
            total += component * component
        if not total <= best * (1.0 + EQUAL_DISTANCE_RTOL):
            continue
        find_face_normal(d, corners, across)
        height = 0.0
        for k in range(d):
            height += across[k] * (p[k] - corners[0, k])
        if total >= best * (1.0 - EQUAL_DISTANCE_RTOL) and abs(height) <= best_height:
            continue
        best, which, feature, best_height = min(total, best), face, trial_feature, abs(height)
        reach = 1.001 * math.sqrt(best)
        for k in range(3):
            weights[k], normal[k] = trial[k], across[k]
    return which, math.sqrt(best), feature


@jit_compile
def find_neighbour_face(b, d, surface, face, opposite):
    """The face beyond the edge (in the plane: the end) opposite to a node; -1 for none."""
    nodes = surface + FACE_TABLE_HEADER_SIZE + d * (d + 1) * b.faces[surface]
    begins = nodes + d * b.faces[surface]
    around = begins + b.faces[surface + 1]
    first_node = b.faces[nodes + d * face + (opposite + 1) % d]
    second_node = b.faces[nodes + d * face + (opposite + d - 1) % d]
    for t in range(b.faces[begins + first_node], b.faces[begins + first_node + 1]):
        neighbour = b.faces[around + t]
        if neighbour == face:
            continue
        for j in range(d):
            if b.faces[nodes + d * neighbour + j] == second_node:
                return neighbour
    return -1


@jit_compile
def find_mean_normal_foot(d, p, corners, out, weights):
    """Weights of the place in the plane of a face from which its mean normal, with the node normals in `out`, passes through a
    point: p = sum w_j (x_j + g n_j). True if Newton's method converges."""
    sides, residual, height = np.zeros((3, 3)), np.zeros(3), 0.0
    for _ in range(MAX_NEWTON_ITERATIONS):
        for k in range(d):
            residual[k] = p[k]
            sides[d - 1, k] = 0.0
            for j in range(d):
                n = out[CLOSEST_NODE_NORMALS + d * j + k]
                residual[k] -= weights[j] * (corners[j, k] + height * n)
                sides[d - 1, k] += weights[j] * n
            for j in range(1, d):
                sides[j - 1, k] = (
                    corners[j, k]
                    - corners[0, k]
                    + height * (out[CLOSEST_NODE_NORMALS + d * j + k] - out[CLOSEST_NODE_NORMALS + k])
                )
        if d == 2:
            determinant = sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]
            if determinant == 0.0:
                return False
            change_1, change_2 = (residual[0] * sides[1, 1] - residual[1] * sides[1, 0]) / determinant, 0.0
            height += (sides[0, 0] * residual[1] - sides[0, 1] * residual[0]) / determinant
        else:
            determinant = triple_product(sides[0], sides[1], sides[2])
            if determinant == 0.0:
                return False
            change_1 = triple_product(residual, sides[1], sides[2]) / determinant
            change_2 = triple_product(sides[0], residual, sides[2]) / determinant
            height += triple_product(sides[0], sides[1], residual) / determinant
        weights[1] += change_1
        weights[2] += change_2
        weights[0] = 1.0 - weights[1] - weights[2]
        if abs(change_1) + abs(change_2) < FACE_WEIGHT_ATOL:
            return True
    return False


@jit_compile
def triple_product(a, b, c):
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    )  # fmt: skip


@jit_compile
def follow_normals(b, d, surface, places, face, q, p, weights, normal, out):
    """Follow the surface from the nearest face, over edges that are not sharp, to the place c from which the mean normal n
    passes through the point: returns its face, fills weights and n, and mean node normals in `out`; -1 if there is none
    (only `out` has changed)."""
    trial_weights, face_normal, mean, corners = weights.copy(), normal.copy(), np.zeros(3), np.zeros((3, 3))
    for _ in range(MAX_FACE_STEPS):
        load_corners(b, d, surface, places, face, q, corners)
        for k in range(d):
            mean[k] = face_normal[k]
        find_mean_normals(b, d, surface, places, face, q, trial_weights, mean, out)
        if not find_mean_normal_foot(d, p, corners, out, trial_weights):
            return -1
        smallest = 0
        for j in range(1, d):
            if trial_weights[j] < trial_weights[smallest]:
                smallest = j
        if trial_weights[smallest] >= -FACE_WEIGHT_ATOL:
            size = 0.0
            for k in range(d):
                mean[k] = 0.0
                for j in range(d):
                    mean[k] += trial_weights[j] * out[CLOSEST_NODE_NORMALS + d * j + k]
                size += mean[k] * mean[k]
            for k in range(d):
                weights[k], normal[k] = trial_weights[k], mean[k] / math.sqrt(size)
            return face
        face = find_neighbour_face(b, d, surface, face, smallest)
        if face < 0:
            return -1
        load_corners(b, d, surface, places, face, q, corners)
        find_face_normal(d, corners, mean)
        along = 0.0
        for k in range(d):
            along += mean[k] * face_normal[k]
            trial_weights[k] = 1.0 / d
        if along <= SHARP_EDGE_COSINE:
            return -1
        for k in range(d):
            face_normal[k] = mean[k]
    return -1


@jit_compile
def find_weight_slopes(d, corners, feature, normal, out):
    """Slopes g_j of the weights of a face for a motion across a direction, or along an edge of the face; zero at a vertex."""
    for k in range(d * d):
        out[CLOSEST_WEIGHT_SLOPES + k] = 0.0
    if feature != FACE_INTERIOR and (d == 2 or feature < FIRST_EDGE):
        return
    if d == 2:
        along = normal[0] * (corners[1, 1] - corners[0, 1]) - normal[1] * (corners[1, 0] - corners[0, 0])
        for k in range(2):
            slope = (-normal[1] if k == 0 else normal[0]) / along
            out[CLOSEST_WEIGHT_SLOPES + k], out[CLOSEST_WEIGHT_SLOPES + 2 + k] = -slope, slope
        return
    if feature == FACE_INTERIOR:
        area = 0.0
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            area += normal[k] * (
                (corners[1, i] - corners[0, i]) * (corners[2, j] - corners[0, j])
                - (corners[1, j] - corners[0, j]) * (corners[2, i] - corners[0, i])
            )
        for node in range(3):
            first_corner, second_corner = corners[(node + 1) % 3], corners[(node + 2) % 3]
            for k in range(3):
                i, j = (k + 1) % 3, (k + 2) % 3
                out[CLOSEST_WEIGHT_SLOPES + 3 * node + k] = (
                    normal[i] * (second_corner[j] - first_corner[j]) - normal[j] * (second_corner[i] - first_corner[i])
                ) / area
        return
    start = feature - FIRST_EDGE
    end, length = (start + 1) % 3, 0.0
    for k in range(d):
        length += (corners[end, k] - corners[start, k]) ** 2
    for k in range(d):
        slope = (corners[end, k] - corners[start, k]) / length
        out[CLOSEST_WEIGHT_SLOPES + d * start + k], out[CLOSEST_WEIGHT_SLOPES + d * end + k] = -slope, slope


@jit_compile
def find_tangential_gradient(d, corners, normal, out):
    """Difference between the gradient N / (n . N) of g in p = c + g n, orthogonal to the face, and n."""
    own, along = np.zeros(3), 0.0
    find_face_normal(d, corners, own)
    for k in range(d):
        along += own[k] * normal[k]
    for k in range(d):
        out[CLOSEST_TANGENTIAL_GRADIENT + k] = own[k] / along - normal[k]


@jit_compile
def find_mean_normals(b, d, surface, places, face, q, weights, normal, out):
    """Replace the normal of a face by the weighted mean of the node normals, which are stored in `out`."""
    face_normal, total, corners, across = normal.copy(), np.zeros(3), np.zeros((3, 3)), np.zeros(3)
    nodes = surface + FACE_TABLE_HEADER_SIZE + d * (d + 1) * b.faces[surface]
    begins = nodes + d * b.faces[surface]
    around = begins + b.faces[surface + 1]
    for j in range(d):
        node = b.faces[nodes + d * face + j]
        node_normal = np.zeros(3)
        for t in range(b.faces[begins + node], b.faces[begins + node + 1]):
            load_corners(b, d, surface, places, b.faces[around + t], q, corners)
            find_face_normal(d, corners, across)
            along = 0.0
            for k in range(d):
                along += across[k] * face_normal[k]
            if along > SHARP_EDGE_COSINE:
                for k in range(d):
                    node_normal[k] += across[k]
        size = math.sqrt(node_normal[0] ** 2 + node_normal[1] ** 2 + node_normal[2] ** 2)
        for k in range(d):
            out[CLOSEST_NODE_NORMALS + d * j + k] = node_normal[k] / size
            total[k] += weights[j] * node_normal[k] / size
    size = math.sqrt(total[0] ** 2 + total[1] ** 2 + total[2] ** 2)
    for k in range(d):
        normal[k] = total[k] / size
