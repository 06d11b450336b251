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

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gaitwright.gait.hip_centres import (
    LEG_LENGTH_TO_INNER_MALLEOLUS_PER_BODY_HEIGHT,
    MARKER_RADIUS_M,
    HipCentreRegression,
)
from gaitwright.gait.marker_sets import TOE_LANDMARKS
from gaitwright.gait.subject import Subject

Array = np.ndarray
SIDE_SIGNS = {"right": 1.0, "left": -1.0}
"""Sign of the outward direction along z."""
FLAT_FOOT_FRAME_FRACTION = 0.1
"""Fraction of the frames of a walk, those with the lowest sum of heel and ball heights, in which the foot counts as flat."""
KNEE_WIDTH_PER_BODY_HEIGHT, ANKLE_WIDTH_PER_BODY_HEIGHT = 0.075, 0.052
"""Marker-to-marker widths of the joints over body height, used without an inner marker. OUR choice, from two people."""
HEEL_OFFSET_PER_FOOT_LENGTH = -0.25
"""In foot lengths, forward from the ankle. OUR choice."""
MAX_WAND_DEVIATION_DEG = 45.0
"""deg: a marker farther from the side of the limb than this is not a wand that defines the axis of a joint."""
MIN_ANKLE_ABOVE_FOOT_LINE_M = 0.015
"""m: smaller distances of the ankle from the line from heel to ball define no plane of the foot."""
UPRIGHT_AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""Axes of an upright segment that faces forward, in x forward, y left, z up."""


@dataclass(frozen=True)
class LimbMeasures:
    """Clinical measures of a person, m, mean of both sides: widths of the joints without markers, and length of the leg from
    ASIS to inner malleolus; None if unknown."""

    knee_width: float | None = None
    ankle_width: float | None = None
    leg_length: float | None = None


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
    segment, the landmarks that would define it. faults: defects of the labels that were corrected."""

    frames: dict[str, SegmentFrames]
    joints: dict[str, Array]
    missing: dict[str, str]
    notes: list[str]
    faults: list[str] = field(default_factory=list)


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
    points: Mapping[str, Array],
    subject: Subject,
    hip: HipCentreRegression,
    standing: bool,
    wands: Mapping[str, str] | None = None,
    measures: LimbMeasures | None = None,
) -> SkeletonAnatomy:
    """Locate segment frames and joint centres. points: by landmark, (frames, 3), m. standing: True for a static trial,
    with flat feet in all frames. wands: of the marker set (marker_sets). measures: of the person's limbs, if known.

    Landmarks that are missing are completed from the others as far as possible, with a note; a leg without the landmarks of
    a segment has none of the segments below."""
    measures = measures or LimbMeasures()
    anatomy = SkeletonAnatomy({}, {}, {}, [])
    points = {**points, **_points_from_devices(points, anatomy)}
    _add_pelvis(anatomy, points, hip, subject, measures)
    if "pelvis" in anatomy.frames:
        lift = subject.share("pelvis").length
        anatomy.joints["lumbar"] = anatomy.frames["pelvis"].outside(
            mean_upright_axes(anatomy.frames["pelvis"])[:, 1] * lift
        )
        for side in SIDE_SIGNS:
            _add_leg(anatomy, points, side, subject, standing, wands or {}, measures)
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
    """Positions of the second metatarsal head, or else the mean of the first and fifth, or the available one, or else those of
    the toes; None without any."""
    if f"{side}_mt2" in points:
        return points[f"{side}_mt2"]
    for names in (("mt1", "mt5"), TOE_LANDMARKS):
        heads = [points[f"{side}_{name}"] for name in names if f"{side}_{name}" in points]
        if heads:
            return np.mean(heads, axis=0)
    return None


