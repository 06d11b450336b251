"""Newton's method for an equilibrium next to a guess, where a parameter p is kept or found with the pose.

    Phi_q^T lambda - Q(q, 0, p) = 0,   Phi(q, p) = 0        unknowns q, lambda and, along a curve, p

    [ K      Phi_q^T  R_p   ] [ dq      ]     [ Phi_q^T lambda - Q ]
    [ Phi_q  0        Phi_p ] [ dlambda ] = - [ Phi                ]
    [        n              ] [ dp      ]     [ 0                  ]

Control by p: the last row keeps p, and the matrix is singular at a limit point, where p is largest on the curve. Control
by arc length: n is the tangent of the curve at the prediction, so that the correction stands across it (Riks 1979); the
matrix is regular at limit points. For the sake of sparsity the matrix that is factorised has a single entry in its last
row, where the tangent is largest (Rheinboldt and Burkardt 1983); two right-hand sides then give correction and tangent.

Sources: E. Riks, Int. J. Solids Struct. 15 (1979) 529-551. W. C. Rheinboldt, J. V. Burkardt, ACM Trans. Math. Softw. 9 (1983)
215-235.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from gaitwright.analyse.statics.linearise import EXACT, LEAST_STIFFNESS, AtRest
from gaitwright.analyse.statics.records import Imbalance
from gaitwright.system.factors import factorised
from gaitwright.system.tables import Array

CORRECTED = 1e-10
"""A Newton step of this size, in the scale of the coordinates, is the last one: the next would be rounding."""
ROUNDING = 1e-7
"""Size of Newton steps below which they are taken for rounding when they no longer shrink."""
MAX_ITERATIONS = 14
KEPT, NEAR = 0.1, 1e-6
"""What a factorisation of a large matrix must leave at most of a Newton step to serve the next one, too; and size of the steps
from which on it may. With 1e-3 thin beams go astray (EA L^2 = 1e8 EI: twice the iterations)."""
KEPT_LAST = 1e-13
"""The same as CORRECTED with kept factors, which do not converge quadratically."""
ROUGHLY, FINELY, QUICK_LAST, TANGENT = 1e-3, 1e-6, 1e-13, 1e-4
"""Error of a step by kept factors, relative to it, at most, and the least that is asked for; what such a step may leave, by the
last one and by that error; and error of tangents."""
SHORTENED = 4
"""How often a step is halved that ends where there are no forces: with an element turned inside out, J <= 0."""
STEEP = 1e6
"""Change of coordinates, in their scale, for a change of p by its span, from which on a limit point is near."""
TURNING = 1e-3
"""Change of the coordinate that is prescribed in place of p, relative to the largest, below which the curve turns in it."""
EPSILON = float(np.finfo(float).eps)


class Parameter(Protocol):
    """What changes along the curve. span: the change of p that counts as one."""

    span: float

    def set(self, p: float) -> None: ...

    def rate(self, q: Array, lam: Array) -> tuple[Array, Array]:
        """Derivatives in p of the forces and gaps of AtRest.imbalance."""
        ...


class Seen(NamedTuple):
    """Imbalance and stiffness at a point. unit: what stiffnesses are compared with, J. settled: only rounding is left."""

    force: Array
    gap: Array
    jacobian: Array
    length: Array
    stiffness: Array
    unit: float
    size: float
    settled: bool


class Corrected(NamedTuple):
    """first: Newton's first step. seen: what is there, if its stiffness is that of x."""

    x: Array
    first: Array
    history: list[float]
    seen: Seen | None


