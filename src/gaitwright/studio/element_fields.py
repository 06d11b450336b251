"""Fields of all model elements, with units, meaning and choices, for panels and help. They come from the declarations that
validate a model file."""

from __future__ import annotations

import functools
import typing
from typing import Any

from pydantic.fields import FieldInfo

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.spec.document import (
    CONTACT_CHOICE_REGISTRIES,
    CONTACT_KINDS,
    DOCUMENT_TYPES,
    ELEMENT_REGISTRIES,
    SECTION_SPECS,
)
from gaitwright.model.spec.field_types import unit_validator
from gaitwright.model.spec.validation import make_element_spec
from gaitwright.physics import load_all

FIELD_UNITS = (
    "1",
    "m",
    "m^2",
    "m^4",
    "1/m",
    "kg",
    "kg/m",
    "kg/m^3",
    "kg m^2",
    "s",
    "1/s",
    "m/s",
    "m/s^2",
    "rad",
    "rad/s",
    "Pa",
    "N",
    "N m^2",
)
FIELD_MEANINGS = {
    "name": "name in results and messages",
    "from": "the point where it begins",
    "to": "the point where it ends",
    "length": "as drawn unless given; a given length has priority, the drawing is a start guess",
    "mass": "of the whole",
    "inertia": "about the centre of mass; of a slender bar unless given",
    "points": "more points, in its own frame: origin in the middle, x towards its end",
    "at": "drawn position of its centre of mass",
    "angle": "drawn angle, counter-clockwise",
    "velocity": "requested at the start; the rest follows from joints and drives",
    "spin": "requested at the start",
    "elements": "number of finite elements; more of them resolve bending more finely",
    "youngs_modulus": "of the material",
    "density": "of the material",
    "width": "of a rectangular section, out of the plane",
    "height": "of a rectangular section, in the plane",
    "diameter": "of a round section",
    "area": "of any other section",
    "second_moment": "of any other section",
    "axial_stiffness": "EA itself, instead of material and section",
    "bending_stiffness": "EI itself, instead of material and section",
    "mass_per_length": "rho A itself, instead of material and section",
    "curvature": "of the unstressed shape, positive to the left",
    "formulation": "continuum, or takahashi: the element of paper 002",
    "integration": "reduced integration avoids locking",
    "damping": "viscosity divided by Young's modulus",
    "bow": "side to which it bends, if it is longer than the distance of its ends",
    "prestress": "drawn: it starts with the strain of the drawing",
    "point": "the point in contact",
    "surface": "the surface in contact, such as {line: [0, 1, 0]}",
    "law": "the normal force",
    "friction": "the tangential force; none unless given",
    "restitution": "from 0 to 1, for the method moreau",
    "approach_speed": "of a contact that is closed at the start",
    "type": "which kind",
    "feet": "the points that touch the ground",
    "drive": "the drive of the crank; the only rotating drive unless given",
    "hip": "the point from which the leg is suspended",
    "penetration": "depth of the lowest foot in the ground",
    "level": "height of the ground, instead of a penetration",
    "period": "of a turn; of the crank unless given",
    "body_speed": "of the hip over the ground; that of the foot in stance unless given",
    "parameters": "named numbers for expressions",
    "gravity": "x and y",
    "outputs": "outputs shown in results; all unless given",
}
"""Meaning of fields whose class has no description."""


def element_forms(dimension: int = 2) -> dict[str, Any]:
    """Fields of elements by section; for joints, drives, forces, contact laws and frictions, by section and type."""
    return _element_forms(dimension)


@functools.cache
def _element_forms(dimension: int) -> dict[str, Any]:
    load_all()
    document = DOCUMENT_TYPES[dimension].model_fields
    forms: dict[str, Any] = {}
    for section in ("links", "bodies", "beams"):
        forms[section] = _model_fields(typing.get_args(document[section].annotation)[0])
    forms["contacts"] = _model_fields(CONTACT_KINDS[dimension].of)
    for section in ("joints", "drives", "forces"):
        kinds = ELEMENT_REGISTRIES[section][dimension]
        forms[section] = {
            name: _model_fields(make_element_spec(kind, (), dimension)) for name, kind in sorted(kinds.items())
        }
    for section, kinds in CONTACT_CHOICE_REGISTRIES.items():
        forms[section] = {name: _model_fields(make_element_spec(kind)) for name, kind in sorted(kinds.items())}
    return forms | {section: _model_fields(kind) for section, kind in SECTION_SPECS.items() if section != "worn"}


def field_help(where: str, dimension: int = 2) -> dict[str, Any]:
    """Help for a field: `links.length`, `joints.slot.axis`, `analysis.until`, `law.hertz.stiffness`."""
    place: Any = element_forms(dimension)
    keys = [key for key in where.split(".") if not key.isdigit()]
    for key in keys:
        if isinstance(place, list):
            place = {field["name"]: field for field in place}
        if not isinstance(place, dict) or key not in place:
            ErrorContext(f"help on '{where[:80]}'").fail(
                "there is none", expected=", ".join(place) if isinstance(place, dict) else ""
            )
        place = place[key]
    if isinstance(place, dict) and "title" in place:
        return place
    return {"name": keys[-1], "title": keys[-1], "unit": "", "text": FIELD_MEANINGS.get(keys[-1], ""), "needed": False,
            "default": None, "choices": sorted(place) if isinstance(place, dict) else None}  # fmt: skip


def _model_fields(kind: Any) -> list[dict[str, Any]]:
    return [_field_data(field.alias or name, field) for name, field in kind.model_fields.items()]


def _field_data(name: str, field: FieldInfo) -> dict[str, Any]:
    text = field.description or FIELD_MEANINGS.get(name, "")
    unit = _field_unit(field)
    if not unit and ", in " in text:  # a declaration gives its unit in its description
        text, _, unit = text.rpartition(", in ")
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    default = default if isinstance(default, (int, float, str, list, bool)) else None
    return {
        "name": name, "title": name.replace("_", " "), "unit": unit, "text": text, "needed": field.is_required(),
        "default": default, "choices": _literal_choices(field.annotation),
    }  # fmt: skip


def _field_unit(field: FieldInfo) -> str:
    """Unit in which a field is validated."""
    checks = {id(unit_validator(unit)): unit for unit in FIELD_UNITS}
    for part in (*field.metadata, *_annotation_parts(field.annotation)):
        if id(part) in checks:
            unit = checks[id(part)]
            return "" if unit == "1" else unit
    return ""


def _annotation_parts(annotation: Any) -> list[Any]:
    """All parts of an annotation, nested ones included."""
    inner = [*typing.get_args(annotation), *getattr(annotation, "__metadata__", ())]
    return [part for one in inner for part in (one, *_annotation_parts(one))]


def _literal_choices(annotation: Any) -> list[str] | None:
    for part in (annotation, *_annotation_parts(annotation)):
        if typing.get_origin(part) is typing.Literal:
            return [str(choice) for choice in typing.get_args(part)]
    return None
