"""Poses in the variables of markers: position and axes of two places, which are linear in the coordinates of their bodies.

    x = c + N q        twist_v = twist_x' N        K = N^T K_x N

So one kernel serves bodies of space of every kind, and a place that is a weighted sum of nodes is nothing special. N has the
same entries for all contacts of a batch; its weights and c are the parameters of each. Contacts.map holds, per batch, the
numbers of entries of d twist/dx', d twist/dx and K_x, the rows of N (begins, then columns), the entries of the three matrices
as pairs, and 0, 1, 2, ... for the kernels, which take variables for coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.physics.bodies.still import marker_of
from gaitwright.system.blocks import Block
from gaitwright.system.invoke import behind, invoke
from gaitwright.system.tables import Array
from gaitwright.system.touch import DOF, FRAME_KERNEL, MAP, N_DOF, N_PAR, N_SIG, N_VARIABLES, PAR, SIG, TANGENT_KERNEL

NOT_PLACED = -1
"""In place of the begin in Contacts.map, of poses in coordinates."""
ONE = np.uint64(1)


def placing(module: ModuleType, blocks: Sequence[Block]) -> tuple[Array, Array]:
    """What a batch needs in Contacts.map, and the parameters of its contacts: weights of N, then c, (count, numbers)."""
    first = blocks[0]
    kinds = first.declaration.attachments.values()
    markers = [marker_of(first.declaration, kind, f) for kind, f in zip(kinds, first.families, strict=True)]
    columns = [
        {coordinate: before + k for k, coordinate in enumerate(marker.coordinates)}
        for marker, before in zip(markers, (0, len(markers[0].coordinates)), strict=True)
    ]
    begins, entries, parameters = [0], [], []
    for number, block in enumerate(blocks):
        at, offered = 0, []
        for marker, family in zip(markers, block.families, strict=True):
            own = block.parameters[:, at : at + len(marker.parameters)]
            offered.append(family.components(*(own.T if block.count > 1 else own[0])))
            at += len(marker.parameters)
        rows = [(side, offered[side][kind, *rest]) for kind, side, *rest in module.VARIABLES]
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
    numbers = range(max(len(module.VARIABLES), len(module.TANGENT)))
    return np.array([*map(len, parts), *begins, *entries, *pairs, *numbers]), np.concatenate(parameters)


@compiled
def gather(s, e, i, q, v, x, x_v):
    """x = c + N q and x' = N q' of contact i of a batch; what is on the ground stands still, as do single nodes of a sum."""
    b = s.contacts
    m, numbers, par, dof = (
        np.uint64(e[N_VARIABLES]),
        b.map,
        b.par,
        b.dof,
    )  # read once: what is stored may change the record
    begins, own, first = np.uint64(e[MAP] + 3), np.uint64(e[DOF] + e[N_DOF] * i), np.uint64(e[PAR] + e[N_PAR] * i)
    columns, constants = begins + m + ONE, first + np.uint64(e[N_PAR]) - m
    t = np.uint64(0)
    for k in range(m):
        total, rate, end = par[constants + k], 0.0, np.uint64(numbers[begins + k + ONE])
        while t < end:
            weight, at = par[first + t], np.uint64(dof[own + np.uint64(numbers[columns + t])])
            total += weight * q[at]
            rate += weight * v[at]
            t += ONE
        x[k], x_v[k] = total, rate


@compiled
def pairs_and_numbers(b, e):
    """Where the pairs of d twist/dx' begin in Contacts.map, and where 0, 1, 2, ... do."""
    begins = e[MAP] + 3
    pairs = begins + e[N_VARIABLES] + 1 + b.map[begins + e[N_VARIABLES]]
    return pairs, pairs + 2 * (b.map[e[MAP]] + b.map[e[MAP] + 1] + b.map[e[MAP] + 2])


@compiled
def placed_pose(s, w, e, i, q, v):
    """Pose of contact i of a batch, into w.pose, and the entries of d twist/dx' into w.place_twist."""
    b = s.contacts
    gather(s, e, i, q, v, w.place, w.place_v)
    sig, numbers = behind(b.sig, e[SIG] + e[N_SIG] * i), behind(b.map, pairs_and_numbers(b, e)[1])
    invoke(e[FRAME_KERNEL], (1, numbers, b.par, sig, w.place, w.place_v, w.u, w.pose, w.place_twist))


