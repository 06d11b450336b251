"""A person as rigid segments with joints: sizes, masses and where the markers sit, from a static trial or the walk itself.

skeleton = gw.gait.skeleton_of(trial, subject, static=standing)
model = skeleton.model()        # a gw.Model: bodies, joints, markers as points

Segments: pelvis, right_thigh, right_shank, right_foot, left_..., and trunk (head, arms and trunk above the navel). A trunk
without markers of its own is carried: it goes with the hips, but stays upright and looks ahead, and the notes tell. As one
rigid body with the pelvis it would sway by centimetres that people do not: m a of the whole body then missed the plates'
forces of two walks by 10 % of the weight forwards and sideways, carried by 6 and 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.checks import At, did_you_mean
from gaitwright.gait.axes import crossed_sides
from gaitwright.gait.hip_centres import REGRESSIONS
from gaitwright.gait.marker_sets import segment_of, usual_names
from gaitwright.gait.segment_frames import SIDES, UPRIGHT, Anatomy, Frames, anatomy, middle, upright
from gaitwright.gait.subject import ANKLE_HEIGHT, Lump, Subject
from gaitwright.geometry.orientation import from_angles
from gaitwright.geometry.rotation import angles_of

if TYPE_CHECKING:
    from gaitwright.gait.trial import Trial
    from gaitwright.model.model import Model

Array = np.ndarray
Poses = dict[str, tuple[Array, Array]]
"""Origin (3,) and rotation (3, 3) by segment."""
KINDS = ("spherical", "hinge")
UNUSUAL = 0.12
"""By which legs may differ from the usual of a height: two and a half standard deviations."""
OTHER_PERSON = 0.1
"""By which lengths of limbs may differ between a static trial and a walk."""


@dataclass(frozen=True)
class Segment:
    """In its own frame, whose origin is its upper joint (of the pelvis: the middle of the hips). mass: kg. centre: (3,), of
    mass, m. inertia: (3, 3), about the centre, kg m^2. joints: place of each joint. markers: place by label. length: m."""

    name: str
    mass: float
    centre: Array
    inertia: Array
    length: float
    joints: dict[str, Array] = field(default_factory=dict)
    markers: dict[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Joint:
    """From a segment to the next. kind: 'spherical', or 'hinge' about z of the parent. rest: (3, 3), the child's rotation in
    the parent's frame where the angle of a hinge is zero."""

    name: str
    parent: str
    child: str
    kind: str
    rest: Array


@dataclass(frozen=True)
class Skeleton:
    """segments: by name, parents before children. joints: by name, in the order of their children. landmarks: label by
    landmark. carried: that the trunk has no markers and is kept upright."""

    subject: Subject
    segments: dict[str, Segment]
    joints: dict[str, Joint]
    landmarks: dict[str, str]
    carried: bool
    notes: list[str]

    @property
    def mass(self) -> float:
        """kg, of all segments."""
        return sum(one.mass for one in self.segments.values())

    def drawn(self) -> Poses:
        """Origin and rotation of each segment, upright with the soles on the ground at z = 0."""
        legs = [self.segments[f"{side}_{kind}"].length for side in SIDES for kind in ("thigh", "shank")]
        hip = self.segments["pelvis"].joints["right_hip"][1]
        height = 0.5 * sum(legs) - hip + ANKLE_HEIGHT * self.subject.height
        poses = {"pelvis": (np.array([0.0, 0.0, height]), UPRIGHT)}
        for joint in self.joints.values():
            origin, rotation = poses[joint.parent]
            poses[joint.child] = (
                origin + rotation @ self.segments[joint.parent].joints[joint.name],
                rotation @ joint.rest,
            )
        return poses

    def model(self, name: str = "person", gravity: float = 9.81, poses: Poses | None = None) -> Model:
        """Bodies with masses, joints, and markers as points (`R.Heel` is right_foot.R_Heel); z is up. poses: in which it is
        drawn, as `motion.poses(frame)` has them; upright on the ground unless given."""
        from gaitwright.model.model import Model

        model = Model(name, dimension=3, gravity=(0, 0, -gravity))
        drawn = poses or self.drawn()
        for segment in self.segments.values():
            origin, rotation = drawn[segment.name]
            points = {**segment.joints, **{_plain(label): at for label, at in segment.markers.items()}}
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
                model.revolute(a, b, axis=[0, 0, 1], name=joint.name)
            else:
                model.spherical(a, b, name=joint.name)
        return model


