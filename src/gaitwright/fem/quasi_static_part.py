"""Quasi-static solid: a force between the body that carries it and the plane it is pressed on.

It has no coordinates and no mass of its own; its deformation follows from the pose (fem/plane_equilibrium.py). So each
evaluation of the forces costs a solution of its equilibrium, and a small model stays small.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gaitwright.fem.equilibrium_force import declare_equilibrium_force
from gaitwright.fem.nodal_fields import evaluate_nodal_field as field_of
from gaitwright.fem.penalty_sides import PenaltySides
from gaitwright.fem.plane_equilibrium import REQUEST_FORCE, EquilibriumModel, PlaneEquilibrium
from gaitwright.fem.solid_part import SolidPart
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.parts.base import DeformedMesh, Part, PartOutput, PlaceCoordinates
from gaitwright.mechanism.tables import Array


class CarriedFrame(NamedTuple):
    """Frame carried by a rigid part: the place of its origin and its directions, both in the place coordinates of the part. A
    plane has one direction, its normal."""

    part: Part
    at: PlaceCoordinates
    directions: tuple[PlaceCoordinates, ...]

    def along(self, q: Array) -> tuple[Array, Array]:
        """Return origin (..., d) and directions (..., k, d) in poses q (..., n + 1)."""
        origin = self.part.position(q, self.at)
        ends = [self.part.position(q, tuple(np.add(self.at, direction))) for direction in self.directions]
        return origin, np.stack([end - origin for end in ends], axis=-2)


@dataclass(frozen=True, kw_only=True, eq=False)
class QuasiStaticPart(SolidPart):
    """Quasi-static solid. carrier: the frame of the solid, that of its mesh. plane: the frame of the plane it is pressed on.
    touching: sides of the mesh that can touch. penalty: N/m^3. solver: function that creates its equilibrium model. copies:
    number of pieces, for a solid cut by planes of symmetry."""

    carrier: CarriedFrame
    plane: CarriedFrame
    touching: Array
    penalty: float
    solver: Callable[[Any], EquilibriumModel]
    copies: float = 1.0
    flexible: ClassVar[bool] = False

    # a force, no coordinates -----------------------------------------------------------------------------------------

    @functools.cached_property
    def equilibrium(self) -> EquilibriumModel:
        return self.solver(self)

    @property
    def held_by(self) -> Sequence[str]:
        return [self.carrier.part.name]

    def with_all_nodes(self) -> PlaneEquilibrium:
        """Return the equilibrium model with Newton's method on all nodes."""
        own = self.number.ravel()
        blocks = [block._replace(coordinates=own[block.coordinates]) for block in self.blocks(())]
        sides = PenaltySides(self.mesh.kind, self.mesh.nodes, self.touching, self.penalty, self.thickness)
        return PlaneEquilibrium(blocks, sides, self.mesh.nodes, self.number, self.copies)

    def mass_entries(self) -> tuple[Array, Array, Array]:
        none = np.zeros(0, dtype=np.int64)
        return none, none, np.zeros(0)

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        return self.as_element(declare_equilibrium_force(self.dimension))

    def as_element(
        self, declaration: Any, signals: Sequence[int] = ()
    ) -> list[tuple[str, MechanismElement | ElementBlock]]:
        local, families, coordinates = [], [], []
        for kind, frame in zip(declaration.attachments.values(), (self.plane, self.carrier), strict=True):
            family, index, numbers = frame.part.marker(declaration, kind, frame.at)
            families.append(family)
            coordinates.append(index)
            local += numbers
        directions = [x for frame in (self.plane, self.carrier) for direction in frame.directions for x in direction]
        numbers = [*local, *directions, *self.equilibrium.addresses]
        return [
            (
                self.name,
                ElementBlock(
                    declaration, tuple(families), np.concatenate(coordinates)[None], np.array([numbers]), signals
                ),
            )
        ]

    def coordinates(self) -> list[tuple[str, str]]:
        return []

    def translation(self, axis: int) -> Array:
        return np.zeros(0)

    def place(self, name: str) -> PlaceCoordinates | None:
        return None

    def known_places(self) -> str:
        return f"a place of '{self.carrier.part.name}', which carries it: a quasi-static solid has no coordinates"

    # in a pose -------------------------------------------------------------------------------------------------------

    def planes(self, q: Array) -> Array:
        """Return the plane in the frame of the solid, (..., d + 1), in poses q (..., n + 1)."""
        (at, normals), (origin, axes) = self.plane.along(q), self.carrier.along(q)
        normal = normals[..., 0, :]
        distance = np.sum(normal * (origin - at), axis=-1, keepdims=True)
        return np.concatenate([distance, np.einsum("...kd,...d->...k", axes, normal)], axis=-1)

    def displacements(self, q: Array) -> Array:
        """Return the displacements of all nodes, in the frame of the solid."""
        planes = self.planes(q)
        displaced = [self.equilibrium.displacements(x) for x in planes.reshape(-1, planes.shape[-1])]
        return np.reshape(displaced, (*planes.shape[:-1], *self.mesh.nodes.shape))

    def pressures(self, q: Array) -> Array:
        """Return the pressures at the points that can touch, (times, points), Pa per undeformed area, in poses q (times, n +
        1)."""
        return np.array([self.equilibrium.pressures(x) for x in self.planes(q)])

    def outputs(self) -> Iterator[PartOutput]:
        cache = _MotionCache(self)
        yield PartOutput("normal_force", "N", "force of the plane along its normal", cache.force)
        for k, axis in enumerate("xyz"[: self.dimension]):
            yield PartOutput(f"f{axis}", "N", f"force on its body along {axis}", functools.partial(cache.along, k))
        yield PartOutput("gap", "m", "distance of the undeformed solid from the plane, negative inside", cache.gap)
        yield PartOutput("energy", "J", "elastic energy, with that of the penalty", cache.energy)
        yield PartOutput(
            "touching", "1", "points that touch", lambda motion: np.sum(self.pressures(motion.q) > 0.0, axis=1)
        )
        yield PartOutput("contact_area", "m^2", "undeformed area in contact", self._area)
        yield PartOutput(
            "largest_pressure", "Pa", "largest contact pressure", lambda m: self.pressures(m.q).max(axis=1)
        )
        yield PartOutput(
            "largest_displacement", "m", "largest displacement of a node in the frame of its body", self._largest
        )
        yield PartOutput("von_mises", "Pa", "largest von Mises stress", self._von_mises)

    def _area(self, motion: Any) -> Array:
        return self.copies * np.sum((self.pressures(motion.q) > 0.0) * self.equilibrium.areas, axis=1)

    def _largest(self, motion: Any) -> Array:
        return np.linalg.norm(self.displacements(motion.q), axis=2).max(axis=1)

    def _von_mises(self, motion: Any) -> Array:
        return np.array([self.strain(q).stress for q in motion.q])

    def deforming(self, motion: Any) -> DeformedMesh:
        moved = self.displacements(motion.q)
        fields = [
            ("von Mises stress", "Pa", field_of(self, motion, "von_mises")),
            ("displacement", "m", np.linalg.norm(moved, axis=2)),
        ]
        origin, axes = self.carrier.along(motion.q)
        points = origin[:, None] + np.einsum("tak,tkd->tad", self.mesh.nodes + moved, axes)
        return DeformedMesh(self.mesh, points, fields, free=True)


class _MotionCache:
    """Cache of V and V_x along a motion, computed once for all outputs of the same motion."""

    def __init__(self, part: QuasiStaticPart):
        self.part, self.motion, self.values = part, None, np.zeros(0)

    def evaluate(self, motion: Any) -> Array:
        """Return V, then V_x: (times, d + 2)."""
        if motion is not self.motion:
            answers = [self.part.equilibrium.evaluate(x, REQUEST_FORCE) for x in self.part.planes(motion.q)]
            self.motion, self.values = motion, np.array([(answer.energy, *answer.slope) for answer in answers])
        return self.values

    def energy(self, motion: Any) -> Array:
        return self.evaluate(motion)[:, 0]

    def force(self, motion: Any) -> Array:
        return -self.evaluate(motion)[:, 1]

    def along(self, axis: int, motion: Any) -> Array:
        normal = self.part.plane.along(motion.q)[1][:, 0]
        return self.force(motion) * normal[:, axis]

    def gap(self, motion: Any) -> Array:
        nodes = self.part.mesh.nodes[np.unique(self.part.touching)]
        planes = self.part.planes(motion.q)
        return planes[:, 0] + np.einsum("ai,ti->ta", nodes, planes[:, 1:]).min(axis=1)
