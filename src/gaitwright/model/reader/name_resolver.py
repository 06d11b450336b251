"""Resolution of names in a document: bodies, links, flexible parts and their points."""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, suggest_spelling
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.parts.base import Part, RequestedVelocity
from gaitwright.model.limits import require_above_minimum
from gaitwright.model.reader.bodies import BODY_READERS
from gaitwright.model.reader.number_reader import NumberReader

PartT = TypeVar("PartT", bound=Part)
PartPlace = tuple[str, tuple[float, ...]]
"""Name of the part that carries a point, and its local place (Part.place)."""
RESERVED_PART_NAMES = {
    "ground": "the ground",
    "ground_reaction": "the sum of all contacts with the ground",
    "energy": "the energies in every result",
    "evidence": "the evidence in every result",
}


class NameResolver:
    """Parts and points by name, and the parts read so far. numbers: numbers of the same document.

    coordinates: number of coordinates used. carriers: names of the parts that share each named point."""

    def __init__(self, numbers: NumberReader):
        self.numbers, self.document = numbers, numbers.document
        self.space = BODY_READERS[self.document.dimension]
        self.ground: dict[str, tuple[float, ...]] = {}
        self.ground_part = self.space.ground(self.ground)
        self.family = self.ground_part.family
        self.origin = (0.0,) * self.document.dimension
        self.coordinates = 0
        self.parts: dict[str, Part] = {}
        self.carriers: dict[str, list[str]] = {}
        self.sized: tuple[Any, float] = (None, 1.0)
        self.wanted: list[RequestedVelocity] = []
        self.notes: list[str] = []  # remarks of the readers, for the warnings of results

    def fork(self) -> NameResolver:
        """Resolver of the same parts, to which functions of time and remarks can be added separately."""
        new = copy(self)
        new.numbers, new.notes = self.numbers.fork(), list(self.notes)
        return new

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

    def read_ground(self) -> None:
        """Add the points of the ground."""
        points = self.document.ground.points
        self.ground |= {name: self.numbers.vector(at, f"ground point '{name}'", "") for name, at in points.items()}
        conflicting = sorted(set(self.ground) & set(self.document.points))
        if conflicting:
            ErrorContext(f"point '{conflicting[0]}'").fail(
                "is given both as a ground point and as a moving point", expected="one of the two"
            )
        for name in self.ground:
            self.carriers[name] = ["ground"]

    def read_body(self, body: Any) -> None:
        self.space.read_body(self, body, f"body '{body.name}'")

    def read_link(self, link: Any) -> None:
        label = f"link '{link.name}'"
        if link.from_ == link.to:
            ErrorContext(label, "to").fail("starts and ends in the same point", link.to)
        start, end = self.drawn_point(link.from_, label, "from"), self.drawn_point(link.to, label, "to")
        drawn_length = self.numbers.distance(start, end)
        length = drawn_length if link.length is None else self.numbers.positive(link.length, label, "length", "m")
        if drawn_length == 0.0:
            ErrorContext(label, "to").fail(
                f"its ends '{link.from_}' and '{link.to}' are drawn in the same place",
                list(end),
                "drawn positions that show the direction of the link",
            )
        require_above_minimum(min(drawn_length, length), "m", label, "to" if drawn_length < length else "length")
        half = length / 2
        other_coordinates = self.origin[1:]
        points: dict[str, tuple[float, ...]] = {
            link.from_: (-half, *other_coordinates),
            link.to: (half, *other_coordinates),
        }
        for name, at in link.points.items():
            if name in points:
                ErrorContext(label, "points").fail(f"the point '{name}' is an end of the link already")
            points[name] = self.numbers.vector(at, label, f"points.{name}")
        self.space.read_link(self, link, label, (start, end), length, points)

    def drawn_point(self, name: str, element: str, field: str) -> tuple[float, ...]:
        if name in self.ground:
            return self.ground[name]
        if name in self.document.points:
            return self.numbers.vector(self.document.points[name], f"point '{name}'", "")
        names = ", ".join([*self.ground, *self.document.points]) or "none"
        ErrorContext(element, field).fail(
            f"there is no point '{name}'",
            name,
            f"a ground point or a drawn point (known: {names}); a moving point needs a drawn position, "
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
        names = [*(part.name for part in self.parts.values() if part.rigid), "ground"]
        ErrorContext(element, field).fail(f"there is no body or link '{name}'", name, format_choices(name, names))

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
        body_points = [f"{part.name}.{p}" for part in self.parts.values() if part.rigid for p in part.points]
        points = [*self.carriers, *body_points]
        examples = ", ".join(points[:20])
        ErrorContext(element, field).fail(
            f"there is no point '{reference}'",
            reference,
            f"a point of a link, of a body (body.point) or of the ground, such as {examples or 'ground.O'}"
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
        counts = len(self.parts), len(self.ground)
        if self.sized[0] == counts:  # cached: requested for each of many contacts
            return self.sized[1]
        parts = list(self.parts.values())
        drawn_positions = [place for part in parts for place in part.drawn_places()]
        positions = np.array([*drawn_positions, *self.ground.values()])
        spread = float(np.ptp(positions, axis=0).max()) if len(positions) > 1 else 0.0
        self.sized = counts, max([spread / 2, *(part.extent() for part in parts)]) or 1.0
        return self.sized[1]
