"""Orientation of spatial bodies: rotation matrix, quaternion, angles of a sequence, angular velocity and acceleration.

The first dimension of arrays is time. A matrix maps components in the body frame to components in the ground frame; its
columns are the axes of the body. omega = 1/2 sum v_i x v_i' and its derivative 1/2 sum v_i x v_i'' hold for any rigid motion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray


def axes_of(coordinates: Array) -> Array:
    """Return v1, v2, v3 as rows, (..., 3, 3). coordinates: the twelve coordinates of a body as stored in the tables (...,
    12)."""
    return coordinates[..., 3:].reshape(*coordinates.shape[:-1], 3, 3) + np.eye(3)


def matrix_of(coordinates: Array) -> Array:
    """Return the rotation matrices (..., 3, 3) of the twelve coordinates of a body."""
    return np.swapaxes(axes_of(coordinates), -1, -2)


def angular_rate_of(coordinates: Array, rates: Array) -> Array:
    """Return 1/2 sum v_i x w_i in the ground frame (..., 3): angular velocity, rad/s, if `rates` are the velocities of the
    coordinates; angular acceleration, rad/s^2, if they are the accelerations."""
    return 0.5 * np.cross(axes_of(coordinates), rates[..., 3:].reshape(*rates.shape[:-1], 3, 3)).sum(axis=-2)


def quaternion_of(matrix: Array) -> Array:
    """Return the quaternions (w, x, y, z) of rotation matrices; w >= 0 in the first, and no jumps of sign along the first
    axis.

    The largest component is computed by a square root, the others from it (S. W. Shepperd, J. Guidance Control 1 (1978)
    223)."""
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
    quaternions = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    if quaternions.ndim == 1:
        return quaternions if quaternions[0] >= 0 else -quaternions
    quaternions[0] *= np.where(quaternions[0, ..., :1] < 0, -1.0, 1.0)
    flips = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
    quaternions[1:] *= np.cumprod(flips, axis=0)[..., None]
    return quaternions


def angles_of(matrix: Array, sequence: str) -> Array:
    """Return the angles (..., 3), rad, of successive rotations about body axes in a sequence such as xyz or zxz; continuous
    over time, without jumps of full turns.

    The middle angle is from -pi/2 to pi/2 for Cardan sequences and from 0 to pi for Euler sequences. At the ends of these
    ranges the first and third axis coincide and only the sum of their angles is determined: the third is then zero."""
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
        locked_angle = np.arctan2(sign * m[..., third, j], m[..., j, j])
        first, last = np.where(locked, locked_angle, first), np.where(locked, 0.0, last)
    angles = np.stack([first, middle, last], axis=-1)
    return np.unwrap(angles, axis=0) if angles.ndim > 1 else angles


def matrix_from_vector(vector: Array) -> Array:
    """Rotation matrix (3, 3) of a rotation vector (3,), rad: about its direction, by its length (Rodrigues' formula)."""
    angle = float(np.linalg.norm(vector))
    x, y, z = vector
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    # sin(a)/a and (1 - cos(a))/a^2, without cancellation near zero
    first, half = np.sinc(angle / np.pi), np.sinc(0.5 * angle / np.pi)
    return np.eye(3) + first * cross + 0.5 * half**2 * cross @ cross


def rotation_vector_rates(vector: Array) -> Array:
    """Matrix (3, 3) from the derivative of a rotation vector (3,), rad, to the rotation rate in the ground frame: the left
    Jacobian I + (1 - cos a)/a^2 K + (a - sin a)/a^3 K^2, with K the cross product with the vector, of length a."""
    angle = float(np.linalg.norm(vector))
    x, y, z = vector
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    third = (angle - np.sin(angle)) / angle**3 if angle > 1e-3 else 1.0 / 6.0 - angle**2 / 120.0
    return np.eye(3) + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * cross + third * cross @ cross


# Quaternions (w, x, y, z), for graphics -------------------------------------------------------------------------------


IDENTITY_QUATERNION = (1.0, 0.0, 0.0, 0.0)
"""Quaternion of no rotation."""


def rotate_vectors(quaternion: Any, vectors: Any) -> np.ndarray:
    """Rotate vectors (..., 3) by unit quaternions (..., 4): v + 2 w (u x v) + 2 u x (u x v)."""
    quaternion, vectors = np.asarray(quaternion, dtype=float), np.asarray(vectors, dtype=float)
    w, u = quaternion[..., :1], quaternion[..., 1:]
    once = 2.0 * np.cross(u, vectors)
    return vectors + w * once + np.cross(u, once)


def quaternion_from_direction(direction: Any) -> np.ndarray:
    """Return the quaternion (..., 4) of the shortest rotation that takes z to a direction."""
    direction = np.asarray(direction, dtype=float)
    direction = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    x, y, z = np.moveaxis(direction, -1, 0)
    turned = np.stack([1.0 + z, -y, x, np.zeros_like(x)], axis=-1)
    over = np.broadcast_to(np.array([0.0, 1.0, 0.0, 0.0]), turned.shape)  # half a turn about x
    turned = np.where((z < -1.0 + 1e-12)[..., None], over, turned)
    return turned / np.linalg.norm(turned, axis=-1, keepdims=True)
