"""Forces, stiffness and energy of elements: sums over integration points of the functions of a material.

    H = sum_a u_a (x) g_a        f_a = -sum_p w P g_a        K_ab = sum_p w g_a . A . g_b

with the gradients g_a of the shape functions in the undeformed element and the weights w of its points. Shape functions sum
to one, so the gradient of the first node is minus the sum of the others: it is left out, displacements are taken relative to
the first node, and its forces and rows of K follow. A translation then causes exactly zero forces.

par, per element: the numbers of the material; per point w, then g of the nodes but the first.

There is one loop over elements (`element_kernels`). The sums over the points of one element (`ElementSums`) are compiled into
it, and the functions of the material at a point (material_point.py) into these. All sizes are compile-time constants, so that
small loops are unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gaitwright.fem.material_point import PointKernels
from gaitwright.fem.viscous_point import ViscousPointKernels
from gaitwright.jit import force_inline as inlined
from gaitwright.jit.stack_memory import scratch


class ForceKernels(NamedTuple):
    """Kernels of a force, see derive/kernel_interface.py."""

    force: Callable[..., None]
    tangent: Callable[..., None]
    energy: Callable[..., None]


class ElementSums(NamedTuple):
    """Sums over the integration points of one element. c: numbers of the material; first: start of the element in `par`; x, y:
    displacements and velocities relative to the first node; f, k, b: forces, stiffness and damping of the nodes but the first,
    all zero before. y and b are undefined if the element does not depend on velocities.

        forces(c, par, first, x, y, f)           adds to f
        stiffness(c, par, first, x, y, k, b)     adds to k and b
        energy(c, par, first, x, y)              returns the stored energy, or the dissipated power if it depends on velocities
    """

    forces: Callable[..., None]
    stiffness: Callable[..., None]
    energy: Callable[..., float]


class ElementSizes(NamedTuple):
    """Sizes of a kind of element. d: dimension; m: nodes but the first; n_par: numbers in front of the points in `par` (of
    the material, and further ones)."""

    d: int
    m: int
    points: int
    n_par: int

    @property
    def n_dof(self) -> int:
        return self.d * (self.m + 1)

    @property
    def step(self) -> int:
        """Number of values per point in `par`."""
        return 1 + self.m * self.d

    @property
    def stride(self) -> int:
        """Number of values per element in `par`."""
        return self.n_par + self.points * self.step


# Steps common to all loops; d and m are compile-time constants ---------------------------------------------------


@inlined
def load_values(n, source, first, target):
    for k in range(n):
        target[k] = source[first + k]


@inlined
def clear_values(n, target):
    for k in range(n):
        target[k] = 0.0


@inlined
def relative_displacements(d, m, q, dof, first, x):
    """Displacements relative to the first node."""
    for a in range(m):
        for i in range(d):
            x[d * a + i] = q[dof[first + d * (a + 1) + i]] - q[dof[first + i]]


@inlined
def displacement_gradient(d, m, x, par, at, h):
    """Displacement gradient H at the point with numbers from `at` on."""
    for i in range(d):
        for j in range(d):
            total = 0.0
            for a in range(m):
                total += x[d * a + i] * par[at + 1 + d * a + j]
            h[d * i + j] = total


@inlined
def add_forces(d, m, weight, p, par, at, f):
    """f_a += weight P g_a."""
    for a in range(m):
        for i in range(d):
            total = 0.0
            for j in range(d):
                total += p[d * i + j] * par[at + 1 + d * a + j]
            f[d * a + i] += weight * total


@inlined
def scatter_forces(d, m, f, dof, first, total):
    """Subtract the nodal forces from `total`; that of the first node makes them sum to zero."""
    for i in range(d):
        rest = 0.0
        for a in range(m):
            rest += f[d * a + i]
            total[dof[first + d * (a + 1) + i]] -= f[d * a + i]
        total[dof[first + i]] += rest


@inlined
def add_stiffness(d, m, symmetric, full, par, at, turned, k):
    """Add k_ab += g_a . A . g_b; of a symmetric matrix only for a <= b. The few entries of linear elements are unrolled; for
    quadratic elements whole rows are added, vectorised: 1.4 times as fast for TET10, slower for TET4."""
    n = d * m
    if m == d:
        for b in range(m):
            for r in range(d * d):
                for i in range(d):
                    total = 0.0
                    for j in range(d):
                        total += full[d * d * r + d * i + j] * par[at + 1 + d * b + j]
                    turned[d * r + i] = total
            for a in range(b + 1 if symmetric else m):
                for i in range(d):
                    for l in range(d):
                        total = 0.0
                        for j in range(d):
                            total += par[at + 1 + d * a + j] * turned[d * (d * i + j) + l]
                        k[n * (d * a + i) + d * b + l] += total
    else:
        for r in range(d * d):
            for b in range(m):
                for i in range(d):
                    total = 0.0
                    for j in range(d):
                        total += full[d * d * r + d * i + j] * par[at + 1 + d * b + j]
                    turned[n * r + d * b + i] = total
        for a in range(m):
            for i in range(d):
                for c in range(d * a if symmetric else 0, n):
                    total = 0.0
                    for j in range(d):
                        total += par[at + 1 + d * a + j] * turned[n * (d * i + j) + c]
                    k[n * (d * a + i) + c] += total


@inlined
def mirror_blocks(d, m, k):
    """Fill the blocks of a symmetric matrix below the diagonal."""
    n = d * m
    for a in range(m):
        for b in range(a):
            for i in range(d):
                for l in range(d):
                    k[n * (d * a + i) + d * b + l] = k[n * (d * b + l) + d * a + i]


@inlined
def scatter_stiffness(d, m, k, slot, first, values):
    """Add a matrix of the nodes but the first; rows and columns of the first are minus the sums of the others."""
    n, n_dof = d * m, d * (m + 1)
    for i in range(d):
        corner = scratch(3)
        for l in range(d):
            corner[l] = 0.0
        for b in range(m):
            for l in range(d):
                column = 0.0
                for a in range(m):
                    column += k[n * (d * a + i) + d * b + l]
                corner[l] += column
                values[slot[first + n_dof * i + d * (b + 1) + l]] -= column
        for l in range(d):
            values[slot[first + n_dof * i + l]] += corner[l]
    for r in range(n):
        for l in range(d):
            row = 0.0
            for b in range(m):
                row += k[n * r + d * b + l]
            values[slot[first + n_dof * (d + r) + l]] -= row
        for s in range(n):
            values[slot[first + n_dof * (d + r) + d + s]] += k[n * r + s]


def element_kernels(s: ElementSizes, sums: ElementSums, viscous: bool = False, stiff: bool = True) -> ForceKernels:
    """Build the kernels of elements from the sums over the points of one element. viscous: the forces depend on velocities and
    dissipate; stiff: they depend on displacements."""
    add_element_forces, add_element_stiffness, element_energy = sums
    d, m, n_par, n_dof, stride = s.d, s.m, s.n_par, s.n_dof, s.stride
    n_x, n_k, n_slot = d * m, (d * m) ** 2, n_dof**2

    @inlined
    def load_element(e, dof, par, q, v, c, x, y):
        load_values(n_par, par, stride * e, c)
        relative_displacements(d, m, q, dof, n_dof * e, x)
        if viscous:
            relative_displacements(d, m, v, dof, n_dof * e, y)

    def force(count, dof, par, sig, q, v, u, total):
        c, x, y, f = scratch(n_par), scratch(n_x), scratch(n_x), scratch(n_x)
        for e in range(count):
            load_element(e, dof, par, q, v, c, x, y)
            clear_values(n_x, f)
            add_element_forces(c, par, stride * e, x, y, f)
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        c, x, y, k, b = scratch(n_par), scratch(n_x), scratch(n_x), scratch(n_k), scratch(n_k)
        for e in range(count):
            load_element(e, dof, par, q, v, c, x, y)
            clear_values(n_k, k)
            clear_values(n_k, b)
            add_element_stiffness(c, par, stride * e, x, y, k, b)
            if stiff:
                scatter_stiffness(d, m, k, slot, n_slot * e, kq)
            if viscous:
                scatter_stiffness(d, m, b, slot, n_slot * e, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        c, x, y = scratch(n_par), scratch(n_x), scratch(n_x)
        for e in range(count):
            load_element(e, dof, par, q, v, c, x, y)
            value = element_energy(c, par, stride * e, x, y)
            energy[3 * e] = 0.0 if viscous else value
            energy[3 * e + 1] = value if viscous else 0.0
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)


def elastic_kernels(s: ElementSizes, point: PointKernels) -> ForceKernels:
    """Build the kernels of elastic elements from the functions of a material at a point."""
    point_energy, point_stress, point_tangent = point
    d, m, points, n_par, step = s.d, s.m, s.points, s.n_par, s.step
    n_h, n_a, n_turned = d**2, d**4, d**3 * m

    @inlined
    def forces(c, par, first, x, y, f):
        h, p = scratch(n_h), scratch(n_h)
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            point_stress(c, h, p)
            add_forces(d, m, par[at], p, par, at, f)

    @inlined
    def stiffness(c, par, first, x, y, k, b):
        h, full, turned = scratch(n_h), scratch(n_a), scratch(n_turned)
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            point_tangent(par[at], c, h, full)
            add_stiffness(d, m, True, full, par, at, turned, k)
        mirror_blocks(d, m, k)

    @inlined
    def energy(c, par, first, x, y):
        h, stored = scratch(n_h), 0.0
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            stored += par[at] * point_energy(c, h)
        return stored

    return element_kernels(s, ElementSums(forces, stiffness, energy))


def viscous_kernels(s: ElementSizes, linear: bool, point: ViscousPointKernels) -> ForceKernels:
    """Build the kernels of damping from the functions of a viscosity at a point (viscous_point.py):

        f_a = -sum_p w P_v g_a        K_ab = sum_p w g_a . dP_v/dH . g_b        D_ab = sum_p w g_a . dP_v/dV . g_b

    K is unsymmetric, and zero for small strains (linear). These are separate elements in addition to the elastic ones: models
    without damping have no cost."""
    point_power, point_stress, point_tangent = point
    d, m, points, n_par, step = s.d, s.m, s.points, s.n_par, s.step
    n_h, n_a, n_turned = d**2, d**4, d**3 * m

    @inlined
    def gradients(par, at, x, y, h, rate):
        displacement_gradient(d, m, x, par, at, h)
        displacement_gradient(d, m, y, par, at, rate)

    @inlined
    def forces(c, par, first, x, y, f):
        h, rate, p = scratch(n_h), scratch(n_h), scratch(n_h)
        for point in range(points):
            at = first + n_par + step * point
            gradients(par, at, x, y, h, rate)
            point_stress(c, h, rate, p)
            add_forces(d, m, par[at], p, par, at, f)

    @inlined
    def stiffness(c, par, first, x, y, k, b):
        h, rate, by_h, by_rate, turned = scratch(n_h), scratch(n_h), scratch(n_a), scratch(n_a), scratch(n_turned)
        for point in range(points):
            at = first + n_par + step * point
            gradients(par, at, x, y, h, rate)
            point_tangent(par[at], c, h, rate, by_h, by_rate)
            add_stiffness(d, m, True, by_rate, par, at, turned, b)
            if not linear:
                add_stiffness(d, m, False, by_h, par, at, turned, k)
        mirror_blocks(d, m, b)

    @inlined
    def power(c, par, first, x, y):
        h, rate, lost = scratch(n_h), scratch(n_h), 0.0
        for point in range(points):
            at = first + n_par + step * point
            gradients(par, at, x, y, h, rate)
            lost += par[at] * point_power(c, h, rate)
        return lost

    return element_kernels(s, ElementSums(forces, stiffness, power), viscous=True, stiff=not linear)
