"""Conversion of a document to a Mechanism: names become indices, expressions become numbers and programs of time."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.mechanism.blocks import ContactBlock, ElementBlock, MechanismElement
from gaitwright.mechanism.element_matrices import find_unique_entries
from gaitwright.mechanism.mechanism import ConstraintNames, ContactNames, ForceNames, Mechanism
from gaitwright.mechanism.parts.base import Part
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.model import expressions
from gaitwright.model.formulas import declare_formulas
from gaitwright.model.part_types import read_part
from gaitwright.model.reader.beams import read_beam
from gaitwright.model.reader.bodies import read_shape
from gaitwright.model.reader.contacts import read_contact
from gaitwright.model.reader.elements import FULL_TURN_RAD, ElementReader
from gaitwright.model.reader.gears import read_gear
from gaitwright.model.reader.name_resolver import RESERVED_PART_NAMES, NameResolver
from gaitwright.model.reader.number_reader import NumberReader
from gaitwright.model.reader.point_on_curve import read_point_on_curve
from gaitwright.model.reader.spatial_beams import read_spatial_beam
from gaitwright.model.spec.document import BeamSpec, ModelDocument, SolidSpec
from gaitwright.model.spec.spatial_beam import SpatialBeamSpec
from gaitwright.physics import load_all
from gaitwright.physics.attachments import JointTravel, Orientation, SolidRegion
from gaitwright.physics.axis import AXIS_B_PARAMETER
from gaitwright.physics.declarations import AttachedDeclaration, Constraint, Declaration, Drive, Force, Joint
from gaitwright.physics.joints.point_on_curve import PointOnCurve
from gaitwright.physics.parameters import Formula, Signal

load_declarations = functools.cache(load_all)
"""Run once per process: searching the files again takes longer than reading a leg."""


def _read_solid(builder: MechanismBuilder, entry: SolidSpec) -> None:
    from gaitwright.model.reader.solids import add_solid  # meshes and materials, which few models have

    add_solid(builder.names, entry)


def _read_beam(builder: MechanismBuilder, entry: BeamSpec | SpatialBeamSpec) -> None:
    reader = read_beam if isinstance(entry, BeamSpec) else read_spatial_beam
    builder.names.add(reader(builder.names, entry))  # pyright: ignore[reportArgumentType]


PART_READERS: dict[str, Callable[[MechanismBuilder, Any], object]] = {
    "bodies": lambda builder, body: builder.names.read_body(body),
    "links": lambda builder, link: builder.names.read_link(link),
    "beams": _read_beam,
    "solids": _read_solid,
    "parts": read_part,
}
"""Reader of the entries of each section of a document. Coordinates of a mechanism are in this order."""


class MechanismBuilder:
    """Builder of the mechanism of one document. Numbers are read by `numbers`, names resolved by `names`, and elements read by
    `elements`; this object collects them. numbers: reader with other parameter values than those of the document."""

    def __init__(self, document: ModelDocument, numbers: NumberReader | None = None):
        load_declarations()
        self.document = document
        self.numbers = NumberReader(document) if numbers is None else numbers
        self.names = NameResolver(self.numbers)
        self.elements = ElementReader(self.names)
        self.constraints: list[MechanismElement | ElementBlock] = []
        self.constraint_names: list[ConstraintNames] = []
        self.forces: list[MechanismElement | ElementBlock] = []
        self.force_names: list[ForceNames] = []
        self.contacts: list[ContactBlock] = []
        self.contact_names: list[ContactNames] = []
        self.points_touching = 0
        self.uses: dict[str, str] = {}  # kind by name of joint, drive, force or contact
        self.rows = 0
        self.braced: list[tuple[int, float]] = []

    def add_constraint(self, declaration: Any, fields: dict[str, Any], name: str, kind: str, label: str) -> None:
        self.add_rows(declaration, *self.elements.element(declaration, fields, label), name, kind)

    def add_rows(
        self, declaration: Any, element: MechanismElement | ElementBlock, bodies: tuple, name: str, kind: str
    ) -> None:
        count = element.count * len(declaration.rows)
        rows = np.arange(self.rows, self.rows + count)
        self.rows += count
        self.constraints.append(element)
        self.constraint_names.append(ConstraintNames(name, kind, declaration.name, declaration, rows, bodies))

    def use_name(self, name: str, kind: str, label: str, joint: str | None = None) -> None:
        """Register a name. Outputs are named after joints, drives, forces, contacts and bodies, so their names must be unique.
        Exception: a drive may have the name of its body or joint, which is its default name."""
        existing_use = "what every result has" if name in RESERVED_PART_NAMES else self.uses.get(name)
        if existing_use == "a joint" and name == joint:
            existing_use = None
        if (
            existing_use is None
            and name in self.names.parts
            and not (kind == "drive" and self.names.parts[name].centre is not None)
        ):
            existing_use = f"a {self.names.parts[name].kind}"
        if existing_use is not None:
            description = (
                f"the pin at point '{name}'"
                if existing_use == "a joint" and name in self.names.carriers
                else existing_use
            )
            ErrorContext(label, "name").fail(
                f"the name '{name}' is used twice, also for {description}", name, "a name of its own"
            )
        self.uses[name] = f"a {kind}"

    def add_contacts(self, entries: Sequence[ContactBlock]) -> dict[str, Any]:
        """Add entries of one contact to the tables; return their indices, for ContactNames."""
        count = sum(contact.count for contact in entries)
        pieces = tuple(range(self.points_touching, self.points_touching + count))
        indices = {"entry": len(self.contacts), "pieces": pieces}
        self.contacts += entries
        self.points_touching += count
        return indices

    def read_bodies(self) -> None:
        self.names.read_ground()
        for section, reader in PART_READERS.items():
            for entry in getattr(self.document, section):
                reader(self, entry)

    def read_joints(self) -> None:
        pin = Joint.registry[self.document.dimension][self.names.space.pins]
        welded = self.welded()
        for point, carriers in self.names.carriers.items():
            first, *other_carriers = carriers
            for carrier in other_carriers:
                if frozenset((f"{first}.{point}", f"{carrier}.{point}")) in welded:
                    continue
                name = point if len(other_carriers) == 1 else f"{point}:{carrier}"
                fields = {"a": f"{first}.{point}", "b": f"{carrier}.{point}"}
                label = f"pin '{point}' of {first} and {carrier}"
                self.use_name(name, "joint", label)
                self.add_constraint(pin, fields, name, "joint", label)
        for k, entry in enumerate(self.document.joints):
            self.read_constraint(Joint.registry[self.document.dimension], entry, "joint", k)

    def read_rigidity(self) -> None:
        """Add the rigidity conditions of every body: before the joints, so that none of them is classified as redundant."""
        for part in self.names.parts.values():
            for element, brace in part.conditions():
                declaration: Any = element.declaration
                if brace:
                    self.braced += [(self.rows + k, brace) for k in range(element.count * len(declaration.rows))]
                self.add_rows(declaration, element, (part.name,), f"{part.name}.rigidity", "body")

    def welded(self) -> set[frozenset[str]]:
        """Pairs of owner.point that a joint connects: they need no pin."""
        pairs = set()
        for k, entry in enumerate(self.document.joints):
            if entry["type"] in self.names.space.holding:
                label = self.label(entry, "joint", k)
                places = [self.names.point(entry[side], label, side) for side in "ab"]
                for point, carriers in self.names.carriers.items():
                    carriers_at_joint = [
                        owner for owner in carriers if self.names.point(f"{owner}.{point}", label, "") in places
                    ]
                    if len(carriers_at_joint) == 2:
                        pairs.add(frozenset(f"{owner}.{point}" for owner in carriers_at_joint))
        return pairs

    def read_constraint(self, registry: Any, entry: dict[str, Any], kind: str, k: int) -> None:
        label = self.label(entry, kind, k)
        default = f"{entry['type']}-{k + 1}"
        if kind == "drive":  # default name: the joint, the body, or the point of a beam, that it drives
            driven = entry.get("joint") or entry[next(iter(registry[entry["type"]].attachments))]
            owner, _, point = driven.partition(".")
            default = (
                f"{owner}-{point}"
                if point and owner in self.names.parts and not self.names.parts[owner].rigid
                else owner
            )
        name = entry["name"] or self.free_name(default, entry.get("joint"))
        self.use_name(name, kind, label, entry.get("joint"))
        if entry["type"] == PointOnCurve.name:
            fields = {key: value for key, value in entry.items() if key not in ("type", "name")}
            read_point_on_curve(self, fields, name, kind, label)
            return
        for declaration, fields in self.expanded(registry, entry, label):
            assert issubclass(declaration, Constraint)
            if any(isinstance(attachment, JointTravel) for attachment in declaration.attachments.values()):
                read_gear(self, registry[entry["type"]].attachments, fields, name, kind, label)
            elif any(isinstance(attachment, SolidRegion) for attachment in declaration.attachments.values()):
                from gaitwright.model.reader.solid_drives import read_displacement_drive  # with what few models have

                read_displacement_drive(self, fields, name, label)
            else:
                self.add_constraint(declaration, fields, name, kind, label)

    def label(self, entry: dict[str, Any], kind: str, k: int) -> str:
        return f"{kind} '{entry['name']}'" if entry["name"] else f"{kind} {k + 1} ({entry['type']})"

    def expanded(
        self, registry: Any, entry: dict[str, Any], label: str
    ) -> list[tuple[type[Declaration], dict[str, Any]]]:
        """Elements represented by an entry, with their fields."""
        declaration = registry[entry["type"]]
        fields = {key: v for key, v in entry.items() if key not in ("type", "name", "joint")}
        if entry.get("joint"):
            fields |= self.of_joint(declaration, entry["joint"], label)
        try:
            if any(isinstance(parameter, Formula) for parameter in declaration.parameters.values()):
                return [declare_formulas(declaration, fields, self.numbers.formula)]
            return declaration.expand(fields)
        except ModelError as error:
            raise with_location(error, label, error.field or "") from None

    def of_joint(self, declaration: type[AttachedDeclaration], joint: str, label: str) -> dict[str, Any]:
        """Fields taken from a joint: its bodies, its axis, its drawn angle."""
        entry_by_name = {
            entry["name"] or f"{entry['type']}-{k + 1}": entry for k, entry in enumerate(self.document.joints)
        }
        joints_with_axis = [name for name, entry in entry_by_name.items() if self.has_one_axis(entry)]
        if joint not in joints_with_axis:
            defect = "no axis" if joint in entry_by_name and entry_by_name[joint].get("axis") is None else "two axes"
            problem = (
                f"there is no joint '{joint}'" if joint not in entry_by_name else f"the joint '{joint}' has {defect}"
            )
            ErrorContext(label, "joint").fail(
                problem, joint, format_choices(joint, joints_with_axis, "(no joint has one axis)")
            )
        fields: dict[str, Any] = {name: entry_by_name[joint].get(name) for name in declaration.of_joint}
        for name, kind in declaration.attachments.items():
            if name in fields and isinstance(kind, Orientation):
                owner, place = self.names.point(fields[name], label, name)
                part = self.names.part(owner)
                fields[name] = owner if part.rigid else f"{owner}.{part.name_of(place)}"
        return fields

    def has_one_axis(self, entry: dict[str, Any]) -> bool:
        """True if a joint has a single axis, common to both bodies; a universal joint has two."""
        second_axis = Joint.registry[self.document.dimension][entry["type"]].parameters.get("axis_b", AXIS_B_PARAMETER)
        return entry.get("axis") is not None and second_axis == AXIS_B_PARAMETER

    def free_name(self, preferred: str, joint: str | None = None) -> str:
        count, name = 1, preferred
        while name in self.uses and not (name == joint and self.uses[name] == "a joint"):
            count += 1
            name = f"{preferred}-{count}"
        return name

    def read_drives(self) -> None:
        for k, entry in enumerate(self.document.drives):
            if entry["type"] == "rotation" and entry.get("body") == "ground":
                ErrorContext(self.label(entry, "drive", k), "body").fail(
                    "drives the ground, which cannot turn", "ground", "a body or link"
                )
            self.read_constraint(Drive.registry[self.document.dimension], entry, "drive", k)

    def turn_to_drives(self) -> None:
        """Shift drawn angles by full turns to the drive angles at t = 0, before anything is measured in the drawn pose. Invalid
        drives are reported when they are read."""
        registry = Drive.registry[self.document.dimension]
        driven: list[Any] = [(entry, registry[entry["type"]]) for entry in self.document.drives]
        driven = [(entry, declaration) for entry, declaration in driven if declaration.turns]
        for entry, declaration in driven * len(driven):  # a reference may itself be driven, in any order
            labels = list(declaration.attachments)
            reference, body = ("ground" if k is None else entry[labels[k]] for k in declaration.turns)
            signal = next(name for name, p in declaration.parameters.items() if isinstance(p, Signal))
            try:
                program = expressions.compile_program(
                    self.numbers.expression(entry[signal]), self.numbers.values, self.numbers.series
                )
            except ModelError:
                continue
            angle = float(evaluate_program(program, 0.0)[0]) + self.drawn_turn(reference)
            driven_part = self.names.parts.get(body)
            if driven_part is not None and driven_part.turns is not None and math.isfinite(angle):
                coordinates, theta = driven_part.drawn.copy(), self.drawn_turn(body)
                coordinates[driven_part.turns] = theta + FULL_TURN_RAD * round((angle - theta) / FULL_TURN_RAD)
                self.names.parts[body] = replace(driven_part, drawn=coordinates)

    def drawn_turn(self, name: str) -> float:
        """Drawn angle of a part that counts turns, rad; 0 for other and missing parts."""
        part = self.names.parts.get(name)
        return 0.0 if part is None or part.turns is None else float(part.drawn[part.turns])

    def in_tables(self) -> list[Part]:
        """Parts in the order of their own forces and masses in the tables: flexible parts first."""
        return sorted(self.names.parts.values(), key=lambda part: part.rigid)

    def read_forces(self) -> None:
        gravity = self.numbers.vector(self.document.gravity, "", "gravity", "m/s^2")
        for part in self.in_tables():
            for name, element in part.forces(gravity):
                self.add_force(name, element, (part.name,))
        registry = Force.registry[self.document.dimension]
        for k, entry in enumerate(self.document.forces):
            name, label = entry["name"] or self.free_name(f"{entry['type']}-{k + 1}"), self.label(entry, "force", k)
            self.use_name(name, "force", label)
            for declaration, part in self.expanded(registry, entry, label):
                elements, bodies = self.elements.acting(declaration, part, label)
                for element in elements:
                    self.add_force(name, element, bodies)

    def add_force(self, name: str, element: MechanismElement | ElementBlock, bodies: tuple[str, ...]) -> None:
        declaration: Any = element.declaration
        self.force_names.append(ForceNames(name, declaration.name, declaration, len(self.forces), bodies, element))
        self.forces.append(element)

    def read_velocities(self) -> None:
        for reference, value in self.document.velocities.items():
            label = f"velocity of '{reference}'"
            owner, local = self.names.point(reference, label, "")
            velocity = self.numbers.vector(value, label, "", "m/s")
            if owner == "ground":
                ErrorContext(label).fail(
                    "is a point of the ground, which cannot move", list(velocity), "a point of a link or body"
                )
            self.names.wanted.append(self.names.parts[owner].wanted(f"{reference}.velocity", local, velocity))

    def mass(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values of the mass matrix."""
        entries = zip(*(part.mass_entries() for part in self.in_tables()), strict=True)
        rows, cols, values = (np.concatenate(part) for part in entries)
        if any(part.carriers for part in self.names.parts.values()):  # entries of a body also apply to nodes tied to it
            rows, cols, entry_index = find_unique_entries(rows, cols, self.names.coordinates, self.names.coordinates)
            values = np.bincount(entry_index, values, minlength=rows.size)
        return rows, cols, values

    def read(self) -> Self:
        """Read everything except contacts."""
        self.read_bodies()
        if not self.names.parts:
            raise ModelError("the model has no moving body", expected="at least one link, body or beam")
        self.turn_to_drives()
        self.read_rigidity()
        self.read_joints()
        self.read_drives()
        self.read_forces()
        self.read_velocities()
        for cuff in self.document.worn.cuffs if self.document.worn else ():
            self.names.point(cuff.at, f"cuff '{cuff.name}'", "at")
        return self

    @property
    def has_history(self) -> bool:
        """True if a part remembers its past, so that each analysis needs parts of its own."""
        return any(part.remembers for part in self.names.parts.values())

    def _fork(self) -> MechanismBuilder:
        """Builder with everything read before, to which contacts and functions of time can be added separately."""
        fork = copy(self)
        fork.names = self.names.fork()
        fork.numbers, fork.elements = fork.names.numbers, ElementReader(fork.names)
        return fork

    def touching(self, contacts: Sequence[Any]) -> MechanismBuilder:
        """Copy with contacts; everything read before is shared."""
        fork = self._fork()
        fork.contacts, fork.contact_names, fork.points_touching, fork.uses = [], [], 0, dict(self.uses)
        for k, entry in enumerate(contacts):
            read_contact(fork, entry, k)
        return fork

    def backwards(self) -> MechanismBuilder:
        """Copy with its drives reversed in time. Time-dependent loads are unchanged."""
        fork = self._fork()
        kinds = [names.kind for names in self.constraint_names]
        fork.constraints = [
            element._replace(
                signals=[fork.numbers.number_of(self.numbers.signals[k].backwards()) for k in element.signals]
            )
            if kind == "drive"
            else element
            for kind, element in zip(kinds, self.constraints, strict=True)
        ]
        return fork

    def ground_shapes(self) -> tuple[Any, ...]:
        """Shapes of the ground for pictures."""
        entries = getattr(self.document.ground, "shapes", ())
        return tuple(read_shape(self.names, shape, "the ground", f"shapes[{k}]") for k, shape in enumerate(entries))

    def mechanism(self) -> Mechanism:
        """Mechanism with the tables of everything read."""
        coordinate_count, size = self.names.coordinates, self.names.size()
        drawn_coordinates, scale = np.zeros(coordinate_count + 1), np.ones(coordinate_count)
        for part in self.names.parts.values():
            drawn_coordinates[part.index], scale[part.index] = part.drawn, part.scale(size)
        return Mechanism(
            name=self.document.name,
            n=coordinate_count,
            parts=self.names.parts,
            ground=replace(self.names.ground_part, shapes=self.ground_shapes()),
            mass=self.mass(),
            constraints=list(self.constraints),
            forces=list(self.forces),
            signals=list(self.numbers.signals),
            size=size,
            scale=scale,
            drawn=drawn_coordinates,
            wanted=list(self.names.wanted),
            constraint_names=list(self.constraint_names),
            force_names=list(self.force_names),
            gravity=self.numbers.vector(self.document.gravity, "", "gravity", "m/s^2"),
            braced=list(self.braced),
            contacts=self.contacts,
            contact_names=self.contact_names,
            warnings=(*(note for series in self.document.series.values() for note in series.notes), *self.names.notes),
        )
