"""Validation of the bounds of varied parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model


def require_parameters(model: Model, names: Any) -> None:
    """Raise ModelError unless `names` is not empty and all are parameters of the model."""
    known = model.document.parameters
    if not names:
        ErrorContext("designs", "parameters").fail(
            "is empty", expected=format_choices("", known, "(the model has no parameters)")
        )
    for name in names:
        if name not in known:
            ErrorContext("designs", str(name)).fail(
                "is not a parameter of this model", expected=format_choices(name, known, "(it has none)")
            )


def read_parameter_bounds(model: Model, bounds: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Read bounds {name: (low, high)}, which must include the model's own values: a mechanism far from them may close on
    another branch than the drawn pose. Raises ModelError."""
    if not isinstance(bounds, Mapping):
        ErrorContext("designs", "bounds").fail("is not a mapping", bounds, "such as {'L3': (0.26, 0.30)}")
    require_parameters(model, list(bounds))
    nominal = resolve_parameters(model.document.parameters)
    bounds_by_name = {}
    for name, given in bounds.items():
        at = ErrorContext("designs", name)
        sides = at.numbers(given, "two numbers, low and high")
        if sides.shape != (2,) or not np.all(np.isfinite(sides)) or not sides[0] <= sides[1]:
            at.fail("has no bounds", given, "two numbers, the lower first")
        low, high = (float(side) for side in sides)
        if not low <= nominal[name] <= high:
            at.fail(
                f"has bounds that exclude its value in the model, {nominal[name]:.6g}", list(given),
                f"bounds around it, or another value in the model, such as {name}: {(low + high) / 2:.6g}",
            )  # fmt: skip
        bounds_by_name[name] = low, high
    return bounds_by_name
