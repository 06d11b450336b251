"""Sizes of a person, by the names that a device's lengths may be written with: `length: 0.6*shank_length`.

body_mass, kg; body_height, m; lengths of segments: thigh from hip to knee, shank from knee to ankle, foot from heel to toes,
pelvis from the middle of the hips to the navel, trunk; hip_width between the hips; heights above the ground of ankle, knee, hip
and navel of who stands upright. A parameter of a device that has one of these names takes the person's value when it is put on.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.segment_frames import UPRIGHT
from gaitwright.gait.skeleton import Poses, Skeleton
from gaitwright.gait.subject import ANKLE_HEIGHT


def sizes(skeleton: Skeleton, side: str = "right") -> dict[str, float]:
    """By name, in kg and m; of the leg of this side."""
    subject, segments = skeleton.subject, skeleton.segments
    limbs = {f"{kind}_length": segments[f"{side}_{kind}"].length for kind in ("thigh", "shank", "foot")}
    pelvis = segments["pelvis"].joints
    ankle = ANKLE_HEIGHT * subject.height
    knee = ankle + limbs["shank_length"]
    hip = knee + limbs["thigh_length"]
    up = float(pelvis["lumbar"][1] - pelvis[f"{side}_hip"][1])
    return {
        "body_mass": subject.mass, "body_height": subject.height, **limbs,
        "pelvis_length": float(np.linalg.norm(pelvis["lumbar"])), "trunk_length": segments["trunk"].length,
        "hip_width": 2 * abs(float(pelvis[f"{side}_hip"][2])),
        "ankle_height": ankle, "knee_height": knee, "hip_height": hip, "navel_height": hip + up,
    }  # fmt: skip


def standing(skeleton: Skeleton, side: str = "right") -> Poses:
    """Origin and rotation of each segment of who stands upright with all joints at zero, the sole of this side at z = 0, the
    middle of the hips above the origin: the pose in which devices are drawn."""
    hip = skeleton.segments["pelvis"].joints[f"{side}_hip"][1]
    poses = {"pelvis": (np.array([0.0, 0.0, sizes(skeleton, side)["hip_height"] - hip]), UPRIGHT)}
    for joint in skeleton.joints.values():
        origin, rotation = poses[joint.parent]
        place = skeleton.segments[joint.parent].joints[joint.name]
        poses[joint.child] = (origin + rotation @ (place - skeleton.segments[joint.child].joints[joint.name]), rotation)
    return poses
