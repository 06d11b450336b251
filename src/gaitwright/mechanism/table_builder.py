"""Builder of the tables: batches of elements, the patterns of Phi_q and of the tangents, and the position of every element in
them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright.contact.tables import compile_contact_tangents, contact_tables
from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.batches import (
    TANGENT_KERNELS,
    CoordinateBatch,
    ElementBatch,
    batch_tables,
    compiled_kernel,
    concatenate_as,
    coordinate_batches,
)
from gaitwright.mechanism.blocks import ContactBlock, ElementBlock, MechanismElement
from gaitwright.mechanism.element_matrices import find_unique_entries
from gaitwright.mechanism.marker_chain_tables import ALL_ROWS, BlockRows, build_chain_tables
from gaitwright.mechanism.signals import SignalProgram, signal_table
from gaitwright.mechanism.tables import (
    DISSIPATED_POWER,
    FIRST_KERNEL_COLUMN,
    LOAD_POWER,
    RIGID_COORDINATE,
    Array,
    MechanismTables,
)


def build_tables(
    n: int,
    mass: tuple[Array, Array, Array],
    constraints: Sequence[MechanismElement | ElementBlock],
    forces: Sequence[MechanismElement | ElementBlock],
    signals: Sequence[SignalProgram],
    redundant: Sequence[int] = (),
    contacts: Sequence[ContactBlock] = (),
    grain: float = 0.0,
    nature: Array | None = None,
    braced: Sequence[tuple[int, float]] = (),
    rods: Sequence[tuple[int, Array, float]] = (),
) -> MechanismTables:
    """Build the tables of a mechanism from its elements.

    mass: rows, columns and values of M. redundant: rows of Phi (counted in the order of `constraints`) that follow from the
    others and take no part in the solution. grain: contact gaps below it count as closed, m. nature: type codes of the
    coordinates (MechanismTables); all rigid by default. braced: rows of Phi (counted likewise) and their weights; rods: the
    first of three rows, axis and weight (mechanism/mass_regularisation.py)."""
    constraint_blocks = [element.block() for element in constraints]
    force_blocks = [element.block() for element in forces]
    ends = row_ends(constraint_blocks)
    m_all = int(ends[-1]) if constraint_blocks else 0
    position = row_positions(m_all, redundant)
    rows = [
        part.reshape(block.count, _row_count(block.declaration))
        for part, block in zip(np.split(position, ends[:-1]), constraint_blocks, strict=False)
    ]

    c, f = coordinate_batches(constraint_blocks, n, rows), coordinate_batches(force_blocks, n)
    linked = build_chain_tables(constraint_blocks, force_blocks, rows, n, sum(len(batch.dof) for batch in f))
    jac_row, jac_col, (*jac_slots, linked_jac) = pattern_slots([*(batch.first for batch in c), linked.jac], m_all, n)
    touching, t_tangent = contact_tables(contacts, n, grain)
    k_row, k_col, k_slots = pattern_slots(
        [*(batch.second for batch in c), *(batch.first for batch in f), linked.tangent, *t_tangent], n, n
    )
    n_batches, n_forces = len(c), len(c) + len(f)
    touch_slots = k_slots[n_forces + 1 :][: len(touching.modules)]
    mass = _mass_with_diagonal(n, mass)
    by_row = np.lexsort((mass[1], mass[0]))
    mass_row, mass_col, mass_values = (part[by_row] for part in mass)
    braces = sorted((int(position[row]), w) for row, w in braced if position[row] < m_all - len(redundant))
    return MechanismTables(
        n=n,
        m=m_all - len(redundant),
        m_all=m_all,
        symmetric=all(batch.module.SYMMETRIC for batch in (*c, *f)) and linked.symmetric and not contacts,
        symmetric_at_rest=not contacts and all(map(_is_symmetric_at_rest, (*f, *linked.force_batches))),
        nature=np.zeros(n) if nature is None else nature,
        flexible=nature is not None and bool(np.any(nature != RIGID_COORDINATE)),
        damped=bool(contacts) or linked.damped or any(batch.module.DAMPED for batch in f),
        mass_start=np.searchsorted(mass_row, np.arange(n + 1)),
        mass_row=mass_row,
        mass_col=mass_col,
        mass=mass_values,
        jac_row=jac_row,
        jac_col=jac_col,
        k_row=k_row,
        k_col=k_col,
        coupling=_coupling_slots(c, constraint_blocks, k_slots, k_row.size, linked.couples, n_forces),
        constraints=batch_tables(
            [b.batch(*slots) for b, *slots in zip(c, jac_slots, k_slots[:n_batches], strict=True)]
        ),
        forces=batch_tables([b.batch(slot, slot[:0]) for b, slot in zip(f, k_slots[n_batches:n_forces], strict=True)]),
        contacts=touching.replaced(slot=concatenate_as(touch_slots, np.int32)) if contacts else touching,
        chain=linked.chain(linked_jac, k_slots[n_forces]),
        signals=signal_table(list(signals)),
        drive_rows=concatenate_as(
            [r.ravel() for r, block in zip(rows, constraint_blocks, strict=True) if len(block.signals)], np.int32
        ),
        driven=np.flatnonzero([batch.module.N_SIG > 0 for batch in c]),
        powered=np.flatnonzero([batch.module.DISSIPATES or batch.module.LOADS for batch in f]),
        **_power_tables(force_blocks, energy_table_rows(force_blocks, f, linked.acting)),
        brace_row=np.array([row for row, _ in braces], dtype=np.int32),
        brace_weight=np.array([weight for _, weight in braces], dtype=float),
        rod_row=concatenate_as([position[row : row + 3] for row, _, _ in rods], np.int32),
        rod_axis=concatenate_as([axis for _, axis, _ in rods], float),
        rod_weight=np.array([weight for _, _, weight in rods], dtype=float),
    )


def _is_symmetric_at_rest(batch: CoordinateBatch | ElementBatch) -> bool:
    return getattr(batch.module, "SYMMETRIC_AT_REST", batch.module.SYMMETRIC)


def compile_tangents(s: MechanismTables, stages: bool = True) -> None:
    """Compile the kernels of the tangents for compiled code; those of accelerations only if there are coupled stages, which
    saves a tenth of the time to a first result."""
    for batch_table in (s.constraints, s.forces, s.chain.markers, s.chain.constraints, s.chain.forces):
        for k, module in enumerate(batch_table.modules):
            for place, kernel in enumerate(KERNEL_ARGUMENTS[module.KIND]):
                if kernel in TANGENT_KERNELS and (stages or kernel != "acceleration" or batch_table is s.chain.markers):
                    batch_table.table[k, FIRST_KERNEL_COLUMN + place] = compiled_kernel(module, kernel).address
    if s.chain.count:
        from gaitwright.mechanism.marker_chain import compile_chain_tangents

        compile_chain_tangents(s.chain, stages)
    if s.contacts.count:
        compile_contact_tangents(s.contacts)


def pattern_slots(entries: Sequence[tuple[Array, Array]], n_rows: int, n: int) -> tuple[Array, Array, list[Array]]:
    """Number the distinct entries inside n_rows x n, sorted by row; entries on the ground go to a slot after the last.

    Returns row and column of each slot and, per batch, the slots of its entries."""
    rows = concatenate_as([r.ravel() for r, _ in entries], np.int32)
    cols = concatenate_as([c.ravel() for _, c in entries], np.int32)
    inside = (rows < n_rows) & (cols < n)
    row, col, which = find_unique_entries(rows[inside], cols[inside], n_rows, n)
    slots = np.full(rows.size, row.size, dtype=np.int32)
    slots[inside] = which
    ends = np.cumsum([r.size for r, _ in entries])
    return row, col, np.split(slots, ends[:-1]) if len(entries) else []


def _mass_with_diagonal(n: int, mass: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """Return M with all entries of its diagonal, including zeros: weights of coordinates use its pattern."""
    row, col, values = mass
    has_diagonal = np.zeros(n, dtype=bool)
    has_diagonal[row[row == col]] = True
    if has_diagonal.all():
        return mass
    missing = np.flatnonzero(~has_diagonal)
    return np.r_[row, missing], np.r_[col, missing], np.r_[values, np.zeros(missing.size)]


def _coupling_slots(
    batches: Sequence[CoordinateBatch],
    blocks: Sequence[ElementBlock],
    slots: Sequence[Array],
    size: int,
    couples: Array,
    linked: int,
) -> Array:
    """Entries filled only by Hessians of constraints, in the rows of one body and the columns of another. linked: index of
    the slots of elements on markers; `couples` marks their entries of this kind."""
    is_coupling = np.ones(size + 1, dtype=bool)
    for batch, filled in zip(batches, slots, strict=False):
        i, j = np.array(batch.module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
        if i.size:
            owner = np.searchsorted(blocks[batch.members[0]].ends, np.arange(batch.module.N_DOF), side="right")
            is_coupling[filled.reshape(-1, i.size)[:, owner[i] == owner[j]]] = False
    for k, filled in enumerate(slots[len(batches) :], len(batches)):
        is_coupling[filled[~couples] if k == linked else filled] = False
    return np.flatnonzero(is_coupling[:-1]).astype(np.int32)


def row_ends(constraints: Sequence[MechanismElement | ElementBlock]) -> Array:
    """End position of the rows of Phi of each constraint, counted as given."""
    return np.cumsum([element.count * _row_count(element.declaration) for element in constraints])


def _row_count(declaration: Any) -> int:
    return len(declaration.rows)


def row_positions(m_all: int, redundant: Sequence[int]) -> Array:
    """Position in the system of each row of Phi, counted as given: independent ones first, redundant ones last."""
    last = np.zeros(m_all, dtype=bool)
    last[list(redundant)] = True
    position = np.empty(m_all, dtype=np.int32)
    position[np.argsort(last, kind="stable")] = np.arange(m_all)
    return position


def energy_table_rows(
    blocks: Sequence[ElementBlock], batches: Sequence[CoordinateBatch], linked: Sequence[BlockRows]
) -> list[Array]:
    """Position of the elements of each block in the table of energies: by batches, those on markers last."""
    places = [np.arange(block.count) for block in blocks]
    first = 0
    for index, rows in [*(BlockRows(index, ALL_ROWS) for batch in batches for index in batch.members), *linked]:
        count = places[index][rows].size
        places[index][rows] = np.arange(first, first + count)
        first += count
    return places


def _power_tables(forces: Sequence[ElementBlock], energy_rows: Sequence[Array]) -> dict[str, Array]:
    """Powers of the dissipating and load forces, one per block and kind. energy_rows: from energy_table_rows."""
    force, kind, entry = [], [], []
    for k, (block, places) in enumerate(zip(forces, energy_rows, strict=True)):
        module = kernel_module(block.declaration, block.families)
        for power_kind in [DISSIPATED_POWER] * module.DISSIPATES + [LOAD_POWER] * module.LOADS:
            force.append(k)
            kind.append(power_kind)
            entry.append(3 * places + power_kind)
    return {
        "power_force": np.array(force, dtype=np.int64),
        "power_kind": np.array(kind, dtype=np.int64),
        "power_entry": concatenate_as(entry, np.int64),
        "power_of": np.arange(len(entry)).repeat(np.array([part.size for part in entry], dtype=np.int64)),
    }
