"""Beam of space in absolute nodal coordinates: nodes (r, v1, v2, v3, r_x), and elements between them
(physics/bodies/spatial_beam.py)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.physics.beams.quadrature import GAUSS3, GAUSS5, LOBATTO3
from gaitwright.physics.bodies.beam import shape
from gaitwright.physics.bodies.nodes import NODE
from gaitwright.physics.bodies.spatial import Spatial
from gaitwright.physics.bodies.spatial_beam import COORDINATES, UNITS
from gaitwright.physics.declare import Family, Rigidity
from gaitwright.system.blocks import Block, Element
from gaitwright.system.element_matrices import ElementMatrices
from gaitwright.system.parts.base import Local, Marked, Misfit, OutputOf, Strain
from gaitwright.system.parts.noded_beam import FINE, LARGEST_STRETCH, PLACES, WEIGHT, XI, Along, NodedBeam
from gaitwright.system.parts.spatial_beam_piece import SpatialBeamPiece
from gaitwright.system.parts.spatial_beam_strain import alone, numbers_of, strains_of, vectors_at
from gaitwright.system.section_loops import N, damping_module, elastic_module
from gaitwright.system.solids.kernels import force_of
from gaitwright.system.solids.mass import weight_module, weight_parameters
from gaitwright.system.tables import BEAM_POSITION, BEAM_SLOPE, Array

COUNT = len(COORDINATES)
ELEMENT = [*range(3), *range(12, 15)], [*range(6, 9)], [*range(9, 12)]
"""Of the coordinates of a node: r and r_x, v2, v3."""
ELASTIC, DAMPED = (GAUSS3, LOBATTO3), (GAUSS3, GAUSS5)
"""Where bending and twist, and where stretching, are looked at: as in beams of the plane (physics/beams/)."""


@dataclass(frozen=True)
class SpatialSection:
    """What a beam of space resists with and what it weighs, along its length.

    stiffness: (..., 4, 4), of strain, twist, curvature_2 and curvature_3. mass: kg/m. inertia: (..., 2), kg m, of the mass
    along the axes 2 and 3: int rho y^2 dA and int rho z^2 dA. height, width: m, along the axes 2 and 3; None if not given.
    youngs_modulus: Pa."""

    stiffness: Along
    mass: Along
    inertia: Along
    height: Along | None = None
    width: Along | None = None
    round: bool = False
    youngs_modulus: float | None = None

    def split(self, s: Array) -> tuple[Array, Array]:
        """The stiffness against bending and twist where it may stretch freely, and the rest, which is of rank one: stretch
        with what is coupled to it. Each of them is positive, so that they may be integrated by different rules."""
        C = self.stiffness(s)
        first = C[..., 0, :] / C[..., 0, :1]
        stretching = C[..., :1, :1] * first[..., :, None] * first[..., None, :]
        return C - stretching, stretching


@dataclass(frozen=True, kw_only=True, eq=False)
class SpatialBeamPart(NodedBeam):
    """A beam of space. Places are (arc length of a node, along axis 2, along axis 3 of the section); points are nodes.

    reference: (nodes, 15), the unstressed shape, as in the tables."""

    family: type[Family] = Spatial
    section: SpatialSection
    reference: Array
    across = (0.0, 0.0)
    telling: ClassVar[Sequence[str]] = ("max_bending_moment", "max_torque")
    formulation: ClassVar[str] = "spatial"

    # nodes and elements ----------------------------------------------------------------------------------------------

    @functools.cached_property
    def nodes(self) -> Array:
        """(nodes, 15): coordinates of each."""
        return self.index.reshape(-1, COUNT)

    @functools.cached_property
    def elements(self) -> Array:
        """(elements, 24): which coordinates each has."""
        return of_elements(self.nodes)

    @functools.cached_property
    def unstressed(self) -> Array:
        """(elements, 24): the values of these in the unstressed shape."""
        return of_elements(self.reference)

    def along(self, q: Array, xi: Array) -> Array:
        """r at the places xi (0 to 1) of every element: (..., elements, len(xi), 3) for q (..., n + 1)."""
        e = q[..., self.elements[:, :12]]
        s = np.stack(np.broadcast_arrays(*shape(xi, self.lengths[:, None])), axis=-1)
        return np.einsum("epj,...ejc->...epc", s, e.reshape(*e.shape[:-1], 4, 3))

    def strained(self, e: Array, xi: Array, elements: slice = slice(None)) -> tuple[Array, Array]:
        """Strains, (..., elements, len(xi), 4), and axes of the section, (..., 3, 3), of elements with the coordinates e."""
        return strains_of(vectors_at(e, xi, self.lengths[elements][:, None]))

    def stretch(self, q: Array) -> Array:
        """Axial strain |r_x| - 1, averaged over each element: (..., elements)."""
        return self.strained(q[..., self.elements], XI)[0][..., 0] @ WEIGHT

    # coordinates, mass and elements of its own -----------------------------------------------------------------------

    def coordinates(self) -> list[tuple[str, str]]:
        count = self.stations.size
        named = [f"{self.name}.node{k + 1}.{x}" for k in range(count) for x in COORDINATES]
        return list(zip(named, UNITS * count, strict=True))

    def natures(self) -> Array:
        return np.tile([BEAM_POSITION] * 3 + [BEAM_SLOPE] * 12, self.stations.size)

    def scale(self, size: float) -> Array:
        return np.tile([size] * 3 + [1.0] * 12, self.stations.size)

    def mass_entries(self) -> tuple[Array, Array, Array]:
        places = ElementMatrices(np.zeros(0, dtype=np.int64), [self.elements])
        values = places.summed(np.zeros(0), [self.element_masses])
        filled = values != 0.0
        return places.row[filled], places.col[filled], values[filled]

    @functools.cached_property
    def mass_points(self) -> tuple[Array, Array]:
        """Shape functions of r and r_x, (elements, 4, places), and rho A dx, (elements, places), at the points of FINE."""
        (x, w), l = FINE, self.lengths[:, None]
        xi = (x + 1.0) / 2.0
        return np.stack(np.broadcast_arrays(*shape(xi, l)), axis=1), self.sampled(self.section.mass, xi) * w / 2.0 * l

    @functools.cached_property
    def element_masses(self) -> Array:
        """(elements, 24, 24): int rho A S S^T dx of r and r_x, int rho y^2 dA and int rho z^2 dA of v2 and v3."""
        xi, w = (FINE[0] + 1.0) / 2.0, FINE[1]
        shapes, mass = self.mass_points
        small = np.zeros((self.lengths.size, 8, 8))
        small[:, :4, :4] = np.einsum("eig,ejg,eg->eij", shapes, shapes, mass)
        share = np.stack([1.0 - xi, xi])
        across = self.sampled(self.section.inertia, xi) * (w / 2.0)[:, None] * self.lengths[:, None, None]
        for k in range(2):
            own = slice(4 + 2 * k, 6 + 2 * k)
            small[:, own, own] = np.einsum("ig,jg,eg->eij", share, share, across[..., k])
        return np.einsum("eij,ab->eiajb", small, np.eye(3)).reshape(-1, N, N)

    def conditions(self) -> list[tuple[Element | Block, float]]:
        """The sections stay rigid, and across the centre line."""
        count, rules = self.stations.size, Rigidity.registry[3]
        brace = self.mass / count * float(np.mean(self.lengths)) ** 2 / 50.0  # about the mass of a slope
        rigid = Block(rules["orthonormal"], (Spatial,), self.nodes[:, 3:12], np.zeros((count, 0)))
        place = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
        across = Block(rules["across"], (Spatial, NODE[3]), self.nodes[:, 3:], place)
        return [(rigid, brace), (across, brace)]

    def numbers(self, rules: Any, factor: float) -> Array:
        """What its elements are told at the places of two rules; see section_loops. factor: of the stiffness."""
        places = [np.array([xi for xi, _ in rule]) for rule in rules]
        stiffness = [self.sampled(lambda s, k=k: factor * self.section.split(s)[k], places[k]) for k in range(2)]
        # Of the shape that the elements can take, not of the curve they approximate: so that it is without stress.
        rest = [self.strained(self.unstressed, xi)[0] for xi in places]
        return numbers_of(self.lengths, rules, tuple(stiffness), tuple(rest))  # type: ignore[arg-type]

    @functools.cached_property
    def elastic(self) -> Block:
        module = elastic_module(sum(len(rule) for rule in ELASTIC))
        return Block(force_of(module), (), self.elements, self.numbers(ELASTIC, 1.0))

    @functools.cached_property
    def damped(self) -> Block:
        module = damping_module(sum(len(rule) for rule in DAMPED))
        return Block(force_of(module), (), self.elements, self.numbers(DAMPED, self.damping))

    @functools.cached_property
    def node_masses(self) -> Array:
        """int rho A S dx of r and r_x of every node, (nodes, 2): what weight pulls at."""
        shapes, mass = self.mass_points
        parts = np.einsum("eig,eg->ei", shapes, mass)
        found = np.zeros((self.stations.size, 2))
        found[:-1] += parts[:, :2]
        found[1:] += parts[:, 2:]
        return found

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        """Elastic forces of the elements, then damping, then weight."""
        found = [self.elastic, *([self.damped] if self.damping > 0.0 else [])]
        if any(gravity):
            own = self.nodes[:, ELEMENT[0]].reshape(-1, 3)
            numbers = weight_parameters(self.node_masses.ravel(), np.array(gravity), np.zeros(own.shape))
            found.append(Block(force_of(weight_module(3)), (), own, numbers))
        return [(self.name, block) for block in found]

    # places ----------------------------------------------------------------------------------------------------------

    def at(self, local: Local) -> Marked:
        first = COUNT * self.node_at(local[0])
        return Marked(Spatial, self.index[first : first + 12], (0.0, *local[1:]))

    def drawn_places(self) -> list[Any]:
        return list(self.drawn.reshape(-1, COUNT)[:, :3])

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """int strain^2 + L^2 (twist^2 + curvatures^2) dx / L of small changes."""
        total, e = self.length, q[self.elements]
        unit = np.diag([1.0, total**2, total**2, total**2]) / total
        full = np.broadcast_to(unit, (self.lengths.size, len(GAUSS3), 4, 4))
        none = np.zeros((self.lengths.size, len(LOBATTO3), 4, 4))
        here = [self.strained(e, np.array([xi for xi, _ in rule]))[0] for rule in ELASTIC]
        numbers = numbers_of(self.lengths, ELASTIC, (full, none), (here[0], here[1]))
        module = elastic_module(sum(len(rule) for rule in ELASTIC))
        return [(self.elements, alone(module, "tangent", numbers, e, np.zeros_like(e), N * N).reshape(-1, N, N))]

    def strain(self, q: Array) -> Strain:
        """The axial strain is the mean over an element."""
        now, rest = (self.strained(e, PLACES)[0] for e in (q[self.elements], self.unstressed))
        change = now - rest
        strain = np.abs(change[:, 1:-1, 0] @ WEIGHT)
        for side, curvature in ((self.section.height, 3), (self.section.width, 2)):
            if side is not None:
                strain = strain + (np.abs(change[..., curvature]) * self.sampled(side, PLACES) / 2.0).max(axis=1)
        most, modulus = float(strain.max()), self.section.youngs_modulus
        return Strain(most, None if modulus is None else modulus * most)

    def misfit(self, q: Array) -> Misfit | None:
        stretch = self.stretch(q)
        worst = float(stretch[np.argmax(np.abs(stretch))])
        if abs(worst) <= LARGEST_STRETCH:
            return None
        apart = float(np.linalg.norm(q[self.nodes[-1, :3]] - q[self.nodes[0, :3]]))
        how = "stretched" if worst > 0 else "shortened"
        return Misfit(
            f"beam '{self.name}' would have to be {how} by {100 * abs(worst):.3g} % to fit: it is {self.length:.4g} m long "
            f"and its ends are {apart:.4g} m apart",
            "check its length and the points it is attached to, or bring its ends together by a drive (static_path)",
        )

    def piece(self) -> SpatialBeamPiece:
        """Of its unstressed shape."""
        return SpatialBeamPiece(self.reference)

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[OutputOf]:
        """All of them are made by result/outputs.py: they take the forces on its elements."""
        return iter(())


def of_elements(nodes: Array) -> Array:
    """What belongs to the elements, (elements, 24), of what belongs to nodes, (nodes, 15)."""
    line, second, third = (nodes[:, own] for own in ELEMENT)
    return np.hstack([line[:-1], line[1:], second[:-1], second[1:], third[:-1], third[1:]])
