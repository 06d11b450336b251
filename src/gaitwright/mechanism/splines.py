"""Measured functions: piecewise cubics with two continuous derivatives, used by signals.

A spline is a table of pieces. Row k holds the start of the piece and its coefficients there,

    f(x) = c0 + c1 (x - x_k) + c2 (x - x_k)^2 + c3 (x - x_k)^3     for x_k <= x < x_(k+1)

and the first and the last row hold the values outside the range: NaN or a constant. So the search needs no special cases. A
periodic spline first maps x into its first period.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaitwright.jit import inline_always

RANGE_RTOL = 1e-9
"""Tolerance at either end, relative to the range: times are sums of steps, and the last one may exceed the range by
rounding."""


@dataclass(frozen=True, eq=False)
class SignalSpline:
    """One measured function of time. Compared by identity: it is created once per model, and reading a model compares
    splines.

    name: in expressions. pieces: float64[n, 5], as above. period: s, 0 for none. start, end: s, range of the data."""

    name: str
    pieces: np.ndarray = field(repr=False)
    period: float
    start: float
    end: float


def periodic_spline(name: str, times: np.ndarray, coefficients: np.ndarray) -> SignalSpline:
    """Create a periodic spline. times: float64[n + 1], s, start of its pieces and end; coefficients: float64[n, 4], c0
    first."""
    start, end = float(times[0]), float(times[-1])
    inside = np.column_stack((times[:-1], coefficients))
    # Rounding may move x to the exact end, which equals the start.
    pieces = np.vstack((np.full(5, np.nan), inside, [[end, *coefficients[0]]]))
    return SignalSpline(name, pieces, end - start, start, end)


def bounded_spline(name: str, times: np.ndarray, coefficients: np.ndarray, hold: bool) -> SignalSpline:
    """Create a spline that is NaN outside its range or, with `hold`, keeps the value at the end; arguments as above."""
    start, end = float(times[0]), float(times[-1])
    inside = np.column_stack((times[:-1], coefficients))
    last = _shift_cubic(coefficients[-1], end - float(times[-2]))
    if hold:
        before, after = [start, coefficients[0, 0], 0.0, 0.0, 0.0], [np.nextafter(end, np.inf), last[0], 0.0, 0.0, 0.0]
        return SignalSpline(name, np.vstack((before, inside, after)), 0.0, start, end)
    slack, undefined = RANGE_RTOL * (end - start), [np.nan] * 4
    early = [start - slack, *_shift_cubic(coefficients[0], -slack)]
    return SignalSpline(
        name, np.vstack(([start, *undefined], early, inside, [end + slack, *undefined])), 0.0, start, end
    )


def _shift_cubic(c: np.ndarray, h: float) -> tuple[float, float, float, float]:
    """Return the coefficients of the same cubic about an origin shifted by h."""
    c0, c1, c2, c3 = c.tolist()
    return c0 + h * (c1 + h * (c2 + h * c3)), c1 + h * (2.0 * c2 + 3.0 * h * c3), c2 + 3.0 * h * c3, c3


@inline_always
def evaluate_spline(pieces, first, after, period, x):
    """Value, first and second derivative at x of the spline in the rows first..after-1."""
    if period > 0.0:
        start = pieces[first + 1, 0]
        x = start + (x - start) % period
    low, high = first, after
    while high - low > 1:  # a cached piece would save 10 ns for 1000 samples, but would be state to maintain
        middle = (low + high) >> 1
        if pieces[middle, 0] <= x:
            low = middle
        else:
            high = middle
    h = x - pieces[low, 0]
    c0, c1, c2, c3 = pieces[low, 1], pieces[low, 2], pieces[low, 3], pieces[low, 4]
    return c0 + h * (c1 + h * (c2 + h * c3)), c1 + h * (2.0 * c2 + 3.0 * h * c3), 2.0 * c2 + 6.0 * h * c3
