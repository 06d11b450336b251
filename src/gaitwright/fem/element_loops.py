"""Forces, stiffness and energy of elements: sums over integration points of the functions of a material.

    H = sum_a u_a (x) g_a        f_a = -sum_p w P g_a        K_ab = sum_p w g_a . A . g_b

with the gradients g_a of the shape functions in the undeformed element and the weights w of its points. Shape functions sum
to one, so the gradient of the first node is minus the sum of the others: it is left out, displacements are taken relative to
the first node, and its forces and rows of K follow. A translation then causes exactly zero forces.

par, per element: the numbers of the material; per point w, then g of the nodes but the first.

The functions of the material (material_point.py) are compiled into the loops. All sizes are compile-time constants, so that
small loops are unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gaitwright.fem.material_point import PointKernels
from gaitwright.jit import force_inline as inlined
from gaitwright.jit.stack_memory import scratch


class ForceKernels(NamedTuple):
    """Kernels of a force, see derive/kernel_interface.py."""

    force: Callable[..., None]
    tangent: Callable[..., None]
    energy: Callable[..., None]


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


def standard_loops(s: ElementSizes, point: PointKernels) -> ForceKernels:
    """Build the kernels of elements of some sizes from the functions of a material at a point."""
    point_energy, point_stress, point_tangent = point
    d, m, points, n_par = s.d, s.m, s.points, s.n_par
    n_dof, step, stride = s.n_dof, s.step, s.stride
    n_x, n_h, n_a, n_turned = d * m, d**2, d**4, d**3 * m
    n_k, n_slot = n_x**2, n_dof**2

    def force(count, dof, par, sig, q, v, u, total):
        x, f, h, p, c = scratch(n_x), scratch(n_x), scratch(n_h), scratch(n_h), scratch(n_par)
        for e in range(count):
            load_values(n_par, par, stride * e, c)
            relative_displacements(d, m, q, dof, n_dof * e, x)
            clear_values(n_x, f)
            for point in range(points):
                at = stride * e + n_par + step * point
                displacement_gradient(d, m, x, par, at, h)
                point_stress(c, h, p)
                add_forces(d, m, par[at], p, par, at, f)
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, h, c, full = scratch(n_x), scratch(n_h), scratch(n_par), scratch(n_a)
        turned, k = scratch(n_turned), scratch(n_k)
        for e in range(count):
            load_values(n_par, par, stride * e, c)
            relative_displacements(d, m, q, dof, n_dof * e, x)
            clear_values(n_k, k)
            for point in range(points):
                at = stride * e + n_par + step * point
                displacement_gradient(d, m, x, par, at, h)
                point_tangent(par[at], c, h, full)
                add_stiffness(d, m, True, full, par, at, turned, k)
            mirror_blocks(d, m, k)
            scatter_stiffness(d, m, k, slot, n_slot * e, kq)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, h, c = scratch(n_x), scratch(n_h), scratch(n_par)
        for e in range(count):
            load_values(n_par, par, stride * e, c)
            relative_displacements(d, m, q, dof, n_dof * e, x)
            stored = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                displacement_gradient(d, m, x, par, at, h)
                stored += par[at] * point_energy(c, h)
            energy[3 * e] = stored
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)
