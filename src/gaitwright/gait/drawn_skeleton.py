"""A skeleton without a trial: segments as tables have them of a body of that height, with a full set of markers on them.

Lengths are shares of height, those of de Leva's men, for everybody: the schematic walk (schematic.py) stands on such legs.
Masses, centres and inertias are the subject's own.
"""

from __future__ import annotations

import numpy as np

from gaitwright.gait.hip_centres import REGRESSIONS
from gaitwright.gait.marker_sets import landmarks
from gaitwright.gait.segment_frames import SIDES
from gaitwright.gait.skeleton import PARTNERS, Joint, Segment, Skeleton
from gaitwright.gait.subject import ANKLE_HEIGHT, Subject, tables

Array = np.ndarray
HIP_WIDTH, DEPTH = 0.1, 0.086
"""Of body height: between the hips, and from ASIS to PSIS."""
HEEL, BALL, TOE = -0.25, 0.47, 0.75
"""Of a foot's length, before the ankle. OUR choice, like the places of markers."""
Places = dict[str, tuple[float, float, float]]


def lengths() -> dict[str, float]:
    """Of pelvis, thigh, shank and foot, in body heights."""
    men = tables()["de_leva"]["male"]
    return {kind: men["segments"][kind]["length"] / men["height"] for kind in ("pelvis", "thigh", "shank", "foot")}


def drawn_skeleton(subject: Subject) -> Skeleton:
    """Segments of a person who has no markers; labels are those of Cortex: R.ASIS, L.Knee.Medial, C7."""
    size = {kind: part * subject.height for kind, part in lengths().items()}
    segments = {"pelvis": _pelvis(subject, size["pelvis"])}
    for side in SIDES:
        segments |= {f"{side}_{kind}": _limb(subject, side, kind, size[kind]) for kind in ("thigh", "shank")}
        segments[f"{side}_foot"] = _foot(subject, side, size["foot"])
    upper = subject.upper_body()
    segments["trunk"] = Segment(
        "trunk", *upper, 2 * float(upper.centre[1]), {"lumbar": np.zeros(3)}, _markers("trunk", subject.height)
    )
    joints = {}
    for side in SIDES:
        for name, (above, below) in PARTNERS.items():
            parent = above if above == "pelvis" else f"{side}_{above}"
            joints[f"{side}_{name}"] = Joint(f"{side}_{name}", parent, f"{side}_{below}", "spherical", np.eye(3))
    joints["lumbar"] = Joint("lumbar", "pelvis", "trunk", "spherical", np.eye(3))
    labels = [label for one in segments.values() for label in one.markers]
    return Skeleton(
        subject, segments, joints, landmarks(labels), False, [f"segments by {subject.source}, sized by height"]
    )


def _pelvis(subject: Subject, length: float) -> Segment:
    share = subject.share("pelvis")
    half = 0.5 * HIP_WIDTH * subject.height
    joints = {f"{side}_hip": np.array([0.0, 0.0, sign * half]) for side, sign in SIDES.items()}
    joints["lumbar"] = np.array([0.0, length, 0.0])
    centre = np.array([0.0, (1 - share.centre) * length, 0.0])
    return Segment(
        "pelvis", share.mass, centre, share.inertia(length), length, joints, _markers("pelvis", subject.height)
    )


def _limb(subject: Subject, side: str, kind: str, length: float) -> Segment:
    share, (upper, lower) = subject.share(kind), {"thigh": ("hip", "knee"), "shank": ("knee", "ankle")}[kind]
    joints = {f"{side}_{upper}": np.zeros(3), f"{side}_{lower}": np.array([0.0, -length, 0.0])}
    markers = _markers(f"{side}_{kind}", subject.height)
    centre = np.array([0.0, -share.centre * length, 0.0])
    return Segment(f"{side}_{kind}", share.mass, centre, share.inertia(length), length, joints, markers)


def _foot(subject: Subject, side: str, length: float) -> Segment:
    share = subject.share("foot")
    centre = np.array([(share.centre + HEEL) * length, -0.5 * ANKLE_HEIGHT * subject.height, 0.0])
    x, y, z = share.gyration  # tables call the axis from heel to toe the long one
    inertia = share.mass * np.diag(np.square(np.array([y, x, z]) * length))
    markers = _markers(f"{side}_foot", subject.height)
    return Segment(f"{side}_foot", share.mass, centre, inertia, length, {f"{side}_ankle": np.zeros(3)}, markers)


def _markers(segment: str, height: float) -> dict[str, Array]:
    """By label, in the frame of the segment, m."""
    side, _, kind = segment.partition("_")
    if kind:
        outwards = _outwards(height)[kind]
        return {f"{side[0].upper()}.{name}": _put(at, SIDES[side], height) for name, at in outwards.items()}
    if segment == "pelvis":
        return {f"{side[0].upper()}.{name}": _put(at, sign, height)
                for side, sign in SIDES.items() for name, at in _outwards(height)["pelvis"].items()}  # fmt: skip
    middle: Places = {
        "C7": (-0.055, 0.275, 0), "Clavicle": (0.035, 0.24, 0), "Sternum": (0.055, 0.145, 0), "T10": (-0.075, 0.16, 0),
    }  # fmt: skip
    return {name: _put(at, 1.0, height) for name, at in middle.items()}


def _outwards(height: float) -> dict[str, Places]:
    """Places in body heights: forward, up, outwards; ASIS where Harrington's regression finds the hips."""
    ahead, up, out = REGRESSIONS["harrington"].rows
    width = (0.5 * HIP_WIDTH * height - out[0]) / out[1] / height
    front = (-ahead[0] / height - ahead[2] * DEPTH, -up[0] / height - up[1] * width)
    size = lengths()
    knee, ankle = -size["thigh"], -size["shank"]
    return {
        "pelvis": {
            "ASIS": (*front, 0.5 * width), "PSIS": (front[0] - DEPTH, front[1], 0.03), "Iliac.Crest": (0.0, 0.08, 0.075),
        },
        "thigh": {"GTR": (0.0, -0.012, 0.052), "Knee": (0.0, knee, 0.031), "Knee.Medial": (0.0, knee, -0.031)},
        "shank": {
            "HF": (-0.011, -0.029, 0.029), "TT": (0.026, -0.034, 0.0), "Ankle": (0.0, ankle, 0.023),
            "Ankle.Medial": (0.0, ankle, -0.023),
        },
        "foot": {
            "Heel": (HEEL * size["foot"], -0.023, 0.0), "MT1": (0.066, -0.029, -0.026), "MT2": (0.07, -0.023, 0.0),
            "MT5": (0.062, -0.031, 0.026),
        },
    }  # fmt: skip


def _put(at: tuple[float, float, float], sign: float, height: float) -> Array:
    return height * np.array([at[0], at[1], sign * at[2]])
