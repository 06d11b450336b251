"""Heel strikes and toe offs, from forces or from markers.

From forces: where the vertical force goes through 20 N. From markers (all of it after a zero-lag filter of 12 Hz):

    strike    Zeni et al. 2008: the heel is farthest before the pelvis; then the largest upward acceleration of the heel
              within -10 to +120 ms of that
    off       the ball is farthest behind the pelvis; then the last time around that at which it is slower than 0.8 m/s
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import find_peaks

from gaitwright.checks import At
from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.marker_sets import FOREFOOT, PELVIS

if TYPE_CHECKING:
    from gaitwright.gait.trial import Trial

LABELS = {"strike": "Foot Strike", "off": "Foot Off"}
CUTOFF = 12.0
SLOW = 0.8
"""m/s, of the ball of a foot that still stands."""
AROUND = (-0.010, 0.120)
"""s, from Zeni's instant, where the heel strikes."""
SHORTEST = 0.4
"""s, between strikes of one foot."""


@dataclass(frozen=True)
class Event:
    """kind: 'strike' or 'off'. side: 'left' or 'right'. time: s, of the trial. source: 'forces', 'markers' or 'file'."""

    kind: str
    side: str
    time: float
    source: str

    @property
    def label(self) -> str:
        return LABELS[self.kind]


def from_labels(events: Iterable[tuple[str, str, float]]) -> list[Event]:
    """Of a file: 'Foot Strike', 'Left'. What is neither strike nor off is left out."""
    found = []
    for label, context, time in events:
        kind = next((kind for kind, name in LABELS.items() if name.lower() == label.lower()), None)
        side = context.lower()
        if kind and side in ("left", "right"):
            found.append(Event(kind, side, time, "file"))
    return sorted(found, key=lambda event: event.time)


def find_events(trial: Trial) -> list[Event]:
    """From forces where a foot is on a plate, and from markers for all other steps."""
    from gaitwright.gait.steps import contacts

    measured = [
        Event(kind, contact.side, time, "forces")
        for contact in contacts(trial)
        if contact.side and contact.near
        for kind, time, cut in (("strike", contact.start, contact.cut_start), ("off", contact.end, contact.cut_end))
        if not cut
    ]
    seen = from_markers(trial)
    more = [
        one
        for one in seen
        if not any((m.kind, m.side) == (one.kind, one.side) and abs(m.time - one.time) < 0.25 for m in measured)
    ]
    return sorted([*measured, *more], key=lambda event: event.time)


def from_markers(trial: Trial) -> list[Event]:
    """Of both feet, as far as heel, ball and pelvis are known."""
    pelvis = trial.place(*(f"{side}_{name}" for side in ("right", "left") for name in PELVIS))
    if pelvis is None:
        At(f"trial '{trial.name}'").fail(
            "has no marker of the pelvis", expected="markers of ASIS or PSIS, or a map of labels"
        )
    found = []
    for side in ("right", "left"):
        heel, ball = trial.place(f"{side}_heel"), trial.place(*(f"{side}_{name}" for name in FOREFOOT))
        if heel is None or ball is None:
            continue
        heel, ball, middle = (low_pass(v, trial.rate, CUTOFF) for v in (heel, ball, pelvis))
        start, belt = float(trial.times[0]), trial.lab.belt
        found += [Event("strike", side, start + t, "markers") for t in _strikes(heel, middle, trial.rate)]
        found += [Event("off", side, start + t, "markers") for t in _offs(ball, middle, trial.rate, belt)]
    return sorted(found, key=lambda event: event.time)


def _strikes(heel: np.ndarray, pelvis: np.ndarray, rate: float) -> list[float]:
    before = heel[:, 0] - pelvis[:, 0]
    rising = derivative(heel[:, 2], rate, 2)
    times = []
    for peak in _extremes(before, rate):
        first, last = (int(np.clip(peak + round(s * rate), 0, len(heel) - 1)) for s in AROUND)
        window = rising[first : last + 1]
        # at the edge of a gap nothing can be said
        if len(window) < 3 or not np.isfinite(window).all() or last == len(heel) - 1:
            continue
        k = first + int(np.argmax(window))
        if first < k < last:
            times.append((k + _between(rising[k - 1 : k + 2])) / rate)
    return times


def _offs(ball: np.ndarray, pelvis: np.ndarray, rate: float, belt: float) -> list[float]:
    """From where the ball is farthest behind the pelvis: its foot has just left. On a belt the ground moves."""
    behind = pelvis[:, 0] - ball[:, 0]
    velocity = derivative(ball, rate)
    velocity[:, 0] += belt
    speed = np.linalg.norm(velocity, axis=1)
    times = []
    for peak in _extremes(behind, rate):
        last = min(peak + round(0.15 * rate), len(speed) - 1)
        first = max(0, peak - round(0.25 * rate))
        slow = np.flatnonzero(speed[first : last + 1] < SLOW)
        if not len(slow) or not np.isfinite(speed[first + slow[-1] : last + 1]).all():
            continue
        k = first + slow[-1]
        if k < last:
            times.append((k + (SLOW - speed[k]) / (speed[k + 1] - speed[k])) / rate)
    return times


def _extremes(values: np.ndarray, rate: float) -> np.ndarray:
    good = np.where(np.isfinite(values), values, np.nanmin(values))
    height = 0.5 * (good.max() + np.median(good))
    peaks = find_peaks(good, distance=max(1, round(SHORTEST * rate)), height=height, prominence=0.05)[0]
    near = round(0.03 * rate)
    return np.array([k for k in peaks if np.isfinite(values[max(0, k - near) : k + near + 1]).all()], dtype=int)


def _between(three: np.ndarray) -> float:
    """Where a parabola through three samples is highest, from the middle one, in samples."""
    bend = three[0] - 2 * three[1] + three[2]
    return float(np.clip(0.5 * (three[0] - three[2]) / bend, -0.5, 0.5)) if bend < 0 else 0.0
