"""What touches and what is touched, as readers of contacts hand it on: the same in the plane and in space."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.messages import relabel
from gaitwright.physics.declare import Shape
from gaitwright.system.blocks import Faces, Table

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering
    from gaitwright.model.mesh_surfaces import CarriedMesh

Where = tuple[str, Any]
"""A body and coordinates in its frame, m."""


class Touching(NamedTuple):
    """What touches: a point, or the centre of a circle or sphere, its radius, m, and the field that names it. many: whether it
    stands for many points that ask their gaps alone; to them a surface is one piece."""

    place: Where
    radius: float
    field: str
    reference: str
    many: bool = False


class Touched(NamedTuple):
    """An elementary surface: where its origin is, its shape with numbers, what its force counts, and what it looks up; or faces
    of another solid."""

    place: Where
    shape: type[Shape]
    numbers: Sequence[float]
    weight: float = 1.0
    field: Table | None = None
    faces: Faces | None = None


class Carried(NamedTuple):
    """A surface: its pieces, all of one body, what pictures show of it (see ContactNames), and its own radius, m."""

    pieces: Sequence[Touched]
    outline: np.ndarray
    radius: float = math.inf

    @property
    def carrier(self) -> str:
        return self.pieces[0].place[0]


class Surfaces(ABC):
    """The surface of a contact as each of those that touch it sees it; a mesh is read once. kinds: all but meshes."""

    def __init__(self, s: Lowering, given: dict[str, Any], label: str, kinds: Iterable[str]):
        self.s, self.given, self.label = s, given, label
        self.kind = next(name for name in (*kinds, "mesh") if given[name] is not None)
        self.displacement = self._displacement()
        self._meshes: dict[bool, CarriedMesh] = {}

    @abstractmethod
    def read(self, touching: Touching) -> Carried:
        """A surface that is not a mesh."""

    def of(self, touching: Touching) -> Carried:
        try:
            return self._mesh(touching) if self.kind == "mesh" else self.read(touching)
        except ModelError as error:
            raise (error if error.element else relabel(error, self.label, f"surface.{error.field}")) from None

    def _mesh(self, touching: Touching) -> Carried:
        is_round = touching.radius > 0.0
        if is_round not in self._meshes:
            from gaitwright.model.mesh_surfaces import read_mesh_surface  # meshes, which few models have

            self._meshes[is_round] = read_mesh_surface(self.s, self.given, self.label, is_round)
        place, shape, table, outline = self._meshes[is_round]
        return Carried([Touched(place, shape, [touching.radius], field=table)], outline)

    def _displacement(self) -> list[int]:
        """Signals of how far the surface has moved, m."""
        s, given, label = self.s, self.given, self.label
        if given["velocity"] is not None:
            velocity = s.vector(given["velocity"], label, "surface.velocity", "m/s")
            return [s.signal(f"{v!r}*t" if v else 0.0, label, "surface.velocity") for v in velocity]
        moved = given["displacement"] or [0.0] * s.document.dimension
        return [s.signal(value, label, f"surface.displacement[{k}]") for k, value in enumerate(moved)]
