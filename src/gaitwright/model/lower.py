"""From the document to a Mechanism: names become indices, expressions become numbers and programs of time."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.model import expressions
from gaitwright.model.spec import Document
from gaitwright.physics import load_all
from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import (
    DRAWN,
    Centre,
    Choice,
    Constraint,
    Declaration,
    Direction,
    Drive,
    Force,
    Joint,
    Number,
    Orientation,
    Point,
    Signal,
)
from gaitwright.system.mechanism import BodyNames, ConstraintNames, ForceNames, Mechanism, WantedVelocity
from gaitwright.system.signals import Program, evaluate_program
from gaitwright.system.tables import GROUND, Element, batch_order

TURN = 2 * math.pi


class DrawnMarker:
    """An attachment in the drawn pose, with numbers: what `Declaration.drawn` sees."""

    def __init__(self, pose: tuple[float, float, float], local: tuple[float, float]):
        x, y, self.angle = pose
        c, s = math.cos(self.angle), math.sin(self.angle)
        self.position = (x + c * local[0] - s * local[1], y + s * local[0] + c * local[1])


class Lowering:
    """Builds the tables of one document. Use `lower`."""

    def __init__(self, document: Document, parameters: dict[str, float] | None = None):
        load_all()
        self.document = document
        unknown = set(parameters or {}) - set(document.parameters)
        if unknown:
            raise ModelError(
                "is not a parameter of this model", field=sorted(unknown)[0],
                expected=f"one of {', '.join(document.parameters) or '(the model has no parameters)'}",
            )  # fmt: skip
        self.values = expressions.resolve_parameters({**document.parameters, **(parameters or {})})
        self.bodies: dict[str, BodyNames] = {}
        self.poses: dict[str, tuple[float, float, float]] = {"ground": (0.0, 0.0, 0.0)}
        self.ground: dict[str, tuple[float, float]] = {}
        self.carriers: dict[str, list[str]] = {}
        self.signals: list[Program] = []
        self.constraints: list[Element] = []
        self.constraint_names: list[ConstraintNames] = []
        self.forces: list[Element] = []
        self.force_names: list[tuple[str, type[Declaration], tuple[str, ...]]] = []
        self.uses: dict[str, str] = {}  # names of joints, drives and forces, and what they are
        self.wanted: list[WantedVelocity] = []
        self.rows = 0

    # numbers ---------------------------------------------------------------------------------------------------------

    def number(self, value: float | str, element: str, field: str) -> float:
        try:
            return expressions.evaluate(expressions.parse(value, self.values), self.values)
        except ModelError as error:
            raise ModelError(str(error), element=element, field=field) from None

    def pair(self, value: Any, element: str, field: str) -> tuple[float, float]:
        x, y = (f"{field}[0]", f"{field}[1]") if field else ("x", "y")
        return self.number(value[0], element, x), self.number(value[1], element, y)

    def positive(self, value: float | str, element: str, field: str, unit: str) -> float:
        number = self.number(value, element, field)
        if number <= 0:
            raise ModelError(
                "must be greater than zero", element=element, field=field, value=number,
                expected=f"a positive number of {unit}",
            )  # fmt: skip
        return number

    def signal(self, value: float | str, element: str, field: str) -> int:
        try:
            self.signals.append(expressions.program(expressions.parse(value, self.values), self.values))
        except ModelError as error:
            raise ModelError(str(error), element=element, field=field) from None
        return len(self.signals) - 1

    # bodies ----------------------------------------------------------------------------------------------------------

    def add_body(self, name: str, kind: str, mass: float, inertia: float, pose: Any, points: Any) -> None:
        if name == "ground":
            raise ModelError("this name is that of the ground", element=f"{kind} 'ground'", field="name",
                             value=name, expected="another name")  # fmt: skip
        if name in self.bodies:
            raise ModelError(f"the name '{name}' is used twice, also for a {self.bodies[name].kind}",
                             element=f"{kind} '{name}'", field="name", value=name, expected="a name of its own")  # fmt: skip
        n = 3 * len(self.bodies)
        self.bodies[name] = BodyNames(name, kind, np.array([n, n + 1, n + 2]), mass, inertia, points)
        self.poses[name] = pose

    def read_bodies(self) -> None:
        doc = self.document
        self.ground = {name: self.pair(at, f"ground point '{name}'", "") for name, at in doc.ground.points.items()}
        twice = sorted(set(self.ground) & set(doc.points))
        if twice:
            raise ModelError(
                "is given both as a ground point and as a moving point", element=f"point '{twice[0]}'",
                expected="one of the two",
            )  # fmt: skip
        for name in self.ground:
            self.carriers[name] = ["ground"]
        for body in doc.bodies:
            label = f"body '{body.name}'"
            mass = self.positive(body.mass, label, "mass", "kg")
            inertia = self.positive(body.inertia, label, "inertia", "kg m^2")
            pose = (*self.pair(body.at, label, "at"), self.number(body.angle, label, "angle"))
            points = {name: self.pair(at, label, f"points.{name}") for name, at in body.points.items()}
            self.add_body(body.name, "body", mass, inertia, pose, points)
            index = self.bodies[body.name].index
            # Zero is what a body has anyway unless joints or drives move it: no wish, so that it never contradicts them.
            velocity = self.pair(body.velocity or [0.0, 0.0], label, "velocity")
            if any(velocity):
                self.wanted.append(WantedVelocity(f"{body.name}.velocity", index[:2], None, velocity))
            spin = self.number(body.spin or 0.0, label, "spin")
            if spin:
                self.wanted.append(WantedVelocity(f"{body.name}.spin", index[2:], None, (spin,)))
        for link in doc.links:
            self.read_link(link)

    def read_link(self, link: Any) -> None:
        label = f"link '{link.name}'"
        if link.from_ == link.to:
            raise ModelError("starts and ends in the same point", element=label, field="to", value=link.to)
        (x0, y0), (x1, y1) = self.drawn_point(link.from_, label, "from"), self.drawn_point(link.to, label, "to")
        drawn = math.hypot(x1 - x0, y1 - y0)
        length = drawn if link.length is None else self.positive(link.length, label, "length", "m")
        if drawn == 0.0:
            raise ModelError(
                f"its ends '{link.from_}' and '{link.to}' are drawn in the same place", element=label, field="to",
                value=[x1, y1], expected="drawn positions that show the direction of the link",
            )  # fmt: skip
        mass = self.positive(link.mass, label, "mass", "kg")
        inertia = mass * length**2 / 12
        if link.inertia is not None:
            inertia = self.positive(link.inertia, label, "inertia", "kg m^2")
        points = {link.from_: (-length / 2, 0.0), link.to: (length / 2, 0.0)}
        for name, at in link.points.items():
            if name in points:
                raise ModelError(f"the point '{name}' is an end of the link already", element=label, field="points")
            points[name] = self.pair(at, label, f"points.{name}")
        pose = ((x0 + x1) / 2, (y0 + y1) / 2, math.atan2(y1 - y0, x1 - x0))
        self.add_body(link.name, "link", mass, inertia, pose, points)
        for name in points:
            self.carriers.setdefault(name, []).append(link.name)

    def drawn_point(self, name: str, element: str, field: str) -> tuple[float, float]:
        if name in self.ground:
            return self.ground[name]
        if name in self.document.points:
            return self.pair(self.document.points[name], f"point '{name}'", "")
        known = ", ".join([*self.ground, *self.document.points]) or "none"
        raise ModelError(
            f"there is no point '{name}'", element=element, field=field, value=name,
            expected=f"a ground point or a drawn point (known: {known}); a moving point needs a drawn position, "
            "which picks the branch of the linkage",
        )  # fmt: skip

    # references ------------------------------------------------------------------------------------------------------

    def body(self, name: str, element: str, field: str) -> str:
        if name == "ground" or name in self.bodies:
            return name
        known = ", ".join([*self.bodies, "ground"])
        raise ModelError(f"there is no body or link '{name}'", element=element, field=field, value=name,
                         expected=f"one of {known}")  # fmt: skip

    def point(self, reference: str, element: str, field: str) -> tuple[str, tuple[float, float]]:
        """Body and local coordinates of K1.F, ground.O, A (of the ground or the first link that has it) or K1 (its
        centre of mass)."""
        owner, _, name = reference.partition(".")
        if name:
            self.body(owner, element, field)
            points = self.ground if owner == "ground" else self.bodies[owner].points
            if name == "centre" and name not in points:
                return owner, (0.0, 0.0)
            if name not in points:
                known = ", ".join(points) or "none"
                raise ModelError(
                    f"'{owner}' has no point '{name}'", element=element, field=field, value=reference,
                    expected=f"one of its points ({known}, centre)",
                )  # fmt: skip
            return owner, points[name]
        if owner in self.carriers:
            carrier = self.carriers[owner][0]
            return carrier, self.ground[owner] if carrier == "ground" else self.bodies[carrier].points[owner]
        if owner in self.bodies:
            return owner, (0.0, 0.0)
        known = ", ".join([*self.carriers, *(f"{b}.{p}" for b, body in self.bodies.items() for p in body.points)][:20])
        raise ModelError(
            f"there is no point '{reference}'", element=element, field=field, value=reference,
            expected=f"a point of a link, of a body (body.point) or of the ground, such as {known or 'ground.O'}",
        )  # fmt: skip

    # elements --------------------------------------------------------------------------------------------------------

    def element(self, declaration: type[Declaration], fields: dict[str, Any], label: str) -> tuple[Element, tuple]:
        """The table entry of a joint, drive or force, and the bodies it touches."""
        coordinates, parameters, markers, bodies = [], [], {}, []
        for name, kind in declaration.attachments.items():
            marker = Planar.markers[type(kind)]
            if isinstance(kind, Point):
                owner, local = self.point(fields[name], label, name)
                parameters += local
            else:
                owner, local = self.body(fields[name], label, name), (0.0, 0.0)
            assert isinstance(kind, (Point, Orientation, Centre))
            index = np.full(3, GROUND) if owner == "ground" else self.bodies[owner].index
            coordinates.append(index[list(marker.coordinates)])
            markers[name] = DrawnMarker(self.poses[owner], local)
            bodies.append(owner)
        if all(owner == "ground" for owner in bodies):
            raise ModelError(
                "acts on the ground alone, which cannot move", element=label, field=next(iter(declaration.attachments)),
                value=next(fields[name] for name in declaration.attachments), expected="a body or link",
            )  # fmt: skip
        if len(bodies) > 1 and bodies[0] == bodies[1]:
            first, second = list(declaration.attachments)[:2]
            raise ModelError(
                f"connects '{bodies[0]}' with itself", element=label, field=second, value=fields[second],
                expected=f"another body than that of '{first}'",
            )  # fmt: skip
        known: dict[str, float] = {}
        signals: list[int] = []
        for name, parameter in declaration.parameters.items():
            if isinstance(parameter, Signal):
                values = fields[name] if parameter.size == 2 else [fields[name]]
                signals += [self.signal(value, label, name) for value in values]
            elif isinstance(parameter, Choice):
                parameters.append(parameter.options[fields[name]])
            elif isinstance(parameter, Direction):
                x, y = self.pair(fields[name], label, name)
                size = math.hypot(x, y)
                if size == 0.0:
                    raise ModelError("has no direction", element=label, field=name, value=[x, y],
                                     expected="a direction such as [1, 0]")  # fmt: skip
                parameters += [x / size, y / size]
            else:
                known[name] = self.constant(declaration, name, parameter, fields[name], markers, known, label)
                parameters.append(known[name])
        return Element(declaration, (Planar,) * len(bodies), tuple(coordinates), parameters, signals), tuple(bodies)

    def constant(
        self,
        declaration: type[Declaration],
        name: str,
        parameter: Number,
        given: Any,
        markers: Any,
        known: Any,
        label: str,
    ) -> float:
        drawn: dict[str, float] = {}
        if parameter.default is DRAWN:
            wants = inspect.signature(declaration.drawn).parameters
            drawn = declaration.drawn(**{key: value for key, value in {**markers, **known}.items() if key in wants})
        if given is None:
            value = drawn[name] if parameter.default is DRAWN else float(parameter.default)
        else:
            value = self.number(given, label, name)
            if parameter.unit == "rad" and name in drawn:
                # An angle between bodies is meant up to full turns: take the one that is drawn.
                value += TURN * round((drawn[name] - value) / TURN)
        if parameter.minimum is not None and value < parameter.minimum:
            problem = "is negative" if parameter.minimum == 0 else "is too small"
            raise ModelError(problem, element=label, field=name, value=value,
                             expected=f"at least {parameter.minimum:g} {parameter.unit}")  # fmt: skip
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
        """Outputs are called after joints, drives, forces and bodies, so these share their names. Only a drive may have
        the name of a body: it is called after the one that it drives unless it has a name of its own."""
        before = self.uses.get(name)
        if before is None and name in self.bodies and kind != "drive":
            before = f"a {self.bodies[name].kind}"
        if before is not None:
            what = f"the pin at point '{name}'" if before == "a joint" and name in self.carriers else before
            raise ModelError(f"the name '{name}' is used twice, also for {what}", element=label, field="name", value=name,
                             expected="a name of its own")  # fmt: skip
        self.uses[name] = f"a {kind}"

    def read_joints(self) -> None:
        revolute = Joint.registry["revolute"]
        for point, carriers in self.carriers.items():
            first, *others = carriers
            for other in others:
                name = point if len(others) == 1 else f"{point}:{other}"
                fields = {"a": f"{first}.{point}", "b": f"{other}.{point}"}
                self.add_constraint(revolute, fields, name, "joint", f"pin '{point}' of {first} and {other}")
        for k, entry in enumerate(self.document.joints):
            self.read_constraint(Joint.registry, entry, "joint", k)

    def read_constraint(self, registry: Any, entry: dict[str, Any], kind: str, k: int) -> None:
        first = next(iter(registry[entry["type"]].attachments))
        default = entry[first].partition(".")[0] if kind == "drive" else f"{entry['type']}-{k + 1}"
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
        self.turn_to_drives()

    def turn_to_drives(self) -> None:
        """Count the drawn angle of a driven body in the turns of its drive, so that -pi/2 meets a drive at 3 pi/2."""
        for element, names in zip(self.constraints, self.constraint_names, strict=True):
            if names.type in ("rotation", "relative-rotation"):
                angle = float(evaluate_program(self.signals[element.signals[0]], 0.0)[0])
                reference = self.poses[names.bodies[0]][2] if names.type == "relative-rotation" else 0.0
                x, y, theta = self.poses[names.bodies[-1]]
                if names.bodies[-1] != "ground" and math.isfinite(angle):
                    theta += TURN * round((angle + reference - theta) / TURN)
                    self.poses[names.bodies[-1]] = (x, y, theta)

    def read_forces(self) -> None:
        gx, gy = self.pair(self.document.gravity, "", "gravity")
        if gx or gy:
            for body in self.bodies.values():
                element = Element(Force.registry["gravity"], (Planar,), (body.index[:2],), [body.mass, gx, gy], [])
                self.forces.append(element)
                self.force_names.append((f"{body.name}.weight", element.declaration, (body.name,)))
        for k, entry in enumerate(self.document.forces):
            name, label = entry["name"] or self.free_name(f"{entry['type']}-{k + 1}"), self.label(entry, "force", k)
            self.use_name(name, "force", label)
            for declaration, part in self.parts(Force.registry, entry, label):
                element, bodies = self.element(declaration, part, label)
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
            self.wanted.append(WantedVelocity(f"{reference}.velocity", self.bodies[owner].index, local, velocity))

    def mechanism(self) -> Mechanism:
        self.read_bodies()
        if not self.bodies:
            raise ModelError("the model has no moving body", expected="at least one link or body")
        self.read_joints()
        self.read_drives()
        self.read_forces()
        self.read_velocities()
        n = 3 * len(self.bodies)
        diagonal = np.concatenate([[b.mass, b.mass, b.inertia] for b in self.bodies.values()])
        every = np.arange(n)
        drawn = np.zeros(n + 1)
        for name, body in self.bodies.items():
            drawn[body.index] = self.poses[name]
        places = batch_order(self.forces)
        return Mechanism(
            name=self.document.name,
            n=n,
            mass=(every, every, diagonal),
            constraints=self.constraints,
            forces=self.forces,
            signals=self.signals,
            scale=np.tile([self.size(), self.size(), 1.0], len(self.bodies)),
            drawn=drawn,
            wanted=self.wanted,
            body_names=self.bodies,
            constraint_names=self.constraint_names,
            force_names=[
                ForceNames(name, declaration.name, declaration, int(place), bodies, element)  # type: ignore[arg-type]
                for (name, declaration, bodies), place, element in zip(
                    self.force_names, places, self.forces, strict=True
                )
            ],
            ground_points=self.ground,
        )

    def size(self) -> float:
        """Typical length of the mechanism, m: the largest distance of a point from the centre of its body, at least."""
        lengths = [math.hypot(*p) for body in self.bodies.values() for p in body.points.values()]
        centres = np.array([self.poses[name][:2] for name in self.bodies] + list(self.ground.values()))
        spread = float(np.ptp(centres, axis=0).max()) if len(centres) > 1 else 0.0
        return max([spread / 2, *lengths]) or 1.0


def lower(document: Document, parameters: dict[str, float] | None = None) -> Mechanism:
    """The mechanism that a document describes, with parameters overridden if given."""
    return Lowering(document, parameters).mechanism()
