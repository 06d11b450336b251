"""The grammar of expressions, from text to postfix order. Lowest to highest precedence:

    or | and | not | < <= > >= == != | + - | * / % | unary + - | ^ ** (right associative, so -2^2 = -4 and 2^3^2 = 512)

A unit behind a number belongs to it and binds tightest, as far as units go: 30 deg, 12 N/mm, 2*240 mm. It is then in SI.

Postfix rather than a tree: nothing below walks recursively, so a sum of a thousand terms is no deeper than one of two.
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

from gaitwright.errors import ModelError
from gaitwright.model.units import Dimension, near, unit_at
from gaitwright.system.signals import Op, arity

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

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<name>{IDENTIFIER.pattern})"
    r"|(?P<symbol>\*\*|[<>=!]=|[-+*/%^()<>,])"
)
OUTPUT_TOKEN = re.compile(TOKEN.pattern.replace(IDENTIFIER.pattern, r"[^\W\d]\w*(?:\.\w+)*|\{[^{}]*\}"))
"""Where outputs may be named: trunk.angle, and {knee-motor.torque} for what would be read as a difference."""
DECIMALS = re.compile(r"[0-9]+$|^[0-9]+")


@dataclass(frozen=True)
class Lookup:
    """The call of a series: takes one argument, as a function does."""

    name: str


_Item = float | str | Op | Lookup


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its text, and its numbers, names, operations and calls of series in postfix order. units: the
    places in `items` of numbers that were given with a unit, and its dimension."""

    text: str
    items: tuple[_Item, ...] = field(repr=False)
    units: tuple[tuple[int, Dimension], ...] = field(default=(), repr=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name whose value must be given, and 't' if time occurs."""
        return frozenset(item for item in self.items if isinstance(item, str))

    @property
    def is_constant(self) -> bool:
        """Whether the value is one number for all times once the parameters are known."""
        return "t" not in self.names


def parse(
    text: str | int | float,
    known: Iterable[str] | None = None,
    series: Collection[str] | None = (),
    outputs: bool = False,
) -> Expression:
    """Parse an expression or take a plain number. `known`, `series`: the allowed names of parameters and of series; None
    allows every name. outputs: names may be those of outputs, crank.torque."""
    if isinstance(text, str):
        allowed = None if known is None else frozenset(known)
        return _parsed(text, allowed, None if series is None else tuple(series), outputs)
    if isinstance(text, bool) or not isinstance(text, Real):
        raise ModelError(f"a number or an expression is needed, not {clip(repr(text))}")
    try:
        number = float(text)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ModelError("a finite number is needed", value=number)
    return Expression(str(text), (number,))


@lru_cache(maxsize=4096)
def _parsed(text: str, known: frozenset[str] | None, series: tuple[str, ...] | None, outputs: bool) -> Expression:
    """A model is read again for every variant and every frame of a drag, with the same expressions."""
    return _Parser(text, known, series, outputs).parse()


def at_time(text: str, time: str) -> str:
    """The text of an expression with another in place of the time t."""
    return TOKEN.sub(lambda token: f"({time})" if token["name"] == "t" else token[0], text)


class _Token(NamedTuple):
    kind: str  # number, name, symbol or end
    text: str
    column: int  # from 1


class _Parser:
    """Operator precedence (Pratt) parser with one token of look-ahead."""

    def __init__(self, text: str, known: frozenset[str] | None, series: Collection[str] | None, outputs: bool = False):
        self.text, self.known, self.series = text, known, series
        self.tokens = OUTPUT_TOKEN if outputs else TOKEN
        self.items: list[_Item] = []
        self.units: list[tuple[int, Dimension]] = []
        self.depth = -1
        self.end = 0  # of the current token

    def parse(self) -> Expression:
        if len(self.text) > MAX_LENGTH:
            problem = f"an expression of {len(self.text)} characters is too long"
            raise ModelError(problem, value=clip(self.text), expected=f"up to {MAX_LENGTH} characters")
        if not self.text.strip():
            raise ModelError("the expression is empty", expected="a number or an expression")
        self._advance()
        self._expression(OR)
        if self.token.kind != "end":
            self._left_over()
        return Expression(self.text.strip(), tuple(self.items), tuple(self.units))

    def _advance(self) -> None:
        while self.end < len(self.text) and self.text[self.end].isspace():
            self.end += 1
        match = self.tokens.match(self.text, self.end)
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
        found = unit_at(self.text, self.end)
        if found is not None:
            name = self.text[self.end : found.end].strip()
            if name in (self.known or ()):
                self._fail(
                    f"'{name}' is a unit, and a parameter of this model", token,
                    f"{token.text}*{name} for the product, or another name for the parameter",
                )  # fmt: skip
            number, self.end = found.unit.si(number), found.end
            if math.isinf(number):
                self._fail(f"the number {token.text} {name} is too large", token)
            self.units.append((len(self.items), found.unit.dimension))
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
            self._fail(f"unknown name '{name}'", token, choice(name, [*NAMES, *sorted(self.known)]))
        self.items.append(name)

    def _call(self, token: _Token) -> None:
        name = token.text
        if name in NAMES or name in (self.known or ()):
            self._fail(f"'{name}' is not a function", token, f"{name}*(...) for a product")
        if name not in FUNCTIONS and self.series is not None and name not in self.series:
            self._fail(f"unknown function '{name}'", token, choice(name, [*self.series, *FUNCTIONS]))
        op, count, opening = FUNCTIONS.get(name, Lookup(name)), 0, self.token
        while self.token.text == "," or not count:
            self._advance()
            self._expression(OR)
            count += 1
            if name in VARIADIC and count > 1:
                self.items.append(op)
        self._close(opening)
        if name in VARIADIC:
            return
        needed = 1 if isinstance(op, Lookup) else arity(op)
        if count != needed and name not in FUNCTIONS and self.series is None:
            expected = f"one argument, if it is a series, or one of {choice(name, list(FUNCTIONS))}"
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
        """What stands behind a whole expression: a comma in a number, what is no unit, a missing operator."""
        before = self.text[: self.token.column - 1].rstrip()
        after = self.text[self.token.column :]
        if self.token.text == "," and DECIMALS.search(before) and (digits := DECIMALS.match(after)):
            meant = f"{before}.{digits.group()}{after[digits.end() :]}"
            self._fail(
                "a comma is no decimal point", self.token, clip(meant) if "," not in meant else "decimals with a point"
            )
        if self.token.kind == "name" and DECIMALS.search(before):
            word = self.token.text
            self._unexpected(f"an operator such as * before it, or a unit such as mm, deg or GPa{near(word)}")
        starts_operand = self.token.kind in ("number", "name") or self.token.text == "("
        self._unexpected("an operator such as * before it" if starts_operand else "")

    def _unexpected(self, expected: str) -> NoReturn:
        if self.token.kind == "end":
            self._fail("the expression ends too early", self.token, expected)
        self._fail(f"unexpected {self.token.text!r}", self.token, expected)

    def _fail(self, problem: str, token: _Token, expected: str = "") -> NoReturn:
        shown = clip(self.text, token.column)
        raise ModelError(f"{problem} at column {token.column}", value=shown, expected=expected)


def clip(text: str, column: int = 1, width: int = 80) -> str:
    """The text, or of a long one the part around the column."""
    start = max(0, min(column - width // 2, len(text) - width))
    end = start + width
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")


def choice(name: str, known: list[str]) -> str:
    """`t, pi, a, b; did you mean 'b'?`, for the end of an error message."""
    listed = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
    lower = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), lower, n=1)
    return listed + (f"; did you mean '{lower[close[0]]}'?" if close else "")
