"""Elements with mean dilatation: prevents locking of nearly incompressible quadratic elements.

A material of constant volume requires det F = 1 at every integration point: more conditions than an element has freedoms, so
that it hardly bends. If the mean dilatation t of an element replaces that of its points
(physics/materials/mean_dilatation.py), there is one condition per element. W(H, t) and V t = sum_p w m(H) give

    f_a = -sum_p w P g_a - s b_a        s = sum_p w dW/dt        b_a = dt/du_a = sum_p w (dm/dH g_a) / V
    K_ab = sum_p w g_a . (A + s/V d2m/dH2) . g_b + c_a b_b + b_a c_b + r b_a b_b
    c_a = sum_p w (d2W/dH dt) g_a        r = sum_p w d2W/dt2

with m = J - 1, or tr H for materials of small strains. There is an energy, so K is symmetric (the F-bar method, which scales
the stress alone, has none). Linear elements have one point, which is its own mean: they need another formulation.
Source: J. C. Simo, R. L. Taylor, K. S. Pister, Comput. Methods Appl. Mech. Eng. 51 (1985) 177-208.
"""

from __future__ import annotations

from gaitwright.fem import invariants
from gaitwright.fem.element_loops import (
    ElementSizes,
    ElementSums,
    ForceKernels,
    add_forces,
    add_stiffness,
    clear_values,
    displacement_gradient,
    element_kernels,
    mirror_blocks,
)
from gaitwright.fem.material_point import PointKernels, force_inline_once
from gaitwright.jit import force_inline as inlined
from gaitwright.jit.stack_memory import scratch

deformation_gradient = force_inline_once(invariants.deformation_gradient)
volume_change = force_inline_once(invariants.volume_change)
volume_change_slope = force_inline_once(invariants.volume_change_slope)
add_volume_change_curvature = force_inline_once(invariants.add_volume_change_curvature)


@inlined
def dilatation(d, linear, h):
    """Return m(H): J - 1, or tr H."""
    if not linear:
        return volume_change(d, h)
    trace = 0.0
    for i in range(d):
        trace += h[d * i + i]
    return trace


@inlined
def dilatation_slope(d, linear, f, z):
    """Write dm/dH: the cofactors of F, or the identity."""
    if linear:
        for i in range(d):
            for j in range(d):
                z[d * i + j] = 1.0 if i == j else 0.0
    else:
        volume_change_slope(d, f, z, 0)


def mean_dilatation_kernels(s: ElementSizes, linear: bool, point: PointKernels) -> ForceKernels:
    """Build the kernels of elements with mean dilatation from the functions of a material at a point."""
    point_energy, point_stress, point_tangent = point
    d, m, points, n_par, step = s.d, s.m, s.points, s.n_par, s.step
    n_x, n_h, n_a, n_turned = d * m, d**2, d**4, d**3 * m
    n_y, n_all = n_h + 1, (n_h + 1) ** 2  # H and t

    @inlined
    def mean(x, par, first, h):
        """Return t of an element, and its volume."""
        total, volume = 0.0, 0.0
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            total += par[at] * dilatation(d, linear, h)
            volume += par[at]
        return total / volume, volume

    @inlined
    def forces(c, par, first, x, y, f):
        b, h, p, z, turn = scratch(n_x), scratch(n_y), scratch(n_y), scratch(n_h), scratch(n_h)
        clear_values(n_x, b)
        t, volume = mean(x, par, first, h)
        push = 0.0
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            h[n_h] = t
            point_stress(c, h, p)
            push += par[at] * p[n_h]
            add_forces(d, m, par[at], p, par, at, f)
            deformation_gradient(d, h, turn)
            dilatation_slope(d, linear, turn, z)
            add_forces(d, m, par[at], z, par, at, b)
        for k in range(n_x):
            f[k] += push / volume * b[k]

    @inlined
    def stiffness(c, par, first, x, y, k, no_damping):
        h, p, z, turn = scratch(n_y), scratch(n_y), scratch(n_h), scratch(n_h)
        both, full, turned = scratch(n_all), scratch(n_a), scratch(n_turned)
        b, mixed = scratch(n_x), scratch(n_x)
        clear_values(n_x, b)
        clear_values(n_x, mixed)
        t, volume = mean(x, par, first, h)
        push, firm = 0.0, 0.0
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            h[n_h] = t
            point_stress(c, h, p)
            push += par[at] * p[n_h]
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            h[n_h] = t
            point_tangent(par[at], c, h, both)
            for r in range(n_h):
                z[r] = both[n_y * r + n_h]
                for l in range(n_h):
                    full[n_h * r + l] = both[n_y * r + l]
            firm += both[n_y * n_h + n_h]
            add_forces(d, m, 1.0, z, par, at, mixed)
            deformation_gradient(d, h, turn)
            dilatation_slope(d, linear, turn, z)
            add_forces(d, m, par[at] / volume, z, par, at, b)
            if not linear:
                add_volume_change_curvature(d, n_h, par[at] * push / volume, turn, full)
            add_stiffness(d, m, True, full, par, at, turned, k)
        mirror_blocks(d, m, k)
        for r in range(n_x):
            for l in range(n_x):
                k[n_x * r + l] += mixed[r] * b[l] + b[r] * (mixed[l] + firm * b[l])

    @inlined
    def energy(c, par, first, x, y):
        h = scratch(n_y)
        t, _volume = mean(x, par, first, h)
        stored = 0.0
        for point in range(points):
            at = first + n_par + step * point
            displacement_gradient(d, m, x, par, at, h)
            h[n_h] = t
            stored += par[at] * point_energy(c, h)
        return stored

    return element_kernels(s, ElementSums(forces, stiffness, energy))
