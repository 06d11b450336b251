"""Kernels of a beam element whose effect is given per unit length (physics.declare.Distributed).

The density is differentiated once, in the scalars r_x = (ux, uy) and l r_xx = (wx, wy) of one point. What is printed
evaluates it at every quadrature point and chains it with the shape functions, whose values are plain numbers there. With
the chord d = (r_1 - r_0) / l and the bends s = r_x0 - d and t = r_x1 - d,

    r_x = d + b s + c t        l r_xx = b' s + c' t        b = 1 - 4 xi + 3 xi^2, c = 3 xi^2 - 2 xi

so the sums over the points are made for d, s and t, and go to the eight coordinates once, at the end.

Elements share coordinates, so what they add to forces and matrices must be added one after another. The kernels therefore
compute a block of elements into scratch memory, which the compiler turns into vector instructions (twice as fast as one
element at a time), and add the block up in a second loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sympy

from gaitwright.derive import scratch
from gaitwright.derive.interface import ARGUMENTS
from gaitwright.derive.printing import NumbaPrinter
from gaitwright.derive.symbols import Quantity, describe, evaluate
from gaitwright.errors import ModelError
from gaitwright.physics.declare import Distributed, Family

N = 8
BLOCK = 8
"""Elements computed together: as many as the widest vector registers hold."""
SCALARS = ("ux", "uy", "wx", "wy")
CHORD, BENDS = ("dx", "dy"), ("sx", "sy", "tx", "ty")
BASIS = (*CHORD, *BENDS)
COORDINATES = (("dx", -1), ("dy", -1), ("sx", 1), ("sy", 1), ("dx", 1), ("dy", 1), ("tx", 1), ("ty", 1))
"""What a coordinate (x0, y0, u0, v0, x1, y1, u1, v1) changes, and with which sign."""
INVERSE = sympy.Symbol("inverse", positive=True)  # of the length
PRINTER = NumbaPrinter()


def shape(xi: float) -> dict[tuple[str, str], float]:
    """Weight of each of the BASIS in each of the SCALARS."""
    weights = {
        "ud": 1.0, "us": 1 - 4 * xi + 3 * xi**2, "ut": 3 * xi**2 - 2 * xi,
        "wd": 0.0, "ws": 6 * xi - 4, "wt": 6 * xi - 2,
    }  # fmt: skip
    return {(a, i): weights[a[0] + i[0]] if a[1] == i[1] else 0.0 for a in SCALARS for i in BASIS}


class Part:
    """One part of the effect, with its first derivatives in the scalars of a point."""

    def __init__(self, declaration: type[Distributed], name: str):
        self.name, self.rule = name, declaration.rules[name]
        self.v = [Quantity(f"v_{scalar}", "") for scalar in SCALARS]
        self.q = [Quantity(scalar, "", v) for scalar, v in zip(SCALARS, self.v, strict=True)]
        self.numbers = {quantity: Quantity(f"p_{quantity}", "") for quantity in declaration.sections[name]}
        r_x, r_xx = tuple(self.q[:2]), tuple(w * INVERSE for w in self.q[2:])
        effect = evaluate(declaration, name, {"r_x": r_x, "r_xx": r_xx, **self.numbers})
        self.potential, self.dissipation = sympy.sympify(effect.potential), sympy.sympify(effect.dissipation)
        known = {*self.q, *self.numbers.values(), INVERSE}
        if not (self.potential.free_symbols <= known and self.dissipation.free_symbols <= known | {*self.v}):
            raise ModelError(
                f"{name}() uses unknown symbols, or a potential depends on velocities", element=describe(declaration),
                expected=f"r_x, r_xx, {', '.join(self.numbers)}, and rates in a dissipation alone",
            )  # fmt: skip
        self.force = [self.potential.diff(q) + self.dissipation.diff(v) for q, v in zip(self.q, self.v, strict=True)]
        self.dissipated = sum((self.dissipation.diff(v) * v for v in self.v), sympy.Integer(0))


class Tangent(NamedTuple):
    """One of the two tangent matrices. Of a symmetric one only the entries on one side of the diagonal are computed."""

    name: str
    symmetric: bool

    def entry(self, i: str, j: str) -> str:
        """Name of an entry, given two SCALARS or two of the BASIS."""
        order = (*SCALARS, *BASIS)
        return f"{self.name}_{j}{i}" if self.symmetric and order.index(j) < order.index(i) else f"{self.name}_{i}{j}"

    def entries(self, rows: Sequence[str], cols: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The computed ones."""
        return ((i, j) for i, j in itertools.product(rows, cols) if self.entry(i, j) == f"{self.name}_{i}{j}")

    def derivatives(self, part: Part) -> dict[str, Any]:
        by = dict(zip(SCALARS, part.q if self.name == "kq" else part.v, strict=True))
        force = dict(zip(SCALARS, part.force, strict=True))
        found = {self.entry(a, b): force[a].diff(by[b]) for a, b in self.entries(SCALARS, SCALARS)}
        return {name: value for name, value in found.items() if value != 0}

    def sums(self, weight: float, shape: dict[tuple[str, str], float]) -> Iterator[tuple[str, dict[str, float]]]:
        for i, j in self.entries(BASIS, BASIS):
            terms: dict[str, float] = {}
            for a, b in itertools.product(SCALARS, SCALARS):
                term = self.entry(a, b)
                terms[term] = terms.get(term, 0.0) + weight * shape[a, i] * shape[b, j]
            yield self.entry(i, j), terms


