"""How large and how small the numbers of a model may be, by unit: the one place where magnitudes are refused.

Not what is plausible, only what mechanics in double precision can carry. Energies, stiffness matrices and their
factorisations multiply up to six quantities of a model with each other: within these limits such products stay inside
1e-150 to 1e150, and the squares that norms take of them inside the range of doubles. Coordinates have 16 digits: at 1e7 m
joints still close to a nanometre. Nothing that people build, from a clockwork to an oil platform, is near a limit; what is
beyond one is a slip, and would end in overflow, in noise, or in steps too small to ever arrive.
"""

from __future__ import annotations

from gaitwright.checks import At

LARGEST: dict[str, float] = {
    "m": 1e7,  # the way from the pole to the equator
    "m/s": 1e8,  # a third of the speed of light
    "m/s^2": 1e9,
    "rad": 1e9,  # beyond, sines have fewer than seven digits
    "rad/s": 1e9,
    "s": 1e9,  # thirty years
    "kg": 1e12,
    "kg m^2": 1e26,  # the heaviest at the ends of the longest
    "Pa": 1e15,  # a thousand times diamond
    "1": 1e6,  # coefficients of friction, exponents, ratios
    "1/m": 1e9,
}
"""Of any number, in absolute value."""
OTHERWISE = 1e18
"""Of units that are not listed, such as N/m^1.5."""
SMALLEST: dict[str, float] = {
    "m": 1e-7,  # below a tenth of a micrometre nothing is rigid
    "m/s": 1e-12,
    "kg": 1e-12,
    "kg m^2": 1e-26,
    "Pa": 1e-6,
    "s": 1e-15,
}
"""Of a number that must be positive: zero would be refused too, and less than this is as good as zero."""
TINY = 1e-30
"""Of positive numbers with other units, such as second moments of area of hairs, 1e-18 m^4."""


def within_limits(number: float, unit: str, element: str, field: str) -> float:
    """The number itself, if double precision can carry it."""
    most = LARGEST.get(unit, OTHERWISE)
    if not abs(number) <= most:
        At(element, field).fail("is too large to compute with", number, _said("at most", most, unit))
    return number


def not_tiny(number: float, unit: str, element: str, field: str) -> float:
    """The positive number itself, if it is not as good as zero."""
    least = SMALLEST.get(unit, TINY)
    if not number >= least:
        At(element, field).fail("is too small to compute with", number, _said("at least", least, unit))
    return number


def _said(which: str, limit: float, unit: str) -> str:
    return f"{which} {limit:g}" + (f" {unit}" if unit not in ("", "1") else "")
