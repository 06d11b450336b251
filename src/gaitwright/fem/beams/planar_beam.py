"""Planar beam in absolute nodal coordinates: nodes (x, y, u, v), and elements between them (physics/bodies/beam.py)."""

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
from gaitwright.fem.beams.planar_beam_strain import compute_strains
from gaitwright.fem.rigid_pieces import PlanarBeamPiece
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.element_matrices import ElementMatrices
from gaitwright.mechanism.parts.base import (
    InadmissiblePose,
    LoadedElements,
    PartOutline,
    PartOutput,
    PartStrain,
    PlaceCoordinates,
    PlacedMarker,
)
from gaitwright.mechanism.tables import BEAM_POSITION_COORDINATE, BEAM_SLOPE_COORDINATE, Array
from gaitwright.physics.beams.quadrature import element_parameters
from gaitwright.physics.bodies.beam import BeamElement, BeamNode, combine_nodal_vectors, shape_functions
from gaitwright.physics.declarations import Elasticity, Family, Force, Joint

CURVE_PIECES_PER_ELEMENT, MAX_CURVE_PIECES = 8, 240
"""Line segments per element in drawings, and approximate maximum for a whole beam."""


@dataclass(frozen=True)
class PlanarBeamSection:
    """Stiffness and mass of a beam along its length."""

    axial: ArcLengthFunction  # EA, N
    bending: ArcLengthFunction  # EI, N m^2
    mass: ArcLengthFunction  # rho A, kg/m
    # across the plane of bending, m: surfaces are half of it from the centre line; None if not given
    height: ArcLengthFunction | None
    youngs_modulus: float | None  # Pa


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanarBeamPart(NodedBeamPart):
    """A planar beam. Places are (arc length of a node, 0); points are nodes.

    reference: (nodes, 4), the unstressed shape. prestressed: if true (on request, or if both ends are on
    the ground), joints are closed with the drawn shape instead of the unstressed one. kept: if true, the ends start at their
    drawn distance, as requested by the model."""

    family: type[Family] = BeamNode
    formulation: str
    section: PlanarBeamSection
    reference: Array
    prestressed: bool = False
    kept: bool = False
    across: ClassVar[tuple[float, ...]] = (0.0,)
    colour: ClassVar[str] = "bending_moment"
    telling: ClassVar[Sequence[str]] = ("max_bending_moment",)

    # nodes and elements ----------------------------------------------------------------------------------------------

    @functools.cached_property
    def nodes(self) -> Array:
        """Coordinate indices of the nodes, (nodes, 4): x, y, u, v."""
        return self.index.reshape(-1, 4)

    @functools.cached_property
    def elements(self) -> Array:
        """Coordinate indices of the elements, (elements, 8)."""
        return np.hstack([self.nodes[:-1], self.nodes[1:]])

    @functools.cached_property
    def unstressed(self) -> Array:
        """Coordinates of the elements in the unstressed shape, (elements, 8)."""
        return np.hstack([self.reference[:-1], self.reference[1:]])

    @functools.cached_property
    def mass_points(self) -> tuple[Array, Array]:
        """Shape functions, (elements, 4, points), and rho A dx, (elements, points), at the points of MASS_GAUSS_RULE."""
        (x, w), l = MASS_GAUSS_RULE, self.lengths[:, None]
        xi = (x + 1.0) / 2.0
        return np.stack(np.broadcast_arrays(*shape_functions(xi, l)), axis=1), self.sampled(
            self.section.mass, xi
        ) * w / 2.0 * l

    def along(self, q: Array, xi: Array, derivative: int = 0) -> Array:
        """Evaluate r, r_x or r_xx at the positions xi (0 to 1) of every element: (..., elements, len(xi), 2) for q (..., n +
        1)."""
        e = np.moveaxis(q[..., self.elements], -1, 0)[..., None]  # (8, ..., elements, 1)
        weights = shape_functions(xi, self.lengths[:, None], derivative)
        return np.stack(combine_nodal_vectors(weights, e), axis=-1)

    def stretch(self, q: Array) -> Array:
        """Axial strain |r_x| - 1, averaged over each element: (..., elements)."""
        r_x = self.along(q, UNIT_GAUSS_POINTS, 1)
        return (np.hypot(r_x[..., 0], r_x[..., 1]) * UNIT_GAUSS_WEIGHTS).sum(axis=-1) - 1.0

    # coordinates, mass and elements of its own -----------------------------------------------------------------------

    def coordinates(self) -> list[tuple[str, str]]:
        count = self.stations.size
        named = [(f"{self.name}.node{k + 1}.{x}") for k in range(count) for x in BeamNode.coordinates]
        return list(zip(named, BeamNode.units * count, strict=True))

    def natures(self) -> Array:
        return np.tile(
            [BEAM_POSITION_COORDINATE, BEAM_POSITION_COORDINATE, BEAM_SLOPE_COORDINATE, BEAM_SLOPE_COORDINATE],
            self.stations.size,
        )

    def scale(self, size: float) -> Array:
        return np.tile([size, size, 1.0, 1.0], self.stations.size)

    def mass_entries(self) -> tuple[Array, Array, Array]:
        places = ElementMatrices(np.zeros(0, dtype=np.int64), [self.elements])
        values = places.summed(np.zeros(0), [self.element_masses()])
        filled = values != 0.0  # x and y are not coupled
        return places.row[filled], places.col[filled], values[filled]

    def element_masses(self) -> Array:
        """Consistent mass matrices int rho A S^T S dx (paper 002 Eq 7) of all elements, (elements, 8, 8)."""
        shapes, mass = self.mass_points
        small = np.einsum("eig,ejg,eg->eij", shapes, shapes, mass)
        return np.einsum("eij,ab->eiajb", small, np.eye(2)).reshape(-1, 8, 8)

    def quantities(self, xi: Array) -> dict[str, Array]:
        """Parameters of the elements at the positions xi (0 to 1), one number per element: (len(xi), elements)."""
        section = self.section
        axial, bending = (self.sampled(along, xi).T for along in (section.axial, section.bending))
        # Reference values of the discretised shape, not of the curve it approximates: so it is free of stress.
        r_x, r_xx = (
            np.stack(combine_nodal_vectors(shape_functions(xi[:, None], self.lengths, k), self.unstressed.T))
            for k in (1, 2)
        )
        return {
            "axial_stiffness": axial,
            "bending_stiffness": bending,
            "axial_damping": self.damping * axial,
            "bending_damping": self.damping * bending,
            "reference_strain": np.hypot(*r_x) - 1.0,
            "reference_curvature": (r_x[0] * r_xx[1] - r_x[1] * r_xx[0]) / (r_x**2).sum(axis=0),
        }

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        """Return elastic forces of the elements, then damping, then weight."""
        declarations: list[Any] = [Elasticity.registry[2][self.formulation]]
        if self.damping > 0.0:
            declarations.append(Elasticity.registry[2]["kelvin-voigt"])
        blocks: list[ElementBlock] = []
        for declaration in declarations:
            places = list(dict.fromkeys(xi for _, xi in declaration.along.values()))
            quantities = self.quantities(np.array(places))
            along = {name: dict(zip(places, values, strict=True)).__getitem__ for name, values in quantities.items()}
            numbers = np.column_stack(element_parameters(declaration, self.lengths, along))
            blocks.append(ElementBlock(declaration, (BeamElement,), self.elements, numbers))
        if any(gravity):
            shapes, parts = self.mass_points
            masses = parts.sum(axis=1)
            centres = np.einsum("eig,eg->ei", shapes, parts) / masses[:, None]
            numbers = np.column_stack([centres, masses, np.tile(gravity, (masses.size, 1))])
            blocks.append(ElementBlock(Force.registry[2]["gravity"], (BeamElement,), self.elements, numbers))
        return [(self.name, block) for block in blocks]

    def spans(self) -> LoadedElements:
        return LoadedElements(BeamElement, self.elements, self.lengths)

    # places ----------------------------------------------------------------------------------------------------------

    def at(self, local: PlaceCoordinates) -> PlacedMarker:
        first = 4 * self.node_at(local[0])
        return PlacedMarker(BeamNode, self.index[first : first + 4], ())

    def drawn_places(self) -> list[Any]:
        return [self.drawn[:2], self.drawn[-4:-2]]

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """Quadratic strain form; stretch along the chord of an element and bending across it have equal weight:

        int (t . dr_x)^2 + L^2 (n . dr_xx)^2 dx / L"""
        l, total = self.lengths[:, None], self.length
        chord = q[self.nodes[1:, :2]] - q[self.nodes[:-1, :2]]
        t = chord / np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-300)[:, None]
        n = np.stack([-t[:, 1], t[:, 0]], axis=1)
        form = np.zeros((len(t), 4, 2, 4, 2))
        for derivative, direction, size in ((1, t, 1.0), (2, n, total**2)):
            # (elements, 4, points).
            s = np.stack(np.broadcast_arrays(*shape_functions(UNIT_GAUSS_POINTS, l, derivative)), axis=1)
            products = np.einsum("eig,ejg,g->eij", s, s, UNIT_GAUSS_WEIGHTS) * l[:, :, None] * size / total
            form += np.einsum("eij,ea,eb->eiajb", products, direction, direction)
        return [(self.elements, form.reshape(-1, 8, 8))]

    def strain(self, q: Array) -> PartStrain:
        """Return the largest strain. The axial strain is the mean over an element: its values at single points of a bent
        element are not meaningful (see result/beams/planar_profile.py)."""
        poses = np.stack([q[self.elements], self.unstressed])
        strains = compute_strains(self.formulation, poses, STRAIN_PLACES, self.lengths[:, None])
        axial, bent = (now - rest for now, rest in strains)
        strain = np.abs(axial[:, 1:-1] @ UNIT_GAUSS_WEIGHTS)
        if self.section.height is not None:
            strain = strain + (np.abs(bent) * self.sampled(self.section.height, STRAIN_PLACES) / 2.0).max(axis=1)
        largest, modulus = float(strain.max()), self.section.youngs_modulus
        return PartStrain(largest, None if modulus is None else modulus * largest)

    def is_prestressed_on_purpose(self, q: Array) -> bool:
        """True if the strain was requested (kept), or if a beam between two points of the ground fits mainly by bending: its
        mean stretch is less than half of its misfit, the relative difference in the distance of its ends."""
        ends = [nodes[-1, :2] - nodes[0, :2] for nodes in (self.reference, q[self.nodes])]
        misfit = float(np.hypot(*ends[0]) - np.hypot(*ends[1])) / self.length
        return self.kept or (self.prestressed and abs(float(self.stretch(q).mean())) < 0.5 * abs(misfit))

    def inadmissible_strain(self, q: Array) -> InadmissiblePose | None:
        stretch = self.stretch(q)
        worst = float(stretch[np.argmax(np.abs(stretch))])
        if abs(worst) <= MAX_START_STRAIN:
            return None
        apart = float(np.hypot(*(q[self.nodes[-1, :2]] - q[self.nodes[0, :2]])))
        how = "stretched" if worst > 0 else "shortened"
        return InadmissiblePose(
            f"beam '{self.name}' would have to be {how} by {100 * abs(worst):.3g} % to fit: it is {self.length:.4g} m long "
            f"and its ends are {apart:.4g} m apart",
            "check its length and the points it is attached to"
            + ("" if worst > 0 else ", state the side to which it is bent (bow: left or right), or bring its ends together by "
               "a drive from the straight beam (static_path)"),
        )  # fmt: skip

    def piece(self) -> PlanarBeamPiece:
        """Rigid piece of its unstressed shape, or of its drawn shape if it is prestressed."""
        return PlanarBeamPiece(self.drawn.reshape(-1, 4) if self.prestressed else self.reference)

    def held(self) -> list[MechanismElement]:
        """Distance joint that keeps its ends at their drawn distance, if requested."""
        if not self.kept:
            return []
        distance = Joint.registry[2]["distance"]
        ends = [self.place_of(node) for node in (0, self.stations.size - 1)]
        kinds = distance.attachments.values()
        marked = [self.marker(distance, kind, end) for kind, end in zip(kinds, ends, strict=True)]
        families, index, _ = zip(*marked, strict=True)
        apart = float(np.hypot(*(self.drawn[-4:-2] - self.drawn[:2])))
        return [MechanismElement(distance, families, index, [apart], [])]

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[PartOutput]:
        """No outputs here: result/outputs.py creates them, because they need the forces on the elements."""
        return iter(())

    def picture_places(self) -> tuple[Array, Array]:
        """Positions xi in an element for drawing, and indices of the selected positions along the whole beam (see
        `join_element_values`)."""
        count = self.stations.size - 1
        pieces = int(np.clip(MAX_CURVE_PIECES // count, 1, CURVE_PIECES_PER_ELEMENT))
        selected = np.unique(
            np.linspace(0, count * pieces, min(count * pieces, MAX_CURVE_PIECES) + 1).round().astype(int)
        )
        return np.linspace(0.0, 1.0, pieces + 1), selected

    def outward(self, q: Array, index: Array) -> Array | None:
        sign = {int(self.index[0]): -1.0, int(self.index[-4]): 1.0}.get(int(index[0]))
        slope = None if sign is None else q[index[2:]]
        return None if slope is None else sign * slope / np.hypot(*slope)

    def outline(self, q: Array, size: float) -> Iterator[PartOutline]:
        """Draw a smooth curve."""
        xi, selected = self.picture_places()
        r = self.along(q, xi)
        yield PartOutline(
            "beam", np.stack([join_element_values(r[..., axis]) for axis in range(2)], axis=2)[:, selected]
        )


def join_element_values(values: Array) -> Array:
    """Join values along the elements, (n_times, elements, positions), along the whole beam: the mean of both elements at a
    node."""
    inner = values[:, :, :-1].copy()
    inner[:, 1:, 0] = (inner[:, 1:, 0] + values[:, :-1, -1]) / 2.0
    return np.concatenate([inner.reshape(len(values), -1), values[:, -1, -1:]], axis=1)
