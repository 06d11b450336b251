"""Geometry of one turn of many legs for the derivatives of their numbers: points on cubics, weights of the samples there, the
stance and its ends.

The position of an extreme does not affect the derivative of its value. A crossing of the ground moves: y(u) = level, so
du = (dlevel - dy)/y'."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from gaitwright.codegen.measures import DesignSeries, MeasureDerivatives
from gaitwright.legs.vectorised.cubics import (
    CubicSegments,
    find_turning_points,
    hermite_cubics,
    maximum_at,
    spline_slopes,
)
from gaitwright.legs.vectorised.measures import StanceIntervals, find_stance, ground_level, mean_height, measure_legs

Array = Any
GROUND_ATOL_M = 1e-12
"""Distance from the ground, m, within which a foot is at ground level: rounding."""


class CurvePlace(NamedTuple):
    """Point on the curve of each design, or of each entry of a list: interval, design, u."""

    s: Array
    i: Array
    u: Array


class CubicWeights:
    """Weights of the samples of a series (y) and of its slopes per interval (d), (samples + 1, n_designs)."""

    def __init__(self, xp: Any, like: Array):
        self.xp, self.y, self.d = xp, xp.zeros_like(like), xp.zeros_like(like)

    def add(self, spot: CurvePlace, weight: Array) -> None:
        """Add the weights of the values at some points."""
        s, i, u = spot
        square, cube = u * u, u * u * u
        for target, place, share in (
            (self.y, s, 1.0 - 3.0 * square + 2.0 * cube), (self.d, s, u - 2.0 * square + cube),
            (self.y, s + 1, 3.0 * square - 2.0 * cube), (self.d, s + 1, cube - square),
        ):  # fmt: skip
            self.xp.add.at(target, (place, i), weight * share)

    def add_slope(self, spot: CurvePlace, weight: Array) -> None:
        """Add the weights of the slopes per interval at some points."""
        s, i, u = spot
        square = u * u
        for target, place, share in (
            (self.y, s, 6.0 * square - 6.0 * u), (self.d, s, 1.0 - 4.0 * u + 3.0 * square),
            (self.y, s + 1, 6.0 * u - 6.0 * square), (self.d, s + 1, 3.0 * square - 2.0 * u),
        ):  # fmt: skip
            self.xp.add.at(target, (place, i), weight * share)

    def add_moments(self, at: tuple[Array, Array], moments: Sequence[Array]) -> None:
        """Add the weights of integrals over intervals, from the integrals of a weight function times u^k, k = 0 to 3."""
        m0, m1, m2, m3 = moments
        s, i = at
        for target, place, share in (
            (self.y, s, m0 - 3.0 * m2 + 2.0 * m3), (self.d, s, m1 - 2.0 * m2 + m3),
            (self.y, s + 1, 3.0 * m2 - 2.0 * m3), (self.d, s + 1, m3 - m2),
        ):  # fmt: skip
            self.xp.add.at(target, (place, i), share)

    def of_spline(self) -> Array:
        """Weights of the samples alone, if the slopes are those of their spline."""
        return self.y + self.xp.asarray(spline_slopes(self.y.shape[0])).T @ self.d


def find_extreme(xp: Any, values: Array, of: CubicSegments, sign: float) -> CurvePlace:
    """Point of the greatest (sign 1) or least (-1) value of each design."""
    k = (sign * values).argmax(axis=0)
    i = xp.arange(values.shape[1])
    s = xp.minimum(k, values.shape[0] - 2)
    u = (k - s).astype(float)
    best = sign * values[k, i]
    (at, design), inner = find_turning_points(xp, of)
    return choose_greater(
        xp, CurvePlace(s, i, u), best, CurvePlace(at, design, inner), sign * of.at((at, design)).value(inner)
    )


def choose_greater(xp: Any, spot: CurvePlace, best: Array, others: CurvePlace, values: Array) -> CurvePlace:
    """Replace the point of each design by another one with a greater value. best: values at the points, updated in place."""
    maximum_at(xp, best, others.i, values)
    chosen = xp.nonzero(values >= best[others.i])[0]
    s, u = spot.s.copy(), spot.u.copy()
    s[others.i[chosen]], u[others.i[chosen]] = others.s[chosen], others.u[chosen]
    return CurvePlace(s, spot.i, u)


class LegBatch:
    """One turn of many legs, with quantities that several derivatives share."""

    def __init__(self, turn: DesignSeries, foot: str, drive: str, drives: Sequence[str], moving_hip: str | None):
        self.turn, self.xp, self.foot, self.drive, self.drives = turn, turn.xp, foot, drive, drives
        self.size, self.moving_hip = turn.span.size, moving_hip
        self.samples = turn.series[f"{foot}.x"].shape[0] - 1
        self.h = turn.span / self.samples
        self.path = {c: hermite_cubics(turn.series[f"{foot}.{c}"], turn.series[f"{foot}.v{c}"] * self.h) for c in "xy"}
        self.lowest = find_extreme(self.xp, turn.series[f"{foot}.y"], self.path["y"], -1.0)
        hip = turn.numbers["hip"] if moving_hip is None else mean_height(turn, moving_hip)
        on = turn._replace(numbers={**turn.numbers, "hip": hip})
        self.level, self.by_level = ground_level(on, self.value("y", self.lowest))
        self.stance: StanceIntervals = find_stance(self.xp, self.path["y"], self.level)

    @cached_property
    def numbers(self) -> dict[str, Array]:
        """All numbers of the legs, by name, (n_designs,)."""
        return measure_legs(self.turn, self.foot, self.drive, self.drives, self.moving_hip).numbers

    def value(self, c: str, spot: CurvePlace) -> Array:
        return self.path[c].at((spot.s, spot.i)).value(spot.u)

    def on_ground(self, spot: CurvePlace) -> Array:
        """Mask of the points at ground level, where the stance begins or ends."""
        return abs(self.value("y", spot) - self.level[spot.i]) <= GROUND_ATOL_M * (1.0 + abs(self.level[spot.i]))

    def weights(self) -> dict[str, CubicWeights]:
        return {c: CubicWeights(self.xp, self.turn.series[f"{self.foot}.{c}"]) for c in "xy"}

    def of_path(self, weights: dict[str, CubicWeights], level: Array | None = None) -> MeasureDerivatives:
        """Derivatives from weights of the path, and of the level of the ground (n_designs,)."""
        series, span, numbers = {}, self.xp.zeros(self.size), {}
        if level is not None:
            weights["y"].add(self.lowest, level * self.by_level["lowest"])
            numbers = {name: level * self.by_level[name] for name in ("penetration", "level")}
            more, own = self.of_hip(level * self.by_level["hip"])
            series, numbers = {**more}, {**numbers, **own}
        for c, weight in weights.items():
            rate = self.turn.series[f"{self.foot}.v{c}"]
            for name, own in ((f"{self.foot}.{c}", weight.y), (f"{self.foot}.v{c}", weight.d * self.h)):
                series[name] = (
                    series[name] + own if name in series else own
                )  # the hip may be the same point as the foot
            span = span + (weight.d * rate).sum(axis=0) / self.samples
        return MeasureDerivatives(series, numbers, span)

    def crossing(self, weights: dict[str, CubicWeights], level: Array, spot: CurvePlace, share: Array) -> None:
        """Add the effect of the motion of crossings. share: derivative of the number with respect to u of each crossing."""
        per = share / self.path["y"].at((spot.s, spot.i)).slope(spot.u)
        weights["y"].add(spot, -per)
        self.xp.add.at(level, spot.i, per)

    def of_hip(self, weight: Array) -> tuple[dict[str, Array], dict[str, Array]]:
        """Derivatives with respect to the height of the hip: weights of samples of outputs, and of numbers."""
        if self.moving_hip is None:
            return {}, {"hip": weight}
        name = f"{self.moving_hip}.y"
        weights = CubicWeights(self.xp, self.turn.series[name])
        for part, share in ((slice(None, -1), 1.0), (slice(1, None), -1.0)):
            weights.y[part] += 0.5 / self.samples
            weights.d[part] += share / 12.0 / self.samples
        return {name: weights.of_spline() * weight}, {}

    def ends(self) -> list[tuple[CurvePlace, float]]:
        """Points where pieces of the stance begin (-1) and end (1): crossings of the ground, and ends of intervals within the
        stance, which cancel."""
        stance = self.stance
        return [(CurvePlace(stance.s, stance.i, stance.low), -1.0), (CurvePlace(stance.s, stance.i, stance.high), 1.0)]

    def crossings(self) -> list[tuple[CurvePlace, float]]:
        """Ends of the stance that are crossings of the ground."""
        points = []
        for spot, sign in self.ends():
            on = self.xp.nonzero(self.on_ground(spot))[0]
            points.append((CurvePlace(spot.s[on], spot.i[on], spot.u[on]), sign))
        return points

    def took(self) -> Array:
        """Duration of the stance, in intervals, (n_designs,)."""
        stance = self.stance
        return self.xp.bincount(stance.i, stance.high - stance.low, minlength=self.size)


def combine_derivatives(*parts: tuple[Array | float, MeasureDerivatives]) -> MeasureDerivatives:
    """Derivatives of a weighted sum. parts: (factor, derivatives); factors are numbers or (n_designs,)."""
    series: dict[str, Array] = {}
    numbers: dict[str, Array] = {}
    for factor, slopes in parts:
        for target, values in ((series, slopes.series), (numbers, slopes.numbers)):
            for name, own in values.items():
                target[name] = target.get(name, 0.0) + factor * own
    return MeasureDerivatives(series, numbers, sum(factor * slopes.span for factor, slopes in parts))
