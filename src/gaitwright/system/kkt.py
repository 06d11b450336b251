"""The saddle-point systems that the analyses solve, each as one fill, one factorisation and one solution.

    [ W      Phi_q^T ]
    [ Phi_q  0       ]

Kkt has W = M (index-1 motion, projection), a weight (assembly) or a tangent (generalized-alpha). Where M is singular, it is
braced: system/brace.py. All stages of an implicit method at once: system/stages.py.
"""

from __future__ import annotations

import functools
import weakref
from typing import NamedTuple

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system import elimination
from gaitwright.system.brace import (
    Brace,
    add_brace,
    brace,
    brace_pattern,
    brace_rhs,
    brace_tables,
    fresh_brace,
    loose_turn,
    no_brace,
)
from gaitwright.system.build import compile_tangents
from gaitwright.system.elimination import (
    Elimination,
    factor_general,
    factor_symmetric,
    solve_general,
    solve_symmetric,
)
from gaitwright.system.evaluate import clear, forces, motion, signals_at
from gaitwright.system.packed import Flag, Packed, Reals, Slots
from gaitwright.system.tables import Array, System

SINGULAR = 1e-12
"""A pivot of a multiplier that shrinks by this factor against the start pose counts as a singular pose. A pivot goes
with the square of the smallest singular value, so this is a factor 1e-6 in the conditioning of the joints."""


class Kkt(Packed):
    elimination: Elimination
    general: Flag
    mass_take: Slots  # which entries of M go to which slots: in a symmetric matrix those of one triangle
    mass_slot: Slots
    jac_slot: Slots
    jac_mirror: Slots
    take: Slots  # for each entry of K the one of a tangent that goes there, or one that is zero
    constant: Reals  # M in the layout of K, if there is a tangent
    K: Reals
    rhs: Reals  # behind coordinates and multipliers: the turns of thin rods
    x: Reals
    reference: Reals  # size of the pivots of the multipliers in the start pose
    braced: Flag  # whether there is anything to brace: without thin bodies no time is lost
    brace: Brace


def active_entries(s: System) -> Array:
    """Entries of Phi_q in rows that take part in the solution."""
    return s.jac_row < s.m


def kkt(s: System, tangent: bool = False) -> Kkt:
    """The KKT system of a mechanism: with the mass matrix, or with the pattern of a tangent added to it."""
    if tangent:
        compile_tangents(s, stages=False)
    kept = _KEPT.setdefault(s, {})
    if tangent not in kept:
        kept[tangent] = _first_kkt(s, tangent)
    first, own = kept[tangent], {}
    if first.braced:
        own["brace"] = fresh_brace(first.brace)
    if first.elimination.direct is not None:  # it keeps the factors
        own["elimination"] = first.elimination.own()
    return first.fresh(**own)


class Layout(NamedTuple):
    """The elimination program of a pattern, and where entries go: fields of Kkt. pair: which pairs of a brace have a place,
    and where."""

    program: Elimination
    slots: dict[str, Array]
    pair_take: Array
    pair_slot: Array


_KEPT: weakref.WeakKeyDictionary[System, dict[bool, Kkt]] = weakref.WeakKeyDictionary()
MANY = 2_000
"""Coordinates from which on a system counts as large."""
LARGE = 100_000
"""Entries of a pattern from which on it is not kept for other mechanisms."""


