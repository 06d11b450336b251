"""Segments of a person as driven bodies along a motion that starts from standing; a device is assembled on them.

The motion is preceded by LEAD_SECONDS in which the person moves from standing upright, the pose in which the device is
drawn and free of load, to the first frame. So device and person start together and at rest, and vibrations have died away
when the motion begins. During the lead the joints turn and stay connected: relative quaternions and joint positions follow
polynomials of degree 5 that reach the first frame with its velocity and acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.filters import derivative, true_runs
from gaitwright.gait.motion import SkeletonMotion, matrices_from_quaternions, quaternions_from_matrices
from gaitwright.gait.skeleton import SegmentPoses

Array = np.ndarray
LEAD_SECONDS = 0.8
"""s. OUR choice: with half of it, cuffs of 2 kN/m vibrated into the first tenth of the motion."""
LEAD_SWING_SECONDS = 0.3
"""s: final part of the lead, in which joints build up their speed. Over the whole lead, a foot that comes down at 3 rad/s had
to go back by 26 degrees, beyond the range of an ankle, and a stiff spring left its working range. OUR choice: cuff loads stay
small."""
MIN_MOTION_FRAMES = 8
"""Minimum number of frames of a motion."""


@dataclass(frozen=True)
class DrivenSegments:
    """Poses of driven segments over time. times: (n,), s, from 0, the lead included. first: index of the first frame of the
    motion in `times`. frames: slice of the motion's frames that are followed. away: (3,), m, horizontal shift of the motion
    towards the origin, so that the person stands above the origin before the motion. poses: origin (n, 3), m, and rotation
    (n, 3, 3) by segment."""

    times: Array
    first: int
    frames: slice
    away: Array
    poses: dict[str, tuple[Array, Array]]

    @property
    def lead(self) -> float:
        return float(self.times[self.first])


def drive_segments(motion: SkeletonMotion, standing: SegmentPoses, needed: list[str]) -> DrivenSegments:
    """Drive the needed segments along the longest run of frames in which all of them are known.

    Raises ModelError if that run is shorter than MIN_MOTION_FRAMES."""
    segment_indices = [motion.segments.index(name) for name in needed]
    is_known = np.isfinite(motion.position.to_numpy()[:, segment_indices]).all(axis=(1, 2))
    is_known = np.asarray(is_known & np.isfinite(motion.rotation.to_numpy()[:, segment_indices]).all(axis=(1, 2, 3)))
    frames = max(true_runs(is_known), key=lambda frame_run: frame_run.stop - frame_run.start, default=slice(0, 0))
    if frames.stop - frames.start < MIN_MOTION_FRAMES:
        ErrorContext("motion").fail(
            f"has no {MIN_MOTION_FRAMES} frames after each other in which {', '.join(needed)} are known",
            expected="a longer motion",
        )
    chain = {joint.child: joint for joint in motion.skeleton.joints.values()}
    count, rate = max(MIN_MOTION_FRAMES, round(LEAD_SECONDS * motion.rate)), motion.rate
    poses: dict[str, tuple[Array, Array]] = {}
    root = next(name for name in ("pelvis", *needed) if is_segment_known(motion, name, frames))
    path = motion.origin(root)[frames]
    shift = path[0] - standing[root][0] - derivative(path, rate)[0] * 0.5 * count / rate
    shift[2] = 0.0

    def add(name: str) -> None:
        if name in poses:
            return
        origin, rotation = motion.origin(name)[frames] - shift, motion.turned(name)[frames]
        start, upright = standing[name]
        parent = chain[name].parent if name in chain else None
        if parent is None or not is_segment_known(motion, parent, frames):
            positions = np.concatenate([_approach_path(start, origin, count, rate), origin])
            rotations = _approach_rotations(upright, rotation, count, rate)
        else:
            add(parent)
            parent_origin, frame = poses[parent]
            parent_axes = np.swapaxes(motion.turned(parent)[frames], 1, 2)
            relative, offset = (
                parent_axes @ rotation,
                np.einsum("tij,tj->ti", parent_axes, origin - (motion.origin(parent)[frames] - shift)),
            )
            parent_start, parent_upright = standing[parent]
            offsets = np.concatenate(
                [_approach_path(parent_upright.T @ (start - parent_start), offset, count, rate), offset]
            )
            positions = parent_origin + np.einsum("tij,tj->ti", frame, offsets)
            rotations = frame @ _approach_rotations(parent_upright.T @ upright, relative, count, rate)
            # keep the measured poses exactly
            positions[count:], rotations[count:] = origin, rotation
        poses[name] = positions, rotations

    for name in needed:
        add(name)
    length = count + frames.stop - frames.start
    return DrivenSegments(np.arange(length) / rate, count, frames, shift, {name: poses[name] for name in needed})


def is_segment_known(motion: SkeletonMotion, segment: str, frames: slice) -> bool:
    return bool(np.isfinite(motion.origin(segment)[frames]).all() and np.isfinite(motion.turned(segment)[frames]).all())


def _approach_rotations(begin: Array, rotation: Array, count: int, rate: float) -> Array:
    """(count, 3, 3): rotations of the lead, from `begin` at rest to the first of `rotation` (n, 3, 3)."""
    quaternions = quaternions_from_matrices(np.concatenate([begin[None], rotation]))
    return matrices_from_quaternions(
        np.concatenate(
            [_approach_path(quaternions[0], quaternions[1:], count, rate, LEAD_SWING_SECONDS), quaternions[1:]]
        )
    )


def _approach_path(begin: Array, values: Array, count: int, rate: float, swing: float = LEAD_SECONDS) -> Array:
    """(count, k): path from rest at `begin` to the first of `values` (n, k) with its velocity and acceleration, evenly
    spaced.

    swing: s before the end, in which velocity and acceleration build up; for a speed v the path goes back by up to 0.19 v
    swing."""
    end, part = values[0], min(count, round(swing * rate))
    speed, acceleration = derivative(values, rate)[0] * part / rate, derivative(values, rate, 2)[0] * (part / rate) ** 2
    s, swing_time = ((np.clip(np.arange(count) - count + n, 0, n) / n)[:, None] for n in (count, part))
    path = begin + (end - begin) * s**3 * (10 - 15 * s + 6 * s**2)
    return (
        path
        + speed * swing_time**3 * (-4 + 7 * swing_time - 3 * swing_time**2)
        + acceleration * 0.5 * swing_time**3 * (1 - 2 * swing_time + swing_time**2)
    )
