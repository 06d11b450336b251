"""Orientation of spatial bodies: rotation matrix, quaternion, angles of a sequence, angular velocity and acceleration.

Arrays have times in front. A matrix takes components of the body frame to those of the ground frame; its columns are the axes
of the body. omega = 1/2 sum v_i x v_i' and its derivative 1/2 sum v_i x v_i'' hold for any rigid motion.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def axes_of(coordinates: Array) -> Array:
    """v1, v2, v3 as rows, (..., 3, 3), of the twelve coordinates of a body as the tables hold them."""
    return coordinates[..., 3:].reshape(*coordinates.shape[:-1], 3, 3) + np.eye(3)


def matrix_of(coordinates: Array) -> Array:
    """Rotation matrices, (..., 3, 3)."""
    return np.swapaxes(axes_of(coordinates), -1, -2)


def spin_of(coordinates: Array, rates: Array) -> Array:
    """1/2 sum v_i x w_i: the angular velocity if w are the velocities of the coordinates, the angular acceleration if they
    are the accelerations; ground frame."""
    return 0.5 * np.cross(axes_of(coordinates), rates[..., 3:].reshape(*rates.shape[:-1], 3, 3)).sum(axis=-2)


def quaternion_of(matrix: Array) -> Array:
    """(w, x, y, z) of rotation matrices, w >= 0 at the first and without jumps of sign along the first axis.

    The largest of the four is computed by a root, the others from it (S. W. Shepperd, J. Guidance Control 1 (1978) 223)."""
    m = np.asarray(matrix)
    trace = np.trace(m, axis1=-2, axis2=-1)
    squares = np.stack([1 + trace, *(1 + 2 * m[..., k, k] - trace for k in range(3))], axis=-1)
    products = np.empty((*m.shape[:-2], 4, 4))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        products[..., 0, k + 1] = products[..., k + 1, 0] = m[..., j, i] - m[..., i, j]
        products[..., i + 1, j + 1] = products[..., j + 1, i + 1] = m[..., i, j] + m[..., j, i]
    for k in range(4):
        products[..., k, k] = squares[..., k]
    best = squares.argmax(axis=-1)
    rows = np.take_along_axis(products, best[..., None, None], axis=-2)[..., 0, :]
    found = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    if found.ndim == 1:
        return found if found[0] >= 0 else -found
    found[0] *= np.where(found[0, ..., :1] < 0, -1.0, 1.0)
    flips = np.where((found[1:] * found[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
    found[1:] *= np.cumprod(flips, axis=0)[..., None]
    return found


def angles_of(matrix: Array, sequence: str) -> Array:
    """Angles (..., 3), rad, of turns about axes of the body in a sequence such as xyz or zxz; over time without
    jumps of full turns.

    The middle angle is from -pi/2 to pi/2 for Cardan's sequences and from 0 to pi for Euler's. Where it is at an end, the
    first and third axis coincide and only the sum of their angles counts: the third is then zero."""
    m = np.asarray(matrix)
    i, j, k = ("xyz".index(axis) for axis in sequence)
    third = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if i == k:
        middle = np.arctan2(np.hypot(m[..., i, j], m[..., i, third]), m[..., i, i])
        first = np.arctan2(m[..., j, i], -sign * m[..., third, i])
        last = np.arctan2(m[..., i, j], sign * m[..., i, third])
    else:
        middle = np.arctan2(sign * m[..., i, k], np.hypot(m[..., i, i], m[..., i, j]))
        first = np.arctan2(-sign * m[..., j, k], m[..., k, k])
        last = np.arctan2(-sign * m[..., i, j], m[..., i, i])
    size = np.hypot(m[..., i, j], m[..., i, third]) if i == k else np.hypot(m[..., i, i], m[..., i, j])
    locked = size < 1e-9
    if np.any(locked):
        alone = np.arctan2(sign * m[..., third, j], m[..., j, j])
        first, last = np.where(locked, alone, first), np.where(locked, 0.0, last)
    found = np.stack([first, middle, last], axis=-1)
    return np.unwrap(found, axis=0) if found.ndim > 1 else found
