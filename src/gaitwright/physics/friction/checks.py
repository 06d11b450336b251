"""Shared validators of friction laws. Registers no law."""

from __future__ import annotations

import math

from gaitwright._core.error_context import ErrorContext


def require_not_negative(**values: float) -> None:
    """Raise ModelError unless every value is zero or more."""
    for field, value in values.items():
        if not 0 <= value < math.inf:
            ErrorContext(field=field).fail("friction would drive the motion", value, "zero or more")


def require_positive(**values: float) -> None:
    """Raise ModelError unless every value, a divisor in the law, is above zero."""
    for field, value in values.items():
        if not 0 < value < math.inf:
            ErrorContext(field=field).fail("the law divides by it", value, "a number above 0")


def require_static_above_kinetic(static: float, kinetic: float) -> None:
    """Raise ModelError if the static coefficient is below the kinetic one."""
    require_not_negative(static_coefficient=static, kinetic_coefficient=kinetic)
    if static < kinetic:
        ErrorContext(field="static_coefficient").fail(
            "breaking loose would take less than sliding",
            static,
            f"at least the kinetic_coefficient, {kinetic:g}; the law smooth-coulomb has only one coefficient",
        )
