"""Poses in the variables of markers: position and axes of two places, which are linear in the coordinates of their bodies.

    x = c + N q        Q = N^T Q_x        twist_v = twist_x' N        K = N^T K_x N

So one kernel serves bodies of space of every kind, and a place that is a weighted sum of nodes is nothing special. N has the
same entries for all contacts of a batch; its weights and c are the parameters of each. Contacts.map holds, per batch, the
numbers of entries of d twist/dx', d twist/dx and K_x, the rows of N (begins, then columns), and the entries of the three
matrices as pairs.
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
from gaitwright.system.touch import (
    DOF,
    FRAME_KERNEL,
    MAP,
    N_DOF,
    N_PAR,
    N_SIG,
    N_VARIABLES,
    PAR,
    PRESS_KERNEL,
    SIG,
    TANGENT_KERNEL,
)

NOT_PLACED = -1
"""In place of the begin in Contacts.map, of poses in coordinates."""
ONE = np.uint64(1)


def placing(module: ModuleType, blocks: Sequence[Block], dof: Array, ground: int) -> tuple[Array, Array, Array]:
    """What a batch needs in Contacts.map; the parameters of its contacts: weights of N, then c, (count, numbers); and their
    coordinates. Where all of them are on the ground, which is the coordinate `ground`, N has no columns: nothing moves."""
    first = blocks[0]
    kinds = first.declaration.attachments.values()
    markers = [marker_of(first.declaration, kind, f) for kind, f in zip(kinds, first.families, strict=True)]
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
def first_pair(b, e):
    """Where the pairs of d twist/dx' begin in Contacts.map."""
    begins = e[MAP] + 3
    return begins + e[N_VARIABLES] + 1 + b.map[begins + e[N_VARIABLES]]


@compiled
def placed_pose(s, w, e, i, q, v):
    """Pose of contact i of a batch, into w.pose."""
    b = s.contacts
    gather(s, e, i, q, v, w.place, w.place_v)
    invoke(e[FRAME_KERNEL], (1, behind(b.sig, e[SIG] + e[N_SIG] * i), w.u, w.place, w.place_v, w.pose))


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
def placed_tangent(s, w, e, i, rows, slot):
    """The first rows of twist_v and twist_q into w.twist and w.twist_q, and -Q_q of the wrench in w.wrench, added to w.kq;
    after placed_pose."""
    b, values, kq = s.contacts, w.place_bent, w.kq
    pairs, by_v, by_q, count = first_pair(b, e), b.map[e[MAP]], b.map[e[MAP] + 1], b.map[e[MAP] + 2]
    sig = behind(b.sig, e[SIG] + e[N_SIG] * i)
    invoke(e[TANGENT_KERNEL], (1, sig, w.u, w.place, w.place_v, w.wrench, w.place_twist, values))
    expand(b, e, i, rows, by_v, pairs, behind(w.place_twist, 0), w.twist)
    expand(b, e, i, rows, by_q, pairs + 2 * by_v, behind(w.place_twist, by_v), w.twist_q)
    at = np.uint64(pairs + 2 * (by_v + by_q))
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
    if b.placed == 0 or e[MAP] == NOT_PLACED:
        twist, rows = w.twist, np.uint64(b.twist if b.radius[c] != 0.0 else b.dimension)  # a point has no moment
        for j in range(n):
            force = 0.0
            for k in range(rows):
                force += twist[n * k + j] * wrench[k]
            total[dof[own + j]] += force
        return
    pull, numbers, par = w.place_bent, b.map, b.par
    invoke(e[PRESS_KERNEL], (1, behind(b.sig, e[SIG] + e[N_SIG] * i), w.u, w.place, wrench, pull))
    m, begins, first = np.uint64(e[N_VARIABLES]), np.uint64(e[MAP] + 3), np.uint64(e[PAR] + e[N_PAR] * i)
    columns, t = begins + m + ONE, np.uint64(0)
    for k in range(m):
        force, end = pull[k], np.uint64(numbers[begins + k + ONE])
        while t < end:
            total[dof[own + np.uint64(numbers[columns + t])]] += force * par[first + t]
            t += ONE
