"""A few named parameters for which a computation comes nearest to what was measured: bounded least squares, and how far to
trust what it finds.

Unknowns are logarithms where both bounds are positive, otherwise parts of the range between them. With misfits r in units of
their spreads (one standard deviation), Jacobian J and its singular values s, the covariance is (J^T J)^-1; where the misfit is
larger than the spreads explain, it is that times |r|^2 / (m - n), and the normal distribution gives way to Student's.
(G. A. F. Seber, C. J. Wild, Nonlinear Regression, Wiley 1989, sections 2.1 and 5.1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At

Array = np.ndarray
STEP = 0.01
"""Of an unknown, for slopes: statics is exact to 1e-6, and what touches changes in jumps of single nodes."""
TOLERANCE = 1e-4
"""Of unknowns, for the end of the search: a ten-thousandth of a value."""
FIRST = 5.0
"""The longest first step, of an unknown."""
AT_BOUND = 1e-3
"""An unknown that is nearer to its bound than this lies on it."""
WIDE = np.log(2.0)
"""A direction whose 95 % interval is wider than this to each side (twice, or half) is not determined."""
NAMED = 0.25
"""Parameters with a smaller part in a direction are not named with it."""
CONFIDENCE = 0.95
NORMAL = 1.959963984540054
"""Of the normal distribution, for CONFIDENCE."""


class Range(NamedTuple):
    """A parameter: where the search begins, and bounds, both allowed."""

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
        found = np.exp(unknown) if self.logarithmic else self.least + unknown * (self.most - self.least)
        return float(np.clip(found, self.least, self.most))


@dataclass(frozen=True)
class Fitted:
    """values: by name. intervals: 95 %, not beyond the bounds. misfits: of each datum, in spreads. jacobian: of these in the
    unknowns, (data, parameters). correlation: (parameters, parameters). at_bounds, undetermined: a sentence each. runs: how
    often was computed."""

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
        """Of the misfits, in spreads."""
        return float(np.sqrt(np.mean(self.misfits**2)))


def fitted(
    misfit: Callable[[dict[str, float]], Sequence[float]], ranges: Mapping[str, Range], data: int, most_runs: int = 200
) -> Fitted:
    """Bounded least squares. misfit: of values by name, in spreads, a number per datum. data: how many of them are independent.
    most_runs: steps of the search at most."""
    at = At("calibration")
    if not ranges:
        at["parameters"].fail("names none", expected="at least one")
    _check(ranges, at)
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
            found = np.asarray(misfit(_valued(ranges, x)), dtype=float)
            if not np.isfinite(found).all():
                values = ", ".join(f"{n} = {v:.4g}" for n, v in _valued(ranges, x).items())
                at["model"].fail(
                    f"gives no number for datum {int(np.argmin(np.isfinite(found))) + 1}", values, "numbers"
                )
            known[key] = found
        return known[key]

    def slopes(x: Array) -> Array:
        """One-sided, away from the nearer bound."""
        here, columns = at_unknowns(x), []
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = STEP if high[k] - x[k] > x[k] - low[k] else -STEP
            columns.append((at_unknowns(x + step) - here) / step[k])
        return np.stack(columns, axis=1)

    from scipy.optimize import least_squares

    # The first step may be as long as the first unknowns are large: these are counted so that it is FIRST. In a box of steps
    # (dogbox) what is straight in the logarithms is then found at once; the default method shortens steps near bounds.
    moved = start - FIRST
    by_slopes: Any = lambda x: slopes(x + moved)  # noqa: E731
    found: Any = least_squares(
        lambda x: at_unknowns(x + moved), start - moved, by_slopes, (low - moved, high - moved), "dogbox",
        xtol=TOLERANCE, ftol=1e-10, gtol=1e-6, max_nfev=most_runs,
    )  # fmt: skip
    x = np.clip(found.x + moved, low, high)
    return _told(names, ranges, x, (low, high), at_unknowns(x), slopes(x), data, len(known))


def _told(
    names: list[str], ranges: Mapping[str, Range], x: Array, bounds: tuple[Array, Array], misfits: Array, jacobian: Array,
    data: int, runs: int,
) -> Fitted:  # fmt: skip
    from scipy.stats import t

    left = data - len(names)
    scale = float(np.sqrt(misfits @ misfits / left)) if left else 1.0
    wide = max(NORMAL, scale * float(t.ppf(0.5 + 0.5 * CONFIDENCE, left))) if left else NORMAL
    _, s, directions = np.linalg.svd(jacobian, full_matrices=False)
    s = np.maximum(s, 1e-12 * max(s.max(), 1.0))
    covariance = (directions.T / s**2) @ directions
    spread = np.sqrt(np.diag(covariance))
    intervals = {
        name: (ranges[name].value(max(x[k] - wide * spread[k], bounds[0][k])),
               ranges[name].value(min(x[k] + wide * spread[k], bounds[1][k])))
        for k, name in enumerate(names)
    }  # fmt: skip
    values = _valued(ranges, x)
    pinned = {
        name: side
        for k, name in enumerate(names)
        for side, bound in zip(("lower", "upper"), bounds, strict=True)
        if abs(x[k] - bound[k]) < AT_BOUND
    }
    said = tuple(
        f"{name} is at its {side} bound, {values[name]:.4g}{_unit(ranges[name])}" for name, side in pinned.items()
    )
    loose = [
        _undetermined(names, ranges, v, wide / size)
        for size, v in zip(s, directions, strict=True)
        if wide / size > WIDE
    ]
    correlation = covariance / np.outer(spread, spread)
    return Fitted(values, intervals, misfits, jacobian, correlation, said, tuple(loose), tuple(pinned), runs)


def _undetermined(names: list[str], ranges: Mapping[str, Range], direction: Array, width: float) -> str:
    """A direction that changes hardly anything, in a sentence."""
    direction = direction * np.sign(direction[np.argmax(np.abs(direction))])
    parts = [(names[k], direction[k]) for k in np.argsort(-np.abs(direction)) if abs(direction[k]) > NAMED]
    wide = f"by a factor of {np.exp(width):.2g}" if width < 7.0 else "by any factor"
    if not all(ranges[name].logarithmic for name, _ in parts):
        wide = f"by {100 * width:.0f} % of its range" if width < 1.0 else "over all of its range"
    if len(parts) == 1:
        return f"the data do not determine {parts[0][0]}: it may be off {wide}"
    up, down = ([name for name, part in parts if part * sign > 0.0] for sign in (1.0, -1.0))
    how = f"{' and '.join(up)} together" if not down else f"{' and '.join(up)} against {' and '.join(down)}"
    weights = ", ".join(f"{name} {part:+.2f}" for name, part in parts)
    return f"the data do not determine {how} ({weights}): they may be off {wide}"


def _unit(of: Range) -> str:
    return f" {of.unit}" if of.unit else ""


def _valued(ranges: Mapping[str, Range], x: Array) -> dict[str, float]:
    return {name: ranges[name].value(each) for name, each in zip(ranges, x, strict=True)}


def _check(ranges: Mapping[str, Range], at: At) -> None:
    for name, each in ranges.items():
        for what, value in zip(("start", "lower bound", "upper bound"), each[:3], strict=True):
            At(f"{at.element} parameter '{name}'", what).finite(value, "a number")
        if not each.least < each.most:
            At(f"{at.element} parameter '{name}'", "bounds").fail(
                "the lower is not below the upper", (each.least, each.most), "(least, most)"
            )
