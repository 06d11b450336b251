"""Elements of one kernel as a batch: one call handles them all. Here are the addresses of kernels, the table of batches that
compiled code reads, and the batches of elements with a kernel for the families that they connect. Those of elements on
markers are made in chain_tables.py, those of contacts in contact_tables.py."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled_pointer
from gaitwright.derive.interface import ARGUMENTS, OPTIONAL, signature
from gaitwright.derive.library import Markers, basis_of, kernel_module
from gaitwright.physics.declare import Declaration, Family
from gaitwright.system.blocks import Block, Element
from gaitwright.system.sparsity import entries
from gaitwright.system.tables import FIRST_KERNEL, GROUND, Array, Batches

TANGENTS = ("hessian", "acceleration", "tangent")
"""Kernels that only implicit methods and statics need. They are the long ones, so they are compiled on demand."""
WIDTH = FIRST_KERNEL + max(len(kernels) for kernels in ARGUMENTS.values())


@functools.cache
def compiled_kernel(module: ModuleType, kernel: str) -> Any:
    """Compile (or load) a kernel; the cache keeps it in memory as long as its address may be in use. `prepare` of a module sees
    to what its kernels call in turn."""
    if hasattr(module, "prepare"):
        module.prepare(kernel)
    return compiled_pointer(getattr(module, kernel), signature(module.KIND, kernel))


def on_markers(declaration: type[Declaration], families: tuple[type[Family], ...]) -> bool:
    """Whether elements go through markers, instead of having a kernel for the families that they connect."""
    return isinstance(basis_of(declaration, families), Markers)


class Batch(NamedTuple):
    """Elements of one kernel, as arrays with a row for each: see Batches."""

    module: ModuleType
    dof: Array
    par: Array
    sig: Array
    row: Array
    slot: Array
    slot2: Array


def batches(found: Sequence[Batch]) -> Batches:
    """The table of batches."""
    if not found:
        return _no_batches()
    table, starts = np.zeros((len(found), WIDTH), dtype=np.int64), np.zeros(FIRST_KERNEL - 1, dtype=np.int64)
    for line, (module, *parts) in zip(table, found, strict=True):
        kernels = [
            0 if name in TANGENTS or not hasattr(module, name) else compiled_kernel(module, name).address
            for name in (*ARGUMENTS[module.KIND], *OPTIONAL.get(module.KIND, ()))
        ]
        line[0], line[1:FIRST_KERNEL] = len(parts[0]), starts
        line[FIRST_KERNEL : FIRST_KERNEL + len(kernels)] = kernels
        starts += [part.size for part in parts]
    modules, *parts = zip(*found, strict=True)
    kinds = (np.int32, float, np.int32, np.int32, np.int32, np.int32)
    dof, par, sig, row, slot, slot2 = (
        join([array.ravel() for array in arrays], kind) for arrays, kind in zip(parts, kinds, strict=True)
    )
    made = Batches(table=table, dof=dof, par=par, sig=sig, row=row, slot=slot, slot2=slot2)
    made.modules = modules
    return made


@functools.cache
def _no_batches() -> Batches:
    made = Batches(table=(0, WIDTH), **dict.fromkeys(("dof", "par", "sig", "row", "slot", "slot2"), 0))
    made.modules = ()
    return made


def join(parts: Sequence[Array], dtype: Any) -> Array:
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype)


def by_kernel(elements: Sequence[Block] | Sequence[Element]) -> Mapping[ModuleType, list[int]]:
    """Which of the elements each kernel serves."""
    groups: dict[ModuleType, list[int]] = {}
    for index, element in enumerate(elements):
        groups.setdefault(kernel_module(element.declaration, element.families), []).append(index)
    return groups


def stacked_signals(blocks: Sequence[Block], counts: Sequence[int], width: int) -> Array:
    """A row of signals for each element. counts: of elements."""
    given = np.array([block.signals for block in blocks], dtype=np.int32).reshape(len(blocks), width)
    return given.repeat(counts, axis=0)


class Fused(NamedTuple):
    """A batch on coordinates, with slots still to be numbered: which entries of Phi_q and of the tangents (of forces, of the
    tangents alone) its slots are, as rows and columns."""

    module: ModuleType
    members: list[int]
    """The blocks that it was made of."""
    dof: Array
    par: Array
    sig: Array
    row: Array
    first: tuple[Array, Array]
    second: tuple[Array, Array]

    def batch(self, slot: Array, slot2: Array) -> Batch:
        return Batch(self.module, self.dof, self.par, self.sig, self.row, slot, slot2)


def fused(blocks: Sequence[Block], n: int, rows: Sequence[Array] | None = None) -> list[Fused]:
    """Batches of the blocks that are not on markers. rows: of Phi, (count, rows) for each block of constraints."""
    found: dict[ModuleType, list[int]] = {}
    for index, block in enumerate(blocks):
        if block.count and not on_markers(block.declaration, block.families):
            module = kernel_module(block.declaration, block.families)
            block.require(module.N_DOF, module.N_PAR)
            found.setdefault(module, []).append(index)
    return [_fused(module, members, blocks, n, rows) for module, members in found.items()]


def _fused(
    module: ModuleType, members: list[int], blocks: Sequence[Block], n: int, rows: Sequence[Array] | None
) -> Fused:
    mine = [blocks[i] for i in members]
    dof = np.concatenate([block.coordinates for block in mine]).astype(np.int32)
    dof[dof == GROUND] = n
    par = np.concatenate([block.parameters for block in mine])
    sig = stacked_signals(mine, [block.count for block in mine], module.N_SIG)
    if rows is None:
        row = np.zeros((len(dof), 0), dtype=np.int32)
        i, j = np.array(module.TANGENT, dtype=np.int64).reshape(-1, 2).T
        first = dof[:, i], _there(module, "tangent", ("kq", "kv"), par, dof[:, j], n)
        second = dof[:, :0], dof[:, :0]
    else:
        row = np.concatenate([rows[i] for i in members])
        k, i = np.array(module.JACOBIAN, dtype=np.int64).reshape(-1, 2).T
        first = row[:, k], _there(module, "position", ("jac",), par, dof[:, i], n)
        i, j = np.array(module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
        second = dof[:, i], _there(module, "hessian", ("kq",), par, dof[:, j], n)
    return Fused(module, members, dof, par, sig, row, first, second)


def _there(module: ModuleType, kernel: str, matrices: tuple[str, ...], par: Array, column: Array, n: int) -> Array:
    """Columns of entries; what vanishes because of zero parameters goes where the entries of the ground go."""
    return np.where(entries(module, kernel, matrices, par, column.shape[1]), column, n)
