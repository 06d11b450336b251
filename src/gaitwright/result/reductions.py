"""Reductions of an output over time to one number, such as its maximum. `REDUCTIONS` is the only list of them: `sweep`,
`designs`, `choose`, `optimise`, `trade_off`, `study`, their commands, and generated programs use it.

    final, max, min, max_abs, mean, range, end
    sample_90                                       value at sample 90, counted from 0

Samples that are NaN are ignored: an output such as the place of a contact is NaN while the contact is open. The reduction of
an output without any other sample is NaN. `final`, `end` and `sample_90` are the value at one time, which may be NaN.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright.measures.array_derivatives import (
    Array,
    TracedArray,
    differentiate,
    greatest_sample,
    least_sample,
    plain,
    replace_at,
)

SAMPLE_PATTERN = re.compile(r"sample_([0-9]+)")
"""Names of further reductions: the value at one sample, counted from 0, the start."""
SAMPLE_EXAMPLE = "sample_90"


@dataclass(frozen=True)
class Reduction:
    """Reduction of an output over time. description: noun phrase for messages and documents.

    reduce: function of samples (n_samples, n) at equal intervals that returns (n,), in the unit of the output, for arrays of
    NumPy or CuPy; its derivatives follow from measures/array_derivatives.py."""

    name: str
    description: str
    reduce: Callable[[Array], Array]

    def of_series(self, values: Any) -> float:
        """Reduce one output over time (n_samples,); NaN if there are no samples."""
        return float(self.reduce(values[:, None])[0]) if len(values) else math.nan

    def sample_weights(self, xp: Any, values: Array) -> Array:
        """Derivatives with respect to the samples (n_samples, n); 0 for ignored samples, NaN if all samples are NaN. xp: NumPy
        or CuPy."""
        samples, missing = TracedArray(values), values != values
        (weights,) = differentiate(xp, self.reduce(samples), [samples])
        if weights is None:
            weights = xp.zeros_like(values)
        if missing.any():
            weights[:, missing.all(axis=0)] = math.nan
        return weights


def _reduce_known(reduce: Callable[[Array], Array], values: Array, neutral: float) -> Array:
    """Reduce the samples that are not NaN. neutral: value that does not change the reduction. The samples are searched for NaN
    only if the reduction is NaN: most outputs have none."""
    numbers = reduce(values)
    if (plain(numbers) != plain(numbers)).any():
        missing = plain(values) != plain(values)
        numbers = replace_at(reduce(replace_at(values, missing, neutral)), missing.all(axis=0), math.nan)
    return numbers


def _largest(values: Array) -> Array:
    return _reduce_known(greatest_sample, values, -math.inf)


def _smallest(values: Array) -> Array:
    return _reduce_known(least_sample, values, math.inf)


def _largest_size(values: Array) -> Array:
    return _reduce_known(lambda samples: greatest_sample(abs(samples)), values, 0.0)


def _trapezoid_sum(values: Array) -> Array:
    return values[1:].sum(axis=0) + values[:-1].sum(axis=0)


def _time_mean(values: Array) -> Array:
    """Mean by the trapezoidal rule; with NaN, over the sum of the weights of the other samples."""
    if values.shape[0] == 1:
        return values[0]
    mean = _trapezoid_sum(values) / (2 * (values.shape[0] - 1))
    if (plain(mean) != plain(mean)).any():
        missing = plain(values) != plain(values)
        weight = _trapezoid_sum((~missing).astype(float))
        weight[weight == 0.0] = 1.0
        mean = _trapezoid_sum(replace_at(values, missing, 0.0)) / weight
        mean = replace_at(mean, missing.all(axis=0), math.nan)
    return mean


REDUCTIONS = {
    one.name: one
    for one in (
        Reduction("final", "value at the end", lambda values: values[-1]),
        Reduction("max", "largest value", _largest),
        Reduction("min", "least value", _smallest),
        Reduction("max_abs", "largest absolute value", _largest_size),
        Reduction("mean", "mean over time", _time_mean),
        Reduction("range", "largest minus least value", lambda values: _largest(values) - _smallest(values)),
        Reduction("end", "the same as final", lambda values: values[-1]),
    )
}
"""Reductions by name."""
REDUCTION_CHOICES = ", ".join([*REDUCTIONS, SAMPLE_EXAMPLE])
"""Names for messages and command help."""


def is_reduction(name: Any) -> bool:
    """True for the name of a reduction, such as max or sample_90."""
    return isinstance(name, str) and (name in REDUCTIONS or SAMPLE_PATTERN.fullmatch(name) is not None)


def get_reduction(name: str) -> Reduction:
    """Reduction by name, such as max or sample_90."""
    sample = SAMPLE_PATTERN.fullmatch(name)
    return REDUCTIONS[name] if sample is None else _reduction_at_sample(name, int(sample[1]))


def read_reduction(name: Any, at: ErrorContext, alternative: str = "") -> Reduction:
    """Reduction by name. Raises ModelError, with all names, for another value. alternative: further valid input, for the
    message."""
    if not is_reduction(name):
        expected = f"{REDUCTION_CHOICES}{', or ' if alternative else ''}{alternative}"
        at.fail("is not known", name, f"{expected}{suggest_spelling(name, REDUCTIONS)}")
    return get_reduction(name)


def split_reduction(text: str) -> tuple[str, str]:
    """Split crank.torque.max into an output and the name of its reduction, which is empty if the text has none."""
    output, _, name = text.rpartition(".")
    return (output, name) if output and is_reduction(name) else (text, "")


def _reduction_at_sample(name: str, sample: int) -> Reduction:
    def checked(values: Array) -> int:
        if sample >= values.shape[0]:
            ErrorContext(field="measure").fail(
                "is not among the samples", name, f"sample_0 to sample_{values.shape[0] - 1}"
            )
        return sample

    return Reduction(name, f"value at sample {sample}", lambda values: values[checked(values)])
