"""Kernels of a beam element with its effect given per unit length (physics/declarations.py: DistributedElasticity).

The density is differentiated once, in the scalars r_x = (ux, uy) and l r_xx = (wx, wy) of one point. With the chord d = (r_1
- r_0) / l and the bends s = r_x0 - d and t = r_x1 - d, the shape functions give

    r_x = d + us s + ut t        us = 1 - 4 xi + 3 xi^2, ut = 3 xi^2 - 2 xi
    l r_xx = ws s + wt t         ws = 6 xi - 4, wt = 6 xi - 2

so the generated code sums over the points for d, s and t, and converts to the eight coordinates once, at the end.

Elements share coordinates: their contributions to forces and matrices must be added sequentially. The kernels therefore
compute a block of elements into scratch memory, in a loop that the compiler vectorises (more than twice as fast as one
element at a time), and add up the block in a second loop. No name is assigned twice and the work at a point is a function:
both shorten the compile time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sympy

from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import packaged_text
from gaitwright.derive.kernel_form import DerivedKernels, share_subexpressions
from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS
from gaitwright.derive.numba_printer import NumbaPrinter, wrap_lines
from gaitwright.derive.symbols import QuantitySymbol, call_declaration, describe_declaration
from gaitwright.physics.declarations import DistributedElasticity, Family

COORDINATES_PER_ELEMENT = 8
BLOCK_ELEMENTS = 8
"""Number of elements computed together: the number of values in the widest vector registers."""
POINT_SCALARS = ("ux", "uy", "wx", "wy")
CHORD_COMPONENTS, BEND_COMPONENTS = ("dx", "dy"), ("sx", "sy", "tx", "ty")
SHAPE_COMPONENTS = (*CHORD_COMPONENTS, *BEND_COMPONENTS)
COORDINATE_SIGNS = (("dx", -1), ("dy", -1), ("sx", 1), ("sy", 1), ("dx", 1), ("dy", 1), ("tx", 1), ("ty", 1))
"""Components that a coordinate (x0, y0, u0, v0, x1, y1, u1, v1) changes, and their signs."""
INVERSE_LENGTH = sympy.Symbol("inverse", positive=True)  # 1 / length
EXPRESSION_PRINTER = NumbaPrinter()

ShapeFactors = tuple[str, ...]
PointSums = dict[str, list[tuple[ShapeFactors, str]]]
"""Sums over the points: for each name its terms, values times shape functions."""


def shape_values(xi: float, weight: float) -> tuple[float, ...]:
    """Return the numbers w, us, ut, ws, wt of a point."""
    return weight, 1 - 4 * xi + 3 * xi**2, 3 * xi**2 - 2 * xi, 6 * xi - 4, 6 * xi - 2


def chain_factors(scalar: str, basis: str) -> list[ShapeFactors]:
    """Derivative of a scalar with respect to one of SHAPE_COMPONENTS: [] if zero, [()] if one, else with a shape function."""
    if scalar[1] != basis[1] or scalar[0] + basis[0] == "wd":
        return []
    return [()] if basis in CHORD_COMPONENTS else [(scalar[0] + basis[0],)]


class EffectPart:
    """One part of the effect, with its first derivatives in the scalars of a point."""

    def __init__(self, declaration: type[DistributedElasticity], name: str):
        self.name, self.rule = name, declaration.rules[name]
        self.v = {scalar: QuantitySymbol(f"v_{scalar}", "") for scalar in POINT_SCALARS}
        self.q = {scalar: QuantitySymbol(scalar, "", self.v[scalar]) for scalar in POINT_SCALARS}
        self.numbers = {quantity: QuantitySymbol(f"p_{quantity}", "") for quantity in declaration.sections[name]}
        ux, uy, wx, wy = self.q.values()
        arguments = {"r_x": (ux, uy), "r_xx": (wx * INVERSE_LENGTH, wy * INVERSE_LENGTH), **self.numbers}
        effect = call_declaration(declaration, name, arguments)
        self.potential, self.dissipation = sympy.sympify(effect.potential), sympy.sympify(effect.dissipation)
        allowed = {*self.q.values(), *self.numbers.values(), INVERSE_LENGTH}
        if (
            effect.loads
            or self.potential.free_symbols - allowed
            or self.dissipation.free_symbols - allowed - {*self.v.values()}
        ):
            raise ModelError(
                f"{name}() uses an unknown symbol, a velocity in the potential, or a load",
                element=describe_declaration(declaration),
                expected=f"a potential of r_x, r_xx, {', '.join(self.numbers)}; a dissipation of these and their rates",
            )
        self.force = {a: self.potential.diff(self.q[a]) + self.dissipation.diff(self.v[a]) for a in POINT_SCALARS}
        self.dissipated = sum((self.dissipation.diff(v) * v for v in self.v.values()), sympy.Integer(0))


class TangentMatrix(NamedTuple):
    """One of the two tangent matrices. For a symmetric one only the entries on one side of the diagonal are computed."""

    name: str
    symmetric: bool

    def entry(self, i: str, j: str) -> str:
        """Name of an entry, given two of POINT_SCALARS or two of SHAPE_COMPONENTS."""
        order = (*POINT_SCALARS, *SHAPE_COMPONENTS)
        return f"{self.name}_{j}{i}" if self.symmetric and order.index(j) < order.index(i) else f"{self.name}_{i}{j}"

    def computed(self, rows: Sequence[str], cols: Sequence[str]) -> Iterator[tuple[str, str]]:
        return ((i, j) for i, j in itertools.product(rows, cols) if self.entry(i, j) == f"{self.name}_{i}{j}")

    def derivatives(self, part: EffectPart) -> dict[str, Any]:
        by = {"kq": part.q, "kv": part.v}[self.name]
        return {self.entry(a, b): part.force[a].diff(by[b]) for a, b in self.computed(POINT_SCALARS, POINT_SCALARS)}

    def sums(self) -> PointSums:
        return {
            self.entry(i, j): [
                (tuple(sorted((*first, *second))), self.entry(a, b))
                for a, b in itertools.product(POINT_SCALARS, POINT_SCALARS)
                for first, second in itertools.product(chain_factors(a, i), chain_factors(b, j))
            ]
            for i, j in self.computed(SHAPE_COMPONENTS, SHAPE_COMPONENTS)
        }


def share_roots(values: Sequence[Any], names: Iterator[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Use one square root and one division for all powers of a base: x^(-3/2) = z^3 with z = 1 / y, y = sqrt(x)."""
    powers = set().union(*(value.atoms(sympy.Pow) for value in values))
    steps, replaced = [], {}
    for base in sorted({p.base for p in powers if p.exp.is_negative or not p.exp.is_integer}, key=str):
        mine = [p for p in powers if p.base == base]
        x, y, z = next(names), next(names), next(names)
        half = any(not p.exp.is_integer for p in mine)
        steps += [(x, base), (y, sympy.sqrt(x)), (z, 1 / y)] if half else [(x, base), (z, 1 / x)]
        replaced[base] = x
        for p in mine:
            exponent = p.exp * (2 if half else 1)
            replaced[p] = z**-exponent if p.exp.is_negative else (x**p.exp if p.exp.is_integer else y**exponent)
    return steps, [value.xreplace(replaced) for value in values]


