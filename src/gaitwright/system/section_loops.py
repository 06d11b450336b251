"""Forces, stiffness and energy of elements of spatial beams: sums over places of what their strains say there.

    V = sum_p w (e - e_0)^T C (e - e_0) / 2        e = (strain, twist, curvature_2, curvature_3)
    R = sum_p w e'^T D e' / 2

An element has eight vectors, r_0, r_x0, r_1, r_x1, then v2 and v3 of both ends; at a place these make r_x, r_xx (of the first
four), w2, w2_x and w3, w3_x (of two each). Strains and their derivatives in the 16 variables of derive/section.py are taken in
the axes of the section there (physics/beams/section.py).

par, per element and place: NUMBERS. At places without the others (`whole` is zero) only the stretch counts.
"""

from __future__ import annotations

import functools
from types import ModuleType

from gaitwright.derive.library import module_on
from gaitwright.derive.scratch import scratch
from gaitwright.physics.beams.section import Section
from gaitwright.system.section_place import (
    axes,
    curvature_of,
    divided,
    gathered,
    inside,
    seen,
    slopes_of,
    strains,
    times,
    variables,
    without_reference,
)
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels

# pyright: reportIndexIssue=false
NUMBERS = 1 + 1 + 4 + 4 + 2 + 2 + 10 + 4
"""Per place: w times length, whether it is whole, S_x and S_xx of r and r_x, shares of both ends in w2 and w3 and their
slopes, the upper triangle of C (or D), e_0."""
N = 24
SQUARE = N * N


@inside
def place_of(k):
    """The variable that the component k = 3 vector + axis is part of."""
    return k if k < 16 else 30 - k


@inside
def sign_of(k):
    return -1.0 if k == 16 else 1.0


@inside
def add_force(weight, f, d, dof, first, par, at, total):
    """Take the force f on the 16 variables from those on the coordinates."""
    for vector in range(6):
        f0 = sign_of(3 * vector) * f[place_of(3 * vector)]
        f1 = sign_of(3 * vector + 1) * f[place_of(3 * vector + 1)]
        f2 = sign_of(3 * vector + 2) * f[place_of(3 * vector + 2)]
        for i in range(3):
            value = weight * (f0 * d[i] + f1 * d[3 + i] + f2 * d[6 + i])
            if vector < 2:
                for j in range(4):
                    total[dof[first + 3 * j + i]] -= par[at + 2 + 4 * vector + j] * value
            else:
                where = first + 12 + 6 * (vector % 2) + i
                total[dof[where]] -= par[at + 10 + 2 * (vector >= 4)] * value
                total[dof[where + 3]] -= par[at + 11 + 2 * (vector >= 4)] * value


@inside
def turned(n, width, x, step, d, out):
    """Components of vectors along the axes, in those of the ground: of n triples that are `step` numbers apart in x, each with
    `width` numbers beside each other."""
    for k in range(n):
        for i in range(3):
            for c in range(width):
                at = 3 * k * step + c
                out[at + i * step] = d[i] * x[at] + d[3 + i] * x[at + step] + d[6 + i] * x[at + 2 * step]


@inside
def add_matrix(weight, k, d, par, at, values):
    """Add the matrix k of the 16 variables to that of an element, (24, 24): first its columns, then its rows. Inner loops run
    along rows, several numbers at once."""
    half, rows, whole = scratch(18), scratch(432), scratch(432)
    for r in range(16):  # columns: to components of the six vectors, turned, to the coordinates
        for c in range(6):
            k0, k1, k2 = k[16 * r + 3 * c], 0.0, 0.0
            if c < 5:
                k1, k2 = k[16 * r + 3 * c + 1], k[16 * r + 3 * c + 2]
            else:
                k1, k2 = -k[16 * r + 14], k[16 * r + 13]
            for i in range(3):
                half[3 * c + i] = k0 * d[i] + k1 * d[3 + i] + k2 * d[6 + i]
        for i in range(3):
            for j in range(4):
                rows[24 * r + 3 * j + i] = par[at + 2 + j] * half[i] + par[at + 6 + j] * half[3 + i]
            for j in range(2):
                rows[24 * r + 12 + 3 * j + i] = par[at + 10 + j] * half[6 + i] + par[at + 12 + j] * half[12 + i]
                rows[24 * r + 18 + 3 * j + i] = par[at + 10 + j] * half[9 + i] + par[at + 12 + j] * half[15 + i]
    for c in range(24):
        rows[384 + c] = -rows[336 + c]
        rows[408 + c] = rows[312 + c]
    turned(6, 24, rows, 24, d, whole)
    for j in range(4):
        a, b = weight * par[at + 2 + j], weight * par[at + 6 + j]
        for c in range(72):
            values[72 * j + c] += a * whole[c] + b * whole[72 + c]
    for j in range(2):
        a, b = weight * par[at + 10 + j], weight * par[at + 12 + j]
        for c in range(72):
            values[288 + 72 * j + c] += a * whole[144 + c] + b * whole[288 + c]
            values[432 + 72 * j + c] += a * whole[216 + c] + b * whole[360 + c]


