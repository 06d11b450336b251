"""Piecewise cubics of many designs at once: u from 0 to 1 in every interval between two samples.

Arrays are of NumPy or CuPy, plain or traced (array_derivatives.py). Operations that concern few intervals (an extreme, a
zero) use lists of these intervals: `at` selects them by interval and design of each entry. Searches use the values. The place
of an extreme has no effect on the derivative of its value, and the place of a zero follows from the implicit function
theorem."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from gaitwright.measures.array_derivatives import (
    Array,
    TracedArray,
    apply_linear,
    clip,
    implicit_point,
    plain,
    replace_at,
    where,
)

EntryIndex = tuple[Array, Array]
"""Intervals and designs of the entries of a list."""
MAX_ROOT_ITERATIONS = 60
"""Maximum iterations of the search for a zero: Newton's method, with bisection if a step leaves the interval."""


class CubicSegments(NamedTuple):
    """Cubics a + b u + c u^2 + d u^3; coefficients (n_intervals, n_designs) or lists (n,)."""

    a: Array
    b: Array
    c: Array
    d: Array

    def at(self, place: Any) -> CubicSegments:
        """Selected cubics, as a list. place: intervals and designs of the entries, or entries of a list."""
        return CubicSegments(*(part[place] for part in self))

    def plain(self) -> CubicSegments:
        """The same cubics with plain coefficients."""
        return CubicSegments(*(plain(part) for part in self))

    def value(self, u: Array) -> Array:
        return self.a + u * (self.b + u * (self.c + u * self.d))

    def slope(self, u: Array) -> Array:
        return self.b + u * (2.0 * self.c + 3.0 * u * self.d)

    def integral(self, u: Array) -> Array:
        """Integral from 0 to u."""
        return u * (self.a + u * (self.b / 2.0 + u * (self.c / 3.0 + u * self.d / 4.0)))


def hermite_cubics(y: Array, slopes: Array) -> CubicSegments:
    """Cubics through samples y (samples + 1, n_designs) with slopes per interval, of the same shape."""
    step, first, last = y[1:] - y[:-1], slopes[:-1], slopes[1:]
    return CubicSegments(y[:-1], first, 3.0 * step - 2.0 * first - last, first + last - 2.0 * step)


class CubicCurves:
    """Curves of many designs through samples (samples + 1, n_designs), plain or traced, with slopes per interval, of the same
    shape."""

    def __init__(self, xp: Any, samples: Array, slopes: Array):
        self.xp, self.samples, self.slopes = xp, samples, slopes
        self.segments = hermite_cubics(plain(samples), plain(slopes))
        """Plain coefficients of all intervals."""

    @functools.cached_property
    def turning_points(self) -> tuple[EntryIndex, Array]:
        """Extremes inside intervals, as `find_turning_points` returns them."""
        return find_turning_points(self.xp, self.segments)

    def at(self, place: EntryIndex) -> CubicSegments:
        """Cubics of the selected intervals, as a list."""
        if not isinstance(self.samples, TracedArray):
            return self.segments.at(place)
        y, slopes, (s, i) = self.samples, self.slopes, place
        a, b, step = y[s, i], slopes[s, i], y[s + 1, i] - y[s, i]
        last = slopes[s + 1, i]
        return CubicSegments(a, b, 3.0 * step - 2.0 * b - last, b + last - 2.0 * step)

    def integrals(self) -> Array:
        """Integrals over all intervals, (n_intervals, n_designs)."""
        y, slopes = self.samples, self.slopes
        return 0.5 * (y[:-1] + y[1:]) + (slopes[:-1] - slopes[1:]) / 12.0

    def absolute_integrals(self) -> Array:
        """Integrals of the absolute value over all intervals, (n_intervals, n_designs)."""
        xp, segments = self.xp, self.segments
        doubtful = segments.a * segments.value(1.0) <= 0.0
        doubtful[self.turning_points[0]] = True
        place = xp.nonzero(doubtful)
        count = place[0].size
        parts = integrate_absolute(xp, self.at(place), xp.zeros(count), xp.ones(count))
        return replace_at(abs(self.integrals()), place, parts)

    @functools.cached_property
    def least(self) -> Array:
        """Least value of each design, (n_designs,), including extremes between the samples."""
        return -self._greatest(-1.0)

    @functools.cached_property
    def greatest(self) -> Array:
        """Greatest value of each design, likewise."""
        return self._greatest(1.0)

    @property
    def largest(self) -> Array:
        """Largest absolute value of each design."""
        return where(self.xp, plain(self.greatest) >= -plain(self.least), self.greatest, -self.least)

    @property
    def mean(self) -> Array:
        """Mean value of each design over time."""
        return self.integrals().sum(axis=0) / (self.samples.shape[0] - 1)

    def greatest_of(self, place: EntryIndex, u: Array, sign: float = 1.0) -> Array:
        """Greatest value, times a sign, of each design at listed points (n,): minus infinity for a design without points."""
        (s, i), values = place, sign * self.segments.at(place).value(plain(u))
        greatest = self.xp.full(self.samples.shape[1], -np.inf)
        entry = entry_of_greatest(self.xp, i, values, greatest)
        if not isinstance(self.samples, TracedArray):
            return greatest
        present = self.xp.nonzero(entry >= 0)[0]
        entry = entry[present]
        return replace_at(greatest, present, sign * self.at((s[entry], i[entry])).value(u[entry]))

    def _greatest(self, sign: float) -> Array:
        """Greatest value of the curves times a sign."""
        xp, y = self.xp, sign * plain(self.samples)
        (s, i), u = self.turning_points
        values, greatest = sign * self.segments.at((s, i)).value(u), y.max(axis=0)
        if not isinstance(self.samples, TracedArray):
            maximum_at(xp, greatest, i, values)
            return greatest
        sample = y.argmax(axis=0)
        interval = xp.minimum(sample, y.shape[0] - 2)
        place = (sample - interval).astype(float)
        inner = entry_of_greatest(xp, i, values, greatest)
        better = xp.nonzero(inner >= 0)[0]
        interval[better], place[better] = s[inner[better]], u[inner[better]]
        return sign * self.at((interval, xp.arange(interval.size))).value(place)