def _points_from_devices(points: Mapping[str, Array], found: SkeletonAnatomy) -> dict[str, Array]:
    """Knee markers where the static trial has knee alignment devices instead.

    The three markers of a device are at equal distances from its corner, which lies where the marker of the knee will be, on
    legs at right angles: the corner is s / sqrt(6) beside the plane of the triangle of side s. One leg is the axis of the
    knee."""
    made = {}
    for side in SIDE_SIGNS:
        legs = [points.get(f"{side}_device_{name}") for name in ("axis", "first", "second")]
        ankle = points.get(f"{side}_ankle")
        if any(leg is None for leg in legs) or ankle is None:
            continue
        axis, first, second = (np.asarray(leg) for leg in legs)
        sides = [np.linalg.norm(a - b, axis=1) for a, b in ((axis, first), (first, second), (second, axis))]
        normal = normalise_vectors(np.cross(first - axis, second - axis))
        high = np.mean(sides, axis=0)[:, None] / np.sqrt(6.0) * normal
        middle = np.mean([axis, first, second], axis=0)
        pelvis = np.mean([at for name, at in points.items() if name.endswith(("asis", "psis", "sacrum"))], axis=0)
        line = normalise_vectors(pelvis - ankle)
        corners = [middle + high, middle - high]
        away = [np.nanmedian(np.linalg.norm(np.cross(one - ankle, line), axis=1)) for one in corners]
        made[f"{side}_knee"] = corners[int(np.argmin(away))]
        found.notes.append(f"the {side} knee and its axis are those of the knee alignment device")
    return made


def _add_pelvis(
    found: SkeletonAnatomy,
    points: Mapping[str, Array],
    hip: HipCentreRegression,
    subject: Subject,
    measures: LimbMeasures,
) -> None:
    right, left, back = (points.get(name) for name in ("right_asis", "left_asis", "sacrum"))
    if "right_psis" in points and "left_psis" in points:
        back = 0.5 * (points["right_psis"] + points["left_psis"])
    if right is not None and left is not None and back is None:
        back = _mirror_missing_side(points, "psis", 0.5 * (right + left), right - left, found)
    if back is not None and (right is None) != (left is None) and "right_psis" in points and "left_psis" in points:
        across = points["right_psis"] - points["left_psis"]
        middle = _mirror_missing_side(points, "asis", back, across, found)
        if middle is not None:
            right, left = (
                (2 * middle - left, left) if right is None and left is not None else (right, 2 * middle - right)
            )
    if right is None or left is None or back is None:
        _add_pelvis_of_hip_centres(found, points)
        return
    front = 0.5 * (right + left)
    frames = frames_along_z(front, right - left, front - back)
    width, depth = (float(median_over_frames(np.linalg.norm(v, axis=1))) for v in (right - left, front - back))
    leg = measures.leg_length
    if hip.needs_leg and leg is None:
        leg = LEG_LENGTH_TO_INNER_MALLEOLUS_PER_BODY_HEIGHT * subject.height
        found.notes.append(
            f"the length of the legs for the hip centres is {leg:.2f} m, by body height: the file has none"
        )
    ahead, up, out = hip.offset(width, depth, leg or 0.0)
    for side, sign in SIDE_SIGNS.items():
        found.joints[f"{side}_hip"] = frames.outside(np.array([ahead, up, sign * out]))
    found.frames["pelvis"] = SegmentFrames(frames.outside(np.array([ahead, up, 0.0])), frames.rotation)


def _mirror_missing_side(
    points: Mapping[str, Array], name: str, middle: Array, across: Array, found: SkeletonAnatomy
) -> Array | None:
    """Midpoint of a landmark of both sides of which one is missing, in the plane of symmetry through `middle`; None if both
    are missing."""
    side = next((side for side in SIDE_SIGNS if f"{side}_{name}" in points), None)
    if side is None:
        return None
    other = "left" if side == "right" else "right"
    found.notes.append(f"no {other}_{name}: it mirrors {side}_{name}")
    one, normal = points[f"{side}_{name}"], normalise_vectors(across)
    return one - np.sum((one - middle) * normal, axis=1, keepdims=True) * normal


