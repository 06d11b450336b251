"""Sums of powers of principal stretches, with their derivatives in H: building blocks of material_point.py.

A sum is a function of C = F^T F with the derivative f'(C), f = x^(alpha/2), and a second derivative of divided differences

    (x^g - y^g) / (x - y) = y^(g - 1) ((1 + r)^g - 1) / r        r = (x - y) / y

which is smooth for equal eigenvalues: expm1 and log1p keep its digits for every r.
"""

from math import exp, expm1, log1p, sqrt

from gaitwright.jit.stack_memory import scratch

# pyright: reportIndexIssue=false
EIGENVALUES, LOG_EIGENVALUES, EIGENVECTORS, DEFORMED_EIGENVECTORS, EIGEN_SIZE = 0, 3, 6, 15, 24
"""Layout of the output of `compute_stretches`: x - 1 of the eigenvalues x of C, log x, the eigenvectors n in columns, and F n
in columns; its size."""
MAX_JACOBI_SWEEPS = 60
"""Maximum number of Jacobi sweeps; five are typical."""
OFF_DIAGONAL_RTOL = 1e-40
"""Convergence tolerance: sum of absolute values off the diagonal, relative to that on it. Convergence is so fast that the
remainder is soon zero, and stretches near 1 keep all their digits."""


def compute_stretches(d, h, out):
    """Compute the principal stretches of F = I + H; out: see EIGENVALUES.

    Uses Jacobi rotations, which are exact to rounding for equal eigenvalues."""
    m = scratch(9)  # C - I = H + H^T + H^T H, to be diagonalised
    n = scratch(9)
    for i in range(d):
        for j in range(d):
            total = h[d * i + j] + h[d * j + i]
            for k in range(d):
                total += h[d * k + i] * h[d * k + j]
            m[d * i + j] = total
            n[d * i + j] = 1.0 if i == j else 0.0
    for _sweep in range(MAX_JACOBI_SWEEPS):
        off, on = 0.0, 0.0
        for i in range(d):
            on += abs(m[d * i + i])
            for j in range(i):
                off += abs(m[d * i + j])
        if off <= OFF_DIAGONAL_RTOL * on:
            break
        for p in range(d):
            for q in range(p + 1, d):
                between = m[d * p + q]
                if between != 0.0:
                    tau = (m[d * q + q] - m[d * p + p]) / (2.0 * between)
                    t = (1.0 if tau >= 0.0 else -1.0) / (abs(tau) + sqrt(1.0 + tau * tau))
                    c = 1.0 / sqrt(1.0 + t * t)
                    s = t * c
                    m[d * p + p] -= t * between
                    m[d * q + q] += t * between
                    m[d * p + q] = m[d * q + p] = 0.0
                    for r in range(d):
                        if r != p and r != q:
                            x, y = m[d * r + p], m[d * r + q]
                            m[d * r + p] = m[d * p + r] = c * x - s * y
                            m[d * r + q] = m[d * q + r] = s * x + c * y
                        x, y = n[d * r + p], n[d * r + q]
                        n[d * r + p] = c * x - s * y
                        n[d * r + q] = s * x + c * y
    for a in range(d):
        out[EIGENVALUES + a] = m[d * a + a]
        out[LOG_EIGENVALUES + a] = log1p(m[d * a + a])
    for i in range(d):
        for a in range(d):
            total = n[d * i + a]
            for k in range(d):
                total += h[d * i + k] * n[d * k + a]
            out[EIGENVECTORS + d * i + a] = n[d * i + a]
            out[DEFORMED_EIGENVECTORS + d * i + a] = total


def stretch_power_sum(d, alpha, eigen):
    """Return the sum of lambda_i^alpha - 1 over the d principal stretches."""
    total = 0.0
    for a in range(d):
        total += expm1(alpha / 2.0 * eigen[LOG_EIGENVALUES + a])
    return total


def stretch_power_slope(d, alpha, eigen, g, first):
    """Write the derivatives of the sum in H: 2 F f'(C)."""
    single = scratch(3)
    for a in range(d):
        single[a] = alpha * exp((alpha / 2.0 - 1.0) * eigen[LOG_EIGENVALUES + a])
    for i in range(d):
        for j in range(d):
            total = 0.0
            for a in range(d):
                total += single[a] * eigen[DEFORMED_EIGENVECTORS + d * i + a] * eigen[EIGENVECTORS + d * j + a]
            g[first + d * i + j] = total


def add_stretch_power_curvature(d, n, sums, alpha, w, eigen, full):
    """Add the second derivatives of several sums, each times its w, to full: one sum over pairs of stretches for all of
    them."""
    slope, pair = scratch(9), scratch(9)
    for i in range(d):
        for j in range(d):
            slope[d * i + j] = 0.0
    for a in range(d):
        single = 0.0
        for p in range(sums):
            single += w[p] * alpha[p] * exp((alpha[p] / 2.0 - 1.0) * eigen[LOG_EIGENVALUES + a])
        for i in range(d):
            for j in range(d):
                slope[d * i + j] += single * eigen[EIGENVECTORS + d * i + a] * eigen[EIGENVECTORS + d * j + a]
    for k in range(d):
        for i in range(d):
            for j in range(d):
                full[n * (d * k + i) + d * k + j] += slope[d * i + j]
    for a in range(d):
        for b in range(a, d):
            y = 1.0 + eigen[EIGENVALUES + b]
            r = (eigen[EIGENVALUES + a] - eigen[EIGENVALUES + b]) / y
            weight = 0.0
            for p in range(sums):
                gamma = alpha[p] / 2.0 - 1.0
                ratio = gamma if r == 0.0 else expm1(gamma * log1p(r)) / r
                weight += w[p] * alpha[p] / 2.0 * exp((gamma - 1.0) * eigen[LOG_EIGENVALUES + b]) * ratio
            if a != b:
                weight *= 2.0
            for i in range(d):
                for j in range(d):
                    pair[d * i + j] = eigen[DEFORMED_EIGENVECTORS + d * i + b] * eigen[EIGENVECTORS + d * j + a]
                    pair[d * i + j] += eigen[DEFORMED_EIGENVECTORS + d * i + a] * eigen[EIGENVECTORS + d * j + b]
            for i in range(d * d):
                scaled = weight * pair[i]
                for j in range(d * d):
                    full[n * i + j] += scaled * pair[j]
