"""Viscous stress at one point of a solid and its derivatives, from what a kernel says of the dissipation (derive/viscous.py).

    P = F S        dP/dV = G(F)^T S_y G(F)        dP/dH = G(F)^T S_y G(V) + S        G(F) = de/dH

with the rates y of the strains e. F is I where strains are small.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from gaitwright.derive.library import Solid, module_on
from gaitwright.derive.scratch import scratch
from gaitwright.physics.materials.viscous import Viscosity
from gaitwright.system.solids import invariants
from gaitwright.system.solids.point import Wrap, inside

# pyright: reportIndexIssue=false


class ViscousPoint(NamedTuple):
    """power(par, h, rate) is what is lost; stress(par, h, rate, p) and tangent(weight, par, h, rate, by_h, by_rate), which
    are times the weight, write. rate: V, the derivative of H in time."""

    power: Callable[..., Any]
    stress: Callable[..., Any]
    tangent: Callable[..., Any]


@functools.cache
def viscous_point_of(viscosity: type[Viscosity], d: int, wrap: Wrap = inside) -> ViscousPoint:
    """The functions of damping in d dimensions."""
    printed, linear = module_on(viscosity, Solid(d)), viscosity.linear
    size, n = d * (d + 1) // 2, d * d
    n_all, n_v = size + size**2, n * size
    point_power, point_stress, point_tangent = (wrap(getattr(printed, name)) for name in ("power", "stress", "tangent"))
    gradient_of_deformation, strain_rates, tensor, weigh = (
        wrap(invariants.gradient_of_deformation), wrap(invariants.strain_rates), wrap(invariants.tensor),
        wrap(invariants.weigh),
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
        """G(F)^T S_y G(turned)."""
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

    return ViscousPoint(power, stress, tangent)
