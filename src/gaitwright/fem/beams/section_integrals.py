"""Forces, stiffness and energy of spatial beam elements: sums over the integration points of functions of the strains.

    V = sum_p w (e - e_0)^T C (e - e_0) / 2        e = (strain, twist, curvature_2, curvature_3)
    R = sum_p w e'^T D e' / 2

An element has eight vectors, r_0, r_x0, r_1, r_x1, then v2 and v3 of both ends; at a point these determine r_x, r_xx (from
the first four), w2, w2_x and w3, w3_x (from two each). Strains and their derivatives in the 16 variables of
derive/beam_section.py are taken in the axes of the section there (physics/beams/section.py).

par, per element and point: NUMBERS_PER_PLACE numbers. At points without bending and twist (`whole` is zero) only the stretch
counts.
"""

from __future__ import annotations

import functools
from types import ModuleType

from gaitwright.derive.kernel_library import load_kernel_module
from gaitwright.fem.beams.section_strains import (
    compute_section_strains,
    compute_section_variables,
    find_axis_components,
    find_section_axes,
    gather_vectors,
    inline_function,
    multiply_symmetric,
    normalise_components,
    strain_hessian_function,
    strain_jacobian_function,
    subtract_reference_strains,
)
from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.kernel_modules import force_module
from gaitwright.jit.stack_memory import scratch
from gaitwright.physics.beams.section import BeamSectionCurvature

# pyright: reportIndexIssue=false
NUMBERS_PER_PLACE = 1 + 1 + 4 + 4 + 2 + 2 + 10 + 4
"""Numbers per point: w times length, `whole` (1 if all strains count), S_x and S_xx of r and r_x, weights of both ends in w2
and w3 and their derivatives, the upper triangle of C (or D), e_0."""
N_ELEMENT_COORDINATES = 24
ELEMENT_MATRIX_ENTRIES = N_ELEMENT_COORDINATES * N_ELEMENT_COORDINATES


@inline_function
def variable_of_component(k):
    """Return the variable that contains the component k = 3 vector + axis."""
    return k if k < 16 else 30 - k


@inline_function
def sign_of_component(k):
    """Sign with which a component enters its variable."""
    return -1.0 if k == 16 else 1.0


@inline_function
def add_force(weight, f, d, dof, first, par, at, total):
    """Convert the force f on the 16 variables to the coordinates and subtract it from `total`."""
    for vector in range(6):
        f0 = sign_of_component(3 * vector) * f[variable_of_component(3 * vector)]
        f1 = sign_of_component(3 * vector + 1) * f[variable_of_component(3 * vector + 1)]
        f2 = sign_of_component(3 * vector + 2) * f[variable_of_component(3 * vector + 2)]
        for i in range(3):
            value = weight * (f0 * d[i] + f1 * d[3 + i] + f2 * d[6 + i])
            if vector < 2:
                for j in range(4):
                    total[dof[first + 3 * j + i]] -= par[at + 2 + 4 * vector + j] * value
            else:
                where = first + 12 + 6 * (vector % 2) + i
                total[dof[where]] -= par[at + 10 + 2 * (vector >= 4)] * value
                total[dof[where + 3]] -= par[at + 11 + 2 * (vector >= 4)] * value


@inline_function
def rotate_to_ground(n, width, x, step, d, out):
    """Transform vectors from components along the axes to the ground frame: n triples that are `step` numbers apart in x,
    each with `width` adjacent columns."""
    for k in range(n):
        for i in range(3):
            for c in range(width):
                at = 3 * k * step + c
                out[at + i * step] = d[i] * x[at] + d[3 + i] * x[at + step] + d[6 + i] * x[at + 2 * step]


