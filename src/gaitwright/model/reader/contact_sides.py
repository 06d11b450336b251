"""Touching and touched sides of a contact, as passed on by the readers: common to plane and space."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.mechanism.blocks import DeformingFaces, LookupTable
from gaitwright.physics.declarations import ContactShape

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.reader.mesh_surfaces import CarriedMesh

PartPlace = tuple[str, Any]
"""Name of a part and local coordinates, m."""


class TouchingSide(NamedTuple):
    """Touching side: a point, or the centre of a circle or sphere; its radius, m; the field that names it. many: True if it
    represents many points that evaluate their gaps alone; for them a surface is one piece."""

    place: PartPlace
    radius: float
    field: str
    reference: str
    many: bool = False


class ElementarySurface(NamedTuple):
    """Elementary surface: position of its origin, its shape with parameters, weight of its force, and its lookup table; or
    faces of another solid."""

    place: PartPlace
    shape: type[ContactShape]
    numbers: Sequence[float]
    weight: float = 1.0
    field: LookupTable | None = None
    faces: DeformingFaces | None = None


class TouchedSurface(NamedTuple):
    """Surface: its pieces, all on one body, its outline for pictures (see ContactNames), and its radius, m."""

    pieces: Sequence[ElementarySurface]
    outline: np.ndarray
    radius: float = math.inf

    @property
    def carrier(self) -> str:
        return self.pieces[0].place[0]


class SurfaceReader(ABC):
    """Reader of the surface of a contact for each touching side; a mesh is read once. kinds: all kinds except meshes."""

    def __init__(self, builder: MechanismBuilder, given: dict[str, Any], label: str, kinds: Iterable[str]):
        self.builder, self.given, self.label = builder, given, label
        self.kind = next(name for name in (*kinds, "mesh") if given[name] is not None)
        self.displacement = self._displacement()
        self._meshes: dict[bool, CarriedMesh] = {}

    @abstractmethod
    def read(self, touching: TouchingSide) -> TouchedSurface:
        """Read a surface that is not a mesh."""

    def of(self, touching: TouchingSide) -> TouchedSurface:
        try:
            return self._mesh(touching) if self.kind == "mesh" else self.read(touching)
        except ModelError as error:
            raise (error if error.element else with_location(error, self.label, f"surface.{error.field}")) from None

    def _mesh(self, touching: TouchingSide) -> TouchedSurface:
        is_round = touching.radius > 0.0
        if is_round not in self._meshes:
            from gaitwright.model.reader.mesh_surfaces import read_mesh_surface  # meshes, which few models have

            self._meshes[is_round] = read_mesh_surface(self.builder, self.given, self.label, is_round)
        place, shape, table, outline = self._meshes[is_round]
        return TouchedSurface([ElementarySurface(place, shape, [touching.radius], field=table)], outline)

    def _displacement(self) -> list[int]:
        """Indices of the signals for the displacement of the surface, m."""
        numbers, given, label = self.builder.numbers, self.given, self.label
        if given["velocity"] is not None:
            velocity = numbers.vector(given["velocity"], label, "surface.velocity", "m/s")
            return [numbers.signal(f"{v!r}*t" if v else 0.0, label, "surface.velocity") for v in velocity]
        displacement = given["displacement"] or [0.0] * numbers.document.dimension
        return [numbers.signal(value, label, f"surface.displacement[{k}]") for k, value in enumerate(displacement)]
