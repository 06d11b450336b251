"""What the Python API is given, as entries of the document, and the document without what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gaitwright.model.surfaces import Surface
from gaitwright.physics.declare import Chosen


def pairs(points: Mapping[str, Sequence[Any]] | None) -> dict[str, list[Any]]:
    """Points as a model file says them."""
    return {name: list(at) for name, at in (points or {}).items()}


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
        return [tidy(v) for v in value]
    if isinstance(value, dict):
        return {k: tidy(v) for k, v in value.items() if v is not None and v != {}}
    return value
