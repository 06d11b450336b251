"""A person as rigid segments with joints: dimensions, masses and marker positions, from a static trial or from the walk.

skeleton = gw.gait.skeleton_of(trial, subject, static=standing)
model = skeleton.model()        # a gw.Model: bodies, joints, markers as points

Segments: pelvis, right_thigh, right_shank, right_foot, left_..., and trunk (head, arms and trunk above the navel). A trunk
without markers of its own is carried: it moves with the hips, but stays upright and faces forward, and a note states it.
As one rigid body with the pelvis it would sway by centimetres, unlike real trunks: m a of the whole body then missed the
plate forces of two walks by 10 % of the weight fore-aft and sideways, with a carried trunk by 6 and 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright.gait.axes import crossed_side_offset
from gaitwright.gait.hip_centres import HIP_CENTRE_REGRESSIONS
from gaitwright.gait.marker_sets import landmark_segment, marker_sets, usual_marker_names
from gaitwright.gait.segment_frames import (
    HEEL_OFFSET_PER_FOOT_LENGTH,
    SIDE_SIGNS,
    UPRIGHT_AXES,
    LimbMeasures,
    SegmentFrames,
    SkeletonAnatomy,
    locate_anatomy,
    mean_upright_axes,
    median_over_frames,
)
from gaitwright.gait.subject import ANKLE_HEIGHT_PER_BODY_HEIGHT, SegmentMass, Subject
from gaitwright.geometry.orientation import rotation_from_angles
from gaitwright.geometry.rotation import angles_of

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial
    from gaitwright.model.model import Model

Array = np.ndarray
SegmentPoses = dict[str, tuple[Array, Array]]
"""Origin (3,) and rotation (3, 3) by segment."""
JOINT_KINDS = ("spherical", "hinge")
LEG_LENGTH_RTOL = 0.12
"""Tolerance of the leg length relative to its usual value for the height: two and a half standard deviations."""
STATIC_LENGTH_RTOL = 0.1
"""Tolerance of limb lengths between a static trial and a walk."""


KEY_POINT_UNMEASURED_ANGLES = (
    "pelvis_tilt", "hip_rotation", "knee_adduction", "knee_rotation", "ankle_inversion", "ankle_rotation",
)  # fmt: skip
"""Angles that centres of joints, heel and toes do not define."""


class MissingMarkerError(ModelError):
    """A trial without the markers that a skeleton needs; its events and lengths of steps may still be known."""


@dataclass(frozen=True)
class SkeletonSegment:
    """Segment in its own frame, with the origin at its upper joint (for the pelvis: at the midpoint of the hips). mass:
    kg. centre: (3,), of mass, m. inertia: (3, 3), about the centre, kg m^2. joints: position of each joint. markers:
    position by label.
    length: m."""

    name: str
    mass: float
    centre: Array
    inertia: Array
    length: float
    joints: dict[str, Array] = field(default_factory=dict)
    markers: dict[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class SkeletonJoint:
    """Joint between two segments. kind: 'spherical', or 'hinge' about z of the parent. rest: (3, 3), rotation of the child
    in the parent's frame at zero hinge angle."""

    name: str
    parent: str
    child: str
    kind: str
    rest: Array


