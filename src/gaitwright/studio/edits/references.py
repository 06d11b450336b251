"""Who names whom in a document: texts that refer to points, bodies, joints and parameters, and their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gaitwright.studio.draft import OTHER_TEXTS, REFERENCES

At = tuple[str | int, ...]
NAMING = ("outputs", "quantities", "charts")
"""Sections whose texts name outputs: body.point.x."""


def texts(data: Any, path: At = ()) -> Iterator[tuple[At, str]]:
    """Every text of a document, with its place."""
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from texts(value, (*path, key))
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from texts(value, (*path, k))


def is_reference(path: At, data: dict[str, Any]) -> bool:
    """Whether a text is the name of a point, body or joint, and not an expression."""
    field = _field(path)
    if path[0] not in ("links", "beams", "bodies", "joints", "drives", "forces", "contacts", "gait", "worn"):
        return False
    if field in ("at", "points") and path[0] in ("bodies", "links", "beams"):  # places, not names
        return False
    if field == "line" and path[0] == "contacts":
        return False
    return field in REFERENCES


def is_expression(path: At, data: dict[str, Any]) -> bool:
    """Whether a text is an expression, which may name parameters."""
    if path[0] in ("name", "outputs", "series", "charts", "quantities", "solids", "worn"):
        return False
    return not is_reference(path, data) and _field(path) not in OTHER_TEXTS


def _field(path: At) -> str:
    """The innermost name of a place; of points by name, `points`."""
    names = [key for key in path if isinstance(key, str)]
    return "points" if len(names) > 1 and names[-2] == "points" else names[-1]


def heads(text: str) -> list[str]:
    """The names at the front of what an output or an expression of outputs names: crank of crank.torque, A of A:L3.fx."""
    return re.findall(r"(?<![\w.-])([^\W\d][\w-]*)(?=[.:])", text)


def owner_and_point(reference: str) -> tuple[str, str]:
    """K1 and F of K1.F; nothing and A of A."""
    owner, dot, point = reference.partition(".")
    return (owner, point) if dot else ("", owner)
