"""Derivatives of energies of legs, integrals of |P|: the weight of a power sample depends on the sign of P around it."""

from __future__ import annotations

from typing import Any

from gaitwright.codegen.equations import POWER_SUFFIX
from gaitwright.codegen.measures import MeasureDerivatives
from gaitwright.legs.vectorised.cubics import (
    CubicSegments,
    find_turning_points,
    find_zeros,
    spline_cubics,
    split_monotone,
)
from gaitwright.legs.vectorised.geometry import CubicWeights, LegBatch, combine_derivatives

Array = Any


def differentiate_energy(leg: LegBatch) -> tuple[Array, MeasureDerivatives]:
    """Energy over the turn, J, (n_designs,), and its derivatives."""
    xp, series, span = leg.xp, {}, leg.xp.zeros(leg.size)
    for drive in leg.drives:
        name = f"{drive}{POWER_SUFFIX}"
        of = spline_cubics(xp, leg.turn.series[name])
        moments = _signed_moments(xp, of)
        weights = CubicWeights(xp, leg.turn.series[name])
        m0, m1, m2, m3 = moments
        weights.y[:-1] += m0 - 3.0 * m2 + 2.0 * m3
        weights.y[1:] += 3.0 * m2 - 2.0 * m3
        weights.d[:-1] += m1 - 2.0 * m2 + m3
        weights.d[1:] += m3 - m2
        series[name] = weights.of_spline() * leg.h
        a, b, c, d = of
        span = span + (a * m0 + b * m1 + c * m2 + d * m3).sum(axis=0) / leg.samples
    return span * leg.turn.span, MeasureDerivatives(series, {}, span)


def differentiate_stance_energy(leg: LegBatch) -> MeasureDerivatives:
    """Derivatives of the energy in stance, including the motion of its ends."""
    xp, stance, series, span = leg.xp, leg.stance, {}, leg.xp.zeros(leg.size)
    path, level = leg.weights(), xp.zeros(leg.size)
    at = stance.s, stance.i
    for drive in leg.drives:
        name = f"{drive}{POWER_SUFFIX}"
        power = spline_cubics(xp, leg.turn.series[name])
        of, weights = power.at(at), CubicWeights(xp, leg.turn.series[name])
        moments = _moments_between(xp, of, stance.low, stance.high)
        weights.add_moments(at, moments)
        series[name] = weights.of_spline() * leg.h
        total = sum(part * moment for part, moment in zip(of, moments, strict=True))
        span = span + xp.bincount(stance.i, total, minlength=leg.size) / leg.samples
        for spot, sign in leg.crossings():
            there = abs(power.at((spot.s, spot.i)).value(spot.u)) * leg.h[spot.i]
            leg.crossing(path, level, spot, sign * there)
    return combine_derivatives((1.0, MeasureDerivatives(series, {}, span)), (1.0, leg.of_path(path, level)))


def _signed_moments(xp: Any, of: CubicSegments) -> list[Array]:
    """Integrals of sign(P) u^k over every interval, k = 0 to 3, (n_intervals, n_designs)."""
    sign = xp.where(of.value(0.5) < 0.0, -1.0, 1.0)
    moments = [sign / (k + 1.0) for k in range(4)]
    doubtful = of.a * of.value(1.0) <= 0.0
    doubtful[find_turning_points(xp, of)[0]] = True
    place = xp.nonzero(doubtful)
    count = place[0].size
    for moment, total in zip(moments, _moments_between(xp, of.at(place), xp.zeros(count), xp.ones(count)), strict=True):
        moment[place] = total
    return moments


def _moments_between(xp: Any, some: CubicSegments, begins: Array, ends: Array) -> list[Array]:
    """The same for entries of a list, over parts of their intervals."""
    totals = [xp.zeros(some.a.size) for _ in range(4)]
    for low, high in split_monotone(xp, some, begins, ends):
        begin, end = some.value(low), some.value(high)
        changes = begin * end < 0.0
        middle = high.copy()
        at = xp.nonzero(changes)[0]
        if at.size:
            middle[at] = find_zeros(xp, CubicSegments(*(c[at] for c in some)), low[at], high[at])
        first = xp.where(changes, xp.sign(begin), xp.sign(begin + end))
        for k, total in enumerate(totals):
            p = k + 1
            total += first * (middle**p - low**p) / p + xp.sign(end) * (high**p - middle**p) / p
    return totals
