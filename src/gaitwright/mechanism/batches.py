"""Batches: the elements of one kernel, handled by one call. Defines the addresses of kernels, the table of batches that
compiled code reads, and the batches of elements with a kernel for the families that they connect. Batches of
elements on markers are made in marker_chain_tables.py, those of contacts in contact/tables.py."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS, OPTIONAL_KERNEL_ARGUMENTS, kernel_signature
from gaitwright.derive.kernel_library import MarkerBasis, choose_basis, kernel_module
from gaitwright.jit import compile_cfunc
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.structural_sparsity import find_nonzero_entries
from gaitwright.mechanism.tables import FIRST_KERNEL_COLUMN, GROUND, Array, BatchTables
from gaitwright.physics.declarations import Declaration, Family

TANGENT_KERNELS = ("hessian", "acceleration", "tangent")
"""Kernels that only implicit methods and statics need. They are the longest kernels, so they are compiled on demand."""
BATCH_TABLE_COLUMNS = FIRST_KERNEL_COLUMN + max(len(kernels) for kernels in KERNEL_ARGUMENTS.values())


@functools.cache
def compiled_kernel(module: ModuleType, kernel: str) -> Any:
    """Compile (or load) a kernel; the cache keeps it in memory as long as its address may be in use. `prepare` of a module
    prepares the functions that its kernels call."""
    if hasattr(module, "prepare"):
        module.prepare(kernel)
    return compile_cfunc(getattr(module, kernel), kernel_signature(module.KIND, kernel))


def uses_markers(declaration: type[Declaration], families: tuple[type[Family], ...]) -> bool:
    """True if elements use marker variables instead of a kernel for the families that they connect."""
    return isinstance(choose_basis(declaration, families), MarkerBasis)


class ElementBatch(NamedTuple):
    """Elements of one kernel, as arrays with one row per element: see BatchTables."""

    module: ModuleType
    dof: Array
    par: Array
    sig: Array
    row: Array
    slot: Array
    slot2: Array


def batch_tables(batches: Sequence[ElementBatch]) -> BatchTables:
    """Concatenate batches into one table."""
    if not batches:
        return _empty_batch_tables()
    table = np.zeros((len(batches), BATCH_TABLE_COLUMNS), dtype=np.int64)
    starts = np.zeros(FIRST_KERNEL_COLUMN - 1, dtype=np.int64)
    for line, (module, *parts) in zip(table, batches, strict=True):
        kernels = [
            0 if name in TANGENT_KERNELS or not hasattr(module, name) else compiled_kernel(module, name).address
            for name in (*KERNEL_ARGUMENTS[module.KIND], *OPTIONAL_KERNEL_ARGUMENTS.get(module.KIND, ()))
        ]
        line[0], line[1:FIRST_KERNEL_COLUMN] = len(parts[0]), starts
        line[FIRST_KERNEL_COLUMN : FIRST_KERNEL_COLUMN + len(kernels)] = kernels
        starts += [part.size for part in parts]
    modules, *parts = zip(*batches, strict=True)
    kinds = (np.int32, float, np.int32, np.int32, np.int32, np.int32)
    dof, par, sig, row, slot, slot2 = (
        concatenate_as([array.ravel() for array in arrays], kind) for arrays, kind in zip(parts, kinds, strict=True)
    )
    tables = BatchTables(table=table, dof=dof, par=par, sig=sig, row=row, slot=slot, slot2=slot2)
    tables.modules = modules
    return tables


@functools.cache
def _empty_batch_tables() -> BatchTables:
    tables = BatchTables(
        table=(0, BATCH_TABLE_COLUMNS), **dict.fromkeys(("dof", "par", "sig", "row", "slot", "slot2"), 0)
    )
    tables.modules = ()
    return tables


def concatenate_as(parts: Sequence[Array], dtype: Any) -> Array:
    """Concatenate arrays, possibly none, with a type of entries."""
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype)


def stacked_signals(blocks: Sequence[ElementBlock], counts: Sequence[int], width: int) -> Array:
    """Signals of each element, one row per element. counts: number of elements of each block."""
    signals = np.array([block.signals for block in blocks], dtype=np.int32).reshape(len(blocks), width)
    return signals.repeat(counts, axis=0)


class CoordinateBatch(NamedTuple):
    """Batch on coordinates before its slots are numbered: `first` holds rows and columns of its entries in Phi_q
    (constraints) or in the tangents (forces), `second` those of entries that only the tangents have."""

    module: ModuleType
    members: list[int]
    """Indices of the blocks that it contains."""
    dof: Array
    par: Array
    sig: Array
    row: Array
    first: tuple[Array, Array]
    second: tuple[Array, Array]

    def batch(self, slot: Array, slot2: Array) -> ElementBatch:
        return ElementBatch(self.module, self.dof, self.par, self.sig, self.row, slot, slot2)


def coordinate_batches(
    blocks: Sequence[ElementBlock], n: int, rows: Sequence[Array] | None = None
) -> list[CoordinateBatch]:
    """Return the batches of the blocks that are not on markers. rows: of Phi, (count, rows) for each block of constraints."""
    members_by_module: dict[ModuleType, list[int]] = {}
    for index, block in enumerate(blocks):
        if block.count and not uses_markers(block.declaration, block.families):
            module = kernel_module(block.declaration, block.families)
            block.require(module.N_DOF, module.N_PAR)
            members_by_module.setdefault(module, []).append(index)
    return [_coordinate_batch(module, members, blocks, n, rows) for module, members in members_by_module.items()]


def _coordinate_batch(
    module: ModuleType, members: list[int], blocks: Sequence[ElementBlock], n: int, rows: Sequence[Array] | None
) -> CoordinateBatch:
    mine = [blocks[i] for i in members]
    dof = np.concatenate([block.coordinates for block in mine]).astype(np.int32)
    dof[dof == GROUND] = n
    par = np.concatenate([block.parameters for block in mine])
    sig = stacked_signals(mine, [block.count for block in mine], module.N_SIG)
    if rows is None:
        row = np.zeros((len(dof), 0), dtype=np.int32)
        i, j = np.array(module.TANGENT, dtype=np.int64).reshape(-1, 2).T
        first = dof[:, i], _nonzero_columns(module, "tangent", ("kq", "kv"), par, dof[:, j], n)
        second = dof[:, :0], dof[:, :0]
    else:
        row = np.concatenate([rows[i] for i in members])
        k, i = np.array(module.JACOBIAN, dtype=np.int64).reshape(-1, 2).T
        first = row[:, k], _nonzero_columns(module, "position", ("jac",), par, dof[:, i], n)
        i, j = np.array(module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
        second = dof[:, i], _nonzero_columns(module, "hessian", ("kq",), par, dof[:, j], n)
    return CoordinateBatch(module, members, dof, par, sig, row, first, second)


def _nonzero_columns(
    module: ModuleType, kernel: str, matrices: tuple[str, ...], par: Array, column: Array, n: int
) -> Array:
    """Columns of entries; entries that vanish because of zero parameters get the column of the ground, n."""
    return np.where(find_nonzero_entries(module, kernel, matrices, par, column.shape[1]), column, n)
