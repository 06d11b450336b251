"""Saddle-point matrices of statics: stiffness and joints of a mechanism at rest, factorised.

    [ K + mu W  Phi_q^T ] [ x ]   [ force ]
    [ Phi_q     0       ] [ y ] = [ gap   ]        W = 1, in scaled coordinates; rows of Phi_q are unit vectors

K is given on its pattern, in units in which its largest entries are about 1. Small matrices: LU with pivoting (SuperLU), and
signs of pivots by an elimination program. Large matrices keep one pattern and its order of elimination, and the factors that
count the signs also solve. There

    [ K + mu W + Phi_q^T Phi_q  Phi_q^T ]
    [ Phi_q                     0       ]        the same x; y is less by `gap`

is factorised instead: its first block is positive definite wherever K is on the free motions, also if K vanishes
(bodies held by joints alone), so that no pivoting is needed.

Source: M. Benzi, G. H. Golub, J. Liesen, Acta Numerica 14 (2005) 1-137, section 10 (augmented Lagrangian).
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analysis.statics import constraint_least_squares
from gaitwright.analysis.statics.constraint_least_squares import ConstraintLeastSquares
from gaitwright.analysis.statics.gmres import solve_gmres
from gaitwright.linalg import elimination
from gaitwright.linalg.large_systems import LargeSystemSolver
from gaitwright.linalg.matrix_factors import (
    MAX_DENSE_UNKNOWNS,
    MIN_LARGE_MATRIX_UNKNOWNS,
    MatrixFactors,
    factorise_dense,
    factorise_sparse,
)
from gaitwright.mechanism.tables import Array, MechanismTables

SaddleSolver = Callable[[Array, Array], tuple[Array, Array]]
"""Solver that takes force and gap, and returns x and y."""

MAX_PRODUCT_ROW_ENTRIES = 60
"""Number of entries in a row of Phi_q above which its product with itself is left out: it would fill the matrix."""
MIN_FACTOR_TO_SOLVE_RATIO = 30.0
"""Ratio of the multiplications of a factorisation to those of a solution above which factors are reused for other matrices:
about 180 in a solid of 10,000 nodes. Thin beams and nets, which have less, converge badly with steps that are not exact Newton
steps."""
MAX_REUSED_SOLUTIONS, MAX_ITERATION_ERROR_RATIO = 30, 0.4
"""Number of solutions with reused factors above which new factors cost less; error ratio of one solution above which the next
matrix gets new factors."""
MIN_SIGNED_STIFFNESS = 1e-10
"""Stiffness, relative to the largest one, above which the signs of pivots distinguish it from zero."""


class FactorisedSaddlePoint(NamedTuple):
    """solve: see SaddleSolver. negative: number of negative eigenvalues of K + mu W on the free motions, -1 if unknown; then
    sign is the sign of the determinant of the whole matrix, 0 if unknown."""

    solve: SaddleSolver
    negative: int
    sign: int

    def fits(self, negative: int) -> bool:
        """True if this number of negative eigenvalues is consistent with the factors."""
        if self.negative >= 0:
            return negative == self.negative
        return self.sign == 0 or negative % 2 == (self.sign < 0)


class SmallSaddlePoint:
    """Saddle-point matrix with up to some thousand unknowns."""

    large = keeps = False
    rows: ConstraintLeastSquares | None = None  # for large matrices with few constraint rows
    rounding = 1.0  # rounding error of eigenvalues, in units of that of the largest entry of K

    def __init__(self, s: MechanismTables, spend: Callable[[], None]):
        self.s, self.spend = s, spend
        self.jac_row, self.jac_col = find_active_entries(s)
        # Elimination program for the symmetric part, from which the inertia is read.
        below = self.jac_row + s.n
        self.program = make_elimination_program(s)
        self.k_slot = elimination.find_entry_slots(self.program, s.k_row, s.k_col, False)
        self.k_mirror = elimination.find_entry_slots(self.program, s.k_col, s.k_row, False)
        self.jac_slot = elimination.find_entry_slots(self.program, below, self.jac_col, False)

    @functools.cached_property
    def mirror(self) -> Array:
        """Index of the transposed entry of each entry of K; one past the end if there is none."""
        s = self.s
        entries, transposed = s.k_row.astype(np.int64) * s.n + s.k_col, s.k_col.astype(np.int64) * s.n + s.k_row
        order = np.argsort(entries)
        at = order[np.minimum(np.searchsorted(entries, transposed, sorter=order), max(entries.size - 1, 0))]
        return np.where(entries[at] == transposed, at, entries.size)

    def mirrored(self, stiffness: Array) -> Array:
        return np.append(stiffness, 0.0)[self.mirror]

    knows_the_way = False
    """True if there are reusable factors of a positive definite stiffness."""

    def is_symmetric(self, stiffness: Array) -> bool:
        off = np.max(np.abs(stiffness - self.mirrored(stiffness)), initial=0.0)
        return bool(off <= 1e-10 * np.max(np.abs(stiffness), initial=0.0))

    def is_positive(self, stiffness: Array, jacobian: Array, mu: float) -> bool:
        """True if the symmetric part of K + mu W is positive definite on the free motions. Then, and only then, the matrix has
        one negative pivot per constraint (Nocedal and Wright, theorem 16.3). LDL^T without pivoting does not resolve less than
        about 1e-8 of the stiffness: the caller must check the direction, too."""
        values = np.zeros(elimination.storage_size(self.program)[0])
        # Half of each entry goes to its slot and half to its transposed one; entries above the diagonal go to the trash slot.
        np.add.at(values, self.k_slot, stiffness / 2)
        np.add.at(values, self.k_mirror, stiffness / 2)
        values[self.program.position[: self.s.n]] += max(mu, 1e-8)
        np.add.at(values, self.jac_slot, jacobian)
        if elimination.factor_symmetric(self.program, values) >= 0:
            return False
        return int(np.sum(values[: self.s.n + self.s.m] < 0.0)) == self.s.m

    def is_stiffer_than(self, bound: float, stiffness: Array, jacobian: Array) -> bool:
        """True if the signs of pivots prove that the symmetric part of K is stiffer than `least` in all free motions. Then no
        real eigenvalue of K is less, either."""
        return False

    def factor(self, stiffness: Array, jacobian: Array, mu: float, symmetric: bool) -> FactorisedSaddlePoint:
        """Factorise the matrix; RuntimeError if it is singular."""
        s = self.s
        if self.is_small:
            block = np.zeros((s.n, s.n))
            np.add.at(block, (s.k_row, s.k_col), stiffness)
            return self.factor_block(block + mu * np.eye(s.n), jacobian, symmetric)
        block = make_sparse_matrix(s.k_row, s.k_col, stiffness, (s.n, s.n))
        return self.factor_block(block + mu * sparse_identity(s.n) if mu else block, jacobian, symmetric)

    def approximate_factors(
        self, stiffness: Array, jacobian: Array, mu: float, tolerance: float, symmetric: bool
    ) -> FactorisedSaddlePoint:
        """Factors for solutions with an error of `tolerance`: large matrices reuse existing factors of any stiffness until they
        need too many iterations. The signs are then unknown."""
        return self.factor(stiffness, jacobian, mu, symmetric)

    def factor_block(self, block: Any, jacobian: Array, symmetric: bool) -> FactorisedSaddlePoint:
        """Factorise with any dense or sparse matrix as the first block."""
        n, m = self.s.n, self.s.m
        factors = self._factor_whole(block, jacobian) if self.is_small else self._sparse(block, jacobian, symmetric)
        self.spend()

        def solve(force: Array, gap: Array) -> tuple[Array, Array]:
            x = factors.solve(np.concatenate([force, gap]))
            return x[:n], x[n:]

        return FactorisedSaddlePoint(solve, -1, factors.sign * (-1) ** m)

    @property
    def is_small(self) -> bool:
        """True for few unknowns, which are factorised as a dense matrix."""
        return self.s.n + self.s.m <= MAX_DENSE_UNKNOWNS

    def _factor_whole(self, block: Any, jacobian: Array) -> MatrixFactors:
        n, m = self.s.n, self.s.m
        matrix = np.zeros((n + m, n + m), order="F")
        matrix[:n, :n] = block if isinstance(block, np.ndarray) else block.toarray()
        np.add.at(matrix, (self.jac_row + n, self.jac_col), jacobian)
        matrix[:n, n:] = matrix[n:, :n].T
        return factorise_dense(matrix)

    def _sparse(self, block: Any, jacobian: Array, symmetric: bool) -> MatrixFactors:
        import scipy.sparse as sparse

        n, m = self.s.n, self.s.m
        J = make_sparse_matrix(self.jac_row, self.jac_col, jacobian, (m, n))
        return factorise_sparse(sparse.csc_matrix(sparse.bmat([[block, J.T], [J, None]]) if m else block), symmetric, m)

    def reactions(self, jacobian: Array, force: Array) -> Array:
        """Reactions of joints and drives to a force: the y of least squares."""
        if not self.s.m:
            return np.zeros(0)
        identity = np.eye(self.s.n) if self.is_small else sparse_identity(self.s.n)
        return self.factor_block(identity, jacobian, False).solve(force, np.zeros(self.s.m))[1]


class SaddlePointPattern(NamedTuple):
    """Pattern of a large matrix with the slots of its entries, lower triangle and both. first, second: entries of Phi_q that
    are multiplied with each other; product: slots of these products."""

    direct: LargeSystemSolver
    size: tuple[int, int]
    stiffness: tuple[Array, Array]
    upper: Array  # slots of the transposed entries, in the lower triangle
    joints: Array
    mirrored: Array
    first: Array
    second: Array
    product: tuple[Array, Array]


_PATTERN_CACHE: weakref.WeakKeyDictionary[MechanismTables, tuple[SaddlePointPattern, SaddlePointPattern | None]] = (
    weakref.WeakKeyDictionary()
)
"""Patterns of large systems, so that the next analysis starts at once."""


class LargeSaddlePoint(SmallSaddlePoint):
    """Saddle-point matrix with many unknowns: keeps pattern, order and factors."""

    large = True
    rounding = 8.0  # includes Phi_q^T Phi_q

    def __init__(self, s: MechanismTables, spend: Callable[[], None]):
        self.s, self.spend = s, spend
        self.jac_row, self.jac_col = find_active_entries(s)
        if 0 < s.m <= constraint_least_squares.MAX_DENSE_ROWS:
            self.rows = ConstraintLeastSquares(self.jac_row, self.jac_col, (s.m, s.n))
        if s not in _PATTERN_CACHE:
            none = np.zeros(0, dtype=np.int64)
            _PATTERN_CACHE[s] = self._first(), self._places(none, none) if s.m and not self.rows else None
        self.whole, self.joints = _PATTERN_CACHE[s]
        self.direct = self.whole.direct.another()
        self.part: Any = slice(None)  # entries of K that are factorised
        self.now: tuple[Array, Array, float, bool] | None = None  # the factorised matrix
        self.found: FactorisedSaddlePoint | None = None
        self.tired = False  # True if the last solution with reused factors needed many iterations
        self.skewed = (
            False  # True if factors of the symmetric part are not sufficient: sliding makes K far from symmetric
        )
        self.start = np.searchsorted(s.k_row, np.arange(s.n + 1))

    def _first(self) -> SaddlePointPattern:
        return self._places(self.s.k_row, self.s.k_col)

    def fit(self, stiffness: Array) -> None:
        """Ensure that all entries have a slot in the pattern."""

    def _places(self, k_row: Array, k_col: Array) -> SaddlePointPattern:
        s = self.s
        count = np.bincount(self.jac_row, minlength=s.m)
        by_row = np.argsort(self.jac_row, kind="stable")
        by_row = by_row[count[self.jac_row[by_row]] <= MAX_PRODUCT_ROW_ENTRIES]
        repeat = count[self.jac_row[by_row]]
        first = np.repeat(by_row, repeat)
        begin = np.searchsorted(self.jac_row[by_row], self.jac_row[by_row])
        within = np.arange(first.size) - np.repeat(np.cumsum(repeat) - repeat, repeat)
        second = by_row[np.repeat(begin, repeat) + within] if first.size else first
        row, col, below = self.jac_col[first], self.jac_col[second], self.jac_row + s.n
        late = np.arange(s.n + s.m) >= s.n
        rows, cols = np.concatenate([k_row, below, row]), np.concatenate([k_col, self.jac_col, col])
        program = elimination.analyse_pattern(s.n + s.m, rows, cols, late, longest=-1)
        assert program.direct is not None

        def slots(r: Array, c: Array) -> tuple[Array, Array]:
            return elimination.find_entry_slots(program, r, c, False), elimination.find_entry_slots(program, r, c, True)

        return SaddlePointPattern(
            program.direct, elimination.storage_size(program), slots(k_row, k_col), slots(k_col, k_row)[0],
            slots(below, self.jac_col)[1], slots(self.jac_col, below)[1], first, second, slots(row, col),
        )  # fmt: skip

    def _filled(
        self, to: SaddlePointPattern, stiffness: Array, jacobian: Array, diagonal: float, general: bool
    ) -> Array:
        size, n = to.size[general], self.s.n
        K = np.zeros(size)
        K[:n] = diagonal
        if general:
            K += np.bincount(to.stiffness[1], stiffness, minlength=size)
        else:  # half of each entry to its slot and half to its transposed one
            for slots in (to.stiffness[0], to.upper):
                K += np.bincount(slots, 0.5 * stiffness, minlength=size)
        K += np.bincount(to.product[general], jacobian[to.first] * jacobian[to.second], minlength=size)
        K += np.bincount(to.joints, jacobian, minlength=size)
        if general:
            K += np.bincount(to.mirrored, jacobian, minlength=size)
        return K

    def is_positive(self, stiffness: Array, jacobian: Array, mu: float) -> bool:
        """True if positive definite, see SmallSaddlePoint. Under follower loads the factors are those of the symmetric part."""
        try:
            return self.factor(stiffness, jacobian, mu, True).negative == 0
        except RuntimeError:
            return False

    def is_stiffer_than(self, bound: float, stiffness: Array, jacobian: Array) -> bool:
        try:
            return self.factor(stiffness, jacobian, -bound, True).negative == 0
        except RuntimeError:
            return False

    def factor(self, stiffness: Array, jacobian: Array, mu: float, symmetric: bool) -> FactorisedSaddlePoint:
        matrix = stiffness, jacobian, mu, symmetric
        if self.found is not None and self._is_factorised(*matrix):
            return self.found
        self.now = self.found = None
        self.tired = False
        self.fit(stiffness)
        K = self._filled(self.whole, stiffness[self.part], jacobian, mu, not symmetric)
        self.spend()
        negative = -1
        if symmetric:
            negative = self.direct.negative(K)
            negative = negative - self.s.m if negative >= 0 else -1
        if negative < 0 and self.direct.prepare(K, not symmetric) >= 0:
            raise RuntimeError("singular")
        self.now, self.found = (
            matrix,
            FactorisedSaddlePoint(self._solver(self.direct), negative, (-1) ** max(negative, 0)),
        )
        return self.found

    @property
    def knows_the_way(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.found is not None and self.found.negative == 0 and self.keeps and not self.tired

    @property
    def keeps(self) -> bool:
        """True if factors (of the symmetric part) are worth reusing."""
        return self.direct.worth > MIN_FACTOR_TO_SOLVE_RATIO

    def _is_factorised(self, stiffness: Array, jacobian: Array, mu: float, symmetric: bool) -> bool:
        factorised, equal = self.now, np.array_equal
        return (
            factorised is not None
            and factorised[2:] == (mu, symmetric)
            and equal(factorised[0], stiffness)
            and equal(factorised[1], jacobian)
        )

    def approximate_factors(
        self, stiffness: Array, jacobian: Array, mu: float, tolerance: float, symmetric: bool
    ) -> FactorisedSaddlePoint:
        if self.found is not None and self._is_factorised(stiffness, jacobian, mu, symmetric):
            return self.found
        if self.found is None:
            self.fit(stiffness)
        if not self.keeps or self.found is None or self.tired or self.found.negative != 0:
            as_it_is = symmetric or self.skewed or not self.keeps
            factors = self.factor(stiffness, jacobian, mu, symmetric or not as_it_is)
            self.skewed = self.skewed or not (as_it_is or factors.negative == 0)
            if as_it_is or self.skewed:
                return self.factor(stiffness, jacobian, mu, symmetric)
        import scipy.sparse as sparse

        n, m = self.s.n, self.s.m
        K = sparse.csr_matrix((stiffness, self.s.k_col, self.start), shape=(n, n))
        J = make_sparse_matrix(self.jac_row, self.jac_col, jacobian, (m, n))

        def apply(z: Array) -> Array:
            x, y = z[:n], z[n:]
            return np.concatenate([K @ x + mu * x + J.T @ y, J @ x]) if m else K @ x + mu * x

        def by(b: Array) -> Array:
            z = self.direct.rough(b)
            z[n:] += b[n:]  # the y of the factorised system is less by the gap, see the module docstring
            return z

        def solve(force: Array, gap: Array) -> tuple[Array, Array]:
            z = solve_gmres(apply, by, np.concatenate([force, gap]), tolerance, MAX_REUSED_SOLUTIONS)
            self.tired = self.tired or z is None or z.turned or tolerance > MAX_ITERATION_ERROR_RATIO**z.count
            if z is None or z.turned:
                self.skewed = self.skewed or not symmetric
                return self.factor(stiffness, jacobian, mu, symmetric).solve(force, gap)
            return z.x[:n], z.x[n:]

        return FactorisedSaddlePoint(solve, -1, 0)

    def _solver(self, direct: LargeSystemSolver) -> SaddleSolver:
        n = self.s.n

        def solve(force: Array, gap: Array) -> tuple[Array, Array]:
            x = direct.solve(np.concatenate([force, gap]))
            return x[:n], x[n:] + gap

        return solve

    def reactions(self, jacobian: Array, force: Array) -> Array:
        if self.rows is not None:
            return self.rows.reactions(jacobian, force)
        if self.joints is None:
            return np.zeros(0)
        direct = self.joints.direct
        if direct.prepare(self._filled(self.joints, np.zeros(0), jacobian, 1.0, False), False) >= 0:
            raise RuntimeError("singular")
        self.spend()
        return self._solver(direct)(force, np.zeros(self.s.m))[1]


def make_saddle_point(s: MechanismTables, spend: Callable[[], None]) -> SmallSaddlePoint:
    """Saddle-point matrix for a mechanism. spend: callback for every factorisation."""
    large = s.n + s.m > MIN_LARGE_MATRIX_UNKNOWNS or make_elimination_program(s).direct is not None
    if large and s.contacts.deforms:
        return ContactSaddlePoint(s, spend)
    return (LargeSaddlePoint if large else SmallSaddlePoint)(s, spend)


def find_active_entries(s: MechanismTables) -> tuple[Array, Array]:
    """Rows and columns of the active entries of Phi_q."""
    inside = s.jac_row < s.m
    return s.jac_row[inside], s.jac_col[inside]


def make_elimination_program(s: MechanismTables) -> elimination.EliminationProgram:
    """Elimination program of [K Phi_q^T; Phi_q 0]."""
    jac_row, jac_col = find_active_entries(s)
    rows, cols = np.r_[s.k_row, jac_row + s.n], np.r_[s.k_col, jac_col]
    return elimination.analyse_pattern(s.n + s.m, rows, cols, np.arange(s.n + s.m) >= s.n)


def make_sparse_matrix(rows: Array, cols: Array, values: Array, shape: tuple[int, int]) -> Any:
    import scipy.sparse as sparse

    return sparse.csr_matrix((values, (rows, cols)), shape=shape)


def sparse_identity(n: int) -> Any:
    import scipy.sparse as sparse

    return sparse.identity(n, format="csr")


# Solids in contact: pattern of nonzero entries ------------------------------------------------------------------------


MAX_PATTERN_SURPLUS_RATIO = 2.0
"""Ratio of entries in the pattern to nonzero entries above which entries of earlier poses are dropped from the pattern."""


class ContactSaddlePoint(LargeSaddlePoint):
    """Saddle-point matrix with pattern, order and factors for present and earlier contacts, for nonzero entries only.

    Each point may slide to any face of the other solid, and K has an entry for every such pair of nodes, nearly all of them
    zero (a foot of 1,000 nodes on a mat: 2.1 million entries, 100,000 of them nonzero). With all of them a factorisation
    takes seconds instead of tens of milliseconds. The order of elimination is computed anew when new entries become nonzero,
    which is cheap."""

    def _first(self) -> SaddlePointPattern:
        none = np.zeros(0, dtype=np.int64)
        return self._places(none, none)

    def fit(self, stiffness: Array) -> None:
        nonzero, in_pattern = stiffness != 0.0, np.zeros(stiffness.size, dtype=bool)
        if not isinstance(self.part, slice):
            in_pattern[self.part] = True
            if not np.any(nonzero & ~in_pattern):
                return
        keep_pattern = np.count_nonzero(in_pattern) < MAX_PATTERN_SURPLUS_RATIO * np.count_nonzero(nonzero)
        self.part = np.flatnonzero(nonzero | in_pattern if keep_pattern else nonzero)
        self.whole = self._places(self.s.k_row[self.part], self.s.k_col[self.part])
        self.direct = self.whole.direct

    def is_symmetric(self, stiffness: Array) -> bool:
        nonzero = np.flatnonzero(stiffness)
        values = stiffness[nonzero]
        off = np.max(np.abs(values - np.append(stiffness, 0.0)[self.mirror[nonzero]]), initial=0.0)
        return bool(off <= 1e-10 * np.max(np.abs(values), initial=0.0))
