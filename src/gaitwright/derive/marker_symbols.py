"""Symbols of elements in marker variables: derived once, for all kinds of bodies that they connect.

A marker provides a position, axes, or the travel of a joint. An element on such markers is a function of a few variables y:
the components of positions and axes, of directions fixed in a body (an axis turned by parameters), and named scalar products
of these. Each family of bodies defines its variables in terms of its coordinates q; mechanism/marker_chain.py combines both:

    Phi_q = Phi_y y_q        Q = y_q^T F        ...

A kernel module defines its variables in VARIABLES, in the order in which its functions take them in place of coordinates; the
motion depends on the first ACTING of them, the others are for observed quantities. Its function `position` gives the
residual, too.

    ("position", attachment, k)                 component k of the position
    ("between", from, to, k)                    that of the position of `to` minus that of `from`
    ("axis", attachment, m, k)                  component k of axis m
    ("direction", attachment, (p0, p1, ...), k) sum of parameter p_m times axis m, component k
    ("travel", attachment)                      of a counter
    ("quadratic", constant, ((factor, i, j), ...))   constant + sum of factor y_i y_j; j = -1: factor y_i
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy

from gaitwright.derive.kernel_library import DeformationBasis, DerivationBasis, MarkerBasis, PlacedBasis
from gaitwright.derive.numba_printer import wrap_lines
from gaitwright.derive.symbols import ElementSymbols, NamedExpression, QuantitySymbol
from gaitwright.physics.declarations import Declaration, Family
from gaitwright.physics.symbolic import atan2, dot, sqrt

NO_SECOND_FACTOR = -1
"""Index used for a product without second factor."""


def make_symbols(declaration: type[Declaration], basis: DerivationBasis) -> ElementSymbols:
    """Create the symbols of a declaration, on coordinates of bodies or on variables of markers."""
    assert not isinstance(basis, PlacedBasis | DeformationBasis)
    return MarkerSymbols(declaration, basis) if isinstance(basis, MarkerBasis) else ElementSymbols(declaration, basis)


class MarkerSymbols(ElementSymbols):
    """Symbols with marker variables as coordinates, created when expressions first use them."""

    def __init__(self, declaration: type[Declaration], markers: MarkerBasis):
        self.meaning: dict[Any, tuple[Any, ...]] = {}
        self.known: dict[Any, QuantitySymbol] = {}
        self.markers = markers
        super().__init__(declaration, ())

    def _attach(self, declaration: type[Declaration], families: Sequence[type[Family]]) -> None:
        self.dimension = self.markers.dimension
        for number, (label, kind) in enumerate(declaration.attachments.items()):
            self.arguments[label] = MARKER_VARIABLES[self.dimension](self, number, label, type(kind))

    def variable(self, name: str, *meaning: Any) -> QuantitySymbol:
        if meaning not in self.known:
            self.known[meaning] = self._coordinate(name)
            self.meaning[self.known[meaning]] = meaning
        return self.known[meaning]

    def number_of(self, parameter: Any) -> int | None:
        """Return the index of the parameter of a symbol, or None."""
        places = {symbol: k for k, symbol in enumerate(self.constants)}
        return places.get(parameter)

    def _name(self, value: Any) -> Any:
        """Replace a polynomial of second degree in other variables by a new variable: keeps derived expressions
        short."""
        value = sympy.expand(self._between(value))
        if value.is_Symbol:
            return value
        if not self._is_quadratic(value):
            return super()._name(value)
        used = sorted(value.free_symbols, key=lambda symbol: symbol.name)
        polynomial = sympy.Poly(value, *used)
        constant, terms = 0.0, []
        for powers, factor in polynomial.terms():
            factors = [symbol for symbol, power in zip(used, powers, strict=True) for _ in range(power)]
            if factors:
                terms.append((float(factor), *factors))
            else:
                constant = float(factor)
        return self.variable(f"z{len(self.known)}", "quadratic", constant, tuple(terms))

    def _between(self, value: Any) -> Any:
        """Rewrite in terms of the difference between two positions. Otherwise squares of distances far from the origin would
        lose their digits."""
        places = [symbol for symbol in value.free_symbols if self.meaning.get(symbol, ("",))[0] == "position"]
        for b in sorted(places, key=lambda symbol: symbol.name):
            for a in places:
                (_, start, k), (_, end, l) = self.meaning[a], self.meaning[b]
                if k == l and start < end:
                    difference = self.variable(f"{a.name}_to_{b.name}", "between", start, end, k)
                    moved = sympy.expand(value.subs(b, difference + a))
                    if a not in moved.free_symbols:
                        value = moved
        return value

    def _is_quadratic(self, value: Any) -> bool:
        """True if it is quadratic in variables that are not quadratic themselves."""
        used = value.free_symbols
        if not used or any(symbol not in self.meaning or self.meaning[symbol][0] == "quadratic" for symbol in used):
            return False
        polynomial = sympy.Poly(value, *used) if value.is_polynomial(*used) else None
        return (
            polynomial is not None and polynomial.total_degree() == 2 and all(c.is_number for c in polynomial.coeffs())
        )

    def shortened(self, expression: Any) -> Any:
        expression = self._between(expression)
        numerator, denominator = sympy.fraction(sympy.together(expression))
        numerator = sympy.expand(numerator)
        return self._name(numerator) / denominator if self._is_quadratic(numerator) else expression

    def settle(self, expressions: Iterable[Any], observed: Iterable[Any] = ()) -> None:
        """Remove unused variables and set the order: first those that the motion depends on, and operands before products."""
        acting = self._needed(expressions)
        order = {q: k for k, q in enumerate(self.q)}
        ordered = sorted(
            acting | self._needed(observed),
            key=lambda q: (q not in acting, self.meaning[q][0] == "quadratic", order[q]),
        )
        self.q, self.acting = ordered, len(acting)
        self.v = [q.rate for q in self.q]
        self.a = [v.rate for v in self.v]
        super().settle(expressions)

    def _needed(self, expressions: Iterable[Any]) -> set[Any]:
        used = set().union(*(sympy.sympify(value).free_symbols for value in expressions))
        for names in reversed(list(self.named.values())):
            if used & set(names):
                used |= set().union(
                    *(sympy.sympify(name.value).free_symbols for name in names if isinstance(name, NamedExpression))
                )
        variables = {q for q in self.q if used & {q, q.rate, q.rate.rate}}
        products = [self.meaning[q][2] for q in variables if self.meaning[q][0] == "quadratic"]
        return variables | {factor for terms in products for _, *factors in terms for factor in factors}

    def definitions(self) -> list[str]:
        place = {q: k for k, q in enumerate(self.q)}

        def line(kind: str, *rest: Any) -> str:
            if kind != "quadratic":
                return repr((kind, *rest))
            constant, terms = rest
            products = tuple(
                (factor, *([place[f] for f in factors] + [NO_SECOND_FACTOR])[:2]) for factor, *factors in terms
            )
            return repr((kind, constant, products))

        return [f"ACTING = {self.acting}", *wrap_lines("VARIABLES = (", [line(*self.meaning[q]) for q in self.q], ")")]


class SpatialMarkerVariables:
    """Variables of an attachment in space."""

    def __init__(self, symbols: MarkerSymbols, number: int, label: str, kind: type):
        self.symbols, self.number, self.label, self.named = symbols, number, label, symbols._name

    @property
    def position(self) -> tuple[Any, ...]:
        s = self.symbols
        return tuple(s.variable(f"{x}_{self.label}", "position", self.number, k) for k, x in enumerate("xyz"))

    @property
    def axes(self) -> tuple[tuple[Any, ...], ...]:
        s = self.symbols
        return tuple(
            tuple(s.variable(f"e{m + 1}{x}_{self.label}", "axis", self.number, m, k) for k, x in enumerate("xyz"))
            for m in range(3)
        )

    @property
    def travel(self) -> Any:
        return self.symbols.variable(f"travel_{self.label}", "travel", self.number)

    def direction(self, vector: Sequence[Any]) -> tuple[Any, ...]:
        """Return a vector of the body frame in the ground frame: new variables if its components are parameters."""
        s, numbers = self.symbols, tuple(self.symbols.number_of(part) for part in vector)
        if None in numbers:
            return tuple(sum(a * axis[k] for a, axis in zip(vector, self.axes, strict=True)) for k in range(3))
        name = f"{vector[0].name.removesuffix('_x')}_{self.label}"
        return tuple(s.variable(f"{name}_{x}", "direction", self.number, numbers, k) for k, x in enumerate("xyz"))

    def local(self, vector: Sequence[Any]) -> tuple[Any, ...]:
        """Return a vector of the ground frame in the body frame."""
        return tuple(dot(axis, vector) for axis in self.axes)


class PlanarMarkerVariables:
    """Variables of an attachment in the plane. The axis need not be a unit vector, and does not count turns, so that markers
    of all kinds of bodies fit."""

    counts = False

    def __init__(self, symbols: MarkerSymbols, number: int, label: str, kind: type):
        self.symbols, self.number, self.label, self.named = symbols, number, label, symbols._name

    @property
    def position(self) -> tuple[Any, ...]:
        s = self.symbols
        return tuple(s.variable(f"{x}_{self.label}", "position", self.number, k) for k, x in enumerate("xy"))

    @property
    def axis(self) -> tuple[Any, ...]:
        s = self.symbols
        return tuple(s.variable(f"{x}_{self.label}", "axis", self.number, 0, k) for k, x in enumerate("uv"))

    @property
    def angle(self) -> Any:
        return atan2(*reversed(self.axis))

    @property
    def travel(self) -> Any:
        return self.symbols.variable(f"travel_{self.label}", "travel", self.number)

    def direction(self, vector: Sequence[Any]) -> tuple[Any, ...]:
        """Return a vector of the body frame (of tangent and normal of a beam) in the ground frame."""
        s, numbers = self.symbols, tuple(self.symbols.number_of(part) for part in vector)
        size = sqrt(self.named(dot(self.axis, self.axis)))
        if None in numbers:
            u, v = self.axis
            return (u * vector[0] - v * vector[1]) / size, (v * vector[0] + u * vector[1]) / size
        name = f"{vector[0].name.removesuffix('_x')}_{self.label}"
        along = (s.variable(f"{name}_{x}", "direction", self.number, numbers, k) for k, x in enumerate("xy"))
        return tuple(part / size for part in along)


MARKER_VARIABLES: dict[int, Any] = {2: PlanarMarkerVariables, 3: SpatialMarkerVariables}
