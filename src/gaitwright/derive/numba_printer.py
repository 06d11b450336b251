"""Forms to source text for Numba: powers as products, divisions and square roots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sympy import log
from sympy.printing.pycode import PythonCodePrinter

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_form import KernelForm
from gaitwright.derive.symbols import NamedExpression

LINE_COLUMNS, LOOP_INDENT_COLUMNS = 120, 8
"""Columns of a line, and of the indentation of the loop body."""


class NumbaPrinter(PythonCodePrinter):
    """Printer for Numba: SymPy would write x**(-1.0) and x**2.0, which cost a call of pow."""

    def __init__(self) -> None:
        super().__init__({"fully_qualified_modules": False})

    def _print_Rational(self, expr: Any) -> str:
        return f"{float(expr.p)!r} / {float(expr.q)!r}" if expr.q != 1 else f"{float(expr.p)!r}"

    def _print_Integer(self, expr: Any) -> str:
        return f"{float(expr)!r}"

    def _print_NumberSymbol(self, expr: Any) -> str:
        return repr(float(expr))  # the names pi and e may be quantities, and e is the loop over elements

    _print_Pi = _print_Exp1 = _print_NumberSymbol

    def _print_not_supported(self, expr: Any) -> str:
        raise ModelError(f"'{expr}' cannot be printed as a kernel", expected="functions of Python's math module")

    def _print_Half(self, expr: Any) -> str:
        return "0.5"

    def _print_Pow(self, expr: Any, **_: Any) -> str:
        base, exponent = expr.as_base_exp()
        text = self.parenthesize(base, 1000)
        if not exponent.is_number:
            return f"{text} ** {self.parenthesize(exponent, 1000)}"
        if exponent.is_negative:
            return f"(1.0 / {self._print_power(text, -exponent)})"
        return self._print_power(text, exponent)

    def _print_power(self, text: str, exponent: Any) -> str:
        integer, rest = divmod(float(exponent), 1.0)
        if integer > 4 or rest not in (0.0, 0.5):
            return f"{text} ** {float(exponent)!r}"
        factors = [text] * int(integer) + [f"sqrt({text})"] * int(2 * rest)
        return factors[0] if len(factors) == 1 else f"({' * '.join(factors)})"

    def _print_Mul(self, expr: Any) -> str:
        # a / b instead of a * (1 / b)
        numerator, denominator = expr.as_numer_denom()
        if denominator != 1 and not denominator.is_number:
            return f"{self.parenthesize(numerator, 50)} / {self.parenthesize(denominator, 1000)}"
        return super()._print_Mul(expr)

    def _print_Max(self, expr: Any) -> str:
        first, *rest = (self._print(arg) for arg in expr.args)
        return f"max({first}, {', '.join(rest)})" if rest else first

    def _print_Heaviside(self, expr: Any) -> str:
        return f"(1.0 if {self._print(expr.args[0])} > 0.0 else 0.0)"

    def _print_Wrapped(self, expr: Any) -> str:
        x, turn = self._print(expr.args[0]), 2.0 * math.pi
        return f"({x} - {turn!r} * floor(({x}) / {turn!r} + 0.5))"

    def _print_log(self, expr: Any) -> str:
        # log(1 + x) of a small x would lose the digits of x
        rest = expr.args[0] - 1
        one_plus = expr.args[0].is_Add and expr.args[0].args[0] == 1
        return f"log1p({self._print(rest)})" if one_plus else super()._print_log(expr)  # pyright: ignore

    def _print_PowerChange(self, expr: Any) -> str:
        x, p = expr.args
        return f"expm1({self.parenthesize(p, 50)} * {self._print(log(x))})"

    def _print_sign(self, expr: Any) -> str:
        x = self._print(expr.args[0])
        return f"(1.0 if {x} > 0.0 else (-1.0 if {x} < 0.0 else 0.0))"

    def _print_DiracDelta(self, expr: Any) -> str:
        # Derivative of a jump: the kernels are evaluated on either side of it, never on it.
        return "0.0"


def print_form(form: KernelForm) -> list[str]:
    """Return a form as a function for Numba: for every element it loads the inputs, computes and writes the outputs."""
    printer = NumbaPrinter()
    lines = [f"def {form.name}({', '.join(name for name, _ in form.arguments)}):"]
    body = [
        f"{symbol.name} = {printer.doprint(symbol.value) if isinstance(symbol, NamedExpression) else symbol.load}"
        for symbol in form.inputs
    ]
    body += [f"{name} = {printer.doprint(value)}" for name, value in form.shared]
    body += _print_assignments((target, how, str(printer.doprint(value))) for target, how, value in form.outputs)
    if not body:
        return [*lines, "    pass"]
    return [*lines, "    for e in range(count):", *(f"        {line}" for line in body)]


def _print_assignments(outputs: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return lines that write outputs; outputs with the same value are assigned together, as far as the line length
    allows."""
    lines: list[tuple[str, str, str]] = []
    last: dict[str, int] = {}
    for target, how, value in outputs:
        at = last.get(value, len(lines)) if how == "=" else len(lines)
        both = f"{lines[at][0]} = {target}" if at < len(lines) else ""
        if both and len(both) + len(value) + 3 + LOOP_INDENT_COLUMNS <= LINE_COLUMNS:
            lines[at] = (both, how, value)
            continue
        if how == "=":
            last[value] = len(lines)
        lines.append((target, how, value))
    return [" ".join(line) for line in lines]


def wrap_lines(begin: str, values: Sequence[str], end: str) -> list[str]:
    """Return a call or a tuple, in lines of at most LINE_COLUMNS columns."""
    margin = " " * (len(begin) - len(begin.lstrip()) + 4)
    lines = [begin, margin]
    for value in values:
        if len(lines[-1]) + len(value) > LINE_COLUMNS and lines[-1] != margin:
            lines.append(margin)
        lines[-1] += f"{'' if lines[-1] == margin else ' '}{value},"
    return [*lines, end]
