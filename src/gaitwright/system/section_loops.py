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
import math
from types import ModuleType

from gaitwright.compiled import put_inside
from gaitwright.derive.library import module_on
from gaitwright.derive.scratch import scratch
from gaitwright.physics.beams.section import Section
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels

# pyright: reportIndexIssue=false
NUMBERS = 1 + 1 + 4 + 4 + 2 + 2 + 10 + 4
"""Per place: w times length, whether it is whole, S_x and S_xx of r and r_x, shares of both ends in w2 and w3 and their
slopes, the upper triangle of C (or D), e_0."""
N = 24
SQUARE = N * N
inside = functools.cache(put_inside)


@inside
def gathered(q, dof, first, upright, par, at, g):
    """r_x, r_xx, w2, w3, w2_x, w3_x at a place, one after the other; upright: 1 adds what v2 and v3 are counted from."""
    for i in range(3):
        slope = 0.0
        bend = 0.0
        for j in range(4):
            x = q[dof[first + 3 * j + i]]
            slope += par[at + 2 + j] * x
            bend += par[at + 6 + j] * x
        g[i] = slope
        g[3 + i] = bend
        for k in range(2):
            x0 = q[dof[first + 12 + 6 * k + i]]
            x1 = q[dof[first + 15 + 6 * k + i]]
            g[6 + 3 * k + i] = par[at + 10] * x0 + par[at + 11] * x1
            g[12 + 3 * k + i] = par[at + 12] * x0 + par[at + 13] * x1
    g[7] += upright
    g[11] += upright


@inside
def axes(g, d):
    """t, d2 and d3 into d; |r_x|."""
    l = math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for i in range(3):
        d[i] = g[i] / l
    along = g[6] * d[0] + g[7] * d[1] + g[8] * d[2]
    d[3] = g[6] - along * d[0] + g[10] * d[2] - g[11] * d[1]
    d[4] = g[7] - along * d[1] + g[11] * d[0] - g[9] * d[2]
    d[5] = g[8] - along * d[2] + g[9] * d[1] - g[10] * d[0]
    size = math.sqrt(d[3] * d[3] + d[4] * d[4] + d[5] * d[5])
    for i in range(3):
        d[3 + i] /= size
    d[6] = d[1] * d[5] - d[2] * d[4]
    d[7] = d[2] * d[3] - d[0] * d[5]
    d[8] = d[0] * d[4] - d[1] * d[3]
    return l


@inside
def seen(g, d, y):
    """Components of the six vectors along the axes."""
    for k in range(6):
        for i in range(3):
            y[3 * k + i] = g[3 * k] * d[3 * i] + g[3 * k + 1] * d[3 * i + 1] + g[3 * k + 2] * d[3 * i + 2]


@inside
def divided(l, y):
    """The components divided by l and h, as the kernels want them; h."""
    h = y[7] + y[11]
    for k in range(6):
        y[k] /= l
    for k in range(6, 18):
        y[k] /= h
    return h


@inside
def strains(l, y, e):
    """From divided components."""
    e[0] = l - 1.0
    e[1] = y[14] - y[16] + y[9] * y[4] - y[6] * y[5]
    e[2] = -y[5]
    e[3] = y[4]


@inside
def variables(y, x):
    """The 16 variables of components of the six vectors."""
    for k in range(16):
        x[k] = y[k]
    x[13] += y[17]
    x[14] -= y[16]


@inside
def times(par, at, e, n):
    """n = C e, of a symmetric matrix that is given by its upper triangle."""
    c = at + 14
    n[0] = par[c] * e[0] + par[c + 1] * e[1] + par[c + 2] * e[2] + par[c + 3] * e[3]
    n[1] = par[c + 1] * e[0] + par[c + 4] * e[1] + par[c + 5] * e[2] + par[c + 6] * e[3]
    n[2] = par[c + 2] * e[0] + par[c + 5] * e[1] + par[c + 7] * e[2] + par[c + 8] * e[3]
    n[3] = par[c + 3] * e[0] + par[c + 6] * e[1] + par[c + 8] * e[2] + par[c + 9] * e[3]


@inside
def without_reference(par, at, e):
    for k in range(4):
        e[k] -= par[at + 24 + k]


def slopes_of(gradient):
    """The function for the derivatives of the strains in the 16 variables, (4, 16)."""

    def slopes(l, h, y, nothing, s):
        for k in range(64):
            s[k] = 0.0
        s[0] = 1.0
        part = scratch(48)
        for k in range(48):
            part[k] = 0.0
        gradient(1, nothing, y, part)
        for k in range(3):
            for i in range(16):
                s[16 * (k + 1) + i] = part[16 * k + i] / (l if i < 6 else h)

    return inside(slopes)


