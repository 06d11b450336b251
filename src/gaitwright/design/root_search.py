"""Roots of a function of one variable: all arguments, visible in a scan, at which the function has a target value. The function
may fail at some arguments, jump, turn back, or pass the target several times. No evaluation is repeated.

Between neighbours of the scan on opposite sides of the target, a bracketing method (Alefeld, Potra and Shi, ACM TOMS 748,
1995) finds the root. If all points lie on one side, each local point of closest approach is refined, so that a pair of roots
between two neighbours is found if the scan shows a turning point. A pair of roots that the scan does not show is missed: scan
more points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

MAX_ROUNDS, PROBE_FRACTIONS = 6, (0.5, 0.25, 0.75, 0.375, 0.625)
"""Maximum number of restarts of a root search that met failures, and fractions of the interval that are probed then."""
JUMP_RTOL = 1e-5
"""Residual at a supposed root, relative to the range of the function, above which it is a jump."""
FLAT_RTOL = 1e-12
"""Difference of values, relative to their size, that counts as rounding."""
TURNING_POINT_RTOL = 1e-3
"""Tolerance of a turning point, relative to the interval of the scan."""


class RootJump(NamedTuple):
    """Interval in which the function passes the target without reaching it. failed: True if the function fails in it."""

    low: float
    high: float
    failed: bool


class _FunctionFailed(Exception):
    pass


class _TargetReached(Exception):
    pass


class RootSearch:
    """Search for the roots of function(x) = target. function: returns NaN where it fails. tolerance: of a root, relative to x.
    enough: distances below and above the target within which a value is accepted. known: function value by evaluated x.
    found: roots in ascending order."""

    function: Callable[[float], float]
    target: float
    tolerance: float
    enough: tuple[float, float]

    def __init__(
        self, function: Callable[[float], float], target: float, tolerance: float, enough: tuple[float, float]
    ):
        self.function, self.target, self.tolerance, self.enough = function, target, tolerance, enough
        self.known: dict[float, float] = {}
        self.found: list[float] = []
        self.jumps: list[RootJump] = []

    def value(self, x: float) -> float:
        x = float(x)
        if x not in self.known:
            self.known[x] = float(self.function(x))
        return self.known[x]

    def good(self, low: float = -math.inf, high: float = math.inf) -> list[float]:
        """Evaluated arguments from low to high at which the function did not fail, sorted."""
        return sorted(x for x, y in self.known.items() if low <= x <= high and math.isfinite(y))

    def is_flat(self) -> bool:
        """True if all known values are equal up to rounding."""
        values = [self.known[x] for x in self.good()]
        return max(values) - min(values) <= FLAT_RTOL * max(map(abs, values))

    def search(self, places: Iterable[float]) -> None:
        for x in places:
            self.value(x)
        self._close_in()
        if not self.found and self._turns():
            self._close_in()

    def _close_in(self) -> None:
        good = self.good()
        self.found = [x for x in good if self._is_enough(self._miss(x))]
        for a, b in pairwise(good):
            if not {a, b} & set(self.found) and self._miss(a) * self._miss(b) < 0.0:
                self._between(a, b)
        self.found.sort()

    def _is_enough(self, miss: float) -> bool:
        """True if a value at this distance from the target is accepted."""
        return -self.enough[0] <= miss <= self.enough[1]

    def _miss(self, x: float) -> float:
        y = self.value(x)
        if not math.isfinite(y):
            raise _FunctionFailed
        return y - self.target

    def _between(self, a: float, b: float) -> None:
        """Find the root between neighbours a and b on opposite sides of the target, or record a jump."""
        from scipy.optimize import toms748

        def miss(x: float) -> float:
            away = self._miss(x)
            if self._is_enough(away):
                self.found.append(float(x))
                raise _TargetReached
            return away

        for _ in range(MAX_ROUNDS):
            accuracy: Any = {"xtol": self.tolerance * max(abs(a), abs(b)), "rtol": self.tolerance}
            try:
                root: Any = toms748(miss, a, b, **accuracy)
                self._accept(float(root), *self._sides(a, b))
                return
            except _TargetReached:
                return
            except _FunctionFailed:
                if not self._probe(a, b):
                    break
                a, b = self._sides(a, b)
        self.jumps.append(RootJump(a, b, failed=True))

    def _probe(self, a: float, b: float) -> bool:
        """Evaluate the function at further points between a and b; True if one succeeds."""
        places = (a + part * (b - a) for part in PROBE_FRACTIONS)
        return any(math.isfinite(self.value(x)) for x in places if x not in self.known)

    def _sides(self, a: float, b: float) -> tuple[float, float]:
        """Closest neighbours between a and b that bracket the target."""
        good = self.good(a, b)
        pairs = [(x, y) for x, y in pairwise(good) if self._miss(x) * self._miss(y) <= 0.0]
        return min(pairs, key=lambda pair: pair[1] - pair[0])

    def _accept(self, root: float, low: float, high: float) -> None:
        values = [self.known[x] for x in self.good()]
        if abs(self._miss(root)) <= JUMP_RTOL * max(max(values) - min(values), 0.1 * abs(self.target)):
            self.found.append(root)
        else:
            self.jumps.append(RootJump(low, high, failed=False))

    def _turns(self) -> bool:
        """Refine the local points of closest approach to the target; True if the function reaches or passes the target at one
        of them. Flat parts of the function are not refined."""
        from scipy.optimize import minimize_scalar

        good = self.good()
        side = {math.copysign(1.0, self._miss(x)) for x in good}
        if len(side) != 1 or len(good) < 3:
            return False
        (sign,) = side
        away = {x: sign * self._miss(x) for x in good}

        def beyond(x: float) -> float:
            y = self.value(x)
            if math.isfinite(y) and sign * (y - self.target) <= 0.0:
                raise _TargetReached
            return sign * (y - self.target) if math.isfinite(y) else math.inf

        for a, x, b in zip(good, good[1:], good[2:], strict=False):
            rise = max(away[a], away[b]) - away[x]
            if away[x] <= away[a] and away[x] <= away[b] and rise > FLAT_RTOL * (abs(self.known[x]) + abs(self.target)):
                try:
                    minimize_scalar(
                        beyond, bounds=(a, b), method="bounded", options={"xatol": TURNING_POINT_RTOL * (b - a)}
                    )
                except _TargetReached:
                    return True
        return False
