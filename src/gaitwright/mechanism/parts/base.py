"""Interface between a kind of part and the rest of the program.

Everything that has coordinates is a part: a planar or spatial rigid body, a beam, a counter, and parts added by users. Model,
tables, analyses, results and graphics use this interface only and never depend on the kind of part. A kind of part defines

    coordinates   family, index, drawn, names, natures, scale: its coordinates, and their typical changes
    mass          mass, mass_entries: constant
    own elements  conditions, forces: elements of the part, from rigidity to weight; many of a kind as one block
    places        points, place, centre, at: the places for attachments, and the marker at each
    numbers       marker_drawn, position, motion_at, velocity_at: all follow from `at`
    results       outputs, more_outputs, outline: its outputs and its drawing

A place of a part is a tuple of numbers that only the part interprets: coordinates in the frame of a body, the arc length of a
beam. The defaults fit a part with markers that are linear in its coordinates (Family.components): the particle in
tests/mechanism/parts/test_own_part.py shows all that a new kind of part needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.parts.places import (
    DrawnMarker,
    PlaceCoordinates,
    PlacedMarker,
    linear_position,
    numeric_marker,
)
from gaitwright.mechanism.parts.point_outputs import POINT_OUTPUTS
from gaitwright.mechanism.tables import GROUND, RIGID_COORDINATE, Array
from gaitwright.physics.attachments import Centre
from gaitwright.physics.bodies.place_marker import find_marker_kind
from gaitwright.physics.declarations import Declaration, Family, Force

NO_INDICES = np.zeros(0, dtype=np.int64)
MARK_HALF_SIDE_RATIO = 0.03
"""Half side, relative to the size of the mechanism, of the square drawn for a part without an outline."""


class PartOutput(NamedTuple):
    """Output of a part: `part.name`. values: function of a motion (t, q, v, a), one value per time."""

    name: str
    unit: str
    text: str
    values: Callable[[Any], Array]


class PartOutline(NamedTuple):
    """Line of a drawing. points: (n_times, n_points, dimension), m. kind: drawing style, see
    report/scenes/planar_scene.py."""

    kind: str
    points: Array
    closed: bool = False


class DeformedMesh(NamedTuple):
    """Mesh along a motion. points: (n_times, nodes, dimension), m. fields: name, unit and values (n_times, nodes) of each."""

    mesh: Any
    points: Array
    fields: Sequence[tuple[str, str, Array]]
    free: bool
    """True if the mesh is not held anywhere, so that it may travel."""


@dataclass(frozen=True)
class PartStrain:
    """Strain of a part in a pose: the largest strain at a surface (along the axis of a beam of unknown height), and the
    stress, Pa, if the material is known."""

    strain: float
    stress: float | None

    def __str__(self) -> str:
        stress = "" if self.stress is None else f" ({self.stress / 1e6:.3g} MPa)"
        return f"{100.0 * self.strain:.3g} %{stress}"


class InadmissiblePose(NamedTuple):
    """Reason why a part cannot start in a pose, and a suggestion."""

    problem: str
    suggestion: str


class LoadedElements(NamedTuple):
    """Elements of a part for distributed loads. coordinates: (elements, k). length: (elements,), m, unstressed."""

    family: type[Family]
    coordinates: Array
    length: Array


@dataclass(frozen=True)
class RequestedVelocity:
    """Requested start velocity: rows(q of its coordinates) times their rates shall equal `value`, which may depend on q, too.
    Rows with one number each represent a diagonal matrix."""

    label: str
    index: Array
    rows: Callable[[Array], Array]
    value: tuple[float, ...] | Callable[[Array], Array]


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """Base class of parts, see the module. drawn: its coordinates in the drawn pose. mass: kg. points: its named places.
    index: its coordinates in the tables; -1 for those of the ground."""

    name: str
    kind: str
    family: type[Family]
    drawn: Array
    mass: float = 0.0
    points: Mapping[str, Any] = field(default_factory=dict)
    index: Array = field(default_factory=lambda: NO_INDICES)

    rigid: ClassVar[bool] = False
    """True if the part is one frame: it has an orientation as a whole, and can carry surfaces."""
    flexible: ClassVar[bool] = False
    """True if the part can be strained: it then has `strain_form` and `piece`."""
    meshed: ClassVar[bool] = False
    """True if it is drawn as a mesh with moving nodes (`deforming`) instead of by outlines."""
    turns: ClassVar[int | None] = None
    """Index of the coordinate that is an angle counting full turns."""
    place_word: ClassVar[str] = "point"
    colour: ClassVar[str] = ""
    """Quantity that colours it in graphics by default; empty for none."""
    telling: ClassVar[Sequence[str]] = ()
    """Outputs shown below an animation by default."""

    # coordinates -----------------------------------------------------------------------------------------------------

    def placed(self, first: int) -> Self:
        """Return the same part with its coordinates numbered from `first`."""
        return replace(self, index=first + np.arange(len(self.drawn)))

    def coordinates(self) -> list[tuple[str, str]]:
        """Name and unit of each coordinate, such as crank.angle and rad."""
        return [(f"{self.name}.{x}", unit) for x, unit in zip(self.family.coordinates, self.family.units, strict=True)]

    def natures(self) -> Array:
        """Type code of each coordinate, see tables.MechanismTables.nature."""
        return np.full(len(self.drawn), RIGID_COORDINATE)

    def scale(self, size: float) -> Array:
        """Typical change of each coordinate. size: of the mechanism, m."""
        return np.array([size if unit == "m" else 1.0 for _, unit in self.coordinates()])

    def translation(self, axis: int) -> Array:
        """Rates of the coordinates if the whole part moves at 1 m/s along an axis."""
        named = [name.rpartition(".")[2] == "xyz"[axis] for name, _ in self.coordinates()]
        return np.array(named, dtype=float)

    # mass and elements of its own ------------------------------------------------------------------------------------

    def mass_entries(self) -> tuple[Array, Array, Array]:
        """Rows, columns (in the tables) and values of the mass matrix; default: of a particle."""
        moved = np.array([unit == "m" and self.mass > 0.0 for _, unit in self.coordinates()])
        return self.index[moved], self.index[moved], np.full(int(moved.sum()), self.mass)

    def conditions(self) -> list[tuple[MechanismElement | ElementBlock, float]]:
        """Constraints on its own coordinates, each with the weight of its regularisation
        (mechanism/mass_regularisation.py)."""
        return []

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        """Forces that act on the part by default, with the name of each: weight, elasticity. Many of a kind form a block:
        arrays with one row for each."""
        if not any(gravity) or self.mass == 0.0 or Centre not in self.family.markers:
            return []
        weight = Force.registry[self.family.dimension]["gravity"]
        local = () if self.centre is None else self.centre
        return [(f"{self.name}.weight", self.element(weight, local, [self.mass, *gravity]))]

    def element(
        self, declaration: type[Declaration], local: PlaceCoordinates, numbers: Sequence[float]
    ) -> MechanismElement:
        """Create an element on this part alone."""
        (kind,) = declaration.attachments.values()
        family, index, parameters = self.marker(declaration, kind, local)
        return MechanismElement(declaration, (family,), (index,), [*parameters, *numbers], [])

    def spans(self) -> LoadedElements | None:
        """Its elements for loads along the whole part; default: none."""
        return None

    # places ----------------------------------------------------------------------------------------------------------

    @property
    def centre(self) -> PlaceCoordinates | None:
        """Default place of the part where a point is required; None if there is none."""
        return ()

    @property
    def shared(self) -> Sequence[str]:
        """Names of its points that are pinned to points of the same name."""
        return ()

    def place(self, name: str) -> PlaceCoordinates | None:
        """Return the place with a name, or None."""
        return self.points.get(name)

    def known_places(self) -> str:
        """Describe the names of its places, for messages."""
        return f"one of its points ({', '.join(self.points) or 'none'})"

    def examples(self) -> str:
        """Examples of its places, for the message if a user names the part alone."""
        return " or ".join(f"{self.name}.{point}" for point in list(self.points)[:2])

    def name_of(self, local: PlaceCoordinates) -> str | None:
        """Return the name of a place, if it has one."""
        names = (name for name, at in self.points.items() if np.allclose(at, local, rtol=0.0, atol=1e-12))
        return next(names, None)

    def at(self, local: PlaceCoordinates) -> PlacedMarker:
        """Return the marker of a place in terms of coordinates. All properties of places follow from it."""
        return PlacedMarker(self.family, self.index, local)

    def offers(self, kind: Any, local: PlaceCoordinates) -> bool:
        """True if an attachment of this kind can use the place."""
        return type(kind) in self.at(local).family.markers

    def marker(
        self, declaration: type[Declaration], kind: Any, local: PlaceCoordinates
    ) -> tuple[type[Family], Array, Sequence[float]]:
        """Return family, coordinates in the tables and local parameters of an attachment of a declaration."""
        family, index, numbers = self.at(local)
        marker = find_marker_kind(declaration, kind, family)
        return family, index[list(marker.coordinates)], numbers[: len(marker.parameters)]

    # numbers ---------------------------------------------------------------------------------------------------------

    @property
    def carriers(self) -> Sequence[Part]:
        """Other parts that some of its places move with; these places depend on their coordinates, too."""
        return ()

    @property
    def held_by(self) -> Sequence[str]:
        """Names of the parts that it is fixed to without a joint, including the ground."""
        return ()

    def drawn_values(self, index: Array) -> Array:
        """Return the coordinates of its places in the drawn pose. index: in the tables; those of the ground are zero."""
        values = np.zeros(len(index))
        for part in (self, *self.carriers):
            own = index - part.index[0]
            mine = (index != GROUND) & (own >= 0) & (own < len(part.drawn))
            values[mine] = part.drawn[own[mine]]
        return values

    def marker_drawn(self, local: PlaceCoordinates) -> Any:
        """Return the marker of a place in the drawn pose."""
        family, index, numbers = self.at(local)
        marker = numeric_marker(family, self.drawn_values(index).tolist(), numbers)
        return DrawnMarker(marker.position, marker.angle) if family.dimension == 2 else marker

    def position(self, q: Array, local: PlaceCoordinates) -> Array:
        """Return the position of a place, (..., dimension), m, in poses q (..., n + 1)."""
        family, index, numbers = self.at(local)
        if family.marking is None:
            start, block = linear_position(family, numbers)
            return start + q[..., index] @ block.T
        marker = numeric_marker(family, np.moveaxis(q[..., index], -1, 0), numbers)
        return np.stack(np.broadcast_arrays(*marker.position), axis=-1)

    def motion_at(self, motion: Any, local: PlaceCoordinates) -> tuple[Array, Array, Array]:
        """Return position, velocity and acceleration of a place along a motion, each (n_times, dimension), in m and s."""
        index, rows = self.velocity_at(local)
        block = rows(np.zeros(index.size))
        return self.position(motion.q, local), motion.v[:, index] @ block.T, motion.a[:, index] @ block.T

    def velocity_at(self, local: PlaceCoordinates) -> tuple[Array, Callable[[Array], Array]]:
        """Return the velocity of a place as rows times the rates of some coordinates: the indices of these, and a function
        from their values to the rows."""
        family, index, numbers = self.at(local)
        _, block = linear_position(family, numbers)
        used = np.flatnonzero(block.any(axis=0) & (index != GROUND))
        return index[used], lambda pose: block[:, used]

    def wanted(self, label: str, local: PlaceCoordinates, value: Sequence[float]) -> RequestedVelocity:
        """Request a velocity of a place, m/s."""
        return RequestedVelocity(label, *self.velocity_at(local), tuple(value))

    @property
    def length(self) -> float:
        """Approximate largest distance between two of its places, m."""
        return 0.0

    def extent(self) -> float:
        """Reach of the part from its middle, m."""
        return self.length / 2

    def drawn_places(self) -> list[Any]:
        """Some of its places in the drawn pose, m, used for the size of the mechanism."""
        return [] if self.centre is None else [self.marker_drawn(self.centre).position]

    # strain, of flexible parts ---------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """Quadratic form of small displacements that vanishes for rigid motions, of order 1: for elements of each size their
        coordinates, (elements, k), and their matrices, (elements, k, k)."""
        raise NotImplementedError

    def strain(self, q: Array) -> PartStrain:
        """Return its strain in a pose, relative to its unstressed shape."""
        raise NotImplementedError

    def is_prestressed_on_purpose(self, q: Array) -> bool:
        """True if a strained start pose is intentional (requested by the model)."""
        return False

    def inadmissible_strain(self, q: Array) -> InadmissiblePose | None:
        """Description of the error if the part exceeds its admissible strain in a start pose, else None."""
        return None

    def piece(self) -> RigidPiece | None:
        """Return its rigid piece for closing joints, or None if it moves by its own coordinates."""
        return None

    def following(self) -> DependentCoordinates | None:
        """Return its coordinates as functions of the parts that it is tied to while joints are closed, or None if it is not
        tied."""
        return None

    def held(self) -> list[MechanismElement]:
        """Constraints that, on request, keep the part from relaxing fully before the start."""
        return []

    # memory ----------------------------------------------------------------------------------------------------------

    remembers: ClassVar[bool] = False
    """True if its forces depend on the history."""

    def begin(self, q: Array, t: float) -> None:
        """Start an analysis in a pose; the history contains only this pose."""

    def restart(self) -> None:
        """Reset the history to the pose of the last `begin`, so that results can replay the motion."""

    def remember(self, q: Array, t: float) -> None:
        """Record the end of an accepted step in a pose."""

    def prepare_motion(self, motion: Any) -> None:
        """Prepare for the evaluation of poses of this motion."""

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[PartOutput]:
        """Outputs of the part as a whole; default: the motion of its centre."""
        if self.centre is not None:
            yield from self.outputs_at(self.centre)

    def more_outputs(self) -> Iterator[PartOutput]:
        """Further outputs, too many to list, created on demand. Their names are those of the kind of part."""
        return iter(())

    def outputs_at(self, local: PlaceCoordinates, prefix: str = "", where: str = "") -> Iterator[PartOutput]:
        """Outputs of a place: position, velocity and acceleration."""
        for quantity, (unit, text, value) in POINT_OUTPUTS[self.family.dimension].items():
            along = lambda motion, value=value: value(*self.motion_at(motion, local))  # noqa: E731 (one for each value)
            yield PartOutput(prefix + quantity, unit, where + text, along)

    def outward(self, q: Array, index: Array) -> Array | None:
        """Unit vector out of the end of the part at the marker on these coordinates, in the pose q (n + 1); None if it has no
        end there."""
        return None

    def deforming(self, motion: Any) -> DeformedMesh:
        """Return the deformed mesh of a meshed part along a motion."""
        raise NotImplementedError

    def outline(self, q: Array, size: float) -> Iterator[PartOutline]:
        """Outlines in poses q (n_times, n + 1); default: a small square about its centre. size: of the mechanism, m."""
        if self.centre is not None and self.family.dimension == 2:
            corners = MARK_HALF_SIDE_RATIO * size * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
            yield PartOutline("body", self.position(q, self.centre)[:, None] + corners, True)


class DependentCoordinates(NamedTuple):
    """Flexible part that follows others: its coordinates are constant + sum of values times coordinates. row: own coordinate
    that each value belongs to; column: coordinates of the others in the tables."""

    constant: Array
    row: Array
    column: Array
    value: Array


class RigidPiece:
    """Flexible part as one rigid piece with a few freedoms z. scale: typical changes of these, from the size of the
    mechanism."""

    def scale(self, size: float) -> Array:
        raise NotImplementedError

    def moved(self, values: Array, step: Array) -> Array:
        """Return the coordinates of the part after a step in z from the piece that is closest to `values`."""
        raise NotImplementedError

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        """Return d coordinates / dz as rows (of the part's own coordinates), columns and values."""
        raise NotImplementedError
