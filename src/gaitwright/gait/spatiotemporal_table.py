"""Spatio-temporal table of a walk: speed, cadence, lengths, times and shares of a cycle, per side, with asymmetry.

Lengths are distances between footprints: positions of the heel marker from 0.05 to 0.15 s after a strike, when it is
still; on a treadmill the belt moves the prints. They are measured along the direction of the prints, not along an axis of
the laboratory.
Values without a preceding or following step in the trial are left out; the table states the counts.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.gait.cycles import MAX_STRIDE_SECONDS, SIDES, Cycle, Cycles, find_cycles
from gaitwright.gait.events import GaitEvent
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS
from gaitwright.measures.measure import Measure, MeasureRegistry

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

HEEL_STILL_WINDOW_S = (0.05, 0.15)
"""s: interval after its strike in which a heel is still."""
MIN_WIDTH_STRIDE_M = 0.1
"""Stride length, m, up to which the line between its prints has no direction."""


class SampleStatistics(NamedTuple):
    """Mean, standard deviation (NaN for one value) and count of finite values; mean NaN without values."""

    mean: float
    deviation: float
    count: int

    @classmethod
    def of(cls, values: list[float]) -> SampleStatistics:
        array = np.asarray([v for v in values if np.isfinite(v)])
        if not len(array):
            return cls(float("nan"), float("nan"), 0)
        return cls(float(array.mean()), float(array.std(ddof=1)) if len(array) > 1 else float("nan"), len(array))


@dataclass(frozen=True)
class SpatiotemporalMeasure:
    """One row of the table. right, left: from the cycles or steps of a side; both: from all."""

    name: str
    unit: str
    right: SampleStatistics
    left: SampleStatistics
    both: SampleStatistics
    meaning: str

    @property
    def asymmetry(self) -> float:
        """(right - left) / mean of both, % (Robinson et al. 1987); NaN if a side is missing, and for quantities that can
        be zero."""
        total = self.right.mean + self.left.mean
        crosses_zero = SPATIOTEMPORAL_MEASURES[self.name].crosses_zero
        return 200.0 * (self.right.mean - self.left.mean) / total if total > 0 and not crosses_zero else float("nan")

    def to_dict(self) -> dict[str, Any]:
        sides = {name: getattr(self, name)._asdict() for name in (*SIDES, "both")}
        return {"unit": self.unit, **sides, "asymmetry": self.asymmetry, "meaning": self.meaning}


@dataclass(frozen=True)
class GaitMeasure(Measure):
    """Measure of the parts of a walk. part: "cycle" (a Cycle; "walking cycle" and "running cycle": those without and with
    flight), "print" (a Footprint), "step" (a GaitStep), "stride" or "crossing" (a GaitStride, which counts for the side of its
    first or of its middle print). crosses_zero: True if the quantity can be zero, so that it has no asymmetry. possible:
    smallest and largest possible value of a walk or run, in the unit of the measure. likely: usual limits of walks, healthy or
    not."""

    part: str = field(default="cycle", kw_only=True)
    crosses_zero: bool = field(default=False, kw_only=True)
    possible: tuple[float, float] = field(default=(-math.inf, math.inf), kw_only=True)
    likely: tuple[float, float] = field(default=(-math.inf, math.inf), kw_only=True)


def flight_seconds(cycle: Cycle) -> float:
    """Time without a foot on the ground in a cycle of a run, s: after this foot and after the other foot leaves the ground."""
    return (cycle.other_strike - cycle.off) + (cycle.end - cycle.other_off)


SPATIOTEMPORAL_MEASURES = MeasureRegistry(
    "walk of a person",
    [
        GaitMeasure(
            "speed", "m/s", "length of a stride by its time", lambda s: s.length / s.time, part="stride", key=True,
            possible=(0.02, 12.5), likely=(0.2, 2.4),
        ),
        GaitMeasure(
            "cadence", "1/min", "steps per minute", lambda s: 120.0 / s.time, part="stride", key=True,
            possible=(10.0, 330.0), likely=(50.0, 170.0),
        ),
        GaitMeasure(
            "stride_length", "m", "between two prints of a foot", lambda s: s.length, part="stride", key=True,
            possible=(0.05, 5.5), likely=(0.3, 2.2),
        ),
        GaitMeasure(
            "step_length", "m", "of a side: from the print of the other foot to its own", lambda s: s.length,
            part="step", key=True,
            possible=(-0.6, 2.8), likely=(0.05, 1.2),
        ),
        GaitMeasure(
            "step_width", "m", "from a print to the line between two of the other foot; negative where they cross",
            lambda s: s.width, part="crossing", key=True, crosses_zero=True,
            possible=(-0.6, 0.9), likely=(-0.08, 0.35),
        ),
        GaitMeasure(
            "toe_out", "deg", "toes out, from the direction of walking, while the foot is flat", lambda p: p.toe_out,
            part="print", crosses_zero=True,
            possible=(-90.0, 90.0),
        ),
        GaitMeasure(
            "stride_time", "s", "from strike to strike of a foot", lambda s: s.time, part="stride",
            possible=(0.3, 8.0),
        ),
        GaitMeasure(
            "step_time", "s", "of a side: from strike of the other foot to its own", lambda s: s.time, part="step",
            possible=(0.1, 6.0),
        ),
        GaitMeasure("stance_time", "s", "from strike to off", lambda c: c.off - c.start),
        GaitMeasure("swing_time", "s", "from off to strike", lambda c: c.end - c.off),
        GaitMeasure(
            "single_support_time", "s", "the other foot swings", lambda c: c.other_strike - c.other_off,
            part="walking cycle",
        ),
        GaitMeasure(
            "double_support_time", "s", "both feet are on the ground, both times in a cycle",
            lambda c: c.other_off - c.start + (c.off - c.other_strike), part="walking cycle",
        ),
        GaitMeasure(
            "flight_time", "s", "both feet are in the air, both times in a cycle", flight_seconds,
            part="running cycle",
        ),
        GaitMeasure(
            "stance", "%", "of the cycle", lambda c: 100 * (c.off - c.start) / c.duration, key=True,
            possible=(8.0, 95.0), likely=(52.0, 78.0),
        ),
        GaitMeasure(
            "swing", "%", "of the cycle", lambda c: 100 * (c.end - c.off) / c.duration,
            possible=(5.0, 92.0),
        ),
        GaitMeasure(
            "single_support", "%", "of the cycle", lambda c: 100 * (c.other_strike - c.other_off) / c.duration,
            part="walking cycle",
            possible=(3.0, 70.0),
        ),
        GaitMeasure(
            "double_support", "%", "of the cycle, both times in it",
            lambda c: 100 * (c.other_off - c.start + (c.off - c.other_strike)) / c.duration, key=True, part="walking cycle",
            possible=(0.0, 90.0), likely=(6.0, 55.0),
        ),
        GaitMeasure(
            "flight", "%", "of the cycle, both times in it", lambda c: 100 * flight_seconds(c) / c.duration,
            part="running cycle",
        ),
        GaitMeasure(
            "loading_response", "%", "of the cycle: double support after the strike",
            lambda c: 100 * (c.other_off - c.start) / c.duration, part="walking cycle",
        ),
        GaitMeasure(
            "pre_swing", "%", "of the cycle: double support before off",
            lambda c: 100 * (c.off - c.other_strike) / c.duration, part="walking cycle",
        ),
    ],
)  # fmt: skip
"""Rows of the table, in its order."""
WalkParts = dict[str, list[tuple[str, Any]]]
"""Parts of a walk by kind, each with its side."""


def spatio_temporal(
    trial: GaitTrial,
    events: list[GaitEvent],
    cycles: Cycles | None = None,
    left_out: Collection[tuple[str, float]] = (),
) -> dict[str, SpatiotemporalMeasure]:
    """Spatio-temporal measures with at least one value, by name. cycles: of the events, if already known. left_out: sides and
    starts, s, of strides that do not count."""
    cycles = find_cycles(events) if cycles is None else cycles
    parts = _find_parts(trial, [event for event in events if event.kind == "strike"], left_out)
    parts["cycle"] = [(cycle.side, cycle) for cycle in cycles.all]
    parts["walking cycle"] = [(cycle.side, cycle) for cycle in cycles.all if not cycle.flight]
    parts["running cycle"] = [(cycle.side, cycle) for cycle in cycles.all if cycle.flight]
    rows = {}
    for name, measure in SPATIOTEMPORAL_MEASURES.items():
        sides = _collect_values(measure, parts[measure.part])
        if any(sides.values()):
            right, left = sides["right"], sides["left"]
            rows[name] = SpatiotemporalMeasure(
                name,
                measure.unit,
                SampleStatistics.of(right),
                SampleStatistics.of(left),
                SampleStatistics.of([*right, *left]),
                measure.description,
            )
    return rows


def _collect_values(measure: GaitMeasure, parts: list[tuple[str, Any]]) -> dict[str, list[float]]:
    """Finite values of a measure by side."""
    values = [(side, measure.of(part)) for side, part in parts]
    return {side: [value for own, value in values if own == side and np.isfinite(value)] for side in SIDES}


class Footprint(NamedTuple):
    """Position of a foot on the ground during stance: (2,), m; pointing: its direction, (2,), of length 1 or NaN. forward:
    direction of walking, (2,)."""

    side: str
    time: float
    place: np.ndarray
    pointing: np.ndarray
    forward: np.ndarray = np.array([1.0, 0.0])

    @property
    def toe_out(self) -> float:
        """Angle of the toes to the outside, deg."""
        left = np.array([-self.forward[1], self.forward[0]])
        angle = float(np.degrees(np.arctan2(self.pointing @ left, self.pointing @ self.forward)))
        return angle if self.side == "left" else -angle


class GaitStep(NamedTuple):
    """Two successive prints of different feet."""

    first: Footprint
    last: Footprint

    @property
    def length(self) -> float:
        """Distance in the direction of walking, m."""
        return float((self.last.place - self.first.place) @ self.last.forward)

    @property
    def time(self) -> float:
        return self.last.time - self.first.time


class GaitStride(NamedTuple):
    """Two successive prints of a foot, and that of the other foot between them; None if only one foot has markers."""

    first: Footprint
    middle: Footprint | None
    last: Footprint

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.last.place - self.first.place))

    @property
    def time(self) -> float:
        return self.last.time - self.first.time

    @property
    def width(self) -> float:
        """Distance of the middle print from the line between the others, m; NaN for a stride too short for a direction."""
        if self.middle is None or not self.length > MIN_WIDTH_STRIDE_M:
            return np.nan
        stride, away = self.last.place - self.first.place, self.middle.place - self.first.place
        aside = (stride[0] * away[1] - stride[1] * away[0]) / self.length  # to the left of the way
        return float(aside if self.middle.side == "left" else -aside)


def find_footprints(trial: GaitTrial, strikes: list[GaitEvent]) -> list[Footprint]:
    """Footprints of all strikes, by time, with NaN unless the heel is visible while still; the belt counts as ground."""
    prints = []
    for event in sorted(strikes, key=lambda event: event.time):
        heel = trial.place(f"{event.side}_heel")
        ball = trial.place(*(f"{event.side}_{name}" for name in FOREFOOT_LANDMARKS))
        since = trial.times - event.time
        still = (since >= HEEL_STILL_WINDOW_S[0]) & (since <= HEEL_STILL_WINDOW_S[1])
        if heel is None or since[-1] < HEEL_STILL_WINDOW_S[1] or not np.isfinite(heel[still]).all(axis=1).any():
            prints.append(Footprint(event.side, event.time, np.full(2, np.nan), np.full(2, np.nan)))
            continue
        carried = np.outer(trial.lab.belt * trial.times[still], [1.0, 0.0])
        pointing = np.full(2, np.nan)
        if ball is not None:
            pointing = np.nanmean((ball - heel)[still, :2], axis=0)
            pointing = pointing / np.linalg.norm(pointing)
        prints.append(Footprint(event.side, event.time, np.nanmean(heel[still, :2] + carried, axis=0), pointing))
    return prints


def _find_parts(trial: GaitTrial, strikes: list[GaitEvent], left_out: Collection[tuple[str, float]]) -> WalkParts:
    """Prints, steps and strides; a "crossing" is a stride on the side of its middle print. left_out: sides and starts, s, of
    strides that do not count."""
    prints = find_footprints(trial, strikes)
    forward = _walking_direction(prints)
    prints = [one._replace(forward=forward) for one in prints]
    steps = [
        GaitStep(one, other)
        for one, other in pairwise(prints)
        if one.side != other.side and other.time - one.time < 0.5 * MAX_STRIDE_SECONDS
    ]
    strides = [stride for stride in _find_strides(prints) if (stride.first.side, stride.first.time) not in left_out]
    return {
        "print": [(one.side, one) for one in prints],
        "step": [(step.last.side, step) for step in steps],
        "stride": [(stride.first.side, stride) for stride in strides],
        "crossing": [(stride.middle.side, stride) for stride in strides if stride.middle is not None],
    }


def _find_strides(prints: list[Footprint]) -> Iterator[GaitStride]:
    """Yield successive prints of a foot with one print of the other foot between them; all successive prints if the markers
    show one foot only."""
    feet = {one.side for one in prints}
    for side in SIDES:
        for first, last in pairwise([one for one in prints if one.side == side]):
            between = [one for one in prints if first.time < one.time < last.time]
            if len(between) == len(feet) - 1 and last.time - first.time <= MAX_STRIDE_SECONDS:
                yield GaitStride(first, next(iter(between), None), last)


def _walking_direction(prints: list[Footprint]) -> np.ndarray:
    """Direction of walking on the ground, (2,), from all strides together."""
    way = np.zeros(2)
    for side in SIDES:
        own = [p.place for p in prints if p.side == side and np.isfinite(p.place).all()]
        if len(own) > 1:
            way += own[-1] - own[0]
    length = float(np.linalg.norm(way))
    return way / length if length > 0.2 else np.array([1.0, 0.0])
