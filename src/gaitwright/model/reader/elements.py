"""Joint, drive or force of a document as an entry of the tables: its places, parameters and functions of time."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.model.reader.name_resolver import NameResolver, PartPlace
from gaitwright.physics.attachments import BodyFrame, CountedAngle, Place, Point, SolidRegion
from gaitwright.physics.declarations import Declaration, ElementSpan, Number
from gaitwright.physics.parameters import (
    DRAWN,
    VECTOR_PARAMETERS,
    ZERO_DIRECTION_TOL,
    Choice,
    Direction,
    Signal,
)

FULL_TURN_RAD = 2 * math.pi


@functools.cache
def _drawn_arguments(declaration: type[Declaration]) -> frozenset[str]:
    """Arguments of `declaration.drawn`: attachments and parameters that it needs from the drawn pose."""
    return frozenset(inspect.signature(declaration.drawn).parameters)


class ElementReader:
    """Reader of elements: table entries from entries of a document. names: parts and points of the document."""

    def __init__(self, names: NameResolver):
        self.names, self.numbers = names, names.numbers

    def element(
        self, declaration: type[Declaration], fields: dict[str, Any], label: str
    ) -> tuple[MechanismElement, tuple]:
        """Table entry of a joint, drive or force, and the names of its bodies."""
        places = [
            self.names.point(fields[name], label, name)
            if isinstance(kind, (Place, BodyFrame))
            else self.names.orientation(fields[name], label, name)
            for name, kind in declaration.attachments.items()
        ]
        bodies = tuple(owner for owner, _ in places)
        if all(owner == "ground" for owner in bodies):
            ErrorContext(label, next(iter(declaration.attachments))).fail(
                "acts on the ground alone, which cannot move",
                next(fields[name] for name in declaration.attachments),
                "a body or link",
            )
        if len(bodies) > 1 and bodies[0] == bodies[1] and (self.names.part(bodies[0]).rigid or places[0] == places[1]):
            first, second = list(declaration.attachments)[:2]
            ErrorContext(label, second).fail(
                f"connects '{bodies[0]}' with itself", fields[second], f"another body than that of '{first}'"
            )
        for (name, kind), place in zip(declaration.attachments.items(), places, strict=True):
            self.require_marker(kind, place, label, name, fields[name])
        drawn_markers = [self.drawn_marker(place) for place in places]
        values = self.parameter_values(
            declaration, fields, label, dict(zip(declaration.attachments, drawn_markers, strict=True))
        )
        signals = self.signals_of(declaration, fields, label)
        return self.table_entry(declaration, places, values, signals), bodies

    def require_marker(self, kind: Any, place: PartPlace, label: str, field: str, value: Any) -> None:
        """ModelError if the part at a place does not offer the marker that an element needs there."""
        part, local = self.names.part(place[0]), place[1]
        if part.offers(kind, local):
            return
        if not part.offers(Point(), local) and not isinstance(kind, CountedAngle):
            ErrorContext(label, field).fail(
                f"'{part.name}' has a position but no axes, and needs axes here",
                value,
                "a point of a body, a link or a beam",
            )
        ErrorContext(label, field).fail(f"'{part.name}' is a {part.kind}, which bends", value, "a rigid body or link")

    def acting(
        self, declaration: type[Declaration], fields: dict[str, Any], label: str
    ) -> tuple[Sequence[MechanismElement | ElementBlock], tuple[str, ...]]:
        """Table entries of a force: one element, or all elements of the beam or surface on which it acts."""
        region_field = next(
            (name for name, kind in declaration.attachments.items() if isinstance(kind, SolidRegion)), None
        )
        if region_field is not None:
            part, region = self.area(fields[region_field], label, region_field)
            signals = self.signals_of(declaration, fields, label)
            return part.loaded(declaration.name, region, signals, self.numbers.signals), (part.name,)
        beam_field = next(
            (name for name, kind in declaration.attachments.items() if isinstance(kind, ElementSpan)), None
        )
        if beam_field is None:
            element, bodies = self.element(declaration, fields, label)
            return [element], bodies
        part = self.names.beam(fields[beam_field], label, beam_field)
        spans, signals = part.spans(), self.signals_of(declaration, fields, label)
        numbers = self.parameter_values(declaration, fields, label, {beam_field: spans}).values()
        parameters = np.column_stack(np.broadcast_arrays(*numbers, spans.length)[:-1])
        return [ElementBlock(declaration, (spans.family,), spans.coordinates, parameters, signals)], (part.name,)

    def area(self, reference: str, label: str, field: str) -> tuple[Any, str]:
        """Solid and the name of one of its regions with a surface."""
        part, region = self.region(reference, label, field)
        if region not in part.areas:
            names_with_area = [f"{part.name}.{name}" for name in part.areas]
            ErrorContext(label, field).one_of(reference, names_with_area, "has no sides on the surface of its solid")
        return part, region

    def region(self, reference: str, label: str, field: str) -> tuple[Any, str]:
        """Solid and the name of one of its regions."""
        owner, _, region = reference.partition(".")
        solids: dict[str, Any] = {
            name: part for name, part in self.names.parts.items() if part.meshed and part.flexible
        }
        if owner not in solids or region not in solids[owner].mesh.regions:
            names = [f"{name}.{inner}" for name, part in solids.items() for inner in part.mesh.regions]
            ErrorContext(label, field).one_of(reference, names, "is not a region of a solid")
        return solids[owner], region

    def signals_of(self, declaration: type[Declaration], fields: dict[str, Any], label: str) -> list[int]:
        """Indices of the signals (functions of time) of an element."""
        return [
            self.numbers.signal(value, label, name)
            for name, parameter in declaration.parameters.items()
            if isinstance(parameter, Signal)
            for value in (fields[name] if parameter.vector or parameter.parts else [fields[name]])
        ]

    def drawn_marker(self, place: PartPlace) -> Any:
        """Marker of an attachment in the drawn pose."""
        owner, local = place
        return self.names.part(owner).marker_drawn(local)

    def drawn_at(self, place: PartPlace) -> Any:
        """Drawn position of a point, m."""
        return self.drawn_marker(place).position

    def table_entry(
        self,
        declaration: type[Declaration],
        places: Sequence[PartPlace],
        numbers: dict[str, Any],
        signals: Sequence[int],
    ) -> MechanismElement:
        """Element from the body and local coordinates of each attachment, and its parameter values."""
        families, coordinates, parameters = [], [], []
        for kind, (owner, place) in zip(declaration.attachments.values(), places, strict=True):
            family, index, local = self.names.part(owner).marker(declaration, kind, place)
            families.append(family)
            coordinates.append(index)
            parameters += local
        for name, parameter in declaration.parameters.items():
            if isinstance(parameter, VECTOR_PARAMETERS):
                parameters += numbers[name]
            elif not isinstance(parameter, Signal):
                parameters.append(numbers[name])
        return MechanismElement(declaration, tuple(families), tuple(coordinates), parameters, signals)

    def parameter_values(
        self,
        declaration: type[Declaration],
        fields: dict[str, Any],
        label: str,
        drawn_markers: dict[str, Any],
        prefix: str = "",
    ) -> dict[str, Any]:
        """Constant parameters, checked by their declaration. drawn_markers: attachments in the drawn pose. prefix: of
        field names in messages."""
        values: dict[str, Any] = {}
        for name, parameter in declaration.parameters.items():
            if isinstance(parameter, Choice):
                values[name] = parameter.options[fields[name]]
            elif isinstance(parameter, VECTOR_PARAMETERS):
                values[name] = self.constants(
                    declaration, name, fields.get(name), {**drawn_markers, **values}, label, prefix
                )
            elif isinstance(parameter, Number):
                values[name] = self.constant(
                    declaration, name, fields[name], {**drawn_markers, **values}, label, prefix
                )
        try:
            declaration.check(**values)
        except ModelError as error:
            raise with_location(error, label, prefix + (error.field or "")) from None
        return values

    def constants(
        self, declaration: type[Declaration], name: str, given: Any, known: dict[str, Any], label: str, prefix: str
    ) -> tuple[float, ...]:
        """Parameter with one number per dimension: given, or from the drawn pose."""
        parameter: Any = declaration.parameters[name]
        value = None if given is None else self.numbers.vector(given, label, prefix + name, parameter.unit)
        if isinstance(parameter, Direction) and value is not None:
            norm = math.hypot(*value)
            if norm < ZERO_DIRECTION_TOL:
                ErrorContext(label, prefix + name).fail(
                    "has no direction", list(value), f"a direction such as {[1.0, *self.names.origin[1:]]}"
                )
            value = tuple(x / norm for x in value)
        if parameter.default is DRAWN:
            drawn_values = self.measured(declaration, {**known, name: value} if value is not None else known, label)
            return tuple(drawn_values[name]) if value is None else value
        value = tuple(parameter.default) if value is None else value
        minimum = getattr(parameter, "minimum", None)
        if minimum is not None and min(value) < minimum:
            ErrorContext(label, prefix + name).fail(
                "is negative", list(value), f"numbers of {parameter.unit} that are at least {minimum:g}"
            )
        return value

    def measured(self, declaration: type[Declaration], known: dict[str, Any], label: str) -> dict[str, Any]:
        """Values that a declaration computes from the drawn pose, as far as the known values permit."""
        arguments = _drawn_arguments(declaration)
        try:
            return declaration.drawn(**{key: value for key, value in known.items() if key in arguments})
        except ModelError as error:
            raise with_location(error, label, error.field or "") from None

    def constant(
        self, declaration: type[Declaration], name: str, given: Any, known: dict[str, Any], label: str, prefix: str = ""
    ) -> float:
        parameter = declaration.parameters[name]
        assert isinstance(parameter, Number)
        drawn_values: dict[str, float] = {}
        if parameter.default is DRAWN:
            drawn_values = self.measured(declaration, known, label)
        if given is None:
            value = drawn_values[name] if parameter.default is DRAWN else float(parameter.default)
        else:
            value = self.numbers.number(given, label, prefix + name, parameter.unit)
            if parameter.unit == "rad" and name in drawn_values:
                # An angle between bodies is defined up to full turns: take the one nearest to the drawn angle.
                value += FULL_TURN_RAD * round((drawn_values[name] - value) / FULL_TURN_RAD)
        if parameter.minimum is not None and np.any(value < parameter.minimum):
            problem = "is negative" if parameter.minimum == 0 else "is too small"
            ErrorContext(label, prefix + name).fail(
                problem, value, f"at least {parameter.minimum:g} {parameter.unit}".removesuffix(" 1")
            )
        return value
