"""Invariants of energies, with their first and second derivatives in H: building blocks of material_point.py and the loops.

    j = J - 1        k1 = I1 - 3        ee = E:E        e = E = (H + H^T + H^T H) / 2, or (H + H^T) / 2

All are differences from the undeformed state, so that small strains keep their digits. `full` is a matrix of n columns; its
first d d rows and columns belong to H, row by row. Sums of powers of stretches: principal_stretches.py.
"""

# pyright: reportIndexIssue=false


def scale_derivatives(size, weight, w):
    """Expand first derivatives and the upper half of the second derivatives in `size` invariants, stored in sequence, to the
    full matrix, times a weight."""
    for k in range(size):
        w[k] *= weight
        for l in range(k, size):
            w[size + size * l + k] = w[size + size * k + l] = weight * w[size + size * k + l]


def deformation_gradient(d, h, f):
    """F = I + H."""
    for i in range(d):
        for j in range(d):
            f[d * i + j] = h[d * i + j] + (1.0 if i == j else 0.0)


def volume_change(d, h):
    """Return j."""
    if d == 2:
        return h[0] + h[3] + (h[0] * h[3] - h[1] * h[2])
    a, b, c = h[4] * h[8] - h[5] * h[7], h[3] * h[8] - h[5] * h[6], h[3] * h[7] - h[4] * h[6]
    pairs = (h[0] * h[4] - h[1] * h[3]) + (h[0] * h[8] - h[2] * h[6]) + a
    return h[0] + h[4] + h[8] + pairs + (h[0] * a - h[1] * b + h[2] * c)


def volume_change_slope(d, f, g, first):
    """Write the cofactors of F to g."""
    if d == 2:
        g[first], g[first + 1], g[first + 2], g[first + 3] = f[3], -f[2], -f[1], f[0]
    else:
        for i in range(3):
            a, b = 3 * ((i + 1) % 3), 3 * ((i + 2) % 3)
            g[first + 3 * i] = f[a + 1] * f[b + 2] - f[a + 2] * f[b + 1]
            g[first + 3 * i + 1] = f[a + 2] * f[b] - f[a] * f[b + 2]
            g[first + 3 * i + 2] = f[a] * f[b + 1] - f[a + 1] * f[b]


def add_volume_change_curvature(d, n, weight, f, full):
    """Add the second derivatives of j, times a weight, to full."""
    if d == 2:
        full[3] += weight
        full[n + 2] -= weight
        full[2 * n + 1] -= weight
        full[3 * n] += weight
    else:
        for i in range(3):
            # the slope in row i is the cross product of the next two rows, a x b
            a, b = 3 * ((i + 1) % 3), 3 * ((i + 2) % 3)
            for j in range(3):
                k, l = (j + 1) % 3, (j + 2) % 3
                row = n * (3 * i + j)
                full[row + a + k] += weight * f[b + l]
                full[row + a + l] -= weight * f[b + k]
                full[row + b + l] += weight * f[a + k]
                full[row + b + k] -= weight * f[a + l]


def first_invariant(d, h):
    """Return k1."""
    total = 0.0
    for i in range(d):
        total += 2.0 * h[d * i + i]
    for k in range(d * d):
        total += h[k] * h[k]
    return total


def first_invariant_slope(d, f, g, first):
    """Write the derivatives of k1, 2 F, to g."""
    for k in range(d * d):
        g[first + k] = 2.0 * f[k]


def add_first_invariant_curvature(d, n, weight, full):
    """Add the second derivatives of k1, times a weight, to full."""
    for k in range(d * d):
        full[n * k + k] += 2.0 * weight


def strain_square(h):
    """Return ee, in space."""
    squares = 0.0
    for i in range(3):
        for j in range(i, 3):
            e = h[3 * i + j] + h[3 * j + i]
            for k in range(3):
                e += h[3 * k + i] * h[3 * k + j]
            squares += (0.25 if i == j else 0.5) * e * e
    return squares


def strain_square_slope(f, g, first):
    """Write 2 F E = F C - F to g."""
    for i in range(3):
        for j in range(3):
            total = -f[3 * i + j]
            for k in range(3):
                across = 0.0
                for l in range(3):
                    across += f[3 * i + l] * f[3 * k + l]
                total += across * f[3 * k + j]
            g[first + 3 * i + j] = total


def add_strain_square_curvature(n, weight, f, full):
    """Add terms by ij and kl, except F_il F_kj: d_jl (F F^T)_ik + d_ik (C - I)_jl."""
    for i in range(3):
        for k in range(3):
            rows, columns = 0.0, -1.0 if i == k else 0.0
            for l in range(3):
                rows += f[3 * i + l] * f[3 * k + l]
                columns += f[3 * l + i] * f[3 * l + k]
            for l in range(3):
                full[n * (3 * i + l) + 3 * k + l] += weight * rows
                full[n * (3 * l + i) + 3 * l + k] += weight * columns


# Strains: entries of one triangle, row by row ---------------------------------------------------------------------------


def strains(d, linear, h, y, first):
    """Write the strains E to y, from index `first` on."""
    place = first
    for i in range(d):
        for j in range(i, d):
            total = h[d * i + j] + h[d * j + i]
            if not linear:
                for k in range(d):
                    total += h[d * k + i] * h[d * k + j]
            y[place] = 0.5 * total
            place += 1


def strain_rates(d, linear, h, v, y):
    """Strain rates from the gradient V of the velocity."""
    place = 0
    for i in range(d):
        for j in range(i, d):
            total = v[d * i + j] + v[d * j + i]
            if not linear:
                for k in range(d):
                    total += h[d * k + i] * v[d * k + j] + v[d * k + i] * h[d * k + j]
            y[place] = 0.5 * total
            place += 1


def strain_stress_tensor(d, w, first, s):
    """Symmetric tensor S from the derivatives in the strains: e12 represents e21, too."""
    place = first
    for i in range(d):
        s[d * i + i] = w[place]
        place += 1
        for j in range(i + 1, d):
            s[d * i + j] = s[d * j + i] = 0.5 * w[place]
            place += 1


def add_strain_stress(d, linear, f, s, p, first):
    """P += F S; for small strains P += S."""
    for k in range(d):
        for l in range(d):
            total = s[d * k + l] if linear else 0.0
            if not linear:
                for m in range(d):
                    total += f[d * k + m] * s[d * m + l]
            p[first + d * k + l] += total


def set_strain_stiffness(d, n, linear, f, v, first, full):
    """full = e_H^T V. V: a row of d d numbers for each strain; the term of e12 is divided equally between 12 and 21."""
    size = d * d
    if linear:
        row = first
        for i in range(d):
            for j in range(i, d):
                half = 1.0 if i == j else 0.5
                for c in range(size):
                    full[n * (d * i + j) + c] = full[n * (d * j + i) + c] = half * v[row + c]
                row += size
    else:
        for i in range(d):
            for k in range(d):
                for c in range(size):
                    total = 0.0
                    for m in range(d):
                        low, high = min(i, m), max(i, m)
                        part = v[first + size * (low * d - low * (low - 1) // 2 + high - low) + c]
                        total += f[d * k + m] * (part if i == m else 0.5 * part)
                    full[n * (d * k + i) + c] = total


def add_strain_curvature(d, n, s, full):
    """full += S in the block of each direction of the displacement."""
    for k in range(d):
        for i in range(d):
            for j in range(d):
                full[n * (d * k + i) + d * k + j] += s[d * i + j]
