"""The symbols a declaration is derived with: each knows where a kernel loads it from, and its rate if it moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from gaitwright.physics.declare import Choice, Declaration, Direction, Family, Number, Signal


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
        self.loads: list[Quantity] = []
        self.arguments: dict[str, Any] = {}
        for (label, kind), family in zip(declaration.attachments.items(), families, strict=True):
            marker = family.markers[type(kind)]
            coordinates = [self._coordinate(f"{family.coordinates[i]}_{label}") for i in marker.coordinates]
            local = [self._parameter(f"{name}_{label}") for name in marker.parameters]
            self.arguments[label] = marker.build(*coordinates, *local)
        for name, parameter in declaration.parameters.items():
            self.arguments[name] = _SYMBOLS[type(parameter)](self, name, parameter)
        # The strides of the tables are only known now.
        for symbol in (*self.q, *self.v, *self.a, *self.loads):
            symbol.load = symbol.load.format(dofs=len(self.q), pars=len(self.parameters), sigs=len(self.signals))

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
        symbol = Quantity(name, f"par[{{pars}} * e + {len(self.parameters)}]")
        self.parameters.append(name)
        self.loads.append(symbol)
        return symbol

    def _signal(self, name: str) -> Quantity:
        index = f"3 * sig[{{sigs}} * e + {len(self.signals)}]"
        second = Quantity(f"{name}_tt", f"u[{index} + 2]")
        first = Quantity(f"{name}_t", f"u[{index} + 1]", second)
        value = Quantity(name, f"u[{index}]", first)
        self.signals.append(name)
        self.loads += [value, first, second]
        return value


def parameter_names(name: str, parameter: Any) -> list[str]:
    """Names of the numbers behind a parameter or signal: a vector has two."""
    vector = isinstance(parameter, Direction) or getattr(parameter, "size", 1) == 2
    return [f"{name}_x", f"{name}_y"] if vector else [name]


def _number(symbols: Symbols, name: str, parameter: Any) -> Any:
    return symbols._parameter(name)


def _direction(symbols: Symbols, name: str, parameter: Any) -> Any:
    return tuple(symbols._parameter(part) for part in parameter_names(name, parameter))


def _time(symbols: Symbols, name: str, parameter: Any) -> Any:
    values = tuple(symbols._signal(part) for part in parameter_names(name, parameter))
    return values if len(values) > 1 else values[0]


_SYMBOLS = {Number: _number, Choice: _number, Direction: _direction, Signal: _time}
