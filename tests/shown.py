"""Compare the output shown on a page with the printed output: equal words, and numbers equal to the digits shown.

A number may differ by one unit of its last digit, as rounding to the printed digits does; whole numbers of up to two digits,
which are counts, must be equal. `...` stands for any text; after a number it stands for further digits. Pages do not show
results that depend on the last bits of a processor, such as the number of steps of an optimiser.
"""

from __future__ import annotations

import re

NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
OPEN = re.compile(r"(?<=open: ).*?(?= and \d+ more;)")
NOISE = 1e-6
"""Numbers below this are rounding errors."""
MOST_DIGITS = 10
"""Further digits differ between processors."""


def tidy(text: str) -> str:
    """Join lines and sort open joints by name, because joints with equal gaps are printed in any order."""
    return OPEN.sub(lambda found: ", ".join(sorted(found[0].split(", "))), " ".join(text.split()))


def unit_of_last_digit(number: str) -> float:
    mantissa, _, exponent = number.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def is_shown(value: float, number: str, units: float = 1.01) -> bool:
    """Return whether a page may show this value as `number`. units: allowed difference in units of the last digit."""
    shown = float(number)
    if 0 < abs(shown) < NOISE:
        return abs(value) < NOISE
    count = re.fullmatch(r"-?\d\d?", number) and value == int(value)
    return abs(value - shown) <= (0.0 if count else units * unit_of_last_digit(number))


def same(ours: str, shown: str) -> bool:
    """Return whether `shown` is a valid display of the printed output `ours`."""
    ours, shown = tidy(ours), tidy(shown)
    pattern, numbers = "", []
    for piece in re.findall(rf"{NUMBER}|\.\.\.|.", shown):
        if re.fullmatch(NUMBER, piece):
            numbers.append(piece)
            pattern += f"({NUMBER})"
        else:
            pattern += ".*?" if piece == "..." else re.escape(piece)
    match = re.fullmatch(pattern.replace(f"({NUMBER}).*?", f"({NUMBER})"), ours)
    return bool(match) and all(is_shown(float(a), b) for a, b in zip(match.groups(), numbers, strict=True))


SCALES = {"mm": 1e3, "%": 100.0, "kN": 1e-3, "MPa": 1e-6, "GPa": 1e-9, "ms": 1e3}
"""Units that a comment may use for a number that is printed in SI units."""


def promised(comment: str) -> list[tuple[str, float]]:
    """Return the numbers at the beginning of a comment such as `4.463 N m^2, 2.04 mm: why`, each with the factor
    from SI to its unit."""
    claims = re.findall(rf"(?:^|, )(?:[a-z]+ )?({NUMBER})(?: (\S+?))?(?= |,|:|$)", comment.split(": ")[0])
    return [(number, SCALES.get(unit, 1.0)) for number, unit in claims]


def keeps(printed: str, comment: str) -> bool:
    """Return whether the numbers of a comment were printed in this order, possibly among others."""
    values = [float(number) for number in re.findall(NUMBER, printed)]
    for number, scale in promised(comment):
        place = next((k for k, value in enumerate(values) if is_shown(scale * value, number, 0.51)), None)
        if place is None:
            return False
        values = values[place + 1 :]
    return True
