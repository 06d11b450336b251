"""Side of a singular pose on which a mechanism is: the sign of det Phi_q, if drives determine all coordinates (Phi_q is
square).

Two branches that nearly meet, such as those of a four-bar near its change point, differ only in this sign: a step that
continues in a straight line ends on the other branch. The determinant is computed by elimination with terms. Pivots that depend
on the design alone come first (those of x and y of bodies at joints), and their signs, which never change, are omitted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitwright.derive.term_graph import MOTION_LEVEL, Term, TermGraph

SAMPLE_POSES = 3
"""Number of random inputs at which the sizes of entries are compared."""


def determinant_sign(graph: TermGraph, jac: Mapping[tuple[int, int], Term], size: int) -> Term:
    """Sign of the determinant of a square matrix of terms: 1 or -1, up to a constant factor; undefined where a pivot is zero.
    size: number of rows."""
    A = dict(jac)
    rows, columns = set(range(size)), set(range(size))
    product = graph.number(1.0)
    one, minus = graph.number(1.0), graph.number(-1.0)
    rng = np.random.default_rng(0)
    inputs = _RandomInputs(rng)
    while rows:
        row, column = _choose_pivot(graph, A, rows, columns, inputs)
        pivot = A[row, column]
        if pivot.level == MOTION_LEVEL:
            product = product * graph.call("select", pivot, one, minus)
        inverse = 1.0 / pivot
        below = [r for r in rows if r != row and (r, column) in A]
        beside = [c for c in columns if c != column and (row, c) in A]
        for r in below:
            factor = A.pop((r, column)) * inverse
            for c in beside:
                updated = A.get((r, c), graph.number(0.0)) - factor * A[row, c]
                if updated.level > 0 or updated.value != 0.0:
                    A[r, c] = updated
                else:
                    A.pop((r, c), None)
        rows.discard(row)
        columns.discard(column)
    return product


class _RandomInputs(dict):
    """Random values for any input name, (SAMPLE_POSES,)."""

    def __init__(self, rng: np.random.Generator):
        super().__init__()
        self.rng = rng

    def __missing__(self, name: str) -> np.ndarray:
        self[name] = self.rng.uniform(0.2, 1.2, SAMPLE_POSES)
        return self[name]


def _choose_pivot(
    graph: TermGraph, A: dict[tuple[int, int], Term], rows: set[int], columns: set[int], inputs: _RandomInputs
) -> tuple[int, int]:
    """Choose the pivot: terms of the design before others, then least fill-in, then largest size."""
    per_row = {r: sum((r, c) in A for c in columns) for r in rows}
    per_column = {c: sum((r, c) in A for r in rows) for c in columns}
    candidates = [(key, term) for key, term in A.items() if key[0] in rows and key[1] in columns]

    def price(entry: tuple[tuple[int, int], Term]) -> tuple[int, int]:
        (r, c), term = entry
        return int(term.level == MOTION_LEVEL), (per_row[r] - 1) * (per_column[c] - 1)

    lowest_price = min(map(price, candidates))
    cheapest = [entry for entry in candidates if price(entry) == lowest_price]
    sizes = [float(np.abs(np.asarray(x)).min()) for x in graph.values([term for _, term in cheapest], inputs)]
    return cheapest[int(np.argmax(sizes))][0]