def _first_kkt(s: System, tangent: bool) -> Kkt:
    """The one that is kept with the system: the next run of it starts at once."""
    # In a large system half of the matrix is worth more than what damping takes from its symmetry, which is the turn of a
    # spring within a step: Newton converges by that factor, to the same.
    nearly = s.symmetric or (s.symmetric_at_rest and s.n > MANY)
    general = tangent and not nearly
    active = active_entries(s)
    braces = brace_tables(s)
    pairs, waits = brace_pattern(s, braces)
    # Joints between two bodies couple their tangents by their curvature, h^2 times as much as M. Without these entries
    # Newton's iterations converge as fast but for a factor (h omega)^2, and a chain of hinges in space has a fifth of the
    # operations. What they converge to is the same.
    k_row, k_col = s.k_row.copy(), s.k_col.copy()
    k_row[s.coupling] = k_col[s.coupling] = -1
    jac = np.where(active, s.n + s.jac_row, -1), np.where(active, s.jac_col, -1)
    blocks = ((s.mass_row, s.mass_col), jac, pairs, waits, *([(k_row, k_col)] if tangent else ()))
    entries = [index.astype(np.int32).tobytes() for block in blocks for index in block]
    find = _layout if sum(map(len, entries)) < LARGE else _layout.__wrapped__
    layout = find((s.n, s.m, s.rod_weight.size), general, elimination.longest_program(not general), *entries)
    constant = np.zeros(layout.slots["take"].size)
    if tangent:
        np.add.at(constant, layout.slots["mass_slot"], s.mass[layout.slots["mass_take"]])
    braces["in_rows"] = np.count_nonzero(layout.pair_take < braces["in_rows"])
    braces |= {name: braces[name][layout.pair_take] for name in ("first", "second")}
    turn = layout.program.position[s.n + s.m :]
    return Kkt(
        elimination=layout.program,
        general=general,
        **layout.slots,
        constant=constant,
        K=elimination.storage_size(layout.program)[int(general)],
        rhs=layout.program.order.size,
        x=layout.program.order.size,
        reference=s.m,
        braced=s.brace_row.size > 0,
        brace=brace(braces, layout.pair_slot[None, None], turn, s.rod_weight),
    )


@functools.lru_cache(maxsize=64)
def _layout(counts: tuple[int, ...], general: bool, longest: int, *entries: bytes) -> Layout:
    """The layout of a pattern: variants of a model differ in numbers, not in this. counts: of coordinates, multipliers and
    turns of rods. longest: multiplications that its program may have. entries: rows and columns, of M, Phi_q, the brace, what
    turns wait for and, if there is one, the tangent."""
    index = [np.frombuffer(part, dtype=np.int32).astype(np.int64) for part in entries]
    mass, jac, pairs, _, *tangent = zip(index[::2], index[1::2], strict=True)
    late = np.repeat((0, 1, 2), counts)
    program = elimination.analyse(late.size, np.concatenate(index[::2]), np.concatenate(index[1::2]), late, longest)
    size = elimination.storage_size(program)[int(general)]

    def slots(r: Array, c: Array) -> Array:
        return elimination.slots(program, r, c, general).astype(np.uint32)

    def useful(r: Array, c: Array) -> tuple[Array, Array]:
        found = slots(r, c)
        take = np.flatnonzero(found != size - 1).astype(np.uint32)  # the last is for trash
        return take, found[take]

    mass_take, mass_slot = useful(*mass)
    mirror = slots(jac[1], jac[0]) if general else np.zeros(0, dtype=np.uint32)
    places = {"mass_take": mass_take, "mass_slot": mass_slot, "jac_slot": slots(*jac), "jac_mirror": mirror}
    places["take"] = np.zeros(0, dtype=np.uint32)
    for block in tangent:
        k_take, k_slot = useful(*block)
        places["take"] = np.full(size, block[0].size, dtype=np.uint32)
        places["take"][k_slot] = k_take
    return Layout(program, places, *useful(*pairs))


@compiled
def fill(s, w, kkt, weight):
    """Put `weight` (values on the pattern of M, positive definite) and Phi_q into the matrix."""
    K, slot, take = kkt.K, kkt.mass_slot, kkt.mass_take
    clear(K)
    for k in range(slot.size):
        K[slot[k]] += weight[take[k]]
    fill_joints(w, kkt)
    if kkt.braced:
        no_brace(kkt.brace, kkt.K)


