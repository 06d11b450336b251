"""A solid that rests at every instant: a force between the body that carries it and the plane it is pressed on.

It has no coordinates and no mass of its own; its deformation is what follows from the pose (system/solids/settling.py). So
it costs a solution of its equilibrium wherever forces are asked for, and a small model stays small.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gaitwright.system.blocks import Block, Element
from gaitwright.system.parts.base import Deformed, Local, OutputOf, Part
from gaitwright.system.parts.solid import SolidPart
from gaitwright.system.solids.fields import field as field_of
from gaitwright.system.solids.pressing import Sides
from gaitwright.system.solids.settled_force import settled_force
from gaitwright.system.solids.settling import FORCE, Answers, Settling
from gaitwright.system.tables import Array


class Carried(NamedTuple):
    """A frame that a rigid part carries: the place of its origin and its directions, both as the part counts them. Of a
    plane the only direction is its normal."""

    part: Part
    at: Local
    directions: tuple[Local, ...]

    def along(self, q: Array) -> tuple[Array, Array]:
        """Origin (..., d) and directions (..., k, d) in poses q (..., n + 1)."""
        origin = self.part.position(q, self.at)
        ends = [self.part.position(q, tuple(np.add(self.at, direction))) for direction in self.directions]
        return origin, np.stack([end - origin for end in ends], axis=-2)


@dataclass(frozen=True, kw_only=True, eq=False)
class QuasiStaticPart(SolidPart):
    """carrier: the frame of the solid, in which its mesh is as drawn. plane: what it is pressed on. touching: sides of the mesh
    that can touch. penalty: N/m^3. solver: what finds its equilibrium. copies: of a solid cut by planes of symmetry, how
    many pieces there are."""

    carrier: Carried
    plane: Carried
    touching: Array
    penalty: float
    solver: Callable[[Any], Answers]
    copies: float = 1.0
    flexible: ClassVar[bool] = False

    # a force, no coordinates -----------------------------------------------------------------------------------------

    @functools.cached_property
    def settling(self) -> Answers:
        return self.solver(self)

    @property
    def held_by(self) -> Sequence[str]:
        return [self.carrier.part.name]

    def with_all_nodes(self) -> Settling:
        """What finds its equilibrium by Newton's method on all nodes."""
        own = self.number.ravel()
        blocks = [block._replace(coordinates=own[block.coordinates]) for block in self.blocks(())]
        sides = Sides(self.mesh.kind, self.mesh.nodes, self.touching, self.penalty, self.thickness)
        return Settling(blocks, sides, self.mesh.nodes, self.number, self.copies)

    def mass_entries(self) -> tuple[Array, Array, Array]:
        none = np.zeros(0, dtype=np.int64)
        return none, none, np.zeros(0)

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        return self.as_element(settled_force(self.dimension))

    def as_element(self, declaration: Any, signals: Sequence[int] = ()) -> list[tuple[str, Element | Block]]:
        local, families, coordinates = [], [], []
        for kind, carried in zip(declaration.attachments.values(), (self.plane, self.carrier), strict=True):
            family, index, numbers = carried.part.marker(declaration, kind, carried.at)
            families.append(family)
            coordinates.append(index)
            local += numbers
        directions = [x for carried in (self.plane, self.carrier) for one in carried.directions for x in one]
        numbers = [*local, *directions, *self.settling.addresses]
        return [
            (
                self.name,
                Block(declaration, tuple(families), np.concatenate(coordinates)[None], np.array([numbers]), signals),
            )
        ]

    def coordinates(self) -> list[tuple[str, str]]:
        return []

    def translation(self, axis: int) -> Array:
        return np.zeros(0)

    def place(self, name: str) -> Local | None:
        return None

    def known_places(self) -> str:
        return (
            f"a place of '{self.carrier.part.name}', which carries it: nothing of a quasi-static solid has coordinates"
        )

    # in a pose -------------------------------------------------------------------------------------------------------

    def planes(self, q: Array) -> Array:
        """The plane in the frame of the solid, (..., d + 1), in poses q (..., n + 1)."""
        (at, normals), (origin, axes) = self.plane.along(q), self.carrier.along(q)
        normal = normals[..., 0, :]
        distance = np.sum(normal * (origin - at), axis=-1, keepdims=True)
        return np.concatenate([distance, np.einsum("...kd,...d->...k", axes, normal)], axis=-1)

    def displacements(self, q: Array) -> Array:
        """In the frame of the solid."""
        planes = self.planes(q)
        found = [self.settling.displacements(x) for x in planes.reshape(-1, planes.shape[-1])]
        return np.reshape(found, (*planes.shape[:-1], *self.mesh.nodes.shape))

    def pressures(self, q: Array) -> Array:
        """At the points that can touch, (times, points), Pa by undeformed area, in poses q (times, n + 1)."""
        return np.array([self.settling.pressures(x) for x in self.planes(q)])

    def outputs(self) -> Iterator[OutputOf]:
        kept = _Kept(self)
        yield OutputOf("normal_force", "N", "force of the plane along its normal", kept.force)
        for k, axis in enumerate("xyz"[: self.dimension]):
            yield OutputOf(f"f{axis}", "N", f"force on its body along {axis}", functools.partial(kept.along, k))
        yield OutputOf("gap", "m", "distance of the undeformed solid from the plane, negative inside", kept.gap)
        yield OutputOf("energy", "J", "elastic energy, with that of the penalty", kept.energy)
        yield OutputOf(
            "touching", "1", "points that touch", lambda motion: np.sum(self.pressures(motion.q) > 0.0, axis=1)
        )
        yield OutputOf("contact_area", "m^2", "undeformed area that touches", self._area)
        yield OutputOf("largest_pressure", "Pa", "largest contact pressure", lambda m: self.pressures(m.q).max(axis=1))
        yield OutputOf(
            "largest_displacement", "m", "largest displacement of a node in the frame of its body", self._largest
        )
        yield OutputOf("von_mises", "Pa", "largest von Mises stress", self._von_mises)

    def _area(self, motion: Any) -> Array:
        return self.copies * np.sum((self.pressures(motion.q) > 0.0) * self.settling.areas, axis=1)

    def _largest(self, motion: Any) -> Array:
        return np.linalg.norm(self.displacements(motion.q), axis=2).max(axis=1)

    def _von_mises(self, motion: Any) -> Array:
        return np.array([self.strain(q).stress for q in motion.q])

    def deforming(self, motion: Any) -> Deformed:
        moved = self.displacements(motion.q)
        fields = [
            ("von Mises stress", "Pa", field_of(self, motion, "von_mises")),
            ("displacement", "m", np.linalg.norm(moved, axis=2)),
        ]
        origin, axes = self.carrier.along(motion.q)
        points = origin[:, None] + np.einsum("tak,tkd->tad", self.mesh.nodes + moved, axes)
        return Deformed(self.mesh, points, fields, free=True)


class _Kept:
    """V and V_x along a motion, computed once for all outputs of the same motion."""

    def __init__(self, part: QuasiStaticPart):
        self.part, self.motion, self.values = part, None, np.zeros(0)

    def of(self, motion: Any) -> Array:
        """V, then V_x: (times, d + 2)."""
        if motion is not self.motion:
            answers = [self.part.settling.ask(x, FORCE) for x in self.part.planes(motion.q)]
            self.motion, self.values = motion, np.array([(answer.energy, *answer.slope) for answer in answers])
        return self.values

    def energy(self, motion: Any) -> Array:
        return self.of(motion)[:, 0]

    def force(self, motion: Any) -> Array:
        return -self.of(motion)[:, 1]

    def along(self, axis: int, motion: Any) -> Array:
        normal = self.part.plane.along(motion.q)[1][:, 0]
        return self.force(motion) * normal[:, axis]

    def gap(self, motion: Any) -> Array:
        nodes = self.part.mesh.nodes[np.unique(self.part.touching)]
        planes = self.part.planes(motion.q)
        return planes[:, 0] + np.einsum("ai,ti->ta", nodes, planes[:, 1:]).min(axis=1)
