"""Faces of a surface that deforms, in a pose: which is nearest to a point, and the normals about it, compiled. See meeting.py.

`b` is the record of contacts, whose arrays `faces` and `face_places` hold the surfaces; `surface` and `places` say where one
begins in them. Arrays have three numbers also in the plane.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.mesh.nearest import EDGES, FACE, nearest_of_triangle
from gaitwright.system.touch import BESIDES, NORMALS, SLOPES

HEAD = 2
"""Numbers before those of a surface: of its faces, and of begins of faces around its nodes. Then, for each face, coordinates,
rims and nodes; begins; and faces around nodes."""
TIE = 1e-9
"""Distances of two faces that differ less, relatively, are equal: an edge or a vertex of both is nearest."""
STRETCH = 4.0
SHARP = 0.5
"""Cosine of the angle to a face from which on another one does not count for the mean normal: there is an edge."""
SAME = 1e-13
"""Difference of weights that is rounding."""
NEWTON, WALK = 12, 12
"""Iterations for a place on a face, and faces that are walked over, before the nearest place is taken."""
RIM = 0.05
"""How far beyond the rim of a surface, in lengths of its sides, a point still touches it: edges of two equal blocks do."""


@compiled
def corners_of(b, d, surface, places, face, q, corners):
    """Corners (3, 3) of a face in a pose; in the plane the first two, z = 0."""
    first = surface + HEAD + d * d * face
    for j in range(d):
        for k in range(d):
            corners[j, k] = b.face_places[places + d * d * face + d * j + k] + q[b.faces[first + d * j + k]]


@compiled
def nearest_on(d, p, corners, weights):
    """Weights of the nearest place of a face, and what of it is nearest, as of triangles; in the plane an end is an edge."""
    if d == 3:
        return nearest_of_triangle(p, corners, weights)
    along = length = 0.0
    for k in range(2):
        side = corners[1, k] - corners[0, k]
        along += side * (p[k] - corners[0, k])
        length += side * side
    share = min(max(along / length, 0.0), 1.0) if length > 0.0 else 0.0
    weights[0], weights[1] = 1.0 - share, share
    return FACE if 0.0 < share < 1.0 else EDGES + int(share)


@compiled
def normal_of(d, corners, normal):
    """Outward normal of a face, and the length of its first side."""
    size = length = 0.0
    for k in range(d):
        length += (corners[1, k] - corners[0, k]) ** 2
    if d == 2:  # what is outside is on the right
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


@compiled
def on_rim(b, d, surface, face, feature):
    """Whether what is nearest of a face lies on the rim of the surface."""
    if feature == FACE:
        return False
    rims = surface + HEAD + d * d * b.faces[surface] + d * face
    if feature >= EDGES:
        return b.faces[rims + feature - EDGES] != 0
    return b.faces[rims + feature] != 0 or b.faces[rims + (feature + 2) % 3] != 0


@compiled
def far_away(b, d, surface, places, face, q, p, reach):
    """Whether a face is certainly further away than `reach`, m, unless its sides are stretched more than STRETCH times."""
    at, own, away, size = surface + HEAD + d * d * face, places + d * d * face, 0.0, 0.0
    for k in range(d):
        away += (p[k] - b.face_places[own + k] - q[b.faces[at + k]]) ** 2
    for j in range(1, d):
        length = 0.0
        for k in range(d):
            length += (b.face_places[own + d * j + k] - b.face_places[own + k]) ** 2
        size = max(size, length)
    return math.sqrt(away) > reach + STRETCH * math.sqrt(size)


@compiled
def find_face(b, d, surface, places, q, p, last, weights, normal):
    """The nearest face to a point, its distance, and what of it is nearest; weights of its nodes and its normal. Where
    several are equally near, by an edge or a vertex, the one that the point lies above most: its side tells the sign. last: the
    one that was nearest before, which makes the others short work; -1 for none."""
    corners, trial, across = np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    best, which, feature, upright, reach, count = math.inf, -1, FACE, -1.0, math.inf, b.faces[surface]
    for number in range(-1, count):
        face = last if number < 0 else number
        if face < 0 or (number == last and number >= 0):
            continue
        if far_away(b, d, surface, places, face, q, p, reach):
            continue
        corners_of(b, d, surface, places, face, q, corners)
        on = nearest_on(d, p, corners, trial)
        total = 0.0
        for k in range(d):
            away = p[k]
            for j in range(d):
                away -= trial[j] * corners[j, k]
            total += away * away
        if not total <= best * (1.0 + TIE):
            continue
        normal_of(d, corners, across)
        height = 0.0
        for k in range(d):
            height += across[k] * (p[k] - corners[0, k])
        if total >= best * (1.0 - TIE) and abs(height) <= upright:
            continue
        best, which, feature, upright = min(total, best), face, on, abs(height)
        reach = 1.001 * math.sqrt(best)
        for k in range(3):
            weights[k], normal[k] = trial[k], across[k]
    return which, math.sqrt(best), feature


@compiled
def neighbour(b, d, surface, face, opposite):
    """The face beyond the edge, in the plane the end, that lies opposite to a node; -1 for none."""
    nodes = surface + HEAD + d * (d + 1) * b.faces[surface]
    begins = nodes + d * b.faces[surface]
    around = begins + b.faces[surface + 1]
    one, two = b.faces[nodes + d * face + (opposite + 1) % d], b.faces[nodes + d * face + (opposite + d - 1) % d]
    for t in range(b.faces[begins + one], b.faces[begins + one + 1]):
        other = b.faces[around + t]
        if other == face:
            continue
        for j in range(d):
            if b.faces[nodes + d * other + j] == two:
                return other
    return -1


@compiled
def foot_on(d, p, corners, out, weights):
    """Weights of the place of the plane of a face from which its mean normal, at the nodes in `out`, leads to a point:
    p = sum w_j (x_j + g n_j). Whether Newton's method finds one."""
    sides, rest, height = np.zeros((3, 3)), np.zeros(3), 0.0
    for _ in range(NEWTON):
        for k in range(d):
            rest[k] = p[k]
            sides[d - 1, k] = 0.0
            for j in range(d):
                n = out[NORMALS + d * j + k]
                rest[k] -= weights[j] * (corners[j, k] + height * n)
                sides[d - 1, k] += weights[j] * n
            for j in range(1, d):
                sides[j - 1, k] = corners[j, k] - corners[0, k] + height * (out[NORMALS + d * j + k] - out[NORMALS + k])
        if d == 2:
            whole = sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]
            if whole == 0.0:
                return False
            one, two = (rest[0] * sides[1, 1] - rest[1] * sides[1, 0]) / whole, 0.0
            height += (sides[0, 0] * rest[1] - sides[0, 1] * rest[0]) / whole
        else:
            whole = volume(sides[0], sides[1], sides[2])
            if whole == 0.0:
                return False
            one, two = volume(rest, sides[1], sides[2]) / whole, volume(sides[0], rest, sides[2]) / whole
            height += volume(sides[0], sides[1], rest) / whole
        weights[1] += one
        weights[2] += two
        weights[0] = 1.0 - weights[1] - weights[2]
        if abs(one) + abs(two) < SAME:
            return True
    return False


