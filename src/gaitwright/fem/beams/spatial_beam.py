"""Spatial beam in absolute nodal coordinates: nodes (r, v1, v2, v3, r_x), and elements between them
(physics/bodies/spatial_beam.py)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.fem.beams.noded_beam import (
    MASS_GAUSS_RULE,
    MAX_START_STRAIN,
    STRAIN_PLACES,
    UNIT_GAUSS_POINTS,
    UNIT_GAUSS_WEIGHTS,
    ArcLengthFunction,
    NodedBeamPart,
)
from gaitwright.fem.beams.section_integrals import N_ELEMENT_COORDINATES, build_damping_module, build_elastic_module
from gaitwright.fem.beams.spatial_beam_strain import (
    compute_strains,
    element_parameters,
    element_vectors,
    evaluate_elements,
)
from gaitwright.fem.kernel_modules import declare_force
from gaitwright.fem.mass import weight_module, weight_parameters
from gaitwright.fem.rigid_pieces import SpatialBeamPiece
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.element_matrices import ElementMatrices
from gaitwright.mechanism.parts.base import InadmissiblePose, PartOutput, PartStrain, PlaceCoordinates, PlacedMarker
from gaitwright.mechanism.tables import BEAM_POSITION_COORDINATE, BEAM_SLOPE_COORDINATE, Array
from gaitwright.physics.beams.quadrature import GAUSS3, GAUSS5, LOBATTO3
from gaitwright.physics.bodies.beam import shape_functions
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.physics.bodies.spatial_beam import NODE_COORDINATES, NODE_UNITS
from gaitwright.physics.declarations import Family, Rigidity

N_NODE_COORDINATES = len(NODE_COORDINATES)
NODE_COORDINATE_GROUPS = [*range(3), *range(12, 15)], [*range(6, 9)], [*range(9, 12)]
"""Groups of the coordinates of a node: r and r_x, v2, v3."""
ELASTIC_RULES, DAMPING_RULES = (GAUSS3, LOBATTO3), (GAUSS3, GAUSS5)
"""Integration rules of bending and twist, and of stretching: as in planar beams (physics/beams/)."""


@dataclass(frozen=True)
class SpatialBeamSection:
    """Stiffness and mass of a spatial beam along its length.

    stiffness: (..., 4, 4), of strain, twist, curvature_2 and curvature_3. mass: kg/m. inertia: (..., 2), kg m, of the mass
    along the axes 2 and 3: int rho y^2 dA and int rho z^2 dA. height, width: m, along the axes 2 and 3; None if not given.
    youngs_modulus: Pa."""

    stiffness: ArcLengthFunction
    mass: ArcLengthFunction
    inertia: ArcLengthFunction
    height: ArcLengthFunction | None = None
    width: ArcLengthFunction | None = None
    round: bool = False
    youngs_modulus: float | None = None

    def split(self, s: Array) -> tuple[Array, Array]:
        """Split the stiffness into that of bending and twist at free stretching, and the rest, which has rank one: stretch
        with its couplings. Both are positive semidefinite, so they may be integrated by different rules."""
        C = self.stiffness(s)
        first = C[..., 0, :] / C[..., 0, :1]
        stretching = C[..., :1, :1] * first[..., :, None] * first[..., None, :]
        return C - stretching, stretching


@dataclass(frozen=True, kw_only=True, eq=False)
class SpatialBeamPart(NodedBeamPart):
    """A spatial beam. Places are (arc length of a node, along axis 2, along axis 3 of the section); points are nodes.

    reference: (nodes, 15), the unstressed shape, as in the tables."""

    family: type[Family] = SpatialRigidBody
    section: SpatialBeamSection
    reference: Array
    across = (0.0, 0.0)
    telling: ClassVar[Sequence[str]] = ("max_bending_moment", "max_torque")
    formulation: ClassVar[str] = "spatial"

    # nodes and elements ----------------------------------------------------------------------------------------------

    @functools.cached_property
    def nodes(self) -> Array:
        """Coordinate indices of the nodes, (nodes, 15)."""
        return self.index.reshape(-1, N_NODE_COORDINATES)

    @functools.cached_property
    def elements(self) -> Array:
        """Coordinate indices of the elements, (elements, 24)."""
        return element_values(self.nodes)

    @functools.cached_property
    def unstressed(self) -> Array:
        """Coordinates of the elements in the unstressed shape, (elements, 24)."""
        return element_values(self.reference)

    def along(self, q: Array, xi: Array) -> Array:
        """Evaluate r at the positions xi (0 to 1) of every element: (..., elements, len(xi), 3) for q (..., n + 1)."""
        e = q[..., self.elements[:, :12]]
        s = np.stack(np.broadcast_arrays(*shape_functions(xi, self.lengths[:, None])), axis=-1)
        return np.einsum("epj,...ejc->...epc", s, e.reshape(*e.shape[:-1], 4, 3))

    def strained(self, e: Array, xi: Array, elements: slice = slice(None)) -> tuple[Array, Array]:
        """Return strains, (..., elements, len(xi), 4), and axes of the section, (..., 3, 3), of elements with the coordinates
        e."""
        return compute_strains(element_vectors(e, xi, self.lengths[elements][:, None]))

    def stretch(self, q: Array) -> Array:
        """Axial strain |r_x| - 1, averaged over each element: (..., elements)."""
        return self.strained(q[..., self.elements], UNIT_GAUSS_POINTS)[0][..., 0] @ UNIT_GAUSS_WEIGHTS

    # coordinates, mass and elements of its own -----------------------------------------------------------------------

    def coordinates(self) -> list[tuple[str, str]]:
        count = self.stations.size
        named = [f"{self.name}.node{k + 1}.{x}" for k in range(count) for x in NODE_COORDINATES]
        return list(zip(named, NODE_UNITS * count, strict=True))

    def natures(self) -> Array:
        return np.tile([BEAM_POSITION_COORDINATE] * 3 + [BEAM_SLOPE_COORDINATE] * 12, self.stations.size)

    def scale(self, size: float) -> Array:
        return np.tile([size] * 3 + [1.0] * 12, self.stations.size)

    def mass_entries(self) -> tuple[Array, Array, Array]:
        places = ElementMatrices(np.zeros(0, dtype=np.int64), [self.elements])
        values = places.summed(np.zeros(0), [self.element_masses])
        filled = values != 0.0
        return places.row[filled], places.col[filled], values[filled]

    @functools.cached_property
    def mass_points(self) -> tuple[Array, Array]:
        """Shape functions of r and r_x, (elements, 4, positions), and rho A dx, (elements, positions), at the points of
        MASS_GAUSS_RULE."""
        (x, w), l = MASS_GAUSS_RULE, self.lengths[:, None]
        xi = (x + 1.0) / 2.0
        return np.stack(np.broadcast_arrays(*shape_functions(xi, l)), axis=1), self.sampled(
            self.section.mass, xi
        ) * w / 2.0 * l

    @functools.cached_property
    def element_masses(self) -> Array:
        """Consistent mass matrices, (elements, 24, 24): int rho A S S^T dx of r and r_x, int rho y^2 dA and int rho z^2 dA of
        v2 and v3."""
        xi, w = (MASS_GAUSS_RULE[0] + 1.0) / 2.0, MASS_GAUSS_RULE[1]
        shapes, mass = self.mass_points
        small = np.zeros((self.lengths.size, 8, 8))
        small[:, :4, :4] = np.einsum("eig,ejg,eg->eij", shapes, shapes, mass)
        share = np.stack([1.0 - xi, xi])
        across = self.sampled(self.section.inertia, xi) * (w / 2.0)[:, None] * self.lengths[:, None, None]
        for k in range(2):
            own = slice(4 + 2 * k, 6 + 2 * k)
            small[:, own, own] = np.einsum("ig,jg,eg->eij", share, share, across[..., k])
        return np.einsum("eij,ab->eiajb", small, np.eye(3)).reshape(-1, N_ELEMENT_COORDINATES, N_ELEMENT_COORDINATES)

    def conditions(self) -> list[tuple[MechanismElement | ElementBlock, float]]:
        """The sections stay rigid and perpendicular to the centre line."""
        count, rules = self.stations.size, Rigidity.registry[3]
        brace = self.mass / count * float(np.mean(self.lengths)) ** 2 / 50.0  # about the mass of a slope
        rigid = ElementBlock(rules["orthonormal"], (SpatialRigidBody,), self.nodes[:, 3:12], np.zeros((count, 0)))
        place = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
        across = ElementBlock(rules["across"], (SpatialRigidBody, NODE_FAMILIES[3]), self.nodes[:, 3:], place)
        return [(rigid, brace), (across, brace)]

    def numbers(self, rules: Any, factor: float) -> Array:
        """Parameters of its elements at the points of two rules; see section_integrals. factor: of the stiffness."""
        places = [np.array([xi for xi, _ in rule]) for rule in rules]
        stiffness = [self.sampled(lambda s, k=k: factor * self.section.split(s)[k], places[k]) for k in range(2)]
        # Reference values of the discretised shape, not of the curve it approximates: so it is free of stress.
        rest = [self.strained(self.unstressed, xi)[0] for xi in places]
        return element_parameters(self.lengths, rules, tuple(stiffness), tuple(rest))  # type: ignore[arg-type]

    @functools.cached_property
    def elastic(self) -> ElementBlock:
        module = build_elastic_module(sum(len(rule) for rule in ELASTIC_RULES))
        return ElementBlock(declare_force(module), (), self.elements, self.numbers(ELASTIC_RULES, 1.0))

    @functools.cached_property
    def damped(self) -> ElementBlock:
        module = build_damping_module(sum(len(rule) for rule in DAMPING_RULES))
        return ElementBlock(declare_force(module), (), self.elements, self.numbers(DAMPING_RULES, self.damping))

    @functools.cached_property
    def node_masses(self) -> Array:
        """int rho A S dx of r and r_x of every node, (nodes, 2): the masses of its weight."""
        shapes, mass = self.mass_points
        parts = np.einsum("eig,eg->ei", shapes, mass)
        masses = np.zeros((self.stations.size, 2))
        masses[:-1] += parts[:, :2]
        masses[1:] += parts[:, 2:]
        return masses

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        """Return elastic forces of the elements, then damping, then weight."""
        blocks = [self.elastic, *([self.damped] if self.damping > 0.0 else [])]
        if any(gravity):
            own = self.nodes[:, NODE_COORDINATE_GROUPS[0]].reshape(-1, 3)
            numbers = weight_parameters(self.node_masses.ravel(), np.array(gravity), np.zeros(own.shape))
            blocks.append(ElementBlock(declare_force(weight_module(3)), (), own, numbers))
        return [(self.name, block) for block in blocks]

    # places ----------------------------------------------------------------------------------------------------------

    def at(self, local: PlaceCoordinates) -> PlacedMarker:
        first = N_NODE_COORDINATES * self.node_at(local[0])
        return PlacedMarker(SpatialRigidBody, self.index[first : first + 12], (0.0, *local[1:]))

    def drawn_places(self) -> list[Any]:
        return list(self.drawn.reshape(-1, N_NODE_COORDINATES)[:, :3])

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """Quadratic strain form, int strain^2 + L^2 (twist^2 + curvatures^2) dx / L of small changes."""
        total, e = self.length, q[self.elements]
        unit = np.diag([1.0, total**2, total**2, total**2]) / total
        full = np.broadcast_to(unit, (self.lengths.size, len(GAUSS3), 4, 4))
        no_stretching = np.zeros((self.lengths.size, len(LOBATTO3), 4, 4))
        strains = [self.strained(e, np.array([xi for xi, _ in rule]))[0] for rule in ELASTIC_RULES]
        numbers = element_parameters(self.lengths, ELASTIC_RULES, (full, no_stretching), (strains[0], strains[1]))
        module = build_elastic_module(sum(len(rule) for rule in ELASTIC_RULES))
        return [
            (
                self.elements,
                evaluate_elements(
                    module, "tangent", numbers, e, np.zeros_like(e), N_ELEMENT_COORDINATES * N_ELEMENT_COORDINATES
                ).reshape(-1, N_ELEMENT_COORDINATES, N_ELEMENT_COORDINATES),
            )
        ]

    def strain(self, q: Array) -> PartStrain:
        """Return the largest strain. The axial strain is the mean over an element."""
        now, rest = (self.strained(e, STRAIN_PLACES)[0] for e in (q[self.elements], self.unstressed))
        change = now - rest
        strain = np.abs(change[:, 1:-1, 0] @ UNIT_GAUSS_WEIGHTS)
        for side, curvature in ((self.section.height, 3), (self.section.width, 2)):
            if side is not None:
                strain = strain + (np.abs(change[..., curvature]) * self.sampled(side, STRAIN_PLACES) / 2.0).max(axis=1)
        largest, modulus = float(strain.max()), self.section.youngs_modulus
        return PartStrain(largest, None if modulus is None else modulus * largest)

    def inadmissible_strain(self, q: Array) -> InadmissiblePose | None:
        stretch = self.stretch(q)
        worst = float(stretch[np.argmax(np.abs(stretch))])
        if abs(worst) <= MAX_START_STRAIN:
            return None
        apart = float(np.linalg.norm(q[self.nodes[-1, :3]] - q[self.nodes[0, :3]]))
        how = "stretched" if worst > 0 else "shortened"
        return InadmissiblePose(
            f"beam '{self.name}' would have to be {how} by {100 * abs(worst):.3g} % to fit: it is {self.length:.4g} m long "
            f"and its ends are {apart:.4g} m apart",
            "check its length and the points it is attached to, or bring its ends together by a drive (static_path)",
        )

    def piece(self) -> SpatialBeamPiece:
        """Rigid piece of its unstressed shape."""
        return SpatialBeamPiece(self.reference)

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[PartOutput]:
        """No outputs here: result/outputs.py creates them, because they need the forces on the elements."""
        return iter(())


def element_values(nodes: Array) -> Array:
    """Return element values, (elements, 24), from values at nodes, (nodes, 15)."""
    line, second, third = (nodes[:, own] for own in NODE_COORDINATE_GROUPS)
    return np.hstack([line[:-1], line[1:], second[:-1], second[1:], third[:-1], third[1:]])
