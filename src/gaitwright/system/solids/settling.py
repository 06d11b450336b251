"""A solid at rest in a half-space: where its nodes come to rest when a plane is pressed into it, and what that takes.

The solid is still and the plane moves (Eq 5.13 to 5.18 of paper 004). Some of its nodes are held; the others are where

    V(x) = min_u W(u) + contact(u, x)        x = (c, m), the plane in the frame of the solid

By the envelope theorem V_x is that of the contact alone, and V_xx = contact_xx - contact_ux^T K^-1 contact_ux. So what the
solid exerts on whatever carries it has a potential, and energies close, however the time steps are chosen.

Newton's steps on u begin from the last solution and are shortened until V falls, which also keeps every element from turning
inside out. All of it is compiled and called through an address: `settle(what, data, x, out)` writes V, V_x and, if asked, V_xx;
not numbers where there is no equilibrium, so that a time step is tried shorter.
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.system.batch_calls import energies_of, forces_of, tangents_of
from gaitwright.system.blocks import Block
from gaitwright.system.build import build
from gaitwright.system.evaluate import Work, workspace
from gaitwright.system.invoke import viewer
from gaitwright.system.kkt import Kkt, factor, fill_tangent, kkt, solve
from gaitwright.system.packed import Integer, Longs, Packed, Reals
from gaitwright.system.solids.kernels import force_of
from gaitwright.system.solids.pressing import Sides, add_pose_terms, pressing_module
from gaitwright.system.tables import Array, System

FORCE, STIFFNESS, GAP, LOSS, KEEP, BEGIN = range(6)
"""What is asked: V and V_x; V_xx, too; or how far the undeformed solid is from the plane, its derivatives in x, and
the size of the solid, m. Of a solid that rubs also V and the power that is lost, with x' behind x; to remember x as the end
of a step; and to begin there, with nothing remembered."""
ASKED, SOLVED, NEWTON, FACTORISED, FAILED = range(5)
"""Tallies: evaluations, those that had to be solved, Newton's steps, factorisations, and poses without an equilibrium."""
TALLIES = ("evaluations", "solved", "newton", "factorisations", "failures")
MOST = 40
"""Newton's steps for one pose."""
RESTING = 1e-10
"""Last step of Newton's, in sizes of the solid. It converges quadratically, so that what is left is far less."""
FLAT = 1e-10
"""Part of V below which what a step gains of it is not seen: gaps are differences of places, and V shows their rounding."""
RAMP = 8
"""Parts in which the plane moves in where it cannot at once."""
LEAST = 1e-4
"""Smallest part of a step that is tried."""
ENOUGH = 1e-4
"""Of the work that forces offer, what a step must take from V: Armijo's condition, Nocedal and Wright, 3.1."""


class Settled(Packed):
    """A solid on a plane. u: displacements, the last known equilibrium; x: its plane. copies: how many such solids there
    are."""

    system: System
    work: Work
    kkt: Kkt
    d: Integer
    n: Integer  # nodes of a side
    points: Integer
    sides: Integer
    shares: Reals
    dof: Longs
    par: Reals
    places: Reals  # of nodes that can touch, undeformed
    size: Reals  # one number: of the solid, m
    copies: Reals
    u: Reals
    trial: Reals
    still: Reals
    plane: Reals
    known: Reals  # plane, then V, V_x and V_xx there
    answered: Longs  # what of it is known: -1 nothing
    slope: Reals
    curvature: Reals
    mixed: Reals
    tally: Longs


as_settled = viewer(Settled.packed_type)


