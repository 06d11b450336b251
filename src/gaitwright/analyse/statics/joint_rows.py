"""What few joints and drives do to many coordinates: least squares with the rows of Phi_q, in scaled coordinates.

    Phi_q Phi_q^T y = Phi_q force        what they hold of a force
    x = -Phi_q^T (Phi_q Phi_q^T)^-1 gap        the smallest change that closes them

A foot of 10,000 nodes has 43 rows: their products are a small dense matrix, and nothing of the size of the foot is factorised.
Every y is refined once, since the product has the square of the condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.system.project import ITERATIONS, NEARLY

Array = np.ndarray

FEW = 500
"""Rows up to which their products are taken as a whole."""


class JointRows:
    def __init__(self, row: Array, col: Array, shape: tuple[int, int]):
        self.row, self.col, self.shape = row, col, shape
        self.last: tuple[Array, Any, Any] | None = None  # entries, Phi_q and factors of what was asked last

    def held(self, jacobian: Array, force: Array) -> Array:
        """The multipliers y of what the rows hold of a force; RuntimeError if they are dependent."""
        J, solve = self._factors(jacobian)
        y = solve(J @ force)
        return y + solve(J @ (force - J.T @ y))

    def closing(self, jacobian: Array, gap: Array) -> Array:
        """The smallest x with Phi_q x = -gap; RuntimeError if rows are dependent."""
        J, solve = self._factors(jacobian)
        x = -(J.T @ solve(gap))
        return x - J.T @ solve(gap + J @ x)

    def close(self, q: Array, scale: Array, look: Callable[[Array], tuple[Array, Array, Array]]) -> None:
        """Put the pose q onto its joints and drives by Newton's method, as project.py does with the mass as measure. look: Phi,
        entries of Phi_q, and the lengths of its rows, in a pose."""
        worst = np.inf
        for _ in range(ITERATIONS):
            phi, jacobian, length = look(q)
            before, worst = worst, float(np.max(np.abs(phi)))
            if not 1e-15 <= worst <= 0.5 * before:
                return
            try:
                q[: scale.size] += self.closing(jacobian, phi / length) * scale
            except RuntimeError:
                return
            if worst < NEARLY:
                return

    def _factors(self, jacobian: Array) -> tuple[Any, Any]:
        from scipy.linalg import LinAlgError, cho_factor, cho_solve
        from scipy.sparse import csr_matrix

        if self.last is None or not np.array_equal(self.last[0], jacobian):
            J = csr_matrix((jacobian, (self.row, self.col)), shape=self.shape)
            try:
                factors = cho_factor((J @ J.T).toarray())
            except LinAlgError:
                raise RuntimeError("dependent rows") from None
            self.last = jacobian.copy(), J, lambda b: cho_solve(factors, b)
        return self.last[1:]
