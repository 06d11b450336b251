"""The fields of everything that can stand in a model, with units, meaning and choices, for panels and help: from the same
declarations that check a model file."""

from __future__ import annotations

import functools
import typing
from typing import Any

from pydantic.fields import FieldInfo

from gaitwright.checks import At
from gaitwright.model.fields import of
from gaitwright.model.spec import CHOICES, CONTACTS, DOCUMENTS, REGISTRIES, SECTIONS
from gaitwright.model.validate import element_class
from gaitwright.physics import load_all

UNITS = ("1", "m", "m^2", "m^4", "1/m", "kg", "kg/m", "kg/m^3", "kg m^2", "s", "1/s", "m/s", "m/s^2", "rad", "rad/s", "Pa", "N",
         "N m^2")  # fmt: skip
MEANING = {
    "name": "what it is called in results and messages",
    "from": "the point where it begins",
    "to": "the point where it ends",
    "length": "as drawn unless given; what is given counts, the drawing is a guess",
    "mass": "of the whole",
    "inertia": "about the centre of mass; of a slender bar unless given",
    "points": "more points, in its own frame: origin in the middle, x towards its end",
    "at": "where its centre of mass is drawn",
    "angle": "how it is drawn, counter-clockwise",
    "velocity": "wanted at the start; the rest follows from joints and drives",
    "spin": "wanted at the start",
    "elements": "how many; more bend more finely",
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
    "integration": "reduced does not lock",
    "damping": "viscosity divided by Young's modulus",
    "bow": "to which side it is bent, if it is longer than the distance of its ends",
    "prestress": "drawn: it starts as far strained as it is drawn",
    "point": "what touches: a point",
    "surface": "what it touches, such as {line: [0, 1, 0]}",
    "law": "the normal force",
    "friction": "the tangential force; none unless given",
    "restitution": "from 0 to 1, for the method moreau",
    "approach_speed": "of a contact that is closed at the start",
    "type": "which kind",
    "until": "end of the run",
    "step": "of fixed-step methods and of sampling",
    "method": "of integration; see the page on methods",
    "tolerance": "of adaptive methods",
    "output_step": "spacing of the outputs of adaptive methods",
    "stabilisation": "how joints are kept closed",
    "feet": "the points that touch the ground",
    "drive": "which turns the crank; the only one that turns unless given",
    "hip": "the point that the leg hangs on",
    "penetration": "how deep the lowest foot is in the ground",
    "level": "height of the ground, instead of a penetration",
    "period": "of a turn; of the crank unless given",
    "body_speed": "of the hip over the ground; that of the foot in stance unless given",
    "parameters": "numbers that expressions may name",
    "gravity": "x and y",
    "outputs": "what results show; everything unless given",
}
"""Of fields whose class says no more than their type."""


def forms(dimension: int = 2) -> dict[str, Any]:
    """By section the fields of its elements; of joints, drives and forces, of laws and frictions by type."""
    return _forms(dimension)


@functools.cache
def _forms(dimension: int) -> dict[str, Any]:
    load_all()
    document = DOCUMENTS[dimension].model_fields
    found: dict[str, Any] = {}
    for section in ("links", "bodies", "beams"):
        found[section] = _fields(typing.get_args(document[section].annotation)[0])
    found["contacts"] = _fields(CONTACTS[dimension].of)
    for section in ("joints", "drives", "forces"):
        kinds = REGISTRIES[section][dimension]
        found[section] = {name: _fields(element_class(kind, (), dimension)) for name, kind in sorted(kinds.items())}
    for section, kinds in CHOICES.items():
        found[section] = {name: _fields(element_class(kind)) for name, kind in sorted(kinds.items())}
    return found | {section: _fields(kind) for section, kind in SECTIONS.items() if section != "worn"}


def help_on(where: str, dimension: int = 2) -> dict[str, Any]:
    """What a field is: `links.length`, `joints.slot.axis`, `analysis.until`, `law.hertz.stiffness`."""
    place: Any = forms(dimension)
    keys = [key for key in where.split(".") if not key.isdigit()]
    for key in keys:
        if isinstance(place, list):
            place = {field["name"]: field for field in place}
        if not isinstance(place, dict) or key not in place:
            At(f"help on '{where[:80]}'").fail(
                "there is none", expected=", ".join(place) if isinstance(place, dict) else ""
            )
        place = place[key]
    if isinstance(place, dict) and "title" in place:
        return place
    return {"name": keys[-1], "title": keys[-1], "unit": "", "text": MEANING.get(keys[-1], ""), "needed": False,
            "default": None, "choices": sorted(place) if isinstance(place, dict) else None}  # fmt: skip


def _fields(kind: Any) -> list[dict[str, Any]]:
    return [_field(field.alias or name, field) for name, field in kind.model_fields.items()]


def _field(name: str, field: FieldInfo) -> dict[str, Any]:
    text = field.description or MEANING.get(name, "")
    unit = _unit(field)
    if not unit and ", in " in text:  # of a declaration, which says it in its words
        text, _, unit = text.rpartition(", in ")
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    default = default if isinstance(default, (int, float, str, list, bool)) else None
    return {
        "name": name, "title": name.replace("_", " "), "unit": unit, "text": text, "needed": field.is_required(),
        "default": default, "choices": _choices(field.annotation),
    }  # fmt: skip


def _unit(field: FieldInfo) -> str:
    """The unit that a field is checked in."""
    checks = {id(of(unit)): unit for unit in UNITS}
    for part in (*field.metadata, *_parts(field.annotation)):
        if id(part) in checks:
            unit = checks[id(part)]
            return "" if unit == "1" else unit
    return ""


def _parts(annotation: Any) -> list[Any]:
    """Everything that an annotation is made of."""
    inner = [*typing.get_args(annotation), *getattr(annotation, "__metadata__", ())]
    return [part for one in inner for part in (one, *_parts(one))]


def _choices(annotation: Any) -> list[str] | None:
    for part in (annotation, *_parts(annotation)):
        if typing.get_origin(part) is typing.Literal:
            return [str(choice) for choice in typing.get_args(part)]
    return None
