"""Symbols for the derivation of a declaration: each has the source text that loads it, and its rate if it moves."""

from __future__ import annotations

import inspect
import keyword
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import sympy

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS, OBSERVE_ARGUMENTS
from gaitwright.physics.bodies.place_marker import find_marker_kind
from gaitwright.physics.bodies.spatial import SpatialMarker
from gaitwright.physics.declarations import Declaration, Family, Number
from gaitwright.physics.parameters import VECTOR_PARAMETERS, Choice, Components, ComputedVector, Direction, Signal
from gaitwright.physics.symbolic import rate

RESERVED_NAMES = {
    *(
        name
        for kernels in KERNEL_ARGUMENTS.values()
        for arguments in (*kernels.values(), OBSERVE_ARGUMENTS)
        for name, _ in arguments
    ),
    *keyword.kwlist,
    *dir(math),
    "e",
    "abs",
    "max",
    "min",
    "range",
}
"""Names that a generated kernel uses itself; so are c0, c1, ... (shared subexpressions), l0, ... (named functions of
coordinates) and lam_0, ... (multipliers)."""


def printable_name(name: str) -> str:
    """Name of a quantity in a generated kernel: its own, unless the kernel uses that for something else."""
    return f"{name}_" if name in RESERVED_NAMES or re.fullmatch(r"c\d+|lam_\d+|([va]_)?l\d+", name) else name


class QuantitySymbol(sympy.Symbol):
    """Symbol with the source text that loads it, and its time derivative (another QuantitySymbol, or None)."""

    load: str
    rate: Any

    def __new__(cls, name: str, load: str, rate: Any = None) -> Any:
        symbol = sympy.Symbol.__new__(cls, name, real=True)
        symbol.load, symbol.rate = load, rate
        return symbol


class NamedExpression(QuantitySymbol):
    """Named function of coordinates (and velocities) that keeps expressions short: a point of a spatial body, which is linear
    in its coordinates, or an angle about an axis."""

    value: Any


