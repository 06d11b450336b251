"""A mechanism ready for analysis: its tables, the names behind their rows and columns, and its drawn pose."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.physics.declare import Constraint, Family, Force
from gaitwright.system.assemble import scaled_weight
from gaitwright.system.blocks import Block, Contact, Element
from gaitwright.system.brace import Rod, rods
from gaitwright.system.build import build, row_positions
from gaitwright.system.contact_tables import contact_order
from gaitwright.system.element_matrices import ElementMatrices
from gaitwright.system.parts.base import Part, WantedVelocity
from gaitwright.system.parts.beam import BeamPart
from gaitwright.system.parts.body import Body
from gaitwright.system.parts.spatial_beam import SpatialBeamPart
from gaitwright.system.pieces import Pieces
from gaitwright.system.quantity import Quantity
from gaitwright.system.signals import evaluate_program
from gaitwright.system.solids.skin import Skin
from gaitwright.system.tables import Array, System

TURN = 2.0 * np.pi
CLOSED_GAP = 1e-13
"""Gaps of contacts below this, relative to the size of the mechanism, count as closed: rounding of positions."""
STIFF, CALM = 1e4, 1e8
"""How much more a strain counts than a rigid motion of the same size when joints are closed, and a strain rate than a
velocity at the start."""


@dataclass(frozen=True)
class ConstraintNames:
    """A joint or a drive: its rows as they were given, what they are called, and the bodies it connects."""

    name: str
    kind: str  # joint, drive, or body for its rigidity
    type: str
    declaration: type[Constraint]
    rows: Array
    bodies: tuple[str, ...]

    @property
    def labels(self) -> list[tuple[str, str]]:
        """What each of the rows is called, and the unit of its residual; a block of elements has those of one many times."""
        each = [(what, unit) for what, (_, unit) in self.declaration.rows.items()]
        return each * (self.rows.size // len(each))


@dataclass(frozen=True)
class ForceNames:
    """A force, or a block of forces that has one name: the weight of a body, the elasticity of a beam."""

    name: str
    type: str
    declaration: type[Force]
    place: int  # in Mechanism.forces
    bodies: tuple[str, ...]
    element: Element | Block


@dataclass(frozen=True)
class ContactNames:
    """A contact as it was given: several pieces (of the contacts in Mechanism.contacts, counted one by one) when its surface
    has corners, or when it is that of a region of a solid. entry: the first of its entries there."""

    name: str
    law: str  # type of the law, or empty
    pieces: tuple[int, ...]
    bodies: tuple[str, str]  # who carries the surface, and who touches it
    outline: Array  # of the surface, for pictures: (n, 2) in the frame of its body, walked with the solid on the right
    radius: float  # of the circle that touches, m; 0 for a point
    place: tuple[
        float, ...
    ]  # of the point that touches, or of the centre of the circle or sphere, as its part counts it
    fastest: float | None = None
    """Approach speed, m/s, up to which the law holds, if the material is known (paper 003, below Eq 3.9)."""
    whole: str = ""
    """The contact along a beam that this one is a part of, if any."""
    entry: int = 0
    skin: Skin | None = None
    """The points of the surface of a solid, if that is what touches."""


@dataclass
class Mechanism:
    """What an analysis works on. parts: whatever has coordinates, in their order. ground: the body that stands still.
    `redundant` lists rows of Phi, as given, that follow from the others."""

    name: str
    n: int
    parts: dict[str, Part]
    ground: Body
    mass: tuple[Array, Array, Array]
    constraints: list[Element | Block]
    forces: list[Element | Block]
    signals: list[Any]
    size: float  # typical length, m
    scale: Array
    drawn: Array
    wanted: list[WantedVelocity]
    constraint_names: list[ConstraintNames]
    force_names: list[ForceNames]
    gravity: tuple[float, ...] = (0.0, 0.0)
    contacts: list[Contact] = field(default_factory=list)
    contact_names: list[ContactNames] = field(default_factory=list)
    redundant: list[int] = field(default_factory=list)
    braced: list[tuple[int, float]] = field(default_factory=list)
    """Rows of Phi, as given, that take part in the mass matrix, and by how much: see system/brace.py."""
    warnings: list[str] = field(default_factory=list)
    quantities: list[Quantity] = field(default_factory=list)
    """Outputs that the model defines from others."""
    system: System = field(init=False)

    def __post_init__(self) -> None:
        self.rebuild([])

    def rebuild(self, redundant: list[int]) -> None:
        """Put the elements into tables, leaving the given rows of Phi out of the solution."""
        self.redundant = sorted(redundant)
        self.system = build(
            self.n, self.mass, self.constraints, self.forces, self.signals, self.redundant, self.contacts,
            CLOSED_GAP * self.size, self.nature(),
            self.braced, [(rod.row, rod.axis, rod.weight) for rod in self.rods()],
        )  # fmt: skip
        self.contact_place: Array = contact_order(self.contacts)
        self.row_position: Array = row_positions(self.system.m_all, self.redundant)
        powers = zip(self.system.power_force.tolist(), self.system.power_kind.tolist(), strict=True)
        self.power_column: dict[tuple[Any, Any], int] = {
            power: k for k, power in enumerate(powers, self.system.drive_rows.size)
        }
        """By place of a force and kind of power (tables.DISSIPATED, LOADED): its column among the powers and works."""

    def drawn_at(self, t: float) -> Array:
        """The drawn pose, with the angles of driven bodies counted in the turns of their drives at time t: a link drawn
        at -pi/2 meets a drive at 3 pi/2, and one at rest meets a drive that has run for an hour."""
        q = self.drawn.copy()
        pairs = zip(self.constraints, self.constraint_names, strict=True)
        turned: list[Any] = [(e, names, names.declaration.turns) for e, names in pairs if names.declaration.turns]
        for element, names, (reference, body) in turned * len(turned):  # a reference may itself be driven, in any order
            angle = float(evaluate_program(self.signals[element.signals[0]], t)[0])
            if reference is not None:
                angle += q[self.turn_of(names.bodies[reference])]
            place = self.turn_of(names.bodies[body])
            if place >= 0 and np.isfinite(angle):
                q[place] += TURN * np.round((angle - q[place]) / TURN)
        return q

    def turn_of(self, name: str) -> int:
        """The coordinate that counts the turns of a part; -1, which is zero in every pose, if it has none."""
        part = self.part(name)
        return -1 if part.turns is None else int(part.index[part.turns])

    def contact_of(self, names: ContactNames) -> Contact:
        """What is in the tables for a contact, of several pieces the first."""
        return self.contacts[names.entry]

    def part(self, name: str) -> Part:
        """A part, or the ground."""
        return self.ground if name == "ground" else self.parts[name]

    @functools.cached_property
    def body_names(self) -> dict[str, Body]:
        """The rigid bodies among the parts."""
        return {name: part for name, part in self.parts.items() if isinstance(part, Body)}

    @functools.cached_property
    def beams(self) -> dict[str, BeamPart | SpatialBeamPart]:
        """The beams among the parts, for what is about beams alone: sections, `run.beam(...)`."""
        return {name: part for name, part in self.parts.items() if isinstance(part, BeamPart | SpatialBeamPart)}

    @functools.cached_property
    def flexible(self) -> list[Part]:
        """The parts that can be strained."""
        return [part for part in self.parts.values() if part.flexible]

    @property
    def colour(self) -> str | None:
        """The quantity that colours its pictures, unless another is asked for."""
        return next((part.colour for part in self.parts.values() if part.colour), None)

    @property
    def ground_points(self) -> Mapping[str, tuple[float, ...]]:
        return self.ground.points

    @property
    def family(self) -> type[Family]:
        """Of rigid bodies and the ground."""
        return self.ground.family

    def nature(self) -> Array:
        """What each coordinate is, see System."""
        nature = np.zeros(self.n, dtype=np.int64)
        for part in self.parts.values():
            nature[part.index] = part.natures()
        return nature

    def strain_form(self, q: Array, sizes: Sequence[float]) -> tuple[Array, Array, Array]:
        """What keeps flexible parts in shape, times a size for each: rows, columns and values, with the whole diagonal."""
        found = [
            (elements, size * form)
            for part, size in zip(self.flexible, sizes, strict=True)
            for elements, form in part.strain_form(q)
        ]
        places = ElementMatrices(np.arange(self.n), [elements for elements, _ in found])
        forms = [form for _, form in found]
        return places.row, places.col, places.summed(np.zeros(self.n), forms)

    def closing(self, q: Array) -> tuple[System, Array]:
        """The system for closing joints from the pose q, and how much changes of it count: coordinates in their scale, and
        strains far more, so that a flexible part is moved before it is bent."""
        s = self.system
        if not self.flexible:
            return s, scaled_weight(s, self.scale)
        row, col, form = self.strain_form(q, [STIFF] * len(self.flexible))
        start = np.searchsorted(row, np.arange(self.n + 1))
        s = s.replaced(mass_start=start, mass_row=row, mass_col=col, mass=np.zeros(row.size))
        return s, scaled_weight(s, self.scale) + form

    def pieces(self) -> Pieces:
        """How joints are closed with flexible parts as rigid pieces."""
        return Pieces(self.system, self.flexible, self.scale, self.size)

    def calm(self, q: Array) -> tuple[Array, Array, Array]:
        """What start velocities avoid besides kinetic energy: strain rates."""
        return self.strain_form(q, [CALM * part.mass * (2.0 * part.extent()) ** 2 for part in self.flexible])

    def joints_only(self) -> System:
        """The same mechanism without drives."""
        joints = [e for e, names in zip(self.constraints, self.constraint_names, strict=True) if names.kind != "drive"]
        return build(self.n, self.mass, joints, self.forces, self.signals)

    def constraint_of_row(self, row: int) -> ConstraintNames:
        """The joint or drive behind a row of the system (rows are sorted: independent ones first)."""
        given = int(np.flatnonzero(self.row_position == row)[0])
        return next(names for names in self.constraint_names if given in names.rows)

    def body_of(self, coordinate: int) -> str:
        """The kind and name of the body that a coordinate belongs to."""
        found = (part for part in self.parts.values() if coordinate in part.index)
        return next((f"{part.kind} '{part.name}'" for part in found), "the mechanism")

    @property
    def dimension(self) -> int:
        return self.family.dimension

    def rods(self) -> list[Rod]:
        """Bodies that turn about an axis without inertia, in the order of the system."""
        return rods(self.braced, self.constraints, self.parts.values())

    @property
    def degrees_of_freedom(self) -> int:
        return self.system.n - self.system.m

    def attached(self) -> Iterator[tuple[ConstraintNames, Element]]:
        """Joints, drives and what else holds as a single element."""
        pairs = zip(self.constraint_names, self.constraints, strict=True)
        return ((names, element) for names, element in pairs if isinstance(element, Element))

    def acting(self) -> Iterator[tuple[ForceNames, Element]]:
        """Forces that are single elements, such as springs."""
        return ((names, names.element) for names in self.force_names if isinstance(names.element, Element))

    def undefined_signal(self, start: float, end: float) -> str:
        """A drive, load or surface whose function of time is not finite somewhere between two times, s; empty if none."""
        times = np.linspace(start, end, 50)
        named = [(names, element) for names, element in zip(self.constraint_names, self.constraints, strict=True)]
        named = [(f"{names.kind} '{names.name}'", element) for names, element in named]
        named += [(f"force '{names.name}'", names.element) for names in self.force_names]
        for names in self.contact_names:
            named += [(f"the surface of contact '{names.name}'", self.contact_of(names).geometry)]
        for label, element in named:
            for k in element.signals:
                if not np.all(np.isfinite(evaluate_program(self.signals[k], times))):
                    return label + self.given_ranges([k])
        return ""

    def given_ranges(self, signals: Sequence[int]) -> str:
        """From where to where the series are given that some functions of time use, for the end of a message."""
        used = dict.fromkeys(spline for k in signals for spline in self.signals[k].splines if not spline.period)
        return "".join(f" (the series '{s.name}' is given from {s.start:.6g} to {s.end:.6g})" for s in used)
