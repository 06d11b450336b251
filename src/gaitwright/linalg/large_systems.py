"""Large systems: factor and solve of elimination.py, performed by a direct solver without an elimination program.

An elimination program stores an index per multiplication. That is the fastest method for linkages, but unsuitable for nets
and meshes: the program of a solid with 2,197 nodes took 2.9 GB and 52 s to create. Above MAX_PROGRAM_MULTIPLICATIONS another
solver uses the same pattern and the same array of values K, and is called by the same compiled loops through the address of a
Python function.

        fronts    Gaitwright's, for symmetric matrices: LDL^T without pivoting (multifrontal.py)
        lu_fronts Gaitwright's, for other matrices: LU without pivoting, in the same fronts (multifrontal.py)
        superlu   SciPy's, used where fronts fail: LU with pivoting
        pardiso   MKL's, through pypardiso (extra `fast`): both, on several threads

The elimination order is computed once per pattern (elimination_order.py). A solution is refined once if its residual requires
it. A residual that stays large shows that pivoting is needed; from then on a pivoting solver is used. None of these solvers
gives the pivots of single multipliers, which indicate a singular pose. Instead, K holds |A^-1 b| for multipliers after a
factorisation, with a random b on them: it grows without bound in the same poses, first for those multipliers that lose
their meaning.

Milliseconds per factorisation, one thread (nets with 2 unknowns per node, solids with 3; own: the elimination program,
symmetric and general; order and tree: analysis for fronts, once per pattern):

    unknowns   multiplications   own          fronts   superlu   pardiso   order and tree
       5,000      5.5 million    3.0 / 4.9       -        6.7       2.8         -     net
      10,000     13.9            9.9 / 14        5         14         7        20     net of 5,000 masses
      20,000     54              41 / 57        18         46        20        40     net
       2,187     33              22 / 29         6         23         7        20     solid, tetrahedra
       6,591    350             873 / 4,046     40        190        39        80     solid
      33,306  5,480               -            420      4,200       440       550     solid, slender
      27,783  8,400               -            640      8,700       560       450     solid, cube

Tried and rejected: METIS through pymetis, which orders cubes with a quarter fewer multiplications than elimination_order.py
and other meshes with a tenth fewer (not worth a dependency); SuperLU with the order of elimination_order.py (twice as fast for
solids as with its own, six times as slow as fronts); qdldl (as fast as the program up to 20,000 unknowns of a net, four times
slower than SuperLU for solids). CHOLMOD has wheels (cholespy, sksparse-minimal), but its fast part is under the GPL; the wheel
of MUMPS does not work with NumPy 2, UMFPACK has none.
"""

from __future__ import annotations

import weakref
from ctypes import CFUNCTYPE, POINTER, c_double, c_int64, c_void_p, cast
from typing import Any

import numpy as np

from gaitwright.linalg.backends import (
    BACKENDS,
    REFINED_SOLUTION_RTOL,
    SingularMatrix,
    SolverBackend,
    SparsityPattern,
    fastest_backend,
    fastest_pivoting_backend,
    out_of_memory_error,
)

Array = np.ndarray

REFINEMENT_RTOL = 1e-14
"""Residual of a solution, relative to its terms, above which it is refined."""
ZERO_UNKNOWN_RTOL = 1e-8
"""Fraction of the largest unknown below which an unknown may be zero except for rounding."""
RANDOM_SOLUTION_RTOL = 1e-3
"""Residual of a solution for a random right-hand side below which a matrix with perturbed pivots is not singular."""
MIN_MULTIPLIER_PROBE_RATIO = 1e-6
"""Fraction of the largest multiplier below which a value is not significant: it may be zero for this b by accident."""
SINGULAR_SHIFT_RATIO = 1e-10
"""Fraction of the largest entry added to the diagonal of a singular matrix, to find the unknowns it does not determine."""

PENDING_EXCEPTIONS: list[BaseException] = []
"""Exceptions raised in callbacks from compiled code, which cannot propagate them. `raise_pending_exception` raises the first
one after each call of compiled loops.

This is the state of the process and not of a solver. One compiled call uses several solvers (of the mechanism, of the stages
of an implicit method, of a projection), of which compiled code passes only addresses, and the Python function that called it
does not know them all; if an exception remained in a solver that is not asked, Ctrl-C would be lost and the run would continue
with NaN. Compiled code cannot pass on an owner either: the callbacks have the signature (address of K, type) and (address
of b), and a third argument would change each compiled call site. Sweeps and studies run their analyses in separate
processes; in threads of one process the first caller would raise the exception."""