def combine(terms: Iterable[tuple[str, float]]) -> str:
    """Source of a sum of names times numbers, '' if all numbers are zero."""
    signed = [
        ("- " if number < 0 else "+ ") + (name if abs(number) == 1 else f"{abs(number)!r} * {name}")
        for name, number in terms
        if number
    ]
    return " ".join(signed).removeprefix("+ ").replace("- ", "-", int(signed[:1] != [] and signed[0][0] == "-"))


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
    """One kernel as it is being printed."""

    def __init__(self, name: str, parts: Sequence[Part], moving: bool):
        self.name, self.parts = name, parts
        self.stride = 1 + sum(len(part.rule) * len(part.numbers) for part in parts)
        self.lines = [f"length = par[{self.stride} * e]", "inverse = 1.0 / length"]
        self.writes: list[tuple[str, str, Sequence[str]]] = []
        for source, prefix in (("q", ""), ("v", "v_")) if moving else (("q", ""),):
            for k, axis in enumerate("xy"):
                r0, u0, r1, u1 = (f"{source}[dof[{N} * e + {k + 2 * i}]]" for i in range(4))
                self.lines.append(f"{prefix}d{axis} = ({r1} - {r0}) * inverse")
                self.lines.append(f"{prefix}s{axis} = {u0} - {prefix}d{axis}")
                self.lines.append(f"{prefix}t{axis} = {u1} - {prefix}d{axis}")

    def integrate(self, values: Callable[[Part], dict[str, Any]], sums: Callable[..., Any]) -> set[str]:
        """At every point evaluate values(part), named expressions, and add to sums(weight, shape), pairs of a name and
        the number with which each value counts. Returns the sums that have terms."""
        first, point, latest = 1, 0, {}
        for part in self.parts:
            named = values(part)
            names = sympy.numbered_symbols("c")
            roots, results = share_roots([sympy.factor_terms(value) for value in named.values()], names)
            shared, results = sympy.cse(results, symbols=names)
            steps = [*roots, *shared, *zip(map(sympy.Symbol, named), results, strict=True)]
            used = set().union(*(value.free_symbols for _, value in steps))
            for xi, weight in part.rule:
                # Every value has a name of its own: names that are given twice double the time to compile.
                own = {symbol: sympy.Symbol(f"{symbol}_{point}") for symbol in used | {symbol for symbol, _ in steps}}
                own[INVERSE] = INVERSE
                weights = shape(xi)
                self.lines.append(f"# {part.name}, xi = {xi:.6f}")
                for k, number in enumerate(part.numbers.values()):
                    if number in used:
                        self.lines.append(f"{own[number]} = par[{self.stride} * e + {first + k}]")
                first += len(part.numbers)
                for prefix, scalars in (("", part.q), ("v_", part.v)):
                    for a, scalar in zip(SCALARS, scalars, strict=True):
                        if scalar in used:
                            self.lines.append(f"{own[scalar]} = {combine((prefix + i, weights[a, i]) for i in BASIS)}")
                self.lines += [f"{own[symbol]} = {PRINTER.doprint(value.xreplace(own))}" for symbol, value in steps]
                for name, terms in sums(weight, weights):
                    added = {f"{term}_{point}": number for term, number in terms.items() if term in named and number}
                    if added:
                        before = {latest[name]: 1.0} if name in latest else {}
                        latest[name] = f"{name}_{point}"
                        self.lines.append(f"{latest[name]} = {combine((before | added).items())}")
                point += 1
        self.lines += [f"{name} = {last}" for name, last in latest.items()]
        return set(latest)

    def write(self, place: str, how: str, values: Sequence[str]) -> None:
        """Say where results go: the i-th of them to `place` with its index in the table of this element for {}."""
        self.writes.append((place, how, values))

    def text(self) -> list[str]:
        arguments = ", ".join(name for name, _ in ARGUMENTS["force"][self.name])
        loop = ["        for k in range(some):", "            e = first + k"]
        names = list(dict.fromkeys(value.removeprefix("-") for *_, values in self.writes for value in values))
        writes = [f"at = {len(self.writes[0][2])} * e"]
        for place, how, values in self.writes:
            for i, value in enumerate(values):
                sign, name = value[: value.startswith("-")], value.removeprefix("-")
                writes.append(f"{place.format(f'at + {i}')} {sign or how}= z{names.index(name)}")
        return [
            f"def {self.name}({arguments}):",
            f"    out = scratch({BLOCK * len(names)})",
            f"    for first in range(0, count, {BLOCK}):",
            f"        some = min({BLOCK}, count - first)",
            *loop,
            *(f"            {line}" for line in self.lines),
            *(f"            out[{BLOCK * i} + k] = {name}" for i, name in enumerate(names)),
            *loop,
            *(f"            z{i} = out[{BLOCK * i} + k]" for i in range(len(names))),
            *(f"            {line}" for line in writes),
        ]


