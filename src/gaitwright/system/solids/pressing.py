"""Sides of a solid that are pressed on a half-space, by a penalty:

    V = sum_p w_p/2 g_p^2 where g_p < 0        g_p = c + m . x_p        x_p = sum_a N_a(p) (X_a + u_a)

over points p of the sides, whose weights w are penalty times area, N/m. (c, m) is the plane: m its outward normal and c the
distance of the origin from it, both in the frame of the solid. They stand where other kernels have functions of time: u[0],
u[1], ... One point per node is what a node-to-surface contact is; points of integration do justice to curved sides of
quadratic elements.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.compiled import compiled, put_inside
from gaitwright.derive.scratch import scratch
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.measure import side_shares, summed
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels
from gaitwright.system.solids.shapes import SIDES

Values = tuple[tuple[float, ...], ...]
"""Shape functions at the points of a side, (points, nodes)."""
AT_NODE: Values = ((1.0,),)


@functools.cache
def pressing_module(d: int, values: Values) -> ModuleType:
    """par: w of each point, undeformed places of the nodes."""
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

    gap_ = put_inside(gap)

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
    return force_module(name, Kernels(force, tangent, energy), n_dof, stride, potential=True)


class Sides:
    """Sides of a region as elements of pressing_module: nodes (count, n), parameters, and shape functions at their points.

    stiffness: penalty, N/m^3. Linear elements touch with their nodes, quadratic ones with points of integration: the corners
    of a curved side carry nothing of an even pressure."""

    def __init__(self, kind: Any, places: Array, sides: Array, stiffness: float, thickness: float):
        side, d = SIDES[kind.name], places.shape[1]
        depth = thickness if d == 2 else 1.0
        if kind.order == 1:
            self.values = AT_NODE
            shares = summed(sides.ravel(), side_shares(places, sides).ravel(), len(places))
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
        """N at the points, (points, n)."""
        return np.array(self.values)


@compiled
def add_pose_terms(d, n, points, count, shares, dof, par, q, u, slope, curvature, mixed, width):
    """What V and the forces on the nodes owe to the plane: V_x, V_xx and, for each x, V_ux (a row of `width` numbers), all
    added to. x = (c, m)."""
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
