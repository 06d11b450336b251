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

from gaitwright.compiled import put_inside as inlined
from gaitwright.derive.scratch import scratch
from gaitwright.system.solids import invariants
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
)
from gaitwright.system.solids.point import Point, inside

gradient_of_deformation, swelling = inside(invariants.gradient_of_deformation), inside(invariants.swelling)
swelling_slope, add_swelling_curvature = inside(invariants.swelling_slope), inside(invariants.add_swelling_curvature)


@inlined
def dilatation(d, linear, h):
    """m(H): J - 1, or tr H."""
    if not linear:
        return swelling(d, h)
    trace = 0.0
    for i in range(d):
        trace += h[d * i + i]
    return trace


@inlined
def dilatation_slope(d, linear, f, z):
    """dm/dH: the cofactors of F, or the identity."""
    if linear:
        for i in range(d):
            for j in range(d):
                z[d * i + j] = 1.0 if i == j else 0.0
    else:
        swelling_slope(d, f, z, 0)


def mean_loops(s: Sizes, linear: bool, point: Point) -> Kernels:
    """As plain_loops, from the functions of a material with mean dilatation."""
    point_energy, point_stress, point_tangent = point
    d, m, points, n_par = s.d, s.m, s.points, s.n_par
    n_dof, step, stride = s.n_dof, s.step, s.stride
    n_x, n_h, n_a, n_turned = d * m, d**2, d**4, d**3 * m
    n_y, n_all = n_h + 1, (n_h + 1) ** 2  # H and t
    n_k, n_slot = n_x**2, n_dof**2

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
        h, p, z, turn = scratch(n_y), scratch(n_y), scratch(n_h), scratch(n_h)
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
                point_stress(c, h, p)
                push += par[at] * p[n_h]
                add_forces(d, m, par[at], p, par, at, f)
                gradient_of_deformation(d, h, turn)
                dilatation_slope(d, linear, turn, z)
                add_forces(d, m, par[at], z, par, at, b)
            for k in range(n_x):
                f[k] += push / volume * b[k]
            scatter_forces(d, m, f, dof, n_dof * e, total)

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, h, c, p, z, turn = scratch(n_x), scratch(n_y), scratch(n_par), scratch(n_y), scratch(n_h), scratch(n_h)
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
                point_stress(c, h, p)
                push += par[at] * p[n_h]
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                h[n_h] = t
                point_tangent(par[at], c, h, both)
                for r in range(n_h):
                    z[r] = both[n_y * r + n_h]
                    for l in range(n_h):
                        full[n_h * r + l] = both[n_y * r + l]
                firm += both[n_y * n_h + n_h]
                add_forces(d, m, 1.0, z, par, at, mixed)
                gradient_of_deformation(d, h, turn)
                dilatation_slope(d, linear, turn, z)
                add_forces(d, m, par[at] / volume, z, par, at, b)
                if not linear:
                    add_swelling_curvature(d, n_h, par[at] * push / volume, turn, full)
                add_stiffness(d, m, True, full, par, at, turned, k)
            mirror(d, m, k)
            for r in range(n_x):
                for l in range(n_x):
                    k[n_x * r + l] += mixed[r] * b[l] + b[r] * (mixed[l] + firm * b[l])
            scatter_stiffness(d, m, k, slot, n_slot * e, kq)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, h, c = scratch(n_x), scratch(n_y), scratch(n_par)
        for e in range(count):
            load(n_par, par, stride * e, c)
            relative(d, m, q, dof, n_dof * e, x)
            t, _volume = mean(x, par, stride * e, h)
            stored = 0.0
            for point in range(points):
                at = stride * e + n_par + step * point
                gradient(d, m, x, par, at, h)
                h[n_h] = t
                stored += par[at] * point_energy(c, h)
            energy[3 * e] = stored
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    return Kernels(force, tangent, energy)