@compiled
def expand(b, e, i, rows, count, pairs, values, out):
    """The first rows in coordinates, of entries in variables, which are sorted by rows."""
    n, numbers, par = np.uint64(e[N_DOF]), b.map, b.par
    begins, first, at = np.uint64(e[MAP] + 3), np.uint64(e[PAR] + e[N_PAR] * i), np.uint64(pairs)
    columns = begins + np.uint64(e[N_VARIABLES]) + ONE
    for k in range(np.uint64(rows) * n):
        out[k] = 0.0
    for p in range(np.uint64(count)):
        row, variable, value = np.uint64(numbers[at]), np.uint64(numbers[at + ONE]), values[p]
        if row >= np.uint64(rows):
            break
        at += ONE + ONE
        row *= n
        t, end = np.uint64(numbers[begins + variable]), np.uint64(numbers[begins + variable + ONE])
        while t < end:
            out[row + np.uint64(numbers[columns + t])] += value * par[first + t]
            t += ONE


@compiled
def placed_twist(s, w, e, i, rows):
    """The first rows of twist_v, into w.twist; after placed_pose."""
    b = s.contacts
    expand(b, e, i, rows, b.map[e[MAP]], pairs_and_numbers(b, e)[0], w.place_twist, w.twist)


@compiled
def placed_tangent(s, w, e, i, rows, slot):
    """The first rows of twist_q into w.twist_q, and -Q_q of the wrench in w.wrench, added to w.kq; after placed_pose."""
    b, values, kq = s.contacts, w.place_bent, w.kq
    pairs, identity = pairs_and_numbers(b, e)
    pairs += 2 * b.map[e[MAP]]
    count, every, sig = b.map[e[MAP] + 2], behind(b.map, identity), behind(b.sig, e[SIG] + e[N_SIG] * i)
    for p in range(count):
        values[p] = 0.0
    invoke(e[TANGENT_KERNEL], (1, every, b.par, sig, every, w.place, w.place_v, w.u, w.wrench, w.place_twist, values))
    expand(b, e, i, rows, b.map[e[MAP] + 1], pairs, w.place_twist, w.twist_q)
    at = np.uint64(pairs + 2 * b.map[e[MAP] + 1])
    n, numbers, par = np.uint64(e[N_DOF]), b.map, b.par
    begins, first = np.uint64(e[MAP] + 3), np.uint64(e[PAR] + e[N_PAR] * i)
    columns = begins + np.uint64(e[N_VARIABLES]) + ONE
    for p in range(np.uint64(count)):
        row, column, value = np.uint64(numbers[at]), np.uint64(numbers[at + ONE]), values[p]
        at += ONE + ONE
        if value == 0.0:
            continue
        t, last = np.uint64(numbers[begins + row]), np.uint64(numbers[begins + row + ONE])
        start, end = np.uint64(numbers[begins + column]), np.uint64(numbers[begins + column + ONE])
        while t < last:
            line, weight, u = n * np.uint64(numbers[columns + t]), value * par[first + t], start
            while u < end:
                kq[slot[line + np.uint64(numbers[columns + u])]] += weight * par[first + u]
                u += ONE
            t += ONE


@compiled
def spread(s, w, c, total):
    """Add Q = twist_v^T w of the force and moment in w.wrench, at the state last touched."""
    b, wrench, dof = s.contacts, w.wrench, s.contacts.dof
    e, i = b.table[b.batch[c]], b.place[c]
    n, own = np.uint64(e[N_DOF]), np.uint64(e[DOF] + e[N_DOF] * i)
    rows = np.uint64(b.twist if b.radius[c] != 0.0 else b.dimension)  # a point has no moment
    if b.placed == 0 or e[MAP] == NOT_PLACED:
        twist = w.twist
        for j in range(n):
            force = 0.0
            for k in range(rows):
                force += twist[n * k + j] * wrench[k]
            total[dof[own + j]] += force
        return
    pull, values, numbers, par = w.place_bent, w.place_twist, b.map, b.par
    m, begins, first = np.uint64(e[N_VARIABLES]), np.uint64(e[MAP] + 3), np.uint64(e[PAR] + e[N_PAR] * i)
    columns, at = begins + m + ONE, np.uint64(pairs_and_numbers(b, e)[0])
    for k in range(m):
        pull[k] = 0.0
    for p in range(np.uint64(numbers[np.uint64(e[MAP])])):
        row = np.uint64(numbers[at])
        if row >= rows:
            break
        pull[np.uint64(numbers[at + ONE])] += values[p] * wrench[row]
        at += ONE + ONE
    t = np.uint64(0)
    for k in range(m):
        force, end = pull[k], np.uint64(numbers[begins + k + ONE])
        while t < end:
            total[dof[own + np.uint64(numbers[columns + t])]] += force * par[first + t]
            t += ONE
