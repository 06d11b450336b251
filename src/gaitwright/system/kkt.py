"""The saddle-point systems that the analyses solve, each as one fill, one factorisation and one solution.

    [ W      Phi_q^T ]
    [ Phi_q  0       ]

Kkt has W = M (index-1 motion, projection), a weight (assembly) or a tangent (generalized-alpha). Stages is the same for all
stages of an implicit Runge-Kutta method at once, in the index-1 form; it is unsymmetric. Where M is singular, both are braced:
system/brace.py.
"""

from __future__ import annotations

import weakref

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system import elimination
from gaitwright.system.brace import Brace, add_brace, brace, brace_block, brace_rhs, brace_tables, no_brace
from gaitwright.system.elimination import (
    Elimination,
    factor_general,
    factor_symmetric,
    solve_general,
    solve_symmetric,
)
from gaitwright.system.evaluate import Work, forces, motion, signals_at
from gaitwright.system.packed import Flag, Packed, Reals, Slots, Slots2, Slots3
from gaitwright.system.tables import Array, System, compile_tangents

SINGULAR = 1e-12
"""A pivot of a multiplier that shrinks by this factor against the start pose counts as a singular pose. A pivot goes
with the square of the smallest singular value, so this is a factor 1e-6 in the conditioning of the joints."""
LOOSE = 1e-12
"""Part of an entry of the diagonal that its pivot must be, or it is rounding."""


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
    rhs: Reals
    x: Reals
    reference: Reals  # size of the pivots of the multipliers in the start pose
    brace: Brace


def _active(s: System) -> Array:
    """Entries of Phi_q in rows that take part in the solution."""
    return s.jac_row < s.m


def kkt(s: System, tangent: bool = False) -> Kkt:
    """The KKT system of a mechanism: with the mass matrix, or with the pattern of a tangent added to it."""
    if tangent:
        compile_tangents(s)
    general = tangent and not s.symmetric
    program, slots, braces = _analysed(s, tangent, general)
    return Kkt(
        elimination=program,
        general=general,
        **slots,
        K=np.zeros(elimination.storage_size(program)[int(general)]),
        rhs=np.zeros(s.n + s.m),
        x=np.zeros(s.n + s.m),
        reference=np.zeros(s.m),
        brace=brace(*braces),
    )


Analysed = tuple[Elimination, dict[str, Array], tuple[dict[str, Array], Array]]
_KEPT: weakref.WeakKeyDictionary[System, dict[bool, Analysed]] = weakref.WeakKeyDictionary()


def _analysed(s: System, tangent: bool, general: bool) -> Analysed:
    """The elimination program and where the entries go, kept with the system: the next run of it starts at once."""
    kept = _KEPT.setdefault(s, {})
    if tangent in kept:
        return kept[tangent]
    active = _active(s)
    rows = np.where(active, s.n + s.jac_row, -1)
    cols = np.where(active, s.jac_col, -1)
    braces = brace_tables(s)
    pairs = braces["col"][braces["first"]], braces["col"][braces["second"]]
    pattern = [(s.mass_row, s.mass_col), (rows, cols), pairs]
    if tangent:
        pattern.append((s.k_row, s.k_col))
    late = np.arange(s.n + s.m) >= s.n
    program = elimination.analyse(
        s.n + s.m, np.concatenate([r for r, _ in pattern]), np.concatenate([c for _, c in pattern]), late
    )

    def slots(r: Array, c: Array) -> Array:
        return elimination.slots(program, r, c, general).astype(np.uint32)

    none = np.zeros(0, dtype=np.uint32)
    trash = elimination.storage_size(program)[int(general)] - 1

    def useful(r: Array, c: Array) -> tuple[Array, Array]:
        found = slots(r, c)
        take = np.flatnonzero(found != trash).astype(np.uint32)
        return take, found[take]

    mass_take, mass_slot = useful(s.mass_row, s.mass_col)
    k_take, k_slot = useful(s.k_row, s.k_col) if tangent else (none, none)
    places = {
        "mass_take": mass_take,
        "mass_slot": mass_slot,
        "jac_slot": slots(rows, cols),
        "jac_mirror": slots(cols, rows) if general else none,
    }
    size = elimination.storage_size(program)[int(general)] if tangent else 0
    places["take"], places["constant"] = np.full(size, s.k_row.size, dtype=np.uint32), np.zeros(size)
    if tangent:
        places["take"][k_slot] = k_take
        np.add.at(places["constant"], mass_slot, s.mass[mass_take])
    pair_take, pair_slot = useful(*pairs)
    braces |= {name: braces[name][pair_take] for name in ("first", "second")}
    kept[tangent] = program, places, (braces, pair_slot[None, None])
    return kept[tangent]


