"""Saddle-point system of all stages of an implicit Runge-Kutta method at once, in the index-1 form; it is unsymmetric. A
singular M is regularised: mechanism/mass_regularisation.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import PointerRecord, Reals, Slots2, Slots3
from gaitwright.linalg import elimination
from gaitwright.linalg.elimination import EliminationProgram, factor_general, solve_general
from gaitwright.mechanism.kkt import MAX_CACHED_PATTERN_ENTRIES, active_entries
from gaitwright.mechanism.mass_regularisation import (
    MassRegularisation,
    add_regularisation,
    build_regularisation,
    regularisation_pattern,
    regularisation_tables,
    regularise_block,
    regularise_rhs,
)
from gaitwright.mechanism.table_builder import compile_tangents
from gaitwright.mechanism.tables import Array, MechanismTables


class CoupledStages(PointerRecord):
    """All stages of an implicit Runge-Kutta step: unknowns (a_1, lambda_1, a_2, lambda_2, ...).

    Block (i, j): delta_ij [M Phi^T; Phi 0]_i + h a_ij [Kv 0; Gv 0]_i + h^2 (A A)_ij [Kq 0; Gq 0]_i"""

    elimination: EliminationProgram
    mass_slot: Slots2  # (s, nnz)
    mirror_slot: Slots2  # (s, nnz) Phi^T of stage i
    k_slot: Slots3  # (s, s, nnz)
    g_slot: Slots3  # (s, s, nnz)
    K: Reals
    rhs: Reals  # after all stages: the rotations of thin rods
    x: Reals
    brace: MassRegularisation


class StageLayout(NamedTuple):
    """Elimination program of coupled stages, and the slots of its entries (fields of CoupledStages). pairs: slots of the
    regularisation."""

    program: EliminationProgram
    slots: dict[str, Array]
    pairs: Array


_STAGE_LAYOUTS: dict[tuple[Any, ...], StageLayout] = {}
"""Layouts by pattern, shared for example by the variants of a sweep; the oldest are dropped."""
MAX_CACHED_LAYOUTS = 16


def build_coupled_stages(s: MechanismTables, count: int) -> CoupledStages:
    """Build the system of `count` coupled stages."""
    compile_tangents(s)
    braces = regularisation_tables(s)
    pattern = (*regularisation_pattern(s, braces)[0], *regularisation_pattern(s, braces)[1])
    arrays = (s.mass_row, s.mass_col, s.jac_row, s.jac_col, s.k_row, s.k_col, *pattern)
    key = (count, s.n, s.m, s.rod_weight.size, int(braces["in_rows"]), *(array.tobytes() for array in arrays))
    layout = _STAGE_LAYOUTS.get(key)
    if layout is None:
        layout = _stage_layout(s, count, braces)
        if layout.program.direct is None and s.k_row.size < MAX_CACHED_PATTERN_ENTRIES:
            while len(_STAGE_LAYOUTS) >= MAX_CACHED_LAYOUTS:
                del _STAGE_LAYOUTS[next(iter(_STAGE_LAYOUTS))]
            _STAGE_LAYOUTS[key] = layout
    size, program = (s.n + s.m) * count, layout.program
    return CoupledStages(
        elimination=program,
        **layout.slots,
        K=elimination.storage_size(program)[1],
        rhs=program.order.size,
        x=program.order.size,
        brace=build_regularisation(braces, layout.pairs, program.position[size:], s.rod_weight),
    )


def _stage_layout(s: MechanismTables, count: int, braces: dict[str, Any]) -> StageLayout:
    size, turns = s.n + s.m, s.rod_weight.size
    active = active_entries(s)
    jac_row = np.where(active, s.n + s.jac_row, -1)
    jac_col = np.where(active, s.jac_col, -1)

    def at(rows: Array, cols: Array, i: int, j: int) -> tuple[Array, Array]:
        inside = rows >= 0
        return np.where(inside, place(rows, i), -1), np.where(inside, place(cols, j), -1)

    def place(unknown: Array, i: int) -> Array:
        return np.where(unknown < size, unknown + i * size, (count - 1) * size + i * turns + unknown)

    pairs, waits = regularisation_pattern(s, braces)

    def paired(i: int, j: int) -> tuple[Array, Array]:
        """Entries of the regularisation; rotations of rods couple nothing between different stages."""
        is_filled = (np.arange(pairs[0].size) < braces["in_rows"]) | (i == j)
        return np.where(is_filled, pairs[0], -1), np.where(is_filled, pairs[1], -1)

    blocks = [(i, j) for i in range(count) for j in range(count)]
    pattern = [at(s.mass_row, s.mass_col, i, i) for i in range(count)]
    pattern += [at(jac_row, jac_col, i, j) for i, j in blocks]
    pattern += [at(s.k_row, s.k_col, i, j) for i, j in blocks]
    pattern += [at(*paired(i, j), i, j) for i, j in blocks] + [at(*waits, i, i) for i in range(count)]
    late = np.r_[np.tile(np.repeat((0, 1), (s.n, s.m)), count), np.full(count * turns, 2)]
    rows = np.concatenate([r for r, _ in pattern])
    cols = np.concatenate([c for _, c in pattern])
    program = elimination.analyse_pattern(late.size, rows, cols, late)

    def slots(where: tuple[Array, Array]) -> Array:
        return elimination.find_entry_slots(program, *where, True).astype(np.uint32)

    def square(entries: Callable[[int, int], tuple[Array, Array]]) -> Array:
        slot_rows = [[slots(at(*entries(i, j), i, j)) for j in range(count)] for i in range(count)]
        return np.array(slot_rows, dtype=np.uint32)

    slot_fields = {
        "mass_slot": np.array([slots(at(s.mass_row, s.mass_col, i, i)) for i in range(count)], dtype=np.uint32),
        "mirror_slot": np.array([slots(at(jac_col, jac_row, i, i)) for i in range(count)], dtype=np.uint32),
        "k_slot": square(lambda i, j: (s.k_row, s.k_col)),
        "g_slot": square(lambda i, j: (jac_row, jac_col)),
    }
    return StageLayout(program, slot_fields, square(paired))


@jit_compile
def add_stage(s, w, stages, i, tableau, tableau2, h):
    """Add the linearisation of stage i, stored in w, to its row of blocks."""
    K = stages.K
    for k in range(s.mass.size):
        K[stages.mass_slot[i, k]] += s.mass[k]
    for k in range(s.jac_row.size):
        K[stages.mirror_slot[i, k]] += w.jac[k]
        K[stages.g_slot[i, i, k]] += w.jac[k]
    add_regularisation(stages.brace, K, i, w.jac)
    for j in range(tableau.shape[1]):
        c1, c2 = h * tableau[i, j], h * h * tableau2[i, j]
        for k in range(s.k_row.size):
            K[stages.k_slot[i, j, k]] += c1 * w.kv[k] + c2 * w.kq[k]
        for k in range(s.jac_row.size):
            K[stages.g_slot[i, j, k]] += c1 * w.gv[k] + c2 * w.gq[k]
        regularise_block(stages.brace, K, i, j, c1, w.gv, c2, w.gq)


@jit_compile
def factor_stages(stages):
    """Factorise; return -1, or the position of a vanishing pivot."""
    return factor_general(stages.elimination, stages.K)


@jit_compile
def solve_stages(stages):
    """Overwrite stages.rhs with the solution."""
    regularise_rhs(stages.brace, stages.rhs)
    solve_general(stages.elimination, stages.K, stages.rhs, stages.x)
