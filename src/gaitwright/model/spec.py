"""The model document, version 1: what a model file contains and what the Python API writes. Validated by pydantic.

Numbers may be expressions of the parameters; they are parsed, never evaluated as Python. The fields of joints, drives
and forces come from their declarations in physics/, so a new element needs nothing here.
"""

from __future__ import annotations

import difflib
import functools
import math
import re
from typing import Annotated, Any, Literal, Optional

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from gaitwright.errors import ModelError
from gaitwright.model.expressions import parse
from gaitwright.physics import load_all
from gaitwright.physics.declare import Choice, Declaration, Direction, Drive, Force, Joint, Number, Point, Signal

NAME = re.compile(r"[^\W\d][\w-]*")
REFERENCE = re.compile(r"[^\W\d][\w-]*(\.[^\W\d][\w-]*)?")
TITLE = re.compile(r"[\w .,:+/-]*")


def _number(value: Any) -> float | str:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError("is not a number; expected a number or an expression")
    if isinstance(value, str):
        try:
            parse(value)
        except ModelError as error:
            raise ValueError(str(error)) from None
        return value
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("is not finite; expected a finite number")
    return number


def _matching(pattern: re.Pattern[str], expected: str) -> Any:
    def check(value: Any) -> str:
        if isinstance(value, bool):
            # YAML 1.1 takes these words for true and false.
            raise ValueError(f"is a yes or no; expected {expected} (put yes, no, on and off in quotes)")
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f"is not valid; expected {expected}")
        return value

    return BeforeValidator(check)


