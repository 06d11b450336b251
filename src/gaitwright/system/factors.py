"""Factors of a matrix that is solved with a few times: statics, start poses, dependent joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.system.solvers import BACKENDS, DOUBTED, Backend, Pattern, Singular, SuperLU, careful, chosen

Array = np.ndarray

LARGE = 2_000
"""Unknowns of a matrix without a program (statics) above which the options of large systems pay."""
FEW = 150
"""Unknowns up to which a matrix as a whole takes less time than the handling of a sparse one."""


class Factors:
    """Of a matrix that is solved with a few times. sign: of its determinant; 0 if it is not known."""

    def __init__(self, matrix: Any, by: Any, sign: int):
        self.matrix, self.by, self.sign = matrix, by, sign

    def solve(self, b: Array) -> Array:
        """Refined once."""
        x = self.by.solve(b)
        return x + self.by.solve(b - self.matrix @ x)


def factorised(matrix: Any, symmetric: bool, late: int = 0) -> Factors:
    """Factors of a sparse matrix by columns; RuntimeError if it is singular. late: how many of the unknowns, the last, are
    multipliers."""
    from scipy.sparse.linalg import splu

    size = matrix.shape[0]
    if size <= LARGE:
        by = splu(matrix)
        return Factors(matrix, by, _determinant_sign(by))
    whole = _with_diagonal(matrix)
    pattern = Pattern(size, whole.indptr, whole.indices, np.arange(size) >= size - late)
    for name in dict.fromkeys((chosen() if symmetric else careful(), careful())):
        by = BACKENDS[name](pattern, symmetric)
        try:
            negative = by.negative(whole.data) if symmetric and not isinstance(by, SuperLU) else by.factor(whole.data)
        except Singular:
            continue
        if by.pivots or _holds(matrix, by):
            sign = (-1) ** negative if negative is not None else 0
            return Factors(matrix, by, _determinant_sign(by.factors) if isinstance(by, SuperLU) else sign)
    raise RuntimeError("singular")


class _Whole:
    """Factors of a matrix as a whole, with row exchanges."""

    def __init__(self, factors: Array, exchanged: Array):
        self.factors, self.exchanged = factors, exchanged

    def solve(self, b: Array) -> Array:
        from scipy.linalg.lapack import dgetrs  # pyright: ignore[reportAttributeAccessIssue]

        return dgetrs(self.factors, self.exchanged, b)[0]


def factorised_whole(matrix: Array) -> Factors:
    """Factors of a small matrix (n, n); RuntimeError if it is singular."""
    from scipy.linalg.lapack import dgetrf  # pyright: ignore[reportAttributeAccessIssue]

    factors, exchanged, zero = dgetrf(matrix)
    if zero > 0 or not np.all(np.isfinite(factors)):
        raise RuntimeError("singular")
    odd = int(np.count_nonzero(exchanged != np.arange(len(exchanged)))) % 2
    return Factors(matrix, _Whole(factors, exchanged), int(np.prod(np.sign(factors.diagonal()))) * (-1) ** odd)


def _with_diagonal(matrix: Any) -> Any:
    """The same with all of the diagonal in its pattern, and with a symmetric pattern."""
    from scipy.sparse import coo_matrix

    found, each = matrix.tocoo(), np.arange(matrix.shape[0])
    rows, cols = np.r_[found.row, each, found.col], np.r_[found.col, each, found.row]
    values = np.r_[found.data, np.zeros(each.size + found.data.size)]
    whole = coo_matrix((values, (rows, cols)), shape=matrix.shape).tocsc()
    whole.sort_indices()
    return whole


def _holds(matrix: Any, by: Backend) -> bool:
    """Whether what factors without a search for pivots give is a solution, but for what refining repairs."""
    b = np.random.default_rng(1).standard_normal(matrix.shape[0])
    x = by.solve(b)
    x = x + by.solve(b - matrix @ x)
    return bool(np.all(np.abs(b - matrix @ x) <= DOUBTED * (abs(matrix) @ np.abs(x) + np.abs(b))))


def _determinant_sign(factors: Any) -> int:
    """Of a matrix from its factors Pr^T L U Pc^T; L has ones on the diagonal."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    sign = int(np.prod(np.sign(factors.U.diagonal())))
    for order in (factors.perm_r, factors.perm_c):
        size = order.size
        cycles = connected_components(csr_matrix((np.ones(size), (np.arange(size), order))), directed=False)[0]
        sign *= (-1) ** (size - cycles)
    return sign