@inline_function
def add_matrix(weight, k, d, par, at, values):
    """Add the matrix k of the 16 variables to that of an element, (24, 24): first transform its columns, then its rows. Inner
    loops run along rows, so that the compiler vectorises them."""
    half, rows, rotated = scratch(18), scratch(432), scratch(432)
    for r in range(16):  # columns: to components of the six vectors, rotated, to the coordinates
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
    rotate_to_ground(6, 24, rows, 24, d, rotated)
    for j in range(4):
        a, b = weight * par[at + 2 + j], weight * par[at + 6 + j]
        for c in range(72):
            values[72 * j + c] += a * rotated[c] + b * rotated[72 + c]
    for j in range(2):
        a, b = weight * par[at + 10 + j], weight * par[at + 12 + j]
        for c in range(72):
            values[288 + 72 * j + c] += a * rotated[144 + c] + b * rotated[288 + c]
            values[432 + 72 * j + c] += a * rotated[216 + c] + b * rotated[360 + c]


@inline_function
def add_congruent_matrix(par, at, left, right, k):
    """Add left^T C right, with Jacobians (4, 16), to a matrix of the 16 variables."""
    column, z = scratch(4), scratch(4)
    for i in range(16):
        for r in range(4):
            column[r] = left[16 * r + i]
        multiply_symmetric(par, at, column, z)
        z0, z1, z2, z3 = z[0], z[1], z[2], z[3]
        for j in range(16):
            k[16 * i + j] += z0 * right[j] + z1 * right[16 + j] + z2 * right[32 + j] + z3 * right[48 + j]


@inline_function
def set_stretch_stiffness(stiffness, force_by_length, d, block):
    """Set the matrix (3, 3) of a point where only the stretch counts: stiffness t t^T + n / l (I - t t^T) between slopes."""
    for i in range(3):
        for j in range(3):
            block[3 * i + j] = (stiffness - force_by_length) * d[i] * d[j]
        block[4 * i] += force_by_length


@inline_function
def add_slope_matrix(weight, block, par, at, values):
    """Add a matrix (3, 3) of r_x to that of an element."""
    for m in range(4):
        for n in range(4):
            share = weight * par[at + 2 + m] * par[at + 2 + n]
            for i in range(3):
                for j in range(3):
                    values[N_ELEMENT_COORDINATES * (3 * m + i) + 3 * n + j] += share * block[3 * i + j]


@inline_function
def scatter_matrix(k, slot, first, values):
    """Add the matrix of an element to the values at its slots."""
    for i in range(ELEMENT_MATRIX_ENTRIES):
        values[slot[first + i]] += k[i]


@inline_function
def zero_values(n, x):
    for i in range(n):
        x[i] = 0.0


@inline_function
def add_stretch_force(weight, n, d, dof, first, par, at, total):
    """Subtract the force of an axial force n at a point where only the stretch counts."""
    for j in range(4):
        for i in range(3):
            total[dof[first + 3 * j + i]] -= weight * par[at + 2 + j] * n * d[i]