def spline_curves(xp: Any, y: Array) -> CubicCurves:
    """Cubic splines through samples y (samples + 1, n_designs), with "not-a-knot" ends."""
    values = plain(y)
    slopes = xp.asarray(spline_slopes(y.shape[0])) @ values if xp is not np else _spline_slopes(values)
    return CubicCurves(xp, y, apply_linear(slopes, y, lambda g: xp.asarray(spline_slopes(y.shape[0])).T @ g))


def _spline_slopes(y: np.ndarray) -> np.ndarray:
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(np.arange(y.shape[0], dtype=float), y)
    return np.concatenate([spline.c[2], spline(float(y.shape[0] - 1), 1)[None]])


@functools.lru_cache(maxsize=8)
def spline_slopes(count: int) -> np.ndarray:
    """Matrix (count, count) that maps samples to the slopes of their spline: on a GPU a product is faster than a solution."""
    return _spline_slopes(np.eye(count))


def find_turning_points(xp: Any, of: CubicSegments) -> tuple[EntryIndex, Array]:
    """Extremes inside intervals: index of interval and design, and u."""
    end = of.b + 2.0 * of.c + 3.0 * of.d
    spread = of.c * of.c - 3.0 * of.d * of.b
    between = (of.c * (of.c + 3.0 * of.d) < 0.0) & (spread > 0.0)
    place = xp.nonzero((of.b * end < 0.0) | between)
    cubics = of.at(place)
    root = xp.sqrt(xp.maximum(cubics.c * cubics.c - 3.0 * cubics.d * cubics.b, 0.0))
    z = -(cubics.c + xp.where(cubics.c < 0.0, -root, root))
    # The derivative has up to two zeros; those inside the interval are kept.
    with np.errstate(divide="ignore", invalid="ignore"):
        u = xp.concatenate([z / (3.0 * cubics.d), cubics.b / z])
    s, i = (xp.concatenate([part, part]) for part in place)
    inside = (u > 0.0) & (u < 1.0)
    return (s[inside], i[inside]), u[inside]


def find_zeros(xp: Any, of: CubicSegments, low: Array, high: Array) -> Array:
    """Zeros of a list of cubics that are monotone and change sign between low and high, (n,)."""
    values = of.plain()
    u = _search_zeros(xp, values, plain(low), plain(high))
    return implicit_point(u, of.value(u), values.slope(u)) if isinstance(of.a, TracedArray) else u


def _search_zeros(xp: Any, of: CubicSegments, low: Array, high: Array) -> Array:
    if xp is not np:
        return _zero_kernel(xp)(*of, low, high, MAX_ROOT_ITERATIONS)
    rising = of.value(low) < 0.0
    u = 0.5 * (low + high)
    for _ in range(MAX_ROOT_ITERATIONS):
        value = of.value(u)
        before = (value < 0.0) == rising
        low, high = xp.where(before, u, low), xp.where(before, high, u)
        with np.errstate(divide="ignore", invalid="ignore"):
            new = u - value / of.slope(u)
        new = xp.where((new >= low) & (new <= high), new, 0.5 * (low + high))
        done = bool((abs(new - u) <= 1e-15).all()) if new.size else True
        u = new
        if done:
            break
    return u


@functools.lru_cache(maxsize=1)
def _zero_kernel(xp: Any) -> Any:
    """Kernel of `find_zeros` on a GPU with one thread per entry: array operations would iterate until all entries converge."""
    return xp.ElementwiseKernel(
        "float64 a, float64 b, float64 c, float64 d, float64 from, float64 to, int32 most", "float64 u",
        """
        double low = from, high = to;
        const bool rising = a + low * (b + low * (c + low * d)) < 0.0;
        u = 0.5 * (low + high);
        for (int k = 0; k < most; k++) {
            const double value = a + u * (b + u * (c + u * d));
            if ((value < 0.0) == rising) low = u; else high = u;
            double next = u - value / (b + u * (2.0 * c + 3.0 * u * d));
            if (!(next >= low && next <= high)) next = 0.5 * (low + high);
            const bool done = fabs(next - u) <= 1e-15;
            u = next;
            if (done) break;
        }
        """,
        "zero_of_cubic",
    )  # fmt: skip


