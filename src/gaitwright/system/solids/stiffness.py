"""The stiffness matrix of a solid as it is undeformed, sparse: what linear analyses of it begin with."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.system.batches import compiled_kernel
from gaitwright.system.solids.kernels import element_module
from gaitwright.system.solids.mass import AT_ONCE
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    from gaitwright.system.parts.solid import Filling


def element_stiffness(filling: Filling) -> Array:
    """Of each cell of a filling, (cells, k, k), N/m."""
    geometry = filling.geometry
    module = element_module(filling.material, geometry.shape, filling.mean)
    par = np.ascontiguousarray(geometry.parameters(np.array(filling.constants)))
    count, k = len(par), module.N_DOF
    found = np.zeros((count, k, k))
    dof, sig, zero, unused = np.zeros((AT_ONCE, k), np.int32), np.zeros(1, np.int32), np.zeros(1), np.zeros(1)
    slot = np.arange(AT_ONCE * k * k, dtype=np.int32)
    pointer = compiled_kernel(module, "tangent")
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 9)(pointer.address)
    for first in range(0, count, AT_ONCE):
        some = min(AT_ONCE, count - first)
        arrays = (dof, par[first:], sig, slot, zero, zero, unused, found[first:], unused)
        call(some, *(array.ctypes.data for array in arrays))
    return found


def stiffness_matrix(fillings: Iterable[Filling], coordinates: Array, size: int) -> Any:
    """Of all cells, (size, size), by columns, N/m. coordinates: (nodes, d), of each displacement, negative where it is held."""
    from scipy.sparse import coo_matrix

    found: list[tuple[Array, Array, Array]] = []
    for filling in fillings:
        where, matrices = filling.geometry.dof(coordinates), element_stiffness(filling)
        k = where.shape[1]
        rows, cols = np.repeat(where, k, axis=1).ravel(), np.tile(where, (1, k)).ravel()
        free = (rows >= 0) & (cols >= 0)
        found.append((rows[free], cols[free], matrices.ravel()[free]))
    rows, cols, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    # All at once: a sum of sparse matrices would drop entries that cancel, and leave a pattern that is not symmetric.
    return coo_matrix((values, (rows, cols)), shape=(size, size)).tocsc()
