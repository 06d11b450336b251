"""Lost markers and spikes: detection, filling within limits, and a mask of the filled frames."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from gaitwright.gait.filters import true_runs

MAX_FILLED_GAP_SECONDS = 0.2
"""s: longest gap that is filled. A spline over a longer one is a guess: a swing lasts 0.4 s."""
MIN_SPIKE_JUMP_M = 0.02
"""m: minimum deviation of a marker from its neighbours in time, for a few frames, to count as a spike."""


class FilledMarkers(NamedTuple):
    """Markers with filled gaps. points: (frames, markers, 3). filled: (frames, markers), True for filled positions. notes:
    remarks by marker."""

    points: np.ndarray
    filled: np.ndarray
    notes: list[str]


def fill_gaps(
    points: np.ndarray, rate: float, labels: list[str], longest: float = MAX_FILLED_GAP_SECONDS
) -> FilledMarkers:
    """Remove spikes, then fill gaps up to `longest` seconds by a cubic spline, except at the ends, where it would
    extrapolate."""
    points = np.array(points, dtype=float)
    notes, filled = [], np.zeros(points.shape[:2], dtype=bool)
    for k, label in enumerate(labels):
        seen = np.asarray(np.isfinite(points[:, k]).all(axis=1))
        points[~seen, k] = np.nan
        spikes = find_spikes(points[:, k])
        if spikes.any():
            points[spikes, k] = np.nan
            seen = np.asarray(seen & ~spikes)
            notes.append(f"marker {label} jumps away in {spikes.sum()} frames: they are taken out")
        if seen.all() or seen.sum() < 4:
            continue
        frames = np.flatnonzero(seen)
        spline = CubicSpline(frames, points[frames, k])
        for gap in true_runs(~seen):
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
    return FilledMarkers(points, filled, notes)


def find_spikes(places: np.ndarray, jump: float = MIN_SPIKE_JUMP_M, widest: int = 3) -> np.ndarray:
    """Mask (n,) of the spikes among positions (n, 3): up to `widest` frames in a row that are farther than `jump`, m, from
    the interpolation between their neighbours. Twice the displacement per frame is added to the limit for fast markers."""
    spikes = np.zeros(len(places), dtype=bool)
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
            spikes[hit : hit + width] = True
    return spikes


def find_duplicate_markers(points: np.ndarray, labels: list[str]) -> list[tuple[str, str]]:
    """Pairs of markers at the same position in all frames: one marker with two names."""
    seen = [k for k in range(len(labels)) if np.isfinite(points[:, k]).all(axis=1).any()]
    pairs = []
    for i, a in enumerate(seen):
        for b in seen[i + 1 :]:
            apart = np.linalg.norm(points[:, a] - points[:, b], axis=1)
            if np.nanmax(apart, initial=0.0) < 1e-4:
                pairs.append((labels[a], labels[b]))
    return pairs
