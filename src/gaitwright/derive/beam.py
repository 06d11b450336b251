"""Kernels of a beam element whose effect is given per unit length (physics.declare.Distributed).

The density is differentiated once, in the scalars r_x = (ux, uy) and l r_xx = (wx, wy) of one point. What is printed
evaluates it at every quadrature point and chains it with the shape functions, whose values are plain numbers there. With
the chord d = (r_1 - r_0) / l and the bends s = r_x0 - d and t = r_x1 - d,

    r_x = d + b s + c t        l r_xx = b' s + c' t        b = 1 - 4 xi + 3 xi^2, c = 3 xi^2 - 2 xi

so the sums over the points are made for d, s and t, and go to the eight coordinates once, at the end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sympy

from gaitwright.derive.interface import ARGUMENTS
from gaitwright.derive.printing import NumbaPrinter
from gaitwright.derive.symbols import Quantity, evaluate
from gaitwright.physics.declare import Distributed, Family

N = 8
SCALARS = ("ux", "uy", "wx", "wy")
BASIS = ("dx", "dy", "sx", "sy", "tx", "ty")
NODES = {"dx": (4, 0), "dy": (5, 1), "sx": (2,), "sy": (3,), "tx": (6,), "ty": (7,)}
"""The coordinates that chord and bends stand for; the second one with the opposite sign."""
INVERSE = sympy.Symbol("inverse")  # of the length


def shape(xi: float) -> dict[tuple[str, str], float]:
    """Weights of chord and bends in the scalars."""
    weights = {
        "ud": 1.0, "us": 1 - 4 * xi + 3 * xi**2, "ut": 3 * xi**2 - 2 * xi,
        "wd": 0.0, "ws": 6 * xi - 4, "wt": 6 * xi - 2,
    }  # fmt: skip
    return {(a, b): weights[a[0] + b[0]] if a[1] == b[1] else 0.0 for a in SCALARS for b in BASIS}


def combine(terms: Iterable[tuple[float, str]]) -> str:
    """Source of a sum of numbers times names, '' if all numbers are zero."""
    signed = [
        ("-" if number < 0 else "+", name if abs(number) == 1 else f"{abs(number)!r} * {name}")
        for number, name in terms
        if number
    ]
    text = " ".join(f"{sign} {term}" for sign, term in signed)
    return text.removeprefix("+ ") if text.startswith("+") else text.replace("- ", "-", 1)


class Part:
    """One part of the effect: its derivatives per unit length in the scalars of a point."""

    def __init__(self, declaration: type[Distributed], name: str):
        self.name, self.rule = name, declaration.rules[name]
        self.v = [Quantity(f"v_{scalar}", "") for scalar in SCALARS]
        self.q = [Quantity(scalar, "", v) for scalar, v in zip(SCALARS, self.v, strict=True)]
        self.numbers = [Quantity(quantity, "") for quantity in declaration.sections[name]]
        arguments = {"r_x": tuple(self.q[:2]), "r_xx": tuple(w * INVERSE for w in self.q[2:])}
        effect = evaluate(declaration, name, arguments | {number.name: number for number in self.numbers})
        self.potential, self.dissipation = sympy.sympify(effect.potential), sympy.sympify(effect.dissipation)
        force = [self.potential.diff(q) + self.dissipation.diff(v) for q, v in zip(self.q, self.v, strict=True)]
        self.force = dict(zip(SCALARS, force, strict=True))
        self.dissipated = sum((self.dissipation.diff(v) * v for v in self.v), sympy.Integer(0))

    def tangent(self, by: Sequence[Quantity], symmetric: bool) -> dict[tuple[str, str], Any]:
        """Derivatives of the force, without those that are zero; if symmetric, only those above the diagonal."""
        entries = {(a, b): self.force[a].diff(x) for a in SCALARS for b, x in zip(SCALARS, by, strict=True)}
        above = {(a, b) for a, b in entries if SCALARS.index(a) <= SCALARS.index(b)}
        return {key: value for key, value in entries.items() if value != 0 and (key in above or not symmetric)}


def share_roots(values: Sequence[Any], names: Iterator[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """One square root and one division for all powers of a base: x^(-3/2) = z^3 with y = sqrt(x), z = 1 / y."""
    powers = set().union(*(value.atoms(sympy.Pow) for value in values))
    shared, replaced = [], {}
    for base in sorted({p.base for p in powers if not p.exp.is_integer or p.exp < 0}, key=str):
        x, y, z = (next(names) for _ in range(3))
        mine = [p for p in powers if p.base == base]
        step = sympy.Rational(1, 2) if any(not p.exp.is_integer for p in mine) else sympy.Integer(1)
        shared += [(x, base), (y, x**step), (z, 1 / y)]
        replaced[base] = x
        for p in mine:
            replaced[p] = (
                z ** (-p.exp / step)
                if p.exp < 0
                else (x if p.exp.is_integer else y) ** (p.exp / (1 if p.exp.is_integer else step))
            )
    return shared, [value.xreplace(replaced) for value in values]


class Kernel:
    """The lines of one kernel."""

    def __init__(self, name: str, parts: Sequence[Part], moving: bool):
        arguments = ", ".join(name for name, _ in ARGUMENTS["force"][name])
        self.parts, self.stride = parts, 1 + sum(len(part.rule) * len(part.numbers) for part in parts)
        self.printer = NumbaPrinter()
        self.lines = [f"def {name}({arguments}):", "    for e in range(count):"]
        self.add(f"length = par[{self.stride} * e]")
        self.add("inverse = 1.0 / length")
        for source, prefix in (("q", ""), ("v", "v_")) if moving else (("q", ""),):
            for k, axis in enumerate("xy"):
                r0, u0, r1, u1 = (f"{source}[dof[{N} * e + {k + 2 * i}]]" for i in range(4))
                self.add(f"{prefix}d{axis} = ({r1} - {r0}) * inverse")
                self.add(f"{prefix}s{axis} = {u0} - {prefix}d{axis}")
                self.add(f"{prefix}t{axis} = {u1} - {prefix}d{axis}")

    def add(self, line: str) -> None:
        self.lines.append(f"        {line}")

    def points(self, outputs: Any, sums: Any) -> None:
        """At every point evaluate outputs(part), named values, and add to sums(weight, shape): for each sum its terms."""
        first, begun = 1, set()
        for part in self.parts:
            values = outputs(part)
            names = sympy.numbered_symbols("c")
            roots, results = share_roots(list(values.values()), names)
            shared, results = sympy.cse(results, symbols=names)
            steps = [*roots, *shared, *zip(map(sympy.Symbol, values), results, strict=True)]
            used = set().union(*(value.free_symbols for _, value in steps))
            for xi, weight in part.rule:
                weights = shape(xi)
                self.add(f"# {part.name}, xi = {xi:.6f}")
                for k, number in enumerate(part.numbers):
                    if number in used:
                        self.add(f"{number} = par[{self.stride} * e + {first + k}]")
                first += len(part.numbers)
                for prefix, scalars in (("", part.q), ("v_", part.v)):
                    for name, scalar in zip(SCALARS, scalars, strict=True):
                        if scalar in used:
                            self.add(f"{scalar} = {combine((weights[name, b], prefix + b) for b in BASIS)}")
                for symbol, value in steps:
                    self.add(f"{symbol} = {self.printer.doprint(value)}")
                for name, terms in sums(weight, weights):
                    text = combine((number, term) for number, term in terms if term in values)
                    if text:
                        self.add(f"{name} {'+=' if name in begun else '='} {text}")
                        begun.add(name)


def _force(parts: Sequence[Part], dissipates: bool) -> list[str]:
    kernel = Kernel("force", parts, dissipates)
    kernel.points(
        lambda part: {f"f_{a}": value for a, value in part.force.items() if value != 0},
        lambda weight, shape: [(f"g_{i}", [(weight * shape[a, i], f"f_{a}") for a in SCALARS]) for i in BASIS],
    )
    for axis in "xy":
        kernel.add(f"g_d{axis} -= g_s{axis} + g_t{axis}")
    for i in BASIS:
        factor = "" if i[0] == "d" else "length * "
        for node, sign in zip(NODES[i], "-+", strict=False):
            kernel.add(f"total[dof[{N} * e + {node}]] {sign}= {factor}g_{i}")
    return kernel.lines


def _tangent(parts: Sequence[Part], dissipates: bool) -> list[str]:
    kernel = Kernel("tangent", parts, dissipates)
    matrices = {"kv": True, "kq": False} if dissipates else {"kq": True}

    def outputs(part: Part) -> dict[str, Any]:
        return {
            f"{name}_{a}{b}": value
            for name, symmetric in matrices.items()
            for (a, b), value in part.tangent(part.q if name == "kq" else part.v, symmetric).items()
        }

    def entry(name: str, symmetric: bool, i: str, j: str, order: Sequence[str]) -> str:
        return f"{name}_{j}{i}" if symmetric and order.index(j) < order.index(i) else f"{name}_{i}{j}"

    def sums(weight: float, shape: Any) -> Iterator[tuple[str, list[tuple[float, str]]]]:
        for (name, symmetric), i, j in itertools.product(matrices.items(), BASIS, BASIS):
            if entry(name, symmetric, i, j, BASIS) == f"{name}_{i}{j}":
                factors: dict[str, float] = {}
                for a, b in itertools.product(SCALARS, SCALARS):
                    term = entry(name, symmetric, a, b, SCALARS)
                    factors[term] = factors.get(term, 0.0) + weight * shape[a, i] * shape[b, j]
                yield f"{name}_{i}{j}", [(number, term) for term, number in factors.items()]

    kernel.points(outputs, sums)
    for name, symmetric in matrices.items():

        def at(i: str, j: str, name: str = name, symmetric: bool = symmetric) -> str:
            return entry(name, symmetric, i, j, BASIS)

        # From (d, s, t) to (d, r_x0, r_x1): s and t contain -d. The order lets every entry be changed in its place.
        chord, bends = BASIS[:2], BASIS[2:]
        for i, j in itertools.product(chord, chord):
            if at(i, j) == f"{name}_{i}{j}":
                kernel.add(f"{at(i, j)} -= {at('s' + i[1], j)} + {at('t' + i[1], j)}")
        for i, j in itertools.product(chord, bends):
            kernel.add(f"{at(i, j)} -= {at('s' + i[1], j)} + {at('t' + i[1], j)}")
            if not symmetric:
                kernel.add(f"{at(j, i)} -= {at(j, 's' + i[1])} + {at(j, 't' + i[1])}")
        for i, j in itertools.product(chord, chord):
            if at(i, j) == f"{name}_{i}{j}":
                kernel.add(f"{at(i, j)} -= {at(i, 's' + j[1])} + {at(i, 't' + j[1])}")
        for i, j in itertools.product(BASIS, BASIS):
            if at(i, j) != f"{name}_{i}{j}":
                continue
            power = 1 - (i in chord) - (j in chord)
            if power:
                kernel.add(f"{at(i, j)} *= {'length' if power > 0 else 'inverse'}")
            for (p, row), (r, col) in itertools.product(enumerate(NODES[i]), enumerate(NODES[j])):
                sign = "-" if p != r else "+"
                kernel.add(f"{name}[slot[{N * N} * e + {N * row + col}]] {sign}= {at(i, j)}")
                if symmetric and i != j:
                    kernel.add(f"{name}[slot[{N * N} * e + {N * col + row}]] {sign}= {at(i, j)}")
    return kernel.lines


def _energy(parts: Sequence[Part], dissipates: bool) -> list[str]:
    kernel = Kernel("energy", parts, dissipates)
    names = ("potential", "dissipated")
    kernel.points(
        lambda part: {f"{name}_x": value for name in names if (value := getattr(part, name)) != 0},
        lambda weight, _: [(name, [(weight, f"{name}_x")]) for name in names],
    )
    for k, name in enumerate(names):
        given = any(getattr(part, name) != 0 for part in parts)
        kernel.add(f"energy[3 * e + {k}] = {f'length * {name}' if given else '0.0'}")
    kernel.add("energy[3 * e + 2] = 0.0")
    return kernel.lines


def derive_beam(declaration: type[Distributed], families: Sequence[type[Family]]) -> list[str]:
    """Source lines of the kernels of a beam element."""
    parts = [Part(declaration, name) for name in declaration.rules]
    dissipates = any(part.dissipation != 0 for part in parts)
    lines = [
        'KIND = "force"',
        f"N_DOF, N_PAR, N_SIG = {N}, {len(declaration.parameters)}, 0",
        f"TANGENT = {tuple(itertools.product(range(N), range(N)))!r}",
        f"SYMMETRIC = {not dissipates}",
        f"POTENTIAL, DISSIPATES, LOADS = {any(part.potential != 0 for part in parts)}, {dissipates}, False",
        f"DAMPED = {dissipates}",
    ]
    for kernel in (_force, _tangent, _energy):
        lines += ["", "", *kernel(parts, dissipates)]
    return lines
