"""Least, greatest and mean value of something over the stretches of a turn, from a smooth curve through its samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Parts = Sequence[tuple[float, float]]
"""Stretches of time (from, to), s."""


class Statistics(NamedTuple):
    """Over a phase; NaN if the phase does not occur."""

    least: float
    greatest: float
    mean: float

    @property
    def largest(self) -> float:
        """The largest size."""
        return max(abs(self.least), abs(self.greatest))


def curve(time: np.ndarray, values: np.ndarray) -> Any:
    """A cubic spline through samples."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(*distinct(time, values))


def distinct(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An event stores its instant twice; a spline needs it once."""
    keep = np.diff(time, prepend=-np.inf) > 1e-9 * (time[-1] - time[0])
    return time[keep], values[keep]


def statistics(of: Any, parts: Parts) -> Statistics:
    """Of a piecewise polynomial over stretches: extremes between the samples count, too."""
    return each_statistics(of, [parts])[0]


def each_statistics(of: Any, phases: Sequence[Parts]) -> list[Statistics]:
    """The same for several phases."""
    turning = of.derivative().roots(discontinuity=False, extrapolate=False)
    turning = turning[np.isfinite(turning)]
    return [_over(of, parts, turning) for parts in phases]


def _over(of: Any, parts: Parts, turning: np.ndarray) -> Statistics:
    found = []
    for first, last in parts:
        ends = [first, *turning[(turning > first) & (turning < last)], last]
        found.append((last - first, _of_values(of(ends), float(of.integrate(first, last)), last - first)))
    return together(found)


def _of_values(values: np.ndarray, integral: float, length: float) -> Statistics:
    return Statistics(float(values.min()), float(values.max()), integral / length if length else np.nan)


def smooth(time: np.ndarray, values: np.ndarray, parts: Parts) -> Statistics:
    """The same with a spline of its own for every stretch: what is smooth within them may have kinks at their ends."""
    found = [
        (last - first, statistics(curve(*cut(time, values, first, last)), [(first, last)])) for first, last in parts
    ]
    return together(found)


def together(parts: Sequence[tuple[float, Statistics]]) -> Statistics:
    """Of several stretches (length, statistics)."""
    parts = [(length, s) for length, s in parts if length > 0]
    if not parts:
        return Statistics(np.nan, np.nan, np.nan)
    mean = sum(length * s.mean for length, s in parts) / sum(length for length, _ in parts)
    return Statistics(min(s.least for _, s in parts), max(s.greatest for _, s in parts), mean)


def sampled(time: np.ndarray, values: np.ndarray, parts: Parts) -> Statistics:
    """The same for what may jump or have kinks, such as forces: straight lines between samples."""
    found = []
    for first, last in parts:
        t, y = cut(time, values, first, last)
        found.append((last - first, _of_values(y, float(np.trapezoid(y, t)), last - first)))
    return together(found)


def cut(time: np.ndarray, values: np.ndarray, first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
    """The samples from `first` to `last`, s, with their ends interpolated."""
    inside = (time > first) & (time < last)
    t = np.concatenate([[first], time[inside], [last]])
    ends = np.interp([first, last], time, values)
    return t, np.concatenate([ends[:1], values[inside], ends[1:]])
