"""Parameters of a design question: ranges, given values, and the unit box in which searches move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number, suggest_spelling
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model

LOGARITHMIC_RATIO = 10.0
"""Ratio of the ends of a range above which it is divided at equal ratios instead of equal differences."""
MAX_SAMPLES = 10_000
RANGE_EXAMPLE = "for example (0.3, 0.4)"


class ParameterAxis(NamedTuple):
    """Range of a parameter, and its map to 0 to 1. low, high: in the unit of the parameter. points: given values (n,) instead
    of a range, in the given order."""

    low: float
    high: float
    points: np.ndarray | None = None

    @property
    def logarithmic(self) -> bool:
        """True for a range that is divided at equal ratios, since its ends are far apart."""
        return self.high > LOGARITHMIC_RATIO * self.low > 0.0

    def samples(self, count: int) -> np.ndarray:
        """The given values, or `count` values from the lower to the upper end, (count,)."""
        if self.points is not None:
            return self.points
        spaced = np.geomspace if self.logarithmic else np.linspace
        values = spaced(self.low, self.high, count)
        values[0], values[-1] = self.low, self.high
        return values

    def value(self, unit: float) -> float:
        unit = min(max(unit, 0.0), 1.0)
        ratio = self.high / self.low if self.logarithmic else 1.0
        value = self.low * ratio**unit if self.logarithmic else self.low + unit * (self.high - self.low)
        return min(max(value, self.low), self.high)  # rounding

    def unit(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def slope(self, value: float) -> float:
        """Derivative of the value with respect to the unit coordinate."""
        return value * math.log(self.high / self.low) if self.logarithmic else self.high - self.low


class ParameterBox(dict[str, ParameterAxis]):
    """Ranges of all parameters by name, mapped to a unit box."""

    def values_at(self, unit: np.ndarray) -> dict[str, float]:
        return {name: axis.value(float(u)) for (name, axis), u in zip(self.items(), unit, strict=True)}

    def unit(self, values: Mapping[str, float]) -> np.ndarray:
        return np.array([axis.unit(values[name]) for name, axis in self.items()])


def read_parameters(element: str, model: Model, parameters: Any) -> ParameterBox:
    """Read {name: (low, high) or list of values} for parameters of a model. element: design method, for messages. Raises
    ModelError."""
    at, known = ErrorContext(element, "parameters"), model.document.parameters
    choices = ", ".join(known) or "(the model has none)"
    if not isinstance(parameters, Mapping):
        at.fail("is not a mapping", parameters, "names with ranges or values, such as {'L': (0.1, 0.2)}")
    if not parameters:
        at.fail("is empty", expected=f"some of: {choices}")
    box = ParameterBox()
    for name, given in parameters.items():
        if name not in known:
            expected = f"some of: {choices}{suggest_spelling(name, known)}"
            at.fail(f"'{name}' is not a parameter of this model", expected=expected)
        box[name] = _read_range(ErrorContext(element, f"parameters['{name}']"), given)
    return box


def _read_range(at: ErrorContext, given: Any) -> ParameterAxis:
    if is_number(given) or isinstance(given, tuple):
        pair = given if isinstance(given, tuple) else ()
        if len(pair) != 2 or not all(is_number(side) for side in pair) or not pair[0] < pair[1]:
            at.fail(
                "is not a range", given,
                f"two finite numbers, the lower one first, {RANGE_EXAMPLE}, or a list of values",
            )  # fmt: skip
        return ParameterAxis(float(pair[0]), float(pair[1]))
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, np.ndarray)) else given
    values = at.numbers(listed, "a range such as (0.3, 0.4), or a list of values")
    if values.ndim != 1 or not values.size:
        at.fail("has no values" if not values.size else f"has values in {values.ndim} dimensions", expected="a list")
    if not np.all(np.isfinite(values)):
        at.fail("has values that are not finite numbers", float(values[~np.isfinite(values)][0]))
    return ParameterAxis(float(values.min()), float(values.max()), values)


def require_ranges(element: str, box: ParameterBox) -> None:
    """Raise ModelError if a parameter has a list of values instead of a range."""
    for name, axis in box.items():
        if axis.points is not None:
            at = ErrorContext(element, f"parameters['{name}']")
            at.fail("is a list of values, and a search needs a range", axis.points.tolist(), RANGE_EXAMPLE)


def require_model_values_inside(element: str, model: Model, box: ParameterBox) -> None:
    """Raise ModelError if a range excludes the model's own value: a mechanism far from it may close on another branch than the
    drawn pose."""
    nominal = resolve_parameters(model.document.parameters)
    for name, (low, high, _) in box.items():
        if not low <= nominal[name] <= high:
            ErrorContext(element, f"parameters['{name}']").fail(
                f"excludes its value in the model, {nominal[name]:.6g}", [low, high],
                f"a range around it, or another value in the model, such as {name}: {(low + high) / 2:.6g}",
            )  # fmt: skip


def read_sample_count(element: str, samples: Any) -> int:
    return ErrorContext(element, "samples").whole(
        samples, "is no number of samples", f"2 to {MAX_SAMPLES}", 2, MAX_SAMPLES
    )


def is_logarithmic(values: np.ndarray) -> bool:
    return bool(values.min() > 0.0 and values.max() > LOGARITHMIC_RATIO * values.min())
