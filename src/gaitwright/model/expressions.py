"""The expressions of model files: `-2*pi*t`, `1.125*min(t, 4)`, `if(t < t_on, 0, F0*sin(omega*t))`.

Parsed by our own small grammar into postfix order and never handed to Python, so a model file cannot execute anything.
Lowest to highest precedence:

    or | and | not | < <= > >= == != | + - | * / % | unary + - | ^ ** (right associative, so -2^2 = -4 and 2^3^2 = 512)

Postfix rather than a tree: nothing below walks recursively, so a sum of a thousand terms is no deeper than one of two.
"""

from __future__ import annotations

import difflib
import functools
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from numbers import Real
from typing import Any, NamedTuple, NoReturn

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.system.signals import Op, Program, arity

MAX_LENGTH = 10_000  # characters
MAX_DEPTH = 100  # open parentheses, signs and right operands inside one another

CONSTANTS = {"pi": math.pi}
FUNCTION_NAMES = "sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log abs min max if"
FUNCTIONS = {name: Op[name.upper()] for name in FUNCTION_NAMES.split()}
VARIADIC = {"min", "max"}
WORDS = {"and", "or", "not"}
NAMES = ("t", *CONSTANTS)
RESERVED = {*NAMES, *FUNCTIONS, *WORDS}

OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER = range(1, 9)
INFIX = {
    "or": (OR, Op.OR),
    "and": (AND, Op.AND),
    "<": (COMPARISON, Op.LESS),
    "<=": (COMPARISON, Op.LESS_EQUAL),
    ">": (COMPARISON, Op.GREATER),
    ">=": (COMPARISON, Op.GREATER_EQUAL),
    "==": (COMPARISON, Op.EQUAL),
    "!=": (COMPARISON, Op.NOT_EQUAL),
    "+": (SUM, Op.ADD),
    "-": (SUM, Op.SUBTRACT),
    "*": (PRODUCT, Op.MULTIPLY),
    "/": (PRODUCT, Op.DIVIDE),
    "%": (PRODUCT, Op.MODULO),
    "^": (POWER, Op.POWER),
    "**": (POWER, Op.POWER),
}

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

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<name>{IDENTIFIER.pattern})"
    r"|(?P<symbol>\*\*|[<>=!]=|[-+*/%^()<>,])"
)


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its text, and its numbers, names and operations in postfix order."""

    text: str
    items: tuple[float | str | Op, ...] = field(repr=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name whose value must be given, and 't' if time occurs."""
        return frozenset(item for item in self.items if isinstance(item, str))

    @property
    def is_constant(self) -> bool:
        """Whether the value is one number for all times once the parameters are known."""
        return "t" not in self.names


def parse(text: str | int | float, known: Iterable[str] | None = None) -> Expression:
    """Parse an expression or take a plain number. `known`: the allowed parameter names; None allows every name."""
    if isinstance(text, str):
        return _Parser(text, None if known is None else frozenset(known)).parse()
    if isinstance(text, bool) or not isinstance(text, Real):
        raise ModelError(f"a number or an expression is needed, not {_clip(repr(text))}")
    try:
        number = float(text)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ModelError("a finite number is needed", value=number)
    return Expression(str(text), (number,))


def evaluate(expression: Expression, values: Mapping[str, float]) -> float:
    """The number that an expression without time stands for."""
    if not expression.is_constant:
        raise ModelError("a value that does not change with time t is needed", value=_clip(expression.text))
    try:
        return _arithmetic(expression, values)
    except (KeyError, ArithmeticError):
        pass  # what is more than arithmetic, or goes wrong: slower, and with words
    result = _fold(expression, values)
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


def program(expression: Expression, values: Mapping[str, float]) -> Program:
    """The expression as a function of time; everything in it that does not depend on time is computed now."""
    ops, numbers = _as_code(_fold(expression, values))
    return Program(np.array(ops, dtype=np.int32), np.array(numbers, dtype=np.float64))


def resolve_parameters(parameters: Mapping[str, float | str]) -> dict[str, float]:
    """Numbers for all parameters. Each may be an expression of the others, in any order, but not in a circle."""
    return dict(_resolve(tuple(parameters.items())))