@compiled
def fill(s, w, kkt, weight):
    """Put `weight` (values on the pattern of M, positive definite) and Phi_q into the matrix."""
    K, slot, take = kkt.K, kkt.mass_slot, kkt.mass_take
    K[:] = 0.0
    for k in range(slot.size):
        K[slot[k]] += weight[take[k]]
    fill_joints(w, kkt)
    no_brace(kkt.brace)


@compiled
def fill_mass(s, w, kkt):
    """Put M and Phi_q into the matrix, braced."""
    fill(s, w, kkt, s.mass)
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
    add_brace(kkt.brace, kkt.K, 0, w.jac)


@compiled
def factor(kkt):
    """Factorise; -1, or the unknown whose pivot vanished."""
    bad = factor_general(kkt.elimination, kkt.K) if kkt.general else factor_symmetric(kkt.elimination, kkt.K)
    return bad if bad < 0 else kkt.elimination.order[bad]


@compiled
def solve(kkt):
    """Solve for kkt.rhs in place."""
    brace_rhs(kkt.brace, kkt.rhs)
    if kkt.general:
        solve_general(kkt.elimination, kkt.K, kkt.rhs, kkt.x)
    else:
        solve_symmetric(kkt.elimination, kkt.K, kkt.rhs, kkt.x)


@compiled
def remember_pivots(s, kkt):
    """Keep the pivots of the multipliers of the factorised matrix as the reference for `singular_row`, and those of
    coordinates that may have no inertia."""
    for k in range(s.m):
        kkt.reference[k] = abs(1.0 / kkt.K[kkt.elimination.position[s.n + k]])
    braced, reference = kkt.brace.coordinate, kkt.brace.reference
    for k in range(braced.size):
        reference[k] = abs(1.0 / kkt.K[kkt.elimination.position[braced[k]]])


@compiled
def singular_row(s, kkt):
    """-1, or the row of Phi whose pivot became tiny: a singular pose. m + i stands for coordinate i, whose motion has no
    inertia and is no longer held by a joint."""
    for k in range(s.m):
        if abs(kkt.K[kkt.elimination.position[s.n + k]]) * kkt.reference[k] * SINGULAR > 1.0:
            return k
    braced, reference = kkt.brace.coordinate, kkt.brace.reference
    for k in range(braced.size):
        if abs(kkt.K[kkt.elimination.position[braced[k]]]) * reference[k] * SINGULAR > 1.0:
            return s.m + np.int64(braced[k])
    return -1


def loose_coordinate(s: System, w: Work, system: Kkt) -> int:
    """-1, or a coordinate of a body that can move without inertia in the pose whose Phi_q is in w."""
    fill_mass(s, w, system)
    place = system.elimination.position[system.brace.coordinate.astype(np.int64)]
    before = system.K[place]
    bad = factor(system)
    if bad >= 0 or not place.size:
        return int(bad) if bad < s.n else -1  # a multiplier: joints are redundant, which is another matter
    left = 1.0 / (system.K[place] * before)
    return int(system.brace.coordinate[np.argmin(left)]) if np.min(left) < LOOSE else -1


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