@compiled
def volume(a, b, c):
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    )  # fmt: skip


@compiled
def follow_normals(b, d, surface, places, face, q, p, weights, normal, out):
    """From the nearest face on, over edges that are not sharp, to the place c from which the mean normal n leads to the point:
    its face, weights and n, with mean normals of its nodes in `out`; -1, with only `out` changed, where there is none."""
    found, own, mean, corners = weights.copy(), normal.copy(), np.zeros(3), np.zeros((3, 3))
    for _ in range(WALK):
        corners_of(b, d, surface, places, face, q, corners)
        for k in range(d):
            mean[k] = own[k]
        smooth(b, d, surface, places, face, q, found, mean, out)
        if not foot_on(d, p, corners, out, found):
            return -1
        least = 0
        for j in range(1, d):
            if found[j] < found[least]:
                least = j
        if found[least] >= -SAME:
            size = 0.0
            for k in range(d):
                mean[k] = 0.0
                for j in range(d):
                    mean[k] += found[j] * out[NORMALS + d * j + k]
                size += mean[k] * mean[k]
            for k in range(d):
                weights[k], normal[k] = found[k], mean[k] / math.sqrt(size)
            return face
        face = neighbour(b, d, surface, face, least)
        if face < 0:
            return -1
        corners_of(b, d, surface, places, face, q, corners)
        normal_of(d, corners, mean)
        along = 0.0
        for k in range(d):
            along += mean[k] * own[k]
            found[k] = 1.0 / d
        if along <= SHARP:
            return -1
        for k in range(d):
            own[k] = mean[k]
    return -1


