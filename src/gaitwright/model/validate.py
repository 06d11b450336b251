"""Checking what a person wrote against the document (spec.py) and against the declarations in physics/."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal, Optional, get_args

from pydantic import BaseModel, Field, ValidationError, create_model

from gaitwright.checks import At, offer
from gaitwright.messages import explain
from gaitwright.model.fields import Name, Reference, Strict, numbers, of
from gaitwright.model.mesh_surface_spec import BELONGS_TO
from gaitwright.model.series import read_series
from gaitwright.model.spec import CHOICES, CONTACTS, DOCUMENTS, PLACES, REGISTRIES, SECTIONS, SINGULAR, Document, Gait
from gaitwright.model.worn_spec import Cuff, check_worn
from gaitwright.physics import load_all
from gaitwright.physics.declare import (
    DRAWN,
    VECTORS,
    Area,
    Attached,
    Choice,
    Computed,
    Declaration,
    Frame,
    Number,
    Place,
    Point,
    Span,
    Travel,
)


def _field(parameter: Any, dimension: int) -> Any:
    required = ... if parameter.default is None else None
    if isinstance(parameter, Choice):
        return Literal[tuple(parameter.options)], parameter.default  # type: ignore[valid-type]
    count = len(getattr(parameter, "parts", ()))
    if count or isinstance(parameter, VECTORS) or getattr(parameter, "vector", False):
        kind = numbers(parameter.unit, count or dimension)
        drawn = parameter.default is DRAWN or not parameter.default
        given = required if drawn else list(parameter.default or ())
        return (kind if required is ... else Optional[kind]), given  # noqa: UP045
    default = required if required is ... or isinstance(parameter, Number) else (parameter.default or None)
    single = Annotated[float | str, of(parameter.unit)]
    return (single if required is ... else Optional[single]), default  # noqa: UP045


@functools.cache
def element_class(
    declaration: type[Declaration], computed: tuple[str, ...] = (), dimension: int = 2
) -> type[BaseModel]:
    """The pydantic class with the fields of a declaration; those that are `computed` may be left out."""
    fields: dict[str, Any] = {"type": (str, ...)}
    if issubclass(declaration, Attached):
        fields["name"] = (Optional[Name], None)  # noqa: UP045
        computed = (*computed, *declaration.of_joint)
        if declaration.of_joint:
            fields["joint"] = (Optional[Name], Field(None, description="a joint"))  # noqa: UP045
    for label, kind in declaration.attachments.items():
        default = getattr(kind, "default", None)
        nouns = {
            Place: "a point",
            Point: "a point",
            Frame: "a point",
            Span: "a beam",
            Travel: "a joint",
            Area: "a region",
        }
        noun = nouns.get(type(kind), "a body or link")
        what = f"{kind.doc} ({noun})"
        of = Optional[Reference] if label in computed else Reference  # noqa: UP045
        fields[label] = (of, Field(None if label in computed else default or ..., description=what))
    for label, parameter in {**declaration.parameters, **declaration.short_forms}.items():
        if isinstance(parameter, Computed):
            continue
        of, default = _field(parameter, dimension)
        if label in computed:
            of, default = Optional[of], None  # noqa: UP045
        unit = "" if parameter.unit == "1" else f", in {parameter.unit}"
        fields[label] = (of, Field(default, description=f"{parameter.doc}{unit}"))
    return create_model(declaration.name, __base__=Strict, **fields)


NOT_DEFINED = "a class of gw.PartType in the script that reads the model; without a script there is none"


def _type(
    registry: dict[str, Any], entry: Any, what: str, label: str, prefix: str = "", elsewhere: Any = ()
) -> type[Declaration]:
    """The declaration that an entry asks for; prefix: the field of a larger entry that it is, and a dot. elsewhere: names
    that models of the other dimension know."""
    if not isinstance(entry, dict):
        At(label, prefix.rstrip(".")).fail("is not a mapping of fields", entry, "{type: ..., ...}")
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in registry:
        problem = "is missing" if kind is None else f"there is no such {what}"
        if isinstance(kind, str) and kind in elsewhere:
            problem = f"there is no such {what} in models of this dimension"
        At(label, f"{prefix}type").fail(problem, kind, offer(kind, sorted(registry)) if registry else NOT_DEFINED)
    return registry[kind]


def _label(what: str, entry: Any, place: str) -> str:
    named = entry.get("name") if isinstance(entry, dict) else None
    return f"{what} '{named}'" if isinstance(named, str) else place


def validate_element(section: str, entry: Any, place: str, dimension: int = 2) -> dict[str, Any]:
    """Check one joint, drive or force against its declaration; the fields with defaults filled in."""
    load_all()
    what = SINGULAR[section]
    known = REGISTRIES[section]
    declaration: Any = _type(known[dimension], entry, what, _label(what, entry, place), elsewhere=known[5 - dimension])
    entry = {declaration.aliases.get(key, key): value for key, value in entry.items()}
    label = _label(what, entry, f"{place} ({declaration.name})")
    checked = validate_part(element_class(declaration, (), dimension), label, entry, dimension).model_dump()
    if declaration.of_joint:
        _require_joint_or_fields(declaration, checked, label)
    if section == "parts" and checked["name"] is None:
        At(label, "name").fail("is missing", expected="the name of the part")
    return checked


def _require_joint_or_fields(declaration: type[Attached], checked: dict[str, Any], label: str) -> None:
    """What acts about the axis of a joint names the joint, or says the same by fields of its own."""
    required = [name for name in ("a", "b", "axis") if name in declaration.of_joint]
    if checked["joint"] is None:
        missing = [name for name in required if checked[name] is None]
        if missing:
            At(label, "joint" if len(missing) == len(required) else missing[0]).fail(
                "is missing", expected=f"the name of a joint, or {', '.join(required)}"
            )
        return
    twice = [name for name in declaration.of_joint if checked[name] is not None]
    if twice:
        At(label, twice[0]).fail(
            "is given besides the joint, which has it already",
            checked[twice[0]],
            f"joint alone, or {', '.join(required)}",
        )


def validate_part(
    kind: type[BaseModel], label: str, fields: dict[str, Any], dimension: int = 2, prefix: str = ""
) -> Any:
    """Check the fields of one body, link, joint, ...; prefix: the field of a larger entry that they are, and a dot."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise explain(error, label, kind, prefix=prefix, dimension=dimension) from None


