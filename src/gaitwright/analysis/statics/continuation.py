"""Continuation: the curve of equilibria of a mechanism while one parameter p, such as the time t, changes.
A step predicts along the curve and corrects by Newton's method (newton_corrector.py). Limit and bifurcation points on the way
are detected and located.

Lengths along the curve: coordinates in their scale (root mean square, with a weight) and p in its span.

Sources: M. A. Crisfield, Comput. Struct. 13 (1981) 55-62. E. L. Allgower, K. Georg, Introduction to Numerical Continuation
Methods (SIAM 2003), ch. 8 (limit and bifurcation points by changes of sign).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analysis.statics.newton_corrector import (
    NEWTON_STEP_TOL,
    STAGNATION_STEP_TOL,
    TANGENT_RTOL,
    CorrectorResult,
    NewtonCorrector,
    PathParameter,
    PointLinearisation,
    max_abs,
)
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.softest_motions import find_softest_motions
from gaitwright.mechanism.tables import Array

MAX_GROWTH_ITERATIONS, MIN_SHRINK_ITERATIONS = 5, 8
"""Number of iterations up to which the next step may be longer; number from which on it is shorter."""
MAX_CORRECTION_RATIO = 0.5
"""Largest correction relative to the predicted change; after a larger one, Newton may have converged to another curve."""
MIN_TANGENT_COSINE, SMOOTH_TANGENT_ANGLE_RAD = 0.9, 0.2
"""Smallest cosine of the angle between the tangents at both ends of a step along the arc; angle, rad, above which the next step
is shorter, so that the points form a smooth curve."""
MAX_PREDICTED_CHANGE = 0.5
"""Largest predicted change of a coordinate, in its scale, in a step along the arc."""
MAX_COORDINATE_WEIGHT = 10.0
"""Largest weight of coordinates against p in the length of the arc."""
CHECKED_MOTION_COUNT = 6
"""Number of motions, besides the unstable ones, that are checked for loss of stability."""
BIFURCATION_RTOL = 1e-6
"""Tolerance of the location of a bifurcation point, relative to a step."""
MIN_ARC_STEP_RATIO = 1e-9
"""Shortest step along the arc, relative to the first."""
ARC_FALLBACK_STEP_RATIO = 1.0 / 32.0
"""Part of a step in p below which the arc is followed instead, to look for a limit point ahead."""


class TimeParameter:
    """The time of drives and loads as the path parameter."""

    def __init__(self, rest: RestingMechanism, span: float):
        self.rest, self.span = rest, span

    def set(self, p: float) -> None:
        self.rest.hold(p)

    def rate(self, q: Array, lam: Array) -> tuple[Array, Array]:
        """Central differences along the rates of the signals; exact, because loads and drives are linear in the signals."""
        signals, h = self.rest.w.u, 1e-5 * self.span
        now, ends = signals.copy(), []
        for side in (h, -h):
            signals[0::3] = now[0::3] + side * now[1::3]
            ends.append(self.rest.imbalance(q, lam))
        signals[:] = now
        return (ends[0].force - ends[1].force) / (2.0 * h), (ends[0].gap - ends[1].gap) / (2.0 * h)


class LoadParameter:
    """The acting share of loads and gravity as the path parameter. Forces that are unbalanced without loads in the first pose
    are held by artificial forces that fade as the loads grow, so that any pose can be the first."""

    span = 1.0

    def __init__(self, rest: RestingMechanism, q: Array):
        self.rest = rest
        rest.share = 0.0
        now = rest.forces(q)
        self.first_lam, rest.faded = now.lam, now.free

    def set(self, p: float) -> None:
        self.rest.share = p

    def rate(self, q: Array, lam: Array) -> tuple[Array, Array]:
        return -self.rest.loading(q) - self.rest.faded, np.zeros(self.rest.s.m)


@dataclass
class EquilibriumPoint:
    """An equilibrium on the curve. x: coordinates in their scale, multipliers of the independent rows, p / span.

    way: tangent of the curve, of length 1. unstable: number of free motions with negative stiffness, -1 if unknown.
    history: residual (force or gap) before each Newton iteration and after the last, relative to the largest force
    (size, J) and to the size of the mechanism. length, event: of the step that ended here."""

    x: Array
    way: Array
    unstable: int
    history: list[float] = field(default_factory=list)
    length: float = 0.0
    size: float = 0.0
    event: PathEvent | None = None

    @property
    def iterations(self) -> int:
        return max(len(self.history) - 1, 0)


class PathEvent(NamedTuple):
    """A limit or bifurcation point, and the number of unstable free motions beyond it."""

    kind: str
    point: EquilibriumPoint
    unstable: int


class EquilibriumCurve(NewtonCorrector):
    """Steps along the curve of equilibria of a mechanism at rest."""

    def __init__(self, rest: RestingMechanism, parameter: PathParameter, soft: bool = False):
        super().__init__(rest, parameter, soft)
        self.steps = self.rejected = self.unstable = 0
        self.shortest, self.longest = np.inf, 0.0

    def point(self, at: CorrectorResult, like: Array, length: float = 0.0) -> EquilibriumPoint:
        """The point at an equilibrium, with the tangent closest to a given one."""
        x, linearisation = at.x, at.seen or self.linearise(at.x)
        place = self.place_of_largest(like)
        direction = like
        tolerance = TANGENT_RTOL if self.quick else 0.0
        solve = self.factor(x, linearisation, place, tolerance=tolerance) if linearisation is not None else None
        if solve is None and linearisation is not None and place < self.n + self.m:
            # where a drive reverses, nothing moves for an instant, least of all the coordinate that moved most so far
            solve = self.factor(x, linearisation, self.n + self.m, tolerance=tolerance)
        if solve is not None:
            end = np.zeros(self.n + self.m + 1)
            end[-1] = 1.0
            tangent = solve(end)
            size = self.measure(tangent)
            if np.all(np.isfinite(tangent)) and size > 0.0:
                direction = tangent * (np.sign(self.dot(tangent, like)) or 1.0) / size
        size = linearisation.size if linearisation is not None else 0.0
        # Quick steps do not count them: see PathFollower.by_p.
        if not self.quick:
            self.unstable = self._unstable(x, linearisation)
        return EquilibriumPoint(x, direction, -1 if self.quick else self.unstable, at.history, length, size)

    def count(self, point: EquilibriumPoint) -> int:
        """Number of unstable free motions at a point, -1 if unknown."""
        return self._unstable(point.x, self.linearise(point.x))

    def _unstable(self, x: Array, linearisation: PointLinearisation | None) -> int:
        """Number of free motions with negative stiffness, -1 if unknown."""
        rest = self.rest
        if linearisation is not None and rest.matrix.large and not self.soft:
            # Mostly with the factors of the last solution. A negative pivot there may be only rounding, or no eigenvalue of an
            # unsymmetric matrix: then the softest motions decide.
            with contextlib.suppress(RuntimeError):
                if (
                    rest.matrix.factor(
                        linearisation.stiffness / linearisation.unit, linearisation.jacobian, 0.0, True
                    ).negative
                    == 0
                ):
                    return 0
        q, lam, _ = self.split(x)
        return find_softest_motions(rest, q, lam, CHECKED_MOTION_COUNT + 2 * max(self.unstable, 0)).negative

    # steps -----------------------------------------------------------------------------------------------------------

    def first(self, q: Array, lam: Array, p: float, direction: float, stable: bool = False) -> EquilibriumPoint | None:
        """The point at an equilibrium, with direction to larger p (1) or smaller p (-1); None if it is no equilibrium. stable:
        known to be stable, with factors available."""
        self.quick = stable and self.rest.matrix.keeps
        guess = self.join(q, lam, p)
        result = self.correct(guess)
        like = np.zeros_like(guess)
        like[-1] = direction
        if result is None or self.largest(result.x - guess) > 1e-3:
            return None
        point = self.point(result, like)
        if self.quick:
            point.unstable = 0
        moves = float(np.sqrt(np.mean(point.way[: self.n] ** 2))) if self.n else 0.0
        # A stiff first response gets more weight: otherwise the curve would have a sharp corner where it softens.
        self.weight = float(np.clip(abs(point.way[-1]) / max(moves, 1e-300), 1.0, MAX_COORDINATE_WEIGHT))
        point.way = point.way / self.measure(point.way)
        return point

    def to(self, now: EquilibriumPoint, before: EquilibriumPoint | None, p: float) -> EquilibriumPoint | None:
        """The next point, at a given p; None on failure."""
        target = p / self.parameter.span
        for guess in self._predictions(now, before, target - now.x[-1], by_p=True):
            guess[-1] = target
            result = self.correct(guess)
            if result is None and self.quick:  # errors of quick steps may be the cause
                self.quick = False
                result = self.correct(guess)
                self.quick = True
            if result is None:
                continue
            ahead, change = guess - now.x, result.x - now.x
            if not ahead[: self.n].any():  # plain prediction: use Newton's first step instead
                ahead = result.first
            change[-1] = ahead[-1] = 0.0
            if self.measure(change - ahead) > MAX_CORRECTION_RATIO * self.measure(ahead) + NEWTON_STEP_TOL:
                continue
            new = self.point(result, now.way, abs(p - now.x[-1] * self.parameter.span))
            # On another branch p would change in the other direction.
            if new.way[-1] * now.way[-1] > 0.0 and self._joined(now, new, by_p=True):
                return self._accept(new)
        self.rejected += 1
        return None

    def along(self, now: EquilibriumPoint, before: EquilibriumPoint | None, length: float) -> EquilibriumPoint | None:
        """The next point about `length` further along the arc; None on failure."""
        for guess in self._predictions(now, before, length, by_p=False):
            result = self.correct(guess, now.way)
            if result is None or self.measure(result.x - guess) > MAX_CORRECTION_RATIO * length:
                continue
            new = self.point(result, now.way, length)
            if self.dot(new.way, now.way) > MIN_TANGENT_COSINE and self._joined(now, new, by_p=False):
                return self._accept(new)
        self.rejected += 1
        return None

    def walk(self, now: EquilibriumPoint, length: float, max_length: float = np.inf) -> Iterator[EquilibriumPoint]:
        """Yield points along the arc, the first about `length` away; ends if no step succeeds. Steps get longer if Newton needs
        few iterations and shorter if it needs many. max_length: limit of a step, in unweighted length."""
        first, before = length, None
        while length > MIN_ARC_STEP_RATIO * first:
            new = self.along(now, before, length)
            if new is None:
                length /= 2.0
                continue
            yield new
            before, now, count = now, new, new.iterations
            length *= (
                2.0
                if count <= 3
                else 1.4
                if count <= MAX_GROWTH_ITERATIONS
                else 0.5
                if count >= MIN_SHRINK_ITERATIONS
                else 1.0
            )
            turned = np.arccos(min(self.dot(now.way, before.way), 1.0))
            length *= min(1.0, SMOOTH_TANGENT_ANGLE_RAD / max(turned, 1e-300))
            length = self.capped(min(length, max_length / self.plain(now.way)), now)

    def capped(self, length: float, now: EquilibriumPoint) -> float:
        """Reduce a length along the arc so that no coordinate exceeds its largest predicted change."""
        return min(length, MAX_PREDICTED_CHANGE / max(max_abs(now.way[: self.n]), 1e-300))

    def pinned(self, point: EquilibriumPoint, p: float) -> EquilibriumPoint:
        """Move the point to a p from which it differs by rounding; return it unchanged on failure (next to a limit point)."""
        guess = point.x.copy()
        guess[-1] = p / self.parameter.span
        result = self.correct(guess)
        if result is None or self.largest(result.x - point.x) > STAGNATION_STEP_TOL:
            return point
        return replace(point, x=result.x)

    def between(
        self, a: EquilibriumPoint, b: EquilibriumPoint, part: float, by_p: bool = False
    ) -> EquilibriumPoint | None:
        """A point between two neighbours, at the fraction `part` of the way from a to b; None on failure."""
        guess, direction = self.interpolated(a, b, part)
        result = self.correct(guess, None if by_p else direction)
        return None if result is None else self.point(result, direction, part * b.length)

    def interpolated(self, a: EquilibriumPoint, b: EquilibriumPoint, part: float) -> tuple[Array, Array]:
        """Cubic Hermite interpolation between two neighbours: x and its derivative with respect to `part`."""
        chord = b.x - a.x
        length = self.measure(chord)
        u, v, r = length * a.way, length * b.way, part
        x = a.x + r * u + r * r * (3.0 * chord - 2.0 * u - v) + r**3 * (u + v - 2.0 * chord)
        return x, u + 2.0 * r * (3.0 * chord - 2.0 * u - v) + 3.0 * r * r * (u + v - 2.0 * chord)

    def _predictions(
        self, now: EquilibriumPoint, before: EquilibriumPoint | None, by: float, by_p: bool
    ) -> list[Array]:
        """Predictions of the next point: by the cubic through the last two points, then linear."""
        plain = now.x.copy() if by_p else now.x + by * now.way
        if before is None or (by_p and now.way[-1] * before.way[-1] == 0.0):
            return [plain]
        if by_p:
            tangent = now.way / now.way[-1]
            old_tangent = before.way / before.way[-1]
            past_length = float(now.x[-1] - before.x[-1])
        else:
            tangent, old_tangent, past_length = now.way, before.way, self.measure(now.x - before.x)
        if past_length == 0.0 or abs(by) > 4.0 * abs(past_length):
            return [plain]
        r, chord = by / past_length, now.x - before.x
        bent = past_length * (2.0 * tangent + old_tangent) - 3.0 * chord
        twist = past_length * (tangent + old_tangent) - 2.0 * chord
        return [now.x + by * tangent + r * r * bent + r**3 * twist, plain]

    def _accept(self, new: EquilibriumPoint) -> EquilibriumPoint:
        self.steps, self.undefined = self.steps + 1, -1
        self.shortest, self.longest = min(self.shortest, float(new.length)), max(self.longest, float(new.length))
        return new

    # limit and bifurcation points --------------------------------------------------------------------------------------

    def _joined(self, a: EquilibriumPoint, b: EquilibriumPoint, by_p: bool) -> bool:
        """True if a step has stayed on its curve; stores the limit or bifurcation point on it. Near a bifurcation that an
        imperfection prevents, two curves come so close together that a step can jump from one to the other."""
        if a.way[-1] * b.way[-1] < 0.0:
            b.event = PathEvent("limit", self.locate(a, b, lambda point: float(point.way[-1])), b.unstable)
        elif min(abs(a.way[-1]), abs(b.way[-1])) < 1e-3:
            return True  # next to a limit point, where the number of unstable motions is a matter of rounding
        elif a.unstable != b.unstable and -1 not in (a.unstable, b.unstable):
            low, high, below, above = 0.0, 1.0, a, b
            while high - low > BIFURCATION_RTOL:
                middle = self.between(a, b, 0.5 * (low + high), by_p)
                if middle is None:
                    return False
                if middle.unstable == a.unstable:
                    low, below = 0.5 * (low + high), middle
                else:
                    high, above = 0.5 * (low + high), middle
            if self.measure(above.x - below.x) > 100.0 * BIFURCATION_RTOL * self.measure(b.x - a.x):
                return False
            b.event = PathEvent("bifurcation", above, b.unstable)
        return True

    def locate(
        self,
        a: EquilibriumPoint,
        b: EquilibriumPoint,
        quantity: Callable[[EquilibriumPoint], float],
        by_p: bool = False,
    ) -> EquilibriumPoint:
        """The point between neighbours at which a quantity, of different sign at them, vanishes."""
        from scipy.optimize import brentq

        ends: dict[float, EquilibriumPoint] = {0.0: a, 1.0: b}

        def value(part: float) -> float:
            if part not in ends:
                candidate = self.between(a, b, part, by_p)
                if candidate is None:
                    raise RuntimeError
                ends[part] = candidate
            return quantity(ends[part])

        try:
            root: Any = brentq(value, 0.0, 1.0, xtol=1e-13, maxiter=60)
            value(root)
        except RuntimeError:  # of value, or of brentq without success: take the nearest that is known
            pass
        return min(ends.values(), key=lambda point: abs(quantity(point)))


def choose_parameter_span(change: float) -> float:
    """About the size of a change of p: a power of two, by which numbers are divided and multiplied without rounding."""
    return float(2.0 ** np.round(np.log2(abs(change))))