def curvature_of(curved):
    """The function for the second derivatives of n . e, (16, 16)."""

    def curvature(l, h, y, n, k):
        part, weight = scratch(136), scratch(3)
        for i in range(136):
            part[i] = 0.0
        for i in range(3):
            weight[i] = n[1 + i]
        curved(1, weight, y, part)
        at = 0
        for i in range(16):
            for j in range(i, 16):
                value = part[at] / ((l if i < 6 else h) * (l if j < 6 else h))
                k[16 * i + j] = value
                k[16 * j + i] = value
                at += 1
        k[17] += n[0] / l
        k[34] += n[0] / l

    return inside(curvature)


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
def turned_block(k, d, row, col, part, out):
    """The block of two of the six vectors of the matrix k of the 16 variables, in the axes of the ground."""
    for i in range(3):
        a = 16 * place_of(3 * row + i)
        s = sign_of(3 * row + i)
        k0 = s * sign_of(3 * col) * k[a + place_of(3 * col)]
        k1 = s * sign_of(3 * col + 1) * k[a + place_of(3 * col + 1)]
        k2 = s * sign_of(3 * col + 2) * k[a + place_of(3 * col + 2)]
        for j in range(3):
            part[3 * i + j] = k0 * d[j] + k1 * d[3 + j] + k2 * d[6 + j]
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = d[i] * part[j] + d[3 + i] * part[3 + j] + d[6 + i] * part[6 + j]


@inside
def add_matrix(weight, k, d, par, at, values):
    """Add the matrix k of the 16 variables to that of an element, (24, 24)."""
    part, block = scratch(9), scratch(9)
    for row in range(6):
        rows, first_row = (4, 0) if row < 2 else (2, 12 + 6 * (row % 2))
        shares = at + 2 + 4 * row if row < 2 else at + 10 + 2 * (row >= 4)
        for col in range(6):
            cols, first_col = (4, 0) if col < 2 else (2, 12 + 6 * (col % 2))
            others = at + 2 + 4 * col if col < 2 else at + 10 + 2 * (col >= 4)
            turned_block(k, d, row, col, part, block)
            for m in range(rows):
                for n in range(cols):
                    share = weight * par[shares + m] * par[others + n]
                    for i in range(3):
                        to = N * (first_row + 3 * m + i) + first_col + 3 * n
                        for j in range(3):
                            values[to + j] += share * block[3 * i + j]


@inside
def add_stretch(weight, stiffness, force_by_length, g, l, par, at, values):
    """The same of a place where only the stretch counts: stiffness t t^T + n / l (I - t t^T) between slopes."""
    for m in range(4):
        for n in range(4):
            share = weight * par[at + 2 + m] * par[at + 2 + n]
            for i in range(3):
                for j in range(3):
                    both = g[i] * g[j] / (l * l)
                    value = (stiffness - force_by_length) * both + (force_by_length if i == j else 0.0)
                    values[N * (3 * m + i) + 3 * n + j] += share * value


@inside
def scatter(k, slot, first, values):
    for i in range(SQUARE):
        values[slot[first + i]] += k[i]


@inside
def clear(n, x):
    for i in range(n):
        x[i] = 0.0


@inside
def stretch_force(weight, n, g, l, dof, first, par, at, total):
    for j in range(4):
        for i in range(3):
            total[dof[first + 3 * j + i]] -= weight * par[at + 2 + j] * n * g[i] / l


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
                    stretch_force(par[at], par[at + 14] * (l - 1.0 - par[at + 24]), g, l, dof, first, par, at, total)
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
        k, whole, z, column = scratch(256), scratch(576), scratch(4), scratch(4)
        for element in range(count):
            clear(SQUARE, whole)
            for point in range(points):
                at = stride * element + NUMBERS * point
                gathered(q, dof, N * element, 1.0, par, at, g)
                l = axes(g, d)
                if par[at + 1] == 0.0:
                    c = par[at + 14]
                    add_stretch(par[at], c, c * (l - 1.0 - par[at + 24]) / l, g, l, par, at, whole)
                else:
                    seen(g, d, y)
                    h = divided(l, y)
                    strains(l, y, e)
                    without_reference(par, at, e)
                    times(par, at, e, n)
                    slopes(l, h, y, n, s)
                    curvature(l, h, y, n, k)
                    for j in range(16):
                        for i in range(4):
                            column[i] = s[16 * i + j]
                        times(par, at, column, z)
                        for i in range(16):
                            k[16 * i + j] += z[0] * s[i] + z[1] * s[16 + i] + z[2] * s[32 + i] + z[3] * s[48 + i]
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
                rates(g, d, l, w, x, y, s, e)
                times(par, at, e, n)
                for i in range(16):
                    f[i] = n[0] * s[i] + n[1] * s[16 + i] + n[2] * s[32 + i] + n[3] * s[48 + i]
                add_force(par[at], f, d, dof, first, par, at, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s, z, column = scratch(4), scratch(4), scratch(64), scratch(4), scratch(4)
        k, one, by_q, unit = scratch(256), scratch(256), scratch(64), scratch(4)
        whole_q, whole_v = scratch(576), scratch(576)
        for element in range(count):
            clear(SQUARE, whole_q)
            clear(SQUARE, whole_v)
            for point in range(points):
                at = stride * element + NUMBERS * point
                gathered(q, dof, N * element, 1.0, par, at, g)
                gathered(v, dof, N * element, 0.0, par, at, w)
                l = axes(g, d)
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
                for j in range(16):
                    for i in range(4):
                        column[i] = by_q[16 * i + j]
                    times(par, at, column, z)
                    for i in range(16):
                        k[16 * i + j] += z[0] * s[i] + z[1] * s[16 + i] + z[2] * s[32 + i] + z[3] * s[48 + i]
                    for i in range(4):
                        column[i] = s[16 * i + j]
                    times(par, at, column, z)
                    for i in range(16):
                        one[16 * i + j] = z[0] * s[i] + z[1] * s[16 + i] + z[2] * s[32 + i] + z[3] * s[48 + i]
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