@functools.lru_cache(maxsize=64)
def _resolve(given: tuple[tuple[str, float | str], ...]) -> dict[str, float]:
    """An analysis asks for them several times: when it is read, when it runs, when it is measured."""
    parameters = dict(given)
    for name in parameters:
        if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
            problem = f"{name!r} cannot name a parameter"
            raise ModelError(problem, element="parameters", expected="letters, digits and _, no digit first")
        if name in RESERVED:
            problem = f"{name!r} has a meaning of its own in expressions"
            raise ModelError(problem, element="parameters", expected="another name")
    expressions: dict[str, Expression] = {}
    for name, value in parameters.items():
        with _about_parameter(name):
            expressions[name] = parse(value, parameters)
    needs = {name: expression.names - {"t"} for name, expression in expressions.items()}
    values: dict[str, float] = {}
    try:
        for name in TopologicalSorter(needs).static_order():
            with _about_parameter(name):
                values[name] = evaluate(expressions[name], values)
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise ModelError(f"these need each other in a circle: {circle}", element="parameters") from None
    return {name: values[name] for name in parameters}


@contextmanager
def _about_parameter(name: str) -> Iterator[None]:
    """A ModelError from within then says which parameter it is about."""
    try:
        yield
    except ModelError as error:
        raise ModelError(str(error), element="parameters", field=name) from None


# ---------------------------------------------------------------------------------------------------- text to postfix


class _Token(NamedTuple):
    kind: str  # number, name, symbol or end
    text: str
    column: int  # from 1