def split_monotone(xp: Any, of: CubicSegments, low: Array, high: Array) -> list[tuple[Array, Array]]:
    """Split the interval from low to high of each cubic of a list into three parts, possibly empty, on which it is monotone."""
    _, b, c, d = of.plain()
    root = xp.sqrt(xp.maximum(c * c - 3.0 * d * b, 0.0))
    z = -(c + xp.where(c < 0.0, -root, root))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [xp.nan_to_num(u, nan=0.0, posinf=1.0, neginf=0.0) for u in (z / (3.0 * d), b / z)]
    first, second = (clip(xp, u, low, high) for u in (xp.minimum(*ends), xp.maximum(*ends)))
    return [(low, first), (first, second), (second, high)]


def positive_intervals(xp: Any, of: CubicSegments, begins: Array, ends: Array) -> list[tuple[Array, Array]]:
    """Intervals in which a list of cubics is above zero: from, to (equal if empty), (n,)."""
    intervals, values = [], of.plain()
    for low, high in split_monotone(xp, of, begins, ends):
        before, after = values.value(plain(low)) > 0.0, values.value(plain(high)) > 0.0
        at = xp.nonzero(before != after)[0]
        middle = high
        if at.size:
            zeros = find_zeros(xp, of.at(at), plain(low)[at], plain(high)[at])
            middle = replace_at(high, at, zeros)
        first = where(xp, before, low, where(xp, after, middle, low))
        last = where(xp, after, high, where(xp, before, middle, low))
        intervals.append((first, last))
    return intervals


def integrate_absolute(xp: Any, of: CubicSegments, low: Array, high: Array) -> Array:
    """Exact integral of the absolute value of a list of cubics from low to high, (n,)."""
    total, values = xp.zeros(of.a.shape), of.plain()
    for first, last in split_monotone(xp, of, low, high):
        begin, end = of.integral(first), of.integral(last)
        part = abs(end - begin)
        changes = xp.nonzero(values.value(plain(first)) * values.value(plain(last)) < 0.0)[0]
        if changes.size:  # the integrand vanishes at the zeros: their places have no effect on the derivative
            zeros = find_zeros(xp, values.at(changes), plain(first)[changes], plain(last)[changes])
            middle = of.at(changes).integral(zeros)
            part = replace_at(part, changes, abs(middle - begin[changes]) + abs(end[changes] - middle))
        total = total + part
    return total


def greatest_by(xp: Any, i: Array, values: Array, size: int) -> Array:
    """Greatest value of each index i, (size,); minus infinity for an index without values."""
    greatest = xp.full(size, -np.inf)
    if not isinstance(values, TracedArray):
        maximum_at(xp, greatest, i, values)
        return greatest
    entry = entry_of_greatest(xp, i, values.value, greatest)
    present = xp.nonzero(entry >= 0)[0]
    return replace_at(greatest, present, values[entry[present]])


def entry_of_greatest(xp: Any, i: Array, values: Array, greatest: Array) -> Array:
    """Entry of the greatest of the values of each index i, (size,); -1 if none is above that in `greatest` (size,), which is
    changed to the greatest value."""
    before = greatest.copy()
    maximum_at(xp, greatest, i, values)
    entry = xp.full(greatest.shape, -1)
    best = xp.nonzero((values >= greatest[i]) & (values > before[i]))[0]
    entry[i[best]] = best
    return entry


def maximum_at(xp: Any, target: Array, i: Array, values: Array) -> None:
    """Set target[i] = max(target[i], values); an index may occur several times in i."""
    if xp is np:
        np.maximum.at(target, i, values)
    elif i.size:
        _maximum_kernel(xp)(i, values, target)


@functools.lru_cache(maxsize=1)
def _maximum_kernel(xp: Any) -> Any:
    """Kernel of `maximum_at` on a GPU: CuPy's maximum.at rounds to single precision (14.2: 1.123456789 becomes 1.12345684), and
    sorting takes longer than all other operations. NaN in the target is kept."""
    return xp.ElementwiseKernel(
        "int64 place, float64 value", "raw float64 target",
        """
        unsigned long long *at = (unsigned long long *)&target[place], seen = *at, before;
        do {
            before = seen;
            double there = __longlong_as_double(before);
            if (value <= there || there != there) break;
            seen = atomicCAS(at, before, (unsigned long long)__double_as_longlong(value));
        } while (seen != before);
        """,
        "raise_at",
    )  # fmt: skip


def minimum_at(xp: Any, target: Array, i: Array, values: Array) -> None:
    """Set target[i] = min(target[i], values), likewise."""
    negative = -target
    maximum_at(xp, negative, i, -values)
    target[...] = -negative
