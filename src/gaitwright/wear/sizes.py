"""Sizes of a person, by the names that a device's lengths may be written with: `length: 0.6*shank_length`.

mass, kg; height, m; lengths of the segments: thigh from hip to knee, shank from knee to ankle, foot from heel to toes, pelvis
from the middle of the hips to the navel, trunk; hip_width between the hips; ankle_height above the sole. Legs: mean of both.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.segment_frames import SIDES
from gaitwright.gait.skeleton import Skeleton
from gaitwright.gait.subject import ANKLE_HEIGHT


def sizes(skeleton: Skeleton) -> dict[str, float]:
    """By name, in kg and m."""
    subject, segments = skeleton.subject, skeleton.segments
    limbs = {
        f"{kind}_length": float(np.mean([segments[f"{side}_{kind}"].length for side in SIDES]))
        for kind in ("thigh", "shank", "foot")
    }
    hips = [segments["pelvis"].joints[f"{side}_hip"] for side in SIDES]
    return {
        "mass": subject.mass, "height": subject.height, **limbs,
        "pelvis_length": float(np.linalg.norm(segments["pelvis"].joints["lumbar"])),
        "trunk_length": segments["trunk"].length,
        "hip_width": float(np.linalg.norm(hips[0] - hips[1])),
        "ankle_height": ANKLE_HEIGHT * subject.height,
    }  # fmt: skip
