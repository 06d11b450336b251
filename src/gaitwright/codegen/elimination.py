"""Symbolic execution of a mechanism's elimination program (linalg/elimination.py) on terms: factorisation and substitutions
without loops, in which zeros, signs and subexpressions of masses are folded.

    [ W      Phi_q^T ] [ x      ]   [ top    ]
    [ Phi_q  -mu     ] [ lambda ] = [ bottom ]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gaitwright.derive.term_graph import Term, TermGraph
from gaitwright.linalg import elimination
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.tables import MechanismTables


class TermElimination:
    """Elimination program of one sparsity pattern."""

    def __init__(self, s: MechanismTables, graph: TermGraph):
        self.e, self.graph, self.n, self.m = build_kkt(s).elimination, graph, s.n, s.m
        self.order, self.column, self.row, self.target = (
            np.asarray(part).astype(int).tolist() for part in (self.e.order, self.e.column, self.e.row, self.e.target)
        )
        self.place = np.asarray(self.e.position).astype(int).tolist()

    def factors(
        self, weight: Sequence[Term], jac: Mapping[tuple[int, int], Term], mu: Term | None = None
    ) -> TermFactors:
        """Factorise. weight: diagonal W. jac: entries of Phi_q. mu: damping of joint closure, see above."""
        zero, size = self.graph.number(0.0), len(self.order)
        K = [zero] * (size + len(self.row) + 1)
        for i, value in enumerate(weight):
            K[self.place[i]] = value
        if mu is not None:
            for k in range(self.m):
                K[self.place[self.n + k]] = -mu
        pairs = [(self.n + row, column) for row, column in jac]
        entries = [(i, j) if self.place[i] >= self.place[j] else (j, i) for i, j in pairs]
        slots = elimination.find_entry_slots(self.e, [i for i, _ in entries], [j for _, j in entries], False)
        for slot, value in zip(slots, jac.values(), strict=True):
            K[int(slot)] = K[int(slot)] + value
        t = 0
        for k in range(size):
            inverse = K[k] = 1.0 / K[k]
            last = size + self.column[k + 1]
            for j in range(size + self.column[k], last):
                factor = K[j] * inverse
                for i in range(j, last):
                    K[self.target[t]] = K[self.target[t]] - factor * K[i]
                    t += 1
                K[j] = factor
        return TermFactors(self, K)


class TermFactors:
    """Factorised matrix of terms."""

    determines = False
    """False: motions that the constraints leave free follow from W and `top`."""

    def __init__(self, program: TermElimination, K: list[Term]):
        self.program, self.K = program, K

    @property
    def inverse_pivots(self) -> list[Term]:
        """Inverse pivots of the multipliers, by row of Phi."""
        program = self.program
        return [self.K[program.place[program.n + k]] for k in range(program.m)]

    def solve(self, top: Sequence[Term] | None, bottom: Sequence[Term]) -> tuple[list[Term], list[Term]]:
        """Solve for x and lambda. top: default zero."""
        program, K, size = self.program, self.K, len(self.program.order)
        zero = program.graph.number(0.0)
        right_side = [*(top or [zero] * program.n), *bottom]
        x = [right_side[i] for i in program.order]
        for k in range(size):
            for entry in range(program.column[k], program.column[k + 1]):
                x[program.row[entry]] = x[program.row[entry]] - K[size + entry] * x[k]
        for k in reversed(range(size)):
            value = x[k] * K[k]
            for entry in reversed(range(program.column[k], program.column[k + 1])):
                value = value - K[size + entry] * x[program.row[entry]]
            x[k] = value
        solved = [zero] * size
        for k, i in enumerate(program.order):
            solved[i] = x[k]
        return solved[: program.n], solved[program.n :]


class UnsymmetricTermFactors:
    """Unsymmetric sparse matrix of terms, factorised without pivoting, as in linalg/elimination.py; for unsymmetric tangents.
    late: 1 for unknowns, such as multipliers, that are eliminated after the unknowns they are coupled with."""

    def __init__(self, graph: TermGraph, size: int, entries: Mapping[tuple[int, int], Term], late: Sequence[int]):
        rows, columns = ([key[side] for key in entries] for side in (0, 1))
        program = elimination.analyse_pattern(
            size, np.array(rows), np.array(columns), np.array(late), MAX_MULTIPLICATIONS
        )
        self.graph, self.order = graph, np.asarray(program.order).astype(int).tolist()
        position_of = {unknown: k for k, unknown in enumerate(self.order)}
        lower: list[dict[int, Term]] = [{} for _ in range(size)]  # by column: entries below the diagonal
        upper: list[dict[int, Term]] = [{} for _ in range(size)]  # by row: entries behind it
        diagonal = [graph.number(0.0)] * size
        for (i, j), term in entries.items():
            r, s = position_of[i], position_of[j]
            if r == s:
                diagonal[r] = diagonal[r] + term
            elif r > s:
                lower[s][r] = term
            else:
                upper[r][s] = term
        zero = graph.number(0.0)
        for k in range(size):
            inverse = diagonal[k] = 1.0 / diagonal[k]
            for r, below in sorted(lower[k].items()):
                factor = lower[k][r] = below * inverse
                for s, behind in upper[k].items():
                    if r == s:
                        diagonal[r] = diagonal[r] - factor * behind
                    elif r > s:
                        lower[s][r] = lower[s].get(r, zero) - factor * behind
                    else:
                        upper[r][s] = upper[r].get(s, zero) - factor * behind
        self.place, self.diagonal, self.lower, self.upper = position_of, diagonal, lower, upper

    def inverse_pivot(self, unknown: int) -> Term:
        return self.diagonal[self.place[unknown]]

    def solve(self, right_side: Sequence[Term]) -> list[Term]:
        x = [right_side[unknown] for unknown in self.order]
        for k, column in enumerate(self.lower):
            for r, factor in column.items():
                x[r] = x[r] - factor * x[k]
        for k in reversed(range(len(x))):
            value = x[k]
            for s, behind in self.upper[k].items():
                value = value - behind * x[s]
            x[k] = value * self.diagonal[k]
        solved = [self.graph.number(0.0)] * len(x)
        for k, unknown in enumerate(self.order):
            solved[unknown] = x[k]
        return solved


MAX_MULTIPLICATIONS = 10**9
"""Limit of multiplications passed to analyse_pattern, practically none: generated factorisations have no library to fall back
on."""
