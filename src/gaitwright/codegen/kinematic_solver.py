"""Solver for mechanisms with a motion that is determined by drives: Phi_q is square, and masses are not needed to solve
with it.

    Phi_q x = bottom        Phi_q^T lambda = top - W x

Pivots that are plain numbers, such as those of x and y of bodies at joints, are eliminated first: they never vanish, whatever
the pose and the design. The remaining matrix, mostly of angles, is block triangular with small blocks, one for each independent
loop: 2 x 2 for a dyad. For one of Theo Jansen's legs this takes a fifth of the operations of elimination.py, which eliminates
with masses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from gaitwright.codegen.branch_sign import determinant_sign
from gaitwright.derive.term_graph import NUMBER_LEVEL, Term, TermGraph

MIN_PIVOT = 0.1
"""Minimum absolute value of a numeric pivot: beside lengths in m, rounding then grows at most ten times. Pivots of joints
are 1; the cosine of a right angle, 6e-17, is excluded."""
MAX_BLOCK_ROWS = 12
"""Maximum rows of a block for this solver: for larger blocks the sparse elimination of elimination.py is shorter."""
TermEntries = dict[tuple[int, int], Term]


class KinematicSolver:
    """Factorised square Phi_q. weight: diagonal W. scale: typical changes of coordinates, (n,). length: of the mechanism, m."""

    determines = True
    """True: x depends on `bottom` alone."""

    def __init__(
        self,
        graph: TermGraph,
        weight: Sequence[Term],
        jac: Mapping[tuple[int, int], Term],
        scale: np.ndarray,
        length: float,
    ):
        self.graph, self.weight, self.zero, self.size = graph, weight, graph.number(0.0), len(weight)
        self.numbers: list[tuple[int, int, Term, TermEntries, TermEntries]] = []
        """Per numeric pivot: row, column, inverse, factors of its row in other rows, and the other entries of its row."""
        remaining = self._eliminate(dict(jac))
        triangle = _block_triangular_order(remaining)
        self.regular = sum(len(rows) for rows, _ in triangle) == self.size - len(self.numbers)
        """True if Phi_q can be regular; False if it is structurally singular."""
        self.blocks = [_SolverBlock(graph, rows, columns, remaining, scale, length) for rows, columns in triangle]
        self.left = remaining

    def _eliminate(self, A: TermEntries) -> TermEntries:
        """Eliminate with numeric pivots; returns the remaining matrix."""
        while (pivot := _choose_number_pivot(A)) is not None:
            row, column = pivot
            inverse = 1.0 / A.pop(pivot)
            column_factors = {(r, column): A.pop((r, column)) * inverse for r, c in list(A) if c == column}
            row_entries = {(row, c): A.pop((row, c)) for r, c in list(A) if r == row}
            for (r, _), factor in column_factors.items():
                for (_, c), entry in row_entries.items():
                    term = A.get((r, c), self.zero) - factor * entry
                    A.pop((r, c), None)
                    if term is not self.zero:
                        A[r, c] = term
            self.numbers.append((row, column, inverse, column_factors, row_entries))
        return A

    @property
    def largest(self) -> int:
        """Number of rows of the largest block."""
        return max((len(block.rows) for block in self.blocks), default=0)

    @property
    def inverse_pivots(self) -> list[Term]:
        """Measure of singularity of each block times the total mass, comparable with the inverse pivots of an elimination with
        masses. The measure is about 1 in a regular pose and grows without bound towards a singular pose, with the inverse
        square of the small quantity (in blocks of three rows or more at least with its inverse)."""
        total = sum(self.weight, self.zero)
        return [total * block.nearness() for block in self.blocks]

    @property
    def side(self) -> Term:
        """Sign of det Phi_q, up to a constant factor: see branch_sign.py."""
        product = self.graph.number(1.0)
        for block in self.blocks:
            product = product * block.side()
        return product

    def solve(
        self,
        top: Sequence[Term] | None,
        bottom: Sequence[Term],
        added_entries: Mapping[tuple[int, int], Term] | None = None,
    ) -> tuple[list[Term], list[Term]]:
        """Solve for x and lambda. top: default zero. added_entries: added to W."""
        x = self._forward(bottom)
        residual = [f - m * y for f, m, y in zip(top or [self.zero] * self.size, self.weight, x, strict=True)]
        for (row, column), entry in (added_entries or {}).items():
            residual[row] = residual[row] - entry * x[column]
        return x, self._transposed(residual)

    def _forward(self, right_side: Sequence[Term]) -> list[Term]:
        b, x = list(right_side), [self.zero] * self.size
        for row, _, _, below, _ in self.numbers:
            for (r, _), factor in below.items():
                b[r] = b[r] - factor * b[row]
        for block in self.blocks:
            block.solve(b, x, self.left)
        for row, column, inverse, _, beside in reversed(self.numbers):
            value = b[row]
            for (_, c), entry in beside.items():
                value = value - entry * x[c]
            x[column] = value * inverse
        return x

    def _transposed(self, right_side: Sequence[Term]) -> list[Term]:
        s, multipliers = list(right_side), [self.zero] * self.size
        for row, column, inverse, _, beside in self.numbers:
            multipliers[row] = s[column] * inverse
            for (_, c), entry in beside.items():
                s[c] = s[c] - entry * multipliers[row]
        for block in reversed(self.blocks):
            block.solve_transposed(s, multipliers, self.left)
        for row, _, _, below, _ in reversed(self.numbers):
            for (r, _), factor in below.items():
                multipliers[row] = multipliers[row] - factor * multipliers[r]
        return multipliers


class _SolverBlock:
    """Diagonal block of the remaining matrix. rows, columns: indices, equally many. left: remaining matrix."""

    def __init__(
        self, graph: TermGraph, rows: list[int], columns: list[int], left: TermEntries, scale: np.ndarray, length: float
    ):
        self.graph, self.rows, self.columns, self.length = graph, rows, columns, length
        zero = graph.number(0.0)
        self.B = [[left.get((r, c), zero) for c in columns] for r in rows]
        self.spread = [graph.number(float(scale[c]) ** 2) for c in columns]
        self.apply, self.apply_transposed, self.nearness = self._inverted()

    def solve(self, b: list[Term], x: list[Term], left: TermEntries) -> None:
        residual = [self._without(b[r], [(entry, x[c]) for (i, c), entry in left.items() if i == r]) for r in self.rows]
        for c, value in zip(self.columns, self.apply(residual), strict=True):
            x[c] = value

    def solve_transposed(self, s: list[Term], multipliers: list[Term], left: TermEntries) -> None:
        residual = [
            self._without(s[c], [(entry, multipliers[r]) for (r, j), entry in left.items() if j == c])
            for c in self.columns
        ]
        for r, value in zip(self.rows, self.apply_transposed(residual), strict=True):
            multipliers[r] = value

    @staticmethod
    def _without(value: Term, parts: list[tuple[Term, Term]]) -> Term:
        for entry, factor in parts:
            value = value - entry * factor
        return value

    def side(self) -> Term:
        if len(self.rows) > 2:
            entries = {(i, j): term for i, row in enumerate(self.B) for j, term in enumerate(row)}
            return determinant_sign(
                self.graph, {key: term for key, term in entries.items() if not _is_zero(term)}, len(self.B)
            )
        return self.graph.call("select", self._determinant(), self.graph.number(1.0), self.graph.number(-1.0))

    def _determinant(self) -> Term:
        if len(self.rows) == 1:
            return self.B[0][0]
        (a, b), (c, d) = self.B
        return a * d - b * c

    def _inverted(
        self,
    ) -> tuple[Callable[[list[Term]], list[Term]], Callable[[list[Term]], list[Term]], Callable[[], Term]]:
        """Functions that solve with the block and with its transpose, and that return its measure of singularity."""
        if len(self.rows) > 2:
            return self._by_gram()
        inverse = 1.0 / self._determinant()
        if len(self.rows) == 1:
            square = self.length * self.length
            return lambda r: [r[0] * inverse], lambda s: [s[0] * inverse], lambda: square * inverse * inverse
        (a, b), (c, d) = self.B

        def nearness() -> Term:
            ratio = (a * a + b * b + c * c + d * d) * inverse
            return 0.25 * ratio * ratio

        return (
            lambda r: [(d * r[0] - b * r[1]) * inverse, (a * r[1] - c * r[0]) * inverse],
            lambda s: [(d * s[0] - c * s[1]) * inverse, (a * s[1] - b * s[0]) * inverse],
            nearness,
        )

    def _by_gram(
        self,
    ) -> tuple[Callable[[list[Term]], list[Term]], Callable[[list[Term]], list[Term]], Callable[[], Term]]:
        """The same by B D B^T, which needs no row exchanges; its condition number is the square of that of B, so solutions are
        refined once."""
        B, D, size = self.B, self.spread, len(self.rows)
        zero = self.graph.number(0.0)

        def times(x: list[Term]) -> list[Term]:
            return [sum((entry * y for entry, y in zip(row, x, strict=True)), zero) for row in B]

        def times_transposed(z: list[Term]) -> list[Term]:
            return [sum((B[i][j] * z[i] for i in range(size)), zero) for j in range(size)]

        G = [[sum((B[i][k] * D[k] * B[j][k] for k in range(size)), zero) for j in range(size)] for i in range(size)]
        diagonal = [G[k][k] for k in range(size)]
        inverse: list[Term] = []
        for k in range(size):
            inverse.append(1.0 / G[k][k])
            for i in range(k + 1, size):
                factor = G[i][k] * inverse[k]
                for j in range(k + 1, i + 1):
                    G[i][j] = G[i][j] - factor * G[j][k]
            for i in range(k + 1, size):
                G[i][k] = G[i][k] * inverse[k]

        def by_gram(r: list[Term]) -> list[Term]:
            z = list(r)
            for k in range(size):
                for i in range(k + 1, size):
                    z[i] = z[i] - G[i][k] * z[k]
            for k in reversed(range(size)):
                z[k] = z[k] * inverse[k]
                for i in range(k + 1, size):
                    z[k] = z[k] - G[i][k] * z[i]
            return z

        def solve(r: list[Term]) -> list[Term]:
            return [d * y for d, y in zip(D, times_transposed(by_gram(r)), strict=True)]

        def solve_transposed(s: list[Term]) -> list[Term]:
            return by_gram(times([d * y for d, y in zip(D, s, strict=True)]))

        def nearness() -> Term:
            worst = abs(inverse[0])
            for pivot in inverse[1:]:  # near a singular pose rounding may make a pivot negative
                worst = self.graph.call("max", worst, abs(pivot))
            return sum(diagonal, zero) * worst / float(size)

        return (
            lambda r: _refine_solution(solve, times, r),
            lambda s: _refine_solution(solve_transposed, times_transposed, s),
            nearness,
        )


def _refine_solution(
    solve: Callable[[list[Term]], list[Term]], times: Callable[[list[Term]], list[Term]], right_side: list[Term]
) -> list[Term]:
    solution = solve(right_side)
    residual = [a - b for a, b in zip(right_side, times(solution), strict=True)]
    return [a + b for a, b in zip(solution, solve(residual), strict=True)]


def _is_zero(term: Term) -> bool:
    return term.level == NUMBER_LEVEL and term.value == 0.0


def _choose_number_pivot(A: TermEntries) -> tuple[int, int] | None:
    """Numeric pivot with the least fill-in; None if there is none."""
    per_row: dict[int, int] = {}
    per_column: dict[int, int] = {}
    for r, c in A:
        per_row[r], per_column[c] = per_row.get(r, 0) + 1, per_column.get(c, 0) + 1
    candidates = [key for key, term in A.items() if term.level == NUMBER_LEVEL and abs(term.value) >= MIN_PIVOT]
    return min(candidates, key=lambda key: ((per_row[key[0]] - 1) * (per_column[key[1]] - 1), key), default=None)


def _block_triangular_order(A: TermEntries) -> list[tuple[list[int], list[int]]]:
    """Rows and columns of diagonal blocks, each of which depends only on earlier blocks; empty if the matrix is structurally
    singular."""
    rows, columns = sorted({r for r, _ in A}), sorted({c for _, c in A})
    column_position = {c: k for k, c in enumerate(columns)}
    positions = [rows.index(r) for r, _ in A], [column_position[c] for _, c in A]
    if not A or len(rows) != len(columns):
        return []
    pattern = csr_array((np.ones(len(A)), positions), shape=(len(rows), len(columns)))
    partner = maximum_bipartite_matching(pattern, perm_type="column")
    if np.any(partner < 0):
        return []
    needs = pattern[:, partner]  # entry (i, j): row i depends on the column that is matched to row j
    count, label = connected_components(needs, directed=True, connection="strong")
    members = [np.flatnonzero(label == k) for k in range(count)]
    pending = {k: {int(label[j]) for i in members[k] for j in needs[[i], :].indices} - {k} for k in range(count)}
    order: list[int] = []
    while pending:
        ready = min(k for k, needed in pending.items() if needed <= set(order))
        order.append(ready)
        del pending[ready]
    return [([rows[i] for i in members[k]], [columns[partner[i]] for i in members[k]]) for k in order]