def _add_pelvis_of_hip_centres(found: SkeletonAnatomy, points: Mapping[str, Array]) -> None:
    """Pelvis of key points, which are the centres of the hips: upright, since its tilt is not measured."""
    right, left = points.get("right_hip_centre"), points.get("left_hip_centre")
    if right is None or left is None:
        found.missing["pelvis"] = "right_asis, left_asis, and right_psis with left_psis or sacrum"
        return
    across = right - left
    ahead = np.cross(np.array([0.0, 0.0, 1.0]), across)
    found.joints.update(right_hip=right, left_hip=left)
    found.frames["pelvis"] = frames_along_z(0.5 * (right + left), across, ahead)
    found.notes.append("key points of the hips do not measure the tilt of the pelvis: it is upright")


def _add_leg(
    found: SkeletonAnatomy,
    points: Mapping[str, Array],
    side: str,
    subject: Subject,
    standing: bool,
    wands: Mapping[str, str],
    measures: LimbMeasures,
) -> None:
    pelvis, hip = found.frames["pelvis"], found.joints[f"{side}_hip"]
    flat = find_flat_foot_frames(points, side, standing)
    widths = {
        "knee": (measures.knee_width, KNEE_WIDTH_PER_BODY_HEIGHT * subject.height),
        "ankle": (measures.ankle_width, ANKLE_WIDTH_PER_BODY_HEIGHT * subject.height),
    }
    above, sideways = hip, SIDE_SIGNS[side] * pelvis.rotation[:, :, 2]
    for name, joint in (("thigh", "knee"), ("shank", "ankle")):
        centre = points.get(f"{side}_{joint}_centre")
        outer, inner = points.get(f"{side}_{joint}"), points.get(f"{side}_{joint}_medial")
        if outer is None and inner is None and centre is None:
            found.missing[f"{side}_{name}"] = f"{side}_{joint} and {side}_{joint}_medial"
            for below in ("shank", "foot") if name == "thigh" else ("foot",):
                found.missing.setdefault(f"{side}_{below}", f"{side}_{joint}")
            return
        if outer is not None and inner is not None:
            outer, inner = _order_inner_and_outer(outer, inner, sideways, f"{side}_{joint}", found)
        else:
            own, usual = widths[joint]
            width = usual if own is None else own + 2 * MARKER_RADIUS_M
            source = "by body height" if own is None else "from the file"
            across, how = _direction_across(points, side, joint, above, sideways, flat, wands.get(name))
            if centre is not None:
                outer, inner = centre + 0.5 * width * across(centre), centre - 0.5 * width * across(centre)
                how = f"the axis of the {side} {joint} is not measured: it is {how}"
            elif outer is not None:
                inner = _inner_marker(above, outer, across(outer), width)
                place = f"{500 * width:.0f} mm inwards of its marker ({source})"
                how = f"no {side}_{joint}_medial: the {side} {joint} is {place}, {how}"
            else:
                assert inner is not None
                outer = _inner_marker(above, inner, -across(inner), width)
                place = f"{500 * width:.0f} mm outwards of its inner marker ({source})"
                how = f"no {side}_{joint}: the {side} {joint} is {place}, {how}"
            found.notes.append(how)
        centre = 0.5 * (outer + inner)
        frames = frames_along_y(above, above - centre, SIDE_SIGNS[side] * (outer - inner))
        found.frames[f"{side}_{name}"] = frames
        found.joints[f"{side}_{joint}"] = centre
        above, sideways = centre, SIDE_SIGNS[side] * frames.rotation[:, :, 2]
    _add_foot(found, points, side, flat)


def _order_inner_and_outer(
    outer: Array, inner: Array, sideways: Array, name: str, found: SkeletonAnatomy
) -> tuple[Array, Array]:
    """Outer and inner marker of a joint, exchanged if the labels are. sideways: outwards, (frames, 3)."""
    outwards = np.sum((outer - inner) * sideways, axis=1)
    outwards = outwards[np.isfinite(outwards)]
    if not len(outwards) or np.median(outwards) >= 0:
        return outer, inner
    found.faults.append(f"the inner and the outer marker of the {name.replace('_', ' ')} have each other's label")
    return inner, outer


