"""Functions of one variable in OpenSim's files, with their derivatives: constants, lines, polynomials and splines.

Each is a piecewise polynomial with a rule of extrapolation beyond its points. SimmSpline is the spline of G. E. Forsythe, M. A.
Malcolm and C. B. Moler, Computer Methods for Mathematical Computations, Prentice-Hall 1977, section 4.4: a cubic spline whose
third derivatives in the first and last interval are those of the cubics through the first four and the last four points. It
is a parabola through three points, a straight line through two, and straight beyond its ends. It is not a natural spline.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.xml_text import parse_numbers, tag_name

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Array = np.ndarray
MAX_HALF_ORDER = 4
"""Largest half_order of a GCVSpline: degree 7."""
MAX_NESTING = 20
"""Nesting depth of MultiplierFunctions."""


@dataclass(frozen=True)
class OsimFunction:
    """A function of one variable, and its derivatives.

    pieces: polynomials, valid between the first and the last break. outer_degree: beyond an end, the function is its Taylor
    polynomial of this degree at that end: constant with 0, linear with 1."""

    pieces: PPoly
    outer_degree: int

    def __call__(self, x: float, order: int = 0) -> float:
        """The derivative of the given order (0: value) at x; at a break, that of the piece to its right."""
        first, last = self.pieces.x[0], self.pieces.x[-1]
        if first <= x <= last:
            return float(self.pieces(x, order))
        end = first if x < first else last
        return sum(
            float(self.pieces(end, k)) * (x - end) ** (k - order) / math.factorial(k - order)
            for k in range(order, self.outer_degree + 1)
        )

    @property
    def line(self) -> tuple[float, float] | None:
        """Slope and value at zero if the function is one straight line everywhere; otherwise None."""
        straight = self.pieces.c.shape[1] == 1 and not self.pieces.c[:-2].any()
        return (self(0.0, 1), self(0.0)) if straight and self.outer_degree >= self.pieces.c.shape[0] - 1 else None

    def scaled(self, factor: float) -> OsimFunction:
        """The function multiplied by a factor."""
        from scipy.interpolate import PPoly

        return replace(self, pieces=PPoly(factor * self.pieces.c, self.pieces.x))


def polynomial(coefficients: Any) -> OsimFunction:
    """A polynomial from its coefficients, highest power first."""
    from scipy.interpolate import PPoly

    c = np.atleast_1d(np.asarray(coefficients, dtype=float))
    return OsimFunction(PPoly(c[:, None], [0.0, 1.0]), len(c) - 1)


def simm_spline(x: Array, y: Array) -> OsimFunction:
    """OpenSim's SimmSpline through two or more points with increasing x; see the description of this module.

    Unknowns are the halves c_i of the second derivatives at the points. With h_i = x_(i+1) - x_i and s_i the slope of the chord
    between two points, continuity of the first derivative gives

        h_(i-1) c_(i-1) + 2 (h_(i-1) + h_i) c_i + h_i c_(i+1) = 3 (s_i - s_(i-1))

    and the ends (c_1 - c_0) / h_0 = 3 f[x_0, x_1, x_2, x_3], with the divided difference of four points: a sixth of the third
    derivative of the cubic through them. The last four points likewise."""
    from scipy.interpolate import PPoly
    from scipy.linalg import solve_banded

    count, h = len(x), np.diff(x)
    chord = np.diff(y) / h
    c = np.zeros(count)
    if count > 2:
        bands, rhs = np.zeros((3, count)), np.zeros(count)
        bands[1, 1:-1], bands[0, 2:], bands[2, :-2] = 2.0 * (h[:-1] + h[1:]), h[1:], h[:-1]
        rhs[1:-1] = 3.0 * np.diff(chord)
        bands[1, 0], bands[0, 1], rhs[0] = -h[0], h[0], 3.0 * h[0] ** 2 * _third_difference(x[:4], y[:4])
        bands[2, -2], bands[1, -1], rhs[-1] = -h[-1], h[-1], 3.0 * h[-1] ** 2 * _third_difference(x[-4:], y[-4:])
        c = solve_banded((1, 1), bands, rhs)
    cubic, linear = np.diff(c) / (3.0 * h), chord - h * (2.0 * c[:-1] + c[1:]) / 3.0
    return OsimFunction(PPoly(np.array([cubic, c[:-1], linear, y[:-1]]), x), 1)


def _third_difference(x: Array, y: Array) -> float:
    """The divided difference f[x_0, x_1, x_2, x_3]; 0 for three points, through which a parabola goes."""
    if len(x) < 4:
        return 0.0
    for k in range(1, 4):
        y = np.diff(y) / (x[k:] - x[:-k])
    return float(y[0])


def piecewise_linear(x: Array, y: Array) -> OsimFunction:
    """Linear interpolation between points, with linear extrapolation; a constant for a single point."""
    from scipy.interpolate import PPoly

    if len(x) == 1:
        return polynomial([y[0]])
    return OsimFunction(PPoly(np.array([np.diff(y) / np.diff(x), y[:-1]]), x), 1)


def piecewise_constant(x: Array, y: Array) -> OsimFunction:
    """Piecewise constant function: the value of the last point not to the right of x; that of the first point before it."""
    from scipy.interpolate import PPoly

    return OsimFunction(PPoly(y[None, :], np.append(x, x[-1] + 1.0)), 0)


def natural_spline(x: Array, y: Array, half_order: int) -> OsimFunction:
    """The natural spline of degree 2 half_order - 1 through at least 2 half_order points: a GCVSpline without smoothing.

    Derivatives from half_order on are zero at its ends and beyond."""
    from scipy.interpolate import PPoly, make_interp_spline

    degree = 2 * half_order - 1
    ends: Any = [(k, 0.0) for k in range(half_order, degree)]
    spline = make_interp_spline(x, y, k=degree, bc_type=(ends, ends) if ends else None)
    pieces = PPoly.from_spline(spline)
    wide = np.diff(pieces.x) > 0.0
    return OsimFunction(PPoly(pieces.c[:, wide], np.append(pieces.x[:-1][wide], pieces.x[-1])), half_order - 1)


# from a file ----------------------------------------------------------------------------------------------------------------


def read_function(element: Any, at: ErrorContext, depth: int = 0) -> OsimFunction:
    """The function that an XML element describes. Raises ModelError with the field if it is invalid or of an unknown type."""
    kind = tag_name(element)
    return FUNCTION_READERS[at["function"].one_of(kind, FUNCTION_READERS, "is not read")](element, at[kind], depth)


def _read_constant(element: Any, at: ErrorContext, depth: int) -> OsimFunction:
    return polynomial(parse_numbers(element.findtext("value", "0"), 1, at))


def _read_linear(element: Any, at: ErrorContext, depth: int) -> OsimFunction:
    return polynomial(parse_numbers(element.findtext("coefficients", "1 0"), 2, at))


def _read_polynomial(element: Any, at: ErrorContext, depth: int) -> OsimFunction:
    words = element.findtext("coefficients", "0")
    return polynomial(parse_numbers(words, max(1, len(words.replace(",", " ").split())), at))


def _read_multiplier(element: Any, at: ErrorContext, depth: int) -> OsimFunction:
    inner = next((child for part in element.findall("function") for child in part if tag_name(child)), None)
    if inner is None or depth > MAX_NESTING:
        at.fail(
            "contains no function" if inner is None else "is nested too deeply", expected="<function> with one function"
        )
    return read_function(inner, at, depth + 1).scaled(parse_numbers(element.findtext("scale", "1"), 1, at)[0])


def _read_points(element: Any, at: ErrorContext, least: int) -> tuple[Array, Array]:
    words = [(element.findtext(key) or "").replace(",", " ").split() for key in "xy"]
    x, y = (np.array(parse_numbers(" ".join(part), len(part), at)) if part else np.zeros(0) for part in words)
    if len(x) != len(y) or len(x) < least:
        expected = f"as many x as y, and at least {least}"
        at.fail("has invalid points", f"{len(x)} x and {len(y)} y", expected)
    back = np.flatnonzero(np.diff(x) <= 0.0)
    if len(back):
        at.fail("has points whose x does not increase", float(x[back[0] + 1]), f"an x above {x[back[0]]:g} there")
    return x, y


def _interpolation_reader(
    make: Callable[[Array, Array], OsimFunction], least: int
) -> Callable[[Any, ErrorContext, int], OsimFunction]:
    def read(element: Any, at: ErrorContext, depth: int) -> OsimFunction:
        return make(*_read_points(element, at, least))

    return read


def _read_gcv_spline(element: Any, at: ErrorContext, depth: int) -> OsimFunction:
    half = int(at["half_order"].finite(float(parse_numbers(element.findtext("half_order", "3"), 1, at)[0]), "1 to 4"))
    if not 1 <= half <= MAX_HALF_ORDER:
        at.fail("has an unsupported half_order", half, f"1 to {MAX_HALF_ORDER}")
    if parse_numbers(element.findtext("error_variance", "0"), 1, at)[0] != 0.0:
        at.fail("smooths its points, which is not read", element.findtext("error_variance"), "an error_variance of 0")
    return natural_spline(*_read_points(element, at, 2 * half), half)


FUNCTION_READERS: dict[str, Callable[[Any, ErrorContext, int], OsimFunction]] = {
    "Constant": _read_constant,
    "LinearFunction": _read_linear,
    "PolynomialFunction": _read_polynomial,
    "SimmSpline": _interpolation_reader(simm_spline, 2),
    "NaturalCubicSpline": _interpolation_reader(simm_spline, 2),  # the old name of SimmSpline
    "PiecewiseLinearFunction": _interpolation_reader(piecewise_linear, 1),
    "PiecewiseConstantFunction": _interpolation_reader(piecewise_constant, 1),
    "GCVSpline": _read_gcv_spline,
    "MultiplierFunction": _read_multiplier,
}
