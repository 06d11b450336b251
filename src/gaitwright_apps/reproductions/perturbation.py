"""Perturbed models for tests of experiments: a computed number that does not change with the models is no evidence about them.

Experiments pass every model that they build through `perturb_if_active`, which normally returns it unchanged. Inside
`perturb_models` it returns a modified one, heavier, stiffer, with a longer crank and more gravity, while the experiment's own
data stay unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from gaitwright.model.model import Model

PERTURBATION_FACTORS = {
    "gravity": 1.02, "mass": 1.01, "inertia": 1.015, "mass_per_length": 1.012, "density": 1.012, "stiffness": 1.03,
    "damping": 1.025, "restitution": 0.99, "youngs_modulus": 1.03, "bending_stiffness": 1.03, "axial_stiffness": 1.02,
    "coefficient": 1.01,
}  # fmt: skip
"""Factors of numbers and expressions with these names, anywhere in a model."""
FIRST_LINK_FACTOR = 1.01
"""Factor of the length of the first link, usually the crank."""

_perturbation_active: ContextVar[bool] = ContextVar("disturbed", default=False)


@contextmanager
def perturb_models() -> Iterator[None]:
    """Perturb all models of experiments inside this context."""
    token = _perturbation_active.set(True)
    try:
        yield
    finally:
        _perturbation_active.reset(token)


def perturb_if_active(model: Model) -> Model:
    """Return the model, perturbed inside `perturb_models`."""
    if not _perturbation_active.get():
        return model
    document = _perturb(model.to_dict())
    for link in document.get("links", [])[:1]:
        if "length" in link:
            link["length"] = _multiply(link["length"], FIRST_LINK_FACTOR)
    return Model.from_dict(document)


def _perturb(part: Any) -> Any:
    if isinstance(part, list):
        return [_perturb(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    return {
        name: _multiply(value, PERTURBATION_FACTORS[name])
        if name in PERTURBATION_FACTORS and not isinstance(value, dict)
        else _perturb(value)
        for name, value in part.items()
    }


def _multiply(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_multiply(entry, factor) for entry in value]
    if isinstance(value, str):
        return f"({value})*{factor}"
    return value * factor if isinstance(value, (int, float)) and not isinstance(value, bool) else value
