"""Frames of segments from landmarks, after the ISB: x forward, y up along the segment, z to the right, on both sides.

segment     origin              axes (G. Wu et al., J. Biomech. 35 (2002) 543-548; thorax: 38 (2005) 981-992)
pelvis      middle of the hips  z: from left to right ASIS; y: normal of the plane of ASIS and middle of PSIS
thigh       hip                 y: knee to hip; x: normal of the plane of hip and epicondyles
shank       knee                y: ankle to knee; x: normal of the plane of knee and malleoli
foot        ankle               y: up while the foot lies flat; x: from heel to the second metatarsal head, level
trunk       navel               y: from between xiphoid and T8 to between jugular notch and C7; z: normal of their plane

Of the shank the ISB keeps the line of the malleoli and lets y lean; here y is along the bone, x is the same.
All arrays have frames in front, NaN where a landmark is not seen. A rotation has the axes as columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gaitwright.gait.hip_centres import Regression
from gaitwright.gait.subject import Subject

Array = np.ndarray
SIDES = {"right": 1.0, "left": -1.0}
"""Sign of z, outwards."""
FLAT = 0.1
"""Share of the frames of a walk in which heel and ball are lowest together: the foot lies flat."""
KNEE_WIDTH, ANKLE_WIDTH = 0.075, 0.052
"""From marker to marker across the joint, of body height, where the inner marker is not there. OUR choice, from two people."""
UPRIGHT = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""A segment that stands upright and looks ahead: its axes in x forward, y left, z up."""


class Frames(NamedTuple):
    """origin: (frames, 3). rotation: (frames, 3, 3)."""

    origin: Array
    rotation: Array

    def inside(self, points: Array) -> Array:
        """Places (frames, 3) of the ground frame in these frames."""
        return np.einsum("fji,fj->fi", self.rotation, points - self.origin)

    def outside(self, local: Array) -> Array:
        """A place (3,) of the segment along the frames, (frames, 3)."""
        return self.origin + self.rotation @ local


@dataclass(frozen=True)
class Anatomy:
    """frames: by segment. joints: centres by joint, (frames, 3). missing: segment -> landmarks that would define it."""

    frames: dict[str, Frames]
    joints: dict[str, Array]
    missing: dict[str, str]
    notes: list[str]


def unit(vectors: Array) -> Array:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def along_y(origin: Array, y: Array, right: Array) -> Frames:
    """y exactly; z as near to `right` as it can be."""
    y = unit(y)
    x = unit(np.cross(y, right))
    return Frames(origin, np.stack([x, y, np.cross(x, y)], axis=-1))


def along_z(origin: Array, z: Array, ahead: Array) -> Frames:
    """z exactly; x as near to `ahead` as it can be."""
    z = unit(z)
    y = unit(np.cross(z, ahead))
    return Frames(origin, np.stack([np.cross(y, z), y, z], axis=-1))


def middle(vectors: Array) -> Array:
    """The median over frames, of those that are seen."""
    seen = vectors[np.isfinite(vectors).reshape(len(vectors), -1).all(axis=1)]
    return np.median(seen, axis=0) if len(seen) else np.full(vectors.shape[1:], np.nan)


def anatomy(points: Mapping[str, Array], subject: Subject, hip: Regression, standing: bool) -> Anatomy:
    """points: by landmark, (frames, 3), m. standing: a static trial: the feet are flat in all frames."""
    found = Anatomy({}, {}, {}, [])
    _pelvis(found, points, hip)
    if "pelvis" in found.frames:
        lift = subject.share("pelvis").length
        found.joints["lumbar"] = found.frames["pelvis"].outside(upright(found.frames["pelvis"])[:, 1] * lift)
        for side in SIDES:
            _leg(found, points, side, subject, standing)
        _trunk(found, points)
    return found


