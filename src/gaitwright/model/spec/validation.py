"""Validation of user input against the document (document.py) and against the declarations in physics/."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal, Optional, get_args

from pydantic import BaseModel, Field, ValidationError, create_model

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.validation_messages import explain_validation_error
from gaitwright.model.series import read_series
from gaitwright.model.spec.device import CuffSpec, validate_device
from gaitwright.model.spec.document import (
    CONTACT_CHOICE_REGISTRIES,
    CONTACT_KINDS,
    DOCUMENT_TYPES,
    ELEMENT_REGISTRIES,
    MAPPING_ENTRY_NOUNS,
    SECTION_NOUNS,
    SECTION_SPECS,
    GaitSpec,
    ModelDocument,
)
from gaitwright.model.spec.field_types import Name, Reference, StrictSpec, number_list_type, unit_validator
from gaitwright.model.surfaces import SURFACE_BY_FIELD
from gaitwright.physics import load_all
from gaitwright.physics.attachments import BodyFrame, JointTravel, Place, Point, SolidRegion
from gaitwright.physics.declarations import AttachedDeclaration, Declaration, ElementSpan, Number
from gaitwright.physics.parameters import DRAWN, VECTOR_PARAMETERS, Choice, ComputedVector


def _element_field(parameter: Any, dimension: int) -> Any:
    required = ... if parameter.default is None else None
    if isinstance(parameter, Choice):
        return Literal[tuple(parameter.options)], parameter.default  # type: ignore[valid-type]
    count = len(getattr(parameter, "parts", ()))
    if count or isinstance(parameter, VECTOR_PARAMETERS) or getattr(parameter, "vector", False):
        kind = number_list_type(parameter.unit, count or dimension)
        has_no_default = parameter.default is DRAWN or not parameter.default
        default_value = required if has_no_default else list(parameter.default or ())
        return (kind if required is ... else Optional[kind]), default_value  # noqa: UP045
    default = required if required is ... or isinstance(parameter, Number) else (parameter.default or None)
    single = Annotated[float | str, unit_validator(parameter.unit)]
    return (single if required is ... else Optional[single]), default  # noqa: UP045


@functools.cache
def make_element_spec(
    declaration: type[Declaration], computed: tuple[str, ...] = (), dimension: int = 2
) -> type[BaseModel]:
    """Pydantic class with the fields of a declaration; `computed` fields are optional."""
    fields: dict[str, Any] = {"type": (str, ...)}
    if issubclass(declaration, AttachedDeclaration):
        fields["name"] = (Optional[Name], None)  # noqa: UP045
        computed = (*computed, *declaration.of_joint)
        if declaration.of_joint:
            fields["joint"] = (Optional[Name], Field(None, description="a joint"))  # noqa: UP045
    for label, kind in declaration.attachments.items():
        default = getattr(kind, "default", None)
        nouns = {
            Place: "a point",
            Point: "a point",
            BodyFrame: "a point",
            ElementSpan: "a beam",
            JointTravel: "a joint",
            SolidRegion: "a region",
        }
        noun = nouns.get(type(kind), "a body or link")
        description = f"{kind.doc} ({noun})"
        field_type = Optional[Reference] if label in computed else Reference  # noqa: UP045
        fields[label] = (field_type, Field(None if label in computed else default or ..., description=description))
    for label, parameter in {**declaration.parameters, **declaration.short_forms}.items():
        if isinstance(parameter, ComputedVector):
            continue
        field_type, default = _element_field(parameter, dimension)
        if label in computed:
            field_type, default = Optional[field_type], None  # noqa: UP045
        unit = "" if parameter.unit == "1" else f", in {parameter.unit}"
        fields[label] = (field_type, Field(default, description=f"{parameter.doc}{unit}"))
    return create_model(declaration.name, __base__=StrictSpec, **fields)


UNDEFINED_PART_HINT = "a class of gw.extend.PartType in the script that reads the model; without a script there is none"


def _find_declaration(
    registry: dict[str, Any], entry: Any, noun: str, label: str, prefix: str = "", other_names: Any = ()
) -> type[Declaration]:
    """Declaration selected by the type of an entry. prefix: field of a larger entry that contains it, with a dot. other_names:
    names available in models of the other dimension."""
    if not isinstance(entry, dict):
        ErrorContext(label, prefix.rstrip(".")).fail("is not a mapping of fields", entry, "{type: ..., ...}")
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in registry:
        problem = "is missing" if kind is None else f"there is no such {noun}"
        if isinstance(kind, str) and kind in other_names:
            problem = f"there is no such {noun} in models of this dimension"
        ErrorContext(label, f"{prefix}type").fail(
            problem, kind, format_choices(kind, sorted(registry)) if registry else UNDEFINED_PART_HINT
        )
    return registry[kind]


def _entry_label(noun: str, entry: Any, default: str) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return f"{noun} '{name}'" if isinstance(name, str) else default


def validate_element(section: str, entry: Any, default_label: str, dimension: int = 2) -> dict[str, Any]:
    """Validate one part, joint, drive or force against its declaration; return its fields with defaults filled in."""
    load_all()
    noun = SECTION_NOUNS[section]
    registries = ELEMENT_REGISTRIES[section]
    declaration: Any = _find_declaration(
        registries[dimension],
        entry,
        noun,
        _entry_label(noun, entry, default_label),
        other_names=registries[5 - dimension],
    )
    entry = {declaration.aliases.get(key, key): value for key, value in entry.items()}
    label = _entry_label(noun, entry, f"{default_label} ({declaration.name})")
    checked = validate_part(make_element_spec(declaration, (), dimension), label, entry, dimension).model_dump()
    if declaration.of_joint:
        _require_joint_or_fields(declaration, checked, label)
    if section == "parts" and checked["name"] is None:
        ErrorContext(label, "name").fail("is missing", expected="the name of the part")
    return checked


def _require_joint_or_fields(declaration: type[AttachedDeclaration], checked: dict[str, Any], label: str) -> None:
    """ModelError unless an element about a joint axis names either the joint or the corresponding fields."""
    required = [name for name in ("a", "b", "axis") if name in declaration.of_joint]
    if checked["joint"] is None:
        missing = [name for name in required if checked[name] is None]
        if missing:
            ErrorContext(label, "joint" if len(missing) == len(required) else missing[0]).fail(
                "is missing", expected=f"the name of a joint, or {', '.join(required)}"
            )
        return
    redundant = [name for name in declaration.of_joint if checked[name] is not None]
    if redundant:
        ErrorContext(label, redundant[0]).fail(
            "is given besides the joint, which has it already",
            checked[redundant[0]],
            f"joint alone, or {', '.join(required)}",
        )


def validate_part(
    kind: type[BaseModel], label: str, fields: dict[str, Any], dimension: int = 2, prefix: str = ""
) -> Any:
    """Validate the fields of one body, link, joint, ...; prefix: field of a larger entry that contains them, with a dot."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise explain_validation_error(error, label, kind, prefix=prefix, dimension=dimension) from None


