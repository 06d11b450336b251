"""Bounds of parameters that designs vary, as a person gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model


def require_parameters(model: Model, names: Any) -> None:
    """ModelError unless all are parameters of the model, and there is one."""
    known = model.document.parameters
    if not names:
        At("designs", "parameters").fail("is empty", expected=offer("", known, "(the model has no parameters)"))
    for name in names:
        if name not in known:
            At("designs", str(name)).fail(
                "is not a parameter of this model", expected=offer(name, known, "(it has none)")
            )


def read_bounds(model: Model, bounds: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Bounds that hold the model's own values: what is far from them may close in another way than it is drawn."""
    if not isinstance(bounds, Mapping):
        At("designs", "bounds").fail("is not a mapping", bounds, "such as {'L3': (0.26, 0.30)}")
    require_parameters(model, list(bounds))
    nominal = resolve_parameters(model.document.parameters)
    found = {}
    for name, given in bounds.items():
        at = At("designs", name)
        sides = at.numbers(given, "two numbers, low and high")
        if sides.shape != (2,) or not np.all(np.isfinite(sides)) or not sides[0] <= sides[1]:
            at.fail("has no bounds", given, "two numbers, the lower first")
        low, high = (float(side) for side in sides)
        if not low <= nominal[name] <= high:
            at.fail(
                f"has bounds that exclude its value in the model, {nominal[name]:.6g}", list(given),
                f"bounds around it, or another value in the model, such as {name}: {(low + high) / 2:.6g}",
            )  # fmt: skip
        found[name] = low, high
    return found
