"""Units of lengths in files that do not tell them: guessed from the size, and said aloud."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from gaitwright.checks import At, is_number

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "ft": 0.3048}
WORDS = {"m": "metres", "mm": "millimetres", "um": "micrometres"}
SMALLEST, LARGEST = 0.005, 2.5
"""Longest sides, m, of what people mesh here: from a thin pad to a whole leg or a machine."""
LEAST = 0.02
"""The same, m, for units other than metres: a part of 20 units is one of 20 mm; one of 5 may be 5 cm, 5 in or 5 dm."""


class Unit(NamedTuple):
    """scale: metres per unit of the file. note: how it is known."""

    name: str
    scale: float
    note: str


def unit_of(given: Any, size: float, at: At) -> Unit:
    """The unit of a file whose longest side is `size` of it. given: its name, or metres per unit; None to guess."""
    if is_number(given) and given > 0:
        return Unit(f"{given:g} m", float(given), f"its unit is {given:g} m, as told")
    if isinstance(given, str) and given:
        name = at["unit"].one_of(given, UNITS, "is not known as a unit of length")
        return Unit(name, UNITS[name], f"its unit is {name}, as told")
    if given is not None and given != "":
        at["unit"].fail("is not a unit", given, f"one of {', '.join(UNITS)}, or metres per unit")
    for name in ("m", "mm", "um"):
        scale = UNITS[name]
        if (SMALLEST if name == "m" else LEAST) <= size * scale <= LARGEST:
            looks = f"its longest side is {size:.4g}: this looks like {WORDS[name]}"
            return Unit(name, scale, f"no unit is told; {looks} (unit='{name}' to be sure)")
    could = [f"{name} ({size * scale:.3g} m)" for name, scale in UNITS.items() if SMALLEST <= size * scale <= LARGEST]
    return at["unit"].fail(
        f"is not told, and a longest side of {size:.4g} could be {' or '.join(could) or 'anything'}",
        expected=f"one of {', '.join(UNITS)}, or metres per unit",
    )


def length_of(text: Any, at: At) -> float:
    """A length as people write it, '5mm', '5 mm' or '0.005', in m."""
    found = re.fullmatch(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([a-zA-Z]*)\s*", str(text))
    try:
        number = float(found.group(1)) if found else None
    except ValueError:
        number = None
    if found is None or number is None:
        at.fail("is not a length", text, "a number of metres, or with a unit: 5mm")
    return number * UNITS[at.one_of(found.group(2) or "m", UNITS, "is not known as a unit of length")]
