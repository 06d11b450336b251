"""Continuation: the curve of equilibria that a mechanism passes while one parameter p, such as the time t, changes.

A step predicts by the curve so far and corrects by Newton's method (correction.py). Limit and bifurcation points on the way
are noticed and located.

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

from gaitwright.analyse.statics.correction import (
    CORRECTED,
    ROUNDING,
    TANGENT,
    Corrected,
    Corrector,
    Parameter,
    Seen,
    greatest,
)
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.softest import softest
from gaitwright.system.tables import Array

QUICK, SLOW = 5, 8
"""Iterations up to which the next step may be longer, and from which on it is shorter."""
LEAP = 0.5
"""Largest correction of a predicted change, relative to it: beyond, Newton may have gone to another curve."""
TURN, SMOOTH = 0.9, 0.2
"""Smallest cosine of the angle between the tangents at both ends of a step along the arc; and the angle, rad, beyond which
the next step is shorter, so that the points make a smooth curve."""
REACH = 0.5
"""Largest predicted change of a coordinate, in its scale, in a step along the arc."""
HEAVIEST = 10.0
"""Largest weight of coordinates against p in the length of the arc."""
SOFTEST = 6
"""Number of motions that are looked at, besides the unstable ones, to see whether one becomes unstable."""
NARROW = 1e-6
"""Part of a step up to which a bifurcation point is located."""
SHORTEST = 1e-9
"""Shortest step along the arc, relative to the first."""
RESCUE = 1.0 / 32.0
"""Part of a step in p at which the arc is followed instead, to see whether there is a limit point ahead."""


class Time:
    """The time that drives and loads are held at."""

    def __init__(self, rest: AtRest, span: float):
        self.rest, self.span = rest, span

    def set(self, p: float) -> None:
        self.rest.hold(p)

    def rate(self, q: Array, lam: Array) -> tuple[Array, Array]:
        """Central differences along the rates of the signals, which are exact: loads and drives are linear in them."""
        signals, h = self.rest.w.u, 1e-5 * self.span
        now, ends = signals.copy(), []
        for side in (h, -h):
            signals[0::3] = now[0::3] + side * now[1::3]
            ends.append(self.rest.imbalance(q, lam))
        signals[:] = now
        return (ends[0].force - ends[1].force) / (2.0 * h), (ends[0].gap - ends[1].gap) / (2.0 * h)


class Share:
    """The share of loads and gravity that acts. What is unbalanced without them in the first pose is held by forces that
    fade away as the loads grow, so that every pose can be the first."""

    span = 1.0

    def __init__(self, rest: AtRest, q: Array):
        self.rest = rest
        rest.share = 0.0
        now = rest.forces(q)
        self.first_lam, rest.faded = now.lam, now.free

    def set(self, p: float) -> None:
        self.rest.share = p

    def rate(self, q: Array, lam: Array) -> tuple[Array, Array]:
        return -self.rest.loading(q) - self.rest.faded, np.zeros(self.rest.s.m)


@dataclass
class Point:
    """An equilibrium on the curve. x: coordinates in their scale, multipliers of the independent rows, p / span.

    way: tangent of the curve, of length 1. unstable: number of free motions with negative stiffness, -1 if unknown.
    history: what was unbalanced or open before each Newton iteration and after the last, relative to the largest force
    (size, J) and to the size of the mechanism. length, event: of the step that led here."""

    x: Array
    way: Array
    unstable: int
    history: list[float] = field(default_factory=list)
    length: float = 0.0
    size: float = 0.0
    event: Event | None = None

    @property
    def iterations(self) -> int:
        return max(len(self.history) - 1, 0)


class Event(NamedTuple):
    """A limit or bifurcation point, and how many free motions are unstable beyond it."""

    kind: str
    point: Point
    unstable: int


class Curve(Corrector):
    """Steps along the curve of equilibria of a mechanism at rest."""

    def __init__(self, rest: AtRest, parameter: Parameter, soft: bool = False):
        super().__init__(rest, parameter, soft)
        self.steps = self.rejected = self.unstable = 0
        self.shortest, self.longest = np.inf, 0.0

    def point(self, at: Corrected, like: Array, length: float = 0.0) -> Point:
        """The point at an equilibrium, with the tangent that is most like a given one."""
        x, found = at.x, at.seen or self.look(at.x)
        place = self.place_of_largest(like)
        way = like
        near = TANGENT if self.quick else 0.0
        solve = self.factor(x, found, place, near=near) if found is not None else None
        if solve is None and found is not None and place < self.n + self.m:
            # where a drive turns back nothing moves for an instant, the coordinate that moved most so far least of all
            solve = self.factor(x, found, self.n + self.m, near=near)
        if solve is not None:
            end = np.zeros(self.n + self.m + 1)
            end[-1] = 1.0
            tangent = solve(end)
            size = self.measure(tangent)
            if np.all(np.isfinite(tangent)) and size > 0.0:
                way = tangent * (np.sign(self.dot(tangent, like)) or 1.0) / size
        size = found.size if found is not None else 0.0
        # Quick steps leave it open: see Walk.by_p.
        if not self.quick:
            self.unstable = self._unstable(x, found)
        return Point(x, way, -1 if self.quick else self.unstable, at.history, length, size)

    def count(self, point: Point) -> int:
        """How many free motions are unstable at a point, -1 if that was not found out."""
        return self._unstable(point.x, self.look(point.x))

    def _unstable(self, x: Array, found: Seen | None) -> int:
        """How many free motions have a negative stiffness, -1 if that was not found out."""
        rest = self.rest
        if found is not None and rest.matrix.large and not self.soft:
            # Mostly with the factors of the last solution. Where they tell of a negative one, it may be nothing but rounding,
            # or no eigenvalue of a matrix that is not symmetric.
            with contextlib.suppress(RuntimeError):
                if rest.matrix.factor(found.stiffness / found.unit, found.jacobian, 0.0, True).negative == 0:
                    return 0
        q, lam, _ = self.split(x)
        return softest(rest, q, lam, SOFTEST + 2 * max(self.unstable, 0)).negative

    # steps -----------------------------------------------------------------------------------------------------------

    def first(self, q: Array, lam: Array, p: float, direction: float, stable: bool = False) -> Point | None:
        """The point at an equilibrium, looking to larger p (direction 1) or smaller (-1); None if it is none. stable: that is
        known, and with it factors."""
        self.quick = stable and self.rest.matrix.keeps
        guess = self.join(q, lam, p)
        found = self.correct(guess)
        like = np.zeros_like(guess)
        like[-1] = direction
        if found is None or self.largest(found.x - guess) > 1e-3:
            return None
        point = self.point(found, like)
        if self.quick:
            point.unstable = 0
        moves = float(np.sqrt(np.mean(point.way[: self.n] ** 2))) if self.n else 0.0
        # What responds stiffly at first counts more: otherwise the curve would have a sharp corner where it gives way.
        self.weight = float(np.clip(abs(point.way[-1]) / max(moves, 1e-300), 1.0, HEAVIEST))
        point.way = point.way / self.measure(point.way)
        return point

    def to(self, now: Point, before: Point | None, p: float) -> Point | None:
        """The next point at a given p."""
        target = p / self.parameter.span
        for guess in self._predictions(now, before, target - now.x[-1], by_p=True):
            guess[-1] = target
            found = self.correct(guess)
            if found is None and self.quick:  # it may be the errors of quick steps
                self.quick = False
                found = self.correct(guess)
                self.quick = True
            if found is None:
                continue
            ahead, change = guess - now.x, found.x - now.x
            if not ahead[: self.n].any():  # plain: Newton's first step is the prediction
                ahead = found.first
            change[-1] = ahead[-1] = 0.0
            if self.measure(change - ahead) > LEAP * self.measure(ahead) + CORRECTED:
                continue
            new = self.point(found, now.way, abs(p - now.x[-1] * self.parameter.span))
            # On another branch p would run the other way.
            if new.way[-1] * now.way[-1] > 0.0 and self._joined(now, new, by_p=True):
                return self._accept(new)
        self.rejected += 1
        return None

    def along(self, now: Point, before: Point | None, length: float) -> Point | None:
        """The next point about `length` further along the arc."""
        for guess in self._predictions(now, before, length, by_p=False):
            found = self.correct(guess, now.way)
            if found is None or self.measure(found.x - guess) > LEAP * length:
                continue
            new = self.point(found, now.way, length)
            if self.dot(new.way, now.way) > TURN and self._joined(now, new, by_p=False):
                return self._accept(new)
        self.rejected += 1
        return None

    def walk(self, now: Point, length: float, most: float = np.inf) -> Iterator[Point]:
        """Points along the arc from a point on, the first about `length` away; ends where no step succeeds. Steps are
        longer where Newton needs few iterations and shorter where it needs many. most: of a step, by plain coordinates."""
        first, before = length, None
        while length > SHORTEST * first:
            new = self.along(now, before, length)
            if new is None:
                length /= 2.0
                continue
            yield new
            before, now, count = now, new, new.iterations
            length *= 2.0 if count <= 3 else 1.4 if count <= QUICK else 0.5 if count >= SLOW else 1.0
            turned = np.arccos(min(self.dot(now.way, before.way), 1.0))
            length *= min(1.0, SMOOTH / max(turned, 1e-300))
            length = self.capped(min(length, most / self.plain(now.way)), now)

    def capped(self, length: float, now: Point) -> float:
        """A length along the arc at which no coordinate moves further than it may."""
        return min(length, REACH / max(greatest(now.way[: self.n]), 1e-300))

    def pinned(self, point: Point, p: float) -> Point:
        """The point moved to a p from which it differs by rounding; as it is where that fails (next to a limit point)."""
        guess = point.x.copy()
        guess[-1] = p / self.parameter.span
        found = self.correct(guess)
        if found is None or self.largest(found.x - point.x) > ROUNDING:
            return point
        return replace(point, x=found.x)

    def between(self, a: Point, b: Point, part: float, by_p: bool = False) -> Point | None:
        """A point between two neighbours, part of the way from a to b."""
        guess, way = self.interpolated(a, b, part)
        found = self.correct(guess, None if by_p else way)
        return None if found is None else self.point(found, way, part * b.length)

    def interpolated(self, a: Point, b: Point, part: float) -> tuple[Array, Array]:
        """Cubic Hermite curve between two neighbours: x and its derivative in `part`."""
        chord = b.x - a.x
        length = self.measure(chord)
        u, v, r = length * a.way, length * b.way, part
        x = a.x + r * u + r * r * (3.0 * chord - 2.0 * u - v) + r**3 * (u + v - 2.0 * chord)
        return x, u + 2.0 * r * (3.0 * chord - 2.0 * u - v) + 3.0 * r * r * (u + v - 2.0 * chord)

    def _predictions(self, now: Point, before: Point | None, by: float, by_p: bool) -> list[Array]:
        """Where the curve may go: by the cubic through the last two points, then plainly."""
        plain = now.x.copy() if by_p else now.x + by * now.way
        if before is None or (by_p and now.way[-1] * before.way[-1] == 0.0):
            return [plain]
        if by_p:
            way, old, past = now.way / now.way[-1], before.way / before.way[-1], float(now.x[-1] - before.x[-1])
        else:
            way, old, past = now.way, before.way, self.measure(now.x - before.x)
        if past == 0.0 or abs(by) > 4.0 * abs(past):
            return [plain]
        r, chord = by / past, now.x - before.x
        bent, twist = past * (2.0 * way + old) - 3.0 * chord, past * (way + old) - 2.0 * chord
        return [now.x + by * way + r * r * bent + r**3 * twist, plain]

    def _accept(self, new: Point) -> Point:
        self.steps, self.undefined = self.steps + 1, -1
        self.shortest, self.longest = min(self.shortest, float(new.length)), max(self.longest, float(new.length))
        return new

    # limit and bifurcation points --------------------------------------------------------------------------------------

    def _joined(self, a: Point, b: Point, by_p: bool) -> bool:
        """Whether a step has kept to its curve; notes the limit or bifurcation point on it. Near a bifurcation that an
        imperfection prevents, two curves come so close together that a step can jump from one to the other."""
        if a.way[-1] * b.way[-1] < 0.0:
            b.event = Event("limit", self.locate(a, b, lambda point: float(point.way[-1])), b.unstable)
        elif min(abs(a.way[-1]), abs(b.way[-1])) < 1e-3:
            return True  # next to a limit point, where the number of unstable motions is a matter of rounding
        elif a.unstable != b.unstable and -1 not in (a.unstable, b.unstable):
            low, high, below, above = 0.0, 1.0, a, b
            while high - low > NARROW:
                middle = self.between(a, b, 0.5 * (low + high), by_p)
                if middle is None:
                    return False
                if middle.unstable == a.unstable:
                    low, below = 0.5 * (low + high), middle
                else:
                    high, above = 0.5 * (low + high), middle
            if self.measure(above.x - below.x) > 100.0 * NARROW * self.measure(b.x - a.x):
                return False
            b.event = Event("bifurcation", above, b.unstable)
        return True

    def locate(self, a: Point, b: Point, quantity: Callable[[Point], float], by_p: bool = False) -> Point:
        """The point between neighbours at which a quantity, of different sign at them, vanishes."""
        from scipy.optimize import brentq

        ends: dict[float, Point] = {0.0: a, 1.0: b}

        def value(part: float) -> float:
            if part not in ends:
                found = self.between(a, b, part, by_p)
                if found is None:
                    raise RuntimeError
                ends[part] = found
            return quantity(ends[part])

        try:
            root: Any = brentq(value, 0.0, 1.0, xtol=1e-13, maxiter=60)
            value(root)
        except RuntimeError:  # of value, or of brentq without success: take the nearest that is known
            pass
        return min(ends.values(), key=lambda point: abs(quantity(point)))


def span_of(change: float) -> float:
    """About the size of a change of p: a power of two, by which numbers are divided and multiplied without rounding."""
    return float(2.0 ** np.round(np.log2(abs(change))))
