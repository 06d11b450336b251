"""The symbolic vocabulary of declarations. SymPy is imported inside the functions: only deriving pays for it.

Vectors are plain tuples of expressions, so the same declarations can be evaluated with numbers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Vector = Sequence[Any]


def _sympy() -> Any:
    import sympy

    return sympy


def _numbers(x: Any) -> Any:
    """The functions for x if it is a number or an array of them; None if it is an expression."""
    return math if isinstance(x, float) else np if isinstance(x, np.ndarray) else None


def sin(x: Any) -> Any:
    return (_numbers(x) or _sympy()).sin(x)


def cos(x: Any) -> Any:
    return (_numbers(x) or _sympy()).cos(x)


def sqrt(x: Any) -> Any:
    return _sympy().sqrt(x)


def clip(x: Any) -> Any:
    """max(x, 0): the part of x beyond a limit."""
    return _sympy().Max(x, 0)


def smaller(x: Any, y: Any) -> Any:
    return _sympy().Min(x, y)


def larger(x: Any, y: Any) -> Any:
    return _sympy().Max(x, y)


def magnitude(x: Any) -> Any:
    """|x|."""
    return x.size if isinstance(x, Tangential) else _sympy().Abs(x)


def direction(x: Any) -> Any:
    """The sign of x: -1, 0 or 1; of a vector, the unit vector along it, or 0."""
    return x / x.size if isinstance(x, Tangential) else _sympy().sign(x)


def limited(x: Any, most: Any) -> Any:
    """x, or if it is larger than `most`, as much of it as that."""
    if isinstance(x, Tangential):
        return smaller(1, most / x.size) * x
    # Not by the smaller of both: at the limit itself, where x may come from being limited before, that has no derivatives.
    return x - clip(x - most) + clip(-x - most)


def exp(x: Any) -> Any:
    return _sympy().exp(x)


def log(x: Any) -> Any:
    return _sympy().log(x)


def tanh(x: Any) -> Any:
    """Of a vector: along it, as large as tanh of its size."""
    if isinstance(x, Tangential):
        return (tanh(x.size) / x.size) * x
    return _sympy().tanh(x)


def atan2(y: Any, x: Any) -> Any:
    numbers = _numbers(y)
    if numbers is None:
        return _sympy().atan2(y, x)
    return math.atan2(y, x) if numbers is math else np.arctan2(y, x)


@functools.cache
def _power_change() -> Any:
    sympy = _sympy()

    class PowerChange(sympy.Function):
        """x^p - 1."""

        nargs = 2

        def fdiff(self, argindex: int = 1) -> Any:
            x, p = self.args
            return p * x**p / x if argindex == 1 else sympy.log(x) * x**p

    return PowerChange


def power_change(x: Any, p: Any) -> Any:
    """x^p - 1, with all its digits where x is nearly 1."""
    return _power_change()(x, p)


@functools.cache
def wrapped() -> Any:
    """The function that takes full turns off an angle, rad; its derivative is 1."""
    sympy = _sympy()

    class Wrapped(sympy.Function):
        nargs = 1

        def fdiff(self, argindex: int = 1) -> Any:
            return sympy.Integer(1)

        def _eval_is_real(self) -> bool:
            return True

    return Wrapped


class Tangential:
    """A vector along a surface in space, in expressions that are written as for a number along a line."""

    __array_ufunc__ = None
    TINY = 1e-50
    """Added to the size, in any unit: it is never zero, so that no derivative divides by zero. Its sixth power is a number."""

    def __init__(self, parts: Vector):
        self.parts = tuple(parts)

    @property
    def size(self) -> Any:
        return sqrt(self**2 + self.TINY**2)

    def __add__(self, other: Tangential) -> Tangential:
        return Tangential(plus(self.parts, other.parts))

    def __sub__(self, other: Tangential) -> Tangential:
        return Tangential(minus(self.parts, other.parts))

    def __neg__(self) -> Tangential:
        return Tangential(times(-1, self.parts))

    def __mul__(self, factor: Any) -> Tangential:
        return Tangential(times(factor, self.parts))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Tangential:
        return Tangential(tuple(part / divisor for part in self.parts))

    def __pow__(self, exponent: int) -> Any:
        if exponent != 2:
            raise TypeError("only the square of a vector is a number; magnitude(x) is its size")
        return dot(self.parts, self.parts)


def minus(b: Vector, a: Vector) -> tuple[Any, ...]:
    return tuple(q - p for p, q in zip(a, b, strict=True))


def dot(a: Vector, b: Vector) -> Any:
    return sum(p * q for p, q in zip(a, b, strict=True))


def norm(a: Vector) -> Any:
    return sqrt(dot(a, a))


NO_LENGTH = 1e-50
"""Added to a distance, m: points that coincide are this far apart, in no direction, and no derivative divides by zero. Its
sixth power is a number."""


def distance(a: Any, b: Any) -> Any:
    """Of the points of two markers, m."""
    way = minus(b.position, a.position)
    return sqrt(a.named(dot(way, way)) + NO_LENGTH**2)


def perpendicular(a: Vector) -> tuple[Any, Any]:
    """The planar vector turned by +90 degrees."""
    return (-a[1], a[0])


def cross(a: Vector, b: Vector) -> Any:
    """The component of a x b across the plane."""
    return a[0] * b[1] - a[1] * b[0]


def cross3(a: Vector, b: Vector) -> tuple[Any, Any, Any]:
    """a x b in space."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plus(a: Vector, b: Vector) -> tuple[Any, ...]:
    return tuple(p + q for p, q in zip(a, b, strict=True))


def times(factor: Any, a: Vector) -> tuple[Any, ...]:
    return tuple(factor * p for p in a)


def turn(a: Any, b: Any, angle: Any = 0) -> Any:
    """Angle of marker b relative to marker a, less `angle`, rad.

    Rigid bodies count their turns. Where a beam takes part, its tangent tells the angle up to full turns: the result
    is then between -pi and pi, so that a condition turn = 0 holds over any number of turns."""
    if a.counts and b.counts:
        return b.angle - a.angle - angle
    return wrapped()(atan2(a.named(cross(a.axis, b.axis)), a.named(dot(a.axis, b.axis))) - angle)


def rotate(a: Vector, angle: Any) -> tuple[Any, Any]:
    """The planar vector turned by `angle` (rad)."""
    c, s = cos(angle), sin(angle)
    return (c * a[0] - s * a[1], s * a[0] + c * a[1])


def rate(expression: Any) -> Any:
    """Total time derivative along the motion: every symbol that moves carries its own rate."""
    moving = sorted(
        (s for s in getattr(expression, "free_symbols", ()) if getattr(s, "rate", None) is not None), key=str
    )
    return sum(expression.diff(s) * s.rate for s in moving)
