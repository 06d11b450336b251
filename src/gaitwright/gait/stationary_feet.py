"""Motions with both feet flat and still, side by side below the hips, and both legs alike.

Inputs are joint angles, as moves from rest to rest: an angle changes by `by` from `start` to `end` as

    by (10 u^3 - 15 u^4 + 6 u^5),      u = (t - start) / (end - start)

which has the least jerk of all such moves (T. Flash and N. Hogan, J. Neurosci. 5 (1985) 1688-1703); overlapping moves are
added.
Poses are built upwards from the feet. Each foot carries half of the ground force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gaitwright.gait.generic_skeleton import (
    TOE_OFFSET_PER_FOOT_LENGTH,
    build_generic_skeleton,
)
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.schematic_motion import (
    SegmentPoseSeries,
    attach_segment,
    distribute_to_feet,
    joint_rotations,
    point_of_application,
)
from gaitwright.gait.segment_frames import HEEL_OFFSET_PER_FOOT_LENGTH, SIDE_SIGNS, UPRIGHT_AXES
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.subject import ANKLE_HEIGHT_PER_BODY_HEIGHT, Subject

Array = np.ndarray
MinimumJerkMoves = Sequence[Sequence[float]]
"""Rows of start, end, and change."""
LEG_JOINTS = (("ankle", "shank"), ("knee", "thigh"), ("hip", "pelvis"))


def minimum_jerk_path(times: Array, moves: MinimumJerkMoves, first: float = 0.0) -> Array:
    """Path (time,) of an angle or another quantity by minimum-jerk moves, starting from `first`."""
    path = np.full(len(times), float(first))
    for start, end, by in moves:
        u = np.clip((times - start) / (end - start), 0.0, 1.0)
        path += by * u**3 * (10 - 15 * u + 6 * u**2)
    return path


@dataclass(frozen=True)
class SagittalAngles:
    """Sagittal angles, rad, (time,): positive for dorsiflexion, flexion of knee and hip, and forward flexion of the trunk
    on the pelvis."""

    ankle: Array
    knee: Array
    hip: Array
    trunk: Array

    @staticmethod
    def read(curves: Mapping[str, Mapping], times: Array) -> SagittalAngles:
        """Read angles from a sheet in degrees, by joint: `from` and `moves`. A missing joint gets 0; a missing ankle angle is
        determined later by `balanced`."""
        rows = {name: curves.get(name, {"from": 0.0, "moves": []}) for name in ("ankle", "knee", "hip", "trunk")}
        return SagittalAngles(
            **{name: np.radians(minimum_jerk_path(times, one["moves"], one["from"])) for name, one in rows.items()}
        )


class TrunkCarriedMass(NamedTuple):
    """Mass carried by the trunk. mass: (time,), kg. local: (3,), m, a point of the trunk. reach: (time, 3), m, offset from
    there in ground axes, independent of the trunk's lean."""

    mass: Array
    local: Array
    reach: Array


class StationaryFeetModel:
    """A person who stands on the origin: ankles at x = 0, the ground at z = 0."""

    def __init__(self, subject: Subject) -> None:
        self.subject, self.skeleton = subject, build_generic_skeleton(subject)
        foot = self.skeleton.segments["right_foot"].length
        self.heel, self.toe = HEEL_OFFSET_PER_FOOT_LENGTH * foot, TOE_OFFSET_PER_FOOT_LENGTH * foot

    def poses(self, angles: SagittalAngles) -> SegmentPoseSeries:
        skeleton, count = self.skeleton, len(angles.knee)
        half = abs(skeleton.segments["pelvis"].joints["right_hip"][2])
        lean = {"foot": np.zeros(count)}
        lean["shank"] = -angles.ankle  # about z, to the right: forward is negative
        lean["thigh"] = lean["shank"] + angles.knee
        lean["pelvis"] = lean["thigh"] - angles.hip
        poses: SegmentPoseSeries = {}
        for side, sign in SIDE_SIGNS.items():
            ankle = np.tile([0.0, -sign * half, ANKLE_HEIGHT_PER_BODY_HEIGHT * self.subject.height], (count, 1))
            poses[f"{side}_foot"] = (ankle, UPRIGHT_AXES @ joint_rotations(lean["foot"]))
            end = ankle
            for joint, kind in LEG_JOINTS[:2]:  # the lower joint of each limb is the upper end of the limb below
                segment, rotation = skeleton.segments[f"{side}_{kind}"], UPRIGHT_AXES @ joint_rotations(lean[kind])
                end = end - rotation @ segment.joints[f"{side}_{joint}"]
                poses[f"{side}_{kind}"] = (end, rotation)
        middle = 0.5 * (poses["right_thigh"][0] + poses["left_thigh"][0])
        poses["pelvis"] = (middle, UPRIGHT_AXES @ joint_rotations(lean["pelvis"]))
        attach_segment(skeleton, poses, "lumbar", joint_rotations(-angles.trunk))
        return poses

    def balanced(self, angles: SagittalAngles, over: float, carried: Sequence[TrunkCarriedMass]) -> SagittalAngles:
        """Adjust the ankle angles so that the centre of mass, with the carried masses, lies over a line across the feet,
        where the ground force would act at rest. over: m ahead of the ankles.

        Everything except the feet is rotated about the ankles by a: with r and b the magnitude and direction of its first
        moment about them, r sin(a + b) = over m - first moments of feet and reach."""
        poses, segments = self.poses(angles), self.skeleton.segments
        ankles = np.array([0.0, 0.0, ANKLE_HEIGHT_PER_BODY_HEIGHT * self.subject.height])
        turning, required = np.zeros((len(angles.knee), 3)), np.full(len(angles.knee), over * self.subject.mass)
        for name, one in segments.items():
            place = poses[name][0] + poses[name][1] @ one.centre
            if name.endswith("foot"):
                required -= one.mass * place[:, 0]
            else:
                turning += one.mass * (place - ankles)
        for one in carried:
            origin, rotation = poses["trunk"]
            turning += one.mass[:, None] * (origin + rotation @ one.local - ankles)
            required += one.mass * (over - one.reach[:, 0])
        x, _, z = turning.T
        return replace(angles, ankle=angles.ankle + np.arcsin(required / np.hypot(x, z)) - np.arctan2(x, z))

    def forces(self, motion: SkeletonMotion, whole: Wrench, notes: Sequence[str] = ()) -> GroundForces:
        """Ground forces with half of the whole wrench on each foot."""
        centre = np.stack([motion.origin(f"{side}_foot") * [0.0, 1.0, 0.0] for side in FOOT_SIDES], axis=1)
        share = np.full(centre.shape[:2], 0.5)
        return distribute_to_feet(motion.times, whole, centre, share, notes=tuple(notes))

    def inside(self, whole: Wrench) -> tuple[float, float]:
        """Smallest distances, m, of the ground force ahead of the heels and behind the toes; negative: outside."""
        ahead = point_of_application(whole)[:, 0]
        return float(ahead.min() - self.heel), float(self.toe - ahead.max())