Expression = Annotated[float | str, BeforeValidator(_number)]
Pair = Annotated[list[Expression], Field(min_length=2, max_length=2)]
Name = Annotated[str, _matching(NAME, "a name: a letter, then letters, digits, _ or -")]
Reference = Annotated[str, _matching(REFERENCE, "a point or body, such as A, crank.A or ground.O")]
Title = Annotated[str, _matching(TITLE, "a short text without quotes and brackets")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Ground(Strict):
    points: dict[Name, Pair] = {}


class Body(Strict):
    name: Name
    mass: Expression
    inertia: Expression
    at: Pair = [0.0, 0.0]
    angle: Expression = 0.0
    velocity: Pair | None = None
    spin: Expression | None = None
    points: dict[Name, Pair] = {}


class Link(Strict):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Expression | None = None
    mass: Expression
    inertia: Expression | None = None
    points: dict[Name, Pair] = {}


def _method(value: Any) -> str:
    from gaitwright.integrate import load_all as load_methods

    methods = load_methods()
    if value not in methods:
        known = sorted(methods)
        raise ValueError(f"is not known; expected one of {', '.join(known)}{did_you_mean(value, known)}")
    return value


class Analysis(Strict):
    type: Literal["kinematic", "forward", "inverse", "static", "modes"] = "forward"
    until: Expression = 1.0
    step: Expression | None = None
    method: Annotated[str, BeforeValidator(_method)] | None = None
    stabilisation: Literal["none", "baumgarte", "projection"] | None = None
    alpha: Expression | None = None
    beta: Expression | None = None
    tolerance: Expression | None = None
    output_step: Expression | None = None
    spectral_radius: Expression | None = None


def _not_yet(what: str) -> Any:
    def check(value: list[Any]) -> list[Any]:
        if value:
            raise ValueError(f"{what} are not available in this version of Gaitwright; expected a model without {what}")
        return value

    return AfterValidator(check)


class Document(Strict):
    """A whole model."""

    gaitwright: Literal[1] = 1
    name: Title = "mechanism"
    dimension: Literal[2] = 2
    gravity: Pair = [0.0, -9.81]
    parameters: dict[Name, Expression] = {}
    ground: Ground = Ground()
    points: dict[Name, Pair] = {}
    velocities: dict[Reference, Pair] = {}
    bodies: list[Body] = []
    links: list[Link] = []
    beams: Annotated[list[Any], _not_yet("beams")] = []
    joints: list[dict[str, Any]] = []
    drives: list[dict[str, Any]] = []
    forces: list[dict[str, Any]] = []
    contacts: Annotated[list[Any], _not_yet("contacts")] = []
    analysis: Analysis | None = None
    outputs: list[Annotated[str, _matching(re.compile(r"[\w.:-]+"), "an output, such as crank.torque")]] = []


REGISTRIES: dict[str, dict[str, type[Declaration]]] = {
    "joints": Joint.registry,
    "drives": Drive.registry,
    "forces": Force.registry,
}
SINGULAR = {"joints": "joint", "drives": "drive", "forces": "force", "bodies": "body", "links": "link"}
PLACES = {"points": "point", "velocities": "velocity of", "parameters": "parameters"}
"""How the entries of the sections that map a name to a value are called in messages."""


def _field(parameter: Any) -> Any:
    required = ... if parameter.default is None else None
    if isinstance(parameter, Choice):
        return Literal[tuple(parameter.options)], parameter.default  # type: ignore[valid-type]
    if isinstance(parameter, Direction) or getattr(parameter, "size", 1) == 2:
        given = list(parameter.default) if parameter.default else required
        return (Pair if required is ... else Optional[Pair]), given  # noqa: UP045
    default = required if required is ... or isinstance(parameter, Number) else (parameter.default or None)
    return (Expression if required is ... else Optional[Expression]), default  # noqa: UP045


@functools.cache
def element_class(declaration: type[Declaration]) -> type[BaseModel]:
    """The pydantic class with the fields of a declaration."""
    fields: dict[str, Any] = {"type": (str, ...), "name": (Optional[Name], None)}  # noqa: UP045
    for label, kind in declaration.attachments.items():
        default = getattr(kind, "default", None)
        what = f"{kind.doc} ({'a point' if isinstance(kind, Point) else 'a body or link'})"
        fields[label] = (Reference, Field(... if default is None else default, description=what))
    for label, parameter in declaration.parameters.items():
        assert isinstance(parameter, (Number, Direction, Choice, Signal))
        of, default = _field(parameter)
        unit = "" if parameter.unit == "1" else f", in {parameter.unit}"
        fields[label] = (of, Field(default, description=f"{parameter.doc}{unit}"))
    return create_model(declaration.name, __base__=Strict, **fields)


def validate_element(section: str, entry: Any, place: str) -> dict[str, Any]:
    """Check one joint, drive or force against its declaration; the fields with defaults filled in."""
    load_all()
    registry = REGISTRIES[section]
    if not isinstance(entry, dict):
        raise ModelError("is not a mapping of fields", element=place, value=entry, expected="{type: ..., ...}")
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in registry:
        known = ", ".join(sorted(registry))
        label = f"{SINGULAR[section]} '{entry['name']}'" if isinstance(entry.get("name"), str) else place
        problem = "is missing" if kind is None else f"there is no such {SINGULAR[section]}"
        expected = f"one of {known}" + did_you_mean(kind, registry)
        raise ModelError(problem, element=label, field="type", value=kind, expected=expected)
    declaration = registry[kind]
    entry = {declaration.aliases.get(key, key): value for key, value in entry.items()}
    label = f"{SINGULAR[section]} '{entry['name']}'" if isinstance(entry.get("name"), str) else f"{place} ({kind})"
    try:
        return element_class(declaration).model_validate(entry).model_dump()
    except ValidationError as error:
        raise _explain(error, label, kind=element_class(declaration)) from None


def validate_document(raw: Any) -> Document:
    """Check a whole document; ModelError names element, field, value and expectation of the first problem."""
    if not isinstance(raw, dict):
        raise ModelError("a model file is a mapping that starts with 'gaitwright: 1'", value=type(raw).__name__)
    given = {key: value for key, value in raw.items() if value is not None}  # a section left empty is one left out
    version = given.get("gaitwright")
    if version is None:
        raise ModelError(
            "the line 'gaitwright: 1' is missing", field="gaitwright", expected="the version of the format, 1"
        )
    if isinstance(version, bool) or version != 1:
        raise ModelError(
            "this version of the format is not known", field="gaitwright", value=version,
            expected="1, or a newer Gaitwright",
        )  # fmt: skip
    try:
        document = Document.model_validate(given)
    except ValidationError as error:
        raise _explain(error, "", given, Document) from None
    for section in REGISTRIES:
        entries = getattr(document, section)
        entries[:] = [validate_element(section, e, f"{SINGULAR[section]} {k + 1}") for k, e in enumerate(entries)]
    return document


def validate_part(kind: type[BaseModel], label: str, fields: dict[str, Any]) -> Any:
    """Check one body, link, ... given through the Python API."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise _explain(error, label, kind=kind) from None


def _explain(error: ValidationError, label: str, raw: Any = None, kind: type[BaseModel] | None = None) -> ModelError:
    """The first problem pydantic found, as one sentence in our words. `kind`: the class with the fields."""
    # A misspelt field is also a missing one; the spelling is what helps.
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    path = [part for part in first["loc"] if not (isinstance(part, str) and ("[" in part or part in ("float", "str")))]
    if kind is Document:
        label, path, kind = _whose(path, raw)
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    field = field.replace("from_", "from")
    meaning = _MEANING | {
        name: text for name, f in (kind.model_fields if kind else {}).items() if (text := f.description)
    }
    value = None if first["type"] == "missing" else first["input"]
    if first["type"] == "missing":
        problem, expected = "is missing", meaning.get(field, "")
    elif first["type"] in _WORDS:
        problem, expected = _WORDS[first["type"]]
    elif first["type"] == "list_type":
        pair = field in ("at", "velocity", "axis", "value") or label.startswith(("point", "ground", "velocity"))
        expected = (
            "two numbers [x, y]" if pair or field == "gravity" else "a list: one entry per line, each after a '-'"
        )
        problem = "is not a list"
    elif first["type"] == "extra_forbidden":
        known = [f.alias or name for name, f in kind.model_fields.items()] if kind else []
        problem, expected = "there is no such field", f"one of {', '.join(known)}{did_you_mean(path[-1], known)}"
    elif first["type"] == "literal_error":
        allowed = str(first.get("ctx", {})["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        problem, expected = "is not known", f"one of {', '.join(allowed)}{did_you_mean(value, allowed)}"
        if field == "dimension":
            problem, expected = "is not available in this version of Gaitwright", "2, for planar models"
    else:
        message = first["msg"].removeprefix("Value error, ")
        found = re.fullmatch(r"(?s)(.*)(?<!un)expected (.*)", message)  # not the end of "unexpected"
        problem, expected = found.groups() if found else (message, "") if "(got" in message else ("", message)
        problem = problem.strip(" ;") or "is not valid"
        # An expression's own message already says what it got.
        if "(got" in problem or "not available" in problem or (isinstance(value, str) and value in problem):
            value = None
    if first["input"] is None and problem.startswith("is not"):
        problem = "is empty"
    return ModelError(problem, element=label, field=field, value=value, expected=expected)


_MEANING = {
    "name": "a name of its own",
    "mass": "a mass in kg",
    "inertia": "a moment of inertia about the centre of mass in kg m^2",
    "from": "the name of the point where it starts",
    "to": "the name of the point where it ends",
}
_WORDS = {
    "too_short": ("has too few entries", "two numbers [x, y]"),
    "too_long": ("has too many entries", "two numbers [x, y]"),
    "dict_type": ("is not a mapping", "a mapping, such as {name: value}"),
    "model_type": ("is not a mapping", "a mapping of fields, such as {name: value}"),
    "invalid_key": ("is not the name of a field", "a word"),
}


def _whose(path: list[Any], raw: dict[str, Any]) -> tuple[str, list[Any], type[BaseModel] | None]:
    """The element that a place in the document belongs to, the place within it, and the class with its fields."""
    section, *rest = path
    if section in SINGULAR and rest:
        entry = raw[section][rest[0]]
        named = entry.get("name") if isinstance(entry, dict) else None
        label = f"{SINGULAR[section]} " + (f"'{named}'" if isinstance(named, str) else f"{int(rest[0]) + 1}")
        return label, rest[1:], {"bodies": Body, "links": Link}.get(section)
    if section == "ground" and len(rest) > 1:
        return f"ground point '{rest[1]}'", rest[2:], None
    if section in PLACES and rest:
        if section == "parameters":
            return section, rest, None
        return f"{PLACES[section]} '{rest[0]}'", rest[1:], None
    if section in ("analysis", "ground") and rest:
        return section, rest, Analysis if section == "analysis" else Ground
    return "", path, Document


def did_you_mean(wrong: Any, known: Any) -> str:
    """The end of a message when something known is nearly what was written, otherwise nothing."""
    close = difflib.get_close_matches(str(wrong), list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
