"""Kernels of a material: its energy W at one point of a solid as a function of invariants y of the deformation, and its
derivatives W_y and W_yy.

The invariants as functions of the deformation, and stress and stiffness, are the same for all materials:
fem/material_point.py. INVARIANTS are their names; the first BENT ones are those in which W has second derivatives (strains
are counted separately). `stress` writes W_y, `tangent` W_y and then the upper triangle of the matrix W_yy, row by row; zeros
are not written.

The same again with the volume change replaced by the mean over an element, W(y, t) (physics/materials/mean_dilatation.py).

Damping: the dissipation R is a function of the rates y of the strains, one triangle row by row. `power` writes 2 R, `stress`
R_y, `tangent` R_y and then the upper triangle of R_yy; fem/viscous_point.py computes the viscous stress from these.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.kernel_form import DerivedKernels, KernelForm, KernelOutput, share_subexpressions
from gaitwright.derive.kernel_interface import EXPONENT_ARGUMENTS, KERNEL_ARGUMENTS
from gaitwright.derive.symbols import ElementSymbols, QuantitySymbol, call_declaration
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.deformation import Deformation
from gaitwright.physics.materials.mean_dilatation import LinearMeanDilatationDeformation, MeanDilatationDeformation
from gaitwright.physics.materials.viscous import Viscosity

DERIVATIVE_ORDERS = {"energy": 0, "stress": 1, "tangent": 2}
AXIS_DIGITS = "123"


class KernelInputs:
    """Inputs of a kernel, created when expressions first use them."""

    def __init__(self) -> None:
        self.symbols: dict[str, QuantitySymbol] = {}
        self.powers: list[Any] = []  # exponents of sums of powers of stretches

    def named(self, name: str) -> QuantitySymbol:
        return self.symbols.setdefault(name, QuantitySymbol(name, ""))

    def power(self, alpha: Any) -> QuantitySymbol:
        alpha = sympy.sympify(alpha)
        if alpha not in self.powers:
            self.powers.append(alpha)
        return self.named(f"s{self.powers.index(alpha)}")


def strain_names(letter: str, dimension: int) -> list[str]:
    """Names of one triangle of a symmetric matrix, row by row."""
    return [f"{letter}{i}{j}" for i, j in itertools.combinations_with_replacement(AXIS_DIGITS[:dimension], 2)]


def share_powers(expressions: Sequence[Any], names: Iterable[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Use one root and one division for all powers of a base with rational exponents: x^(-8/3) = (1/x)^2 (x^(-1/3))^2.
    Functions that would lose digits if their 1 + x had a name (log, x^p - 1) come first."""
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
            q, ceiling = power.exp.q, sympy.ceiling(power.exp)  # x^p = x^least r^k with r = x^(-1/q)
            if q != 1 and q not in roots:
                roots[q] = next(names)
                steps.append((roots[q], inverse ** sympy.Rational(1, q)))
            integer_power = x**ceiling if ceiling >= 0 else inverse**-ceiling
            replaced[power] = integer_power * (roots[q] ** ((ceiling - power.exp) * q) if q != 1 else 1)
    return steps, [e.xreplace(replaced) for e in expressions]


def make_point_form(name: str, arguments: Any, values: dict[str, Any], inputs: Sequence[QuantitySymbol]) -> KernelForm:
    """Return the form of a kernel. values: by index; zeros are not written."""
    values = {place: value for place, value in values.items() if value != 0 or len(values) == 1}
    names = (sympy.Symbol(f"c{k}") for k in itertools.count())
    results: Any
    roots, results = share_powers([sympy.sympify(value) for value in values.values()], names)
    shared, results = share_subexpressions(results, names)
    steps = [*roots, *shared]
    used = set().union(*(e.free_symbols for e in (*results, *(e for _, e in steps))))
    outputs: list[KernelOutput] = [(f"out[{place}]", "=", value) for place, value in zip(values, results, strict=True)]
    return KernelForm(name, arguments, tuple(x for x in inputs if x in used), tuple(steps), tuple(outputs), ())


def differentiate_energy(W: Any, x: Sequence[Any], order: int) -> dict[str, Any]:
    """Return W, W_x, or W_x and one triangle of W_xx, by their indices in the kernel output."""
    size = len(x)
    if order == 0:
        return {"e": W}
    slopes = [W.diff(a) for a in x]
    stride = (size, size + size**2)[order - 1]
    derivatives = {f"{stride} * e + {k}": slope for k, slope in enumerate(slopes)}
    if order == 2:
        pairs = ((k, l) for k in range(size) for l in range(k, size))
        derivatives |= {f"{stride} * e + {size + size * k + l}": slopes[k].diff(x[l]) for k, l in pairs}
    return derivatives


