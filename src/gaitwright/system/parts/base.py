"""What every part states: the contract between a kind of part and the rest of the program.

Whatever has coordinates is a part: a rigid body of the plane or of space, a beam, a counter, and what others add. Model,
tables, analyses, results and pictures ask the part; none of them asks what kind it is. A kind of part says

    coordinates   family, index, drawn, names, natures, scale: which they are, and what changes of them count
    mass          mass, mass_entries: constant
    own elements  conditions, forces: what comes with the part, from rigidity to weight; many of a kind as one block
    places        points, place, centre, at: what can be attached where, and which marker stands there
    numbers       all follow from `at`: marker_drawn, position, motion_at, velocity_at
    results       outputs, more_outputs, outline: what is computed and drawn of it

A place of a part is a tuple of numbers that the part alone understands: coordinates in the frame of a body, the arc length
of a beam. Defaults fit a part whose markers are linear in its coordinates (Family.components): see the particle in
tests/system/parts/test_own_part.py, which is all that it takes to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gaitwright.physics.bodies.still import marker_of
from gaitwright.physics.declare import Centre, Declaration, Family, Force
from gaitwright.system.blocks import Block, Element
from gaitwright.system.parts.places import DrawnMarker, Local, Marked, linear_place, numeric
from gaitwright.system.parts.quantities import POINT_OF
from gaitwright.system.tables import GROUND, RIGID, Array

NOWHERE = np.zeros(0, dtype=np.int64)
MARK = 0.03
"""Half the side, in sizes of the mechanism, of the square that a part without an outline is drawn as."""


class OutputOf(NamedTuple):
    """What results show of a part: `part.name`. values: of a motion (t, q, v, a), one per time."""

    name: str
    unit: str
    text: str
    values: Callable[[Any], Array]


class Outline(NamedTuple):
    """A line of a picture. points: (n_times, n_points, dimension), m. kind: how it is painted, see report/scene.py."""

    kind: str
    points: Array
    closed: bool = False


class Deformed(NamedTuple):
    """A mesh along a motion. points: (n_times, nodes, dimension), m. fields: name, unit and values (n_times, nodes) of each."""

    mesh: Any
    points: Array
    fields: Sequence[tuple[str, str, Array]]
    free: bool
    """Whether nothing holds it, so that it may travel."""


@dataclass(frozen=True)
class Strain:
    """Of a part in a pose: the largest strain at a surface (along the axis of a beam whose height is not known), and stress,
    Pa, if the material is known."""

    strain: float
    stress: float | None

    def __str__(self) -> str:
        stress = "" if self.stress is None else f" ({self.stress / 1e6:.3g} MPa)"
        return f"{100.0 * self.strain:.3g} %{stress}"


class Misfit(NamedTuple):
    """Why a part cannot start in a pose, and what to do about it."""

    problem: str
    suggestion: str


class Spans(NamedTuple):
    """Elements of a part that loads along it act on. coordinates: (elements, k). length: (elements,), m, unstressed."""

    family: type[Family]
    coordinates: Array
    length: Array


@dataclass(frozen=True)
class WantedVelocity:
    """A start velocity that was asked for: rows(q of its coordinates) times their rates is to be `value`, which may depend on
    q, too. Rows with one number each are those of a diagonal matrix."""

    label: str
    index: Array
    rows: Callable[[Array], Array]
    value: tuple[float, ...] | Callable[[Array], Array]


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """See above. drawn: its coordinates in the drawn pose. mass: kg. points: its named places. index: where its coordinates
    are in the tables; those of the ground are -1."""

    name: str
    kind: str
    family: type[Family]
    drawn: Array
    mass: float = 0.0
    points: Mapping[str, Any] = field(default_factory=dict)
    index: Array = field(default_factory=lambda: NOWHERE)

    rigid: ClassVar[bool] = False
    """Whether it is one frame: it has an orientation as a whole, and can carry surfaces."""
    flexible: ClassVar[bool] = False
    """Whether it can be strained: it then has `strain_form` and `piece`."""
    meshed: ClassVar[bool] = False
    """Whether it is drawn as a mesh whose nodes move (`deforming`) instead of by outlines."""
    turns: ClassVar[int | None] = None
    """Which of its coordinates is an angle that counts full turns."""
    place_word: ClassVar[str] = "point"
    colour: ClassVar[str] = ""
    """The quantity that colours it in pictures, unless another is asked for; empty: none does."""
    telling: ClassVar[Sequence[str]] = ()
    """Those of its outputs that are shown below an animation, unless others are asked for."""

    # coordinates -----------------------------------------------------------------------------------------------------

    def placed(self, first: int) -> Self:
        """The same with its coordinates from `first` on."""
        return replace(self, index=first + np.arange(len(self.drawn)))

    def coordinates(self) -> list[tuple[str, str]]:
        """Name and unit of each, such as crank.angle and rad."""
        return [(f"{self.name}.{x}", unit) for x, unit in zip(self.family.coordinates, self.family.units, strict=True)]

    def natures(self) -> Array:
        """What each is, see tables.System."""
        return np.full(len(self.drawn), RIGID)

    def scale(self, size: float) -> Array:
        """Typical changes of each. size: m, of the mechanism."""
        return np.array([size if unit == "m" else 1.0 for _, unit in self.coordinates()])

    def translation(self, axis: int) -> Array:
        """Rates of the coordinates with which the whole part moves at 1 m/s along an axis."""
        named = [name.rpartition(".")[2] == "xyz"[axis] for name, _ in self.coordinates()]
        return np.array(named, dtype=float)

    # mass and elements of its own ------------------------------------------------------------------------------------

    def mass_entries(self) -> tuple[Array, Array, Array]:
        """Rows, columns (in the tables) and values of the mass matrix: that of a particle unless given."""
        moved = np.array([unit == "m" and self.mass > 0.0 for _, unit in self.coordinates()])
        return self.index[moved], self.index[moved], np.full(int(moved.sum()), self.mass)

    def conditions(self) -> list[tuple[Element | Block, float]]:
        """What its coordinates have to satisfy by themselves, each with the weight of its brace (system/brace.py)."""
        return []

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        """What acts on it without being asked for, with the name of each: its weight, its elasticity. What it has many of is
        a block: arrays with a row for each."""
        if not any(gravity) or self.mass == 0.0 or Centre not in self.family.markers:
            return []
        weight = Force.registry[self.family.dimension]["gravity"]
        local = () if self.centre is None else self.centre
        return [(f"{self.name}.weight", self.element(weight, local, [self.mass, *gravity]))]

    def element(self, declaration: type[Declaration], local: Local, numbers: Sequence[float]) -> Element:
        """An element on this part alone."""
        (kind,) = declaration.attachments.values()
        family, index, parameters = self.marker(declaration, kind, local)
        return Element(declaration, (family,), (index,), [*parameters, *numbers], [])

    def spans(self) -> Spans | None:
        """Its elements, for loads along the whole of it; none unless given."""
        return None

    # places ----------------------------------------------------------------------------------------------------------

    @property
    def centre(self) -> Local | None:
        """The place that the part itself stands for, where a point is asked for; None if there is none."""
        return ()

    @property
    def shared(self) -> Sequence[str]:
        """Those of its points that are pinned to points of the same name."""
        return ()

    def place(self, name: str) -> Local | None:
        """The place with a name, if there is one."""
        return self.points.get(name)

    def known_places(self) -> str:
        """The names of places, for messages."""
        return f"one of its points ({', '.join(self.points) or 'none'})"

    def examples(self) -> str:
        """Some of them, for a message to who named the part alone."""
        return " or ".join(f"{self.name}.{point}" for point in list(self.points)[:2])

    def name_of(self, local: Local) -> str | None:
        """The name of a place, if it has one."""
        near = (name for name, at in self.points.items() if np.allclose(at, local, rtol=0.0, atol=1e-12))
        return next(near, None)

    def at(self, local: Local) -> Marked:
        """What a place is in terms of coordinates. All that is known of places follows from it."""
        return Marked(self.family, self.index, local)

    def offers(self, kind: Any, local: Local) -> bool:
        """Whether there is something at a place that an attachment of this kind can hold on to."""
        return type(kind) in self.at(local).family.markers

    def marker(
        self, declaration: type[Declaration], kind: Any, local: Local
    ) -> tuple[type[Family], Array, Sequence[float]]:
        """Family, coordinates in the tables and local parameters of an attachment of a declaration."""
        family, index, numbers = self.at(local)
        marker = marker_of(declaration, kind, family)
        return family, index[list(marker.coordinates)], numbers[: len(marker.parameters)]

    # numbers ---------------------------------------------------------------------------------------------------------

    @property
    def carriers(self) -> Sequence[Part]:
        """Other parts that some of its places move with, so that they are made of their coordinates, too."""
        return ()

    @property
    def held_by(self) -> Sequence[str]:
        """Names of what it is fixed to without a joint, the ground among them."""
        return ()

    def drawn_values(self, index: Array) -> Array:
        """Coordinates of its places in the drawn pose. index: in the tables; those of the ground are zero."""
        found = np.zeros(len(index))
        for part in (self, *self.carriers):
            own = index - part.index[0]
            mine = (index != GROUND) & (own >= 0) & (own < len(part.drawn))
            found[mine] = part.drawn[own[mine]]
        return found

    def marker_drawn(self, local: Local) -> Any:
        """A place in the drawn pose."""
        family, index, numbers = self.at(local)
        marker = numeric(family, self.drawn_values(index).tolist(), numbers)
        return DrawnMarker(marker.position, marker.angle) if family.dimension == 2 else marker

    def position(self, q: Array, local: Local) -> Array:
        """Where a place is, (..., dimension), m, in poses q (..., n + 1)."""
        family, index, numbers = self.at(local)
        if family.marking is None:
            start, block = linear_place(family, numbers)
            return start + q[..., index] @ block.T
        marker = numeric(family, np.moveaxis(q[..., index], -1, 0), numbers)
        return np.stack(np.broadcast_arrays(*marker.position), axis=-1)

    def motion_at(self, motion: Any, local: Local) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of a place along a motion, each (n_times, dimension)."""
        index, rows = self.velocity_at(local)
        block = rows(np.zeros(index.size))
        return self.position(motion.q, local), motion.v[:, index] @ block.T, motion.a[:, index] @ block.T

    def velocity_at(self, local: Local) -> tuple[Array, Callable[[Array], Array]]:
        """The velocity of a place as rows times the rates of some coordinates: these, and the rows by their values."""
        family, index, numbers = self.at(local)
        _, block = linear_place(family, numbers)
        used = np.flatnonzero(block.any(axis=0) & (index != GROUND))
        return index[used], lambda pose: block[:, used]

    def wanted(self, label: str, local: Local, value: Sequence[float]) -> WantedVelocity:
        """The wish for a velocity of a place, m/s."""
        return WantedVelocity(label, *self.velocity_at(local), tuple(value))

    @property
    def length(self) -> float:
        """The largest distance of two places of it, about, m."""
        return 0.0

    def extent(self) -> float:
        """How far it reaches from its middle, m."""
        return self.length / 2

    def drawn_places(self) -> list[Any]:
        """Some places of it in the drawn pose, m, that tell how far the mechanism reaches."""
        return [] if self.centre is None else [self.marker_drawn(self.centre).position]

    # strain, of flexible parts ---------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """A quadratic form of small displacements that no rigid motion changes, 1: for elements of each size their coordinates,
        (elements, k), and their matrices, (elements, k, k)."""
        raise NotImplementedError

    def strain(self, q: Array) -> Strain:
        """How much it is strained in a pose, against its unstressed shape."""
        raise NotImplementedError

    def meant(self, q: Array) -> bool:
        """Whether it is strained in a start pose by wish."""
        return False

    def misfit(self, q: Array) -> Misfit | None:
        """What is wrong with a start pose in which it is strained more than it can be."""
        return None

    def piece(self) -> Piece | None:
        """How it moves as one rigid piece while joints are closed; None: by its own coordinates."""
        return None

    def following(self) -> Following | None:
        """How it goes along with the parts that it is tied to while joints are closed; None: it is not."""
        return None

    def held(self) -> list[Element]:
        """What keeps the part from relaxing as far as it could before the start, by wish."""
        return []

    # memory ----------------------------------------------------------------------------------------------------------

    remembers: ClassVar[bool] = False
    """Whether its forces depend on what was before."""

    def begin(self, q: Array, t: float) -> None:
        """An analysis begins in a pose: nothing is remembered but that."""

    def begin_again(self) -> None:
        """In the pose of the last begin: results look at the motion from there."""

    def remember(self, q: Array, t: float) -> None:
        """A step has ended in a pose."""

    def look_along(self, motion: Any) -> None:
        """Poses of this motion will be asked for."""

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[OutputOf]:
        """What results show of the part as a whole: the motion of its centre unless given."""
        if self.centre is not None:
            yield from self.outputs_at(self.centre)

    def more_outputs(self) -> Iterator[OutputOf]:
        """The same, for what there is too much of to list: made when asked for. The names are those of the kind of part."""
        return iter(())

    def outputs_at(self, local: Local, prefix: str = "", where: str = "") -> Iterator[OutputOf]:
        """Position, velocity and acceleration of a place."""
        for what, (unit, text, value) in POINT_OF[self.family.dimension].items():
            along = lambda motion, value=value: value(*self.motion_at(motion, local))  # noqa: E731 (one for each value)
            yield OutputOf(prefix + what, unit, where + text, along)

    def outward(self, q: Array, index: Array) -> Array | None:
        """Where the part ends at the marker on these coordinates: the unit vector out of it in the pose q (n + 1)."""
        return None

    def deforming(self, motion: Any) -> Deformed:
        """Of a part that is meshed: what it looks like along a motion."""
        raise NotImplementedError

    def outline(self, q: Array, size: float) -> Iterator[Outline]:
        """What it looks like in poses q (n_times, n + 1): a small square about its centre unless given. size: m, of the
        mechanism."""
        if self.centre is not None and self.family.dimension == 2:
            corners = MARK * size * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
            yield Outline("body", self.position(q, self.centre)[:, None] + corners, True)


class Following(NamedTuple):
    """A flexible part that goes where others go: its coordinates are constant + sum of values times coordinates. row: which of
    its own each value belongs to; column: coordinates of the others in the tables."""

    constant: Array
    row: Array
    column: Array
    value: Array


class Piece:
    """A flexible part as one rigid piece with a few freedoms z. scale: typical changes of these, by the size of the
    mechanism."""

    def scale(self, size: float) -> Array:
        raise NotImplementedError

    def moved(self, values: Array, step: Array) -> Array:
        """The coordinates of the part after a step in z from where the piece comes closest to `values`."""
        raise NotImplementedError

    def rates(self, values: Array) -> tuple[Array, Array, Array]:
        """d coordinates / dz as rows (of the part's own coordinates), columns and values."""
        raise NotImplementedError