def _force(parts: Sequence[Part], dissipates: bool) -> Kernel:
    kernel = Kernel("force", parts, dissipates)
    kernel.integrate(
        lambda part: {f"f_{a}": value for a, value in zip(SCALARS, part.force, strict=True) if value != 0},
        lambda weight, shape: ((f"g_{i}", {f"f_{a}": weight * shape[a, i] for a in SCALARS}) for i in BASIS),
    )
    # s and t contain -d
    kernel.lines += [f"q_{i} = g_s{i[1]} + g_t{i[1]} - g_{i}" for i in CHORD]
    kernel.lines += [f"q_{i} = -length * g_{i}" for i in BENDS]
    kernel.write("total[dof[{}]]", "+", [f"{'-' if sign < 0 else ''}q_{i}" for i, sign in COORDINATES])
    return kernel


def _tangent(parts: Sequence[Part], dissipates: bool) -> Kernel:
    kernel = Kernel("tangent", parts, dissipates)
    matrices = [Tangent("kq", False), Tangent("kv", True)] if dissipates else [Tangent("kq", True)]
    kernel.integrate(
        lambda part: {name: value for matrix in matrices for name, value in matrix.derivatives(part).items()},
        lambda weight, shape: itertools.chain(*(matrix.sums(weight, shape) for matrix in matrices)),
    )
    for matrix in matrices:
        at = matrix.entry
        # s and t contain -d: first the rows of d, then the columns.
        for i, j in (*matrix.entries(CHORD, CHORD), *matrix.entries(CHORD, BENDS)):
            kernel.lines.append(f"r_{at(i, j)} = {at(i, j)} - {at('s' + i[1], j)} - {at('t' + i[1], j)}")
        for i, j in matrix.entries(CHORD, CHORD):
            row = f"r_{at(i, j)} - r_{at(i, 's' + j[1])} - r_{at(i, 't' + j[1])}"
            kernel.lines.append(f"n_{at(i, j)} = inverse * ({row})")
        for i, j in matrix.entries(CHORD, BENDS):
            kernel.lines.append(f"n_{at(i, j)} = r_{at(i, j)}")
        for i, j in matrix.entries(BENDS, CHORD):
            kernel.lines.append(f"n_{at(i, j)} = {at(i, j)} - {at(i, 's' + j[1])} - {at(i, 't' + j[1])}")
        for i, j in matrix.entries(BENDS, BENDS):
            kernel.lines.append(f"n_{at(i, j)} = length * {at(i, j)}")
        pairs = itertools.product(COORDINATES, COORDINATES)
        kernel.write(f"{matrix.name}[slot[{{}}]]", "+", [f"{'-' if p != r else ''}n_{at(i, j)}" for (i, p), (j, r) in pairs])
    return kernel


def _energy(parts: Sequence[Part], dissipates: bool) -> Kernel:
    kernel = Kernel("energy", parts, dissipates)
    kinds = ("potential", "dissipated")
    found = kernel.integrate(
        lambda part: {f"{kind}_x": value for kind in kinds if (value := getattr(part, kind)) != 0},
        lambda weight, _: ((kind, {f"{kind}_x": weight}) for kind in kinds),
    )
    kernel.write("energy[{}]", "", [f"length * {kind}" if kind in found else "0.0" for kind in (*kinds, "loads")])
    return kernel


def derive_beam(declaration: type[Distributed], families: Sequence[type[Family]]) -> list[str]:
    """Source lines of the kernels of a beam element."""
    parts = [Part(declaration, name) for name in declaration.rules]
    dissipates = any(part.dissipation != 0 for part in parts)
    lines = [
        *Path(scratch.__file__).read_text().splitlines(),
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
    return lines
