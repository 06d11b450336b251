"""Damping of elements: like element_loops.py, with the viscous stress at a point (physics/materials/viscous.py).

    f_a = -sum_p w P_v g_a        K_ab = sum_p w g_a . dP_v/dH . g_b        D_ab = sum_p w g_a . dP_v/dV . g_b

K is unsymmetric. These are separate elements in addition to the elastic ones: models without damping have no cost.
"""

from __future__ import annotations

from gaitwright.fem.element_loops import (
    ElementSizes,
    ForceKernels,
    add_forces,
    add_stiffness,
    clear_values,
    displacement_gradient,
    load_values,
    mirror_blocks,
    relative_displacements,
    scatter_forces,
    scatter_stiffness,
)
from gaitwright.fem.viscous_point import ViscousPointKernels
from gaitwright.jit.stack_memory import scratch


def viscous_loops(s: ElementSizes, linear: bool, point: ViscousPointKernels) -> ForceKernels:
    """Build the kernels of elements of some sizes from the functions of a viscosity at a point."""
    point_power, point_stress, point_tangent = point
    d, m, points, n_par = s.d, s.m, s.points, s.n_par
    n_dof, step, stride = s.n_dof, s.step, s.stride
    n_x, n_h, n_a, n_turned = d * m, d**2, d**4, d**3 * m
    n_k, n_slot = n_x**2, n_dof**2

    def force(count, dof, par, sig, q, v, u, total):
        x, y, f, c = scratch(n_x), scratch(n_x), scratch(n_x), scratch(n_par)
        h, rate, p = scratch(n_h), scratch(n_h), scratch(n_h)
        for e in range(count):
            load_values(n_par, par, stride * e, c)
            relative_displacements(d, m, q, dof, n_dof * e, x)
            relative_displacements(d, m, v, dof, n_dof * e, y)
            clear_values(n_x, f)
            for point in range(points):
                at = stride * e + n_par + step * point
                displacement_gradient(d, m, x, par, at, h)
                displacement_gradient(d, m, y, par, at, rate)
                point_stress(c, h, rate, p)
                add_forces(d, m, par[at], p, par, at, f)
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, y, h, rate, c = scratch(n_x), scratch(n_x), scratch(n_h), scratch(n_h), scratch(n_par)
        by_h, by_rate, turned, k, b = scratch(n_a), scratch(n_a), scratch(n_turned), scratch(n_k), scratch(n_k)
        for e in range(count):
            load_values(n_par, par, stride * e, c)
            relative_displacements(d, m, q, dof, n_dof * e, x)
            relative_displacements(d, m, v, dof, n_dof * e, y)
            clear_values(n_k, k)
            clear_values(n_k, b)
            for point in range(points):
                at = stride * e + n_par + step * point
                displacement_gradient(d, m, x, par, at, h)
                displacement_gradient(d, m, y, par, at, rate)
                point_tangent(par[at], c, h, rate, by_h, by_rate)
                add_stiffness(d, m, True, by_rate, par, at, turned, b)
                if not linear:
                    add_stiffness(d, m, False, by_h, par, at, turned, k)
            mirror_blocks(d, m, b)
            if not linear:
                scatter_stiffness(d, m, k, slot, n_slot * e, kq)
            scatter_stiffness(d, m, b, slot, n_slot * e, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, y, h, rate, c = scratch(n_x), scratch(n_x), scratch(n_h), scratch(n_h), scratch(n_par)
        for e in range(count):
            load_values(n_par, par, stride * e, c)
            relative_displacements(d, m, q, dof, n_dof * e, x)
            relative_displacements(d, m, v, dof, n_dof * e, y)
            lost = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                displacement_gradient(d, m, x, par, at, h)
                displacement_gradient(d, m, y, par, at, rate)
                lost += par[at] * point_power(c, h, rate)
            energy[3 * e] = 0.0
            energy[3 * e + 1] = lost
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)
