"""Observed quantities of an element besides reactions and energies: the expressions of its `observe`."""

from __future__ import annotations

import sympy

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_form import KernelOutput
from gaitwright.derive.symbols import ElementSymbols, call_declaration, describe_declaration
from gaitwright.physics.declarations import AttachedDeclaration


def observe_outputs(declaration: type[AttachedDeclaration], s: ElementSymbols) -> list[KernelOutput]:
    """Return the outputs of the kernel `observe`; empty if the declaration observes nothing."""
    observed = call_declaration(declaration, "observe", s.arguments) if declaration.observed else {}
    if list(observed) != list(declaration.observed):
        raise ModelError(
            f"observe() gives {list(observed)} but observed names {list(declaration.observed)}",
            element=describe_declaration(declaration), expected="the same names in the same order",
        )  # fmt: skip
    for value in observed.values():
        s.require_known(declaration, "observe()", value, s.everything)
    return [(f"out[{k}]", "=", sympy.sympify(value)) for k, value in enumerate(observed.values())]
