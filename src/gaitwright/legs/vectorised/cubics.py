"""Piecewise cubics of many designs at once: u from 0 to 1 in every interval between two samples.

Arrays are of NumPy or CuPy. Operations that concern few intervals (an extreme, a zero) use lists of these intervals: `at`
selects them by interval and design of each entry."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

Array = Any
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

    def at(self, place: EntryIndex) -> CubicSegments:
        """Cubics of the selected intervals, as a list."""
        return CubicSegments(*(part[place] for part in self))

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


def spline_cubics(xp: Any, y: Array) -> CubicSegments:
    """Cubic spline through samples y (samples + 1, n_designs), with "not-a-knot" ends."""
    return hermite_cubics(y, xp.asarray(spline_slopes(y.shape[0])) @ y if xp is not np else _spline_slopes(y))


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
    root = xp.sqrt(xp.maximum(of.c * of.c - 3.0 * of.d * of.b, 0.0))
    z = -(of.c + xp.where(of.c < 0.0, -root, root))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [xp.nan_to_num(u, nan=0.0, posinf=1.0, neginf=0.0) for u in (z / (3.0 * of.d), of.b / z)]
    first, second = (xp.clip(u, low, high) for u in (xp.minimum(*ends), xp.maximum(*ends)))
    return [(low, first), (first, second), (second, high)]


def integrate_absolute(xp: Any, of: CubicSegments, low: Array, high: Array) -> Array:
    """Exact integral of the absolute value of a list of cubics from low to high, (n,)."""
    total = xp.zeros(of.a.shape)
    for first, last in split_monotone(xp, of, low, high):
        begin, end = of.integral(first), of.integral(last)
        part = abs(end - begin)
        changes = xp.nonzero(of.value(first) * of.value(last) < 0.0)[0]
        if changes.size:
            some = CubicSegments(*(c[changes] for c in of))
            middle = some.integral(find_zeros(xp, some, first[changes], last[changes]))
            part[changes] = abs(middle - begin[changes]) + abs(end[changes] - middle)
        total += part
    return total


class CubicExtremes(NamedTuple):
    """Least and greatest values of each design, (n_designs,), including extremes between the samples."""

    least: Array
    greatest: Array


def find_extremes(xp: Any, y: Array, of: CubicSegments, turns: tuple[EntryIndex, Array] | None = None) -> CubicExtremes:
    """Extremes of samples y (samples + 1, n_designs) and the cubics through them. turns: turning points, if they are known."""
    (s, i), u = find_turning_points(xp, of) if turns is None else turns
    low, high, values = y.min(axis=0), y.max(axis=0), of.at((s, i)).value(u)
    minimum_at(xp, low, i, values)
    maximum_at(xp, high, i, values)
    return CubicExtremes(low, high)


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