@dataclass(frozen=True)
class HumanSkeleton:
    """Skeleton of a person. segments: by name, parents before children. joints: by name, in the order of their children.
    landmarks: label by landmark. carried: True if the trunk has no markers and is kept upright. missing: for each segment
    of a leg without markers, the landmarks that would define it; its poses are unknown. faults: corrected defects of
    labels. unmeasured: names of the angles that its markers do not define, without the side."""

    subject: Subject
    segments: dict[str, SkeletonSegment]
    joints: dict[str, SkeletonJoint]
    landmarks: dict[str, str]
    carried: bool
    notes: list[str]
    missing: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    unmeasured: tuple[str, ...] = ()

    @property
    def mass(self) -> float:
        """Mass of all segments, kg."""
        return sum(one.mass for one in self.segments.values())

    def drawn(self) -> SegmentPoses:
        """Origin and rotation of each segment, upright with the soles on the ground at z = 0."""
        legs = [self.segments[f"{side}_{kind}"].length for side in SIDE_SIGNS for kind in ("thigh", "shank")]
        hip = self.segments["pelvis"].joints["right_hip"][1]
        height = 0.5 * sum(legs) - hip + ANKLE_HEIGHT_PER_BODY_HEIGHT * self.subject.height
        poses = {"pelvis": (np.array([0.0, 0.0, height]), UPRIGHT_AXES)}
        for joint in self.joints.values():
            origin, rotation = poses[joint.parent]
            poses[joint.child] = (
                origin + rotation @ self.segments[joint.parent].joints[joint.name],
                rotation @ joint.rest,
            )
        return poses

    def model(self, name: str = "person", gravity: float = 9.81, poses: SegmentPoses | None = None) -> Model:
        """Build a model with bodies, joints, and markers as points (`R.Heel` is right_foot.R_Heel); z is up. poses: pose
        of the drawing, such as `motion.poses(frame)`; default: upright on the ground. gravity: m/s^2."""
        from gaitwright.model.model import Model

        model = Model(name, dimension=3, gravity=(0, 0, -gravity))
        drawn = poses or self.drawn()
        for segment in self.segments.values():
            origin, rotation = drawn[segment.name]
            points = {**segment.joints, **{_point_name(label): at for label, at in segment.markers.items()}}
            inertia = segment.inertia
            moments = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
            model.body(
                segment.name, mass=segment.mass, inertia=[float(m) for m in moments], at=origin.tolist(),
                centre=segment.centre.tolist(), orientation={"axes": rotation.T.tolist()},
                points={key: place.tolist() for key, place in points.items()},
            )  # fmt: skip
        for joint in self.joints.values():
            a, b = f"{joint.parent}.{joint.name}", f"{joint.child}.{joint.name}"
            if joint.kind == "hinge":
                model.joint.revolute(a, b, axis=[0, 0, 1], name=joint.name)
            else:
                model.joint.spherical(a, b, name=joint.name)
        return model


def skeleton_of(
    trial: GaitTrial,
    subject: Subject,
    static: GaitTrial | None = None,
    *,
    hip: str | None = None,
    knee: str | None = None,
    ankle: str = "spherical",
) -> HumanSkeleton:
    """Build the skeleton of the person in a trial: lengths and marker positions from `static`, a standing trial, or from
    the walk itself. hip: regression of its centre, 'harrington', 'bell' or 'davis'; default: Davis' for the conventional gait
    model with a length of the leg in the file, otherwise Harrington's. knee, ankle: 'spherical' or 'hinge'; default of the
    knee: hinge for key points, which do not measure its axis.

    Missing landmarks are completed, with notes; the segments of a leg without its landmarks are in `missing`. Raises
    ModelError for crossed sides, a static trial of another person, or without the landmarks of the pelvis or of any leg."""
    at = ErrorContext("skeleton")
    source = static or trial
    measures = source.measures if source.measures != LimbMeasures() else trial.measures
    marker_set = marker_sets().get(source.marker_set)
    if hip is None:
        hip = marker_set.hips if marker_set and marker_set.hips and measures.leg_length else "harrington"
    regression = HIP_CENTRE_REGRESSIONS[at["hip"].one_of(hip, HIP_CENTRE_REGRESSIONS, "is no regression")]
    key_points = any(f"{side}_knee_centre" in source.landmarks for side in SIDE_SIGNS)
    if knee is None:
        knee = "hinge" if key_points else "spherical"
    kinds = {"knee": at["knee"].one_of(knee, JOINT_KINDS), "ankle": at["ankle"].one_of(ankle, JOINT_KINDS)}
    for one in (trial, source):
        if (crossed_side_offset(one) or 0.0) > 0.0:
            ErrorContext(f"trial '{one.name}'").fail(
                "has its right markers on the left", expected="gw.gait.swap_sides(trial) or gw.gait.mirror_trial(trial)"
            )
    points = landmark_positions(source)
    wands = marker_set.wands if marker_set else {}
    anatomy = locate_anatomy(points, subject, regression, static is not None, wands, measures)
    _check_landmarks(anatomy, source, points)
    if static is not None:
        _check_same_person(
            anatomy,
            locate_anatomy(landmark_positions(trial), subject, regression, False, wands, measures),
            static.name,
            trial.name,
        )
    notes = [f"hips by {regression.source}", f"segments by {subject.source}", *anatomy.notes]
    notes.append(f"sizes from the static trial {static.name}" if static else "sizes from the walk: no static trial")
    labels = {**source.landmarks, **{k: v for k, v in trial.landmarks.items() if k in source.landmarks}}
    segments = _build_segments(anatomy, subject, points, labels)
    notes += _height_warnings(segments, subject)
    carried = "trunk" in anatomy.missing
    if carried:
        notes.append(
            f"no markers of the trunk ({anatomy.missing['trunk']}): head, arms and trunk are carried by the pelvis, upright"
        )
    missing = {name: needed for name, needed in anatomy.missing.items() if name != "trunk"}
    notes += [f"no {name.replace('_', ' ')}: it needs {needed}" for name, needed in missing.items()]
    joints = {name: _build_joint(name, kinds, anatomy) for name in JOINT_NAMES}
    unmeasured = KEY_POINT_UNMEASURED_ANGLES if key_points else ()
    return HumanSkeleton(subject, segments, joints, labels, carried, notes, missing, list(anatomy.faults), unmeasured)


