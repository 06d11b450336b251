"""Mass of solids: consistent or lumped matrices, and weight.

    M_ab = int rho N_a N_b dV        m_a = int rho N_a dV = sum_b M_ab

Between nodes a and b every direction has the same mass, and M does not change when the solid deforms. Lumped: the diagonal of
M alone, scaled to the mass of the element (E. Hinton, T. Rock, O. C. Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976)
245-249); the alternative, row sums, is negative at the corners of quadratic elements.
"""

from __future__ import annotations

import functools
from types import ModuleType

import numpy as np

from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.element_types import collapsed_gauss_rule
from gaitwright.fem.kernel_modules import force_module
from gaitwright.mesh.cell_kinds import Array, CellKind
from gaitwright.mesh.cell_measures import shape_functions, shape_gradients

ELEMENT_BATCH_SIZE = 5_000
"""Number of elements with integration points processed together: those of a large mesh would fill the memory."""
MatrixEntries = tuple[Array, Array, Array]
"""Rows, columns and values of a matrix; duplicate entries are summed."""


def element_masses(kind: CellKind, nodes: Array, cells: Array, density: Array | float, thickness: float = 1.0) -> Array:
    """Return the consistent mass matrices (elements, nodes, nodes), kg. density: kg/m^3, one value or one per element;
    thickness: in the plane, m."""
    points, weights = collapsed_gauss_rule(kind.dimension, 2 if kind.order == 1 else 4)
    N, slopes = shape_functions(kind, points), shape_gradients(kind, points)
    scale = np.broadcast_to(density, len(cells)) * (thickness if kind.dimension == 2 else 1.0)
    places, matrices = np.asarray(nodes, dtype=float), np.empty((len(cells), kind.nodes, kind.nodes))
    for first in range(0, len(cells), ELEMENT_BATCH_SIZE):
        batch = slice(first, first + ELEMENT_BATCH_SIZE)
        size = np.linalg.det(np.einsum("eai,pak->epik", places[cells[batch]], slopes))
        matrices[batch] = np.einsum("ep,p,pa,pb->eab", size, weights, N, N, optimize=True) * scale[batch, None, None]
    return matrices


def mass_entries(matrices: Array, cells: Array, lumped: bool = False) -> MatrixEntries:
    """Return the mass matrix between nodes, from the matrices of the elements."""
    if lumped:
        own = np.einsum("eaa->ea", matrices)
        values = own * (matrices.sum(axis=(1, 2)) / own.sum(axis=1))[:, None]
        return cells.ravel(), cells.ravel(), values.ravel()
    k = cells.shape[1]
    return np.repeat(cells, k, axis=1).ravel(), np.tile(cells, (1, k)).ravel(), matrices.ravel()


def expand_to_coordinates(entries: MatrixEntries, coordinates: Array) -> MatrixEntries:
    """Expand a matrix between nodes to their coordinates, (nodes, d); negative (held) coordinates are left out."""
    row, col, values = entries
    rows, cols = coordinates[row], coordinates[col]
    free = (rows >= 0) & (cols >= 0)
    return rows[free], cols[free], np.broadcast_to(values[:, None], rows.shape)[free]


def node_masses(matrices: Array, cells: Array, count: int) -> Array:
    """Return m_a of all nodes, kg: the masses that weight acts on. They are negative at the corners of quadratic elements,
    which is correct."""
    return np.bincount(cells.ravel(), matrices.sum(axis=2).ravel(), minlength=count)


@functools.cache
def weight_module(d: int) -> ModuleType:
    """Return the module of the weight of nodes; an element is a node. par: mass, kg, gravity, m/s^2, undeformed position,
    m."""
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

    return force_module("gravity", ForceKernels(force, tangent, energy), d, stride, tangent=False, potential=True)


def weight_parameters(masses: Array, gravity: Array, places: Array) -> Array:
    """Return par of the weight of nodes."""
    return np.column_stack((masses, np.broadcast_to(gravity, places.shape), places))
