"""Large systems: the two calls of elimination.py, factor and solve, answered by a sparse direct solver from a library.

An elimination program keeps an index per multiplication. That is the fastest way there is for linkages, and none for nets and
meshes: 2,197 nodes of a solid took 2.9 GB and 52 s to write down. Above LIMIT multiplications a library takes the same
pattern, the same array of values K, and is called by the same compiled loops, through an address of a Python function.

    superlu   SciPy's, always there. It searches for an order of elimination once, and keeps it
    pardiso   MKL's, through pypardiso (extra `fast`): several threads, half the memory where the matrix is symmetric

Both pivot, so that multipliers need not wait for the coordinates that they touch, and every solution is refined once where
its residual says so. What they do not have are the pivots of single multipliers, from which a singular pose is read. In
their place, K holds |A^-1 b| for multipliers after a factorisation, with some b on them: it grows beyond all bounds in the
same poses, first for those multipliers that lose their meaning.

Milliseconds for a factorisation, one thread (nets with 2 unknowns per node, solid grids with 3; own: the program, symmetric
and general):

    unknowns   multiplications   own          superlu   pardiso   analysis of the program
       1,800      0.8 million    0.4 / 0.7       1.6       0.9       13 ms
       5,000      5.5            3.0 / 4.9       6.7       2.8       99
      10,000     13.9            9.9 / 14         12       6.0      300     net of 5,000 masses
      20,000     54              41 / 57          35        15    1,000
         648      4.2            2.2 / 3.4       2.3       0.9       41     solid
       1,536     32              22 / 29          12       3.9      580     solid
       3,000    169              97 / 148         64        13    3,100     solid
       6,591  1,520             873 / 4,046      530         -   53,500     solid

Tried and left: qdldl (as fast as the program up to 20,000 unknowns of a net, four times slower than SuperLU for solids; no
pivoting). CHOLMOD and UMFPACK have no wheels, the wheel of MUMPS does not work with NumPy 2.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import weakref
from ctypes import CFUNCTYPE, POINTER, c_double, c_int64, c_void_p, cast
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright.errors import OutOfBudget

Array = np.ndarray

LIMIT = {"superlu": 10_000_000, "pardiso": 2_000_000}
"""Multiplications of an elimination program above which a library is faster; see the table above."""
PIVOT = 0.01
"""Smallest pivot on the diagonal, relative to the largest entry of its column, that SuperLU takes for the sake of sparsity."""
REFINED = 1e-14
"""Residual of a solution, relative to its terms, above which it is refined."""
SOLVED = 1e-3
"""Residual of a solution for random numbers below which a matrix whose pivots had to be changed is not singular."""
UNSEEN = 1e-6
"""Part of the largest multiplier below which one says nothing: that it is zero for this b may be an accident."""
NUDGE = 1e-10
"""Part of the largest entry that is added to a singular matrix, to find out what it does not determine."""
LARGE = 2_000
"""Unknowns of a matrix without a program (statics) above which the options of large systems pay."""

PENDING: list[BaseException] = []
"""What went wrong inside a call from compiled code, which knows no exceptions."""


class Singular(Exception):
    """The matrix has no factors."""


def too_large(size: int) -> OutOfBudget:
    return OutOfBudget(
        f"the factors of a matrix with {size} unknowns do not fit into the memory",
        suggestion="take a coarser mesh or a machine with more memory"
        + ("" if chosen() == "pardiso" else ", or install gaitwright[fast], whose solver needs half of it"),
    )


class Backend(Protocol):
    """A library at work on one symmetric pattern, given by columns (diagonal included, both triangles, sorted).

    doubtful: it changed pivots that vanished, instead of saying so."""

    doubtful: bool

    def factor(self, values: Array) -> None: ...

    def solve(self, b: Array) -> Array: ...

    def negative(self, values: Array) -> int:
        """The number of negative eigenvalues of a symmetric matrix; -1 if that was not found out."""
        ...


class SuperLU:
    doubtful = False

    def __init__(self, size: int, start: Array, index: Array, symmetric: bool):
        self.shape, self.start, self.index = (size, size), start.astype(np.int32), index.astype(np.int32)
        self.orders: dict[bool, Order] = {}
        self.order: Any = None
        self.factors: Any = None

    def _factors(self, values: Array, steady: bool, pivot: float) -> Any:
        """Factors with the unknowns in the order of the first time: the search for it is a third of the work."""
        from scipy.sparse import csc_matrix

        if steady not in self.orders:
            matrix = csc_matrix((values, self.index, self.start), shape=self.shape)
            cols = np.argsort(_superlu(matrix, ORDERS[steady], pivot, steady).perm_c)
            rows = cols if steady else np.arange(cols.size)
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
        from scipy.sparse import csc_matrix

        return is_steady(csc_matrix((values, self.index, self.start), shape=self.shape))

    def solve(self, b: Array) -> Array:
        x = np.empty(b.size)
        x[self.order.cols] = self.factors.solve(b[self.order.rows])
        return x

    def negative(self, values: Array) -> int:
        factors = self._factors(values, True, 0.0)
        if not np.array_equal(factors.perm_r, factors.perm_c):
            return -1  # a pivot on the diagonal was exactly zero
        return int(np.sum(factors.U.diagonal() < 0.0))


class Order(NamedTuple):
    """Rows and columns in the order in which they are eliminated, and the pattern in this order: which values it takes."""

    rows: Array
    cols: Array
    take: Array
    index: Array
    start: Array


ORDERS = {True: "MMD_AT_PLUS_A", False: "COLAMD"}
"""By whether the diagonal offers pivots. It does not where there are multipliers, and an order that counts on it then makes a
hundred times the work (net of 5,000 rods: 39 ms against 3.2 s at a third of the size)."""


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

    def __init__(self, size: int, start: Array, index: Array, symmetric: bool):
        from pypardiso import PyPardisoSolver  # pyright: ignore[reportMissingImports]
        from scipy.sparse import csr_matrix

        self.size, self.symmetric = size, symmetric
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
        wishes = {1: 1, 2: 2, 10: 13, 11: 1, 12: 0 if symmetric else 2, 13: 1, 21: 1}
        for place, value in wishes.items():
            self.solver.set_iparm(place, value)
        self.ordered = self.doubtful = False
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
        self._call(22, self.nothing)
        if self.solver.get_iparm(14) > 0:  # perturbed pivots: new values may ask for another matching
            self._call(12, self.nothing)
        self.doubtful = bool(self.solver.get_iparm(14) > 0)

    def solve(self, b: Array) -> Array:
        return self._call(33, b.reshape(-1, 1)).ravel()

    def negative(self, values: Array) -> int:
        self.factor(values)
        return int(self.solver.get_iparm(23))


def _forget(solver: Any) -> None:
    with contextlib.suppress(Exception):
        solver.free_memory(everything=True)


BACKENDS: dict[str, Any] = {"superlu": SuperLU, "pardiso": Pardiso}


@functools.cache
def chosen() -> str:
    """The fastest library that is there."""
    if importlib.util.find_spec("pypardiso") is not None:
        try:
            import pypardiso  # noqa: F401  # pyright: ignore[reportMissingImports]

            return "pardiso"
        except (ImportError, OSError):  # without the library behind it
            pass
    return "superlu"


class Factors:
    """Of a matrix that is solved with a few times. sign: of its determinant; 0 if it is not known."""

    def __init__(self, matrix: Any, by: Any, sign: int):
        self.matrix, self.by, self.sign = matrix, by, sign

    def solve(self, b: Array) -> Array:
        """Refined once."""
        x = self.by.solve(b)
        return x + self.by.solve(b - self.matrix @ x)


def factorised(matrix: Any, symmetric: bool) -> Factors:
    """Factors of a sparse matrix by columns, with pivoting; RuntimeError if it is singular."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import splu

    size = matrix.shape[0]
    if size <= LARGE:
        by = splu(matrix)
    elif chosen() == "superlu":
        steady = is_steady(matrix)
        try:
            by = _superlu(matrix, ORDERS[steady], PIVOT if steady else 1.0, steady)
        except Singular as error:
            raise RuntimeError("singular") from error
    else:
        found, each = matrix.tocoo(), np.arange(size)
        entries = np.r_[found.data, np.zeros(size)], (np.r_[found.row, each], np.r_[found.col, each])
        whole = coo_matrix(entries, shape=(size, size)).tocsc()  # with all of the diagonal, zeros too
        by = Pardiso(size, whole.indptr, whole.indices, symmetric)
        try:
            by.factor(whole.data)
        except Singular as error:
            raise RuntimeError("singular") from error
        return Factors(matrix, by, (-1) ** by.solver.get_iparm(23) if symmetric else 0)
    return Factors(matrix, by, _determinant_sign(by))


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


