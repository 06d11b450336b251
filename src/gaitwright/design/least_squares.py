"""Bounded least-squares fit of a few named parameters to measured data, with confidence intervals.

Unknowns are logarithms if both bounds are positive, otherwise fractions of the range between them. With misfits r in units of
their spreads (one standard deviation), Jacobian J and its singular values s, the covariance is (J^T J)^-1. If the misfit is
larger than the spreads explain, it is multiplied by |r|^2 / (m - n), and Student's distribution replaces the normal one.
(G. A. F. Seber, C. J. Wild, Nonlinear Regression, Wiley 1989, sections 2.1 and 5.1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext

Array = np.ndarray
DIFFERENCE_STEP = 0.01
"""Step of an unknown for finite differences: statics is exact to 1e-6, and contact forces jump when single nodes open or
close."""
STEP_RTOL = 1e-4
"""Relative change of the unknowns at which the search stops."""
MAX_FIRST_STEP = 5.0
"""Maximum first step of an unknown."""
BOUND_TOL = 1e-3
"""An unknown that is nearer to its bound than this counts as at the bound."""
MAX_INTERVAL_WIDTH = np.log(2.0)
"""A direction with a 95 % interval wider than this to each side (twice, or half) is not determined."""
MIN_NAMED_WEIGHT = 0.25
"""Minimum component of a parameter in an undetermined direction for the parameter to be named."""
CONFIDENCE_LEVEL = 0.95
NORMAL_QUANTILE = 1.959963984540054
"""Two-sided quantile of the normal distribution for CONFIDENCE_LEVEL."""


class ParameterRange(NamedTuple):
    """Start value and bounds (inclusive) of a parameter, in `unit`."""

    start: float
    least: float
    most: float
    unit: str = ""

    @property
    def logarithmic(self) -> bool:
        return self.least > 0.0

    def unknown(self, value: float) -> float:
        return float(np.log(value)) if self.logarithmic else (value - self.least) / (self.most - self.least)

    def value(self, unknown: float) -> float:
        value = np.exp(unknown) if self.logarithmic else self.least + unknown * (self.most - self.least)
        return float(np.clip(value, self.least, self.most))


@dataclass(frozen=True)
class FitResult:
    """Result of a fit. values: by name. intervals: 95 % confidence intervals, clipped to the bounds. misfits: in spreads,
    (n_data,). jacobian: derivatives of the misfits with respect to the unknowns, (n_data, n_parameters). correlation:
    (n_parameters, n_parameters). at_bounds, undetermined: one sentence per parameter or direction. pinned: names of
    parameters at a bound. runs: number of evaluations."""

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    misfits: Array
    jacobian: Array
    correlation: Array
    at_bounds: tuple[str, ...]
    undetermined: tuple[str, ...]
    pinned: tuple[str, ...]
    runs: int

    @property
    def rms(self) -> float:
        """Root mean square of the misfits, in spreads."""
        return float(np.sqrt(np.mean(self.misfits**2)))


def fit_parameters(
    misfit: Callable[[dict[str, float]], Sequence[float]],
    ranges: Mapping[str, ParameterRange],
    data: int,
    most_runs: int = 200,
) -> FitResult:
    """Fit parameters by bounded least squares. misfit: function of the values by name that returns the misfits in spreads,
    (n_data,). data: number of independent data. most_runs: maximum number of steps. Raises ModelError for invalid ranges, too
    few data, and misfits that are not finite."""
    at = ErrorContext("calibration")
    if not ranges:
        at["parameters"].fail("names none", expected="at least one")
    _require_ranges(ranges, at)
    if data < len(ranges):
        at["parameters"].fail(
            f"{len(ranges)} parameters ({', '.join(ranges)}) for {data} data cannot be found",
            expected="as many data as parameters, or more",
        )
    names, known = list(ranges), {}
    start, low, high = (
        np.array([each.unknown(getattr(each, which)) for each in ranges.values()])
        for which in ("start", "least", "most")
    )
    start = np.clip(start, low, high)

    def at_unknowns(x: Array) -> Array:
        key = x.tobytes()
        if key not in known:
            residuals = np.asarray(misfit(_parameter_values(ranges, x)), dtype=float)
            if not np.isfinite(residuals).all():
                values = ", ".join(f"{n} = {v:.4g}" for n, v in _parameter_values(ranges, x).items())
                at["model"].fail(
                    f"gives no number for datum {int(np.argmin(np.isfinite(residuals))) + 1}", values, "numbers"
                )
            known[key] = residuals
        return known[key]

    def slopes(x: Array) -> Array:
        """Jacobian by one-sided differences, away from the nearer bound."""
        here, columns = at_unknowns(x), []
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = DIFFERENCE_STEP if high[k] - x[k] > x[k] - low[k] else -DIFFERENCE_STEP
            columns.append((at_unknowns(x + step) - here) / step[k])
        return np.stack(columns, axis=1)

    from scipy.optimize import least_squares

    # SciPy limits the first step to the size of the initial unknowns; these are shifted so that it is MAX_FIRST_STEP. With
    # "dogbox", problems that are linear in the logarithms are then solved in one step; the default method shortens steps near
    # bounds.
    moved = start - MAX_FIRST_STEP
    by_slopes: Any = lambda x: slopes(x + moved)  # noqa: E731
    solution: Any = least_squares(
        lambda x: at_unknowns(x + moved), start - moved, by_slopes, (low - moved, high - moved), "dogbox",
        xtol=STEP_RTOL, ftol=1e-10, gtol=1e-6, max_nfev=most_runs,
    )  # fmt: skip
    x = np.clip(solution.x + moved, low, high)
    return _make_fit_result(names, ranges, x, (low, high), at_unknowns(x), slopes(x), data, len(known))


def _make_fit_result(
    names: list[str],
    ranges: Mapping[str, ParameterRange],
    x: Array,
    bounds: tuple[Array, Array],
    misfits: Array,
    jacobian: Array,
    data: int,
    runs: int,
) -> FitResult:
    from scipy.stats import t

    free = data - len(names)
    scale = float(np.sqrt(misfits @ misfits / free)) if free else 1.0
    quantile = (
        max(NORMAL_QUANTILE, scale * float(t.ppf(0.5 + 0.5 * CONFIDENCE_LEVEL, free))) if free else NORMAL_QUANTILE
    )
    _, s, directions = np.linalg.svd(jacobian, full_matrices=False)
    s = np.maximum(s, 1e-12 * max(s.max(), 1.0))
    covariance = (directions.T / s**2) @ directions
    spread = np.sqrt(np.diag(covariance))
    intervals = {
        name: (ranges[name].value(max(x[k] - quantile * spread[k], bounds[0][k])),
               ranges[name].value(min(x[k] + quantile * spread[k], bounds[1][k])))
        for k, name in enumerate(names)
    }  # fmt: skip
    values = _parameter_values(ranges, x)
    pinned = {
        name: side
        for k, name in enumerate(names)
        for side, bound in zip(("lower", "upper"), bounds, strict=True)
        if abs(x[k] - bound[k]) < BOUND_TOL
    }
    at_bounds = tuple(
        f"{name} is at its {side} bound, {values[name]:.4g}{_unit_suffix(ranges[name])}"
        for name, side in pinned.items()
    )
    loose = [
        _describe_undetermined(names, ranges, v, quantile / size)
        for size, v in zip(s, directions, strict=True)
        if quantile / size > MAX_INTERVAL_WIDTH
    ]
    correlation = covariance / np.outer(spread, spread)
    return FitResult(values, intervals, misfits, jacobian, correlation, at_bounds, tuple(loose), tuple(pinned), runs)


def _describe_undetermined(
    names: list[str], ranges: Mapping[str, ParameterRange], direction: Array, width: float
) -> str:
    """Sentence about an undetermined direction of the unknowns. width: half-width of its interval, in unknowns."""
    direction = direction * np.sign(direction[np.argmax(np.abs(direction))])
    parts = [(names[k], direction[k]) for k in np.argsort(-np.abs(direction)) if abs(direction[k]) > MIN_NAMED_WEIGHT]
    wide = f"by a factor of {np.exp(width):.2g}" if width < 7.0 else "by any factor"
    if not all(ranges[name].logarithmic for name, _ in parts):
        wide = f"by {100 * width:.0f} % of its range" if width < 1.0 else "over all of its range"
    if len(parts) == 1:
        return f"the data do not determine {parts[0][0]}: it may be off {wide}"
    up, down = ([name for name, part in parts if part * sign > 0.0] for sign in (1.0, -1.0))
    how = f"{' and '.join(up)} together" if not down else f"{' and '.join(up)} against {' and '.join(down)}"
    weights = ", ".join(f"{name} {part:+.2f}" for name, part in parts)
    return f"the data do not determine {how} ({weights}): they may be off {wide}"


def _unit_suffix(of: ParameterRange) -> str:
    return f" {of.unit}" if of.unit else ""


def _parameter_values(ranges: Mapping[str, ParameterRange], x: Array) -> dict[str, float]:
    return {name: ranges[name].value(each) for name, each in zip(ranges, x, strict=True)}


def _require_ranges(ranges: Mapping[str, ParameterRange], at: ErrorContext) -> None:
    for name, each in ranges.items():
        for what, value in zip(("start", "lower bound", "upper bound"), each[:3], strict=True):
            ErrorContext(f"{at.element} parameter '{name}'", what).finite(value, "a number")
        if not each.least < each.most:
            ErrorContext(f"{at.element} parameter '{name}'", "bounds").fail(
                "the lower is not below the upper", (each.least, each.most), "(least, most)"
            )
