"""Faces of a surface that deforms, in a pose: which is nearest to a point, and the normals about it, compiled. See meeting.py.

`b` is the record of contacts, whose arrays `faces` and `face_places` hold the surfaces; `surface` and `places` say where one
begins in them. Arrays have three numbers also in the plane.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.mesh.nearest import EDGES, FACE, nearest_of_triangle
from gaitwright.system.touch import NORMALS, SLOPES

HEAD = 2
"""Numbers before those of a surface: of its faces, and of begins of faces around its nodes. Then, for each face, coordinates,
rims and nodes; begins; and faces around nodes."""
TIE = 1e-9
"""Distances of two faces that differ less, relatively, are equal: an edge or a vertex of both is nearest."""
STRETCH = 4.0
SHARP = 0.5
"""Cosine of the angle to a face from which on another one does not count for the mean normal: there is an edge."""
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
def slopes_of_weights(d, corners, feature, out):
    """g_j of the weights of a face as the point moves along it, or along its edge; none at a vertex."""
    for k in range(d * d):
        out[SLOPES + k] = 0.0
    if feature != FACE and (d == 2 or feature < EDGES):
        return
    if feature == FACE and d == 3:
        normal = np.zeros(3)
        normal_of(3, corners, normal)
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
    start = 0 if d == 2 else feature - EDGES
    end, length = (start + 1) % d, 0.0
    for k in range(d):
        length += (corners[end, k] - corners[start, k]) ** 2
    for k in range(d):
        slope = (corners[end, k] - corners[start, k]) / length
        out[SLOPES + d * start + k], out[SLOPES + d * end + k] = -slope, slope


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
