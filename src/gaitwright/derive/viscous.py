"""Kernels of damping at one point of a solid: from the dissipation R, a function of the rate of the strain.

    P_v = dR/dV        D_q = dP_v/dH        D_v = dP_v/dV        V = dH/dt

given H, then V, row by row. `tangent` gives all of D_q, row by row, then one triangle of D_v. The rate of Green's strain is
E' = (F^T V + V^T F) / 2; that of small strains (V + V^T) / 2.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.cache import clear_cache

from gaitwright.derive.form import Derived, Form
from gaitwright.derive.solid import Invariants, Printed, entries, label, triangle
from gaitwright.derive.symbols import Symbols, evaluate
from gaitwright.physics.materials.viscous import Viscosity


class Dissipation:
    """R at one point, ready to be differentiated."""

    def __init__(self, declaration: type[Viscosity], dimension: int):
        clear_cache()  # SymPy would hand out symbols with the places of others of the same names
        H, V = entries("h", dimension), entries("v", dimension)
        self.n = dimension**2
        self.invariants = Invariants(dimension, [x for matrix in (H, V) for row in matrix for x in row])
        for k, symbol in enumerate(self.invariants.x):
            symbol.load = f"given[{2 * self.n} * e + {k}]"
        s = Symbols(declaration, ())
        self.R = sympy.sympify(
            evaluate(declaration, "dissipation", {"rate": self._rate(H, V, declaration.linear), **s.arguments})
        )
        s.settle([self.R])
        self.y = self.invariants.inside(self.R)
        s.require_known(declaration, "dissipation()", self.R, [*self.y, *s.loads])
        self.loads, self.parameters = [*self.invariants.x, *s.loads], len(s.parameters)

    def _rate(self, H: Any, V: Any, linear: bool) -> Any:
        found, n = [[sympy.Integer(0)] * 3 for _ in range(3)], range(len(H))
        for i in n:
            for j in n[i:]:
                rate = V[i][j] + V[j][i]
                rate += 0 if linear else sum(H[k][i] * V[k][j] + V[k][i] * H[k][j] for k in n)
                found[i][j] = found[j][i] = self.invariants.named(f"d{i + 1}{j + 1}", rate / 2)
        return found

    def kernel(self, name: str) -> Form:
        inv, n = self.invariants, self.n
        printed = Printed("viscosity", name, self.loads)
        printed.name_all({y: inv.values[y] for y in self.y})
        if name == "power":
            printed.name_all({label("w"): 2 * self.R})
            return printed.form([label("w")])
        printed.name_all({g: inv.slope(y, i) for y in self.y for i, g in enumerate(inv.gradient(y)) if g != 0})
        slopes = {y: label(f"w_{y}") for y in self.y}
        bends = {(y, z): self.R.diff(y, z) for y in self.y for z in self.y}
        printed.name_all({slopes[y]: self.R.diff(y) for y in self.y})
        if name == "stress":
            return printed.form([sum(slopes[y] * inv.gradient(y)[n + i] for y in self.y) for i in range(n)])

        def entry(i: int, j: int) -> Any:
            """Of the derivative of P_v, entry i, in x_j."""
            value = sum(slopes[y] * inv.curvature(y, n + i, j) for y in self.y)
            return value + sum(bend * inv.gradient(y)[n + i] * inv.gradient(z)[j] for (y, z), bend in bends.items())

        first = [entry(i, j) for i in range(n) for j in range(n)]
        return printed.form([*first, *(entry(i, n + j) for i, j in triangle(n))])


def derive_viscosity(declaration: type[Viscosity], basis: Any) -> Derived:
    """The kernels of damping in a dimension."""
    dissipation = Dissipation(declaration, basis.dimension)
    head = ['KIND = "viscosity"', f"N_PAR, LINEAR = {dissipation.parameters}, {declaration.linear}"]
    return Derived(head, [dissipation.kernel(name) for name in ("power", "stress", "tangent")])
