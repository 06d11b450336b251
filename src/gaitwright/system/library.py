"""Large systems: the two calls of elimination.py, factor and solve, answered by a solver without a program.

An elimination program keeps an index per multiplication. That is the fastest way there is for linkages, and none for nets and
meshes: 2,197 nodes of a solid took 2.9 GB and 52 s to write down. Above LIMIT multiplications another solver takes the same
pattern, the same array of values K, and is called by the same compiled loops, through an address of a Python function.

    fronts    our own, for symmetric matrices: LDL^T without a search for pivots (fronts.py)
    lu_fronts our own, for others: LU without a search for pivots, in the same fronts (lu_fronts.py)
    superlu   SciPy's, where fronts fail: LU with a search for pivots
    pardiso   MKL's, through pypardiso (extra `fast`): both, on several threads

The order of elimination is found once per pattern (dissection.py). Every solution is refined once where its residual says so. A
residual that stays large tells that pivots have to be searched for; from then on they are. What none of them has are the pivots
of single multipliers, from which a singular pose is read. In their place, K holds |A^-1 b| for multipliers after a
factorisation, with some b on them: it grows beyond all bounds in the same poses, first for those multipliers that lose their
meaning.

Milliseconds for a factorisation, one thread (nets with 2 unknowns per node, solids with 3; own: the program, symmetric and
general; order and tree: what fronts find out once per pattern):

    unknowns   multiplications   own          fronts   superlu   pardiso   order and tree
       5,000      5.5 million    3.0 / 4.9       -        6.7       2.8         -     net
      10,000     13.9            9.9 / 14        5         14         7        20     net of 5,000 masses
      20,000     54              41 / 57        18         46        20        40     net
       2,187     33              22 / 29         6         23         7        20     solid, tetrahedra
       6,591    350             873 / 4,046     40        190        39        80     solid
      33,306  5,480               -            420      4,200       440       550     solid, slender
      27,783  8,400               -            640      8,700       560       450     solid, cube

Tried and left: METIS by pymetis, which orders cubes with a quarter fewer multiplications than dissection.py and others with a
tenth (a dependency for that); SuperLU in the order of dissection.py (twice as fast for solids as in its own, six times as slow
as fronts); qdldl (as fast as the program up to 20,000 unknowns of a net, four times slower than SuperLU for solids). CHOLMOD
has wheels (cholespy, sksparse-minimal), but what is fast in it is under the GPL; the wheel of MUMPS does not work with NumPy 2,
UMFPACK has none.
"""

from __future__ import annotations

import weakref
from ctypes import CFUNCTYPE, POINTER, c_double, c_int64, c_void_p, cast
from typing import Any

import numpy as np

from gaitwright.system.solvers import BACKENDS, DOUBTED, Backend, Pattern, Singular, careful, chosen, too_large

Array = np.ndarray

