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
from gaitwright.physics.bodies.spatial import SpatialMarker
from gaitwright.physics.bodies.still import marker_of
from gaitwright.physics.declare import (
    VECTORS,
    Choice,
    Components,
    Computed,
    Declaration,
    Direction,
    Family,
    Number,
    Signal,
)
from gaitwright.physics.symbolic import rate

TAKEN = {
    *(name for kernels in ARGUMENTS.values() for arguments in (*kernels.values(), OBSERVE) for name, _ in arguments),
    *keyword.kwlist, *dir(math), "e", "abs", "max", "min", "range",
}  # fmt: skip
"""Names that a printed kernel uses for itself; so are c0, c1, ... (shared subexpressions), l0, ... (functions of
coordinates with a name) and lam_0, ... (multipliers)."""


def printable(name: str) -> str:
    """The name of a quantity in a printed kernel: its own, unless the kernel uses that for something else."""
    return f"{name}_" if name in TAKEN or re.fullmatch(r"c\d+|lam_\d+|([va]_)?l\d+", name) else name


class Quantity(sympy.Symbol):
    """A symbol with the piece of source that loads it, and its time derivative (another Quantity, or None)."""

    load: str
    rate: Any

    def __new__(cls, name: str, load: str, rate: Any = None) -> Any:
        symbol = sympy.Symbol.__new__(cls, name, real=True)
        symbol.load, symbol.rate = load, rate
        return symbol


class Named(Quantity):
    """A function of coordinates (and velocities) with a name of its own, in terms of which expressions stay short: a point
    of a spatial body, which is linear in its coordinates, or an angle about an axis."""

    value: Any


