"""Body dimensions that device lengths may refer to by name: `length: 0.6*shank_length`.

body_mass, kg; body_height, m; lengths of segments: thigh from hip to knee, shank from knee to ankle, foot from heel to toes,
pelvis from the middle of the hips to the navel, trunk; hip_width between the hips; heights of ankle, knee, hip and navel above
the ground in upright standing. A device parameter with one of these names takes the person's value when the device is put on.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.segment_frames import UPRIGHT_AXES
from gaitwright.gait.skeleton import HumanSkeleton, SegmentPoses
from gaitwright.gait.subject import ANKLE_HEIGHT_PER_BODY_HEIGHT


def sizes(skeleton: HumanSkeleton, side: str = "right") -> dict[str, float]:
    """Body dimensions by name, kg and m; leg lengths are those of the given side."""
    subject, segments = skeleton.subject, skeleton.segments
    limbs = {f"{kind}_length": segments[f"{side}_{kind}"].length for kind in ("thigh", "shank", "foot")}
    pelvis = segments["pelvis"].joints
    ankle = ANKLE_HEIGHT_PER_BODY_HEIGHT * subject.height
    knee = ankle + limbs["shank_length"]
    hip = knee + limbs["thigh_length"]
    up = float(pelvis["lumbar"][1] - pelvis[f"{side}_hip"][1])
    return {
        "body_mass": subject.mass, "body_height": subject.height, **limbs,
        "pelvis_length": float(np.linalg.norm(pelvis["lumbar"])), "trunk_length": segments["trunk"].length,
        "hip_width": 2 * abs(float(pelvis[f"{side}_hip"][2])),
        "ankle_height": ankle, "knee_height": knee, "hip_height": hip, "navel_height": hip + up,
    }  # fmt: skip


def standing_poses(skeleton: HumanSkeleton, side: str = "right") -> SegmentPoses:
    """Origin and rotation of each segment in upright standing: all joints at zero, the sole of this side at z = 0, the middle
    of the hips above the origin. Devices are drawn in this pose."""
    hip = skeleton.segments["pelvis"].joints[f"{side}_hip"][1]
    poses = {"pelvis": (np.array([0.0, 0.0, sizes(skeleton, side)["hip_height"] - hip]), UPRIGHT_AXES)}
    for joint in skeleton.joints.values():
        origin, rotation = poses[joint.parent]
        joint_position = skeleton.segments[joint.parent].joints[joint.name]
        poses[joint.child] = (
            origin + rotation @ (joint_position - skeleton.segments[joint.child].joints[joint.name]),
            rotation,
        )
    return poses
