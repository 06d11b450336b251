"""Contact poses in marker variables: position and axes of two places, which are linear in the coordinates of their bodies.

    x = c + N q        Q = N^T Q_x        twist_v = twist_x' N        K = N^T K_x N

So one kernel serves spatial bodies of every kind, and a place that is a weighted sum of nodes needs no special treatment. N
has the same pattern for all contacts of a batch; its weights and c are parameters of each contact. ContactTables.map holds,
per batch, the numbers of entries of d twist/dx', d twist/dx and K_x, the rows of N (begins, then columns), and the entries
of the three matrices as pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from gaitwright.contact.state import (
    CONTACT_DOF_COLUMN,
    CONTACT_MAP_COLUMN,
    CONTACT_N_DOF_COLUMN,
    CONTACT_N_PAR_COLUMN,
    CONTACT_N_SIG_COLUMN,
    CONTACT_N_VARIABLES_COLUMN,
    CONTACT_PAR_COLUMN,
    CONTACT_SIG_COLUMN,
    FRAME_KERNEL_COLUMN,
    PRESS_KERNEL_COLUMN,
    TANGENT_KERNEL_COLUMN,
)
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.tables import Array
from gaitwright.physics.bodies.place_marker import find_marker_kind

NOT_ON_MARKERS = -1
"""Value instead of the index in ContactTables.map, for poses in coordinates."""
UNSIGNED_ONE = np.uint64(1)


def marker_pose_tables(
    module: ModuleType, blocks: Sequence[ElementBlock], dof: Array, ground: int
) -> tuple[Array, Array, Array]:
    """Entries of a batch for ContactTables.map; parameters of its contacts: weights of N, then c, (count, numbers); and their
    coordinates. If all of them are on the ground (coordinate `ground`), N has no columns: nothing moves."""
    first = blocks[0]
    kinds = first.declaration.attachments.values()
    markers = [find_marker_kind(first.declaration, kind, f) for kind, f in zip(kinds, first.families, strict=True)]
    sides = np.split(dof, [len(markers[0].coordinates)], axis=1)
    still = [bool((side == ground).all()) for side in sides]
    columns = [
        {coordinate: before + k for k, coordinate in enumerate(marker.coordinates)}
        for marker, before in zip(markers, (0, 0 if still[0] else sides[0].shape[1]), strict=True)
    ]
    begins, entries, parameters = [0], [], []
    for number, block in enumerate(blocks):
        at, offered = 0, []
        for marker, family in zip(markers, block.families, strict=True):
            own = block.parameters[:, at : at + len(marker.parameters)]
            offered.append(family.components(*(own.T if block.count > 1 else own[0])))
            at += len(marker.parameters)
        rows = [(side, offered[side][kind, *rest]) for kind, side, *rest in module.VARIABLES]
        rows = [(side, row._replace(terms=()) if still[side] else row) for side, row in rows]
        if number == 0:
            entries = [columns[side][coordinate] for side, row in rows for coordinate, _ in row.terms]
            begins = np.cumsum([0, *(len(row.terms) for _, row in rows)]).tolist()
        numbers = [*(weight for _, row in rows for _, weight in row.terms), *(row.constant for _, row in rows)]
        alike = np.empty((block.count, len(numbers)))
        for k, values in enumerate(numbers):
            alike[:, k] = values
        parameters.append(alike)
    parts = (module.TWIST_V, module.TWIST_Q, module.TANGENT)
    pairs = [k for part in parts for pair in part for k in pair]
    moving = np.hstack([side[:, : 0 if on_ground else None] for side, on_ground in zip(sides, still, strict=True)])
    return np.array([*map(len, parts), *begins, *entries, *pairs]), np.concatenate(parameters), moving


@jit_compile
def gather_variables(s, e, i, q, v, x, x_v):
    """x = c + N q and x' = N q' of contact i of a batch; places on the ground are fixed."""
    b = s.contacts
    # Read once: the compiler must assume that stores change the record.
    m = np.uint64(e[CONTACT_N_VARIABLES_COLUMN])
    numbers = b.map
    par = b.par
    dof = b.dof
    begins = np.uint64(e[CONTACT_MAP_COLUMN] + 3)
    own = np.uint64(e[CONTACT_DOF_COLUMN] + e[CONTACT_N_DOF_COLUMN] * i)
    first = np.uint64(e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * i)
    columns, constants = begins + m + UNSIGNED_ONE, first + np.uint64(e[CONTACT_N_PAR_COLUMN]) - m
    t = np.uint64(0)
    for k in range(m):
        total, rate, end = par[constants + k], 0.0, np.uint64(numbers[begins + k + UNSIGNED_ONE])
        while t < end:
            weight, at = par[first + t], np.uint64(dof[own + np.uint64(numbers[columns + t])])
            total += weight * q[at]
            rate += weight * v[at]
            t += UNSIGNED_ONE
        x[k], x_v[k] = total, rate


@jit_compile
def first_twist_pair(b, e):
    """Index of the first pair of d twist/dx' in ContactTables.map."""
    begins = e[CONTACT_MAP_COLUMN] + 3
    return begins + e[CONTACT_N_VARIABLES_COLUMN] + 1 + b.map[begins + e[CONTACT_N_VARIABLES_COLUMN]]


@jit_compile
def find_marker_pose(s, w, e, i, q, v):
    """Pose of contact i of a batch, into w.pose."""
    b = s.contacts
    gather_variables(s, e, i, q, v, w.place, w.place_v)
    call_address(
        e[FRAME_KERNEL_COLUMN],
        (1, pointer_to(b.sig, e[CONTACT_SIG_COLUMN] + e[CONTACT_N_SIG_COLUMN] * i), w.u, w.place, w.place_v, w.pose),
    )


