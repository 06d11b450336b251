"""References in a document: texts that refer to points, bodies, joints and parameters, and their paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gaitwright.studio.draft import LITERAL_TEXT_FIELDS, REFERENCE_FIELDS

TextPath = tuple[str | int, ...]
OUTPUT_NAME_SECTIONS = ("outputs", "quantities", "charts")
"""Sections whose texts name outputs: body.point.x."""


def iterate_texts(data: Any, path: TextPath = ()) -> Iterator[tuple[TextPath, str]]:
    """All texts of a document, with their paths."""
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from iterate_texts(value, (*path, key))
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from iterate_texts(value, (*path, k))


def is_reference(path: TextPath, data: dict[str, Any]) -> bool:
    """True if a text is the name of a point, body or joint, and not an expression."""
    field = _field_name(path)
    if path[0] not in ("links", "beams", "bodies", "joints", "drives", "forces", "contacts", "gait", "worn"):
        return False
    if field in ("at", "points") and path[0] in ("bodies", "links", "beams"):  # places, not names
        return False
    if field == "line" and path[0] == "contacts":
        return False
    return field in REFERENCE_FIELDS


def is_expression(path: TextPath, data: dict[str, Any]) -> bool:
    """True if a text is an expression, which may contain parameter names."""
    if path[0] in ("name", "outputs", "series", "charts", "quantities", "solids", "worn"):
        return False
    return not is_reference(path, data) and _field_name(path) not in LITERAL_TEXT_FIELDS


def _field_name(path: TextPath) -> str:
    """Innermost name in a path; `points` for points by name."""
    names = [key for key in path if isinstance(key, str)]
    return "points" if len(names) > 1 and names[-2] == "points" else names[-1]


def leading_names(text: str) -> list[str]:
    """Leading names in an output or an expression of outputs: crank of crank.torque, A of A:L3.fx."""
    return re.findall(r"(?<![\w.-])([^\W\d][\w-]*)(?=[.:])", text)


def split_reference(reference: str) -> tuple[str, str]:
    """Split a reference into owner and point: K1.F into K1 and F; A into "" and A."""
    owner, dot, point = reference.partition(".")
    return (owner, point) if dot else ("", owner)
