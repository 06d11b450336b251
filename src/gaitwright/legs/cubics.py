"""Piecewise cubics of many designs at once: u from 0 to 1 in every interval between two samples.

Arrays are of NumPy or CuPy. What happens in few intervals (an extreme, a zero) is done for these alone, as lists: `at` names
interval and design of each entry."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

Array = Any
At = tuple[Array, Array]
"""Intervals and designs of entries of a list."""
NEWTON = 60
"""Iterations of the search for a zero: by Newton's method, or by halves where that leaves the interval."""


class Cubics(NamedTuple):
    """a + b u + c u^2 + d u^3, each (intervals, designs) or a list."""

    a: Array
    b: Array
    c: Array
    d: Array

    def at(self, place: At) -> Cubics:
        """Those of some intervals, as a list."""
        return Cubics(*(part[place] for part in self))

    def value(self, u: Array) -> Array:
        return self.a + u * (self.b + u * (self.c + u * self.d))

    def slope(self, u: Array) -> Array:
        return self.b + u * (2.0 * self.c + 3.0 * u * self.d)

    def integral(self, u: Array) -> Array:
        """From 0 to u."""
        return u * (self.a + u * (self.b / 2.0 + u * (self.c / 3.0 + u * self.d / 4.0)))


def with_slopes(y: Array, slopes: Array) -> Cubics:
    """Through samples y (samples + 1, designs) with slopes there, per interval."""
    step, first, last = y[1:] - y[:-1], slopes[:-1], slopes[1:]
    return Cubics(y[:-1], first, 3.0 * step - 2.0 * first - last, first + last - 2.0 * step)


def smooth(xp: Any, y: Array) -> Cubics:
    """The cubic spline through samples ("not-a-knot")."""
    return with_slopes(y, xp.asarray(spline_slopes(y.shape[0])) @ y if xp is not np else _slopes(y))


def _slopes(y: np.ndarray) -> np.ndarray:
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(np.arange(y.shape[0], dtype=float), y)
    return np.concatenate([spline.c[2], spline(float(y.shape[0] - 1), 1)[None]])


@functools.lru_cache(maxsize=8)
def spline_slopes(count: int) -> np.ndarray:
    """The matrix that takes samples to the slopes of their spline: on a GPU a product is quicker than a solution."""
    return _slopes(np.eye(count))


def turning(xp: Any, of: Cubics) -> tuple[At, Array]:
    """Extremes inside intervals: where, and at which u."""
    end = of.b + 2.0 * of.c + 3.0 * of.d
    spread = of.c * of.c - 3.0 * of.d * of.b
    between = (of.c * (of.c + 3.0 * of.d) < 0.0) & (spread > 0.0)
    place = xp.nonzero((of.b * end < 0.0) | between)
    found = of.at(place)
    root = xp.sqrt(xp.maximum(found.c * found.c - 3.0 * found.d * found.b, 0.0))
    z = -(found.c + xp.where(found.c < 0.0, -root, root))
    # A line through the origin has one zero, a parabola two; each where it lies inside.
    with np.errstate(divide="ignore", invalid="ignore"):
        u = xp.concatenate([z / (3.0 * found.d), found.b / z])
    s, i = (xp.concatenate([part, part]) for part in place)
    inside = (u > 0.0) & (u < 1.0)
    return (s[inside], i[inside]), u[inside]


def zero(xp: Any, of: Cubics, low: Array, high: Array) -> Array:
    """Where a list of cubics that are monotone between low and high, and change their sign there, are zero."""
    if xp is not np:
        return _searching(xp)(*of, low, high, NEWTON)
    rising = of.value(low) < 0.0
    u = 0.5 * (low + high)
    for _ in range(NEWTON):
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
def _searching(xp: Any) -> Any:
    """`zero` on a GPU, every entry by itself: whole arrays would wait for the last one at every iteration."""
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


def monotone(xp: Any, of: Cubics, low: Array, high: Array) -> list[tuple[Array, Array]]:
    """Three stretches of each entry of a list, some of them empty, in which it is monotone."""
    root = xp.sqrt(xp.maximum(of.c * of.c - 3.0 * of.d * of.b, 0.0))
    z = -(of.c + xp.where(of.c < 0.0, -root, root))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [xp.nan_to_num(u, nan=0.0, posinf=1.0, neginf=0.0) for u in (z / (3.0 * of.d), of.b / z)]
    first, second = (xp.clip(u, low, high) for u in (xp.minimum(*ends), xp.maximum(*ends)))
    return [(low, first), (first, second), (second, high)]


def absolute(xp: Any, of: Cubics, low: Array, high: Array) -> Array:
    """The integral of the absolute value of a list of cubics from low to high, exact."""
    total = xp.zeros(of.a.shape)
    for first, last in monotone(xp, of, low, high):
        begin, end = of.integral(first), of.integral(last)
        part = abs(end - begin)
        changes = xp.nonzero(of.value(first) * of.value(last) < 0.0)[0]
        if changes.size:
            some = Cubics(*(c[changes] for c in of))
            middle = some.integral(zero(xp, some, first[changes], last[changes]))
            part[changes] = abs(middle - begin[changes]) + abs(end[changes] - middle)
        total += part
    return total


class Extremes(NamedTuple):
    """Least and greatest values of designs, extremes between the samples included."""

    least: Array
    greatest: Array


def extremes(xp: Any, y: Array, of: Cubics, turns: tuple[At, Array] | None = None) -> Extremes:
    """Of samples y and the cubics through them."""
    (s, i), u = turning(xp, of) if turns is None else turns
    low, high, values = y.min(axis=0), y.max(axis=0), of.at((s, i)).value(u)
    lower_at(xp, low, i, values)
    raise_at(xp, high, i, values)
    return Extremes(low, high)


def raise_at(xp: Any, target: Array, i: Array, values: Array) -> None:
    """target[i] = max(target[i], values), where an i may come several times."""
    if xp is np:
        np.maximum.at(target, i, values)
    elif i.size:
        _raising(xp)(i, values, target)


@functools.lru_cache(maxsize=1)
def _raising(xp: Any) -> Any:
    """The same on a GPU: CuPy's own maximum.at rounds to single precision (14.2: 1.123456789 becomes 1.12345684), and sorting
    takes longer than everything else. What is not a number stays."""
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


def lower_at(xp: Any, target: Array, i: Array, values: Array) -> None:
    """target[i] = min(target[i], values), likewise."""
    negative = -target
    raise_at(xp, negative, i, -values)
    target[...] = -negative
