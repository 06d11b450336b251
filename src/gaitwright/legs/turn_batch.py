"""Turns of many legs at once: the quantities of `MeasuredTurn` (turn_numbers.py) on arrays with a column per design.

The definitions are those of foot.py and loads.py: the path of the foot as cubics through positions and velocities, torque and
power as splines, with exact extremes and zeros between the samples. With traced arrays, the derivatives of the quantities
follow from measures/array_derivatives.py."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.measures import POWER_SUFFIX, DesignMeasures, DesignSeries, MeasureDerivatives, MeasureSource
from gaitwright.codegen.tracing import TracedNumberReader
from gaitwright.derive.term_graph import Term
from gaitwright.legs.leg import CLOSURE_RTOL
from gaitwright.legs.settings import DEFAULT_PENETRATION_RATIO, LegSettings, period_expression, read_settings
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.measures.array_derivatives import (
    Array,
    TracedArray,
    concatenate,
    differentiate,
    implicit_point,
    plain,
    replace_at,
    sqrt,
    sum_by,
    where,
)
from gaitwright.measures.cubics import (
    CubicCurves,
    CubicSegments,
    find_zeros,
    greatest_by,
    integrate_absolute,
    positive_intervals,
    spline_curves,
    split_monotone,
)
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model

NEVER_LEAVES = "the foot never leaves the ground"
NEVER_REACHES = "no foot reaches the ground"
NOT_ONE_TURN = "the analysis does not end after one turn of the crank"
NO_DEPTH = "the penetration of the foot into the ground is not above zero"
PATH_NOT_CLOSED = "after a turn the foot is not where it began"
PERIOD_RTOL = 1e-9


class BatchOutputs(NamedTuple):
    """Names of the outputs of a leg. foot: point. drive: drive with the measured torque. drives: all. moving_hip: point of the
    hip, if it moves."""

    foot: str
    drive: str
    drives: Sequence[str]
    moving_hip: str | None = None

    @property
    def series(self) -> list[str]:
        """Names of the required outputs."""
        names = [f"{self.foot}.{output}" for output in ("x", "y", "vx", "vy", "acceleration")]
        names += [f"{self.drive}.torque", *(f"{drive}{POWER_SUFFIX}" for drive in self.drives)]
        return names if self.moving_hip is None else [*names, f"{self.moving_hip}.y"]


class StanceIntervals(NamedTuple):
    """List of the parts of all intervals in which a foot is below the ground: interval s, design i, u from low to high.
    touchdowns, liftoffs: entries whose low or high is a crossing of the ground."""

    s: Array
    i: Array
    low: Array
    high: Array
    touchdowns: Array
    liftoffs: Array


class TurnBatch:
    """Quantities of one turn of many legs, each (n_designs,), computed when they are first used. Lengths in m, times in s."""

    def __init__(self, turn: DesignSeries, outputs: BatchOutputs):
        self.xp, self.outputs = turn.xp, outputs
        self.series, self.numbers, self.period = turn.series, turn.numbers, turn.span
        self.size = turn.span.size
        self.interval = turn.span / (turn.series[f"{outputs.foot}.x"].shape[0] - 1)

    def traced(self) -> TurnBatch:
        """The same turns on traced arrays."""
        series, numbers = (
            {name: TracedArray(values) for name, values in arrays.items()} for arrays in (self.series, self.numbers)
        )
        return TurnBatch(DesignSeries(series, TracedArray(self.period), numbers, self.xp), self.outputs)

    # the foot

    def _path(self, coordinate: str) -> CubicCurves:
        foot = self.outputs.foot
        rates = self.series[f"{foot}.v{coordinate}"]
        return CubicCurves(self.xp, self.series[f"{foot}.{coordinate}"], rates * self.interval)

    @cached_property
    def x(self) -> CubicCurves:
        return self._path("x")

    @cached_property
    def y(self) -> CubicCurves:
        return self._path("y")

    @cached_property
    def acceleration(self) -> CubicCurves:
        """Acceleration of the foot, m/s^2."""
        return spline_curves(self.xp, self.series[f"{self.outputs.foot}.acceleration"])

    @cached_property
    def hip(self) -> Array:
        """Height of the hip, or its mean height if it moves."""
        if self.outputs.moving_hip is None:
            return self.numbers["hip"]
        return spline_curves(self.xp, self.series[f"{self.outputs.moving_hip}.y"]).mean

    @cached_property
    def level(self) -> Array:
        """Height of the ground: given, or above the lowest point of the foot."""
        xp, numbers, lowest = self.xp, self.numbers, self.y.least
        depth = where(
            xp, xp.isnan(plain(numbers["penetration"])),
            DEFAULT_PENETRATION_RATIO * abs(self.hip - lowest), numbers["penetration"],
        )  # fmt: skip
        return where(xp, xp.isnan(plain(numbers["level"])), lowest + depth, numbers["level"])

    @property
    def step_height(self) -> Array:
        return self.y.greatest - self.y.least

    @property
    def curve_length(self) -> Array:
        return self.x.greatest - self.x.least

    @property
    def leg_length(self) -> Array:
        return self.hip - self.y.least

    @property
    def hip_height(self) -> Array:
        return self.hip - self.level

    @property
    def penetration(self) -> Array:
        return self.level - self.y.least

    # the stance

    @cached_property
    def stance(self) -> StanceIntervals:
        stance = find_stance(self.xp, self.y, plain(self.level))
        if not isinstance(self.level, TracedArray):
            return stance
        ends = {"low": stance.low, "high": stance.high}
        for end, crossings in (("low", stance.touchdowns), ("high", stance.liftoffs)):
            i, u = stance.i[crossings], ends[end][crossings]
            segments = self.y.at((stance.s[crossings], i))
            crossing = implicit_point(u, segments.value(u) - self.level[i], segments.slope(u))
            ends[end] = replace_at(ends[end], crossings, crossing)
        return stance._replace(**ends)

    def _total(self, values: Array) -> Array:
        """Sums over the parts of the stance of each design."""
        return sum_by(self.xp, self.stance.i, values, self.size)

    @cached_property
    def stance_intervals(self) -> Array:
        """Duration of the stance in sample intervals."""
        return self._total(self.stance.high - self.stance.low)

    @property
    def stance_time(self) -> Array:
        return self.stance_intervals * self.interval

    @property
    def duty(self) -> Array:
        return self.stance_time / self.period

    @property
    def step_length(self) -> Array:
        xp, stance = self.xp, self.stance
        (s, i), u = self.x.turning_points
        low_enough = xp.nonzero(self.y.segments.at((s, i)).value(u) < plain(self.level)[i])[0]
        s = xp.concatenate([stance.s, stance.s, s[low_enough]])
        i = xp.concatenate([stance.i, stance.i, i[low_enough]])
        u = concatenate(xp, [stance.low, stance.high, u[low_enough]])
        return self.x.greatest_of((s, i), u) + self.x.greatest_of((s, i), u, sign=-1.0)

    @cached_property
    def body_speed(self) -> Array:
        """Given speed, m/s, or minus the mean x velocity of the foot in stance."""
        x_segments, given_speed = self.x.at((self.stance.s, self.stance.i)), self.numbers["body_speed"]
        mean = -self._total(x_segments.value(self.stance.high) - x_segments.value(self.stance.low)) / self.stance_time
        return where(self.xp, self.xp.isnan(plain(given_speed)), mean, given_speed)

    @property
    def touchdown_speed(self) -> Array:
        """Greatest speed of the foot towards the ground at a touchdown, m/s."""
        touchdowns = self.stance.touchdowns
        s, i = self.stance.s[touchdowns], self.stance.i[touchdowns]
        speeds = -self.y.at((s, i)).slope(self.stance.low[touchdowns]) / self.interval[i]
        return greatest_by(self.xp, i, speeds, self.size)

    @property
    def scuffing(self) -> Array:
        """Part of the stance in which the foot moves forward."""
        xp, stance = self.xp, self.stance
        direction = xp.sign(plain(self.body_speed))
        speed = spline_curves(xp, self.series[f"{self.outputs.foot}.vx"]).at((stance.s, stance.i))
        forward = CubicSegments(*(part * direction[stance.i] for part in speed))
        parts = positive_intervals(xp, forward, stance.low, stance.high)
        fraction = self._total(sum(high - low for low, high in parts)) / self.stance_intervals
        return where(xp, xp.isfinite(direction), fraction, np.nan)

    @property
    def flatness(self) -> Array:
        """Root-mean-square deviation of the height in stance from its mean."""
        stance = self.stance
        nodes, weights = np.polynomial.legendre.leggauss(4)  # exact for the square of a cubic
        y_segments = self.y.at((stance.s, stance.i))
        middle, half = 0.5 * (stance.low + stance.high), 0.5 * (stance.high - stance.low)
        heights = [y_segments.value(middle + half * node) - self.level[stance.i] for node in nodes.tolist()]

        def mean(values: Sequence[Array]) -> Array:
            weighted = [weight * half * value for weight, value in zip(weights.tolist(), values, strict=True)]
            return self._total(sum(weighted)) / self.stance_intervals

        deviations = [height - mean(heights)[stance.i] for height in heights]
        return sqrt(self.xp, mean([deviation * deviation for deviation in deviations]))

    # the drives

    @cached_property
    def torque(self) -> CubicCurves:
        """Torque of the measured drive, N m."""
        return spline_curves(self.xp, self.series[f"{self.outputs.drive}.torque"])

    @cached_property
    def _powers(self) -> list[tuple[CubicCurves, Array]]:
        """Power of each drive, and its absolute integral over each interval."""
        powers = (spline_curves(self.xp, self.series[f"{drive}{POWER_SUFFIX}"]) for drive in self.outputs.drives)
        return [(power, power.absolute_integrals()) for power in powers]

    @property
    def energy(self) -> Array:
        """Integral of |P| of all drives, J."""
        return sum(parts.sum(axis=0) for _, parts in self._powers) * self.interval

    @property
    def energy_stance(self) -> Array:
        """The same in stance."""
        xp, stance, total = self.xp, self.stance, 0.0
        is_complete = (plain(stance.low) == 0.0) & (plain(stance.high) == 1.0)
        (complete,), (partial,) = xp.nonzero(is_complete), xp.nonzero(~is_complete)
        s, i = stance.s[partial], stance.i[partial]
        for power, parts in self._powers:
            total = total + sum_by(xp, stance.i[complete], parts[stance.s[complete], stance.i[complete]], self.size)
            ends = integrate_absolute(xp, power.at((s, i)), stance.low[partial], stance.high[partial])
            total = total + sum_by(xp, i, ends, self.size)
        return total * self.interval

    @property
    def energy_swing(self) -> Array:
        return self.energy - self.energy_stance

    @property
    def cost_of_transport(self) -> Array:
        """Energy / (weight x distance); infinite if the body only sways."""
        distance = abs(self.body_speed * self.period)
        walks = plain(distance) > CLOSURE_RTOL * plain(self.curve_length)
        return where(self.xp, walks, self.energy / (distance * self.numbers["weight"]), np.inf)

    def invalid_designs(self) -> dict[str, Array]:
        """Masks of the designs whose numbers are invalid, by reason; of plain arrays."""
        xp, size = self.xp, self.xp.maximum(abs(self.leg_length), self.curve_length)
        gap = xp.hypot(*(curve.samples[-1] - curve.samples[0] for curve in (self.x, self.y)))
        return {
            NOT_ONE_TURN: abs(self.period - self.numbers["period"]) > PERIOD_RTOL * self.numbers["period"],
            NO_DEPTH: self.numbers["penetration"] <= 0.0,
            PATH_NOT_CLOSED: gap > CLOSURE_RTOL * size,
            NEVER_LEAVES: self.stance_time >= self.period * (1.0 - 1e-12),
            NEVER_REACHES: self.stance_time <= 0.0,
        }


def find_stance(xp: Any, y: CubicCurves, level: Array) -> StanceIntervals:
    """Intervals in which a foot is below a level (n_designs,)."""
    height_segments = y.segments._replace(a=y.segments.a - level)
    before, after = height_segments.a < 0.0, height_segments.value(1.0) < 0.0
    simple = xp.ones(before.shape, dtype=bool)
    simple[y.turning_points[0]] = False
    s, i = xp.nonzero(simple & before & after)
    no_crossing = xp.zeros(s.size, dtype=bool)
    pieces = [(s, i, xp.zeros(s.size), xp.ones(s.size), no_crossing, no_crossing)]
    rest = xp.nonzero((simple & (before != after)) | ~simple)
    segments = height_segments.at(rest)
    for low, high in split_monotone(xp, segments, xp.zeros(rest[0].size), xp.ones(rest[0].size)):
        begins, ends = segments.value(low) < 0.0, segments.value(high) < 0.0
        empty = high <= low
        below = xp.nonzero(begins & ends & ~empty)[0]
        no_crossing = xp.zeros(below.size, dtype=bool)
        pieces.append((rest[0][below], rest[1][below], low[below], high[below], no_crossing, no_crossing))
        crossing = xp.nonzero((begins != ends) & ~empty)[0]
        u, down = find_zeros(xp, segments.at(crossing), low[crossing], high[crossing]), ends[crossing]
        low, high = xp.where(down, u, low[crossing]), xp.where(down, high[crossing], u)
        pieces.append((rest[0][crossing], rest[1][crossing], low, high, down, ~down))
    s, i, low, high, down, up = (xp.concatenate(parts) for parts in zip(*pieces, strict=True))
    return StanceIntervals(s, i, low, high, xp.nonzero(down)[0], xp.nonzero(up)[0])


def make_leg_source(model: Model) -> MeasureSource:
    """Source of the measures of one turn of a leg, for gw.designs. Using it for a leg with several feet raises ModelError."""
    settings = read_settings(model)
    if len(settings.feet) != 1:
        return MeasureSource(
            LEG_MEASURES.descriptions,
            (),
            lambda *_: _fail_several_feet(settings.feet),
            lambda turn: DesignMeasures({}, {}),
        )
    drives = dict.fromkeys(names.name for names in model.mechanism().constraint_names if names.kind == "drive")
    moving = settings.hip if settings.hip and settings.hip not in model.mechanism().ground_points else None
    outputs = BatchOutputs(settings.feet[0], settings.drive, list(drives), moving)

    def numbers(traced: TracedNumberReader, mechanism: Mechanism) -> dict[str, Term]:
        return _leg_parameters(model, settings, traced, mechanism)

    return MeasureSource(
        LEG_MEASURES.descriptions, outputs.series, numbers, lambda turn: measure_turns(TurnBatch(turn, outputs)),
        tuple(LEG_MEASURES), lambda turn, names: differentiate_turns(TurnBatch(turn, outputs), names),
    )  # fmt: skip


def measure_turns(batch: TurnBatch) -> DesignMeasures:
    """All measures of legs, by name, (n_designs,), and masks of invalid designs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return DesignMeasures({name: compute_measure(name, batch) for name in LEG_MEASURES}, batch.invalid_designs())