def skeleton_of(
    trial: Trial,
    subject: Subject,
    static: Trial | None = None,
    *,
    hip: str = "harrington",
    knee: str = "spherical",
    ankle: str = "spherical",
) -> Skeleton:
    """The skeleton of the person in a trial: lengths and places of markers from `static`, a trial in which the person stands,
    or from the walk itself. hip: regression of its centre, 'harrington' or 'bell'. knee, ankle: 'spherical' or 'hinge'."""
    at = At("skeleton")
    regression = REGRESSIONS[at["hip"].one_of(hip, REGRESSIONS, "is no regression")]
    kinds = {"knee": at["knee"].one_of(knee, KINDS), "ankle": at["ankle"].one_of(ankle, KINDS)}
    source = static or trial
    for one in (trial, source):
        if (crossed_sides(one) or 0.0) > 0.0:
            At(f"trial '{one.name}'").fail(
                "has its right markers on the left", expected="gw.gait.swapped(trial) or gw.gait.mirrored(trial)"
            )
    points = landmark_points(source)
    found = anatomy(points, subject, regression, standing=static is not None)
    _nothing_missing(found, source, points)
    if static is not None:
        _same_person(found, anatomy(landmark_points(trial), subject, regression, False), static.name, trial.name)
    notes = [f"hips by {regression.source}", f"segments by {subject.source}", *found.notes]
    notes.append(f"sizes from the static trial {static.name}" if static else "sizes from the walk: no static trial")
    labels = {**source.landmarks, **{k: v for k, v in trial.landmarks.items() if k in source.landmarks}}
    segments = _segments(found, subject, points, labels)
    notes += _height_fits(segments, subject)
    carried = "trunk" in found.missing
    if carried:
        notes.append(
            f"no markers of the trunk ({found.missing['trunk']}): head, arms and trunk are carried by the pelvis, upright"
        )
    joints = {name: _joint(name, kinds, found) for name in JOINTS}
    return Skeleton(subject, segments, joints, labels, carried, notes)


def landmark_points(trial: Trial) -> dict[str, Array]:
    """By landmark, (frames, 3); those that are never seen are left out."""
    places, labels = trial.markers.to_numpy(), trial.labels
    found = {name: places[:, labels.index(label)] for name, label in trial.landmarks.items() if label in labels}
    return {name: one for name, one in found.items() if np.isfinite(one).any()}


def _nothing_missing(found: Anatomy, trial: Trial, seen: Mapping[str, Array]) -> None:
    for segment, needed in found.missing.items():
        if segment == "trunk":
            continue
        first = next((name for name in re.findall(r"\w+_\w+", needed) if name not in seen), needed)
        names = usual_names(first)
        unused = [label for label in trial.labels if label not in trial.landmarks.values()]
        near = next((said for name in names if (said := did_you_mean(name, unused))), "")
        At(f"trial '{trial.name}'").fail(
            f"has no markers of the {segment.replace('_', ' ')}",
            expected=f"{needed}; {first} is usually called {', '.join(names) or 'nothing'}; "
            f"other names by load(..., markers={{'{first}': label}}){near}",
        )


def _same_person(standing: Anatomy, walking: Anatomy, static: str, walk: str) -> None:
    for segment in (f"{side}_{kind}" for side in SIDES for kind in ("thigh", "shank")):
        if segment in standing.frames and segment in walking.frames:
            there, here = (_length(one, segment) for one in (standing, walking))
            if abs(there / here - 1) > OTHER_PERSON:
                At(f"static trial '{static}'").fail(
                    f"is of someone else than '{walk}': the {segment.replace('_', ' ')} is {there:.3f} m long there and "
                    f"{here:.3f} m in the walk", expected="a static trial of the same person with the same markers",
                )  # fmt: skip


def _height_fits(segments: Mapping[str, Segment], subject: Subject) -> list[str]:
    """Legs against the height that is said: a wrong one makes wrong feet and a wrong trunk."""
    legs = 0.5 * sum(segments[f"{side}_{kind}"].length for side in SIDES for kind in ("thigh", "shank"))
    usual = sum(subject.share(kind).length for kind in ("thigh", "shank"))
    if abs(legs / usual - 1) <= UNUSUAL:
        return []
    return [
        f"from hip to ankle the legs are {legs:.2f} m, usual at {subject.height:.2f} m of height are {usual:.2f} m: "
        "is the height right?"
    ]


