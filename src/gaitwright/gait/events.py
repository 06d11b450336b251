"""Heel strikes and toe offs, from forces or from markers.

From forces: instants at which the vertical force crosses 20 N. From markers (after a zero-lag filter of 12 Hz):

    strike    Zeni et al. 2008: the heel is farthest ahead of the pelvis; then the largest upward acceleration of the heel
              within -10 to +120 ms of that instant, or -60 to +250 ms if it is at an end of this window
    off       the ball is farthest behind the pelvis; then the last instant around it with a ball speed below 0.8 m/s
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import find_peaks

from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS, PELVIS_LANDMARKS, SIDE_LETTERS

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

EVENT_LABELS = {"strike": "Foot Strike", "off": "Foot Off"}
MARKER_CUTOFF_HZ = 12.0
MAX_STANCE_BALL_SPEED_M_PER_S = 0.8
"""m/s: largest speed of the ball of a standing foot."""
STRIKE_SEARCH_WINDOWS_S = ((-0.010, 0.120), (-0.060, 0.250))
"""s, relative to Zeni's instant: search windows for the strike; the second one if the maximum is at an end of the first, as in
slow walks."""
MAX_PLATE_TO_MARKER_S = 0.08
"""s: largest difference of the events of a plate and of the markers for one contact of one foot."""
MIN_STRIDE_S = 0.6
"""s: an event of the markers that is farther from one of a plate belongs to another step."""
MIN_CLOCK_SHIFT_S, MAX_CLOCK_SHIFT_S, MAX_CLOCK_SCATTER_S = 0.035, 0.4, 0.02
"""s: smallest and largest shift of the clock of the forces, and its largest median deviation between events."""
MIN_STRIKE_INTERVAL_S = 0.4
"""s: minimum time between strikes of one foot."""
EDGE_SECONDS = 0.03
"""s: distance from the ends of a trial and of gaps within which extrema are not reliable."""


@dataclass(frozen=True)
class GaitEvent:
    """Event of one foot. kind: 'strike' or 'off'. side: 'left' or 'right'. time: s, of the trial. source: 'forces',
    'markers' or 'file'."""

    kind: str
    side: str
    time: float
    source: str

    @property
    def label(self) -> str:
        return EVENT_LABELS[self.kind]


def events_from_labels(events: Iterable[tuple[str, str, float]]) -> list[GaitEvent]:
    """Convert events of a file with labels like 'Foot Strike', 'Left'. Other kinds of events are ignored."""
    events_read = []
    for label, context, time in events:
        kind = next((kind for kind, name in EVENT_LABELS.items() if name.lower() == label.lower()), None)
        side = context.lower()
        if kind and side in ("left", "right"):
            events_read.append(GaitEvent(kind, side, time, "file"))
    return sorted(events_read, key=lambda event: event.time)


def find_events(trial: GaitTrial) -> list[GaitEvent]:
    """Find events: from forces for feet on a plate, and from markers for all other steps.

    Forces of a partly hit plate, of two feet on one plate and of a shifted clock differ from the motion of the foot: beyond
    MAX_PLATE_TO_MARKER_S the event of the markers counts."""
    from_markers = events_from_markers(trial)
    measured = _plate_events(trial)
    shift = find_clock_shift(measured, from_markers)
    measured = [] if shift is not None else [
        one for one in measured if not (_contradicts(one, from_markers) or _stands_on(trial, one))
    ]  # fmt: skip
    more = [
        one
        for one in from_markers
        if not any((m.kind, m.side) == (one.kind, one.side) and abs(m.time - one.time) < 0.25 for m in measured)
    ]
    return sorted([*measured, *more], key=lambda event: event.time)


def clock_shift(trial: GaitTrial) -> float | None:
    """Time by which the forces of a trial are late against its markers, s; None if they agree, or if it is unknown."""
    return find_clock_shift(_plate_events(trial), events_from_markers(trial)) if trial.plates else None


def find_clock_shift(measured: list[GaitEvent], from_markers: list[GaitEvent]) -> float | None:
    """The same from the events of the plates and of the markers: both strikes and offs, at least three, must be late alike."""
    apart: dict[str, list[float]] = {"strike": [], "off": []}
    for one in measured:
        near = [one.time - other.time for other in from_markers if (other.kind, other.side) == (one.kind, one.side)]
        if near and abs(least := min(near, key=abs)) < MAX_CLOCK_SHIFT_S:
            apart[one.kind].append(least)
    delays = np.array([*apart["strike"], *apart["off"]])
    if len(delays) < 3 or not all(apart.values()):
        return None
    shift = float(np.median(delays))
    same = np.median(np.abs(delays - shift)) < MAX_CLOCK_SCATTER_S
    both = all(np.median(one) * shift > 0 and abs(np.median(one)) > MIN_CLOCK_SHIFT_S for one in apart.values())
    return shift if same and both else None


def _contradicts(one: GaitEvent, from_markers: list[GaitEvent]) -> bool:
    near = [abs(one.time - other.time) for other in from_markers if (other.kind, other.side) == (one.kind, one.side)]
    return bool(near) and MAX_PLATE_TO_MARKER_S < min(near) < MIN_STRIDE_S


def _stands_on(trial: GaitTrial, one: GaitEvent) -> bool:
    """True for an off of a plate after which the ball of the foot is still at rest, on the next plate or beside."""
    ball = trial.place(*(f"{one.side}_{name}" for name in FOREFOOT_LANDMARKS))
    if one.kind != "off" or ball is None:
        return False
    velocity = derivative(ball, trial.rate)
    velocity[:, 0] += trial.lab.belt
    later = (trial.times > one.time + 0.5 * MAX_PLATE_TO_MARKER_S) & (
        trial.times < one.time + 1.5 * MAX_PLATE_TO_MARKER_S
    )
    speed = np.linalg.norm(velocity[later], axis=1)
    return bool(np.isfinite(speed).any() and np.nanmax(speed) < 0.5 * MAX_STANCE_BALL_SPEED_M_PER_S)


def _plate_events(trial: GaitTrial) -> list[GaitEvent]:
    """Strikes and offs of all contacts of feet with plates: the strike is that of the first foot on the plate, the off that
    of the last one. A foot that steps from one plate to the next has no event there."""
    from gaitwright.gait.plate_contacts import contacts

    steps = [one for one in contacts(trial) if one.side and (one.near or one.carries_both_feet)]
    events: list[GaitEvent] = []
    for step in steps:
        first, last = step.feet[0], step.feet[-1]
        before, after = ([one for one in steps if one is not step and one.feet == (side,)] for side in (first, last))
        if not step.cut_start and not any(one.start < step.start <= one.end for one in before):
            events.append(GaitEvent("strike", first, step.start, "forces"))
        if not step.cut_end and not any(one.start <= step.end < one.end for one in after):
            events.append(GaitEvent("off", last, step.end, "forces"))
    return events


def events_from_markers(trial: GaitTrial) -> list[GaitEvent]:
    """Find events of both feet from markers, as far as heel and ball are known."""
    body = body_path(trial)
    if body is None:
        return []
    events = []
    for side in ("right", "left"):
        heel, ball = trial.place(f"{side}_heel"), trial.place(*(f"{side}_{name}" for name in FOREFOOT_LANDMARKS))
        if heel is None or ball is None:
            continue
        heel, ball, middle = (low_pass(v, trial.rate, marker_cutoff(trial.rate)) for v in (heel, ball, body))
        start, belt = float(trial.times[0]), trial.lab.belt
        events += [GaitEvent("strike", side, start + t, "markers") for t in _strike_times(heel, middle, trial.rate)]
        events += [GaitEvent("off", side, start + t, "markers") for t in _off_times(ball, middle, trial.rate, belt)]
    return sorted(events, key=lambda event: event.time)


def marker_cutoff(rate: float) -> float:
    """Cut-off of the filter of markers, Hz; lower at frame rates that do not permit the usual one."""
    return min(MARKER_CUTOFF_HZ, 0.45 * rate)


def body_path(trial: GaitTrial) -> np.ndarray | None:
    """Path of the body, (frames, 3), m: of the pelvis; else of the middle between the feet; else of the only foot, without the
    swing of its steps. None without markers of a foot."""
    pelvis = trial.place("sacrum", *(f"{side}_{name}" for side in SIDE_LETTERS for name in PELVIS_LANDMARKS))
    if pelvis is not None:
        return pelvis
    feet = [trial.place(*(f"{side}_{name}" for name in ("heel", *FOREFOOT_LANDMARKS))) for side in SIDE_LETTERS]
    seen = [foot for foot in feet if foot is not None and np.isfinite(foot).all(axis=1).sum() > 10]
    if len(seen) == 2:
        return 0.5 * (seen[0] + seen[1])
    if not seen:
        return None
    frames = np.arange(len(seen[0]))
    good = np.isfinite(seen[0]).all(axis=1)
    return np.column_stack([np.polyval(np.polyfit(frames[good], c[good], 1), frames) for c in seen[0].T])


def _strike_times(heel: np.ndarray, pelvis: np.ndarray, rate: float) -> list[float]:
    before = heel[:, 0] - pelvis[:, 0]
    rising = derivative(heel[:, 2], rate, 2)
    times = []
    for peak in _find_peak_frames(before, rate):
        for window in STRIKE_SEARCH_WINDOWS_S:
            first, last = (int(np.clip(peak + round(s * rate), 0, len(heel) - 1)) for s in window)
            values = rising[first : last + 1]
            # a peak at the edge of a gap is not reliable
            if len(values) < 3 or not np.isfinite(values).all():
                break
            k = first + int(np.argmax(values))
            if first < k < min(last, len(heel) - EDGE_SECONDS * rate):
                times.append((k + _parabola_vertex(rising[k - 1 : k + 2])) / rate)
                break
    return times


def _off_times(ball: np.ndarray, pelvis: np.ndarray, rate: float, belt: float) -> list[float]:
    """Times of toe offs, from instants with the ball farthest behind the pelvis, shortly after the off. `belt` is the
    speed of the ground, m/s."""
    behind = pelvis[:, 0] - ball[:, 0]
    velocity = derivative(ball, rate)
    velocity[:, 0] += belt
    speed = np.linalg.norm(velocity, axis=1)
    times = []
    for peak in _find_peak_frames(behind, rate):
        last = min(peak + round(0.15 * rate), len(speed) - 1)
        first = max(0, peak - round(0.25 * rate))
        slow = np.flatnonzero(speed[first : last + 1] < MAX_STANCE_BALL_SPEED_M_PER_S)
        if not len(slow) or not np.isfinite(speed[first + slow[-1] : last + 1]).all():
            continue
        k = first + slow[-1]
        if k < last:
            times.append((k + (MAX_STANCE_BALL_SPEED_M_PER_S - speed[k]) / (speed[k + 1] - speed[k])) / rate)
    return times


def _find_peak_frames(values: np.ndarray, rate: float) -> np.ndarray:
    """Frames of the maxima of strides. Ends of the trial are low, as gaps are: a maximum counts without a rise of its whole
    prominence before it, but not within EDGE_SECONDS of an end or of a gap."""
    low = np.nanmin(values)
    good = np.concatenate([[low], np.where(np.isfinite(values), values, low), [low]])
    height = 0.5 * (good.max() + np.median(good))
    peaks = (
        find_peaks(good, distance=max(1, round(MIN_STRIKE_INTERVAL_S * rate)), height=height, prominence=0.05)[0] - 1
    )
    near = round(EDGE_SECONDS * rate)
    return np.array(
        [k for k in peaks if near <= k < len(values) - near and np.isfinite(values[k - near : k + near + 1]).all()],
        dtype=int,
    )


def _parabola_vertex(three: np.ndarray) -> float:
    """Position of the maximum of a parabola through three samples, relative to the middle one, in samples."""
    bend = three[0] - 2 * three[1] + three[2]
    return float(np.clip(0.5 * (three[0] - three[2]) / bend, -0.5, 0.5)) if bend < 0 else 0.0