class LargeSystemSolver:
    """Factors of one matrix in the layout of elimination.py, with the unknowns in their natural order.

    start, below: pattern below the diagonal by columns. level: (n,) 0 for coordinates, 1 and 2 for unknowns eliminated after
    them, for which the inverse is probed. like: solver with the same pattern; its analysis is reused."""

    def __init__(self, start: Array, below: Array, level: Array, like: LargeSystemSolver | None = None):
        n, nz = start.size - 1, below.size
        self.size, self.below, self.late, self.given = n, nz, np.flatnonzero(level), (start, below, level)
        if like is None:
            column = np.repeat(np.arange(n), np.diff(start))
            rows = np.concatenate((np.arange(n), below, column))
            cols = np.concatenate((np.arange(n), column, below))
            order = np.lexsort((rows, cols))
            # Index into K of each entry: both triangles (general), or the lower one for both (symmetric).
            self.general = order
            self.symmetric = np.where(order < n + nz, order, order - nz)
            self.pattern = SparsityPattern(n, np.searchsorted(cols[order], np.arange(n + 1)), rows[order], level)
        else:
            self.general, self.symmetric, self.pattern = like.general, like.symmetric, like.pattern
        self.backends: dict[tuple[str, bool], SolverBackend] = {}
        self.backend: SolverBackend | None = None
        self.is_general = False  # type of the factorised matrix
        self.chosen: dict[bool, str] = {}  # backend name by generality of the matrix
        self.values = np.zeros(0)  # factorised entries, the same as a matrix, and their absolute values
        self.matrix: Any = None
        self.sizes: Any = None
        self.probe = np.zeros(n)
        self.probe[self.late] = np.random.default_rng(0).standard_normal(self.late.size)
        own: Any = weakref.ref(self)  # no reference cycle: factors are large and must be freed with the matrix
        self.calls = (
            CFUNCTYPE(None, c_void_p, c_int64)(lambda K, general: own()._factor(K, general)),
            CFUNCTYPE(None, c_void_p)(lambda b: own()._solve(b)),
        )
        self.library = np.zeros(3, dtype=np.int64)  # see elimination.py
        self.library[:2] = [cast(call, c_void_p).value or 0 for call in self.calls]

    def another(self) -> LargeSystemSolver:
        """Return a solver for another matrix with the same pattern."""
        return LargeSystemSolver(*self.given, like=self)

    def _backend(self, general: bool) -> SolverBackend:
        kind = self.chosen.setdefault(general, fastest_backend(not general)), general
        if kind not in self.backends:
            self.backends[kind] = BACKENDS[kind[0]](self.pattern, not general)
        return self.backends[kind]

    @property
    def worth(self) -> float:
        """Multiplications of a factorisation of a symmetric matrix divided by those of a solution; 0 if unknown (yet)."""
        return self._backend(False).worth

    def _matrix(self, values: Array) -> Any:
        from scipy.sparse import csc_matrix

        return csc_matrix((values, self.pattern.index, self.pattern.start), shape=(self.size, self.size))

    def factor(self, K: Array, general: bool) -> int:
        """Factorise; return -1 or an unknown that the matrix does not determine. Writes the probe to the diagonal of K."""
        undetermined = self.prepare(K, general)
        if undetermined < 0 and self.late.size:
            probe_response = np.abs(self.solve(self.probe)[self.late])
            if self.backend is not None:
                K[self.late] = np.maximum(probe_response, MIN_MULTIPLIER_PROBE_RATIO * probe_response.max())
                return undetermined
            undetermined = self._undetermined()
        if undetermined >= 0:
            K[self.late], K[undetermined] = 0.0, np.inf
        return undetermined

    def prepare(self, K: Array, general: bool) -> int:
        """Factorise; return -1 or an unknown that the matrix does not determine."""
        self.values, self.backend = K[self.general if general else self.symmetric], None
        self.is_general = bool(general)
        if not np.isfinite(self.values.sum()):
            return int(self.pattern.index[np.argmin(np.isfinite(self.values))])
        self.matrix, self.sizes = self._matrix(self.values), self._matrix(np.abs(self.values))
        while not self._tried(general):
            if self._backend(general).pivots:
                return self._undetermined()
            self.chosen[general] = fastest_pivoting_backend()
        return -1

    def _tried(self, general: bool) -> bool:
        """Try to factorise with the chosen backend; True if it succeeds."""
        try:
            self._backend(general).factor(self.values)
        except SingularMatrix:
            return False
        except MemoryError:
            raise out_of_memory_error(self.size) from None
        self.backend = self._backend(general)
        if self.backend.doubtful and not self._holds():
            self.backend = None
        return self.backend is not None

    def solve(self, b: Array) -> Array:
        """A^-1 b, refined if necessary; NaN without factors."""
        if self.backend is None:
            return np.full(self.size, np.nan)
        x = self.backend.solve(b)
        missing = b - self.matrix @ x
        if _residual_within(missing, REFINEMENT_RTOL, self.sizes, x, b):
            return x
        x = x + self.backend.solve(missing)
        if self.backend.pivots or _residual_within(b - self.matrix @ x, REFINED_SOLUTION_RTOL, self.sizes, x, b):
            return x
        # Pivoting from now on.
        self.backend, self.chosen[self.is_general] = None, fastest_pivoting_backend()
        self._tried(self.is_general)
        return self.solve(b)

    def rough(self, b: Array) -> Array:
        """Solution with reduced accuracy, for callers that check the residual themselves."""
        return np.full(self.size, np.nan) if self.backend is None else self.backend.rough(b)

    def negative(self, K: Array) -> int:
        """Factorise a symmetric matrix; return the number of its negative eigenvalues, or -1 if unknown."""
        self.values, self.backend, self.is_general = K[self.symmetric], None, False
        self.matrix, self.sizes = self._matrix(self.values), self._matrix(np.abs(self.values))
        try:
            count = self._backend(False).negative(self.values)
        except SingularMatrix:
            return -1
        if self._backend(False).doubtful:  # signs of perturbed pivots
            return -1
        self.backend = self._backend(False)
        return count

    def _holds(self) -> bool:
        """True if the factors solve the system for a random right-hand side."""
        b = np.random.default_rng(1).standard_normal(self.size)
        return bool(np.max(np.abs(b - self.matrix @ self.solve(b))) < RANDOM_SOLUTION_RTOL)

    def _undetermined(self) -> int:
        """Unknown with the largest component in the null vector of the matrix; a multiplier if one takes part."""
        from scipy.sparse import identity
        from scipy.sparse.linalg import splu

        largest = float(np.max(self.sizes.data, initial=0.0))
        x = np.random.default_rng(0).standard_normal(self.size)
        try:
            factors = splu((self.matrix + max(SINGULAR_SHIFT_RATIO * largest, 1e-300) * identity(self.size)).tocsc())
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
        self.library[2] = _catch_exceptions(lambda: self.factor(_array_at_address(K, length), general != 0), 0)

    def _solve(self, b: int) -> None:
        rhs = _array_at_address(b, self.size)
        rhs[:] = _catch_exceptions(lambda: self.solve(rhs), np.nan)


