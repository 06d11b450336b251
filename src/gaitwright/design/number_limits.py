"""Limits of numbers: how they are given, what they say of an output over time, and how far they are broken."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At


class Limit(NamedTuple):
    """What a number may be. size: in relation to which breaking it is counted."""

    low: float
    high: float
    size: float

    def room(self, number: float) -> float:
        """How far a number is from breaking it, relative to the size; negative if it is broken."""
        return min(number - self.low, self.high - number) / self.size

    def broken(self, number: float) -> float:
        """How far it is broken; 0 if it is kept."""
        return max(-self.room(number), 0.0)

    def keeps(self, number: float) -> bool:
        """Whether a number keeps it; NaN does not."""
        return self.low <= number <= self.high

    @property
    def is_size(self) -> bool:
        """Whether it limits the size of a number, the same on both sides."""
        return self.low == -self.high

    @property
    def plain(self) -> Any:
        """As it is given: the largest size, or (low, high)."""
        sides = tuple(side if math.isfinite(side) else None for side in (self.low, self.high))
        return self.high if self.is_size else sides

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"at most {self.high:.6g}"
        return f"at least {self.low:.6g}" if math.isinf(self.high) else f"{self.low:.6g} to {self.high:.6g}"

    def of_series(self, values: np.ndarray) -> float:
        """The number of an output over time, (n,), that the limit is about: its largest size, least or greatest value, or the
        one
        that is farthest from the middle between two limits. What exists in contact only, and so is NaN in the air, does not
        count; 0 if it never exists."""
        values = values[~np.isnan(values)]
        if not values.size:
            return 0.0
        if self.is_size:
            return float(np.abs(values).max())
        if math.isinf(self.low):
            return float(values.max())
        if math.isinf(self.high):
            return float(values.min())
        return float(values[np.argmax(np.abs(values - 0.5 * (self.low + self.high)))])


def read_limit(name: str, given: Any, start: Mapping[str, float]) -> Limit:
    """A limit as it is given: (low, high), either of them None; or one number, the largest size. All may be parts of what
    the start has, such as "95%". start: its numbers; none if it could not be analysed."""
    at, number = At(field=f"constraints['{name}']"), start.get(name, math.nan)
    pair = given if isinstance(given, (tuple, list)) else (None, given)
    if len(pair) != 2:
        at.fail("is no limit", given, "(low, high)")
    low, high = (_side(name, side, number) for side in pair)
    if not isinstance(given, (tuple, list)):
        low = -high if high is not None else None
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    if not low <= high or (low, high) == (-math.inf, math.inf):
        at.fail("is no limit", given, "(low, high), one of them may be None; or the largest size")
    sizes = [abs(x) for x in (low, high, number) if math.isfinite(x)]
    return Limit(low, high, max(sizes) or 1.0)


def _side(name: str, side: Any, number: float) -> float | None:
    if side is None:
        return None
    try:
        if isinstance(side, str) and side.strip().endswith("%"):
            part = float(side.strip()[:-1]) / 100.0
            if math.isfinite(part) and not math.isfinite(number):
                At(field=f"constraints['{name}']").fail(
                    f"is a part of what the start has, which could not be analysed or has no number '{name}'",
                    side,
                    "a number, or another start",
                )
            side = part * number
        found = float(side)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        At(field=f"constraints['{name}']").fail("is no limit", side, "a number, or such as '95%'")
    return found
