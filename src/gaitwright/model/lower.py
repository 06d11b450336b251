"""From the document to a Mechanism: names become indices, expressions become numbers and programs of time."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.model import expressions
from gaitwright.model.beams import beam_forces, element_masses
from gaitwright.model.contacts import read_contact
from gaitwright.model.scope import RESERVED, Place, Scope
from gaitwright.model.spec import Document
from gaitwright.physics import load_all
from gaitwright.physics.bodies.beam import Beam, Node
from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import (
    DRAWN,
    Choice,
    Constraint,
    Declaration,
    Direction,
    Drive,
    Family,
    Force,
    Frame,
    Joint,
    Number,
    Point,
    Signal,
    Span,
)
from gaitwright.system.beams import ElementMatrices
from gaitwright.system.mechanism import ConstraintNames, ContactNames, ForceNames, Mechanism, WantedVelocity
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import GROUND, Contact, Element, batch_order

TURN = 2 * math.pi
load_library = functools.cache(load_all)
"""Once per process: looking for the files again takes longer than reading a leg."""


class DrawnMarker(NamedTuple):
    """An attachment in the drawn pose, with numbers: what `Declaration.drawn` sees."""

    position: tuple[float, float]
    angle: float


class DrawnElement(NamedTuple):
    """An element of a beam as `Declaration.drawn` sees it."""

    length: float


class Lowering(Scope):
    """Builds the tables of one document. Use `lower`."""

    def __init__(self, document: Document, parameters: dict[str, float] | None = None):
        load_library()
        super().__init__(document, parameters)
        self.constraints: list[Element] = []
        self.constraint_names: list[ConstraintNames] = []
        self.forces: list[Element] = []
        self.force_names: list[tuple[str, type[Declaration], tuple[str, ...]]] = []
        self.contacts: list[Contact] = []
        self.contact_names: list[ContactNames] = []
        self.uses: dict[str, str] = {}  # names of joints, drives, forces and contacts, and what they are
        self.rows = 0

    # elements --------------------------------------------------------------------------------------------------------

    def element(self, declaration: type[Declaration], fields: dict[str, Any], label: str) -> tuple[Element, tuple]:
        """The table entry of a joint, drive or force, and the bodies it touches."""
        places = [
            self.point(fields[name], label, name)
            if isinstance(kind, (Point, Frame))
            else self.orientation(fields[name], label, name)
            for name, kind in declaration.attachments.items()
        ]
        bodies = tuple(owner for owner, _ in places)
        if all(owner == "ground" for owner in bodies):
            raise ModelError(
                "acts on the ground alone, which cannot move", element=label, field=next(iter(declaration.attachments)),
                value=next(fields[name] for name in declaration.attachments), expected="a body or link",
            )  # fmt: skip
        if len(bodies) > 1 and bodies[0] == bodies[1] and (bodies[0] in self.bodies or places[0] == places[1]):
            first, second = list(declaration.attachments)[:2]
            raise ModelError(
                f"connects '{bodies[0]}' with itself", element=label, field=second, value=fields[second],
                expected=f"another body than that of '{first}'",
            )  # fmt: skip
        for (name, kind), (owner, _) in zip(declaration.attachments.items(), places, strict=True):
            if owner in self.beams and type(kind) not in Node.markers:
                raise ModelError(f"'{owner}' is a beam, which bends", element=label, field=name, value=fields[name],
                                 expected="a rigid body or link")  # fmt: skip
        drawn = [self.drawn_marker(place) for place in places]
        numbers = self.numbers(declaration, fields, label, dict(zip(declaration.attachments, drawn, strict=True)))
        signals = self.signals_of(declaration, fields, label)
        return self.table_entry(declaration, places, numbers, signals), bodies

    def elements(
        self, declaration: type[Declaration], fields: dict[str, Any], label: str
    ) -> list[tuple[Element, tuple[str, ...]]]:
        """The table entries of a force: one, or one per element of the beam that it acts on as a whole."""
        along = [name for name, kind in declaration.attachments.items() if isinstance(kind, Span)]
        if not along:
            return [self.element(declaration, fields, label)]
        name = fields[along[0]]
        if name not in self.beams:
            raise ModelError(f"there is no beam '{name}'", element=label, field=along[0], value=name,
                             expected=f"one of {', '.join(self.beams) or '(the model has no beams)'}")  # fmt: skip
        beam, found = self.beams[name], []
        signals = self.signals_of(declaration, fields, label)
        for coordinates, length in zip(beam.elements, beam.lengths, strict=True):
            drawn = {along[0]: DrawnElement(float(length))}
            numbers = self.numbers(declaration, fields, label, drawn)
            parameters = [numbers[key] for key in numbers]
            found.append((Element(declaration, (Beam,), (coordinates,), parameters, signals), (name,)))
        return found

    def signals_of(self, declaration: type[Declaration], fields: dict[str, Any], label: str) -> list[int]:
        """The functions of time of an element."""
        return [
            self.signal(value, label, name)
            for name, parameter in declaration.parameters.items()
            if isinstance(parameter, Signal)
            for value in (fields[name] if parameter.size == 2 else [fields[name]])
        ]

    def drawn_marker(self, place: Place) -> DrawnMarker:
        """Position and angle of a place in the drawn pose."""
        owner, local = place
        if owner in self.beams:
            x, y, u, v = self.drawn_nodes[owner][self.beams[owner].node_at(local[0])]
            return DrawnMarker((float(x), float(y)), math.atan2(v, u))
        x, y, angle = self.poses[owner]
        c, s = math.cos(angle), math.sin(angle)
        return DrawnMarker((x + c * local[0] - s * local[1], y + s * local[0] + c * local[1]), angle)

    def drawn_at(self, place: Place) -> tuple[float, float]:
        """Where a point is drawn, m."""
        return self.drawn_marker(place).position

    def marker(self, kind: Any, place: Place) -> tuple[type[Family], np.ndarray, Sequence[float]]:
        """Family, coordinates and local parameters of an attachment."""
        owner, local = place
        if owner in self.beams:
            beam = self.beams[owner]
            family, index, local = Node, beam.nodes[beam.node_at(local[0])], ()
        else:
            family, index = Planar, np.full(3, GROUND) if owner == "ground" else self.bodies[owner].index
        marker = family.markers[type(kind)]
        return family, index[list(marker.coordinates)], local[: len(marker.parameters)]

    def table_entry(
        self,
        declaration: type[Declaration],
        places: Sequence[Place],
        numbers: dict[str, Any],
        signals: Sequence[int],
    ) -> Element:
        """An element from body and local coordinates of each attachment, and the numbers of its parameters."""
        families, coordinates, parameters = [], [], []
        for kind, place in zip(declaration.attachments.values(), places, strict=True):
            family, index, local = self.marker(kind, place)
            families.append(family)
            coordinates.append(index)
            parameters += local
        for name, parameter in declaration.parameters.items():
            if isinstance(parameter, Direction):
                parameters += numbers[name]
            elif not isinstance(parameter, Signal):
                parameters.append(numbers[name])
        return Element(declaration, tuple(families), tuple(coordinates), parameters, signals)

    def numbers(
        self,
        declaration: type[Declaration],
        fields: dict[str, Any],
        label: str,
        drawn: dict[str, Any],
        prefix: str = "",
    ) -> dict[str, Any]:
        """The parameters that do not depend on time. drawn: attachments in the drawn pose. prefix: of field names in
        messages."""
        known: dict[str, Any] = {}
        for name, parameter in declaration.parameters.items():
            if isinstance(parameter, Choice):
                known[name] = parameter.options[fields[name]]
            elif isinstance(parameter, Direction):
                x, y = self.pair(fields[name], label, prefix + name)
                size = math.hypot(x, y)
                if size == 0.0:
                    raise ModelError("has no direction", element=label, field=prefix + name, value=[x, y],
                                     expected="a direction such as [1, 0]")  # fmt: skip
                known[name] = (x / size, y / size)
            elif isinstance(parameter, Number):
                known[name] = self.constant(declaration, name, fields[name], {**drawn, **known}, label, prefix)
        return known

    def constant(
        self, declaration: type[Declaration], name: str, given: Any, known: dict[str, Any], label: str, prefix: str = ""
    ) -> float:
        parameter = declaration.parameters[name]
        assert isinstance(parameter, Number)
        drawn: dict[str, float] = {}
        if parameter.default is DRAWN:
            wants = inspect.signature(declaration.drawn).parameters
            drawn = declaration.drawn(**{key: value for key, value in known.items() if key in wants})
        if given is None:
            value = drawn[name] if parameter.default is DRAWN else float(parameter.default)
        else:
            value = self.number(given, label, prefix + name)
            if parameter.unit == "rad" and name in drawn:
                # An angle between bodies is meant up to full turns: take the one that is drawn.
                value += TURN * round((drawn[name] - value) / TURN)
        if parameter.minimum is not None and value < parameter.minimum:
            problem = "is negative" if parameter.minimum == 0 else "is too small"
            raise ModelError(problem, element=label, field=prefix + name, value=value,
                             expected=f"at least {parameter.minimum:g} {parameter.unit}".removesuffix(" 1"))  # fmt: skip
        return value

    def add_constraint(self, declaration: Any, fields: dict[str, Any], name: str, kind: str, label: str) -> None:
        self.use_name(name, kind, label)
        element, bodies = self.element(declaration, fields, label)
        count = len(declaration.rows)
        rows = np.arange(self.rows, self.rows + count)
        self.rows += count
        self.constraints.append(element)
        self.constraint_names.append(ConstraintNames(name, kind, declaration.name, declaration, rows, bodies))

    def use_name(self, name: str, kind: str, label: str) -> None:
        """Outputs are called after joints, drives, forces, contacts and bodies, so these share their names. Only a drive
        may have the name of a body: it is called after the one that it drives unless it has a name of its own."""
        before = "what every result has" if name in RESERVED else self.uses.get(name)
        if before is None and name in self.bodies and kind != "drive":
            before = f"a {self.bodies[name].kind}"
        if before is None and name in self.beams:
            before = "a beam"
        if before is not None:
            what = f"the pin at point '{name}'" if before == "a joint" and name in self.carriers else before
            raise ModelError(f"the name '{name}' is used twice, also for {what}", element=label, field="name", value=name,
                             expected="a name of its own")  # fmt: skip
        self.uses[name] = f"a {kind}"

    def read_joints(self) -> None:
        revolute = Joint.registry["revolute"]
        welded = self.welded()
        for point, carriers in self.carriers.items():
            first, *others = carriers
            for other in others:
                if frozenset((f"{first}.{point}", f"{other}.{point}")) in welded:
                    continue
                name = point if len(others) == 1 else f"{point}:{other}"
                fields = {"a": f"{first}.{point}", "b": f"{other}.{point}"}
                self.add_constraint(revolute, fields, name, "joint", f"pin '{point}' of {first} and {other}")
        for k, entry in enumerate(self.document.joints):
            self.read_constraint(Joint.registry, entry, "joint", k)

    def welded(self) -> set[frozenset[str]]:
        """Pairs of owner.point that a fixed joint holds together: no pin is needed there."""
        pairs = set()
        for k, entry in enumerate(self.document.joints):
            if entry["type"] == "fixed":
                label = self.label(entry, "joint", k)
                places = [self.point(entry[side], label, side) for side in "ab"]
                for point, carriers in self.carriers.items():
                    held = [owner for owner in carriers if self.point(f"{owner}.{point}", label, "") in places]
                    if len(held) == 2:
                        pairs.add(frozenset(f"{owner}.{point}" for owner in held))
        return pairs

    def read_constraint(self, registry: Any, entry: dict[str, Any], kind: str, k: int) -> None:
        first = next(iter(registry[entry["type"]].attachments))
        default = f"{entry['type']}-{k + 1}"
        if kind == "drive":  # called after the body, or the point of a beam, that it drives
            owner, _, point = entry[first].partition(".")
            default = f"{owner}-{point}" if owner in self.beams else owner
        name, label = entry["name"] or self.free_name(default), self.label(entry, kind, k)
        for declaration, fields in self.parts(registry, entry, label):
            assert issubclass(declaration, Constraint)
            self.add_constraint(declaration, fields, name, kind, label)

    def label(self, entry: dict[str, Any], kind: str, k: int) -> str:
        return f"{kind} '{entry['name']}'" if entry["name"] else f"{kind} {k + 1} ({entry['type']})"

    def parts(self, registry: Any, entry: dict[str, Any], label: str) -> list[tuple[type[Declaration], dict[str, Any]]]:
        """The elements that an entry stands for, with their fields."""
        try:
            return registry[entry["type"]].expand({key: v for key, v in entry.items() if key not in ("type", "name")})
        except ModelError as error:
            problem = str(error).removeprefix(f"field '{error.field}': ")
            raise ModelError(problem, element=label, field=error.field) from None

    def free_name(self, wanted: str) -> str:
        count, name = 1, wanted
        while name in self.uses:
            count += 1
            name = f"{wanted}-{count}"
        return name

    def read_drives(self) -> None:
        for k, entry in enumerate(self.document.drives):
            if entry["type"] == "rotation" and entry["body"] == "ground":
                raise ModelError("drives the ground, which cannot turn", element=self.label(entry, "drive", k),
                                 field="body", value="ground", expected="a body or link")  # fmt: skip
            self.read_constraint(Drive.registry, entry, "drive", k)

    def turn_to_drives(self) -> None:
        """Count the drawn angles in the turns of the drives at t = 0, before anything is measured in the drawing. What is
        wrong with a drive is said when it is read."""
        driven: list[Any] = [(entry, Drive.registry[entry["type"]]) for entry in self.document.drives]
        driven = [(entry, declaration) for entry, declaration in driven if declaration.turns]
        for entry, declaration in driven * len(driven):  # a reference may itself be driven, in any order
            labels = list(declaration.attachments)
            reference, body = ("ground" if k is None else entry[labels[k]] for k in declaration.turns)
            signal = next(name for name, p in declaration.parameters.items() if isinstance(p, Signal))
            try:
                program = expressions.program(self.expression(entry[signal]), self.values)
            except ModelError:
                continue
            angle = float(evaluate_program(program, 0.0)[0]) + self.poses.get(reference, (0.0, 0.0, 0.0))[2]
            if body in self.bodies and math.isfinite(angle):
                x, y, theta = self.poses[body]
                self.poses[body] = (x, y, theta + TURN * round((angle - theta) / TURN))

    def read_forces(self) -> None:
        gx, gy = self.pair(self.document.gravity, "", "gravity")
        for name, beam in self.beams.items():
            first = len(self.forces)
            self.forces += beam_forces(beam, (gx, gy))
            self.force_names += [(name, element.declaration, (name,)) for element in self.forces[first:]]
            self.beams[name] = replace(beam, elastic=first + np.arange(beam.stations.size - 1))
        if gx or gy:
            for body in self.bodies.values():
                element = Element(Force.registry["gravity"], (Planar,), (body.index[:2],), [body.mass, gx, gy], [])
                self.forces.append(element)
                self.force_names.append((f"{body.name}.weight", element.declaration, (body.name,)))
        for k, entry in enumerate(self.document.forces):
            name, label = entry["name"] or self.free_name(f"{entry['type']}-{k + 1}"), self.label(entry, "force", k)
            self.use_name(name, "force", label)
            for declaration, part in self.parts(Force.registry, entry, label):
                for element, bodies in self.elements(declaration, part, label):
                    self.forces.append(element)
                    self.force_names.append((name, declaration, bodies))

    def read_velocities(self) -> None:
        for reference, value in self.document.velocities.items():
            label = f"velocity of '{reference}'"
            owner, local = self.point(reference, label, "")
            velocity = self.pair(value, label, "")
            if owner == "ground":
                raise ModelError("is a point of the ground, which cannot move", element=label, value=list(velocity),
                                 expected="a point of a link or body")  # fmt: skip
            if owner in self.beams:
                beam = self.beams[owner]
                index = beam.nodes[beam.node_at(local[0]), :2]
                self.wanted.append(WantedVelocity(f"{reference}.velocity", index, None, velocity))
                continue
            self.wanted.append(WantedVelocity(f"{reference}.velocity", self.bodies[owner].index, local, velocity))

    def mass(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values of the mass matrix: diagonal for rigid bodies, consistent for beams."""
        beams = list(self.beams.values())
        rigid = np.concatenate([np.zeros(0, dtype=np.int64), *(body.index for body in self.bodies.values())])
        diagonal = np.array([[b.mass, b.mass, b.inertia] for b in self.bodies.values()]).ravel()
        places = ElementMatrices(rigid, beams)
        blocks = np.concatenate([np.zeros((0, 8, 8)), *(element_masses(beam) for beam in beams)])
        values = places.summed(diagonal, blocks)
        filled = values != 0.0  # x and y have nothing to do with each other
        return places.row[filled], places.col[filled], values[filled]

    def mechanism(self) -> Mechanism:
        self.read_bodies()
        if not self.bodies and not self.beams:
            raise ModelError("the model has no moving body", expected="at least one link, body or beam")
        self.turn_to_drives()
        self.read_joints()
        self.read_drives()
        self.read_forces()
        for k, entry in enumerate(self.document.contacts):
            read_contact(self, entry, k)
        self.read_velocities()
        n, size = self.coordinates, self.size()
        drawn, scale = np.zeros(n + 1), np.ones(n)
        for name, body in self.bodies.items():
            drawn[body.index] = self.poses[name]
            scale[body.index[:2]] = size
        for name, beam in self.beams.items():
            drawn[beam.nodes] = self.drawn_nodes[name]
            scale[beam.nodes[:, :2]] = size
        places = batch_order(self.forces)
        return Mechanism(
            name=self.document.name,
            n=n,
            mass=self.mass(),
            constraints=self.constraints,
            forces=self.forces,
            signals=self.signals,
            size=size,
            scale=scale,
            drawn=drawn,
            wanted=self.wanted,
            body_names=self.bodies,
            beams=self.beams,
            constraint_names=self.constraint_names,
            force_names=[
                ForceNames(name, declaration.name, declaration, int(place), bodies, element)  # type: ignore[arg-type]
                for (name, declaration, bodies), place, element in zip(
                    self.force_names, places, self.forces, strict=True
                )
            ],
            ground_points=self.ground,
            contacts=self.contacts,
            contact_names=self.contact_names,
        )


def lower(document: Document, parameters: dict[str, float] | None = None) -> Mechanism:
    """The mechanism that a document describes, with parameters overridden if given."""
    return Lowering(document, parameters).mechanism()
