"""Derivatives of numbers of legs (many_turns.py) in the samples of outputs, for gradients of designs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gaitwright.design.many.measures import Slopes, Turn
from gaitwright.legs.cubics import Cubics, raise_at, smooth, turning
from gaitwright.legs.many_energy_slopes import energy, energy_stance
from gaitwright.legs.many_leg import Leg, Spot, Weights, better, combined, extreme
from gaitwright.legs.many_turns import positive_parts, walks

Array = Any


def _extent(c: str) -> Callable[[Leg], Slopes]:
    def found(leg: Leg) -> Slopes:
        weights, values = leg.weights(), leg.turn.series[f"{leg.foot}.{c}"]
        for sign in (1.0, -1.0):
            weights[c].add(extreme(leg.xp, values, leg.path[c], sign), sign)
        return leg.of_path(weights)

    return found


def _leg_length(leg: Leg) -> Slopes:
    weights = leg.weights()
    weights["y"].add(leg.lowest, -1.0)
    series, numbers = leg.of_hip(leg.xp.ones(leg.size))
    none = leg.xp.zeros(leg.size)
    return combined((1.0, leg.of_path(weights)), (1.0, Slopes(series, numbers, none)))


def _hip_height(leg: Leg) -> Slopes:
    """The hip less the ground."""
    level = leg.of_path(leg.weights(), -leg.xp.ones(leg.size))
    series, numbers = leg.of_hip(leg.xp.ones(leg.size))
    return combined((1.0, level), (1.0, Slopes(series, numbers, leg.xp.zeros(leg.size))))


def _penetration(leg: Leg) -> Slopes:
    weights = leg.weights()
    weights["y"].add(leg.lowest, -1.0)
    return leg.of_path(weights, leg.xp.ones(leg.size))


def _period(leg: Leg) -> Slopes:
    return Slopes({}, {}, leg.xp.ones(leg.size))


def _ratio(over: str, under: str, sized: bool = False) -> Callable[[Leg], Slopes]:
    """Of one number / another, or the size of another."""

    def found(leg: Leg) -> Slopes:
        a, b = leg.numbers[over], leg.numbers[under]
        with np.errstate(divide="ignore", invalid="ignore"):
            sign = leg.xp.sign(b) if sized else 1.0
            return combined((sign / b, SLOPES[over](leg)), (-sign * a / b**2, SLOPES[under](leg)))

    return found


def _relative_acceleration(leg: Leg) -> Slopes:
    """R = a T^2 / (2 pi^2 L)."""
    a, extent, span = leg.numbers["acceleration"], leg.numbers["curve_length"], leg.turn.span
    ratio = leg.numbers["relative_acceleration"]
    with np.errstate(divide="ignore", invalid="ignore"):
        return combined(
            (ratio / a, SLOPES["acceleration"](leg)),
            (-ratio / extent, SLOPES["curve_length"](leg)),
            (2.0 * ratio / span, _period(leg)),
        )


def _scuffing(leg: Leg) -> Slopes:
    """S = A/T, A: time of moving forward in stance, T: of the stance. A changes with the zeros of the speed, du = -dv/v', and
    with the ends of the stance where the foot moves forward there."""
    xp, stance, took = leg.xp, leg.stance, leg.took()
    name = f"{leg.foot}.vx"
    values = leg.turn.series[name]
    speed, ahead = smooth(xp, values), xp.sign(body_speed(leg)[0])
    of = speed.at((stance.s, stance.i))
    forward = Cubics(*(c * ahead[stance.i] for c in of))
    weights, level, of_speed = leg.weights(), xp.zeros(leg.size), Weights(xp, values)
    total = xp.zeros(stance.low.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 1.0 / took
        for low, high, zeros in positive_parts(xp, forward, stance.low, stance.high):
            total += high - low
            for u, crosses, sign in ((low, zeros[0], -1.0), (high, zeros[1], 1.0)):
                at = xp.nonzero(crosses)[0]
                spot = Spot(stance.s[at], stance.i[at], u[at])
                of_speed.add(spot, -sign * share[spot.i] / speed.at((spot.s, spot.i)).slope(spot.u))
        part = xp.bincount(stance.i, total, minlength=leg.size) * share
        for spot, sign in leg.crossings():
            here = speed.at((spot.s, spot.i)).value(spot.u) * ahead[spot.i] > 0.0
            leg.crossing(weights, level, spot, sign * (here - part[spot.i]) * share[spot.i])
    path = leg.of_path(weights, level)
    return combined((1.0, path), (1.0, Slopes({name: of_speed.of_spline()}, {}, xp.zeros(leg.size))))


def _step_length(leg: Leg) -> Slopes:
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
        chosen = better(
            xp, nowhere._replace(u=xp.zeros(size, dtype=int)), xp.full(size, -np.inf), entry, sign * values
        ).u
        weights["x"].add(Spot(spots.s[chosen], spots.i[chosen], spots.u[chosen]), sign)
        moving = chosen[crosses[chosen]]
        some = Spot(spots.s[moving], spots.i[moving], spots.u[moving])
        leg.crossing(weights, level, some, sign * leg.path["x"].at((some.s, some.i)).slope(some.u))
    return leg.of_path(weights, level)


def _duty(leg: Leg) -> Slopes:
    weights, level = leg.weights(), leg.xp.zeros(leg.size)
    for spot, sign in leg.crossings():
        leg.crossing(weights, level, spot, leg.xp.full(spot.u.size, sign / leg.samples))
    return leg.of_path(weights, level)


def _flatness(leg: Leg) -> Slopes:
    """V = F^2 = mean of (z - m)^2 in stance, m = mean of z: T dV = integral of 2 (z - m) dy + sum of (m^2 - V) du at its ends,
    where z = 0; the level itself counts by these alone."""
    xp, stance, took = leg.xp, leg.stance, leg.took()
    weights, level = leg.weights(), xp.zeros(leg.size)
    places, shares = np.polynomial.legendre.leggauss(4)
    middle, half = 0.5 * (stance.low + stance.high), 0.5 * (stance.high - stance.low)
    of = leg.path["y"].at((stance.s, stance.i))
    spots = [Spot(stance.s, stance.i, middle + half * place) for place in places.tolist()]
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


def body_speed(leg: Leg) -> tuple[Array, Slopes]:
    """The speed, m/s, and its derivatives: what is given, or -X/(T h) with X = sum of x(end) - x(begin) over the stance."""
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
    found = leg.of_path(weights, level)
    span = found.span - xp.where(free, speed / leg.turn.span, 0.0)
    return speed, found._replace(numbers={**found.numbers, "body_speed": 1.0 * ~free}, span=span)


def _touchdown_speed(leg: Leg) -> Slopes:
    """The greatest of -y'(u)/h at touchdowns: y' changes with the cubic, and y'' with the place of the crossing."""
    xp, y = leg.xp, leg.path["y"]
    weights, level = leg.weights(), xp.zeros(leg.size)
    spots = Spot(*leg.stance.down)
    fall = -y.at((spots.s, spots.i)).slope(spots.u)
    fastest = xp.full(leg.size, -np.inf)
    raise_at(xp, fastest, spots.i, fall)
    entry = xp.full(leg.size, -1)
    best = xp.nonzero(fall >= fastest[spots.i])[0]
    entry[spots.i[best]] = best
    chosen = entry[entry >= 0]
    spot = Spot(spots.s[chosen], spots.i[chosen], spots.u[chosen])
    of, per = y.at((spot.s, spot.i)), 1.0 / leg.h[spot.i]
    weights["y"].add_slope(spot, -per)
    leg.crossing(weights, level, spot, -per * (2.0 * of.c + 6.0 * of.d * spot.u))
    found = leg.of_path(weights, level)
    span = found.span.copy()
    span[spot.i] -= fall[chosen] * per / leg.turn.span[spot.i]
    return found._replace(span=span)


def _largest(series: Callable[[Leg], str]) -> Callable[[Leg], Slopes]:
    def found(leg: Leg) -> Slopes:
        xp, name = leg.xp, series(leg)
        values = leg.turn.series[name]
        of, weights = smooth(xp, values), Weights(xp, values)
        spots = [extreme(xp, values, of, sign) for sign in (1.0, -1.0)]
        sizes = [sign * of.at((spot.s, spot.i)).value(spot.u) for sign, spot in zip((1.0, -1.0), spots, strict=True)]
        weights.add(spots[0], 1.0 * (sizes[0] >= sizes[1]))
        weights.add(spots[1], -1.0 * (sizes[0] < sizes[1]))
        return Slopes({name: weights.of_spline()}, {}, xp.zeros(leg.turn.span.size))

    return found


def _energy_swing(leg: Leg) -> Slopes:
    return combined((1.0, energy(leg)[1]), (-1.0, energy_stance(leg)))


def _cost_of_transport(leg: Leg) -> Slopes:
    """C = E/(|speed| span weight); zero where the body only sways, whose cost is infinite."""
    xp, span, weight = leg.xp, leg.turn.span, leg.turn.numbers["weight"]
    (spent, by_energy), (speed, by_speed) = energy(leg), body_speed(leg)
    values = leg.turn.series[f"{leg.foot}.x"]
    ends = [leg.value("x", extreme(xp, values, leg.path["x"], sign)) for sign in (1.0, -1.0)]
    with np.errstate(divide="ignore", invalid="ignore"):
        goes = walks(speed * span, ends[0] - ends[1])
        per = xp.where(goes, 1.0 / (abs(speed) * span * weight), 0.0)
        cost = spent * per
        by_its_speed = xp.where(goes, -cost / speed, 0.0)
        own = Slopes({}, {"weight": xp.where(goes, -cost / weight, 0.0)}, -cost / span)
    return combined((per, by_energy), (by_its_speed, by_speed), (1.0, own))


SLOPES: dict[str, Callable[[Leg], Slopes]] = {
    "step_length": _step_length,
    "step_height": _extent("y"),
    "curve_length": _extent("x"),
    "straightness": _ratio("step_length", "curve_length"),
    "leg_length": _leg_length,
    "hip_height": _hip_height,
    "relative_step": _ratio("step_length", "leg_length", sized=True),
    "lifting": _ratio("step_height", "leg_length"),
    "penetration": _penetration,
    "scuffing": _scuffing,
    "period": _period,
    "duty": _duty,
    "flatness": _flatness,
    "body_speed": lambda leg: body_speed(leg)[1],
    "touchdown_speed": _touchdown_speed,
    "torque": _largest(lambda leg: f"{leg.drive}.torque"),
    "acceleration": _largest(lambda leg: f"{leg.foot}.acceleration"),
    "relative_acceleration": _relative_acceleration,
    "energy": lambda leg: energy(leg)[1],
    "energy_stance": energy_stance,
    "energy_swing": _energy_swing,
    "cost_of_transport": _cost_of_transport,
}
"""Of every number of a leg."""


def slopes_of(
    turn: Turn, names: Sequence[str], foot: str, drive: str, drives: Sequence[str], moving_hip: str | None
) -> dict[str, Slopes]:
    """Derivatives of some numbers of all designs."""
    leg = Leg(turn, foot, drive, drives, moving_hip)
    return {name: SLOPES[name](leg) for name in names}
