"""One turn of many legs, as far as derivatives of their numbers need it: places on cubics, what samples count there, the
stance and its ends.

At an extreme only the value there counts. A crossing of the ground moves: y(u) = level, so du = (dlevel - dy)/y'."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from gaitwright.design.many.measures import Slopes, Turn
from gaitwright.legs.cubics import Cubics, raise_at, spline_slopes, turning, with_slopes
from gaitwright.legs.many_turns import Stance, ground_level, mean_height, measured, stance_of

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

    def add_slope(self, spot: Spot, weight: Array) -> None:
        """Weights of the slopes per interval at some places."""
        s, i, u = spot
        square = u * u
        for target, place, share in (
            (self.y, s, 6.0 * square - 6.0 * u), (self.d, s, 1.0 - 4.0 * u + 3.0 * square),
            (self.y, s + 1, 6.0 * u - 6.0 * square), (self.d, s + 1, 3.0 * square - 2.0 * u),
        ):  # fmt: skip
            self.xp.add.at(target, (place, i), weight * share)

    def add_moments(self, at: tuple[Array, Array], moments: Sequence[Array]) -> None:
        """Weights of integrals over intervals, by the integrals of their weight times u^k, k = 0 to 3."""
        m0, m1, m2, m3 = moments
        s, i = at
        for target, place, share in (
            (self.y, s, m0 - 3.0 * m2 + 2.0 * m3), (self.d, s, m1 - 2.0 * m2 + m3),
            (self.y, s + 1, 3.0 * m2 - 2.0 * m3), (self.d, s + 1, m3 - m2),
        ):  # fmt: skip
            self.xp.add.at(target, (place, i), share)

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
    return better(xp, Spot(s, i, u), best, Spot(at, design, inner), sign * of.at((at, design)).value(inner))


def better(xp: Any, spot: Spot, best: Array, others: Spot, values: Array) -> Spot:
    """The spot of each design, or another one where that is greater."""
    raise_at(xp, best, others.i, values)
    chosen = xp.nonzero(values >= best[others.i])[0]
    s, u = spot.s.copy(), spot.u.copy()
    s[others.i[chosen]], u[others.i[chosen]] = others.s[chosen], others.u[chosen]
    return Spot(s, spot.i, u)


class Leg:
    """One turn of many legs, as far as several numbers need it."""

    def __init__(self, turn: Turn, foot: str, drive: str, drives: Sequence[str], moving_hip: str | None):
        self.turn, self.xp, self.foot, self.drive, self.drives = turn, turn.xp, foot, drive, drives
        self.size, self.moving_hip = turn.span.size, moving_hip
        self.samples = turn.series[f"{foot}.x"].shape[0] - 1
        self.h = turn.span / self.samples
        self.path = {c: with_slopes(turn.series[f"{foot}.{c}"], turn.series[f"{foot}.v{c}"] * self.h) for c in "xy"}
        self.lowest = extreme(self.xp, turn.series[f"{foot}.y"], self.path["y"], -1.0)
        hip = turn.numbers["hip"] if moving_hip is None else mean_height(turn, moving_hip)
        on = turn._replace(numbers={**turn.numbers, "hip": hip})
        self.level, self.by_level = ground_level(on, self.value("y", self.lowest))
        self.stance: Stance = stance_of(self.xp, self.path["y"], self.level)

    @cached_property
    def numbers(self) -> dict[str, Array]:
        """All numbers of the legs."""
        return measured(self.turn, self.foot, self.drive, self.drives, self.moving_hip).numbers

    def value(self, c: str, spot: Spot) -> Array:
        return self.path[c].at((spot.s, spot.i)).value(spot.u)

    def on_ground(self, spot: Spot) -> Array:
        """Whether the foot is just at the level of the ground: there the stance begins or ends."""
        return abs(self.value("y", spot) - self.level[spot.i]) <= TOUCH * (1.0 + abs(self.level[spot.i]))

    def weights(self) -> dict[str, Weights]:
        return {c: Weights(self.xp, self.turn.series[f"{self.foot}.{c}"]) for c in "xy"}

    def of_path(self, weights: dict[str, Weights], level: Array | None = None) -> Slopes:
        """Slopes from weights of the path, and of the level of the ground (designs,)."""
        series, span, numbers = {}, self.xp.zeros(self.size), {}
        if level is not None:
            weights["y"].add(self.lowest, level * self.by_level["lowest"])
            numbers = {name: level * self.by_level[name] for name in ("penetration", "level")}
            more, own = self.of_hip(level * self.by_level["hip"])
            series, numbers = {**more}, {**numbers, **own}
        for c, found in weights.items():
            rate = self.turn.series[f"{self.foot}.v{c}"]
            for name, own in ((f"{self.foot}.{c}", found.y), (f"{self.foot}.v{c}", found.d * self.h)):
                series[name] = series[name] + own if name in series else own  # the hip may be the foot
            span = span + (found.d * rate).sum(axis=0) / self.samples
        return Slopes(series, numbers, span)

    def crossing(self, weights: dict[str, Weights], level: Array, spot: Spot, share: Array) -> None:
        """Add what u of crossings counts."""
        per = share / self.path["y"].at((spot.s, spot.i)).slope(spot.u)
        weights["y"].add(spot, -per)
        self.xp.add.at(level, spot.i, per)

    def of_hip(self, weight: Array) -> tuple[dict[str, Array], dict[str, Array]]:
        """What the height of the hip counts, in samples of outputs and in numbers."""
        if self.moving_hip is None:
            return {}, {"hip": weight}
        name = f"{self.moving_hip}.y"
        weights = Weights(self.xp, self.turn.series[name])
        for part, share in ((slice(None, -1), 1.0), (slice(1, None), -1.0)):
            weights.y[part] += 0.5 / self.samples
            weights.d[part] += share / 12.0 / self.samples
        return {name: weights.of_spline() * weight}, {}

    def ends(self) -> list[tuple[Spot, float]]:
        """Where the stance begins (-1) and ends (1): crossings of the ground, and ends of intervals in it, which cancel."""
        stance = self.stance
        return [(Spot(stance.s, stance.i, stance.low), -1.0), (Spot(stance.s, stance.i, stance.high), 1.0)]

    def crossings(self) -> list[tuple[Spot, float]]:
        """Those of them that are crossings."""
        found = []
        for spot, sign in self.ends():
            on = self.xp.nonzero(self.on_ground(spot))[0]
            found.append((Spot(spot.s[on], spot.i[on], spot.u[on]), sign))
        return found

    def took(self) -> Array:
        """Of the stance, in intervals."""
        stance = self.stance
        return self.xp.bincount(stance.i, stance.high - stance.low, minlength=self.size)


def combined(*parts: tuple[Array | float, Slopes]) -> Slopes:
    """The derivatives of a sum, with factors (designs,) or numbers."""
    series: dict[str, Array] = {}
    numbers: dict[str, Array] = {}
    for factor, slopes in parts:
        for target, values in ((series, slopes.series), (numbers, slopes.numbers)):
            for name, own in values.items():
                target[name] = target.get(name, 0.0) + factor * own
    return Slopes(series, numbers, sum(factor * slopes.span for factor, slopes in parts))