COMPUTED = {"solid": ("stiffness",), "foundation": ("stiffness", "thickness")}
"""Numbers of a law or friction that come from what touches unless given."""


def validate_contact(entry: Any, place: str, dimension: int = 2) -> dict[str, Any]:
    """Check one contact, its law and its friction; the fields with defaults filled in."""
    load_all()
    label = _label("contact", entry, place)
    if not isinstance(entry, dict):
        At(label).fail("is not a mapping of fields", entry, "{point: ..., surface: ..., law: ...}")
    known = CONTACTS[dimension]
    given = validate_part(known.of, label, entry, dimension).model_dump()
    surface = given["surface"]
    touching = _one_of(known.touching, given, label, "what touches")
    if given["region"] is not None and touching != "solid":
        At(label, "region").fail(
            "belongs to a solid", given["region"], f"a {touching} without it, or the name of a solid"
        )
    kind = _one_of(known.surfaces, surface, label, "the surface", "surface")
    for name, owner in BELONGS_TO.items():
        if kind != owner and surface[name] is not None:
            At(label, f"surface.{name}").fail(f"belongs to a {owner}", surface[name], f"a {kind} without it")
    moving = [name for name in ("velocity", "displacement") if surface[name] is not None]
    if len(moving) == 2:
        At(label, "surface.displacement").fail("is given besides a velocity", surface["displacement"], "one of the two")
    if moving and (kind not in known.moving or (isinstance(surface[kind], dict) and "point" in surface[kind])):
        At(label, f"surface.{moving[0]}").fail(
            f"a {kind} moves with its body",
            surface[moving[0]],
            f"a {' or a '.join(known.moving)} of the ground to go with it",
        )
    if given["law"] is None and given["restitution"] is None and touching != "foundation":
        At(label, "law").fail(
            "is missing, and so is a restitution",
            expected="a law such as {type: hertz, stiffness: 1e6}, or a restitution for the method moreau",
        )
    own = COMPUTED.get(touching, ())
    for field in CHOICES:
        later = own or (("stiffness",) if field == "law" and given["material"] is not None else ())
        if given[field] is not None:
            given[field] = _validate_chosen(field, given[field], label, later)
    return given


