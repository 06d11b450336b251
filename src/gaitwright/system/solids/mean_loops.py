"""Elements whose volume changes as a whole: the remedy for locking of quadratic elements that are nearly incompressible.

A material that keeps its volume asks every point of integration for det F = 1: more conditions than an element has freedoms, so
that it hardly bends. With the mean dilatation t of an element in the place of that of its points (physics/materials/dilated.py)
there is one condition per element. W(H, t) and V t = sum_p w m(H) give

    f_a = -sum_p w P g_a - s b_a        s = sum_p w dW/dt        b_a = dt/du_a = sum_p w (dm/dH g_a) / V
    K_ab = sum_p w g_a . (A + s/V d2m/dH2) . g_b + c_a b_b + b_a c_b + r b_a b_b
    c_a = sum_p w (d2W/dH dt) g_a        r = sum_p w d2W/dt2

with m = J - 1, or tr H for materials of small strains. There is an energy, so that K is symmetric (the F-bar method, which
scales the stress alone, has none). Linear elements have one point, which is its own mean: they need another element.
Source: J. C. Simo, R. L. Taylor, K. S. Pister, Comput. Methods Appl. Mech. Eng. 51 (1985) 177-208.
"""

from __future__ import annotations

from typing import Any

from gaitwright.compiled import put_inside as inlined
from gaitwright.derive.scratch import scratch
from gaitwright.system.solids.loops import (
    Kernels,
    Sizes,
    add_forces,
    add_stiffness,
    clear,
    gradient,
    load,
    mirror,
    relative,
    scatter_forces,
    scatter_stiffness,
    unpack,
)


@inlined
def dilatation(d, linear, h):
    """m(H): J - 1, or tr H."""
    if d == 2:
        return h[0] + h[3] if linear else h[0] + h[3] + (h[0] * h[3] - h[1] * h[2])
    trace = h[0] + h[4] + h[8]
    if linear:
        return trace
    a, b, c = h[4] * h[8] - h[5] * h[7], h[3] * h[8] - h[5] * h[6], h[3] * h[7] - h[4] * h[6]
    pairs = (h[0] * h[4] - h[1] * h[3]) + (h[0] * h[8] - h[2] * h[6]) + a
    return trace + pairs + (h[0] * a - h[1] * b + h[2] * c)


@inlined
def dilatation_slope(d, linear, h, z):
    """dm/dH: the cofactors of F, or the identity."""
    for r in range(d * d):
        z[r] = 0.0
    for i in range(d):
        z[d * i + i] = 1.0
    if not linear:
        if d == 2:
            z[0], z[1], z[2], z[3] = 1.0 + h[3], -h[2], -h[1], 1.0 + h[0]
        else:
            for i in range(3):
                for j in range(3):
                    a, b, k, l = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
                    first = (h[3 * a + k] + (1.0 if a == k else 0.0)) * (h[3 * b + l] + (1.0 if b == l else 0.0))
                    second = (h[3 * a + l] + (1.0 if a == l else 0.0)) * (h[3 * b + k] + (1.0 if b == k else 0.0))
                    z[3 * i + j] = first - second


@inlined
def add_dilatation_curvature(d, weight, h, full):
    """full += weight d2J/dH2."""
    if d == 2:
        full[3] += weight
        full[12] += weight
        full[6] -= weight
        full[9] -= weight
    else:
        for i in range(3):
            for j in range(3):
                # d J/dF_ij is the minor of the other rows a, b and columns k, l
                a, b, k, l = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
                row = 9 * (3 * i + j)
                full[row + 3 * a + k] += weight * (h[3 * b + l] + (1.0 if b == l else 0.0))
                full[row + 3 * b + l] += weight * (h[3 * a + k] + (1.0 if a == k else 0.0))
                full[row + 3 * a + l] -= weight * (h[3 * b + k] + (1.0 if b == k else 0.0))
                full[row + 3 * b + k] -= weight * (h[3 * a + l] + (1.0 if a == l else 0.0))


def mean_loops(s: Sizes, linear: bool, point_energy: Any, point_stress: Any, point_tangent: Any) -> Kernels:
    """As plain_loops, from the kernels of a material with mean dilatation."""
    d, m, points, n_par = s.d, s.m, s.points, s.n_par
    n_dof, step, stride = s.n_dof, s.step, s.stride
    n_x, n_h, n_a, n_turned = d * m, d**2, d**4, d**3
    n_y, n_all = n_h + 1, (n_h + 1) ** 2  # H and t
    n_packed, n_k, n_slot = n_y * (n_y + 1) // 2, n_x**2, n_dof**2

    @inlined
    def mean(x, par, first, h):
        """t of an element, and its volume."""
        total, volume = 0.0, 0.0
        for point in range(points):
            at = first + n_par + step * point
            gradient(d, m, x, par, at, h)
            total += par[at] * dilatation(d, linear, h)
            volume += par[at]
        return total / volume, volume

    def force(count, dof, par, sig, q, v, u, total):
        x, f, b, c = scratch(n_x), scratch(n_x), scratch(n_x), scratch(n_par)
        h, p, z = scratch(n_y), scratch(n_y), scratch(n_h)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            clear(n_x, f)
            clear(n_x, b)
            t, volume = mean(x, par, stride * e, h)
            push = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                h[n_h] = t
                point_stress(1, c, h, p)
                push += par[at] * p[n_h]
                add_forces(d, m, par[at], p, par, at, f)
                dilatation_slope(d, linear, h, z)
                add_forces(d, m, par[at], z, par, at, b)
            for k in range(n_x):
                f[k] += push / volume * b[k]
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, h, c, p, z, packed = (
            scratch(n_x), scratch(n_y), scratch(n_par), scratch(n_y), scratch(n_h), scratch(n_packed)
        )  # fmt: skip
        both, full, turned, k = scratch(n_all), scratch(n_a), scratch(n_turned), scratch(n_k)
        b, mixed = scratch(n_x), scratch(n_x)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            clear(n_k, k)
            clear(n_x, b)
            clear(n_x, mixed)
            t, volume = mean(x, par, stride * e, h)
            push, firm = 0.0, 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                h[n_h] = t
                point_stress(1, c, h, p)
                push += par[at] * p[n_h]
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                h[n_h] = t
                point_tangent(1, c, h, packed)
                unpack(n_y, par[at], packed, both)
                for r in range(n_h):
                    z[r] = both[n_y * r + n_h]
                    for l in range(n_h):
                        full[n_h * r + l] = both[n_y * r + l]
                firm += both[n_y * n_h + n_h]
                add_forces(d, m, 1.0, z, par, at, mixed)
                dilatation_slope(d, linear, h, z)
                add_forces(d, m, par[at] / volume, z, par, at, b)
                if not linear:
                    add_dilatation_curvature(d, par[at] * push / volume, h, full)
                add_stiffness(d, m, True, full, par, at, turned, k)
            mirror(d, m, k)
            for r in range(n_x):
                for l in range(n_x):
                    k[n_x * r + l] += mixed[r] * b[l] + b[r] * (mixed[l] + firm * b[l])
            scatter_stiffness(d, m, k, slot, n_slot * e, kq)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, h, c, out = scratch(n_x), scratch(n_y), scratch(n_par), scratch(1)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            t, _volume = mean(x, par, stride * e, h)
            stored = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                h[n_h] = t
                point_energy(1, c, h, out)
                stored += par[at] * out[0]
            energy[3 * e] = stored
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    return Kernels(force, tangent, energy)
