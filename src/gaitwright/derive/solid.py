"""Kernels of a material: its energy W at one point of a solid as a function of invariants y of the deformation, and its
derivatives W_y and W_yy in them.

What the invariants are, and how stress and stiffness follow, is the same for all materials: system/solids/point.py. INVARIANTS
are their names, first the BENT ones, in which W has second derivatives (strains are counted apart). `stress` writes W_y,
`tangent` W_y and then the upper triangle of the matrix W_yy, row by row; what is zero is not written.

The same once more with the volume changed to the mean over an element, W(y, t) (physics/materials/dilated.py). Viscous stress:
viscous.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.form import Derived, Form, Output, shared_parts
from gaitwright.derive.interface import ARGUMENTS, EXPONENTS
from gaitwright.derive.symbols import Quantity, Symbols, evaluate
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.deformation import Deformation
from gaitwright.physics.materials.dilated import LinearMeanDilated, MeanDilated

ORDERS = {"energy": 0, "stress": 1, "tangent": 2}
AXES = "123"


class Given:
    """What a kernel is given: made as expressions ask for it."""

    def __init__(self) -> None:
        self.symbols: dict[str, Quantity] = {}
        self.powers: list[Any] = []  # exponents of sums of powers of stretches

    def named(self, name: str) -> Quantity:
        return self.symbols.setdefault(name, Quantity(name, ""))

    def power(self, alpha: Any) -> Quantity:
        alpha = sympy.sympify(alpha)
        if alpha not in self.powers:
            self.powers.append(alpha)
        return self.named(f"s{self.powers.index(alpha)}")


def strain_names(letter: str, dimension: int) -> list[str]:
    """One triangle of a symmetric matrix, row by row."""
    return [f"{letter}{i}{j}" for i, j in itertools.combinations_with_replacement(AXES[:dimension], 2)]


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


def kernel(name: str, arguments: Any, values: dict[str, Any], inputs: Sequence[Quantity]) -> Form:
    """values: by place; zeros are not written."""
    values = {place: value for place, value in values.items() if value != 0 or len(values) == 1}
    names = (sympy.Symbol(f"c{k}") for k in itertools.count())
    results: Any
    roots, results = share_powers([sympy.sympify(value) for value in values.values()], names)
    shared, results = shared_parts(results, names)
    steps = [*roots, *shared]
    used = set().union(*(e.free_symbols for e in (*results, *(e for _, e in steps))))
    outputs: list[Output] = [(f"out[{place}]", "=", value) for place, value in zip(values, results, strict=True)]
    return Form(name, arguments, tuple(x for x in inputs if x in used), tuple(steps), tuple(outputs), ())


def derivatives(W: Any, x: Sequence[Any], order: int) -> dict[str, Any]:
    """W, W_x, or W_x and one triangle of W_xx, by their places in what a kernel writes."""
    size = len(x)
    if order == 0:
        return {"e": W}
    slopes = [W.diff(a) for a in x]
    stride = (size, size + size**2)[order - 1]
    found = {f"{stride} * e + {k}": slope for k, slope in enumerate(slopes)}
    if order == 2:
        pairs = ((k, l) for k in range(size) for l in range(k, size))
        found |= {f"{stride} * e + {size + size * k + l}": slopes[k].diff(x[l]) for k, l in pairs}
    return found


class Density:
    """An energy per volume at one point, ready to be differentiated. mean: with the mean dilatation of an element."""

    def __init__(self, declaration: type[Material], dimension: int, mean: bool):
        clear_cache()  # SymPy would hand out symbols with the places of others of the same names
        self.given = given = Given()
        s = Symbols(declaration, ())
        more = [given.named("t")] if mean else [declaration.linear]
        kind: Any = Deformation if not mean else LinearMeanDilated if declaration.linear else MeanDilated
        deformation = kind(dimension, given.named, given.power, *more)
        self.W = sympy.sympify(evaluate(declaration, "energy", {"deformation": deformation, **s.arguments}))
        s.settle([self.W])
        s.require_known(declaration, "energy()", self.W, [*given.symbols.values(), *s.loads])
        names, self.bent = self._order(dimension, mean)
        self.x = [given.named(name) for name in names]
        for k, symbol in enumerate(self.x):
            symbol.load = f"given[{len(self.x)} * e + {k}]"
        self.loads, self.parameters = s.loads, len(s.parameters)

    def _order(self, dimension: int, mean: bool) -> tuple[list[str], int]:
        """As system/solids/point.py wants it: strains, sums of powers and entries of H all or none."""
        used = {symbol.name for symbol in self.W.free_symbols if symbol in self.given.symbols.values()}
        own = [name for name in ("j", "k1", "ee") if name in used]
        sums = [f"s{k}" for k in range(len(self.given.powers))]
        strains, entries = (
            strain_names("e", dimension),
            [f"h{i}{j}" for i in AXES[:dimension] for j in AXES[:dimension]],
        )
        groups = [*([name] for name in own), *([sums] if sums else [])]
        everything = [self.given.symbols[name] for name in used]

        def bends(group: list[str]) -> bool:
            mine = [self.given.named(name) for name in group]
            return any(self.W.diff(a, b) != 0 for a in mine for b in everything)

        bent = [name for group in groups if bends(group) for name in group]
        names = [
            *bent, *(strains if used & set(strains) else []), *(name for group in groups for name in group if name not in bent),
            *(entries if used & set(entries) else []), *(["t"] if mean else []),
        ]  # fmt: skip
        return names, len(bent)

    def kernel(self, name: str) -> Form:
        values = derivatives(self.W, self.x, ORDERS[name.removeprefix("mean_")])
        return kernel(name, ARGUMENTS["material"][name], values, [*self.x, *self.loads])

    def exponents(self) -> Form:
        powers = self.given.powers
        values = {f"{len(powers)} * e + {k}": alpha for k, alpha in enumerate(powers)}
        return kernel("exponents", EXPONENTS, values, self.loads)


def derive_material(declaration: type[Material], basis: Any) -> Derived:
    """The kernels of a material in a dimension."""
    forms: list[Form] = []
    head = ['KIND = "material"']
    for prefix in ("", "mean_"):
        density = Density(declaration, basis.dimension, bool(prefix))
        forms += [density.kernel(f"{prefix}{name}") for name in ORDERS]
        if prefix == "":
            head.append(f"N_PAR, LINEAR = {density.parameters}, {declaration.linear}")
            forms += [density.exponents()] if density.given.powers else []
        names = ", ".join(f'"{x.name}"' for x in density.x)
        head.append(f"{prefix.upper()}INVARIANTS, {prefix.upper()}BENT = ({names},), {density.bent}")
    return Derived(head, forms)
