"""Numbers of legs (turn_measures.py) for many designs at once: one turn in the air of each, on arrays.

The definitions are those of foot.py and loads.py: the path of the foot as cubics through positions and velocities, torque and
power as splines, with exact extremes and zeros between the samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.equations import POWER_SUFFIX
from gaitwright.codegen.measures import DesignMeasures, DesignSeries, MeasureDerivatives, MeasureSource
from gaitwright.codegen.tracing import TracedNumberReader
from gaitwright.derive.term_graph import Term
from gaitwright.legs.leg import CLOSURE_RTOL
from gaitwright.legs.settings import DEFAULT_PENETRATION_RATIO, LegSettings, period_expression, read_settings
from gaitwright.legs.turn_numbers import LEG_MEASURE_UNITS, LEG_RATIOS, relative_acceleration
from gaitwright.legs.vectorised.cubics import (
    CubicSegments,
    find_extremes,
    find_turning_points,
    find_zeros,
    hermite_cubics,
    integrate_absolute,
    maximum_at,
    minimum_at,
    spline_cubics,
    split_monotone,
)  # fmt: skip
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model

Array = Any
NEVER_LEAVES = "the foot never leaves the ground"
NEVER_REACHES = "no foot reaches the ground"
NOT_ONE_TURN = "the analysis does not end after one turn of the crank"
NO_DEPTH = "the penetration of the foot into the ground is not above zero"
PERIOD_RTOL = 1e-9
PATH_NOT_CLOSED = "after a turn the foot is not where it began"


class StanceIntervals(NamedTuple):
    """List of the parts of all intervals in which a foot is below the ground: interval s, design i, u from low to high. down:
    intervals, designs and u of touchdowns."""

    s: Array
    i: Array
    low: Array
    high: Array
    down: tuple[Array, Array, Array]


def make_leg_source(model: Model) -> MeasureSource:
    """Source of the numbers of one turn of a leg, for gw.designs. Using it for a leg with several feet raises ModelError."""
    settings = read_settings(model)
    if len(settings.feet) != 1:
        return MeasureSource(
            LEG_MEASURE_UNITS, (), lambda *_: _fail_several_feet(settings.feet), lambda turn: DesignMeasures({}, {})
        )
    (foot,) = settings.feet
    drives = [names.name for names in model.mechanism().constraint_names if names.kind == "drive"]
    series = [f"{foot}.{what}" for what in ("x", "y", "vx", "vy", "acceleration")]
    series += [f"{settings.drive}.torque", *(f"{drive}{POWER_SUFFIX}" for drive in dict.fromkeys(drives))]
    moving = settings.hip if settings.hip and settings.hip not in model.mechanism().ground_points else None
    series += [f"{moving}.y"] if moving else []

    def numbers(traced: TracedNumberReader, mechanism: Mechanism) -> dict[str, Term]:
        return _leg_parameters(model, settings, traced, mechanism)

    def measure(turn: DesignSeries) -> DesignMeasures:
        return measure_legs(turn, foot, settings.drive, list(dict.fromkeys(drives)), moving)

    def slopes(turn: DesignSeries, names: Sequence[str]) -> dict[str, MeasureDerivatives]:
        from gaitwright.legs.vectorised.gradients import differentiate_measures

        return differentiate_measures(turn, names, foot, settings.drive, list(dict.fromkeys(drives)), moving)

    return MeasureSource(LEG_MEASURE_UNITS, series, numbers, measure, tuple(LEG_MEASURE_UNITS), slopes)


def _fail_several_feet(feet: Sequence[str]) -> NoReturn:
    ErrorContext("designs", "measures").fail(
        f"the numbers of a leg with {len(feet)} feet cannot be printed yet", list(feet),
        f"one foot, measures of outputs such as {feet[0]}.y.range, or gw.sweep with gw.measure_leg",
    )  # fmt: skip


def _leg_parameters(
    model: Model, settings: LegSettings, traced: TracedNumberReader, mechanism: Mechanism
) -> dict[str, Term]:
    """Terms of the leg's settings and properties that do not depend on its motion; NaN if not given."""
    graph, gait, period = traced.graph, model.document.gait, period_expression(model)

    def given(name: str) -> Term:
        value = getattr(gait, name)
        return (
            graph.number(np.nan)
            if value is None
            else traced.written(value)
            if isinstance(value, str)
            else graph.number(value)
        )

    ground = mechanism.ground_points
    hip = graph.term(ground[settings.hip][1]) if settings.hip and settings.hip in ground else graph.number(0.0)
    mass = sum((graph.term(part.mass) for part in mechanism.parts.values()), graph.number(0.0))
    pull = sum((graph.term(g) ** 2 for g in mechanism.gravity), graph.number(0.0))
    named = {name: given(name) for name in ("penetration", "level", "body_speed")}
    named["period"] = traced.written(period) if isinstance(period, str) else graph.number(np.nan)
    return {**named, "hip": hip, "weight": mass * graph.call("sqrt", pull)}


