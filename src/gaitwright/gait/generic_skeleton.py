"""Generic skeleton without a trial: segments of the tables for the body height, with a full set of markers.

Lengths are ratios of the height of de Leva's men, for all subjects: the schematic walk (schematic_gait.py) uses these legs.
Masses, centres and inertias are the subject's own.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.hip_centres import HIP_CENTRE_REGRESSIONS
from gaitwright.gait.marker_sets import match_landmarks
from gaitwright.gait.segment_frames import HEEL_OFFSET_PER_FOOT_LENGTH, SIDE_SIGNS
from gaitwright.gait.skeleton import JOINT_SEGMENTS, HumanSkeleton, SkeletonJoint, SkeletonSegment
from gaitwright.gait.subject import ANKLE_HEIGHT_PER_BODY_HEIGHT, Subject, segment_tables

Array = np.ndarray
HIP_WIDTH_PER_BODY_HEIGHT, PELVIS_DEPTH_PER_BODY_HEIGHT = 0.1, 0.086
"""In body heights: distance between the hips, and from ASIS to PSIS."""
BALL_OFFSET_PER_FOOT_LENGTH, TOE_OFFSET_PER_FOOT_LENGTH = 0.47, 0.75
"""In foot lengths, forward from the ankle. OUR choice, like the marker positions."""
MarkerPositions = dict[str, tuple[float, float, float]]


def segment_length_ratios() -> dict[str, float]:
    """Lengths of pelvis, thigh, shank and foot, in body heights."""
    men = segment_tables()["de_leva"]["male"]
    return {kind: men["segments"][kind]["length"] / men["height"] for kind in ("pelvis", "thigh", "shank", "foot")}


def build_generic_skeleton(subject: Subject) -> HumanSkeleton:
    """Build a generic skeleton for a subject without markers; labels are those of Cortex: R.ASIS, L.Knee.Medial, C7."""
    size = {kind: part * subject.height for kind, part in segment_length_ratios().items()}
    segments = {"pelvis": _build_pelvis(subject, size["pelvis"])}
    for side in SIDE_SIGNS:
        segments |= {f"{side}_{kind}": _build_limb(subject, side, kind, size[kind]) for kind in ("thigh", "shank")}
        segments[f"{side}_foot"] = _build_foot(subject, side, size["foot"])
    upper = subject.upper_body()
    segments["trunk"] = SkeletonSegment(
        "trunk", *upper, 2 * float(upper.centre[1]), {"lumbar": np.zeros(3)}, _segment_markers("trunk", subject.height)
    )
    joints = {}
    for side in SIDE_SIGNS:
        for name, (above, below) in JOINT_SEGMENTS.items():
            parent = above if above == "pelvis" else f"{side}_{above}"
            joints[f"{side}_{name}"] = SkeletonJoint(
                f"{side}_{name}", parent, f"{side}_{below}", "spherical", np.eye(3)
            )
    joints["lumbar"] = SkeletonJoint("lumbar", "pelvis", "trunk", "spherical", np.eye(3))
    labels = [label for one in segments.values() for label in one.markers]
    return HumanSkeleton(
        subject, segments, joints, match_landmarks(labels), False, [f"segments by {subject.source}, sized by height"]
    )


def _build_pelvis(subject: Subject, length: float) -> SkeletonSegment:
    share = subject.share("pelvis")
    half = 0.5 * HIP_WIDTH_PER_BODY_HEIGHT * subject.height
    joints = {f"{side}_hip": np.array([0.0, 0.0, sign * half]) for side, sign in SIDE_SIGNS.items()}
    joints["lumbar"] = np.array([0.0, length, 0.0])
    centre = np.array([0.0, (1 - share.centre) * length, 0.0])
    return SkeletonSegment(
        "pelvis", share.mass, centre, share.inertia(length), length, joints, _segment_markers("pelvis", subject.height)
    )


def _build_limb(subject: Subject, side: str, kind: str, length: float) -> SkeletonSegment:
    share, (upper, lower) = subject.share(kind), {"thigh": ("hip", "knee"), "shank": ("knee", "ankle")}[kind]
    joints = {f"{side}_{upper}": np.zeros(3), f"{side}_{lower}": np.array([0.0, -length, 0.0])}
    markers = _segment_markers(f"{side}_{kind}", subject.height)
    centre = np.array([0.0, -share.centre * length, 0.0])
    return SkeletonSegment(f"{side}_{kind}", share.mass, centre, share.inertia(length), length, joints, markers)


def _build_foot(subject: Subject, side: str, length: float) -> SkeletonSegment:
    share = subject.share("foot")
    centre = np.array(
        [
            (share.centre + HEEL_OFFSET_PER_FOOT_LENGTH) * length,
            -0.5 * ANKLE_HEIGHT_PER_BODY_HEIGHT * subject.height,
            0.0,
        ]
    )
    x, y, z = share.gyration  # in the tables the long axis is the one from heel to toe
    inertia = share.mass * np.diag(np.square(np.array([y, x, z]) * length))
    markers = _segment_markers(f"{side}_foot", subject.height)
    return SkeletonSegment(f"{side}_foot", share.mass, centre, inertia, length, {f"{side}_ankle": np.zeros(3)}, markers)


def _segment_markers(segment: str, height: float) -> dict[str, Array]:
    """Markers by label, in the frame of the segment, m."""
    side, _, kind = segment.partition("_")
    if kind:
        outwards = _marker_positions_per_height(height)[kind]
        return {
            f"{side[0].upper()}.{name}": _scale_position(at, SIDE_SIGNS[side], height) for name, at in outwards.items()
        }
    if segment == "pelvis":
        return {
            f"{side[0].upper()}.{name}": _scale_position(at, sign, height)
            for side, sign in SIDE_SIGNS.items()
            for name, at in _marker_positions_per_height(height)["pelvis"].items()
        }
    middle: MarkerPositions = {
        "C7": (-0.055, 0.275, 0),
        "Clavicle": (0.035, 0.24, 0),
        "Sternum": (0.055, 0.145, 0),
        "T10": (-0.075, 0.16, 0),
    }
    return {name: _scale_position(at, 1.0, height) for name, at in middle.items()}


def _marker_positions_per_height(height: float) -> dict[str, MarkerPositions]:
    """Positions in body heights: forward, up, outwards; ASIS such that Harrington's regression yields the hips."""
    ahead, up, out = HIP_CENTRE_REGRESSIONS["harrington"].rows
    width = (0.5 * HIP_WIDTH_PER_BODY_HEIGHT * height - out[0]) / out[1] / height
    front = (-ahead[0] / height - ahead[2] * PELVIS_DEPTH_PER_BODY_HEIGHT, -up[0] / height - up[1] * width)
    size = segment_length_ratios()
    knee, ankle = -size["thigh"], -size["shank"]
    return {
        "pelvis": {
            "ASIS": (*front, 0.5 * width),
            "PSIS": (front[0] - PELVIS_DEPTH_PER_BODY_HEIGHT, front[1], 0.03),
            "Iliac.Crest": (0.0, 0.08, 0.075),
        },
        "thigh": {"GTR": (0.0, -0.012, 0.052), "Knee": (0.0, knee, 0.031), "Knee.Medial": (0.0, knee, -0.031)},
        "shank": {
            "HF": (-0.011, -0.029, 0.029),
            "TT": (0.026, -0.034, 0.0),
            "Ankle": (0.0, ankle, 0.023),
            "Ankle.Medial": (0.0, ankle, -0.023),
        },
        "foot": {
            "Heel": (HEEL_OFFSET_PER_FOOT_LENGTH * size["foot"], -0.023, 0.0),
            "MT1": (0.066, -0.029, -0.026),
            "MT2": (0.07, -0.023, 0.0),
            "MT5": (0.062, -0.031, 0.026),
        },
    }


def _scale_position(at: tuple[float, float, float], sign: float, height: float) -> Array:
    return height * np.array([at[0], at[1], sign * at[2]])
