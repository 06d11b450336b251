"""Units of length of files that do not state one: guessed from the size, with a note."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext, is_number

METRES_PER_UNIT = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "ft": 0.3048}
UNIT_WORDS = {"m": "metres", "mm": "millimetres", "um": "micrometres"}
MIN_GUESSED_SIZE_M, MAX_GUESSED_SIZE_M = 0.005, 2.5
"""Range of the longest sides, m, of objects meshed here: from a thin pad to a whole leg or a machine."""
MIN_GUESSED_SIZE_SMALL_UNITS_M = 0.02
"""Lower bound, m, for units other than metres: a part of 20 units has 20 mm; one of 5 may have 5 cm, 5 in or 5 dm."""


class LengthUnit(NamedTuple):
    """Unit of length. scale: metres per unit of the file. note: origin of this information."""

    name: str
    scale: float
    note: str


def find_length_unit(unit: Any, size: float, at: ErrorContext) -> LengthUnit:
    """Find the unit of a file with a longest side of `size` in its unit. unit: name of the unit, or metres per unit; None to
    guess. Raises ModelError for an unknown unit, or if the guess is ambiguous."""
    if is_number(unit) and unit > 0:
        return LengthUnit(f"{unit:g} m", float(unit), f"its unit is {unit:g} m, as given")
    if isinstance(unit, str) and unit:
        name = at["unit"].one_of(unit, METRES_PER_UNIT, "is not known as a unit of length")
        return LengthUnit(name, METRES_PER_UNIT[name], f"its unit is {name}, as given")
    if unit is not None and unit != "":
        at["unit"].fail("is not a unit", unit, f"one of {', '.join(METRES_PER_UNIT)}, or metres per unit")
    for name in ("m", "mm", "um"):
        scale = METRES_PER_UNIT[name]
        if (
            (MIN_GUESSED_SIZE_M if name == "m" else MIN_GUESSED_SIZE_SMALL_UNITS_M)
            <= size * scale
            <= MAX_GUESSED_SIZE_M
        ):
            looks = f"its longest side is {size:.4g}: this looks like {UNIT_WORDS[name]}"
            return LengthUnit(name, scale, f"no unit is given; {looks} (unit='{name}' to be sure)")
    could = [
        f"{name} ({size * scale:.3g} m)"
        for name, scale in METRES_PER_UNIT.items()
        if MIN_GUESSED_SIZE_M <= size * scale <= MAX_GUESSED_SIZE_M
    ]
    return at["unit"].fail(
        f"is not given, and a longest side of {size:.4g} could be {' or '.join(could) or 'anything'}",
        expected=f"one of {', '.join(METRES_PER_UNIT)}, or metres per unit",
    )


def parse_length(text: Any, at: ErrorContext) -> float:
    """Convert a length with optional unit, '5mm', '5 mm' or '0.005', to m. Raises ModelError for other text."""
    match = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([a-zA-Z]*)\s*", str(text))
    try:
        number = float(match.group(1)) if match else None
    except ValueError:
        number = None
    if match is None or number is None:
        at.fail("is not a length", text, "a number of metres, or with a unit: 5mm")
    return (
        number * METRES_PER_UNIT[at.one_of(match.group(2) or "m", METRES_PER_UNIT, "is not known as a unit of length")]
    )
