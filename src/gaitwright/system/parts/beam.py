"""Beam of the plane in absolute nodal coordinates: nodes (x, y, u, v), and elements between them (physics/bodies/beam.py)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.physics.beams.quadrature import parameters_of
from gaitwright.physics.bodies.beam import Beam, Node, combine, shape
from gaitwright.physics.declare import Elasticity, Family, Force, Joint
from gaitwright.system.blocks import Block, Element
from gaitwright.system.element_matrices import ElementMatrices
from gaitwright.system.parts.base import Local, Marked, Misfit, Outline, OutputOf, Spans, Strain
from gaitwright.system.parts.beam_piece import BeamPiece
from gaitwright.system.parts.beam_strain import measured
from gaitwright.system.parts.noded_beam import FINE, LARGEST_STRETCH, PLACES, WEIGHT, XI, Along, NodedBeam
from gaitwright.system.tables import BEAM_POSITION, BEAM_SLOPE, Array

SMOOTH, MOST = 8, 240
"""Pieces in which the curve of an element is drawn, and about how many a whole beam may have."""


@dataclass(frozen=True)
class Section:
    """What a beam resists with and what it weighs, along its length."""

    axial: Along  # EA, N
    bending: Along  # EI, N m^2
    mass: Along  # rho A, kg/m
    height: Along | None  # across the plane of bending, m: surfaces are half of it away; None if not given
    youngs_modulus: float | None  # Pa


@dataclass(frozen=True, kw_only=True, eq=False)
class BeamPart(NodedBeam):
    """A beam. Places are (arc length of a node, 0); points are nodes.

    reference: (nodes, 4), the unstressed shape.
    prestressed: whether joints are closed with the shape in which it is drawn, instead of the unstressed one. kept: whether its
    ends start as far apart as they are drawn, by wish."""

    family: type[Family] = Node
    formulation: str
    section: Section
    reference: Array
    prestressed: bool = False
    kept: bool = False
    across: ClassVar[tuple[float, ...]] = (0.0,)
    colour: ClassVar[str] = "bending_moment"
    telling: ClassVar[Sequence[str]] = ("max_bending_moment",)

    # nodes and elements ----------------------------------------------------------------------------------------------

    @functools.cached_property
    def nodes(self) -> Array:
        """(nodes, 4): coordinates x, y, u, v of each."""
        return self.index.reshape(-1, 4)

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

    def along(self, q: Array, xi: Array, derivative: int = 0) -> Array:
        """r, r_x or r_xx at the places xi (0 to 1) of every element: (..., elements, len(xi), 2) for q (..., n + 1)."""
        e = np.moveaxis(q[..., self.elements], -1, 0)[..., None]  # (8, ..., elements, 1)
        weights = shape(xi, self.lengths[:, None], derivative)
        return np.stack(combine(weights, e), axis=-1)

    def stretch(self, q: Array) -> Array:
        """Axial strain |r_x| - 1, averaged over each element: (..., elements)."""
        r_x = self.along(q, XI, 1)
        return (np.hypot(r_x[..., 0], r_x[..., 1]) * WEIGHT).sum(axis=-1) - 1.0

    # coordinates, mass and elements of its own -----------------------------------------------------------------------

    def coordinates(self) -> list[tuple[str, str]]:
        count = self.stations.size
        named = [(f"{self.name}.node{k + 1}.{x}") for k in range(count) for x in Node.coordinates]
        return list(zip(named, Node.units * count, strict=True))

    def natures(self) -> Array:
        return np.tile([BEAM_POSITION, BEAM_POSITION, BEAM_SLOPE, BEAM_SLOPE], self.stations.size)

    def scale(self, size: float) -> Array:
        return np.tile([size, size, 1.0, 1.0], self.stations.size)

    def mass_entries(self) -> tuple[Array, Array, Array]:
        places = ElementMatrices(np.zeros(0, dtype=np.int64), [self.elements])
        values = places.summed(np.zeros(0), [self.element_masses()])
        filled = values != 0.0  # x and y have nothing to do with each other
        return places.row[filled], places.col[filled], values[filled]

    def element_masses(self) -> Array:
        """Consistent mass matrices int rho A S^T S dx (paper 002 Eq 7) of all elements, (elements, 8, 8)."""
        shapes, mass = self.mass_points
        small = np.einsum("eig,ejg,eg->eij", shapes, shapes, mass)
        return np.einsum("eij,ab->eiajb", small, np.eye(2)).reshape(-1, 8, 8)

    def quantities(self, xi: Array) -> dict[str, Array]:
        """What elements ask for at the places xi (0 to 1), one number per element: (len(xi), elements)."""
        section = self.section
        axial, bending = (self.sampled(along, xi).T for along in (section.axial, section.bending))
        # Of the shape that the elements can take, not of the curve they approximate: so that it is without stress.
        r_x, r_xx = (np.stack(combine(shape(xi[:, None], self.lengths, k), self.unstressed.T)) for k in (1, 2))
        return {
            "axial_stiffness": axial,
            "bending_stiffness": bending,
            "axial_damping": self.damping * axial,
            "bending_damping": self.damping * bending,
            "reference_strain": np.hypot(*r_x) - 1.0,
            "reference_curvature": (r_x[0] * r_xx[1] - r_x[1] * r_xx[0]) / (r_x**2).sum(axis=0),
        }

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        """Elastic forces of the elements, then damping, then weight."""
        declarations: list[Any] = [Elasticity.registry[2][self.formulation]]
        if self.damping > 0.0:
            declarations.append(Elasticity.registry[2]["kelvin-voigt"])
        found: list[Block] = []
        for declaration in declarations:
            places = list(dict.fromkeys(xi for _, xi in declaration.along.values()))
            known = self.quantities(np.array(places))
            along = {name: dict(zip(places, values, strict=True)).__getitem__ for name, values in known.items()}
            numbers = np.column_stack(parameters_of(declaration, self.lengths, along))
            found.append(Block(declaration, (Beam,), self.elements, numbers))
        if any(gravity):
            shapes, parts = self.mass_points
            masses = parts.sum(axis=1)
            centres = np.einsum("eig,eg->ei", shapes, parts) / masses[:, None]
            numbers = np.column_stack([centres, masses, np.tile(gravity, (masses.size, 1))])
            found.append(Block(Force.registry[2]["gravity"], (Beam,), self.elements, numbers))
        return [(self.name, block) for block in found]

    def spans(self) -> Spans:
        return Spans(Beam, self.elements, self.lengths)

    # places ----------------------------------------------------------------------------------------------------------

    def at(self, local: Local) -> Marked:
        first = 4 * self.node_at(local[0])
        return Marked(Node, self.index[first : first + 4], ())

    def drawn_places(self) -> list[Any]:
        return [self.drawn[:2], self.drawn[-4:-2]]

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """Stretch along the chord of an element and bending across it count alike:

        int (t . dr_x)^2 + L^2 (n . dr_xx)^2 dx / L"""
        l, total = self.lengths[:, None], self.length
        chord = q[self.nodes[1:, :2]] - q[self.nodes[:-1, :2]]
        t = chord / np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-300)[:, None]
        n = np.stack([-t[:, 1], t[:, 0]], axis=1)
        form = np.zeros((len(t), 4, 2, 4, 2))
        for derivative, direction, size in ((1, t, 1.0), (2, n, total**2)):
            s = np.stack(np.broadcast_arrays(*shape(XI, l, derivative)), axis=1)  # (elements, 4, points)
            products = np.einsum("eig,ejg,g->eij", s, s, WEIGHT) * l[:, :, None] * size / total
            form += np.einsum("eij,ea,eb->eiajb", products, direction, direction)
        return [(self.elements, form.reshape(-1, 8, 8))]

    def strain(self, q: Array) -> Strain:
        """The axial strain is the mean over an element: at single points of a bent one it means nothing (see
        result/beam_profile.py)."""
        poses = np.stack([q[self.elements], self.unstressed])
        found = measured(self.formulation, poses, PLACES, self.lengths[:, None])
        axial, bent = (now - rest for now, rest in found)
        strain = np.abs(axial[:, 1:-1] @ WEIGHT)
        if self.section.height is not None:
            strain = strain + (np.abs(bent) * self.sampled(self.section.height, PLACES) / 2.0).max(axis=1)
        most, modulus = float(strain.max()), self.section.youngs_modulus
        return Strain(most, None if modulus is None else modulus * most)

    def meant(self, q: Array) -> bool:
        """Prestressed by name, or between two points of the ground and bent there, rather than stretched or squeezed, by the
        most of what it does not fit by."""
        ends = [nodes[-1, :2] - nodes[0, :2] for nodes in (self.reference, q[self.nodes])]
        misfit = float(np.hypot(*ends[0]) - np.hypot(*ends[1])) / self.length
        return self.kept or (self.prestressed and abs(float(self.stretch(q).mean())) < 0.5 * abs(misfit))

    def misfit(self, q: Array) -> Misfit | None:
        stretch = self.stretch(q)
        worst = float(stretch[np.argmax(np.abs(stretch))])
        if abs(worst) <= LARGEST_STRETCH:
            return None
        apart = float(np.hypot(*(q[self.nodes[-1, :2]] - q[self.nodes[0, :2]])))
        how = "stretched" if worst > 0 else "shortened"
        return Misfit(
            f"beam '{self.name}' would have to be {how} by {100 * abs(worst):.3g} % to fit: it is {self.length:.4g} m long "
            f"and its ends are {apart:.4g} m apart",
            "check its length and the points it is attached to"
            + ("" if worst > 0 else ", say to which side it is bent (bow: left or right), or bring its ends together by a "
               "drive from where it is straight (static_path)"),
        )  # fmt: skip

    def piece(self) -> BeamPiece:
        """Of its unstressed shape, or that in which it is drawn by wish."""
        return BeamPiece(self.drawn.reshape(-1, 4) if self.prestressed else self.reference)

    def held(self) -> list[Element]:
        """Its ends stay as far apart as they are drawn."""
        if not self.kept:
            return []
        distance = Joint.registry[2]["distance"]
        ends = [self.place_of(node) for node in (0, self.stations.size - 1)]
        kinds = distance.attachments.values()
        marked = [self.marker(distance, kind, end) for kind, end in zip(kinds, ends, strict=True)]
        families, index, _ = zip(*marked, strict=True)
        apart = float(np.hypot(*(self.drawn[-4:-2] - self.drawn[:2])))
        return [Element(distance, families, index, [apart], [])]

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[OutputOf]:
        """All of them are made by result/outputs.py: they take the forces on its elements."""
        return iter(())

    def picture_places(self) -> tuple[Array, Array]:
        """Where an element is drawn, xi, and which of the places of the whole beam (see `joined`) are kept."""
        count = self.stations.size - 1
        pieces = int(np.clip(MOST // count, 1, SMOOTH))
        kept = np.unique(np.linspace(0, count * pieces, min(count * pieces, MOST) + 1).round().astype(int))
        return np.linspace(0.0, 1.0, pieces + 1), kept

    def outward(self, q: Array, index: Array) -> Array | None:
        way = {int(self.index[0]): -1.0, int(self.index[-4]): 1.0}.get(int(index[0]))
        slope = None if way is None else q[index[2:]]
        return None if slope is None else way * slope / np.hypot(*slope)

    def outline(self, q: Array, size: float) -> Iterator[Outline]:
        """A smooth curve."""
        xi, kept = self.picture_places()
        r = self.along(q, xi)
        yield Outline("beam", np.stack([joined(r[..., axis]) for axis in range(2)], axis=2)[:, kept])


def joined(values: Array) -> Array:
    """Values along the elements, (n_times, elements, places), along the whole beam: at a node the mean of both elements."""
    inner = values[:, :, :-1].copy()
    inner[:, 1:, 0] = (inner[:, 1:, 0] + values[:, :-1, -1]) / 2.0
    return np.concatenate([inner.reshape(len(values), -1), values[:, -1, -1:]], axis=1)
