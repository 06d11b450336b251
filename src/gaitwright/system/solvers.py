"""Direct solvers of large sparse systems, each on one pattern: see library.py for who uses them and how fast they are."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import weakref
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright.errors import OutOfBudget
from gaitwright.system import dissection, fronts, lu_fronts
from gaitwright.system.front_tree import Tree, tree

Array = np.ndarray

LIMIT = {"fronts": 5_000_000, "lu_fronts": 10_000_000, "superlu": 10_000_000, "pardiso": 2_000_000}
"""Multiplications of an elimination program above which another is faster; see the table of library.py."""
PIVOT = 0.01
"""Smallest pivot on the diagonal, relative to the largest entry of its column, that SuperLU takes for the sake of sparsity."""
DOUBTED = 1e-11
"""Residual of a refined solution, relative to its terms, above which factors without a search for pivots are given up."""


class Singular(Exception):
    """The matrix has no factors."""


def too_large(size: int) -> OutOfBudget:
    return OutOfBudget(
        f"the factors of a matrix with {size} unknowns do not fit into the memory",
        suggestion="take a coarser mesh or a machine with more memory"
        + ("" if careful() == "pardiso" else ", or install gaitwright[fast], whose solver may need less of it"),
    )


class Pattern:
    """Of a matrix, symmetric and given by columns (diagonal included, both triangles, sorted), with what is found out about it
    once, for all matrices that have it. late: unknowns that wait for others, as in elimination.py."""

    def __init__(self, size: int, start: Array, index: Array, late: Array):
        self.size, self.late = size, late
        self.start, self.index = start.astype(np.int64), index.astype(np.int64)

    @functools.cached_property
    def order(self) -> Array:
        return dissection.order(self.size, self.start, self.index, self.late)

    @functools.cached_property
    def tree(self) -> Tree:
        return tree(self.size, self.start, self.index, self.order)

    @functools.cached_property
    def mirror(self) -> Array:
        """For each entry the one on the other side of the diagonal."""
        return np.lexsort((np.repeat(np.arange(self.size), np.diff(self.start)), self.index))


class Backend(Protocol):
    """A solver at work on one pattern.

    pivots: it searches for pivots. doubtful: it changed some that vanished, instead of saying so. worth: multiplications of a
    factorisation for each of a solution; 0 if that is not known."""

    pivots: bool
    doubtful: bool
    worth: float

    def __init__(self, pattern: Pattern, symmetric: bool): ...

    def factor(self, values: Array) -> None: ...

    def solve(self, b: Array) -> Array: ...

    def rough(self, b: Array) -> Array:
        """The same to some digits, if that is faster."""
        ...

    def negative(self, values: Array) -> int:
        """Factorise a symmetric matrix; the number of its negative eigenvalues, -1 if that was not found out."""
        ...


class Fronts:
    """Our own, for symmetric matrices: see fronts.py."""

    pivots = doubtful = False

    def __init__(self, pattern: Pattern, symmetric: bool):
        self.tree = pattern.tree
        self.room = fronts.room(self.tree)
        self.worth = 0.5 * self.tree.work / max(self.room.L.size, 1)
        self.single: Array | None = (
            None  # the factors once more, with half the digits: reading them is what solutions cost
        )

    def factor(self, values: Array) -> None:
        self.negative(values)

    def solve(self, b: Array) -> Array:
        return fronts.solved(self.tree, self.room, b)

    def rough(self, b: Array) -> Array:
        if self.single is None:
            self.single = self.room.L.astype(np.float32)
        return fronts.solved(self.tree, self.room._replace(L=self.single), b)

    def negative(self, values: Array) -> int:
        self.single = None
        negative = fronts.factorise(self.tree, self.room, values)
        if negative < 0:
            raise Singular
        return negative


class LuFronts:
    """Our own, for matrices that are not symmetric: see lu_fronts.py."""

    pivots = doubtful = False

    def __init__(self, pattern: Pattern, symmetric: bool):
        self.tree, self.mirror = pattern.tree, pattern.mirror
        self.room = lu_fronts.room(self.tree)
        self.worth = 0.5 * self.tree.work / max(self.room.upper.size, 1)

    def factor(self, values: Array) -> None:
        if not lu_fronts.factorise(self.tree, self.room, values, values[self.mirror]):
            raise Singular

    def solve(self, b: Array) -> Array:
        return lu_fronts.solved(self.tree, self.room, b)

    rough = solve

    def negative(self, values: Array) -> int:
        self.factor(values)
        return -1


class SuperLU:
    pivots, doubtful, worth = True, False, 0.0

    def __init__(self, pattern: Pattern, symmetric: bool):
        self.pattern, self.shape = pattern, (pattern.size, pattern.size)
        self.start, self.index = pattern.start.astype(np.int32), pattern.index.astype(np.int32)
        self.orders: dict[bool, Order] = {}
        self.order: Any = None
        self.factors: Any = None

    def _factors(self, values: Array, steady: bool, pivot: float) -> Any:
        """Factors with the unknowns in the order of the first time."""
        from scipy.sparse import csc_matrix

        if steady not in self.orders:
            rows = cols = self.pattern.order
            if not steady:
                matrix = csc_matrix((values, self.index, self.start), shape=self.shape)
                cols = np.argsort(_superlu(matrix, "COLAMD", pivot, steady).perm_c)
                rows = np.arange(cols.size)
            places = csc_matrix((np.arange(1, values.size + 1), self.index, self.start), shape=self.shape)
            places = places[rows][:, cols].tocsc()
            places.sort_indices()
            self.orders[steady] = Order(rows, cols, places.data - 1, places.indices, places.indptr)
        self.order = self.orders[steady]
        matrix = csc_matrix((values[self.order.take], self.order.index, self.order.start), shape=self.shape)
        return _superlu(matrix, "NATURAL", pivot, steady)

    def factor(self, values: Array) -> None:
        steady = True in self.orders or (False not in self.orders and self._is_steady(values))
        self.factors = self._factors(values, steady, PIVOT if steady else 1.0)

    def _is_steady(self, values: Array) -> bool:
        """It is not with multipliers: an order that counts on the diagonal then makes a hundred times the work (net of 5,000
        rods: 39 ms against 3.2 s at a third of the size)."""
        from scipy.sparse import csc_matrix

        return is_steady(csc_matrix((values, self.index, self.start), shape=self.shape))

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


class Order(NamedTuple):
    """Rows and columns in the order in which they are eliminated, and the pattern in this order: which values it takes."""

    rows: Array
    cols: Array
    take: Array
    index: Array
    start: Array


def is_steady(matrix: Any) -> bool:
    """Whether all entries on the diagonal can be pivots."""
    largest = abs(matrix).max(axis=0).toarray().ravel()
    return bool(np.all(np.abs(matrix.diagonal()) >= PIVOT * largest))


def _superlu(matrix: Any, order: Any, pivot: float, steady: bool) -> Any:
    from scipy.sparse.linalg import splu

    options: Any = {"SymmetricMode": steady}
    try:
        return splu(matrix, permc_spec=order, diag_pivot_thresh=pivot, options=options)
    except RuntimeError as error:
        raise Singular from error


class Pardiso:
    """Phases of PARDISO: 11 order, 22 factorise, 33 solve, -1 forget. Entries of iparm count from 1, as in its manual."""

    pivots = True

    def __init__(self, pattern: Pattern, symmetric: bool):
        from pypardiso import PyPardisoSolver  # pyright: ignore[reportMissingImports]
        from scipy.sparse import csr_matrix

        size, start, index = pattern.size, pattern.start, pattern.index
        column = np.repeat(np.arange(size), np.diff(start))
        # A pattern by columns is that of the transposed matrix by rows: of the lower triangle it is the upper one.
        self.take = np.flatnonzero(index >= column) if symmetric else np.arange(index.size)
        counts = np.bincount(column[self.take], minlength=size)
        begin = np.concatenate(([0], np.cumsum(counts)))
        self.matrix = csr_matrix((np.ones(self.take.size), index[self.take], begin), shape=(size, size))
        self.solver = PyPardisoSolver(mtype=-2 if symmetric else 11)
        self.nothing = np.zeros((size, 1))
        # 2: nested dissection, 10: perturbed pivots below 1e-13, 11 and 13: scaling and matching (saddle points have zeros on
        # the diagonal), 12: transposed, 21: pivots of 1 x 1 and 2 x 2, 24 and 25 stay at one level.
        # 18, 19: told afterwards are the entries of the factors and the million operations that they take.
        wishes = {1: 1, 2: 2, 10: 13, 11: 1, 12: 0 if symmetric else 2, 13: 1, 18: -1, 19: -1, 21: 1}
        for place, value in wishes.items():
            self.solver.set_iparm(place, value)
        self.ordered, self.doubtful, self.worth = False, False, 0.0
        weakref.finalize(self, _forget, self.solver)

    def _call(self, phase: int, b: Array) -> Array:
        from pypardiso.pardiso_wrapper import PyPardisoError  # pyright: ignore[reportMissingImports]

        self.solver.set_phase(phase)
        try:
            return self.solver._call_pardiso(self.matrix, b)
        except PyPardisoError as error:
            if error.value == -2:
                raise MemoryError from error
            raise Singular from error

    def factor(self, values: Array) -> None:
        self.matrix.data = values[self.take]
        if not self.ordered:  # with the first values, which the matching looks at
            self._call(11, self.nothing)
            self.ordered = True
            # A multiplication is two operations, and a solution takes every entry twice.
            self.worth = 0.25e6 * self.solver.get_iparm(19) / max(self.solver.get_iparm(18), 1)
        self._call(22, self.nothing)
        if self.solver.get_iparm(14) > 0:  # perturbed pivots: new values may ask for another matching
            self._call(12, self.nothing)
        self.doubtful = bool(self.solver.get_iparm(14) > 0)

    def solve(self, b: Array) -> Array:
        return self._call(33, b.reshape(-1, 1)).ravel()

    rough = solve

    def negative(self, values: Array) -> int:
        self.factor(values)
        return int(self.solver.get_iparm(23))


def _forget(solver: Any) -> None:
    with contextlib.suppress(Exception):
        solver.free_memory(everything=True)


BACKENDS: dict[str, type[Backend]] = {
    "fronts": Fronts, "lu_fronts": LuFronts, "superlu": SuperLU, "pardiso": Pardiso,
}  # fmt: skip


def chosen(symmetric: bool = True) -> str:
    """The fastest solver that is there."""
    return "pardiso" if _has_pardiso() else "fronts" if symmetric else "lu_fronts"


def careful() -> str:
    """The fastest one that searches for pivots."""
    return "pardiso" if _has_pardiso() else "superlu"


@functools.cache
def _has_pardiso() -> bool:
    if importlib.util.find_spec("pypardiso") is None:
        return False
    try:
        import pypardiso  # noqa: F401  # pyright: ignore[reportMissingImports]
    except (ImportError, OSError):  # without the library behind it
        return False
    return True
