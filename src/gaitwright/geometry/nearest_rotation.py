"""The rotation that is nearest to a matrix, compiled.

R makes tr(R^T B) largest; with B = sum w_a x_a X_a^T it takes places X_a closest to places x_a, by least squares. In the plane
it is an angle. In space its quaternion is the eigenvector of a symmetric matrix of four rows with the largest
eigenvalue, found by Jacobi's rotations: no special cases, also where B is singular, and never a mirror.

Source: B. K. P. Horn, J. Opt. Soc. Am. A 4 (1987) 629-642.
"""

from __future__ import annotations

import numpy as np

from gaitwright.compiled import put_inside as inlined

SWEEPS = 30
"""Of Jacobi's rotations; five are the rule."""
DIAGONAL = 1e-36
"""Squares beside the diagonal, relative to those on it, that end them: what is left turns no eigenvector by more than 1e-18."""


@inlined
def nearest_rotation_plane(B, R):
    """R: (2, 2)."""
    x, y = B[0, 0] + B[1, 1], B[1, 0] - B[0, 1]
    size = np.sqrt(x * x + y * y)
    R[0, 0] = R[1, 1] = x / size
    R[1, 0] = y / size
    R[0, 1] = -y / size


@inlined
def nearest_rotation_space(B, R):
    """R: (3, 3)."""
    N, V = np.empty((4, 4)), np.zeros((4, 4))
    N[0, 0] = B[0, 0] + B[1, 1] + B[2, 2]
    N[1, 1] = B[0, 0] - B[1, 1] - B[2, 2]
    N[2, 2] = B[1, 1] - B[0, 0] - B[2, 2]
    N[3, 3] = B[2, 2] - B[0, 0] - B[1, 1]
    N[0, 1] = N[1, 0] = B[2, 1] - B[1, 2]
    N[0, 2] = N[2, 0] = B[0, 2] - B[2, 0]
    N[0, 3] = N[3, 0] = B[1, 0] - B[0, 1]
    N[1, 2] = N[2, 1] = B[0, 1] + B[1, 0]
    N[1, 3] = N[3, 1] = B[0, 2] + B[2, 0]
    N[2, 3] = N[3, 2] = B[1, 2] + B[2, 1]
    for i in range(4):
        V[i, i] = 1.0
    for _ in range(SWEEPS):
        off, size = 0.0, 0.0
        for i in range(4):
            size += N[i, i] * N[i, i]
            for j in range(i):
                off += N[i, j] * N[i, j]
        if off <= DIAGONAL * size:
            break
        for i in range(3):
            for j in range(i + 1, 4):
                if N[i, j] != 0.0:
                    slope = (N[j, j] - N[i, i]) / (2.0 * N[i, j])
                    t = 1.0 / (abs(slope) + np.sqrt(slope * slope + 1.0))
                    t = -t if slope < 0.0 else t
                    c = 1.0 / np.sqrt(t * t + 1.0)
                    s = t * c
                    for k in range(4):
                        a, b = N[k, i], N[k, j]
                        N[k, i], N[k, j] = c * a - s * b, s * a + c * b
                    for k in range(4):
                        a, b = N[i, k], N[j, k]
                        N[i, k], N[j, k] = c * a - s * b, s * a + c * b
                        a, b = V[k, i], V[k, j]
                        V[k, i], V[k, j] = c * a - s * b, s * a + c * b
    best = 0
    for i in range(1, 4):
        if N[i, i] > N[best, best]:
            best = i
    w, x, y, z = V[0, best], V[1, best], V[2, best], V[3, best]
    size = 1.0 / (w * w + x * x + y * y + z * z)
    w, x, y, z = w * np.sqrt(size), x * np.sqrt(size), y * np.sqrt(size), z * np.sqrt(size)
    R[0, 0], R[1, 1], R[2, 2] = 1 - 2 * (y * y + z * z), 1 - 2 * (x * x + z * z), 1 - 2 * (x * x + y * y)
    R[0, 1], R[1, 0] = 2 * (x * y - w * z), 2 * (x * y + w * z)
    R[0, 2], R[2, 0] = 2 * (x * z + w * y), 2 * (x * z - w * y)
    R[1, 2], R[2, 1] = 2 * (y * z - w * x), 2 * (y * z + w * x)
