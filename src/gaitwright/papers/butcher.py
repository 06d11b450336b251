"""Tables 3 and 4 of paper 001, the Butcher arrays of Gauss's methods, number by number against ours.

Our copy of the paper is read by machine. Two signs in the first row of Table 4 and two denominators among its weights
cannot be what was meant: the rows of a collocation method sum up to its nodes, its weights to one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import leggauss

from gaitwright.integrate import gauss2, gauss3

EXACT = 1e-15
"""What doubles leave open."""


@dataclass(frozen=True)
class Array:
    """Nodes c, coefficients a and weights b of a method with s stages: (s,), (s, s), (s,)."""

    c: np.ndarray
    a: np.ndarray
    b: np.ndarray

    @property
    def stages(self) -> int:
        return self.b.size

    def apart(self, other: Array) -> float:
        """Largest difference of two numbers at the same place."""
        pairs = ((self.c, other.c), (self.a, other.a), (self.b, other.b))
        return max(float(np.abs(x - y).max()) for x, y in pairs)


OURS = {name: Array(module.C, module.A, module.B) for name, module in (("gauss2", gauss2), ("gauss3", gauss3))}
TABLES = {"3": "gauss2", "4": "gauss3"}


def printed(numbers: Mapping[str, float], table: str) -> Array:
    """A table as our copy has it, from printed numbers by id: 3-c1, 3-a12, 3-b1."""
    places = range(1, OURS[TABLES[table]].stages + 1)
    return Array(
        np.array([numbers[f"{table}-c{i}"] for i in places]),
        np.array([[numbers[f"{table}-a{i}{j}"] for j in places] for i in places]),
        np.array([numbers[f"{table}-b{j}"] for j in places]),
    )


def collocation(stages: int) -> Array:
    """Gauss's method from its definition: nodes are the roots of Legendre's polynomial on 0 to 1, a_ij and b_j the
    integrals of Lagrange's polynomials up to c_i and up to 1. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
    Differential Equations I, section II.7."""
    nodes = (leggauss(stages)[0] + 1) / 2
    integrals = []
    for j in range(stages):
        others = np.delete(nodes, j)
        integrals.append((Polynomial.fromroots(others) / float(np.prod(nodes[j] - others))).integ())
    a = np.array([[integral(c) for integral in integrals] for c in nodes])
    return Array(nodes, a, np.array([integral(1.0) for integral in integrals]))


def facts(numbers: Mapping[str, float]) -> dict[str, Any]:
    """Tables 3 and 4 beside ours. agrees: whether ours is what the definition of the method gives."""
    arrays = {table: printed(numbers, table) for table in TABLES}
    return {
        "tables": {table: OURS[name] for table, name in TABLES.items()},
        "agrees": {t: OURS[name].apart(collocation(OURS[name].stages)) < 10 * EXACT for t, name in TABLES.items()},
        "row_sums": {table: array.a.sum(axis=1) for table, array in arrays.items()},
        "weight_sums": {table: float(array.b.sum()) for table, array in arrays.items()},
    }
