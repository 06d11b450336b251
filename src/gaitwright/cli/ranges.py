"""Parsers of parameters, limits and targets, shared by all design commands.

    --parameter NAME=LOW:HIGH           range of a parameter
    --parameter NAME=LOW:HIGH:COUNT     equidistant values
    --parameter NAME=A,B,C              values
    --limit NAME=LOW:HIGH               a side may be missing: energy=:2, step_length=0.25:
    --limit NAME=VALUE                  the largest size, either sign
    --target NAME=VALUE

Numbers may have units (2 mm:5 mm). A side of a limit may be relative to the value at the start, such as 95%, for commands
that have a start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.model.units import parse_number_with_unit

LIMIT_EXAMPLE = "energy=:2, step_length=0.25: or crank.torque=2"


def read_parameters(
    texts: Sequence[str], example: str, option: str = "--parameter"
) -> dict[str, tuple[float, float] | list[float]]:
    """Parse parameters, by name: ranges (low, high), or lists of values."""
    parameters: dict[str, tuple[float, float] | list[float]] = {}
    takes = "NAME=LOW:HIGH, NAME=LOW:HIGH:COUNT or NAME=A,B,C"
    for text in texts:
        name, given = _split_assignment(text, option, takes, example)
        if name in parameters:
            ErrorContext(f"parameter '{name}'").fail(
                f"is given twice by {option}", expected=f"{option} once for each parameter"
            )
        parts = [part.strip() for part in given.split(":")]
        if len(parts) > 3 or not all(parts) or (len(parts) == 3 and not (parts[2].isdecimal() and int(parts[2]) > 0)):
            raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}")
        numbers = [
            _parse_number(part, text, option, takes, example)
            for part in (given.split(",") if len(parts) == 1 else parts[:2])
        ]
        if len(parts) == 1:
            parameters[name] = numbers
        elif len(parts) == 2:
            parameters[name] = numbers[0], numbers[1]
        else:
            parameters[name] = np.linspace(numbers[0], numbers[1], int(parts[2])).tolist()
    return parameters


def read_target(text: str) -> dict[str, float]:
    """Parse a number and its target value: the last part of NAME=VALUE, or of NAME=EXPRESSION=VALUE."""
    name, equals, value = text.rpartition("=")
    example = "bar.angle=0.2"
    if not equals or not name.strip():
        raise ModelError("--target takes NAME=VALUE", value=text, expected=f"for example {example}")
    return {name.strip(): _parse_number(value, text, "--target", "NAME=VALUE", example)}


def read_limits(texts: Sequence[str], *, parts: bool = False) -> dict[str, Any]:
    """Parse limits, by name: (low, high), where None is a free side, or the largest magnitude. parts: True if relative sides
    such as 95% are allowed."""
    limits: dict[str, Any] = {}
    for text in texts:
        name, given = _split_assignment(text, "--limit", "NAME=LOW:HIGH or NAME=VALUE", LIMIT_EXAMPLE)
        low, colon, high = (part.strip() for part in given.partition(":"))
        sides = [_parse_bound(side, text, parts) for side in (low, high)]
        limits[name] = (sides[0], sides[1]) if colon else sides[0]
        if limits[name] in (None, (None, None)):
            raise ModelError(f"the limit of '{name}' has no side", value=text, expected=f"for example {LIMIT_EXAMPLE}")
    return limits


def read_number(text: str, option: str) -> float:
    """Parse a number with or without a unit."""
    try:
        return parse_number_with_unit(text)
    except ValueError:
        raise ModelError(f"{option} takes a number", value=text, expected="such as 0.4 or 3 mm") from None


def read_length(text: str, field: str) -> float:
    """Parse a length from the command line: a number in m, or with its unit, '0.5 mm'."""
    from gaitwright.model.expressions import evaluate
    from gaitwright.model.grammar import parse
    from gaitwright.model.spec.field_types import validate_number

    try:
        return evaluate(parse(validate_number(text, "m")), {})
    except (ValueError, ModelError):
        ErrorContext(field=f"--{field}").fail("is no length", text, "a number with its unit, such as '0.5 mm'")


def _split_assignment(text: str, option: str, takes: str, example: str) -> tuple[str, str]:
    name, equals, given = text.partition("=")
    if not (equals and name.strip() and given.strip()):
        raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}")
    return name.strip(), given.strip()


def _parse_number(part: str, text: str, option: str, takes: str, example: str) -> float:
    try:
        value = parse_number_with_unit(part)
        if not np.isfinite(value):
            raise ValueError
    except ValueError:
        raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}") from None
    return value


def _parse_bound(side: str, text: str, parts: bool) -> Any:
    if not side:
        return None
    if side.endswith("%"):
        if not parts:
            raise ModelError(
                "a limit such as 95% is relative to the start of a search, and this command has no start", value=text,
                expected=f"numbers, for example {LIMIT_EXAMPLE}",
            )  # fmt: skip
        return side
    return _parse_number(side, text, "--limit", "NAME=LOW:HIGH or NAME=VALUE", LIMIT_EXAMPLE)
