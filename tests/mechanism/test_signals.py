"""Signals: value and two time derivatives of every operation compared with SymPy, and special cases of IEEE numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from scipy.interpolate import CubicSpline

from gaitwright.mechanism.signals import (
    MAX_CACHED_TABLES,
    SignalOperation,
    SignalProgram,
    arity,
    evaluate_program,
    evaluate_signals,
    signal_table,
)
from gaitwright.mechanism.splines import SignalSpline, bounded_spline, periodic_spline
from gaitwright.model.expressions import compile_program, parse

T = sp.Symbol("t", real=True)
TIMES = np.array([0.13, 0.4, 0.77, 1.9])


class Steps(sp.floor):
    """floor, with its slope between its jumps; SymPy leaves the derivative of floor undefined."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.Integer(0)


def spline(name: str, t, y, periodic: bool = False, hold: bool = False) -> SignalSpline:
    c = CubicSpline(t, y, bc_type="periodic" if periodic else "not-a-knot").c[::-1].T
    return periodic_spline(name, t, c) if periodic else bounded_spline(name, t, c, hold)


KNOTS = np.array([-1.0, 0.2, 0.5, 1.0, 3.0, 4.0])
# A spline without end conditions through the points of a cubic is that cubic.
SERIES = {"cubic": spline("cubic", KNOTS, 1 + KNOTS - KNOTS**3)}

# Every operation at least once; inner functions are curved, so that the second term of the chain rule counts.
DIFFERENTIATED = [
    ("3", sp.Integer(3)),
    ("t", T),
    ("-2*pi*t", -2 * sp.pi * T),
    ("-(t^3)", -(T**3)),
    ("t^2 + sin(t)", T**2 + sp.sin(T)),
    ("t^2 - sin(t)", T**2 - sp.sin(T)),
    ("t^2*sin(t)", T**2 * sp.sin(T)),
    ("cos(t)/(1 + t^2)", sp.cos(T) / (1 + T**2)),
    ("t^2 % 0.3", T**2 - sp.Rational(3, 10) * Steps(T**2 / sp.Rational(3, 10))),
    ("-t^2 % 0.3", -(T**2) - sp.Rational(3, 10) * Steps(-(T**2) / sp.Rational(3, 10))),
    ("1 % t^2", 1 - T**2 * Steps(1 / T**2)),
    ("(t - 1)^3", (T - 1) ** 3),
    ("(t - 1)^-2", (T - 1) ** -2),
    ("(1 + t^2)^0.37", (1 + T**2) ** sp.Float("0.37", 30)),
    ("2^(t^2)", 2 ** (T**2)),
    ("(1 + t^2)^sin(t)", (1 + T**2) ** sp.sin(T)),
    ("sqrt(1 + t^2)", sp.sqrt(1 + T**2)),
    ("exp(-t^2)", sp.exp(-(T**2))),
    ("log(1 + t^2)", sp.log(1 + T**2)),
    ("sin(t^2)", sp.sin(T**2)),
    ("cos(t^2)", sp.cos(T**2)),
    ("tan(t^2)", sp.tan(T**2)),
    ("asin(t^2/4)", sp.asin(T**2 / 4)),
    ("acos(t^2/4)", sp.acos(T**2 / 4)),
    ("atan(t^2)", sp.atan(T**2)),
    ("atan2(sin(3*t), t - 1)", sp.atan2(sp.sin(3 * T), T - 1)),
    ("sinh(t^2)", sp.sinh(T**2)),
    ("cosh(t^2)", sp.cosh(T**2)),
    ("tanh(t^2)", sp.tanh(T**2)),
    ("abs(t^2 - 0.5)", sp.Abs(T**2 - sp.Rational(1, 2))),
    ("min(t^2, sin(t), 0.5)", sp.Min(T**2, sp.sin(T), sp.Rational(1, 2))),
    ("max(t^2, sin(t), 0.5)", sp.Max(T**2, sp.sin(T), sp.Rational(1, 2))),
    ("(t < 0.5)*t^2", sp.Piecewise((T**2, T < 0.5), (0, True))),
    ("(t <= 0.5)*t^2", sp.Piecewise((T**2, T <= 0.5), (0, True))),
    ("(t > 0.5)*t^2", sp.Piecewise((T**2, T > 0.5), (0, True))),
    ("(t >= 0.5)*t^2", sp.Piecewise((T**2, T >= 0.5), (0, True))),
    ("(t == 0.4)*3", sp.Piecewise((3, sp.Eq(T, 0.4)), (0, True))),
    ("(t != 0.4)*3", sp.Piecewise((0, sp.Eq(T, 0.4)), (3, True))),
    ("(t > 0.3 and t < 1)*t^2", sp.Piecewise((T**2, (T > 0.3) & (T < 1)), (0, True))),
    ("(t < 0.3 or t > 1)*t^2", sp.Piecewise((T**2, (T < 0.3) | (T > 1)), (0, True))),
    ("(not t > 1)*t^2", sp.Piecewise((T**2, T <= 1), (0, True))),
    ("if(t < 0.5, sin(t), t^3)", sp.Piecewise((sp.sin(T), T < 0.5), (T**3, True))),
    ("cubic(t^2 - sin(t))*cubic(2*t - 1)", (lambda f: f(T**2 - sp.sin(T)) * f(2 * T - 1))(lambda x: 1 + x - x**3)),
]


