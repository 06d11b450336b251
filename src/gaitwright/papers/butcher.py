"""Tables 3 and 4 of paper 001, the Butcher arrays of Gauss's methods, number by number against ours.

Our copy of the paper is read by machine. Two signs in the first row of Table 4 and two denominators among its weights
cannot be what was meant: the rows of a collocation method sum up to its nodes, its weights to one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import leggauss

from gaitwright.integrate import gauss2, gauss3
from gaitwright.papers.check import EQUATION, INPUT, Check

ROOT3, ROOT15 = math.sqrt(3.0), math.sqrt(15.0)
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


PRINTED = {
    "gauss2": Array(
        np.array([1 / 2 - ROOT3 / 6, 1 / 2 + ROOT3 / 6]),
        np.array([[1 / 4, 1 / 4 - ROOT3 / 6], [1 / 4 + ROOT3 / 6, 1 / 4]]),
        np.array([1 / 2, 1 / 2]),
    ),
    "gauss3": Array(
        np.array([1 / 2 - ROOT15 / 10, 1 / 2, 1 / 2 + ROOT15 / 10]),
        np.array(
            [
                [5 / 36, 2 / 9 + ROOT15 / 15, 5 / 36 + ROOT15 / 30],
                [5 / 36 + ROOT15 / 24, 2 / 9, 5 / 36 - ROOT15 / 24],
                [5 / 36 + ROOT15 / 30, 2 / 9 + ROOT15 / 15, 5 / 36],
            ]
        ),
        np.array([5 / 18, 4 / 19, 5 / 18]),
    ),
}
"""As our copy has them."""
TORN = {("gauss3", 2): "5 over 1 and a stray letter in our copy; 18 is read, as in the first weight"}
"""Weights that had to be guessed, by method and place."""
OURS = {name: Array(module.C, module.A, module.B) for name, module in (("gauss2", gauss2), ("gauss3", gauss3))}
TABLE = {"gauss2": 3, "gauss3": 4}


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


def table_checks(judge: Callable[..., Check]) -> list[Check]:
    """Every number of Tables 3 and 4, the sums of their rows, and their numbers of stages."""
    found = []
    for name, printed in PRINTED.items():
        ours, k = OURS[name], TABLE[name]
        agrees = ours.apart(collocation(ours.stages)) < 10 * EXACT
        row = f"its row sums up to {{0:.4f}}, not to its node {{1:.4f}}; with {ours.stages} stages of Gauss {{2:.4f}} is meant"
        weight = "the weights sum up to {0:.4f}, not to 1; {1:.4f} is meant, a misreading of our copy"
        found.append(
            judge(
                f"{k}-stages", f"stages of the method of Table {k}", printed.stages, len(ours.b), "1", tolerance=0.1, kind=INPUT
            )
        )  # fmt: skip
        for i in range(ours.stages):
            total = float(printed.a[i].sum())
            found.append(
                judge(f"{k}-c{i + 1}", f"Table {k}, node {i + 1}", printed.c[i], ours.c[i], "1", tolerance=EXACT)
            )
            for j in range(ours.stages):
                found.append(
                    judge(
                        f"{k}-a{i + 1}{j + 1}", f"Table {k}, row {i + 1}, stage {j + 1}", printed.a[i, j], ours.a[i, j], "1",
                        tolerance=EXACT, impossible=row.format(total, printed.c[i], ours.a[i, j]), confirmed=agrees,
                    )
                )  # fmt: skip
            found.append(
                judge(
                    f"{k}-row{i + 1}", f"Table {k}, sum of row {i + 1}, and the node of ours", total, ours.c[i], "1",
                    tolerance=EXACT, confirmed=agrees, kind=EQUATION, remark="the printed numbers of the row, added up by us",
                    impossible="the printed numbers of the row, added up by us: a row sums up to its node; two plus signs in "
                    "this row of our copy stand for minus",
                )
            )  # fmt: skip
        for j in range(ours.stages):
            found.append(
                judge(
                    f"{k}-b{j + 1}", f"Table {k}, weight {j + 1}", printed.b[j], ours.b[j], "1", tolerance=EXACT,
                    remark=TORN.get((name, j), ""),
                    impossible=weight.format(float(printed.b.sum()), ours.b[j]), confirmed=agrees,
                )
            )  # fmt: skip
        found.append(
            judge(
                f"{k}-weights", f"Table {k}, sum of the weights, and that of ours", float(printed.b.sum()),
                float(ours.b.sum()), "1", tolerance=EXACT, confirmed=agrees, kind=EQUATION,
                remark="the printed weights, added up by us",
                impossible="the printed weights, added up by us: a method whose weights do not sum up to 1 has no order at "
                "all; our copy reads 19 for 9",
            )
        )  # fmt: skip
    return found
