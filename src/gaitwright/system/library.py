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

import weakref
from ctypes import CFUNCTYPE, POINTER, c_double, c_int64, c_void_p, cast
from typing import Any

import numpy as np

from gaitwright.system.solvers import BACKENDS, Backend, Singular, chosen, too_large

Array = np.ndarray

REFINED = 1e-14
"""Residual of a solution, relative to its terms, above which it is refined."""
SOLVED = 1e-3
"""Residual of a solution for random numbers below which a matrix whose pivots had to be changed is not singular."""
UNSEEN = 1e-6
"""Part of the largest multiplier below which one says nothing: that it is zero for this b may be an accident."""
NUDGE = 1e-10
"""Part of the largest entry that is added to a singular matrix, to find out what it does not determine."""

PENDING: list[BaseException] = []
"""What went wrong inside a call from compiled code, which knows no exceptions."""


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
