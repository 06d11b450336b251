"""Statistics over intervals of a turn: least, greatest and mean value, deviation, fraction of the time.

All are integrals over time, or extremes, of a curve through the samples. The intervals end at their exact times, not at the
nearest sample, so the sampling affects the results only through the error of the curve: of order 4 in the sample spacing for
splines, of order 2 for the piecewise linear curves of quantities that may jump."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Intervals = Sequence[tuple[float, float]]
"""Time intervals (from, to), s."""


class PhaseStatistics(NamedTuple):
    """Statistics over a phase; NaN if the phase does not occur."""

    least: float
    greatest: float
    mean: float

    @property
    def largest(self) -> float:
        """Largest absolute value."""
        return max(abs(self.least), abs(self.greatest))


def fit_spline(time: np.ndarray, values: np.ndarray) -> Any:
    """Cubic spline through samples."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(*drop_repeated_times(time, values))


def fit_hermite(time: np.ndarray, values: np.ndarray, rates: np.ndarray) -> Any:
    """Piecewise cubic through samples and their rates of change, with an error of order 4 in the sample spacing."""
    from scipy.interpolate import CubicHermiteSpline

    t, y = drop_repeated_times(time, values)
    return CubicHermiteSpline(t, y, drop_repeated_times(time, rates)[1])


def drop_repeated_times(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Remove samples with repeated times: an event stores its time twice, but a spline needs distinct times."""
    is_new_time = np.diff(time, prepend=-np.inf) > 1e-9 * (time[-1] - time[0])
    return time[is_new_time], values[is_new_time]


def compute_statistics(curve: Any, parts: Intervals) -> PhaseStatistics:
    """Statistics of a piecewise polynomial over intervals, including extremes between the samples."""
    return compute_phase_statistics(curve, [parts])[0]


def compute_phase_statistics(curve: Any, phases: Sequence[Intervals]) -> list[PhaseStatistics]:
    """The same for several phases."""
    turning_times = curve.derivative().roots(discontinuity=False, extrapolate=False)
    turning_times = turning_times[np.isfinite(turning_times)]
    return [_interval_statistics(curve, parts, turning_times) for parts in phases]


def _interval_statistics(curve: Any, parts: Intervals, turning_times: np.ndarray) -> PhaseStatistics:
    statistics = []
    for first, last in parts:
        ends = clip_times(turning_times, first, last)
        statistics.append(
            (last - first, _value_statistics(curve(ends), float(curve.integrate(first, last)), last - first))
        )
    return merge_statistics(statistics)


def _value_statistics(values: np.ndarray, integral: float, length: float) -> PhaseStatistics:
    return PhaseStatistics(float(values.min()), float(values.max()), integral / length if length else np.nan)


def rms_deviation(curve: Any, parts: Intervals) -> float:
    """Root-mean-square deviation over time of a piecewise polynomial, at most cubic, from its mean; NaN without intervals."""
    length = sum(last - first for first, last in parts)
    if not length > 0:
        return np.nan
    pieces = [clip_times(curve.x, first, last) for first, last in parts]
    begin, end = (np.concatenate([edges[cut] for edges in pieces]) for cut in (slice(None, -1), slice(1, None)))
    nodes, weights = np.polynomial.legendre.leggauss(4)  # exact for the square of a cubic
    t = 0.5 * (end + begin)[:, None] + 0.5 * (end - begin)[:, None] * nodes
    node_weights = 0.5 * (end - begin)[:, None] * weights / length
    values = curve(t)
    mean = (node_weights * values).sum()
    return float(np.sqrt((node_weights * (values - mean) ** 2).sum()))


def fraction_above(curve: Any, parts: Intervals) -> float:
    """Fraction of the time in which a piecewise polynomial is above zero, 0 to 1; NaN without intervals."""
    length = sum(last - first for first, last in parts)
    if not length > 0:
        return np.nan
    zeros = curve.roots(discontinuity=False, extrapolate=False)
    edges = [clip_times(np.sort(zeros[np.isfinite(zeros)]), first, last) for first, last in parts]
    above = sum(float(np.diff(t)[curve(0.5 * (t[1:] + t[:-1])) > 0].sum()) for t in edges)
    return above / length


def clip_times(times: np.ndarray, first: float, last: float) -> np.ndarray:
    """Times within an interval, and its ends."""
    return np.concatenate([[first], times[(times > first) & (times < last)], [last]])


def smooth_statistics(time: np.ndarray, values: np.ndarray, parts: Intervals) -> PhaseStatistics:
    """The same with a separate spline for each interval, for values that are smooth within the intervals and may have kinks at
    their ends."""
    statistics = [
        (last - first, compute_statistics(fit_spline(*cut_series(time, values, first, last)), [(first, last)]))
        for first, last in parts
    ]
    return merge_statistics(statistics)


def merge_statistics(parts: Sequence[tuple[float, PhaseStatistics]]) -> PhaseStatistics:
    """Statistics over the union of several intervals (length, statistics)."""
    parts = [(length, s) for length, s in parts if length > 0]
    if not parts:
        return PhaseStatistics(np.nan, np.nan, np.nan)
    mean = sum(length * s.mean for length, s in parts) / sum(length for length, _ in parts)
    return PhaseStatistics(min(s.least for _, s in parts), max(s.greatest for _, s in parts), mean)


def sampled_statistics(time: np.ndarray, values: np.ndarray, parts: Intervals) -> PhaseStatistics:
    """The same for values that may jump or have kinks, such as forces: linear between samples."""
    statistics = []
    for first, last in parts:
        t, y = cut_series(time, values, first, last)
        statistics.append((last - first, _value_statistics(y, float(np.trapezoid(y, t)), last - first)))
    return merge_statistics(statistics)


def cut_series(time: np.ndarray, values: np.ndarray, first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
    """Samples from `first` to `last`, s, with interpolated values at the ends."""
    inside = (time > first) & (time < last)
    t = np.concatenate([[first], time[inside], [last]])
    ends = np.interp([first, last], time, values)
    return t, np.concatenate([ends[:1], values[inside], ends[1:]])
