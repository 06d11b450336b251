"""Sensitivity of the numbers of a walk to the stiffness of the ground: comparison with a ground twice as stiff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.legs.walk_numbers import WALK_NUMBERS
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.legs.turn_numbers import LegQuantity

STIFFNESS_FACTOR = 2.0
"""Stiffness of the stiffer ground over that of the given one."""
MAX_RELATIVE_CHANGE = 0.03
"""Relative change above which a number depends on the ground."""
MAX_LISTED_NUMBERS = 4
"""Numbers that the warning lists; the table shows all."""


@dataclass(frozen=True)
class GroundCheck:
    """Numbers of a walk on a ground with the stiffness multiplied by `factor`. numbers: by name, in the units of WALK_NUMBERS.
    changes: by name, relative change, see `compare_walks`; without numbers that do not apply or are not compared."""

    factor: float
    numbers: dict[str, float]
    changes: dict[str, float]

    @property
    def sensitive(self) -> dict[str, float]:
        """Changes with a magnitude above MAX_RELATIVE_CHANGE, largest first."""
        large = {name: change for name, change in self.changes.items() if abs(change) > MAX_RELATIVE_CHANGE}
        return dict(sorted(large.items(), key=lambda item: -abs(item[1])))

    def warning(self) -> list[str]:
        """Sentence that lists the sensitive numbers and their changes; an empty list if there are none."""
        if not self.sensitive:
            return []
        parts = [f"{name.replace('_', ' ')} {100 * change:+.2g} %" for name, change in self.sensitive.items()]
        omitted_count = len(parts) - MAX_LISTED_NUMBERS
        listed = ", ".join(parts[:MAX_LISTED_NUMBERS]) + (f", and {omitted_count} more" if omitted_count > 0 else "")
        return [
            f"some numbers depend on the stiffness of the ground: they change by more than "
            f"{100 * MAX_RELATIVE_CHANGE:g} % on a "
            f"ground {self.factor:g} times as stiff: {listed}; give the stiffness "
            "of your ground and feet, or use the numbers as estimates"
        ]

    def summary(self) -> dict[str, Any]:
        """Factor, limit, changes and numbers as plain data, for JSON."""
        return {
            "factor": self.factor, "limit": MAX_RELATIVE_CHANGE, "changes": self.changes, "numbers": self.numbers,
            "sensitive": list(self.sensitive),
        }  # fmt: skip


def compare_walks(
    numbers: Mapping[str, LegQuantity], stiffer_numbers: Mapping[str, LegQuantity], factor: float
) -> GroundCheck:
    """Compare the numbers of a walk on the given ground and on one `factor` times as stiff: change = (b - a) / max(|a|, |s|),
    with a on the given ground, b on the stiffer one, and s the number named by `scale` in WALK_NUMBERS."""
    changes = {}
    for name, number in WALK_NUMBERS.items():
        a, b = numbers[name].value, stiffer_numbers[name].value
        if number.scale is None or not (np.isfinite(a) and np.isfinite(b)):
            continue
        scale = abs(numbers[number.scale].value) if number.scale else 0.0
        size = max(abs(a), scale if np.isfinite(scale) else 0.0)
        changes[name] = (b - a) / size if size else 0.0
    return GroundCheck(factor, {name: quantity.value for name, quantity in stiffer_numbers.items()}, changes)


def stiffen_ground(model: Model, factor: float = STIFFNESS_FACTOR) -> Model | None:
    """The model with the stiffness of all its contact laws multiplied by `factor`; None if no contact law has one."""
    return _change_stiffness(model, lambda given: f"{factor!r}*({given})")


def set_ground_stiffness(model: Model, stiffness: float) -> Model:
    """The model with this stiffness of all contact laws, in the unit of the law: N/m^n with the exponent n of the law, 1.5
    unless it has another. Raises ModelError if no contact law has a stiffness."""
    value = ErrorContext("walk", "stiffness").positive(stiffness, "N/m^1.5")
    changed = _change_stiffness(model, lambda given: value)
    if changed is None:
        ErrorContext("walk", "stiffness").fail(
            "no contact of the model has a stiffness", stiffness, "a model whose contacts have a law"
        )
    return changed


def _change_stiffness(model: Model, change: Callable[[Any], Any]) -> Model | None:
    raw = model.to_dict()
    changed = False
    for contact in raw.get("contacts", []):
        law = contact.get("law")
        if isinstance(law, dict) and "stiffness" in law:
            contact["law"] = {**law, "stiffness": change(law["stiffness"])}
            changed = True
    return Model.from_dict(raw) if changed else None
