"""Deformable surfaces: the place of another solid that a point touches.

A contact with such a surface lies between a point b, of another solid, a rigid body or the ground, and a face of the surface,
with as many nodes as there are dimensions (physics/contact_geometry/apart.py). At every state the closest place of all faces is
found anew, and written into the row of the contact: the nodes of its face, their weights, and the slots of its tangent. All
later computations (pose, law, force, tangent) are then those of any other contact. From the closest place the search follows
the surface to the place c = sum w_j x_j from which the normal passes through the point,

    b = c + gap n        n = sum w_j n_j / |sum w_j n_j|        force: (F n at b, -w_j F n at the nodes of the face)

n_j is the mean normal of the faces around node j, so that neither the direction of the force nor its place jumps from face to
face. (Rejected: the normals of faces, which are those of the exact distance. At the edge of two faces Newton's method cycled
between them for ever; and the closest place of a point inside, below a convex edge, jumps from one face to the other by depth
times angle, where an equilibrium may lie.) Beyond rims and sharp edges, and if there is no such place, it is the closest one.
The forces on both sides are opposite. n is not the gradient of the gap, which is N / (n . N) with the normal N of the face; the
work of this difference appears in the energy residual.

In addition to the terms of every contact, the tangent has that gradient, and the change of weights and normal with
u = b - sum w_j x_j and the rotation of the face, with the slopes g_j of the weights across n:

    dw_j = g_j . du        dn = sum_j n_j dw_j - sum_j g_j (n . dx_j)
    d(F gap_q) = F sum_j (n_j u_q)^T (g_j u_q) - (g_j u_q)^T (n x_j,q) - (n x_j,q)^T (g_j u_q) + ...

The friction force is distributed by the same weights, so it changes with dw_j, too. Neglected: the rotation of mean normals
with the nodes of other faces (ratio of penetration to side length), and the difference of the material velocity from place
to place.

The pattern of the tangent holds all pairs of nodes of the two regions, so that they may slide arbitrarily.

The slip is the displacement of the closest place within the surface since the beginning of the step: the memory stores its face
and weights instead of its position (bristles.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright.contact.face_geometry import (
    FACE_TABLE_HEADER_SIZE,
    RIM_MARGIN_RATIO,
    find_face_normal,
    find_mean_normals,
    find_nearest_face,
    find_tangential_gradient,
    find_weight_slopes,
    follow_normals,
    is_on_rim,
    load_corners,
)
from gaitwright.contact.marker_kinematics import NOT_ON_MARKERS
from gaitwright.contact.state import (
    CLOSEST_NODE_NORMALS,
    CLOSEST_PLACE,
    CLOSEST_PLACE_SHIFT,
    CLOSEST_TANGENTIAL_GRADIENT,
    CLOSEST_WEIGHT_SLOPES,
    CONTACT_DOF_COLUMN,
    CONTACT_MAP_COLUMN,
    CONTACT_N_DOF_COLUMN,
    CONTACT_N_PAR_COLUMN,
    CONTACT_N_SLOT_COLUMN,
    CONTACT_PAR_COLUMN,
    CONTACT_SLOT_COLUMN,
    LAW_FORCE,
    LAW_FORCE_BY_PENETRATION,
    MEMORY_STRETCH,
    position_in_pose,
    tangential_component,
)
from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.mechanism.batches import concatenate_as
from gaitwright.mechanism.blocks import ContactBlock
from gaitwright.mechanism.evaluation import EvaluationWorkspace
from gaitwright.mechanism.tables import GROUND, Array, MechanismTables
from gaitwright.mesh.nearest_triangle import FACE_INTERIOR

tables_from_address = record_from_address(MechanismTables.packed_type)
workspace_from_address = record_from_address(EvaluationWorkspace.packed_type)
# Columns of ContactTables.meeting: start of the surface in `faces` (-1: not deformable), start of its places,
# and the current face of the contact
SURFACE_COLUMN, PLACES_COLUMN, CURRENT_FACE_COLUMN = range(3)
INVALID_GAP_M = 1e9
"""Gap, m, for a point with coordinates that are not finite."""


# Tables -------------------------------------------------------------------------------------------------------------


def deforming_surface_tables(contacts: Sequence[ContactBlock], counts: Array, n: int) -> dict[str, Array]:
    """Tables of deformable surfaces, each stored once."""
    rows, numbers, places, starts = [], [], [], {}
    for contact in contacts:
        faces = contact.faces
        if faces is None:
            rows.append([-1, -1, -1])
            continue
        if id(faces) not in starts:
            starts[id(faces)] = [sum(part.size for part in numbers), sum(part.size for part in places), -1]
            dof = np.where(faces.coordinates == GROUND, n, faces.coordinates)
            around = np.argsort(faces.nodes.ravel(), kind="stable") // faces.nodes.shape[1]
            begins = np.concatenate([[0], np.cumsum(np.bincount(faces.nodes.ravel()))])
            face_columns = [dof, faces.rims, faces.nodes, begins, around]
            numbers += [np.array([len(dof), len(begins)]), *(part.astype(np.int64).ravel() for part in face_columns)]
            places.append(faces.places.ravel())
        rows.append(starts[id(faces)])
    return {
        "meeting": np.repeat(np.array(rows, dtype=np.int64).reshape(-1, 3), counts, axis=0),
        "faces": concatenate_as(numbers, np.int64),
        "face_places": concatenate_as(places, float),
        "meet": np.array(_function_addresses() if numbers else [0, 0], dtype=np.int64),
    }


def possible_tangent_entries(contacts: Sequence[ContactBlock], n: int) -> list[tuple[Array, Array]]:
    """Tangent entries that contacts with deformable surfaces may ever use."""
    entries = []
    for contact in contacts:
        if contact.faces is None:
            continue
        faces = contact.faces.coordinates
        used = contact.geometry.block().coordinates[:, faces[0].size :], faces
        own, other = (np.setdiff1d(coordinates, GROUND).astype(np.int32) for coordinates in used)
        rows, columns = (part.ravel() for part in np.meshgrid(own, other, indexing="ij"))
        coordinates = np.where(faces == GROUND, n, faces).reshape(len(faces), -1).astype(np.int32)
        i, j = np.indices((coordinates.shape[1], coordinates.shape[1])).reshape(2, -1)
        entries += [(rows, columns), (columns, rows), (coordinates[:, i], coordinates[:, j])]
    return entries


_COMPILED_FUNCTIONS: list[Any] = []


def _function_addresses() -> list[int]:
    """Addresses of the compiled _find_closest_face and _add_closest_face_tangent."""
    if not _COMPILED_FUNCTIONS:  # in memory as long as its address may be in use
        integer, reals = types.int64, types.CPointer(types.float64)
        _COMPILED_FUNCTIONS.append(compile_cfunc(_find_closest_face, types.void(integer, integer, integer, reals)))
        _COMPILED_FUNCTIONS.append(compile_cfunc(_add_closest_face_tangent, types.void(integer, integer, integer)))
    return [pointer.address for pointer in _COMPILED_FUNCTIONS]


# The closest place --------------------------------------------------------------------------------------------------


def _find_closest_face(system, work, c, q):
    """Find the place of the surface of contact c that is closest to b (pose in w.pose), and store it in the row of the contact;
    its normal goes into w.patch."""
    s, w = tables_from_address(system), workspace_from_address(work)
    b, d = s.contacts, s.contacts.dimension
    e, i = b.table[b.batch[c]], b.place[c]
    own = e[CONTACT_DOF_COLUMN] + e[CONTACT_N_DOF_COLUMN] * i
    first = e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * i
    surface = b.meeting[c, SURFACE_COLUMN]
    places = b.meeting[c, PLACES_COLUMN]
    p, weights, normal, corners = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((3, 3))
    for k in range(d):
        p[k] = w.pose[position_in_pose(s) + k]
    face, size, feature = find_nearest_face(
        b, d, surface, places, q, p, b.meeting[c, CURRENT_FACE_COLUMN], weights, normal
    )
    w.patch[d] = 0.0
    for k in range(d):
        w.meeting[CLOSEST_TANGENTIAL_GRADIENT + k] = 0.0
    if face < 0:  # the coordinates of the point are not finite
        face, w.patch[d] = max(b.meeting[c, CURRENT_FACE_COLUMN], 0), -INVALID_GAP_M
    load_corners(b, d, surface, places, face, q, corners)
    length, height = find_face_normal(d, corners, normal), 0.0
    for k in range(d):
        height += normal[k] * (p[k] - corners[0, k])
    if is_on_rim(b, d, surface, face, feature) and size * size - height * height > (RIM_MARGIN_RATIO * length) ** 2:
        for k in range(d):
            away = p[k]
            for j in range(d):
                away -= weights[j] * corners[j, k]
            normal[k] = away / size
    else:
        followed_face = -1
        if size < length and not is_on_rim(b, d, surface, face, feature):
            followed_face = follow_normals(b, d, surface, places, face, q, p, weights, normal, w.meeting)
        if followed_face >= 0:
            face = followed_face
            load_corners(b, d, surface, places, face, q, corners)
            find_weight_slopes(d, corners, FACE_INTERIOR, normal, w.meeting)
            find_tangential_gradient(d, corners, normal, w.meeting)
        else:
            find_weight_slopes(d, corners, feature, normal, w.meeting)
            find_mean_normals(b, d, surface, places, face, q, weights, normal, w.meeting)
    for k in range(d):
        w.patch[k] = normal[k]
    if b.meeting[c, CURRENT_FACE_COLUMN] != face:
        b.meeting[c, CURRENT_FACE_COLUMN] = face
        load_face(s, e, i, own, surface, face)
    # On markers: weights for each axis, and sums of places of b at the end; otherwise weights, and their sums.
    placed = e[CONTACT_MAP_COLUMN] != NOT_ON_MARKERS
    sums = first + e[CONTACT_N_PAR_COLUMN] - 2 * d if placed else first + d
    for k in range(d):
        total = 0.0
        for j in range(d):
            b.par[first + j + (d * k if placed else 0)] = weights[j]
            total += weights[j] * b.face_places[places + d * d * face + d * j + k]
        b.par[sums + k] = total
    if b.friction[c] != 0:
        find_closest_place_shift(s, w, c, q, face, weights, corners)


def _add_closest_face_tangent(system, work, c):
    """Add the change of weights and normal to the tangent, at the state in w. w.twist has the derivatives u_q of u."""
    s, w = tables_from_address(system), workspace_from_address(work)
    b, d, force = s.contacts, s.contacts.dimension, w.law[LAW_FORCE]
    if force == 0.0:
        return
    e, i = b.table[b.batch[c]], b.place[c]
    n, slot = e[CONTACT_N_DOF_COLUMN], e[CONTACT_SLOT_COLUMN] + e[CONTACT_N_SLOT_COLUMN] * i
    out = w.meeting
    by_normal, by_weight, by_position = np.zeros((n, d)), np.zeros((n, d)), np.zeros((n, d))
    normal_row, gradient_column, force_direction = np.zeros(n), np.zeros(n), np.zeros(3)
    add_normal_force_tangent(s, w, c, force_direction)
    has_friction, tangential_force = b.friction[c] != 0, np.zeros(3)
    if has_friction:
        for k in range(d):
            tangential_force[k] = tangential_component(s, w, w.friction, 0, k)
    for j in range(d):
        across = 0.0
        for k in range(d):
            across += out[CLOSEST_NODE_NORMALS + d * j + k] * w.patch[k]
        for row in range(n):
            for k in range(d):
                u_q = w.twist[n * k + row]
                by_normal[row, j] += u_q * (out[CLOSEST_NODE_NORMALS + d * j + k] - across * w.patch[k])
                by_weight[row, j] += u_q * out[CLOSEST_WEIGHT_SLOPES + d * j + k]
            by_position[row, j] = w.patch[row % d] if row // d == j else 0.0
    for row in range(n):
        for k in range(d):
            u_q = w.twist[n * k + row]
            normal_row[row] += u_q * w.law[LAW_FORCE_BY_PENETRATION] * force_direction[k]
            gradient_column[row] += u_q * out[CLOSEST_TANGENTIAL_GRADIENT + k]
    for row in range(n):
        for column in range(n):
            total = 0.0
            for j in range(d):
                tilted = by_normal[row, j] - by_position[row, j]
                total += tilted * by_weight[column, j] - by_weight[row, j] * by_position[column, j]
            value = normal_row[row] * gradient_column[column] - force * total
            if has_friction and row < d * d:
                value += tangential_force[row % d] * by_weight[column, row // d]
            w.kq[b.slot[slot + n * row + column]] += value


@jit_compile
def add_normal_force_tangent(s, w, c, force_direction):
    """Derivative of the force on b with respect to the normal force: along the normal, and by friction."""
    b, d, across = s.contacts, s.contacts.dimension, 0.0
    for k in range(d):
        force_direction[k] = w.patch[k]
        if b.friction[c] != 0:
            across += w.patch[k] * w.friction[d + 2 * d * d + k]
    if b.friction[c] != 0:
        for k in range(d):
            force_direction[k] += w.friction[d + 2 * d * d + k] - across * w.patch[k]


@jit_compile
def load_face(s, e, i, own, surface, face):
    """Store the coordinates of a face in the row of the contact, and the slots of their tangent entries."""
    b, d, n = s.contacts, s.contacts.dimension, e[CONTACT_N_DOF_COLUMN]
    for k in range(d * d):
        b.dof[own + k] = b.faces[surface + FACE_TABLE_HEADER_SIZE + d * d * face + k]
    slot = e[CONTACT_SLOT_COLUMN] + e[CONTACT_N_SLOT_COLUMN] * i
    for row in range(n):
        for column in range(n):
            b.slot[slot + n * row + column] = find_tangent_slot(s, b.dof[own + row], b.dof[own + column])


@jit_compile
def find_tangent_slot(s, row, column):
    """Index of an entry of the tangent; one past the end for coordinates of the ground."""
    low, high = 0, s.k_row.size
    if row == s.n or column == s.n:
        return high
    while low < high:
        middle = (low + high) // 2
        if s.k_row[middle] < row or (s.k_row[middle] == row and s.k_col[middle] < column):
            low = middle + 1
        else:
            high = middle
    return low


@jit_compile
def find_closest_place_shift(s, w, c, q, face, weights, corners):
    """Displacement of the closest place within the surface since the beginning of the step."""
    b, d = s.contacts, s.contacts.dimension
    memory_at = b.memory * c + MEMORY_STRETCH + 2 * d
    old_face = min(max(int(w.memory[memory_at]), 0), b.faces[b.meeting[c, SURFACE_COLUMN]] - 1)
    old_corners = np.zeros((3, 3))
    load_corners(b, d, b.meeting[c, SURFACE_COLUMN], b.meeting[c, PLACES_COLUMN], old_face, q, old_corners)
    for k in range(d):
        total, first = 0.0, 1.0
        for j in range(1, d):
            first -= w.memory[memory_at + j]
            total += weights[j] * corners[j, k] - w.memory[memory_at + j] * old_corners[j, k]
        w.meeting[CLOSEST_PLACE_SHIFT + k] = total + weights[0] * corners[0, k] - first * old_corners[0, k]
    w.meeting[CLOSEST_PLACE] = face
    for j in range(1, d):
        w.meeting[CLOSEST_PLACE + j] = weights[j]
