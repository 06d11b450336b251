"""Grammar of expressions, from text to postfix order. Lowest to highest precedence:

    or | and | not | < <= > >= == != | + - | * / % | unary + - | ^ ** (right associative, so -2^2 = -4 and 2^3^2 = 512)

A unit after a number belongs to it and binds tightest, as long as units follow: 30 deg, 12 N/mm, 2*240 mm; the number is
converted to SI.

Postfix instead of a tree: later code is not recursive, so a sum of a thousand terms is no deeper than one of two.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from numbers import Real
from typing import NamedTuple, NoReturn

from gaitwright._core.errors import ModelError
from gaitwright.mechanism.signals import SignalOperation, arity
from gaitwright.model.units import Dimension, parse_unit_at, unit_suggestion

MAX_EXPRESSION_CHARACTERS = 10_000
MAX_NESTING_DEPTH = 100  # open parentheses, signs and right operands inside one another

CONSTANTS = {"pi": math.pi}
FUNCTION_NAMES = "sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log abs min max if"
FUNCTIONS = {name: SignalOperation[name.upper()] for name in FUNCTION_NAMES.split()}
VARIADIC = {"min", "max"}
WORD_OPERATORS = {"and", "or", "not"}
BUILT_IN_NAMES = ("t", *CONSTANTS)
RESERVED_WORDS = {*BUILT_IN_NAMES, *FUNCTIONS, *WORD_OPERATORS}

(
    OR_PRECEDENCE,
    AND_PRECEDENCE,
    NOT_PRECEDENCE,
    COMPARISON_PRECEDENCE,
    SUM_PRECEDENCE,
    PRODUCT_PRECEDENCE,
    SIGN_PRECEDENCE,
    POWER_PRECEDENCE,
) = range(1, 9)
INFIX_OPERATORS = {
    "or": (OR_PRECEDENCE, SignalOperation.OR),
    "and": (AND_PRECEDENCE, SignalOperation.AND),
    "<": (COMPARISON_PRECEDENCE, SignalOperation.LESS),
    "<=": (COMPARISON_PRECEDENCE, SignalOperation.LESS_EQUAL),
    ">": (COMPARISON_PRECEDENCE, SignalOperation.GREATER),
    ">=": (COMPARISON_PRECEDENCE, SignalOperation.GREATER_EQUAL),
    "==": (COMPARISON_PRECEDENCE, SignalOperation.EQUAL),
    "!=": (COMPARISON_PRECEDENCE, SignalOperation.NOT_EQUAL),
    "+": (SUM_PRECEDENCE, SignalOperation.ADD),
    "-": (SUM_PRECEDENCE, SignalOperation.SUBTRACT),
    "*": (PRODUCT_PRECEDENCE, SignalOperation.MULTIPLY),
    "/": (PRODUCT_PRECEDENCE, SignalOperation.DIVIDE),
    "%": (PRODUCT_PRECEDENCE, SignalOperation.MODULO),
    "^": (POWER_PRECEDENCE, SignalOperation.POWER),
    "**": (POWER_PRECEDENCE, SignalOperation.POWER),
}

IDENTIFIER_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKEN_PATTERN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<name>{IDENTIFIER_PATTERN.pattern})"
    r"|(?P<symbol>\*\*|[<>=!]=|[-+*/%^()<>,])"
)
OUTPUT_TOKEN_PATTERN = re.compile(
    TOKEN_PATTERN.pattern.replace(IDENTIFIER_PATTERN.pattern, r"[^\W\d]\w*(?:\.\w+)*|\{[^{}]*\}")
)
"""Tokens where outputs may be named: trunk.angle, and {knee-motor.torque}, which would otherwise be a difference."""
EDGE_DIGITS_PATTERN = re.compile(r"[0-9]+$|^[0-9]+")


@dataclass(frozen=True)
class SeriesLookup:
    """Call of a series with one argument."""

    name: str


_ExpressionItem = float | str | SignalOperation | SeriesLookup


@dataclass(frozen=True)
class Expression:
    """Parsed expression: its text, and its numbers, names, operations and series calls in postfix order. units: index in
    `items` and dimension of each number given with a unit."""

    text: str
    items: tuple[_ExpressionItem, ...] = field(repr=False)
    units: tuple[tuple[int, Dimension], ...] = field(default=(), repr=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """All names whose values are needed, and 't' if time occurs."""
        return frozenset(item for item in self.items if isinstance(item, str))

    @property
    def is_constant(self) -> bool:
        """True if the value does not depend on time."""
        return "t" not in self.names


def parse(
    text: str | int | float,
    known: Iterable[str] | None = None,
    series: Collection[str] | None = (),
    outputs: bool = False,
) -> Expression:
    """Parse an expression or accept a plain number. known, series: allowed names of parameters and of series; None
    allows every name. outputs: if True, names may be those of outputs, such as crank.torque. Raises ModelError."""
    if isinstance(text, str):
        allowed = None if known is None else frozenset(known)
        return _parse_cached(text, allowed, None if series is None else tuple(series), outputs)
    if isinstance(text, bool) or not isinstance(text, Real):
        raise ModelError(f"a number or an expression is needed, not {clip_text(repr(text))}")
    try:
        number = float(text)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ModelError("a finite number is needed", value=number)
    return Expression(str(text), (number,))


@lru_cache(maxsize=4096)
def _parse_cached(text: str, known: frozenset[str] | None, series: tuple[str, ...] | None, outputs: bool) -> Expression:
    """Cached, because a model is read again for every variant and every frame of a drag, with the same expressions."""
    return _Parser(text, known, series, outputs).parse()


def substitute_time(text: str, time: str) -> str:
    """Text of an expression with another expression in place of the time t."""
    return TOKEN_PATTERN.sub(lambda token: f"({time})" if token["name"] == "t" else token[0], text)


class _Token(NamedTuple):
    kind: str  # number, name, symbol or end
    text: str
    column: int  # from 1


class _Parser:
    """Operator precedence (Pratt) parser with one token of look-ahead."""

    def __init__(self, text: str, known: frozenset[str] | None, series: Collection[str] | None, outputs: bool = False):
        self.text, self.known, self.series = text, known, series
        self.tokens = OUTPUT_TOKEN_PATTERN if outputs else TOKEN_PATTERN
        self.items: list[_ExpressionItem] = []
        self.units: list[tuple[int, Dimension]] = []
        self.depth = -1
        self.end = 0  # end of the current token

    def parse(self) -> Expression:
        if len(self.text) > MAX_EXPRESSION_CHARACTERS:
            problem = f"an expression of {len(self.text)} characters is too long"
            raise ModelError(
                problem, value=clip_text(self.text), expected=f"up to {MAX_EXPRESSION_CHARACTERS} characters"
            )
        if not self.text.strip():
            raise ModelError("the expression is empty", expected="a number or an expression")
        self._advance()
        self._expression(OR_PRECEDENCE)
        if self.token.kind != "end":
            self._left_over()
        return Expression(self.text.strip(), tuple(self.items), tuple(self.units))

    def _advance(self) -> None:
        while self.end < len(self.text) and self.text[self.end].isspace():
            self.end += 1
        match = self.tokens.match(self.text, self.end)
        self.token = _Token("end", "", self.end + 1)
        if match:
            kind = match.lastgroup if match.group() not in WORD_OPERATORS else "symbol"
            self.token = _Token(kind or "", match.group(), self.end + 1)
            self.end = match.end()
        elif self.end < len(self.text):
            self.token = _Token("character", self.text[self.end], self.end + 1)

    def _expression(self, minimum: int) -> None:
        """Parse as far as operators bind at least as tightly as `minimum`."""
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            self._fail(f"nested deeper than {MAX_NESTING_DEPTH} levels", self.token)
        self._operand(minimum)
        compared = False
        while self.token.text in INFIX_OPERATORS:
            level, op = INFIX_OPERATORS[self.token.text]
            if level < minimum:
                break
            if compared and level == COMPARISON_PRECEDENCE:
                self._unexpected("'and' between two comparisons, as in a < b and b < c")
            compared = level == COMPARISON_PRECEDENCE
            self._advance()
            self._expression(SIGN_PRECEDENCE if level == POWER_PRECEDENCE else level + 1)
            self.items.append(op)
        self.depth -= 1

    def _operand(self, minimum: int) -> None:
        token = self.token
        if token.kind == "number":
            self._number(token)
            self._advance()
        elif token.kind == "name":
            self._advance()
            if self.token.text == "(":
                self._call(token)
            else:
                self._name(token)
        elif token.text == "(":
            self._advance()
            self._expression(OR_PRECEDENCE)
            self._close(token)
        elif token.text in ("+", "-"):
            self._advance()
            self._expression(SIGN_PRECEDENCE)
            if token.text == "-":
                self.items.append(SignalOperation.NEGATE)
        elif token.text == "not" and minimum <= NOT_PRECEDENCE:
            self._advance()
            self._expression(NOT_PRECEDENCE)
            self.items.append(SignalOperation.NOT)
        else:
            self._unexpected("a number, a name or '('")

    def _number(self, token: _Token) -> None:
        number = float(token.text)
        if math.isinf(number):
            self._fail(f"the number {token.text} is too large", token)
        match = parse_unit_at(self.text, self.end)
        if match is not None:
            name = self.text[self.end : match.end].strip()
            if name in (self.known or ()):
                self._fail(
                    f"'{name}' is a unit, and a parameter of this model", token,
                    f"{token.text}*{name} for the product, or another name for the parameter",
                )  # fmt: skip
            number, self.end = match.unit.si(number), match.end
            if math.isinf(number):
                self._fail(f"the number {token.text} {name} is too large", token)
            self.units.append((len(self.items), match.unit.dimension))
        self.items.append(number)

    def _name(self, token: _Token) -> None:
        name = token.text.strip("{}").strip()
        if name in CONSTANTS:
            self.items.append(CONSTANTS[name])
            return
        if name in FUNCTIONS:
            self._fail(f"the function '{name}' has no arguments", token, f"{name}(...)")
        if name in (self.series or ()):
            self._fail(f"the series '{name}' has no argument", token, f"{name}(t)")
        if name != "t" and self.known is not None and name not in self.known:
            self._fail(
                f"unknown name '{name}'", token, format_known_names(name, [*BUILT_IN_NAMES, *sorted(self.known)])
            )
        self.items.append(name)

    def _call(self, token: _Token) -> None:
        name = token.text
        if name in BUILT_IN_NAMES or name in (self.known or ()):
            self._fail(f"'{name}' is not a function", token, f"{name}*(...) for a product")
        if name not in FUNCTIONS and self.series is not None and name not in self.series:
            self._fail(f"unknown function '{name}'", token, format_known_names(name, [*self.series, *FUNCTIONS]))
        op, count, opening = FUNCTIONS.get(name, SeriesLookup(name)), 0, self.token
        while self.token.text == "," or not count:
            self._advance()
            self._expression(OR_PRECEDENCE)
            count += 1
            if name in VARIADIC and count > 1:
                self.items.append(op)
        self._close(opening)
        if name in VARIADIC:
            return
        needed = 1 if isinstance(op, SeriesLookup) else arity(op)
        if count != needed and name not in FUNCTIONS and self.series is None:
            expected = f"one argument, if it is a series, or one of {format_known_names(name, list(FUNCTIONS))}"
            self._fail(f"unknown function '{name}' of {count} arguments", token, expected)
        if count != needed:
            self._fail(f"'{name}' takes {needed} argument{'s' if needed > 1 else ''}, not {count}", token)
        self.items.append(op)

    def _close(self, opening: _Token) -> None:
        if self.token.kind == "end":
            self._fail("'(' is never closed", opening)
        if self.token.text != ")":
            self._unexpected("an operator or ')'")
        self._advance()

    def _left_over(self) -> NoReturn:
        """Raise the error for text after a complete expression: a decimal comma, an unknown unit or a missing operator."""
        before = self.text[: self.token.column - 1].rstrip()
        after = self.text[self.token.column :]
        if (
            self.token.text == ","
            and EDGE_DIGITS_PATTERN.search(before)
            and (digits := EDGE_DIGITS_PATTERN.match(after))
        ):
            corrected = f"{before}.{digits.group()}{after[digits.end() :]}"
            self._fail(
                "a comma is no decimal point",
                self.token,
                clip_text(corrected) if "," not in corrected else "decimals with a point",
            )
        if self.token.kind == "name" and EDGE_DIGITS_PATTERN.search(before):
            word = self.token.text
            self._unexpected(
                f"an operator such as * before it, or a unit such as mm, deg or GPa{unit_suggestion(word)}"
            )
        starts_operand = self.token.kind in ("number", "name") or self.token.text == "("
        self._unexpected("an operator such as * before it" if starts_operand else "")

    def _unexpected(self, expected: str) -> NoReturn:
        if self.token.kind == "end":
            self._fail("the expression ends too early", self.token, expected)
        self._fail(f"unexpected {self.token.text!r}", self.token, expected)

    def _fail(self, problem: str, token: _Token, expected: str = "") -> NoReturn:
        excerpt = clip_text(self.text, token.column)
        raise ModelError(f"{problem} at column {token.column}", value=excerpt, expected=expected)


def clip_text(text: str, column: int = 1, width: int = 80) -> str:
    """Text, or the part of a long text around the column."""
    start = max(0, min(column - width // 2, len(text) - width))
    end = start + width
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")


def format_known_names(name: str, known: list[str]) -> str:
    """`t, pi, a, b; did you mean 'b'?`, for the end of an error message."""
    listed = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
    lower = {candidate.lower(): candidate for candidate in known}
    similar = difflib.get_close_matches(name.lower(), lower, n=1)
    return listed + (f"; did you mean '{lower[similar[0]]}'?" if similar else "")
