"""Ranges and limits as all design commands take them.

    --parameter NAME=LOW:HIGH           bounds of a parameter; of sweep also LOW:HIGH:COUNT or A,B,C
    --limit NAME=LOW:HIGH               a side may be missing: energy=:2, step_length=0.25:
    --limit NAME=VALUE                  the largest size, either sign

Numbers may have units (2 mm:5 mm). A side of a limit may be a part of what the start has, such as 95%, where a command has a
start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.model.units import plain_number

LIMIT = "energy=:2, step_length=0.25: or crank.torque=2"


def read_bounds(texts: Sequence[str], example: str, option: str = "--parameter") -> dict[str, tuple[float, float]]:
    """The bounds of parameters by name."""
    found: dict[str, tuple[float, float]] = {}
    for text in texts:
        name, sides = _split(text, option, "NAME=LOW:HIGH", example)
        parts = [part.strip() for part in sides.split(":")]
        if len(parts) != 2 or not all(parts):
            raise ModelError(f"{option} takes NAME=LOW:HIGH", value=text, expected=f"for example {example}")
        if name in found:
            At(f"parameter '{name}'").fail(f"is given twice by {option}", expected=f"{option} once for each parameter")
        low, high = (_number(part, text, option, "NAME=LOW:HIGH", example) for part in parts)
        found[name] = low, high
    return found


def read_limits(texts: Sequence[str], *, parts: bool = False) -> dict[str, Any]:
    """Limits by name: (low, high), where None is a free side, or the largest size. parts: whether sides such as 95% are
    known."""
    found: dict[str, Any] = {}
    for text in texts:
        name, given = _split(text, "--limit", "NAME=LOW:HIGH or NAME=VALUE", LIMIT)
        low, colon, high = (part.strip() for part in given.partition(":"))
        sides = [_side(side, text, parts) for side in (low, high)]
        found[name] = (sides[0], sides[1]) if colon else sides[0]
        if found[name] in (None, (None, None)):
            raise ModelError(f"the limit of '{name}' has no side", value=text, expected=f"for example {LIMIT}")
    return found


def read_values(text: str, option: str, example: str) -> tuple[str, list[float]]:
    """Name and values, of LOW:HIGH:COUNT or A,B,C."""
    takes = "NAME=LOW:HIGH:COUNT or NAME=A,B,C"
    name, given = _split(text, option, takes, example)
    if ":" not in given:
        return name, [_number(value, text, option, takes, example) for value in given.split(",")]
    parts = given.split(":")
    if len(parts) != 3 or not parts[2].strip().isdecimal() or int(parts[2]) < 1:
        raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}")
    low, high = (_number(part, text, option, takes, example) for part in parts[:2])
    return name, np.linspace(low, high, int(parts[2])).tolist()


def read_number(text: str, option: str) -> float:
    """A number with or without a unit."""
    try:
        return plain_number(text)
    except ValueError:
        raise ModelError(f"{option} takes a number", value=text, expected="such as 0.4 or 3 mm") from None


def _split(text: str, option: str, takes: str, example: str) -> tuple[str, str]:
    name, equals, given = text.partition("=")
    if not (equals and name.strip() and given.strip()):
        raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}")
    return name.strip(), given.strip()


def _number(part: str, text: str, option: str, takes: str, example: str) -> float:
    try:
        value = plain_number(part)
        if not np.isfinite(value):
            raise ValueError
    except ValueError:
        raise ModelError(f"{option} takes {takes}", value=text, expected=f"for example {example}") from None
    return value


def _side(side: str, text: str, parts: bool) -> Any:
    if not side:
        return None
    if side.endswith("%"):
        if not parts:
            raise ModelError(
                "a part such as 95% is of what the start of a search has, and this command has no start", value=text,
                expected=f"numbers, for example {LIMIT}",
            )  # fmt: skip
        return side
    return _number(side, text, "--limit", "NAME=LOW:HIGH or NAME=VALUE", LIMIT)
