"""Saddle-point systems that the analyses solve, each as one fill, one factorisation and one solution.

    [ W      Phi_q^T ]
    [ Phi_q  0       ]

KktSystem has W = M (index-1 motion, projection), a weight (assembly) or a tangent (generalized-alpha). A singular M is
regularised: mechanism/mass_regularisation.py. All stages of an implicit method at once: mechanism/coupled_stages.py.
"""

from __future__ import annotations

import functools
import weakref
from typing import NamedTuple

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Flag, PointerRecord, Reals, Slots
from gaitwright.linalg import elimination
from gaitwright.linalg.elimination import (
    EliminationProgram,
    factor_general,
    factor_symmetric,
    solve_general,
    solve_symmetric,
)
from gaitwright.mechanism.evaluation import evaluate_forces, evaluate_motion, update_signals, zero_values
from gaitwright.mechanism.mass_regularisation import (
    MassRegularisation,
    add_regularisation,
    build_regularisation,
    disable_regularisation,
    find_loose_axis,
    new_regularisation,
    regularisation_pattern,
    regularisation_tables,
    regularise_rhs,
)
from gaitwright.mechanism.table_builder import compile_tangents
from gaitwright.mechanism.tables import Array, MechanismTables

SINGULAR_PIVOT_RATIO = 1e-12
"""Relative size of a multiplier's pivot, compared with the start pose, below which the pose counts as singular. A pivot is
proportional to the square of the smallest singular value, so this is a factor 1e-6 in the conditioning of the joints."""


class KktSystem(PointerRecord):
    elimination: EliminationProgram
    general: Flag
    mass_take: Slots  # entries of M and their slots: of one triangle if the matrix is symmetric
    mass_slot: Slots
    jac_slot: Slots
    jac_mirror: Slots
    take: Slots  # for each entry of K, the entry of a tangent added to it, or the entry that is always zero
    constant: Reals  # M in the layout of K, if there is a tangent
    K: Reals
    rhs: Reals  # after coordinates and multipliers: the rotations of thin rods
    x: Reals
    reference: Reals  # size of the pivots of the multipliers in the start pose
    braced: Flag  # true if there is something to regularise; models without thin bodies skip it
    brace: MassRegularisation


def active_entries(s: MechanismTables) -> Array:
    """Mask of the entries of Phi_q in rows that take part in the solution."""
    return s.jac_row < s.m


def build_kkt(s: MechanismTables, tangent: bool = False) -> KktSystem:
    """Build the KKT system of a mechanism: with the mass matrix, or with the pattern of a tangent added to it."""
    if tangent:
        compile_tangents(s, stages=False)
    first_systems = _FIRST_KKT_SYSTEMS.setdefault(s, {})
    if tangent not in first_systems:
        first_systems[tangent] = _first_kkt(s, tangent)
    first, own = first_systems[tangent], {}
    if first.braced:
        own["brace"] = new_regularisation(first.brace)
    if first.elimination.direct is not None:  # it stores the factors
        own["elimination"] = first.elimination.own()
    return first.fresh(**own)


class KktLayout(NamedTuple):
    """Elimination program of a pattern, and the slots of its entries (fields of KktSystem). pair_take, pair_slot: pairs of
    the regularisation that have a slot, and these slots."""

    program: EliminationProgram
    slots: dict[str, Array]
    pair_take: Array
    pair_slot: Array


_FIRST_KKT_SYSTEMS: weakref.WeakKeyDictionary[MechanismTables, dict[bool, KktSystem]] = weakref.WeakKeyDictionary()
MIN_LARGE_SYSTEM_COORDINATES = 2_000
"""Minimum number of coordinates of a large system."""
MAX_CACHED_PATTERN_ENTRIES = 100_000
"""Patterns with this many entries or more are not cached for other mechanisms."""