@compiled
def fill_mass(s, w, kkt):
    """Put M and Phi_q into the matrix, braced."""
    K, slot, take, mass = kkt.K, kkt.mass_slot, kkt.mass_take, s.mass
    clear(K)
    for k in range(slot.size):
        K[slot[k]] += mass[take[k]]
    fill_joints(w, kkt)
    if kkt.braced:
        add_brace(kkt.brace, kkt.K, 0, w.jac)


@compiled
def fill_joints(w, kkt):
    """Add Phi_q and, in a general matrix, its transpose."""
    # Fields are read before the loops: for all the compiler knows, what is stored might change the record.
    K, jac, slot, mirror = kkt.K, w.jac, kkt.jac_slot, kkt.jac_mirror
    for k in range(slot.size):
        K[slot[k]] += jac[k]
    for k in range(mirror.size):
        K[mirror[k]] += jac[k]


@compiled
def fill_tangent(s, w, kkt, factor_v, factor_q):
    """Put M + factor_v kv + factor_q kq and Phi_q into the matrix, braced."""
    K, constant, take, kq = kkt.K, kkt.constant, kkt.take, w.kq
    for k in range(K.size):
        K[k] = constant[k] + factor_q * kq[take[k]]
    if s.damped:
        kv = w.kv
        for k in range(K.size):
            K[k] += factor_v * kv[take[k]]
    fill_joints(w, kkt)
    if kkt.braced:
        add_brace(kkt.brace, kkt.K, 0, w.jac)


@compiled
def factor(kkt):
    """Factorise; -1, or the unknown whose pivot vanished."""
    bad = factor_general(kkt.elimination, kkt.K) if kkt.general else factor_symmetric(kkt.elimination, kkt.K)
    return bad if bad < 0 else kkt.elimination.order[bad]


@compiled
def solve(kkt):
    """Solve for kkt.rhs in place."""
    if kkt.braced:
        brace_rhs(kkt.brace, kkt.rhs)
    if kkt.general:
        solve_general(kkt.elimination, kkt.K, kkt.rhs, kkt.x)
    else:
        solve_symmetric(kkt.elimination, kkt.K, kkt.rhs, kkt.x)


@compiled
def remember_pivots(s, kkt):
    """Keep the pivots of the multipliers of the factorised matrix as the reference for `singular_row`."""
    for k in range(s.m):
        kkt.reference[k] = abs(1.0 / kkt.K[kkt.elimination.position[s.n + k]])


@compiled
def singular_row(s, kkt):
    """-1, or the row of Phi whose pivot became tiny: a singular pose. m + k stands for rod k (Mechanism.rods), whose
    turn about itself has no inertia and is not held by a joint."""
    for k in range(s.m):
        if abs(kkt.K[kkt.elimination.position[s.n + k]]) * kkt.reference[k] * SINGULAR > 1.0:
            return k
    loose = loose_turn(kkt.brace, kkt.K) if kkt.braced else -1
    return s.m + loose if loose >= 0 else -1


@compiled
def accelerate(s, w, kkt, t, q, v, damp, stiff, a, lam):
    """Index-1 equations of motion: accelerations and multipliers for a state, with Baumgarte terms.

    [ M     Phi_q^T ] [ a      ]   [ Q                             ]
    [ Phi_q 0       ] [ lambda ] = [ gamma - damp Phi' - stiff Phi ]

    Returns -1, or the unknown whose pivot vanished."""
    signals_at(s, w, t)
    motion(s, w, q, v)
    forces(s, w, q, v)
    fill_mass(s, w, kkt)
    n = s.n
    for i in range(n):
        kkt.rhs[i] = w.force[i]
    for k in range(s.m):
        kkt.rhs[n + k] = w.gamma[k] - damp * w.phi_dot[k] - stiff * w.phi[k]
    bad = factor(kkt)
    solve(kkt)
    for i in range(n):
        a[i] = kkt.rhs[i]
    for k in range(s.m):
        lam[k] = kkt.rhs[n + k]
    return bad
