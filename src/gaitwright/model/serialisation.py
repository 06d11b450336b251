"""Arguments of the Python API as entries of the document, and the document without omitted fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gaitwright.model.surfaces import SurfaceDescription
from gaitwright.physics.declarations import UnattachedDeclaration

NumberLike = float | int | str
"""A number or an expression of the parameters; for functions of time, also of t."""
VectorLike = Sequence[NumberLike]
MAX_SCANNED_ENTRIES = 1000
"""Length above which a list is not scanned entry by entry."""


def given_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as in a model file, without omitted ones."""
    return {name: to_plain_lists(value) for name, value in fields.items() if value is not None}


def make_vector(x: Any, y: Any, z: Any = None) -> list[Any]:
    """Two or three coordinates."""
    return [x, y] if z is None else [x, y, z]


def to_plain_lists(value: Any) -> Any:
    """Convert arrays and tuples to lists, recursively in lists and mappings."""
    if isinstance(value, Mapping):
        return {key: to_plain_lists(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    return [to_plain_lists(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def choice_entry(choice: Any) -> Any:
    """Surface, law or friction as in a model file; a class is a choice without fields."""
    if isinstance(choice, type) and issubclass(choice, UnattachedDeclaration):
        return {"type": choice.name}
    return choice.entry() if isinstance(choice, (SurfaceDescription, UnattachedDeclaration)) else choice


def drop_empty(value: Any) -> Any:
    """Remove None and empty mappings, recursively."""
    if isinstance(value, list):
        return value if _is_numeric_list(value) else [drop_empty(v) for v in value]
    if isinstance(value, dict):
        return {k: drop_empty(v) for k, v in value.items() if v is not None and v != {}}
    return value


def _is_numeric_list(value: list[Any]) -> bool:
    """True if a long list, such as the nodes of a mesh, is numeric, judged by its first entry."""
    first: Any = value if len(value) > MAX_SCANNED_ENTRIES else None
    while isinstance(first, list) and first:
        first = first[0]
    return isinstance(first, (int, float))


def to_list(numbers: Any) -> Any:
    """Array or sequence as a list; other values are returned unchanged for the validator."""
    if isinstance(numbers, (str, dict)) or not hasattr(numbers, "__iter__"):
        return numbers
    return numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
