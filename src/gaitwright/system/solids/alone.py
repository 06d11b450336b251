"""Forces of the elements of a solid by themselves, outside of the tables: what results show of it."""

from __future__ import annotations

import ctypes

import numpy as np

from gaitwright.system.batches import compiled_kernel
from gaitwright.system.blocks import Block
from gaitwright.system.tables import Array


def forces_alone(block: Block, u: Array, v: Array, signals: Array | tuple[float, ...] = ()) -> Array:
    """Of all nodes, (nodes, d), N. u, v: their displacements, m, and velocities, m/s; the coordinates of the block are
    numbered as these are. signals: values of its functions of time."""
    total = np.zeros(u.size)
    arrays = [
        np.ascontiguousarray(block.coordinates, dtype=np.int32), np.ascontiguousarray(block.parameters, dtype=float),
        np.tile(np.arange(len(signals), dtype=np.int32), block.count),
        np.ascontiguousarray(u, dtype=float), np.ascontiguousarray(v, dtype=float),
        np.repeat(np.asarray(signals, dtype=float), 3), total,
    ]  # fmt: skip
    pointer = compiled_kernel(block.declaration.kernels, "force")
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))(pointer.address)
    call(block.count, *(array.ctypes.data for array in arrays))
    return total.reshape(u.shape)
