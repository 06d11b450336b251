"""Viscous stress at one point of a solid and its derivatives, from the dissipation kernel (derive/material.py).

    P = F S        dP/dV = G(F)^T S_y G(F)        dP/dH = G(F)^T S_y G(V) + S        G(F) = de/dH

with the rates y of the strains e. F is I for small strains.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from gaitwright.derive.kernel_library import DeformationBasis, load_kernel_module
from gaitwright.fem import invariants
from gaitwright.fem.material_point import KernelWrapper, force_inline_once
from gaitwright.jit.stack_memory import scratch
from gaitwright.physics.materials.viscous import Viscosity

# pyright: reportIndexIssue=false


class ViscousPointKernels(NamedTuple):
    """Functions of a viscosity at a point: power(par, h, rate) returns the dissipated power; stress(par, h, rate, p) writes
    P; tangent(weight, par, h, rate, by_h, by_rate) writes its derivatives times the weight. rate: V, the time derivative of
    H."""

    power: Callable[..., Any]
    stress: Callable[..., Any]
    tangent: Callable[..., Any]


@functools.cache
def build_viscous_point_kernels(
    viscosity: type[Viscosity], d: int, wrap: KernelWrapper = force_inline_once
) -> ViscousPointKernels:
    """Build the functions of damping in d dimensions."""
    printed, linear = load_kernel_module(viscosity, DeformationBasis(d)), viscosity.linear
    size, n = d * (d + 1) // 2, d * d
    n_all, n_v = size + size**2, n * size
    point_power, point_stress, point_tangent = (wrap(getattr(printed, name)) for name in ("power", "stress", "tangent"))
    gradient_of_deformation, strain_rates, tensor, weigh = (
        wrap(invariants.deformation_gradient), wrap(invariants.strain_rates), wrap(invariants.strain_stress_tensor),
        wrap(invariants.scale_derivatives),
    )  # fmt: skip
    add_strain_stress, set_strain_stiffness, add_strain_curvature = (
        wrap(invariants.add_strain_stress), wrap(invariants.set_strain_stiffness), wrap(invariants.add_strain_curvature),
    )  # fmt: skip

    @wrap
    def power(par, h, rate):
        y, w = scratch(size), scratch(1)
        strain_rates(d, linear, h, rate, y)
        point_power(1, par, y, w)
        return w[0]

    @wrap
    def stress(par, h, rate, p):
        y, w, f, s = scratch(size), scratch(size), scratch(n), scratch(n)
        strain_rates(d, linear, h, rate, y)
        for k in range(size):
            w[k] = 0.0
        point_stress(1, par, y, w)
        gradient_of_deformation(d, h, f)
        tensor(d, w, 0, s)
        for k in range(n):
            p[k] = 0.0
        add_strain_stress(d, linear, f, s, p, 0)

    @wrap
    def chained(w, f, turned, s, v, full):
        """Compute G(F)^T S_y G(turned)."""
        for k in range(n_v):
            v[k] = 0.0
        for k in range(size):
            tensor(d, w, size + size * k, s)
            add_strain_stress(d, linear, turned, s, v, n * k)
        set_strain_stiffness(d, n, linear, f, v, 0, full)

    @wrap
    def tangent(weight, par, h, rate, by_h, by_rate):
        y, w, f, s, v = scratch(size), scratch(n_all), scratch(n), scratch(n), scratch(n_v)
        strain_rates(d, linear, h, rate, y)
        for k in range(n_all):
            w[k] = 0.0
        point_tangent(1, par, y, w)
        weigh(size, weight, w)
        gradient_of_deformation(d, h, f)
        chained(w, f, f, s, v, by_rate)
        if linear:
            for k in range(n * n):
                by_h[k] = 0.0
        else:
            chained(w, f, rate, s, v, by_h)
            tensor(d, w, 0, s)
            add_strain_curvature(d, n, s, by_h)

    return ViscousPointKernels(power, stress, tangent)
