"""Alignment of forces of a separate file with the markers: clock, unit of the points of application, and axes.

The axes follow from the feet: of the rotations by right angles that turn the push of the feet upwards, those count that put the
centre of pressure under a foot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations, product

import numpy as np

from gaitwright.gait.axes import find_up_axis_of_markers, mean_landmark_positions, nearest_axis
from gaitwright.gait.force_plates import ForcePlate
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS, SIDE_LETTERS

Array = np.ndarray
MIN_LOAD_N = 100.0
MAX_ALIGNED_DISTANCE_M = 0.15
"""m: largest median distance of the centre of pressure from the middle of the nearest foot in aligned axes."""
MIN_MISALIGNED_DISTANCE_M = 0.4
"""m: smaller distances are no reason for other axes: plates lie a metre apart."""
AXIS_NAMES = "xyz"


def align_clock(
    plates: list[ForcePlate], begin: float, seconds: float, name: str
) -> tuple[list[ForcePlate], list[str]]:
    """Plates of a file with its own clock, with starts relative to the first frame of the markers, at `begin`, s. Clocks that
    have less than half of the trial in common begin together, with a note."""
    if not plates:
        return plates, []
    start = plates[0].start - begin
    length = len(plates[0].force) / plates[0].rate
    common = min(seconds, start + length) - max(0.0, start)
    if common < 0.5 * min(seconds, length):
        note = (
            f"the times of {name} begin at {plates[0].start:.2f} s, those of the markers at {begin:.2f} s, and have nothing "
            "in common: both are taken to begin together"
        )
        return [replace(plate, start=0.0) for plate in plates], [note]
    notes = [f"the forces begin {start:+.3f} s from the first frame of the markers"] if abs(start) > 0.5e-3 else []
    return [replace(plate, start=plate.start - begin) for plate in plates], notes


def align_axes(
    points: Array, rate: float, labels: list[str], marks: Mapping[str, str], plates: list[ForcePlate]
) -> tuple[list[ForcePlate], list[str]]:
    """Plates in the axes of the markers, and a note if they had other ones. points: (frames, markers, 3), m."""
    up, _ = find_up_axis_of_markers(points, labels, marks)
    names = ("heel", *FOREFOOT_LANDMARKS)
    means = [
        mean_landmark_positions(points, labels, marks, *(f"{side}_{name}" for name in names)) for side in SIDE_LETTERS
    ]
    feet = [foot for foot in means if foot is not None]
    pushing = sum((np.nan_to_num(plate.force).sum(axis=0) / plate.rate for plate in plates), np.zeros(3))
    if not feet or np.linalg.norm(pushing) < 20.0:
        return plates, []
    push = nearest_axis(pushing)
    now = _distance_from_feet(plates, np.eye(3), up, feet, rate) if abs(push @ up) > 0.5 else np.inf
    if now < MIN_MISALIGNED_DISTANCE_M:
        return plates, []
    turns = [turn for turn in _right_angle_rotations() if abs(turn @ push @ up) > 0.5]
    distances = [_distance_from_feet(plates, turn, up, feet, rate) for turn in turns]
    best = int(np.argmin(distances))
    if distances[best] > MAX_ALIGNED_DISTANCE_M:
        return plates, []
    turn = turns[best]
    names = ", ".join(f"{AXIS_NAMES[k]} is {_signed_name(turn[:, k])} of the markers" for k in range(3))
    note = f"the forces have other axes than the markers: their {names}; they were rotated"
    return [_rotate_plate(plate, turn) for plate in plates], [note]


def _right_angle_rotations() -> list[Array]:
    """The 24 rotations that map axes to axes."""
    turns = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        turn = np.zeros((3, 3))
        turn[list(order), range(3)] = signs
        if np.linalg.det(turn) > 0:
            turns.append(turn)
    return turns


def _rotate_plate(plate: ForcePlate, turn: Array) -> ForcePlate:
    corners = None if plate.corners is None else plate.corners @ turn.T
    return replace(plate, force=plate.force @ turn.T, moment=plate.moment @ turn.T, corners=corners)


def _distance_from_feet(plates: list[ForcePlate], turn: Array, up: Array, feet: list[Array], rate: float) -> float:
    """Median distance of the loaded centres of pressure from the nearest foot, m, after a rotation of the plates."""
    first = np.roll(up, 1)
    axes = np.stack([first, np.cross(up, first), up])
    distances = []
    for plate in plates:
        force, moment = plate.force @ (axes @ turn).T, plate.moment @ (axes @ turn).T
        loaded = np.flatnonzero(np.abs(force[:, 2]) > MIN_LOAD_N)
        loaded = loaded[:: max(1, len(loaded) // 200)]
        frames = np.rint(plate.times[loaded] * rate).astype(int)
        loaded, frames = (
            loaded[(frames >= 0) & (frames < len(feet[0]))],
            frames[(frames >= 0) & (frames < len(feet[0]))],
        )
        if not len(loaded):
            continue
        height = 0.0 if plate.corners is None else float((plate.corners @ (axes @ turn).T)[:, 2].mean())
        fx, fy, fz = force[loaded].T
        mx, my, _ = moment[loaded].T
        centre = np.column_stack([(height * fx - my) / fz, (mx + height * fy) / fz])
        away = [np.linalg.norm(centre - (foot[frames] @ axes.T)[:, :2], axis=1) for foot in feet]
        distances.append(np.nanmin(np.stack([np.nan_to_num(one, nan=np.inf) for one in away]), axis=0))
    return float(np.median(np.concatenate(distances))) if distances else np.inf


def _signed_name(axis: Array) -> str:
    k = int(np.argmax(np.abs(axis)))
    return f"{'+' if axis[k] > 0 else '-'}{AXIS_NAMES[k]}"
