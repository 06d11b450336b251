"""Markers that were lost for a while, and those that jumped: found, filled within limits, and marked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from gaitwright.gait.filters import stretches

LONGEST = 0.2
"""s, of a gap that is filled. A spline over more is a guess: a foot swings in 0.4 s."""
JUMP = 0.02
"""m, by which a marker must leave its neighbours in time for a few frames to be a spike."""


class Mended(NamedTuple):
    """points: (frames, markers, 3). filled: (frames, markers), True where a place is not measured but made."""

    points: np.ndarray
    filled: np.ndarray
    notes: list[str]


def mend(points: np.ndarray, rate: float, labels: list[str], longest: float = LONGEST) -> Mended:
    """Spikes taken out, then gaps up to `longest` seconds filled by a cubic spline; not at the ends, where nothing holds it."""
    points = np.array(points, dtype=float)
    notes, filled = [], np.zeros(points.shape[:2], dtype=bool)
    for k, label in enumerate(labels):
        seen = np.asarray(np.isfinite(points[:, k]).all(axis=1))
        points[~seen, k] = np.nan
        spikes = spikes_of(points[:, k])
        if spikes.any():
            points[spikes, k] = np.nan
            seen = np.asarray(seen & ~spikes)
            notes.append(f"marker {label} jumps away in {spikes.sum()} frames: they are taken out")
        if seen.all() or seen.sum() < 4:
            continue
        frames = np.flatnonzero(seen)
        spline = CubicSpline(frames, points[frames, k])
        for gap in stretches(~seen):
            inside = gap.start > 0 and gap.stop < len(seen)
            if inside and gap.stop - gap.start <= longest * rate:
                points[gap, k] = spline(np.arange(gap.start, gap.stop))
                filled[gap, k] = True
    lost = np.isnan(points[..., 0])
    for k, label in enumerate(labels):
        if filled[:, k].any() or (lost[:, k].any() and not lost[:, k].all()):
            notes.append(f"marker {label}: {filled[:, k].sum()} frames filled, {lost[:, k].sum()} left open")
    never = [label for k, label in enumerate(labels) if lost[:, k].all()]
    if never:
        notes.append(f"{len(never)} markers are named but never seen: {', '.join(never[:5])}{' ..' * (len(never) > 5)}")
    return Mended(points, filled, notes)


def spikes_of(places: np.ndarray, jump: float = JUMP, widest: int = 3) -> np.ndarray:
    """Frames (n, 3) -> (n,): up to `widest` in a row that are farther than `jump` from where their neighbours on both sides say
    they are. Fast markers must leave by more: twice their way per frame is added."""
    found = np.zeros(len(places), dtype=bool)
    for width in range(1, widest + 1):
        first = np.arange(2, len(places) - width - 1)
        before, last, after, next_one = (places[first + k] for k in (-2, -1, width, width + 1))
        around = np.maximum(np.linalg.norm(last - before, axis=1), np.linalg.norm(next_one - after, axis=1))
        apart = np.linalg.norm(after - last, axis=1) / (width + 1)
        off = np.full(len(first), np.inf)
        for k in range(width):
            expected = last + (k + 1) / (width + 1) * (after - last)
            off = np.minimum(off, np.linalg.norm(places[first + k] - expected, axis=1))
        for hit in first[(off > jump + 2 * around) & (apart < jump + 2 * around)]:
            found[hit : hit + width] = True
    return found


def twins(points: np.ndarray, labels: list[str]) -> list[tuple[str, str]]:
    """Pairs of markers that are at the same place all the time: one marker under two names."""
    seen = [k for k in range(len(labels)) if np.isfinite(points[:, k]).all(axis=1).any()]
    pairs = []
    for i, a in enumerate(seen):
        for b in seen[i + 1 :]:
            apart = np.linalg.norm(points[:, a] - points[:, b], axis=1)
            if np.nanmax(apart, initial=0.0) < 1e-4:
                pairs.append((labels[a], labels[b]))
    return pairs