def landmark_positions(trial: GaitTrial) -> dict[str, Array]:
    """Positions by landmark, (frames, 3), m; landmarks without any visible frame are left out."""
    places, labels = trial.markers.to_numpy(), trial.labels
    positions = {name: places[:, labels.index(label)] for name, label in trial.landmarks.items() if label in labels}
    return {name: one for name, one in positions.items() if np.isfinite(one).any()}


def _check_landmarks(found: SkeletonAnatomy, trial: GaitTrial, seen: Mapping[str, Array]) -> None:
    """Raise ModelError if the pelvis, or both legs, have no landmarks."""
    lacking = next((name for name in ("pelvis", "right_thigh") if name in found.missing), None)
    if lacking is None or (lacking == "right_thigh" and "left_thigh" not in found.missing):
        return
    needed = found.missing[lacking]
    first = next((name for name in re.findall(r"\w+_\w+", needed) if name not in seen), needed)
    names = usual_marker_names(first)
    unused = [label for label in trial.labels if label not in trial.landmarks.values()]
    near = next((hint for name in names if (hint := suggest_spelling(name, unused))), "")
    has = f"; it has {', '.join(trial.labels[:12])}{' ..' if len(trial.labels) > 12 else ''}"
    raise MissingMarkerError(
        f"has no markers of the {'pelvis' if lacking == 'pelvis' else 'thighs'}{has}",
        element=f"trial '{trial.name}'",
        expected=f"{needed}; {first} is usually called {', '.join(names) or 'nothing'}; markers of a static trial by --static, "
        f"other names by --markers with a line such as `{first}: label`{near}",
    )


def _check_same_person(standing: SkeletonAnatomy, walking: SkeletonAnatomy, static: str, walk: str) -> None:
    for segment in (f"{side}_{kind}" for side in SIDE_SIGNS for kind in ("thigh", "shank")):
        if segment in standing.frames and segment in walking.frames:
            there, here = (_limb_length(one, segment) for one in (standing, walking))
            if np.isfinite(there * here) and abs(there / here - 1) > STATIC_LENGTH_RTOL:
                ErrorContext(f"static trial '{static}'").fail(
                    f"is of someone else than '{walk}': the {segment.replace('_', ' ')} is {there:.3f} m long there and "
                    f"{here:.3f} m in the walk", expected="a static trial of the same person with the same markers",
                )  # fmt: skip


def _height_warnings(segments: Mapping[str, SkeletonSegment], subject: Subject) -> list[str]:
    """Warning if the leg length does not fit the stated height: a wrong height gives wrong feet and a wrong trunk."""
    legs = 0.5 * sum(segments[f"{side}_{kind}"].length for side in SIDE_SIGNS for kind in ("thigh", "shank"))
    usual = sum(subject.share(kind).length for kind in ("thigh", "shank"))
    if abs(legs / usual - 1) <= LEG_LENGTH_RTOL:
        return []
    return [
        f"from hip to ankle the legs are {legs:.2f} m, usual at {subject.height:.2f} m of height are {usual:.2f} m: "
        "is the height right?"
    ]


LIMB_JOINTS = {"thigh": ("hip", "knee"), "shank": ("knee", "ankle")}


def _limb_length(found: SkeletonAnatomy, segment: str) -> float:
    side, _, kind = segment.partition("_")
    upper, lower = (found.joints.get(f"{side}_{joint}") for joint in LIMB_JOINTS[kind])
    if upper is None or lower is None:
        return float("nan")
    return float(median_over_frames(np.linalg.norm(upper - lower, axis=1)))


def _known_limb_length(found: SkeletonAnatomy, segment: str, subject: Subject) -> float:
    """Length of a segment, or else that of the other leg, or else the usual one."""
    side, _, kind = segment.partition("_")
    other = "left" if side == "right" else "right"
    lengths = (_limb_length(found, segment), _limb_length(found, f"{other}_{kind}"), subject.share(kind).length)
    return next(length for length in lengths if np.isfinite(length))