class BeamKernel:
    """Builder of one kernel: for each part a function that adds the contribution of one point, and the loops over elements
    that call it."""

    def __init__(self, name: str, parts: Sequence[EffectPart], moving: bool):
        self.name, self.parts = name, parts
        self.stride = 1 + sum(len(part.rule) * len(part.numbers) for part in parts)
        states = {"q": "", "v": "v_"} if moving else {"q": ""}
        self.state = ", ".join(("inverse", *(prefix + i for prefix in states.values() for i in SHAPE_COMPONENTS)))
        self.functions: list[str] = []
        self.lines = [f"length = par[{self.stride} * e]", "inverse = 1.0 / length"]
        for source, prefix in states.items():
            self.lines.append(
                f"{', '.join(prefix + i for i in SHAPE_COMPONENTS)} = shape_of({source}, dof, "
                f"{COORDINATES_PER_ELEMENT} * e, inverse)"
            )
        self.lines.append(f"state = {self.state}")
        self.results: list[str] = []
        self.writes: list[str] = []

    def integrate(self, values: Callable[[EffectPart], dict[str, Any]], sums: PointSums) -> None:
        """Sum the expressions values(part) over the points, as defined by `sums`."""
        self.lines.append(f"s0 = ({', '.join('0.0' for _ in sums)})")
        first, point = 1, 0
        for part in self.parts:
            named = {name: value for name, value in values(part).items() if value != 0}
            self.functions += [*self._function(part, named, sums), "", ""]
            for xi, weight in part.rule:
                numbers = "".join(f", par[{self.stride} * e + {first + k}]" for k in range(len(part.numbers)))
                call = f"{part.name}_{self.name}(s{point}, state, {shape_values(xi, weight)}{numbers})"
                first, point = first + len(part.numbers), point + 1
                self.lines.append(f"s{point} = {call}")
        self.lines.append(f"{', '.join(sums)} = s{point}")

    def _function(self, part: EffectPart, named: dict[str, Any], sums: PointSums) -> Iterator[str]:
        names = sympy.numbered_symbols("c")
        roots, results = share_roots([sympy.factor_terms(value) for value in named.values()], names)
        shared, results = share_subexpressions(results, names)
        steps = [*roots, *shared, *zip(named, results, strict=True)]
        used = {str(symbol) for _, value in steps for symbol in value.free_symbols}
        yield "@register_inlined"
        yield f"def {part.name}_{self.name}(sums, state, point, {', '.join(map(str, part.numbers.values()))}):"
        yield f"    {', '.join(sums)} = sums"
        yield f"    {self.state} = state"
        yield "    w, us, ut, ws, wt = point"
        for prefix, a in itertools.product(("", "v_"), POINT_SCALARS):
            if prefix + a in used:
                terms = [
                    " * ".join((*factors, prefix + i)) for i in SHAPE_COMPONENTS for factors in chain_factors(a, i)
                ]
                yield f"    {prefix}{a} = {' + '.join(terms)}"
        for name, value in steps:
            yield f"    {name} = {EXPRESSION_PRINTER.doprint(value)}"
        for factors in sorted({factors for terms in sums.values() for factors, value in terms if value in named}):
            if factors:
                yield f"    {'_'.join(('w', *factors))} = {' * '.join(('w', *factors))}"
        added = {
            name: "".join(f" + {'_'.join(('w', *factors))} * {value}" for factors, value in terms if value in named)
            for name, terms in sums.items()
        }
        yield from wrap_lines("    return (", [name + term for name, term in added.items()], "    )")

    def result(self, value: str) -> str:
        """Store a result of an element for the second loop; return its expression there."""
        if value not in self.results:
            self.results.append(value)
        return f"out[{BLOCK_ELEMENTS * self.results.index(value)} + k]"

    def add_row(self, values: str, index: str, first: str, row: Sequence[tuple[int, str]]) -> None:
        """Add values to the eight coordinates, with signs."""
        terms = [("" if sign > 0 else "-") + self.result(value) for sign, value in row]
        self.writes += wrap_lines(f"add_row({values}, {index}, {first},", terms, ")")

    def text(self) -> list[str]:
        arguments = ", ".join(name for name, _ in KERNEL_ARGUMENTS["force"][self.name])
        first = [*self.lines, *(f"out[{BLOCK_ELEMENTS * i} + k] = {result}" for i, result in enumerate(self.results))]
        return [
            *self.functions,
            f"def {self.name}({arguments}):",
            f"    out = scratch({BLOCK_ELEMENTS * len(self.results)})",
            f"    for first in range(0, count, {BLOCK_ELEMENTS}):",
            f"        some = min({BLOCK_ELEMENTS}, count - first)",
            "        for k in range(some):",
            "            e = first + k",
            *(f"            {line}" for line in first),
            "        for k in range(some):",
            "            e = first + k",
            *(f"            {line}" for line in self.writes),
        ]


