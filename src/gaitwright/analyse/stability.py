"""The largest step with which an explicit method stays stable, from the fastest vibration about a pose."""

from __future__ import annotations

import typing
from typing import Any

import numpy as np

from gaitwright.system.build import compile_tangents
from gaitwright.system.evaluate import position, signals_at, tangents, workspace
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array


def largest_stable_step(mechanism: Mechanism, q: Array, t: float, reach: tuple[float, float]) -> float | None:
    """Estimate, s, for the pose q at rest; None where nothing vibrates or the estimate fails.

    reach: how far the method is stable along the imaginary axis (h omega, vibrations) and along the negative real axis
    (h mu, damping). Reactions are left out: they change the lowest frequencies, not the highest."""
    import scipy.sparse as sparse
    from scipy.sparse.linalg import splu

    s = mechanism.system
    w = workspace(s)
    compile_tangents(s)
    signals_at(s, w, t)
    position(s, w, q)
    tangents(s, w, q, np.zeros(s.n + 1), np.zeros(s.m_all))
    active = s.jac_row < s.m
    J = sparse.csr_matrix((w.jac[:-1][active], (s.jac_row[active], s.jac_col[active])), shape=(s.m, s.n))
    M = sparse.csr_matrix((s.mass, (s.mass_row, s.mass_col)), shape=(s.n, s.n))
    try:
        factors = splu(sparse.csc_matrix(sparse.bmat([[M, J.T], [J, None]]) if s.m else M))
    except RuntimeError:  # singular
        return None

    def largest(values: Array) -> float:
        """Largest |eigenvalue| of M^-1 times a matrix, on the motions that the joints leave."""
        matrix = sparse.csr_matrix((values, (s.k_row, s.k_col)), shape=(s.n, s.n))
        return _largest(lambda x: factors.solve(np.concatenate([matrix @ x, np.zeros(s.m)]))[: s.n], s.n)

    omega = largest(w.kq[:-1]) ** 0.5
    mu = largest(w.kv[:-1]) if s.damped else 0.0
    limits = [r / rate for r, rate in zip(reach, (omega, mu), strict=True) if rate > 0.0 and r > 0.0]
    return min(limits, default=None)


def _largest(apply: Any, n: int) -> float:
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence
    from scipy.sparse.linalg import LinearOperator as linear_operator
    from scipy.sparse.linalg import eigs as some_eigenvalues

    LinearOperator, eigs = typing.cast(Any, linear_operator), typing.cast(Any, some_eigenvalues)
    if n > 3:
        try:
            found: Any = eigs(
                LinearOperator((n, n), matvec=apply, dtype=float), k=1, which="LM", tol=1e-3, return_eigenvectors=False,
                v0=np.random.default_rng(0).standard_normal(n),
            )  # fmt: skip
            return float(np.abs(found[0]))
        except (ArpackError, ArpackNoConvergence):
            return 0.0
    return float(np.max(np.abs(np.linalg.eigvals(np.stack([apply(e) for e in np.eye(n)], axis=1)))))
