"""Strains of spatial beams in NumPy (physics/beams/section.py), and parameters of their elements
(fem/beams/section_integrals.py)."""

from __future__ import annotations

import ctypes
from types import ModuleType

import numpy as np

from gaitwright.fem.beams.section_integrals import N_ELEMENT_COORDINATES, NUMBERS_PER_PLACE
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mechanism.tables import Array
from gaitwright.physics.beams.quadrature import QuadratureRule
from gaitwright.physics.beams.section import BeamSectionCurvature
from gaitwright.physics.bodies.beam import shape_functions

UPPER_TRIANGLE = np.triu_indices(4)
REFERENCE_DIRECTIONS = np.eye(3)[1:]
"""Reference directions of v2 and v3 in the tables."""


MIN_VECTOR_LENGTH = 1e-300
"""Lower bound of lengths that are divisors."""


def element_vectors(e: Array, xi: Array, length: Array) -> Array:
    """Return r_x, r_xx, w2, w3, w2_x, w3_x at positions xi of elements with the coordinates e, (..., elements, 24): (...,
    elements, len(xi), 6, 3). length: (elements, 1)."""
    e = e.reshape(*e.shape[:-1], 8, 3)
    vectors = []
    for derivative in (1, 2):
        s = np.stack(np.broadcast_arrays(*shape_functions(xi, length, derivative)), axis=-1)  # (elements, places, 4)
        vectors.append(np.einsum("epj,...ejc->...epc", s, e[..., :4, :]))
    share = np.stack([1.0 - xi, xi], axis=-1)
    for k in range(2):
        vectors.append(
            np.einsum("pj,...ejc->...epc", share, e[..., 4 + 2 * k : 6 + 2 * k, :]) + REFERENCE_DIRECTIONS[k]
        )
    for k in range(2):
        step = (e[..., 5 + 2 * k, :] - e[..., 4 + 2 * k, :])[..., None, :] / length[..., None]
        vectors.append(np.broadcast_to(step, vectors[0].shape))
    return np.stack(vectors, axis=-2)


def section_axes(vectors: Array) -> Array:
    """Return t, d2, d3 as rows, (..., 3, 3)."""
    r_x, w2, w3 = vectors[..., 0, :], vectors[..., 2, :], vectors[..., 3, :]
    t = r_x / np.maximum(np.linalg.norm(r_x, axis=-1, keepdims=True), MIN_VECTOR_LENGTH)
    p = w2 - (w2 * t).sum(axis=-1, keepdims=True) * t + np.cross(w3, t)
    d2 = p / np.maximum(np.linalg.norm(p, axis=-1, keepdims=True), MIN_VECTOR_LENGTH)
    return np.stack([t, d2, np.cross(t, d2)], axis=-2)


def compute_strains(vectors: Array) -> tuple[Array, Array]:
    """Return (strain, twist, curvature_2, curvature_3), (..., 4), and the axes of the section."""
    axes = section_axes(vectors)
    components = np.einsum("...ij,...kj->...ki", axes, vectors)
    r_x, r_xx, w2, w3, w2_x, w3_x = (np.moveaxis(components[..., k, :], -1, 0) for k in range(6))
    with np.errstate(divide="ignore", invalid="ignore"):  # while joints are closed, poses may be degenerate
        turning = BeamSectionCurvature.turning(tuple(r_x), tuple(r_xx), tuple(w2), tuple(w3), tuple(w2_x), tuple(w3_x))
    return np.stack([r_x[0] - 1.0, *turning], axis=-1), axes


def element_parameters(
    lengths: Array,
    rules: tuple[QuadratureRule, QuadratureRule],
    stiffness: tuple[Array, Array],
    rest: tuple[Array, Array],
) -> Array:
    """Return par of elements, (elements, ...): for the points of bending, then of stretching, with their stiffness (elements,
    points, 4, 4) and their unstressed strains (elements, points, 4)."""
    tables = []
    for rule, C, e0 in zip(rules, stiffness, rest, strict=True):
        xi, weight = np.array(rule).T
        l, count = lengths[:, None], len(xi)
        table = np.zeros((lengths.size, count, NUMBERS_PER_PLACE))
        table[..., 0] = weight * l
        table[..., 1] = np.any(C[..., 1:, 1:] != 0.0, axis=(-2, -1))
        table[..., 2:6] = np.stack(np.broadcast_arrays(*shape_functions(xi, l, 1)), axis=-1)
        table[..., 6:10] = np.stack(np.broadcast_arrays(*shape_functions(xi, l, 2)), axis=-1)
        table[..., 10], table[..., 11], table[..., 12], table[..., 13] = 1.0 - xi, xi, -1.0 / l, 1.0 / l
        table[..., 14:24] = C[..., UPPER_TRIANGLE[0], UPPER_TRIANGLE[1]]
        table[..., 24:28] = e0
        tables.append(table.reshape(lengths.size, -1))
    return np.hstack(tables)


def evaluate_elements(module: ModuleType, kernel: str, par: Array, q: Array, v: Array, size: int) -> Array:
    """Evaluate a kernel for elements with the coordinates q and velocities v, (..., 24), each separately: (..., size). par:
    (elements, ...), of the last axis but one of q."""
    shape_of, count = q.shape[:-1], q.size // N_ELEMENT_COORDINATES
    arrays = [
        np.arange(count * N_ELEMENT_COORDINATES, dtype=np.int32),
        np.ascontiguousarray(np.broadcast_to(par, (*shape_of, par.shape[-1]))),
        np.zeros(1, dtype=np.int32),
        *([np.arange(count * size, dtype=np.int32)] if kernel == "tangent" else []),
        np.ascontiguousarray(q, dtype=float),
        np.ascontiguousarray(v, dtype=float),
        np.zeros(3),
        np.zeros(count * size),
        *([np.zeros(count * size)] if kernel == "tangent" else []),
    ]
    pointer = compiled_kernel(module, kernel)
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))(pointer.address)
    call(count, *(array.ctypes.data for array in arrays))
    out = arrays[7 if kernel == "tangent" else 6]
    return out.reshape(*shape_of, size)
