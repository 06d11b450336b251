"""Strains of a spatial beam at one point of an element, and their derivatives, in compiled code
(physics/beams/section.py)."""

from __future__ import annotations

import functools
import math

from gaitwright.jit import force_inline
from gaitwright.jit.stack_memory import scratch

# pyright: reportIndexIssue=false
inline_function = functools.cache(force_inline)


@inline_function
def gather_vectors(q, dof, first, upright, par, at, g):
    """Write r_x, r_xx, w2, w3, w2_x, w3_x at a point to g, in sequence; upright: 1 adds the reference directions of v2 and
    v3."""
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


@inline_function
def find_section_axes(g, d):
    """Write t, d2 and d3 to d; return |r_x|."""
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


@inline_function
def find_axis_components(g, d, y):
    """Write the components of the six vectors along the axes to y."""
    for k in range(6):
        for i in range(3):
            y[3 * k + i] = g[3 * k] * d[3 * i] + g[3 * k + 1] * d[3 * i + 1] + g[3 * k + 2] * d[3 * i + 2]


@inline_function
def normalise_components(l, y):
    """Divide the components by l and h, as the kernels require; return h."""
    h = y[7] + y[11]
    for k in range(6):
        y[k] /= l
    for k in range(6, 18):
        y[k] /= h
    return h


@inline_function
def compute_section_strains(l, y, e):
    """Write the strains to e, from divided components."""
    e[0] = l - 1.0
    e[1] = y[14] - y[16] + y[9] * y[4] - y[6] * y[5]
    e[2] = -y[5]
    e[3] = y[4]


@inline_function
def compute_section_variables(y, x):
    """Compute the 16 variables from components of the six vectors."""
    for k in range(16):
        x[k] = y[k]
    x[13] += y[17]
    x[14] -= y[16]


@inline_function
def multiply_symmetric(par, at, e, n):
    """n = C e, with a symmetric matrix C given by its upper triangle."""
    c = at + 14
    n[0] = par[c] * e[0] + par[c + 1] * e[1] + par[c + 2] * e[2] + par[c + 3] * e[3]
    n[1] = par[c + 1] * e[0] + par[c + 4] * e[1] + par[c + 5] * e[2] + par[c + 6] * e[3]
    n[2] = par[c + 2] * e[0] + par[c + 5] * e[1] + par[c + 7] * e[2] + par[c + 8] * e[3]
    n[3] = par[c + 3] * e[0] + par[c + 6] * e[1] + par[c + 8] * e[2] + par[c + 9] * e[3]


@inline_function
def subtract_reference_strains(par, at, e):
    for k in range(4):
        e[k] -= par[at + 24 + k]


def strain_jacobian_function(gradient):
    """Return the function for the derivatives of the strains in the 16 variables, (4, 16)."""

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

    return inline_function(slopes)


def strain_hessian_function(curved):
    """Return the function for the second derivatives of n . e, (16, 16)."""

    def curvature(l, h, y, n, k):
        part, weight = scratch(136), scratch(3)
        for i in range(136):
            part[i] = 0.0
        for i in range(3):
            weight[i] = n[1 + i]
        curved(1, weight, y, part)
        at, by_l, by_h = 0, 1.0 / l, 1.0 / h
        for i in range(16):
            for j in range(i, 16):
                value = part[at] * (by_l if i < 6 else by_h) * (by_l if j < 6 else by_h)
                k[16 * i + j] = value
                k[16 * j + i] = value
                at += 1
        k[17] += n[0] / l
        k[34] += n[0] / l

    return inline_function(curvature)
