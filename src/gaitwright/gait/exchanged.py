"""Markers of a segment that change places in the middle of a trial: labels that the laboratory's program confused.

Of two markers A, B of a segment and its others C, v_C = |A - C| - |B - C| keeps its sign as long as the segment is rigid, and
turns it when the labels are exchanged. Which labels are right is told by the other side of the body, which must have the same
v, or else by the majority of the frames. Labels that are wrong all the time are not found this way.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from gaitwright.gait.filters import stretches
from gaitwright.gait.marker_sets import segment_of

Array = np.ndarray
LEAST = 0.015
"""m, of v: less is skin and a foot that bends."""
SURE = 0.5
"""Of the usual v: between -SURE and SURE it is neither one nor the other."""
UNSURE = 0.05
"""Share of frames that may be so."""
OTHER = {"right": "left", "left": "right"}


def mend_exchanged(points: Array, times: Array, labels: list[str], marks: Mapping[str, str]) -> tuple[Array, list[str]]:
    """points: (frames, markers, 3), m, NaN where a marker is not seen; a copy with labels put right, and what was done."""
    points, notes = points.copy(), []
    by_segment: dict[str, list[str]] = {}
    for mark, label in marks.items():
        if label in labels and (segment := segment_of(mark)):
            by_segment.setdefault(segment, []).append(mark)
    column = {mark: labels.index(label) for mark, label in marks.items() if label in labels}
    for own in by_segment.values():
        for a, b in combinations(own, 2):
            rest = [mark for mark in own if mark not in (a, b)]
            wrong = _wrong(points, column, a, b, rest) if rest else None
            if wrong is None:
                continue
            i, j = column[a], column[b]
            points[wrong, i], points[wrong, j] = points[wrong, j], points[wrong, i]
            spans = [f"{times[one.start]:.3f} to {times[one.stop - 1]:.3f} s" for one in stretches(wrong)]
            more = f" and {len(spans) - 3} more times" if len(spans) > 3 else ""
            notes.append(f"{marks[a]} and {marks[b]} had each other's label, {', '.join(spans[:3])}{more}: put right")
    return points, notes


def _wrong(points: Array, column: Mapping[str, int], a: str, b: str, rest: list[str]) -> Array | None:
    """In which frames the two are exchanged, or None."""
    v = _pattern(points, column, a, b, rest)
    seen = np.flatnonzero(np.isfinite(v).all(axis=1))
    if len(seen) < 10:
        return None
    largest = v[seen[np.argmax(np.linalg.norm(v[seen], axis=1))]]
    usual = np.median(v[seen] * np.sign(v[seen] @ largest)[:, None], axis=0)
    if np.linalg.norm(usual) < LEAST:
        return None
    along = np.full(len(v), np.nan)
    along[seen] = v[seen] @ usual / (usual @ usual)
    one, other = along > SURE, along < -SURE
    if not (one.any() and other.any()) or (np.abs(along[seen]) < SURE).mean() > UNSURE:
        return None
    majority = one if one.sum() >= other.sum() else other
    right = _as_opposite(points, column, a, b, rest, usual)
    wrong = (other if right > 0 else one) if right else ~majority & (one | other)
    return wrong if not wrong.all() else None


def _pattern(points: Array, column: Mapping[str, int], a: str, b: str, rest: list[str]) -> Array:
    at = [points[:, column[mark]] for mark in rest]
    first, second = points[:, column[a]], points[:, column[b]]
    return np.column_stack([np.linalg.norm(first - c, axis=1) - np.linalg.norm(second - c, axis=1) for c in at])


def _as_opposite(points: Array, column: Mapping[str, int], a: str, b: str, rest: list[str], usual: Array) -> int:
    """1 or -1: the sign of v that the other side of the body has all the time; 0 if it cannot tell."""
    names = [f"{OTHER.get(side, side)}_{name}" for side, _, name in (mark.partition("_") for mark in (a, b, *rest))]
    if any(name not in column for name in names) or set(names) & {a, b}:
        return 0
    v = _pattern(points, column, names[0], names[1], names[2:])
    along = v @ usual / (usual @ usual)
    along = along[np.isfinite(along)]
    if (
        not len(along)
        or np.abs(np.median(along)) < SURE
        or (np.sign(along) == np.sign(np.median(along))).mean() < 1 - UNSURE
    ):
        return 0
    return int(np.sign(np.median(along)))
