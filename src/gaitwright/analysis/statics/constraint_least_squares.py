"""Least squares with few constraint rows and many coordinates: rows of Phi_q, in scaled coordinates.

    Phi_q Phi_q^T y = Phi_q force        constraint reactions to a force
    x = -Phi_q^T (Phi_q Phi_q^T)^-1 gap        the smallest change that closes the constraints

A foot of 10,000 nodes has 43 rows: the products of rows form a small dense matrix, and no matrix of the size of the foot is
factorised. Every y is refined once, since the condition number of the product is squared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.mechanism.projection import LAST_STEP_RESIDUAL, MAX_PROJECTION_ITERATIONS

Array = np.ndarray

MAX_DENSE_ROWS = 500
"""Largest number of rows for which the dense matrix of products is used."""


class ConstraintLeastSquares:
    """Solver with the factors of Phi_q Phi_q^T. row, col: of the entries of Phi_q, of this shape."""

    def __init__(self, row: Array, col: Array, shape: tuple[int, int]):
        self.row, self.col, self.shape = row, col, shape
        self.last: tuple[Array, Any, Any] | None = None  # entries, Phi_q and factors of the last call

    def reactions(self, jacobian: Array, force: Array) -> Array:
        """The multipliers y of a force; RuntimeError if the rows are dependent."""
        J, solve = self._factors(jacobian)
        y = solve(J @ force)
        return y + solve(J @ (force - J.T @ y))

    def closing(self, jacobian: Array, gap: Array) -> Array:
        """The smallest x with Phi_q x = -gap; RuntimeError if rows are dependent."""
        J, solve = self._factors(jacobian)
        x = -(J.T @ solve(gap))
        return x - J.T @ solve(gap + J @ x)

    def close(self, q: Array, scale: Array, look: Callable[[Array], tuple[Array, Array, Array]]) -> None:
        """Project the pose q onto its constraints by Newton's method, as mechanism/projection.py does with the mass as metric.
        look: returns Phi, entries of Phi_q and the lengths of its rows in a pose."""
        worst = np.inf
        for _ in range(MAX_PROJECTION_ITERATIONS):
            phi, jacobian, length = look(q)
            before, worst = worst, float(np.max(np.abs(phi)))
            if not 1e-15 <= worst <= 0.5 * before:
                return
            try:
                q[: scale.size] += self.closing(jacobian, phi / length) * scale
            except RuntimeError:
                return
            if worst < LAST_STEP_RESIDUAL:
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