def _build_segments(
    found: SkeletonAnatomy, subject: Subject, points: Mapping[str, Array], labels: Mapping[str, str]
) -> dict[str, SkeletonSegment]:
    """Build all segments, parents first. labels: those of the walk, by landmark."""
    order = ["pelvis", *(f"{side}_{kind}" for side in SIDE_SIGNS for kind in ("thigh", "shank", "foot")), "trunk"]
    segments = {}
    for name in order:
        frames = found.frames.get(name)
        markers = {
            labels[landmark]: local
            for landmark, places in points.items()
            if frames is not None
            and landmark_segment(landmark) == name
            and np.isfinite(local := median_over_frames(frames.inside(places))).all()
        }
        segments[name] = replace(_build_segment(name, found, subject, points), markers=markers)
    return segments


def _build_segment(name: str, found: SkeletonAnatomy, subject: Subject, points: Mapping[str, Array]) -> SkeletonSegment:
    side, _, kind = name.partition("_")
    if name == "trunk":
        lump = _rotate_mass_properties(subject.upper_body(), mean_upright_axes(found.frames[name]))
        return SkeletonSegment(name, *lump, 2 * float(np.linalg.norm(lump.centre)), {"lumbar": np.zeros(3)})
    if name == "pelvis":
        return _build_pelvis(found, subject)
    share = subject.share(kind)
    if kind == "foot":
        heel = HEEL_OFFSET_PER_FOOT_LENGTH * share.length
        if name in found.frames and f"{side}_heel" in points:
            heel = float(median_over_frames(found.frames[name].inside(points[f"{side}_heel"]))[0])
        centre = np.array(
            [heel + share.centre * share.length, -0.5 * ANKLE_HEIGHT_PER_BODY_HEIGHT * subject.height, 0.0]
        )
        x, y, z = share.gyration  # in the tables the long axis is the one from heel to toe
        inertia = share.mass * np.diag(np.square(np.array([y, x, z]) * share.length))
        return SkeletonSegment(name, share.mass, centre, inertia, share.length, {f"{side}_ankle": np.zeros(3)})
    length = _known_limb_length(found, name, subject)
    upper, lower = (f"{side}_{joint}" for joint in LIMB_JOINTS[kind])
    joints = {upper: np.zeros(3), lower: np.array([0.0, -length, 0.0])}
    centre = np.array([0.0, -share.centre * length, 0.0])
    return SkeletonSegment(name, share.mass, centre, share.inertia(length), length, joints)


def _build_pelvis(found: SkeletonAnatomy, subject: Subject) -> SkeletonSegment:
    frames, share = found.frames["pelvis"], subject.share("pelvis")
    standing = mean_upright_axes(frames)
    lump = SegmentMass(share.mass, np.array([0.0, (1 - share.centre) * share.length, 0.0]), share.inertia(share.length))
    joints = {
        name: median_over_frames(frames.inside(found.joints[name])) for name in ("right_hip", "left_hip", "lumbar")
    }
    return SkeletonSegment("pelvis", *_rotate_mass_properties(lump, standing), share.length, joints)


def _rotate_mass_properties(lump: SegmentMass, axes: Array) -> SegmentMass:
    return SegmentMass(lump.mass, axes @ lump.centre, axes @ lump.inertia @ axes.T)


JOINT_NAMES = [*(f"{side}_{name}" for side in SIDE_SIGNS for name in ("hip", "knee", "ankle")), "lumbar"]
JOINT_SEGMENTS = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot")}


def _build_joint(name: str, kinds: Mapping[str, str], found: SkeletonAnatomy) -> SkeletonJoint:
    if name == "lumbar":
        return SkeletonJoint(name, "pelvis", "trunk", "spherical", np.eye(3))
    side, _, kind = name.partition("_")
    parent, child = (one if one == "pelvis" else f"{side}_{one}" for one in JOINT_SEGMENTS[kind])
    joint_kind = kinds.get(kind, "spherical")
    rest = np.eye(3)
    if joint_kind == "hinge" and f"{side}_{JOINT_SEGMENTS[kind][1]}" in found.frames:
        # keep the other angles at their median
        rest = rotation_from_angles([0.0, *_median_joint_angles(found.frames[parent], found.frames[child])[1:]], "zxy")
    return SkeletonJoint(name, parent, child, joint_kind, rest)


def _median_joint_angles(parent: SegmentFrames, child: SegmentFrames) -> Array:
    relative = np.swapaxes(parent.rotation, 1, 2) @ child.rotation
    return median_over_frames(angles_of(relative[np.isfinite(relative).all(axis=(1, 2))], "zxy"))


def _point_name(label: str) -> str:
    return re.sub(r"\W", "_", label)