COMPUTED_PARAMETERS = {"solid": ("stiffness",), "foundation": ("stiffness", "thickness")}
"""Parameters of a law or friction with defaults computed from the touching side."""


def validate_contact(entry: Any, default_label: str, dimension: int = 2) -> dict[str, Any]:
    """Validate one contact, its law and its friction; return its fields with defaults filled in."""
    load_all()
    label = _entry_label("contact", entry, default_label)
    if not isinstance(entry, dict):
        ErrorContext(label).fail("is not a mapping of fields", entry, "{point: ..., surface: ..., law: ...}")
    kinds = CONTACT_KINDS[dimension]
    entry_fields = validate_part(kinds.of, label, entry, dimension).model_dump()
    surface = entry_fields["surface"]
    touching = _require_one_of(kinds.touching, entry_fields, label, "what touches")
    if entry_fields["region"] is not None and touching != "solid":
        ErrorContext(label, "region").fail(
            "belongs to a solid", entry_fields["region"], f"a {touching} without it, or the name of a solid"
        )
    kind = _require_one_of(kinds.surfaces, surface, label, "the surface", "surface")
    for name, owner in SURFACE_BY_FIELD.items():
        if kind != owner and surface[name] is not None:
            ErrorContext(label, f"surface.{name}").fail(f"belongs to a {owner}", surface[name], f"a {kind} without it")
    motion_fields = [name for name in ("velocity", "displacement") if surface[name] is not None]
    if len(motion_fields) == 2:
        ErrorContext(label, "surface.displacement").fail(
            "is given besides a velocity", surface["displacement"], "one of the two"
        )
    if motion_fields and (kind not in kinds.moving or (isinstance(surface[kind], dict) and "point" in surface[kind])):
        ErrorContext(label, f"surface.{motion_fields[0]}").fail(
            f"a {kind} moves with its body",
            surface[motion_fields[0]],
            f"a {' or a '.join(kinds.moving)} of the ground to go with it",
        )
    if entry_fields["law"] is None and entry_fields["restitution"] is None and touching != "foundation":
        ErrorContext(label, "law").fail(
            "is missing, and so is a restitution",
            expected="a law such as {type: hertz, stiffness: 1e6}, or a restitution for the method moreau",
        )
    computed = COMPUTED_PARAMETERS.get(touching, ())
    for field in CONTACT_CHOICE_REGISTRIES:
        computed_later = computed or (("stiffness",) if field == "law" and entry_fields["material"] is not None else ())
        if entry_fields[field] is not None:
            entry_fields[field] = _validate_choice(field, entry_fields[field], label, computed_later)
    return entry_fields


