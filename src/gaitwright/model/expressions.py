"""Expressions of model files: `-2*pi*t`, `1.125*min(t, 4)`, `if(t < t_on, 0, F0*sin(omega*t))`, `knee(t)*pi/180` with
a series of the model.

Parsed by a separate small grammar and never passed to Python, so a model file cannot execute code.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.signals import SignalOperation, SignalProgram, arity, evaluate_program
from gaitwright.mechanism.splines import SignalSpline
from gaitwright.model.grammar import (
    BUILT_IN_NAMES,
    FUNCTIONS,
    IDENTIFIER_PATTERN,
    RESERVED_WORDS,
    Expression,
    SeriesLookup,
    clip_text,
    format_known_names,
    parse,
)

# Results of operations on numbers; `if`, `and`, `or` are short-circuited in _combine.
NUMERIC_OPERATIONS: dict[SignalOperation, Callable[..., float]] = {
    SignalOperation.NEGATE: operator.neg,
    SignalOperation.NOT: operator.not_,
    SignalOperation.ADD: operator.add,
    SignalOperation.SUBTRACT: operator.sub,
    SignalOperation.MULTIPLY: operator.mul,
    SignalOperation.DIVIDE: operator.truediv,
    SignalOperation.MODULO: operator.mod,
    SignalOperation.POWER: math.pow,
    SignalOperation.ABS: abs,
    SignalOperation.MIN: min,
    SignalOperation.MAX: max,
    SignalOperation.LESS: operator.lt,
    SignalOperation.LESS_EQUAL: operator.le,
    SignalOperation.GREATER: operator.gt,
    SignalOperation.GREATER_EQUAL: operator.ge,
    SignalOperation.EQUAL: operator.eq,
    SignalOperation.NOT_EQUAL: operator.ne,
    SignalOperation.AND: lambda _, y: y != 0.0,
    SignalOperation.OR: lambda _, y: y != 0.0,
} | {FUNCTIONS[name]: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}


def evaluate(
    expression: Expression, values: Mapping[str, float], series: Mapping[str, SignalSpline] | None = None
) -> float:
    """Number of an expression without time; ModelError if it depends on t."""
    if not expression.is_constant:
        raise ModelError("a value that does not change with time t is needed", value=clip_text(expression.text))
    try:
        return _evaluate_arithmetic(expression, values)
    except (KeyError, ArithmeticError):
        pass  # more than arithmetic, or an error: the slower general evaluation, with messages
    result = _fold(expression, values, series or {})
    assert isinstance(result, float)
    return result


_ARITHMETIC: dict[Any, Callable[[float, float], float]] = {
    SignalOperation.ADD: operator.add,
    SignalOperation.SUBTRACT: operator.sub,
    SignalOperation.MULTIPLY: operator.mul,
    SignalOperation.DIVIDE: operator.truediv,
}


def _evaluate_arithmetic(expression: Expression, values: Mapping[str, float]) -> float:
    """Fast evaluation of sums and products of numbers and parameters, such as most lengths and masses; used by sweeps."""
    stack: list[float] = []
    for item in expression.items:
        if type(item) is float:
            stack.append(item)
        elif type(item) is str:
            stack.append(values[item])
        else:
            last = stack.pop()
            stack[-1] = _ARITHMETIC[item](stack[-1], last)
    (result,) = stack
    if not math.isfinite(result):
        raise ArithmeticError
    return float(result)


def compile_program(
    expression: Expression, values: Mapping[str, float], series: Mapping[str, SignalSpline] | None = None
) -> SignalProgram:
    """Compile an expression to a function of time; parts independent of time are computed now."""
    return _as_program(_as_code(_fold(expression, values, series or {})))


def resolve_parameters(
    parameters: Mapping[str, float | str], series: Mapping[str, SignalSpline] | None = None
) -> dict[str, float]:
    """Values of all parameters. Each may be an expression of the others, in any order, but not circular."""
    return dict(_resolve_cached(tuple(parameters.items()), tuple((series or {}).values())))


@functools.lru_cache(maxsize=64)
def _resolve_cached(items: tuple[tuple[str, float | str], ...], splines: tuple[SignalSpline, ...]) -> dict[str, float]:
    """Cached, because one analysis needs the values several times: in reading, running and measuring."""
    context, parameters, series = ErrorContext("parameters"), dict(items), {spline.name: spline for spline in splines}
    for name in parameters:
        if not isinstance(name, str) or not IDENTIFIER_PATTERN.fullmatch(name):
            context.fail(f"{name!r} cannot name a parameter", expected="letters, digits and _, no digit first")
        if name in RESERVED_WORDS:
            context.fail(f"{name!r} has a meaning of its own in expressions", expected="another name")
        if name in series:
            context.fail(f"{name!r} is the name of a series too", expected="another name")
    expressions: dict[str, Expression] = {}
    for name, value in parameters.items():
        with _about_parameter(name):
            expressions[name] = parse(value, parameters, series)
    needs = {name: expression.names - {"t"} for name, expression in expressions.items()}
    values: dict[str, float] = {}
    try:
        for name in TopologicalSorter(needs).static_order():
            with _about_parameter(name):
                values[name] = evaluate(expressions[name], values, series)
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        context.fail(f"these depend on each other in a circle: {circle}")
    return {name: values[name] for name in parameters}


@contextmanager
def _about_parameter(name: str) -> Iterator[None]:
    """Add the name of the parameter to a ModelError of the body."""
    try:
        yield
    except ModelError as error:
        ErrorContext("parameters", name).fail(str(error))


# postfix to numbers --------------------------------------------------------------------------------------------------

_PostfixCode = tuple[
    list[int], list[float], list[SignalSpline]
]  # operations, constants, splines of a SignalProgram under construction
_StackEntry = (
    float | _PostfixCode | ModelError
)  # known now, known at time t, or an error (raised only if the entry is used)


def _fold(
    expression: Expression, values: Mapping[str, float], series: Mapping[str, SignalSpline]
) -> float | _PostfixCode:
    """Insert parameters and fold constants: a number, or code that still needs t."""
    stack: list[_StackEntry] = []
    for item in expression.items:
        if isinstance(item, SignalOperation):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_combine(item, arguments, expression.text))
        elif isinstance(item, SeriesLookup):
            stack.append(_look_up_series(item.name, stack.pop(), series, expression.text))
        elif item == "t":
            stack.append(([SignalOperation.TIME], [], []))
        elif isinstance(item, str):
            stack.append(_parameter_value(item, values, expression.text))
        else:
            stack.append(item)
    (result,) = stack
    if isinstance(result, ModelError):
        raise result
    return result


def _parameter_value(name: str, values: Mapping[str, float], text: str) -> float:
    if name not in values:
        expected = format_known_names(name, [*BUILT_IN_NAMES, *sorted(values)])
        raise ModelError(f"unknown name '{name}'", value=clip_text(text), expected=expected)
    if not math.isfinite(values[name]):
        raise ModelError(f"'{name}' is {values[name]}", value=clip_text(text), expected="a finite number")
    return float(values[name])


def _look_up_series(name: str, argument: _StackEntry, series: Mapping[str, SignalSpline], text: str) -> _StackEntry:
    if name not in series:
        raise ModelError(
            f"unknown function '{name}'",
            value=clip_text(text),
            expected=format_known_names(name, [*series, *FUNCTIONS]),
        )
    if isinstance(argument, ModelError):
        return argument
    ops, _, splines = code = _as_code(argument)
    ops.append(SignalOperation.SERIES)
    splines.append(series[name])
    if not isinstance(argument, float):
        return code
    value = float(evaluate_program(_as_program(code), 0.0)[0])
    if math.isfinite(value):
        return value
    expected = f"an argument from {series[name].start:.6g} to {series[name].end:.6g}"
    return ModelError(f"{name}({argument:.6g}) is outside the series", value=clip_text(text), expected=expected)


def _combine(op: SignalOperation, arguments: list[_StackEntry], text: str) -> _StackEntry:
    first = arguments[0]
    if isinstance(first, float):
        if op == SignalOperation.IF:
            return arguments[1] if first else arguments[2]
        if (op == SignalOperation.AND and not first) or (op == SignalOperation.OR and first):
            return float(first != 0.0)
    for argument in arguments:
        if isinstance(argument, ModelError):
            return argument
    numbers = [argument for argument in arguments if isinstance(argument, float)]
    if len(numbers) == len(arguments):
        return _compute(op, numbers, text)
    # The first argument's lists are extended in place: copying them would make a long sum quadratic.
    ops, constants, splines = _as_code(first)
    for argument in arguments[1:]:
        more_ops, more_constants, more_splines = _as_code(argument)
        ops += more_ops
        constants += more_constants
        splines += more_splines
    ops.append(op)
    return ops, constants, splines


def _compute(op: SignalOperation, numbers: list[float], text: str) -> float | ModelError:
    try:
        result = float(NUMERIC_OPERATIONS[op](*numbers))
    except (ValueError, ArithmeticError):
        result = math.nan
    if math.isfinite(result):
        return result
    if op in (SignalOperation.DIVIDE, SignalOperation.MODULO) and numbers[1] == 0.0:
        return ModelError("division by zero", value=clip_text(text))
    argument_text = ", ".join(f"{number:.6g}" for number in numbers)
    return ModelError(f"{op.name.lower()}({argument_text}) is not a finite number", value=clip_text(text))


def _as_code(entry: _StackEntry) -> _PostfixCode:
    assert not isinstance(entry, ModelError)
    return entry if isinstance(entry, tuple) else ([SignalOperation.CONSTANT], [entry], [])


def _as_program(code: _PostfixCode) -> SignalProgram:
    ops, constants, splines = code
    return SignalProgram(np.array(ops, dtype=np.int32), np.array(constants, dtype=np.float64), tuple(splines))