class Stages(Packed):
    """All stages of an implicit Runge-Kutta step: unknowns (a_1, lambda_1, a_2, lambda_2, ...).

    Block (i, j): delta_ij [M Phi^T; Phi 0]_i + h a_ij [Kv 0; Gv 0]_i + h^2 (A A)_ij [Kq 0; Gq 0]_i"""

    elimination: Elimination
    mass_slot: Slots2  # (s, nnz)
    mirror_slot: Slots2  # (s, nnz) Phi^T of stage i
    k_slot: Slots3  # (s, s, nnz)
    g_slot: Slots3  # (s, s, nnz)
    K: Reals
    rhs: Reals
    x: Reals
    brace: Brace


def stages(s: System, count: int) -> Stages:
    """The system of `count` coupled stages."""
    compile_tangents(s)
    size = s.n + s.m
    active = _active(s)
    jac_row = np.where(active, s.n + s.jac_row, -1)
    jac_col = np.where(active, s.jac_col, -1)

    def at(rows: Array, cols: Array, i: int, j: int) -> tuple[Array, Array]:
        inside = rows >= 0
        return np.where(inside, rows + i * size, -1), np.where(inside, cols + j * size, -1)

    braces = brace_tables(s)
    pairs = braces["col"][braces["first"]], braces["col"][braces["second"]]
    blocks = [(i, j) for i in range(count) for j in range(count)]
    pattern = [at(s.mass_row, s.mass_col, i, i) for i in range(count)]
    pattern += [at(jac_row, jac_col, i, j) for i, j in blocks]
    pattern += [at(s.k_row, s.k_col, i, j) for i, j in blocks]
    pattern += [at(*pairs, i, j) for i, j in blocks]
    late = np.tile(np.arange(size) >= s.n, count)
    rows = np.concatenate([r for r, _ in pattern])
    cols = np.concatenate([c for _, c in pattern])
    program = elimination.analyse(size * count, rows, cols, late)

    def slots(where: tuple[Array, Array]) -> Array:
        return elimination.slots(program, *where, True).astype(np.uint32)

    def square(rows: Array, cols: Array) -> Array:
        return np.array([[slots(at(rows, cols, i, j)) for j in range(count)] for i in range(count)], dtype=np.uint32)

    return Stages(
        elimination=program,
        mass_slot=np.array([slots(at(s.mass_row, s.mass_col, i, i)) for i in range(count)], dtype=np.uint32),
        mirror_slot=np.array([slots(at(jac_col, jac_row, i, i)) for i in range(count)], dtype=np.uint32),
        k_slot=square(s.k_row, s.k_col),
        g_slot=square(jac_row, jac_col),
        K=np.zeros(elimination.storage_size(program)[1]),
        rhs=np.zeros(size * count),
        x=np.zeros(size * count),
        brace=brace(braces, square(*pairs)),
    )


@compiled
def add_stage(s, w, stages, i, tableau, tableau2, h):
    """Put the linearisation of stage i, which lies in w, into its row of blocks."""
    K = stages.K
    for k in range(s.mass.size):
        K[stages.mass_slot[i, k]] += s.mass[k]
    for k in range(s.jac_row.size):
        K[stages.mirror_slot[i, k]] += w.jac[k]
        K[stages.g_slot[i, i, k]] += w.jac[k]
    add_brace(stages.brace, K, i, w.jac)
    for j in range(tableau.shape[1]):
        c1, c2 = h * tableau[i, j], h * h * tableau2[i, j]
        for k in range(s.k_row.size):
            K[stages.k_slot[i, j, k]] += c1 * w.kv[k] + c2 * w.kq[k]
        for k in range(s.jac_row.size):
            K[stages.g_slot[i, j, k]] += c1 * w.gv[k] + c2 * w.gq[k]
        brace_block(stages.brace, K, i, j, c1, w.gv, c2, w.gq)


@compiled
def factor_stages(stages):
    return factor_general(stages.elimination, stages.K)


@compiled
def solve_stages(stages):
    brace_rhs(stages.brace, stages.rhs)
    solve_general(stages.elimination, stages.K, stages.rhs, stages.x)
