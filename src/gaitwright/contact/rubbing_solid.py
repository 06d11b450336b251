"""A solid that rests at every instant and rubs: from the pose of the body that carries it to forces of the nodes that can
touch, with friction that sticks, creeps, slides and remembers (rubbing.py).

Strains are small in the frame of the body b, which may turn by any angle. What it touches is any surface of a frame a: a plane,
a sphere, heights, a mesh. The pose is c, the origin of b as a sees it, and m, its axes as columns: x = (c, m).

    place of node i = c + m (X_i + u_i)        u = C f        F_i = m f_i

    Q_c = sum F_i        Q_m = sum F_i (X_i + u_i)^T

A curved surface is replaced by its tangent planes where the nodes are, again and again until these stay. The memory is where
nodes stood on the surface at the end of the last step, in the frame of a, so that a belt takes them along. It
has an energy, elastic; what is lost besides is the work of nodes that slide. The tangent on a plane is exact (rubbing_faces.py)
with those nodes sticking and sliding that do; on curved surfaces it is found by differences.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.contact.rubbing import Rubbed, rub, rubbed
from gaitwright.contact.rubbing_faces import FLAT, NUDGE, face, look, stiffness_on_plane
from gaitwright.contact.rubbing_newton import SET
from gaitwright.derive.library import kernel_module
from gaitwright.physics.declare import Family, Shape
from gaitwright.system.batches import compiled_kernel
from gaitwright.system.invoke import viewer
from gaitwright.system.look_up import look_up_address
from gaitwright.system.packed import Integer, Longs, Packed, Reals, Reals2
from gaitwright.system.solids.settling import (
    ASKED,
    BEGIN,
    FAILED,
    FORCE,
    GAP,
    KEEP,
    LOSS,
    POINTER,
    SOLVED,
    STIFFNESS,
    TALLIES,
    Answers,
)
from gaitwright.system.tables import Array

ROUNDS, STEADY = 60, 1e-11
"""How often tangent planes are taken, and the change of displacements, by the size of the solid, that counts as none."""


class Rubbing(Packed):
    """A solid that rubs, and what is kept between calls."""

    soft: Rubbed
    d: Integer
    size: Reals  # of the solid, m
    friction: Reals  # mu
    surface: Longs
    shape: Reals  # numbers of the surface, with room for what it looks up
    field: Reals  # what it looks up
    at: Reals  # room: a place
    seen: Reals  # room: what a surface tells
    stood: Reals2  # (nodes, d) where nodes stood at the begin of the step, in the frame of a
    above: Reals  # and how far from the surface
    known: Reals  # pose, then V, V_x and V_xx there
    answered: Longs
    before: Reals2  # room: displacements
    held: Reals2  # room: forces
    tally: Longs
    lost: Reals  # J, since the begin
    room: Reals


as_rubbing = viewer(Rubbing.packed_type)


@compiled
def settle_at(p, x):
    """The forces at a pose; False where they are not found."""
    s, nodes, d = p.soft, p.soft.X.shape[0], p.d
    for _ in range(ROUNDS):
        for i in range(nodes):
            for a in range(d):
                p.before[i, a] = s.u[i, a]
        face(p, x)
        if rub(s, p.friction[0]) < 0:
            return False
        change = 0.0
        for i in range(nodes):
            for a in range(d):
                change = max(change, abs(s.u[i, a] - p.before[i, a]))
        if p.surface[FLAT] != 0 or change <= STEADY * p.size[0]:
            return True
    return False


@compiled
def answer(p, x, out):
    """V and V_x at the forces that are known."""
    s, d = p.soft, p.d
    for k in range(1 + d + d * d):
        out[k] = 0.0
    for c in range(s.count[SET]):
        i = s.active[c]
        for k in range(d):
            out[0] += 0.5 * s.f[i, k] * s.u[i, k]
            force = 0.0
            for a in range(d):
                force += x[d + d * k + a] * s.f[i, a]
            out[1 + k] -= force
            for l in range(d):
                out[1 + d + d * k + l] -= force * (s.X[i, l] + s.u[i, l])


@compiled
def slid(p):
    """Work of nodes that slide since the begin of the step, with the forces of now, J."""
    s, d, total = p.soft, p.d, 0.0
    for c in range(s.count[SET]):
        i = s.active[c]
        gap, push = 0.0, 0.0
        for a in range(d):
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
            push += s.n[i, a] * s.f[i, a]
        for a in range(d):
            along = s.e0[i, a] + s.u[i, a] - gap * s.n[i, a]
            total -= (s.f[i, a] - push * s.n[i, a]) * along
    return total


@compiled
def save(p, back):
    """Keep forces and displacements, or take them back."""
    s = p.soft
    for i in range(s.f.shape[0]):
        for a in range(p.d):
            if back:
                s.f[i, a], s.u[i, a] = p.held[i, a], p.held[i, p.d + a]
            else:
                p.held[i, a], p.held[i, p.d + a] = s.f[i, a], s.u[i, a]


@compiled
def differ(p, x, out):
    """V_xx by differences, around the forces that are known; False where these are not found again."""
    d, n_x, base, more = p.d, p.d + p.d * p.d, p.known[p.d + p.d * p.d :], p.room
    save(p, False)
    for j in range(n_x):
        step = NUDGE * (p.size[0] if j < d else 1.0)
        kept = x[j]
        x[j] = kept + step
        good = settle_at(p, x)
        answer(p, x, more)
        x[j] = kept
        for r in range(n_x):
            out[n_x * r + j] = (more[1 + r] - base[1 + r]) / step if good else math.nan
        save(p, True)
    return settle_at(p, x)


@compiled
def losing(p, x, out):
    """The power that is lost, W, by what nodes slide in a short time. x: pose, then its rate."""
    s, d = p.soft, p.d
    n_x, fast = d + d * d, 0.0
    for k in range(n_x):
        fast = max(fast, abs(x[n_x + k]) / (p.size[0] if k < d else 1.0))
    if fast == 0.0 or s.count[SET] == 0:
        return 0.0
    short, total = NUDGE / fast, 0.0
    save(p, False)
    pushes = p.before  # along the surface
    for i in range(s.f.shape[0]):
        push, gap = 0.0, 0.0
        for a in range(d):
            push += s.n[i, a] * s.f[i, a]
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
        for a in range(d):
            along = s.f[i, a] - push * s.n[i, a]
            total += along * (s.e0[i, a] + s.u[i, a] - gap * s.n[i, a])
            pushes[i, a] = along
    for k in range(n_x):
        out[k] = x[k] + short * x[n_x + k]
    face(p, out)
    good = rub(s, p.friction[0]) >= 0
    for i in range(s.f.shape[0]):
        gap = 0.0
        for a in range(d):
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
        for a in range(d):
            total -= pushes[i, a] * (s.e0[i, a] + s.u[i, a] - gap * s.n[i, a])
    save(p, True)
    return total / short if good else math.nan


@compiled
def stand(p, x, moved):
    """Nodes stand where they are: the begin of a step."""
    s, d = p.soft, p.d
    for i in range(s.X.shape[0]):
        look(p, x, i, moved)
        size = 0.0
        for a in range(d):
            size += abs(s.f[i, a])
        gap = p.seen[0]
        for k in range(d):
            p.stood[i, k] = p.at[k] - gap * p.seen[2 + k]
        p.above[i] = 0.0 if size > 0.0 else max(gap, 0.0)


@compiled
def nearest(p, x, out):
    """The smallest gap of the undeformed solid, its derivatives in the pose, and the size of the solid."""
    d, best = p.d, math.inf
    for i in range(p.soft.X.shape[0]):
        look(p, x, i, False)
        if p.seen[0] < best:
            best = out[0] = p.seen[0]
            for k in range(d):
                out[1 + k] = p.seen[2 + d + k]
                for l in range(d):
                    out[1 + d + d * k + l] = p.seen[2 + d + k] * p.soft.X[i, l]
    out[1 + d + d * d] = p.size[0]
    return best


def settle_rubbing(what, data, x, out):
    p = as_rubbing(data)
    d, known, s = p.d, p.known, p.soft
    n_x = d + d * d
    if what == GAP:
        nearest(p, x, out)
        return
    if what == BEGIN:
        for i in range(s.f.shape[0]):
            for a in range(d):
                s.f[i, a] = s.u[i, a] = 0.0
        stand(p, x, False)
        p.answered[0], p.lost[0] = -1, 0.0
        return
    p.tally[ASKED] += 1
    same = p.answered[0] >= FORCE
    for k in range(n_x):
        same = same and known[k] == x[k]
        known[k] = x[k]
    if not same:
        p.tally[SOLVED] += 1
        good = settle_at(p, x)
        p.answered[0] = FORCE if good else -1
        if good:
            answer(p, x, known[n_x:])
        else:
            p.tally[FAILED] += 1
            known[n_x:] = math.nan
            s.f[:] = 0.0
            s.u[:] = 0.0
    if what == KEEP:
        if p.answered[0] >= FORCE:
            p.lost[0] += slid(p)
            stand(p, x, True)
        return
    if what == STIFFNESS and p.answered[0] == FORCE:
        matrix = known[2 * n_x + 1 :]
        good = p.surface[FLAT] != 0 and stiffness_on_plane(p, x, matrix)
        p.answered[0] = STIFFNESS if good or differ(p, x, matrix) else -1
    if what == LOSS:
        out[1] = losing(p, x, out)
        for k in range(d):
            out[2 + k] = known[n_x + 1 + k]
        out[0] = known[n_x]
        face(p, x)
        return
    for k in range(1 + n_x + (n_x * n_x if what == STIFFNESS else 0)):
        out[k] = known[n_x + k]


@functools.cache
def settle_rubbing_call() -> Any:
    """The compiled function, in memory as long as its address may be in use."""
    return compiled_pointer(settle_rubbing, types.void(types.int64, types.int64, POINTER, POINTER))


class Ground(NamedTuple):
    """What is touched: a kind of surface, its numbers (points touch: a radius of zero), and the table that it looks up."""

    shape: type[Shape]
    numbers: Sequence[float]
    family: type[Family]
    field: Any = None


class RubbingSolid(Answers):
    """compliance: C, (nodes, nodes, d, d), m/N. places: X, (nodes, d), m. areas: of the surface around each node, m^2."""

    def __init__(self, compliance: Array, places: Array, areas: Array, ground: Ground, friction: float):
        n, d = places.shape
        n_x = d + d * d
        module = kernel_module(ground.shape, (ground.family,))
        looked = 0 if ground.field is None else look_up_address(ground.field.look_up)
        address = compiled_kernel(module, "surface").address
        self.dimension, self.areas, self.friction = d, areas, friction
        self.record = Rubbing(
            soft=rubbed(compliance, np.ascontiguousarray(places, dtype=float)), d=d,
            size=np.array([float(np.linalg.norm(np.ptp(places, axis=0)))]), friction=np.array([friction]),
            surface=np.array([address, looked, ground.shape.name == "plane", len(ground.numbers)]),
            shape=np.pad(np.array(ground.numbers, dtype=float), (0, max(module.N_PAR - len(ground.numbers), 0))),
            field=np.zeros(1) if ground.field is None else np.ascontiguousarray(ground.field.numbers), at=d, seen=2 + 2 * d,
            stood=np.zeros((n, d)), above=np.zeros(n), known=2 * n_x + 1 + n_x**2, answered=np.array([-1]),
            before=np.zeros((n, d)), held=np.zeros((n, 2 * d)), tally=len(TALLIES), lost=1,
            room=1 + n_x,
        )  # fmt: skip

    def call(self) -> Any:
        return settle_rubbing_call()

    @property
    def width(self) -> int:
        return self.dimension + self.dimension**2

    @property
    def forces(self) -> Array:
        """Of the nodes that can touch, in the frame of the body, at the pose that was asked for last, (nodes, d), N."""
        return self.record.soft.f

    @property
    def moved(self) -> Array:
        """Displacements of these nodes, (nodes, d), m."""
        return self.record.soft.u
