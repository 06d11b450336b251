"""The model document, version 1: what a model file contains and what the Python API writes. Validated by pydantic.

Numbers may be expressions of the parameters; they are parsed, never evaluated as Python. The fields of joints, drives
and forces come from their declarations in physics/, so a new element needs nothing here.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from gaitwright.errors import ModelError
from gaitwright.model.expressions import parse
from gaitwright.physics import load_all
from gaitwright.physics.declare import Choice, Declaration, Direction, Drive, Force, Joint, Number, Signal

NAME = re.compile(r"[^\W\d][\w-]*")
REFERENCE = re.compile(r"[^\W\d][\w-]*(\.[^\W\d][\w-]*)?")
TITLE = re.compile(r"[\w .,:+/-]*")


def _number(value: Any) -> float | str:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError("expected a number or an expression")
    if isinstance(value, str):
        try:
            parse(value)
        except ModelError as error:
            raise ValueError(str(error)) from None
        return value
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    return float(value)


def _matching(pattern: re.Pattern[str], expected: str) -> Any:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f"expected {expected}")
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


ANALYSES = ("kinematic", "forward", "inverse", "static", "modes")
METHODS = ("euler", "rk4", "gill", "gauss1", "gauss2", "gauss3", "dopri5", "radau5", "rosenbrock23", "generalized-alpha")


class Analysis(Strict):
    type: Literal["kinematic", "forward", "inverse", "static", "modes"] = "forward"
    until: Expression = 1.0
    step: Expression | None = None
    method: Literal[
        "euler", "rk4", "gill", "gauss1", "gauss2", "gauss3", "dopri5", "radau5", "rosenbrock23", "generalized-alpha"
    ] = "generalized-alpha"
    stabilisation: Literal["none", "baumgarte", "projection"] | None = None
    alpha: Expression | None = None
    beta: Expression | None = None
    tolerance: Expression | None = None
    output_step: Expression | None = None
    spectral_radius: Expression | None = None


def _not_yet(what: str) -> Any:
    def check(value: list[Any]) -> list[Any]:
        if value:
            raise ValueError(f"{what} are not available in this version of Gaitwright")
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


def _field(parameter: Any) -> Any:
    required = ... if parameter.default is None else None
    if isinstance(parameter, Choice):
        return Literal[tuple(parameter.options)], parameter.default  # type: ignore[valid-type]
    if isinstance(parameter, Direction) or getattr(parameter, "size", 1) == 2:
        return (Pair if required is ... else Pair | None), required
    return (Expression if required is ... else Expression | None), required


@functools.cache
def element_class(declaration: type[Declaration]) -> type[BaseModel]:
    """The pydantic class with the fields of a declaration."""
    fields: dict[str, Any] = {"type": (str, ...), "name": (Name | None, None)}
    for label, kind in declaration.attachments.items():
        default = getattr(kind, "default", None)
        fields[label] = (Reference, ... if default is None else default)
    for label, parameter in declaration.parameters.items():
        assert isinstance(parameter, (Number, Direction, Choice, Signal))
        fields[label] = _field(parameter)
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
        problem = "has no type" if kind is None else "has an unknown type"
        raise ModelError(problem, element=place, field="type", value=kind, expected=f"one of {known}")
    declaration = registry[kind]
    entry = {declaration.aliases.get(key, key): value for key, value in entry.items()}
    label = f"{SINGULAR[section]} '{entry['name']}'" if isinstance(entry.get("name"), str) else f"{place} ({kind})"
    try:
        return element_class(declaration).model_validate(entry).model_dump()
    except ValidationError as error:
        raise _explain(error, label) from None


def validate_document(raw: Any) -> Document:
    """Check a whole document; ModelError names element, field, value and expectation of the first problem."""
    if not isinstance(raw, dict):
        raise ModelError("a model file is a mapping that starts with 'gaitwright: 1'", value=type(raw).__name__)
    if "gaitwright" not in raw:
        raise ModelError("the line 'gaitwright: 1' is missing", field="gaitwright", expected="the version of the format, 1")
    try:
        document = Document.model_validate(raw)
    except ValidationError as error:
        raise _explain(error, "", raw) from None
    for section in REGISTRIES:
        entries = getattr(document, section)
        entries[:] = [validate_element(section, e, f"{SINGULAR[section]} {k + 1}") for k, e in enumerate(entries)]
    return document


def validate_part(kind: type[BaseModel], label: str, fields: dict[str, Any]) -> Any:
    """Check one body, link, ... given through the Python API."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise _explain(error, label) from None


def _explain(error: ValidationError, label: str, raw: Any = None) -> ModelError:
    """The first problem pydantic found, as one sentence in our words."""
    first = error.errors()[0]
    path = [part for part in first["loc"] if not (isinstance(part, str) and ("[" in part or part in ("float", "str")))]
    if not label and path and path[0] in SINGULAR and len(path) > 1 and isinstance(raw, dict):
        entry = raw[path[0]][path[1]]
        named = entry.get("name") if isinstance(entry, dict) else None
        label = f"{SINGULAR[str(path[0])]} " + (f"'{named}'" if isinstance(named, str) else f"{int(path[1]) + 1}")
        path = path[2:]
    field = ".".join(str(part) for part in path if part != "from_")
    if path and path[-1] == "from_":
        field = "from"
    value = None if first["type"] == "missing" else first["input"]
    message = first["msg"].removeprefix("Value error, ")
    words = {
        "missing": ("is missing", "it to be given"),
        "extra_forbidden": ("is not a known field", "a field of this element (check the spelling)"),
        "too_short": ("has too few entries", "two numbers [x, y]"),
        "too_long": ("has too many entries", "two numbers [x, y]"),
        "list_type": ("is not a list", "a list, such as [x, y]"),
        "dict_type": ("is not a mapping", "a mapping"),
        "model_type": ("is not a mapping", "a mapping of fields"),
    }
    if first["type"] in words:
        problem, expected = words[first["type"]]
    elif first["type"] == "literal_error":
        problem, expected = "is not allowed", str(first["ctx"]["expected"])
    else:
        problem, _, expected = message.rpartition("expected ")
        problem = problem.strip(" ;") or "is not valid"
        # An expression's own message already says what it got.
        if "(got" in problem or (isinstance(value, str) and value in problem):
            value = None
    return ModelError(problem, element=label, field=field, value=value, expected=expected)
