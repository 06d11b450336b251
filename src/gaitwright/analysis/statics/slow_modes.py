"""The slowest free motions of a large mechanism at rest, without dense matrices: Krylov methods with a shift.

    K x + Phi_q^T y = w^2 M x,   Phi_q x = 0

    [ K + shift M  Phi_q^T ] [ x' ]   [ M x ]
    [ Phi_q        0       ] [ y  ] = [ 0   ]        x -> x' has the eigenvalues 1 / (w^2 + shift)

With damping, the same for (x, x') in (s^2 M + s C + K) x = 0; a step with the shift r is

    (K + r C + r^2 M) u = -M v - (C + r M) x,   Phi_q u = 0,   (x, v) -> (u, x + r u)        eigenvalues 1 / (s - r)

Each takes one factorisation and some solutions per motion. The shift avoids a singular matrix for motions without stiffness.
Only for forces with a potential: the matrices of follower loads are not symmetric.

Sources: R. B. Lehoucq, D. C. Sorensen, C. Yang, ARPACK Users' Guide (SIAM 1998), ch. 3 (shift and invert); F. Tisseur,
K. Meerbergen, SIAM Review 43 (2001) 235-286 (quadratic eigenvalue problems, section 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import DidNotConverge
from gaitwright.analysis.statics.records import ReducedMotions
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.mechanism.tables import Array

EIGENVALUE_SHIFT_RATIO = 1e-9
"""Shift in units of the sum of stiffnesses per sum of masses: (w / w_fastest)^2 above which motions differ from rest."""
MODE_SURPLUS_FACTOR = 1.5
"""Ratio of computed to requested motions: damping may exchange some at the upper end."""
MODE_RESIDUAL_RTOL = 1e-4
"""Residual of a mode relative to its forces of inertia, damping and stiffness."""


class SlowModes:
    """Slow free motions about the pose q."""

    def __init__(self, rest: RestingMechanism, q: Array, lam: Array):
        self.rest, self.q, self.lam, self.n = rest, q, lam, rest.s.n
        self.mass, self.damping, self.stiffness, symmetric = rest.matrices(q, lam)
        if not symmetric:
            ErrorContext(f"model '{rest.mechanism.name}'").fail(
                "has follower loads, which require the dense computation of all modes",
                expected="at most 4000 coordinates and no count, or loads that keep their direction",
            )
        self.unit = float(abs(self.stiffness).diagonal().sum())
        self.shift = EIGENVALUE_SHIFT_RATIO * self.unit / float(self.mass.diagonal().sum())
        self.inverse = self._inverse(self.stiffness + self.shift * self.mass)

    def _inverse(self, matrix: Any) -> Callable[[Array], Array]:
        """Return a solver for a matrix on the free motions."""
        try:
            solve = self.rest.factor(matrix / self.unit, self.q)
        except RuntimeError:
            raise DidNotConverge(
                "the stiffness about the equilibrium is singular", time=self.rest.t,
                suggestion="hold every body by a joint or a spring",
            ) from None  # fmt: skip
        return lambda b: solve(np.ravel(b) / self.unit)[0]

    def reduced(self, count: int) -> ReducedMotions:
        """Mass, damping and stiffness on the `count` slowest motions, and some more."""
        from scipy.sparse.linalg import ArpackError

        mode_count = min(int(MODE_SURPLUS_FACTOR * count) + 2, self.n - self.rest.s.m - 1, (self.n - 2) // 2)
        try:
            squares, shapes = self._undamped(mode_count)
            if self.damping.count_nonzero():
                damped_shapes: Any = self._damped(mode_count, float(np.sqrt(np.abs(squares).max())))
                shapes = np.hstack([damped_shapes.real, damped_shapes.imag])
        except ArpackError as error:
            raise DidNotConverge(
                f"the modes were not found ({error})", time=self.rest.t, suggestion="request fewer or more modes"
            ) from None
        basis, size, _ = np.linalg.svd(shapes / np.linalg.norm(shapes, axis=0).clip(1e-300), full_matrices=False)
        return self.rest.on_basis(basis[:, size > 1e-8 * size[0]], self.q, self.lam)

    def _undamped(self, count: int) -> tuple[Array, Array]:
        from scipy.sparse.linalg import LinearOperator
        from scipy.sparse.linalg import eigsh as some_eigenvalues

        eigsh: Any = some_eigenvalues
        inverse: Any = LinearOperator((self.n, self.n), matvec=self.inverse, dtype=float)  # type: ignore[call-arg]
        begin = self.inverse(self.mass @ np.random.default_rng(0).standard_normal(self.n))
        eigenpairs: Any = eigsh(
            self.stiffness, k=count, M=self.mass, sigma=-self.shift, OPinv=inverse, v0=begin, tol=1e-12
        )
        return eigenpairs

    def _damped(self, count: int, rate: float) -> Array:
        """Shapes with damping. rate: fastest of the undamped motions, 1/s, the unit that gives both halves equal weight."""
        from scipy.sparse.linalg import LinearOperator
        from scipy.sparse.linalg import eigs as some_eigenvalues

        eigs: Any = some_eigenvalues
        n, r = self.n, np.sqrt(self.shift)
        solve = self._inverse(self.stiffness + r * self.damping + self.shift * self.mass)

        def apply(z: Any) -> Array:
            x, v = np.ravel(z)[:n], np.ravel(z)[n:] * rate
            u = -solve(self.mass @ v + self.damping @ x + r * (self.mass @ x))
            return np.concatenate([u, (x + r * u) / rate])

        begin = apply(apply(np.random.default_rng(0).standard_normal(2 * n)))
        step: Any = LinearOperator((2 * n, 2 * n), matvec=apply, dtype=float)  # type: ignore[call-arg]
        eigenpairs: Any = eigs(step, k=2 * count, which="LM", v0=begin, tol=1e-12)
        return eigenpairs[1][:n]

    def are_modes(self, roots: Array, shapes: Array) -> Array:
        """Mask of the roots (1/s) and shapes (m, rad; by columns) that are modes, and not artefacts of the subspace."""
        from scipy.sparse import identity

        x = shapes / self.rest.scale[:, None]
        terms = (self.mass @ x) * roots**2, (self.damping @ x) * roots, self.stiffness @ x
        size = sum(np.linalg.norm(term, axis=0) for term in terms)
        solve = self.rest.factor(identity(self.n, format="csr"), self.q)
        off = [
            np.linalg.norm([solve(part)[0] for part in (c.real, c.imag)]) for c in (terms[0] + terms[1] + terms[2]).T
        ]
        return np.array(off) <= MODE_RESIDUAL_RTOL * size