@inside
def add_products(par, at, left, right, k):
    """Add left^T C right, of slopes (4, 16), to a matrix of the 16 variables."""
    column, z = scratch(4), scratch(4)
    for i in range(16):
        for r in range(4):
            column[r] = left[16 * r + i]
        times(par, at, column, z)
        z0, z1, z2, z3 = z[0], z[1], z[2], z[3]
        for j in range(16):
            k[16 * i + j] += z0 * right[j] + z1 * right[16 + j] + z2 * right[32 + j] + z3 * right[48 + j]


@inside
def stretched(stiffness, force_by_length, d, block):
    """The matrix (3, 3) of a place where only the stretch counts: stiffness t t^T + n / l (I - t t^T) between slopes."""
    for i in range(3):
        for j in range(3):
            block[3 * i + j] = (stiffness - force_by_length) * d[i] * d[j]
        block[4 * i] += force_by_length


@inside
def add_slopes(weight, block, par, at, values):
    """Add a matrix (3, 3) of r_x to that of an element."""
    for m in range(4):
        for n in range(4):
            share = weight * par[at + 2 + m] * par[at + 2 + n]
            for i in range(3):
                for j in range(3):
                    values[N * (3 * m + i) + 3 * n + j] += share * block[3 * i + j]


@inside
def scatter(k, slot, first, values):
    for i in range(SQUARE):
        values[slot[first + i]] += k[i]


@inside
def clear(n, x):
    for i in range(n):
        x[i] = 0.0


@inside
def stretch_force(weight, n, d, dof, first, par, at, total):
    for j in range(4):
        for i in range(3):
            total[dof[first + 3 * j + i]] -= weight * par[at + 2 + j] * n * d[i]


