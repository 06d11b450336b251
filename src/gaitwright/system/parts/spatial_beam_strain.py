"""Strains of beams of space in numbers (physics/beams/section.py), and what elements are told (system/section_loops.py)."""

from __future__ import annotations

import ctypes
from types import ModuleType

import numpy as np

from gaitwright.physics.beams.quadrature import Rule
from gaitwright.physics.beams.section import Section
from gaitwright.physics.bodies.beam import shape
from gaitwright.system.batches import compiled_kernel
from gaitwright.system.section_loops import NUMBERS, N
from gaitwright.system.tables import Array

UPPER = np.triu_indices(4)
UPRIGHT = np.eye(3)[1:]
"""What v2 and v3 are counted from in the tables."""


TINY = 1e-300
"""What a length that vanishes is taken for."""


def vectors_at(e: Array, xi: Array, length: Array) -> Array:
    """r_x, r_xx, w2, w3, w2_x, w3_x at places xi of elements with the coordinates e, (..., elements, 24): (..., elements,
    len(xi), 6, 3). length: (elements, 1)."""
    e = e.reshape(*e.shape[:-1], 8, 3)
    found = []
    for derivative in (1, 2):
        s = np.stack(np.broadcast_arrays(*shape(xi, length, derivative)), axis=-1)  # (elements, places, 4)
        found.append(np.einsum("epj,...ejc->...epc", s, e[..., :4, :]))
    share = np.stack([1.0 - xi, xi], axis=-1)
    for k in range(2):
        found.append(np.einsum("pj,...ejc->...epc", share, e[..., 4 + 2 * k : 6 + 2 * k, :]) + UPRIGHT[k])
    for k in range(2):
        step = (e[..., 5 + 2 * k, :] - e[..., 4 + 2 * k, :])[..., None, :] / length[..., None]
        found.append(np.broadcast_to(step, found[0].shape))
    return np.stack(found, axis=-2)


def axes_of_section(vectors: Array) -> Array:
    """t, d2, d3 as rows, (..., 3, 3)."""
    r_x, w2, w3 = vectors[..., 0, :], vectors[..., 2, :], vectors[..., 3, :]
    t = r_x / np.maximum(np.linalg.norm(r_x, axis=-1, keepdims=True), TINY)
    p = w2 - (w2 * t).sum(axis=-1, keepdims=True) * t + np.cross(w3, t)
    d2 = p / np.maximum(np.linalg.norm(p, axis=-1, keepdims=True), TINY)
    return np.stack([t, d2, np.cross(t, d2)], axis=-2)


def strains_of(vectors: Array) -> tuple[Array, Array]:
    """(strain, twist, curvature_2, curvature_3), (..., 4), and the axes of the section."""
    axes = axes_of_section(vectors)
    seen = np.einsum("...ij,...kj->...ki", axes, vectors)
    r_x, r_xx, w2, w3, w2_x, w3_x = (np.moveaxis(seen[..., k, :], -1, 0) for k in range(6))
    with np.errstate(divide="ignore", invalid="ignore"):  # while joints are closed, a pose may be anything
        turning = Section.turning(tuple(r_x), tuple(r_xx), tuple(w2), tuple(w3), tuple(w2_x), tuple(w3_x))
    return np.stack([r_x[0] - 1.0, *turning], axis=-1), axes


def numbers_of(
    lengths: Array, rules: tuple[Rule, Rule], stiffness: tuple[Array, Array], rest: tuple[Array, Array]
) -> Array:
    """par of elements, (elements, ...): for places of bending, then of stretching, with their stiffness (elements, places, 4,
    4) and their strains without load (elements, places, 4)."""
    found = []
    for rule, C, e0 in zip(rules, stiffness, rest, strict=True):
        xi, weight = np.array(rule).T
        l, count = lengths[:, None], len(xi)
        table = np.zeros((lengths.size, count, NUMBERS))
        table[..., 0] = weight * l
        table[..., 1] = np.any(C[..., 1:, 1:] != 0.0, axis=(-2, -1))
        table[..., 2:6] = np.stack(np.broadcast_arrays(*shape(xi, l, 1)), axis=-1)
        table[..., 6:10] = np.stack(np.broadcast_arrays(*shape(xi, l, 2)), axis=-1)
        table[..., 10], table[..., 11], table[..., 12], table[..., 13] = 1.0 - xi, xi, -1.0 / l, 1.0 / l
        table[..., 14:24] = C[..., UPPER[0], UPPER[1]]
        table[..., 24:28] = e0
        found.append(table.reshape(lengths.size, -1))
    return np.hstack(found)


def alone(module: ModuleType, kernel: str, par: Array, q: Array, v: Array, size: int) -> Array:
    """What a kernel gives for elements with the coordinates q and velocities v, (..., 24), each by itself: (..., size).
    par: (elements, ...), of the last axis but one of q."""
    shape_of, count = q.shape[:-1], q.size // N
    arrays = [
        np.arange(count * N, dtype=np.int32), np.ascontiguousarray(np.broadcast_to(par, (*shape_of, par.shape[-1]))),
        np.zeros(1, dtype=np.int32), *([np.arange(count * size, dtype=np.int32)] if kernel == "tangent" else []),
        np.ascontiguousarray(q, dtype=float), np.ascontiguousarray(v, dtype=float), np.zeros(3), np.zeros(count * size),
        *([np.zeros(count * size)] if kernel == "tangent" else []),
    ]  # fmt: skip
    pointer = compiled_kernel(module, kernel)
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))(pointer.address)
    call(count, *(array.ctypes.data for array in arrays))
    out = arrays[7 if kernel == "tangent" else 6]
    return out.reshape(*shape_of, size)