def compute_measure(name: str, batch: TurnBatch) -> Array:
    """Compute a measure of all legs, (n_designs,)."""
    function = LEG_MEASURES[name].array
    assert function is not None
    return function(batch)


def differentiate_turns(batch: TurnBatch, names: Sequence[str]) -> dict[str, MeasureDerivatives]:
    """Derivatives of the named measures of all designs."""
    traced, derivatives = batch.traced(), {}
    variables = [*traced.series.values(), *traced.numbers.values(), traced.period]
    for name in names:
        with np.errstate(divide="ignore", invalid="ignore"):
            *slopes, period_slope = differentiate(batch.xp, compute_measure(name, traced), variables)
        by_name = {
            key: slope
            for key, slope in zip([*traced.series, *traced.numbers], slopes, strict=True)
            if slope is not None
        }
        series, numbers = (
            {key: by_name[key] for key in keys if key in by_name} for keys in (traced.series, traced.numbers)
        )
        derivatives[name] = MeasureDerivatives(
            series, numbers, batch.xp.zeros(batch.size) if period_slope is None else period_slope
        )
    return derivatives


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

    def gait_term(name: str) -> Term:
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
    gravity_squared = sum((graph.term(g) ** 2 for g in mechanism.gravity), graph.number(0.0))
    parameters = {name: gait_term(name) for name in ("penetration", "level", "body_speed")}
    parameters["period"] = traced.written(period) if isinstance(period, str) else graph.number(np.nan)
    return {**parameters, "hip": hip, "weight": mass * graph.call("sqrt", gravity_squared)}
