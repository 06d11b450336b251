"""Rotations for graphics, as quaternions (w, x, y, z). Those of bodies come from geometry/rotation.py."""

from __future__ import annotations

from typing import Any

import numpy as np

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
