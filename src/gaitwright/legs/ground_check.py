"""Do the numbers of a walk depend on how hard the ground is? The same machine once more on a ground twice as stiff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.legs.walk_numbers import WALK_NUMBERS
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.legs.numbers import Quantity

FACTOR = 2.0
"""By which the stiffness is multiplied."""
CHANGE_LIMIT = 0.03
"""Change of a number, as a part of it, above which it depends on the ground."""
NAMED_NUMBERS = 4
"""Numbers that the warning names; the table shows all."""


@dataclass(frozen=True)
class GroundCheck:
    """Numbers of a walk on a ground whose stiffness is multiplied by `factor`. numbers: by name, in the units of WALK_NUMBERS.
    changes: by name, (number there - number here) / size of the number; without those that do not apply or are not compared."""

    factor: float
    numbers: dict[str, float]
    changes: dict[str, float]

    @property
    def sensitive(self) -> dict[str, float]:
        """Changes above CHANGE_LIMIT, the largest first."""
        large = {name: change for name, change in self.changes.items() if abs(change) > CHANGE_LIMIT}
        return dict(sorted(large.items(), key=lambda item: -abs(item[1])))

    def warning(self) -> list[str]:
        """A sentence that names the numbers and by how much they change; nothing if none does."""
        if not self.sensitive:
            return []
        parts = [f"{name.replace('_', ' ')} {100 * change:+.2g} %" for name, change in self.sensitive.items()]
        more = len(parts) - NAMED_NUMBERS
        listed = ", ".join(parts[:NAMED_NUMBERS]) + (f", and {more} more" if more > 0 else "")
        return [
            f"some numbers depend on the stiffness of the ground: more than {100 * CHANGE_LIMIT:g} % of change on one that is "
            f"{self.factor:g} times as stiff: {listed}; give the stiffness of your ground and feet, or take them as estimates"
        ]

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "factor": self.factor, "limit": CHANGE_LIMIT, "changes": self.changes, "numbers": self.numbers,
            "sensitive": list(self.sensitive),
        }  # fmt: skip


def compared(here: Mapping[str, Quantity], there: Mapping[str, Quantity], factor: float) -> GroundCheck:
    """The check of two sets of numbers of a walk."""
    changes = {}
    for name, number in WALK_NUMBERS.items():
        a, b = here[name].value, there[name].value
        if number.scale is None or not (np.isfinite(a) and np.isfinite(b)):
            continue
        beside = abs(here[number.scale].value) if number.scale else 0.0
        size = max(abs(a), beside if np.isfinite(beside) else 0.0)
        changes[name] = (b - a) / size if size else 0.0
    return GroundCheck(factor, {name: quantity.value for name, quantity in there.items()}, changes)


def stiffer(model: Model, factor: float = FACTOR) -> Model | None:
    """The model with the stiffness of all its contact laws multiplied; None if no contact has one."""
    return _with_stiffness(model, lambda given: f"{factor!r}*({given})")


def with_stiffness(model: Model, stiffness: float) -> Model:
    """The model with this stiffness of all contact laws, in the unit of the law (N/m^1.5 unless its exponent is another)."""
    value = At("walk", "stiffness").positive(stiffness, "N/m^1.5")
    found = _with_stiffness(model, lambda given: value)
    if found is None:
        At("walk", "stiffness").fail(
            "no contact of the model has a stiffness", stiffness, "a model whose contacts have a law"
        )
    return found


def _with_stiffness(model: Model, change: Callable[[Any], Any]) -> Model | None:
    raw = model.to_dict()
    changed = False
    for contact in raw.get("contacts", []):
        law = contact.get("law")
        if isinstance(law, dict) and "stiffness" in law:
            contact["law"] = {**law, "stiffness": change(law["stiffness"])}
            changed = True
    return Model.from_dict(raw) if changed else None
