"""Rotation nearest to a matrix, compiled.

R maximises tr(R^T B); with B = sum w_a x_a X_a^T it is the least-squares rotation of points X_a onto points x_a. In the plane
it is an angle. In space its quaternion is the eigenvector for the largest eigenvalue of a symmetric 4 x 4 matrix, computed by
Jacobi rotations: no special cases, also for singular B, and never a reflection.

Source: B. K. P. Horn, J. Opt. Soc. Am. A 4 (1987) 629-642.
"""

from __future__ import annotations

import numpy as np

from gaitwright.jit import force_inline as inlined

MAX_JACOBI_SWEEPS = 30
"""Maximum number of Jacobi sweeps; five are typical."""
OFF_DIAGONAL_RTOL = 1e-36
"""Convergence tolerance: sum of squares off the diagonal, relative to that on it. The remainder turns no eigenvector by more
than 1e-18."""


@inlined
def nearest_rotation_plane(B, R):
    """Write the rotation nearest to B into R, both (2, 2)."""
    x, y = B[0, 0] + B[1, 1], B[1, 0] - B[0, 1]
    size = np.sqrt(x * x + y * y)
    R[0, 0] = R[1, 1] = x / size
    R[1, 0] = y / size
    R[0, 1] = -y / size


@inlined
def nearest_rotation_space(B, R):
    """Write the rotation nearest to B into R, both (3, 3)."""
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
    for _ in range(MAX_JACOBI_SWEEPS):
        off, size = 0.0, 0.0
        for i in range(4):
            size += N[i, i] * N[i, i]
            for j in range(i):
                off += N[i, j] * N[i, j]
        if off <= OFF_DIAGONAL_RTOL * size:
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
