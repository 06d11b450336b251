"""Estimate of the largest stable step of an explicit method from the fastest vibration about a pose."""

from __future__ import annotations

import typing
from typing import Any

import numpy as np

from gaitwright.mechanism.evaluation import evaluate_position, evaluate_tangents, new_workspace, update_signals
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.table_builder import compile_tangents
from gaitwright.mechanism.tables import Array


def estimate_stable_step(mechanism: Mechanism, q: Array, t: float, reach: tuple[float, float]) -> float | None:
    """Estimate, s, for the pose q at rest; None if nothing vibrates or the estimate fails.

    reach: stability limits of the method along the imaginary axis (h omega, vibrations) and along the negative real axis
    (h mu, damping). Reactions are left out: they change the lowest frequencies, not the highest."""
    import scipy.sparse as sparse
    from scipy.sparse.linalg import splu

    s = mechanism.system
    w = new_workspace(s)
    compile_tangents(s)
    update_signals(s, w, t)
    evaluate_position(s, w, q)
    evaluate_tangents(s, w, q, np.zeros(s.n + 1), np.zeros(s.m_all))
    active = s.jac_row < s.m
    J = sparse.csr_matrix((w.jac[:-1][active], (s.jac_row[active], s.jac_col[active])), shape=(s.m, s.n))
    M = sparse.csr_matrix((s.mass, (s.mass_row, s.mass_col)), shape=(s.n, s.n))
    try:
        factors = splu(sparse.csc_matrix(sparse.bmat([[M, J.T], [J, None]]) if s.m else M))
    except RuntimeError:  # singular
        return None

    def largest(values: Array) -> float:
        """Largest |eigenvalue| of M^-1 times a matrix, over the motions that the joints allow."""
        matrix = sparse.csr_matrix((values, (s.k_row, s.k_col)), shape=(s.n, s.n))
        return _largest_eigenvalue(lambda x: factors.solve(np.concatenate([matrix @ x, np.zeros(s.m)]))[: s.n], s.n)

    omega = largest(w.kq[:-1]) ** 0.5
    mu = largest(w.kv[:-1]) if s.damped else 0.0
    limits = [r / rate for r, rate in zip(reach, (omega, mu), strict=True) if rate > 0.0 and r > 0.0]
    return min(limits, default=None)


def _largest_eigenvalue(apply: Any, n: int) -> float:
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence
    from scipy.sparse.linalg import LinearOperator as linear_operator
    from scipy.sparse.linalg import eigs as some_eigenvalues

    LinearOperator, eigs = typing.cast(Any, linear_operator), typing.cast(Any, some_eigenvalues)
    if n > 3:
        try:
            eigenvalues: Any = eigs(
                LinearOperator((n, n), matvec=apply, dtype=float), k=1, which="LM", tol=1e-3, return_eigenvectors=False,
                v0=np.random.default_rng(0).standard_normal(n),
            )  # fmt: skip
            return float(np.abs(eigenvalues[0]))
        except (ArpackError, ArpackNoConvergence):
            return 0.0
    return float(np.max(np.abs(np.linalg.eigvals(np.stack([apply(e) for e in np.eye(n)], axis=1)))))
