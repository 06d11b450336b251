"""Derivatives of numbers of legs (many_turns.py) in the samples of outputs, for gradients of designs.

At an extreme only the value there counts. A crossing of the ground moves: y(u) = level, so du = (dlevel - dy)/y'."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.many.equations import POWER
from gaitwright.design.many.measures import Slopes, Turn
from gaitwright.legs.cubics import Cubics, monotone, raise_at, smooth, spline_slopes, turning, with_slopes, zero
from gaitwright.legs.many_turns import Stance, ground_level, stance_of

Array = Any
TOUCH = 1e-12
"""How far from the ground, m, a foot counts as at it: rounding."""


class Spot(NamedTuple):
    """A place on the curve of each design, or of entries of a list: interval, design, u."""

    s: Array
    i: Array
    u: Array


class Weights:
    """What cubics of a series count: weights of its samples and of the slopes per interval there, (samples + 1, designs)."""

    def __init__(self, xp: Any, like: Array):
        self.xp, self.y, self.d = xp, xp.zeros_like(like), xp.zeros_like(like)

    def add(self, spot: Spot, weight: Array) -> None:
        """Weights of the values at some places."""
        s, i, u = spot
        square, cube = u * u, u * u * u
        for target, place, share in (
            (self.y, s, 1.0 - 3.0 * square + 2.0 * cube), (self.d, s, u - 2.0 * square + cube),
            (self.y, s + 1, 3.0 * square - 2.0 * cube), (self.d, s + 1, cube - square),
        ):  # fmt: skip
            self.xp.add.at(target, (place, i), weight * share)

    def of_spline(self) -> Array:
        """Of samples alone, whose spline the slopes are."""
        return self.y + self.xp.asarray(spline_slopes(self.y.shape[0])).T @ self.d


def extreme(xp: Any, values: Array, of: Cubics, sign: float) -> Spot:
    """Where each design has its greatest (sign 1) or least (-1) value."""
    k = (sign * values).argmax(axis=0)
    i = xp.arange(values.shape[1])
    s = xp.minimum(k, values.shape[0] - 2)
    u = (k - s).astype(float)
    best = sign * values[k, i]
    (at, design), inner = turning(xp, of)
    return _better(xp, Spot(s, i, u), best, Spot(at, design, inner), sign * of.at((at, design)).value(inner))


def _better(xp: Any, spot: Spot, best: Array, others: Spot, values: Array) -> Spot:
    """The spot of each design, or another one where that is greater."""
    raise_at(xp, best, others.i, values)
    chosen = xp.nonzero(values >= best[others.i])[0]
    s, u = spot.s.copy(), spot.u.copy()
    s[others.i[chosen]], u[others.i[chosen]] = others.s[chosen], others.u[chosen]
    return Spot(s, spot.i, u)


class _Leg:
    """One turn of many legs, as far as several numbers need it."""

    def __init__(self, turn: Turn, foot: str, drive: str, drives: Sequence[str]):
        self.turn, self.xp, self.foot, self.drive, self.drives = turn, turn.xp, foot, drive, drives
        self.samples = turn.series[f"{foot}.x"].shape[0] - 1
        self.h = turn.span / self.samples
        self.path = {c: with_slopes(turn.series[f"{foot}.{c}"], turn.series[f"{foot}.v{c}"] * self.h) for c in "xy"}
        self.lowest = extreme(self.xp, turn.series[f"{foot}.y"], self.path["y"], -1.0)
        self.level, self.by_level = ground_level(turn, self.value("y", self.lowest))
        self.stance: Stance = stance_of(self.xp, self.path["y"], self.level)

    def value(self, c: str, spot: Spot) -> Array:
        return self.path[c].at((spot.s, spot.i)).value(spot.u)

    def on_ground(self, spot: Spot) -> Array:
        """Whether the foot is just at the level of the ground: there the stance begins or ends."""
        return abs(self.value("y", spot) - self.level[spot.i]) <= TOUCH * (1.0 + abs(self.level[spot.i]))

    def weights(self) -> dict[str, Weights]:
        return {c: Weights(self.xp, self.turn.series[f"{self.foot}.{c}"]) for c in "xy"}

    def of_path(self, weights: dict[str, Weights], level: Array | None = None) -> Slopes:
        """Slopes from weights of the path, and of the level of the ground (designs,)."""
        series, span, numbers = {}, self.xp.zeros(self.turn.span.size), {}
        if level is not None:
            weights["y"].add(self.lowest, level * self.by_level["lowest"])
            numbers = {name: level * self.by_level[name] for name in ("penetration", "level", "hip")}
        for c, found in weights.items():
            rate = self.turn.series[f"{self.foot}.v{c}"]
            series[f"{self.foot}.{c}"], series[f"{self.foot}.v{c}"] = found.y, found.d * self.h
            span = span + (found.d * rate).sum(axis=0) / self.samples
        return Slopes(series, numbers, span)

    def crossing(self, weights: dict[str, Weights], level: Array, spot: Spot, share: Array) -> None:
        """Add what u of crossings counts."""
        per = share / self.path["y"].at((spot.s, spot.i)).slope(spot.u)
        weights["y"].add(spot, -per)
        self.xp.add.at(level, spot.i, per)


def _extent(c: str) -> Callable[[_Leg], Slopes]:
    def found(leg: _Leg) -> Slopes:
        weights, values = leg.weights(), leg.turn.series[f"{leg.foot}.{c}"]
        for sign in (1.0, -1.0):
            weights[c].add(extreme(leg.xp, values, leg.path[c], sign), sign)
        return leg.of_path(weights)

    return found


def _leg_length(leg: _Leg) -> Slopes:
    weights = leg.weights()
    weights["y"].add(leg.lowest, -1.0)
    found = leg.of_path(weights)
    return found._replace(numbers={"hip": leg.xp.ones(leg.turn.span.size)})


def _step_length(leg: _Leg) -> Slopes:
    xp, stance, size = leg.xp, leg.stance, leg.turn.span.size
    weights, level = leg.weights(), xp.zeros(size)
    (s, i), u = turning(xp, leg.path["x"])
    low = leg.path["y"].at((s, i)).value(u) < leg.level[i]
    ends = [(stance.s, stance.i, stance.low), (stance.s, stance.i, stance.high), (s[low], i[low], u[low])]
    spots = Spot(*(xp.concatenate(parts) for parts in zip(*ends, strict=True)))
    values = leg.value("x", spots)
    crosses = leg.on_ground(spots)
    nowhere = Spot(xp.zeros(size, dtype=int), xp.arange(size), xp.zeros(size))
    for sign in (1.0, -1.0):
        # which entry of the list is the extreme of each design, in place of u
        entry = spots._replace(u=xp.arange(values.size))
        chosen = _better(
            xp, nowhere._replace(u=xp.zeros(size, dtype=int)), xp.full(size, -np.inf), entry, sign * values
        ).u
        weights["x"].add(Spot(spots.s[chosen], spots.i[chosen], spots.u[chosen]), sign)
        moving = chosen[crosses[chosen]]
        some = Spot(spots.s[moving], spots.i[moving], spots.u[moving])
        leg.crossing(weights, level, some, sign * leg.path["x"].at((some.s, some.i)).slope(some.u))
    return leg.of_path(weights, level)


def _duty(leg: _Leg) -> Slopes:
    xp, stance = leg.xp, leg.stance
    weights, level = leg.weights(), xp.zeros(leg.turn.span.size)
    for u, sign in ((stance.low, -1.0), (stance.high, 1.0)):
        on = xp.nonzero(leg.on_ground(Spot(stance.s, stance.i, u)))[0]
        spot = Spot(stance.s[on], stance.i[on], u[on])
        leg.crossing(weights, level, spot, xp.full(on.size, sign / leg.samples))
    return leg.of_path(weights, level)


def _largest(series: Callable[[_Leg], str]) -> Callable[[_Leg], Slopes]:
    def found(leg: _Leg) -> Slopes:
        xp, name = leg.xp, series(leg)
        values = leg.turn.series[name]
        of, weights = smooth(xp, values), Weights(xp, values)
        spots = [extreme(xp, values, of, sign) for sign in (1.0, -1.0)]
        sizes = [sign * of.at((spot.s, spot.i)).value(spot.u) for sign, spot in zip((1.0, -1.0), spots, strict=True)]
        weights.add(spots[0], 1.0 * (sizes[0] >= sizes[1]))
        weights.add(spots[1], -1.0 * (sizes[0] < sizes[1]))
        return Slopes({name: weights.of_spline()}, {}, xp.zeros(leg.turn.span.size))

    return found


def _energy(leg: _Leg) -> Slopes:
    xp, series, span = leg.xp, {}, leg.xp.zeros(leg.turn.span.size)
    for drive in leg.drives:
        name = f"{drive}{POWER}"
        of = smooth(xp, leg.turn.series[name])
        moments = _signed_moments(xp, of)
        weights = Weights(xp, leg.turn.series[name])
        m0, m1, m2, m3 = moments
        weights.y[:-1] += m0 - 3.0 * m2 + 2.0 * m3
        weights.y[1:] += 3.0 * m2 - 2.0 * m3
        weights.d[:-1] += m1 - 2.0 * m2 + m3
        weights.d[1:] += m3 - m2
        series[name] = weights.of_spline() * leg.h
        a, b, c, d = of
        span = span + (a * m0 + b * m1 + c * m2 + d * m3).sum(axis=0) / leg.samples
    return Slopes(series, {}, span)


def _signed_moments(xp: Any, of: Cubics) -> list[Array]:
    """Integrals of sign(P) u^k over every interval, k = 0 to 3."""
    sign = xp.where(of.value(0.5) < 0.0, -1.0, 1.0)
    moments = [sign / (k + 1.0) for k in range(4)]
    doubtful = of.a * of.value(1.0) <= 0.0
    doubtful[turning(xp, of)[0]] = True
    place = xp.nonzero(doubtful)
    some, count = of.at(place), place[0].size
    totals = [xp.zeros(count) for _ in range(4)]
    for low, high in monotone(xp, some, xp.zeros(count), xp.ones(count)):
        begin, end = some.value(low), some.value(high)
        changes = begin * end < 0.0
        middle = high.copy()
        at = xp.nonzero(changes)[0]
        if at.size:
            middle[at] = zero(xp, Cubics(*(c[at] for c in some)), low[at], high[at])
        first = xp.where(changes, xp.sign(begin), xp.sign(begin + end))
        for k, total in enumerate(totals):
            p = k + 1
            total += first * (middle**p - low**p) / p + xp.sign(end) * (high**p - middle**p) / p
    for moment, total in zip(moments, totals, strict=True):
        moment[place] = total
    return moments


SLOPES: dict[str, Callable[[_Leg], Slopes]] = {
    "step_length": _step_length,
    "step_height": _extent("y"),
    "curve_length": _extent("x"),
    "leg_length": _leg_length,
    "duty": _duty,
    "torque": _largest(lambda leg: f"{leg.drive}.torque"),
    "acceleration": _largest(lambda leg: f"{leg.foot}.acceleration"),
    "energy": _energy,
}
"""Numbers of legs that have derivatives."""


def slopes_of(turn: Turn, names: Sequence[str], foot: str, drive: str, drives: Sequence[str]) -> dict[str, Slopes]:
    """Derivatives of some numbers of all designs."""
    leg = _Leg(turn, foot, drive, drives)
    return {name: SLOPES[name](leg) for name in names}
