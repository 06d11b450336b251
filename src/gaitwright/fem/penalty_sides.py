"""Sides of a solid in contact with a half-space, by a penalty:

    V = sum_p w_p/2 g_p^2 where g_p < 0        g_p = c + m . x_p        x_p = sum_a N_a(p) (X_a + u_a)

over points p of the sides; their weights w are penalty times area, N/m. (c, m) is the plane: m its outward normal and c the
distance of the origin from it, both in the frame of the solid. They replace the functions of time of other kernels: u[0],
u[1], ... One point per node is a node-to-surface contact; integration points represent curved sides of quadratic elements
correctly.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.element_types import SIDE_TYPES
from gaitwright.fem.kernel_modules import force_module
from gaitwright.jit import force_inline, jit_compile
from gaitwright.jit.stack_memory import scratch
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.cell_measures import side_shares, sum_by_index

ShapeValues = tuple[tuple[float, ...], ...]
"""Shape functions at the points of a side, (points, nodes)."""
NODE_SHAPE_VALUES: ShapeValues = ((1.0,),)


@functools.cache
def penalty_module(d: int, values: ShapeValues) -> ModuleType:
    """Build the module. par: w of each point, undeformed positions of the nodes."""
    points, n = len(values), len(values[0])
    n_dof, stride, n_slot = d * n, points + d * n, (d * n) ** 2
    shares = np.array(values).ravel()

    def gap(e, point, dof, par, q, u):
        total = u[0]
        for a in range(n):
            for i in range(d):
                place = par[stride * e + points + d * a + i] + q[dof[n_dof * e + d * a + i]]
                total += shares[n * point + a] * place * u[1 + i]
        return total

    gap_ = force_inline(gap)

    def force(count, dof, par, sig, q, v, u, total):
        for e in range(count):
            for point in range(points):
                g = gap_(e, point, dof, par, q, u)
                if g < 0.0:
                    push = -par[stride * e + point] * g
                    for a in range(n):
                        for i in range(d):
                            total[dof[n_dof * e + d * a + i]] += push * shares[n * point + a] * u[1 + i]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        row = scratch(n_dof)
        for e in range(count):
            for point in range(points):
                if gap_(e, point, dof, par, q, u) < 0.0:
                    for a in range(n):
                        for i in range(d):
                            row[d * a + i] = shares[n * point + a] * u[1 + i]
                    for r in range(n_dof):
                        for s in range(n_dof):
                            kq[slot[n_slot * e + n_dof * r + s]] += par[stride * e + point] * row[r] * row[s]

    def energy(count, dof, par, sig, q, v, u, energy):
        for e in range(count):
            stored = 0.0
            for point in range(points):
                g = gap_(e, point, dof, par, q, u)
                if g < 0.0:
                    stored += 0.5 * par[stride * e + point] * g * g
            energy[3 * e] = stored
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    name = f"pressing__{n}_{points}_{d}d"
    return force_module(name, ForceKernels(force, tangent, energy), n_dof, stride, potential=True)


class PenaltySides:
    """Sides of a region as elements of penalty_module: nodes (count, n), parameters, and shape functions at their points.

    stiffness: penalty, N/m^3. Linear elements touch at their nodes, quadratic ones at integration points: under a uniform
    pressure the corners of a curved side carry no force."""

    def __init__(self, kind: Any, places: Array, sides: Array, stiffness: float, thickness: float):
        side, d = SIDE_TYPES[kind.name], places.shape[1]
        depth = thickness if d == 2 else 1.0
        if kind.order == 1:
            self.values = NODE_SHAPE_VALUES
            shares = sum_by_index(sides.ravel(), side_shares(places, sides).ravel(), len(places))
            self.nodes = np.unique(sides)[:, None]
            weights = shares[self.nodes]
        else:
            self.values = tuple(map(tuple, side.values().tolist()))
            self.nodes = sides
            slopes = np.einsum("pak,sai->spki", side.slopes(), places[sides])
            across = np.linalg.norm(slopes[:, :, 0], axis=2) if d == 2 else None
            if across is None:
                across = np.linalg.norm(np.cross(slopes[:, :, 0], slopes[:, :, 1]), axis=2)
            weights = across * side.weights
        self.areas = depth * weights
        self.parameters = np.column_stack((stiffness * self.areas, places[self.nodes].reshape(len(self.nodes), -1)))

    @property
    def points(self) -> Array:
        """Shape functions N at the points, (points, n)."""
        return np.array(self.values)


@jit_compile
def add_pose_terms(d, n, points, count, shares, dof, par, q, u, slope, curvature, mixed, width):
    """Add the derivatives of V and of the nodal forces with respect to the plane x = (c, m): V_x, V_xx and, for each x, V_ux
    (a row of `width` numbers)."""
    n_dof, stride, n_x = d * n, points + d * n, d + 1
    place = np.empty(4)
    for e in range(count):
        for point in range(points):
            g = u[0]
            place[0] = 1.0
            for i in range(d):
                total = 0.0
                for a in range(n):
                    at = par[stride * e + points + d * a + i] + q[dof[n_dof * e + d * a + i]]
                    total += shares[n * point + a] * at
                place[1 + i] = total
                g += total * u[1 + i]
            if g >= 0.0:
                continue
            w = par[stride * e + point]
            for r in range(n_x):
                slope[r] += w * g * place[r]
                for s in range(n_x):
                    curvature[n_x * r + s] += w * place[r] * place[s]
                for a in range(n):
                    share = w * shares[n * point + a]
                    for i in range(d):
                        mixed[width * r + dof[n_dof * e + d * a + i]] += share * place[r] * u[1 + i]
                    if r > 0:
                        mixed[width * r + dof[n_dof * e + d * a + r - 1]] += share * g
