"""What numbers and names mean in a document: parameters, functions of time, bodies, links and their points."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.model import expressions
from gaitwright.model.beams import read_beam
from gaitwright.model.bodies import SPACES
from gaitwright.model.limits import not_tiny, within_limits
from gaitwright.model.series import splines
from gaitwright.model.spec import Document
from gaitwright.system.beam_tables import BeamNames
from gaitwright.system.mechanism import BodyNames, WantedVelocity
from gaitwright.system.signals import Program

Where = tuple[str, tuple[float, ...]]
"""Who a point belongs to and where it is in its frame, m."""
RESERVED = {
    "ground": "the ground",
    "ground_reaction": "the sum of all contacts with the ground",
    "energy": "the energies in every result",
    "evidence": "the evidence in every result",
}


@functools.lru_cache(maxsize=10_000)
def _parsed(text: str, known: frozenset[str], series: tuple[str, ...]) -> expressions.Expression:
    """Variants of a model say the same with other numbers: what was read once is not read again."""
    return expressions.parse(text, known, series)


class Scope:
    """The values of the parameters, and what has been read of the bodies so far.

    poses: drawn coordinates per body. masses: mass matrix per body. drawn_nodes: drawn nodes (x, y, u, v) per beam.
    coordinates: how many are taken. carriers: for each named point of ground, links and beams, who has it."""

    def __init__(self, document: Document, parameters: dict[str, float] | None = None):
        self.document = document
        unknown = set(parameters or {}) - set(document.parameters)
        if unknown:
            raise ModelError(
                "is not a parameter of this model", field=sorted(unknown)[0],
                expected=f"one of {', '.join(document.parameters) or '(the model has no parameters)'}",
            )  # fmt: skip
        self.series = splines(document.series)
        self.values = expressions.resolve_parameters({**document.parameters, **(parameters or {})}, self.series)
        self.known = frozenset(self.values)
        self.space = SPACES[document.dimension]
        self.family = self.space.family
        self.origin = (0.0,) * document.dimension
        self.coordinates = 0
        self.bodies: dict[str, BodyNames] = {}
        self.beams: dict[str, BeamNames] = {}
        self.drawn_nodes: dict[str, np.ndarray] = {}
        self.poses: dict[str, tuple[float, ...]] = {"ground": (0.0,) * len(self.family.coordinates)}
        self.masses: dict[str, np.ndarray] = {}
        self.braces: dict[str, float] = {}
        self.ground: dict[str, tuple[float, ...]] = {}
        self.carriers: dict[str, list[str]] = {}
        self.signals: list[Program] = []
        self.known_signals: dict[tuple[Any, ...], int] = {}
        self.wanted: list[WantedVelocity] = []

    # numbers ---------------------------------------------------------------------------------------------------------

    def expression(self, value: float | str) -> expressions.Expression:
        return _parsed(value, self.known, tuple(self.series)) if isinstance(value, str) else expressions.parse(value)

    def formula(self, value: float | str, variables: tuple[str, ...]) -> expressions.Expression:
        """An expression that may name variables of an element, too."""
        if taken := sorted(self.known & set(variables)):
            raise ModelError(f"the parameter '{taken[0]}' of the model has the name of a variable of this expression",
                             expected="another name for the parameter")  # fmt: skip
        return expressions.parse(value, self.known | set(variables), self.series)

    def number(self, value: float | str, element: str, field: str, unit: str = "") -> float:
        """The number that a value stands for, within what can be computed with (limits.py)."""
        if not (type(value) is float and math.isfinite(value)):
            try:
                value = expressions.evaluate(self.expression(value), self.values, self.series)
            except ModelError as error:
                raise ModelError(str(error), element=element, field=field) from None
        return within_limits(value, unit, element, field)

    def vector(self, value: Any, element: str, field: str, unit: str = "m") -> tuple[float, ...]:
        names = [f"{field}[{k}]" if field else "xyz"[k] for k in range(len(value))]
        return tuple(self.number(entry, element, name, unit) for entry, name in zip(value, names, strict=True))

    def pair(self, value: Any, element: str, field: str, unit: str = "m") -> tuple[float, float]:
        x, y = self.vector(value, element, field, unit)
        return x, y

    def positive(self, value: float | str, element: str, field: str, unit: str) -> float:
        number = self.number(value, element, field, unit)
        if number <= 0:
            raise ModelError(
                "must be greater than zero", element=element, field=field, value=number,
                expected=f"a positive number of {unit}",
            )  # fmt: skip
        return not_tiny(number, unit, element, field)

    def signal(self, value: float | str, element: str, field: str) -> int:
        """Number of a function of time; what is the same function is evaluated once."""
        try:
            program = expressions.program(self.expression(value), self.values, self.series)
        except ModelError as error:
            raise ModelError(str(error), element=element, field=field) from None
        return self.number_of(program)

    def number_of(self, program: Program) -> int:
        same = self.known_signals.setdefault(program.identity, len(self.signals))
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

    def add_body(self, body: BodyNames, pose: Any, mass: np.ndarray, brace: float = 0.0) -> None:
        """A body whose place in the tables is still open; pose: drawn coordinates, mass: its mass matrix, brace: by how much
        its rigidity takes part in it (system/brace.py)."""
        self.unused(body.name, body.kind)
        first = self.coordinates
        self.coordinates += len(pose)
        index = np.arange(first, self.coordinates)
        self.bodies[body.name] = replace(body, index=index)
        self.poses[body.name] = tuple(float(x) for x in pose)
        self.masses[body.name], self.braces[body.name] = mass, brace

    def read_bodies(self) -> None:
        doc = self.document
        self.ground = {name: self.vector(at, f"ground point '{name}'", "") for name, at in doc.ground.points.items()}
        twice = sorted(set(self.ground) & set(doc.points))
        if twice:
            raise ModelError(
                "is given both as a ground point and as a moving point", element=f"point '{twice[0]}'",
                expected="one of the two",
            )  # fmt: skip
        for name in self.ground:
            self.carriers[name] = ["ground"]
        for body in doc.bodies:
            self.space.read_body(self, body, f"body '{body.name}'")
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
        start, end = self.drawn_point(link.from_, label, "from"), self.drawn_point(link.to, label, "to")
        drawn = math.dist(start, end)
        length = drawn if link.length is None else self.positive(link.length, label, "length", "m")
        if drawn == 0.0:
            raise ModelError(
                f"its ends '{link.from_}' and '{link.to}' are drawn in the same place", element=label, field="to",
                value=list(end), expected="drawn positions that show the direction of the link",
            )  # fmt: skip
        not_tiny(min(drawn, length), "m", label, "to" if drawn < length else "length")
        half = length / 2
        rest = self.origin[1:]
        points: dict[str, tuple[float, ...]] = {link.from_: (-half, *rest), link.to: (half, *rest)}
        for name, at in link.points.items():
            if name in points:
                raise ModelError(f"the point '{name}' is an end of the link already", element=label, field="points")
            points[name] = self.vector(at, label, f"points.{name}")
        self.space.read_link(self, link, label, (start, end), length, points)
        for name in points:
            self.carriers.setdefault(name, []).append(link.name)

    def drawn_point(self, name: str, element: str, field: str) -> tuple[float, ...]:
        if name in self.ground:
            return self.ground[name]
        if name in self.document.points:
            return self.vector(self.document.points[name], f"point '{name}'", "")
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

    def orientation(self, reference: str, element: str, field: str) -> Where:
        """A body, or a point of a beam, whose tangent has a direction."""
        if reference.partition(".")[0] in self.beams and "." in reference:
            return self.point(reference, element, field)
        return self.body(reference, element, field), self.origin

    def node(self, beam: BeamNames, name: str, element: str, field: str) -> Where:
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

    def point(self, reference: str, element: str, field: str) -> Where:
        """Owner and local coordinates of K1.F, ground.O, rod.end, A (of the ground or the first link or beam that has it)
        or K1 (its centre of mass). On a beam the local coordinates are (arc length of a node, 0)."""
        owner, _, name = reference.partition(".")
        if name and owner in self.beams:
            return self.node(self.beams[owner], name, element, field)
        if name:
            self.body(owner, element, field)
            points = self.ground if owner == "ground" else self.bodies[owner].points
            if name == "centre" and name not in points:
                return owner, self.centre(owner)
            if name == "origin" and name not in points:
                return owner, self.origin
            if name not in points:
                known = ", ".join(points) or "none"
                raise ModelError(
                    f"'{owner}' has no point '{name}'", element=element, field=field, value=reference,
                    expected=f"one of its points ({known}, centre, origin)",
                )  # fmt: skip
            return owner, points[name]
        if owner in self.carriers:
            carrier = self.carriers[owner][0]
            if carrier in self.beams:
                return self.node(self.beams[carrier], owner, element, field)
            return carrier, self.ground[owner] if carrier == "ground" else self.bodies[carrier].points[owner]
        if owner in self.bodies or (owner == "ground" and self.document.dimension == 3):
            return owner, self.centre(owner)
        if owner in self.beams:
            raise ModelError("is a whole beam", element=element, field=field, value=owner,
                             expected=f"a point of it, such as {owner}.start, {owner}.end or {owner}.node2")  # fmt: skip
        known = ", ".join([*self.carriers, *(f"{b}.{p}" for b, body in self.bodies.items() for p in body.points)][:20])
        raise ModelError(
            f"there is no point '{reference}'", element=element, field=field, value=reference,
            expected=f"a point of a link, of a body (body.point) or of the ground, such as {known or 'ground.O'}",
        )  # fmt: skip

    def centre(self, owner: str) -> tuple[float, ...]:
        """The centre of mass in the frame of its body; the origin of the ground."""
        return self.bodies[owner].centre if owner in self.bodies else self.origin

    def size(self) -> float:
        """Typical length of the mechanism, m: the largest distance of a point from the centre of its body, at least."""
        lengths = [math.dist(p, body.centre) for body in self.bodies.values() for p in body.points.values()]
        lengths += [beam.length / 2 for beam in self.beams.values()]
        ends = [tuple(nodes[k, :2]) for nodes in self.drawn_nodes.values() for k in (0, -1)]
        count = self.family.dimension
        centres = np.array([self.poses[name][:count] for name in self.bodies] + list(self.ground.values()) + ends)
        spread = float(np.ptp(centres, axis=0).max()) if len(centres) > 1 else 0.0
        return max([spread / 2, *lengths]) or 1.0
