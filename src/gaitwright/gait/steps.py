"""Steps on plates: when a plate carries, which foot it is, and whether the force acts where the foot stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.gait.filters import stretches
from gaitwright.gait.marker_sets import FOREFOOT

if TYPE_CHECKING:
    from gaitwright.gait.trial import Trial

THRESHOLD = 20.0
"""N, of a foot on the ground."""
SHORTEST = 0.06
"""s, of a contact that counts, unless the trial begins or ends in it."""
NEAR = 0.15
"""m, from the line of the foot, of a force that is a foot's."""


@dataclass(frozen=True)
class Contact:
    """One foot on one plate. start, end: s, of the trial; cut_start, cut_end: the trial begins or ends in it.

    Where the force acts, in the axes of the foot when it is flat, m: along from the heel marker, beside to the left of the line
    from the heel to the middle of the ball, each (n,), with the force (n,), N, and times. length: from heel to ball, m.
    lifted: (n,), height of the heel above where it is when the foot is flat, m. distance: the median from that line, m."""

    plate: int
    name: str
    start: float
    end: float
    cut_start: bool
    cut_end: bool
    side: str
    distance: float
    times: np.ndarray
    force: np.ndarray
    along: np.ndarray
    beside: np.ndarray
    length: float
    lifted: np.ndarray
    free_moment: np.ndarray

    @property
    def near(self) -> bool:
        return self.distance < NEAR

    @property
    def whole(self) -> bool:
        return not (self.cut_start or self.cut_end)


def contacts(trial: Trial, threshold: float = THRESHOLD) -> list[Contact]:
    """All of them, by start; without a side where no heel and ball are known."""
    found = []
    for k, plate in enumerate(trial.plates):
        vertical = plate.force[:, 2]
        for one in stretches(vertical > threshold):
            short = one.stop - one.start < SHORTEST * plate.rate and one.start > 0 and one.stop < len(vertical)
            if short or vertical[one].max() < 3 * threshold:
                continue
            found.append(_contact(trial, k, one, threshold))
    return sorted(found, key=lambda contact: contact.start)


def _contact(trial: Trial, number: int, one: slice, threshold: float) -> Contact:
    plate = trial.plates[number]
    begin = float(trial.times[0])
    vertical, times = plate.force[:, 2], begin + plate.times
    start = times[one.start]
    if one.start > 0:
        low, high = vertical[one.start - 1 : one.start + 1]
        start -= (high - threshold) / (high - low) / plate.rate
    end = times[one.stop - 1]
    if one.stop < len(vertical):
        high, low = vertical[one.stop - 1 : one.stop + 1]
        end += (high - threshold) / (high - low) / plate.rate
    carried = np.arange(one.start, one.stop)[vertical[one] >= 50.0]
    carried = carried[times[carried] <= trial.times[-1] + 0.5 / trial.rate]
    at, force = times[carried], vertical[carried]
    point = plate.centre_of_pressure()[carried]
    best: tuple = ("", np.inf, 0 * force, 0 * force, np.nan, 0 * force)
    for side in ("right", "left"):
        seen = under_foot(trial, side, at, point)
        if seen and seen[0] < best[1]:
            best = (side, *seen)
    side, distance, along, beside, length, lifted = best
    ends = one.stop >= len(vertical) or times[one.stop - 1] >= trial.times[-1] - 1.0 / trial.rate
    return Contact(
        number, plate.name, float(start), float(end), one.start == 0, ends, side, float(distance), at, force, along, beside,
        float(length), lifted, plate.free_moment()[carried],
    )  # fmt: skip


def under_foot(
    trial: Trial, side: str, at: np.ndarray, point: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray, float, np.ndarray] | None:
    """Where points (n, 3) at times (n,) are in the axes of a foot that is flat: median distance from its line, along, beside,
    length of the line, and height of the heel above where it is flat; as in Contact. None where no heel and ball are known."""
    heel, ball = trial.place(f"{side}_heel"), trial.place(*(f"{side}_{name}" for name in FOREFOOT))
    if heel is None or ball is None or not len(at):
        return None
    heel, ball = (np.column_stack([np.interp(at, trial.times, c) for c in _filled(v).T]) for v in (heel, ball))
    if trial.lab.belt:  # the ground goes back under the foot
        move = np.outer(at - at[0], [trial.lab.belt, 0, 0])
        heel, ball, point = heel + move, ball + move, point + move
    flat = int(np.argmin(heel[:, 2] + ball[:, 2]))
    line = (ball - heel)[flat, :2]
    length = float(np.hypot(*line))
    if not length > 0.05:
        return None
    forward = line / length
    left = np.array([-forward[1], forward[0]])
    away = point[:, :2] - heel[flat, :2]
    along, beside = away @ forward, away @ left
    out = np.hypot(np.maximum(0, np.maximum(-along, along - length)), beside)
    return float(np.median(out)), along, beside, length, heel[:, 2] - heel[flat, 2]


def _filled(values: np.ndarray) -> np.ndarray:
    good = np.isfinite(values).all(axis=1)
    if good.all() or not good.any():
        return values
    rows = np.arange(len(values))
    return np.column_stack([np.interp(rows, rows[good], c[good]) for c in values.T])