def _validate_choice(field: str, choice: Any, label: str, computed_later: tuple[str, ...]) -> dict[str, Any]:
    """Validate the law or the friction of a contact against its declaration. computed_later: optional parameters."""
    declaration = _find_declaration(CONTACT_CHOICE_REGISTRIES[field], choice, field, label, f"{field}.")
    fields = {str(declaration.aliases.get(key, key)): value for key, value in choice.items()}
    optional = ("stiffness", *computed_later) if field == "law" else computed_later
    computed = tuple(name for name in dict.fromkeys(optional) if name in declaration.parameters)
    checked = validate_part(make_element_spec(declaration, computed), label, fields, prefix=f"{field}.").model_dump()
    for name in computed:
        parameter = declaration.parameters[name]
        if checked[name] is None and parameter.default is None and name not in computed_later:
            ErrorContext(label, f"{field}.{name}").fail(
                "is missing",
                expected=f"a number of {parameter.unit}, or a material of the contact from which it is computed",
            )
    return checked


def _require_one_of(names: tuple[str, ...], values: dict[str, Any], label: str, noun: str, field: str = "") -> str:
    """Name of the one given field among several; ModelError if none or several are given."""
    given_names = [name for name in names if values[name] is not None]
    if len(given_names) != 1:
        problem = f"{noun} is not given" if not given_names else f"{noun} is given as {' and as '.join(given_names)}"
        ErrorContext(label, field).fail(problem, expected=f"one of {', '.join(names)}")
    return given_names[0]


def validate_document(raw: Any) -> ModelDocument:
    """Validate a whole document; ModelError names element, field, value and expectation of the first problem."""
    if not isinstance(raw, dict):
        ErrorContext().fail("a model file is a mapping that starts with 'gaitwright: 1'", type(raw).__name__)
    sections = {key: value for key, value in raw.items() if value is not None}  # an empty section counts as omitted
    version = sections.get("gaitwright")
    if version is None:
        ErrorContext(field="gaitwright").fail(
            "the line 'gaitwright: 1' is missing", expected="the version of the format, 1"
        )
    if isinstance(version, bool) or version != 1:
        ErrorContext(field="gaitwright").fail(
            "this version of the format is not known", version, "1, or a newer Gaitwright"
        )
    dimension = sections.get("dimension", 2)
    if not isinstance(dimension, (int, float)) or isinstance(dimension, bool) or dimension not in DOCUMENT_TYPES:
        ErrorContext(field="dimension").fail("is not known", dimension, "2 for the plane or 3 for space")
    kind = DOCUMENT_TYPES[dimension]
    try:
        document = kind.model_validate(sections)
    except ValidationError as error:
        raise explain_validation_error(
            error, "", locate=lambda path: _locate_error(path, sections, kind), dimension=dimension
        ) from None
    if dimension == 3 and document.gait:
        ErrorContext(field="gait").fail("is for models in the plane", expected="dimension: 2, or a model without it")
    for section in ELEMENT_REGISTRIES:
        entries = getattr(document, section)
        entries[:] = [
            validate_element(section, e, f"{SECTION_NOUNS[section]} {k + 1}", dimension) for k, e in enumerate(entries)
        ]
    document.series.update({name: read_series(name, entry) for name, entry in document.series.items()})
    document.contacts[:] = [validate_contact(e, f"contact {k + 1}", dimension) for k, e in enumerate(document.contacts)]
    if document.gait is not None:
        validate_gait(document.gait)
    if document.worn is not None:
        if dimension != 3:
            ErrorContext(field="worn").fail("is for models in space", expected="dimension: 3, or a model without it")
        validate_device(document.worn, document.series)
    return document


def validate_gait(gait: GaitSpec) -> GaitSpec:
    """Validate the law and the friction of a leg's feet."""
    load_all()
    for field in CONTACT_CHOICE_REGISTRIES:
        if getattr(gait, field) is not None:
            setattr(gait, field, _validate_choice(field, getattr(gait, field), "gait", ()))
    return gait


def _locate_error(
    path: list[Any], raw: dict[str, Any], document: type[ModelDocument]
) -> tuple[str, list[Any], type[BaseModel] | None]:
    """Label of the element at a path in the document, the path within it, and the class with its fields."""
    section, *rest = path
    if section in SECTION_NOUNS and rest:
        label = _entry_label(
            SECTION_NOUNS[section], raw[section][rest[0]], f"{SECTION_NOUNS[section]} {int(rest[0]) + 1}"
        )
        spec = get_args(document.model_fields[section].annotation)[0]
        return label, rest[1:], spec if isinstance(spec, type) and issubclass(spec, BaseModel) else None
    if section == "ground" and len(rest) > 1:
        return f"ground point '{rest[1]}'", rest[2:], None
    if section == "worn" and rest[:1] == ["cuffs"] and len(rest) > 1:
        return _entry_label("cuff", raw["worn"]["cuffs"][rest[1]], f"cuff {int(rest[1]) + 1}"), rest[2:], CuffSpec
    if section in MAPPING_ENTRY_NOUNS and rest:
        return f"{MAPPING_ENTRY_NOUNS[section]} '{rest[0]}'", rest[1:], None
    if section in (*SECTION_SPECS, "parameters") and rest:
        return section, rest, SECTION_SPECS.get(section)
    return "", path, document
