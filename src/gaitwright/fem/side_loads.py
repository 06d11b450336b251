"""Loads on sides of solids: pressure that stays normal to the deformed side, and loads of fixed direction.

    f_a = -p int N_a n da        n da = x_,1 x x_,2 dxi        x = X + u        (in the plane (y_,1, -x_,1) per thickness)

n points out of the solid, so that a positive pressure pushes. Its tangent is unsymmetric: on a whole closed surface, or one
with a held rim, pressure has a potential, on a single side it has none. p is a function of time, N/m^2.
"""

from __future__ import annotations

import functools
from types import ModuleType

import numpy as np

from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.element_types import ElementType
from gaitwright.fem.kernel_modules import force_module
from gaitwright.jit import force_inline
from gaitwright.jit.stack_memory import scratch
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.cell_measures import side_shares, sum_by_index


@functools.cache
def pressure_module(side: ElementType) -> ModuleType:
    """Build the module of pressure on sides of a shape. par: thickness (1 in space), undeformed positions of the nodes. One
    signal: p."""
    d, n, points = side.dimension + 1, side.nodes, len(side.rule)
    n_dof, stride = d * n, 1 + d * n
    flat = side.dimension == 1
    values, slopes = side.values().ravel(), side.slopes().ravel()
    weights, n_directions = side.weights, 2
    n_slot, n_axes = n_dof**2, 6

    def along(q, dof, par, e, point, axes):
        """Compute x_,1 and x_,2 at a point."""
        for k in range(d - 1):
            for i in range(d):
                total = 0.0
                for a in range(n):
                    total += slopes[(n * point + a) * (d - 1) + k] * (
                        par[stride * e + 1 + d * a + i] + q[dof[n_dof * e + d * a + i]]
                    )
                axes[3 * k + i] = total

    def normal(axes, out):
        """Compute n da/dxi."""
        if flat:
            out[0], out[1] = axes[1], -axes[0]
        else:
            out[0] = axes[1] * axes[5] - axes[2] * axes[4]
            out[1] = axes[2] * axes[3] - axes[0] * axes[5]
            out[2] = axes[0] * axes[4] - axes[1] * axes[3]

    along_, normal_ = force_inline(along), force_inline(normal)

    def force(count, dof, par, sig, q, v, u, total):
        axes, out = scratch(n_axes), scratch(d)
        for e in range(count):
            for point in range(points):
                along_(q, dof, par, e, point, axes)
                normal_(axes, out)
                push = u[3 * sig[e]] * par[stride * e] * weights[point]
                for a in range(n):
                    for i in range(d):
                        total[dof[n_dof * e + d * a + i]] -= push * values[n * point + a] * out[i]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        axes = scratch(n_axes)
        for e in range(count):
            for point in range(points):
                along_(q, dof, par, e, point, axes)
                push = u[3 * sig[e]] * par[stride * e] * weights[point]
                for a in range(n):
                    for b in range(n):
                        at = n_slot * e + n_dof * d * a + d * b
                        by_first = push * values[n * point + a] * slopes[(n * point + b) * (d - 1)]
                        if flat:
                            kq[slot[at + 1]] += by_first
                            kq[slot[at + n_dof]] -= by_first
                        else:
                            # du_,1 x x_,2 + x_,1 x du_,2
                            by_second = push * values[n * point + a] * slopes[(n * point + b) * n_directions + 1]
                            x = by_second * axes[0] - by_first * axes[3]
                            y = by_second * axes[1] - by_first * axes[4]
                            z = by_second * axes[2] - by_first * axes[5]
                            kq[slot[at + 1]] -= z
                            kq[slot[at + 2]] += y
                            kq[slot[at + n_dof]] += z
                            kq[slot[at + n_dof + 2]] -= x
                            kq[slot[at + 2 * n_dof]] -= y
                            kq[slot[at + 2 * n_dof + 1]] += x

    def energy(count, dof, par, sig, q, v, u, energy):
        axes, out = scratch(n_axes), scratch(d)
        for e in range(count):
            power = 0.0
            for point in range(points):
                along_(q, dof, par, e, point, axes)
                normal_(axes, out)
                push = u[3 * sig[e]] * par[stride * e] * weights[point]
                for a in range(n):
                    for i in range(d):
                        power -= push * values[n * point + a] * out[i] * v[dof[n_dof * e + d * a + i]]
            energy[3 * e] = 0.0
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = power

    return force_module(
        f"pressure__{side.name.lower()}_{d}d", ForceKernels(force, tangent, energy), n_dof, stride, n_sig=1,
        symmetric=False, loads=True,
    )  # fmt: skip


def pressure_parameters(places: Array, sides: Array, thickness: float = 1.0) -> Array:
    """Return par of the pressure on sides, (sides, nodes of a side). places: undeformed positions of the nodes, m."""
    return np.column_stack((np.full(len(sides), thickness), places[sides].reshape(len(sides), -1)))


@functools.cache
def dead_load_module(d: int) -> ModuleType:
    """Build the module of loads of fixed direction; an element is a node. par: a vector. One signal per component multiplies
    it."""

    def force(count, dof, par, sig, q, v, u, total):
        for e in range(count):
            for i in range(d):
                total[dof[d * e + i]] += u[3 * sig[d * e + i]] * par[d * e + i]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        pass

    def energy(count, dof, par, sig, q, v, u, energy):
        for e in range(count):
            power = 0.0
            for i in range(d):
                power += u[3 * sig[d * e + i]] * par[d * e + i] * v[dof[d * e + i]]
            energy[3 * e] = 0.0
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = power

    return force_module(f"load__{d}d", ForceKernels(force, tangent, energy), d, d, n_sig=d, tangent=False, loads=True)


def traction_shares(places: Array, sides: Array, thickness: float = 1.0) -> Array:
    """Return int N_a dA over undeformed sides, of all nodes, m^2: times a traction (N/m^2 of undeformed area) it is a
    force."""
    shares = side_shares(places, sides) * (thickness if places.shape[1] == 2 else 1.0)
    return sum_by_index(sides.ravel(), shares.ravel(), len(places))


def dead_pressure_shares(side: ElementType, places: Array, sides: Array, thickness: float = 1.0) -> Array:
    """Return -int N_a n dA over undeformed sides, of all nodes, (nodes, d), m^2: times a pressure it is a force in the fixed
    direction of the undeformed side."""
    slopes = np.einsum("pak,sai->spki", side.slopes(), places[sides])
    if side.dimension == 1:
        normal = np.stack((slopes[..., 0, 1], -slopes[..., 0, 0]), axis=-1) * thickness
    else:
        normal = np.cross(slopes[..., 0, :], slopes[..., 1, :])
    forces = -np.einsum("p,pa,spi->sai", side.weights, side.values(), normal)
    return sum_by_index(sides.ravel(), forces.reshape(-1, places.shape[1]), len(places))
