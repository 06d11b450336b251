"""What the Python API is given, as entries of the document, and the document without what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gaitwright.model.surfaces import Surface
from gaitwright.physics.declare import Chosen

Number = float | int | str
"""A number or an expression of the parameters; where a function of time is asked for, also of t."""
Pair = Sequence[Number]
LONG = 1000
"""Entries of a list from which on it is not looked through one by one."""


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as a model file says them, without those that were left out."""
    return {name: plain(value) for name, value in fields.items() if value is not None}


def vector(x: Any, y: Any, z: Any = None) -> list[Any]:
    """Two or three coordinates."""
    return [x, y] if z is None else [x, y, z]


def plain(value: Any) -> Any:
    """Arrays and tuples as lists, also inside of lists and mappings."""
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def said(choice: Any) -> Any:
    """A surface, law or friction as a model file says it; a class is a choice with nothing given."""
    if isinstance(choice, type) and issubclass(choice, Chosen):
        return {"type": choice.name}
    return choice.entry() if isinstance(choice, (Surface, Chosen)) else choice


def tidy(value: Any) -> Any:
    """Without None and empty parts."""
    if isinstance(value, list):
        return value if _are_numbers(value) else [tidy(v) for v in value]
    if isinstance(value, dict):
        return {k: tidy(v) for k, v in value.items() if v is not None and v != {}}
    return value


def _are_numbers(value: list[Any]) -> bool:
    """Whether a long list, such as the nodes of a mesh, is one of numbers, by its first."""
    first: Any = value if len(value) > LONG else None
    while isinstance(first, list) and first:
        first = first[0]
    return isinstance(first, (int, float))


def listed(numbers: Any) -> Any:
    """An array or another sequence as a list; what is neither is left for the check."""
    if isinstance(numbers, (str, dict)) or not hasattr(numbers, "__iter__"):
        return numbers
    return numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