class ElementSymbols:
    """Coordinates, velocities, accelerations, parameters and signals of one element type on given body families. After the
    expressions of a declaration have been evaluated, `settle` sets the source text that loads each of them."""

    def __init__(self, declaration: type[Declaration], families: Sequence[type[Family]], dimension: int | None = None):
        self.q: list[QuantitySymbol] = []
        self.v: list[QuantitySymbol] = []
        self.a: list[QuantitySymbol] = []
        self.parameters: list[str] = []
        self.signals: list[str] = []
        self.values: list[QuantitySymbol] = []  # parameters, and signals without their rates
        self.loads: list[QuantitySymbol] = []
        self.arguments: dict[str, Any] = {}
        self.named: dict[
            Any, list[NamedExpression]
        ] = {}  # by its expression: a function, its rate, and what its second rate needs
        self.leading: dict[Any, Any] = {}  # by function: the part of its second rate that is linear in accelerations
        self.slopes: dict[tuple[Any, Any], Any] = {}
        self.dimension = dimension or (families[0].dimension if families else 2)
        self._attach(declaration, families)
        for name, parameter in declaration.parameters.items():
            self.arguments[name] = _SYMBOL_MAKERS[type(parameter)](self, name, parameter)
        self._require_distinct(declaration)

    def _attach(self, declaration: type[Declaration], families: Sequence[type[Family]]) -> None:
        """Add the markers of the attachments, as functions of the coordinates of their bodies."""
        for (label, kind), family in zip(declaration.attachments.items(), families, strict=True):
            marker = find_marker_kind(declaration, kind, family)
            coordinates = [self._coordinate(f"{family.coordinates[i]}_{label}") for i in marker.coordinates]
            local = [self._parameter(f"{name}_{label}") for name in marker.parameters]
            self.arguments[label] = self._with_names(marker.build(*coordinates, *local))

    def settle(self, expressions: Iterable[Any], observed: Iterable[Any] = ()) -> None:
        """Set the source text of all symbols. All expressions must be known, because the strides of the tables count the
        symbols in use."""
        for k, (q, v, a) in enumerate(zip(self.q, self.v, self.a, strict=True)):
            index = f"dof[{len(self.q)} * e + {k}]"
            q.load, v.load, a.load = f"q[{index}]", f"v[{index}]", f"a[{index}]"
        for symbol in self.loads:
            symbol.load = symbol.load.format(pars=len(self.parameters), sigs=len(self.signals))

    @property
    def constants(self) -> list[QuantitySymbol]:
        """Parameters that do not depend on time."""
        return [symbol for symbol in self.values if symbol.rate is None]

    @property
    def positions(self) -> list[QuantitySymbol]:
        return [*self.q, *(names[0] for names in self.named.values())]

    @property
    def velocities(self) -> list[QuantitySymbol]:
        return [*self.v, *(names[1] for names in self.named.values())]

    @property
    def everything(self) -> list[QuantitySymbol]:
        """All symbols, in the order in which a kernel can load them."""
        return [*self.q, *self.v, *self.a, *self.loads, *(name for names in self.named.values() for name in names)]

    def diff(self, expression: Any, symbol: Any, *further: Any) -> Any:
        """Return the derivative in coordinates or velocities, including that through named expressions."""
        inner = sorted((s for s in expression.free_symbols if isinstance(s, NamedExpression)), key=lambda s: s.name)
        if not inner:
            return expression.diff(symbol, *further)
        slopes = ((name, self._slope(name, symbol)) for name in inner)
        derivative = sum(
            (expression.diff(name) * slope for name, slope in slopes if slope != 0), expression.diff(symbol)
        )
        return self.diff(derivative, *further) if further else derivative

    def _slope(self, name: NamedExpression, symbol: Any) -> Any:
        if (name, symbol) not in self.slopes:
            self.slopes[name, symbol] = self.diff(name.value, symbol)
        return self.slopes[name, symbol]

    def shortened(self, expression: Any) -> Any:
        """Return the expression with names for parts that can be computed separately."""
        return expression

    def definitions(self) -> list[str]:
        """Return the lines of a kernel module that define its coordinates, if these are not those of bodies."""
        return []

    def _with_names(self, marker: Any) -> Any:
        """Return the marker of a spatial body with names for the parts of its expressions."""
        if not isinstance(marker, SpatialMarker):
            return marker
        return marker._replace(position=tuple(self._name(part) for part in marker.position), named=self._name)

    def _name(self, value: Any) -> Any:
        """Return a name for a function of coordinates."""
        value = sympy.sympify(value)
        if value not in self.named:
            k, moving = len(self.named), sorted((s for s in value.free_symbols if getattr(s, "rate", None)), key=str)
            y, v = NamedExpression(f"l{k}", ""), NamedExpression(f"v_l{k}", "")
            y.value, y.rate = value, v
            v.value = rate(value)
            if all(s in self.q for s in moving) and not any(value.diff(s).free_symbols & set(self.q) for s in moving):
                rest = NamedExpression(f"a_l{k}", "")  # linear: the whole acceleration
                rest.value = v.rate = rate(v.value)
                self.leading[y] = v.rate = rest
            else:
                rest = NamedExpression(f"g_l{k}", "")  # the part due to velocities
                still = {a: 0 for a in (*self.a, *self.leading.values()) if isinstance(a, QuantitySymbol)}
                rest.value = sympy.sympify(rate(v.value)).subs(still)
                bodies = [s for s in moving if s in self.q or s in self.leading]  # without the signals
                self.leading[y] = sum(value.diff(s) * self.leading.get(s, s.rate.rate) for s in bodies)
                v.rate = self.leading[y] + rest
            self.named[value] = [y, v, rest]
        return self.named[value][0]

    def at_rest(self, expression: Any, velocities: bool) -> Any:
        """Return the expression without accelerations, or without velocities: the part due to time alone remains."""
        if not velocities:
            names = [*self.a, *(n[2] for n in self.named.values() if n[2].name[0] == "a")]
            return expression.subs({symbol: 0 for symbol in names})
        still: dict[Any, Any] = {v: 0 for v in self.v}
        for _, v, _ in self.named.values():  # in the order of their dependence
            still[v] = sympy.sympify(v.value).subs(still)
        return expression.subs(still)

    def _require_distinct(self, declaration: type[Declaration]) -> None:
        names = [symbol.name for symbol in (*self.q, *self.v, *self.a, *self.loads)]
        for name in names:
            if names.count(name) > 1:
                raise ModelError(
                    f"the name '{name}' stands for two quantities", element=describe_declaration(declaration),
                    expected="parameters named differently from coordinates (x_a) and from each other",
                )  # fmt: skip

    def require_known(
        self, declaration: type[Declaration], description: str, value: Any, allowed: Iterable[Any]
    ) -> None:
        """Raise ModelError if an expression uses anything but the allowed quantities."""
        unknown = sorted(sympy.sympify(value).free_symbols - set(allowed), key=str)
        if not unknown:
            return
        if unknown[0] in self.velocities:
            problem, expected = "depends on velocities", "positions, parameters and functions of time alone"
        elif unknown[0] in self.loads:
            problem, expected = f"depends on the rate '{unknown[0]}'", "functions of time themselves, not their rates"
        else:
            problem = f"uses the unknown symbol '{unknown[0]}'"
            expected = f"attachments and parameters of the declaration ({', '.join(self.arguments)})"
        raise ModelError(f"{description} {problem}", element=describe_declaration(declaration), expected=expected)

    def _coordinate(self, name: str) -> QuantitySymbol:
        acceleration = QuantitySymbol(f"a_{name}", "")
        velocity = QuantitySymbol(f"v_{name}", "", acceleration)
        self.a.append(acceleration)
        self.v.append(velocity)
        self.q.append(QuantitySymbol(name, "", velocity))
        return self.q[-1]

    def _parameter(self, name: str) -> QuantitySymbol:
        symbol = QuantitySymbol(printable_name(name), f"par[{{pars}} * e + {len(self.parameters)}]")
        self.parameters.append(name)
        self.values.append(symbol)
        self.loads.append(symbol)
        return symbol

    def _signal(self, name: str) -> QuantitySymbol:
        index = f"3 * sig[{{sigs}} * e + {len(self.signals)}]"
        second = QuantitySymbol(f"{name}_tt", f"u[{index} + 2]")
        first = QuantitySymbol(f"{name}_t", f"u[{index} + 1]", second)
        value = QuantitySymbol(printable_name(name), f"u[{index}]", first)
        self.signals.append(name)
        self.values.append(value)
        self.loads += [value, first, second]
        return value


