"""Exact solutions of elastic solids, and their approximation on a mesh."""

from __future__ import annotations

import numpy as np

import gaitwright as gw
from gaitwright.fem.element_types import SIDE_TYPES, collapsed_gauss_rule
from gaitwright.fem.side_loads import dead_pressure_shares
from gaitwright.mesh.cell_measures import shape_functions, shape_gradients, sum_by_index


class Wave:
    """u = c sin(k . x), held at the rim, with the body force that it needs in a linear solid."""

    def __init__(self, d, lame, shear):
        self.c, self.k = np.array([1.0, -0.6, 0.8][:d]), np.array([2.0, 1.4, -1.1][:d])
        self.pull = (lame + shear) * (self.c @ self.k) * self.k + shear * (self.k @ self.k) * self.c

    def displacement(self, x):
        return np.sin(x @ self.k)[..., None] * self.c

    def body_force(self, x):
        """N/m^3."""
        return np.sin(x @ self.k)[..., None] * self.pull


def at_points(mesh, rule=4):
    """Places (elements, points, d), weights (elements, points) and shape functions of a rule for all elements."""
    points, weights = collapsed_gauss_rule(mesh.kind.dimension, rule)
    N, slopes = shape_functions(mesh.kind, points), shape_gradients(mesh.kind, points)
    x = mesh.nodes[mesh.cells]
    size = np.linalg.det(np.einsum("eai,pak->epik", x, slopes))
    return np.einsum("pa,eai->epi", N, x), size * weights, N


def body_load(mesh, force):
    """Forces of the nodes (coordinates,) of a body force, a function of places, N/m^3."""
    x, weights, N = at_points(mesh)
    parts = np.einsum("ep,pa,epi->eai", weights, N, force(x))
    return sum_by_index(mesh.cells.ravel(), parts.reshape(-1, mesh.nodes.shape[1]), len(mesh.nodes)).ravel()


def distance(mesh, q, exact):
    """L2 norm of the difference of displacements, relative to the exact ones."""
    x, weights, N = at_points(mesh)
    u = np.einsum("pa,eai->epi", N, q.reshape(mesh.nodes.shape)[mesh.cells])
    square = (weights[..., None] * (u - exact(x)) ** 2).sum()
    return np.sqrt(square / (weights[..., None] * exact(x) ** 2).sum())


class Sphere:
    """Lame's thick sphere of radii a < b under pressure p inside: radial displacement and stress."""

    def __init__(self, a, b, p, young, nu):
        self.a, self.b, self.p = a, b, p
        self.factor = p * a**3 / (b**3 - a**3)
        self.bulk, self.shear = young / (3 * (1 - 2 * nu)), young / (2 * (1 + nu))

    def radial(self, r):
        """m."""
        return self.factor * r * (1 / (3 * self.bulk) + self.b**3 / (4 * self.shear * r**3))

    def displacement(self, x):
        r = np.linalg.norm(x, axis=-1, keepdims=True)
        return self.radial(r) * x / r

    def radial_stress(self, r):
        """Pa."""
        return self.factor * (1 - self.b**3 / r**3)


def eighth(size, order, a=0.5, b=1.0):
    """An eighth of a hollow ball; the coordinates that its planes of symmetry hold, and the nodes' share of a pressure
    inside."""
    mesh = gw.mesh.hollow_ball(a, b, size, cut=("x", "y", "z"), order=order)
    fixed = np.flatnonzero(np.isclose(mesh.nodes.ravel(), 0, atol=1e-9))
    near = np.linalg.norm(mesh.nodes[mesh.boundary], axis=2)
    inside = mesh.boundary[(near < a + 0.02 * size + 1e-9).all(axis=1)]
    return mesh, fixed, dead_pressure_shares(SIDE_TYPES[mesh.kind.name], mesh.nodes, inside).ravel()


def cook(n, order):
    """Cook's membrane: a trapezium 48 wide, 44 high at the left, held there, and 16 high at the right, where it is pulled up.
    Returns the mesh, held coordinates, the load for a force of 1 on the right side and the coordinate of its upper corner's
    height."""
    mesh = gw.mesh.rectangle((1.0, 1.0), (n, n), order=order)
    s, t = (mesh.nodes + 0.5).T
    nodes = np.column_stack((48 * s, 44 * s + t * (44 - 28 * s)))
    mesh = gw.mesh.Mesh(nodes, mesh.cells)
    fixed = np.flatnonzero(np.repeat(np.isclose(nodes[:, 0], 0), 2))
    from gaitwright.mesh.cell_measures import side_shares

    right = mesh.boundary[np.isclose(nodes[mesh.boundary, 0], 48).all(axis=1)]
    share = sum_by_index(right.ravel(), side_shares(nodes, right).ravel(), len(nodes)) / 16
    load = np.zeros(nodes.size)
    load[1::2] = share
    corner = int(np.argmin(np.linalg.norm(nodes - [48, 60], axis=1)))
    return mesh, fixed, load, 2 * corner + 1