BELOW = {"thigh": ("hip", "knee"), "shank": ("knee", "ankle")}


def _length(found: Anatomy, segment: str) -> float:
    side, _, kind = segment.partition("_")
    upper, lower = (found.joints[f"{side}_{joint}"] for joint in BELOW[kind])
    return float(middle(np.linalg.norm(upper - lower, axis=1)))


def _segments(
    found: Anatomy, subject: Subject, points: Mapping[str, Array], labels: Mapping[str, str]
) -> dict[str, Segment]:
    """Parents first. labels: those of the walk, by landmark."""
    order = ["pelvis", *(f"{side}_{kind}" for side in SIDES for kind in ("thigh", "shank", "foot")), "trunk"]
    segments = {}
    for name in order:
        frames = found.frames[name]
        markers = {
            labels[landmark]: local
            for landmark, places in points.items()
            if segment_of(landmark) == name and np.isfinite(local := middle(frames.inside(places))).all()
        }
        segments[name] = replace(_body(name, found, subject, points), markers=markers)
    return segments


def _body(name: str, found: Anatomy, subject: Subject, points: Mapping[str, Array]) -> Segment:
    frames, (side, _, kind) = found.frames[name], name.partition("_")
    if name == "trunk":
        lump = _turned(subject.upper_body(), upright(frames))
        return Segment(name, *lump, 2 * float(np.linalg.norm(lump.centre)), {"lumbar": np.zeros(3)})
    if name == "pelvis":
        return _pelvis(found, subject)
    share = subject.share(kind)
    if kind == "foot":
        heel = float(middle(frames.inside(points[f"{side}_heel"]))[0])
        centre = np.array([heel + share.centre * share.length, -0.5 * ANKLE_HEIGHT * subject.height, 0.0])
        x, y, z = share.gyration  # tables call the axis from heel to toe the long one
        inertia = share.mass * np.diag(np.square(np.array([y, x, z]) * share.length))
        return Segment(name, share.mass, centre, inertia, share.length, {f"{side}_ankle": np.zeros(3)})
    length = _length(found, name)
    upper, lower = (f"{side}_{joint}" for joint in BELOW[kind])
    joints = {upper: np.zeros(3), lower: np.array([0.0, -length, 0.0])}
    centre = np.array([0.0, -share.centre * length, 0.0])
    return Segment(name, share.mass, centre, share.inertia(length), length, joints)


def _pelvis(found: Anatomy, subject: Subject) -> Segment:
    frames, share = found.frames["pelvis"], subject.share("pelvis")
    standing = upright(frames)
    lump = Lump(share.mass, np.array([0.0, (1 - share.centre) * share.length, 0.0]), share.inertia(share.length))
    joints = {name: middle(frames.inside(found.joints[name])) for name in ("right_hip", "left_hip", "lumbar")}
    return Segment("pelvis", *_turned(lump, standing), share.length, joints)


def _turned(lump: Lump, axes: Array) -> Lump:
    return Lump(lump.mass, axes @ lump.centre, axes @ lump.inertia @ axes.T)


JOINTS = [*(f"{side}_{name}" for side in SIDES for name in ("hip", "knee", "ankle")), "lumbar"]
PARTNERS = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot")}


def _joint(name: str, kinds: Mapping[str, str], found: Anatomy) -> Joint:
    if name == "lumbar":
        return Joint(name, "pelvis", "trunk", "spherical", np.eye(3))
    side, _, kind = name.partition("_")
    parent, child = (one if one == "pelvis" else f"{side}_{one}" for one in PARTNERS[kind])
    kept = kinds.get(kind, "spherical")
    rest = np.eye(3)
    if kept == "hinge":
        # what is not flexion stays as it is on average
        rest = from_angles([0.0, *_turns(found.frames[parent], found.frames[child])[1:]], "zxy")
    return Joint(name, parent, child, kept, rest)


def _turns(parent: Frames, child: Frames) -> Array:
    relative = np.swapaxes(parent.rotation, 1, 2) @ child.rotation
    return middle(angles_of(relative[np.isfinite(relative).all(axis=(1, 2))], "zxy"))


def _plain(label: str) -> str:
    return re.sub(r"\W", "_", label)
