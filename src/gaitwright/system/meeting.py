"""Surfaces that deform: which place of another solid a point touches.

A contact with such a surface lies between a point b, of another solid, a rigid body or the ground, and a face of the surface,
with as many nodes as there are dimensions (physics/contact_geometry/apart.py). At every state the nearest place of all faces is
found anew, and written into the row of the contact: the nodes of its face, their weights, and where its tangent goes. So all
that follows (pose, law, force, tangent) is that of any other contact. From the nearest place one goes on along the surface to
the place c = sum w_j x_j from which the normal leads to the point,

    b = c + gap n        n = sum w_j n_j / |sum w_j n_j|        force: (F n at b, -w_j F n at the nodes of the face)

n_j is the mean normal of the faces around node j, so that neither the direction of the force nor its place jumps from face to
face. (By the normals of faces alone, which are those of the exact distance, a point at the edge of two faces was handed back
and forth by Newton's method for ever; and the nearest place of a point inside, below a convex edge, jumps from one face to the
other by depth times angle, where an equilibrium may lie.) Over rims and sharp edges, and where there is no such place, it is
the nearest one. The forces on both sides are opposite. n is not the gradient of the gap, which is N / (n . N) with the normal
N of the face; the work that it does not account for is in the residual of the energy.

The tangent has, besides what every contact has, that gradient, and how weights and normal change with u = b - sum w_j x_j and
the turn of the face, with the slopes g_j of the weights across n:

    dw_j = g_j . du        dn = sum_j n_j dw_j - sum_j g_j (n . dx_j)
    d(F gap_q) = F sum_j (n_j u_q)^T (g_j u_q) - (g_j u_q)^T (n x_j,q) - (n x_j,q)^T (g_j u_q) + ...

The force of friction, which is shared by the same weights, goes with dw_j, too. Left out is how mean normals turn with the
nodes of other faces (by penetration over length of a side), and how the velocity of the material differs from place to place.

The pattern of the tangent holds all pairs of nodes of the two regions, so that they may slide as they like.

What slips is how far the nearest place has moved in the surface since the begin of the step: the memory has its face and
weights in the place of the place (bristles.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.mesh.nearest import FACE
from gaitwright.system.batches import join
from gaitwright.system.blocks import Contact
from gaitwright.system.evaluate import Work
from gaitwright.system.invoke import viewer
from gaitwright.system.near_faces import (
    HEAD,
    RIM,
    corners_of,
    find_face,
    follow_normals,
    gradient_besides,
    normal_of,
    on_rim,
    slopes_of_weights,
    smooth,
)
from gaitwright.system.placing import NOT_PLACED
from gaitwright.system.tables import GROUND, Array, System
from gaitwright.system.touch import (
    BESIDES,
    BY_PENETRATION,
    DOF,
    FOOT,
    FORCE,
    MAP,
    MET,
    N_DOF,
    N_PAR,
    N_SLOT,
    NORMALS,
    PAR,
    SLOPES,
    SLOT,
    STRETCH,
    along_surface,
    position_in_pose,
)

as_system, as_work = viewer(System.packed_type), viewer(Work.packed_type)
# Columns of Contacts.meeting: begin of the surface in `faces` (-1: a surface that does not deform), where its places begin,
# and the face that the row of the contact is for
SURFACE, PLACES, FACE_NOW = range(3)
AWAY = 1e9
"""m: the gap of what is not a number."""


# Tables -------------------------------------------------------------------------------------------------------------


def meetings(contacts: Sequence[Contact], counts: Array, n: int) -> dict[str, Array]:
    """Tables of surfaces that deform, each once."""
    rows, numbers, places, known = [], [], [], {}
    for contact in contacts:
        faces = contact.faces
        if faces is None:
            rows.append([-1, -1, -1])
            continue
        if id(faces) not in known:
            known[id(faces)] = [sum(part.size for part in numbers), sum(part.size for part in places), -1]
            dof = np.where(faces.coordinates == GROUND, n, faces.coordinates)
            around = np.argsort(faces.nodes.ravel(), kind="stable") // faces.nodes.shape[1]
            begins = np.concatenate([[0], np.cumsum(np.bincount(faces.nodes.ravel()))])
            own = [dof, faces.rims, faces.nodes, begins, around]
            numbers += [np.array([len(dof), len(begins)]), *(part.astype(np.int64).ravel() for part in own)]
            places.append(faces.places.ravel())
        rows.append(known[id(faces)])
    return {
        "meeting": np.repeat(np.array(rows, dtype=np.int64).reshape(-1, 3), counts, axis=0),
        "faces": join(numbers, np.int64),
        "face_places": join(places, float),
        "meet": np.array(_addresses() if numbers else [0, 0], dtype=np.int64),
    }


def possible_pairs(contacts: Sequence[Contact], n: int) -> list[tuple[Array, Array]]:
    """Entries of the tangent that contacts with surfaces that deform may ever have."""
    found = []
    for contact in contacts:
        if contact.faces is None:
            continue
        faces = contact.faces.coordinates
        own, other = np.unique(contact.geometry.block().coordinates[:, faces[0].size :]), np.unique(faces)
        own, other = own[own != GROUND].astype(np.int32), other[other != GROUND].astype(np.int32)
        rows, columns = (part.ravel() for part in np.meshgrid(own, other, indexing="ij"))
        each = np.where(faces == GROUND, n, faces).reshape(len(faces), -1).astype(np.int32)
        i, j = np.indices((each.shape[1], each.shape[1])).reshape(2, -1)
        found += [(rows, columns), (columns, rows), (each[:, i], each[:, j])]
    return found


_kept: list[Any] = []


def _addresses() -> list[int]:
    """Of _meet and _turn."""
    if not _kept:  # in memory as long as its address may be in use
        whole, reals = types.int64, types.CPointer(types.float64)
        _kept.append(compiled_pointer(_meet, types.void(whole, whole, whole, reals)))
        _kept.append(compiled_pointer(_turn, types.void(whole, whole, whole)))
    return [pointer.address for pointer in _kept]


# The nearest place --------------------------------------------------------------------------------------------------


def _meet(system, work, c, q):
    """Find the place of the surface of contact c that is nearest to b, whose pose is in w.pose, and put it into the row of the
    contact; its normal goes into w.patch."""
    s, w = as_system(system), as_work(work)
    b, d = s.contacts, s.contacts.dimension
    e, i = b.table[b.batch[c]], b.place[c]
    own, first, surface, places = (
        e[DOF] + e[N_DOF] * i,
        e[PAR] + e[N_PAR] * i,
        b.meeting[c, SURFACE],
        b.meeting[c, PLACES],
    )
    p, weights, normal, corners = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((3, 3))
    for k in range(d):
        p[k] = w.pose[position_in_pose(s) + k]
    face, size, feature = find_face(b, d, surface, places, q, p, b.meeting[c, FACE_NOW], weights, normal)
    w.patch[d] = 0.0
    for k in range(d):
        w.meeting[BESIDES + k] = 0.0
    if face < 0:  # the point is nowhere
        face, w.patch[d] = max(b.meeting[c, FACE_NOW], 0), -AWAY
    corners_of(b, d, surface, places, face, q, corners)
    length, height = normal_of(d, corners, normal), 0.0
    for k in range(d):
        height += normal[k] * (p[k] - corners[0, k])
    if on_rim(b, d, surface, face, feature) and size * size - height * height > (RIM * length) ** 2:
        for k in range(d):
            away = p[k]
            for j in range(d):
                away -= weights[j] * corners[j, k]
            normal[k] = away / size
    else:
        led = -1
        if size < length and not on_rim(b, d, surface, face, feature):
            led = follow_normals(b, d, surface, places, face, q, p, weights, normal, w.meeting)
        if led >= 0:
            face = led
            corners_of(b, d, surface, places, face, q, corners)
            slopes_of_weights(d, corners, FACE, normal, w.meeting)
            gradient_besides(d, corners, normal, w.meeting)
        else:
            slopes_of_weights(d, corners, feature, normal, w.meeting)
            smooth(b, d, surface, places, face, q, weights, normal, w.meeting)
    for k in range(d):
        w.patch[k] = normal[k]
    if b.meeting[c, FACE_NOW] != face:
        b.meeting[c, FACE_NOW] = face
        take_face(s, e, i, own, surface, face)
    placed = (
        e[MAP] != NOT_PLACED
    )  # weights for each axis, and sums of places of b at the end; else weights, and their sums
    sums = first + e[N_PAR] - 2 * d if placed else first + d
    for k in range(d):
        total = 0.0
        for j in range(d):
            b.par[first + j + (d * k if placed else 0)] = weights[j]
            total += weights[j] * b.face_places[places + d * d * face + d * j + k]
        b.par[sums + k] = total
    if b.friction[c] != 0:
        find_foot(s, w, c, q, face, weights, corners)


def _turn(system, work, c):
    """Add to the tangent how weights and normal change, at the state in w. w.twist has the derivatives u_q of u."""
    s, w = as_system(system), as_work(work)
    b, d, force = s.contacts, s.contacts.dimension, w.law[FORCE]
    if force == 0.0:
        return
    e, i = b.table[b.batch[c]], b.place[c]
    n, slot = e[N_DOF], e[SLOT] + e[N_SLOT] * i
    out = w.meeting
    bent, along, lifted = np.zeros((n, d)), np.zeros((n, d)), np.zeros((n, d))
    pushed, besides, grown = np.zeros(n), np.zeros(n), np.zeros(3)
    add_normal_force(s, w, c, grown)
    rubs, rubbed = b.friction[c] != 0, np.zeros(3)
    if rubs:
        for k in range(d):
            rubbed[k] = along_surface(s, w, w.friction, 0, k)
    for j in range(d):
        across = 0.0
        for k in range(d):
            across += out[NORMALS + d * j + k] * w.patch[k]
        for row in range(n):
            for k in range(d):
                moved = w.twist[n * k + row]
                bent[row, j] += moved * (out[NORMALS + d * j + k] - across * w.patch[k])
                along[row, j] += moved * out[SLOPES + d * j + k]
            lifted[row, j] = w.patch[row % d] if row // d == j else 0.0
    for row in range(n):
        for k in range(d):
            moved = w.twist[n * k + row]
            pushed[row] += moved * w.law[BY_PENETRATION] * grown[k]
            besides[row] += moved * out[BESIDES + k]
    for row in range(n):
        for column in range(n):
            total = 0.0
            for j in range(d):
                total += (bent[row, j] - lifted[row, j]) * along[column, j] - along[row, j] * lifted[column, j]
            value = pushed[row] * besides[column] - force * total
            if rubs and row < d * d:
                value += rubbed[row % d] * along[column, row // d]
            w.kq[b.slot[slot + n * row + column]] += value


@compiled
def add_normal_force(s, w, c, grown):
    """How the force on b grows with the normal force: along the normal, and by friction."""
    b, d, across = s.contacts, s.contacts.dimension, 0.0
    for k in range(d):
        grown[k] = w.patch[k]
        if b.friction[c] != 0:
            across += w.patch[k] * w.friction[d + 2 * d * d + k]
    if b.friction[c] != 0:
        for k in range(d):
            grown[k] += w.friction[d + 2 * d * d + k] - across * w.patch[k]


@compiled
def take_face(s, e, i, own, surface, face):
    """Coordinates of a face, and where the tangent of the contact goes with them."""
    b, d, n = s.contacts, s.contacts.dimension, e[N_DOF]
    for k in range(d * d):
        b.dof[own + k] = b.faces[surface + HEAD + d * d * face + k]
    slot = e[SLOT] + e[N_SLOT] * i
    for row in range(n):
        for column in range(n):
            b.slot[slot + n * row + column] = slot_of(s, b.dof[own + row], b.dof[own + column])


@compiled
def slot_of(s, row, column):
    """Where an entry of the tangent is; those on the ground are behind the last."""
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


@compiled
def find_foot(s, w, c, q, face, weights, corners):
    """How far the nearest place has moved in the surface since the begin of the step."""
    b, d = s.contacts, s.contacts.dimension
    at = b.memory * c + STRETCH + 2 * d
    before, old = min(max(int(w.memory[at]), 0), b.faces[b.meeting[c, SURFACE]] - 1), np.zeros((3, 3))
    corners_of(b, d, b.meeting[c, SURFACE], b.meeting[c, PLACES], before, q, old)
    for k in range(d):
        total, first = 0.0, 1.0
        for j in range(1, d):
            first -= w.memory[at + j]
            total += weights[j] * corners[j, k] - w.memory[at + j] * old[j, k]
        w.meeting[FOOT + k] = total + weights[0] * corners[0, k] - first * old[0, k]
    w.meeting[MET] = face
    for j in range(1, d):
        w.meeting[MET + j] = weights[j]
