"""Factors of a matrix for a few solutions: statics, start poses, dependent joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.linalg.backends import (
    BACKENDS,
    REFINED_SOLUTION_RTOL,
    SingularMatrix,
    SolverBackend,
    SparsityPattern,
    SuperLuBackend,
    fastest_backend,
    fastest_pivoting_backend,
)

Array = np.ndarray

MIN_LARGE_MATRIX_UNKNOWNS = 2_000
"""Unknowns of a matrix without an elimination program (statics) above which the backends for large systems pay off."""
MAX_DENSE_UNKNOWNS = 150
"""Unknowns up to which a dense matrix takes less time than the overhead of a sparse one."""


class MatrixFactors:
    """Factors of a matrix that is used for a few solutions. sign: sign of its determinant; 0 if unknown."""

    def __init__(self, matrix: Any, by: Any, sign: int):
        self.matrix, self.by, self.sign = matrix, by, sign

    def solve(self, b: Array) -> Array:
        """A^-1 b, refined once."""
        x = self.by.solve(b)
        return x + self.by.solve(b - self.matrix @ x)


def factorise_sparse(matrix: Any, symmetric: bool, late: int = 0) -> MatrixFactors:
    """Factors of a sparse matrix by columns; RuntimeError if it is singular. late: number of multipliers, at the end of the
    unknowns."""
    from scipy.sparse.linalg import splu

    size = matrix.shape[0]
    if size <= MIN_LARGE_MATRIX_UNKNOWNS:
        by = splu(matrix)
        return MatrixFactors(matrix, by, _determinant_sign(by))
    completed = _symmetric_with_diagonal(matrix)
    pattern = SparsityPattern(size, completed.indptr, completed.indices, np.arange(size) >= size - late)
    for name in dict.fromkeys(
        (fastest_backend() if symmetric else fastest_pivoting_backend(), fastest_pivoting_backend())
    ):
        by = BACKENDS[name](pattern, symmetric)
        try:
            negative = (
                by.negative(completed.data)
                if symmetric and not isinstance(by, SuperLuBackend)
                else by.factor(completed.data)
            )
        except SingularMatrix:
            continue
        if by.pivots or _solves_accurately(matrix, by):
            sign = (-1) ** negative if negative is not None else 0
            return MatrixFactors(matrix, by, _determinant_sign(by.factors) if isinstance(by, SuperLuBackend) else sign)
    raise RuntimeError("singular")


class _DenseFactors:
    """LU factors of a dense matrix, with row exchanges."""

    def __init__(self, factors: Array, exchanged: Array):
        self.factors, self.exchanged = factors, exchanged

    def solve(self, b: Array) -> Array:
        from scipy.linalg.lapack import dgetrs  # pyright: ignore[reportAttributeAccessIssue]

        return dgetrs(self.factors, self.exchanged, b)[0]


def factorise_dense(matrix: Array) -> MatrixFactors:
    """Factors of a small matrix (n, n); RuntimeError if it is singular."""
    from scipy.linalg.lapack import dgetrf  # pyright: ignore[reportAttributeAccessIssue]

    factors, exchanged, zero = dgetrf(matrix)
    if zero > 0 or not np.all(np.isfinite(factors)):
        raise RuntimeError("singular")
    odd = int(np.count_nonzero(exchanged != np.arange(len(exchanged)))) % 2
    return MatrixFactors(
        matrix, _DenseFactors(factors, exchanged), int(np.prod(np.sign(factors.diagonal()))) * (-1) ** odd
    )


def _symmetric_with_diagonal(matrix: Any) -> Any:
    """Matrix with the same values, a full diagonal in its pattern, and a symmetric pattern."""
    from scipy.sparse import coo_matrix

    entries, each = matrix.tocoo(), np.arange(matrix.shape[0])
    rows, cols = np.r_[entries.row, each, entries.col], np.r_[entries.col, each, entries.row]
    values = np.r_[entries.data, np.zeros(each.size + entries.data.size)]
    completed = coo_matrix((values, (rows, cols)), shape=matrix.shape).tocsc()
    completed.sort_indices()
    return completed


def _solves_accurately(matrix: Any, by: SolverBackend) -> bool:
    """True if factors without pivoting give an accurate solution after one refinement."""
    b = np.random.default_rng(1).standard_normal(matrix.shape[0])
    x = by.solve(b)
    x = x + by.solve(b - matrix @ x)
    return bool(np.all(np.abs(b - matrix @ x) <= REFINED_SOLUTION_RTOL * (abs(matrix) @ np.abs(x) + np.abs(b))))


def _determinant_sign(factors: Any) -> int:
    """Sign of the determinant of a matrix with the factors Pr^T L U Pc^T; L has ones on the diagonal."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    sign = int(np.prod(np.sign(factors.U.diagonal())))
    for order in (factors.perm_r, factors.perm_c):
        size = order.size
        cycles = connected_components(csr_matrix((np.ones(size), (np.arange(size), order))), directed=False)[0]
        sign *= (-1) ** (size - cycles)
    return sign