class _Parser:
    """Operator precedence (Pratt) parser with one token of look-ahead."""

    def __init__(self, text: str, known: frozenset[str] | None):
        self.text, self.known = text, known
        self.items: list[float | str | Op] = []
        self.depth = -1
        self.end = 0  # of the current token

    def parse(self) -> Expression:
        if len(self.text) > MAX_LENGTH:
            problem = f"an expression of {len(self.text)} characters is too long"
            raise ModelError(problem, value=_clip(self.text), expected=f"up to {MAX_LENGTH} characters")
        if not self.text.strip():
            raise ModelError("the expression is empty", expected="a number or an expression")
        self._advance()
        self._expression(OR)
        if self.token.kind != "end":
            starts_operand = self.token.kind in ("number", "name") or self.token.text == "("
            self._unexpected("an operator such as * before it" if starts_operand else "")
        return Expression(self.text.strip(), tuple(self.items))

    def _advance(self) -> None:
        while self.end < len(self.text) and self.text[self.end].isspace():
            self.end += 1
        match = TOKEN.match(self.text, self.end)
        self.token = _Token("end", "", self.end + 1)
        if match:
            kind = match.lastgroup if match.group() not in WORDS else "symbol"
            self.token = _Token(kind or "", match.group(), self.end + 1)
            self.end = match.end()
        elif self.end < len(self.text):
            self.token = _Token("character", self.text[self.end], self.end + 1)

    def _expression(self, minimum: int) -> None:
        """Everything from here on that binds at least as tightly as `minimum`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self._fail(f"nested deeper than {MAX_DEPTH} levels", self.token)
        self._operand(minimum)
        compared = False
        while self.token.text in INFIX:
            level, op = INFIX[self.token.text]
            if level < minimum:
                break
            if compared and level == COMPARISON:
                self._unexpected("'and' between two comparisons, as in a < b and b < c")
            compared = level == COMPARISON
            self._advance()
            self._expression(SIGN if level == POWER else level + 1)
            self.items.append(op)
        self.depth -= 1

    def _operand(self, minimum: int) -> None:
        token = self.token
        if token.kind == "number":
            self._advance()
            self._number(token)
        elif token.kind == "name":
            self._advance()
            if self.token.text == "(":
                self._call(token)
            else:
                self._name(token)
        elif token.text == "(":
            self._advance()
            self._expression(OR)
            self._close(token)
        elif token.text in ("+", "-"):
            self._advance()
            self._expression(SIGN)
            if token.text == "-":
                self.items.append(Op.NEGATE)
        elif token.text == "not" and minimum <= NOT:
            self._advance()
            self._expression(NOT)
            self.items.append(Op.NOT)
        else:
            self._unexpected("a number, a name or '('")

    def _number(self, token: _Token) -> None:
        number = float(token.text)
        if math.isinf(number):
            self._fail(f"the number {token.text} is too large", token)
        self.items.append(number)

    def _name(self, token: _Token) -> None:
        name = token.text
        if name in CONSTANTS:
            self.items.append(CONSTANTS[name])
            return
        if name in FUNCTIONS:
            self._fail(f"the function '{name}' has no arguments", token, f"{name}(...)")
        if name != "t" and self.known is not None and name not in self.known:
            self._fail(f"unknown name '{name}'", token, _choice(name, [*NAMES, *sorted(self.known)]))
        self.items.append(name)

    def _call(self, token: _Token) -> None:
        name = token.text
        if name in NAMES or name in (self.known or ()):
            self._fail(f"'{name}' is not a function", token, f"{name}*(...) for a product")
        if name not in FUNCTIONS:
            self._fail(f"unknown function '{name}'", token, _choice(name, list(FUNCTIONS)))
        op, count, opening = FUNCTIONS[name], 0, self.token
        while self.token.text == "," or not count:
            self._advance()
            self._expression(OR)
            count += 1
            if name in VARIADIC and count > 1:
                self.items.append(op)
        self._close(opening)
        if name in VARIADIC:
            return
        if count != arity(op):
            self._fail(f"'{name}' takes {arity(op)} argument{'s' if arity(op) > 1 else ''}, not {count}", token)
        self.items.append(op)

    def _close(self, opening: _Token) -> None:
        if self.token.kind == "end":
            self._fail("'(' is never closed", opening)
        if self.token.text != ")":
            self._unexpected("an operator or ')'")
        self._advance()

    def _unexpected(self, expected: str) -> NoReturn:
        if self.token.kind == "end":
            self._fail("the expression ends too early", self.token, expected)
        self._fail(f"unexpected {self.token.text!r}", self.token, expected)

    def _fail(self, problem: str, token: _Token, expected: str = "") -> NoReturn:
        shown = _clip(self.text, token.column)
        raise ModelError(f"{problem} at column {token.column}", value=shown, expected=expected)


def _clip(text: str, column: int = 1, width: int = 80) -> str:
    """The text, or of a long one the part around the column."""
    start = max(0, min(column - width // 2, len(text) - width))
    end = start + width
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")


def _choice(name: str, known: list[str]) -> str:
    """`t, pi, a, b; did you mean 'b'?`, for the end of an error message."""
    listed = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
    lower = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), lower, n=1)
    return listed + (f"; did you mean '{lower[close[0]]}'?" if close else "")


# ------------------------------------------------------------------------------------------------- postfix to numbers

_Code = tuple[list[int], list[float]]  # operations and constants of a Program under construction
_Entry = float | _Code | ModelError  # known now, known at time t, or impossible (which matters only where it is used)


def _fold(expression: Expression, values: Mapping[str, float]) -> float | _Code:
    """Insert the parameters and compute what can be computed: a number, or code that still needs t."""
    stack: list[_Entry] = []
    for item in expression.items:
        if isinstance(item, Op):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_combine(item, arguments, expression.text))
        elif item == "t":
            stack.append(([Op.TIME], []))
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
        expected = _choice(name, [*NAMES, *sorted(values)])
        raise ModelError(f"unknown name '{name}'", value=_clip(text), expected=expected)
    if not math.isfinite(values[name]):
        raise ModelError(f"'{name}' is {values[name]}", value=_clip(text), expected="a finite number")
    return float(values[name])


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
    ops, constants = _as_code(first)
    for argument in arguments[1:]:
        more_ops, more_constants = _as_code(argument)
        ops += more_ops
        constants += more_constants
    ops.append(op)
    return ops, constants


def _compute(op: Op, numbers: list[float], text: str) -> float | ModelError:
    try:
        result = float(ON_NUMBERS[op](*numbers))
    except (ValueError, ArithmeticError):
        result = math.nan
    if math.isfinite(result):
        return result
    if op in (Op.DIVIDE, Op.MODULO) and numbers[1] == 0.0:
        return ModelError("division by zero", value=_clip(text))
    shown = ", ".join(f"{number:.6g}" for number in numbers)
    return ModelError(f"{op.name.lower()}({shown}) is not a finite number", value=_clip(text))


def _as_code(entry: _Entry) -> _Code:
    assert not isinstance(entry, ModelError)
    return entry if isinstance(entry, tuple) else ([Op.CONSTANT], [entry])
