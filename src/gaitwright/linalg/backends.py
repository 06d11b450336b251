"""Direct solvers of large sparse systems with a fixed pattern; see large_systems.py for their use and speed."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import weakref
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright._core.errors import OutOfBudget
from gaitwright.linalg import elimination_order, multifrontal
from gaitwright.linalg.front_tree import FrontTree, build_front_tree

Array = np.ndarray

MAX_PROGRAM_MULTIPLICATIONS = {
    "fronts": 5_000_000,
    "lu_fronts": 10_000_000,
    "superlu": 10_000_000,
    "pardiso": 2_000_000,
}
"""Multiplications of an elimination program above which this backend is faster; see the table in large_systems.py."""
SUPERLU_PIVOT_THRESHOLD = 0.01
"""Smallest diagonal pivot, relative to the largest entry of its column, that SuperLU accepts to preserve sparsity."""
REFINED_SOLUTION_RTOL = 1e-11
"""Residual of a refined solution, relative to its terms, above which factors without pivoting are rejected."""


class SingularMatrix(Exception):
    """Exception: the matrix has no factors."""


def out_of_memory_error(size: int) -> OutOfBudget:
    """Error for a matrix with factors that exceed the memory."""
    return OutOfBudget(
        f"the factors of a matrix with {size} unknowns do not fit into the memory",
        suggestion="take a coarser mesh or a machine with more memory"
        + (
            ""
            if fastest_pivoting_backend() == "pardiso"
            else ", or install gaitwright[fast], whose solver may need less of it"
        ),
    )


class SparsityPattern:
    """Symmetric pattern of a matrix by columns (diagonal included, both triangles, sorted), with cached results of its
    analysis, shared by all matrices with this pattern. late: (size,) elimination level of each unknown, see elimination.py."""

    def __init__(self, size: int, start: Array, index: Array, late: Array):
        self.size, self.late = size, late
        self.start, self.index = start.astype(np.int64), index.astype(np.int64)

    @functools.cached_property
    def order(self) -> Array:
        return elimination_order.find_elimination_order(self.size, self.start, self.index, self.late)

    @functools.cached_property
    def tree(self) -> FrontTree:
        return build_front_tree(self.size, self.start, self.index, self.order)

    @functools.cached_property
    def mirror(self) -> Array:
        """For each entry the index of its mirror image about the diagonal."""
        return np.lexsort((np.repeat(np.arange(self.size), np.diff(self.start)), self.index))


class SolverBackend(Protocol):
    """Interface of a solver for one pattern.

    pivots: the solver pivots. doubtful: it perturbed vanishing pivots instead of reporting them. worth: multiplications of a
    factorisation divided by those of a solution; 0 if unknown."""

    pivots: bool
    doubtful: bool
    worth: float

    def __init__(self, pattern: SparsityPattern, symmetric: bool): ...

    def factor(self, values: Array) -> None: ...

    def solve(self, b: Array) -> Array: ...

    def rough(self, b: Array) -> Array:
        """Solution with reduced accuracy, if that is faster."""
        ...

    def negative(self, values: Array) -> int:
        """Factorise a symmetric matrix; return the number of its negative eigenvalues, or -1 if unknown."""
        ...


class MultifrontalLdl:
    """Gaitwright's solver for symmetric matrices: see multifrontal.py."""

    pivots = doubtful = False

    def __init__(self, pattern: SparsityPattern, symmetric: bool):
        self.tree = pattern.tree
        self.room = multifrontal.allocate_storage(self.tree, symmetric=True)
        self.worth = 0.5 * self.tree.work / max(self.room.upper.size, 1)
        self.single: Array | None = (
            None  # factors in single precision: the cost of a solution is the cost of reading them
        )

    def factor(self, values: Array) -> None:
        self.negative(values)

    def solve(self, b: Array) -> Array:
        return multifrontal.solve(self.tree, self.room, b)

    def rough(self, b: Array) -> Array:
        if self.single is None:
            self.single = self.room.upper.astype(np.float32)
        return multifrontal.solve(self.tree, self.room._replace(upper=self.single, lower=self.single), b)

    def negative(self, values: Array) -> int:
        self.single = None
        negative = multifrontal.factorise(self.tree, self.room, values)
        if negative < 0:
            raise SingularMatrix
        return negative


