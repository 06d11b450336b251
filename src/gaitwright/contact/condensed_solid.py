"""A solid that rests at every instant, condensed to the nodes that can touch: what system/solids/settling.py finds by Newton's
method on all nodes, from compliances alone. Strains are small in the frame of the body that
carries it, which may turn by any angle.

    V(x) = max_f -f . g0 - f . A f / 2,  f >= 0        g0_i = c + m . X_i        A_ij = m . C_ij m        x = (c, m)

with the forces f of the nodes by an active set (active_set.py). With v_i = sum_j f_j (C_ij + C_ij^T) / 2 and V' = sum f_i v_i

    V_c = -sum f_i        V_m = -sum f_i X_i - V' m        V_xx = G^T A_aa^-1 G - (0, V')        G_i = (1, X_i + 2 v_i m)

Nothing penetrates. It answers the same questions in the same way: the force between bodies does not know which it is.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from gaitwright.checks import At
from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.contact.active_set import COUNT, READY, Soft, entry, soft, solve_active, swayed, touching
from gaitwright.mesh.measure import side_shares, summed
from gaitwright.mesh.mesh import Mesh
from gaitwright.system.invoke import viewer
from gaitwright.system.packed import Integer, Longs, Packed, Reals, Reals2
from gaitwright.system.parts.solid import Filling
from gaitwright.system.solids.condensation import Condensation
from gaitwright.system.solids.geometry import HELD
from gaitwright.system.solids.settling import ASKED, FAILED, FORCE, GAP, POINTER, SOLVED, STIFFNESS, TALLIES, Answers
from gaitwright.system.tables import Array


class Compliant(Packed):
    """A condensed solid on a plane, and what is kept between calls."""

    soft: Soft
    d: Integer
    size: Reals
    copies: Reals
    known: Reals  # plane, then V, V_x and V_xx there
    answered: Longs
    rows: Reals2  # G by columns, (d + 1, nodes)
    room: Reals
    sway: Reals  # V'
    tally: Longs


as_compliant = viewer(Compliant.packed_type)


@compiled
def face(s, x):
    """Turn the normals and set the gaps; the smallest gap and its node."""
    nodes, d = s.X.shape
    turned = s.sizes[READY] == 0
    for a in range(d):
        turned = turned or x[1 + a] != s.n[0, a]
    best, found = math.inf, 0
    for i in range(nodes):
        gap = x[0]
        for a in range(d):
            s.n[i, a] = x[1 + a]
            gap += x[1 + a] * s.X[i, a]
        s.g0[i] = gap
        if gap < best:
            best, found = gap, i
    if turned:
        s.sizes[READY] = 0
        for a in range(d):
            s.square[a] = x[1 + a] * x[1 + a]
        for a in range(s.square.size - d):
            s.square[d + a] = x[1 + a] * x[1 + (a + 1) % d]
        for i in range(nodes):
            s.own[i] = entry(s, True, i, i)
    return best, found


@compiled
def symmetric(sums, d, a, b):
    """An entry of v from the sums of active_set.swayed."""
    if a == b:
        return sums[a]
    if d == 2:
        return 0.5 * sums[2]
    return 0.5 * sums[3 + (a if (a + 1) % 3 == b else b)]


@compiled
def answer(p, x, stiffness):
    """V, V_x and, if asked, V_xx into p.known; False where no set of nodes is found."""
    s, d, n_x = p.soft, p.d, p.d + 1
    known, sway, rows, room = p.known, p.sway, p.rows, p.room
    known[n_x:] = 0.0
    sway[:] = 0.0
    if touching(s, True) < 0:
        return False
    count = s.sizes[COUNT]
    for k in range(count):
        i, f = s.active[k], s.x[k]
        swayed(s, i, s.sway[i])
        known[n_x] -= 0.5 * f * s.g0[i]
        known[n_x + 1] -= f
        rows[0, k] = 1.0
        for a in range(d):
            known[n_x + 2 + a] -= f * s.X[i, a]
            lever = s.X[i, a]
            for b in range(d):
                v = symmetric(s.sway[i], d, a, b)
                sway[d * a + b] += f * v
                lever += 2.0 * v * x[1 + b]
            rows[1 + a, k] = lever
    for a in range(d):
        for b in range(d):
            known[n_x + 2 + a] -= sway[d * a + b] * x[1 + b]
    if stiffness:
        first = 2 * n_x + 1
        for r in range(n_x):
            for k in range(count):
                room[k] = rows[r, k]
            solve_active(s, room)
            for q in range(n_x):
                total = 0.0
                for k in range(count):
                    total += rows[q, k] * room[k]
                known[first + n_x * r + q] = total - (sway[d * (r - 1) + q - 1] if r > 0 and q > 0 else 0.0)
    return True


def settle_condensed(what, data, x, out):
    p = as_compliant(data)
    n_x, known, same = p.d + 1, p.known, True
    if what == GAP:
        gap, node = face(p.soft, x)
        p.answered[0] = -1  # the gaps of the set are those of this plane now
        out[0], out[1] = gap, 1.0
        for a in range(p.d):
            out[2 + a] = p.soft.X[node, a]
        out[1 + n_x] = p.size[0]
        return
    p.tally[ASKED] += 1
    for k in range(n_x):
        same = same and known[k] == x[k]
        known[k] = x[k]
    if not (same and p.answered[0] >= what):
        gap, _ = face(p.soft, x)
        if gap < 0.0:
            p.tally[SOLVED] += 1
        p.answered[0] = what
        if not answer(p, x, what == STIFFNESS):
            p.answered[0] = -1
            p.tally[FAILED] += 1
            known[n_x:] = math.nan
    for k in range(known.size - n_x):
        out[k] = p.copies[0] * known[n_x + k]


@functools.cache
def settle_condensed_call() -> Any:
    """The compiled function, in memory as long as its address may be in use."""
    return compiled_pointer(settle_condensed, types.void(types.int64, types.int64, POINTER, POINTER))


class CondensedSolid(Answers):
    """number: (nodes, d), HELD where a displacement is held. sides: of the surface that can touch."""

    def __init__(
        self, mesh: Mesh, fillings: Sequence[Filling], number: Array, sides: Array, thickness: float = 1.0, copies: float = 1.0
    ):  # fmt: skip
        from scipy.linalg import cho_factor, cho_solve

        held = number == HELD
        kept = np.unique(sides)
        self.nodes = kept[~held[kept].all(axis=1)]
        at = At("quasi_static.condensed")
        self.condensation = Condensation(mesh.nodes, fillings, held, self.nodes, at=at)
        own, d = self.condensation.number, mesh.dimension
        C = cho_solve(cho_factor(self.condensation.stiffness), np.eye(self.condensation.size))
        padded = np.pad(0.5 * (C + C.T), (0, 1))  # HELD is the last row, which is zero
        self.compliance = padded[own[:, None, :, None], own[None, :, None, :]]
        self.dimension, self.places = d, mesh.nodes[self.nodes]
        shares = summed(sides.ravel(), side_shares(mesh.nodes, sides).ravel(), len(mesh.nodes))[self.nodes]
        self.areas = shares * (thickness if d == 2 else 1.0)
        n, n_x = len(self.nodes), d + 1
        self.record = Compliant(
            soft=soft(np.ascontiguousarray(self.compliance), np.ascontiguousarray(self.places)), d=d,
            size=np.array([float(np.linalg.norm(np.ptp(mesh.nodes, axis=0)))]), copies=np.array([copies]),
            known=2 * n_x + 1 + n_x**2, answered=np.array([-1]), rows=(n_x, n), room=n, sway=d * d, tally=len(TALLIES),
        )  # fmt: skip

    def call(self) -> Any:
        return settle_condensed_call()

    def displacements(self, x: Sequence[float] | Array) -> Array:
        """Of all nodes, those inside recovered."""
        push = self.forces(x)[:, None] * np.asarray(x, dtype=float)[1:]
        moved = np.einsum("ijab,jb->ia", self.compliance, push)
        own = self.condensation.number
        u = np.zeros(self.condensation.size)
        u[own[own != HELD]] = moved[own != HELD]
        return self.condensation.displacements(u)

    def forces(self, x: Sequence[float] | Array) -> Array:
        """Of the nodes that can touch, N."""
        self.ask(x, FORCE)
        self.record.answered[0] = -1
        self.ask(x, FORCE)
        return self.record.soft.force.copy()

    def pressures(self, x: Sequence[float] | Array) -> Array:
        return self.forces(x) / np.where(self.areas > 0.0, self.areas, np.nan)
