"""Path following on a curve of equilibria from point to point: in steps of its parameter p, or along its arc."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from gaitwright._core.errors import DidNotConverge
from gaitwright.analysis.statics.continuation import (
    ARC_FALLBACK_STEP_RATIO,
    MAX_GROWTH_ITERATIONS,
    STAGNATION_STEP_TOL,
    EquilibriumCurve,
    EquilibriumPoint,
    PathEvent,
    TimeParameter,
)
from gaitwright.mechanism.tables import Array

LOOKAHEAD_LENGTHS = 1e-3, 1e-2, 0.1
"""Lengths along the arc, or changes of p by its span, at which the reason for the end of a path is searched."""
LIMIT_POINT_SLOPE_RATIO = 1e-3
"""Slope of p along the arc, relative to that at the point before, below which a path ends at a limit point."""
MAX_ARC_STEPS = 500
"""Default maximum number of arc steps of a path that reaches neither its end nor a stop."""


@dataclass
class EquilibriumPath:
    """Data of a path: all its points, indices of the points that a result shows, and its limit and bifurcation points."""

    curve: EquilibriumCurve
    points: list[EquilibriumPoint]
    shown: list[int] = field(default_factory=lambda: [0])
    events: list[PathEvent] = field(default_factory=list)

    def p_of(self, point: EquilibriumPoint) -> float:
        return self.curve.split(point.x)[2]


class PathFollower:
    """Follows a path. stops: functions of a point; the path ends at their roots."""

    def __init__(
        self,
        path: EquilibriumPath,
        stops: list[Callable[[EquilibriumPoint], float]] | None = None,
        progress: Callable[[float], None] | None = None,
    ):
        self.path, self.curve, self.stops = path, path.curve, stops or []
        self.progress = progress or (lambda part: None)
        self.done = self.cut = False
        self.remarks: list[str] = []

    @property
    def now(self) -> EquilibriumPoint:
        return self.path.points[-1]

    def take(self, new: EquilibriumPoint, by_p: bool) -> None:
        """Append a new point, or the point of a stop before it; limit points on the way become points of the path."""
        """The new point, or the point of a stop before it."""
        event, points = new.event, self.path.points
        limit = event.point if event is not None and event.kind == "limit" else None
        for point in (new,) if limit is None else (limit, new):
            last = self.now
            points.append(self._stopped(last, point, by_p))
            if event is not None and point is (limit or new) and self._before(event.point, last, self.now):
                self.path.events.append(event)
            if self.done:
                return

    def _stopped(self, last: EquilibriumPoint, new: EquilibriumPoint, by_p: bool) -> EquilibriumPoint:
        """The new point, or where a stop is reached before it."""
        for stop in self.stops:
            if stop(last) * stop(new) < 0.0 or stop(new) == 0.0:
                new, self.done = self.curve.locate(last, new, stop, by_p), True
        return new

    def _before(self, point: EquilibriumPoint, a: EquilibriumPoint, b: EquilibriumPoint) -> bool:
        """True if a point of the curve after a is not beyond b."""
        return self.curve.dot(point.x - a.x, b.x - a.x) <= self.curve.dot(b.x - a.x, b.x - a.x)

    def by_p(self, values: Array, counted: bool = True) -> None:
        """Take steps in p: the equilibria at all the values, with shorter steps between them if needed.

        In large systems quick steps do not count unstable motions. They are counted once at the end: if the number equals that
        of the last point where it was known, it is assumed for the points between; otherwise the path from there is repeated,
        with a count at each point. counted: True if these numbers are needed."""
        self.curve.quick = self.curve.rest.matrix.keeps
        try:
            self._by_p(values)
        except (LimitPointReached, DidNotConverge):
            if not counted or self._is_counted():
                raise
        else:
            if not counted or self._is_counted():
                return
        self._drop_uncounted_points()
        self._by_p(values)

    def _is_counted(self) -> bool:
        """True if the number of unstable motions is known at all points."""
        points, last_known = self.path.points, self._last_known_point()
        if last_known < len(points) - 1:
            count = self.curve.count(points[-1])
            if count != points[last_known].unstable:
                return False
            for point in points[last_known + 1 :]:
                point.unstable = count
        return True

    def _last_known_point(self) -> int:
        """Index of the last point at which the number of unstable motions is known."""
        return max((k for k, point in enumerate(self.path.points) if point.unstable >= 0), default=0)

    def _drop_uncounted_points(self) -> None:
        path, last_known = self.path, self._last_known_point()
        self.curve.quick = self.done = False
        path.points, path.shown = path.points[: last_known + 1], [k for k in path.shown if k <= last_known]
        path.events = [event for event in path.events if any(event is point.event for point in path.points)]

    def _by_p(self, values: Array) -> None:
        curve, step, before = self.curve, np.inf, None
        for begin, end in itertools.pairwise(values[len(self.path.shown) - 1 :]):
            p, total = self.path.p_of(self.now), float(end - begin)
            # Next to a limit point p cannot be met to the last bit, and the small rest does not allow conclusions.
            while abs(p - end) > STAGNATION_STEP_TOL * abs(total) and not self.done:
                step = min(step, abs(total))
                target = float(end) if abs(end - p) <= 1.000001 * step else p + np.copysign(step, total)
                new = curve.to(self.now, before, target)
                if new is not None:
                    before = self.now
                    self.take(new, True)
                    step = 2.0 * step if new.iterations <= MAX_GROWTH_ITERATIONS else step
                elif step > ARC_FALLBACK_STEP_RATIO * abs(total):
                    step /= 2.0
                else:
                    self.to_by_arc(float(end))
                    before = None
                p = self.path.p_of(self.now)
                self.progress((p - values[0]) / (values[-1] - values[0]))
            self.path.shown.append(len(self.path.points) - 1)
            if self.done:
                return

    def to_by_arc(self, end: float) -> None:
        """Continue along the arc after failed steps in p, until p is reached or a limit point explains the failure."""
        curve, begin = self.curve, self.now
        curve.quick = False
        target = end / curve.parameter.span
        length = (
            curve.capped(abs(target - begin.x[-1]) / max(abs(begin.way[-1]), 1e-3), begin) * ARC_FALLBACK_STEP_RATIO
        )
        for new in itertools.islice(curve.walk(begin, length), 50):
            limit = new.event if new.event is not None and new.event.kind == "limit" else None
            if limit is None and (new.x[-1] - begin.x[-1]) * (target - begin.x[-1]) < 0.0:
                limit = PathEvent("limit", begin, new.unstable)  # the last step ended at the limit point, by chance
            end_of_it = new if limit is None else limit.point
            passed = (end_of_it.x[-1] - target) * (begin.x[-1] - target) <= 0.0
            if passed:
                located = curve.locate(self.now, end_of_it, lambda point: float(point.x[-1] - target))
                new = curve.pinned(located, end)
            elif limit is not None:
                self.path.events.append(limit)
                # The last step may have ended at the limit point except for rounding: keep one point, not two.
                apart = self.curve.measure(limit.point.x - self.now.x)
                self.path.points += [limit.point] if apart > STAGNATION_STEP_TOL else []
                raise LimitPointReached
            self.take(new, False)
            if passed or self.done:
                return
        before = self.path.points[-2:][0]
        if before is not self.now and abs(self.now.way[-1]) < LIMIT_POINT_SLOPE_RATIO * abs(before.way[-1]):
            # The last step ended at the limit point, and no step leads on: if several motions lose their stiffness at once
            # (all slices of a bar), there are many branches, and rounding selects one.
            self.path.events.append(PathEvent("limit", self.now, self.now.unstable))
            raise LimitPointReached
        raise self.lost()

    def by_arc(self, until: float, steps: int, most: int = MAX_ARC_STEPS) -> None:
        """Take steps along the arc: `steps` of them if only p changes, more if coordinates move and p reverses, but no more
        than `most`."""
        curve, first = self.curve, self.now
        end, span = until / curve.parameter.span, abs(until / curve.parameter.span - first.x[-1])
        self.stops = [*self.stops, lambda point: float(point.x[-1]) - end]
        length = curve.capped(span / steps / curve.plain(first.way), first)
        for count, new in enumerate(curve.walk(first, length, span / steps), 1):
            self.take(new, False)
            self.path.shown = list(range(len(self.path.points)))
            self.progress(abs(float(self.now.x[-1] - first.x[-1])) / span)
            if self.done:
                if abs(self.now.x[-1] - end) < STAGNATION_STEP_TOL:
                    self.path.points[-1] = curve.pinned(self.now, until)
                return
            if count >= most:
                self.cut = True
                self.remarks.append(
                    f"the path was cut after {count} steps at t = {self.path.p_of(self.now):.6g} s, before its end at "
                    f"{until:.6g} s was reached; max_steps allows more"
                )
                return
        raise self.lost()

    def lost(self) -> DidNotConverge:
        place = int(np.argmax(np.abs(self.now.way[: self.curve.n]))) if self.curve.n else 0
        time = self.path.p_of(self.now) if isinstance(self.curve.parameter, TimeParameter) else self.curve.rest.t
        for length in LOOKAHEAD_LENGTHS:
            self.curve.linearise(self.now.x + length * self.now.way)
        if self.curve.undefined < 0:
            # If cells have hardly any volume left, forces grow without bound, and the tangent is only rounding error.
            for length in LOOKAHEAD_LENGTHS:
                self.curve.correct(
                    self.now.x + np.r_[np.zeros(self.now.x.size - 1), np.copysign(length, self.now.way[-1])]
                )
        if self.curve.undefined >= 0:
            return DidNotConverge(
                f"beyond this pose a force on {self.curve.rest.body_of(self.curve.undefined)} is not a finite number: an "
                "element of a solid is turned inside out (J <= 0), or the ends of a spring coincide", time=time,
                suggestion="move or load it less, or take smaller cells of better shape where it is strained most",
            )  # fmt: skip
        return DidNotConverge(
            f"no equilibrium was found near the last one, in which {self.curve.rest.body_of(place)} moves most",
            time=time,
            suggestion="look for a load, stop or contact that changes suddenly here, or a motion that nothing holds",
        )


class LimitPointReached(Exception):
    """Raised if the path ends at a limit point, its last point."""