def _first_kkt(s: MechanismTables, tangent: bool) -> KktSystem:
    """Build the system that is cached with the tables: the next run of the mechanism starts at once."""
    # In a large system, half of the matrix saves more than is lost by neglecting the asymmetry due to damping. The asymmetry
    # has the size of the rotation of a spring within a step: Newton converges by that factor, to the same solution.
    nearly = s.symmetric or (s.symmetric_at_rest and s.n > MIN_LARGE_SYSTEM_COORDINATES)
    general = tangent and not nearly
    active = active_entries(s)
    braces = regularisation_tables(s)
    pairs, waits = regularisation_pattern(s, braces)
    # Joints between two bodies couple their tangents by their curvature, h^2 times as much as M. Without these entries
    # Newton's convergence changes only by a factor (h omega)^2, and a chain of hinges in space needs a fifth of the
    # operations. The converged solution is the same.
    k_row, k_col = s.k_row.copy(), s.k_col.copy()
    k_row[s.coupling] = k_col[s.coupling] = -1
    jac = np.where(active, s.n + s.jac_row, -1), np.where(active, s.jac_col, -1)
    blocks = ((s.mass_row, s.mass_col), jac, pairs, waits, *([(k_row, k_col)] if tangent else ()))
    entries = [index.astype(np.int32).tobytes() for block in blocks for index in block]
    find = _kkt_layout if sum(map(len, entries)) < MAX_CACHED_PATTERN_ENTRIES else _kkt_layout.__wrapped__
    layout = find(
        (s.n, s.m, s.rod_weight.size), general, elimination.max_program_multiplications(not general), *entries
    )
    constant = np.zeros(layout.slots["take"].size)
    if tangent:
        np.add.at(constant, layout.slots["mass_slot"], s.mass[layout.slots["mass_take"]])
    braces["in_rows"] = np.count_nonzero(layout.pair_take < braces["in_rows"])
    braces |= {name: braces[name][layout.pair_take] for name in ("first", "second")}
    turn = layout.program.position[s.n + s.m :]
    return KktSystem(
        elimination=layout.program,
        general=general,
        **layout.slots,
        constant=constant,
        K=elimination.storage_size(layout.program)[int(general)],
        rhs=layout.program.order.size,
        x=layout.program.order.size,
        reference=s.m,
        braced=s.brace_row.size > 0,
        brace=build_regularisation(braces, layout.pair_slot[None, None], turn, s.rod_weight),
    )


@functools.lru_cache(maxsize=64)
def _kkt_layout(counts: tuple[int, ...], general: bool, longest: int, *entries: bytes) -> KktLayout:
    """Compute the layout of a pattern, cached because variants of a model differ in numbers, not in pattern. counts: of
    coordinates, multipliers and rotations of rods. longest: maximum number of multiplications of its program. entries: rows
    and columns, of M, Phi_q, the regularisation, the couplings that delay the rotations and, if there is one, the tangent."""
    index = [np.frombuffer(part, dtype=np.int32).astype(np.int64) for part in entries]
    mass, jac, pairs, _, *tangent = zip(index[::2], index[1::2], strict=True)
    late = np.repeat((0, 1, 2), counts)
    program = elimination.analyse_pattern(
        late.size, np.concatenate(index[::2]), np.concatenate(index[1::2]), late, longest
    )
    size = elimination.storage_size(program)[int(general)]

    def slots(r: Array, c: Array) -> Array:
        return elimination.find_entry_slots(program, r, c, general).astype(np.uint32)

    def useful(r: Array, c: Array) -> tuple[Array, Array]:
        all_slots = slots(r, c)
        take = np.flatnonzero(all_slots != size - 1).astype(np.uint32)  # the last slot is unused
        return take, all_slots[take]

    mass_take, mass_slot = useful(*mass)
    mirror = slots(jac[1], jac[0]) if general else np.zeros(0, dtype=np.uint32)
    places = {"mass_take": mass_take, "mass_slot": mass_slot, "jac_slot": slots(*jac), "jac_mirror": mirror}
    places["take"] = np.zeros(0, dtype=np.uint32)
    for block in tangent:
        k_take, k_slot = useful(*block)
        places["take"] = np.full(size, block[0].size, dtype=np.uint32)
        places["take"][k_slot] = k_take
    return KktLayout(program, places, *useful(*pairs))


@jit_compile
def fill_kkt(s, w, kkt, weight):
    """Put `weight` (values on the pattern of M, positive definite) and Phi_q into the matrix."""
    K, slot, take = kkt.K, kkt.mass_slot, kkt.mass_take
    zero_values(K)
    for k in range(slot.size):
        K[slot[k]] += weight[take[k]]
    fill_jacobian(w, kkt)
    if kkt.braced:
        disable_regularisation(kkt.brace, kkt.K)


