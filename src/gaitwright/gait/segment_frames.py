"""Frames of segments from landmarks, after the ISB: x forward, y up along the segment, z to the right, on both sides.

segment     origin              axes (G. Wu et al., J. Biomech. 35 (2002) 543-548; thorax: 38 (2005) 981-992)
pelvis      middle of the hips  z: from left to right ASIS; y: normal of the plane of ASIS and middle of PSIS
thigh       hip                 y: knee to hip; x: normal of the plane of hip and epicondyles
shank       knee                y: ankle to knee; x: normal of the plane of knee and malleoli
foot        ankle               y: up while the foot lies flat; x: from heel to the second metatarsal head, level
trunk       navel               y: from between xiphoid and T8 to between jugular notch and C7; z: normal of their plane

For the shank the ISB defines z along the malleoli and lets y lean; here y is along the bone, and x is the same. Arrays
have frames as first axis, with NaN for invisible landmarks. The columns of a rotation are the axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gaitwright.gait.hip_centres import HipCentreRegression
from gaitwright.gait.subject import Subject

Array = np.ndarray
SIDE_SIGNS = {"right": 1.0, "left": -1.0}
"""Sign of the outward direction along z."""
FLAT_FOOT_FRAME_FRACTION = 0.1
"""Fraction of the frames of a walk, those with the lowest sum of heel and ball heights, in which the foot counts as flat."""
KNEE_WIDTH_PER_BODY_HEIGHT, ANKLE_WIDTH_PER_BODY_HEIGHT = 0.075, 0.052
"""Marker-to-marker widths of the joints over body height, used without an inner marker. OUR choice, from two people."""
UPRIGHT_AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""Axes of an upright segment that faces forward, in x forward, y left, z up."""


class SegmentFrames(NamedTuple):
    """Segment frames over time. origin: (frames, 3). rotation: (frames, 3, 3)."""

    origin: Array
    rotation: Array

    def inside(self, points: Array) -> Array:
        """Convert positions (frames, 3) of the ground frame to these frames."""
        return np.einsum("fji,fj->fi", self.rotation, points - self.origin)

    def outside(self, local: Array) -> Array:
        """Position (frames, 3) in the ground frame of a local point (3,) of the segment."""
        return self.origin + self.rotation @ local


@dataclass(frozen=True)
class SkeletonAnatomy:
    """Anatomy located from landmarks. frames: by segment. joints: centres by joint, (frames, 3). missing: for each undefined
    segment, the landmarks that would define it."""

    frames: dict[str, SegmentFrames]
    joints: dict[str, Array]
    missing: dict[str, str]
    notes: list[str]


def normalise_vectors(vectors: Array) -> Array:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def frames_along_y(origin: Array, y: Array, right: Array) -> SegmentFrames:
    """Frames with the exact direction y, and z as close as possible to `right`."""
    y = normalise_vectors(y)
    x = normalise_vectors(np.cross(y, right))
    return SegmentFrames(origin, np.stack([x, y, np.cross(x, y)], axis=-1))


def frames_along_z(origin: Array, z: Array, ahead: Array) -> SegmentFrames:
    """Frames with the exact direction z, and x as close as possible to `ahead`."""
    z = normalise_vectors(z)
    y = normalise_vectors(np.cross(z, ahead))
    return SegmentFrames(origin, np.stack([np.cross(y, z), y, z], axis=-1))


def median_over_frames(vectors: Array) -> Array:
    """Median over the frames with finite values; NaN without any."""
    seen = vectors[np.isfinite(vectors).reshape(len(vectors), -1).all(axis=1)]
    return np.median(seen, axis=0) if len(seen) else np.full(vectors.shape[1:], np.nan)


def locate_anatomy(
    points: Mapping[str, Array], subject: Subject, hip: HipCentreRegression, standing: bool
) -> SkeletonAnatomy:
    """Locate segment frames and joint centres. points: by landmark, (frames, 3), m. standing: True for a static trial,
    with flat feet in all frames."""
    anatomy = SkeletonAnatomy({}, {}, {}, [])
    _add_pelvis(anatomy, points, hip)
    if "pelvis" in anatomy.frames:
        lift = subject.share("pelvis").length
        anatomy.joints["lumbar"] = anatomy.frames["pelvis"].outside(
            mean_upright_axes(anatomy.frames["pelvis"])[:, 1] * lift
        )
        for side in SIDE_SIGNS:
            _add_leg(anatomy, points, side, subject, standing)
        _add_trunk(anatomy, points)
    return anatomy