def upright(frames: Frames) -> Array:
    """(3, 3), columns: axes of a frame that stands upright on average, in those of the segment, z as near as can be."""
    up = middle(frames.rotation[:, 2])
    up = up / np.linalg.norm(up)
    x = np.cross(up, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    return np.stack([x, up, np.cross(x, up)], axis=-1)


def flat_frames(points: Mapping[str, Array], side: str, standing: bool) -> Array:
    """Numbers of the frames in which a foot lies flat."""
    heel, ball = points.get(f"{side}_heel"), ball_of(points, side)
    if heel is None or ball is None:
        return np.arange(len(next(iter(points.values()))))
    height = (heel + ball)[:, 2]
    seen = np.flatnonzero(np.isfinite(height))
    if standing or not len(seen):
        return seen
    return seen[np.argsort(height[seen])[: max(3, round(FLAT * len(seen)))]]


def ball_of(points: Mapping[str, Array], side: str) -> Array | None:
    """The second metatarsal head, or the middle of the first and the fifth, or what is there of them."""
    if f"{side}_mt2" in points:
        return points[f"{side}_mt2"]
    found = [points[f"{side}_{name}"] for name in ("mt1", "mt5") if f"{side}_{name}" in points]
    return np.mean(found, axis=0) if found else None


def _pelvis(found: Anatomy, points: Mapping[str, Array], hip: Regression) -> None:
    right, left = points.get("right_asis"), points.get("left_asis")
    back = [points[name] for name in ("right_psis", "left_psis") if name in points]
    sacrum = np.mean(back, axis=0) if len(back) == 2 else points.get("sacrum")
    if right is None or left is None or sacrum is None:
        found.missing["pelvis"] = "right_asis, left_asis, and right_psis with left_psis or sacrum"
        return
    front = 0.5 * (right + left)
    frames = along_z(front, right - left, front - sacrum)
    width, depth = (float(middle(np.linalg.norm(v, axis=1))) for v in (right - left, front - sacrum))
    ahead, up, out = hip.offset(width, depth)
    for side, sign in SIDES.items():
        found.joints[f"{side}_hip"] = frames.outside(np.array([ahead, up, sign * out]))
    found.frames["pelvis"] = Frames(frames.outside(np.array([ahead, up, 0.0])), frames.rotation)


def _leg(found: Anatomy, points: Mapping[str, Array], side: str, subject: Subject, standing: bool) -> None:
    pelvis, hip = found.frames["pelvis"], found.joints[f"{side}_hip"]
    flat = flat_frames(points, side, standing)
    widths = {"knee": KNEE_WIDTH * subject.height, "ankle": ANKLE_WIDTH * subject.height}
    above, sideways = hip, pelvis.rotation[:, :, 2]
    for name, joint in (("thigh", "knee"), ("shank", "ankle")):
        outer = points.get(f"{side}_{joint}")
        if outer is None:
            found.missing[f"{side}_{name}"] = f"{side}_{joint} and {side}_{joint}_medial"
            return
        inner = points.get(f"{side}_{joint}_medial")
        if inner is None:
            inner = _inner(above, outer, SIDES[side] * sideways, widths[joint], flat)
            found.notes.append(
                f"no {side}_{joint}_medial: the {side} {joint} is {500 * widths[joint]:.0f} mm inwards of its marker (by body "
                f"height), sideways as the {'pelvis' if joint == 'knee' else 'thigh'} is when the foot lies flat"
            )
        centre = 0.5 * (outer + inner)
        frames = along_y(above, above - centre, SIDES[side] * (outer - inner))
        found.frames[f"{side}_{name}"] = frames
        found.joints[f"{side}_{joint}"] = centre
        above, sideways = centre, frames.rotation[:, :, 2]
    _foot(found, points, side, flat)


def _inner(above: Array, outer: Array, outwards: Array, width: float, flat: Array) -> Array:
    """Where the inner marker of a joint would be, in the frames in which the foot lies flat: across the limb."""
    across = outwards - unit(above - outer) * np.sum(outwards * unit(above - outer), axis=1, keepdims=True)
    inner = np.full_like(outer, np.nan)
    inner[flat] = (outer - width * unit(across))[flat]
    return inner


def _foot(found: Anatomy, points: Mapping[str, Array], side: str, flat: Array) -> None:
    heel, ball, ankle = points.get(f"{side}_heel"), ball_of(points, side), found.joints[f"{side}_ankle"]
    if heel is None or ball is None:
        found.missing[f"{side}_foot"] = f"{side}_heel and {side}_mt2, or {side}_mt1 with {side}_mt5"
        return
    rough = along_z(ankle, np.cross(ball - heel, ankle - heel), ball - heel).rotation
    up = middle(rough[flat][:, 2])
    x = np.array([1.0, 0.0, 0.0]) - up[0] * up / (up @ up)
    y, x = up / np.linalg.norm(up), x / np.linalg.norm(x)
    found.frames[f"{side}_foot"] = Frames(ankle, rough @ np.stack([x, y, np.cross(x, y)], axis=-1))


def _trunk(found: Anatomy, points: Mapping[str, Array]) -> None:
    low = found.joints["lumbar"]
    four = [points.get(name) for name in ("clavicle", "c7", "sternum", "t10")]
    right, left = points.get("right_shoulder"), points.get("left_shoulder")
    if all(one is not None for one in four):
        clavicle, c7, sternum, back = (one for one in four if one is not None)
        up = 0.5 * (clavicle + c7) - 0.5 * (sternum + back)
        found.frames["trunk"] = along_y(low, up, np.cross(clavicle - c7, up))
    elif right is not None and left is not None:
        found.frames["trunk"] = along_y(low, 0.5 * (right + left) - low, right - left)
    else:
        found.missing["trunk"] = "c7, t10, clavicle and sternum, or right_shoulder with left_shoulder"
        found.frames["trunk"] = Frames(low, np.tile(UPRIGHT, (len(low), 1, 1)))  # carried, upright
