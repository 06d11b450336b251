"""Limits of numbers: input forms, reduction of an output over time, and amount of violation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number

LIMIT_FORMS = "a positive number, the largest size, or (low, high) with None for a free side"


class NumberLimit(NamedTuple):
    """Allowed range of a number. size: reference value for relative violations."""

    low: float
    high: float
    size: float

    def room(self, number: float) -> float:
        """Distance of a number from the limit, relative to the size; negative if it is broken."""
        return min(number - self.low, self.high - number) / self.size

    def broken(self, number: float) -> float:
        """Violation relative to the size; 0 if the limit is kept."""
        return max(-self.room(number), 0.0)

    def keeps(self, number: Any) -> Any:
        """True if the number keeps the limit; False for NaN. Also for an array of numbers."""
        return (self.low <= number) & (number <= self.high)

    @property
    def is_size(self) -> bool:
        """True for a symmetric limit, which limits the absolute value."""
        return self.low == -self.high

    @property
    def plain(self) -> Any:
        """Limit in the user's form: the largest size, or (low, high) with None for a free side."""
        sides = tuple(side if math.isfinite(side) else None for side in (self.low, self.high))
        return self.high if self.is_size else sides

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"at most {self.high:.6g}"
        return f"at least {self.low:.6g}" if math.isinf(self.high) else f"{self.low:.6g} to {self.high:.6g}"


def read_limits(limits: Mapping[str, Any], start: Mapping[str, float]) -> dict[str, NumberLimit]:
    """Read limits by the name of their number. start: numbers of the start, for percentages. Raises ModelError."""
    return {name: read_limit(name, given, start) for name, given in limits.items()}


def read_limit(name: str, given: Any, start: Mapping[str, float]) -> NumberLimit:
    """Read a limit: (low, high), one of which may be None; or one number, the largest size. Each may be a percentage of the
    start's number, such as "95%". start: numbers of the start by name; empty if it could not be analysed. Raises
    ModelError."""
    at, number = ErrorContext(field=f"limits['{name}']"), start.get(name, math.nan)
    has_sides = isinstance(given, (tuple, list))
    pair = given if has_sides else (None, given)
    if len(pair) != 2:
        at.fail("is not a limit", given, LIMIT_FORMS)
    low, high = (_read_side(at, side, name, number) for side in pair)
    if not has_sides:
        low = -high if high is not None else None
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    if has_sides and low > high:
        at.fail("has a lower bound above its upper bound", given, f"the lower one first, such as {(high, low)}")
    if not low <= high or (low, high) == (-math.inf, math.inf):
        at.fail("is not a limit", given, LIMIT_FORMS)
    sizes = [abs(x) for x in (low, high, number) if math.isfinite(x)]
    return NumberLimit(low, high, max(sizes) or 1.0)


def reduce_limited_series(name: str, values: np.ndarray, given: Any) -> float:
    """Reduce an output over time (n,) to the number that a limit applies to: its largest size, least or greatest value, or the
    value that is farthest from the middle of two limits. given: the limit in the user's form. NaN values (outputs that only
    exist in contact, in the air) are ignored; 0 if there are no others."""
    values = values[~np.isnan(values)]
    if not values.size:
        return 0.0
    if not isinstance(given, (tuple, list)):
        return float(np.abs(values).max())
    if None in given:
        return float(values.min() if given[0] is not None else values.max())
    if not all(is_number(side) for side in given):
        ErrorContext(field=f"limits['{name}']").fail(
            "are parts of two different numbers", given, "two numbers, or one part and None"
        )
    return float(values[np.argmax(np.abs(values - 0.5 * (given[0] + given[1])))])


def limit_reductions(given: Any) -> list[str]:
    """Reductions (min, max, max_abs) that a limit on an output over time needs. given: the limit in the user's form."""
    if not isinstance(given, (tuple, list)):
        return ["max_abs"]
    sides = zip(given, ("min", "max"), strict=False)
    return [what for side, what in sides if side is not None] or ["max"]


def is_relative(given: Any) -> bool:
    """True for a limit with a percentage."""
    return any(isinstance(side, str) for side in (given if isinstance(given, (tuple, list)) else (given,)))


def _read_side(at: ErrorContext, side: Any, name: str, number: float) -> float | None:
    if side is None:
        return None
    try:
        if isinstance(side, str) and side.strip().endswith("%"):
            part = float(side.strip()[:-1]) / 100.0
            if math.isfinite(part) and not math.isfinite(number):
                at.fail(
                    f"is a part of what the start has, which could not be analysed or has no number '{name}'",
                    side,
                    "a number, or another start",
                )
            side = part * number
        value = math.nan if isinstance(side, str) else float(side)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        at.fail("is not a limit", side, f"{LIMIT_FORMS}; a side may be a percentage of the start, such as '95%'")
    return value