def describe_declaration(declaration: type[Declaration]) -> str:
    """Name of a declaration for messages."""
    kind = next(base.__name__ for base in declaration.__mro__[1:] if base.__module__ == Declaration.__module__)
    return f"{kind.lower()} type '{declaration.name}'"


def call_declaration(declaration: type[Declaration], function_name: str, arguments: dict[str, Any]) -> Any:
    """Call the function `function_name` of a declaration with its symbols; raise ModelError if it does not accept them."""
    function = getattr(declaration, function_name)
    try:
        inspect.signature(function).bind(**arguments)
    except TypeError as error:
        raise ModelError(
            f"{function_name}() does not fit: {error}", element=describe_declaration(declaration),
            expected=f"the arguments {', '.join(arguments)}",
        ) from None  # fmt: skip
    try:
        return function(**arguments)
    except NotImplementedError:
        raise ModelError(
            f"has no {function_name}()", element=describe_declaration(declaration), expected="its expression"
        ) from None


def parameter_names(name: str, parameter: Any, dimension: int) -> list[str]:
    """Names of the numbers of a parameter or signal: a vector has one per dimension."""
    vector = isinstance(parameter, VECTOR_PARAMETERS) or getattr(parameter, "vector", False)
    parts = "xyz"[:dimension] if vector else getattr(parameter, "parts", ())
    return [f"{name}_{part}" for part in parts] or [name]


def _number_symbol(symbols: ElementSymbols, name: str, parameter: Any) -> Any:
    return symbols._parameter(name)


def _vector_symbols(symbols: ElementSymbols, name: str, parameter: Any) -> Any:
    return tuple(symbols._parameter(part) for part in parameter_names(name, parameter, symbols.dimension))


def _signal_symbols(symbols: ElementSymbols, name: str, parameter: Any) -> Any:
    values = [symbols._signal(part) for part in parameter_names(name, parameter, symbols.dimension)]
    return tuple(values) if len(values) > 1 else values[0]


_SYMBOL_MAKERS = {
    Number: _number_symbol,
    Choice: _number_symbol,
    Components: _vector_symbols,
    Direction: _vector_symbols,
    ComputedVector: _vector_symbols,
    Signal: _signal_symbols,
}