REFINED = 1e-14
"""Residual of a solution, relative to its terms, above which it is refined."""
ZERO = 1e-8
"""Part of the largest unknown below which one may be zero but for rounding."""
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

    start, below: the pattern below the diagonal by columns. level: 0 for coordinates, 1 and 2 for what waits for them, for
    which the inverse is probed."""

    def __init__(self, start: Array, below: Array, level: Array, like: Direct | None = None):
        n, nz = start.size - 1, below.size
        self.size, self.below, self.late, self.given = n, nz, np.flatnonzero(level), (start, below, level)
        if like is None:
            column = np.repeat(np.arange(n), np.diff(start))
            rows = np.concatenate((np.arange(n), below, column))
            cols = np.concatenate((np.arange(n), column, below))
            order = np.lexsort((rows, cols))
            # Where each entry is in K: as it is with both triangles, or the lower one for both.
            self.general = order
            self.symmetric = np.where(order < n + nz, order, order - nz)
            self.pattern = Pattern(n, np.searchsorted(cols[order], np.arange(n + 1)), rows[order], level)
        else:
            self.general, self.symmetric, self.pattern = like.general, like.symmetric, like.pattern
        self.backends: dict[tuple[str, bool], Backend] = {}
        self.backend: Backend | None = None
        self.is_general = False  # the matrix that is factorised
        self.chosen: dict[bool, str] = {}  # by whether the matrix is general
        self.values = np.zeros(0)  # what is factorised, the same as a matrix, and the sizes of its entries
        self.matrix: Any = None
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

    def another(self) -> Direct:
        """For another matrix with the same pattern."""
        return Direct(*self.given, like=self)

    def _backend(self, general: bool) -> Backend:
        kind = self.chosen.setdefault(general, chosen(not general)), general
        if kind not in self.backends:
            self.backends[kind] = BACKENDS[kind[0]](self.pattern, not general)
        return self.backends[kind]

    @property
    def worth(self) -> float:
        """Multiplications of a factorisation of a symmetric matrix for each of a solution; 0 if that is not known (yet)."""
        return self._backend(False).worth

    def _matrix(self, values: Array) -> Any:
        from scipy.sparse import csc_matrix

        return csc_matrix((values, self.pattern.index, self.pattern.start), shape=(self.size, self.size))

    def factor(self, K: Array, general: bool) -> int:
        """Factorise; -1, or an unknown that the matrix does not determine. Leaves the probe on the diagonal of K."""
        bad = self.prepare(K, general)
        if bad < 0 and self.late.size:
            found = np.abs(self.solve(self.probe)[self.late])
            if self.backend is not None:
                K[self.late] = np.maximum(found, UNSEEN * found.max())
                return bad
            bad = self._undetermined()
        if bad >= 0:
            K[self.late], K[bad] = 0.0, np.inf
        return bad

    def prepare(self, K: Array, general: bool) -> int:
        """Factorise; -1, or an unknown that the matrix does not determine."""
        self.values, self.backend = K[self.general if general else self.symmetric], None
        self.is_general = bool(general)
        if not np.isfinite(self.values.sum()):
            return int(self.pattern.index[np.argmin(np.isfinite(self.values))])
        self.matrix, self.sizes = self._matrix(self.values), self._matrix(np.abs(self.values))
        while not self._tried(general):
            if self._backend(general).pivots:
                return self._undetermined()
            self.chosen[general] = careful()
        return -1

    def _tried(self, general: bool) -> bool:
        """Whether there are factors."""
        try:
            self._backend(general).factor(self.values)
        except Singular:
            return False
        except MemoryError:
            raise too_large(self.size) from None
        self.backend = self._backend(general)
        if self.backend.doubtful and not self._holds():
            self.backend = None
        return self.backend is not None

    def solve(self, b: Array) -> Array:
        """A^-1 b, refined where that helps; not a number where there are no factors."""
        if self.backend is None:
            return np.full(self.size, np.nan)
        x = self.backend.solve(b)
        missing = b - self.matrix @ x
        if _within(missing, REFINED, self.sizes, x, b):
            return x
        x = x + self.backend.solve(missing)
        if self.backend.pivots or _within(b - self.matrix @ x, DOUBTED, self.sizes, x, b):
            return x
        # From now on with a search for pivots.
        self.backend, self.chosen[self.is_general] = None, careful()
        self._tried(self.is_general)
        return self.solve(b)

    def rough(self, b: Array) -> Array:
        """The same to some digits, for who looks at the residual himself."""
        return np.full(self.size, np.nan) if self.backend is None else self.backend.rough(b)

    def negative(self, K: Array) -> int:
        """Factorise a symmetric matrix; the number of its negative eigenvalues, -1 if that was not found out."""
        self.values, self.backend, self.is_general = K[self.symmetric], None, False
        self.matrix, self.sizes = self._matrix(self.values), self._matrix(np.abs(self.values))
        try:
            found = self._backend(False).negative(self.values)
        except Singular:
            return -1
        if self._backend(False).doubtful:  # signs of pivots that were made up
            return -1
        self.backend = self._backend(False)
        return found

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


def _within(missing: Array, part: float, sizes: Any, x: Array, b: Array) -> bool:
    """Whether a residual is at most a part of the terms whose difference it is. What should be zero, as the motion of a body
    that is held, is rounding: its terms are counted as if it were a little of the largest unknown."""
    least = ZERO * np.max(np.abs(x), initial=0.0)
    return bool(np.all(np.abs(missing) <= part * (sizes @ np.maximum(np.abs(x), least) + np.abs(b))))


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
