"""Spatio-temporal table of a walk: speed, cadence, lengths, times and shares of a cycle, per side, with asymmetry.

Lengths are distances between footprints: positions of the heel marker from 0.05 to 0.15 s after a strike, when it is
still; on a treadmill the belt moves the prints. They are measured along the direction of the prints, not along an axis of
the laboratory.
Values without a preceding or following step in the trial are left out; the table states the counts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.gait.cycles import MAX_STRIDE_SECONDS, SIDES, Cycles, find_cycles
from gaitwright.gait.events import GaitEvent
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

HEEL_STILL_WINDOW_S = (0.05, 0.15)
"""s: interval after its strike in which a heel is still."""


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
        near_zero = self.name in ("step_width", "toe_out")
        return 200.0 * (self.right.mean - self.left.mean) / total if total > 0 and not near_zero else float("nan")

    def to_dict(self) -> dict[str, Any]:
        sides = {name: getattr(self, name)._asdict() for name in (*SIDES, "both")}
        return {"unit": self.unit, **sides, "asymmetry": self.asymmetry, "meaning": self.meaning}


MEASURE_MEANINGS = {
    "speed": ("m/s", "length of a stride by its time"),
    "cadence": ("1/min", "steps per minute"),
    "stride_length": ("m", "between two prints of a foot"),
    "step_length": ("m", "of a side: from the print of the other foot to its own"),
    "step_width": ("m", "from a print to the line between two of the other foot; negative where they cross"),
    "toe_out": ("deg", "toes out, from the direction of walking, while the foot is flat"),
    "stride_time": ("s", "from strike to strike of a foot"),
    "step_time": ("s", "of a side: from strike of the other foot to its own"),
    "stance_time": ("s", "from strike to off"),
    "swing_time": ("s", "from off to strike"),
    "single_support_time": ("s", "the other foot swings"),
    "double_support_time": ("s", "both feet are on the ground, both times in a cycle"),
    "flight_time": ("s", "both feet are in the air, both times in a cycle"),
    "stance": ("%", "of the cycle"),
    "swing": ("%", "of the cycle"),
    "single_support": ("%", "of the cycle"),
    "double_support": ("%", "of the cycle, both times in it"),
    "flight": ("%", "of the cycle, both times in it"),
    "loading_response": ("%", "of the cycle: double support after the strike"),
    "pre_swing": ("%", "of the cycle: double support before off"),
}
"""Unit and meaning of each row, in the order of the table."""
MeasureValues = dict[str, dict[str, list[float]]]


def spatio_temporal(
    trial: GaitTrial,
    events: list[GaitEvent],
    cycles: Cycles | None = None,
    left_out: Collection[tuple[str, float]] = (),
) -> dict[str, SpatiotemporalMeasure]:
    """Spatio-temporal measures with at least one value, by name. cycles: of the events, if already known. left_out: sides and
    starts, s, of strides that do not count."""
    cycles = find_cycles(events) if cycles is None else cycles
    collected: MeasureValues = {name: {side: [] for side in SIDES} for name in MEASURE_MEANINGS}
    _collect_times(collected, cycles)
    _collect_lengths(collected, trial, [event for event in events if event.kind == "strike"], left_out)
    rows = {}
    for name, (unit, meaning) in MEASURE_MEANINGS.items():
        sides = collected[name]
        if any(sides.values()):
            right, left = sides["right"], sides["left"]
            rows[name] = SpatiotemporalMeasure(
                name,
                unit,
                SampleStatistics.of(right),
                SampleStatistics.of(left),
                SampleStatistics.of([*right, *left]),
                meaning,
            )
    return rows


def _collect_times(found: MeasureValues, cycles: Cycles) -> None:
    for cycle in cycles.all:
        if cycle.flight:
            stance, swing = cycle.off - cycle.start, cycle.end - cycle.off
            air = (cycle.other_strike - cycle.off) + (cycle.end - cycle.other_off)
            for name, time in (("stance", stance), ("swing", swing), ("flight", air)):
                found[f"{name}_time"][cycle.side].append(time)
                found[name][cycle.side].append(100 * time / cycle.duration)
            continue
        loading, pre_swing = cycle.other_off - cycle.start, cycle.off - cycle.other_strike
        times = {
            "stance": cycle.off - cycle.start, "swing": cycle.end - cycle.off,
            "single_support": cycle.other_strike - cycle.other_off, "double_support": loading + pre_swing,
        }  # fmt: skip
        for name, time in times.items():
            found[f"{name}_time"][cycle.side].append(time)
            found[name][cycle.side].append(100 * time / cycle.duration)
        found["loading_response"][cycle.side].append(100 * loading / cycle.duration)
        found["pre_swing"][cycle.side].append(100 * pre_swing / cycle.duration)


class Footprint(NamedTuple):
    """Position of a foot on the ground during stance: (2,), m; pointing: its direction, (2,), of length 1 or NaN."""

    side: str
    time: float
    place: np.ndarray
    pointing: np.ndarray


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


def _collect_lengths(
    found: MeasureValues, trial: GaitTrial, strikes: list[GaitEvent], left_out: Collection[tuple[str, float]]
) -> None:
    prints = find_footprints(trial, strikes)
    forward = _walking_direction(prints)
    left = np.array([-forward[1], forward[0]])
    for one, other in pairwise(prints):
        if one.side != other.side and other.time - one.time < 0.5 * MAX_STRIDE_SECONDS:
            found["step_length"][other.side].append(float((other.place - one.place) @ forward))
            found["step_time"][other.side].append(other.time - one.time)
    feet = {one.side for one in prints}
    for one, third in (pair for side in SIDES for pair in pairwise(p for p in prints if p.side == side)):
        between = [p for p in prints if one.time < p.time < third.time]
        if (
            (one.side, one.time) in left_out
            or len(between) != len(feet) - 1
            or third.time - one.time > MAX_STRIDE_SECONDS
        ):
            continue
        stride, time = third.place - one.place, third.time - one.time
        length = float(np.linalg.norm(stride))
        found["stride_time"][one.side].append(time)
        found["cadence"][one.side].append(120.0 / time)
        found["stride_length"][one.side].append(length)
        found["speed"][one.side].append(length / time)
        for middle in between if length > 0.1 else ():
            away = middle.place - one.place
            aside = (stride[0] * away[1] - stride[1] * away[0]) / length  # to the left of the way
            found["step_width"][middle.side].append(aside if middle.side == "left" else -aside)
    for one in prints:
        angle = float(np.degrees(np.arctan2(one.pointing @ left, one.pointing @ forward)))
        found["toe_out"][one.side].append(angle if one.side == "left" else -angle)
    for sides in found.values():
        for side in SIDES:
            sides[side] = [v for v in sides[side] if np.isfinite(v)]


def _walking_direction(prints: list[Footprint]) -> np.ndarray:
    """Direction of walking on the ground, (2,), from all strides together."""
    way = np.zeros(2)
    for side in SIDES:
        own = [p.place for p in prints if p.side == side and np.isfinite(p.place).all()]
        if len(own) > 1:
            way += own[-1] - own[0]
    length = float(np.linalg.norm(way))
    return way / length if length > 0.2 else np.array([1.0, 0.0])