def mean_upright_axes(frames: SegmentFrames) -> Array:
    """Axes (3, 3), as columns in the axes of the segment, of a frame that is upright on average, with z as close as
    possible to the segment's."""
    up = median_over_frames(frames.rotation[:, 2])
    up = up / np.linalg.norm(up)
    x = np.cross(up, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    return np.stack([x, up, np.cross(x, up)], axis=-1)


def find_flat_foot_frames(points: Mapping[str, Array], side: str, standing: bool) -> Array:
    """Indices of the frames with a flat foot."""
    heel, ball = points.get(f"{side}_heel"), ball_positions(points, side)
    if heel is None or ball is None:
        return np.arange(len(next(iter(points.values()))))
    height = (heel + ball)[:, 2]
    seen = np.flatnonzero(np.isfinite(height))
    if standing or not len(seen):
        return seen
    return seen[np.argsort(height[seen])[: max(3, round(FLAT_FOOT_FRAME_FRACTION * len(seen)))]]


def ball_positions(points: Mapping[str, Array], side: str) -> Array | None:
    """Positions of the second metatarsal head, or else the mean of the first and fifth, or the available one; None without
    any."""
    if f"{side}_mt2" in points:
        return points[f"{side}_mt2"]
    heads = [points[f"{side}_{name}"] for name in ("mt1", "mt5") if f"{side}_{name}" in points]
    return np.mean(heads, axis=0) if heads else None


def _add_pelvis(found: SkeletonAnatomy, points: Mapping[str, Array], hip: HipCentreRegression) -> None:
    right, left = points.get("right_asis"), points.get("left_asis")
    back = [points[name] for name in ("right_psis", "left_psis") if name in points]
    sacrum = np.mean(back, axis=0) if len(back) == 2 else points.get("sacrum")
    if right is None or left is None or sacrum is None:
        found.missing["pelvis"] = "right_asis, left_asis, and right_psis with left_psis or sacrum"
        return
    front = 0.5 * (right + left)
    frames = frames_along_z(front, right - left, front - sacrum)
    width, depth = (float(median_over_frames(np.linalg.norm(v, axis=1))) for v in (right - left, front - sacrum))
    ahead, up, out = hip.offset(width, depth)
    for side, sign in SIDE_SIGNS.items():
        found.joints[f"{side}_hip"] = frames.outside(np.array([ahead, up, sign * out]))
    found.frames["pelvis"] = SegmentFrames(frames.outside(np.array([ahead, up, 0.0])), frames.rotation)


def _add_leg(found: SkeletonAnatomy, points: Mapping[str, Array], side: str, subject: Subject, standing: bool) -> None:
    pelvis, hip = found.frames["pelvis"], found.joints[f"{side}_hip"]
    flat = find_flat_foot_frames(points, side, standing)
    widths = {
        "knee": KNEE_WIDTH_PER_BODY_HEIGHT * subject.height,
        "ankle": ANKLE_WIDTH_PER_BODY_HEIGHT * subject.height,
    }
    above, sideways = hip, pelvis.rotation[:, :, 2]
    for name, joint in (("thigh", "knee"), ("shank", "ankle")):
        outer = points.get(f"{side}_{joint}")
        if outer is None:
            found.missing[f"{side}_{name}"] = f"{side}_{joint} and {side}_{joint}_medial"
            return
        inner = points.get(f"{side}_{joint}_medial")
        if inner is None:
            inner = _estimate_inner_marker(above, outer, SIDE_SIGNS[side] * sideways, widths[joint], flat)
            found.notes.append(
                f"no {side}_{joint}_medial: the {side} {joint} is {500 * widths[joint]:.0f} mm inwards of its marker (by body "
                f"height), sideways as the {'pelvis' if joint == 'knee' else 'thigh'} is when the foot lies flat"
            )
        centre = 0.5 * (outer + inner)
        frames = frames_along_y(above, above - centre, SIDE_SIGNS[side] * (outer - inner))
        found.frames[f"{side}_{name}"] = frames
        found.joints[f"{side}_{joint}"] = centre
        above, sideways = centre, frames.rotation[:, :, 2]
    _add_foot(found, points, side, flat)


def _estimate_inner_marker(above: Array, outer: Array, outwards: Array, width: float, flat: Array) -> Array:
    """Estimated position of the inner marker of a joint, across the limb, in the frames with a flat foot; NaN in the
    others."""
    across = outwards - normalise_vectors(above - outer) * np.sum(
        outwards * normalise_vectors(above - outer), axis=1, keepdims=True
    )
    inner = np.full_like(outer, np.nan)
    inner[flat] = (outer - width * normalise_vectors(across))[flat]
    return inner


def _add_foot(found: SkeletonAnatomy, points: Mapping[str, Array], side: str, flat: Array) -> None:
    heel, ball, ankle = points.get(f"{side}_heel"), ball_positions(points, side), found.joints[f"{side}_ankle"]
    if heel is None or ball is None:
        found.missing[f"{side}_foot"] = f"{side}_heel and {side}_mt2, or {side}_mt1 with {side}_mt5"
        return
    rough = frames_along_z(ankle, np.cross(ball - heel, ankle - heel), ball - heel).rotation
    up = median_over_frames(rough[flat][:, 2])
    x = np.array([1.0, 0.0, 0.0]) - up[0] * up / (up @ up)
    y, x = up / np.linalg.norm(up), x / np.linalg.norm(x)
    found.frames[f"{side}_foot"] = SegmentFrames(ankle, rough @ np.stack([x, y, np.cross(x, y)], axis=-1))


def _add_trunk(found: SkeletonAnatomy, points: Mapping[str, Array]) -> None:
    low = found.joints["lumbar"]
    four = [points.get(name) for name in ("clavicle", "c7", "sternum", "t10")]
    right, left = points.get("right_shoulder"), points.get("left_shoulder")
    if all(one is not None for one in four):
        clavicle, c7, sternum, back = (one for one in four if one is not None)
        up = 0.5 * (clavicle + c7) - 0.5 * (sternum + back)
        found.frames["trunk"] = frames_along_y(low, up, np.cross(clavicle - c7, up))
    elif right is not None and left is not None:
        found.frames["trunk"] = frames_along_y(low, 0.5 * (right + left) - low, right - left)
    else:
        found.missing["trunk"] = "c7, t10, clavicle and sternum, or right_shoulder with left_shoulder"
        found.frames["trunk"] = SegmentFrames(low, np.tile(UPRIGHT_AXES, (len(low), 1, 1)))  # carried, upright
