"""Kernels of a material: its energy at one point of a solid, the stress and the stiffness that follow.

    W(H)        P = dW/dH        A = d2W/dH2        H = du/dX = F - I

in three dimensions, and in two with plane strain. H is given row by row, A as one triangle, row by row. P is the first
Piola-Kirchhoff stress: rows are directions of force, columns directions in the undeformed solid.

The same once more with the volume changed to the mean over an element, W(H, t) (physics/materials/dilated.py),
and derivatives in H and t. What elements make of these: system/solids/. Viscous stress: viscous.py.

An energy is written in invariants. These get names, and so do their gradients, and W is differentiated by the chain rule: for a
neo-Hookean solid 150 operations, instead of 410 when H is put in first.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.form import Derived, Form
from gaitwright.derive.interface import ARGUMENTS
from gaitwright.derive.symbols import Quantity, Symbols, evaluate
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.deformation import Deformation
from gaitwright.physics.materials.dilated import LinearMeanDilated, MeanDilated

ORDERS = {"energy": 0, "stress": 1, "tangent": 2}
AXES = "123"


def entries(name: str, dimension: int) -> list[list[Quantity]]:
    """A matrix that a kernel is given."""
    return [[Quantity(f"{name}{i}{j}", "") for j in AXES[:dimension]] for i in AXES[:dimension]]


def label(name: str) -> Any:
    """A symbol for something that a kernel computes."""
    return sympy.Symbol(name, real=True)


class Invariants:
    """Functions that have a name, with their gradients and second derivatives in x, the entries of H."""

    def __init__(self, dimension: int, x: Sequence[Quantity]):
        self.dimension, self.x = dimension, x
        self.values: dict[Any, Any] = {}  # by symbol: its expression
        self.powers: dict[Any, Any] = {}  # by symbol: the exponent of a sum of powers of stretches
        self.gradients: dict[Any, list[Any]] = {}

    def named(self, name: str, value: Any) -> Any:
        symbol = label(name)
        self.values.setdefault(symbol, sympy.sympify(value))
        return symbol

    def power(self, alpha: Any) -> Any:
        alpha = sympy.sympify(alpha)
        known = next((symbol for symbol, exponent in self.powers.items() if exponent == alpha), None)
        if known is None:
            known = label(f"s{len(self.powers)}")
            self.powers[known] = alpha
        return known

    def symbols(self) -> list[Any]:
        return [*self.values, *self.powers]

    def needed(self, expression: Any) -> list[Any]:
        """The invariants that an expression is made of, also through each other, in the order of their computation."""
        wanted = set(expression.free_symbols)
        for symbol in reversed(self.values):
            if symbol in wanted:
                wanted |= self.values[symbol].free_symbols
        return [symbol for symbol in self.symbols() if symbol in wanted]

    def inside(self, expression: Any) -> list[Any]:
        return [symbol for symbol in self.symbols() if symbol in expression.free_symbols]

    def slope(self, symbol: Any, i: int) -> Any:
        """d symbol/dx_i in terms of other invariants and their slopes."""
        value = self.values[symbol]
        return value.diff(self.x[i]) + sum(value.diff(y) * self.gradient(y)[i] for y in self.inside(value))

    def gradient(self, symbol: Any) -> list[Any]:
        """Names of the derivatives in H; zero where there is none."""
        if symbol not in self.gradients:
            n = range(len(self.x))
            whole = symbol in self.powers
            self.gradients[symbol] = [
                label(f"{symbol}_{i}") if whole or self.slope(symbol, i) != 0 else sympy.Integer(0) for i in n
            ]
        return self.gradients[symbol]

    def curvature(self, symbol: Any, i: int, j: int) -> Any:
        """d2 symbol/dx_i dx_j; a name only for sums of powers."""
        if symbol in self.powers:
            return label(f"{symbol}_{min(i, j)}_{max(i, j)}")
        value, x = self.values[symbol], self.x
        total = value.diff(x[i], x[j])
        for y in self.inside(value):
            rise, slope = value.diff(y), self.gradient(y)
            total += rise * self.curvature(y, i, j)
            total += rise.diff(x[i]) * slope[j] + rise.diff(x[j]) * slope[i]
            total += sum(rise.diff(z) * slope[i] * self.gradient(z)[j] for z in self.inside(value))
        return total

    def rooms(self, order: int, stride: int) -> list[Quantity]:
        """What sums of powers of stretches are loaded from: rooms that a call has filled."""
        n = len(self.x)
        size = (1, 1 + n, 1 + n + n * (n + 1) // 2)[order]
        found = [Quantity("eigen", f"stretches({self.dimension}, given, {stride} * e, scratch(24))")]
        for k, (symbol, alpha) in enumerate(self.powers.items()):
            room = f"room{k}"
            found.append(Quantity(room, f"power_sum({self.dimension}, {order}, {alpha}, eigen, scratch({size}))"))
            names = [f"{symbol}", *(f"{symbol}_{i}" for i in range(n)), *(f"{symbol}_{i}_{j}" for i, j in triangle(n))]
            found += [Quantity(name, f"{room}[{place}]") for place, name in enumerate(names[:size])]
        return found


def triangle(n: int) -> list[tuple[int, int]]:
    """Entries of a symmetric matrix that are given, in their order."""
    return [(i, j) for i in range(n) for j in range(i, n)]


def share_powers(expressions: Sequence[Any], names: Iterable[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """One root and one division for all powers of a base with numbers as exponents: x^(-8/3) = (1/x)^2 (x^(-1/3))^2. Functions
    whose digits would be lost with a name for their 1 + x (log, x^p - 1) come before."""
    functions = set().union(*(e.atoms(sympy.Function) for e in expressions)) if expressions else set()
    names = iter(names)
    steps = [(next(names), f) for f in sorted(functions, key=str) if f.func.__name__ in ("log", "PowerChange")]
    expressions = [e.xreplace({f: name for name, f in steps}) for e in expressions]
    powers = set().union(*(e.atoms(sympy.Pow) for e in expressions)) if expressions else set()
    numbers = [p for p in powers if p.exp.is_Rational and not p.base.is_number]
    replaced = {}
    for base in sorted({p.base for p in numbers if p.exp.is_negative or not p.exp.is_integer}, key=str):
        mine = sorted((p for p in numbers if p.base == base), key=str)
        x, inverse = next(names), next(names)
        steps += [(x, base), (inverse, 1 / x)]
        replaced[base] = x
        roots: dict[int, Any] = {}
        for power in mine:
            q, least = power.exp.q, sympy.ceiling(power.exp)  # x^p = x^least r^k with r = x^(-1/q)
            if q != 1 and q not in roots:
                roots[q] = next(names)
                steps.append((roots[q], inverse ** sympy.Rational(1, q)))
            whole = x**least if least >= 0 else inverse**-least
            replaced[power] = whole * (roots[q] ** ((least - power.exp) * q) if q != 1 else 1)
    return steps, [e.xreplace(replaced) for e in expressions]


class Printed:
    """A kernel being made: steps in the order of their computation, then outputs."""

    def __init__(self, kind: str, name: str, loads: Sequence[Quantity]):
        self.kind, self.name, self.loads = kind, name, loads
        self.steps: list[tuple[Any, Any]] = []
        self.names = (sympy.Symbol(f"c{k}") for k in itertools.count())

    def name_all(self, values: dict[Any, Any]) -> None:
        """Compute quantities with names of their own, with what they share."""
        roots, results = share_powers([sympy.sympify(value) for value in values.values()], self.names)
        shared, results = sympy.cse(results, symbols=self.names)
        self.steps += [*roots, *shared, *zip(values, results, strict=True)]

    def form(self, outputs: Sequence[Any]) -> Form:
        results: Any
        shared, results = sympy.cse([sympy.sympify(value) for value in outputs], symbols=self.names)
        steps = _needed([*self.steps, *shared], results)
        used = {str(s) for e in (*results, *(e for _, e in steps)) for s in e.free_symbols}
        # what a call is given, and what it leaves
        for symbol in reversed(self.loads):
            if symbol.name in used:
                used |= set(re.findall(r"\w+", symbol.load))
        n = len(outputs)
        return Form(
            name=self.name, arguments=ARGUMENTS[self.kind][self.name],
            inputs=tuple(symbol for symbol in self.loads if symbol.name in used), shared=tuple(steps),
            outputs=tuple((f"out[{n} * e + {k}]", "=", value) for k, value in enumerate(results)), whole=(),
        )  # fmt: skip


def _needed(steps: list[tuple[Any, Any]], results: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The steps that results depend on."""
    wanted = set().union(*(e.free_symbols for e in results))
    kept = []
    for symbol, value in reversed(steps):
        if symbol in wanted:
            wanted |= value.free_symbols
            kept.append((symbol, value))
    return kept[::-1]


