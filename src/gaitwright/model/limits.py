"""Limits on the magnitudes of model numbers, by unit; numbers are rejected for their magnitude only here.

The limits are not about plausibility, but about double precision. Energies, stiffness matrices and their
factorisations multiply up to six quantities of a model with each other: within these limits such products stay inside
1e-150 to 1e150, and the squares in norms inside the range of doubles. Coordinates have 16 digits: at 1e7 m
joints still close to a nanometre. No human-made mechanism, from a clockwork to an oil platform, is near a limit; a number
beyond one is a mistake, and would end in overflow, in noise, or in steps too small to ever finish.
"""

from __future__ import annotations

from gaitwright._core.error_context import ErrorContext

MAX_VALUE_BY_UNIT: dict[str, float] = {
    "m": 1e7,  # distance from the pole to the equator
    "m/s": 1e8,  # a third of the speed of light
    "m/s^2": 1e9,
    "rad": 1e9,  # beyond, sines have fewer than seven digits
    "rad/s": 1e9,
    "s": 1e9,  # thirty years
    "kg": 1e12,
    "kg m^2": 1e26,  # the largest mass at the largest distance
    "Pa": 1e15,  # a thousand times diamond
    "1": 1e6,  # coefficients of friction, exponents, ratios
    "1/m": 1e9,
}
"""Maximum absolute value of any number."""
DEFAULT_MAX_VALUE = 1e18
"""Maximum for unlisted units, such as N/m^1.5."""
MIN_POSITIVE_BY_UNIT: dict[str, float] = {
    "m": 1e-7,  # below a tenth of a micrometre nothing is rigid
    "m/s": 1e-12,
    "kg": 1e-12,
    "kg m^2": 1e-26,
    "Pa": 1e-6,
    "s": 1e-15,
}
"""Minimum of a number that must be positive; smaller numbers are rejected like zero."""
DEFAULT_MIN_POSITIVE = 1e-30
"""Minimum of positive numbers with other units, such as second moments of area of hairs, 1e-18 m^4."""


def require_within_limits(number: float, unit: str, element: str, field: str) -> float:
    """Return the number if its magnitude is within the limit of its unit; ModelError otherwise."""
    maximum = MAX_VALUE_BY_UNIT.get(unit, DEFAULT_MAX_VALUE)
    if not abs(number) <= maximum:
        ErrorContext(element, field).fail(
            "is too large to compute with", number, _format_limit("at most", maximum, unit)
        )
    return number


def require_above_minimum(number: float, unit: str, element: str, field: str) -> float:
    """Return the positive number if it is not below the minimum of its unit; ModelError otherwise."""
    minimum = MIN_POSITIVE_BY_UNIT.get(unit, DEFAULT_MIN_POSITIVE)
    if not number >= minimum:
        ErrorContext(element, field).fail(
            "is too small to compute with", number, _format_limit("at least", minimum, unit)
        )
    return number


def _format_limit(bound: str, limit: float, unit: str) -> str:
    return f"{bound} {limit:g}" + (f" {unit}" if unit not in ("", "1") else "")
