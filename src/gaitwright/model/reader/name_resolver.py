"""Resolution of numbers and names in a document: parameters, functions of time, bodies, links and their points."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.parts.base import Part, RequestedVelocity
from gaitwright.mechanism.signals import SignalProgram
from gaitwright.model import expressions
from gaitwright.model.limits import require_above_minimum, require_within_limits
from gaitwright.model.part_types import read_part
from gaitwright.model.reader.beams import read_beam
from gaitwright.model.reader.bodies import BODY_READERS
from gaitwright.model.reader.spatial_beams import read_spatial_beam
from gaitwright.model.series import build_splines
from gaitwright.model.spec.document import ModelDocument

PartT = TypeVar("PartT", bound=Part)
PartPlace = tuple[str, tuple[float, ...]]
"""Name of the part that carries a point, and its local place (Part.place)."""
RESERVED_PART_NAMES = {
    "ground": "the ground",
    "ground_reaction": "the sum of all contacts with the ground",
    "energy": "the energies in every result",
    "evidence": "the evidence in every result",
}


def _read_solid(s: Any, entry: Any) -> None:
    from gaitwright.model.reader.solids import add_solid  # meshes and materials, which few models have

    add_solid(s, entry)


PART_READERS: dict[str, Callable[[Any, Any], Any]] = {
    "bodies": lambda s, body: s.read_body(body),
    "links": lambda s, link: s.read_link(link),
    "beams": lambda s, beam: s.add((read_beam if s.document.dimension == 2 else read_spatial_beam)(s, beam)),
    "solids": _read_solid,
    "parts": read_part,
}
"""Reader of the entries of each section of a document. Coordinates of a mechanism are in this order."""


@functools.lru_cache(maxsize=10_000)
def _parse_cached(text: str, known: frozenset[str], series: tuple[str, ...]) -> expressions.Expression:
    """Cached, because variants of a model contain the same expressions with other numbers."""
    return expressions.parse(text, known, series)


def require_known_parameters(document: ModelDocument, names: Iterable[str]) -> None:
    """ModelError for a name that is not a parameter of the document."""
    for name in sorted(set(names) - set(document.parameters)):
        ErrorContext(field=name).fail(
            "is not a parameter of this model",
            expected=f"one of {', '.join(document.parameters) or '(the model has no parameters)'}",
        )


class NameResolver:
    """Values of the parameters, and the parts read so far.

    coordinates: number of coordinates used. carriers: names of the parts that share each named point."""

    def __init__(self, document: ModelDocument, parameters: dict[str, float] | None = None):
        self.document = document
        require_known_parameters(document, parameters or {})
        self.series = build_splines(document.series)
        self.values = expressions.resolve_parameters({**document.parameters, **(parameters or {})}, self.series)
        self.known = frozenset(self.values)
        self.space = BODY_READERS[document.dimension]
        self.ground: dict[str, tuple[float, ...]] = {}
        self.ground_part = self.space.ground(self.ground)
        self.family = self.ground_part.family
        self.origin = (0.0,) * document.dimension
        self.coordinates = 0
        self.parts: dict[str, Part] = {}
        self.carriers: dict[str, list[str]] = {}
        self.signals: list[SignalProgram] = []
        self.known_signals: dict[tuple[Any, ...], int] = {}
        self.sized: tuple[Any, float] = (None, 1.0)
        self.wanted: list[RequestedVelocity] = []
        self.notes: list[str] = []  # remarks of the readers, for the warnings of results

    # numbers ---------------------------------------------------------------------------------------------------------

    def angle(self, y: float, x: float) -> float:
        """Angle of a direction against the x axis, rad."""
        return math.atan2(y, x)

    def distance(self, start: Sequence[float], end: Sequence[float]) -> float:
        """Distance of two drawn points, m."""
        return math.dist(start, end)

    def drawn_pose(self, name: str, pose: Sequence[float]) -> np.ndarray:
        """Coordinates of a planar body as drawn."""
        return np.array(pose, dtype=float)

    def expression(self, value: float | str) -> expressions.Expression:
        return (
            _parse_cached(value, self.known, tuple(self.series)) if isinstance(value, str) else expressions.parse(value)
        )

    def parameters_of(self, value: float | str) -> frozenset[str]:
        """Parameters on which a number depends, directly or by the expressions of other parameters."""
        names: set[str] = set()
        left = list(self.expression(value).names & self.known)
        while left:
            name = left.pop()
            if name not in names:
                names.add(name)
                left += self.expression(self.document.parameters[name]).names & self.known
        return frozenset(names)

    def formula(self, value: float | str, variables: tuple[str, ...]) -> expressions.Expression:
        """Expression that may also contain variables of an element."""
        if conflicting := sorted(self.known & set(variables)):
            raise ModelError(f"the parameter '{conflicting[0]}' of the model has the name of a variable of this expression",
                             expected="another name for the parameter")  # fmt: skip
        return expressions.parse(value, self.known | set(variables), self.series)

    def number(self, value: float | str, element: str, field: str, unit: str = "") -> float:
        """Evaluate a number; ModelError outside the limits of double precision (limits.py)."""
        if not (type(value) is float and math.isfinite(value)):
            try:
                value = expressions.evaluate(self.expression(value), self.values, self.series)
            except ModelError as error:
                ErrorContext(element, field).fail(str(error))
        return require_within_limits(value, unit, element, field)

    def vector(self, value: Any, element: str, field: str, unit: str = "m") -> tuple[float, ...]:
        names = [f"{field}[{k}]" if field else "xyz"[k] for k in range(len(value))]
        return tuple(self.number(entry, element, name, unit) for entry, name in zip(value, names, strict=True))

    def pair(self, value: Any, element: str, field: str, unit: str = "m") -> tuple[float, float]:
        x, y = self.vector(value, element, field, unit)
        return x, y

    def positive(self, value: float | str, element: str, field: str, unit: str) -> float:
        number = self.number(value, element, field, unit)
        if number <= 0:
            ErrorContext(element, field).fail("must be greater than zero", number, f"a positive number of {unit}")
        return require_above_minimum(number, unit, element, field)

    def signal(self, value: float | str, element: str, field: str) -> int:
        """Index of the signal for this expression; identical expressions share one index."""
        try:
            program = expressions.compile_program(self.expression(value), self.values, self.series)
        except ModelError as error:
            ErrorContext(element, field).fail(str(error))
        return self.number_of(program)

    def number_of(self, program: SignalProgram) -> int:
        same = self.known_signals.setdefault(program.identity, len(self.signals))
        if same == len(self.signals):
            self.signals.append(program)
        return same

    # bodies ----------------------------------------------------------------------------------------------------------

    def unused(self, name: str, kind: str) -> None:
        """ModelError if a body, link or beam cannot have this name."""
        if name in RESERVED_PART_NAMES:
            ErrorContext(f"{kind} '{name}'", "name").fail(
                f"this name is that of {RESERVED_PART_NAMES[name]}", name, "another name"
            )
        if name in self.parts:
            ErrorContext(f"{kind} '{name}'", "name").fail(
                f"the name '{name}' is used twice, also for a {self.parts[name].kind}", name, "a name of its own"
            )

    def add(self, part: PartT) -> PartT:
        """Add a part; return it with its place in the tables."""
        self.unused(part.name, part.kind)
        if not part.mass >= 0.0:
            ErrorContext(f"{part.kind} '{part.name}'", "mass").fail(
                "is negative", part.mass, "a number of kg, at least 0"
            )
        part = part.placed(self.coordinates)
        self.coordinates += len(part.drawn)
        self.parts[part.name] = part
        for point in part.shared:
            self.carriers.setdefault(point, []).append(part.name)
        return part

    def part(self, name: str) -> Part:
        """Part by name, or the ground."""
        return self.ground_part if name == "ground" else self.parts[name]

    def read_bodies(self) -> None:
        doc = self.document
        self.ground |= {name: self.vector(at, f"ground point '{name}'", "") for name, at in doc.ground.points.items()}
        twice = sorted(set(self.ground) & set(doc.points))
        if twice:
            ErrorContext(f"point '{twice[0]}'").fail(
                "is given both as a ground point and as a moving point", expected="one of the two"
            )
        for name in self.ground:
            self.carriers[name] = ["ground"]
        for section, read in PART_READERS.items():
            for entry in getattr(doc, section):
                read(self, entry)

    def read_body(self, body: Any) -> None:
        self.space.read_body(self, body, f"body '{body.name}'")

    def read_link(self, link: Any) -> None:
        label = f"link '{link.name}'"
        if link.from_ == link.to:
            ErrorContext(label, "to").fail("starts and ends in the same point", link.to)
        start, end = self.drawn_point(link.from_, label, "from"), self.drawn_point(link.to, label, "to")
        drawn = self.distance(start, end)
        length = drawn if link.length is None else self.positive(link.length, label, "length", "m")
        if drawn == 0.0:
            ErrorContext(label, "to").fail(
                f"its ends '{link.from_}' and '{link.to}' are drawn in the same place",
                list(end),
                "drawn positions that show the direction of the link",
            )
        require_above_minimum(min(drawn, length), "m", label, "to" if drawn < length else "length")
        half = length / 2
        rest = self.origin[1:]
        points: dict[str, tuple[float, ...]] = {link.from_: (-half, *rest), link.to: (half, *rest)}
        for name, at in link.points.items():
            if name in points:
                ErrorContext(label, "points").fail(f"the point '{name}' is an end of the link already")
            points[name] = self.vector(at, label, f"points.{name}")
        self.space.read_link(self, link, label, (start, end), length, points)

    def drawn_point(self, name: str, element: str, field: str) -> tuple[float, ...]:
        if name in self.ground:
            return self.ground[name]
        if name in self.document.points:
            return self.vector(self.document.points[name], f"point '{name}'", "")
        known = ", ".join([*self.ground, *self.document.points]) or "none"
        ErrorContext(element, field).fail(
            f"there is no point '{name}'",
            name,
            f"a ground point or a drawn point (known: {known}); a moving point needs a drawn position, "
            f"which picks the branch of the linkage{suggest_spelling(name, [*self.ground, *self.document.points])}",
        )

    # references ------------------------------------------------------------------------------------------------------

    def body(self, name: str, element: str, field: str) -> str:
        """Check and return the name of a rigid body or the ground."""
        if name == "ground" or (name in self.parts and self.parts[name].rigid):
            return name
        if name in self.parts and not self.parts[name].flexible:
            ErrorContext(element, field).fail("has no axes", name, "a body or link")
        if name in self.parts:
            part = self.parts[name]
            ErrorContext(element, field).fail(
                f"is a {part.kind}, which bends", name, f"a body, or a point of the {part.kind}, such as {name}.end"
            )
        known = [*(part.name for part in self.parts.values() if part.rigid), "ground"]
        ErrorContext(element, field).fail(f"there is no body or link '{name}'", name, format_choices(name, known))

    def beam(self, name: str, element: str, field: str) -> PlanarBeamPart:
        """Beam by name."""
        beams = {part.name: part for part in self.parts.values() if isinstance(part, PlanarBeamPart)}
        if name not in beams:
            ErrorContext(element, field).fail(
                f"there is no beam '{name}'", name, format_choices(name, beams, "(the model has no beams)")
            )
        return beams[name]

    def orientation(self, reference: str, element: str, field: str) -> PartPlace:
        """Place of a body, or of a point on a flexible part with a direction there."""
        owner = self.parts.get(reference.partition(".")[0])
        if owner is not None and not owner.rigid and "." in reference:
            return self.point(reference, element, field)
        return self.body(reference, element, field), self.origin

    def point(self, reference: str, element: str, field: str) -> PartPlace:
        """Owner and place of K1.F, ground.O, rod.end, A (of the ground or the first link or beam with this point) or K1 (its
        centre of mass)."""
        owner, _, name = reference.partition(".")
        if name:
            if owner != "ground" and owner not in self.parts:
                self.body(owner, element, field)
            return owner, self.place(self.part(owner), name, element, field)
        if owner in self.carriers:
            carrier = self.carriers[owner][0]
            return carrier, self.place(self.part(carrier), owner, element, field)
        if owner in self.parts or (owner == "ground" and self.document.dimension == 3):
            part = self.part(owner)
            if part.centre is not None:
                return owner, part.centre
            ErrorContext(element, field).fail(
                f"is a whole {part.kind}", owner, f"a point of it, such as {part.examples()}"
            )
        own = [f"{part.name}.{p}" for part in self.parts.values() if part.rigid for p in part.points]
        points = [*self.carriers, *own]
        known = ", ".join(points[:20])
        ErrorContext(element, field).fail(
            f"there is no point '{reference}'",
            reference,
            f"a point of a link, of a body (body.point) or of the ground, such as {known or 'ground.O'}"
            f"{suggest_spelling(reference, points)}",
        )

    def place(self, part: Part, name: str, element: str, field: str) -> tuple[float, ...]:
        """Named place of a part; ModelError if it does not exist."""
        place = part.place(name)
        if place is None:
            ErrorContext(element, field).fail(
                f"'{part.name}' has no {part.place_word} '{name}'", f"{part.name}.{name}", part.known_places()
            )
        return place

    def size(self) -> float:
        """Characteristic length of the mechanism, m: half the spread of its points, at least the largest extent of a part."""
        known = len(self.parts), len(self.ground)
        if self.sized[0] == known:  # cached: requested for each of many contacts
            return self.sized[1]
        parts = list(self.parts.values())
        drawn = [place for part in parts for place in part.drawn_places()]
        centres = np.array([*drawn, *self.ground.values()])
        spread = float(np.ptp(centres, axis=0).max()) if len(centres) > 1 else 0.0
        self.sized = known, max([spread / 2, *(part.extent() for part in parts)]) or 1.0
        return self.sized[1]
