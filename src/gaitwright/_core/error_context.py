"""Validators that report their field: invalid input raises an exception that names element and field, in one line of code:

at = ErrorContext("analysis")
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

from gaitwright._core.errors import ModelError

T = TypeVar("T")
ANGLE_DESCRIPTION = "an angle in rad"


@dataclass(frozen=True, slots=True)
class ErrorContext:
    """Context of a value in a model or a call: element, as messages name it (`link 'crank'`), and field; both may be empty.

    Each validator returns the valid value, or raises a ModelError that names element and field. expected: description of
    valid values for the message."""

    element: str = ""
    field: str = ""

    def __getitem__(self, field: str) -> ErrorContext:
        """The context of one field of the same element."""
        return ErrorContext(self.element, field)

    def fail(self, problem: str, value: Any = None, expected: str = "") -> NoReturn:
        """Raise a ModelError for this field. Inside `except`, the original exception is suppressed: the message is complete."""
        raise ModelError(problem, element=self.element, field=self.field, value=value, expected=expected) from None

    def given(self, value: T | None, expected: str) -> T:
        """Return the value if it is not None."""
        return self.fail("is missing", expected=expected) if value is None else value

    def finite(self, value: Any, expected: str) -> Any:
        """Return the value if it is a finite number."""
        return value if is_number(value) else self.fail("is not a finite number", value, expected)

    def positive(self, value: Any, unit: str = "") -> float:
        """Return a positive finite number as a float; None, texts and truth values are invalid."""
        try:
            is_valid = not isinstance(value, (str, bool)) and 0.0 < float(value) < math.inf
        except (TypeError, ValueError):
            is_valid = False
        if not is_valid:
            self.fail(
                "is not positive and finite", value, f"a positive number of {unit}" if unit else "a positive number"
            )
        return float(value)

    def radians(self, value: Any, below: float = math.inf) -> Any:
        """Return an angle, or several, in rad, of magnitude less than `below`. Values that look like degrees are invalid."""
        several = np.ravel(
            self.finite(value, ANGLE_DESCRIPTION) if isinstance(value, str) else self.numbers(value, ANGLE_DESCRIPTION)
        )
        worst = float(several[np.argmax(np.abs(several))]) if several.size else 0.0  # NaN, if one of them is NaN
        self.finite(worst, ANGLE_DESCRIPTION)
        if abs(worst) >= below or looks_like_degrees(worst):
            expected = (
                f"less than {below:.4g} rad ({math.degrees(below):g} degrees) either way"
                if below < math.inf
                else ANGLE_DESCRIPTION
            )
            self.fail(
                f"is in rad, and would be {math.degrees(worst):.4g} degrees", worst,
                f"{expected}; {worst:g} degrees are {math.radians(worst):.4g} rad",
            )  # fmt: skip
        return value

    def slope(self, value: Any) -> Any:
        """Return a ground slope, rad, of magnitude less than a right angle."""
        return self.radians(value, below=math.pi / 2)

    def numbers(self, values: Any, expected: str) -> np.ndarray:
        """Convert the values to an array of floats."""
        try:
            return np.asarray(values, dtype=float)
        except (TypeError, ValueError):
            return self.fail("is not a list of numbers", values, expected)

    def above_zero(self, value: Any, expected: str) -> Any:
        """Return a number, or an array, if it (its smallest entry) is greater than zero."""
        return value if np.min(value) > 0 else self.fail("must be greater than zero", value, expected)

    def not_negative(self, value: float, expected: str) -> float:
        return self.fail("is negative", value, expected) if value < 0 else value

    def whole(self, value: Any, problem: str, expected: str, least: int = 1, most: float = math.inf) -> int:
        """Return a whole number between `least` and `most`, inclusive, as an int; 2.0 is valid, True is not."""
        if not is_number(value) or value != int(value) or not least <= value <= most:
            self.fail(problem, value, expected)
        return int(value)

    def one_of(self, value: T, known: Collection[T], problem: str = "is not known") -> T:
        """Return the value if it is one of the known ones. The message suggests a similar known value."""
        try:
            is_known = value in known
        except TypeError:  # an unhashable value such as a list or a mapping
            is_known = False
        return value if is_known else self.fail(problem, value, format_choices(value, known))

    def unused(self, name: str, known: Collection[str]) -> None:
        """Raise if the name is already in use."""
        if name in known:
            self.fail(f"the name '{name}' is used twice", expected="different names")


def looks_like_degrees(angle: float) -> bool:
    """True if an angle, in rad, exceeds one turn and is a whole number."""
    return abs(angle) > 2 * math.pi and angle == round(angle)


def is_number(value: Any) -> TypeGuard[float]:
    """True for a finite number of Python or NumPy; False for truth values."""
    is_numeric = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    huge = isinstance(value, int) and value.bit_length() > 1023  # an integer outside the range of floats
    return is_numeric and not huge and bool(abs(value) < math.inf)


def format_choices(wrong: Any, known: Collection[Any], none: str = "") -> str:
    """Text of the available choices, with the hint of `suggest_spelling`. none: text if there are no choices."""
    return f"one of {', '.join(map(str, known)) or none}{suggest_spelling(wrong, known)}"


def suggest_spelling(wrong: Any, known: Collection[Any]) -> str:
    """End of a message that suggests the most similar known value; empty if none is similar."""
    close = difflib.get_close_matches(str(wrong), [str(value) for value in known], n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
