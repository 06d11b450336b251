"""Kernels of a beam element whose effect is given per unit length (physics.declare.Distributed).

The density is differentiated once, in the scalars r_x = (ux, uy) and l r_xx = (wx, wy) of one point. With the chord
d = (r_1 - r_0) / l and the bends s = r_x0 - d and t = r_x1 - d, the shape functions say

    r_x = d + us s + ut t        us = 1 - 4 xi + 3 xi^2, ut = 3 xi^2 - 2 xi
    l r_xx = ws s + wt t         ws = 6 xi - 4, wt = 6 xi - 2

so what is printed sums over the points for d, s and t, and goes to the eight coordinates once, at the end.

Elements share coordinates: what they add to forces and matrices must be added one after another. The kernels therefore
compute a block of elements into scratch memory, in a loop that the compiler turns into vector instructions (more than
twice as fast as one element at a time), and add up the block in a second loop. No name is given twice and what is done
at a point is a function: both shorten the time to compile.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sympy

from gaitwright.derive.form import Derived, shared_parts
from gaitwright.derive.interface import ARGUMENTS
from gaitwright.derive.printing import NumbaPrinter, wrapped
from gaitwright.derive.symbols import Quantity, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.input_files import packaged_text
from gaitwright.physics.declare import Distributed, Family

N = 8
BLOCK = 8
"""Elements computed together: as many numbers as the widest vector registers hold."""
SCALARS = ("ux", "uy", "wx", "wy")
CHORD, BENDS = ("dx", "dy"), ("sx", "sy", "tx", "ty")
BASIS = (*CHORD, *BENDS)
COORDINATES = (("dx", -1), ("dy", -1), ("sx", 1), ("sy", 1), ("dx", 1), ("dy", 1), ("tx", 1), ("ty", 1))
"""What a coordinate (x0, y0, u0, v0, x1, y1, u1, v1) changes, and with which sign."""
INVERSE = sympy.Symbol("inverse", positive=True)  # of the length
PRINTER = NumbaPrinter()

Factors = tuple[str, ...]
Sums = dict[str, list[tuple[Factors, str]]]
"""Sums over the points: for each name its terms, values times shape functions."""


def at_point(xi: float, weight: float) -> tuple[float, ...]:
    """The numbers w, us, ut, ws, wt of a point."""
    return weight, 1 - 4 * xi + 3 * xi**2, 3 * xi**2 - 2 * xi, 6 * xi - 4, 6 * xi - 2


def chain(scalar: str, basis: str) -> list[Factors]:
    """How a scalar changes with one of the BASIS: [] if not at all, [()] if alike, else with a shape function."""
    if scalar[1] != basis[1] or scalar[0] + basis[0] == "wd":
        return []
    return [()] if basis in CHORD else [(scalar[0] + basis[0],)]


class Part:
    """One part of the effect, with its first derivatives in the scalars of a point."""

    def __init__(self, declaration: type[Distributed], name: str):
        self.name, self.rule = name, declaration.rules[name]
        self.v = {scalar: Quantity(f"v_{scalar}", "") for scalar in SCALARS}
        self.q = {scalar: Quantity(scalar, "", self.v[scalar]) for scalar in SCALARS}
        self.numbers = {quantity: Quantity(f"p_{quantity}", "") for quantity in declaration.sections[name]}
        ux, uy, wx, wy = self.q.values()
        arguments = {"r_x": (ux, uy), "r_xx": (wx * INVERSE, wy * INVERSE), **self.numbers}
        effect = evaluate(declaration, name, arguments)
        self.potential, self.dissipation = sympy.sympify(effect.potential), sympy.sympify(effect.dissipation)
        known = {*self.q.values(), *self.numbers.values(), INVERSE}
        if (
            effect.loads
            or self.potential.free_symbols - known
            or self.dissipation.free_symbols - known - {*self.v.values()}
        ):
            raise ModelError(
                f"{name}() uses an unknown symbol, a velocity in the potential, or a load", element=describe(declaration),
                expected=f"a potential of r_x, r_xx, {', '.join(self.numbers)}; a dissipation of these and their rates",
            )  # fmt: skip
        self.force = {a: self.potential.diff(self.q[a]) + self.dissipation.diff(self.v[a]) for a in SCALARS}
        self.dissipated = sum((self.dissipation.diff(v) * v for v in self.v.values()), sympy.Integer(0))


class Tangent(NamedTuple):
    """One of the two tangent matrices. Of a symmetric one only the entries on one side of the diagonal are computed."""

    name: str
    symmetric: bool

    def entry(self, i: str, j: str) -> str:
        """Name of an entry, given two SCALARS or two of the BASIS."""
        order = (*SCALARS, *BASIS)
        return f"{self.name}_{j}{i}" if self.symmetric and order.index(j) < order.index(i) else f"{self.name}_{i}{j}"

    def computed(self, rows: Sequence[str], cols: Sequence[str]) -> Iterator[tuple[str, str]]:
        return ((i, j) for i, j in itertools.product(rows, cols) if self.entry(i, j) == f"{self.name}_{i}{j}")

    def derivatives(self, part: Part) -> dict[str, Any]:
        by = {"kq": part.q, "kv": part.v}[self.name]
        return {self.entry(a, b): part.force[a].diff(by[b]) for a, b in self.computed(SCALARS, SCALARS)}

    def sums(self) -> Sums:
        return {
            self.entry(i, j): [
                (tuple(sorted((*first, *second))), self.entry(a, b))
                for a, b in itertools.product(SCALARS, SCALARS)
                for first, second in itertools.product(chain(a, i), chain(b, j))
            ]
            for i, j in self.computed(BASIS, BASIS)
        }


def share_roots(values: Sequence[Any], names: Iterator[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """One square root and one division for all powers of a base: x^(-3/2) = z^3 with z = 1 / y, y = sqrt(x)."""
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


class Kernel:
    """One kernel as it is being printed: for each part a function that adds what one point contributes, and the loops
    over elements that call it."""

    def __init__(self, name: str, parts: Sequence[Part], moving: bool):
        self.name, self.parts = name, parts
        self.stride = 1 + sum(len(part.rule) * len(part.numbers) for part in parts)
        states = {"q": "", "v": "v_"} if moving else {"q": ""}
        self.state = ", ".join(("inverse", *(prefix + i for prefix in states.values() for i in BASIS)))
        self.functions: list[str] = []
        self.lines = [f"length = par[{self.stride} * e]", "inverse = 1.0 / length"]
        for source, prefix in states.items():
            self.lines.append(f"{', '.join(prefix + i for i in BASIS)} = shape_of({source}, dof, {N} * e, inverse)")
        self.lines.append(f"state = {self.state}")
        self.results: list[str] = []
        self.writes: list[str] = []

    def integrate(self, values: Callable[[Part], dict[str, Any]], sums: Sums) -> None:
        """Sum the expressions values(part) over the points, as told by `sums`."""
        self.lines.append(f"s0 = ({', '.join('0.0' for _ in sums)})")
        first, point = 1, 0
        for part in self.parts:
            named = {name: value for name, value in values(part).items() if value != 0}
            self.functions += [*self._function(part, named, sums), "", ""]
            for xi, weight in part.rule:
                numbers = "".join(f", par[{self.stride} * e + {first + k}]" for k in range(len(part.numbers)))
                call = f"{part.name}_{self.name}(s{point}, state, {at_point(xi, weight)}{numbers})"
                first, point = first + len(part.numbers), point + 1
                self.lines.append(f"s{point} = {call}")
        self.lines.append(f"{', '.join(sums)} = s{point}")

    def _function(self, part: Part, named: dict[str, Any], sums: Sums) -> Iterator[str]:
        names = sympy.numbered_symbols("c")
        roots, results = share_roots([sympy.factor_terms(value) for value in named.values()], names)
        shared, results = shared_parts(results, names)
        steps = [*roots, *shared, *zip(named, results, strict=True)]
        used = {str(symbol) for _, value in steps for symbol in value.free_symbols}
        yield "@inlined"
        yield f"def {part.name}_{self.name}(sums, state, point, {', '.join(map(str, part.numbers.values()))}):"
        yield f"    {', '.join(sums)} = sums"
        yield f"    {self.state} = state"
        yield "    w, us, ut, ws, wt = point"
        for prefix, a in itertools.product(("", "v_"), SCALARS):
            if prefix + a in used:
                terms = [" * ".join((*factors, prefix + i)) for i in BASIS for factors in chain(a, i)]
                yield f"    {prefix}{a} = {' + '.join(terms)}"
        for name, value in steps:
            yield f"    {name} = {PRINTER.doprint(value)}"
        for factors in sorted({factors for terms in sums.values() for factors, value in terms if value in named}):
            if factors:
                yield f"    {'_'.join(('w', *factors))} = {' * '.join(('w', *factors))}"
        added = {
            name: "".join(f" + {'_'.join(('w', *factors))} * {value}" for factors, value in terms if value in named)
            for name, terms in sums.items()
        }
        yield from wrapped("    return (", [name + more for name, more in added.items()], "    )")

    def result(self, value: str) -> str:
        """Keep a result of an element for the second loop; returns what it is called there."""
        if value not in self.results:
            self.results.append(value)
        return f"out[{BLOCK * self.results.index(value)} + k]"

    def add_row(self, values: str, index: str, first: str, row: Sequence[tuple[int, str]]) -> None:
        """Add to what belongs to the eight coordinates, with signs."""
        terms = [("" if sign > 0 else "-") + self.result(value) for sign, value in row]
        self.writes += wrapped(f"add_row({values}, {index}, {first},", terms, ")")

    def text(self) -> list[str]:
        arguments = ", ".join(name for name, _ in ARGUMENTS["force"][self.name])
        first = [*self.lines, *(f"out[{BLOCK * i} + k] = {result}" for i, result in enumerate(self.results))]
        return [
            *self.functions,
            f"def {self.name}({arguments}):",
            f"    out = scratch({BLOCK * len(self.results)})",
            f"    for first in range(0, count, {BLOCK}):",
            f"        some = min({BLOCK}, count - first)",
            "        for k in range(some):",
            "            e = first + k",
            *(f"            {line}" for line in first),
            "        for k in range(some):",
            "            e = first + k",
            *(f"            {line}" for line in self.writes),
        ]


def _force(parts: Sequence[Part], dissipates: bool) -> Kernel:
    kernel = Kernel("force", parts, dissipates)
    kernel.integrate(
        lambda part: {f"f_{a}": value for a, value in part.force.items()},
        {f"g_{i}": [(factors, f"f_{a}") for a in SCALARS for factors in chain(a, i)] for i in BASIS},
    )
    # s and t contain -d
    kernel.lines += [f"n_{i} = g_{i} - g_s{i[1]} - g_t{i[1]}" for i in CHORD]
    values = {i: f"n_{i}" if i in CHORD else f"length * g_{i}" for i in BASIS}
    kernel.add_row("total", "dof", f"{N} * e", [(-sign, values[i]) for i, sign in COORDINATES])
    return kernel


def _tangent(parts: Sequence[Part], dissipates: bool) -> Kernel:
    kernel = Kernel("tangent", parts, dissipates)
    matrices = [Tangent("kq", False), Tangent("kv", True)] if dissipates else [Tangent("kq", True)]
    kernel.integrate(
        lambda part: {name: value for matrix in matrices for name, value in matrix.derivatives(part).items()},
        {name: terms for matrix in matrices for name, terms in matrix.sums().items()},
    )
    for matrix in matrices:
        at = matrix.entry
        # s and t contain -d: first the rows of d, then its columns.
        for i, j in (*matrix.computed(CHORD, CHORD), *matrix.computed(CHORD, BENDS)):
            kernel.lines.append(f"n_{at(i, j)} = {at(i, j)} - {at('s' + i[1], j)} - {at('t' + i[1], j)}")
        for i, j in matrix.computed(BENDS, CHORD):
            kernel.lines.append(f"n_{at(i, j)} = {at(i, j)} - {at(i, 's' + j[1])} - {at(i, 't' + j[1])}")
        values = {at(i, j): f"n_{at(i, j)}" for i, j in itertools.product(BASIS, BASIS)}
        values |= {at(i, j): f"length * {at(i, j)}" for i, j in itertools.product(BENDS, BENDS)}
        for i, j in matrix.computed(CHORD, CHORD):
            values[at(i, j)] = f"({' - '.join(f'n_{at(i, k + j[1])}' for k in 'dst')}) * inverse"
        for k, (i, p) in enumerate(COORDINATES):
            row = [(p * r, values[at(i, j)]) for j, r in COORDINATES]
            kernel.add_row(matrix.name, "slot", f"{N * N} * e + {N * k}", row)
    return kernel


def _energy(parts: Sequence[Part], dissipates: bool) -> Kernel:
    kernel = Kernel("energy", parts, dissipates)
    kernel.integrate(
        lambda part: {"potential_x": part.potential, "dissipated_x": part.dissipated},
        {"potential": [((), "potential_x")], "dissipated": [((), "dissipated_x")]},
    )
    for k, result in enumerate(("length * potential", "length * dissipated", "0.0")):
        kernel.writes.append(f"energy[3 * e + {k}] = {kernel.result(result)}")
    return kernel


def derive_beam(declaration: type[Distributed], families: Sequence[type[Family]]) -> Derived:
    """Source lines of the kernels of a beam element."""
    parts = [Part(declaration, name) for name in declaration.rules]
    dissipates = any(part.dissipation != 0 for part in parts)
    lines = [
        *packaged_text(Path(__file__).with_name("scratch.py")).splitlines(),
        "",
        "",
        'KIND = "force"',
        f"N_DOF, N_PAR, N_SIG = {N}, {len(declaration.parameters)}, 0",
        f"TANGENT = {tuple(itertools.product(range(N), range(N)))!r}",
        f"SYMMETRIC = {not dissipates}",
        f"POTENTIAL, DISSIPATES, LOADS = {any(part.potential != 0 for part in parts)}, {dissipates}, False",
        f"DAMPED = {dissipates}",
    ]
    for kernel in (_force, _tangent, _energy):
        lines += ["", "", *kernel(parts, dissipates).text()]
    return Derived(lines, [])