def samples(text: str, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return evaluate_program(compile_program(parse(text, series=SERIES), {}, SERIES), t)


@pytest.mark.parametrize("text, expression", DIFFERENTIATED, ids=[text for text, _ in DIFFERENTIATED])
def test_against_sympy(text: str, expression: sp.Expr):
    for order, found in enumerate(samples(text, TIMES)):
        derivative = sp.sympify(expression).diff(T, order).doit()
        expected = [float(derivative.subs(T, sp.Float(float(t), 30)).doit().evalf(30)) for t in TIMES]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=f"derivative {order}")


def test_every_operation_is_in_the_table():
    programs = [compile_program(parse(text, series=SERIES), {}, SERIES) for text, _ in DIFFERENTIATED]
    used = {op for found in programs for op in found.code.tolist()}
    assert used == set(SignalOperation)


INF, NAN = math.inf, math.nan

CORNERS = [
    # powers at and below zero
    ("t^2", 0, (0, 0, 2)),
    ("t^1", 0, (0, 1, 0)),
    ("t^0", 0, (1, 0, 0)),
    ("t^3", 0, (0, 0, 0)),
    ("t^3", -2, (-8, 12, -12)),
    ("t^-1", -2, (-0.5, -0.25, -0.25)),
    ("t^1.5", 0, (0, 0, INF)),
    ("t^0.5", -1, (NAN, NAN, NAN)),
    ("(t^2)^(2 + 0*t)", 1, (1, 4, 12)),
    # infinite slopes and missing values are numbers, not exceptions
    ("sqrt(t)", 0, (0, INF, -INF)),
    ("-sqrt(t)", 0, (0, -INF, INF)),
    ("sqrt(t)", -1, (NAN, NAN, NAN)),
    ("log(t)", 0, (-INF, INF, -INF)),
    ("1/t", 0, (INF, -INF, NAN)),
    ("t % (t - 1)", 1, (NAN, NAN, NAN)),
    # a constant argument
    ("sqrt(max(t - 1, 0))", 0.5, (0, 0, 0)),
    ("max(t - 1, 0)^0.5", 0.5, (0, 0, 0)),
    # at a kink the derivative from the right
    ("abs(t)", 0, (0, 1, 0)),
    ("abs(-t)", 0, (0, 1, 0)),
    ("abs(-t^2)", 0, (0, 0, 2)),
    ("max(0, t)", 0, (0, 1, 0)),
    ("max(t, 0)", 0, (0, 1, 0)),
    ("min(t, 0)", 0, (0, 0, 0)),
    ("min(4, t)", 4, (4, 0, 0)),
    ("max(t^2, 0)", 0, (0, 0, 2)),
    # the unselected branch has no effect; NaN elsewhere is kept
    ("if(t > 0, log(t), 3)", -1, (3, 0, 0)),
    ("if(t < 0, t^2, sqrt(t))", -1, (1, -2, 2)),
    ("t > 0 and log(t) < 1", -1, (0, 0, 0)),
    ("t < 0 or log(t) < 1", -1, (1, 0, 0)),
    ("if(log(t) < 1, 1, 2)", -1, (NAN, NAN, NAN)),
    ("log(t) < 1", -1, (NAN, 0, 0)),
    ("1 < log(t)", -1, (NAN, 0, 0)),
    ("t < 0 and log(t)", -1, (NAN, 0, 0)),
    ("log(t) or t < 0", -1, (NAN, 0, 0)),
    ("not log(t)", -1, (NAN, 0, 0)),
    ("min(1, log(t))", -1, (NAN, NAN, NAN)),
    ("min(log(t), 1)", -1, (NAN, NAN, NAN)),
    ("max(1, log(t))", -1, (NAN, NAN, NAN)),
    ("max(log(t), 1)", -1, (NAN, NAN, NAN)),
]


