"""Mass of solids: consistent or lumped matrices, and weight.

    M_ab = int rho N_a N_b dV        m_a = int rho N_a dV = sum_b M_ab

Between nodes a and b every direction has the same mass, and M does not change when the solid deforms. Lumped: the diagonal of M
alone, scaled to the mass of the element (E. Hinton, T. Rock, O. C. Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976) 245-249);
row sums, which others use, are negative at the corners of quadratic elements.
"""

from __future__ import annotations

import functools
from types import ModuleType

import numpy as np

from gaitwright.mesh.kinds import Array, Kind
from gaitwright.mesh.measure import shape_functions, shape_gradients
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels
from gaitwright.system.solids.shapes import fine_rule

AT_ONCE = 5_000
"""Elements whose points of integration are looked at together: those of a large mesh would fill the memory."""
Entries = tuple[Array, Array, Array]
"""Rows, columns and values of a matrix; entries of one place are to be summed."""


def element_masses(kind: Kind, nodes: Array, cells: Array, density: Array | float, thickness: float = 1.0) -> Array:
    """Consistent matrices (elements, nodes, nodes), kg. density: kg/m^3, of all or each; thickness: in the plane, m."""
    points, weights = fine_rule(kind.dimension, 2 if kind.order == 1 else 4)
    N, slopes = shape_functions(kind, points), shape_gradients(kind, points)
    scale = np.broadcast_to(density, len(cells)) * (thickness if kind.dimension == 2 else 1.0)
    places, found = np.asarray(nodes, dtype=float), np.empty((len(cells), kind.nodes, kind.nodes))
    for first in range(0, len(cells), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        size = np.linalg.det(np.einsum("eai,pak->epik", places[cells[some]], slopes))
        found[some] = np.einsum("ep,p,pa,pb->eab", size, weights, N, N, optimize=True) * scale[some, None, None]
    return found


def mass_entries(matrices: Array, cells: Array, lumped: bool = False) -> Entries:
    """Of the nodes, from those of the elements."""
    if lumped:
        own = np.einsum("eaa->ea", matrices)
        values = own * (matrices.sum(axis=(1, 2)) / own.sum(axis=1))[:, None]
        return cells.ravel(), cells.ravel(), values.ravel()
    k = cells.shape[1]
    return np.repeat(cells, k, axis=1).ravel(), np.tile(cells, (1, k)).ravel(), matrices.ravel()


def of_coordinates(entries: Entries, coordinates: Array) -> Entries:
    """The same in the coordinates of the nodes, (nodes, d); those that are negative (held) are left out."""
    row, col, values = entries
    rows, cols = coordinates[row], coordinates[col]
    free = (rows >= 0) & (cols >= 0)
    return rows[free], cols[free], np.broadcast_to(values[:, None], rows.shape)[free]


def node_masses(matrices: Array, cells: Array, count: int) -> Array:
    """m_a of all nodes, kg: what weight pulls at. Negative at the corners of quadratic elements, as it should be."""
    return np.bincount(cells.ravel(), matrices.sum(axis=2).ravel(), minlength=count)


@functools.cache
def weight_module(d: int) -> ModuleType:
    """Weight of nodes; an element is a node. par: mass, kg, gravity, m/s^2, undeformed place, m."""
    stride = 1 + 2 * d

    def force(count, dof, par, sig, q, v, u, total):
        for e in range(count):
            for i in range(d):
                total[dof[d * e + i]] += par[stride * e] * par[stride * e + 1 + i]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        pass

    def energy(count, dof, par, sig, q, v, u, energy):
        for e in range(count):
            height = 0.0
            for i in range(d):
                height += par[stride * e + 1 + i] * (par[stride * e + 1 + d + i] + q[dof[d * e + i]])
            energy[3 * e] = -par[stride * e] * height
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    return force_module("gravity", Kernels(force, tangent, energy), d, stride, tangent=False, potential=True)


def weight_parameters(masses: Array, gravity: Array, places: Array) -> Array:
    """par of the weight of nodes."""
    return np.column_stack((masses, np.broadcast_to(gravity, places.shape), places))