def _force_kernel(parts: Sequence[EffectPart], dissipates: bool) -> BeamKernel:
    kernel = BeamKernel("force", parts, dissipates)
    kernel.integrate(
        lambda part: {f"f_{a}": value for a, value in part.force.items()},
        {
            f"g_{i}": [(factors, f"f_{a}") for a in POINT_SCALARS for factors in chain_factors(a, i)]
            for i in SHAPE_COMPONENTS
        },
    )
    # s and t contain -d
    kernel.lines += [f"n_{i} = g_{i} - g_s{i[1]} - g_t{i[1]}" for i in CHORD_COMPONENTS]
    values = {i: f"n_{i}" if i in CHORD_COMPONENTS else f"length * g_{i}" for i in SHAPE_COMPONENTS}
    kernel.add_row(
        "total", "dof", f"{COORDINATES_PER_ELEMENT} * e", [(-sign, values[i]) for i, sign in COORDINATE_SIGNS]
    )
    return kernel


def _tangent_kernel(parts: Sequence[EffectPart], dissipates: bool) -> BeamKernel:
    kernel = BeamKernel("tangent", parts, dissipates)
    matrices = [TangentMatrix("kq", False), TangentMatrix("kv", True)] if dissipates else [TangentMatrix("kq", True)]
    kernel.integrate(
        lambda part: {name: value for matrix in matrices for name, value in matrix.derivatives(part).items()},
        {name: terms for matrix in matrices for name, terms in matrix.sums().items()},
    )
    for matrix in matrices:
        at = matrix.entry
        # s and t contain -d: first the rows of d, then its columns.
        for i, j in (
            *matrix.computed(CHORD_COMPONENTS, CHORD_COMPONENTS),
            *matrix.computed(CHORD_COMPONENTS, BEND_COMPONENTS),
        ):
            kernel.lines.append(f"n_{at(i, j)} = {at(i, j)} - {at('s' + i[1], j)} - {at('t' + i[1], j)}")
        for i, j in matrix.computed(BEND_COMPONENTS, CHORD_COMPONENTS):
            kernel.lines.append(f"n_{at(i, j)} = {at(i, j)} - {at(i, 's' + j[1])} - {at(i, 't' + j[1])}")
        values = {at(i, j): f"n_{at(i, j)}" for i, j in itertools.product(SHAPE_COMPONENTS, SHAPE_COMPONENTS)}
        values |= {at(i, j): f"length * {at(i, j)}" for i, j in itertools.product(BEND_COMPONENTS, BEND_COMPONENTS)}
        for i, j in matrix.computed(CHORD_COMPONENTS, CHORD_COMPONENTS):
            values[at(i, j)] = f"({' - '.join(f'n_{at(i, k + j[1])}' for k in 'dst')}) * inverse"
        for k, (i, p) in enumerate(COORDINATE_SIGNS):
            row = [(p * r, values[at(i, j)]) for j, r in COORDINATE_SIGNS]
            kernel.add_row(
                matrix.name,
                "slot",
                f"{COORDINATES_PER_ELEMENT * COORDINATES_PER_ELEMENT} * e + {COORDINATES_PER_ELEMENT * k}",
                row,
            )
    return kernel