class Corrector:
    """Finds equilibria next to guesses. x: coordinates in their scale, multipliers of the independent rows, p / span."""

    def __init__(self, rest: AtRest, parameter: Parameter, soft: bool = False):
        """soft: some motion has no stiffness at all; it is given the least one in Newton's matrix.

        quick (to be set): factors of large matrices serve as long as they do, for other points, too. drag, origin (to
        be set): a force that holds the coordinates back, J, proportional to their way from an origin."""
        s = rest.s
        self.rest, self.parameter, self.n, self.m, self.soft = rest, parameter, s.n, s.m, soft
        diagonal = np.arange(s.n)
        self.rows = np.concatenate([s.k_row, diagonal, s.n + rest.jac_row, rest.jac_col])
        self.cols = np.concatenate([s.k_col, diagonal, rest.jac_col, s.n + rest.jac_row])
        self.weight, self.drag, self.quick = 1.0, 0.0, False
        self.origin = np.zeros(s.n)
        self.iterations = 0
        self.undefined = -1  # a coordinate with a force that is no number since the last success; -1 if there was none

    # coordinates -----------------------------------------------------------------------------------------------------

    def join(self, q: Array, lam: Array, p: float) -> Array:
        return np.concatenate([q[: self.n] / self.rest.scale, lam[: self.m], [p / self.parameter.span]])

    def split(self, x: Array) -> tuple[Array, Array, float]:
        """The pose (n + 1), multipliers of all rows (redundant ones have none) and p."""
        q, lam = np.zeros(self.n + 1), np.zeros(self.rest.s.m_all)
        q[: self.n], lam[: self.m] = x[: self.n] * self.rest.scale, x[self.n : -1]
        return q, lam, float(x[-1]) * self.parameter.span

    def dot(self, a: Array, b: Array) -> float:
        return self.weight**2 * float(a[: self.n] @ b[: self.n]) / max(self.n, 1) + float(a[-1] * b[-1])

    def measure(self, a: Array) -> float:
        return float(np.sqrt(self.dot(a, a)))

    def plain(self, a: Array) -> float:
        """The length without the weight."""
        return float(np.sqrt(a[: self.n] @ a[: self.n] / max(self.n, 1) + a[-1] ** 2))

    def largest(self, a: Array) -> float:
        return max(float(np.max(np.abs(a[: self.n]), initial=0.0)), abs(float(a[-1])))

    # Newton ----------------------------------------------------------------------------------------------------------

    def correct(self, guess: Array, normal: Array | None = None) -> Corrected | None:
        """The equilibrium next to a guess: on the plane through it across `normal`, or at its p. None without success."""
        x, first, history, before = guess.copy(), np.zeros_like(guess), [], np.inf
        size, change = 0.0, np.inf
        place = self.n + self.m if normal is None else self.place_of_largest(normal)
        solve = seen = None
        quick, near, step = self.quick, 0.0, np.zeros(0)
        for iteration in range(MAX_ITERATIONS + 1):
            # Solutions of a large system cost a tenth of its factors: in the end these are kept as long as they do.
            kept = solve is not None and self.rest.matrix.large and not quick and change <= min(KEPT * before, NEAR)
            found = self.look(x, seen if kept else None)
            for _ in range(SHORTENED if iteration else 0):
                if found is not None:
                    break
                step = 0.5 * step
                x = x - step
                found = self.look(x)
            if found is None:
                return None
            seen = found
            size = max(size, found.size)
            history.append(max(greatest(found.force) / size if size > 0.0 else 0.0, greatest(found.gap)))
            if (
                change <= (KEPT_LAST if kept else CORRECTED)
                or (before > change > 0.3 * before and change <= ROUNDING)
                or (quick and change * max(near, (change / before) ** 2) <= QUICK_LAST)
                or found.settled
            ):
                return Corrected(x, first, history, None if kept else found)
            if iteration == MAX_ITERATIONS:
                return None
            left = change * max(near, min((change / before) ** 2, 1.0)) if iteration else 0.0  # to be gone now
            near = min(max(0.3 * QUICK_LAST / max(left, 1e-300), FINELY), ROUGHLY) if quick else 0.0
            solve = solve if kept else self.factor(x, found, place, normal is not None, near)
            if solve is None:
                return None
            step = solve(np.concatenate([-found.force / found.unit, -found.gap, [0.0]]))
            if normal is not None:
                end = np.zeros_like(step)
                end[-1] = 1.0
                tangent = solve(end)
                step = step - tangent * (self.dot(normal, step) / self.dot(normal, tangent))
            self.iterations += 1
            before, change = change, self.largest(step)
            # The first steps may lead astray for a while (beams are stretched and recover), later ones must converge.
            worst = np.inf if iteration < 2 else 2.0 * before if iteration < 5 else 0.5 * before
            if not change <= min(worst, 1e300):
                return None
            first = step if iteration == 0 else first
            x = x + step
        return None

    def look(self, x: Array, before: Seen | None = None) -> Seen | None:
        """before: whose stiffness, unit and lengths of rows hold on."""
        q, lam, p = self.split(x)
        rest, s = self.rest, self.rest.s
        self.parameter.set(p)
        now: Imbalance = rest.imbalance(q, lam[: s.m])
        stiffness = rest.stiffness(q, lam) if before is None else before.stiffness
        if not (np.all(np.isfinite(now.force)) and np.all(np.isfinite(now.gap)) and np.all(np.isfinite(stiffness))):
            self.undefined = int(np.argmin(np.isfinite(now.force)))
            return None
        size = max(now.reaction, rest.largest(q))
        force, at = now.force + self.drag * (x[: self.n] - self.origin), np.abs(x[: self.n])
        held = np.abs(now.jacobian * (x[self.n : -1] * now.length)[rest.jac_row])
        noise = np.bincount(s.k_row, np.abs(stiffness) * at[s.k_col], minlength=self.n)
        noise += np.bincount(rest.jac_col, held, minlength=self.n)
        open_by = np.bincount(rest.jac_row, np.abs(now.jacobian) * at[rest.jac_col], minlength=self.m)
        settled = bool(
            np.all(np.abs(force) <= 4.0 * EPSILON * noise)
            and np.all(np.abs(now.gap) <= 4.0 * EPSILON * (open_by + 1.0))
        )
        unit = max(greatest(stiffness), size, 1e-300) if before is None else before.unit
        return Seen(force, now.gap, now.jacobian, now.length, stiffness, unit, size, settled)

    def factor(
        self, x: Array, found: Seen, place: int, moving: bool = True, near: float = 0.0
    ) -> Callable[[Array], Array] | None:
        """A function that solves with the tangent matrix at x whose last row keeps the unknown at `place`; None where it
        is singular. moving: p changes, so that the derivatives in p count. near: error that is allowed."""
        last = self.n + self.m
        rate = np.zeros(last)
        if moving:
            q, lam, _ = self.split(x)
            force, gap = self.parameter.rate(q, lam[: self.m])
            rate = np.concatenate([force / found.unit, gap]) * self.parameter.span
        solved = self._bordered(found, rate, place, near) or self._as_a_whole(found, rate, place)
        if solved is None:
            return None

        def solve(rhs: Array) -> Array:
            y = solved(rhs)
            y[self.n : last] *= found.unit / found.length
            return y

        return solve

    def _as_a_whole(self, found: Seen, rate: Array, place: int) -> Callable[[Array], Array] | None:
        """The matrix with its last row and column."""
        import scipy.sparse as sparse

        n, last = self.n, self.n + self.m
        filled = np.flatnonzero(rate)
        least = np.full(n, (LEAST_STIFFNESS if self.soft else 0.0) + self.drag / found.unit)
        values = [found.stiffness / found.unit, least, found.jacobian, found.jacobian, rate[filled], [1.0]]
        rows = np.concatenate([self.rows, filled, [last]])
        cols = np.concatenate([self.cols, np.full(filled.size, last), [place]])
        matrix = sparse.csc_matrix((np.concatenate(values), (rows, cols)), shape=(last + 1, last + 1))
        try:
            factors = factorised(matrix, symmetric=False)
        except RuntimeError:  # exactly singular
            return None
        self.rest.factorisations += 1
        return factors.solve

    def _bordered(self, found: Seen, rate: Array, place: int, near: float) -> Callable[[Array], Array] | None:
        """The same of a large matrix by its factors without last row and column, which are kept from the last time if it did
        not change, or little; None if it is none, or next to a limit point, where that would be inaccurate."""
        rest, n, last = self.rest, self.n, self.n + self.m
        if not rest.matrix.large:
            return None
        symmetric = rest.is_symmetric(found.stiffness)
        if not symmetric and not rest.matrix.keeps:
            return None
        near = near if symmetric else near or EXACT
        least = (LEAST_STIFFNESS if self.soft else 0.0) + self.drag / found.unit
        given = found.stiffness / found.unit, found.jacobian, least
        try:
            inner = (rest.matrix.near(*given, near, symmetric) if near else rest.matrix.factor(*given, True)).solve
        except RuntimeError:
            return None
        moved = np.concatenate(inner(rate[:n], rate[n:])) if np.any(rate) else np.zeros(last)
        if not greatest(moved) < STEEP or (place < last and abs(moved[place]) < TURNING * greatest(moved)):
            return None

        def solve(rhs: Array) -> Array:
            y = np.concatenate(inner(rhs[:n], rhs[n:last]))
            end = rhs[last] if place == last else (y[place] - rhs[last]) / moved[place]
            return np.append(y - end * moved, end)

        return solve

    def place_of_largest(self, way: Array) -> int:
        """Where a tangent is largest, among the coordinates and p."""
        place = int(np.argmax(np.abs(way[: self.n]))) if self.n else 0
        return place if self.n and abs(way[place]) > abs(way[-1]) else self.n + self.m


def greatest(values: Array) -> float:
    return float(np.max(np.abs(values), initial=0.0))
