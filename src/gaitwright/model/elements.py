"""One joint, drive or force of a document as an entry of the tables: its places, its numbers, its functions of time."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.messages import relabel
from gaitwright.model.scope import Scope, Where
from gaitwright.physics.declare import (
    DRAWN,
    NO_DIRECTION,
    VECTORS,
    Area,
    Choice,
    Declaration,
    Direction,
    Frame,
    Number,
    Place,
    Point,
    Signal,
    Span,
    Turns,
)
from gaitwright.system.blocks import Block, Element

TURN = 2 * math.pi


@functools.cache
def _arguments(declaration: type[Declaration]) -> frozenset[str]:
    """What a declaration wants to know of the drawn pose."""
    return frozenset(inspect.signature(declaration.drawn).parameters)


class Elements(Scope):
    """Makes elements of what a document says of them."""

    def element(self, declaration: type[Declaration], fields: dict[str, Any], label: str) -> tuple[Element, tuple]:
        """The table entry of a joint, drive or force, and the bodies it touches."""
        places = [
            self.point(fields[name], label, name)
            if isinstance(kind, (Place, Frame))
            else self.orientation(fields[name], label, name)
            for name, kind in declaration.attachments.items()
        ]
        bodies = tuple(owner for owner, _ in places)
        if all(owner == "ground" for owner in bodies):
            At(label, next(iter(declaration.attachments))).fail(
                "acts on the ground alone, which cannot move",
                next(fields[name] for name in declaration.attachments),
                "a body or link",
            )
        if len(bodies) > 1 and bodies[0] == bodies[1] and (self.part(bodies[0]).rigid or places[0] == places[1]):
            first, second = list(declaration.attachments)[:2]
            At(label, second).fail(
                f"connects '{bodies[0]}' with itself", fields[second], f"another body than that of '{first}'"
            )
        for (name, kind), place in zip(declaration.attachments.items(), places, strict=True):
            self.require_marker(kind, place, label, name, fields[name])
        drawn = [self.drawn_marker(place) for place in places]
        numbers = self.numbers(declaration, fields, label, dict(zip(declaration.attachments, drawn, strict=True)))
        signals = self.signals_of(declaration, fields, label)
        return self.table_entry(declaration, places, numbers, signals), bodies

    def require_marker(self, kind: Any, place: Where, label: str, field: str, value: Any) -> None:
        """ModelError if the part that an element is attached to does not offer what it needs there."""
        part, local = self.part(place[0]), place[1]
        if part.offers(kind, local):
            return
        if not part.offers(Point(), local) and not isinstance(kind, Turns):
            At(label, field).fail(
                f"'{part.name}' has a position but no axes, and needs axes here",
                value,
                "a point of a body, a link or a beam",
            )
        At(label, field).fail(f"'{part.name}' is a {part.kind}, which bends", value, "a rigid body or link")

    def acting(
        self, declaration: type[Declaration], fields: dict[str, Any], label: str
    ) -> tuple[Sequence[Element | Block], tuple[str, ...]]:
        """The table entries of a force: an element, or all elements of the beam or the surface that it acts on as a whole."""
        over = next((name for name, kind in declaration.attachments.items() if isinstance(kind, Area)), None)
        if over is not None:
            part, region = self.area(fields[over], label, over)
            signals = self.signals_of(declaration, fields, label)
            return part.loaded(declaration.name, region, signals, self.signals), (part.name,)
        along = next((name for name, kind in declaration.attachments.items() if isinstance(kind, Span)), None)
        if along is None:
            element, bodies = self.element(declaration, fields, label)
            return [element], bodies
        part = self.beam(fields[along], label, along)
        spans, signals = part.spans(), self.signals_of(declaration, fields, label)
        numbers = self.numbers(declaration, fields, label, {along: spans}).values()
        parameters = np.column_stack(np.broadcast_arrays(*numbers, spans.length)[:-1])
        return [Block(declaration, (spans.family,), spans.coordinates, parameters, signals)], (part.name,)

    def area(self, reference: str, label: str, field: str) -> tuple[Any, str]:
        """A solid and the name of one of its regions that have a surface."""
        part, region = self.region(reference, label, field)
        if region not in part.areas:
            known = [f"{part.name}.{one}" for one in part.areas]
            At(label, field).one_of(reference, known, "has no sides on the surface of its solid")
        return part, region

    def region(self, reference: str, label: str, field: str) -> tuple[Any, str]:
        """A solid and the name of one of its regions."""
        owner, _, region = reference.partition(".")
        solids: dict[str, Any] = {name: part for name, part in self.parts.items() if part.meshed and part.flexible}
        if owner not in solids or region not in solids[owner].mesh.regions:
            known = [f"{name}.{one}" for name, part in solids.items() for one in part.mesh.regions]
            At(label, field).one_of(reference, known, "is not a region of a solid")
        return solids[owner], region

    def signals_of(self, declaration: type[Declaration], fields: dict[str, Any], label: str) -> list[int]:
        """The functions of time of an element."""
        return [
            self.signal(value, label, name)
            for name, parameter in declaration.parameters.items()
            if isinstance(parameter, Signal)
            for value in (fields[name] if parameter.vector or parameter.parts else [fields[name]])
        ]

    def drawn_marker(self, place: Where) -> Any:
        """An attachment in the drawn pose."""
        owner, local = place
        return self.part(owner).marker_drawn(local)

    def drawn_at(self, place: Where) -> Any:
        """Where a point is drawn, m."""
        return self.drawn_marker(place).position

    def table_entry(
        self,
        declaration: type[Declaration],
        places: Sequence[Where],
        numbers: dict[str, Any],
        signals: Sequence[int],
    ) -> Element:
        """An element from body and local coordinates of each attachment, and the numbers of its parameters."""
        families, coordinates, parameters = [], [], []
        for kind, (owner, place) in zip(declaration.attachments.values(), places, strict=True):
            family, index, local = self.part(owner).marker(declaration, kind, place)
            families.append(family)
            coordinates.append(index)
            parameters += local
        for name, parameter in declaration.parameters.items():
            if isinstance(parameter, VECTORS):
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
            elif isinstance(parameter, VECTORS):
                known[name] = self.constants(declaration, name, fields.get(name), {**drawn, **known}, label, prefix)
            elif isinstance(parameter, Number):
                known[name] = self.constant(declaration, name, fields[name], {**drawn, **known}, label, prefix)
        return known

    def constants(
        self, declaration: type[Declaration], name: str, given: Any, known: dict[str, Any], label: str, prefix: str
    ) -> tuple[float, ...]:
        """A parameter with one number per dimension: given, or as drawn."""
        parameter: Any = declaration.parameters[name]
        value = None if given is None else self.vector(given, label, prefix + name, parameter.unit)
        if isinstance(parameter, Direction) and value is not None:
            size = math.hypot(*value)
            if size < NO_DIRECTION:
                At(label, prefix + name).fail(
                    "has no direction", list(value), f"a direction such as {[1.0, *self.origin[1:]]}"
                )
            value = tuple(x / size for x in value)
        if parameter.default is DRAWN:
            drawn = self.measured(declaration, {**known, name: value} if value is not None else known, label)
            return tuple(drawn[name]) if value is None else value
        value = tuple(parameter.default) if value is None else value
        least = getattr(parameter, "minimum", None)
        if least is not None and min(value) < least:
            At(label, prefix + name).fail(
                "is negative", list(value), f"numbers of {parameter.unit} that are at least {least:g}"
            )
        return value

    def measured(self, declaration: type[Declaration], known: dict[str, Any], label: str) -> dict[str, Any]:
        """What a declaration takes from the drawn pose, as far as it can with what is known."""
        wants = _arguments(declaration)
        try:
            return declaration.drawn(**{key: value for key, value in known.items() if key in wants})
        except ModelError as error:
            raise relabel(error, label, error.field or "") from None

    def constant(
        self, declaration: type[Declaration], name: str, given: Any, known: dict[str, Any], label: str, prefix: str = ""
    ) -> float:
        parameter = declaration.parameters[name]
        assert isinstance(parameter, Number)
        drawn: dict[str, float] = {}
        if parameter.default is DRAWN:
            drawn = self.measured(declaration, known, label)
        if given is None:
            value = drawn[name] if parameter.default is DRAWN else float(parameter.default)
        else:
            value = self.number(given, label, prefix + name, parameter.unit)
            if parameter.unit == "rad" and name in drawn:
                # An angle between bodies is meant up to full turns: take the one that is drawn.
                value += TURN * round((drawn[name] - value) / TURN)
        if parameter.minimum is not None and np.any(value < parameter.minimum):
            problem = "is negative" if parameter.minimum == 0 else "is too small"
            At(label, prefix + name).fail(
                problem, value, f"at least {parameter.minimum:g} {parameter.unit}".removesuffix(" 1")
            )
        return value