@functools.cache
def elastic_module(points: int) -> ModuleType:
    """Elastic forces of spatial beams that are looked at in so many places of an element."""
    stride = points * NUMBERS
    printed = module_on(Section, ())
    slopes, curvature = slopes_of(inside(printed.gradient)), curvature_of(inside(printed.curved))

    def force(count, dof, par, sig, q, v, u, total):
        g, d, y, e, n, s, f = scratch(18), scratch(9), scratch(18), scratch(4), scratch(4), scratch(64), scratch(16)
        for element in range(count):
            for point in range(points):
                at, first = stride * element + NUMBERS * point, N * element
                gathered(q, dof, first, 1.0, par, at, g)
                l = axes(g, d)
                if par[at + 1] == 0.0:
                    stretch_force(par[at], par[at + 14] * (l - 1.0 - par[at + 24]), d, dof, first, par, at, total)
                else:
                    seen(g, d, y)
                    h = divided(l, y)
                    strains(l, y, e)
                    without_reference(par, at, e)
                    times(par, at, e, n)
                    slopes(l, h, y, n, s)
                    for i in range(16):
                        f[i] = n[0] * s[i] + n[1] * s[16 + i] + n[2] * s[32 + i] + n[3] * s[48 + i]
                    add_force(par[at], f, d, dof, first, par, at, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        g, d, y, e, n, s = scratch(18), scratch(9), scratch(18), scratch(4), scratch(4), scratch(64)
        k, whole, block = scratch(256), scratch(576), scratch(9)
        for element in range(count):
            clear(SQUARE, whole)
            for point in range(points):
                at = stride * element + NUMBERS * point
                gathered(q, dof, N * element, 1.0, par, at, g)
                l = axes(g, d)
                if par[at + 1] == 0.0:
                    c = par[at + 14]
                    stretched(c, c * (l - 1.0 - par[at + 24]) / l, d, block)
                    add_slopes(par[at], block, par, at, whole)
                else:
                    seen(g, d, y)
                    h = divided(l, y)
                    strains(l, y, e)
                    without_reference(par, at, e)
                    times(par, at, e, n)
                    slopes(l, h, y, n, s)
                    curvature(l, h, y, n, k)
                    add_products(par, at, s, s, k)
                    add_matrix(par[at], k, d, par, at, whole)
            scatter(whole, slot, SQUARE * element, kq)

    def energy(count, dof, par, sig, q, v, u, energy):
        g, d, y, e, n = scratch(18), scratch(9), scratch(18), scratch(4), scratch(4)
        for element in range(count):
            stored = 0.0
            for point in range(points):
                at = stride * element + NUMBERS * point
                gathered(q, dof, N * element, 1.0, par, at, g)
                l = axes(g, d)
                seen(g, d, y)
                divided(l, y)
                strains(l, y, e)
                without_reference(par, at, e)
                times(par, at, e, n)
                stored += par[at] * (n[0] * e[0] + n[1] * e[1] + n[2] * e[2] + n[3] * e[3]) / 2.0
            energy[3 * element] = stored
            energy[3 * element + 1] = 0.0
            energy[3 * element + 2] = 0.0

    return force_module("spatial_beam", Kernels(force, tangent, energy), N, stride, potential=True)


@functools.cache
def damping_module(points: int) -> ModuleType:
    """Kelvin-Voigt damping of spatial beams."""
    stride = points * NUMBERS
    printed = module_on(Section, ())
    slopes, curvature = slopes_of(inside(printed.gradient)), curvature_of(inside(printed.curved))

    def rates_of(g, d, l, rate, x, y, s, e):
        """Rates e of the strains, their slopes s and divided components y; x: the rates of the 16 variables. h."""
        seen(rate, d, y)
        variables(y, x)
        seen(g, d, y)
        h = divided(l, y)
        slopes(l, h, y, x, s)
        for k in range(4):
            e[k] = 0.0
            for i in range(16):
                e[k] += s[16 * k + i] * x[i]
        return h

    rates = inside(rates_of)

    def force(count, dof, par, sig, q, v, u, total):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s, f = scratch(4), scratch(4), scratch(64), scratch(16)
        for element in range(count):
            for point in range(points):
                at, first = stride * element + NUMBERS * point, N * element
                gathered(q, dof, first, 1.0, par, at, g)
                gathered(v, dof, first, 0.0, par, at, w)
                l = axes(g, d)
                if par[at + 1] == 0.0:
                    rate = d[0] * w[0] + d[1] * w[1] + d[2] * w[2]
                    stretch_force(par[at], par[at + 14] * rate, d, dof, first, par, at, total)
                else:
                    rates(g, d, l, w, x, y, s, e)
                    times(par, at, e, n)
                    for i in range(16):
                        f[i] = n[0] * s[i] + n[1] * s[16 + i] + n[2] * s[32 + i] + n[3] * s[48 + i]
                    add_force(par[at], f, d, dof, first, par, at, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s = scratch(4), scratch(4), scratch(64)
        k, one, by_q, unit = scratch(256), scratch(256), scratch(64), scratch(4)
        whole_q, whole_v, block = scratch(576), scratch(576), scratch(9)
        for element in range(count):
            clear(SQUARE, whole_q)
            clear(SQUARE, whole_v)
            for point in range(points):
                at = stride * element + NUMBERS * point
                gathered(q, dof, N * element, 1.0, par, at, g)
                gathered(v, dof, N * element, 0.0, par, at, w)
                l = axes(g, d)
                if par[at + 1] == 0.0:
                    c = par[at + 14]
                    rate = d[0] * w[0] + d[1] * w[1] + d[2] * w[2]
                    stretched(c, 0.0, d, block)
                    add_slopes(par[at], block, par, at, whole_v)
                    stretched(0.0, c * rate / l, d, block)
                    for i in range(3):
                        for j in range(3):
                            block[3 * i + j] += c * d[i] * (w[j] - rate * d[j]) / l
                    add_slopes(par[at], block, par, at, whole_q)
                else:
                    h = rates(g, d, l, w, x, y, s, e)
                    times(par, at, e, n)
                    for r in range(4):  # rates of the slopes, which are derivatives of the rates
                        for i in range(4):
                            unit[i] = 1.0 if i == r else 0.0
                        curvature(l, h, y, unit, one)
                        for i in range(16):
                            by_q[16 * r + i] = 0.0
                            for j in range(16):
                                by_q[16 * r + i] += one[16 * i + j] * x[j]
                    curvature(l, h, y, n, k)
                    add_products(par, at, s, by_q, k)
                    clear(256, one)
                    add_products(par, at, s, s, one)
                    add_matrix(par[at], k, d, par, at, whole_q)
                    add_matrix(par[at], one, d, par, at, whole_v)
            scatter(whole_q, slot, SQUARE * element, kq)
            scatter(whole_v, slot, SQUARE * element, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s = scratch(4), scratch(4), scratch(64)
        for element in range(count):
            lost = 0.0
            for point in range(points):
                at = stride * element + NUMBERS * point
                gathered(q, dof, N * element, 1.0, par, at, g)
                gathered(v, dof, N * element, 0.0, par, at, w)
                l = axes(g, d)
                rates(g, d, l, w, x, y, s, e)
                times(par, at, e, n)
                lost += par[at] * (n[0] * e[0] + n[1] * e[1] + n[2] * e[2] + n[3] * e[3])
            energy[3 * element] = 0.0
            energy[3 * element + 1] = lost
            energy[3 * element + 2] = 0.0

    kernels = Kernels(force, tangent, energy)
    return force_module("spatial_beam_damping", kernels, N, stride, symmetric=False, dissipates=True)
