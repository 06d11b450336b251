"""Measured functions: piecewise cubics with two continuous derivatives, as signals look them up.

A spline is a table of pieces. Row k holds where the piece begins and its coefficients there,

    f(x) = c0 + c1 (x - x_k) + c2 (x - x_k)^2 + c3 (x - x_k)^3     for x_k <= x < x_(k+1)

and the first and the last row say what holds outside: NaN or a value that stands still. So the search needs no cases.
A spline that repeats itself brings x into its first period before.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaitwright.compiled import inlined

SLACK = 1e-9
"""Of the range, at either end: times are sums of steps, and the last one may be late by rounding."""


@dataclass(frozen=True, eq=False)
class Spline:
    """One measured function of time. Compared by identity: it is made once per model, and comparing is part of reading one.

    name: in expressions. pieces: float64[n, 5], as above. period: s, 0 for none. start, end: s, range of the data."""

    name: str
    pieces: np.ndarray = field(repr=False)
    period: float
    start: float
    end: float


def periodic_spline(name: str, times: np.ndarray, coefficients: np.ndarray) -> Spline:
    """A spline that repeats itself. times: float64[n + 1], s, its pieces; coefficients: float64[n, 4], c0 first."""
    start, end = float(times[0]), float(times[-1])
    inside = np.column_stack((times[:-1], coefficients))
    # Rounding may bring x to the very end, which is the beginning.
    pieces = np.vstack((np.full(5, np.nan), inside, [[end, *coefficients[0]]]))
    return Spline(name, pieces, end - start, start, end)


def bounded_spline(name: str, times: np.ndarray, coefficients: np.ndarray, hold: bool) -> Spline:
    """A spline that is NaN outside its range or, with `hold`, keeps the value at the end; arguments as above."""
    start, end = float(times[0]), float(times[-1])
    inside = np.column_stack((times[:-1], coefficients))
    last = _moved(coefficients[-1], end - float(times[-2]))
    if hold:
        before, after = [start, coefficients[0, 0], 0.0, 0.0, 0.0], [np.nextafter(end, np.inf), last[0], 0.0, 0.0, 0.0]
        return Spline(name, np.vstack((before, inside, after)), 0.0, start, end)
    slack, nothing = SLACK * (end - start), [np.nan] * 4
    early = [start - slack, *_moved(coefficients[0], -slack)]
    return Spline(name, np.vstack(([start, *nothing], early, inside, [end + slack, *nothing])), 0.0, start, end)


def _moved(c: np.ndarray, h: float) -> tuple[float, float, float, float]:
    """The coefficients of the same cubic, counted from a place further by h."""
    c0, c1, c2, c3 = c.tolist()
    return c0 + h * (c1 + h * (c2 + h * c3)), c1 + h * (2.0 * c2 + 3.0 * h * c3), c2 + 3.0 * h * c3, c3


@inlined
def spline_at(pieces, first, after, period, x):
    """Value, first and second derivative at x of the spline in the rows first..after-1."""
    if period > 0.0:
        start = pieces[first + 1, 0]
        x = start + (x - start) % period
    low, high = first, after
    while high - low > 1:  # a remembered piece would save 10 ns of 1000 samples, and would be a state to keep
        middle = (low + high) >> 1
        if pieces[middle, 0] <= x:
            low = middle
        else:
            high = middle
    h = x - pieces[low, 0]
    c0, c1, c2, c3 = pieces[low, 1], pieces[low, 2], pieces[low, 3], pieces[low, 4]
    return c0 + h * (c1 + h * (c2 + h * c3)), c1 + h * (2.0 * c2 + 3.0 * h * c3), 2.0 * c2 + 6.0 * h * c3
