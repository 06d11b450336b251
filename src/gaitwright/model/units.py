"""Units after numbers: `240 mm`, `30 deg`, `70 GPa`, `1.6 g/cm^3`, `120 rpm`, `5 N m/rad`.

A unit is a factor to SI and a dimension, exponents of m, kg, s and rad. A small table instead of a library: pint 0.25 took
0.8 s to import and 0.5 s for its registry, compared with 1.2 s for Gaitwright, and would be a second grammar of expressions.
"""

from __future__ import annotations

import functools
import math
import re
from fractions import Fraction
from typing import NamedTuple

from gaitwright._core.error_context import suggest_spelling
from gaitwright._core.errors import ModelError

Dimension = tuple[float, float, float, float]
"""Exponents of m, kg, s, rad."""


class PhysicalUnit(NamedTuple):
    """Factor to SI as over/under, so that 240 mm is 240/1000, exactly the number 0.24. dimension: see above."""

    over: float
    under: float
    dimension: Dimension

    def si(self, number: float) -> float:
        """Number in SI units; ModelError if it is finite in its unit but not in SI units."""
        converted = number * (self.over / self.under) if abs(number) > 1e150 else number * self.over / self.under
        if math.isfinite(number) and not math.isfinite(converted):
            raise ModelError(f"{number:g} is too large for SI units", expected="a smaller number")
        return converted


class UnitMatch(NamedTuple):
    """Unit in a text. end: position after the unit."""

    unit: PhysicalUnit
    end: int


DIMENSIONLESS: Dimension = (0.0, 0.0, 0.0, 0.0)
_LENGTH, _MASS, _TIME, _ANGLE = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
_FORCE, _PRESSURE, _ENERGY, _POWER = (1, 1, -2, 0), (-1, 1, -2, 0), (2, 1, -2, 0), (2, 1, -3, 0)
_PREFIXES = {"n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "µ": Fraction(1, 10**6), "μ": Fraction(1, 10**6),
             "m": Fraction(1, 1000), "c": Fraction(1, 100), "d": Fraction(1, 10), "": Fraction(1), "k": Fraction(1000),
             "M": Fraction(10**6), "G": Fraction(10**9)}  # fmt: skip
_INCH, _POUND = Fraction("0.0254"), Fraction("0.45359237")
_GRAVITY = Fraction("9.80665")
_GRAM = Fraction(1, 1000)
# symbol: (factor, dimension, permitted prefixes)
_BASE_UNITS: dict[str, tuple[Fraction | float, tuple[int, ...], str]] = {
    "m": (Fraction(1), _LENGTH, "nuµμmcdk"),
    "in": (_INCH, _LENGTH, ""), "inch": (_INCH, _LENGTH, ""), "ft": (12 * _INCH, _LENGTH, ""),
    "g": (_GRAM, _MASS, "uµμmk"),
    "lb": (_POUND, _MASS, ""), "tonne": (Fraction(1000), _MASS, ""),
    "s": (Fraction(1), _TIME, "nuµμm"),
    "min": (Fraction(60), _TIME, ""), "h": (Fraction(3600), _TIME, ""),
    "rad": (Fraction(1), _ANGLE, "m"),
    "deg": (math.pi / 180, _ANGLE, ""), "°": (math.pi / 180, _ANGLE, ""),
    "turn": (2 * math.pi, _ANGLE, ""), "turns": (2 * math.pi, _ANGLE, ""), "rev": (2 * math.pi, _ANGLE, ""),
    "rpm": (math.pi / 30, (0, 0, -1, 1), ""),
    "Hz": (Fraction(1), (0, 0, -1, 0), "k"),
    "N": (Fraction(1), _FORCE, "mkM"),
    "kgf": (_GRAVITY, _FORCE, ""), "lbf": (_POUND * _GRAVITY, _FORCE, ""),
    "Pa": (Fraction(1), _PRESSURE, "kMG"),
    "bar": (Fraction(10**5), _PRESSURE, ""), "psi": (_POUND * _GRAVITY / _INCH**2, _PRESSURE, ""),
    "J": (Fraction(1), _ENERGY, "mk"), "W": (Fraction(1), _POWER, "mk"),
    # common spellings without a blank
    "Nm": (Fraction(1), _ENERGY, "mk"), "Nmm": (_GRAM, _ENERGY, ""), "Ncm": (Fraction(1, 100), _ENERGY, ""),
    "Ns": (Fraction(1), (1, 1, -1, 0), ""), "Nms": (Fraction(1), (2, 1, -1, 0), ""),
}  # fmt: skip
UNIT_SYMBOLS: dict[str, tuple[Fraction | float, Dimension]] = {
    prefix + symbol: (factor * _PREFIXES[prefix], tuple(map(float, dimension)))  # type: ignore[misc]
    for symbol, (factor, dimension, prefixes) in _BASE_UNITS.items()
    for prefix in ("", *prefixes)
}
_SYMBOL_PATTERN = re.compile(r"[A-Za-zµμ]+|°")
_EXPONENT_PATTERN = re.compile(r"(?:\^|\*\*)(-?[0-9]+(?:\.[0-9]+)?)|([²³⁴])")
_SEPARATOR_PATTERN = re.compile(r"[ \t]*([*/·])[ \t]*|[ \t]+")
_SUPERSCRIPTS = {"²": 2.0, "³": 3.0, "⁴": 4.0}


