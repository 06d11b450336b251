"""What numbers and names mean in a document: parameters, functions of time, bodies, links and their points."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.model import expressions
from gaitwright.model.beams import read_beam
from gaitwright.model.spec import Document
from gaitwright.system.beams import BeamNames
from gaitwright.system.mechanism import BodyNames, WantedVelocity
from gaitwright.system.signals import Program

Place = tuple[str, tuple[float, float]]
"""Who a point belongs to and where it is in its frame, m."""
RESERVED = {
    "ground": "the ground",
    "ground_reaction": "the sum of all contacts with the ground",
    "energy": "the energies in every result",
    "evidence": "the evidence in every result",
}


@functools.lru_cache(maxsize=10_000)
def _parsed(text: str, known: frozenset[str]) -> expressions.Expression:
    """Variants of a model say the same with other numbers: what was read once is not read again."""
    return expressions.parse(text, known)


class Scope:
    """The values of the parameters, and what has been read of the bodies so far.

    poses: drawn pose (x, y, angle) per body. drawn_nodes: drawn nodes (x, y, u, v) per beam. coordinates: how many are
    taken. carriers: for each named point of ground, links and beams, who has it."""

    def __init__(self, document: Document, parameters: dict[str, float] | None = None):
        self.document = document
        unknown = set(parameters or {}) - set(document.parameters)
        if unknown:
            raise ModelError(
                "is not a parameter of this model", field=sorted(unknown)[0],
                expected=f"one of {', '.join(document.parameters) or '(the model has no parameters)'}",
            )  # fmt: skip
        self.values = expressions.resolve_parameters({**document.parameters, **(parameters or {})})
        self.known = frozenset(self.values)
        self.coordinates = 0
        self.bodies: dict[str, BodyNames] = {}
        self.beams: dict[str, BeamNames] = {}
        self.drawn_nodes: dict[str, np.ndarray] = {}
        self.poses: dict[str, tuple[float, float, float]] = {"ground": (0.0, 0.0, 0.0)}
        self.ground: dict[str, tuple[float, float]] = {}
        self.carriers: dict[str, list[str]] = {}
        self.signals: list[Program] = []
        self.known_signals: dict[tuple[bytes, ...], int] = {}
        self.wanted: list[WantedVelocity] = []

    # numbers ---------------------------------------------------------------------------------------------------------

    def expression(self, value: float | str) -> expressions.Expression:
        return _parsed(value, self.known) if isinstance(value, str) else expressions.parse(value)

    def number(self, value: float | str, element: str, field: str) -> float:
        if type(value) is float and math.isfinite(value):
            return value
        try:
            return expressions.evaluate(self.expression(value), self.values)
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
        """Number of a function of time; what is the same function is evaluated once."""
        try:
            program = expressions.program(self.expression(value), self.values)
        except ModelError as error:
            raise ModelError(str(error), element=element, field=field) from None
        same = self.known_signals.setdefault(tuple(part.tobytes() for part in program), len(self.signals))
        if same == len(self.signals):
            self.signals.append(program)
        return same

    # bodies ----------------------------------------------------------------------------------------------------------

    def unused(self, name: str, kind: str) -> None:
        """ModelError if a body, link or beam cannot have this name."""
        if name in RESERVED:
            raise ModelError(f"this name is that of {RESERVED[name]}", element=f"{kind} '{name}'", field="name",
                             value=name, expected="another name")  # fmt: skip
        if name in self.bodies or name in self.beams:
            before = (self.bodies.get(name) or self.beams[name]).kind
            raise ModelError(f"the name '{name}' is used twice, also for a {before}",
                             element=f"{kind} '{name}'", field="name", value=name, expected="a name of its own")  # fmt: skip

    def add_body(self, name: str, kind: str, mass: float, inertia: float, pose: Any, points: Any) -> None:
        self.unused(name, kind)
        n = self.coordinates
        self.coordinates += 3
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
        for beam in doc.beams:
            self.unused(beam.name, "beam")
            self.beams[beam.name] = read_beam(self, beam)
            for point in self.beams[beam.name].points:
                if point not in ("start", "end"):
                    self.carriers.setdefault(point, []).append(beam.name)

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
        """The name of a rigid body or the ground."""
        if name == "ground" or name in self.bodies:
            return name
        if name in self.beams:
            raise ModelError("is a beam, which bends", element=element, field=field, value=name,
                             expected=f"a body, or a point of the beam, such as {name}.end")  # fmt: skip
        known = ", ".join([*self.bodies, "ground"])
        raise ModelError(f"there is no body or link '{name}'", element=element, field=field, value=name,
                         expected=f"one of {known}")  # fmt: skip

    def orientation(self, reference: str, element: str, field: str) -> Place:
        """A body, or a point of a beam, whose tangent has a direction."""
        if reference.partition(".")[0] in self.beams and "." in reference:
            return self.point(reference, element, field)
        return self.body(reference, element, field), (0.0, 0.0)

    def node(self, beam: BeamNames, name: str, element: str, field: str) -> Place:
        """A node of a beam by name: start, end, a named point or node1, node2, ..."""
        count = beam.stations.size
        number = name.removeprefix("node")
        if name in beam.points:
            node = beam.points[name]
        elif number.isdecimal() and 1 <= int(number) <= count:
            node = int(number) - 1
        else:
            raise ModelError(
                f"'{beam.name}' has no node '{name}'", element=element, field=field, value=f"{beam.name}.{name}",
                expected=f"one of {', '.join(beam.points)}, or node1 to node{count}",
            )  # fmt: skip
        return beam.name, (float(beam.stations[node]), 0.0)

    def point(self, reference: str, element: str, field: str) -> Place:
        """Owner and local coordinates of K1.F, ground.O, rod.end, A (of the ground or the first link or beam that has it)
        or K1 (its centre of mass). On a beam the local coordinates are (arc length of a node, 0)."""
        owner, _, name = reference.partition(".")
        if name and owner in self.beams:
            return self.node(self.beams[owner], name, element, field)
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
            if carrier in self.beams:
                return self.node(self.beams[carrier], owner, element, field)
            return carrier, self.ground[owner] if carrier == "ground" else self.bodies[carrier].points[owner]
        if owner in self.bodies:
            return owner, (0.0, 0.0)
        if owner in self.beams:
            raise ModelError("is a whole beam", element=element, field=field, value=owner,
                             expected=f"a point of it, such as {owner}.start, {owner}.end or {owner}.node2")  # fmt: skip
        known = ", ".join([*self.carriers, *(f"{b}.{p}" for b, body in self.bodies.items() for p in body.points)][:20])
        raise ModelError(
            f"there is no point '{reference}'", element=element, field=field, value=reference,
            expected=f"a point of a link, of a body (body.point) or of the ground, such as {known or 'ground.O'}",
        )  # fmt: skip

    def size(self) -> float:
        """Typical length of the mechanism, m: the largest distance of a point from the centre of its body, at least."""
        lengths = [math.hypot(*p) for body in self.bodies.values() for p in body.points.values()]
        lengths += [beam.length / 2 for beam in self.beams.values()]
        ends = [tuple(nodes[k, :2]) for nodes in self.drawn_nodes.values() for k in (0, -1)]
        centres = np.array([self.poses[name][:2] for name in self.bodies] + list(self.ground.values()) + ends)
        spread = float(np.ptp(centres, axis=0).max()) if len(centres) > 1 else 0.0
        return max([spread / 2, *lengths]) or 1.0
