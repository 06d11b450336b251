"""Forces, stiffness and energy of elements: sums over points of integration of what a material says there.

    H = sum_a u_a (x) g_a        f_a = -sum_p w P g_a        K_ab = sum_p w g_a . A . g_b

with the gradients g_a of the shape functions in the undeformed element and the weights w of its points. Shape functions sum to
one, so that the gradient of the first node is minus the sum of the others: it is left out, displacements are taken relative to
the first node, and its forces and rows of K follow. A translation then does nothing, to the last digit.

par, per element: the numbers of the material; per point w, then g of the nodes but the first.

The point functions are compiled into the loops. All sizes are constants there, so that what is small is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gaitwright.compiled import put_inside as inlined
from gaitwright.derive.scratch import scratch


class Kernels(NamedTuple):
    """The functions of a force, see derive.interface."""

    force: Callable[..., None]
    tangent: Callable[..., None]
    energy: Callable[..., None]


class Sizes(NamedTuple):
    """Of a kind of element. d: dimension; m: nodes but the first; n_par: numbers of the material; gap: where its points begin
    (behind these, and behind what else an element has)."""

    d: int
    m: int
    points: int
    n_par: int

    @property
    def n_dof(self) -> int:
        return self.d * (self.m + 1)

    @property
    def step(self) -> int:
        """Numbers per point in `par`."""
        return 1 + self.m * self.d

    @property
    def stride(self) -> int:
        """Numbers per element in `par`."""
        return self.n_par + self.points * self.step


# Steps that all loops take; d and m are constants there ---------------------------------------------------------------


@inlined
def load(n, source, first, target):
    for k in range(n):
        target[k] = source[first + k]


@inlined
def clear(n, target):
    for k in range(n):
        target[k] = 0.0


@inlined
def relative(d, m, q, dof, first, x):
    """Displacements relative to the first node."""
    for a in range(m):
        for i in range(d):
            x[d * a + i] = q[dof[first + d * (a + 1) + i]] - q[dof[first + i]]


@inlined
def gradient(d, m, x, par, at, h):
    """H at a point, whose numbers begin at `at`."""
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
    """Take forces from those of the nodes, so that they sum to zero."""
    for i in range(d):
        rest = 0.0
        for a in range(m):
            rest += f[d * a + i]
            total[dof[first + d * (a + 1) + i]] -= f[d * a + i]
        total[dof[first + i]] += rest


@inlined
def unpack(n, weight, packed, full):
    """A symmetric matrix from one triangle, times weight."""
    place = 0
    for r in range(n):
        for s in range(r, n):
            full[n * r + s] = full[n * s + r] = weight * packed[place]
            place += 1


@inlined
def add_stiffness(d, m, symmetric, full, par, at, turned, k):
    """k_ab += g_a . A . g_b; of a symmetric one only for a <= b."""
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
                    k[d * m * (d * a + i) + d * b + l] += total


@inlined
def mirror(d, m, k):
    """The blocks of a symmetric matrix below the diagonal."""
    n = d * m
    for a in range(m):
        for b in range(a):
            for i in range(d):
                for l in range(d):
                    k[n * (d * a + i) + d * b + l] = k[n * (d * b + l) + d * a + i]


@inlined
def scatter_stiffness(d, m, k, slot, first, values):
    """Add a matrix of the nodes but the first; the rows and columns of the first are minus the sums of the others."""
    n, n_dof = d * m, d * (m + 1)
    for i in range(d):
        for l in range(d):
            corner = 0.0
            for a in range(m):
                row, column = 0.0, 0.0
                for b in range(m):
                    row += k[n * (d * a + i) + d * b + l]
                    column += k[n * (d * b + i) + d * a + l]
                corner += row
                values[slot[first + n_dof * (d * (a + 1) + i) + l]] -= row
                values[slot[first + n_dof * i + d * (a + 1) + l]] -= column
            values[slot[first + n_dof * i + l]] += corner
    for r in range(n):
        for s in range(n):
            values[slot[first + n_dof * (d + r) + d + s]] += k[n * r + s]


def plain_loops(s: Sizes, point_energy: Any, point_stress: Any, point_tangent: Any) -> Kernels:
    """The kernels of elements of some sizes, from those of a material."""
    d, m, points, n_par = s.d, s.m, s.points, s.n_par
    n_dof, step, stride = s.n_dof, s.step, s.stride
    n_x, n_h, n_a, n_turned = d * m, d**2, d**4, d**3
    n_packed, n_k, n_slot = n_h * (n_h + 1) // 2, n_x**2, n_dof**2

    def force(count, dof, par, sig, q, v, u, total):
        x, f, h, p, c = scratch(n_x), scratch(n_x), scratch(n_h), scratch(n_h), scratch(n_par)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            clear(n_x, f)
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                point_stress(1, c, h, p)
                add_forces(d, m, par[at], p, par, at, f)
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, h, c, packed, full = scratch(n_x), scratch(n_h), scratch(n_par), scratch(n_packed), scratch(n_a)
        turned, k = scratch(n_turned), scratch(n_k)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            clear(n_k, k)
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                point_tangent(1, c, h, packed)
                unpack(n_h, par[at], packed, full)
                add_stiffness(d, m, True, full, par, at, turned, k)
            mirror(d, m, k)
            scatter_stiffness(d, m, k, slot, n_slot * e, kq)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, h, c, out = scratch(n_x), scratch(n_h), scratch(n_par), scratch(1)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            stored = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                point_energy(1, c, h, out)
                stored += par[at] * out[0]
            energy[3 * e] = stored
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    return Kernels(force, tangent, energy)