def _direction_across(
    points: Mapping[str, Array], side: str, joint: str, above: Array, sideways: Array, flat: Array, wand: str | None
) -> tuple[Callable[[Array], Array], str]:
    """Unit vector across a limb, outwards, as a function of the lower point of the limb, and its source: the plane of the wand
    in all frames, or the segment above in the frames with a flat foot (NaN in the others)."""

    def of(reference: Array, at: Array) -> Array:
        along = normalise_vectors(above - at)
        return normalise_vectors(reference - along * np.sum(reference * along, axis=1, keepdims=True))

    def from_above(at: Array) -> Array:
        across = np.full_like(at, np.nan)
        across[flat] = of(sideways, at)[flat]
        return across

    stick, at = points.get(f"{side}_{wand}") if wand else None, points.get(f"{side}_{joint}")
    segment = "pelvis" if joint == "knee" else "thigh"
    usual = f"sideways as the {segment} is when the foot lies flat"
    if stick is None or at is None:
        return from_above, usual
    aside = np.nanmedian(np.sum(of(stick - at, at) * from_above(at), axis=1))
    if not aside > np.cos(np.radians(MAX_WAND_DEVIATION_DEG)):
        return from_above, f"{usual}; the marker {side}_{wand} is not beside the limb and does not define it"
    return lambda point: of(stick - at, at), f"in the plane of {side}_{wand}"


def _inner_marker(above: Array, outer: Array, across: Array, width: float) -> Array:
    """Inner marker of a joint whose centre has a right angle between the outer marker and the joint above (the chord function
    of the conventional gait model), in the plane of `across`, which is outwards."""
    along = above - outer
    square = np.sum(along**2, axis=1, keepdims=True)
    half = 0.5 * width
    centre = outer + along * half**2 / square - across * half * np.sqrt(np.maximum(0.0, 1 - half**2 / square))
    return 2 * centre - outer


def _add_foot(found: SkeletonAnatomy, points: Mapping[str, Array], side: str, flat: Array) -> None:
    heel, ball, ankle = points.get(f"{side}_heel"), ball_positions(points, side), found.joints[f"{side}_ankle"]
    if heel is None and ball is None:
        found.missing[f"{side}_foot"] = f"{side}_heel and {side}_mt2, or {side}_mt1 with {side}_mt5"
        return
    shank = found.frames[f"{side}_shank"].rotation[:, :, 2]
    if heel is None or ball is None:
        lacking, way = ("heel", "ankle to the ball") if heel is None else ("mt2", "heel to the ankle")
        line = ball - ankle if ball is not None else ankle - np.asarray(heel)
        found.notes.append(f"no {side}_{lacking}: the {side} foot points from the {way}, and tilts with the shank")
        rough = _frames_along_x(ankle, line, shank).rotation
    else:
        across = np.cross(ball - heel, ankle - heel)
        away = np.linalg.norm(across, axis=1) / np.linalg.norm(ball - heel, axis=1)
        if np.nanmedian(away) < MIN_ANKLE_ABOVE_FOOT_LINE_M:
            found.notes.append(f"heel, ball and ankle of the {side} foot are on one line: it tilts with the shank")
            rough = _frames_along_x(ankle, ball - heel, shank).rotation
        else:
            rough = frames_along_z(ankle, across, ball - heel).rotation
    up = median_over_frames(rough[flat][:, 2])
    x = np.array([1.0, 0.0, 0.0]) - up[0] * up / (up @ up)
    y, x = up / np.linalg.norm(up), x / np.linalg.norm(x)
    found.frames[f"{side}_foot"] = SegmentFrames(ankle, rough @ np.stack([x, y, np.cross(x, y)], axis=-1))


def _frames_along_x(origin: Array, x: Array, right: Array) -> SegmentFrames:
    """Frames with the exact direction x, and z as close as possible to `right`."""
    x = normalise_vectors(x)
    y = normalise_vectors(np.cross(right, x))
    return SegmentFrames(origin, np.stack([x, y, np.cross(x, y)], axis=-1))


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
