"""Detection of axes: the vertical axis, the walking direction, and crossed left and right sides.

Frame of all computations: x = walking direction, y = left, z = up, right-handed. `LaboratoryFrame` stores the axes of the
laboratory, for output in its frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.filters import derivative
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS, PELVIS_LANDMARKS, SIDE_LETTERS

if TYPE_CHECKING:
    from gaitwright.gait.force_plates import ForcePlate
    from gaitwright.gait.trial import GaitTrial

AXIS_NAMES = ("x", "y", "z")
MAX_AXIS_DEVIATION_DEG = 20.0
"""deg: a walking direction within this angle of a laboratory axis is set to that axis."""
MIN_WAY_M, MIN_WAY_RATIO = 0.4, 0.8
"""m: shorter ways are those on a treadmill; and smallest ratio of the way to the range of positions without a pelvis."""


@dataclass(frozen=True)
class LaboratoryFrame:
    """Frame of a trial in its laboratory. axes: (3, 3), rows: forward, left and up in the axes of the laboratory. unit: m
    per unit of its files. belt: speed of a treadmill, m/s; 0 over ground. notes: remarks on their detection."""

    axes: np.ndarray
    unit: float = 1.0
    belt: float = 0.0
    notes: tuple[str, ...] = ()

    def back(self, values: np.ndarray) -> np.ndarray:
        """Convert vectors (.., 3) of the trial to the axes of the laboratory; SI units."""
        return values @ self.axes


def mean_landmark_positions(
    points: np.ndarray, labels: list[str], marks: Mapping[str, str], *wanted: str
) -> np.ndarray | None:
    """Mean of several landmarks, (frames, 3); None if no frame shows any of them. In frames with missing landmarks it is
    computed from the others, corrected by their usual offset from the mean, so that it does not jump."""
    columns = [labels.index(marks[name]) for name in wanted if name in marks]
    columns = [column for column in columns if np.isfinite(points[:, column]).all(axis=1).any()]
    if not columns:
        return None
    chosen = points[:, columns]
    complete = chosen[np.isfinite(chosen).all(axis=(1, 2))]
    if len(complete):
        chosen = chosen - (complete - complete.mean(axis=1, keepdims=True)).mean(axis=0)
    count = np.isfinite(chosen).sum(axis=1)
    return np.where(count > 0, np.nansum(chosen, axis=1) / np.maximum(count, 1), np.nan)


def _both_side_names(*names: str) -> list[str]:
    return [f"{side}_{name}" for side in ("right", "left") for name in names]


def find_laboratory_frame(
    points: np.ndarray, rate: float, labels: list[str], marks: Mapping[str, str], plates: list[ForcePlate]
) -> LaboratoryFrame:
    """Detect the frame. points: (frames, markers, 3), m, in the axes of the laboratory, like the plates."""
    up, how = find_up_axis(points, labels, marks, plates)
    forward, more, belt = find_forward_axis(points, rate, labels, marks, up)
    axes = np.stack([forward, np.cross(up, forward), up])
    frame_notes = (
        f"up is {_axis_name(up)} of the laboratory ({how})",
        f"walking goes along {_axis_name(forward)} ({more})",
    )
    return LaboratoryFrame(axes, 1.0, belt, frame_notes)


def find_up_axis(
    points: np.ndarray, labels: list[str], marks: Mapping[str, str], plates: list[ForcePlate]
) -> tuple[np.ndarray, str]:
    """Vertical axis, an axis of the laboratory or its opposite, and the evidence: from landmarks, or from the spread of the
    markers. Raises ModelError if plate forces have another axis."""
    up, how = find_up_axis_of_markers(points, labels, marks)
    pushing = sum((np.nan_to_num(plate.force).sum(axis=0) / plate.rate for plate in plates), np.zeros(3))
    if np.linalg.norm(pushing) > 20.0:
        pushes = nearest_axis(pushing)
        if abs(pushes @ up) < 0.5:
            ErrorContext("forces").fail(
                f"are in another frame than the markers: they push along {_axis_name(pushes)}, but up is {_axis_name(up)}, and "
                "no rotation by right angles puts them under the feet",
                expected="plates and markers in the axes of one laboratory",
            )
    return up, how


def find_up_axis_of_markers(points: np.ndarray, labels: list[str], marks: Mapping[str, str]) -> tuple[np.ndarray, str]:
    """The same, from the markers alone."""
    body = mean_landmark_positions(points, labels, marks, *_both_side_names(*PELVIS_LANDMARKS, "trochanter", "knee"))
    foot = mean_landmark_positions(points, labels, marks, *_both_side_names("heel", "ankle", *FOREFOOT_LANDMARKS))
    if body is not None and foot is not None:
        up, how = nearest_axis(np.nanmean(body - foot, axis=0)), "from hip to foot"
    elif foot is not None:
        up, how = _up_from_feet(points, labels, marks)
    else:
        middle = np.nanmean(points, axis=0)
        spread = np.nanstd(middle, axis=0)
        axis = int(np.argmax(spread))
        # low markers (feet) start and stop, high ones move steadily
        busy = np.nanstd(np.linalg.norm(np.diff(points, axis=0), axis=2), axis=0)
        good = np.isfinite(busy) & np.isfinite(middle[:, axis])
        sign = -np.sign(np.sum((busy[good] - busy[good].mean()) * (middle[good, axis] - middle[good, axis].mean())))
        up, how = (sign or 1.0) * np.eye(3)[axis], "from the spread of the markers"
    return up, how


def _up_from_feet(points: np.ndarray, labels: list[str], marks: Mapping[str, str]) -> tuple[np.ndarray, str]:
    """Vertical axis from markers of the feet alone: a foot travels farthest forward, then upwards, and is near the ground most
    of the time."""
    names = ("heel", "ankle", *FOREFOOT_LANDMARKS)
    feet = [
        mean_landmark_positions(points, labels, marks, *(f"{side}_{name}" for name in names)) for side in SIDE_LETTERS
    ]
    ranges = np.sum(
        [np.ptp(np.nanquantile(foot, [0.02, 0.98], axis=0), axis=0) for foot in feet if foot is not None], axis=0
    )
    axis = int(np.argsort(ranges)[-2])
    skew = sum(float(np.nanmean(foot[:, axis]) - np.nanmedian(foot[:, axis])) for foot in feet if foot is not None)
    return (1.0 if skew >= 0 else -1.0) * np.eye(3)[axis], "from the motion of the feet"


def find_forward_axis(
    points: np.ndarray, rate: float, labels: list[str], marks: Mapping[str, str], up: np.ndarray
) -> tuple[np.ndarray, str, float]:
    """Walking direction, the evidence, and the speed of the treadmill belt, m/s: direction of the body's motion, or on a
    treadmill of the feet."""
    body = mean_landmark_positions(points, labels, marks, *_both_side_names(*PELVIS_LANDMARKS))
    whole = body is not None  # without a pelvis the swing of a foot on a treadmill looks like a way
    body = body if body is not None else np.nanmean(points, axis=1)
    seen = np.flatnonzero(np.isfinite(body).all(axis=1))
    if len(seen) < 2:
        ErrorContext("markers").fail("are hardly ever seen", expected="markers of the pelvis and the feet")
    way = np.polyfit(seen, body[seen], 1)[0] * (seen[-1] - seen[0])  # a fit, because the end points include the sway
    way -= (way @ up) * up
    heel = mean_landmark_positions(points, labels, marks, *_both_side_names("heel"))
    ball = mean_landmark_positions(points, labels, marks, *_both_side_names(*FOREFOOT_LANDMARKS))
    pointing = None if heel is None or ball is None else np.nanmean(ball - heel, axis=0)
    moves = np.linalg.norm(way) > max(MIN_WAY_M, 0.0 if whole else MIN_WAY_RATIO * np.ptp(body[seen], axis=0).max())
    facing = _facing_direction(points, labels, marks, up)
    backwards = moves and facing is not None and pointing is not None and facing @ way < 0 and facing @ pointing > 0
    if backwards:
        how, along = f"where the feet point: the body moves {np.linalg.norm(way):.2f} m backwards", -way
    elif moves:
        how, along = f"the body moves {np.linalg.norm(way):.2f} m", way
    elif pointing is not None:
        how, along = "where the feet point: the body stays, as on a treadmill", pointing
    elif facing is not None:
        how, along = "from left to right: the body stays, and no heel and toe are known", facing
    else:
        how, along = "a guess: the body stays, and no heel and toe are known", way
    along = along - (along @ up) * up
    if not np.linalg.norm(along) > 1e-9:
        along = np.roll(up, 1)
    along = along / np.linalg.norm(along)
    axis = nearest_axis(along)
    if axis @ along > np.cos(np.radians(MAX_AXIS_DEVIATION_DEG)):
        along = axis
    belt = 0.0 if moves else _estimate_belt_speed(points, rate, labels, marks, along, up)
    return along, how, belt


def _facing_direction(
    points: np.ndarray, labels: list[str], marks: Mapping[str, str], up: np.ndarray
) -> np.ndarray | None:
    """Direction ahead of the body, from its left and right landmarks; None without a pair of them."""
    names = (*PELVIS_LANDMARKS, "trochanter", "knee", "knee_centre")
    pairs = [name for name in names if f"right_{name}" in marks and f"left_{name}" in marks]
    right, left = (
        mean_landmark_positions(points, labels, marks, *(f"{side}_{n}" for n in pairs)) for side in SIDE_LETTERS
    )
    if right is None or left is None or not np.isfinite(left - right).all(axis=1).any():
        return None
    return np.cross(np.nanmean(left - right, axis=0), up)


def _estimate_belt_speed(
    points: np.ndarray, rate: float, labels: list[str], marks: Mapping[str, str], forward: np.ndarray, up: np.ndarray
) -> float:
    """Backward speed of the ball of the foot while it is lowest, m/s; 0 below 0.2 m/s."""
    speeds = []
    for side in ("right", "left"):
        ball = mean_landmark_positions(points, labels, marks, *(f"{side}_{name}" for name in FOREFOOT_LANDMARKS))
        if ball is None or not np.isfinite(ball).all(axis=1).any():
            continue
        height, back = ball @ up, -derivative(ball @ forward, rate)
        speeds.append(np.nanmedian(back[height <= np.nanquantile(height, 0.3)]))
    belt = float(np.mean(speeds)) if speeds else 0.0
    return belt if belt > 0.2 else 0.0


def crossed_side_offset(trial: GaitTrial) -> float | None:
    """Distance by which left landmarks lie to the right of right ones, m: positive for swapped sides or a mirrored frame;
    None without a landmark on both sides."""
    offsets = []
    for landmark in (*PELVIS_LANDMARKS, "trochanter", "knee"):
        right, left = (trial.place(f"{side}_{landmark}") for side in ("right", "left"))
        if right is not None and left is not None:
            offsets.append(np.nanmedian((right - left)[:, 1]))
    return float(np.median(offsets)) if offsets else None


def mirror_trial(trial: GaitTrial) -> GaitTrial:
    """The trial with left and right of its frame exchanged, including forces and moments: for a left-handed frame."""
    flip = np.array([1.0, -1.0, 1.0])
    plates = [
        replace(
            p, force=p.force * flip, moment=-p.moment * flip, corners=None if p.corners is None else p.corners * flip
        )
        for p in trial.plates
    ]
    lab = replace(trial.lab, axes=trial.lab.axes * flip[:, None], notes=(*trial.lab.notes, "mirrored on request"))
    return replace(trial, markers=trial.markers * flip, plates=plates, lab=lab)


def swap_sides(trial: GaitTrial) -> GaitTrial:
    """The trial with the names of left and right exchanged and unchanged positions: for wrongly labelled markers."""
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


def nearest_axis(vector: np.ndarray) -> np.ndarray:
    axis = int(np.argmax(np.abs(vector)))
    return np.sign(vector[axis] or 1.0) * np.eye(3)[axis]


def _axis_name(vector: np.ndarray) -> str:
    axis = int(np.argmax(np.abs(vector)))
    sign = "+" if vector[axis] > 0 else "-"
    if abs(vector[axis]) > 0.999999:
        return f"{sign}{AXIS_NAMES[axis]}"
    return f"({', '.join(f'{v:.2f}' for v in vector)})"
