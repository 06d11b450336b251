"""Symbolic functions for declarations. SymPy is imported inside the functions, so that only derivation needs its import time.

Vectors are plain tuples of expressions, so the same declarations can be evaluated with numbers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Vector = Sequence[Any]


def _import_sympy() -> Any:
    import sympy

    return sympy


def _numeric_functions(x: Any) -> Any:
    """The module with the functions for x if it is a number or an array of them; None if it is an expression."""
    return math if isinstance(x, float) else np if isinstance(x, np.ndarray) else None


def sin(x: Any) -> Any:
    return (_numeric_functions(x) or _import_sympy()).sin(x)


def cos(x: Any) -> Any:
    return (_numeric_functions(x) or _import_sympy()).cos(x)


def sqrt(x: Any) -> Any:
    return _import_sympy().sqrt(x)


def clip(x: Any) -> Any:
    """max(x, 0): the part of x beyond a limit."""
    return _import_sympy().Max(x, 0)


def smaller(x: Any, y: Any) -> Any:
    return _import_sympy().Min(x, y)


def larger(x: Any, y: Any) -> Any:
    return _import_sympy().Max(x, y)


def magnitude(x: Any) -> Any:
    """Absolute value |x|."""
    return x.size if isinstance(x, Tangential) else _import_sympy().Abs(x)


def direction(x: Any) -> Any:
    """The sign of x: -1, 0 or 1; of a vector, the unit vector along it, or 0."""
    return x / x.size if isinstance(x, Tangential) else _import_sympy().sign(x)


def limit_magnitude(x: Any, limit: Any) -> Any:
    """Return x, or its value limited to the magnitude `limit`."""
    if isinstance(x, Tangential):
        return smaller(1, limit / x.size) * x
    # Not by the smaller of both: at the limit itself, where x may be the result of an earlier limit, that has no derivatives.
    return x - clip(x - limit) + clip(-x - limit)


def exp(x: Any) -> Any:
    return _import_sympy().exp(x)


def log(x: Any) -> Any:
    return _import_sympy().log(x)


def tanh(x: Any) -> Any:
    """Hyperbolic tangent; of a vector: the vector along it with the magnitude tanh(|x|)."""
    if isinstance(x, Tangential):
        return (tanh(x.size) / x.size) * x
    return _import_sympy().tanh(x)


def atan2(y: Any, x: Any) -> Any:
    numbers = _numeric_functions(y)
    if numbers is None:
        return _import_sympy().atan2(y, x)
    return math.atan2(y, x) if numbers is math else np.arctan2(y, x)


@functools.cache
def _power_change_function() -> Any:
    sympy = _import_sympy()

    class PowerChange(sympy.Function):
        """x^p - 1."""

        nargs = 2

        def fdiff(self, argindex: int = 1) -> Any:
            x, p = self.args
            return p * x**p / x if argindex == 1 else sympy.log(x) * x**p

    return PowerChange


def power_change(x: Any, p: Any) -> Any:
    """x^p - 1, with all its digits for x near 1."""
    return _power_change_function()(x, p)


@functools.cache
def make_angle_wrapper() -> Any:
    """The function that removes full turns from an angle, rad; its derivative is 1."""
    sympy = _import_sympy()

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
    """Added to the size, in any unit: it is never zero, so that no derivative divides by zero. Its sixth power does not
    underflow."""

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


MIN_DISTANCE_M = 1e-50
"""Added to a distance, m: coincident points have this distance, without direction, and no derivative divides by zero. Its
sixth power does not underflow."""


def distance(a: Any, b: Any) -> Any:
    """Distance between the points of two markers, m."""
    offset = minus(b.position, a.position)
    return sqrt(a.named(dot(offset, offset)) + MIN_DISTANCE_M**2)


def perpendicular(a: Vector) -> tuple[Any, Any]:
    """The planar vector turned by +90 degrees."""
    return (-a[1], a[0])


def cross(a: Vector, b: Vector) -> Any:
    """The component of a x b perpendicular to the plane."""
    return a[0] * b[1] - a[1] * b[0]


def cross3(a: Vector, b: Vector) -> tuple[Any, Any, Any]:
    """Cross product a x b in space."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plus(a: Vector, b: Vector) -> tuple[Any, ...]:
    return tuple(p + q for p, q in zip(a, b, strict=True))


def times(factor: Any, a: Vector) -> tuple[Any, ...]:
    return tuple(factor * p for p in a)


def turn(a: Any, b: Any, angle: Any = 0) -> Any:
    """Angle of marker b relative to marker a, minus `angle`, rad.

    Rigid bodies count their turns. The tangent of a beam gives the angle only up to full turns: with a beam the result
    is between -pi and pi, so that a condition turn = 0 holds over any number of turns."""
    if a.counts and b.counts:
        return b.angle - a.angle - angle
    return make_angle_wrapper()(atan2(a.named(cross(a.axis, b.axis)), a.named(dot(a.axis, b.axis))) - angle)


def rotate(a: Vector, angle: Any) -> tuple[Any, Any]:
    """The planar vector turned by `angle` (rad)."""
    c, s = cos(angle), sin(angle)
    return (c * a[0] - s * a[1], s * a[0] + c * a[1])


def rate(expression: Any) -> Any:
    """Total time derivative along the motion: every symbol of a moving quantity has its own rate."""
    moving = sorted(
        (s for s in getattr(expression, "free_symbols", ()) if getattr(s, "rate", None) is not None), key=str
    )
    return sum(expression.diff(s) * s.rate for s in moving)
