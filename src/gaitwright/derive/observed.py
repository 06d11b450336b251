"""What results show of an element besides reactions and energies: the expressions of its `observe`."""

from __future__ import annotations

import sympy

from gaitwright.derive.form import Output
from gaitwright.derive.symbols import Symbols, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.physics.declare import Attached


def observed_values(declaration: type[Attached], s: Symbols) -> list[Output]:
    """The outputs of the kernel `observe`; none if there is nothing to observe."""
    observed = evaluate(declaration, "observe", s.arguments) if declaration.observed else {}
    if list(observed) != list(declaration.observed):
        raise ModelError(
            f"observe() gives {list(observed)} but observed names {list(declaration.observed)}",
            element=describe(declaration), expected="the same names in the same order",
        )  # fmt: skip
    for value in observed.values():
        s.require_known(declaration, "observe()", value, s.everything)
    return [(f"out[{k}]", "=", sympy.sympify(value)) for k, value in enumerate(observed.values())]
