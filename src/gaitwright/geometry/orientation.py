"""Orientations given in a document, checked and converted to rotation matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.parameters import ZERO_DIRECTION_TOL

MAX_AXIS_COSINE = 1e-6
"""Largest cosine between axes meant to be perpendicular: rounding of a file with six digits."""
Array = np.ndarray


def rotation_about_axis(axis: int, angle: float) -> Array:
    """Return the rotation matrix about a coordinate axis (0, 1, 2) by an angle, rad."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    c, s = math.cos(angle), math.sin(angle)
    matrix = np.eye(3)
    matrix[j, j] = matrix[k, k] = c
    matrix[j, k], matrix[k, j] = -s, s
    return matrix


def rotation_from_angles(angles: Any, sequence: str) -> Array:
    """Return the rotation matrix of successive rotations about body axes, rad. sequence: axes such as "zxz"."""
    matrix = np.eye(3)
    for angle, axis in zip(angles, sequence, strict=True):
        matrix = matrix @ rotation_about_axis("xyz".index(axis), angle)
    return matrix


def rotation_from_quaternion(quaternion: Any) -> Array:
    """Return the rotation matrix of a quaternion (w, x, y, z) of any length except zero."""
    w, x, y, z = np.asarray(quaternion, dtype=float) / math.hypot(*quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def read_orientation(scope: Any, given: Any, label: str, field: str = "orientation") -> Array:
    """Return the rotation matrix of an orientation; its columns are the axes of the body. None means aligned with the ground.

    given: object with at most one of quaternion, angles (degrees, with a sequence) and axes. Raises ModelError, at `field` of
    `label`, if the orientation is given twice, incomplete, zero, not perpendicular or left-handed."""
    if given is None:
        return np.eye(3)
    at = ErrorContext(label)
    formats = [name for name in ("quaternion", "angles", "axes") if getattr(given, name) is not None]
    if len(formats) > 1:
        at[field].fail(f"is given as {' and as '.join(formats)}", expected="one of them")
    if given.sequence is not None and given.angles is None:
        expected = "angles: three angles in degrees"
        at[f"{field}.sequence"].fail("belongs to angles, which are not given", given.sequence, expected)
    if given.quaternion is not None:
        numbers = [scope.number(v, label, f"{field}.quaternion[{k}]") for k, v in enumerate(given.quaternion)]
        if math.hypot(*numbers) < ZERO_DIRECTION_TOL:
            at[f"{field}.quaternion"].fail("is zero, which is no rotation", numbers, "[1, 0, 0, 0] for none")
        return rotation_from_quaternion(numbers)
    if given.angles is not None:
        numbers = [scope.number(v, label, f"{field}.angles[{k}]") for k, v in enumerate(given.angles)]
        return rotation_from_angles(np.radians(numbers), given.sequence or "xyz")
    if given.axes is not None:
        rows = [
            [scope.number(v, label, f"{field}.axes[{i}][{k}]") for k, v in enumerate(axis)]
            for i, axis in enumerate(given.axes)
        ]
        return _rotation_from_axes(np.array(rows), at[f"{field}.axes"])
    return np.eye(3)


def _rotation_from_axes(axes: Array, at: ErrorContext) -> Array:
    """Return the rotation matrix from axes v1, v2, v3 (rows), normalised and made exactly perpendicular."""
    lengths = np.linalg.norm(axes, axis=1)
    if lengths.min() < ZERO_DIRECTION_TOL:
        k = int(np.argmin(lengths))
        at[f"{at.field}[{k}]"].fail("has no direction", axes[k].tolist(), "a vector that is not zero")
    axes = axes / lengths[:, None]
    cosines = axes @ axes.T - np.eye(3)
    i, j = divmod(int(np.argmax(np.abs(cosines))), 3)
    if abs(cosines[i, j]) > MAX_AXIS_COSINE:
        angle = math.degrees(math.acos(np.clip(axes[i] @ axes[j], -1.0, 1.0)))
        at.fail(
            f"axes {min(i, j) + 1} and {max(i, j) + 1} are {angle:.6g} degrees apart",
            axes.round(9).tolist(),
            "three perpendicular vectors",
        )
    if np.linalg.det(axes) < 0:
        at.fail(
            "the frame is left-handed",
            axes.round(9).tolist(),
            f"axis 3 = axis 1 x axis 2, here {np.cross(axes[0], axes[1]).round(9).tolist()}",
        )
    u, _, vt = np.linalg.svd(axes.T)
    return u @ vt