def _validate_chosen(field: str, chosen: Any, label: str, later: tuple[str, ...]) -> dict[str, Any]:
    """Check the law or the friction of a contact against its declaration. later: what may be left out, being computed."""
    declaration = _type(CHOICES[field], chosen, field, label, f"{field}.")
    fields = {str(declaration.aliases.get(key, key)): value for key, value in chosen.items()}
    asked = ("stiffness", *later) if field == "law" else later
    computed = tuple(name for name in dict.fromkeys(asked) if name in declaration.parameters)
    checked = validate_part(element_class(declaration, computed), label, fields, prefix=f"{field}.").model_dump()
    for name in computed:
        needed = declaration.parameters[name]
        if checked[name] is None and needed.default is None and name not in later:
            At(label, f"{field}.{name}").fail(
                "is missing",
                expected=f"a number of {needed.unit}, or a material of the contact from which it is computed",
            )
    return checked


def _one_of(names: tuple[str, ...], given: dict[str, Any], label: str, what: str, field: str = "") -> str:
    """Which one of several fields is given."""
    found = [name for name in names if given[name] is not None]
    if len(found) != 1:
        problem = f"{what} is not given" if not found else f"{what} is given as {' and as '.join(found)}"
        At(label, field).fail(problem, expected=f"one of {', '.join(names)}")
    return found[0]


def validate_document(raw: Any) -> Document:
    """Check a whole document; ModelError names element, field, value and expectation of the first problem."""
    if not isinstance(raw, dict):
        At().fail("a model file is a mapping that starts with 'gaitwright: 1'", type(raw).__name__)
    given = {key: value for key, value in raw.items() if value is not None}  # a section left empty is one left out
    version = given.get("gaitwright")
    if version is None:
        At(field="gaitwright").fail("the line 'gaitwright: 1' is missing", expected="the version of the format, 1")
    if isinstance(version, bool) or version != 1:
        At(field="gaitwright").fail("this version of the format is not known", version, "1, or a newer Gaitwright")
    dimension = given.get("dimension", 2)
    if not isinstance(dimension, (int, float)) or isinstance(dimension, bool) or dimension not in DOCUMENTS:
        At(field="dimension").fail("is not known", dimension, "2 for the plane or 3 for space")
    kind = DOCUMENTS[dimension]
    try:
        document = kind.model_validate(given)
    except ValidationError as error:
        raise explain(error, "", whose=lambda path: _whose(path, given, kind), dimension=dimension) from None
    if dimension == 3 and document.gait:
        At(field="gait").fail("is for models in the plane", expected="dimension: 2, or a model without it")
    for section in REGISTRIES:
        entries = getattr(document, section)
        entries[:] = [
            validate_element(section, e, f"{SINGULAR[section]} {k + 1}", dimension) for k, e in enumerate(entries)
        ]
    document.series.update({name: read_series(name, entry) for name, entry in document.series.items()})
    document.contacts[:] = [validate_contact(e, f"contact {k + 1}", dimension) for k, e in enumerate(document.contacts)]
    if document.gait is not None:
        validate_gait(document.gait)
    if document.worn is not None:
        if dimension != 3:
            At(field="worn").fail("is for models in space", expected="dimension: 3, or a model without it")
        check_worn(document.worn, document.series)
    return document


def validate_gait(gait: Gait) -> Gait:
    """Check the law and the friction of a leg's feet."""
    load_all()
    for field in CHOICES:
        if getattr(gait, field) is not None:
            setattr(gait, field, _validate_chosen(field, getattr(gait, field), "gait", ()))
    return gait


def _whose(
    path: list[Any], raw: dict[str, Any], document: type[Document]
) -> tuple[str, list[Any], type[BaseModel] | None]:
    """The element that a place in the document belongs to, the place within it, and the class with its fields."""
    section, *rest = path
    if section in SINGULAR and rest:
        label = _label(SINGULAR[section], raw[section][rest[0]], f"{SINGULAR[section]} {int(rest[0]) + 1}")
        of = get_args(document.model_fields[section].annotation)[0]
        return label, rest[1:], of if isinstance(of, type) and issubclass(of, BaseModel) else None
    if section == "ground" and len(rest) > 1:
        return f"ground point '{rest[1]}'", rest[2:], None
    if section == "worn" and rest[:1] == ["cuffs"] and len(rest) > 1:
        return _label("cuff", raw["worn"]["cuffs"][rest[1]], f"cuff {int(rest[1]) + 1}"), rest[2:], Cuff
    if section in PLACES and rest:
        return f"{PLACES[section]} '{rest[0]}'", rest[1:], None
    if section in (*SECTIONS, "parameters") and rest:
        return section, rest, SECTIONS.get(section)
    return "", path, document
