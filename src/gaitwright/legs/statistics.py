"""Statistics over the stretches of a turn: least, greatest and mean value, spread, share of the time.

All are integrals over time, or extremes, of a curve through the samples, with ends of stretches where they are and not at the
nearest sample: how often a run was sampled does not enter but through the error of that curve, of order 4 in the distance of
samples for splines, of order 2 for the straight lines that stand for what may jump."""

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


def path(time: np.ndarray, values: np.ndarray, rates: np.ndarray) -> Any:
    """A piecewise cubic through samples and their rates of change: of order 4 in the distance of the samples."""
    from scipy.interpolate import CubicHermiteSpline

    t, y = distinct(time, values)
    return CubicHermiteSpline(t, y, distinct(time, rates)[1])


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
        ends = between(turning, first, last)
        found.append((last - first, _of_values(of(ends), float(of.integrate(first, last)), last - first)))
    return together(found)


def _of_values(values: np.ndarray, integral: float, length: float) -> Statistics:
    return Statistics(float(values.min()), float(values.max()), integral / length if length else np.nan)


def spread(of: Any, parts: Parts) -> float:
    """Root mean square over time of a piecewise polynomial, at most cubic, about its mean; NaN if there is no stretch."""
    length = sum(last - first for first, last in parts)
    if not length > 0:
        return np.nan
    pieces = [between(of.x, first, last) for first, last in parts]
    begin, end = (np.concatenate([edges[cut] for edges in pieces]) for cut in (slice(None, -1), slice(1, None)))
    places, weights = np.polynomial.legendre.leggauss(4)  # exact for the square of a cubic
    t = 0.5 * (end + begin)[:, None] + 0.5 * (end - begin)[:, None] * places
    share = 0.5 * (end - begin)[:, None] * weights / length
    values = of(t)
    mean = (share * values).sum()
    return float(np.sqrt((share * (values - mean) ** 2).sum()))


def share_above(of: Any, parts: Parts) -> float:
    """Part of the time in which a piecewise polynomial is above zero, 0 to 1; NaN if there is no stretch."""
    length = sum(last - first for first, last in parts)
    if not length > 0:
        return np.nan
    zeros = of.roots(discontinuity=False, extrapolate=False)
    edges = [between(np.sort(zeros[np.isfinite(zeros)]), first, last) for first, last in parts]
    above = sum(float(np.diff(t)[of(0.5 * (t[1:] + t[:-1])) > 0].sum()) for t in edges)
    return above / length


def between(times: np.ndarray, first: float, last: float) -> np.ndarray:
    """The times that lie within a stretch, and its ends."""
    return np.concatenate([[first], times[(times > first) & (times < last)], [last]])


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
