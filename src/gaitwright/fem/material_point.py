"""Stress and stiffness at one point of a solid, from the energy of its material.

A kernel of a material (derive/material.py) depends on invariants y of H alone, and returns W, W_y and W_yy. The invariants as
functions of H are the same for all materials (invariants.py, principal_stretches.py), so this module contains the chain rule
for all of them:

    P = W_y y_H        A = W_yy y_H (x) y_H + W_y y_HH

par: the numbers of the material; h: the entries of H, row by row, then t if there is a mean dilatation; `full`: the whole A,
with as many rows as h. All sizes are compile-time constants, so that small loops are unrolled and code that a material does
not need is removed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from gaitwright.derive.kernel_library import DeformationBasis, load_kernel_module
from gaitwright.fem import invariants, principal_stretches
from gaitwright.fem.principal_stretches import EIGEN_SIZE
from gaitwright.jit import force_inline
from gaitwright.jit.stack_memory import scratch
from gaitwright.physics.materials.base import Material

# pyright: reportIndexIssue=false
force_inline_once = functools.cache(force_inline)
KernelWrapper = Callable[[Callable[..., Any]], Any]
"""Decorator by which functions are inlined into others."""


def keep_in_python(function: Callable[..., Any]) -> Any:
    """Return the function unchanged, for evaluation of a single point in Python."""
    return function


class PointKernels(NamedTuple):
    """Functions of a material at a point: energy(par, h) returns W; stress(par, h, p) writes P and tangent(weight, par, h,
    full) writes weight times A."""

    energy: Callable[..., Any]
    stress: Callable[..., Any]
    tangent: Callable[..., Any]


class InvariantLayout:
    """Positions of the invariants of a material. First come the nonlinear ones, in which W has second derivatives: invariants
    with special names, then strains; then those in which W is linear; last entries of H, all or none, and t."""

    def __init__(self, names: tuple[str, ...], bent: int, d: int, mean: bool):
        self.size, self.bent, self.n = len(names), bent, d * d + mean
        place = {name: k for k, name in enumerate(names)}
        self.swelling, self.first, self.square = (place.get(name, -1) for name in ("j", "k1", "ee"))
        self.strains = place.get("e11", -1)
        self.sums, self.first_sum = sum(name[0] == "s" for name in names), place.get("s0", -1)
        self.curved = bent + (d * (d + 1) // 2 if self.strains >= 0 else 0)
        self.direct = place.get("h11", place.get("t", self.size))
        self.first_direct = 0 if "h11" in place else d * d


@functools.cache
def build_point_kernels(
    material: type[Material], d: int, mean: bool = False, wrap: KernelWrapper = force_inline_once
) -> PointKernels:
    """Build the functions of a material in d dimensions. mean: with the mean dilatation of an element."""
    printed = load_kernel_module(material, DeformationBasis(d))
    linear = material.linear
    prefix = "mean_" if mean else ""
    names, bent = getattr(printed, f"{prefix}INVARIANTS".upper()), getattr(printed, f"{prefix}BENT".upper())
    at = InvariantLayout(names, bent, d, mean)
    size, curved, n, n_h = at.size, at.curved, at.n, d * d
    at_swelling, at_first, at_square, first_strain = at.swelling, at.first, at.square, at.strains
    sums, first_sum, direct, first_direct = at.sums, at.first_sum, at.direct, at.first_direct
    n_g, n_v, n_all, n_alpha = n_h * (direct + 1), n_h * (curved + 1), size + size**2, max(sums, 1)
    point_energy, point_stress, point_tangent = (
        wrap(getattr(printed, f"{prefix}{name}")) for name in ("energy", "stress", "tangent")
    )
    exponents: Any = wrap(printed.exponents) if sums else None
    weigh = wrap(invariants.scale_derivatives)
    gradient_of_deformation = wrap(invariants.deformation_gradient)
    swelling = wrap(invariants.volume_change)
    swelling_slope = wrap(invariants.volume_change_slope)
    add_swelling_curvature = wrap(invariants.add_volume_change_curvature)
    first_invariant = wrap(invariants.first_invariant)
    first_slope = wrap(invariants.first_invariant_slope)
    add_first_curvature = wrap(invariants.add_first_invariant_curvature)
    strain_square = wrap(invariants.strain_square)
    square_slope = wrap(invariants.strain_square_slope)
    add_square_curvature = wrap(invariants.add_strain_square_curvature)
    strains = wrap(invariants.strains)
    tensor = wrap(invariants.strain_stress_tensor)
    add_strain_stress = wrap(invariants.add_strain_stress)
    set_strain_stiffness = wrap(invariants.set_strain_stiffness)
    add_strain_curvature = wrap(invariants.add_strain_curvature)
    compute_stretches = wrap(principal_stretches.compute_stretches)
    power_sum = wrap(principal_stretches.stretch_power_sum)
    power_slope = wrap(principal_stretches.stretch_power_slope)
    add_power_curvature = wrap(principal_stretches.add_stretch_power_curvature)

    @wrap
    def values(par, h, alpha, eigen, y):
        if at_swelling >= 0:
            y[at_swelling] = swelling(d, h)
        if at_first >= 0:
            y[at_first] = first_invariant(d, h)
        if at_square >= 0:
            y[at_square] = strain_square(h)
        if first_strain >= 0:
            strains(d, linear, h, y, first_strain)
        if sums > 0:
            exponents(1, par, alpha)
            compute_stretches(d, h, eigen)
            for k in range(sums):
                y[first_sum + k] = power_sum(d, alpha[k], eigen)
        for k in range(size - direct):
            y[direct + k] = h[first_direct + k]
        # A solid cannot be inverted, but not every energy prevents it: NaN makes solvers take shorter steps.
        if not linear and not mean and (y[at_swelling] if at_swelling >= 0 else swelling(d, h)) <= -1.0:
            for k in range(size):
                y[k] = math.nan

    @wrap
    def slopes(f, alpha, eigen, count, g):
        """Rows of g of the first invariants except strains."""
        if 0 <= at_swelling < count:
            swelling_slope(d, f, g, n_h * at_swelling)
        if 0 <= at_first < count:
            first_slope(d, f, g, n_h * at_first)
        if 0 <= at_square < count:
            square_slope(f, g, n_h * at_square)
        if 0 <= first_sum < count:
            for k in range(sums):
                power_slope(d, alpha[k], eigen, g, n_h * (first_sum + k))

    @wrap
    def bends(w, k, f, g, s, v, row):
        """Row k of W_yy y_H."""
        for i in range(n_h):
            total = 0.0
            for l in range(bent):
                total += w[size + size * k + l] * g[n_h * l + i]
            v[row + i] = total
        if first_strain >= 0:
            tensor(d, w, size + size * k + first_strain, s)
            add_strain_stress(d, linear, f, s, v, row)

    @wrap
    def energy(par, h):
        y, alpha, eigen, w = scratch(size), scratch(n_alpha), scratch(EIGEN_SIZE), scratch(1)
        values(par, h, alpha, eigen, y)
        point_energy(1, par, y, w)
        return w[0]

    @wrap
    def stress(par, h, p):
        y = scratch(size)
        alpha = scratch(n_alpha)
        eigen = scratch(EIGEN_SIZE)
        w = scratch(size)
        g = scratch(n_g)
        f = scratch(n_h)
        values(par, h, alpha, eigen, y)
        for k in range(size):
            w[k] = 0.0
        point_stress(1, par, y, w)
        gradient_of_deformation(d, h, f)
        slopes(f, alpha, eigen, direct, g)
        for i in range(n_h):
            total = 0.0
            for k in range(bent):
                total += w[k] * g[n_h * k + i]
            for k in range(curved, direct):
                total += w[k] * g[n_h * k + i]
            p[i] = total
        for i in range(n_h, n):
            p[i] = 0.0
        if first_strain >= 0:
            s = scratch(n_h)
            tensor(d, w, first_strain, s)
            add_strain_stress(d, linear, f, s, p, 0)
        for k in range(size - direct):
            p[first_direct + k] += w[direct + k]

    @wrap
    def tangent(weight, par, h, full):
        x = scratch(size)
        alpha = scratch(n_alpha)
        eigen = scratch(EIGEN_SIZE)
        w = scratch(n_all)
        f, g, v, s = scratch(n_h), scratch(n_g), scratch(n_v), scratch(n_h)
        values(par, h, alpha, eigen, x)
        for k in range(n_all):
            w[k] = 0.0
        point_tangent(1, par, x, w)
        weigh(size, weight, w)
        gradient_of_deformation(d, h, f)
        slopes(f, alpha, eigen, bent, g)
        for k in range(curved):
            bends(w, k, f, g, s, v, n_h * k)
        for i in range(n_h, n):
            for j in range(n):
                full[n * i + j] = full[n * j + i] = 0.0
        if first_strain >= 0:
            set_strain_stiffness(d, n, linear, f, v, n_h * bent, full)
        if bent > 0 or first_strain < 0:
            for i in range(d):
                for j in range(d):
                    at = n * (d * i + j)
                    for k in range(d):
                        for l in range(d):
                            total = full[at + d * k + l] if first_strain >= 0 else 0.0
                            for y in range(bent):
                                total += g[n_h * y + d * i + j] * v[n_h * y + d * k + l]
                            if at_square >= 0:
                                total += w[at_square] * f[d * k + j] * f[d * i + l]
                            full[at + d * k + l] = total
        if at_swelling >= 0:
            add_swelling_curvature(d, n, w[at_swelling], f, full)
        if at_first >= 0:
            add_first_curvature(d, n, w[at_first], full)
        if at_square >= 0:
            add_square_curvature(n, w[at_square], f, full)
        if sums > 0:
            weights = scratch(n_alpha)
            for k in range(sums):
                weights[k] = w[first_sum + k]
            add_power_curvature(d, n, sums, alpha, weights, eigen, full)
        if first_strain >= 0 and not linear:
            tensor(d, w, first_strain, s)
            add_strain_curvature(d, n, s, full)
        for k in range(size - direct):
            last = first_direct + k
            bends(w, direct + k, f, g, s, v, 0)
            for i in range(n_h):
                full[n * i + last] += v[i]
                full[n * last + i] += v[i]
            for l in range(size - direct):
                full[n * last + first_direct + l] += w[size + size * (direct + k) + direct + l]

    return PointKernels(energy, stress, tangent)


@functools.cache
def build_points_module(material: type[Material], d: int) -> ModuleType:
    """Build kernels for many points: `energy` and `stress` with the arguments of derive/kernel_interface.py, from H to W and
    to P."""
    point = build_point_kernels(material, d)
    n_par, n = load_kernel_module(material, DeformationBasis(d)).N_PAR, d * d
    par_size = max(n_par, 1)
    point_energy, point_stress = point.energy, point.stress

    def energy(count, par, gradients, out):
        c, h = scratch(par_size), scratch(n)
        for e in range(count):
            for k in range(n_par):
                c[k] = par[n_par * e + k]
            for k in range(n):
                h[k] = gradients[n * e + k]
            out[e] = point_energy(c, h)

    def stress(count, par, gradients, out):
        c, h, p = scratch(par_size), scratch(n), scratch(n)
        for e in range(count):
            for k in range(n_par):
                c[k] = par[n_par * e + k]
            for k in range(n):
                h[k] = gradients[n * e + k]
            point_stress(c, h, p)
            for k in range(n):
                out[n * e + k] = p[k]

    module = ModuleType(f"gaitwright.solid.{material.name.replace('-', '_')}__points_{d}d")
    for name, value in {"KIND": "material", "N_PAR": n_par, "energy": energy, "stress": stress}.items():
        setattr(module, name, value)
    return module
