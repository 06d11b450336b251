"""Lengths updated from the drawing: as numbers, with their unit, or through the parameter they refer to."""

from __future__ import annotations

import re
from typing import Any

from gaitwright.model.grammar import IDENTIFIER_PATTERN
from gaitwright.model.units import read_unit
from gaitwright.studio.draft import DocumentDraft, as_mapping
from gaitwright.studio.yaml_tree import DocumentPath

_NUMBER_WITH_UNIT_PATTERN = re.compile(r"\s*[-+]?[0-9.eE+-]+?\s*([a-zA-Zµμ°][^\d]*)")

_PLAIN_NUMBER_PATTERN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def set_number(draft: DocumentDraft, path: DocumentPath, value: float, label: str) -> bool:
    """Write a number in place of another: with the existing unit; if a parameter name alone is there, into the
    parameter. Expressions of several values are not changed, and a note is added. Return True if the number was
    written."""
    present: Any = draft.data
    for key in path:
        present = present[key]
    (value,) = draft.rounded(value)
    if not isinstance(present, str):
        draft.set(path, value)
        return True
    text = present.strip()
    if IDENTIFIER_PATTERN.fullmatch(text) and text in as_mapping(draft.data.get("parameters")):
        return set_number(draft, ["parameters", text], value, f"parameter '{text}'")
    match = _NUMBER_WITH_UNIT_PATTERN.fullmatch(text)
    unit = read_unit(match.group(1)) if match else None
    if match and unit is not None:
        draft.set(path, f"{value * unit.under / unit.over:.9g} {match.group(1)}")
        return True
    if _PLAIN_NUMBER_PATTERN.fullmatch(text):  # a number in quotes
        draft.set(path, value)
        return True
    draft.notes.append(
        f"{label}: '{present}' is an expression of several values and stays; change these, or write a number"
    )
    return False
