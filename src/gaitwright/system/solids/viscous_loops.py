"""Damping of elements: as loops.py, with the viscous stress at a point (physics/materials/viscous.py).

    f_a = -sum_p w P_v g_a        K_ab = sum_p w g_a . dP_v/dH . g_b        D_ab = sum_p w g_a . dP_v/dV . g_b

K is not symmetric. These are elements of their own beside the elastic ones: who does not damp, pays nothing.
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
    load,
    mirror,
    relative,
    scatter_forces,
    scatter_stiffness,
)


def viscous_loops(s: Sizes, point_power: Any, point_stress: Any, point_tangent: Any) -> Kernels:
    """The kernels of elements of some sizes, from those of a viscosity."""
    d, m, points, n_par = s.d, s.m, s.points, s.n_par
    n_dof, step, stride = s.n_dof, s.step, s.stride
    n_x, n_h, n_both, n_a, n_turned = d * m, d**2, 2 * d**2, d**4, d**3
    n_out, n_k, n_slot = n_a + n_h * (n_h + 1) // 2, n_x**2, n_dof**2

    @inlined
    def gradients(x, y, par, at, h):
        """H, then V."""
        for i in range(d):
            for j in range(d):
                first, second = 0.0, 0.0
                for a in range(m):
                    first += x[d * a + i] * par[at + 1 + d * a + j]
                    second += y[d * a + i] * par[at + 1 + d * a + j]
                h[d * i + j] = first
                h[n_h + d * i + j] = second

    def force(count, dof, par, sig, q, v, u, total):
        x, y, f, h, p, c = scratch(n_x), scratch(n_x), scratch(n_x), scratch(n_both), scratch(n_h), scratch(n_par)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            relative(d, m, v, dof, n_dof * e, y)
            clear(n_x, f)
            for point in range(points):
                at = stride * e + n_par + step * point
                gradients(x, y, par, at, h)
                point_stress(1, c, h, p)
                add_forces(d, m, par[at], p, par, at, f)
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, y, h, c, out = scratch(n_x), scratch(n_x), scratch(n_both), scratch(n_par), scratch(n_out)
        full, turned, k, b = scratch(n_a), scratch(n_turned), scratch(n_k), scratch(n_k)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            relative(d, m, v, dof, n_dof * e, y)
            clear(n_k, k)
            clear(n_k, b)
            for point in range(points):
                at = stride * e + n_par + step * point
                gradients(x, y, par, at, h)
                point_tangent(1, c, h, out)
                for r in range(n_a):
                    full[r] = par[at] * out[r]
                add_stiffness(d, m, False, full, par, at, turned, k)
                place = n_a
                for r in range(n_h):
                    for l in range(r, n_h):
                        full[n_h * r + l] = full[n_h * l + r] = par[at] * out[place]
                        place += 1
                add_stiffness(d, m, True, full, par, at, turned, b)
            mirror(d, m, b)
            scatter_stiffness(d, m, k, slot, n_slot * e, kq)
            scatter_stiffness(d, m, b, slot, n_slot * e, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, y, h, c, out = scratch(n_x), scratch(n_x), scratch(n_both), scratch(n_par), scratch(1)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            relative(d, m, v, dof, n_dof * e, y)
            lost = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                gradients(x, y, par, at, h)
                point_power(1, c, h, out)
                lost += par[at] * out[0]
            energy[3 * e] = 0.0
            energy[3 * e + 1] = lost
            energy[3 * e + 2] = 0.0

    return Kernels(force, tangent, energy)
