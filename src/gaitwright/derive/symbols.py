"""The symbols a declaration is derived with: each knows where a kernel loads it from, and its rate if it moves."""

from __future__ import annotations

import inspect
import keyword
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import sympy

from gaitwright.derive.interface import ARGUMENTS, OBSERVE
from gaitwright.errors import ModelError
from gaitwright.physics.declare import Choice, Declaration, Direction, Family, Number, Signal

TAKEN = {
    *(name for kernels in ARGUMENTS.values() for arguments in (*kernels.values(), OBSERVE) for name, _ in arguments),
    *keyword.kwlist, *dir(math), "e", "abs", "max", "min", "range",
}  # fmt: skip
"""Names that a printed kernel uses for itself; so are c0, c1, ... (shared subexpressions) and lam_0, ... (multipliers)."""


def printable(name: str) -> str:
    """The name of a quantity in a printed kernel: its own, unless the kernel uses that for something else."""
    return f"{name}_" if name in TAKEN or re.fullmatch(r"c\d+|lam_\d+", name) else name


class Quantity(sympy.Symbol):
    """A symbol with the piece of source that loads it, and its time derivative (another Quantity, or None)."""

    load: str
    rate: Any

    def __new__(cls, name: str, load: str, rate: Any = None) -> Quantity:
        symbol = sympy.Symbol.__new__(cls, name, real=True)
        symbol.load, symbol.rate = load, rate
        return symbol


class Symbols:
    """The coordinates, velocities, accelerations, parameters and signals of one element type on given body families."""

    def __init__(self, declaration: type[Declaration], families: Sequence[type[Family]]):
        self.q: list[Quantity] = []
        self.v: list[Quantity] = []
        self.a: list[Quantity] = []
        self.parameters: list[str] = []
        self.signals: list[str] = []
        self.values: list[Quantity] = []  # parameters, and signals without their rates
        self.loads: list[Quantity] = []
        self.arguments: dict[str, Any] = {}
        for (label, kind), family in zip(declaration.attachments.items(), families, strict=True):
            marker = family.markers[type(kind)]
            coordinates = [self._coordinate(f"{family.coordinates[i]}_{label}") for i in marker.coordinates]
            local = [self._parameter(f"{name}_{label}") for name in marker.parameters]
            self.arguments[label] = marker.build(*coordinates, *local)
        for name, parameter in declaration.parameters.items():
            self.arguments[name] = _SYMBOLS[type(parameter)](self, name, parameter)
        self._require_distinct(declaration)
        # The strides of the tables are only known now.
        for symbol in (*self.q, *self.v, *self.a, *self.loads):
            symbol.load = symbol.load.format(dofs=len(self.q), pars=len(self.parameters), sigs=len(self.signals))

    def _require_distinct(self, declaration: type[Declaration]) -> None:
        names = [symbol.name for symbol in (*self.q, *self.v, *self.a, *self.loads)]
        for name in names:
            if names.count(name) > 1:
                raise ModelError(
                    f"the name '{name}' stands for two quantities", element=describe(declaration),
                    expected="parameters named differently from coordinates (x_a) and from each other",
                )  # fmt: skip

    def require_known(self, declaration: type[Declaration], what: str, value: Any, allowed: Iterable[Any]) -> None:
        """ModelError if the expression `what` uses anything but the allowed quantities."""
        unknown = sorted(sympy.sympify(value).free_symbols - set(allowed), key=str)
        if not unknown:
            return
        if unknown[0] in self.v:
            problem, expected = "depends on velocities", "positions, parameters and functions of time alone"
        elif unknown[0] in self.loads:
            problem, expected = f"depends on the rate '{unknown[0]}'", "functions of time themselves, not their rates"
        else:
            problem = f"uses the unknown symbol '{unknown[0]}'"
            expected = f"attachments and parameters of the declaration ({', '.join(self.arguments)})"
        raise ModelError(f"{what} {problem}", element=describe(declaration), expected=expected)

    def _coordinate(self, name: str) -> Quantity:
        k = len(self.q)
        index = f"dof[{{dofs}} * e + {k}]"
        acceleration = Quantity(f"a_{name}", f"a[{index}]")
        velocity = Quantity(f"v_{name}", f"v[{index}]", acceleration)
        self.a.append(acceleration)
        self.v.append(velocity)
        self.q.append(Quantity(name, f"q[{index}]", velocity))
        return self.q[-1]

    def _parameter(self, name: str) -> Quantity:
        symbol = Quantity(printable(name), f"par[{{pars}} * e + {len(self.parameters)}]")
        self.parameters.append(name)
        self.values.append(symbol)
        self.loads.append(symbol)
        return symbol

    def _signal(self, name: str) -> Quantity:
        index = f"3 * sig[{{sigs}} * e + {len(self.signals)}]"
        second = Quantity(f"{name}_tt", f"u[{index} + 2]")
        first = Quantity(f"{name}_t", f"u[{index} + 1]", second)
        value = Quantity(printable(name), f"u[{index}]", first)
        self.signals.append(name)
        self.values.append(value)
        self.loads += [value, first, second]
        return value


def describe(declaration: type[Declaration]) -> str:
    kind = next(base.__name__ for base in declaration.__mro__[1:] if base.__module__ == Declaration.__module__)
    return f"{kind.lower()} type '{declaration.name}'"


def evaluate(declaration: type[Declaration], what: str, arguments: dict[str, Any]) -> Any:
    """Call the function `what` of a declaration with its symbols; ModelError if it does not take them."""
    function = getattr(declaration, what)
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as error:
        raise ModelError(
            f"{what}() does not fit: {error}", element=describe(declaration),
            expected=f"the arguments {', '.join(arguments)}",
        ) from None  # fmt: skip
    try:
        return function(**arguments)
    except NotImplementedError:
        raise ModelError(f"has no {what}()", element=describe(declaration), expected="its expression") from None


def parameter_names(name: str, parameter: Any) -> list[str]:
    """Names of the numbers behind a parameter or signal: a vector has two."""
    vector = isinstance(parameter, Direction) or getattr(parameter, "size", 1) == 2
    return [f"{name}_x", f"{name}_y"] if vector else [name]


def _number(symbols: Symbols, name: str, parameter: Any) -> Any:
    return symbols._parameter(name)


def _direction(symbols: Symbols, name: str, parameter: Any) -> Any:
    return tuple(symbols._parameter(part) for part in parameter_names(name, parameter))


def _time(symbols: Symbols, name: str, parameter: Any) -> Any:
    values = [symbols._signal(part) for part in parameter_names(name, parameter)]
    return tuple(values) if len(values) > 1 else values[0]


_SYMBOLS = {Number: _number, Choice: _number, Direction: _direction, Signal: _time}