class Density:
    """An energy per volume at one point, ready to be differentiated. mean: with the mean dilatation of an element."""

    def __init__(self, declaration: type[Material], dimension: int, mean: bool):
        clear_cache()  # SymPy would hand out symbols with the places of others of the same names
        H = entries("h", dimension)
        self.t = [Quantity("t", "")] if mean else []
        self.invariants = Invariants(dimension, [h for row in H for h in row])
        self.x: list[Any] = [*self.invariants.x, *self.t]
        for k, symbol in enumerate(self.x):
            symbol.load = f"given[{len(self.x)} * e + {k}]"
        s = Symbols(declaration, ())
        kind: Any = Deformation if not mean else LinearMeanDilated if declaration.linear else MeanDilated
        deformation = kind(H, self.invariants.named, self.invariants.power, *self.t)
        self.W = sympy.sympify(evaluate(declaration, "energy", {"deformation": deformation, **s.arguments}))
        self.y = self.invariants.inside(self.W)
        s.settle([self.W])
        s.require_known(declaration, "energy()", self.W, [*self.x, *s.loads, *self.y])
        self.loads, self.parameters = [*self.x, *s.loads], len(s.parameters)

    def kernel(self, name: str) -> Form:
        order, inv, n = ORDERS[name.removeprefix("mean_")], self.invariants, len(self.x)
        printed = Printed("material", name, [*self.loads, *inv.rooms(order, n)])
        used = [y for y in inv.needed(self.W) if y in inv.values]
        printed.name_all({y: inv.values[y] for y in used})
        if order == 0:
            printed.name_all({label("w"): self.W})
            return printed.form([label("w")])
        gradients = {y: [*inv.gradient(y), *(sympy.Integer(0) for _ in self.t)] for y in self.y}
        printed.name_all({g: inv.slope(y, i) for y in used for i, g in enumerate(inv.gradient(y)) if g != 0})
        # derivatives of W in invariants, and in those of H and t that it names itself
        outer = [*(x for x in self.x if x in self.W.free_symbols), *self.y]
        slopes = {a: self.W.diff(a) for a in outer}
        bends = {(a, b): slopes[a].diff(b) for k, a in enumerate(outer) for b in outer[k:]} if order > 1 else {}
        slope_names = {a: label(f"w_{a}") for a in outer}
        bend_names = {(a, b): label(f"w_{a}_{b}") for (a, b), value in bends.items() if value != 0}
        printed.name_all(
            {slope_names[a]: slopes[a] for a in outer} | {name: bends[key] for key, name in bend_names.items()}
        )

        def along(a: Any, i: int) -> Any:
            """How a changes with x_i."""
            return gradients[a][i] if a in gradients else sympy.Integer(int(self.x[i] == a))

        if order == 1:
            return printed.form([sum(slope_names[a] * along(a, i) for a in outer) for i in range(n)])
        outputs = []
        for i, j in triangle(n):
            within = max(i, j) < len(inv.x)
            value = sum(slope_names[y] * inv.curvature(y, i, j) for y in self.y) if within else sympy.Integer(0)
            for (a, b), bend in bend_names.items():
                one, other = along(a, i) * along(b, j), along(a, j) * along(b, i)
                value += bend * (one if a == b else one + other)
            outputs.append(value)
        return printed.form(outputs)


def derive_material(declaration: type[Material], basis: Any) -> Derived:
    """The kernels of a material in a dimension."""
    forms, parameters, spectral = [], 0, False
    for prefix in ("", "mean_"):
        density = Density(declaration, basis.dimension, bool(prefix))
        forms += [density.kernel(f"{prefix}{name}") for name in ORDERS]
        parameters, spectral = density.parameters, bool(density.invariants.powers)
    head = ['KIND = "material"', f"N_PAR, LINEAR = {parameters}, {declaration.linear}"]
    return Derived([*_helpers(spectral), *head], forms)


def _helpers(spectral: bool) -> list[str]:
    """Functions that are copied into a kernel."""
    if not spectral:
        return []
    scratch, sums = (Path(__file__).with_name(f"{name}.py").read_text() for name in ("scratch", "spectral"))
    _, copied, functions = sums.partition("# Copied")
    scratch = scratch.partition("\n\n\n@inlined")[0]  # without the steps of beams
    return [*scratch.splitlines(), "", "", *(copied + functions).splitlines(), "", ""]
