"""Checks that friction laws share. Registers nothing."""

from __future__ import annotations

import math

from gaitwright.checks import At


def require_not_negative(**values: float) -> None:
    """ModelError unless every value is zero or more."""
    for field, value in values.items():
        if not 0 <= value < math.inf:
            At(field=field).fail("friction would drive the motion", value, "zero or more")


def require_positive(**values: float) -> None:
    """ModelError unless every value, by which the law divides, is above zero."""
    for field, value in values.items():
        if not 0 < value < math.inf:
            At(field=field).fail("the law divides by it", value, "a number above 0")


def require_static_above_kinetic(static: float, kinetic: float) -> None:
    """ModelError if it would take less to break loose than to keep sliding."""
    require_not_negative(static_coefficient=static, kinetic_coefficient=kinetic)
    if static < kinetic:
        At(field="static_coefficient").fail(
            "breaking loose would take less than sliding",
            static,
            f"at least the kinetic_coefficient, {kinetic:g}; the law smooth-coulomb has only one coefficient",
        )