class Symbols:
    """The coordinates, velocities, accelerations, parameters and signals of one element type on given body families. After
    the expressions of a declaration have been evaluated, `settle` says where all of it is loaded from."""

    def __init__(self, declaration: type[Declaration], families: Sequence[type[Family]], dimension: int | None = None):
        self.q: list[Quantity] = []
        self.v: list[Quantity] = []
        self.a: list[Quantity] = []
        self.parameters: list[str] = []
        self.signals: list[str] = []
        self.values: list[Quantity] = []  # parameters, and signals without their rates
        self.loads: list[Quantity] = []
        self.arguments: dict[str, Any] = {}
        self.named: dict[
            Any, list[Named]
        ] = {}  # by its expression: a function, its rate, and what its second rate needs
        self.leading: dict[Any, Any] = {}  # by function: the part of its second rate that is linear in accelerations
        self.slopes: dict[tuple[Any, Any], Any] = {}
        self.dimension = dimension or (families[0].dimension if families else 2)
        self._attach(declaration, families)
        for name, parameter in declaration.parameters.items():
            self.arguments[name] = _SYMBOLS[type(parameter)](self, name, parameter)
        self._require_distinct(declaration)

    def _attach(self, declaration: type[Declaration], families: Sequence[type[Family]]) -> None:
        """What the attachments offer, as functions of the coordinates of their bodies."""
        for (label, kind), family in zip(declaration.attachments.items(), families, strict=True):
            marker = marker_of(declaration, kind, family)
            coordinates = [self._coordinate(f"{family.coordinates[i]}_{label}") for i in marker.coordinates]
            local = [self._parameter(f"{name}_{label}") for name in marker.parameters]
            self.arguments[label] = self._with_names(marker.build(*coordinates, *local))

    def settle(self, expressions: Iterable[Any], observed: Iterable[Any] = ()) -> None:
        """Where kernels load everything from, known once all expressions are: the strides of the tables count what is used."""
        for k, (q, v, a) in enumerate(zip(self.q, self.v, self.a, strict=True)):
            index = f"dof[{len(self.q)} * e + {k}]"
            q.load, v.load, a.load = f"q[{index}]", f"v[{index}]", f"a[{index}]"
        for symbol in self.loads:
            symbol.load = symbol.load.format(pars=len(self.parameters), sigs=len(self.signals))

    @property
    def constants(self) -> list[Quantity]:
        """The parameters that do not depend on time."""
        return [symbol for symbol in self.values if symbol.rate is None]

    @property
    def positions(self) -> list[Quantity]:
        return [*self.q, *(names[0] for names in self.named.values())]

    @property
    def velocities(self) -> list[Quantity]:
        return [*self.v, *(names[1] for names in self.named.values())]

    @property
    def everything(self) -> list[Quantity]:
        """In the order in which a kernel can load it."""
        return [*self.q, *self.v, *self.a, *self.loads, *(name for names in self.named.values() for name in names)]

    def diff(self, expression: Any, symbol: Any, *more: Any) -> Any:
        """Derivative in coordinates or velocities, also through what has a name of its own."""
        inner = sorted((s for s in expression.free_symbols if isinstance(s, Named)), key=lambda s: s.name)
        if not inner:
            return expression.diff(symbol, *more)
        slopes = ((name, self._slope(name, symbol)) for name in inner)
        found = sum((expression.diff(name) * slope for name, slope in slopes if slope != 0), expression.diff(symbol))
        return self.diff(found, *more) if more else found

    def _slope(self, name: Named, symbol: Any) -> Any:
        if (name, symbol) not in self.slopes:
            self.slopes[name, symbol] = self.diff(name.value, symbol)
        return self.slopes[name, symbol]

    def shortened(self, expression: Any) -> Any:
        """The same, with a name for what can be computed apart."""
        return expression

    def definitions(self) -> list[str]:
        """Lines of a kernel module that say what its coordinates are, where these are not those of bodies."""
        return []

    def _with_names(self, marker: Any) -> Any:
        """The marker of a spatial body, with names for what expressions are made of."""
        if not isinstance(marker, SpatialMarker):
            return marker
        return marker._replace(position=tuple(self._name(part) for part in marker.position), named=self._name)

    def _name(self, value: Any) -> Any:
        """A name for a function of coordinates."""
        value = sympy.sympify(value)
        if value not in self.named:
            k, moving = len(self.named), sorted((s for s in value.free_symbols if getattr(s, "rate", None)), key=str)
            y, v = Named(f"l{k}", ""), Named(f"v_l{k}", "")
            y.value, y.rate = value, v
            v.value = rate(value)
            if all(s in self.q for s in moving) and not any(value.diff(s).free_symbols & set(self.q) for s in moving):
                rest = Named(f"a_l{k}", "")  # linear: the acceleration as a whole
                rest.value = v.rate = rate(v.value)
                self.leading[y] = v.rate = rest
            else:
                rest = Named(f"g_l{k}", "")  # the part of it that velocities cause
                still = {a: 0 for a in (*self.a, *self.leading.values()) if isinstance(a, Quantity)}
                rest.value = sympy.sympify(rate(v.value)).subs(still)
                bodies = [s for s in moving if s in self.q or s in self.leading]  # not the signals
                self.leading[y] = sum(value.diff(s) * self.leading.get(s, s.rate.rate) for s in bodies)
                v.rate = self.leading[y] + rest
            self.named[value] = [y, v, rest]
        return self.named[value][0]

    def at_rest(self, expression: Any, velocities: bool) -> Any:
        """The expression without accelerations, or without velocities: what time alone causes stays."""
        if not velocities:
            names = [*self.a, *(n[2] for n in self.named.values() if n[2].name[0] == "a")]
            return expression.subs({symbol: 0 for symbol in names})
        still: dict[Any, Any] = {v: 0 for v in self.v}
        for _, v, _ in self.named.values():  # in the order in which they are made of each other
            still[v] = sympy.sympify(v.value).subs(still)
        return expression.subs(still)

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
        if unknown[0] in self.velocities:
            problem, expected = "depends on velocities", "positions, parameters and functions of time alone"
        elif unknown[0] in self.loads:
            problem, expected = f"depends on the rate '{unknown[0]}'", "functions of time themselves, not their rates"
        else:
            problem = f"uses the unknown symbol '{unknown[0]}'"
            expected = f"attachments and parameters of the declaration ({', '.join(self.arguments)})"
        raise ModelError(f"{what} {problem}", element=describe(declaration), expected=expected)

    def _coordinate(self, name: str) -> Quantity:
        acceleration = Quantity(f"a_{name}", "")
        velocity = Quantity(f"v_{name}", "", acceleration)
        self.a.append(acceleration)
        self.v.append(velocity)
        self.q.append(Quantity(name, "", velocity))
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


def parameter_names(name: str, parameter: Any, dimension: int) -> list[str]:
    """Names of the numbers behind a parameter or signal: a vector has one per dimension."""
    vector = isinstance(parameter, VECTORS) or getattr(parameter, "vector", False)
    parts = "xyz"[:dimension] if vector else getattr(parameter, "parts", ())
    return [f"{name}_{part}" for part in parts] or [name]


def _number(symbols: Symbols, name: str, parameter: Any) -> Any:
    return symbols._parameter(name)


def _vector(symbols: Symbols, name: str, parameter: Any) -> Any:
    return tuple(symbols._parameter(part) for part in parameter_names(name, parameter, symbols.dimension))


def _time(symbols: Symbols, name: str, parameter: Any) -> Any:
    values = [symbols._signal(part) for part in parameter_names(name, parameter, symbols.dimension)]
    return tuple(values) if len(values) > 1 else values[0]


_SYMBOLS = {
    Number: _number, Choice: _number, Components: _vector, Direction: _vector, Computed: _vector, Signal: _time,
}  # fmt: skip
