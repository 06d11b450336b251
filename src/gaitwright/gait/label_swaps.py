"""Markers of a segment with temporarily exchanged labels, caused by the laboratory's software.

Of two markers A, B of a segment and its other markers C, v_C = |A - C| - |B - C| keeps its sign as long as the segment is
rigid, and changes it when the labels are exchanged. The correct sign is that of the other side of the body, which must
have the same v, or else that of the majority of the frames. Labels that are wrong in all frames are not detected.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from gaitwright.gait.filters import true_runs
from gaitwright.gait.marker_sets import landmark_segment

Array = np.ndarray
MIN_DISTANCE_PATTERN_M = 0.015
"""m, of v: smaller values are skin motion or bending of the foot."""
MIN_PATTERN_RATIO = 0.5
"""Relative to the usual v: values within plus and minus this ratio are ambiguous."""
MAX_AMBIGUOUS_FRAME_RATIO = 0.05
"""Upper bound of the share of ambiguous frames."""
OPPOSITE_SIDES = {"right": "left", "left": "right"}


def correct_label_swaps(
    points: Array, times: Array, labels: list[str], marks: Mapping[str, str]
) -> tuple[Array, list[str]]:
    """Correct swapped labels. points: (frames, markers, 3), m, NaN for invisible markers. Returns a corrected copy, and
    notes."""
    points, notes = points.copy(), []
    by_segment: dict[str, list[str]] = {}
    for mark, label in marks.items():
        if label in labels and (segment := landmark_segment(mark)):
            by_segment.setdefault(segment, []).append(mark)
    column = {mark: labels.index(label) for mark, label in marks.items() if label in labels}
    for own in by_segment.values():
        for a, b in combinations(own, 2):
            rest = [mark for mark in own if mark not in (a, b)]
            wrong = _find_swapped_frames(points, column, a, b, rest) if rest else None
            if wrong is None:
                continue
            i, j = column[a], column[b]
            points[wrong, i], points[wrong, j] = points[wrong, j], points[wrong, i]
            spans = [f"{times[one.start]:.3f} to {times[one.stop - 1]:.3f} s" for one in true_runs(wrong)]
            more = f" and {len(spans) - 3} more times" if len(spans) > 3 else ""
            notes.append(f"{marks[a]} and {marks[b]} had each other's label, {', '.join(spans[:3])}{more}: put right")
    return points, notes


def _find_swapped_frames(points: Array, column: Mapping[str, int], a: str, b: str, rest: list[str]) -> Array | None:
    """Mask of the frames with exchanged labels; None if there are none, or if they are not distinguishable."""
    v = _distance_pattern(points, column, a, b, rest)
    seen = np.flatnonzero(np.isfinite(v).all(axis=1))
    if len(seen) < 10:
        return None
    largest = v[seen[np.argmax(np.linalg.norm(v[seen], axis=1))]]
    usual = np.median(v[seen] * np.sign(v[seen] @ largest)[:, None], axis=0)
    if np.linalg.norm(usual) < MIN_DISTANCE_PATTERN_M:
        return None
    along = np.full(len(v), np.nan)
    along[seen] = v[seen] @ usual / (usual @ usual)
    one, other = along > MIN_PATTERN_RATIO, along < -MIN_PATTERN_RATIO
    if not (one.any() and other.any()) or (np.abs(along[seen]) < MIN_PATTERN_RATIO).mean() > MAX_AMBIGUOUS_FRAME_RATIO:
        return None
    majority = one if one.sum() >= other.sum() else other
    right = _opposite_side_sign(points, column, a, b, rest, usual)
    wrong = (other if right > 0 else one) if right else ~majority & (one | other)
    return wrong if not wrong.all() else None


def _distance_pattern(points: Array, column: Mapping[str, int], a: str, b: str, rest: list[str]) -> Array:
    at = [points[:, column[mark]] for mark in rest]
    first, second = points[:, column[a]], points[:, column[b]]
    return np.column_stack([np.linalg.norm(first - c, axis=1) - np.linalg.norm(second - c, axis=1) for c in at])


def _opposite_side_sign(points: Array, column: Mapping[str, int], a: str, b: str, rest: list[str], usual: Array) -> int:
    """Constant sign of v on the other side of the body, 1 or -1; 0 if undetermined."""
    names = [
        f"{OPPOSITE_SIDES.get(side, side)}_{name}" for side, _, name in (mark.partition("_") for mark in (a, b, *rest))
    ]
    if any(name not in column for name in names) or set(names) & {a, b}:
        return 0
    v = _distance_pattern(points, column, names[0], names[1], names[2:])
    along = v @ usual / (usual @ usual)
    along = along[np.isfinite(along)]
    if (
        not len(along)
        or np.abs(np.median(along)) < MIN_PATTERN_RATIO
        or (np.sign(along) == np.sign(np.median(along))).mean() < 1 - MAX_AMBIGUOUS_FRAME_RATIO
    ):
        return 0
    return int(np.sign(np.median(along)))
