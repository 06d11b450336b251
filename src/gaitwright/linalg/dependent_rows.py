"""Dependent rows of Phi_q in systems too large for a dense analysis, from the smallest singular values.

        Phi_q^T y = 0,   |y| = 1        y: reactions of joints and drives without any effect

The y are eigenvectors of Phi_q Phi_q^T (rows normalised, in scaled coordinates) for the eigenvalue 0. Lanczos' method
computes them from solutions with

    [ 1      Phi_q^T ] [ x ]   [ 0 ]
    [ Phi_q  -shift  ] [ y ] = [ b ]        -y = (Phi_q Phi_q^T + shift)^-1 b

with a sparse matrix, while Phi_q Phi_q^T is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.errors import ModelError
from gaitwright.linalg.matrix_factors import factorise_sparse

Array = np.ndarray

EIGENVALUE_SHIFT = 1e-10
MAX_ZERO_SINGULAR_VALUE = 1e-7
"""Singular value below which rows depend on each other. Rounding gives 1e-15; a chain of 100,000 hinges has 3e-5."""
INITIAL_EIGENVECTORS, MAX_EIGENVECTORS = 6, 400
"""Number of eigenvectors computed at first, and maximum number."""
LAST_ROW_EXTRA_WEIGHT = 1.0
"""Relative extra weight of the last row over the first, when one of several rows has to be classified as dependent."""


def find_dependent_rows(rows: Array, cols: Array, values: Array, shape: tuple[int, int]) -> tuple[list[int], Array]:
    """Find rows of a matrix with normalised rows that depend on the others: (rows, weights (len(rows), m)). The weights of a
    dependent row give a vanishing sum of all rows; its own weight is -1."""
    import scipy.sparse as sparse
    from scipy.linalg import qr
    from scipy.sparse.linalg import LinearOperator
    from scipy.sparse.linalg import eigsh as some_eigenvalues

    eigsh: Any = some_eigenvalues
    m, n = shape
    J = sparse.csr_matrix((values, (rows, cols)), shape=shape)
    identity = sparse.identity
    shifted = sparse.bmat([[identity(n), J.T], [J, -EIGENVALUE_SHIFT * identity(m)]], format="csc")
    solve = factorise_sparse(shifted, symmetric=True).solve
    apply: Any = lambda b: -solve(np.concatenate([np.zeros(n), np.ravel(b)]))[n:]  # noqa: E731
    inverse: Any = LinearOperator((m, m), matvec=apply, dtype=float)  # type: ignore[call-arg]
    begin = np.random.default_rng(0).standard_normal(m)
    count = min(INITIAL_EIGENVECTORS, m - 1)
    while True:
        eigenpairs: Any = eigsh(inverse, k=count, which="LM", v0=begin, tol=1e-8)
        vectors = eigenpairs[1]
        idle = vectors[:, np.linalg.norm(J.T @ vectors, axis=0) < MAX_ZERO_SINGULAR_VALUE]
        if idle.shape[1] < count or count == m - 1:
            break
        if count >= MAX_EIGENVECTORS:
            raise ModelError(
                f"more than {MAX_EIGENVECTORS} joint constraints are redundant, too many in a model of this size",
                expected="joints that restrain independently",
            )
        count = min(4 * count, MAX_EIGENVECTORS, m - 1)
    if not idle.shape[1]:
        return [], np.zeros((0, m))
    later: Any = qr((idle * np.linspace(1.0, 1.0 + LAST_ROW_EXTRA_WEIGHT, m)[:, None]).T, mode="r", pivoting=True)
    chosen = np.sort(later[1][: idle.shape[1]])
    return [int(row) for row in chosen], -np.linalg.solve(idle[chosen].T, idle.T)
