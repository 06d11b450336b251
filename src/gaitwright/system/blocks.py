"""What is put into the tables: single elements, blocks of many, contacts.

A joint, a drive or a spring is an `Element`. What a part brings along, from the elasticity of a beam to its weight, is a
`Block`: arrays with a row per element, so that nothing in Python is done once per element. An Element is a block of one;
elements of one kernel form a batch in the tables, whichever of the two they came as.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright.physics.declare import ContactLaw, Declaration, Family, Friction, MarkerKind, Shape
from gaitwright.system.tables import Array


class Block(NamedTuple):
    """Elements of one declaration on the same families.

    coordinates: (count, k), those of all attachments one after another; GROUND where one is the ground. parameters:
    (count, p). signals: functions of time, the same for all."""

    declaration: type[Declaration]
    families: tuple[type[Family], ...]
    coordinates: Array
    parameters: Array
    signals: Sequence[int] = ()

    @property
    def count(self) -> int:
        return len(self.coordinates)

    def block(self) -> Block:
        return self

    @property
    def ends(self) -> Array:
        """Where the coordinates of each attachment end."""
        return _ends(self.declaration, self.families)

    def require(self, coordinates: int, parameters: int) -> None:
        """ValueError unless there is a column for each."""
        given = self.coordinates.shape[1], self.parameters.shape[1]
        if given != (coordinates, parameters):
            on = ", ".join(family.name for family in self.families)
            raise ValueError(
                f"an element of '{self.declaration.name}' on {on} has {coordinates} coordinates and {parameters} "
                f"parameters, but a block of them has {given[0]} and {given[1]} columns: state one for each"
            )


class Element(NamedTuple):
    """One element: coordinates per attachment (GROUND for the ground), numbers, signals."""

    declaration: type[Declaration]
    families: tuple[type[Family], ...]
    coordinates: tuple[Array, ...]
    parameters: Sequence[float]
    signals: Sequence[int]

    @property
    def count(self) -> int:
        return 1

    def block(self) -> Block:
        """The same as a block of one."""
        coordinates, parameters = np.concatenate(self.coordinates), np.array(self.parameters, dtype=float)
        return Block(self.declaration, self.families, coordinates[None], parameters[None], self.signals)


@functools.cache
def markers_of(declaration: Any, families: tuple[type[Family], ...]) -> list[MarkerKind]:
    """What each attachment holds on to."""
    kinds = declaration.attachments.values()
    return [family.markers[type(kind)] for kind, family in zip(kinds, families, strict=True)]


@functools.cache
def _ends(declaration: type[Declaration], families: tuple[type[Family], ...]) -> Array:
    return np.cumsum([len(marker.coordinates) for marker in markers_of(declaration, families)])


class Table(Protocol):
    """What a surface looks up: by which function of system/look_up.py, and in which numbers. Equal tables of several contacts
    are the same object."""

    @property
    def look_up(self) -> str: ...

    @property
    def numbers(self) -> Array: ...


class HeightTable(NamedTuple):
    """A terrain as polynomials over the cells of a grid.

    coefficients: (nx, ny, 4, 4), of (x - x0)^i (y - y0)^j in the cell that begins at (x0, y0)."""

    origin: tuple[float, float]
    spacing: tuple[float, float]
    coefficients: Array

    @property
    def look_up(self) -> str:
        return "heights"

    @property
    def numbers(self) -> Array:
        head = [*self.coefficients.shape[:2], *self.origin, *self.spacing]
        return np.concatenate([np.array(head, dtype=float), self.coefficients.ravel()])


class Faces(NamedTuple):
    """The surface of a solid that deforms (system/meeting.py), with as many nodes to a face as there are dimensions d.

    coordinates: (faces, d, d), of the displacement of each node; GROUND where it is held. places: the same, undeformed, m.
    nodes: (faces, d), their numbers, from 0. rims: (faces, d), whether the side from node j to the next has no other face
    (in the plane: node j)."""

    coordinates: Array
    places: Array
    nodes: Array
    rims: Array


class Contact(NamedTuple):
    """Contacts to be put into the tables: the pose of two bodies, and surface, law and friction with their numbers. A person's
    contact is one; the surface of a solid, or of a layer on a body, is a block of them, which differ in their places, weights
    and numbers."""

    geometry: Element | Block
    shape: tuple[type[Shape], Sequence[float]]
    law: tuple[type[ContactLaw], Sequence[float] | Array] | None
    friction: tuple[type[Friction], Sequence[float] | Array] | None
    """Of both the numbers, (numbers,), or (count, numbers) where those of a block differ."""
    group: int
    slowest: float
    restitution: float
    coefficient: float
    weight: float | Array = 1.0
    """Of its force and energy, (count,) of a block: see contact/surface_pieces.py; on the surface of a solid its area, m^2."""
    approach: float | None = None
    """Approach speed of a contact that is closed at the start, m/s."""
    field: Table | None = None
    """What the surface looks up."""
    faces: Faces | None = None
    """The surface, where it deforms; then the geometry begins with any of its faces."""
    by_gap: bool = False
    """Whether it touches wherever its gap is closed, without an event: then its force has to begin at zero there, and to do
    without an approach speed."""

    @property
    def count(self) -> int:
        return self.geometry.count