class EnergyDensity:
    """Energy density at one point, ready for differentiation. mean: with the mean dilatation of an element."""

    def __init__(self, declaration: type[Material], dimension: int, mean: bool):
        clear_cache()  # from its cache SymPy would return symbols of the same names with other loads
        self.given = given = KernelInputs()
        s = ElementSymbols(declaration, ())
        extra_arguments = [given.named("t")] if mean else [declaration.linear]
        kind: Any = (
            Deformation
            if not mean
            else LinearMeanDilatationDeformation
            if declaration.linear
            else MeanDilatationDeformation
        )
        deformation = kind(dimension, given.named, given.power, *extra_arguments)
        self.W = sympy.sympify(call_declaration(declaration, "energy", {"deformation": deformation, **s.arguments}))
        s.settle([self.W])
        s.require_known(declaration, "energy()", self.W, [*given.symbols.values(), *s.loads])
        names, self.bent = self._order(dimension, mean)
        self.x = [given.named(name) for name in names]
        for k, symbol in enumerate(self.x):
            symbol.load = f"given[{len(self.x)} * e + {k}]"
        self.loads, self.parameters = s.loads, len(s.parameters)

    def _order(self, dimension: int, mean: bool) -> tuple[list[str], int]:
        """Order of fem/material_point.py; strains, sums of powers and entries of H are included all or none."""
        used = {symbol.name for symbol in self.W.free_symbols if symbol in self.given.symbols.values()}
        own = [name for name in ("j", "k1", "ee") if name in used]
        sums = [f"s{k}" for k in range(len(self.given.powers))]
        strains = strain_names("e", dimension)
        entries = [f"h{i}{j}" for i in AXIS_DIGITS[:dimension] for j in AXIS_DIGITS[:dimension]]
        groups = [*([name] for name in own), *([sums] if sums else [])]
        variables = [self.given.symbols[name] for name in used]

        def bends(group: list[str]) -> bool:
            mine = [self.given.named(name) for name in group]
            return any(self.W.diff(a, b) != 0 for a in mine for b in variables)

        bent = [name for group in groups if bends(group) for name in group]
        names = [
            *bent, *(strains if used & set(strains) else []), *(name for group in groups for name in group if name not in bent),
            *(entries if used & set(entries) else []), *(["t"] if mean else []),
        ]  # fmt: skip
        return names, len(bent)

    def kernel(self, name: str) -> KernelForm:
        values = differentiate_energy(self.W, self.x, DERIVATIVE_ORDERS[name.removeprefix("mean_")])
        return make_point_form(name, KERNEL_ARGUMENTS["material"][name], values, [*self.x, *self.loads])

    def exponents(self) -> KernelForm:
        powers = self.given.powers
        values = {f"{len(powers)} * e + {k}": alpha for k, alpha in enumerate(powers)}
        return make_point_form("exponents", EXPONENT_ARGUMENTS, values, self.loads)


def derive_material(declaration: type[Material], basis: Any) -> DerivedKernels:
    """Derive the kernels of a material in a dimension."""
    forms: list[KernelForm] = []
    head = ['KIND = "material"']
    for prefix in ("", "mean_"):
        density = EnergyDensity(declaration, basis.dimension, bool(prefix))
        forms += [density.kernel(f"{prefix}{name}") for name in DERIVATIVE_ORDERS]
        if prefix == "":
            head.append(f"N_PAR, LINEAR = {density.parameters}, {declaration.linear}")
            forms += [density.exponents()] if density.given.powers else []
        names = ", ".join(f'"{x.name}"' for x in density.x)
        head.append(f"{prefix.upper()}INVARIANTS, {prefix.upper()}BENT = ({names},), {density.bent}")
    return DerivedKernels(head, forms)


# Damping --------------------------------------------------------------------------------------------------------------


DISSIPATION_ORDERS = {"power": 0, "stress": 1, "tangent": 2}


def derive_viscosity(declaration: type[Viscosity], basis: Any) -> DerivedKernels:
    """Derive the kernels of damping in a dimension."""
    clear_cache()  # from its cache SymPy would return symbols of the same names with other loads
    names = strain_names("d", basis.dimension)
    y = {name: QuantitySymbol(name, f"given[{len(names)} * e + {k}]") for k, name in enumerate(names)}
    rate = [[y.get(f"d{min(i, j)}{max(i, j)}", sympy.Integer(0)) for j in (1, 2, 3)] for i in (1, 2, 3)]
    s = ElementSymbols(declaration, ())
    R = sympy.sympify(call_declaration(declaration, "dissipation", {"rate": rate, **s.arguments}))
    s.settle([R])
    s.require_known(declaration, "dissipation()", R, [*y.values(), *s.loads])
    inputs = [*y.values(), *s.loads]
    forms = [
        make_point_form(
            name,
            KERNEL_ARGUMENTS["viscosity"][name],
            differentiate_energy(R if order else 2 * R, list(y.values()), order),
            inputs,
        )
        for name, order in DISSIPATION_ORDERS.items()
    ]
    return DerivedKernels(['KIND = "viscosity"', f"N_PAR, LINEAR = {len(s.parameters)}, {declaration.linear}"], forms)
