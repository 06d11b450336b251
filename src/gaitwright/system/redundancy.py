"""Which rows of Phi_q depend on others, in systems too large to look at all of them: by the smallest singular values.

    Phi_q^T y = 0,   |y| = 1        y: what joints and drives can exert without any effect

The y are eigenvectors of Phi_q Phi_q^T (rows made unit vectors, in scaled coordinates) to the eigenvalue 0. Lanczos' method
finds them by solutions with

    [ 1      Phi_q^T ] [ x ]   [ 0 ]
    [ Phi_q  -shift  ] [ y ] = [ b ]        -y = (Phi_q Phi_q^T + shift)^-1 b

which is sparse, where Phi_q Phi_q^T is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.system.factors import factorised

Array = np.ndarray

SHIFT = 1e-10
VANISHING = 1e-7
"""Singular value below which rows depend on each other. Rounding leaves 1e-15; a chain of 100,000 hinges has 3e-5."""
FIRST, MOST = 6, 400
"""How many are looked for at first, and at most."""
LATER = 1.0
"""How much more the last row counts than the first, where one of several has to be called dependent."""


def dependent(rows: Array, cols: Array, values: Array, shape: tuple[int, int]) -> tuple[list[int], Array]:
    """Rows of a matrix with rows of length 1 that depend on the others, and for each the weights of all rows in a sum that
    vanishes, -1 for itself: (rows, (len(rows), m))."""
    import scipy.sparse as sparse
    from scipy.linalg import qr
    from scipy.sparse.linalg import LinearOperator
    from scipy.sparse.linalg import eigsh as some_eigenvalues

    eigsh: Any = some_eigenvalues
    m, n = shape
    J = sparse.csr_matrix((values, (rows, cols)), shape=shape)
    identity = sparse.identity
    shifted = sparse.bmat([[identity(n), J.T], [J, -SHIFT * identity(m)]], format="csc")
    solve = factorised(shifted, symmetric=True).solve
    apply: Any = lambda b: -solve(np.concatenate([np.zeros(n), np.ravel(b)]))[n:]  # noqa: E731
    inverse: Any = LinearOperator((m, m), matvec=apply, dtype=float)  # type: ignore[call-arg]
    begin = np.random.default_rng(0).standard_normal(m)
    count = min(FIRST, m - 1)
    while True:
        found: Any = eigsh(inverse, k=count, which="LM", v0=begin, tol=1e-8)
        vectors = found[1]
        idle = vectors[:, np.linalg.norm(J.T @ vectors, axis=0) < VANISHING]
        if idle.shape[1] < count or count == m - 1:
            break
        if count >= MOST:
            raise ModelError(
                f"more than {MOST} conditions of joints follow from others, too many in a model of this size",
                expected="joints that restrain independently",
            )
        count = min(4 * count, MOST, m - 1)
    if not idle.shape[1]:
        return [], np.zeros((0, m))
    later: Any = qr((idle * np.linspace(1.0, 1.0 + LATER, m)[:, None]).T, mode="r", pivoting=True)
    chosen = np.sort(later[1][: idle.shape[1]])
    return [int(row) for row in chosen], -np.linalg.solve(idle[chosen].T, idle.T)
