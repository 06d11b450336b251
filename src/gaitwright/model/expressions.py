"""The expressions of model files: `-2*pi*t`, `1.125*min(t, 4)`, `if(t < t_on, 0, F0*sin(omega*t))`, `knee(t)*pi/180` with
a series of the model.

Parsed by our own small grammar and never handed to Python, so a model file cannot execute anything.
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

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.model.grammar import FUNCTIONS, IDENTIFIER, NAMES, RESERVED, Expression, Lookup, choice, clip, parse
from gaitwright.system.signals import Op, Program, arity, evaluate_program
from gaitwright.system.splines import Spline

# What an operation gives on plain numbers; `if`, `and`, `or` look at their first argument before the others.
ON_NUMBERS: dict[Op, Callable[..., float]] = {
    Op.NEGATE: operator.neg,
    Op.NOT: operator.not_,
    Op.ADD: operator.add,
    Op.SUBTRACT: operator.sub,
    Op.MULTIPLY: operator.mul,
    Op.DIVIDE: operator.truediv,
    Op.MODULO: operator.mod,
    Op.POWER: math.pow,
    Op.ABS: abs,
    Op.MIN: min,
    Op.MAX: max,
    Op.LESS: operator.lt,
    Op.LESS_EQUAL: operator.le,
    Op.GREATER: operator.gt,
    Op.GREATER_EQUAL: operator.ge,
    Op.EQUAL: operator.eq,
    Op.NOT_EQUAL: operator.ne,
    Op.AND: lambda _, y: y != 0.0,
    Op.OR: lambda _, y: y != 0.0,
} | {FUNCTIONS[name]: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}


def evaluate(expression: Expression, values: Mapping[str, float], series: Mapping[str, Spline] | None = None) -> float:
    """The number that an expression without time stands for."""
    if not expression.is_constant:
        raise ModelError("a value that does not change with time t is needed", value=clip(expression.text))
    try:
        return _arithmetic(expression, values)
    except (KeyError, ArithmeticError):
        pass  # what is more than arithmetic, or goes wrong: slower, and with words
    result = _fold(expression, values, series or {})
    assert isinstance(result, float)
    return result


_ARITHMETIC: dict[Any, Callable[[float, float], float]] = {
    Op.ADD: operator.add,
    Op.SUBTRACT: operator.sub,
    Op.MULTIPLY: operator.mul,
    Op.DIVIDE: operator.truediv,
}


def _arithmetic(expression: Expression, values: Mapping[str, float]) -> float:
    """A sum or product of numbers and parameters, as most lengths and masses are: a sweep evaluates thousands of them."""
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


def program(expression: Expression, values: Mapping[str, float], series: Mapping[str, Spline] | None = None) -> Program:
    """The expression as a function of time; everything in it that does not depend on time is computed now."""
    return _as_program(_as_code(_fold(expression, values, series or {})))


def resolve_parameters(
    parameters: Mapping[str, float | str], series: Mapping[str, Spline] | None = None
) -> dict[str, float]:
    """Numbers for all parameters. Each may be an expression of the others, in any order, but not in a circle."""
    return dict(_resolve(tuple(parameters.items()), tuple((series or {}).values())))


@functools.lru_cache(maxsize=64)
def _resolve(given: tuple[tuple[str, float | str], ...], splines: tuple[Spline, ...]) -> dict[str, float]:
    """An analysis asks for them several times: when it is read, when it runs, when it is measured."""
    at, parameters, series = At("parameters"), dict(given), {spline.name: spline for spline in splines}
    for name in parameters:
        if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
            at.fail(f"{name!r} cannot name a parameter", expected="letters, digits and _, no digit first")
        if name in RESERVED:
            at.fail(f"{name!r} has a meaning of its own in expressions", expected="another name")
        if name in series:
            at.fail(f"{name!r} is the name of a series too", expected="another name")
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
        at.fail(f"these need each other in a circle: {circle}")
    return {name: values[name] for name in parameters}


@contextmanager
def _about_parameter(name: str) -> Iterator[None]:
    """A ModelError from within then says which parameter it is about."""
    try:
        yield
    except ModelError as error:
        At("parameters", name).fail(str(error))


# postfix to numbers --------------------------------------------------------------------------------------------------

_Code = tuple[list[int], list[float], list[Spline]]  # operations, constants, splines of a Program under construction
_Entry = float | _Code | ModelError  # known now, known at time t, or impossible (which matters only where it is used)


def _fold(expression: Expression, values: Mapping[str, float], series: Mapping[str, Spline]) -> float | _Code:
    """Insert the parameters and compute what can be computed: a number, or code that still needs t."""
    stack: list[_Entry] = []
    for item in expression.items:
        if isinstance(item, Op):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_combine(item, arguments, expression.text))
        elif isinstance(item, Lookup):
            stack.append(_looked_up(item.name, stack.pop(), series, expression.text))
        elif item == "t":
            stack.append(([Op.TIME], [], []))
        elif isinstance(item, str):
            stack.append(_value(item, values, expression.text))
        else:
            stack.append(item)
    (result,) = stack
    if isinstance(result, ModelError):
        raise result
    return result


def _value(name: str, values: Mapping[str, float], text: str) -> float:
    if name not in values:
        expected = choice(name, [*NAMES, *sorted(values)])
        raise ModelError(f"unknown name '{name}'", value=clip(text), expected=expected)
    if not math.isfinite(values[name]):
        raise ModelError(f"'{name}' is {values[name]}", value=clip(text), expected="a finite number")
    return float(values[name])


def _looked_up(name: str, argument: _Entry, series: Mapping[str, Spline], text: str) -> _Entry:
    if name not in series:
        raise ModelError(f"unknown function '{name}'", value=clip(text), expected=choice(name, [*series, *FUNCTIONS]))
    if isinstance(argument, ModelError):
        return argument
    ops, _, splines = code = _as_code(argument)
    ops.append(Op.SERIES)
    splines.append(series[name])
    if not isinstance(argument, float):
        return code
    value = float(evaluate_program(_as_program(code), 0.0)[0])
    if math.isfinite(value):
        return value
    expected = f"an argument from {series[name].start:.6g} to {series[name].end:.6g}"
    return ModelError(f"{name}({argument:.6g}) is outside the series", value=clip(text), expected=expected)


def _combine(op: Op, arguments: list[_Entry], text: str) -> _Entry:
    first = arguments[0]
    if isinstance(first, float):
        if op == Op.IF:
            return arguments[1] if first else arguments[2]
        if (op == Op.AND and not first) or (op == Op.OR and first):
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


def _compute(op: Op, numbers: list[float], text: str) -> float | ModelError:
    try:
        result = float(ON_NUMBERS[op](*numbers))
    except (ValueError, ArithmeticError):
        result = math.nan
    if math.isfinite(result):
        return result
    if op in (Op.DIVIDE, Op.MODULO) and numbers[1] == 0.0:
        return ModelError("division by zero", value=clip(text))
    shown = ", ".join(f"{number:.6g}" for number in numbers)
    return ModelError(f"{op.name.lower()}({shown}) is not a finite number", value=clip(text))


def _as_code(entry: _Entry) -> _Code:
    assert not isinstance(entry, ModelError)
    return entry if isinstance(entry, tuple) else ([Op.CONSTANT], [entry], [])


def _as_program(code: _Code) -> Program:
    ops, constants, splines = code
    return Program(np.array(ops, dtype=np.int32), np.array(constants, dtype=np.float64), tuple(splines))
