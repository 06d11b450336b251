"""Where a function of one number takes a value: all roots that a scan shows, of a function that may fail at some places,
jump, turn back, or pass the value several times. No evaluation is repeated.

Between neighbours of the scan on both sides of the value, a bracketing method (Alefeld, Potra and Shi, ACM TOMS 748,
1995) closes in. Where all lie on one side, each place that comes closest is searched for a place that comes closer, so
that a pair of roots between two neighbours of the scan is found if it shows as a turn. A pair that does not show in the
scan is missed: scan more places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

ROUNDS, PROBES = 6, (0.5, 0.25, 0.75, 0.375, 0.625)
"""How often a search that met a failure starts again, and where it looks for another way in (parts of the interval)."""
NO_ROOT = 1e-5
"""Miss at a supposed root, relative to the range of the function, from which on it is a jump."""
FLATNESS = 1e-12
"""Difference of values, relative to their size, that is due to rounding."""
TURN = 1e-3
"""Accuracy of a turning point, relative to the interval of the scan."""


class Jump(NamedTuple):
    """Two neighbours between which the function passes the value without taking it; a failure between them if `failed`."""

    low: float
    high: float
    failed: bool


class _Failed(Exception):
    pass


class _Reached(Exception):
    pass


class Roots:
    """The search. function: NaN where it fails. tolerance: of a root, relative to its place. enough: how far below and
    above the target a value may lie. known: all places looked at, with the function's value there."""

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
        self.jumps: list[Jump] = []

    def value(self, x: float) -> float:
        x = float(x)
        if x not in self.known:
            self.known[x] = float(self.function(x))
        return self.known[x]

    def good(self, low: float = -math.inf, high: float = math.inf) -> list[float]:
        """Places looked at, from low to high, at which the function is known."""
        return sorted(x for x, y in self.known.items() if low <= x <= high and math.isfinite(y))

    def is_flat(self) -> bool:
        """Whether all known values are the same, except for rounding."""
        values = [self.known[x] for x in self.good()]
        return max(values) - min(values) <= FLATNESS * max(map(abs, values))

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
        """Whether a value at this distance from the target counts as the target."""
        return -self.enough[0] <= miss <= self.enough[1]

    def _miss(self, x: float) -> float:
        y = self.value(x)
        if not math.isfinite(y):
            raise _Failed
        return y - self.target

    def _between(self, a: float, b: float) -> None:
        """A root between neighbours on both sides of the value, or a jump."""
        from scipy.optimize import toms748

        def miss(x: float) -> float:
            away = self._miss(x)
            if self._is_enough(away):
                self.found.append(float(x))
                raise _Reached
            return away

        for _ in range(ROUNDS):
            accuracy: Any = {"xtol": self.tolerance * max(abs(a), abs(b)), "rtol": self.tolerance}
            try:
                root: Any = toms748(miss, a, b, **accuracy)
                self._accept(float(root), *self._sides(a, b))
                return
            except _Reached:
                return
            except _Failed:
                if not self._probe(a, b):
                    break
                a, b = self._sides(a, b)
        self.jumps.append(Jump(a, b, failed=True))

    def _probe(self, a: float, b: float) -> bool:
        """Look for another place between a and b at which the function is known."""
        places = (a + part * (b - a) for part in PROBES)
        return any(math.isfinite(self.value(x)) for x in places if x not in self.known)

    def _sides(self, a: float, b: float) -> tuple[float, float]:
        """The closest neighbours between a and b that lie on both sides of the value, or on it."""
        good = self.good(a, b)
        pairs = [(x, y) for x, y in pairwise(good) if self._miss(x) * self._miss(y) <= 0.0]
        return min(pairs, key=lambda pair: pair[1] - pair[0])

    def _accept(self, root: float, low: float, high: float) -> None:
        values = [self.known[x] for x in self.good()]
        if abs(self._miss(root)) <= NO_ROOT * max(max(values) - min(values), 0.1 * abs(self.target)):
            self.found.append(root)
        else:
            self.jumps.append(Jump(low, high, failed=False))

    def _turns(self) -> bool:
        """Refine the places that come closest to the value without passing it; whether one of them does after all. Where the
        function is flat, there is nothing to refine."""
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
                raise _Reached
            return sign * (y - self.target) if math.isfinite(y) else math.inf

        for a, x, b in zip(good, good[1:], good[2:], strict=False):
            rise = max(away[a], away[b]) - away[x]
            if away[x] <= away[a] and away[x] <= away[b] and rise > FLATNESS * (abs(self.known[x]) + abs(self.target)):
                try:
                    minimize_scalar(beyond, bounds=(a, b), method="bounded", options={"xatol": TURN * (b - a)})
                except _Reached:
                    return True
        return False