def measure_legs(
    turn: DesignSeries, foot: str, drive: str, drives: Sequence[str], moving_hip: str | None
) -> DesignMeasures:
    """All numbers of legs, by name, (n_designs,), and masks of invalid designs. moving_hip: name of the hip, if it moves."""
    xp, series, numbers = turn.xp, turn.series, turn.numbers
    samples, size = series[f"{foot}.x"].shape[0] - 1, turn.span.size
    h = turn.span / samples
    x, y = (hermite_cubics(series[f"{foot}.{c}"], series[f"{foot}.v{c}"] * h) for c in "xy")
    x_turns, y_turns = find_turning_points(xp, x), find_turning_points(xp, y)
    across, heights = (
        find_extremes(xp, series[f"{foot}.x"], x, x_turns),
        find_extremes(xp, series[f"{foot}.y"], y, y_turns),
    )
    hip = numbers["hip"]
    if moving_hip is not None:
        hip = mean_height(turn, moving_hip)
    level, _ = ground_level(turn._replace(numbers={**numbers, "hip": hip}), heights.least)
    stance = find_stance(xp, y, level, y_turns)
    where = stance.s, stance.i

    def total(values: Array) -> Array:
        return xp.bincount(stance.i, values, minlength=size)

    took = total(stance.high - stance.low) * h
    there = x.at(where)
    begin, end = there.value(stance.low), there.value(stance.high)
    left, right = xp.full(size, np.inf), xp.full(size, -np.inf)
    turned, u = x_turns
    low_enough = y.at(turned).value(u) < level[turned[1]]
    inner = x.at(turned).value(u)[low_enough]
    for place, values in ((stance.i, begin), (stance.i, end), (turned[1][low_enough], inner)):
        minimum_at(xp, left, place, values)
        maximum_at(xp, right, place, values)
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = xp.where(xp.isnan(numbers["body_speed"]), -total(end - begin) / took, numbers["body_speed"])
    falling = xp.full(size, -np.inf)
    s, i, u = stance.down
    maximum_at(xp, falling, i, -y.at((s, i)).slope(u) / h[i])
    with np.errstate(divide="ignore", invalid="ignore"):
        forward = forward_time(xp, spline_cubics(xp, series[f"{foot}.vx"]), stance, xp.sign(speed))
        scuffing = forward * h / took
    energy, in_stance = _drive_energies(
        xp, [spline_cubics(xp, series[f"{name}{POWER_SUFFIX}"]) for name in drives], stance, size
    )
    torque = series[f"{drive}.torque"]
    torques, rises = (
        find_extremes(xp, values, spline_cubics(xp, values)) for values in (torque, series[f"{foot}.acceleration"])
    )
    length, leg_length, step_height = (
        across.greatest - across.least,
        hip - heights.least,
        heights.greatest - heights.least,
    )
    distance = speed * turn.span
    distance = xp.where(is_walking(distance, length), abs(distance), 0.0)
    walked = distance * numbers["weight"]
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = energy * h / walked  # infinite if the body only sways
    numbers_by_name = {
        "step_length": right - left,
        "step_height": step_height,
        "curve_length": length,
        "leg_length": leg_length,
        "hip_height": hip - level,
        "penetration": level - heights.least,
        "scuffing": scuffing,
        "period": turn.span,
        "duty": took / turn.span,
        "flatness": _flatness(xp, y, level, stance, size),
        "body_speed": speed,
        "touchdown_speed": falling,
        "acceleration": rises.greatest,
        "relative_acceleration": relative_acceleration(rises.greatest, length, turn.span),
        "torque": xp.maximum(abs(torques.least), abs(torques.greatest)),
        "energy": energy * h,
        "energy_stance": in_stance * h,
        "energy_swing": (energy - in_stance) * h,
        "cost_of_transport": cost,
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, ratio in LEG_RATIOS.items():
            under = numbers_by_name[ratio.denominator]
            numbers_by_name[name] = numbers_by_name[ratio.numerator] / (abs(under) if ratio.size else under)
    path_x, path_y = series[f"{foot}.x"], series[f"{foot}.y"]
    apart = xp.hypot(path_x[-1] - path_x[0], path_y[-1] - path_y[0])
    with np.errstate(invalid="ignore"):
        other = abs(turn.span - numbers["period"]) > PERIOD_RTOL * numbers["period"]
        too_high = numbers["penetration"] <= 0.0
    wrong = {
        NOT_ONE_TURN: other,
        NO_DEPTH: too_high,
        PATH_NOT_CLOSED: apart > CLOSURE_RTOL * xp.maximum(abs(hip - heights.least), length),
        NEVER_LEAVES: took >= turn.span * (1.0 - 1e-12),
        NEVER_REACHES: took <= 0.0,
    }
    return DesignMeasures(numbers_by_name, wrong)


def forward_time(xp: Any, speed: CubicSegments, stance: StanceIntervals, ahead: Array) -> Array:
    """Time of forward motion of a foot in stance, in intervals, (n_designs,). speed: of the foot in x. ahead: direction of the
    body, 1 or -1."""
    part, size = xp.zeros(stance.low.shape), ahead.shape[0]
    of = speed.at((stance.s, stance.i))
    forward = CubicSegments(*(c * ahead[stance.i] for c in of))
    for low, high, _ in positive_intervals(xp, forward, stance.low, stance.high):
        part += high - low
    return xp.where(xp.isfinite(ahead), xp.bincount(stance.i, part, minlength=size), np.nan)


def positive_intervals(
    xp: Any, of: CubicSegments, begins: Array, ends: Array
) -> list[tuple[Array, Array, tuple[Array, Array]]]:
    """Intervals in which a list of cubics is above zero: from, to (equal if empty), and masks of the ends that are zeros of the
    cubic."""
    intervals = []
    for low, high in split_monotone(xp, of, begins, ends):
        before, after = of.value(low) > 0.0, of.value(high) > 0.0
        middle = high.copy()
        at = xp.nonzero(before != after)[0]
        if at.size:
            middle[at] = find_zeros(xp, CubicSegments(*(c[at] for c in of)), low[at], high[at])
        first = xp.where(before, low, xp.where(after, middle, low))
        last = xp.where(after, high, xp.where(before, middle, low))
        intervals.append((first, last, (~before & after, before & ~after)))
    return intervals


def mean_height(turn: DesignSeries, point: str) -> Array:
    """Mean height of a moving point, m, (n_designs,)."""
    values = turn.series[f"{point}.y"]
    return spline_cubics(turn.xp, values).integral(1.0).sum(axis=0) / (values.shape[0] - 1)


def is_walking(distance: Array, length: Array) -> Array:
    """True if the body advances in a turn; otherwise it only sways. distance: of the body, m. length: of the foot's curve,
    m."""
    return abs(distance) > CLOSURE_RTOL * length


def ground_level(turn: DesignSeries, lowest: Array) -> tuple[Array, dict[str, Array]]:
    """Height of the ground, m, (n_designs,), and its derivatives by name. lowest: height of the foot's lowest point, m."""
    xp, numbers = turn.xp, turn.numbers
    given, deep = ~xp.isnan(numbers["level"]), ~xp.isnan(numbers["penetration"])
    side = xp.sign(numbers["hip"] - lowest)
    depth = xp.where(deep, numbers["penetration"], DEFAULT_PENETRATION_RATIO * abs(numbers["hip"] - lowest))
    slopes = {
        "level": 1.0 * given,
        "penetration": 1.0 * (~given & deep),
        "hip": DEFAULT_PENETRATION_RATIO * side * (~given & ~deep),
        "lowest": xp.where(given, 0.0, xp.where(deep, 1.0, 1.0 - DEFAULT_PENETRATION_RATIO * side)),
    }
    return xp.where(given, numbers["level"], lowest + depth), slopes


def find_stance(xp: Any, y: CubicSegments, level: Array, turns: tuple[Any, Array] | None = None) -> StanceIntervals:
    """Intervals in which a foot is below a level (n_designs,). turns: extremes of y, if they are known."""
    turns = find_turning_points(xp, y) if turns is None else turns
    over = y._replace(a=y.a - level)
    before, after = over.a < 0.0, over.value(1.0) < 0.0
    simple = xp.ones(before.shape, dtype=bool)
    simple[turns[0]] = False
    s, i = xp.nonzero(simple & before & after)
    pieces = [(s, i, xp.zeros(s.size), xp.ones(s.size))]
    downs = []
    rest = xp.nonzero((simple & (before != after)) | ~simple)
    of = over.at(rest)
    for low, high in split_monotone(xp, of, xp.zeros(rest[0].size), xp.ones(rest[0].size)):
        begins, ends = of.value(low) < 0.0, of.value(high) < 0.0
        empty = high <= low
        whole = xp.nonzero(begins & ends & ~empty)[0]
        pieces.append((rest[0][whole], rest[1][whole], low[whole], high[whole]))
        cut = xp.nonzero((begins != ends) & ~empty)[0]
        u = find_zeros(xp, CubicSegments(*(c[cut] for c in of)), low[cut], high[cut])
        down = ends[cut]
        pieces.append((rest[0][cut], rest[1][cut], xp.where(down, u, low[cut]), xp.where(down, high[cut], u)))
        downs.append((rest[0][cut][down], rest[1][cut][down], u[down]))
    s, i, low, high = (xp.concatenate(parts) for parts in zip(*pieces, strict=True))
    down = tuple(xp.concatenate(parts) for parts in zip(*downs, strict=True))
    return StanceIntervals(s, i, low, high, down)  # pyright: ignore[reportArgumentType]


def _flatness(xp: Any, y: CubicSegments, level: Array, stance: StanceIntervals, size: int) -> Array:
    """Root-mean-square deviation of the height in stance from its mean, m, (n_designs,)."""
    places, weights = np.polynomial.legendre.leggauss(4)  # exact for the square of a cubic
    of = y._replace(a=y.a - level).at((stance.s, stance.i))
    middle, half = 0.5 * (stance.low + stance.high), 0.5 * (stance.high - stance.low)
    values = [of.value(middle + half * place) for place in places.tolist()]

    def mean(powers: Sequence[Array]) -> Array:
        summed = sum(weight * half * value for weight, value in zip(weights.tolist(), powers, strict=True))
        return xp.bincount(stance.i, summed, minlength=size)

    with np.errstate(divide="ignore", invalid="ignore"):
        length = xp.bincount(stance.i, 2.0 * half, minlength=size)
        about = mean(values) / length
        return xp.sqrt(mean([(value - about[stance.i]) ** 2 for value in values]) / length)


def _drive_energies(
    xp: Any, powers: Sequence[CubicSegments], stance: StanceIntervals, size: int
) -> tuple[Array, Array]:
    """Integrals of |P| over the turn and over the stance, in units of the sample interval, (n_designs,)."""
    whole, part = xp.zeros(size), xp.zeros(size)
    for power in powers:
        done = abs(power.integral(1.0))
        doubtful = power.a * power.value(1.0) <= 0.0
        doubtful[find_turning_points(xp, power)[0]] = True
        place = xp.nonzero(doubtful)
        count = place[0].size
        done[place] = integrate_absolute(xp, power.at(place), xp.zeros(count), xp.ones(count))
        whole += done.sum(axis=0)
        complete = (stance.low == 0.0) & (stance.high == 1.0)
        s, i = stance.s[complete], stance.i[complete]
        part += xp.bincount(i, done[s, i], minlength=size)
        s, i, low, high = (values[~complete] for values in stance[:4])  # pyright: ignore[reportGeneralTypeIssues]
        part += xp.bincount(i, integrate_absolute(xp, power.at((s, i)), low, high), minlength=size)
    return whole, part
