"""Contacts of feet with plates: time intervals, assignment to a foot, and distance of the force from that foot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.gait.filters import true_runs
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

CONTACT_THRESHOLD_N = 20.0
"""N: load above which a foot counts as in contact."""
MIN_CONTACT_SECONDS = 0.06
"""s: minimum duration of a contact, unless the trial begins or ends in it."""
MAX_FORCE_TO_FOOT_DISTANCE_M = 0.15
"""m: largest distance of a force from the line of a foot to which it is assigned."""


@dataclass(frozen=True)
class PlateContact:
    """Contact of one foot with one plate. start, end: s, of the trial; cut_start, cut_end: True if the trial begins or
    ends in it.

    Point of application of the force in the axes of the flat foot, m: along, forward from the heel marker; beside, to the
    left of the line from the heel to the middle of the ball; each (n,), with the force (n,), N, and times, s. length: from
    heel to ball, m.
    lifted: (n,), height of the heel above its height in the flat foot, m. distance: median distance from that line, m.
    feet: sides of the feet under which the force acts, one after the other: more than one if the plate carries both feet."""

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
    feet: tuple[str, ...]

    @property
    def carries_both_feet(self) -> bool:
        return len(set(self.feet)) > 1

    @property
    def near(self) -> bool:
        return self.distance < MAX_FORCE_TO_FOOT_DISTANCE_M

    @property
    def whole(self) -> bool:
        return not (self.cut_start or self.cut_end)


def contacts(trial: GaitTrial, threshold: float = CONTACT_THRESHOLD_N) -> list[PlateContact]:
    """All contacts of a trial, by start; side is '' if no heel and ball are known. threshold: N."""
    found_contacts = []
    for k, plate in enumerate(trial.plates):
        vertical = plate.force[:, 2]
        for one in true_runs(vertical > threshold):
            short = (
                one.stop - one.start < MIN_CONTACT_SECONDS * plate.rate and one.start > 0 and one.stop < len(vertical)
            )
            if short or vertical[one].max() < 3 * threshold:
                continue
            found_contacts.append(_build_contact(trial, k, one, threshold))
    return sorted(found_contacts, key=lambda contact: contact.start)


def _build_contact(trial: GaitTrial, number: int, one: slice, threshold: float) -> PlateContact:
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
        seen = foot_coordinates(trial, side, at, point)
        if seen and seen[0] < best[1]:
            best = (side, *seen)
    side, distance, along, beside, length, lifted = best
    starts = one.start == 0 or bool(times[one.start] <= begin)
    ends = one.stop >= len(vertical) or times[one.stop - 1] >= trial.times[-1] - 1.0 / trial.rate
    return PlateContact(
        number, plate.name, float(start), float(end), starts, ends, side, float(distance), at, force, along, beside,
        float(length), lifted, plate.free_moment()[carried], _feet_in_order(trial, at, point, plate.rate) or (side,),
    )  # fmt: skip


def _feet_in_order(trial: GaitTrial, at: np.ndarray, point: np.ndarray, rate: float) -> tuple[str, ...]:
    """Sides of the feet nearest to points (n, 3) at times (n,), s, one after the other; shorter than MIN_CONTACT_SECONDS is no
    contact of a foot."""
    distances = {side: _distance_from_foot(trial, side, at, point) for side in ("right", "left")}
    if not len(at) or any(one is None for one in distances.values()):
        return ()
    nearest = np.nanargmin(np.nan_to_num(np.stack(list(distances.values())), nan=np.inf), axis=0)  # type: ignore[arg-type]
    parts = [
        (part.start, side) for k, side in enumerate(distances) for part in true_runs(nearest == k)
        if part.stop - part.start > min(MIN_CONTACT_SECONDS * rate, 0.5 * len(at))
    ]  # fmt: skip
    sides = [side for _, side in sorted(parts)]
    return tuple(side for k, side in enumerate(sides) if k == 0 or side != sides[k - 1])


def _distance_from_foot(trial: GaitTrial, side: str, at: np.ndarray, point: np.ndarray) -> np.ndarray | None:
    """Distances (n,) of points from the line from heel to ball at the same instant, m; None if no heel and ball are known."""
    heel, ball = trial.place(f"{side}_heel"), trial.place(*(f"{side}_{name}" for name in FOREFOOT_LANDMARKS))
    if heel is None or ball is None:
        return None
    heel, ball = (np.column_stack([np.interp(at, trial.times, c) for c in v.T]) for v in (heel, ball))
    line, away = ball - heel, point - heel
    part = np.clip(np.sum(line * away, axis=1) / np.maximum(np.sum(line**2, axis=1), 1e-9), 0.0, 1.0)
    return np.linalg.norm(away - part[:, None] * line, axis=1)


def foot_coordinates(
    trial: GaitTrial, side: str, at: np.ndarray, point: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray, float, np.ndarray] | None:
    """Points (n, 3) at times (n,) in the axes of the flat foot: median distance from its line, along, beside, length of
    the line, and height of the heel above its height in the flat foot; as in PlateContact. None if no heel and ball are
    known."""
    heel, ball = trial.place(f"{side}_heel"), trial.place(*(f"{side}_{name}" for name in FOREFOOT_LANDMARKS))
    if heel is None or ball is None or not len(at):
        return None
    heel, ball = (
        np.column_stack([np.interp(at, trial.times, c) for c in _interpolate_gaps(v).T]) for v in (heel, ball)
    )
    if trial.lab.belt:  # the belt moves backward under the foot
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


def _interpolate_gaps(values: np.ndarray) -> np.ndarray:
    good = np.isfinite(values).all(axis=1)
    if good.all() or not good.any():
        return values
    rows = np.arange(len(values))
    return np.column_stack([np.interp(rows, rows[good], c[good]) for c in values.T])