def parse_unit_at(text: str, position: int) -> UnitMatch | None:
    """Longest unit in a text at a position, after optional blanks: `N m/rad`, `kg*m^2`. A slash divides only by the next
    symbol. None if there is no unit."""
    end = start = _skip_blanks(text, position)
    match = _SYMBOL_PATTERN.match(text, start)
    if match is None or match.group() not in UNIT_SYMBOLS:
        return None
    numerator_factor, irrational, dimension, is_divided = Fraction(1), 1.0, DIMENSIONLESS, False
    while (match := _SYMBOL_PATTERN.match(text, start)) and match.group() in UNIT_SYMBOLS:
        factor, symbol_dimension = UNIT_SYMBOLS[match.group()]
        end = match.end()
        exponent_match = _EXPONENT_PATTERN.match(text, end)
        exponent = 1.0
        if exponent_match:
            end = exponent_match.end()
            exponent = (
                float(exponent_match.group(1)) if exponent_match.group(1) else _SUPERSCRIPTS[exponent_match.group(2)]
            )
            if abs(exponent) > 9.0:
                return None
        exponent = -exponent if is_divided else exponent
        if isinstance(factor, Fraction) and exponent.is_integer():
            numerator_factor *= factor ** int(exponent)
        else:
            irrational *= float(factor) ** exponent
        dimension = tuple(a + exponent * b for a, b in zip(dimension, symbol_dimension, strict=True))
        separator = _SEPARATOR_PATTERN.match(text, end)
        if not separator:
            break
        is_divided, start = separator.group(1) == "/", separator.end()
    return UnitMatch(
        PhysicalUnit(
            float(numerator_factor.numerator) * irrational,
            float(numerator_factor.denominator),
            _round_dimension(dimension),
        ),
        end,
    )


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t":
        position += 1
    return position


def read_unit(text: str) -> PhysicalUnit | None:
    """Unit of a whole text; `1` is the unit of plain numbers. None if it is no unit."""
    if text.strip() == "1":
        return PhysicalUnit(1.0, 1.0, DIMENSIONLESS)
    match = parse_unit_at(text, 0)
    return match.unit if match and not text[match.end :].strip() else None


_NUMBER_PATTERN = re.compile(r"\s*[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def parse_number_with_unit(text: str) -> float:
    """Number with or without a unit, in SI: `3.2 mm` is 0.0032. ValueError for other texts."""
    number = _NUMBER_PATTERN.match(text)
    if number is None or not text[number.end() :].strip():
        return float(text)
    unit = read_unit(text[number.end() :])
    if unit is None:
        raise ValueError(text)
    return unit.si(float(number.group()))


@functools.cache
def dimension_of(unit: str) -> Dimension | None:
    """Dimension of a declared unit, such as `N m/rad`; None if it is variable, such as that of N/m^n."""
    if unit == "1":
        return DIMENSIONLESS
    if unit.startswith("1/"):
        below = dimension_of(unit[2:])
        return None if below is None else _round_dimension(tuple(-x for x in below))
    parsed = read_unit(unit)
    return parsed.dimension if parsed else None


def is_compatible(given: Dimension, required: Dimension) -> bool:
    """True if a value of one dimension is accepted for another. Powers of rad are ignored for dimensions with length or mass:
    `5 N m` is accepted as a stiffness per rad. Others must match: 2 Hz may be 2 or 4 pi rad/s."""
    return given == required or (given[:3] == required[:3] and any(given[:2]))


QUANTITY_NAMES = {
    "m": "a length", "kg": "a mass", "s": "a time", "rad": "an angle", "m/s": "a speed", "rad/s": "an angular velocity",
    "m/s^2": "an acceleration", "Hz": "a frequency", "N": "a force", "N m": "a torque or energy", "Pa": "a pressure or modulus",
    "N/m": "a stiffness", "kg m^2": "a moment of inertia", "kg/m^3": "a density", "m^2": "an area", "N s/m": "a damping",
    "kg/m": "a mass per length", "W": "a power", "1": "a plain number", "N m/rad": "a torsional stiffness",
}  # fmt: skip
_EXAMPLES = {"m": "240 mm", "kg": "25 g", "s": "20 ms", "rad": "30 deg", "rad/s": "120 rpm", "Pa": "70 GPa", "m/s": "3 km/h",
             "kg/m^3": "1.6 g/cm^3", "N": "2 kN", "N m": "30 N mm", "N/m": "4 N/mm", "m^2": "20 mm^2", "m^4": "12 mm^4",
             "kg m^2": "5 kg cm^2", "N m/rad": "2 N m/deg", "Hz": "2 kHz"}  # fmt: skip


def dimension_name(dimension: Dimension) -> str:
    """Name of a dimension for messages."""
    for unit, name in QUANTITY_NAMES.items():
        if dimension_of(unit) == dimension:
            return name
    parts = [f"{u}^{e:g}" if e != 1 else u for u, e in zip(("m", "kg", "s", "rad"), dimension, strict=True) if e]
    return f"a quantity in {' '.join(parts)}"


def expected_quantity(unit: str) -> str:
    """Expected value of a field in this unit, for messages: `a length in m, as 0.24 or 240 mm`."""
    if unit == "1":
        return "a plain number"
    example = f", or with its unit, such as {_EXAMPLES[unit]}" if unit in _EXAMPLES else ""
    return f"{QUANTITY_NAMES.get(unit, 'a number')} in {unit}{example}"


def unit_suggestion(word: str) -> str:
    """Suggestion `; did you mean 'mm'?` for a misspelt unit."""
    matching_symbols = [symbol for symbol in UNIT_SYMBOLS if symbol.lower() == word.lower()]
    return f"; did you mean '{matching_symbols[0]}'?" if matching_symbols else suggest_spelling(word, UNIT_SYMBOLS)


def _round_dimension(dimension: tuple[float, ...]) -> Dimension:
    m, kg, s, rad = (round(x, 9) + 0.0 for x in dimension)
    return m, kg, s, rad