@pytest.mark.parametrize("text, t, expected", CORNERS)
def test_corner(text: str, t: float, expected: tuple[float, float, float]):
    found = [float(part) for part in samples(text, t)]
    if math.isnan(expected[0]):
        assert math.isnan(found[0])
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_table_of_signals():
    texts = ["2", "-2*pi*t", "if(t < 1, sin(3*t), cos(t)*t^2)", "7 + t*5"]
    table = signal_table([compile_program(parse(text), {}) for text in texts])
    u, stack = np.full(3 * len(texts), np.nan), np.empty(table.stack_size)
    for t in (0.5, 1.5):
        evaluate_signals(table, t, u, stack)
        np.testing.assert_array_equal(u.reshape(-1, 3), [np.array(samples(text, t)) for text in texts])


def test_stack_is_as_large_as_needed():
    table = signal_table([compile_program(parse("t + (t + (t + t))"), {}), compile_program(parse("t"), {})])
    assert table.stack_size == 3 * 4
    u, stack = np.empty(6), np.append(np.empty(table.stack_size), 99.0)
    evaluate_signals(table, 1.0, u, stack)
    assert u.tolist() == [4, 4, 0, 1, 1, 0] and stack[-1] == 99.0


def test_equal_functions_share_a_table_and_the_cache_is_bounded():
    first = signal_table([compile_program(parse("sin(3*t)"), {})])
    assert signal_table([compile_program(parse("sin(3*t)"), {})]) is first
    for k in range(2 * MAX_CACHED_TABLES):
        assert float(evaluate_program(compile_program(parse(f"{k}+t"), {}), 0.5)[0]) == k + 0.5
    assert signal_table([compile_program(parse("sin(3*t)"), {})]) is not first


def test_no_signals():
    table = signal_table([])
    assert table.code.size == 0 and table.starts.tolist() == [0]
    beside = np.full(2, 7.0)
    evaluate_signals(table, 1.0, beside[:0], np.empty(table.stack_size))
    assert beside.tolist() == [7.0, 7.0]


def test_shape_of_times_is_kept():
    for t in (0.5, [0.1, 0.2], np.ones((2, 3)), []):
        assert [part.shape for part in samples("t^2", t)] == [np.shape(t)] * 3


@pytest.mark.parametrize(
    "code, constants",
    [
        ([], []),
        ([SignalOperation.ADD], []),
        ([SignalOperation.TIME, SignalOperation.TIME], []),
        ([SignalOperation.CONSTANT], []),
        ([SignalOperation.TIME], [1.0]),
        ([SignalOperation.TIME, SignalOperation.IF], []),
        ([SignalOperation.TIME, SignalOperation.SERIES], []),
    ],
)
def test_broken_programs_never_reach_the_evaluation(code: list[int], constants: list[float]):
    with pytest.raises(ValueError, match="not a postfix program"):
        signal_table([SignalProgram(np.array(code, np.int32), np.array(constants, float))])


def test_arity():
    counts = {
        op: arity(op)
        for op in (
            SignalOperation.CONSTANT,
            SignalOperation.TIME,
            SignalOperation.NEGATE,
            SignalOperation.SERIES,
            SignalOperation.ADD,
            SignalOperation.OR,
            SignalOperation.IF,
        )
    }
    assert list(counts.values()) == [0, 0, 1, 1, 2, 2, 3]


# splines -------------------------------------------------------------------------------------------------------------