@compiled
def slopes_of_weights(d, corners, feature, normal, out):
    """g_j of the weights of a face as the point moves across a direction, or along an edge of the face; none at a vertex."""
    for k in range(d * d):
        out[SLOPES + k] = 0.0
    if feature != FACE and (d == 2 or feature < EDGES):
        return
    if d == 2:
        along = normal[0] * (corners[1, 1] - corners[0, 1]) - normal[1] * (corners[1, 0] - corners[0, 0])
        for k in range(2):
            slope = (-normal[1] if k == 0 else normal[0]) / along
            out[SLOPES + k], out[SLOPES + 2 + k] = -slope, slope
        return
    if feature == FACE:
        area = 0.0
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            area += normal[k] * (
                (corners[1, i] - corners[0, i]) * (corners[2, j] - corners[0, j])
                - (corners[1, j] - corners[0, j]) * (corners[2, i] - corners[0, i])
            )
        for node in range(3):
            one, two = corners[(node + 1) % 3], corners[(node + 2) % 3]
            for k in range(3):
                i, j = (k + 1) % 3, (k + 2) % 3
                out[SLOPES + 3 * node + k] = (normal[i] * (two[j] - one[j]) - normal[j] * (two[i] - one[i])) / area
        return
    start = feature - EDGES
    end, length = (start + 1) % 3, 0.0
    for k in range(d):
        length += (corners[end, k] - corners[start, k]) ** 2
    for k in range(d):
        slope = (corners[end, k] - corners[start, k]) / length
        out[SLOPES + d * start + k], out[SLOPES + d * end + k] = -slope, slope


@compiled
def gradient_besides(d, corners, normal, out):
    """The gradient of g in p = c + g n is N / (n . N), across the face; what it has besides n."""
    own, along = np.zeros(3), 0.0
    normal_of(d, corners, own)
    for k in range(d):
        along += own[k] * normal[k]
    for k in range(d):
        out[BESIDES + k] = own[k] / along - normal[k]


@compiled
def smooth(b, d, surface, places, face, q, weights, normal, out):
    """The normal of a face becomes the mean of those around its nodes, which are left in `out`, with the weights of these."""
    own, total, corners, across = normal.copy(), np.zeros(3), np.zeros((3, 3)), np.zeros(3)
    nodes = surface + HEAD + d * (d + 1) * b.faces[surface]
    begins = nodes + d * b.faces[surface]
    around = begins + b.faces[surface + 1]
    for j in range(d):
        node = b.faces[nodes + d * face + j]
        here = np.zeros(3)
        for t in range(b.faces[begins + node], b.faces[begins + node + 1]):
            corners_of(b, d, surface, places, b.faces[around + t], q, corners)
            normal_of(d, corners, across)
            along = 0.0
            for k in range(d):
                along += across[k] * own[k]
            if along > SHARP:
                for k in range(d):
                    here[k] += across[k]
        size = math.sqrt(here[0] ** 2 + here[1] ** 2 + here[2] ** 2)
        for k in range(d):
            out[NORMALS + d * j + k] = here[k] / size
            total[k] += weights[j] * here[k] / size
    size = math.sqrt(total[0] ** 2 + total[1] ** 2 + total[2] ** 2)
    for k in range(d):
        normal[k] = total[k] / size
