"""A mechanism ready for analysis: its tables, the names behind their rows and columns, and its drawn pose."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import Constraint, Family, Force
from gaitwright.system.assemble import scaled_weight
from gaitwright.system.beam_tables import CALM, STIFF, BeamNames, ElementMatrices, strain_form
from gaitwright.system.brace import Rod, rods
from gaitwright.system.contact_tables import contact_order
from gaitwright.system.pieces import Pieces
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import (
    BEAM_POSITION,
    BEAM_SLOPE,
    RIGID,
    Array,
    Contact,
    Element,
    System,
    build,
    row_positions,
)

TURN = 2.0 * np.pi
CLOSED_GAP = 1e-13
"""Gaps of contacts below this, relative to the size of the mechanism, count as closed: rounding of positions."""


@dataclass(frozen=True)
class BodyNames:
    """Where a body is in the tables. `index`: its coordinates, those of its family; points in its own frame."""

    name: str
    kind: str  # link or body
    index: Array
    mass: float
    inertia: Any  # about the centre of mass: a number in the plane, (3, 3) in the body frame in space
    points: dict[str, tuple[float, ...]]
    family: type[Family] = Planar
    centre: tuple[float, ...] = (0.0, 0.0)  # centre of mass in the body frame
    shapes: tuple[Any, ...] = ()  # what it looks like, if it is said: entries of a document with numbers


@dataclass(frozen=True)
class ConstraintNames:
    """A joint or a drive: its rows as they were given, what they are called, and the bodies it connects."""

    name: str
    kind: str  # joint, drive, or body for its rigidity
    type: str
    declaration: type[Constraint]
    rows: Array
    bodies: tuple[str, ...]


@dataclass(frozen=True)
class ForceNames:
    name: str
    type: str
    declaration: type[Force]
    place: int  # in the energy table
    bodies: tuple[str, ...]
    element: Element


@dataclass(frozen=True)
class ContactNames:
    """A contact as it was given: several pieces (entries of Mechanism.contacts) when its surface has corners."""

    name: str
    law: str  # type of the law, or empty
    pieces: tuple[int, ...]
    bodies: tuple[str, str]  # who carries the surface, and who touches it
    outline: Array  # of the surface, for pictures: (n, 2) in the frame of its body, walked with the solid on the right
    radius: float  # of the circle that touches, m; 0 for a point
    fastest: float | None = None
    """Approach speed, m/s, up to which the law holds, if the material is known (paper 003, below Eq 3.9)."""
    whole: str = ""
    """The contact along a beam that this one is a part of, if any."""


@dataclass(frozen=True)
class WantedVelocity:
    """A start velocity that was asked for: of a point of a body (local coordinates given) or of coordinates themselves."""

    label: str
    index: Array
    local: tuple[float, ...] | None
    value: tuple[float, ...]
    of: str = "coordinates"
    """coordinates, or what is linear in the velocities of a body: point, spatial point, spatial spin."""


@dataclass
class Mechanism:
    """What an analysis works on. `redundant` lists rows of Phi, as given, that follow from the others."""

    name: str
    n: int
    mass: tuple[Array, Array, Array]
    constraints: list[Element]
    forces: list[Element]
    signals: list[Any]
    size: float  # typical length, m
    scale: Array
    drawn: Array
    wanted: list[WantedVelocity]
    body_names: dict[str, BodyNames]
    constraint_names: list[ConstraintNames]
    force_names: list[ForceNames]
    ground_points: dict[str, tuple[float, ...]]
    family: type[Family] = Planar  # of rigid bodies and the ground
    gravity: tuple[float, ...] = (0.0, 0.0)
    beams: dict[str, BeamNames] = field(default_factory=dict)
    contacts: list[Contact] = field(default_factory=list)
    contact_names: list[ContactNames] = field(default_factory=list)
    redundant: list[int] = field(default_factory=list)
    braced: list[tuple[int, float]] = field(default_factory=list)
    """Rows of Phi, as given, that take part in the mass matrix, and by how much: see system/brace.py."""
    ground_shapes: tuple[Any, ...] = ()  # what the ground looks like, as BodyNames.shapes
    counters: dict[str, int] = field(default_factory=dict)
    """Coordinates without mass that count how far joints have moved, by name: see physics/bodies/counter.py."""
    warnings: list[str] = field(default_factory=list)
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
        self.contact_place = contact_order(self.contacts)
        self.row_position = row_positions(self.system.m_all, self.redundant)

    def drawn_at(self, t: float) -> Array:
        """The drawn pose, with the angles of driven bodies counted in the turns of their drives at time t: a link drawn
        at -pi/2 meets a drive at 3 pi/2, and one at rest meets a drive that has run for an hour."""
        q = self.drawn.copy()
        pairs = zip(self.constraints, self.constraint_names, strict=True)
        turned: list[Any] = [(e, names, names.declaration.turns) for e, names in pairs if names.declaration.turns]
        for element, names, (reference, body) in turned * len(turned):  # a reference may itself be driven, in any order
            angle = float(evaluate_program(self.signals[element.signals[0]], t)[0])
            if reference is not None and names.bodies[reference] in self.body_names:
                angle += q[self.body_names[names.bodies[reference]].index[2]]
            if names.bodies[body] in self.body_names and np.isfinite(angle):
                place = self.body_names[names.bodies[body]].index[2]
                q[place] += TURN * np.round((angle - q[place]) / TURN)
        return q

    def nature(self) -> Array:
        """What each coordinate is, see System."""
        nature = np.full(self.n, RIGID)
        for beam in self.beams.values():
            nature[beam.nodes[:, :2]], nature[beam.nodes[:, 2:]] = BEAM_POSITION, BEAM_SLOPE
        return nature

    def strain_form(self, q: Array, sizes: dict[str, float]) -> tuple[Array, Array, Array]:
        """What keeps beams in shape, times a size per beam: rows, columns and values, with all rows on the diagonal."""
        beams = list(self.beams.values())
        places = ElementMatrices(np.arange(self.n), beams)
        forms = [sizes[beam.name] * strain_form(beam, q) for beam in beams]
        return places.row, places.col, places.summed(np.zeros(self.n), np.concatenate([np.zeros((0, 8, 8)), *forms]))

    def closing(self, q: Array) -> tuple[System, Array]:
        """The system for closing joints from the pose q, and how much changes of it count: coordinates in their scale, and
        strains of beams far more, so that a beam is moved before it is bent."""
        s = self.system
        if not self.beams:
            return s, scaled_weight(s, self.scale)
        row, col, form = self.strain_form(q, dict.fromkeys(self.beams, STIFF))
        start = np.searchsorted(row, np.arange(self.n + 1))
        s = s.replaced(mass_start=start, mass_row=row, mass_col=col, mass=np.zeros(row.size))
        return s, scaled_weight(s, self.scale) + form

    def pieces(self) -> Pieces:
        """How joints are closed with beams as rigid pieces."""
        return Pieces(self.system, self.beams.values(), self.scale, self.size, self.drawn)

    def calm(self, q: Array) -> tuple[Array, Array, Array]:
        """What start velocities avoid besides kinetic energy: strain rates of beams."""
        return self.strain_form(q, {name: CALM * beam.mass * beam.length**2 for name, beam in self.beams.items()})

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
        found = (body for body in self.body_names.values() if coordinate in body.index)
        beams = (beam for beam in self.beams.values() if coordinate in beam.nodes)
        return next((f"{thing.kind} '{thing.name}'" for thing in itertools.chain(found, beams)), "the mechanism")

    @property
    def dimension(self) -> int:
        return self.family.dimension

    def rods(self) -> list[Rod]:
        """Bodies that turn about an axis without inertia, in the order of the system."""
        return rods(self.braced, self.constraints, self.body_names.values())

    @property
    def degrees_of_freedom(self) -> int:
        return self.system.n - self.system.m

    def undefined_signal(self, start: float, end: float) -> str:
        """A drive, load or surface whose function of time is not finite somewhere between two times, s; empty if none."""
        from gaitwright.system.signals import evaluate_program

        times = np.linspace(start, end, 50)
        named = [(names, element) for names, element in zip(self.constraint_names, self.constraints, strict=True)]
        named = [(f"{names.kind} '{names.name}'", element) for names, element in named]
        named += [(f"force '{names.name}'", names.element) for names in self.force_names]
        for names in self.contact_names:
            named += [(f"the surface of contact '{names.name}'", self.contacts[k].geometry) for k in names.pieces[:1]]
        for label, element in named:
            for k in element.signals:
                if not np.all(np.isfinite(evaluate_program(self.signals[k], times))):
                    return label + self.given_ranges([k])
        return ""

    def given_ranges(self, signals: Sequence[int]) -> str:
        """From where to where the series are given that some functions of time use, for the end of a message."""
        used = dict.fromkeys(spline for k in signals for spline in self.signals[k].splines if not spline.period)
        return "".join(f" (the series '{s.name}' is given from {s.start:.6g} to {s.end:.6g})" for s in used)
