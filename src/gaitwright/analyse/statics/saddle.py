"""The matrices of statics: stiffness and joints of a mechanism at rest, factorised.

    [ K + mu W  Phi_q^T ] [ x ]   [ force ]
    [ Phi_q     0       ] [ y ] = [ gap   ]        W = 1, in scaled coordinates; rows of Phi_q are unit vectors

K is given on its pattern, in units in which its largest entries are about 1. Small ones: LU with pivoting (SuperLU), and signs
of pivots by an elimination program. Large ones keep one pattern and its order of elimination, and the factors that count the
signs also solve. There

    [ K + mu W + Phi_q^T Phi_q  Phi_q^T ]
    [ Phi_q                     0       ]        the same x; y is less by `gap`

is factorised instead: its first block is positive definite wherever K is on the free motions, also where K is nothing at all
(bodies held by joints alone), so that no pivots have to be searched for.

Source: M. Benzi, G. H. Golub, J. Liesen, Acta Numerica 14 (2005) 1-137, section 10 (augmented Lagrangian).
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.statics import joint_rows
from gaitwright.analyse.statics.joint_rows import JointRows
from gaitwright.analyse.statics.kept import iterate
from gaitwright.system import elimination
from gaitwright.system.factors import FEW, LARGE, Factors, factorised, factorised_whole
from gaitwright.system.library import Direct
from gaitwright.system.tables import Array, System

Solver = Callable[[Array, Array], tuple[Array, Array]]
"""Takes force and gap, gives x and y."""

LONG = 60
"""Coordinates of a row of Phi_q beyond which its product with itself is left out: it would fill the matrix."""
WORTH = 30.0
"""Multiplications of a factorisation for each of a solution from which on factors are kept for other matrices: about 180 in a
solid of 10,000 nodes. Thin beams and nets, which have less, do not like steps that are not Newton's own."""
MOST, SLOW = 30, 0.4
"""Solutions by kept factors after which new ones cost less; and what one of them may leave of the error: beyond, the next
matrix gets new factors."""
KNOWN = 1e-10
"""Stiffness, in units of the largest one, above which the signs of pivots tell it from none."""


class Factored(NamedTuple):
    """solve: see Solver. negative: how many eigenvalues of K + mu W are so on the free motions, -1 if not known; otherwise sign
    tells that of the determinant of the whole matrix, 0 if not known."""

    solve: Solver
    negative: int
    sign: int

    def fits(self, negative: int) -> bool:
        """Whether so many negative ones may be all there are."""
        if self.negative >= 0:
            return negative == self.negative
        return self.sign == 0 or negative % 2 == (self.sign < 0)


