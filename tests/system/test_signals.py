"""Signals: value and two time derivatives of every operation against SymPy, and the corners IEEE numbers have."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

from gaitwright.model.expressions import parse, program
from gaitwright.system.signals import Op, Program, arity, evaluate_program, evaluate_signals, signal_table

T = sp.Symbol("t", real=True)
TIMES = np.array([0.13, 0.4, 0.77, 1.9])


class Steps(sp.floor):
    """floor, with the slope that it has between its jumps; SymPy leaves the derivative of floor open."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.Integer(0)


# Every operation at least once; inner functions are curved, so that the chain rule's second term counts.
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
]


def samples(text: str, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return evaluate_program(program(parse(text), {}), t)


@pytest.mark.parametrize("text, expression", DIFFERENTIATED, ids=[text for text, _ in DIFFERENTIATED])
def test_against_sympy(text: str, expression: sp.Expr):
    for order, found in enumerate(samples(text, TIMES)):
        derivative = sp.sympify(expression).diff(T, order).doit()
        expected = [float(derivative.subs(T, sp.Float(float(t), 30)).doit().evalf(30)) for t in TIMES]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=f"derivative {order}")


def test_every_operation_is_in_the_table():
    used = {op for text, _ in DIFFERENTIATED for op in program(parse(text), {}).code.tolist()}
    assert used == set(Op)


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
    # an argument that stands still
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
    # the branch left aside does not leak, NaN elsewhere is not lost
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
    table = signal_table([program(parse(text), {}) for text in texts])
    u, stack = np.full(3 * len(texts), np.nan), np.empty(table.stack_size)
    for t in (0.5, 1.5):
        evaluate_signals(table, t, u, stack)
        np.testing.assert_array_equal(u.reshape(-1, 3), [np.array(samples(text, t)) for text in texts])


def test_stack_is_as_large_as_needed():
    table = signal_table([program(parse("t + (t + (t + t))"), {}), program(parse("t"), {})])
    assert table.stack_size == 3 * 4
    u, stack = np.empty(6), np.append(np.empty(table.stack_size), 99.0)
    evaluate_signals(table, 1.0, u, stack)
    assert u.tolist() == [4, 4, 0, 1, 1, 0] and stack[-1] == 99.0


def test_no_signals():
    table = signal_table([])
    evaluate_signals(table, 1.0, np.empty(0), np.empty(table.stack_size))


def test_shape_of_times_is_kept():
    for t in (0.5, [0.1, 0.2], np.ones((2, 3)), []):
        assert [part.shape for part in samples("t^2", t)] == [np.shape(t)] * 3


@pytest.mark.parametrize(
    "code, constants",
    [
        ([], []),
        ([Op.ADD], []),
        ([Op.TIME, Op.TIME], []),
        ([Op.CONSTANT], []),
        ([Op.TIME], [1.0]),
        ([Op.TIME, Op.IF], []),
    ],
)
def test_broken_programs_never_reach_the_evaluation(code: list[int], constants: list[float]):
    with pytest.raises(ValueError, match="not a postfix program"):
        signal_table([Program(np.array(code, np.int32), np.array(constants, float))])


def test_arity():
    counts = {op: arity(op) for op in (Op.CONSTANT, Op.TIME, Op.NEGATE, Op.TANH, Op.ADD, Op.OR, Op.IF)}
    assert list(counts.values()) == [0, 0, 1, 1, 2, 2, 3]
