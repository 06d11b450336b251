"""Newton's method for an equilibrium next to an initial guess, with a parameter p that is fixed or solved for.

    Phi_q^T lambda - Q(q, 0, p) = 0,   Phi(q, p) = 0        unknowns q, lambda and, along a curve, p

    [ K      Phi_q^T  R_p   ] [ dq      ]     [ Phi_q^T lambda - Q ]
    [ Phi_q  0        Phi_p ] [ dlambda ] = - [ Phi                ]
    [        n              ] [ dp      ]     [ 0                  ]

Control by p: the last row fixes p, and the matrix is singular at a limit point, where p is largest on the curve. Control
by arc length: n is the tangent of the curve at the prediction, so that the correction is orthogonal to it (Riks 1979); the
matrix is regular at limit points. To keep it sparse, the factorised matrix has a single entry in its last
row, where the tangent is largest (Rheinboldt and Burkardt 1983); two right-hand sides then give correction and tangent.

Sources: E. Riks, Int. J. Solids Struct. 15 (1979) 529-551. W. C. Rheinboldt, J. V. Burkardt, ACM Trans. Math. Softw. 9 (1983)
215-235.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from gaitwright.analysis.statics.records import StaticImbalance
from gaitwright.analysis.statics.resting_mechanism import MIN_REGULARISATION, SOLUTION_RTOL, RestingMechanism
from gaitwright.linalg.matrix_factors import factorise_sparse
from gaitwright.mechanism.tables import Array

NEWTON_STEP_TOL = 1e-10
"""Size of the last Newton step, in the scale of the coordinates: a further step would only be rounding error."""
STAGNATION_STEP_TOL = 1e-7
"""Size of Newton steps below which steps that no longer shrink count as rounding error."""
MAX_NEWTON_ITERATIONS = 14
MAX_REUSE_STEP_RATIO, MAX_REUSE_STEP = 0.1, 1e-6
"""Largest ratio of successive Newton steps of a large matrix for which factors are reused for the next step; largest size of
such steps."""
REUSED_FACTORS_STEP_TOL = 1e-13
"""The same as NEWTON_STEP_TOL with reused factors, which do not converge quadratically."""
MAX_ITERATIVE_RTOL, MIN_ITERATIVE_RTOL, QUICK_STEP_TOL, TANGENT_RTOL = 1e-3, 1e-6, 1e-13, 1e-4
"""Largest and smallest relative error of a step with reused factors; tolerance of the remaining error, estimated from the last
step and that error; error of tangents."""
MAX_STEP_HALVINGS = 4
"""Maximum number of halvings of a step that ends in a pose without defined forces: an element turned inside out, J <= 0."""
MIN_LIMIT_POINT_SLOPE = 1e6
"""Change of coordinates, in their scale, per change of p by its span, above which a limit point is near."""
MIN_CONTROL_CHANGE_RATIO = 1e-3
"""Change of the coordinate that is fixed instead of p, relative to the largest, below which the curve reverses in it."""
FLOAT_EPSILON = float(np.finfo(float).eps)


class PathParameter(Protocol):
    """Parameter of the curve. span: unit of the change of p."""

    span: float

    def set(self, p: float) -> None: ...

    def rate(self, q: Array, lam: Array) -> tuple[Array, Array]:
        """Derivatives with respect to p of the forces and gaps of RestingMechanism.imbalance."""
        ...


class PointLinearisation(NamedTuple):
    """Imbalance and stiffness at a point. unit: reference stiffness, J. settled: only rounding error is left."""

    force: Array
    gap: Array
    jacobian: Array
    length: Array
    stiffness: Array
    unit: float
    size: float
    settled: bool


class CorrectorResult(NamedTuple):
    """Result of the corrector. first: first Newton step. seen: linearisation, if its stiffness is that of x."""

    x: Array
    first: Array
    history: list[float]
    seen: PointLinearisation | None


class NewtonCorrector:
    """Newton solver for equilibria. x: coordinates in their scale, multipliers of the independent rows, p / span."""

    def __init__(self, rest: RestingMechanism, parameter: PathParameter, soft: bool = False):
        """soft: True if some motion has no stiffness; Newton's matrix then gets the smallest regularisation.

        quick (attribute): reuse factors of large matrices as long as possible, also for other points. drag, origin
        (attributes): artificial force, J, proportional to the displacement from an origin."""
        s = rest.s
        self.rest, self.parameter, self.n, self.m, self.soft = rest, parameter, s.n, s.m, soft
        diagonal = np.arange(s.n)
        self.rows = np.concatenate([s.k_row, diagonal, s.n + rest.jac_row, rest.jac_col])
        self.cols = np.concatenate([s.k_col, diagonal, rest.jac_col, s.n + rest.jac_row])
        self.weight, self.drag, self.quick = 1.0, 0.0, False
        self.origin = np.zeros(s.n)
        self.iterations = 0
        self.undefined = -1  # index of a coordinate with a force that was not finite since the last success, or -1

    # coordinates -----------------------------------------------------------------------------------------------------

    def join(self, q: Array, lam: Array, p: float) -> Array:
        return np.concatenate([q[: self.n] / self.rest.scale, lam[: self.m], [p / self.parameter.span]])

    def split(self, x: Array) -> tuple[Array, Array, float]:
        """The pose (n + 1), multipliers of all rows (zero for redundant ones) and p."""
        q, lam = np.zeros(self.n + 1), np.zeros(self.rest.s.m_all)
        q[: self.n], lam[: self.m] = x[: self.n] * self.rest.scale, x[self.n : -1]
        return q, lam, float(x[-1]) * self.parameter.span

    def dot(self, a: Array, b: Array) -> float:
        return self.weight**2 * float(a[: self.n] @ b[: self.n]) / max(self.n, 1) + float(a[-1] * b[-1])

    def measure(self, a: Array) -> float:
        return float(np.sqrt(self.dot(a, a)))

    def plain(self, a: Array) -> float:
        """Length without the weight."""
        return float(np.sqrt(a[: self.n] @ a[: self.n] / max(self.n, 1) + a[-1] ** 2))

    def largest(self, a: Array) -> float:
        return max(float(np.max(np.abs(a[: self.n]), initial=0.0)), abs(float(a[-1])))

    # Newton ----------------------------------------------------------------------------------------------------------

    def correct(self, guess: Array, normal: Array | None = None) -> CorrectorResult | None:
        """The equilibrium next to a guess: on the plane through it orthogonal to `normal`, or at its p. None on failure."""
        x, first, history, before = guess.copy(), np.zeros_like(guess), [], np.inf
        size, change = 0.0, np.inf
        place = self.n + self.m if normal is None else self.place_of_largest(normal)
        solve = previous = None
        quick, tolerance, step = self.quick, 0.0, np.zeros(0)
        for iteration in range(MAX_NEWTON_ITERATIONS + 1):
            # A solution of a large system costs a tenth of its factors: near the end they are reused as long as possible.
            reuse = (
                solve is not None
                and self.rest.matrix.large
                and not quick
                and change <= min(MAX_REUSE_STEP_RATIO * before, MAX_REUSE_STEP)
            )
            linearisation = self.linearise(x, previous if reuse else None)
            for _ in range(MAX_STEP_HALVINGS if iteration else 0):
                if linearisation is not None:
                    break
                step = 0.5 * step
                x = x - step
                linearisation = self.linearise(x)
            if linearisation is None:
                return None
            previous = linearisation
            size = max(size, linearisation.size)
            history.append(max(max_abs(linearisation.force) / size if size > 0.0 else 0.0, max_abs(linearisation.gap)))
            if (
                change <= (REUSED_FACTORS_STEP_TOL if reuse else NEWTON_STEP_TOL)
                or (before > change > 0.3 * before and change <= STAGNATION_STEP_TOL)
                or (quick and change * max(tolerance, (change / before) ** 2) <= QUICK_STEP_TOL)
                or linearisation.settled
            ):
                return CorrectorResult(x, first, history, None if reuse else linearisation)
            if iteration == MAX_NEWTON_ITERATIONS:
                return None
            # Estimate of the next step.
            error = change * max(tolerance, min((change / before) ** 2, 1.0)) if iteration else 0.0
            tolerance = (
                min(max(0.3 * QUICK_STEP_TOL / max(error, 1e-300), MIN_ITERATIVE_RTOL), MAX_ITERATIVE_RTOL)
                if quick
                else 0.0
            )
            solve = solve if reuse else self.factor(x, linearisation, place, normal is not None, tolerance)
            if solve is None:
                return None
            step = solve(np.concatenate([-linearisation.force / linearisation.unit, -linearisation.gap, [0.0]]))
            if normal is not None:
                end = np.zeros_like(step)
                end[-1] = 1.0
                tangent = solve(end)
                step = step - tangent * (self.dot(normal, step) / self.dot(normal, tangent))
            self.iterations += 1
            before, change = change, self.largest(step)
            # The first steps may diverge for a while (beams are stretched and recover), later ones must converge.
            worst = np.inf if iteration < 2 else 2.0 * before if iteration < 5 else 0.5 * before
            if not change <= min(worst, 1e300):
                return None
            first = step if iteration == 0 else first
            x = x + step
        return None

    def linearise(self, x: Array, before: PointLinearisation | None = None) -> PointLinearisation | None:
        """Linearisation at x; None if it is not finite. before: earlier linearisation; its stiffness and unit are reused."""
        q, lam, p = self.split(x)
        rest, s = self.rest, self.rest.s
        self.parameter.set(p)
        now: StaticImbalance = rest.imbalance(q, lam[: s.m])
        stiffness = rest.stiffness(q, lam) if before is None else before.stiffness
        if not (np.all(np.isfinite(now.force)) and np.all(np.isfinite(now.gap)) and np.all(np.isfinite(stiffness))):
            self.undefined = int(np.argmin(np.isfinite(now.force)))
            return None
        size = max(now.reaction, rest.largest(q))
        force, at = now.force + self.drag * (x[: self.n] - self.origin), np.abs(x[: self.n])
        constraint_forces = np.abs(now.jacobian * (x[self.n : -1] * now.length)[rest.jac_row])
        noise = np.bincount(s.k_row, np.abs(stiffness) * at[s.k_col], minlength=self.n)
        noise += np.bincount(rest.jac_col, constraint_forces, minlength=self.n)
        open_by = np.bincount(rest.jac_row, np.abs(now.jacobian) * at[rest.jac_col], minlength=self.m)
        settled = bool(
            np.all(np.abs(force) <= 4.0 * FLOAT_EPSILON * noise)
            and np.all(np.abs(now.gap) <= 4.0 * FLOAT_EPSILON * (open_by + 1.0))
        )
        unit = max(max_abs(stiffness), size, 1e-300) if before is None else before.unit
        return PointLinearisation(force, now.gap, now.jacobian, now.length, stiffness, unit, size, settled)

    def factor(
        self, x: Array, linearisation: PointLinearisation, place: int, moving: bool = True, tolerance: float = 0.0
    ) -> Callable[[Array], Array] | None:
        """Return a solver for the tangent matrix at x; its last row fixes the unknown at `place`; None if the matrix is
        singular. moving: p changes, so that the derivatives in p are included. tolerance: admissible error."""
        last = self.n + self.m
        rate = np.zeros(last)
        if moving:
            q, lam, _ = self.split(x)
            force, gap = self.parameter.rate(q, lam[: self.m])
            rate = np.concatenate([force / linearisation.unit, gap]) * self.parameter.span
        solved = self._bordered(linearisation, rate, place, tolerance) or self._as_a_whole(linearisation, rate, place)
        if solved is None:
            return None

        def solve(rhs: Array) -> Array:
            y = solved(rhs)
            y[self.n : last] *= linearisation.unit / linearisation.length
            return y

        return solve

    def _as_a_whole(
        self, linearisation: PointLinearisation, rate: Array, place: int
    ) -> Callable[[Array], Array] | None:
        """Solver for the whole matrix, including its last row and column."""
        import scipy.sparse as sparse

        n, last = self.n, self.n + self.m
        filled = np.flatnonzero(rate)
        regularisation = np.full(n, (MIN_REGULARISATION if self.soft else 0.0) + self.drag / linearisation.unit)
        values = [
            linearisation.stiffness / linearisation.unit,
            regularisation,
            linearisation.jacobian,
            linearisation.jacobian,
            rate[filled],
            [1.0],
        ]
        rows = np.concatenate([self.rows, filled, [last]])
        cols = np.concatenate([self.cols, np.full(filled.size, last), [place]])
        matrix = sparse.csc_matrix((np.concatenate(values), (rows, cols)), shape=(last + 1, last + 1))
        try:
            factors = factorise_sparse(matrix, symmetric=False)
        except RuntimeError:  # exactly singular
            return None
        self.rest.factorisations += 1
        return factors.solve

    def _bordered(
        self, linearisation: PointLinearisation, rate: Array, place: int, tolerance: float
    ) -> Callable[[Array], Array] | None:
        """The same for a large matrix by bordering: factors without last row and column, reused from the last call if the
        matrix did not change, or little; None for small matrices and next to a limit point, where this would be inaccurate."""
        rest, n, last = self.rest, self.n, self.n + self.m
        if not rest.matrix.large:
            return None
        symmetric = rest.is_symmetric(linearisation.stiffness)
        if not symmetric and not rest.matrix.keeps:
            return None
        tolerance = tolerance if symmetric else tolerance or SOLUTION_RTOL
        regularisation = (MIN_REGULARISATION if self.soft else 0.0) + self.drag / linearisation.unit
        matrix = linearisation.stiffness / linearisation.unit, linearisation.jacobian, regularisation
        try:
            inner = (
                rest.matrix.approximate_factors(*matrix, tolerance, symmetric)
                if tolerance
                else rest.matrix.factor(*matrix, True)
            ).solve
        except RuntimeError:
            return None
        moved = np.concatenate(inner(rate[:n], rate[n:])) if np.any(rate) else np.zeros(last)
        if not max_abs(moved) < MIN_LIMIT_POINT_SLOPE or (
            place < last and abs(moved[place]) < MIN_CONTROL_CHANGE_RATIO * max_abs(moved)
        ):
            return None

        def solve(rhs: Array) -> Array:
            y = np.concatenate(inner(rhs[:n], rhs[n:last]))
            end = rhs[last] if place == last else (y[place] - rhs[last]) / moved[place]
            return np.append(y - end * moved, end)

        return solve

    def place_of_largest(self, tangent: Array) -> int:
        """Index of the largest entry of a tangent, among the coordinates and p."""
        place = int(np.argmax(np.abs(tangent[: self.n]))) if self.n else 0
        return place if self.n and abs(tangent[place]) > abs(tangent[-1]) else self.n + self.m


def max_abs(values: Array) -> float:
    return float(np.max(np.abs(values), initial=0.0))
