"""Derivatives of numbers of legs (measures.py) with respect to the samples of outputs, for gradients of designs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gaitwright.codegen.measures import DesignSeries, MeasureDerivatives
from gaitwright.legs.turn_numbers import LEG_RATIOS, NumberRatio
from gaitwright.legs.vectorised.cubics import CubicSegments, find_turning_points, maximum_at, spline_cubics
from gaitwright.legs.vectorised.energy_gradients import differentiate_energy, differentiate_stance_energy
from gaitwright.legs.vectorised.geometry import (
    CubicWeights,
    CurvePlace,
    LegBatch,
    choose_greater,
    combine_derivatives,
    find_extreme,
)
from gaitwright.legs.vectorised.measures import is_walking, positive_intervals

Array = Any


def _extent(c: str) -> Callable[[LegBatch], MeasureDerivatives]:
    def found(leg: LegBatch) -> MeasureDerivatives:
        weights, values = leg.weights(), leg.turn.series[f"{leg.foot}.{c}"]
        for sign in (1.0, -1.0):
            weights[c].add(find_extreme(leg.xp, values, leg.path[c], sign), sign)
        return leg.of_path(weights)

    return found


def _leg_length(leg: LegBatch) -> MeasureDerivatives:
    weights = leg.weights()
    weights["y"].add(leg.lowest, -1.0)
    series, numbers = leg.of_hip(leg.xp.ones(leg.size))
    none = leg.xp.zeros(leg.size)
    return combine_derivatives((1.0, leg.of_path(weights)), (1.0, MeasureDerivatives(series, numbers, none)))


def _hip_height(leg: LegBatch) -> MeasureDerivatives:
    """Derivatives of the height of the hip minus that of the ground."""
    level = leg.of_path(leg.weights(), -leg.xp.ones(leg.size))
    series, numbers = leg.of_hip(leg.xp.ones(leg.size))
    return combine_derivatives((1.0, level), (1.0, MeasureDerivatives(series, numbers, leg.xp.zeros(leg.size))))


def _penetration(leg: LegBatch) -> MeasureDerivatives:
    weights = leg.weights()
    weights["y"].add(leg.lowest, -1.0)
    return leg.of_path(weights, leg.xp.ones(leg.size))


def _period(leg: LegBatch) -> MeasureDerivatives:
    return MeasureDerivatives({}, {}, leg.xp.ones(leg.size))


def _differentiate_ratio(ratio: NumberRatio) -> Callable[[LegBatch], MeasureDerivatives]:
    """Derivatives of the ratio of two numbers."""
    over, under, size = ratio

    def found(leg: LegBatch) -> MeasureDerivatives:
        a, b = leg.numbers[over], leg.numbers[under]
        with np.errstate(divide="ignore", invalid="ignore"):
            sign = leg.xp.sign(b) if size else 1.0
            return combine_derivatives(
                (sign / b, MEASURE_DERIVATIVES[over](leg)), (-sign * a / b**2, MEASURE_DERIVATIVES[under](leg))
            )

    return found


def _relative_acceleration(leg: LegBatch) -> MeasureDerivatives:
    """R = a T^2 / (2 pi^2 L)."""
    a, extent, span = leg.numbers["acceleration"], leg.numbers["curve_length"], leg.turn.span
    ratio = leg.numbers["relative_acceleration"]
    with np.errstate(divide="ignore", invalid="ignore"):
        return combine_derivatives(
            (ratio / a, MEASURE_DERIVATIVES["acceleration"](leg)),
            (-ratio / extent, MEASURE_DERIVATIVES["curve_length"](leg)),
            (2.0 * ratio / span, _period(leg)),
        )


def _scuffing(leg: LegBatch) -> MeasureDerivatives:
    """Derivatives of S = A/T, with A the time of forward motion in stance and T the duration of the stance. A changes with the
    zeros of the speed, du = -dv/v', and with those ends of the stance at which the foot moves forward."""
    xp, stance, took = leg.xp, leg.stance, leg.took()
    name = f"{leg.foot}.vx"
    values = leg.turn.series[name]
    speed, ahead = spline_cubics(xp, values), xp.sign(differentiate_body_speed(leg)[0])
    of = speed.at((stance.s, stance.i))
    forward = CubicSegments(*(c * ahead[stance.i] for c in of))
    weights, level, of_speed = leg.weights(), xp.zeros(leg.size), CubicWeights(xp, values)
    total = xp.zeros(stance.low.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 1.0 / took
        for low, high, zeros in positive_intervals(xp, forward, stance.low, stance.high):
            total += high - low
            for u, crosses, sign in ((low, zeros[0], -1.0), (high, zeros[1], 1.0)):
                at = xp.nonzero(crosses)[0]
                spot = CurvePlace(stance.s[at], stance.i[at], u[at])
                of_speed.add(spot, -sign * share[spot.i] / speed.at((spot.s, spot.i)).slope(spot.u))
        part = xp.bincount(stance.i, total, minlength=leg.size) * share
        for spot, sign in leg.crossings():
            here = speed.at((spot.s, spot.i)).value(spot.u) * ahead[spot.i] > 0.0
            leg.crossing(weights, level, spot, sign * (here - part[spot.i]) * share[spot.i])
    path = leg.of_path(weights, level)
    return combine_derivatives(
        (1.0, path), (1.0, MeasureDerivatives({name: of_speed.of_spline()}, {}, xp.zeros(leg.size)))
    )


def _step_length(leg: LegBatch) -> MeasureDerivatives:
    xp, stance, size = leg.xp, leg.stance, leg.turn.span.size
    weights, level = leg.weights(), xp.zeros(size)
    (s, i), u = find_turning_points(xp, leg.path["x"])
    low = leg.path["y"].at((s, i)).value(u) < leg.level[i]
    ends = [(stance.s, stance.i, stance.low), (stance.s, stance.i, stance.high), (s[low], i[low], u[low])]
    spots = CurvePlace(*(xp.concatenate(parts) for parts in zip(*ends, strict=True)))
    values = leg.value("x", spots)
    crosses = leg.on_ground(spots)
    nowhere = CurvePlace(xp.zeros(size, dtype=int), xp.arange(size), xp.zeros(size))
    for sign in (1.0, -1.0):
        # field u contains the index of the list entry that is the extreme of each design
        entry = spots._replace(u=xp.arange(values.size))
        chosen = choose_greater(
            xp, nowhere._replace(u=xp.zeros(size, dtype=int)), xp.full(size, -np.inf), entry, sign * values
        ).u
        weights["x"].add(CurvePlace(spots.s[chosen], spots.i[chosen], spots.u[chosen]), sign)
        moving = chosen[crosses[chosen]]
        some = CurvePlace(spots.s[moving], spots.i[moving], spots.u[moving])
        leg.crossing(weights, level, some, sign * leg.path["x"].at((some.s, some.i)).slope(some.u))
    return leg.of_path(weights, level)


def _duty(leg: LegBatch) -> MeasureDerivatives:
    weights, level = leg.weights(), leg.xp.zeros(leg.size)
    for spot, sign in leg.crossings():
        leg.crossing(weights, level, spot, leg.xp.full(spot.u.size, sign / leg.samples))
    return leg.of_path(weights, level)


def _flatness(leg: LegBatch) -> MeasureDerivatives:
    """Derivatives of the flatness F. V = F^2 = mean of (z - m)^2 in stance, m = mean of z: T dV = integral of 2 (z - m) dy
    + sum of (m^2 - V) du at its ends, where z = 0; the level affects only the ends."""
    xp, stance, took = leg.xp, leg.stance, leg.took()
    weights, level = leg.weights(), xp.zeros(leg.size)
    places, shares = np.polynomial.legendre.leggauss(4)
    middle, half = 0.5 * (stance.low + stance.high), 0.5 * (stance.high - stance.low)
    of = leg.path["y"].at((stance.s, stance.i))
    spots = [CurvePlace(stance.s, stance.i, middle + half * place) for place in places.tolist()]
    over = [of.value(spot.u) - leg.level[stance.i] for spot in spots]

    def mean(values: Sequence[Array]) -> Array:
        total = sum(share * half * value for share, value in zip(shares.tolist(), values, strict=True))
        return xp.bincount(stance.i, total, minlength=leg.size) / took

    with np.errstate(divide="ignore", invalid="ignore"):
        about = mean(over)
        square = mean([(z - about[stance.i]) ** 2 for z in over])
        per = xp.where(square > 0.0, 0.5 / xp.sqrt(square) / took, 0.0)
    for spot, z, share in zip(spots, over, shares.tolist(), strict=True):
        weights["y"].add(spot, 2.0 * (z - about[spot.i]) * share * half * per[spot.i])
    for spot, sign in leg.crossings():
        leg.crossing(weights, level, spot, sign * ((about**2 - square) * per)[spot.i])
    return leg.of_path(weights, level)


def differentiate_body_speed(leg: LegBatch) -> tuple[Array, MeasureDerivatives]:
    """Body speed, m/s, and its derivatives: the given speed, or -X/(T h) with X = sum of x(end) - x(begin) over the stance."""
    xp, took = leg.xp, leg.took()
    given = leg.turn.numbers["body_speed"]
    free = xp.isnan(given)
    weights, level = leg.weights(), xp.zeros(leg.size)
    moved = xp.zeros(leg.size)
    for spot, sign in leg.ends():
        moved += sign * xp.bincount(spot.i, leg.value("x", spot), minlength=leg.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = xp.where(free, -moved / (took * leg.h), given)
        per = xp.where(free, -1.0 / (took * leg.h), 0.0)
        mean = moved / took
    for spot, sign in leg.ends():
        weights["x"].add(spot, sign * per[spot.i])
    for spot, sign in leg.crossings():
        share = leg.path["x"].at((spot.s, spot.i)).slope(spot.u) - mean[spot.i]
        leg.crossing(weights, level, spot, sign * share * per[spot.i])
    derivatives = leg.of_path(weights, level)
    span = derivatives.span - xp.where(free, speed / leg.turn.span, 0.0)
    return speed, derivatives._replace(numbers={**derivatives.numbers, "body_speed": 1.0 * ~free}, span=span)


def _touchdown_speed(leg: LegBatch) -> MeasureDerivatives:
    """Derivatives of the greatest -y'(u)/h at touchdowns: it changes with the cubic, and through y'' with the crossing."""
    xp, y = leg.xp, leg.path["y"]
    weights, level = leg.weights(), xp.zeros(leg.size)
    spots = CurvePlace(*leg.stance.down)
    fall = -y.at((spots.s, spots.i)).slope(spots.u)
    fastest = xp.full(leg.size, -np.inf)
    maximum_at(xp, fastest, spots.i, fall)
    entry = xp.full(leg.size, -1)
    best = xp.nonzero(fall >= fastest[spots.i])[0]
    entry[spots.i[best]] = best
    chosen = entry[entry >= 0]
    spot = CurvePlace(spots.s[chosen], spots.i[chosen], spots.u[chosen])
    of, per = y.at((spot.s, spot.i)), 1.0 / leg.h[spot.i]
    weights["y"].add_slope(spot, -per)
    leg.crossing(weights, level, spot, -per * (2.0 * of.c + 6.0 * of.d * spot.u))
    derivatives = leg.of_path(weights, level)
    span = derivatives.span.copy()
    span[spot.i] -= fall[chosen] * per / leg.turn.span[spot.i]
    return derivatives._replace(span=span)


def _largest(series: Callable[[LegBatch], str]) -> Callable[[LegBatch], MeasureDerivatives]:
    def found(leg: LegBatch) -> MeasureDerivatives:
        xp, name = leg.xp, series(leg)
        values = leg.turn.series[name]
        of, weights = spline_cubics(xp, values), CubicWeights(xp, values)
        spots = [find_extreme(xp, values, of, sign) for sign in (1.0, -1.0)]
        sizes = [sign * of.at((spot.s, spot.i)).value(spot.u) for sign, spot in zip((1.0, -1.0), spots, strict=True)]
        weights.add(spots[0], 1.0 * (sizes[0] >= sizes[1]))
        weights.add(spots[1], -1.0 * (sizes[0] < sizes[1]))
        return MeasureDerivatives({name: weights.of_spline()}, {}, xp.zeros(leg.turn.span.size))

    return found


def _energy_swing(leg: LegBatch) -> MeasureDerivatives:
    return combine_derivatives((1.0, differentiate_energy(leg)[1]), (-1.0, differentiate_stance_energy(leg)))


def _cost_of_transport(leg: LegBatch) -> MeasureDerivatives:
    """Derivatives of C = E/(|speed| span weight); zero if the body only sways and the cost is infinite."""
    xp, span, weight = leg.xp, leg.turn.span, leg.turn.numbers["weight"]
    (spent, by_energy), (speed, by_speed) = differentiate_energy(leg), differentiate_body_speed(leg)
    values = leg.turn.series[f"{leg.foot}.x"]
    ends = [leg.value("x", find_extreme(xp, values, leg.path["x"], sign)) for sign in (1.0, -1.0)]
    with np.errstate(divide="ignore", invalid="ignore"):
        goes = is_walking(speed * span, ends[0] - ends[1])
        per = xp.where(goes, 1.0 / (abs(speed) * span * weight), 0.0)
        cost = spent * per
        by_its_speed = xp.where(goes, -cost / speed, 0.0)
        own = MeasureDerivatives({}, {"weight": xp.where(goes, -cost / weight, 0.0)}, -cost / span)
    return combine_derivatives((per, by_energy), (by_its_speed, by_speed), (1.0, own))


MEASURE_DERIVATIVES: dict[str, Callable[[LegBatch], MeasureDerivatives]] = {
    "step_length": _step_length,
    "step_height": _extent("y"),
    "curve_length": _extent("x"),
    "leg_length": _leg_length,
    "hip_height": _hip_height,
    "penetration": _penetration,
    "scuffing": _scuffing,
    "period": _period,
    "duty": _duty,
    "flatness": _flatness,
    "body_speed": lambda leg: differentiate_body_speed(leg)[1],
    "touchdown_speed": _touchdown_speed,
    "torque": _largest(lambda leg: f"{leg.drive}.torque"),
    "acceleration": _largest(lambda leg: f"{leg.foot}.acceleration"),
    "relative_acceleration": _relative_acceleration,
    "energy": lambda leg: differentiate_energy(leg)[1],
    "energy_stance": differentiate_stance_energy,
    "energy_swing": _energy_swing,
    "cost_of_transport": _cost_of_transport,
    **{name: _differentiate_ratio(ratio) for name, ratio in LEG_RATIOS.items()},
}
"""Derivatives of every number of a leg, by name."""


def differentiate_measures(
    turn: DesignSeries, names: Sequence[str], foot: str, drive: str, drives: Sequence[str], moving_hip: str | None
) -> dict[str, MeasureDerivatives]:
    """Derivatives of the named numbers of all designs."""
    leg = LegBatch(turn, foot, drive, drives, moving_hip)
    return {name: MEASURE_DERIVATIVES[name](leg) for name in names}
