"""Stiffness matrix of an undeformed solid, sparse, for its linear analyses."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.fem.kernel_modules import element_module
from gaitwright.fem.mass import ELEMENT_BATCH_SIZE
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mechanism.tables import Array

if TYPE_CHECKING:
    from gaitwright.fem.solid_part import MaterialRegion


def element_stiffness(filling: MaterialRegion) -> Array:
    """Return the stiffness of each cell of a filling, (cells, k, k), N/m."""
    geometry = filling.geometry
    module = element_module(filling.material, geometry.shape, filling.mean)
    par = np.ascontiguousarray(geometry.parameters(np.array(filling.constants)))
    count, k = len(par), module.N_DOF
    matrices = np.zeros((count, k, k))
    dof = np.zeros((ELEMENT_BATCH_SIZE, k), np.int32)
    sig = np.zeros(1, np.int32)
    zeros = np.zeros(1)
    no_values = np.zeros(1)
    slot = np.arange(ELEMENT_BATCH_SIZE * k * k, dtype=np.int32)
    pointer = compiled_kernel(module, "tangent")
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 9)(pointer.address)
    for first in range(0, count, ELEMENT_BATCH_SIZE):
        batch = min(ELEMENT_BATCH_SIZE, count - first)
        arrays = (dof, par[first:], sig, slot, zeros, zeros, no_values, matrices[first:], no_values)
        call(batch, *(array.ctypes.data for array in arrays))
    return matrices


def stiffness_matrix(fillings: Iterable[MaterialRegion], coordinates: Array, size: int) -> Any:
    """Return the stiffness of all cells, (size, size), CSC format, N/m. coordinates: (nodes, d), of each displacement,
    negative if it is held."""
    from scipy.sparse import coo_matrix

    entries: list[tuple[Array, Array, Array]] = []
    for filling in fillings:
        where, matrices = filling.geometry.dof(coordinates), element_stiffness(filling)
        k = where.shape[1]
        rows, cols = np.repeat(where, k, axis=1).ravel(), np.tile(where, (1, k)).ravel()
        free = (rows >= 0) & (cols >= 0)
        entries.append((rows[free], cols[free], matrices.ravel()[free]))
    rows, cols, values = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    # Summed at once: a sum of sparse matrices would drop entries that cancel, and leave an unsymmetric pattern.
    return coo_matrix((values, (rows, cols)), shape=(size, size)).tocsc()