@functools.cache
def build_elastic_module(points: int) -> ModuleType:
    """Build the module of elastic forces of spatial beams with this number of points per element."""
    stride = points * NUMBERS_PER_PLACE
    printed = load_kernel_module(BeamSectionCurvature, ())
    slopes = strain_jacobian_function(inline_function(printed.gradient))
    curvature = strain_hessian_function(inline_function(printed.curved))

    def force(count, dof, par, sig, q, v, u, total):
        g, d, y, e, n, s, f = scratch(18), scratch(9), scratch(18), scratch(4), scratch(4), scratch(64), scratch(16)
        for element in range(count):
            for point in range(points):
                at, first = stride * element + NUMBERS_PER_PLACE * point, N_ELEMENT_COORDINATES * element
                gather_vectors(q, dof, first, 1.0, par, at, g)
                l = find_section_axes(g, d)
                if par[at + 1] == 0.0:
                    add_stretch_force(par[at], par[at + 14] * (l - 1.0 - par[at + 24]), d, dof, first, par, at, total)
                else:
                    find_axis_components(g, d, y)
                    h = normalise_components(l, y)
                    compute_section_strains(l, y, e)
                    subtract_reference_strains(par, at, e)
                    multiply_symmetric(par, at, e, n)
                    slopes(l, h, y, n, s)
                    for i in range(16):
                        f[i] = n[0] * s[i] + n[1] * s[16 + i] + n[2] * s[32 + i] + n[3] * s[48 + i]
                    add_force(par[at], f, d, dof, first, par, at, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        g, d, y, e, n, s = scratch(18), scratch(9), scratch(18), scratch(4), scratch(4), scratch(64)
        k, element_matrix, block = scratch(256), scratch(576), scratch(9)
        for element in range(count):
            zero_values(ELEMENT_MATRIX_ENTRIES, element_matrix)
            for point in range(points):
                at = stride * element + NUMBERS_PER_PLACE * point
                gather_vectors(q, dof, N_ELEMENT_COORDINATES * element, 1.0, par, at, g)
                l = find_section_axes(g, d)
                if par[at + 1] == 0.0:
                    c = par[at + 14]
                    set_stretch_stiffness(c, c * (l - 1.0 - par[at + 24]) / l, d, block)
                    add_slope_matrix(par[at], block, par, at, element_matrix)
                else:
                    find_axis_components(g, d, y)
                    h = normalise_components(l, y)
                    compute_section_strains(l, y, e)
                    subtract_reference_strains(par, at, e)
                    multiply_symmetric(par, at, e, n)
                    slopes(l, h, y, n, s)
                    curvature(l, h, y, n, k)
                    add_congruent_matrix(par, at, s, s, k)
                    add_matrix(par[at], k, d, par, at, element_matrix)
            scatter_matrix(element_matrix, slot, ELEMENT_MATRIX_ENTRIES * element, kq)

    def energy(count, dof, par, sig, q, v, u, energy):
        g, d, y, e, n = scratch(18), scratch(9), scratch(18), scratch(4), scratch(4)
        for element in range(count):
            stored = 0.0
            for point in range(points):
                at = stride * element + NUMBERS_PER_PLACE * point
                gather_vectors(q, dof, N_ELEMENT_COORDINATES * element, 1.0, par, at, g)
                l = find_section_axes(g, d)
                find_axis_components(g, d, y)
                normalise_components(l, y)
                compute_section_strains(l, y, e)
                subtract_reference_strains(par, at, e)
                multiply_symmetric(par, at, e, n)
                stored += par[at] * (n[0] * e[0] + n[1] * e[1] + n[2] * e[2] + n[3] * e[3]) / 2.0
            energy[3 * element] = stored
            energy[3 * element + 1] = 0.0
            energy[3 * element + 2] = 0.0

    return force_module(
        "spatial_beam", ForceKernels(force, tangent, energy), N_ELEMENT_COORDINATES, stride, potential=True
    )


@functools.cache
def build_damping_module(points: int) -> ModuleType:
    """Build the module of Kelvin-Voigt damping of spatial beams with this number of points per element."""
    stride = points * NUMBERS_PER_PLACE
    printed = load_kernel_module(BeamSectionCurvature, ())
    slopes = strain_jacobian_function(inline_function(printed.gradient))
    curvature = strain_hessian_function(inline_function(printed.curved))

    def rates_of(g, d, l, rate, x, y, s, e):
        """Compute the strain rates e, the strain Jacobian s and the divided components y; x: the rates of the 16 variables.
        Returns h."""
        find_axis_components(rate, d, y)
        compute_section_variables(y, x)
        find_axis_components(g, d, y)
        h = normalise_components(l, y)
        slopes(l, h, y, x, s)
        for k in range(4):
            e[k] = 0.0
            for i in range(16):
                e[k] += s[16 * k + i] * x[i]
        return h

    rates = inline_function(rates_of)

    def force(count, dof, par, sig, q, v, u, total):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s, f = scratch(4), scratch(4), scratch(64), scratch(16)
        for element in range(count):
            for point in range(points):
                at, first = stride * element + NUMBERS_PER_PLACE * point, N_ELEMENT_COORDINATES * element
                gather_vectors(q, dof, first, 1.0, par, at, g)
                gather_vectors(v, dof, first, 0.0, par, at, w)
                l = find_section_axes(g, d)
                if par[at + 1] == 0.0:
                    rate = d[0] * w[0] + d[1] * w[1] + d[2] * w[2]
                    add_stretch_force(par[at], par[at + 14] * rate, d, dof, first, par, at, total)
                else:
                    rates(g, d, l, w, x, y, s, e)
                    multiply_symmetric(par, at, e, n)
                    for i in range(16):
                        f[i] = n[0] * s[i] + n[1] * s[16 + i] + n[2] * s[32 + i] + n[3] * s[48 + i]
                    add_force(par[at], f, d, dof, first, par, at, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s = scratch(4), scratch(4), scratch(64)
        k, hessian, jacobian_rates, unit = scratch(256), scratch(256), scratch(64), scratch(4)
        stiffness_matrix, damping_matrix, block = scratch(576), scratch(576), scratch(9)
        for element in range(count):
            zero_values(ELEMENT_MATRIX_ENTRIES, stiffness_matrix)
            zero_values(ELEMENT_MATRIX_ENTRIES, damping_matrix)
            for point in range(points):
                at = stride * element + NUMBERS_PER_PLACE * point
                gather_vectors(q, dof, N_ELEMENT_COORDINATES * element, 1.0, par, at, g)
                gather_vectors(v, dof, N_ELEMENT_COORDINATES * element, 0.0, par, at, w)
                l = find_section_axes(g, d)
                if par[at + 1] == 0.0:
                    c = par[at + 14]
                    rate = d[0] * w[0] + d[1] * w[1] + d[2] * w[2]
                    set_stretch_stiffness(c, 0.0, d, block)
                    add_slope_matrix(par[at], block, par, at, damping_matrix)
                    set_stretch_stiffness(0.0, c * rate / l, d, block)
                    for i in range(3):
                        for j in range(3):
                            block[3 * i + j] += c * d[i] * (w[j] - rate * d[j]) / l
                    add_slope_matrix(par[at], block, par, at, stiffness_matrix)
                else:
                    h = rates(g, d, l, w, x, y, s, e)
                    multiply_symmetric(par, at, e, n)
                    for r in range(4):  # rates of the Jacobian, which are derivatives of the strain rates
                        for i in range(4):
                            unit[i] = 1.0 if i == r else 0.0
                        curvature(l, h, y, unit, hessian)
                        for i in range(16):
                            jacobian_rates[16 * r + i] = 0.0
                            for j in range(16):
                                jacobian_rates[16 * r + i] += hessian[16 * i + j] * x[j]
                    curvature(l, h, y, n, k)
                    add_congruent_matrix(par, at, s, jacobian_rates, k)
                    zero_values(256, hessian)
                    add_congruent_matrix(par, at, s, s, hessian)
                    add_matrix(par[at], k, d, par, at, stiffness_matrix)
                    add_matrix(par[at], hessian, d, par, at, damping_matrix)
            scatter_matrix(stiffness_matrix, slot, ELEMENT_MATRIX_ENTRIES * element, kq)
            scatter_matrix(damping_matrix, slot, ELEMENT_MATRIX_ENTRIES * element, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        g, w, d, y, x = scratch(18), scratch(18), scratch(9), scratch(18), scratch(16)
        e, n, s = scratch(4), scratch(4), scratch(64)
        for element in range(count):
            lost = 0.0
            for point in range(points):
                at = stride * element + NUMBERS_PER_PLACE * point
                gather_vectors(q, dof, N_ELEMENT_COORDINATES * element, 1.0, par, at, g)
                gather_vectors(v, dof, N_ELEMENT_COORDINATES * element, 0.0, par, at, w)
                l = find_section_axes(g, d)
                rates(g, d, l, w, x, y, s, e)
                multiply_symmetric(par, at, e, n)
                lost += par[at] * (n[0] * e[0] + n[1] * e[1] + n[2] * e[2] + n[3] * e[3])
            energy[3 * element] = 0.0
            energy[3 * element + 1] = lost
            energy[3 * element + 2] = 0.0

    kernels = ForceKernels(force, tangent, energy)
    return force_module(
        "spatial_beam_damping", kernels, N_ELEMENT_COORDINATES, stride, symmetric=False, dissipates=True
    )
