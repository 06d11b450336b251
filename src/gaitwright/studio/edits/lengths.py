"""Lengths that follow the drawing: as numbers, with their unit, or through the parameter behind them."""

from __future__ import annotations

import re
from typing import Any

from gaitwright.model.grammar import IDENTIFIER
from gaitwright.model.units import read_unit
from gaitwright.studio.draft import Draft, mapping
from gaitwright.studio.tree import Path_

_WITH_UNIT = re.compile(r"\s*[-+]?[0-9.eE+-]+?\s*([a-zA-Zµμ°][^\d]*)")

_PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def set_number(draft: Draft, path: Path_, value: float, label: str) -> bool:
    """Write a number where one stands: with the unit that it has there; where a parameter alone stands, into the parameter.
    What is an expression of several stays, and a note says so. Whether it could be written."""
    held: Any = draft.data
    for key in path:
        held = held[key]
    (value,) = draft.rounded(value)
    if not isinstance(held, str):
        draft.set(path, value)
        return True
    text = held.strip()
    if IDENTIFIER.fullmatch(text) and text in mapping(draft.data.get("parameters")):
        return set_number(draft, ["parameters", text], value, f"parameter '{text}'")
    found = _WITH_UNIT.fullmatch(text)
    unit = read_unit(found.group(1)) if found else None
    if found and unit is not None:
        draft.set(path, f"{value * unit.under / unit.over:.9g} {found.group(1)}")
        return True
    if _PLAIN.fullmatch(text):  # a number in quotes
        draft.set(path, value)
        return True
    draft.notes.append(
        f"{label}: '{held}' is an expression of several values and stays; change these, or write a number"
    )
    return False
