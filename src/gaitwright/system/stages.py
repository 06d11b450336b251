"""The saddle-point system of all stages of an implicit Runge-Kutta method at once, in the index-1 form; it is unsymmetric.
Where M is singular, it is braced: system/brace.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system import elimination
from gaitwright.system.brace import Brace, add_brace, brace, brace_block, brace_pattern, brace_rhs, brace_tables
from gaitwright.system.build import compile_tangents
from gaitwright.system.elimination import Elimination, factor_general, solve_general
from gaitwright.system.kkt import LARGE, active_entries
from gaitwright.system.packed import Packed, Reals, Slots2, Slots3
from gaitwright.system.tables import Array, System


class Stages(Packed):
    """All stages of an implicit Runge-Kutta step: unknowns (a_1, lambda_1, a_2, lambda_2, ...).

    Block (i, j): delta_ij [M Phi^T; Phi 0]_i + h a_ij [Kv 0; Gv 0]_i + h^2 (A A)_ij [Kq 0; Gq 0]_i"""

    elimination: Elimination
    mass_slot: Slots2  # (s, nnz)
    mirror_slot: Slots2  # (s, nnz) Phi^T of stage i
    k_slot: Slots3  # (s, s, nnz)
    g_slot: Slots3  # (s, s, nnz)
    K: Reals
    rhs: Reals  # behind all stages: the turns of thin rods
    x: Reals
    brace: Brace


class StageLayout(NamedTuple):
    """The elimination program of coupled stages, and where entries go: fields of Stages. pairs: those of a brace."""

    program: Elimination
    slots: dict[str, Array]
    pairs: Array


_STAGE_LAYOUTS: dict[tuple[Any, ...], StageLayout] = {}
"""Of mechanisms with the same pattern, as the variants of a sweep are; the oldest give way."""
MOST_LAYOUTS = 16


def stages(s: System, count: int) -> Stages:
    """The system of `count` coupled stages."""
    compile_tangents(s)
    braces = brace_tables(s)
    pattern = (*brace_pattern(s, braces)[0], *brace_pattern(s, braces)[1])
    arrays = (s.mass_row, s.mass_col, s.jac_row, s.jac_col, s.k_row, s.k_col, *pattern)
    key = (count, s.n, s.m, s.rod_weight.size, int(braces["in_rows"]), *(array.tobytes() for array in arrays))
    layout = _STAGE_LAYOUTS.get(key)
    if layout is None:
        layout = _stage_layout(s, count, braces)
        if layout.program.direct is None and s.k_row.size < LARGE:
            while len(_STAGE_LAYOUTS) >= MOST_LAYOUTS:
                del _STAGE_LAYOUTS[next(iter(_STAGE_LAYOUTS))]
            _STAGE_LAYOUTS[key] = layout
    size, program = (s.n + s.m) * count, layout.program
    return Stages(
        elimination=program,
        **layout.slots,
        K=elimination.storage_size(program)[1],
        rhs=program.order.size,
        x=program.order.size,
        brace=brace(braces, layout.pairs, program.position[size:], s.rod_weight),
    )


def _stage_layout(s: System, count: int, braces: dict[str, Any]) -> StageLayout:
    size, turns = s.n + s.m, s.rod_weight.size
    active = active_entries(s)
    jac_row = np.where(active, s.n + s.jac_row, -1)
    jac_col = np.where(active, s.jac_col, -1)

    def at(rows: Array, cols: Array, i: int, j: int) -> tuple[Array, Array]:
        inside = rows >= 0
        return np.where(inside, place(rows, i), -1), np.where(inside, place(cols, j), -1)

    def place(unknown: Array, i: int) -> Array:
        return np.where(unknown < size, unknown + i * size, (count - 1) * size + i * turns + unknown)

    pairs, waits = brace_pattern(s, braces)

    def paired(i: int, j: int) -> tuple[Array, Array]:
        """The turns of rods couple nothing between stages."""
        here = (np.arange(pairs[0].size) < braces["in_rows"]) | (i == j)
        return np.where(here, pairs[0], -1), np.where(here, pairs[1], -1)

    blocks = [(i, j) for i in range(count) for j in range(count)]
    pattern = [at(s.mass_row, s.mass_col, i, i) for i in range(count)]
    pattern += [at(jac_row, jac_col, i, j) for i, j in blocks]
    pattern += [at(s.k_row, s.k_col, i, j) for i, j in blocks]
    pattern += [at(*paired(i, j), i, j) for i, j in blocks] + [at(*waits, i, i) for i in range(count)]
    late = np.r_[np.tile(np.repeat((0, 1), (s.n, s.m)), count), np.full(count * turns, 2)]
    rows = np.concatenate([r for r, _ in pattern])
    cols = np.concatenate([c for _, c in pattern])
    program = elimination.analyse(late.size, rows, cols, late)

    def slots(where: tuple[Array, Array]) -> Array:
        return elimination.slots(program, *where, True).astype(np.uint32)

    def square(entries: Callable[[int, int], tuple[Array, Array]]) -> Array:
        found = [[slots(at(*entries(i, j), i, j)) for j in range(count)] for i in range(count)]
        return np.array(found, dtype=np.uint32)

    found = {
        "mass_slot": np.array([slots(at(s.mass_row, s.mass_col, i, i)) for i in range(count)], dtype=np.uint32),
        "mirror_slot": np.array([slots(at(jac_col, jac_row, i, i)) for i in range(count)], dtype=np.uint32),
        "k_slot": square(lambda i, j: (s.k_row, s.k_col)),
        "g_slot": square(lambda i, j: (jac_row, jac_col)),
    }
    return StageLayout(program, found, square(paired))


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
