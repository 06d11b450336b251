"""Parsers of parameter ranges and limits, shared by all design commands.

    --parameter NAME=LOW:HIGH           bounds of a parameter; of sweep also LOW:HIGH:COUNT or A,B,C
    --limit NAME=LOW:HIGH               a side may be missing: energy=:2, step_length=0.25:
    --limit NAME=VALUE                  the largest size, either sign

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


def read_bounds(texts: Sequence[str], example: str, option: str = "--parameter") -> dict[str, tuple[float, float]]:
    """Parse the bounds of parameters, by name."""
    bounds: dict[str, tuple[float, float]] = {}
    for text in texts:
        name, sides = _split_assignment(text, option, "NAME=LOW:HIGH", example)
        parts = [part.strip() for part in sides.split(":")]
        if len(parts) != 2 or not all(parts):
            raise ModelError(f"{option} takes NAME=LOW:HIGH", value=text, expected=f"for example {example}")
        if name in bounds:
            ErrorContext(f"parameter '{name}'").fail(
                f"is given twice by {option}", expected=f"{option} once for each parameter"
            )
        low, high = (_parse_number(part, text, option, "NAME=LOW:HIGH", example) for part in parts)
        bounds[name] = low, high
    return bounds


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


def read_values(text: str, option: str, example: str) -> tuple[str, list[float]]:
    """Parse a name and its values, from LOW:HIGH:COUNT or A,B,C."""
    takes = "NAME=LOW:HIGH:COUNT or NAME=A,B,C"
    name, given = _split_assignment(text, option, takes, example)
    if ":" not in given:
        return name, [_parse_number(value, text, option, takes, example) for value in given.split(",")]
    parts = given.split(":")
    if len(parts) != 3 or not parts[2].strip().isdecimal() or int(parts[2]) < 1:
        raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}")
    low, high = (_parse_number(part, text, option, takes, example) for part in parts[:2])
    return name, np.linspace(low, high, int(parts[2])).tolist()


def read_number(text: str, option: str) -> float:
    """Parse a number with or without a unit."""
    try:
        return parse_number_with_unit(text)
    except ValueError:
        raise ModelError(f"{option} takes a number", value=text, expected="such as 0.4 or 3 mm") from None


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
