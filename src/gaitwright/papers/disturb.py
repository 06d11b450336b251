"""Models changed behind an experiment's back: a number that does not change with them says nothing about them.

Experiments pass every model that they build through `built`, which hands it on as it is. Inside `disturbed` it hands on another
one, heavier, stiffer, with a longer crank and more gravity, while all that the experiment believes stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from gaitwright.model.model import Model

FACTORS = {
    "gravity": 1.02, "mass": 1.01, "inertia": 1.015, "mass_per_length": 1.012, "density": 1.012, "stiffness": 1.03,
    "damping": 1.025, "restitution": 0.99, "youngs_modulus": 1.03, "bending_stiffness": 1.03, "axial_stiffness": 1.02,
    "coefficient": 1.01,
}  # fmt: skip
"""Of numbers and expressions with these names, wherever they stand in a model."""
LONGER = 1.01
"""Of the length of the first link, which is the crank where there is one."""

_now: ContextVar[bool] = ContextVar("disturbed", default=False)


@contextmanager
def disturbed() -> Iterator[None]:
    """Experiments inside get other models than they ask for."""
    token = _now.set(True)
    try:
        yield
    finally:
        _now.reset(token)


def built(model: Model) -> Model:
    """The model; another one inside `disturbed`."""
    if not _now.get():
        return model
    document = _changed(model.to_dict())
    for link in document.get("links", [])[:1]:
        if "length" in link:
            link["length"] = _times(link["length"], LONGER)
    return Model.from_dict(document)


def _changed(part: Any) -> Any:
    if isinstance(part, list):
        return [_changed(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        name: _times(value, FACTORS[name]) if name in FACTORS and not isinstance(value, dict) else _changed(value)
        for name, value in part.items()
    }


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_times(each, factor) for each in value]
    if isinstance(value, str):
        return f"({value})*{factor}"
    return value * factor if isinstance(value, (int, float)) and not isinstance(value, bool) else value