class MultifrontalLu:
    """Gaitwright's solver for unsymmetric matrices: see multifrontal.py."""

    pivots = doubtful = False

    def __init__(self, pattern: SparsityPattern, symmetric: bool):
        self.tree, self.mirror = pattern.tree, pattern.mirror
        self.room = multifrontal.allocate_storage(self.tree, symmetric=False)
        self.worth = 0.5 * self.tree.work / max(self.room.upper.size, 1)

    def factor(self, values: Array) -> None:
        if multifrontal.factorise(self.tree, self.room, values, values[self.mirror]) < 0:
            raise SingularMatrix

    def solve(self, b: Array) -> Array:
        return multifrontal.solve(self.tree, self.room, b)

    rough = solve

    def negative(self, values: Array) -> int:
        self.factor(values)
        return -1


class SuperLuBackend:
    pivots, doubtful, worth = True, False, 0.0

    def __init__(self, pattern: SparsityPattern, symmetric: bool):
        self.pattern, self.shape = pattern, (pattern.size, pattern.size)
        self.start, self.index = pattern.start.astype(np.int32), pattern.index.astype(np.int32)
        self.orders: dict[bool, OrderedPattern] = {}
        self.order: Any = None
        self.factors: Any = None

    def _factors(self, values: Array, steady: bool, pivot: float) -> Any:
        """Factors; the elimination order of the first factorisation is reused."""
        from scipy.sparse import csc_matrix

        if steady not in self.orders:
            rows = cols = self.pattern.order
            if not steady:
                matrix = csc_matrix((values, self.index, self.start), shape=self.shape)
                cols = np.argsort(_factorise_superlu(matrix, "COLAMD", pivot, steady).perm_c)
                rows = np.arange(cols.size)
            places = csc_matrix((np.arange(1, values.size + 1), self.index, self.start), shape=self.shape)
            places = places[rows][:, cols].tocsc()
            places.sort_indices()
            self.orders[steady] = OrderedPattern(rows, cols, places.data - 1, places.indices, places.indptr)
        self.order = self.orders[steady]
        matrix = csc_matrix((values[self.order.take], self.order.index, self.order.start), shape=self.shape)
        return _factorise_superlu(matrix, "NATURAL", pivot, steady)

    def factor(self, values: Array) -> None:
        steady = True in self.orders or (False not in self.orders and self._is_steady(values))
        self.factors = self._factors(values, steady, SUPERLU_PIVOT_THRESHOLD if steady else 1.0)

    def _is_steady(self, values: Array) -> bool:
        """True if all diagonal entries can be pivots. Not so with multipliers: an order that relies on the diagonal then causes
        a hundred times the work (net of 5,000 rods: 39 ms against 3.2 s at a third of the size)."""
        from scipy.sparse import csc_matrix

        return has_diagonal_pivots(csc_matrix((values, self.index, self.start), shape=self.shape))

    def solve(self, b: Array) -> Array:
        x = np.empty(b.size)
        x[self.order.cols] = self.factors.solve(b[self.order.rows])
        return x

    rough = solve

    def negative(self, values: Array) -> int:
        self.factors = self._factors(values, True, 0.0)
        if not np.array_equal(self.factors.perm_r, self.factors.perm_c):
            return -1  # a pivot on the diagonal was exactly zero
        return int(np.sum(self.factors.U.diagonal() < 0.0))


class OrderedPattern(NamedTuple):
    """Rows and columns in elimination order, and the pattern in this order; take: indices of its values."""

    rows: Array
    cols: Array
    take: Array
    index: Array
    start: Array


def has_diagonal_pivots(matrix: Any) -> bool:
    """True if all entries on the diagonal can be pivots."""
    largest = abs(matrix).max(axis=0).toarray().ravel()
    return bool(np.all(np.abs(matrix.diagonal()) >= SUPERLU_PIVOT_THRESHOLD * largest))


def _factorise_superlu(matrix: Any, order: Any, pivot: float, steady: bool) -> Any:
    from scipy.sparse.linalg import splu

    options: Any = {"SymmetricMode": steady}
    try:
        return splu(matrix, permc_spec=order, diag_pivot_thresh=pivot, options=options)
    except RuntimeError as error:
        raise SingularMatrix from error


