"""On which side of a singular pose a mechanism is: the sign of det Phi_q, where drives determine all (Phi_q is square).

Two branches that nearly meet, as those of a four-bar next to its change point, differ in it and in nothing else that a step
could see: what goes straight on lands on the other one. The determinant is eliminated as terms. Pivots that are numbers of the
design come first (those of x and y of bodies at joints), and their signs, which never change, are left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitwright.derive.terms import MOVING, Graph, Term

POSES = 3
"""Made-up poses at which sizes of entries are looked at."""


def side_of(graph: Graph, jac: Mapping[tuple[int, int], Term], size: int) -> Term:
    """1 or -1, or what is neither where a pivot is zero: then nothing is known."""
    A = dict(jac)
    rows, columns = set(range(size)), set(range(size))
    product = graph.number(1.0)
    one, minus = graph.number(1.0), graph.number(-1.0)
    rng = np.random.default_rng(0)
    inputs = _Inputs(rng)
    while rows:
        row, column = _pivot(graph, A, rows, columns, inputs)
        pivot = A[row, column]
        if pivot.level == MOVING:
            product = product * graph.call("select", pivot, one, minus)
        inverse = 1.0 / pivot
        below = [r for r in rows if r != row and (r, column) in A]
        beside = [c for c in columns if c != column and (row, c) in A]
        for r in below:
            factor = A.pop((r, column)) * inverse
            for c in beside:
                found = A.get((r, c), graph.number(0.0)) - factor * A[row, c]
                if found.level > 0 or found.value != 0.0:
                    A[r, c] = found
                else:
                    A.pop((r, c), None)
        rows.discard(row)
        columns.discard(column)
    return product


class _Inputs(dict):
    """Made-up values of whatever is asked for."""

    def __init__(self, rng: np.random.Generator):
        super().__init__()
        self.rng = rng

    def __missing__(self, name: str) -> np.ndarray:
        self[name] = self.rng.uniform(0.2, 1.2, POSES)
        return self[name]


def _pivot(
    graph: Graph, A: dict[tuple[int, int], Term], rows: set[int], columns: set[int], inputs: _Inputs
) -> tuple[int, int]:
    """The entry that fills in least, numbers of the design before others, large ones before small ones."""
    per_row = {r: sum((r, c) in A for c in columns) for r in rows}
    per_column = {c: sum((r, c) in A for r in rows) for c in columns}
    here = [(key, term) for key, term in A.items() if key[0] in rows and key[1] in columns]

    def price(entry: tuple[tuple[int, int], Term]) -> tuple[int, int]:
        (r, c), term = entry
        return int(term.level == MOVING), (per_row[r] - 1) * (per_column[c] - 1)

    least = min(map(price, here))
    some = [entry for entry in here if price(entry) == least]
    sizes = [float(np.abs(np.asarray(x)).min()) for x in graph.values([term for _, term in some], inputs)]
    return some[int(np.argmax(sizes))][0]