@jit_compile
def expand_rows(b, e, i, rows, count, pairs, values, out):
    """Expand matrix entries in marker variables, sorted by rows, to the first rows in coordinates."""
    n, numbers, par = np.uint64(e[CONTACT_N_DOF_COLUMN]), b.map, b.par
    begins = np.uint64(e[CONTACT_MAP_COLUMN] + 3)
    first = np.uint64(e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * i)
    at = np.uint64(pairs)
    columns = begins + np.uint64(e[CONTACT_N_VARIABLES_COLUMN]) + UNSIGNED_ONE
    for k in range(np.uint64(rows) * n):
        out[k] = 0.0
    for p in range(np.uint64(count)):
        row, variable, value = np.uint64(numbers[at]), np.uint64(numbers[at + UNSIGNED_ONE]), values[p]
        if row >= np.uint64(rows):
            break
        at += UNSIGNED_ONE + UNSIGNED_ONE
        row *= n
        t, end = np.uint64(numbers[begins + variable]), np.uint64(numbers[begins + variable + UNSIGNED_ONE])
        while t < end:
            out[row + np.uint64(numbers[columns + t])] += value * par[first + t]
            t += UNSIGNED_ONE


@jit_compile
def add_marker_tangent(s, w, e, i, rows, slot):
    """Compute the first rows of twist_v and twist_q into w.twist and w.twist_q, and add -Q_q of the wrench in w.wrench to w.kq;
    call after `find_marker_pose`."""
    b, values, kq = s.contacts, w.place_bent, w.kq
    pairs = first_twist_pair(b, e)
    by_v = b.map[e[CONTACT_MAP_COLUMN]]
    by_q = b.map[e[CONTACT_MAP_COLUMN] + 1]
    count = b.map[e[CONTACT_MAP_COLUMN] + 2]
    sig = pointer_to(b.sig, e[CONTACT_SIG_COLUMN] + e[CONTACT_N_SIG_COLUMN] * i)
    call_address(e[TANGENT_KERNEL_COLUMN], (1, sig, w.u, w.place, w.place_v, w.wrench, w.place_twist, values))
    expand_rows(b, e, i, rows, by_v, pairs, pointer_to(w.place_twist, 0), w.twist)
    expand_rows(b, e, i, rows, by_q, pairs + 2 * by_v, pointer_to(w.place_twist, by_v), w.twist_q)
    at = np.uint64(pairs + 2 * (by_v + by_q))
    n, numbers, par = np.uint64(e[CONTACT_N_DOF_COLUMN]), b.map, b.par
    begins, first = np.uint64(e[CONTACT_MAP_COLUMN] + 3), np.uint64(e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * i)
    columns = begins + np.uint64(e[CONTACT_N_VARIABLES_COLUMN]) + UNSIGNED_ONE
    for p in range(np.uint64(count)):
        row, column, value = np.uint64(numbers[at]), np.uint64(numbers[at + UNSIGNED_ONE]), values[p]
        at += UNSIGNED_ONE + UNSIGNED_ONE
        if value == 0.0:
            continue
        t, last = np.uint64(numbers[begins + row]), np.uint64(numbers[begins + row + UNSIGNED_ONE])
        start, end = np.uint64(numbers[begins + column]), np.uint64(numbers[begins + column + UNSIGNED_ONE])
        while t < last:
            line, weight, u = n * np.uint64(numbers[columns + t]), value * par[first + t], start
            while u < end:
                kq[slot[line + np.uint64(numbers[columns + u])]] += weight * par[first + u]
                u += UNSIGNED_ONE
            t += UNSIGNED_ONE


@jit_compile
def add_wrench_forces(s, w, c, total):
    """Add Q = twist_v^T w of the force and moment in w.wrench, at the state of the last evaluation."""
    b, wrench, dof = s.contacts, w.wrench, s.contacts.dof
    e, i = b.table[b.batch[c]], b.place[c]
    n, own = np.uint64(e[CONTACT_N_DOF_COLUMN]), np.uint64(e[CONTACT_DOF_COLUMN] + e[CONTACT_N_DOF_COLUMN] * i)
    if b.placed == 0 or e[CONTACT_MAP_COLUMN] == NOT_ON_MARKERS:
        twist, rows = w.twist, np.uint64(b.twist if b.radius[c] != 0.0 else b.dimension)  # a point has no moment
        for j in range(n):
            force = 0.0
            for k in range(rows):
                force += twist[n * k + j] * wrench[k]
            total[dof[own + j]] += force
        return
    pull, numbers, par = w.place_bent, b.map, b.par
    call_address(
        e[PRESS_KERNEL_COLUMN],
        (1, pointer_to(b.sig, e[CONTACT_SIG_COLUMN] + e[CONTACT_N_SIG_COLUMN] * i), w.u, w.place, wrench, pull),
    )
    m = np.uint64(e[CONTACT_N_VARIABLES_COLUMN])
    begins = np.uint64(e[CONTACT_MAP_COLUMN] + 3)
    first = np.uint64(e[CONTACT_PAR_COLUMN] + e[CONTACT_N_PAR_COLUMN] * i)
    columns, t = begins + m + UNSIGNED_ONE, np.uint64(0)
    for k in range(m):
        force, end = pull[k], np.uint64(numbers[begins + k + UNSIGNED_ONE])
        while t < end:
            total[dof[own + np.uint64(numbers[columns + t])]] += force * par[first + t]
            t += UNSIGNED_ONE