class Small:
    """Of up to some thousand unknowns."""

    large = keeps = False
    rows: JointRows | None = None  # of large ones that few joints hold
    rounding = 1.0  # of eigenvalues, in units of that of the largest entry of K

    def __init__(self, s: System, spend: Callable[[], None]):
        self.s, self.spend = s, spend
        self.jac_row, self.jac_col = active(s)
        # Elimination program for the symmetric part, to read its inertia off.
        below = self.jac_row + s.n
        self.program = program(s)
        self.k_slot = elimination.slots(self.program, s.k_row, s.k_col, False)
        self.k_mirror = elimination.slots(self.program, s.k_col, s.k_row, False)
        self.jac_slot = elimination.slots(self.program, below, self.jac_col, False)

    @functools.cached_property
    def mirror(self) -> Array:
        """For each entry of K the one on the other side of the diagonal; one behind the last where there is none."""
        s = self.s
        here, there = s.k_row.astype(np.int64) * s.n + s.k_col, s.k_col.astype(np.int64) * s.n + s.k_row
        order = np.argsort(here)
        at = order[np.minimum(np.searchsorted(here, there, sorter=order), max(here.size - 1, 0))]
        return np.where(here[at] == there, at, here.size)

    def mirrored(self, stiffness: Array) -> Array:
        return np.append(stiffness, 0.0)[self.mirror]

    knows_the_way = False
    """Whether there are factors of a stiffness that is positive definite and worth to be kept."""

    def is_symmetric(self, stiffness: Array) -> bool:
        off = np.max(np.abs(stiffness - self.mirrored(stiffness)), initial=0.0)
        return bool(off <= 1e-10 * np.max(np.abs(stiffness), initial=0.0))

    def is_positive(self, stiffness: Array, jacobian: Array, mu: float) -> bool:
        """Is the symmetric part of K + mu W positive definite on the free motions? Then, and only then, the matrix has one
        negative pivot per constraint (Nocedal and Wright, theorem 16.3). LDL^T without pivoting is blind below about 1e-8 of
        the stiffness: who asks must test the direction, too."""
        values = np.zeros(elimination.storage_size(self.program)[0])
        # Half an entry to its place and half to its mirror image; what lies above the diagonal goes to the trash slot.
        np.add.at(values, self.k_slot, stiffness / 2)
        np.add.at(values, self.k_mirror, stiffness / 2)
        values[self.program.position[: self.s.n]] += max(mu, 1e-8)
        np.add.at(values, self.jac_slot, jacobian)
        if elimination.factor_symmetric(self.program, values) >= 0:
            return False
        return int(np.sum(values[: self.s.n + self.s.m] < 0.0)) == self.s.m

    def all_above(self, least: float, stiffness: Array, jacobian: Array) -> bool:
        """Whether the signs of pivots tell that the symmetric part of K is stiffer than that in all free motions. Then no real
        eigenvalue of K is less, either."""
        return False

    def factor(self, stiffness: Array, jacobian: Array, mu: float, symmetric: bool) -> Factored:
        """RuntimeError if the matrix is singular."""
        s = self.s
        if self.few:
            block = np.zeros((s.n, s.n))
            np.add.at(block, (s.k_row, s.k_col), stiffness)
            return self.factor_block(block + mu * np.eye(s.n), jacobian, symmetric)
        block = sparse_matrix(s.k_row, s.k_col, stiffness, (s.n, s.n))
        return self.factor_block(block + mu * identity(s.n) if mu else block, jacobian, symmetric)

    def near(self, stiffness: Array, jacobian: Array, mu: float, tolerance: float, symmetric: bool) -> Factored:
        """The same where a solution with an error of `tolerance` will do: large ones by factors that are there, of whichever
        stiffness, until they take too many. Then nothing is known of signs."""
        return self.factor(stiffness, jacobian, mu, symmetric)

    def factor_block(self, block: Any, jacobian: Array, symmetric: bool) -> Factored:
        """The same with any matrix as the first block, whole or sparse."""
        n, m = self.s.n, self.s.m
        factors = self._whole(block, jacobian) if self.few else self._sparse(block, jacobian, symmetric)
        self.spend()

        def solve(force: Array, gap: Array) -> tuple[Array, Array]:
            x = factors.solve(np.concatenate([force, gap]))
            return x[:n], x[n:]

        return Factored(solve, -1, factors.sign * (-1) ** m)

    @property
    def few(self) -> bool:
        """Whether it is one of few unknowns, which is taken as a whole."""
        return self.s.n + self.s.m <= FEW

    def _whole(self, block: Any, jacobian: Array) -> Factors:
        n, m = self.s.n, self.s.m
        matrix = np.zeros((n + m, n + m), order="F")
        matrix[:n, :n] = block if isinstance(block, np.ndarray) else block.toarray()
        np.add.at(matrix, (self.jac_row + n, self.jac_col), jacobian)
        matrix[:n, n:] = matrix[n:, :n].T
        return factorised_whole(matrix)

    def _sparse(self, block: Any, jacobian: Array, symmetric: bool) -> Factors:
        import scipy.sparse as sparse

        n, m = self.s.n, self.s.m
        J = sparse_matrix(self.jac_row, self.jac_col, jacobian, (m, n))
        return factorised(sparse.csc_matrix(sparse.bmat([[block, J.T], [J, None]]) if m else block), symmetric, m)

    def held(self, jacobian: Array, force: Array) -> Array:
        """What joints and drives hold of a force: the y of least squares."""
        if not self.s.m:
            return np.zeros(0)
        one = np.eye(self.s.n) if self.few else identity(self.s.n)
        return self.factor_block(one, jacobian, False).solve(force, np.zeros(self.s.m))[1]


class Places(NamedTuple):
    """A large matrix and where entries go in it, lower triangle and both. first, second: entries of Phi_q that are multiplied
    with each other, and where that goes."""

    direct: Direct
    size: tuple[int, int]
    stiffness: tuple[Array, Array]
    upper: Array  # of the entries on the other side of the diagonal, in the lower triangle
    joints: Array
    mirrored: Array
    first: Array
    second: Array
    product: tuple[Array, Array]


