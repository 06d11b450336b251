"""Sums of powers of principal stretches, with their derivatives: copied into the kernels of materials that are made of them."""

from math import exp, expm1, log1p, sqrt

from numba.extending import register_jitable

from gaitwright.derive.scratch import scratch


# Copied from derive/spectral.py, because kernels import nothing of ours.
@register_jitable
def stretches(d, given, first, out):
    """Principal stretches of F = I + H, H = given[first : first + d d] row by row: x - 1 of the eigenvalues x of C = F^T F,
    log x, the eigenvectors n, in columns, and F n.

    By Jacobi's rotations, which are exact to rounding where eigenvalues are equal."""
    m = scratch(9)  # C - I = H + H^T + H^T H, made diagonal
    n = scratch(9)
    for i in range(d):
        for j in range(d):
            total = given[first + d * i + j] + given[first + d * j + i]
            for k in range(d):
                total += given[first + d * k + i] * given[first + d * k + j]
            m[d * i + j] = total
            n[d * i + j] = 1.0 if i == j else 0.0
    for _sweep in range(60):
        off, on = 0.0, 0.0
        for i in range(d):
            on += abs(m[d * i + i])
            for j in range(i):
                off += abs(m[d * i + j])
        if off <= 1e-40 * on:
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
        out[a] = m[d * a + a]
        out[3 + a] = log1p(m[d * a + a])
    for i in range(d):
        for a in range(d):
            total = n[d * i + a]
            for k in range(d):
                total += given[first + d * i + k] * n[d * k + a]
            out[6 + d * i + a] = n[d * i + a]
            out[15 + d * i + a] = total
    return out


@register_jitable
def power_sum(d, order, alpha, eigen, out):
    """Sum of lambda_i^alpha - 1 over the d principal stretches, from what `stretches` found.

    out: the sum; with order 1 also its derivatives in H, with order 2 also the second ones, one triangle row by row, from

        (x^g - y^g) / (x - y) = y^(g - 1) ((1 + r)^g - 1) / r        r = (x - y) / y

    which is smooth where eigenvalues are equal: expm1 and log1p keep its digits for every r."""
    beta = alpha / 2.0
    gamma = beta - 1.0
    value = 0.0
    for a in range(d):
        value += expm1(beta * eigen[3 + a])
    out[0] = value
    if order > 0:
        slope = scratch(9)  # f'(C) with f(x) = x^beta
        single = scratch(3)  # its eigenvalues
        for a in range(d):
            single[a] = beta * exp(gamma * eigen[3 + a])
        for i in range(d):
            for j in range(d):
                total, straight = 0.0, 0.0
                for a in range(d):
                    total += single[a] * eigen[15 + d * i + a] * eigen[6 + d * j + a]
                    straight += single[a] * eigen[6 + d * i + a] * eigen[6 + d * j + a]
                out[1 + d * i + j] = 2.0 * total
                slope[d * i + j] = straight
    if order > 1:
        size = d * d
        place = 1 + size
        for i in range(size):
            for j in range(i, size):
                out[place] = 2.0 * slope[d * (i % d) + j % d] if i // d == j // d else 0.0
                place += 1
        pair = scratch(9)
        for a in range(d):
            for b in range(a, d):
                y = 1.0 + eigen[b]
                r = (eigen[a] - eigen[b]) / y
                ratio = gamma if r == 0.0 else expm1(gamma * log1p(r)) / r
                weight = (1.0 if a == b else 2.0) * beta * exp((gamma - 1.0) * eigen[3 + b]) * ratio
                for i in range(d):
                    for j in range(d):
                        pair[d * i + j] = eigen[15 + d * i + b] * eigen[6 + d * j + a]
                        pair[d * i + j] += eigen[15 + d * i + a] * eigen[6 + d * j + b]
                place = 1 + size
                for i in range(size):
                    scaled = weight * pair[i]
                    for j in range(i, size):
                        out[place] += scaled * pair[j]
                        place += 1
    return out
