"""Input of the tables: single elements, blocks of many elements, contacts.

A joint, a drive or a spring is a `MechanismElement`. Elements of a part, such as the elasticity of a beam or its weight, are
an `ElementBlock`: arrays with one row per element, so that no Python code runs per element. A MechanismElement is converted
to a block of one; elements of one kernel form a batch in the tables, whichever of the two they came from.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright.mechanism.tables import Array
from gaitwright.physics.declarations import ContactLaw, ContactShape, Declaration, Family, Friction, MarkerKind


class ElementBlock(NamedTuple):
    """Elements of one declaration on the same families.

    coordinates: (count, k), those of all attachments in sequence; GROUND for an attachment on the ground. parameters: (count,
    p). signals: functions of time, the same for all elements."""

    declaration: type[Declaration]
    families: tuple[type[Family], ...]
    coordinates: Array
    parameters: Array
    signals: Sequence[int] = ()

    @property
    def count(self) -> int:
        return len(self.coordinates)

    def block(self) -> ElementBlock:
        return self

    @property
    def ends(self) -> Array:
        """End positions of the coordinates of each attachment."""
        return _attachment_ends(self.declaration, self.families)

    def require(self, coordinates: int, parameters: int) -> None:
        """Raise ValueError unless coordinates and parameters have the given numbers of columns."""
        columns = self.coordinates.shape[1], self.parameters.shape[1]
        if columns != (coordinates, parameters):
            on = ", ".join(family.name for family in self.families)
            raise ValueError(
                f"an element of '{self.declaration.name}' on {on} has {coordinates} coordinates and {parameters} "
                f"parameters, but a block of them has {columns[0]} and {columns[1]} columns: state one for each"
            )


class MechanismElement(NamedTuple):
    """One element: coordinates per attachment (GROUND for the ground), parameters, signals."""

    declaration: type[Declaration]
    families: tuple[type[Family], ...]
    coordinates: tuple[Array, ...]
    parameters: Sequence[float]
    signals: Sequence[int]

    @property
    def count(self) -> int:
        return 1

    def block(self) -> ElementBlock:
        """Convert to a block of one element."""
        coordinates, parameters = np.concatenate(self.coordinates), np.array(self.parameters, dtype=float)
        return ElementBlock(self.declaration, self.families, coordinates[None], parameters[None], self.signals)


@functools.cache
def attachment_markers(declaration: Any, families: tuple[type[Family], ...]) -> list[MarkerKind]:
    """Marker kind that each attachment uses."""
    kinds = declaration.attachments.values()
    return [family.markers[type(kind)] for kind, family in zip(kinds, families, strict=True)]


@functools.cache
def _attachment_ends(declaration: type[Declaration], families: tuple[type[Family], ...]) -> Array:
    return np.cumsum([len(marker.coordinates) for marker in attachment_markers(declaration, families)])


class LookupTable(Protocol):
    """Lookup table of a surface: name of its function in contact/surface_lookup.py, and its numbers. Contacts with equal
    tables share one object."""

    @property
    def look_up(self) -> str: ...

    @property
    def numbers(self) -> Array: ...


class HeightTable(NamedTuple):
    """Terrain as polynomials over the cells of a grid.

    coefficients: (nx, ny, 4, 4), of (x - x0)^i (y - y0)^j in the cell with its corner of lowest x and y at (x0, y0)."""

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


class DeformingFaces(NamedTuple):
    """Surface of a deformable solid (contact/closest_face.py); each face has as many nodes as there are dimensions d.

    coordinates: (faces, d, d), of the displacement of each node; GROUND for a fixed node. places: the same, undeformed, m.
    nodes: (faces, d), node numbers, from 0. rims: (faces, d), true if the side from node j to the next belongs to no other
    face (in the plane: node j)."""

    coordinates: Array
    places: Array
    nodes: Array
    rims: Array


class ContactBlock(NamedTuple):
    """Contacts to be added to the tables: the pose of two bodies, and surface, law and friction with their parameters. A
    contact of the user's model is one entry; the surface of a solid, or of a layer on a body, is a block of contacts with
    different places, weights and parameters."""

    geometry: MechanismElement | ElementBlock
    shape: tuple[type[ContactShape], Sequence[float]]
    law: tuple[type[ContactLaw], Sequence[float] | Array] | None
    friction: tuple[type[Friction], Sequence[float] | Array] | None
    """Parameters of law and friction: (numbers,), or (count, numbers) if they differ within a block."""
    group: int
    slowest: float
    restitution: float
    coefficient: float
    weight: float | Array = 1.0
    """Weight of its force and energy, (count,) for a block: see contact/surface_pieces.py; on the surface of a solid its
    area, m^2."""
    approach: float | None = None
    """Approach speed of a contact that is closed at the start, m/s."""
    field: LookupTable | None = None
    """Lookup table of the surface, if it has one."""
    faces: DeformingFaces | None = None
    """Faces of the surface, if it deforms; the geometry then starts with one of these faces."""
    by_gap: bool = False
    """True if the contact acts whenever its gap is closed, without an event: its force must then start at zero at gap zero,
    and must not depend on an approach speed."""

    @property
    def count(self) -> int:
        return self.geometry.count