def _residual_within(missing: Array, fraction: float, sizes: Any, x: Array, b: Array) -> bool:
    """True if a residual is at most a fraction of the terms of this difference. An unknown that should be zero, such as the
    motion of a fixed body, is rounding noise: its terms count as if it were a small fraction of the largest unknown."""
    smallest = ZERO_UNKNOWN_RTOL * np.max(np.abs(x), initial=0.0)
    return bool(np.all(np.abs(missing) <= fraction * (sizes @ np.maximum(np.abs(x), smallest) + np.abs(b))))


def _array_at_address(address: int, length: int) -> Array:
    return np.ctypeslib.as_array(cast(address, POINTER(c_double)), (length,))


def _catch_exceptions(work: Any, otherwise: Any) -> Any:
    """Call work; exceptions cannot pass through compiled code and are stored for `raise_pending_exception`. After Ctrl-C the
    work is run again to its end."""
    for _ in range(2):
        try:
            return work()
        except KeyboardInterrupt as error:
            PENDING_EXCEPTIONS.append(error)
        except BaseException as error:
            PENDING_EXCEPTIONS.append(error)
            break
    return otherwise


def raise_pending_exception() -> None:
    """Raise the first exception stored during calls from compiled code, if any."""
    if PENDING_EXCEPTIONS:
        error = PENDING_EXCEPTIONS[0]
        PENDING_EXCEPTIONS.clear()
        raise error