class Direct:
    """Factors of one matrix in the layout of elimination.py, with the unknowns in their natural order.

    start, below: the pattern below the diagonal by columns. late: unknowns for which the inverse is probed."""

    def __init__(self, start: Array, below: Array, late: Array):
        n, nz = start.size - 1, below.size
        self.size, self.below, self.late = n, nz, late
        column = np.repeat(np.arange(n), np.diff(start))
        rows = np.concatenate((np.arange(n), below, column))
        cols = np.concatenate((np.arange(n), column, below))
        order = np.lexsort((rows, cols))
        self.rows, self.cols = rows[order], cols[order]
        # Where each entry is in K: as it is with both triangles, or the lower one for both.
        self.general = order
        self.symmetric = np.where(order < n + nz, order, order - nz)
        self.starts = np.searchsorted(self.cols, np.arange(n + 1))
        self.backends: dict[bool, Backend] = {}
        self.backend: Backend | None = None
        self.matrix: Any = None  # what is factorised, and the sizes of its entries
        self.sizes: Any = None
        self.probe = np.zeros(n)
        self.probe[self.late] = np.random.default_rng(0).standard_normal(self.late.size)
        own: Any = weakref.ref(self)  # no cycle: factors are large, and go when the matrix goes
        self.calls = (
            CFUNCTYPE(None, c_void_p, c_int64)(lambda K, general: own()._factor(K, general)),
            CFUNCTYPE(None, c_void_p)(lambda b: own()._solve(b)),
        )
        self.library = np.zeros(3, dtype=np.int64)  # see elimination.py
        self.library[:2] = [cast(call, c_void_p).value or 0 for call in self.calls]

    def _backend(self, general: bool) -> Backend:
        if general not in self.backends:
            self.backends[general] = BACKENDS[chosen()](self.size, self.starts, self.rows, not general)
        return self.backends[general]

    def _matrix(self, values: Array) -> Any:
        from scipy.sparse import csc_matrix

        return csc_matrix((values, self.rows, self.starts), shape=(self.size, self.size))

    def factor(self, K: Array, general: bool) -> int:
        """Factorise; -1, or an unknown that the matrix does not determine. Leaves the probe on the diagonal of K."""
        bad = self._tried(K, general)
        if bad >= 0:
            K[self.late], K[bad] = 0.0, np.inf
        elif self.late.size:
            found = np.abs(self.solve(self.probe)[self.late])
            K[self.late] = np.maximum(found, UNSEEN * found.max())
        return bad

    def _tried(self, K: Array, general: bool) -> int:
        values = K[self.general if general else self.symmetric]
        self.backend = None
        if not np.isfinite(values.sum()):
            return int(self.cols[np.argmin(np.isfinite(values))])
        self.matrix, self.sizes = self._matrix(values), self._matrix(np.abs(values))
        try:
            self._backend(general).factor(values)
        except Singular:
            return self._undetermined()
        except MemoryError:
            raise too_large(self.size) from None
        self.backend = self._backend(general)
        if self.backend.doubtful and not self._holds():
            self.backend = None
            return self._undetermined()
        return -1

    def solve(self, b: Array) -> Array:
        """A^-1 b, refined where that helps; not a number where there are no factors."""
        if self.backend is None:
            return np.full(self.size, np.nan)
        x = self.backend.solve(b)
        missing = b - self.matrix @ x
        if np.any(np.abs(missing) > REFINED * (self.sizes @ np.abs(x) + np.abs(b))):
            x = x + self.backend.solve(missing)
        return x

    def negative(self, K: Array) -> int:
        """The number of negative eigenvalues of a symmetric matrix; -1 if that was not found out."""
        try:
            return self._backend(False).negative(K[self.symmetric])
        except Singular:
            return -1

    def _holds(self) -> bool:
        """Whether what the factors give is a solution."""
        b = np.random.default_rng(1).standard_normal(self.size)
        return bool(np.max(np.abs(b - self.matrix @ self.solve(b))) < SOLVED)

    def _undetermined(self) -> int:
        """The unknown, a multiplier if there is one, that takes part most in what the matrix maps to zero."""
        from scipy.sparse import identity
        from scipy.sparse.linalg import splu

        largest = float(np.max(self.sizes.data, initial=0.0))
        x = np.random.default_rng(0).standard_normal(self.size)
        try:
            factors = splu((self.matrix + max(NUDGE * largest, 1e-300) * identity(self.size)).tocsc())
            for _ in range(3):
                x = factors.solve(x)
                x /= np.max(np.abs(x))
        except RuntimeError:
            return 0
        within = self.late if self.late.size and np.max(np.abs(x[self.late])) > 1e-6 else np.arange(self.size)
        return int(within[np.argmax(np.abs(x[within]))])

    # called from compiled code ---------------------------------------------------------------------------------------

    def _factor(self, K: int, general: int) -> None:
        length = self.size + (1 + (general != 0)) * self.below + 1
        self.library[2] = _guarded(lambda: self.factor(_array(K, length), general != 0), 0)

    def _solve(self, b: int) -> None:
        rhs = _array(b, self.size)
        rhs[:] = _guarded(lambda: self.solve(rhs), np.nan)


def _array(address: int, length: int) -> Array:
    return np.ctypeslib.as_array(cast(address, POINTER(c_double)), (length,))


def _guarded(work: Any, otherwise: Any) -> Any:
    """Compiled code cannot be left by an exception: it is kept for `raise_pending`. Ctrl-C waits for the end of the work."""
    for _ in range(2):
        try:
            return work()
        except KeyboardInterrupt as error:
            PENDING.append(error)
        except BaseException as error:
            PENDING.append(error)
            break
    return otherwise


def raise_pending() -> None:
    """After compiled code: what its calls into a library had to keep to themselves."""
    if PENDING:
        error = PENDING[0]
        PENDING.clear()
        raise error