def looked_up(function: SignalSpline, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return evaluate_program(
        SignalProgram(np.array([SignalOperation.TIME, SignalOperation.SERIES], np.int32), np.zeros(0), (function,)), t
    )


@pytest.mark.parametrize("periodic", [False, True])
def test_splines_are_those_of_scipy(periodic: bool):
    generator = np.random.default_rng(4)
    t = np.sort(generator.uniform(-1.0, 2.0, 57))
    y = generator.normal(size=57)
    y[-1] = y[0]
    exact = CubicSpline(t, y, bc_type="periodic" if periodic else "not-a-knot")
    times = np.concatenate((t[:-1], generator.uniform(t[0], t[-1], 1000)))
    for order, found in enumerate(looked_up(spline("f", t, y, periodic), times)):
        expected = exact(times, order)
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14 * np.abs(expected).max())


def test_a_periodic_spline_has_no_seam():
    t = np.linspace(0.3, 1.4, 12)
    function = spline("f", t, np.sin(2 * np.pi * (t - 0.3) / 1.1 + 0.5), periodic=True)
    assert function.period == pytest.approx(1.1)
    for turns in (-7, 0, 1, 250):
        seam = 0.3 + 1.1 * turns
        before, at, after = (np.array(looked_up(function, seam + dt)) for dt in (-1e-9, 0.0, 1e-9))
        np.testing.assert_allclose(before, at, atol=1e-6)  # 1e-9 of the third derivative, 200
        np.testing.assert_allclose(after, at, atol=1e-6)
        np.testing.assert_allclose(looked_up(function, seam + 0.4), looked_up(function, 0.7), atol=1e-9)


def test_outside_its_points():
    t = np.linspace(0.0, 1.0, 5)
    open_, held = spline("f", t, t**3), spline("f", t, t**3, hold=True)
    assert np.isnan(looked_up(open_, [-0.01, 1.01, math.nan])).all()
    # a time that is outside by rounding counts as inside; both ends belong to it
    np.testing.assert_allclose(looked_up(open_, [1.0, 1.0 + 4e-16]), np.array([[1, 3, 6]] * 2).T, rtol=1e-14)
    np.testing.assert_allclose(looked_up(open_, [0.0, -4e-16]), np.zeros((3, 2)), atol=1e-14)
    np.testing.assert_allclose(
        looked_up(held, [-5.0, 1.0, 1.1, 9.0]), [[0, 1, 1, 1], [0, 3, 0, 0], [0, 6, 0, 0]], atol=1e-14
    )
    assert np.isnan(looked_up(held, math.nan)[0])


def test_signals_share_their_splines():
    """Two signals with three calls of two splines, in the order of the code and not of the splines."""
    f, g = (spline(name, KNOTS, y) for name, y in (("f", KNOTS**2), ("g", 5 - KNOTS**3)))
    both = {"f": f, "g": g}
    table = signal_table(
        [compile_program(parse(text, series=both), {}, both) for text in ("g(t) - f(t)", "7*t", "2*g(t)")]
    )
    assert len(table.pieces) == len(f.pieces) + len(g.pieces) and table.lookups.tolist() == [0, 1, 0]
    u = np.empty(9)
    evaluate_signals(table, 0.7, u, np.empty(table.stack_size))
    value, slope, bend = 5 - 0.7**3, -3 * 0.7**2, -6 * 0.7
    expected = [value - 0.49, slope - 1.4, bend - 2, 4.9, 7, 0, 2 * value, 2 * slope, 2 * bend]
    np.testing.assert_allclose(u, expected, rtol=1e-13, atol=1e-13)


def test_programs_are_the_same_function_or_not():
    f, g = SERIES["cubic"], spline("cubic", KNOTS, KNOTS)
    same, again, other = (compile_program(parse("cubic(t)", series=SERIES), {}, {"cubic": s}) for s in (f, f, g))
    assert same.identity == again.identity and hash(same.identity) == hash(again.identity)
    assert same.identity != other.identity


def test_constants_need_no_operations():
    """The same values with and without an additional time-dependent signal, which selects another evaluation."""
    constants = [compile_program(parse(text), {}) for text in ("3", "0.5", "7")]
    moving = compile_program(parse("t^2"), {})
    tables = [signal_table(constants), signal_table([*constants, moving])]
    assert tables[0].evaluator != tables[1].evaluator
    for table in tables:
        u = np.full(12, np.nan)
        evaluate_signals(table, 2.0, u, np.empty(table.stack_size))
        np.testing.assert_array_equal(u[:9], [3.0, 0.0, 0.0, 0.5, 0.0, 0.0, 7.0, 0.0, 0.0])
