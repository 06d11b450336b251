"""Derivatives of energies of legs, integrals of |P|: each sample of the power counts by the sign of P around it."""

from __future__ import annotations

from typing import Any

from gaitwright.design.many.equations import POWER
from gaitwright.design.many.measures import Slopes
from gaitwright.legs.cubics import Cubics, monotone, smooth, turning, zero
from gaitwright.legs.many_leg import Leg, Weights, combined

Array = Any


def energy(leg: Leg) -> tuple[Array, Slopes]:
    """Over the turn: J, and its derivatives."""
    xp, series, span = leg.xp, {}, leg.xp.zeros(leg.size)
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
    return span * leg.turn.span, Slopes(series, {}, span)


def energy_stance(leg: Leg) -> Slopes:
    """In stance, whose ends move."""
    xp, stance, series, span = leg.xp, leg.stance, {}, leg.xp.zeros(leg.size)
    path, level = leg.weights(), xp.zeros(leg.size)
    at = stance.s, stance.i
    for drive in leg.drives:
        name = f"{drive}{POWER}"
        power = smooth(xp, leg.turn.series[name])
        of, weights = power.at(at), Weights(xp, leg.turn.series[name])
        moments = _moments_between(xp, of, stance.low, stance.high)
        weights.add_moments(at, moments)
        series[name] = weights.of_spline() * leg.h
        total = sum(part * moment for part, moment in zip(of, moments, strict=True))
        span = span + xp.bincount(stance.i, total, minlength=leg.size) / leg.samples
        for spot, sign in leg.crossings():
            there = abs(power.at((spot.s, spot.i)).value(spot.u)) * leg.h[spot.i]
            leg.crossing(path, level, spot, sign * there)
    return combined((1.0, Slopes(series, {}, span)), (1.0, leg.of_path(path, level)))


def _signed_moments(xp: Any, of: Cubics) -> list[Array]:
    """Integrals of sign(P) u^k over every interval, k = 0 to 3."""
    sign = xp.where(of.value(0.5) < 0.0, -1.0, 1.0)
    moments = [sign / (k + 1.0) for k in range(4)]
    doubtful = of.a * of.value(1.0) <= 0.0
    doubtful[turning(xp, of)[0]] = True
    place = xp.nonzero(doubtful)
    count = place[0].size
    for moment, total in zip(moments, _moments_between(xp, of.at(place), xp.zeros(count), xp.ones(count)), strict=True):
        moment[place] = total
    return moments


def _moments_between(xp: Any, some: Cubics, begins: Array, ends: Array) -> list[Array]:
    """The same of entries of a list, over stretches of their intervals."""
    totals = [xp.zeros(some.a.size) for _ in range(4)]
    for low, high in monotone(xp, some, begins, ends):
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
    return totals
