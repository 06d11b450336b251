"""Forces of the elements of a solid outside of the tables, for results."""

from __future__ import annotations

import ctypes

import numpy as np

from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.tables import Array


def evaluate_block_forces(block: ElementBlock, u: Array, v: Array, signals: Array | tuple[float, ...] = ()) -> Array:
    """Return the forces of all nodes, (nodes, d), N. u, v: their displacements, m, and velocities, m/s; the block numbers its
    coordinates like these arrays. signals: values of its functions of time."""
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