@compiled
def lowest(p, x):
    """Which node that can touch is nearest to the plane, or deepest."""
    best, found, d = math.inf, 0, p.d
    for k in range(p.places.size // d):
        g = x[0]
        for i in range(d):
            g += x[1 + i] * p.places[d * k + i]
        if g < best:
            best, found = g, k
    return best, found


@compiled
def potential(p, q):
    """V of displacements, J; infinite where an element is inside out."""
    w, total = p.work, 0.0
    energies_of(p.system.forces, q, p.still, p.plane, w.energy)
    for k in range(w.energy.size // 3):
        total += w.energy[3 * k]
    return total if math.isfinite(total) else math.inf


@compiled
def linearise(p):
    """Factorise K at u; False where it has no factors."""
    s, w = p.system, p.work
    w.kq[:] = 0.0
    tangents_of(s.forces, p.u, p.still, p.plane, w.kq, w.kv)
    w.kq[s.k_row.size] = 0.0
    fill_tangent(s, w, p.kkt, 0.0, 1.0)
    p.tally[FACTORISED] += 1
    return factor(p.kkt) < 0


@compiled
def relax(p):
    """Newton's steps to the equilibrium on the plane; False if there is none to be found."""
    s, w, n = p.system, p.work, p.system.n
    before = potential(p, p.u)
    if before == math.inf:
        return False
    for _ in range(MOST):
        w.force[:] = 0.0
        forces_of(s.forces, p.u, p.still, p.plane, w.force)
        if not linearise(p):
            return False
        work = 0.0
        for i in range(n):
            p.kkt.rhs[i] = w.force[i]
        solve(p.kkt)
        length = 0.0
        for i in range(n):
            length = max(length, abs(p.kkt.rhs[i]))
            work += p.kkt.rhs[i] * w.force[i]
        p.tally[NEWTON] += 1
        if not math.isfinite(work):
            return False
        part, end = 1.0, length <= RESTING * p.size[0]
        near = end or abs(work) <= FLAT * abs(before)
        while True:
            for i in range(n):
                p.trial[i] = p.u[i] + part * p.kkt.rhs[i]
            after = potential(p, p.trial)
            if after <= before - ENOUGH * part * work or (near and after < math.inf):
                break
            part *= 0.5
            if part < LEAST:
                return False
        for i in range(n):
            p.u[i] = p.trial[i]
        before = after
        if end:
            return True
    return False


@compiled
def rest_on(p, x):
    """The equilibrium on a plane that is in the solid: from the last one, or with the plane moving in part by part."""
    for k in range(p.d + 1):
        p.plane[k] = x[k]
    if relax(p):
        return True
    p.u[:] = 0.0
    depth, _ = lowest(p, x)
    for k in range(1, RAMP + 1):
        p.plane[0] = x[0] - depth * (RAMP - k) / RAMP
        if not relax(p):
            p.u[:] = 0.0
            p.tally[FAILED] += 1
            return False
    return True


@compiled
def pose_terms(p, stiffness):
    """V, V_x and, if asked, V_xx of the solid that rests, into p.known."""
    n_x, n, width = p.d + 1, p.system.n, p.system.n + 1
    p.slope[:] = 0.0
    p.curvature[:] = 0.0
    p.mixed[:] = 0.0
    add_pose_terms(
        p.d, p.n, p.points, p.sides, p.shares, p.dof, p.par, p.u, p.plane, p.slope, p.curvature, p.mixed, width
    )
    p.known[n_x] = potential(p, p.u)
    for r in range(n_x):
        p.known[n_x + 1 + r] = p.slope[r]
    if stiffness:
        if not linearise(p):
            return False
        for s in range(n_x):
            for i in range(n):
                p.kkt.rhs[i] = p.mixed[width * s + i]
            solve(p.kkt)
            for r in range(n_x):
                total = p.curvature[n_x * r + s]
                for i in range(n):
                    total -= p.mixed[width * r + i] * p.kkt.rhs[i]
                p.known[2 * n_x + 1 + n_x * r + s] = total
    return True


@compiled
def same_plane(p, x):
    same = True
    for k in range(p.d + 1):
        same = same and p.known[k] == x[k]
    return same


def settle(what, data, x, out):
    p = as_settled(data)
    n_x = p.d + 1
    if what == GAP:
        gap, node = lowest(p, x)
        out[0], out[1] = gap, 1.0
        for i in range(p.d):
            out[2 + i] = p.places[p.d * node + i]
        out[1 + n_x] = p.size[0]
        return
    p.tally[ASKED] += 1
    if not (same_plane(p, x) and p.answered[0] >= what):
        again = same_plane(p, x) and p.answered[0] >= FORCE
        good = True
        for k in range(n_x):
            p.known[k] = x[k]
        if not again and lowest(p, x)[0] >= 0.0:
            p.u[:] = 0.0
            for k in range(n_x, p.known.size):
                p.known[k] = 0.0
            p.answered[0] = STIFFNESS
        else:
            if not again:
                p.tally[SOLVED] += 1
                good = rest_on(p, x)
            good = good and pose_terms(p, what == STIFFNESS)
            p.answered[0] = what if good else -1
        if not good:
            for k in range(n_x, p.known.size):
                p.known[k] = math.nan
    for k in range(p.known.size - n_x):
        out[k] = p.copies[0] * p.known[n_x + k]


POINTER, _DOUBLES = types.CPointer(types.float64), ctypes.POINTER(ctypes.c_double)


@functools.cache
def settle_call() -> Any:
    """The compiled function, in memory as long as its address may be in use."""
    return compiled_pointer(settle, types.void(types.int64, types.int64, POINTER, POINTER))


class Answer(NamedTuple):
    """energy: V, J. slope: V_x, N and N m. stiffness: V_xx; None if not asked."""

    energy: float
    slope: Array
    stiffness: Array | None


class Answers:
    """What answers through an address. dimension, record: see Settled; areas: of the points that can touch, m^2."""

    dimension: int
    record: Any
    areas: Array

    def call(self) -> Any:
        """The compiled function."""
        raise NotImplementedError

    def displacements(self, x: Sequence[float] | Array) -> Array:
        """Where the nodes rest on a plane, (nodes, d), m."""
        raise NotImplementedError

    def pressures(self, x: Sequence[float] | Array) -> Array:
        """At the points that can touch, Pa, by undeformed area."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """Numbers of a plane, or of whatever it is asked at."""
        return self.dimension + 1

    @property
    def addresses(self) -> tuple[float, float]:
        """Of the function and of what it works on: numbers of an element. Exact, being far below 2^53."""
        return float(self.call().address), float(self.record.address)

    def ask(self, x: Sequence[float] | Array, what: int = STIFFNESS) -> Answer:
        """V and its derivatives on a plane x = (c, m)."""
        n_x = self.width
        given, out = np.ascontiguousarray(x, dtype=float), np.zeros(1 + n_x + n_x**2)
        self.call().ctypes(what, self.record.address, given.ctypes.data_as(_DOUBLES), out.ctypes.data_as(_DOUBLES))
        matrix = out[1 + n_x :].reshape(n_x, n_x).copy() if what == STIFFNESS else None
        return Answer(float(out[0]), out[1 : 1 + n_x].copy(), matrix)

    @property
    def tally(self) -> dict[str, int]:
        """What it took so far."""
        return dict(zip(TALLIES, map(int, self.record.tally), strict=True))


class Settling(Answers):
    """A solid with all its nodes. at_nodes: (nodes, d), which unknown each displacement is, -1 for held ones."""

    def __init__(self, blocks: Sequence[Block], sides: Sides, places: Array, at_nodes: Array, copies: float = 1.0):
        n, d = int(at_nodes.max()) + 1, places.shape[1]
        dof = at_nodes[sides.nodes].reshape(len(sides.nodes), -1)
        pressing = Block(force_of(pressing_module(d, sides.values)), (), dof, sides.parameters)
        nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
        s = build(n, nothing, [], [*blocks, pressing], [])
        self.dimension, self.n, self.sides = d, n, sides
        self.places, self.at_nodes, self.areas = places, at_nodes, sides.areas.ravel()
        can_touch = np.unique(sides.nodes)
        self.record = Settled(
            system=s, work=workspace(s), kkt=kkt(s, tangent=True), d=d, n=sides.nodes.shape[1], points=len(sides.values),
            sides=len(sides.nodes), shares=sides.points.ravel(), dof=np.where(dof < 0, n, dof).ravel(),
            par=np.ascontiguousarray(sides.parameters).ravel(), places=places[can_touch].ravel(),
            size=np.array([float(np.linalg.norm(np.ptp(places, axis=0)))]), copies=np.array([copies]),
            u=n + 1, trial=n + 1, still=n + 1, plane=d + 1, known=2 * (d + 1) + 1 + (d + 1) ** 2,
            answered=np.array([-1]), slope=d + 1, curvature=(d + 1) ** 2, mixed=(d + 1) * (n + 1), tally=len(TALLIES),
        )  # fmt: skip

    def call(self) -> Any:
        return settle_call()

    def displacements(self, x: Sequence[float] | Array) -> Array:
        self.ask(x, FORCE)
        return np.append(np.array(self.record.u[: self.n]), 0.0)[self.at_nodes]

    def pressures(self, x: Sequence[float] | Array) -> Array:
        moved = (self.places + self.displacements(x))[self.sides.nodes]
        gaps = x[0] + np.einsum("pa,sai,i->sp", self.sides.points, moved, np.asarray(x, dtype=float)[1:])
        weights = self.sides.parameters[:, : len(self.sides.values)]
        return (weights * np.maximum(-gaps, 0.0) / self.sides.areas).ravel()
