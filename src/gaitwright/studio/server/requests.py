"""Parser of page requests from untrusted text: size check, then JSON, then one typed model per verb."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError, abbreviate
from gaitwright._core.validation_messages import explain_validation_error

MAX_TEXT_CHARACTERS = 5_000_000
"""Length of texts at the top level of a request, such as the model file in `type_text`."""
MAX_SHORT_TEXT_CHARACTERS = 20_000
MAX_STRUCTURE_CHARACTERS = 200_000
"""Length of a request without its texts: brackets, numbers, commas."""
MAX_VALUES = 20_000
MAX_DEPTH = 20
"""Nesting depth of lists and mappings."""
MAX_NUMBER_MAGNITUDE = 1.7e308
_REQUEST_PIECES_PATTERN = re.compile(r'[^"]{1,4096}|"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_REQUEST_ID_PATTERN = re.compile(r'\s*\{\s*"id"\s*:\s*(\d{1,15})\s*[,}]')
EXPECTED_REQUEST = 'one JSON object such as {"id": 1, "do": "state"}'


class InvalidRequestError(ModelError):
    """An invalid request, which is not carried out. number: its `id`; None if it cannot be read."""

    number: int | None = None


def read_request(text: str, models: dict[str, type[BaseModel]]) -> BaseModel:
    """Parse and validate a request. models: pydantic model of each verb, with a field `id`. Raises
    InvalidRequestError."""
    numbered = _REQUEST_ID_PATTERN.match(text)
    number = int(numbered.group(1)) if numbered else None
    try:
        _require_short(text)
        data = _parse_json(text)
        number = data["id"] if type(data.get("id")) is int else number
        return _validate_request(data, models)
    except ModelError as error:
        refused = InvalidRequestError(str(error))
        refused.number = number
        raise refused from None


def _require_short(text: str) -> None:
    """Raise ModelError if a request has too many characters outside of texts, before it is parsed. Short requests
    are not scanned."""
    outside = 0
    if len(text) <= MAX_STRUCTURE_CHARACTERS:
        return
    for piece in _REQUEST_PIECES_PATTERN.finditer(text):
        outside += 2 if piece.group()[0] == '"' else len(piece.group())
        if outside > MAX_STRUCTURE_CHARACTERS:
            ErrorContext("the request").fail(
                f"has {len(text)} characters, most of them outside of texts",
                expected=f"at most {MAX_STRUCTURE_CHARACTERS} of these",
            )


def _parse_json(text: str) -> dict[str, Any]:
    try:
        data = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        if "recursion" in str(error):
            ErrorContext("the request").fail(
                "is nested too deeply", expected=f"at most {MAX_DEPTH} lists inside each other"
            )
        match = re.search(r"column (\d+)", str(error))
        ErrorContext("the request").fail(
            f"is not valid JSON{f' from character {match.group(1)} on' if match else ''}", text[:60], EXPECTED_REQUEST
        )
    if not isinstance(data, dict):
        ErrorContext("the request").fail("is not an object", data, EXPECTED_REQUEST)
    _require_bounded(data)
    return data


def _require_bounded(data: dict[str, Any]) -> None:
    """Raise ModelError if depth, number of values, length of a text or size of a number in a request exceeds its limit."""
    context, count, level = ErrorContext("the request"), 0, [("", data)]
    for _ in range(MAX_DEPTH):
        inner: list[tuple[str, Any]] = []
        for field, container in level:
            entries = container.items() if isinstance(container, dict) else ((field, entry) for entry in container)
            for name, value in entries:
                count += 1
                if isinstance(value, (dict, list)):
                    inner.append((name, value))
                elif isinstance(value, str):
                    maximum = MAX_TEXT_CHARACTERS if container is data else MAX_SHORT_TEXT_CHARACTERS
                    if len(value) > maximum:
                        context[name[:40]].fail(f"has {len(value)} characters", expected=f"at most {maximum}")
                elif isinstance(value, (int, float)) and not abs(value) <= MAX_NUMBER_MAGNITUDE:
                    context[name[:40]].fail("is not a finite number", value, "a number below 1.7e308")
                if len(name) > MAX_SHORT_TEXT_CHARACTERS:
                    context.fail(f"has a field name of {len(name)} characters", expected="the name of a field")
            if count > MAX_VALUES:
                context.fail(f"has more than {MAX_VALUES} values", expected="fewer")
        if not inner:
            return
        level = inner
    context.fail(f"has more than {MAX_DEPTH} lists inside each other", expected="fewer")


def _validate_request(data: dict[str, Any], models: dict[str, type[BaseModel]]) -> BaseModel:
    name = data.get("do")
    if not isinstance(name, str) or name not in models:
        problem = "is missing" if "do" not in data else "is not known"
        ErrorContext("the request", "do").fail(
            problem, name if "do" in data else None, format_choices(abbreviate(name, 40), sorted(models))
        )
    model = models[name]
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise explain_validation_error(error, f"'{name}'", model) from None