_KEPT: weakref.WeakKeyDictionary[System, tuple[Places, Places | None]] = weakref.WeakKeyDictionary()
"""Of large systems: the next analysis starts at once."""


class Large(Small):
    """Of many unknowns: keeps pattern, order and factors."""

    large = True
    rounding = 8.0  # by Phi_q^T Phi_q, too

    def __init__(self, s: System, spend: Callable[[], None]):
        self.s, self.spend = s, spend
        self.jac_row, self.jac_col = active(s)
        if 0 < s.m <= joint_rows.FEW:
            self.rows = JointRows(self.jac_row, self.jac_col, (s.m, s.n))
        if s not in _KEPT:
            none = np.zeros(0, dtype=np.int64)
            _KEPT[s] = self._first(), self._places(none, none) if s.m and not self.rows else None
        self.whole, self.joints = _KEPT[s]
        self.direct = self.whole.direct.another()
        self.part: Any = slice(None)  # entries of K that are factorised
        self.now: tuple[Array, Array, float, bool] | None = None  # what is factorised
        self.found: Factored | None = None
        self.tired = False  # whether the last solution by kept factors took many
        self.skewed = False  # whether factors of the symmetric part would not do: what slides is far from it
        self.start = np.searchsorted(s.k_row, np.arange(s.n + 1))

    def _first(self) -> Places:
        return self._places(self.s.k_row, self.s.k_col)

    def fit(self, stiffness: Array) -> None:
        """See to it that all entries have a place."""

    def _places(self, k_row: Array, k_col: Array) -> Places:
        s = self.s
        count = np.bincount(self.jac_row, minlength=s.m)
        by_row = np.argsort(self.jac_row, kind="stable")
        by_row = by_row[count[self.jac_row[by_row]] <= LONG]
        repeat = count[self.jac_row[by_row]]
        first = np.repeat(by_row, repeat)
        begin = np.searchsorted(self.jac_row[by_row], self.jac_row[by_row])
        within = np.arange(first.size) - np.repeat(np.cumsum(repeat) - repeat, repeat)
        second = by_row[np.repeat(begin, repeat) + within] if first.size else first
        row, col, below = self.jac_col[first], self.jac_col[second], self.jac_row + s.n
        late = np.arange(s.n + s.m) >= s.n
        rows, cols = np.concatenate([k_row, below, row]), np.concatenate([k_col, self.jac_col, col])
        program = elimination.analyse(s.n + s.m, rows, cols, late, longest=-1)
        assert program.direct is not None

        def slots(r: Array, c: Array) -> tuple[Array, Array]:
            return elimination.slots(program, r, c, False), elimination.slots(program, r, c, True)

        return Places(
            program.direct, elimination.storage_size(program), slots(k_row, k_col), slots(k_col, k_row)[0],
            slots(below, self.jac_col)[1], slots(self.jac_col, below)[1], first, second, slots(row, col),
        )  # fmt: skip

    def _filled(self, to: Places, stiffness: Array, jacobian: Array, diagonal: float, general: bool) -> Array:
        size, n = to.size[general], self.s.n
        K = np.zeros(size)
        K[:n] = diagonal
        if general:
            K += np.bincount(to.stiffness[1], stiffness, minlength=size)
        else:  # half an entry to its place and half to its mirror image
            for slots in (to.stiffness[0], to.upper):
                K += np.bincount(slots, 0.5 * stiffness, minlength=size)
        K += np.bincount(to.product[general], jacobian[to.first] * jacobian[to.second], minlength=size)
        K += np.bincount(to.joints, jacobian, minlength=size)
        if general:
            K += np.bincount(to.mirrored, jacobian, minlength=size)
        return K

    def is_positive(self, stiffness: Array, jacobian: Array, mu: float) -> bool:
        """The same. Under follower loads the factors are those of the symmetric part."""
        try:
            return self.factor(stiffness, jacobian, mu, True).negative == 0
        except RuntimeError:
            return False

    def all_above(self, least: float, stiffness: Array, jacobian: Array) -> bool:
        try:
            return self.factor(stiffness, jacobian, -least, True).negative == 0
        except RuntimeError:
            return False

    def factor(self, stiffness: Array, jacobian: Array, mu: float, symmetric: bool) -> Factored:
        given = stiffness, jacobian, mu, symmetric
        if self.found is not None and self._is_factorised(*given):
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
        self.now, self.found = given, Factored(self._solver(self.direct), negative, (-1) ** max(negative, 0))
        return self.found

    @property
    def knows_the_way(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.found is not None and self.found.negative == 0 and self.keeps and not self.tired

    @property
    def keeps(self) -> bool:
        """Whether factors, those of the symmetric part, are worth to be kept."""
        return self.direct.worth > WORTH

    def _is_factorised(self, stiffness: Array, jacobian: Array, mu: float, symmetric: bool) -> bool:
        now, same = self.now, np.array_equal
        return now is not None and now[2:] == (mu, symmetric) and same(now[0], stiffness) and same(now[1], jacobian)

    def near(self, stiffness: Array, jacobian: Array, mu: float, tolerance: float, symmetric: bool) -> Factored:
        if self.found is not None and self._is_factorised(stiffness, jacobian, mu, symmetric):
            return self.found
        if self.found is None:
            self.fit(stiffness)
        if not self.keeps or self.found is None or self.tired or self.found.negative != 0:
            as_it_is = symmetric or self.skewed or not self.keeps
            found = self.factor(stiffness, jacobian, mu, symmetric or not as_it_is)
            self.skewed = self.skewed or not (as_it_is or found.negative == 0)
            if as_it_is or self.skewed:
                return self.factor(stiffness, jacobian, mu, symmetric)
        import scipy.sparse as sparse

        n, m = self.s.n, self.s.m
        K = sparse.csr_matrix((stiffness, self.s.k_col, self.start), shape=(n, n))
        J = sparse_matrix(self.jac_row, self.jac_col, jacobian, (m, n))

        def apply(z: Array) -> Array:
            x, y = z[:n], z[n:]
            return np.concatenate([K @ x + mu * x + J.T @ y, J @ x]) if m else K @ x + mu * x

        def by(b: Array) -> Array:
            z = self.direct.rough(b)
            z[n:] += b[n:]  # see above: the y that is factorised for is less by the gap
            return z

        def solve(force: Array, gap: Array) -> tuple[Array, Array]:
            z = iterate(apply, by, np.concatenate([force, gap]), tolerance, MOST)
            self.tired = self.tired or z is None or z.turned or tolerance > SLOW**z.count
            if z is None or z.turned:
                self.skewed = self.skewed or not symmetric
                return self.factor(stiffness, jacobian, mu, symmetric).solve(force, gap)
            return z.x[:n], z.x[n:]

        return Factored(solve, -1, 0)

    def _solver(self, direct: Direct) -> Solver:
        n = self.s.n

        def solve(force: Array, gap: Array) -> tuple[Array, Array]:
            x = direct.solve(np.concatenate([force, gap]))
            return x[:n], x[n:] + gap

        return solve

    def held(self, jacobian: Array, force: Array) -> Array:
        if self.rows is not None:
            return self.rows.held(jacobian, force)
        if self.joints is None:
            return np.zeros(0)
        direct = self.joints.direct
        if direct.prepare(self._filled(self.joints, np.zeros(0), jacobian, 1.0, False), False) >= 0:
            raise RuntimeError("singular")
        self.spend()
        return self._solver(direct)(force, np.zeros(self.s.m))[1]


def matrices(s: System, spend: Callable[[], None]) -> Small:
    """spend: to be called for every factorisation."""
    large = s.n + s.m > LARGE or program(s).direct is not None
    if large and s.contacts.deforms:
        from gaitwright.analyse.statics.sliding import Sliding

        return Sliding(s, spend)
    return (Large if large else Small)(s, spend)


def active(s: System) -> tuple[Array, Array]:
    """Rows and columns of the entries of Phi_q that take part."""
    inside = s.jac_row < s.m
    return s.jac_row[inside], s.jac_col[inside]


def program(s: System) -> elimination.Elimination:
    jac_row, jac_col = active(s)
    rows, cols = np.r_[s.k_row, jac_row + s.n], np.r_[s.k_col, jac_col]
    return elimination.analyse(s.n + s.m, rows, cols, np.arange(s.n + s.m) >= s.n)


def sparse_matrix(rows: Array, cols: Array, values: Array, shape: tuple[int, int]) -> Any:
    import scipy.sparse as sparse

    return sparse.csr_matrix((values, (rows, cols)), shape=shape)


def identity(n: int) -> Any:
    import scipy.sparse as sparse

    return sparse.identity(n, format="csr")
