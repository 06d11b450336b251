"""Mechanism ready for analysis: its tables, the names of their rows and columns, and its drawn pose."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gaitwright.contact.tables import contact_order
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.mechanism.blocks import ContactBlock, ElementBlock, MechanismElement
from gaitwright.mechanism.element_matrices import ElementMatrices
from gaitwright.mechanism.mass_regularisation import MasslessAxis, find_massless_axes
from gaitwright.mechanism.output_expression import OutputExpression
from gaitwright.mechanism.parts.base import Part, RequestedVelocity
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart
from gaitwright.mechanism.pose_assembly import scaled_weight
from gaitwright.mechanism.rigid_pieces import RigidPieceCoordinates
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.table_builder import build_tables, row_positions
from gaitwright.mechanism.tables import Array, MechanismTables
from gaitwright.mesh.contact_points import ContactPoints
from gaitwright.physics.declarations import Constraint, Family, Force

FULL_TURN_RAD = 2.0 * np.pi
CLOSED_GAP_RTOL = 1e-13
"""Contact gaps below this, relative to the size of the mechanism, count as closed: rounding of positions."""
STRAIN_WEIGHT, STRAIN_RATE_WEIGHT = 1e4, 1e8
"""Weight of a strain, relative to a rigid motion of the same size, when joints are closed; and of a strain rate, relative to
a velocity, at the start."""


@dataclass(frozen=True)
class ConstraintNames:
    """A joint or a drive: its rows as given, their names, and the bodies it connects."""

    name: str
    kind: str  # joint, drive, or body for its rigidity
    type: str
    declaration: type[Constraint]
    rows: Array
    bodies: tuple[str, ...]

    @property
    def labels(self) -> list[tuple[str, str]]:
        """Name of each row, and unit of its residual; for a block of elements, those of one element repeated."""
        row_labels = [(row_name, unit) for row_name, (_, unit) in self.declaration.rows.items()]
        return row_labels * (self.rows.size // len(row_labels))


@dataclass(frozen=True)
class ForceNames:
    """A force, or a block of forces with one name: the weight of a body, the elasticity of a beam."""

    name: str
    type: str
    declaration: type[Force]
    place: int  # index in Mechanism.forces
    bodies: tuple[str, ...]
    element: MechanismElement | ElementBlock


@dataclass(frozen=True)
class ContactNames:
    """A contact as given. It has several pieces (indices into the contacts in Mechanism.contacts, counted one by one) if its
    surface has corners, or is that of a region of a solid. entry: index of its first entry in Mechanism.contacts."""

    name: str
    law: str  # type of the law, or empty
    pieces: tuple[int, ...]
    bodies: tuple[str, str]  # body with the surface, and body that touches it
    outline: Array  # of the surface, for graphics: (n, 2) in the frame of its body, with the solid on the right
    radius: float  # of the touching circle, m; 0 for a point
    # Place of the touching point, or of the centre of the circle or sphere, in the place coordinates of its part.
    place: tuple[float, ...]
    fastest: float | None = None
    """Maximum approach speed, m/s, for which the law is valid, if the material is known (paper 003, below Eq 3.9)."""
    whole: str = ""
    """Name of the contact along a beam that includes this one, if any."""
    entry: int = 0
    skin: ContactPoints | None = None
    """Contact points of the surface of a solid, if it is the solid that touches."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Model of an analysis. parts: everything that has coordinates, in their order. ground: the fixed body. `redundant` lists
    rows of Phi, as given, that follow from the others. Its tables are built when they are first used; a change makes a new
    mechanism."""

    name: str
    n: int
    parts: dict[str, Part]
    ground: RigidBodyPart
    mass: tuple[Array, Array, Array]
    constraints: list[MechanismElement | ElementBlock]
    forces: list[MechanismElement | ElementBlock]
    signals: list[Any]
    size: float  # typical length, m
    scale: Array
    drawn: Array
    wanted: list[RequestedVelocity]
    constraint_names: list[ConstraintNames]
    force_names: list[ForceNames]
    gravity: tuple[float, ...] = (0.0, 0.0)
    contacts: list[ContactBlock] = field(default_factory=list)
    contact_names: list[ContactNames] = field(default_factory=list)
    redundant: tuple[int, ...] = ()
    braced: list[tuple[int, float]] = field(default_factory=list)
    """Rows of Phi, as given, that contribute to the regularised mass matrix, with their weights: see
    mechanism/mass_regularisation.py."""
    warnings: tuple[str, ...] = ()
    quantities: tuple[OutputExpression, ...] = ()
    """Outputs that the model defines as expressions of others."""

    def without_rows(self, redundant: Sequence[int]) -> Mechanism:
        """Return the same mechanism with exactly these rows of Phi, as given, left out of the solution."""
        excluded = tuple(sorted(redundant))
        return self if excluded == self.redundant else replace(self, redundant=excluded)

    @functools.cached_property
    def system(self) -> MechanismTables:
        """Tables for compiled code."""
        return build_tables(
            self.n, self.mass, self.constraints, self.forces, self.signals, self.redundant, self.contacts,
            CLOSED_GAP_RTOL * self.size, self.nature(),
            self.braced, [(rod.row, rod.axis, rod.weight) for rod in self.rods()],
        )  # fmt: skip

    @functools.cached_property
    def joint_system(self) -> MechanismTables:
        """Tables of the same mechanism without drives and contacts."""
        joints = [e for e, names in zip(self.constraints, self.constraint_names, strict=True) if names.kind != "drive"]
        return build_tables(self.n, self.mass, joints, self.forces, self.signals)

    @functools.cached_property
    def contact_place(self) -> Array:
        """Place of each contact in the tables (see `contact_order`)."""
        return contact_order(self.contacts)

    @functools.cached_property
    def row_position(self) -> Array:
        """Row in the tables of each row of Phi, as given."""
        return row_positions(self.system.m_all, self.redundant)

    @functools.cached_property
    def power_column(self) -> dict[tuple[Any, Any], int]:
        """Column among the powers and works, by index of a force and kind of power (tables.DISSIPATED_POWER, LOAD_POWER)."""
        powers = zip(self.system.power_force.tolist(), self.system.power_kind.tolist(), strict=True)
        return {power: k for k, power in enumerate(powers, self.system.drive_rows.size)}

    def drawn_at(self, t: float) -> Array:
        """Return the drawn pose, with the angles of driven bodies shifted by full turns to those of their drives at time t: a
        link drawn at -pi/2 fits a drive at 3 pi/2, and a link at rest fits a drive that has run for an hour."""
        q = self.drawn.copy()
        pairs = zip(self.constraints, self.constraint_names, strict=True)
        turned: list[Any] = [(e, names, names.declaration.turns) for e, names in pairs if names.declaration.turns]
        for element, names, (reference, body) in turned * len(turned):  # a reference may itself be driven, in any order
            angle = float(evaluate_program(self.signals[element.signals[0]], t)[0])
            if reference is not None:
                angle += q[self.turn_of(names.bodies[reference])]
            place = self.turn_of(names.bodies[body])
            if place >= 0 and np.isfinite(angle):
                q[place] += FULL_TURN_RAD * np.round((angle - q[place]) / FULL_TURN_RAD)
        return q

    def turn_of(self, name: str) -> int:
        """Return the coordinate that counts the turns of a part, or -1 (an entry that is zero in every pose) if it has
        none."""
        part = self.part(name)
        return -1 if part.turns is None else int(part.index[part.turns])

    def contact_of(self, names: ContactNames) -> ContactBlock:
        """Return the block of a contact in the tables; of several pieces the first."""
        return self.contacts[names.entry]

    def part(self, name: str) -> Part:
        """Return a part, or the ground."""
        return self.ground if name == "ground" else self.parts[name]

    @functools.cached_property
    def body_names(self) -> dict[str, RigidBodyPart]:
        """Rigid bodies among the parts."""
        return {name: part for name, part in self.parts.items() if isinstance(part, RigidBodyPart)}

    @functools.cached_property
    def beams(self) -> dict[str, PlanarBeamPart | SpatialBeamPart]:
        """Beams among the parts, for functions specific to beams: sections, `run.beam(...)`."""
        return {name: part for name, part in self.parts.items() if isinstance(part, PlanarBeamPart | SpatialBeamPart)}

    @functools.cached_property
    def flexible(self) -> list[Part]:
        """Parts that can be strained."""
        return [part for part in self.parts.values() if part.flexible]

    @property
    def colour(self) -> str | None:
        """Quantity that colours its graphics by default."""
        return next((part.colour for part in self.parts.values() if part.colour), None)

    @property
    def ground_points(self) -> Mapping[str, tuple[float, ...]]:
        return self.ground.points

    @property
    def family(self) -> type[Family]:
        """Family of rigid bodies and the ground."""
        return self.ground.family

    def nature(self) -> Array:
        """Type code of each coordinate, see tables.MechanismTables.nature."""
        nature = np.zeros(self.n, dtype=np.int64)
        for part in self.parts.values():
            nature[part.index] = part.natures()
        return nature

    def strain_form(self, q: Array, sizes: Sequence[float]) -> tuple[Array, Array, Array]:
        """Quadratic strain forms of the flexible parts, each times a size: rows, columns and values, including the whole
        diagonal."""
        forms_by_elements = [
            (elements, size * form)
            for part, size in zip(self.flexible, sizes, strict=True)
            for elements, form in part.strain_form(q)
        ]
        places = ElementMatrices(np.arange(self.n), [elements for elements, _ in forms_by_elements])
        forms = [form for _, form in forms_by_elements]
        return places.row, places.col, places.summed(np.zeros(self.n), forms)

    def closing(self, q: Array) -> tuple[MechanismTables, Array]:
        """Return the system for closing joints from the pose q, and the weights of its changes: coordinates in their scale,
        and strains with a far larger weight, so that a flexible part is moved rather than bent."""
        s = self.system
        if not self.flexible:
            return s, scaled_weight(s, self.scale)
        row, col, form = self.strain_form(q, [STRAIN_WEIGHT] * len(self.flexible))
        start = np.searchsorted(row, np.arange(self.n + 1))
        s = s.replaced(mass_start=start, mass_row=row, mass_col=col, mass=np.zeros(row.size))
        return s, scaled_weight(s, self.scale) + form

    def pieces(self) -> RigidPieceCoordinates:
        """Coordinates for closing joints with flexible parts as rigid pieces."""
        return RigidPieceCoordinates(self.system, self.flexible, self.scale, self.size)

    def calm(self, q: Array) -> tuple[Array, Array, Array]:
        """Quadratic form that start velocities minimise besides kinetic energy: strain rates."""
        return self.strain_form(
            q, [STRAIN_RATE_WEIGHT * part.mass * (2.0 * part.extent()) ** 2 for part in self.flexible]
        )

    def constraint_of_row(self, row: int) -> ConstraintNames:
        """Return the joint or drive of a row of the system (rows are sorted: independent ones first)."""
        declared_row = int(np.flatnonzero(self.row_position == row)[0])
        return next(names for names in self.constraint_names if declared_row in names.rows)

    def body_of(self, coordinate: int) -> str:
        """Return kind and name of the body that a coordinate belongs to."""
        owners = (part for part in self.parts.values() if coordinate in part.index)
        return next((f"{part.kind} '{part.name}'" for part in owners), "the mechanism")

    @property
    def dimension(self) -> int:
        return self.family.dimension

    def rods(self) -> list[MasslessAxis]:
        """Return the bodies that rotate about an axis without inertia, in the order of the system."""
        return find_massless_axes(self.braced, self.constraints, self.parts.values())

    @property
    def degrees_of_freedom(self) -> int:
        return self.system.n - self.system.m

    def attached(self) -> Iterator[tuple[ConstraintNames, MechanismElement]]:
        """Iterate over joints, drives and other constraints that are single elements."""
        pairs = zip(self.constraint_names, self.constraints, strict=True)
        return ((names, element) for names, element in pairs if isinstance(element, MechanismElement))

    def acting(self) -> Iterator[tuple[ForceNames, MechanismElement]]:
        """Iterate over forces that are single elements, such as springs."""
        return ((names, names.element) for names in self.force_names if isinstance(names.element, MechanismElement))

    def undefined_signal(self, start: float, end: float) -> str:
        """Return the drive, load or surface with a function of time that is not finite somewhere between two times, s; empty if
        none."""
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
        """Ranges of the series that these functions of time use, as the end of a message."""
        used = dict.fromkeys(spline for k in signals for spline in self.signals[k].splines if not spline.period)
        return "".join(f" (the series '{s.name}' is given from {s.start:.6g} to {s.end:.6g})" for s in used)
