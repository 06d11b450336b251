"""Checks that know where they stand, so that saying what is wrong takes one line where it is found:

at = At("analysis")
at["until"].positive(until, "s")
if step > until:
    at["step"].fail("is longer than the run", step, f"less than until, {until:g} s")
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NoReturn, TypeGuard, TypeVar

import numpy as np

from gaitwright.errors import ModelError

Thing = TypeVar("Thing")
ANGLE = "an angle in rad"


@dataclass(frozen=True, slots=True)
class At:
    """A place in a model or a call: an element, as messages call it (`link 'crank'`), and a field; both may be left out.

    Each check returns the value that it finds good, and otherwise raises a ModelError that names the place. `expected` says
    in words what would be good."""

    element: str = ""
    field: str = ""

    def __getitem__(self, field: str) -> At:
        """The same element, at one of its fields."""
        return At(self.element, field)

    def fail(self, problem: str, value: Any = None, expected: str = "") -> NoReturn:
        """Also inside `except`: the sentence says all, so what it was found by is not shown with it."""
        raise ModelError(problem, element=self.element, field=self.field, value=value, expected=expected) from None

    def given(self, value: Thing | None, expected: str) -> Thing:
        """Anything but None."""
        return self.fail("is missing", expected=expected) if value is None else value

    def finite(self, value: Any, expected: str) -> Any:
        """A number, not infinite."""
        return value if is_number(value) else self.fail("is not a finite number", value, expected)

    def positive(self, value: Any, unit: str = "") -> float:
        """A number above zero, not infinite; None and texts are none."""
        try:
            good = not isinstance(value, (str, bool)) and 0.0 < float(value) < math.inf
        except (TypeError, ValueError):
            good = False
        if not good:
            self.fail(
                "is not positive and finite", value, f"a positive number of {unit}" if unit else "a positive number"
            )
        return float(value)

    def radians(self, value: Any, below: float = math.inf) -> Any:
        """An angle in rad, or several, of a magnitude below another; not one that reads like degrees."""
        several = np.ravel(self.finite(value, ANGLE) if isinstance(value, str) else self.numbers(value, ANGLE))
        worst = float(several[np.argmax(np.abs(several))]) if several.size else 0.0  # NaN, if there is one
        self.finite(worst, ANGLE)
        if abs(worst) >= below or like_degrees(worst):
            good = (
                f"less than {below:.4g} rad ({math.degrees(below):g} degrees) either way" if below < math.inf else ANGLE
            )
            self.fail(
                f"is in rad, and would be {math.degrees(worst):.4g} degrees", worst,
                f"{good}; {worst:g} degrees are {math.radians(worst):.4g} rad",
            )  # fmt: skip
        return value

    def slope(self, value: Any) -> Any:
        """Of a ground, rad: less than a right angle."""
        return self.radians(value, below=math.pi / 2)

    def numbers(self, values: Any, expected: str) -> np.ndarray:
        """An array of numbers."""
        try:
            return np.asarray(values, dtype=float)
        except (TypeError, ValueError):
            return self.fail("is not a list of numbers", values, expected)

    def above_zero(self, value: Any, expected: str) -> Any:
        """A number, or the least of several, above zero."""
        return value if np.min(value) > 0 else self.fail("must be greater than zero", value, expected)

    def not_negative(self, value: float, expected: str) -> float:
        return self.fail("is negative", value, expected) if value < 0 else value

    def whole(self, value: Any, problem: str, expected: str, least: int = 1, most: float = math.inf) -> int:
        """A whole number between two others, both allowed; 2.0 is one, True is none."""
        if not is_number(value) or value != int(value) or not least <= value <= most:
            self.fail(problem, value, expected)
        return int(value)

    def one_of(self, value: Thing, known: Collection[Thing], problem: str = "is not known") -> Thing:
        """Something that is known; what is nearly so is offered."""
        try:
            there = value in known
        except TypeError:  # a list or a mapping, which is no key
            there = False
        return value if there else self.fail(problem, value, offer(value, known))

    def unused(self, name: str, known: Collection[str]) -> None:
        """A name that nothing else has."""
        if name in known:
            self.fail(f"the name '{name}' is used twice", expected="different names")


def like_degrees(angle: float) -> bool:
    """That a plain angle, in rad, goes beyond a turn and is a whole number."""
    return abs(angle) > 2 * math.pi and angle == round(angle)


def is_number(value: Any) -> TypeGuard[float]:
    """A finite number, of Python or NumPy; True and False are none."""
    known = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    huge = isinstance(value, int) and value.bit_length() > 1023  # a whole number that is no float
    return known and not huge and bool(abs(value) < math.inf)


def offer(wrong: Any, known: Collection[Any], none: str = "") -> str:
    """What can be chosen from, and the help of did_you_mean. none: said where there is nothing."""
    return f"one of {', '.join(map(str, known)) or none}{did_you_mean(wrong, known)}"


def did_you_mean(wrong: Any, known: Collection[Any]) -> str:
    """The end of a message when something known is nearly what was written, otherwise nothing."""
    close = difflib.get_close_matches(str(wrong), [str(one) for one in known], n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
