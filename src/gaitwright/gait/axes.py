"""Axes found from the data: what is up, where a person walks, and whether left is left.

Frame of all computation: x = direction of walking, y = left, z = up, right-handed. What the laboratory calls its axes is kept
in `Lab`, so that results can be written back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.filters import derivative
from gaitwright.gait.marker_sets import FOREFOOT, PELVIS

if TYPE_CHECKING:
    from gaitwright.gait.plates import Plate
    from gaitwright.gait.trial import Trial

NAMES = ("x", "y", "z")
STRAIGHT = 20.0
"""deg: a walk along an axis of the laboratory up to this is taken as one along it."""


@dataclass(frozen=True)
class Lab:
    """axes: (3, 3), rows: forward, left and up in the axes of the laboratory. unit: m per unit of its files. belt: speed of a
    treadmill, m/s, 0 over ground. notes: how they were found."""

    axes: np.ndarray
    unit: float = 1.0
    belt: float = 0.0
    notes: tuple[str, ...] = ()

    def back(self, values: np.ndarray) -> np.ndarray:
        """Vectors (.., 3) of the trial in the axes of the laboratory; SI."""
        return values @ self.axes


def places(points: np.ndarray, labels: list[str], marks: Mapping[str, str], *wanted: str) -> np.ndarray | None:
    """The mean of several landmarks, (frames, 3); None if there is none of them. Where one is lost the others stand for it,
    each from its usual place in the mean: the mean must not jump."""
    columns = [labels.index(marks[name]) for name in wanted if name in marks]
    if not columns:
        return None
    chosen = points[:, columns]
    complete = chosen[np.isfinite(chosen).all(axis=(1, 2))]
    if len(complete):
        chosen = chosen - (complete - complete.mean(axis=1, keepdims=True)).mean(axis=0)
    count = np.isfinite(chosen).sum(axis=1)
    return np.where(count > 0, np.nansum(chosen, axis=1) / np.maximum(count, 1), np.nan)


def _both(*names: str) -> list[str]:
    return [f"{side}_{name}" for side in ("right", "left") for name in names]


def find(points: np.ndarray, rate: float, labels: list[str], marks: Mapping[str, str], plates: list[Plate]) -> Lab:
    """points: (frames, markers, 3), m, in the axes of the laboratory, as are the plates."""
    up, how = up_of(points, labels, marks, plates)
    forward, more, belt = forward_of(points, rate, labels, marks, up)
    axes = np.stack([forward, np.cross(up, forward), up])
    said = (f"up is {_name(up)} of the laboratory ({how})", f"walking goes along {_name(forward)} ({more})")
    return Lab(axes, 1.0, belt, said)


def up_of(
    points: np.ndarray, labels: list[str], marks: Mapping[str, str], plates: list[Plate]
) -> tuple[np.ndarray, str]:
    """An axis of the laboratory, or its opposite: from landmarks, or from how markers spread; plates must agree."""
    body = places(points, labels, marks, *_both(*PELVIS, "trochanter", "knee"))
    foot = places(points, labels, marks, *_both("heel", "ankle", *FOREFOOT))
    if body is not None and foot is not None:
        up, how = _nearest_axis(np.nanmean(body - foot, axis=0)), "from hip to foot"
    else:
        middle = np.nanmean(points, axis=0)
        spread = np.nanstd(middle, axis=0)
        axis = int(np.argmax(spread))
        # what is low moves in starts and stops, what is high goes on
        busy = np.nanstd(np.linalg.norm(np.diff(points, axis=0), axis=2), axis=0)
        good = np.isfinite(busy) & np.isfinite(middle[:, axis])
        sign = -np.sign(np.sum((busy[good] - busy[good].mean()) * (middle[good, axis] - middle[good, axis].mean())))
        up, how = (sign or 1.0) * np.eye(3)[axis], "from the spread of the markers"
    pushing = sum((np.nan_to_num(plate.force).sum(axis=0) / plate.rate for plate in plates), np.zeros(3))
    if np.linalg.norm(pushing) > 20.0:
        pushes = _nearest_axis(pushing)
        if abs(pushes @ up) < 0.5:
            At("forces").fail(
                f"are in another frame than the markers: they push along {_name(pushes)}, but up is {_name(up)}",
                expected="plates and markers in the axes of one laboratory",
            )
    return up, how


def forward_of(
    points: np.ndarray, rate: float, labels: list[str], marks: Mapping[str, str], up: np.ndarray
) -> tuple[np.ndarray, str, float]:
    """Where the body goes; on a treadmill, where the feet point; and the speed of its belt, m/s."""
    body = places(points, labels, marks, *_both(*PELVIS))
    body = np.nanmean(points, axis=1) if body is None else body
    seen = np.flatnonzero(np.isfinite(body).all(axis=1))
    if len(seen) < 2:
        At("markers").fail("are hardly ever seen", expected="markers of the pelvis and the feet")
    way = np.polyfit(seen, body[seen], 1)[0] * (seen[-1] - seen[0])  # ends alone would show the sway
    way -= (way @ up) * up
    heel = places(points, labels, marks, *_both("heel"))
    ball = places(points, labels, marks, *_both(*FOREFOOT))
    pointing = None if heel is None or ball is None else np.nanmean(ball - heel, axis=0)
    if np.linalg.norm(way) > 0.4:
        how, along = f"the body moves {np.linalg.norm(way):.2f} m", way
    elif pointing is not None:
        how, along = "where the feet point: the body stays, as on a treadmill", pointing
    else:
        how, along = "a guess: the body stays, and no heel and toe are known", way
    along = along - (along @ up) * up
    if not np.linalg.norm(along) > 1e-9:
        along = np.roll(up, 1)
    along = along / np.linalg.norm(along)
    axis = _nearest_axis(along)
    if axis @ along > np.cos(np.radians(STRAIGHT)):
        along = axis
    belt = _belt(points, rate, labels, marks, along, up) if np.linalg.norm(way) <= 0.4 else 0.0
    return along, how, belt


def _belt(
    points: np.ndarray, rate: float, labels: list[str], marks: Mapping[str, str], forward: np.ndarray, up: np.ndarray
) -> float:
    """The speed with which the ball of the foot goes back while it is lowest."""
    speeds = []
    for side in ("right", "left"):
        ball = places(points, labels, marks, *(f"{side}_{name}" for name in FOREFOOT))
        if ball is None or not np.isfinite(ball).all(axis=1).any():
            continue
        height, back = ball @ up, -derivative(ball @ forward, rate)
        speeds.append(np.nanmedian(back[height <= np.nanquantile(height, 0.3)]))
    belt = float(np.mean(speeds)) if speeds else 0.0
    return belt if belt > 0.2 else 0.0


def crossed_sides(trial: Trial) -> float | None:
    """How far what is called left lies to the right of what is called right, m: positive where sides are swapped or the
    frame is mirrored; None where no landmark has both sides."""
    offsets = []
    for landmark in (*PELVIS, "trochanter", "knee"):
        right, left = (trial.place(f"{side}_{landmark}") for side in ("right", "left"))
        if right is not None and left is not None:
            offsets.append(np.nanmedian((right - left)[:, 1]))
    return float(np.median(offsets)) if offsets else None


def mirrored(trial: Trial) -> Trial:
    """The trial with left and right of its frame exchanged, forces and moments too: for a left-handed frame."""
    flip = np.array([1.0, -1.0, 1.0])
    plates = [
        replace(
            p, force=p.force * flip, moment=-p.moment * flip, corners=None if p.corners is None else p.corners * flip
        )
        for p in trial.plates
    ]
    lab = replace(trial.lab, axes=trial.lab.axes * flip[:, None], notes=(*trial.lab.notes, "mirrored on request"))
    return replace(trial, markers=trial.markers * flip, plates=plates, lab=lab)


def swapped(trial: Trial) -> Trial:
    """The trial with the names of left and right exchanged, the places unchanged: for markers that were labelled wrongly."""
    other = {"right": "left", "left": "right"}
    partner = {
        label: trial.landmarks[f"{other[side]}_{name}"]
        for landmark, label in trial.landmarks.items()
        for side, _, name in [landmark.partition("_")]
        if f"{other.get(side)}_{name}" in trial.landmarks
    }
    labels = [partner.get(label, label) for label in trial.labels]
    return replace(
        trial, markers=trial.markers.assign_coords(marker=labels), notes=[*trial.notes, "sides swapped on request"]
    )


def _nearest_axis(vector: np.ndarray) -> np.ndarray:
    axis = int(np.argmax(np.abs(vector)))
    return np.sign(vector[axis] or 1.0) * np.eye(3)[axis]


def _name(vector: np.ndarray) -> str:
    axis = int(np.argmax(np.abs(vector)))
    sign = "+" if vector[axis] > 0 else "-"
    if abs(vector[axis]) > 0.999999:
        return f"{sign}{NAMES[axis]}"
    return f"({', '.join(f'{v:.2f}' for v in vector)})"
