"""Beams in the tables: where their nodes are, their sections, and what keeps a beam in shape while joints are closed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gaitwright.physics.bodies.beam import combine, shape

Array = np.ndarray
Along = Callable[[Array], Array]
"""A quantity along a beam, as a function of the arc length s of the unstressed shape, m."""
GAUSS_X, GAUSS_W = np.polynomial.legendre.leggauss(5)
XI, WEIGHT = (GAUSS_X + 1.0) / 2.0, GAUSS_W / 2.0
FINE = np.polynomial.legendre.leggauss(8)
"""Points and weights on -1 <= x <= 1 for masses, whose density may change along an element."""
STIFF, CALM = 1e4, 1e8
"""How much more a strain counts than a rigid motion of the same size when joints are closed, and a strain rate than a
velocity at the start."""


@dataclass(frozen=True)
class Section:
    """What a beam resists with and what it weighs, along its length."""

    axial: Along  # EA, N
    bending: Along  # EI, N m^2
    mass: Along  # rho A, kg/m
    height: Along | None  # across the plane of bending, m: surfaces are half of it away; None if not given
    youngs_modulus: float | None  # Pa


@dataclass(frozen=True)
class BeamNames:
    """Where a beam is in the tables. Points are nodes; they are counted from 0 here and from 1 in names (node1, ...)."""

    name: str
    nodes: Array  # (nodes, 4): coordinates x, y, u, v of each
    stations: Array  # (nodes,) arc length of the nodes in the unstressed shape, m
    points: dict[str, int]
    formulation: str
    section: Section
    reference: Array  # (nodes, 4): the unstressed shape
    mass: float
    elastic: Array  # places of its elements in Mechanism.forces
    damping: float = 0.0
    prestressed: bool = False
    """Whether joints are closed with the shape in which it is drawn, instead of the unstressed one."""
    kept: bool = False
    """Whether its ends start as far apart as they are drawn, by wish."""
    kind: str = "beam"

    @functools.cached_property
    def lengths(self) -> Array:
        """Of the elements in the unstressed shape, m."""
        return np.diff(self.stations)

    @property
    def length(self) -> float:
        return float(self.stations[-1])

    @functools.cached_property
    def elements(self) -> Array:
        """(elements, 8): which coordinates each has."""
        return np.hstack([self.nodes[:-1], self.nodes[1:]])

    @functools.cached_property
    def unstressed(self) -> Array:
        """(elements, 8): the values of these in the unstressed shape."""
        return np.hstack([self.reference[:-1], self.reference[1:]])

    @functools.cached_property
    def mass_points(self) -> tuple[Array, Array]:
        """Shape functions, (elements, 4, points), and rho A dx, (elements, points), at the points of FINE."""
        (x, w), l = FINE, self.lengths[:, None]
        xi = (x + 1.0) / 2.0
        return np.stack(np.broadcast_arrays(*shape(xi, l)), axis=1), self.sampled(self.section.mass, xi) * w / 2.0 * l

    def sampled(self, along: Along, xi: Array) -> Array:
        """A quantity at the places xi of every element, (elements, len(xi))."""
        return along(self.stations[:-1, None] + self.lengths[:, None] * xi)

    def node_at(self, s: float) -> int:
        """The node at an arc length."""
        return int(np.argmin(np.abs(self.stations - s)))

    def name_of(self, node: int) -> str:
        """The shortest way to write a node: that of a named point, if there is one."""
        named = [point for point, at in self.points.items() if at == node]
        return named[0] if named else f"node{node + 1}"

    def along(self, q: Array, xi: Array, derivative: int = 0) -> Array:
        """r, r_x or r_xx at the places xi (0 to 1) of every element: (..., elements, len(xi), 2) for q (..., n + 1)."""
        e = np.moveaxis(q[..., self.elements], -1, 0)[..., None]  # (8, ..., elements, 1)
        weights = shape(xi, self.lengths[:, None], derivative)
        return np.stack(combine(weights, e), axis=-1)

    def stretch(self, q: Array) -> Array:
        """Axial strain |r_x| - 1, averaged over each element: (..., elements)."""
        r_x = self.along(q, XI, 1)
        return (np.hypot(r_x[..., 0], r_x[..., 1]) * WEIGHT).sum(axis=-1) - 1.0


def strain_form(beam: BeamNames, q: Array) -> Array:
    """A quadratic form of small displacements about the pose q that no rigid motion of the beam changes: 8x8 matrices per
    element, (elements, 8, 8), 1. Stretch along the chord of the element and bending across it count alike:

        int (t . dr_x)^2 + L^2 (n . dr_xx)^2 dx / L"""
    l, total = beam.lengths[:, None], beam.length
    chord = q[beam.nodes[1:, :2]] - q[beam.nodes[:-1, :2]]
    t = chord / np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-300)[:, None]
    n = np.stack([-t[:, 1], t[:, 0]], axis=1)
    form = np.zeros((len(t), 4, 2, 4, 2))
    for derivative, direction, size in ((1, t, 1.0), (2, n, total**2)):
        s = np.stack(np.broadcast_arrays(*shape(XI, l, derivative)), axis=1)  # (elements, 4, points)
        products = np.einsum("eig,ejg,g->eij", s, s, WEIGHT) * l[:, :, None] * size / total
        form += np.einsum("eij,ea,eb->eiajb", products, direction, direction)
    return form.reshape(-1, 8, 8)


class ElementMatrices:
    """Where 8x8 matrices of all beam elements go in a list of distinct entries (row, column)."""

    def __init__(self, diagonal: Array, beams: list[BeamNames]):
        """diagonal: coordinates of rigid bodies, which have entries on the diagonal alone."""
        blocks = np.concatenate([np.zeros((0, 8), dtype=np.int64), *(beam.elements for beam in beams)])
        rows = np.concatenate([diagonal, np.repeat(blocks, 8, axis=1).ravel()])
        cols = np.concatenate([diagonal, np.tile(blocks, (1, 8)).ravel()])
        size = int(rows.max(initial=0)) + 1
        distinct, self.place = np.unique(rows * size + cols, return_inverse=True)
        self.row, self.col = np.divmod(distinct, size)

    def summed(self, diagonal: Array, blocks: Array) -> Array:
        """Values on the distinct entries."""
        return np.bincount(self.place, np.concatenate([diagonal, blocks.ravel()]), minlength=self.row.size)