class PardisoBackend:
    """MKL PARDISO. Phases: 11 order, 22 factorise, 33 solve, -1 release. Indices of iparm start at 1, as in its manual."""

    pivots = True

    def __init__(self, pattern: SparsityPattern, symmetric: bool):
        from pypardiso import PyPardisoSolver  # pyright: ignore[reportMissingImports]
        from scipy.sparse import csr_matrix

        size, start, index = pattern.size, pattern.start, pattern.index
        column = np.repeat(np.arange(size), np.diff(start))
        # The pattern by columns is the pattern of the transpose by rows: the lower triangle becomes the upper one.
        self.take = np.flatnonzero(index >= column) if symmetric else np.arange(index.size)
        counts = np.bincount(column[self.take], minlength=size)
        begin = np.concatenate(([0], np.cumsum(counts)))
        self.matrix = csr_matrix((np.ones(self.take.size), index[self.take], begin), shape=(size, size))
        self.solver = PyPardisoSolver(mtype=-2 if symmetric else 11)
        self.nothing = np.zeros((size, 1))
        # 2: nested dissection, 10: perturbed pivots below 1e-13, 11 and 13: scaling and matching (saddle points have zeros on
        # the diagonal), 12: transposed, 21: pivots of 1 x 1 and 2 x 2, 24 and 25 keep their default of one level.
        # 18, 19: PARDISO reports the number of entries of the factors and the million operations that they take.
        parameters = {1: 1, 2: 2, 10: 13, 11: 1, 12: 0 if symmetric else 2, 13: 1, 18: -1, 19: -1, 21: 1}
        for place, value in parameters.items():
            self.solver.set_iparm(place, value)
        self.ordered, self.doubtful, self.worth = False, False, 0.0
        weakref.finalize(self, _release_factors, self.solver)

    def _call(self, phase: int, b: Array) -> Array:
        from pypardiso.pardiso_wrapper import PyPardisoError  # pyright: ignore[reportMissingImports]

        self.solver.set_phase(phase)
        try:
            return self.solver._call_pardiso(self.matrix, b)
        except PyPardisoError as error:
            if error.value == -2:
                raise MemoryError from error
            raise SingularMatrix from error

    def factor(self, values: Array) -> None:
        self.matrix.data = values[self.take]
        if not self.ordered:  # with the first values, which the matching uses
            self._call(11, self.nothing)
            self.ordered = True
            # A multiplication is two operations, and a solution uses every entry twice.
            self.worth = 0.25e6 * self.solver.get_iparm(19) / max(self.solver.get_iparm(18), 1)
        self._call(22, self.nothing)
        if self.solver.get_iparm(14) > 0:  # perturbed pivots: new values may require another matching
            self._call(12, self.nothing)
        self.doubtful = bool(self.solver.get_iparm(14) > 0)

    def solve(self, b: Array) -> Array:
        return self._call(33, b.reshape(-1, 1)).ravel()

    rough = solve

    def negative(self, values: Array) -> int:
        self.factor(values)
        return int(self.solver.get_iparm(23))


def _release_factors(solver: Any) -> None:
    with contextlib.suppress(Exception):
        solver.free_memory(everything=True)


BACKENDS: dict[str, type[SolverBackend]] = {
    "fronts": MultifrontalLdl, "lu_fronts": MultifrontalLu, "superlu": SuperLuBackend, "pardiso": PardisoBackend,
}  # fmt: skip


def fastest_backend(symmetric: bool = True) -> str:
    """Name of the fastest backend available."""
    return "pardiso" if _has_pardiso() else "fronts" if symmetric else "lu_fronts"


def fastest_pivoting_backend() -> str:
    """Name of the fastest available backend that pivots."""
    return "pardiso" if _has_pardiso() else "superlu"


@functools.cache
def _has_pardiso() -> bool:
    if importlib.util.find_spec("pypardiso") is None:
        return False
    try:
        import pypardiso  # noqa: F401  # pyright: ignore[reportMissingImports]
    except (ImportError, OSError):  # installed without the MKL library
        return False
    return True