@jit_compile
def fill_mass(s, w, kkt):
    """Put M and Phi_q into the matrix, regularised."""
    K, slot, take, mass = kkt.K, kkt.mass_slot, kkt.mass_take, s.mass
    zero_values(K)
    for k in range(slot.size):
        K[slot[k]] += mass[take[k]]
    fill_jacobian(w, kkt)
    if kkt.braced:
        add_regularisation(kkt.brace, kkt.K, 0, w.jac)


@jit_compile
def fill_jacobian(w, kkt):
    """Add Phi_q and, in a general matrix, its transpose."""
    # Fields are read before the loops: stores in the loops might alias the record, so the compiler would reload them.
    K, jac, slot, mirror = kkt.K, w.jac, kkt.jac_slot, kkt.jac_mirror
    for k in range(slot.size):
        K[slot[k]] += jac[k]
    for k in range(mirror.size):
        K[mirror[k]] += jac[k]


@jit_compile
def fill_tangent(s, w, kkt, factor_v, factor_q):
    """Put M + factor_v kv + factor_q kq and Phi_q into the matrix, regularised."""
    K, constant, take, kq = kkt.K, kkt.constant, kkt.take, w.kq
    for k in range(K.size):
        K[k] = constant[k] + factor_q * kq[take[k]]
    if s.damped:
        kv = w.kv
        for k in range(K.size):
            K[k] += factor_v * kv[take[k]]
    fill_jacobian(w, kkt)
    if kkt.braced:
        add_regularisation(kkt.brace, kkt.K, 0, w.jac)


@jit_compile
def factor_kkt(kkt):
    """Factorise; return -1, or the unknown with a vanishing pivot."""
    pivot = factor_general(kkt.elimination, kkt.K) if kkt.general else factor_symmetric(kkt.elimination, kkt.K)
    return pivot if pivot < 0 else kkt.elimination.order[pivot]


@jit_compile
def solve_kkt(kkt):
    """Solve for kkt.rhs in place."""
    if kkt.braced:
        regularise_rhs(kkt.brace, kkt.rhs)
    if kkt.general:
        solve_general(kkt.elimination, kkt.K, kkt.rhs, kkt.x)
    else:
        solve_symmetric(kkt.elimination, kkt.K, kkt.rhs, kkt.x)


@jit_compile
def store_reference_pivots(s, kkt):
    """Store the pivots of the multipliers of the factorised matrix as the reference for `find_singular_row`."""
    for k in range(s.m):
        kkt.reference[k] = abs(1.0 / kkt.K[kkt.elimination.position[s.n + k]])


@jit_compile
def find_singular_row(s, kkt):
    """Return -1, or the row of Phi with a tiny pivot: a singular pose. m + k means rod k (Mechanism.rods): its
    rotation about its own axis has no inertia and is not constrained by a joint."""
    for k in range(s.m):
        if abs(kkt.K[kkt.elimination.position[s.n + k]]) * kkt.reference[k] * SINGULAR_PIVOT_RATIO > 1.0:
            return k
    loose = find_loose_axis(kkt.brace, kkt.K) if kkt.braced else -1
    return s.m + loose if loose >= 0 else -1


@jit_compile
def solve_accelerations(s, w, kkt, t, q, v, damp, stiff, a, lam):
    """Index-1 equations of motion: accelerations and multipliers for a state, with Baumgarte terms.

    [ M     Phi_q^T ] [ a      ]   [ Q                             ]
    [ Phi_q 0       ] [ lambda ] = [ gamma - damp Phi' - stiff Phi ]

    Returns -1, or the unknown with a vanishing pivot."""
    update_signals(s, w, t)
    evaluate_motion(s, w, q, v)
    evaluate_forces(s, w, q, v)
    fill_mass(s, w, kkt)
    n = s.n
    for i in range(n):
        kkt.rhs[i] = w.force[i]
    for k in range(s.m):
        kkt.rhs[n + k] = w.gamma[k] - damp * w.phi_dot[k] - stiff * w.phi[k]
    unknown = factor_kkt(kkt)
    solve_kkt(kkt)
    for i in range(n):
        a[i] = kkt.rhs[i]
    for k in range(s.m):
        lam[k] = kkt.rhs[n + k]
    return unknown