def _energy_kernel(parts: Sequence[EffectPart], dissipates: bool) -> BeamKernel:
    kernel = BeamKernel("energy", parts, dissipates)
    kernel.integrate(
        lambda part: {"potential_x": part.potential, "dissipated_x": part.dissipated},
        {"potential": [((), "potential_x")], "dissipated": [((), "dissipated_x")]},
    )
    for k, result in enumerate(("length * potential", "length * dissipated", "0.0")):
        kernel.writes.append(f"energy[3 * e + {k}] = {kernel.result(result)}")
    return kernel


def derive_beam(declaration: type[DistributedElasticity], families: Sequence[type[Family]]) -> DerivedKernels:
    """Derive the source lines of the kernels of a beam element."""
    parts = [EffectPart(declaration, name) for name in declaration.rules]
    dissipates = any(part.dissipation != 0 for part in parts)
    lines = [
        *packaged_text(Path(__file__).with_name("beam_functions.py")).splitlines(),
        "",
        "",
        'KIND = "force"',
        f"N_DOF, N_PAR, N_SIG = {COORDINATES_PER_ELEMENT}, {len(declaration.parameters)}, 0",
        f"TANGENT = {tuple(itertools.product(range(COORDINATES_PER_ELEMENT), range(COORDINATES_PER_ELEMENT)))!r}",
        f"SYMMETRIC = {not dissipates}",
        f"POTENTIAL, DISSIPATES, LOADS = {any(part.potential != 0 for part in parts)}, {dissipates}, False",
        f"DAMPED = {dissipates}",
    ]
    for kernel in (_force_kernel, _tangent_kernel, _energy_kernel):
        lines += ["", "", *kernel(parts, dissipates).text()]
    return DerivedKernels(lines, [])
