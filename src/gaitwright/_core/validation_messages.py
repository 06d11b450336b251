"""Messages for validation errors of a document: one sentence that names element, field, value and expectation."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from gaitwright._core.error_context import suggest_spelling
from gaitwright._core.errors import ModelError

ElementLocator = Callable[[list[Any]], tuple[str, list[Any], type[BaseModel] | None]]


def explain_validation_error(
    error: ValidationError,
    label: str,
    kind: type[BaseModel] | None = None,
    *,
    prefix: str = "",
    locate: ElementLocator | None = None,
    dimension: int = 2,
) -> ModelError:
    """The first error of pydantic as one sentence. label: the element. kind: the class with its fields. prefix: text before
    its fields, such as `law.`. locate: function that returns label, path and class for a path in the whole document."""
    # A misspelt field often causes a missing field, too; the message about the spelling is more useful.
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    # Pydantic puts the names of the union members that it tried between the user's names; the last name of an unknown field
    # is the user's.
    own = len(first["loc"]) - 1 if first["type"] == "extra_forbidden" else None
    path = [part for k, part in enumerate(first["loc"]) if k == own or not _is_union_tag(part)]
    if locate is not None:
        label, path, kind = locate(path)
    kind = _innermost_class(kind, path)
    field = prefix + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    field = field.replace("from_", "from")
    if label.startswith(("point", "ground point", "velocity")):
        field = {"[0]": "x", "[1]": "y", "[2]": "z"}.get(field, field)
    last = next((part for part in reversed(path) if isinstance(part, str)), "")
    entry = not path or isinstance(path[-1], int)  # an entry of a list of points
    meaning = _FIELD_DESCRIPTIONS | {
        name: text for name, f in (kind.model_fields if kind else {}).items() if (text := f.description)
    }
    value: Any = None if first["type"] == "missing" else first["input"]
    limits = first.get("ctx", {})
    if first["type"] == "missing":
        problem, expected = "is missing", meaning.get(field, meaning.get(last, ""))
    elif first["type"] in ("too_short", "too_long"):
        problem = "has too few entries" if first["type"] == "too_short" else "has too many entries"
        count = int(limits.get("min_length", limits.get("max_length", 0)))
        vector = VECTOR_DESCRIPTIONS.get(count, f"a list of {count} entries")
        expected = vector if entry else _LIST_DESCRIPTIONS.get(last, vector)
        if (
            dimension == 2
            and expected == VECTOR_DESCRIPTIONS[2]
            and isinstance(first["input"], list)
            and len(first["input"]) == 3
        ):
            expected += ", or dimension: 3 for a model in space"
        long = first["input"] if first["type"] == "too_long" else None
        if isinstance(long, list) and count < len(long) <= 2 * count and all(type(entry) is int for entry in long):
            expected += " (decimals have a point, 0.24, not a comma)"
    elif first["type"] in _PROBLEM_BY_ERROR_TYPE:
        problem, expected = _PROBLEM_BY_ERROR_TYPE[first["type"]]
    elif bound := _BOUND_PHRASES.keys() & limits:
        name = bound.pop()
        problem = "is too small" if name in ("ge", "gt") else "is too large"
        expected = f"{_BOUND_PHRASES[name]} {limits[name]:g}"
    elif first["type"] == "string_too_long":
        problem, value = f"has {len(str(value))} characters", None
        expected = f"at most {limits['max_length']}"
    elif first["type"] == "list_type":
        pair = entry or last in (
            "at",
            "velocity",
            "axis",
            "value",
            "displacement",
            "gravity",
            "centre",
            "axis_b",
            "spin",
        )
        pair |= label.startswith(("point", "ground", "velocity")) or "points" in path
        expected = (
            VECTOR_DESCRIPTIONS[dimension]
            if pair
            else _LIST_DESCRIPTIONS.get(last, "a list: one entry per line, each after a '-'")
        )
        problem = "is not a list"
    elif first["type"] == "extra_forbidden":
        field_names = [f.alias or name for name, f in kind.model_fields.items()] if kind else []
        problem = "there is no such field"
        expected = f"one of {', '.join(field_names)}{suggest_spelling(path[-1], field_names)}"
        if path[-1] in ("unit", "units"):
            expected = (
                "no section for units: plain numbers are SI, others have theirs behind them, as in 240 mm or 5 deg"
            )
    elif first["type"] == "literal_error":
        allowed = str(first.get("ctx", {})["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        problem, expected = "is not known", f"one of {', '.join(allowed)}{suggest_spelling(value, allowed)}"
    else:
        message = first["msg"].removeprefix("Value error, ")
        match = re.fullmatch(r"(?s)(.*)(?<!un)expected (.*)", message)  # not the end of "unexpected"
        problem, expected = match.groups() if match else (message, "") if "(got" in message else ("", message)
        problem = problem.strip(" ;") or "is not valid"
        # The message of an expression already contains the value.
        if "(got" in problem or "not available" in problem or (isinstance(value, str) and value in problem):
            value = None
    if first["input"] is None and problem.startswith("is not"):
        problem = "is empty"
    return ModelError(problem, element=label, field=field, value=value, expected=expected)


VECTOR_DESCRIPTIONS = {2: "two numbers [x, y]", 3: "three numbers [x, y, z]"}
_LIST_DESCRIPTIONS = {
    "quaternion": "four numbers [w, x, y, z]",
    "angles": "three angles",
    "axes": "three perpendicular vectors [[x, y, z], [x, y, z], [x, y, z]]",
    "box": "its three sides",
    "cylinder": "[radius, length]",
    "capsule": "[radius, length]",
    "cone": "[radius, length]",
    "line": "three numbers [a, b, c] of a x + b y + c = 0",
    "polyline": "a list of points [[x, y], [x, y], ...]",
    "segment": "two points of one body, such as [bar.A, bar.B]",
    "face": "two points of one body, such as [block.A, block.B]",
}
_FIELD_DESCRIPTIONS = {
    "name": "a name of its own",
    "mass": "a mass in kg",
    "inertia": "a moment of inertia about the centre of mass in kg m^2",
    "from": "the name of the point where it starts",
    "to": "the name of the point where it ends",
}
_PROBLEM_BY_ERROR_TYPE = {
    "dict_type": ("is not a mapping", "a mapping, such as {name: value}"),
    "model_type": ("is not a mapping", "a mapping of fields, such as {name: value}"),
    "invalid_key": ("is not the name of a field", "a word"),
    "string_type": ("is not a text", "a text"),
    "float_type": ("is not a number", "a plain number"),
    "bool_parsing": ("is neither yes nor no", "true or false"),
    "bool_type": ("is neither yes nor no", "true or false"),
    "int_type": ("is not a whole number", "a whole number"),
    "int_from_float": ("is not a whole number", "a whole number"),
    "tuple_type": ("is not a list", "a list such as [links, 0]"),
    "finite_number": ("is not a finite number", "a finite number"),
    "none_required": ("is not empty", "nothing"),
}
_BOUND_PHRASES = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
"""Phrases for bounds, by pydantic's names in the context of an error."""


def _is_union_tag(part: Any) -> bool:
    return isinstance(part, str) and ("[" in part or part in ("float", "str"))


def _innermost_class(kind: type[BaseModel] | None, path: list[Any]) -> type[BaseModel] | None:
    """The class of a nested part, such as `surface` of a contact."""
    for part in path[:-1]:
        annotation = kind.model_fields[part].annotation if kind and part in kind.model_fields else None
        inner = [c for c in (annotation, *get_args(annotation)) if isinstance(c, type) and issubclass(c, BaseModel)]
        kind = inner[0] if inner else kind
    return kind


def with_location(error: ModelError, element: str, field: str) -> ModelError:
    """The same error, reported for a field of another element."""
    where = " ".join(part for part in (error.element, f"field '{error.field}'" if error.field else "") if part)
    relocated = ModelError(str(error).removeprefix(f"{where}: "), element=element, field=field)
    relocated.value, relocated.expected = error.value, error.expected
    return relocated
